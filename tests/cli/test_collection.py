"""`evalign score` on folders and manifests."""

import csv
import errno
import io
import json
import os
import re
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from commands import drop_progress
from evalign import Parts, load_saved
from runs import BROKEN, DE, EN, EN_WRONG, write

pytestmark = pytest.mark.once


@pytest.fixture
def run(folder):
    """Gold of two treebanks, a system with both, one with a broken file and a file too many."""
    write(folder / "gold", en=EN, de=DE)
    write(folder / "alpha", en=EN, de=DE)
    write(folder / "beta", en=EN_WRONG, de=BROKEN, nl=DE)
    return "gold", "alpha", "beta"


def test_a_row_per_treebank_and_both_averages(evalign, run):
    done = evalign("score", *run, "--metrics", "upos")
    assert done.status == 0
    lines = [line.split() for line in done.out.splitlines()]
    assert ["de", "1", "1", "2", "100.00", "failed"] in lines
    assert ["en", "2", "2", "5", "100.00", "60.00"] in lines
    assert ["macro", "average", "100.00", "60.00"] in lines
    assert ["micro", "average", "3", "3", "7", "100.00", "60.00"] in lines
    text = " ".join(done.out.split())
    assert "beta failed on de: beta/de.conllu:1: 3 columns" in text
    assert "beta: averages are of 1 of 2 treebanks" in text
    assert "beta: failures:skip(1)" in text
    assert done.err.splitlines()[0] == "warning: beta: no gold file named nl.conllu"
    assert done.err.splitlines()[1].startswith("warning: beta failed on de: beta/de.conllu:1: 3 columns")
    assert evalign("score", *run, "--metrics", "upos", "-q").err == ""


def test_strict_says_no_by_its_exit_status(evalign, run):
    done = evalign("score", *run, "--strict")
    assert done.status == 1
    assert "macro average" in done.out
    assert evalign("score", "gold", "alpha", "--strict").status == 0


def test_the_run_is_saved_whole_and_the_table_still_printed(evalign, run):
    done = evalign("score", *run, "-o", "run.json", "-q")
    assert done.out == evalign("score", *run, "-q").out
    parts = load_saved("run.json")
    assert isinstance(parts, Parts)
    assert parts.systems == ["alpha", "beta"]
    assert len(parts["en"].systems[1].errors("upos")) == 2
    assert evalign("score", *run, "-o", "run.json", "-q", "--confidence").status == 0
    assert set(json.loads(Path("run.json").read_text(encoding="utf-8"))) >= {"significance", "parts"}
    assert load_saved("run.json").macro(1, "upos") == parts.macro(1, "upos")


@pytest.mark.parametrize("failures", ["skip", "zero"])
def test_one_number_is_the_macro_average_of_each_system(evalign, run, failures):
    asked = ("score", *run, "--failures", failures, "-q")
    averages = json.loads(evalign(*asked, "--format", "json").out)["averages"]
    for only, metric, ratio in (
        ("upos", "upos", "f1"),
        ("UPOS.recall", "upos", "recall"),
        ("tokens.f1", "tokens", "f1"),
    ):
        shown = evalign(*asked, "--only", only).out.split()
        assert shown == [f"{100 * system['macro'][metric][ratio]:.2f}" for system in averages]
        assert evalign(*asked, "--only", only, "--stream").out.split() == shown
    assert evalign(*asked, "--only", "tokens", "-o", "run.json").out
    assert load_saved("run.json").systems == ["alpha", "beta"]


@pytest.fixture
def genres(folder):
    """Two treebanks, of which one names genres of its documents and speakers of its sentences."""
    speakers = "# speaker = ann\n" + EN + "# speaker = bob\n" + DE
    text = f"# newdoc id = a\n# genre = news\n{EN}# newdoc id = b\n# genre = chat\n{DE}{speakers}"
    for name in ("gold", "alpha", "beta"):
        write(folder / name, en=text.replace("NOUN", "VERB", 4) if name == "beta" else text, de=DE)
    return "gold", "alpha", "beta"


@pytest.mark.parametrize("format", ["table", "json", "csv", "markdown", "latex", "typst"])
@pytest.mark.parametrize(
    "more", [(), ("--confidence", "--resamples", "20"), ("--layout", "counts"), ("--layout", "systems")]
)
def test_a_run_is_split_and_broken_down_fresh_as_saved(evalign, genres, format, more):
    asked = ("--per", "relation", "--by", "genre,tag", "--by", "speaker,length", "--format", format, *more)
    assert (
        evalign("score", *genres, "--metrics", "upos,las", "--by", "speaker", "-o", "run.json", "-q").status
        == 0
    )
    fresh = evalign("score", *genres, "--metrics", "upos,las", "-q", *asked)
    assert fresh.status == 0
    assert fresh.out == evalign("convert", "run.json", "-q", *asked).out
    if format == "json":
        printed = json.loads(fresh.out)
        assert [*printed["splits"]] == ["genre", "speaker", "length"]
        assert printed["splits"]["genre"]["parts"]["(none)"]["systems"][0]["scores"]["upos"]["gold"] == 2
        assert [*printed["averages"][1]["breakdowns"]] == ["relation", "tag"]
        assert printed["averages"][1]["breakdowns"]["tag"]["NOUN"]["correct"] == 12
    if format == "csv":
        rows = list(csv.DictReader(io.StringIO(fresh.out)))
        assert {"treebank", "genre", "speaker", "length"} < {row["by"] for row in rows}
        assert not any(None in row or None in row.values() for row in rows)
    if format == "table":
        assert (
            evalign("score", *genres, "--metrics", "upos,las", "-q", "--stream", "--jobs", "2", *asked).out
            == fresh.out
        )


def test_a_split_run_has_lines_and_a_page(evalign, genres, folder):
    saving = ("-o", "run.json", "--report", "page.html", "--resamples", "20")
    asked = ("--per", "relation", "--by", "speaker,genre")
    assert evalign("score", *genres, "-q", *asked, *saving).status == 0
    lines = map(json.loads, evalign("convert", "run.json", "--format", "jsonl", *asked).out.splitlines())
    assert list(dict.fromkeys(line["by"] for line in lines)) == ["treebank", "relation", "speaker", "genre"]
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert re.findall("<h3>By <bdi>(.+)</bdi></h3>", page.partition('id="overview"')[0]) == [
        "speaker",
        "genre",
        "relation",
    ]
    assert evalign("report", "run.json", *asked, "--resamples", "20").status == 0
    assert (folder / "run.html").read_text(encoding="utf-8") == page


def test_a_manifest(evalign, run, folder):
    (folder / "runs.tsv").write_text(
        "treebank\tgold\talpha\tbeta\nen\tgold/en.conllu\talpha/en.conllu\tbeta/en.conllu\nde\tgold/de.conllu\talpha/de.conllu\t\n",
        encoding="utf-8",
    )
    done = evalign("score", "--manifest", "runs.tsv", "--metrics", "upos")
    assert done.status == 0
    assert "warning: beta has no file for de in runs.tsv" in done.err
    assert done.out.index("en ") < done.out.index("de ")
    (folder / "bad.tsv").write_text("treebank\tgolden\ten\n", encoding="utf-8")
    done = evalign("score", "--manifest", "bad.tsv")
    assert done.status == 1
    assert done.err.startswith("evalign: bad.tsv:1: no column gold in")


def test_raw_text_from_a_folder(evalign, run, folder):
    write(folder / "raw", en__txt="A b c D e", de__txt="X  y")
    assert evalign("score", "gold", "alpha", "--raw", "raw").status == 0
    assert evalign("score", "--raw", "raw", "--", "gold", "alpha").status == 0
    done = evalign("score", "gold", "alpha", "--raw", "raw/en.txt", "raw/de.txt")
    assert (done.status, "one folder of raw texts" in done.err) == (2, True)
    done = evalign("score", "gold", "alpha", "--raw", "raw/en.txt")
    assert (done.status, "raw/en.txt: a file, where others are folders" in done.err) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["gold", "alpha/en.conllu"], 1, "alpha/en.conllu: a file, where others are folders"),
        (["gold/en.conllu", "alpha"], 1, "gold/en.conllu: a file, where others are folders"),
        (["gold", "gone"], 1, "gone: no such folder"),
        (["gold", "gold"], 1, "gold: the folder of gold"),
        (["gold", "alpha", "--paired", "--all-pairs"], 2, "--all-pairs with folders or a manifest"),
        (["gold", "alpha", "--only", "las.correct"], 2, "las.correct of several treebanks"),
        (["gold", "alpha", "--only", "las", "--format", "csv"], 2, "--only with --format csv"),
        (
            ["gold", "alpha", "--per", "tag", "--split-spaces"],
            2,
            "breakdown by tag not available with --split-spaces",
        ),
        (
            ["gold", "alpha", "--by", "topic"],
            2,
            'by "topic": gold\'s documents and sentences have no comment',
        ),
        (["gold", "alpha", "--stream", "--metrics", "pk"], 2, "--stream: pk takes its window"),
        (["gold", "alpha", "--metrics", "nonsense"], 2, 'unknown metric "nonsense"'),
        (["gold/en.conllu", "alpha/en.conllu", "--failures", "zero"], 2, "--failures zero without a folder"),
        (["gold/en.conllu", "alpha/en.conllu", "--keep", "x"], 2, "--keep x without a folder"),
        (["gold", "alpha", "--keep", "gold"], 2, "kept in gold, which is read"),
        (["gold", "alpha", "--keep", "gold/en.conllu"], 1, "gold/en.conllu: no folder"),
        (["gold", "alpha", "--keep", ""], 1, "no name"),
        (["gold", "alpha", "--jobs", "2", "--cluster", "tcp://host:1"], 2, "--jobs together with --cluster"),
        (["--manifest", "runs.tsv", "gold", "alpha"], 2, "--manifest with GOLD or SYSTEM"),
        (["--manifest", "runs.tsv", "gold"], 2, "--manifest with GOLD or SYSTEM"),
        (["--manifest", "runs.tsv"], 1, "runs.tsv: no such file"),
        (["--manifest", "runs.tsv", "--raw", "raw"], 2, "--raw with --manifest"),
        (["gold"], 2, "required: SYSTEM"),
        ([], 2, "required: GOLD, SYSTEM"),
    ],
)
def test_what_is_wrong_is_said(evalign, run, arguments, status, message):
    done = evalign("score", *arguments)
    assert (done.status, done.out) == (status, "")
    assert message in done.err


def test_names_of_files_do_not_reach_the_terminal_as_control_characters(evalign, folder):
    write(folder / "gold", **{"e\x1b[31mn": EN})
    write(folder / "one", **{"e\x1b[31mn": EN, "x\x1b]0;y": BROKEN})
    done = evalign("score", "gold", "one")
    assert done.status == 0
    assert "\x1b" not in done.out + done.err


def test_json_lines_are_a_line_per_treebank_system_and_metric(evalign, run):
    evalign("score", *run, "--metrics", "upos,pk", "-o", "run.json", "-q")
    asked = ("--metrics", "upos", "--format", "jsonl", "--confidence", "--paired", "--resamples", "20")
    done = evalign("convert", "run.json", *asked)
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert [(line["part"], line.get("average"), line["system"], line["metric"]) for line in lines] == [
        (part, average, system, "upos")
        for part, average in (("de", None), ("en", None), (None, "macro"), (None, "micro"))
        for system in ("alpha", "beta")
    ]
    parts = load_saved("run.json")
    assert lines[3]["scores"]["f1"] == parts["en"].systems[1]["upos"].f1 == 0.6
    assert (lines[1]["scores"]["f1"], lines[1]["failure"]) == (None, parts.failed(1)["de"])
    assert lines[5]["scores"] == parts.macro(1, "upos")
    assert [line["parts"] for line in lines[4:]] == [2, 1, 2, 1]
    # Over the treebank that both have.
    assert (lines[5]["against"], lines[5]["difference"]) == ("alpha", pytest.approx(-0.4))
    assert lines[7]["against"] is None
    assert "|average:macro|" in lines[5]["signature"]
    assert "|average:micro|" in lines[7]["signature"]


def test_averages_of_other_treebanks_have_no_best_and_are_not_compared(evalign, run):
    asked = ("--metrics", "upos", "--paired", "--resamples", "20")
    text = evalign("score", *run, *asked, "--format", "latex").out
    assert r"en & 2 & 2 & 5 & \textbf{100.00} & 60.00" in text
    assert "macro average &  &  &  & 100.00 & 60.00" in text
    told = " ".join(evalign("score", *run, *asked).out.split())
    assert "averages are not of the same treebanks, and do not say which system is better" in told
    assert "beta is compared with alpha over the 1 of 2 treebanks that both have" in told
    zero = evalign("score", *run, *asked, "--failures", "zero", "--format", "latex").out
    assert r"macro average &  &  &  & \textbf{100.00} & 30.00" in zero


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_gold_that_cannot_be_read_does_not_stop_the_others_from_being_tested(evalign, run, folder, test):
    write(folder / "gold", nl=BROKEN)
    done = evalign("score", *run, "--metrics", "upos", "--paired", test, "--resamples", "20")
    assert (done.status, "macro average" in done.out) == (0, True)


FIVE = {f"t{k}": EN * (k + 1) for k in range(5)}

# Runs a command, and sends itself a signal when so many treebanks are kept and the next is about to be.
STOPPED = textwrap.dedent(
    """
    import os, signal, sys
    from pathlib import Path
    from evalign.cli import main

    number, name, *arguments = sys.argv[1:]
    mkdir, begun = Path.mkdir, []

    def stop(path, **options):
        # The folder is made, if it is not there, before each treebank is written.
        if path.name.endswith(".parts"):
            if len(begun) == int(number):
                os.kill(os.getpid(), getattr(signal, name))
            begun.append(path)
        mkdir(path, **options)

    Path.mkdir = stop
    sys.exit(main(arguments))
    """
)
POSIX = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX systems")
SPREADS = [
    ["--jobs", "2"],
    pytest.param([], marks=pytest.mark.slow),
    pytest.param(["--cluster"], marks=pytest.mark.slow),
]


@pytest.fixture
def five(folder):
    """As many systems as make it worth to start processes."""
    write(folder / "gold", **FIVE)
    systems = "alpha", "beta", "gamma", "delta"
    for system in systems:
        write(folder / system, **(FIVE | {"t3": EN_WRONG}))
    return "gold", *systems


def stop(signal_name, number, *arguments):
    done = subprocess.run(
        [sys.executable, "-c", STOPPED, str(number), signal_name, "score", *arguments],
        check=False, capture_output=True, timeout=300, encoding="utf-8",
    )  # fmt: skip
    return done.returncode, done.stdout, drop_progress(done.stderr)


@pytest.mark.slow
@POSIX
@pytest.mark.parametrize("spread", SPREADS, indirect=True)
@pytest.mark.parametrize("name", ["SIGINT", "SIGKILL"])
def test_a_run_that_was_stopped_goes_on_and_comes_out_the_same(evalign, five, name, spread):
    whole = evalign("score", *five, "-o", "whole.json")
    status, out, err = stop(name, 2, *five, *spread, "-o", "run.json")
    if name == "SIGINT":
        told = "2 of 5 treebanks finished and kept in run.json.parts; run the same command again to go on"
        assert (status, out, err.replace("\n    ", " ")) == (130, "", f"{told}\nevalign: interrupted\n")
    else:
        assert (status, out) == (-signal.SIGKILL, "")
    assert not Path("run.json").exists()
    kept = {path: path.stat().st_mtime_ns for path in Path("run.json.parts").iterdir()}
    assert len(kept) == 2
    status, _, err = stop("SIGKILL", 2, *five, *spread, "-o", "run.json")
    assert (status, err) == (-signal.SIGKILL, "2 of 5 treebanks were finished before\n")
    assert len(list(Path("run.json.parts").iterdir())) == 4
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    done = evalign("score", *five, *spread, "-o", "run.json")
    assert (done.status, done.out) == (0, whole.out)
    assert done.err == f"4 of 5 treebanks were finished before\n{whole.err}"
    assert Path("run.json").read_bytes() == Path("whole.json").read_bytes()
    assert not Path("run.json.parts").exists()


@POSIX
def test_nothing_is_told_of_it_where_only_results_are_wanted(evalign, five):
    assert stop("SIGINT", 2, *five, "-o", "run.json", "-q") == (130, "", "evalign: interrupted\n")
    done = evalign("score", *five, "-o", "run.json", "-q")
    assert (done.status, done.err) == (0, "")


def test_a_folder_keeps_what_is_finished_for_good(evalign, five, folder):
    first = evalign("score", *five, "--keep", "some/kept")
    files = {path.name: path.stat().st_mtime_ns for path in Path("some/kept").iterdir()}
    assert len(files) == 5
    again = evalign("score", *five, "--keep", "some/kept")
    assert (again.out, again.err) == (first.out, f"5 of 5 treebanks were finished before\n{first.err}")
    write(folder / "alpha", t1=EN_WRONG)
    changed = evalign("score", *five, "--keep", "some/kept")
    assert "4 of 5 treebanks were finished before" in changed.err
    assert changed.out == evalign("score", *five).out != first.out
    assert "finished before" not in evalign("score", *five, "--keep", "some/kept", "--metrics", "upos").err
    assert (
        files.items() <= {path.name: path.stat().st_mtime_ns for path in Path("some/kept").iterdir()}.items()
    )
    evalign("score", *five, "--keep", "some/kept", "-o", "run.json")
    assert not Path("run.json.parts").exists()
    assert evalign("score", *five, "--keep", "some/kept", "-o", "run.json").err.startswith("5 of 5")


@pytest.mark.parametrize("output", ["run.json", "run.csv", "run.txt"])
def test_an_error_leaves_what_is_finished_and_says_so(evalign, five, monkeypatch, output):
    rename = Path.replace

    def refuse(path, target):
        if Path(target).name == output:
            raise OSError(errno.ENOSPC, "No space left on device")
        return rename(path, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", refuse)
        done = evalign("score", *five, "-o", output)
    assert (done.status, done.out) == (1, "")
    kept = f"5 of 5 treebanks finished and kept in {output}.parts; run the same command again to go on"
    assert f"{kept}\nevalign: {output}: cannot be written" in done.err
    done = evalign("score", *five, "-o", output)
    assert (done.status, done.err.partition("\n")[0]) == (0, "5 of 5 treebanks were finished before")
    assert Path(output).exists()
    assert not Path(f"{output}.parts").exists()


def test_what_is_no_file_or_not_ours_gets_no_folder(evalign, five, folder):
    assert evalign("score", *five, "-o", os.devnull).status == 0
    assert not Path(f"{os.devnull}.parts").exists()
    (folder / "run.json.parts").write_text("mine", encoding="utf-8")
    assert evalign("score", *five, "-o", "run.json").status == 0
    assert (folder / "run.json.parts").read_text(encoding="utf-8") == "mine"
    (folder / "run.csv.parts").mkdir()
    (folder / "run.csv.parts" / "notes").write_text("mine", encoding="utf-8")
    assert evalign("score", *five, "-o", "run.csv").status == 0
    assert [path.name for path in (folder / "run.csv.parts").iterdir()] == ["notes"]


LIMITED = textwrap.dedent(
    """
    import resource, sys
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
    from evalign.cli import main
    sys.exit(main(sys.argv[1:]))
    """
)


@POSIX
def test_where_nothing_can_be_kept_the_run_goes_on(evalign, five):
    done = subprocess.run(
        [sys.executable, "-B", "-c", LIMITED, "score", *five, "--keep", "kept"],
        check=False, capture_output=True, timeout=300, encoding="utf-8",
    )  # fmt: skip
    whole = evalign("score", *five)
    line, _, rest = drop_progress(done.stderr.replace("\n    ", " ")).partition("\n")
    assert (done.returncode, done.stdout, rest) == (0, whole.out, whole.err)
    assert line.startswith("warning: kept: cannot be written")
    assert "File too large" in line
    assert not Path("kept").exists()


@pytest.mark.issue(15)
def test_a_scheme_that_is_not_followed_is_refused_with_the_line(evalign, run, folder):
    cells = "gold/en.conllu\treference://gold::file:///none.json"
    (folder / "runs.tsv").write_text(f"treebank\tgold\talpha\nen\t{cells}\n")
    done = evalign("score", "--manifest", "runs.tsv")
    assert done.status == 1
    assert done.err.startswith(
        'evalign: runs.tsv:2: the scheme "reference" of reference://gold::file:///none.json'
    )


@pytest.mark.issue(15)
def test_a_manifest_and_folders_can_be_kept_to_a_folder(evalign, run, folder):
    (folder / "runs.tsv").write_text("treebank\tgold\talpha\nen\tgold/en.conllu\talpha/en.conllu\n")
    assert evalign("score", "--manifest", "runs.tsv", "--stay-below", ".").status == 0
    done = evalign("score", "--manifest", "runs.tsv", "--stay-below", "gold")
    assert done.status == 1
    assert done.err.startswith("evalign: runs.tsv:2: alpha/en.conllu, which leads to ")
    assert evalign("score", "gold", "alpha", "--stay-below", "gold").status == 1
    assert evalign("score", "gold", "alpha", "--stay-below", ".").status == 0
    assert evalign("score", "--manifest", "runs.tsv", "--stay-below", "nowhere").status == 1
    done = evalign("score", "gold/en.conllu", "alpha/en.conllu", "--stay-below", "gold")
    assert done.status == 2
    assert "--stay-below gold without a folder or a manifest" in done.err


@pytest.mark.issue(15)
@pytest.mark.parametrize("failures", ["skip", "zero"])
def test_a_failure_is_marked_in_every_format(evalign, run, failures):
    asked = ("--metrics", "upos", "--failures", failures, "-q")
    assert evalign("score", *run, *asked, "-o", "run.json", "--report", "page.html").status == 0
    for command in (("score", *run, *asked), ("convert", "run.json", "-q")):
        rows = {
            "table": r"^de +1 +1 +2 +100\.00 +failed$",
            "markdown": r"^\| de \| 1 \| .*100\.00.* \| failed \|$",
            "latex": r"^de & 1 & .*100\.00.* & failed ",
            "typst": r'"de", "1", .*100\.00.*, "failed"',
        }
        for format, row in rows.items():
            out = evalign(*command, "--format", format).out
            assert re.search(row, out, re.MULTILINE), out
            counted = "counts as 0" if failures == "zero" else "is left out"
            assert f"where a system failed on a part, for the averages it {counted}" in out
        lines = list(csv.DictReader(io.StringIO(evalign(*command, "--format", "csv").out)))
        found = {(line["part"], line["system"], line["measure"]): line for line in lines}
        value = "0.0" if failures == "zero" else ""
        assert (found["de", "beta", "f1"]["status"], found["de", "beta", "f1"]["value"]) == ("failed", value)
        assert {line["status"] for line in lines if (line["part"], line["system"]) != ("de", "beta")} == {""}
    saved = json.loads(Path("run.json").read_text(encoding="utf-8"))
    assert saved["parts"]["de"]["systems"][1]["failure"]
    page = Path("page.html").read_text(encoding="utf-8")
    assert ">failed<" in page
    assert ("counts as 0.00" in page) == (failures == "zero")
    lines = map(json.loads, evalign("convert", "run.json", "--format", "jsonl").out.splitlines())
    assert [line["part"] for line in lines if "failure" in line] == ["de"]


@pytest.mark.issue(15)
def test_gold_that_cannot_be_read_is_a_failure_of_all_in_csv(evalign, run, folder):
    write(folder / "gold", de="1\tA\ta\n")
    out = evalign("score", *run, "--metrics", "upos", "-q", "--format", "csv").out
    failed = [line for line in csv.DictReader(io.StringIO(out)) if line["status"] == "failed"]
    assert {(line["part"], line["system"]) for line in failed} == {("de", "alpha"), ("de", "beta")}


@pytest.mark.issue(15)
@pytest.mark.parametrize("failures", ["skip", "zero"])
def test_failures_can_decide_the_exit_status(evalign, run, failures):
    asked = ("score", *run, "--failures", failures, "-q", "-o", "run.json")
    assert evalign(*asked).status == 0
    Path("run.json").unlink()
    done = evalign(*asked, "--fail-on-failure")
    assert (done.status, "macro average" in done.out, Path("run.json").exists()) == (1, True, True)
    assert evalign("score", "gold", "alpha", "-q", "--fail-on-failure").status == 0
    assert evalign("score", "gold/en.conllu", "alpha/en.conllu", "-q", "--fail-on-failure").status == 0


@pytest.mark.issue(15)
@pytest.mark.parametrize("failures", ["skip", "zero"])
def test_a_gate_does_not_take_a_failure_for_a_score(evalign, run, failures):
    evalign("score", *run, "--failures", failures, "-q", "-o", "run.json")
    part = ("--part", "de", "--system", "beta")
    for asked in (["--baseline", "run.json", "--max-drop", "tokens=1"], ["--fail-under", "tokens=50"]):
        done = evalign("gate", "run.json", *part, *asked)
        assert done.status == 3
        assert "0.00" not in done.out
        assert "tokens F1: tokens is not available: beta/de.conllu:" in done.out
