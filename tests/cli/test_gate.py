"""`evalign gate`: exit statuses, the summary, and results that cannot be compared."""

import json

import pytest

from runs import BROKEN, DE, EN, EN_WRONG, write

pytestmark = pytest.mark.once


@pytest.fixture
def gate(evalign, folder):
    """A function that runs the gate on two saved results: one.txt now, two.txt before."""
    evalign("score", "gold.txt", "one.txt", "--metrics", "sentences,tokens,pk", "-o", "run.json")
    evalign("score", "gold.txt", "two.txt", "--metrics", "sentences,tokens,pk", "-o", "old.json")
    return lambda *arguments: evalign("gate", "run.json", *arguments)


def test_one_condition_is_one(gate):
    assert "\nsystem one.txt\n1 condition failed\n" in gate("--fail-under", "sentences=99").out
    assert "\nsystem one.txt\n1 condition holds\n" in gate("--fail-under", "sentences=2").out
    assert "\n2 of 2 conditions failed\n" in gate("--fail-under", "sentences=99,tokens=99").out


@pytest.mark.parametrize("format", ["table", "markdown", "json"])
def test_every_format_names_both_systems(evalign, folder, format):
    for place, names in (("old", ("one", "two", "gold")), ("new", ("one", "two"))):
        (folder / place).mkdir()
        for name in names:
            (folder / place / f"{name}.txt").write_bytes((folder / f"{name}.txt").read_bytes())
        systems = [f"{place}/{name}.txt" for name in names]
        evalign("score", "gold.txt", *systems, "--metrics", "sentences", "-o", f"{place}.json", "-q")
    asked = ("--baseline", "old.json", "--max-drop", "sentences=0", "--format", format)
    done = evalign("gate", "new.json", *asked, "--system", "two")
    assert (done.status, done.out.count("two.txt")) == (0, 2)
    evalign("score", "gold.txt", "new/two.txt", "--metrics", "sentences", "-o", "new.json", "-q")
    done = evalign("gate", "new.json", *asked)
    assert (done.status, done.out.count("two.txt")) == (0, 2)
    (folder / "new" / "two.txt").rename(folder / "new" / "three.txt")
    evalign("score", "gold.txt", "new/three.txt", "--metrics", "sentences", "-o", "new.json", "-q")
    done = evalign("gate", "new.json", *asked)
    assert (done.status, done.out) == (2, "")
    assert "one of one.txt, two.txt, old/gold.txt\n  name one: --baseline-system NAME\n" in done.err


def test_a_summary_in_markdown(gate, folder):
    asked = ("--baseline", "old.json", "--max-drop", "sentences=0.1", "--fail-under", "tokens=80")
    assert gate(*asked, "-o", "summary.md").status == 3
    written = (folder / "summary.md").read_text(encoding="utf-8")
    assert written == gate(*asked, "--format", "markdown").out
    assert written.startswith("### ❌ evalign gate: failed\n")


def test_json(gate):
    done = gate("--baseline", "old.json", "--max-drop", "pk=10", "--format", "json")
    found = json.loads(done.out)
    assert (found["passed"], found["system"], found["baseline"]) == (False, "one.txt", "two.txt")
    assert found["checks"] == [
        {
            "metric": "pk", "measure": "error", "condition": "max-drop", "limit": 10.0, "baseline": 0.0, "value": 0.2,
            "change": 0.2, "p": None, "passed": False, "reason": "",
            "parts": None,
        }
    ]  # fmt: skip


def test_of_what_is_better_when_low_a_drop_is_a_rise(gate):
    assert gate("--baseline", "old.json", "--max-drop", "pk=20").status == 0
    assert gate("--baseline", "old.json", "--max-drop", "pk=19.9").status == 3
    assert gate("--fail-over", "pk=20").status == 0
    assert gate("--fail-over", "pk=19.9").status == 3
    done = gate("--fail-under", "pk=19")
    assert (done.status, "--fail-over pk" in done.err) == (2, True)
    done = gate("--fail-over", "tokens=19")
    assert (done.status, "--fail-under tokens" in done.err) == (2, True)


@pytest.mark.issue(15)
def test_less_than_a_point_can_be_meant(gate):
    assert gate("--fail-over", "pk=0.5%").status == 3
    assert gate("--fail-over", "pk=0").status == 3
    assert gate("--fail-under", "tokens=0.95%").status == 0
    assert gate("--fail-under", "tokens=87%").status == 0
    assert gate("--fail-under", "tokens=1.01").status == 0
    assert gate("--baseline", "old.json", "--max-drop", "tokens=0.5").status == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "--max-drop words=0.1"),
        (["--max-drop", "tokens=1"], "--max-drop without --baseline"),
        (["--fail-under", "tokens"], "--fail-under words=95"),
        (["--fail-under", "tokens=0.95"], "expected tokens=95"),
        (["--fail-under", "tokens=101"], "nothing is above 100\n  expected points from 0 to 100"),
        (["--fail-under", "pk=0.2"], "--fail-over pk=LIMIT"),
        (["--fail-under", "tokns=1"], 'did you mean "tokens"?'),
        (["--fail-under", "tokens.accuracy=1"], "precision, recall, f1"),
        (["--fail-under", "tokens=1", "--system", "three"], "expected one.txt"),
        (["--fail-under", "tokens=1", "--test", "randomization"], "--significant"),
        (["--fail-under", "tokens=1", "--fial-over", "pk=1"], "did you mean --fail-over?"),
    ],
)
def test_a_wrong_command(gate, arguments, told):
    done = gate(*arguments)
    assert (done.status, done.out) == (2, "")
    assert told in done.err


def test_what_was_not_scored_has_failed(gate):
    done = gate("--fail-under", "words=2")
    assert done.status == 3
    assert "words F1: words was not scored\n" in done.out
    assert gate("--fail-under", "las=2").status == 3


def test_other_gold_and_other_options_are_warned_of(evalign, gate, folder):
    (folder / "longer.txt").write_text(
        "One more line .\n" + (folder / "gold.txt").read_text(encoding="utf-8"), encoding="utf-8"
    )
    evalign("score", "longer.txt", "one.txt", "--match", "text", "-o", "old.json", "-q")
    done = gate("--baseline", "old.json", "--max-drop", "tokens=50")
    assert "warning: not the same gold: tokens has 16 in gold in the baseline, 12 now\n" in done.out
    assert "warning: not the same match: text in the baseline, default now\n" in done.out
    assert "\nbaseline   evalign:" in done.out
    summary = gate("--baseline", "old.json", "--max-drop", "tokens=50", "--format", "markdown").out
    assert "- warning: not the same gold" in summary


def test_a_significant_drop_fails_and_any_other_does_not(evalign, folder, examples):
    corpus = examples / "corpus"
    for name, saved in (("second", "old.json"), ("baseline", "run.json"), ("third", "third.json")):
        asked = (corpus / "gold.conllu", corpus / f"{name}.conllu", "--metrics", "tokens,las,sentences")
        evalign("score", *asked, "-o", saved, "-q")
    asked = ("--baseline", "old.json", "--max-drop", "las=0.1", "--significant")
    done = evalign("gate", "run.json", *asked)
    assert done.status == 3
    assert "LAS F1: significant, p 0.0" in done.out
    assert evalign("gate", "third.json", *asked[:-1]).status == 3
    done = evalign("gate", "third.json", *asked)
    assert done.status == 0
    assert "LAS F1: not significant, p 0." in done.out
    done = evalign(
        "gate", "run.json", "--baseline", "old.json", "--max-drop", "las.recall=0.1", "--significant"
    )
    assert (done.status, "the paired test is of f1" in done.err) == (2, True)


def test_a_test_needs_the_same_units(gate):
    done = gate("--baseline", "old.json", "--max-drop", "sentences=1", "--significant")
    assert (done.status, done.out) == (1, "")
    assert "which are not the same" in done.err
    assert "evalign score GOLD OLD NEW --paired" in done.err


@pytest.fixture
def runs(evalign, folder):
    """A run of two treebanks, saved as old.json, and one in which both systems are wrong in one and fail on another."""
    for name, files in {
        "gold": (EN, DE),
        "old": (EN, DE),
        "new": (EN_WRONG, BROKEN),
        "worse": (EN_WRONG, DE),
    }.items():
        write(folder / name, en=files[0], de=files[1])
    for name in ("old", "new", "worse"):
        evalign("score", "gold", name, "--metrics", "upos,pk", "-o", f"{name}.json", "-q")
    return lambda *arguments: evalign("gate", *arguments)


def test_runs_of_several_treebanks(runs):
    asked = ("--baseline", "old.json", "--max-drop")
    done = runs("worse.json", *asked, "upos=20", "--fail-under", "upos=80")
    assert done.status == 0
    assert done.out.partition("signature")[0] == (
        "metric   baseline    now  change  limit\n"
        "UPOS F1    100.00  80.00  -20.00  may drop by 20  ok\n"
        "UPOS F1    100.00  80.00  -20.00  at least 80     ok\n"
        "\n"
        "system worse, baseline old\n"
        "macro average over 2 treebanks\n"
        "2 conditions, all hold\n"
    )
    assert runs("worse.json", *asked, "upos=19.9").status == 3
    done = runs("worse.json", *asked, "upos=20", "--part", "en")
    assert (done.status, "treebank en\n" in done.out) == (3, True)
    assert runs("worse.json", *asked, "upos=0", "--part", "de").status == 0
    done = runs("worse.json", *asked, "upos=20", "--part", "fr")
    assert (done.status, "one of de, en" in done.err) == (2, True)


def test_a_failure_that_is_new_in_a_run(runs):
    asked = ("new.json", "--baseline", "old.json", "--max-drop", "upos=50")
    done = runs(*asked)
    assert done.status == 3
    told = " ".join(done.out.split())
    assert "1 condition holds, 1 new failure failed on de, but not in the baseline: new/de.conllu:1:" in told
    assert "UPOS F1: over 1 of 2 treebanks" in told
    summary = runs(*asked, "--format", "markdown").out
    assert summary.startswith("### ❌ evalign gate: failed\n")
    assert (
        "system new; baseline old; macro average over 2 treebanks; 1 condition holds, 1 new failure"
        in summary
    )
    assert "- failed on de, but not in the baseline: new/de.conllu:1:" in summary
    found = json.loads(runs(*asked, "--format", "json").out)
    assert (found["passed"], list(found["failures"]), found["of"]) == (
        False, ["de"], "macro average over 2 treebanks",
    )  # fmt: skip
    assert found["checks"][0]["parts"] == 1
    assert runs("new.json", "--baseline", "new.json", "--max-drop", "upos=0").status == 0
