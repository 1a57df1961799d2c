"""Finished treebanks are kept, and unchanged ones are not scored again."""

import errno
import io
import json
import os
import pickle
import re
import threading
from hashlib import sha256
from pathlib import Path

import pytest

import evalign
from evalign.errors import CommandError, InputError
from evalign.options import OPTIONS, Weights
from evalign.scoring.checkpoints import FinishedFolder
from evalign.scoring.collection import Collection, Treebank
from evalign.scoring.collection_run import CollectionJob, describe_job, finish_treebank
from evalign.scoring.request import resolve
from runs import BROKEN, DE, EN, EN_WRONG, words, write

pytestmark = pytest.mark.once

NL = words("P", "q", "r")


@pytest.fixture
def run(tmp_path):
    """Three treebanks and two systems, one of which lacks a file and has a broken one."""
    return (
        write(tmp_path / "gold", en=EN, de=DE, nl=NL),
        write(tmp_path / "alpha", en=EN, de=DE, nl=NL),
        write(tmp_path / "beta", en=EN_WRONG, nl=BROKEN),
    )


class Watched(list):
    """Scores collections, and lists the names of the treebanks that are scored."""

    def __call__(self, *folders, progress=lambda _stage: None, **options):
        def note(stage):
            name, _, doing = stage.rpartition(": ")
            if doing == "reading gold" and self[-1:] != [name]:
                self.append(name)
            progress(stage)

        return evalign.score_collection(*folders, progress=note, **options)


@pytest.fixture
def scored():
    return Watched()


def saved(parts):
    """A run as it is written to a file."""
    return json.dumps(parts.to_dict(whole=True))


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("evidence", ["keep", "drop"])
@pytest.mark.parametrize("failures", ["skip", "zero"])
def test_what_is_finished_is_not_scored_again(run, tmp_path, scored, evidence, failures):
    asked = {"evidence": evidence, "failures": failures}
    alone = saved(scored(*run, **asked))
    scored.clear()
    keep = tmp_path / "new" / "kept"
    assert saved(scored(*run, **asked, keep=keep)) == alone
    assert scored == ["de", "en", "nl"]
    kept = files(keep)
    assert sorted(name.partition("-")[0] for name in kept) == ["de", "en", "nl"]
    for data in kept.values():
        head, body, rest = data.split(b"\n")
        assert (json.loads(head)["layout"], rest) == (2, b"")
        evalign.Result.from_dict(json.loads(body)["result"])
    scored.clear()
    assert saved(scored(*run, **asked, keep=str(keep))) == alone
    assert scored == []
    assert files(keep) == kept


def test_a_run_that_was_stopped_goes_on(run, tmp_path, scored):
    whole = saved(scored(*run))
    scored.clear()

    def stop(stage):
        if stage.startswith("nl: counting"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        scored(*run, keep=tmp_path / "kept", progress=stop)
    assert scored == ["de", "en", "nl"]
    scored.clear()
    folder = FinishedFolder(tmp_path / "kept", tell=(told := []).append)
    assert saved(scored(*run, keep=folder)) == whole
    assert scored == ["nl"]
    assert told == ["2 of 3 treebanks were finished before"]
    assert (folder.n_before, folder.n_now, folder.n_kept, folder.total) == (2, 1, 3, 3)


def test_progress_goes_on_behind_what_was_finished(run, tmp_path):
    evalign.score_collection(*run, keep=tmp_path)
    write(run[0], en=EN + DE)
    stages = []
    evalign.score_collection(*run, keep=tmp_path, progress=stages.append)
    looked_at = [stage for stage in stages if "looking" in stage]
    assert [(str(stage), stage.done, stage.total) for stage in looked_at] == [
        (f"{name}: looking whether it is finished", k, 3) for k, name in enumerate(["de", "en", "nl"])
    ]
    assert {(stage.done, stage.total) for stage in stages[3:]} == {(2, 3)}
    assert {stage.partition(":")[0] for stage in stages[3:]} == {"en"}


CHANGES = {
    "gold": (lambda run: write(run[0], en=EN + DE), ["en"]),
    "system": (lambda run: write(run[1], de=DE + "\n"), ["de"]),
    "no file": (lambda run: (run[1] / "de.conllu").unlink(), ["de"]),
    "its name": (lambda run: (run[1] / "de.conllu").rename(run[1] / "de.txt"), ["de"]),
    "can be read": (lambda run: write(run[2], nl=NL), ["nl"]),
    "new file": (lambda run: write(run[2], de=DE), ["de"]),
    "new treebank": (lambda run: write(run[0], fr=NL), ["fr"]),
    "its time alone": (lambda run: os.utime(run[0] / "en.conllu", (0, 0)), []),
}


@pytest.mark.parametrize(("change", "again"), CHANGES.values(), ids=CHANGES)
def test_what_has_changed_is_scored_again(run, tmp_path, scored, change, again):
    scored(*run, keep=tmp_path / "kept")
    change(run)
    scored.clear()
    parts = scored(*run, keep=tmp_path / "kept")
    assert scored == again
    assert saved(parts) == saved(scored(*run))


def test_raw_text_that_has_changed_is_a_change(tmp_path, scored):
    gold, one = write(tmp_path / "gold", en=EN, de=DE), write(tmp_path / "one", en=EN, de=DE)
    raw = write(tmp_path / "raw", en__txt="A b c D e", de__txt="X y")
    for text, again in (("X y", ["de", "en"]), ("X y", []), ("X  y", ["de"])):
        write(raw, de__txt=text)
        scored.clear()
        scored(gold, one, raw=raw, keep=tmp_path / "kept")
        assert scored == again


def test_a_folder_of_raw_texts_of_one_treebank(tmp_path, scored):
    gold, raw = write(tmp_path / "gold", en=EN), write(tmp_path / "raw", a__txt="A b c", b__txt="D e")
    path = str(gold / "en.conllu")
    collection = Collection(("one",), (Treebank("en", path, (path,), raw),), ("none",))
    for text, again in (("D e", ["en"]), ("D e", []), ("D  e", ["en"])):
        write(raw, b__txt=text)
        scored.clear()
        parts = scored(collection, keep=tmp_path / "kept")
        assert (scored, parts["en"]["tokens"].f1) == (again, 1.0)


OTHER = {
    "metrics": ["words"],
    "match": "place",
    "normalize": ["lower"],
    "exceptions": "en",
    "credit_exceptions": True,
    "strict": True,
    "strategy": "printed",
    "average": "sentence",
    "gold_format": "conllu",
    "system_format": "conllu",
    "candidates": "!",
    "vocabulary": ["A"],
    "feature_values": "set",
    "edges": "all",
    "collapse_empty_nodes": True,
    "relations": "v1",
    "weights": {"root": 0.5},
    "layer": "names",
    "preset": "evalb-collins",
    "empty": "keep",
    "punctuation": "gold",
    "split_spaces": True,
}


def ask(failures="skip", evidence="keep", passages=5, systems=("one",), missing=("no file",), **options):
    return describe_job(CollectionJob(systems, missing, resolve(**options), failures, evidence, passages))


def test_every_option_makes_a_difference():
    assert set(OTHER) == set(OPTIONS), "tests/scoring/test_checkpoints.py: OTHER lacks an option"
    changed = [{name: value} for name, value in OTHER.items()]
    changed += [{"failures": "zero"}, {"evidence": "drop"}, {"passages": 6}, {"passages": None}]
    changed += [{"systems": ("two",)}, {"missing": ("gone",)}]
    digests = [ask(), *(ask(**each) for each in changed)]
    digests.append(
        describe_job(CollectionJob(("one",), ("no file",), resolve(), "skip", "keep", 5), version="9.9.9")
    )
    assert len(set(digests)) == len(digests)
    assert ask() == digests[0]


def test_files_among_the_options_count_by_what_they_hold(tmp_path):
    (tmp_path / "list.tsv").write_text("n't\tnot\n", encoding="utf-8")
    (tmp_path / "weights.json").write_text('{"schema": 1, "weights": {"root": 0.5}}', encoding="utf-8")
    (tmp_path / "own.prm").write_text("DELETE_LABEL TOP\n", encoding="utf-8")
    named = {
        "exceptions": str(tmp_path / "list.tsv"),
        "weights": str(tmp_path / "weights.json"),
        "preset": str(tmp_path / "own.prm"),
    }
    before = {name: ask(**{name: path}) for name, path in named.items()}
    assert {name: ask(**{name: path}) for name, path in named.items()} == before
    (tmp_path / "list.tsv").write_text("n't\tnot\n'll\twill\n", encoding="utf-8")
    (tmp_path / "weights.json").write_text('{"schema": 1, "weights": {"root": 0.4}}', encoding="utf-8")
    (tmp_path / "own.prm").write_text("DELETE_LABEL S1\n", encoding="utf-8")
    for name, path in named.items():
        assert ask(**{name: path}) != before[name]
    assert ask(weights=Weights({"a": 0.5, "b": 1.0})) == ask(weights=Weights({"b": 1.0, "a": 0.5}))


def test_an_option_that_has_changed_is_a_change(run, tmp_path, scored):
    scored(*run, keep=tmp_path / "kept")
    scored.clear()
    parts = scored(*run, keep=tmp_path / "kept", metrics=["upos"])
    assert scored == ["de", "en", "nl"]
    assert list(parts.metrics) == ["upos"]


def test_what_can_be_read_only_once_is_read_once(tmp_path, scored, monkeypatch):
    gold = str(write(tmp_path / "gold", en=EN) / "en.conllu")
    for text, again in ((EN, ["en"]), (EN, []), (EN_WRONG, ["en"])):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        file = io.StringIO(text)
        collection = Collection(("one", "two"), (Treebank("en", gold, ("-", file)),), ("", ""))
        scored.clear()
        parts = scored(collection, keep=tmp_path / "kept")
        assert scored == again
        for number in (0, 1):
            assert parts["en"].systems[number]["upos"].f1 == (0.6 if text == EN_WRONG else 1.0)


@pytest.mark.skipif(os.name == "nt", reason="there are no named pipes")
def test_a_pipe_is_read_once(tmp_path, scored):
    gold = write(tmp_path / "gold", en=EN) / "en.conllu"
    os.mkfifo(tmp_path / "pipe")
    collection = Collection(("one",), (Treebank("en", gold, (tmp_path / "pipe",)),), ("",))
    for again in (["en"], []):
        writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=(EN,))
        writer.start()
        scored.clear()
        parts = scored(collection, keep=tmp_path / "kept")
        writer.join()
        assert (scored, parts["en"]["las"].f1) == (again, 1.0)


def damage(path):
    data = path.read_bytes()
    path.write_bytes(data[:-40] + bytes([data[-40] ^ 1]) + data[-39:])


def replace_by_another(path):
    [other] = path.parent.glob("de-*")
    path.write_bytes(other.read_bytes())


def replace_by_a_link(path):
    mine = path.parent.parent / "mine.txt"
    mine.write_text("mine")
    path.unlink()
    path.symlink_to(mine)


@pytest.mark.parametrize("change", [damage, replace_by_another, replace_by_a_link])
def test_a_file_that_was_damaged_is_never_taken(run, tmp_path, scored, change):
    keep = tmp_path / "kept"
    whole = saved(scored(*run, keep=keep))
    before = files(keep)
    [path] = keep.glob("en-*")
    change(path)
    scored.clear()
    with pytest.warns(RuntimeWarning, match="^kept: 1 kept treebank is damaged.*; scored again") as caught:
        assert saved(scored(*run, keep=keep)) == whole
    assert (scored, len(caught)) == (["en"], 1)
    assert files(keep) == before
    assert not path.is_symlink()


FIRST = "result", "systems", 0
FORGED = {
    ("shown",): [["a"]],
    ("shown", 0): 3,
    ("result",): [],
    ("result", "systems"): [],
    (*FIRST, "name"): "gamma",
    (*FIRST, "units", "upos", "rows"): [[2**63] * 3],
    (*FIRST, "units", "upos", "rows", 0): [1],
    (*FIRST, "units"): {"nothing": {"fields": [], "rows": []}},
    (*FIRST, "ledger", "equal"): float("inf"),
    (*FIRST, "ledger"): [[[[[[[]]]]]]],
    FIRST: None,
}


@pytest.mark.issue(15)
@pytest.mark.parametrize("evidence", ["keep", "drop"])
def test_a_file_that_was_made_to_look_right_does_no_harm(run, tmp_path, scored, evidence):
    """Its digest and key are right; damage to files of any kind is in tests/engines/test_checkpoints.py."""
    keep = tmp_path / "kept"
    scored(*run, keep=keep, evidence=evidence)
    [path] = keep.glob("en-*")
    body = path.read_bytes().split(b"\n")[1]
    warned = []
    folder = FinishedFolder(keep, warn=warned.append)
    for where, value in FORGED.items():
        at = forged = json.loads(body)
        for key in where[:-1]:
            at = at[key]
        assert at[where[-1]] != value
        at[where[-1]] = value
        text = json.dumps(forged).encode()
        head = {"key": path.name.rpartition("-")[2], "sha256": sha256(text).hexdigest()}
        path.write_bytes(json.dumps(head).encode() + b"\n" + text + b"\n")
        assert folder.take(path.name, ["alpha", "beta"]) is None, where
    folder.begin(3, 0)
    assert warned == ["kept: 11 kept treebanks are damaged, or not of this run; scored again"]


def test_a_treebank_that_all_failed_on_is_not_kept(tmp_path, scored):
    """There is nothing to gain, and what was missing may be there the next time."""
    gold, one = write(tmp_path / "gold", en=EN, de=DE, nl=BROKEN), write(tmp_path / "one", en=EN, nl=NL)
    for evidence in ("keep", "drop"):
        scored(gold, one, evidence=evidence, keep=tmp_path / evidence)
        assert [name.partition("-")[0] for name in files(tmp_path / evidence)] == ["en"]


def write_half(path, data):
    with path.open("wb") as file:
        file.write(data[: len(data) // 2])
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))


@pytest.mark.parametrize("is_there", [False, True])
def test_on_a_full_disk_the_run_goes_on_with_a_warning(run, tmp_path, monkeypatch, is_there):
    whole = saved(evalign.score_collection(*run))
    keep = tmp_path / "kept"
    if is_there:
        keep.mkdir()
    monkeypatch.setattr(Path, "write_bytes", write_half)
    with pytest.warns(RuntimeWarning, match="No space left on device") as caught:
        assert saved(evalign.score_collection(*run, keep=keep)) == whole
    folder = FinishedFolder(keep, warn=(warned := []).append)
    evalign.score_collection(*run, keep=folder)
    assert warned == [str(each.message) for each in caught]
    assert warned[0].startswith("kept: cannot be written (No space left on device): finished ")
    assert (folder.n_kept, folder.total, str(tmp_path) in warned[0]) == (0, 3, False)
    assert list(keep.iterdir()) == [] if is_there else not keep.exists()


def test_a_folder_that_cannot_be_one(tmp_path, run):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match=r"file: no folder"):
        evalign.score_collection(*run, keep=tmp_path / "file")
    with pytest.raises(InputError, match="no name"):
        evalign.score_collection(*run, keep="")
    for folder in run:
        with pytest.raises(CommandError, match="which is read"):
            evalign.score_collection(*run, keep=folder)


def test_a_folder_inside_another_is_not_taken_for_treebanks(run, scored):
    for again in (["de", "en", "nl"], []):
        scored.clear()
        parts = scored(*run, keep=run[0] / "kept")
        assert list(parts.results) == ["de", "en", "nl"]
        assert scored == again


def test_removing_leaves_what_is_others(run, tmp_path):
    folder = FinishedFolder(tmp_path / "kept")
    evalign.score_collection(*run, keep=folder)
    (tmp_path / "kept" / ".evalign-00ff.part").write_bytes(b"left by a run that was killed")
    (tmp_path / "kept" / "notes-1.txt").write_text("mine", encoding="utf-8")
    folder.remove()
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["notes-1.txt"]
    (tmp_path / "kept" / "notes-1.txt").unlink()
    folder.remove()
    assert not (tmp_path / "kept").exists()
    folder.remove()


def test_names_of_treebanks_become_names_of_files(tmp_path):
    named = ["en/test", "../up", ".hidden", "ÄÖ", "", "a" * 300, "-x", "e\x1b[31mn", "CON"]
    gold = [["a", "b"]]
    text = evalign.Text("a b\n", "a.txt")
    collection = Collection(("one",), tuple(Treebank(name, text, (text,)) for name in named), ("none",))
    whole = saved(evalign.score_collection(collection, keep=tmp_path / "kept"))
    assert len(files(tmp_path / "kept")) == len(named)
    assert all(
        re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*-[0-9a-f]{64}", name) and len(name) < 120
        for name in files(tmp_path / "kept")
    )
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert saved(evalign.score_collection(collection, keep=tmp_path / "kept")) == whole
    live = Collection(("one",), (Treebank("x", gold, (gold,)),), ("none",))
    evalign.score_collection(live, keep=tmp_path / "live")
    assert not (tmp_path / "live").exists()  # what is in memory has no contents to tell it by


@pytest.mark.parametrize("evidence", ["keep", "drop"])
def test_what_a_worker_gives_back_can_be_sent(run, evidence):
    asked = CollectionJob(("alpha", "beta"), ("", ""), resolve(), "skip", evidence, None)
    treebank = Treebank("en", run[0] / "en.conllu", (run[1] / "en.conllu", run[2] / "en.conllu"))
    found = finish_treebank(*pickle.loads(pickle.dumps((asked, "x", treebank))))
    again = pickle.loads(pickle.dumps(found))
    assert again.file == found.file
    assert again.shown == found.shown
    assert again.result.to_dict(whole=True) == found.result.to_dict(whole=True)
    assert again.result.systems[1]["upos"].counts["correct"] == 3
