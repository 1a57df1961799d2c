"""Shared-task runs, treebank by treebank, with failures named."""

import gc
import gzip
import re

import numpy as np
import pytest

import evalign
from evalign.document import Document
from evalign.errors import CommandError, InputError
from evalign.readers.limits import InputLimit
from evalign.reports.html.page import render_report
from evalign.reports.parts import PartsView
from evalign.reports.significance import assess_all
from evalign.scoring.collection import Collection, Treebank, match_folders
from evalign.significance.parts import assess_parts
from evalign.significance.values import Resampling
from metrics.test_judged import OFFICIAL
from runs import BROKEN, DE, EN, EN_WRONG, words, write

pytestmark = pytest.mark.once


@pytest.fixture
def run(tmp_path):
    """Folders of gold, of a system with everything, and of one that lacks a treebank and has an odd file."""
    return (
        write(tmp_path / "gold", en=EN, de=DE),
        write(tmp_path / "alpha", en=EN, de=DE),
        write(tmp_path / "beta", en=EN_WRONG, nl=DE),
    )


def test_every_treebank_is_a_result_of_its_own(run):
    parts = evalign.score_collection(*run)
    assert (parts.by, list(parts.results), parts.systems) == ("treebank", ["de", "en"], ["alpha", "beta"])
    for name in parts.results:
        alone = evalign.score(run[0] / f"{name}.conllu", run[1] / f"{name}.conllu")
        part = parts[name]
        assert part.gold == f"gold/{name}.conllu"
        assert list(part.systems[0].scores) == list(alone.systems[0].scores)
        for metric, score in alone.systems[0].scores.items():
            assert part.systems[0][metric].counts == score.counts
        assert part.systems[0].signature == alone.systems[0].signature
    assert parts["en"].systems[1]["upos"].counts["correct"] == 3


def test_what_a_system_lacks_is_a_failure_and_what_gold_lacks_is_warned_of(run):
    parts = evalign.score_collection(*run)
    assert parts.failed(0) == {}
    assert parts.failed(1) == {"de": "beta has no file named de.conllu"}
    assert parts.warnings == ("beta: no gold file named nl.conllu",)
    failed = parts["de"].systems[1]
    assert list(failed.scores) == list(parts["de"].systems[0].scores)
    assert not any(score.available for score in failed.scores.values())
    assert failed.errors("tokens") == []


def test_averages_by_hand(run):
    """beta: tags 3 of 5 in en, nothing of de (2 words)."""
    skip = evalign.score_collection(*run)
    zero = evalign.score_collection(*run, failures="zero")
    upos = {"precision": 0.6, "recall": 0.6, "f1": 0.6, "aligned_accuracy": 0.6}
    assert skip.macro(1, "upos") == upos
    assert skip.micro().systems[1]["upos"].f1 == 0.6
    assert skip.covered(1, "upos") == ["en"]
    assert zero.macro(1, "upos") == {name: 0.3 for name in upos}
    micro = zero.micro().systems[1]["upos"]
    assert (micro.correct, micro.gold, micro.system) == (3, 7, 5)
    assert (micro.precision, micro.recall, micro.f1) == (3 / 5, 3 / 7, 6 / 12)
    assert zero.covered(1, "upos") == ["de", "en"]
    for parts in (skip, zero):
        assert parts.macro(0, "upos")["f1"] == parts.micro().systems[0]["upos"].f1 == 1.0
        assert parts["de"].systems[1].failure


def test_a_failure_is_said_with_the_micro_average(run):
    skip = evalign.score_collection(*run).micro()
    assert skip.warnings == ("beta failed on 1 of 2 treebanks, left out of its averages: de",)
    assert "|average:micro|unit:stretch(3)|" in skip.systems[0].signature
    assert skip.systems[0].signature.endswith("|treebanks:2")
    assert skip.systems[1].signature.endswith("|treebanks:2|failures:skip(1)")
    zero = evalign.score_collection(*run, failures="zero").micro()
    assert zero.warnings == ("beta failed on 1 of 2 treebanks, counted as 0: de",)


@pytest.mark.parametrize("failures", ["skip", "zero"])
def test_a_file_that_cannot_be_read_is_a_failure_with_its_message(tmp_path, run, failures):
    write(run[2], de=BROKEN)
    parts = evalign.score_collection(*run, failures=failures)
    reason = parts.failed(1)["de"]
    assert reason.startswith("beta/de.conllu:1: 3 columns")
    assert "\n" not in reason


def test_what_strict_refuses_is_a_failure_of_one_system_alone(tmp_path, run):
    write(run[2], de=words("X", "z"))
    loose = evalign.score_collection(*run)
    assert not loose.failed(1)
    for failures in ("skip", "zero"):
        strict = evalign.score_collection(*run, strict=True, failures=failures)
        assert "differ" in strict.failed(1)["de"]
        assert not strict.failed(0)
        assert strict["de"].systems[0]["tokens"].f1 == 1.0
    assert strict["de"].systems[1]["tokens"].counts["gold"] == 2


def test_gold_that_cannot_be_read_fails_for_all_and_counts_for_none(tmp_path, run):
    write(run[0], de=BROKEN)
    for failures in ("skip", "zero"):
        parts = evalign.score_collection(*run, failures=failures)
        assert parts.failed(0)["de"].startswith("gold/de.conllu:1")
        assert parts.macro(0, "upos")["f1"] == 1.0
        assert parts.macro(1, "upos")["f1"] == 0.6
        assert parts.covered(0, "upos") == ["en"]
        assert parts.micro().systems[1]["words"].counts["gold"] == 5
        assert parts["de"].systems[0].scores == {}


def test_where_all_systems_fail_gold_is_missed_by_the_metrics_of_the_run(tmp_path):
    """The systems have no tags: none are shown for de, where there is no system to say so."""
    gold = write(tmp_path / "gold", en=EN, de=DE)
    one = write(tmp_path / "one", en__txt="A b c\nD e\n")
    skip = evalign.score_collection(gold, one)
    assert list(skip["de"].systems[0].scores) == ["sentences", "tokens", "words"] == list(skip.metrics)
    assert skip.macro(0, "tokens")["f1"] == 1.0
    zero = evalign.score_collection(gold, one, failures="zero")
    assert zero.macro(0, "tokens") == {"precision": 0.5, "recall": 0.5, "f1": 0.5}
    micro = zero.micro()
    assert micro["tokens"].counts == {"correct": 5, "gold": 7, "system": 5, "in_place": 5, "same_text": 5}


def test_the_worst_of_an_error_is_one_and_a_number_has_none(tmp_path):
    gold = write(tmp_path / "gold", en=EN, de=DE)
    one = write(tmp_path / "one", en=EN)
    parts = evalign.score_collection(gold, one, metrics=["pk", "edit-distance"], failures="zero")
    assert parts.macro(0, "pk") == {"error": 0.5}
    assert parts.micro()["pk"].value is None  # an empty output has few errors of pk: no row to count with
    assert parts.counted("de", 0, "pk") == {"error": 1.0}
    assert parts.covered(0, "pk") == ["de", "en"]
    assert parts.macro(0, "edit-distance")["rate"] == 0.5
    assert parts.micro()["edit-distance"]["rate"] == 2 / 7
    trees = write(tmp_path / "trees", a__mrg="(S (NP (N a)) (VP (V b)))\n", b__mrg="(S (N c))\n")
    two = write(tmp_path / "two", a__mrg="(S (N a) (V b))\n")
    parts = evalign.score_collection(trees, two, metrics=["brackets", "crossing"], failures="zero")
    assert parts.macro(0, "crossing") == {"average": 0.0, "none": 0.5, "two_or_less": 0.5}
    assert parts.covered(0, "crossing") == ["a"]
    assert parts["b"].systems[0]["brackets"].counts["system"] == 0


HEADLESS = re.sub(r"\t\d\t(root|dep)\t", "\t_\t_\t", DE)
"""Nothing in HEAD and DEPREL."""


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("metrics", [["words", "las"], []])
def test_an_empty_column_is_a_failure_where_failures_count(tmp_path, alone, metrics):
    """Who leaves out the heads of a treebank has no better average than who fails on it."""
    gold = write(tmp_path / "gold", en=EN, de=DE)
    others = [] if alone else [write(tmp_path / "alpha", en=EN, de=DE)]
    lazy = write(tmp_path / "lazy", en=EN, de=HEADLESS)
    skip = evalign.score_collection(gold, *others, lazy, metrics=metrics)
    number = len(others)
    assert skip.macro(number, "las")["f1"] == 1.0
    assert (skip.covered(number, "las"), skip.missed(number)) == (["en"], {})
    zero = evalign.score_collection(gold, *others, lazy, metrics=metrics, failures="zero")
    assert zero.macro(number, "las")["f1"] == 0.5
    assert zero.counted("de", number, "las")["precision"] == 0.0
    assert zero.covered(number, "las") == ["de", "en"]
    assert {"las"} <= set(zero.missed(number)["de"]) <= {"uas", "las", "clas", "mlas", "blex"}
    assert zero.macro(number, "words")["f1"] == 1.0
    micro = zero.micro()
    las = micro.systems[number]["las"]
    assert (las.correct, las.gold, las.system) == (5, 7, 5)
    assert "lazy has no las on 1 of 2 treebanks, counted as 0: de" in micro.warnings
    assert micro.systems[number].signature.endswith("|failures:zero(1)")
    assert not zero.failed(number)
    assert zero["de"].systems[number].errors("words") == []
    if others:
        assert zero.macro(0, "las")["f1"] == 1.0
        assert zero.missed(0) == {}
        assert not micro.systems[0].signature.endswith(")")


def test_a_column_that_no_system_fills_in_is_a_failure_too(tmp_path):
    """Nobody asked for tags, and of de no system has any: it is those of en that say they belong to the run."""
    gold = write(tmp_path / "gold", en=EN, de=DE)
    one = write(tmp_path / "one", en=EN, de=DE.replace("NOUN", "_"))
    zero = evalign.score_collection(gold, one, failures="zero")
    assert zero.macro(0, "upos")["f1"] == 0.5
    assert "upos" in zero.missed(0)["de"]
    assert zero.score("de", 0, "upos").counts["gold"] == 2
    skip = evalign.score_collection(gold, one)
    assert skip.macro(0, "upos")["f1"] == 1.0


def test_what_gold_cannot_be_judged_by_is_no_failure(tmp_path):
    """Gold of de has no heads: las of the system that failed on it counts no more than that of the other."""
    gold = write(tmp_path / "gold", en=EN, de=HEADLESS)
    one = write(tmp_path / "one", en=EN, de=DE)
    two = write(tmp_path / "two", en=EN)
    zero = evalign.score_collection(gold, one, two, metrics=["words", "las"], failures="zero")
    for number in (0, 1):
        assert zero.covered(number, "las") == ["en"]
        assert zero.macro(number, "las")["f1"] == 1.0
    assert zero.macro(1, "words")["f1"] == 0.5
    assert zero.micro().systems[1]["las"].f1 == 1.0


def test_metrics_that_fail_alone_are_saved_and_shown(tmp_path):
    gold = write(tmp_path / "gold", en=EN, de=DE)
    one = write(tmp_path / "one", en=EN, de=DE)
    lazy = write(tmp_path / "lazy", en=EN, de=HEADLESS)
    parts = evalign.score_collection(gold, one, lazy, failures="zero")
    parts.save(tmp_path / "run.json")
    again = evalign.load_saved(tmp_path / "run.json")
    assert again.missed(1) == parts.missed(1) != {}
    assert again.macro(1, "las") == parts.macro(1, "las")
    saved = again.to_dict()["parts"]["de"]["systems"][1]
    assert saved["scores"]["las"]["precision"] == 0.0
    assert "las" in saved["missed"]
    again["de"].save(tmp_path / "part.json")
    assert render_report(again).startswith("<!DOCTYPE html>")


def test_a_metric_that_fails_alone_is_the_worst_in_every_resample(tmp_path):
    """An empty output has no precision; what counts as 0 in the average counts so in its interval."""
    gold = write(tmp_path / "gold", en=EN, de=DE + DE)
    lazy = write(tmp_path / "lazy", en=EN, de=HEADLESS + HEADLESS)
    parts = evalign.score_collection(gold, lazy, metrics=["las"], failures="zero")
    assert parts.macro(0, "las")["precision"] == 0.5
    found = assess_parts(parts, Resampling(resamples=20), paired=False).macro[0]["las"]
    assert tuple(found["precision"]) == (0.5, 0.5)


def test_metrics_may_differ_between_treebanks(tmp_path):
    gold = write(tmp_path / "gold", a=EN.replace("NOUN", "_"), b=DE, c__txt="a b\n")
    one = write(tmp_path / "one", a=EN, b=DE, c__txt="a b\n")
    parts = evalign.score_collection(gold, one)
    assert "upos" in parts.metrics
    assert parts.metrics.index("upos") < parts.metrics.index("las")
    assert parts.score("c", 0, "upos") is None
    assert parts.covered(0, "upos") == ["b"]
    assert parts.covered(0, "tokens") == ["a", "b", "c"]
    assert parts.micro()["upos"].counts["gold"] == 2


def test_raw_text_is_matched_by_name_too(tmp_path):
    gold = write(tmp_path / "gold", en=EN, de=DE)
    one = write(tmp_path / "one", en=EN.replace("\tb\tb", "\tq\tq"), de=DE)
    raw = write(tmp_path / "raw", en__txt="A  b c\n\n\nD e", README__md="")
    parts = evalign.score_collection(gold, one, raw=raw)
    assert parts.warnings == ("raw: no raw text for de.conllu",)
    [error] = parts["en"].errors("tokens")
    assert (error.start, error.raw_file or "en.txt") == (3, "en.txt")


def test_stand_off_tables_are_scored_with_the_raw_text_of_each(tmp_path):
    table = "start\tend\tlabel\n0\t1\tX\n"
    gold = write(tmp_path / "gold", en__tsv=table, de__tsv=table)
    one = write(tmp_path / "one", en__tsv=table)
    raw = write(tmp_path / "raw", en__txt="A b", de__txt="X y")
    parts = evalign.score_collection(gold, one, raw=raw, layer="names", failures="zero")
    assert parts.metrics == ["names"]
    assert parts.micro()["names"].counts["gold"] == 2
    assert parts.macro(0, "names")["f1"] == 0.5


def test_packed_files_and_other_endings(tmp_path):
    gold = write(tmp_path / "gold", en__gold__conllu=EN)
    one = write(tmp_path / "one", en__txt="A b c\nD e\n")
    two = write(tmp_path / "two")
    (two / "en.conllu.gz").write_bytes(gzip.compress(EN.encode()))
    parts = evalign.score_collection(gold, one, two)
    assert list(parts.results) == ["en"]
    assert parts["en"].systems[0]["tokens"].f1 == parts["en"].systems[1]["tokens"].f1 == 1.0
    assert parts["en"].systems[1]["las"].f1 == 1.0
    assert parts["en"].systems[0]["las"].f1 is None


def test_folders_that_cannot_be_a_run(tmp_path, run):
    gold, alpha, _beta = run
    with pytest.raises(CommandError, match="no system"):
        match_folders(gold)
    with pytest.raises(InputError, match="no such folder"):
        match_folders(gold, tmp_path / "nowhere")
    with pytest.raises(InputError, match="a file, where others are folders"):
        match_folders(gold, alpha / "en.conllu")
    with pytest.raises(InputError, match="the folder of gold") as caught:
        match_folders(gold, alpha / ".." / "gold")
    assert "read_manifest" in caught.value.advice
    with pytest.raises(InputError, match="a folder without a file"):
        match_folders(write(tmp_path / "empty"), alpha)


def test_systems_of_one_name_are_told_apart(tmp_path, run):
    other = write(tmp_path / "more" / "alpha", en=EN, de=DE)
    parts = evalign.score_collection(run[0], run[1], other)
    assert parts.systems == [f"{tmp_path.name}/alpha", "more/alpha"]


def test_nothing_that_could_be_scored_is_an_error(tmp_path, run):
    nobody = write(tmp_path / "nobody", nl=DE)
    with pytest.raises(InputError, match="nothing could be scored: nobody has no file"):
        evalign.score_collection(run[0], nobody)


@pytest.mark.parametrize(
    "options",
    [
        {"metrics": ["nonsense"]},
        {"match": "nonsense"},
        {"average": "nonsense"},
        {"normalize": ["nonsense"]},
        {"gold_format": "nonsense"},
        {"failures": "nonsense"},
        {"evidence": "nonsense"},
        {"preset": "nonsense"},
        {"exceptions": "nonsense"},
        {"layer": "Nonsense"},
        {"vocabulary": "nonsense"},
    ],
)
def test_a_wrong_option_is_no_failure_of_a_system(run, options):
    read = []
    with pytest.raises(evalign.EvalignError, match=r"[Nn]onsense|vocabulary is text"):
        evalign.score_collection(*run, progress=read.append, **options)
    assert read == []


def test_a_collection_made_in_python_takes_what_score_takes():
    gold, one = [["a", "b"]], [["a"], ["b"]]
    collection = Collection(("one",), (Treebank("x", gold, (one,)), Treebank("y", gold, (None,))), ("gone",))
    parts = evalign.score_collection(collection)
    assert parts["x"]["tokens"].f1 == 1.0
    assert parts.failed(0) == {"y": "gone"}
    with pytest.raises(CommandError, match="folders besides a collection"):
        evalign.score_collection(collection, "folder")


def test_a_manifest_scores_as_folders_do(tmp_path, run):
    (tmp_path / "runs.tsv").write_text(
        "treebank\tgold\talpha\tbeta\n"
        "de\tgold/de.conllu\talpha/de.conllu\t-\n"
        "en\tgold/en.conllu\talpha/en.conllu\tbeta/en.conllu\n",
        encoding="utf-8",
    )
    listed = evalign.score_collection(evalign.read_manifest(tmp_path / "runs.tsv"))
    matched = evalign.score_collection(*run)
    assert listed.failed(1) == {"de": "beta has no file for de in runs.tsv"}
    for metric in matched.metrics:
        for system in (0, 1):
            assert listed.macro(system, metric) == matched.macro(system, metric)


def test_progress_tells_the_treebank(run):
    stages = []
    evalign.score_collection(*run, progress=stages.append)
    assert stages[0] == "de: reading gold"
    assert (stages[0].done, stages[0].total, stages[-1].done) == (0, 2, 1)
    assert stages[-1].startswith("en: counting")


@pytest.mark.parametrize("evidence", ["keep", "drop"])
@pytest.mark.parametrize("failures", ["skip", "zero"])
def test_documents_of_one_treebank_are_gone_before_the_next(tmp_path, evidence, failures):
    """Without the collector: commands run with it switched off."""
    files = {f"t{k}": EN for k in range(4)}
    gold, one = write(tmp_path / "gold", **files), write(tmp_path / "one", **(files | {"t2": BROKEN}))
    held = {}

    def count(stage=""):
        # All that was there before is frozen, and not looked at.
        if not stage or stage.endswith(": reading gold"):
            held.setdefault(str(stage), sum(type(value) is Document for value in gc.get_objects()))

    gc.disable()
    gc.freeze()
    try:
        parts = evalign.score_collection(gold, one, evidence=evidence, failures=failures, progress=count)
        count()
    finally:
        gc.unfreeze()
        gc.enable()
    assert list(held) == [*(f"{name}: reading gold" for name in parts.results), ""]
    assert set(held.values()) == {0}


def test_evidence_is_what_a_saved_result_keeps_or_nothing(run):
    kept = evalign.score_collection(*run)
    dropped = evalign.score_collection(*run, evidence="drop")
    assert [error.kind for error in kept["en"].systems[1].errors("upos")] == ["confused"] * 2
    assert kept["en"].systems[1].breakdown("tag")["NOUN"].correct == 3
    with pytest.raises(CommandError, match="errors of upos: this result keeps only counts"):
        dropped["en"].systems[1].errors("upos")
    for name in kept.results:
        for one, other in zip(kept[name].systems, dropped[name].systems, strict=True):
            for metric in one.scores:
                assert np.array_equal(one[metric].units, other[metric].units)


@pytest.mark.large
def test_real_treebanks_have_the_official_numbers_and_their_mean(data, tmp_path):
    """Four outputs of UDPipe, in folders of links; the official tables have two decimals."""
    folder = data / "systems" / "udpipe"
    gold, system, raw = (tmp_path / name for name in ("gold", "udpipe", "raw"))
    expected = {}
    for path in sorted(folder.glob("*.gold.conllu")):
        name = path.name.removesuffix(".gold.conllu")
        for there, file in ((gold, path.name), (system, f"{name}.conllu"), (raw, f"{name}.txt")):
            there.mkdir(exist_ok=True)
            (there / file).symlink_to(folder / file)
        table = (folder / f"{name}.expected.conll18-v.txt").read_text(encoding="utf-8").splitlines()[2:]
        rows = [[cell.strip() for cell in line.split("|")] for line in table]
        expected[name] = {row[0]: [float(cell) for cell in row[1:4]] for row in rows}
    parts = evalign.score_collection(gold, system, raw=raw, evidence="drop")
    assert list(parts.results) == list(expected) == ["Chinese-GSD", "English-EWT", "French-GSD", "Korean-GSD"]
    assert (parts.systems, parts.warnings, parts.failed(0)) == (["udpipe"], (), {})
    for metric, official in OFFICIAL.items():
        means = [[], [], []]
        for name in expected:
            score = parts.score(name, 0, metric)
            if score is None or not score.available:  # the official script scores columns that gold has not
                assert (name, metric) == ("French-GSD", "xpos")
                continue
            for k, ratio in enumerate(("precision", "recall", "f1")):
                assert f"{100 * score.ratios[ratio]:.2f}" == f"{expected[name][official][k]:.2f}"
                means[k].append(expected[name][official][k])
        for k, ratio in enumerate(("precision", "recall", "f1")):
            mean = sum(means[k]) / len(means[k])
            assert 100 * parts.macro(0, metric)[ratio] == pytest.approx(mean, abs=0.00501)
        assert len(parts.covered(0, metric)) == len(means[0])


@pytest.mark.issue(15)
@pytest.mark.parametrize("failures", ["skip", "zero"])
def test_a_failure_is_marked_in_a_data_frame(run, failures):
    pytest.importorskip("pandas")
    frame = evalign.score_collection(*run, failures=failures).to_dataframe()
    assert list(frame.columns) == ["treebank", "system", "metric", "measure", "value", "status"]
    failed = frame[frame["status"] == "failed"]
    assert set(zip(failed["treebank"], failed["system"], strict=True)) == {("de", "beta")}
    assert set(frame["status"]) == {"", "failed"}


# Splits of a run: every treebank as a result is split, and groups of the same name added up.

GENRES = "# newdoc id = {0}-1\n# genre = news\n{1}# newdoc id = {0}-2\n# genre = {2}\n{3}"


def speak(*speakers):
    """Return sentences with the comment `speaker` above them, none for an empty name."""
    return "".join((f"# speaker = {name}\n" if name else "") + words("A", "b", "c") for name in speakers)


@pytest.fixture
def grouped(tmp_path):
    """Treebanks with and without genres and speakers; beta has other tags, and fails on one of them."""
    files = {
        "da": GENRES.format("da", EN, "chat", speak("ann", "bob", "")),
        "de": GENRES.format("de", speak("bob"), "news", words(*"abcdefg")),
        "en": EN + DE,
    }
    wrong = {name: text.replace("NOUN", "VERB", 3).replace("dep", "det", 2) for name, text in files.items()}
    wrong["en"] = BROKEN
    return (
        write(tmp_path / "gold", **files),
        write(tmp_path / "alpha", **files),
        write(tmp_path / "beta", **wrong),
    )


def counts(parts, metric, number=1):
    """Return the counts of every part by name, for one system."""
    return {name: part.systems[number][metric].counts for name, part in parts.results.items()}


def test_groups_of_the_same_name_are_added_up(grouped):
    run = evalign.score_collection(*grouped, by=["speaker"])
    genres = run.split("genre")
    assert genres.source == 'the comment "genre" of gold\'s documents; (none): all of en'
    assert {name: part["upos"].gold for name, part in genres.results.items()} == {
        "chat": 9,
        "news": 15,
        "(none)": 7,
    }
    assert genres.run is run
    assert genres["news"].unit_names == ["da-1", "de-1", "de-2"]
    speakers = run.split("speaker")
    assert {name: part["upos"].gold for name, part in speakers.results.items()} == {
        "ann": 3,
        "bob": 6,
        "(none)": 22,
    }
    assert list(run.split("length").results) == ["1-5", "6-10"]
    assert run.breakdown("tag")["NOUN"].gold == 31
    assert list(run.breakdown("relation")) == ["dep", "root"]
    assert genres.systems == run.systems


@pytest.mark.parametrize("by", ["topic", "feature", "^x(", "document"])
def test_what_no_treebank_can_be_split_by_is_refused_as_for_one(tmp_path, by):
    folders = [write(tmp_path / name, en=EN, de=DE) for name in ("gold", "alpha")]
    with pytest.raises(CommandError) as alone:
        evalign.score(*(folder / "de.conllu" for folder in folders)).split(by)
    with pytest.raises(CommandError, match=re.escape(str(alone.value))):
        evalign.score_collection(*folders).split(by)


def test_averages_over_documents_are_not_of_groups_of_sentences(grouped):
    with pytest.raises(CommandError, match='sentences by length with `average="document"`'):
        evalign.score_collection(*grouped, average="document").split("length")


@pytest.mark.parametrize(
    "by", ["genre", "speaker", "length", "frequency", "tag", "relation", "document", "-(.)$"]
)
@pytest.mark.parametrize("failures", ["skip", "zero"])
def test_groups_add_up_to_the_whole_run_with_its_failures(grouped, by, failures):
    run = evalign.score_collection(*grouped, by=["speaker"], failures=failures)
    split, micro = run.split(by), run.micro()
    for number in (0, 1):
        for metric in split.metrics:
            whole = micro.systems[number][metric]
            added = split.micro().systems[number][metric]
            assert added.available
            assert {name: whole.counts[name] for name in added.counts} == added.counts
            assert (
                sum(
                    each[metric].gold for part in split.results.values() for each in part.systems[number:][:1]
                )
                == whole.gold
            )
            if by in ("tag", "relation"):
                rows = micro.systems[number].breakdown(by)
                assert {name: row.gold for name, row in rows.items()} == {
                    name: each["gold"] for name, each in counts(split, metric, number).items() if name in rows
                }
                assert sum(row.correct for row in rows.values()) == whole.correct


@pytest.mark.parametrize("by", ["genre", "speaker", "length", "tag", "relation"])
def test_groups_over_treebanks_are_those_of_one_text(grouped, tmp_path, by):
    """The law: treebanks end where a text can be cut, so that it makes no difference where their files end."""
    files = [[(folder / f"{name}.conllu").read_text() for name in ("da", "de")] for folder in grouped]
    texts = [write(tmp_path / f"text{k}", all="".join(parts)) / "all.conllu" for k, parts in enumerate(files)]
    for folder in grouped:
        (folder / "en.conllu").unlink()
    groups = evalign.score_collection(*grouped, by=["speaker"]).split(by)
    whole = evalign.score(*texts).split(by)
    assert list(groups.results) == list(whole.results)
    for number in (0, 1):
        for metric in whole.metrics:
            assert counts(groups, metric, number) == counts(whole, metric, number)


@pytest.mark.parametrize("failures", ["skip", "zero"])
def test_a_treebank_without_a_sentence_is_in_no_group(grouped, failures):
    for folder in grouped:
        write(folder, aa="")
    run = evalign.score_collection(*grouped, failures=failures)
    for by in ("document", "genre", "length", "tag"):
        split = run.split(by)
        assert "aa" not in split.source
        for metric in split.metrics:
            assert split.micro()[metric].gold == run.micro()[metric].gold


def test_a_treebank_without_the_column_counts_as_a_whole(tmp_path):
    gold, alpha = (write(tmp_path / name, en=EN, de__txt="X y\n") for name in ("gold", "alpha"))
    beta = write(tmp_path / "beta", en__txt="A b c\nD e\n", de__txt="X y\n")
    for failures, gold_words in (("skip", 0), ("zero", 5)):
        run = evalign.score_collection(gold, alpha, beta, failures=failures)
        assert list(run.breakdown("relation")) == list(run.split("relation")) == ["dep", "root", "(none)"]
        split = run.split("frequency")
        assert split["1"].systems[1]["tokens"].gold == 7
        rows = run.split("tag").results
        assert rows["(none)"].systems[0]["upos"].value is None
        assert rows["NOUN"].systems[1]["upos"].gold == gold_words
    assert run.micro().systems[1].breakdown("tag")["NOUN"].gold == 5
    assert (run.breakdown("tag")["(none)"].gold, run.micro().breakdown("tag")["NOUN"].correct) == (0, 5)


def test_groups_of_other_treebanks_have_no_best_and_no_test(grouped):
    """beta failed on da, so that its groups are of fewer treebanks than alpha's."""
    (grouped[2] / "da.conllu").write_text(BROKEN, encoding="utf-8")
    split = evalign.score_collection(*grouped).split("genre")
    assessed = assess_all(split, Resampling(resamples=20), intervals=True, paired=True)
    view = PartsView(split, ["upos"], assessed)
    assert view.parts.failures == "skip"
    assert [view.are_comparable(row, "upos") for row in view.rows] == [False] * 5
    assert not assessed.paired
    assert assessed.parts["news"].interval(1, "upos", "f1")
    assert "some parts are not of the same treebanks, and do not say which system is better" in view.notes()


@pytest.mark.parametrize("options", [{"stream": 64}, {"stream": True, "engine": 2}, {"window": 4096}])
@pytest.mark.parametrize("failures", ["skip", "zero"])
def test_a_streamed_run_is_that_in_memory(grouped, tmp_path, options, failures):
    """beta has a broken file and no tags in another, and lacks a third."""
    (grouped[2] / "de.conllu").unlink()
    (grouped[2] / "da.conllu").write_text(speak("").replace("NOUN", "_"), encoding="utf-8")
    asked = {"failures": failures, "by": "speaker,genre"}
    memory = evalign.score_collection(*grouped, **asked)
    for _ in "ab":  # the second time from what was kept
        streamed = evalign.score_collection(*grouped, **asked, **options, keep=tmp_path / "keep")
        for name, result in memory.results.items():
            assert streamed[name].warnings == result.warnings
            for one, other in zip(streamed[name].systems, result.systems, strict=True):
                assert (one.ledger, one.signature, one.failure, one.missed) == (
                    other.ledger,
                    other.signature,
                    other.failure,
                    other.missed,
                )
                assert {m: s.to_dict() for m, s in one.scores.items()} == {
                    m: s.to_dict() for m, s in other.scores.items()
                }
        for by in ("speaker", "genre", "length", "relation"):
            assert streamed.split(by).to_dict() == memory.split(by).to_dict()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metrics": ["pk"], "stream": True}, "`stream=`: pk takes its window"),
        ({"average": "sentence", "window": 4096}, "`window=`: "),
        ({"stream": True}, "`stream=`: .*the"),
        ({"stream": -1}, "stream=-1"),
        ({"window": 1}, "`window=1`"),
    ],
)
def test_what_cannot_be_streamed_is_refused_before_a_treebank_is_scored(grouped, tmp_path, options, message):
    stages = []
    raw = write(tmp_path / "raw", da__txt="", de__txt="", en__txt="") if "the" in message else None
    with pytest.raises(CommandError, match=message):
        evalign.score_collection(*grouped, **options, raw=raw, progress=stages.append)
    assert not stages


def test_a_streamed_run_that_is_kept_takes_files_of_any_size_and_sees_what_changed_in_them(grouped, tmp_path):
    kept = {"keep": tmp_path / "keep", "stream": 64, "metrics": "upos"}
    with InputLimit(100):
        first = evalign.score_collection(*grouped, **kept)
        path = grouped[1] / "en.conllu"
        path.write_text(path.read_text(encoding="utf-8").replace("NOUN", "VERB", 1), encoding="utf-8")
        second = evalign.score_collection(*grouped, **kept)
    assert [run["en"]["upos"].correct for run in (first, second)] == [7, 6]
    assert not first.failed(0)
