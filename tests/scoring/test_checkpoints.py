"""Finished treebanks are kept, and unchanged ones are not scored again."""

import errno
import io
import json
import marshal
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


@pytest.mark.parametrize(
    ("change", "again"),
    [
        (lambda run: write(run[0], en=EN + DE), ["en"]),
        (lambda run: write(run[1], de=DE + "\n"), ["de"]),
        (lambda run: (run[1] / "de.conllu").unlink(), ["de"]),
        (lambda run: (run[1] / "de.conllu").rename(run[1] / "de.txt"), ["de"]),
        (lambda run: write(run[2], nl=NL), ["nl"]),
        (lambda run: write(run[2], de=DE), ["de"]),
        (lambda run: write(run[0], fr=NL), ["fr"]),
        (lambda run: os.utime(run[0] / "en.conllu", (0, 0)), []),
    ],
    ids=[
        "gold",
        "system",
        "no file",
        "its name",
        "can be read",
        "new file",
        "new treebank",
        "its time alone",
    ],
)
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


def test_another_version_takes_nothing():
    job = CollectionJob(("alpha",), ("",), resolve(), "skip", "keep", None)
    assert describe_job(job) != describe_job(job, version="9.9.9")


def shorten(data):
    return data[:-1]


def empty(_data):
    return b""


def flip(data):
    """A digit of a count."""
    at = len(data) - 40
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def halve(data):
    return data[: len(data) // 2]


def without_head(data):
    return data.partition(b"\n")[2]


def other_key(data):
    head, _, rest = data.partition(b"\n")
    return json.dumps(json.loads(head) | {"key": "0" * 64}).encode() + b"\n" + rest


def list_head(data):
    return b"[1, 2]\n" + data.partition(b"\n")[2]


def no_digest(data):
    return b"{}\n" + data.partition(b"\n")[2]


@pytest.mark.parametrize(
    "damage", [shorten, empty, flip, halve, without_head, other_key, list_head, no_digest]
)
def test_a_file_that_was_damaged_is_never_taken(run, tmp_path, scored, damage):
    keep = tmp_path / "kept"
    whole = saved(scored(*run, keep=keep))
    before = files(keep)
    [path] = keep.glob("en-*")
    path.write_bytes(damage(path.read_bytes()))
    scored.clear()
    with pytest.warns(RuntimeWarning, match="^kept: 1 kept treebank is damaged.*; scored again"):
        assert saved(scored(*run, keep=keep)) == whole
    assert scored == ["en"]
    assert files(keep) == before


def test_a_file_of_another_treebank_is_not_taken(run, tmp_path, scored):
    keep = tmp_path / "kept"
    whole = saved(scored(*run, keep=keep))
    [en], [de] = keep.glob("en-*"), keep.glob("de-*")
    en.write_bytes(de.read_bytes())
    scored.clear()
    with pytest.warns(RuntimeWarning, match="1 kept treebank is damaged"):
        assert saved(scored(*run, keep=keep)) == whole
    assert scored == ["en"]


def forge(path, body):
    """A file whose digest and key are right, whatever is in it."""
    head = json.loads(path.read_bytes().partition(b"\n")[0])
    head["sha256"] = sha256(body).hexdigest()
    path.write_bytes(json.dumps(head).encode() + b"\n" + body + b"\n")


def change(*where, to):
    """A function that changes one value of a file's body."""

    def edit(body):
        *above, last = where
        at = body
        for key in above:
            at = at[key]
        at[last] = to
        return json.dumps(body).encode()

    return edit


FIRST = "result", "systems", 0
FORGED = {
    "marshal": lambda body: marshal.dumps(body, 4),
    "crashing marshal": lambda _body: b"\xe3" + bytes([255, 255, 255, 127]) * 8,
    "pickle": lambda body: pickle.dumps(body),
    "nothing": lambda _body: b"",
    "a number": lambda _body: b"3",
    "deep lists": lambda _body: b"[" * 100_000,
    "deep objects": lambda _body: b'{"a":' * 100_000,
    "deep and closed": lambda _body: b"[" * 100_000 + b"]" * 100_000,
    "many digits": lambda body: json.dumps(body).encode().replace(b'"equal": ', b'"equal": 1' + b"0" * 5000, 1),
    "a key twice": lambda body: json.dumps(body).encode().replace(b"{", b'{"shown": [], ', 1),
    "not UTF-8": lambda body: json.dumps(body).encode().replace(b'"gold"', b'"g\xff"', 1),
    "no result": lambda body: json.dumps({"shown": body["shown"]}).encode(),
    "shown": change("shown", to=[["a"]]),
    "text for a list": change("shown", to="upos"),
    "a list for a result": change("result", to=[]),
    "no system": change("result", "systems", to=[]),
    "other systems": change(*FIRST, "name", to="gamma"),
    "a large number": change(*FIRST, "units", "upos", "rows", to=[[2**63] * 3]),
    "not a number": change(*FIRST, "units", "upos", "rows", to=[[float("nan")] * 3]),
    "infinite": change(*FIRST, "ledger", "equal", to=float("inf")),
    "rows of another width": change(*FIRST, "units", "upos", "rows", to=[[1]]),
    "an unknown metric": change(*FIRST, "units", to={"nothing": {"fields": [], "rows": []}}),
    "a deep value": change(*FIRST, "ledger", to=[[[[[[[]]]]]]]),
    "null": change(*FIRST, to=None),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.issue(15)
@pytest.mark.parametrize("how", FORGED)
@pytest.mark.parametrize("evidence", ["keep", "drop"])
def test_a_file_that_was_made_to_look_right_does_no_harm(run, tmp_path, scored, evidence, how):
    keep = tmp_path / "kept"
    whole = saved(scored(*run, keep=keep, evidence=evidence))
    before = files(keep)
    [path] = keep.glob("en-*")
    forge(path, FORGED[how](json.loads(path.read_bytes().partition(b"\n")[2])))
    scored.clear()
    with pytest.warns(RuntimeWarning, match="1 kept treebank is damaged") as caught:
        assert saved(scored(*run, keep=keep, evidence=evidence)) == whole
    assert (scored, len(caught)) == (["en"], 1)
    assert files(keep) == before


@pytest.mark.issue(15)
def test_a_head_that_is_nested_deeply_does_no_harm(run, tmp_path, scored):
    keep = tmp_path / "kept"
    scored(*run, keep=keep)
    for path in keep.iterdir():
        path.write_bytes(b'{"key":' * 100_000 + b"\n")
    scored.clear()
    with pytest.warns(RuntimeWarning, match="3 kept treebanks are damaged") as caught:
        scored(*run, keep=keep)
    assert (scored, len(caught)) == (["de", "en", "nl"], 1)


@pytest.mark.issue(15)
@pytest.mark.skipif(os.name == "nt", reason="there are no named pipes")
def test_what_is_no_file_is_neither_read_nor_written_to(run, tmp_path, scored):
    keep = tmp_path / "kept"
    whole = saved(scored(*run, keep=keep))
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    [de], [en], [nl] = keep.glob("de-*"), keep.glob("en-*"), keep.glob("nl-*")
    for path in (de, en, nl):
        path.unlink()
    os.mkfifo(de)
    en.symlink_to(mine)
    nl.symlink_to("/dev/zero")
    scored.clear()
    with pytest.warns(RuntimeWarning, match="3 kept treebanks are damaged"):
        assert saved(scored(*run, keep=keep)) == whole
    assert scored == ["de", "en", "nl"]
    assert mine.read_text() == "mine"
    assert all(path.is_file() and not path.is_symlink() for path in (de, en, nl))


@pytest.mark.issue(15)
def test_what_is_kept_is_json(run, tmp_path):
    evalign.score_collection(*run, keep=tmp_path / "kept")
    for path in (tmp_path / "kept").iterdir():
        head, body, rest = path.read_bytes().split(b"\n")
        assert (json.loads(head)["layout"], rest) == (2, b"")
        evalign.Result.from_dict(json.loads(body)["result"])


def test_a_treebank_that_all_failed_on_is_not_kept(tmp_path, scored):
    """There is nothing to gain, and what was missing may be there the next time."""
    gold, one = write(tmp_path / "gold", en=EN, de=DE, nl=BROKEN), write(tmp_path / "one", en=EN, nl=NL)
    for evidence in ("keep", "drop"):
        scored(gold, one, evidence=evidence, keep=tmp_path / evidence)
        assert [name.partition("-")[0] for name in files(tmp_path / evidence)] == ["en"]


def fill_disk(monkeypatch):
    def write_half(path, data):
        with path.open("wb") as file:
            file.write(data[: len(data) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(Path, "write_bytes", write_half)


@pytest.mark.parametrize("is_there", [False, True])
def test_on_a_full_disk_the_run_goes_on_with_a_warning(run, tmp_path, monkeypatch, is_there):
    whole = saved(evalign.score_collection(*run))
    keep = tmp_path / "kept"
    if is_there:
        keep.mkdir()
    fill_disk(monkeypatch)
    with pytest.warns(RuntimeWarning, match="No space left on device") as caught:
        parts = evalign.score_collection(*run, keep=keep)
    assert len(caught) == 1
    assert str(caught[0].message).startswith("kept: cannot be written (No space left on device): finished ")
    assert str(tmp_path) not in str(caught[0].message)
    assert saved(parts) == whole
    assert list(keep.iterdir()) == [] if is_there else not keep.exists()


def test_a_full_disk_is_told_to_who_wants_to_know(run, tmp_path, monkeypatch):
    folder = FinishedFolder(tmp_path / "kept", warn=(warned := []).append)
    fill_disk(monkeypatch)
    evalign.score_collection(*run, keep=folder)
    assert len(warned) == 1
    assert (folder.n_kept, folder.total) == (0, 3)


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
    assert again.scored.shown == found.scored.shown
    assert again.scored.load().to_dict(whole=True) == found.scored.load().to_dict(whole=True)
    assert again.scored.load().systems[1]["upos"].counts["correct"] == 3
