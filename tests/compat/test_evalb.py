"""`evalign evalb`: evalb's output, messages and exit status, and what it cannot do."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from evalign.cli import main
from evalign.compat.evalb.results import evaluate
from evalign.compat.evalb.scorer import KnownLabels, TooManyErrorsError, strip_label
from evalign.compat.evalb.script import USAGE, run_script
from evalign.kernels import is_compiled
from evalign.kernels.evalb_cy import codes as parseval_codes
from evalign.kernels.tree_scan_cy import LabelTable
from evalign.readers.evalb_parameters import Parameters, read_parameters
from oracles.parseval import Counts, Unreadable, count, read_tree
from treelines import pairs, parameters

FILES = Path(__file__).parent / "evalb"
TREE = b"(S (A a) (B b))\n"


def run(gold, test, said=None):
    """Status, standard output and standard error for the bytes of two files."""
    out, err = [], []
    status = run_script(gold, test, said or Parameters(), out.append, err.append)
    return status, b"".join(out), b"".join(err)


@pytest.fixture
def evalb(tmp_path, monkeypatch, capfdbinary):
    """A function that runs the command in a folder with some files."""
    for name, text in {
        "gold": TREE * 3,
        "test": b"(S (A a) (B c))\n(S (A a))\n(X (A a) (B b))\n",
        "c7": b"CUTOFF_LEN 7\nFOO\n",
        "dA": b"DELETE_LABEL A\nMAX_ERROR 0\n",
        "dB": b"DELETE_LABEL B\nEQ_LABEL x\n",
    }.items():
        (tmp_path / name).write_bytes(text)
    monkeypatch.chdir(tmp_path)

    def run_command(*arguments):
        status = main(["evalb", *map(str, arguments)])
        return status, *capfdbinary.readouterr()

    return run_command


@pytest.mark.parametrize(("option", "name"), [((), "table"), (("-d",), "words"), (("-D",), "comparisons")])
def test_the_files_of_these_tests(evalb, option, name):
    done = evalb("-p", FILES / "parameters.prm", *option, FILES / "gold.mrg", FILES / "test.mrg")
    expected = (FILES / f"{name}.txt").read_bytes(), (FILES / "messages.txt").read_bytes()
    assert done == (0, *expected)


def test_the_probes(data, evalb):
    lines = (data / "constituency/evalb-probes/probes.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 44
    for probe in map(json.loads, lines):
        for side in ("gold", "test"):
            Path(side).write_text(
                "".join(f"{line}\n" for line in probe[side]), encoding="utf-8", newline="\n"
            )
        said = []
        if probe["prm"]:
            said = ["-p", data / "constituency" / probe["prm"]]
        elif probe["prm_text"] is not None:
            Path("prm").write_text(probe["prm_text"], encoding="utf-8", newline="\n")
            said = ["-p", "prm"]
        status, out, err = evalb(*said, *probe["args"], "gold", "test")
        expected = probe["exit_status"], probe["stdout"], probe["stderr"]
        assert (status, out.decode(), err.decode()) == expected, probe["name"]


@pytest.mark.parametrize(
    ("said", "gold", "test", "expected"),
    [
        ("evalb-sample/sample", "evalb-sample/sample.gld", "evalb-sample/sample.tst", "evalb-sample/evalb"),
        ("prm/COLLINS", "evalb-bug/bug.gld", "evalb-bug/bug.tst", "evalb-bug/evalb_COLLINS"),
        ("prm/new", "evalb-bug/bug.gld", "evalb-bug/bug.tst", "evalb-bug/evalb_new"),
        ("prm/new", "gum/gold.mrg", "gum/sys_perturbed.mrg", "gum/evalb_perturbed_newprm"),
        ("prm/collins_root", "gum/gold.mrg", "gum/sys_perturbed.mrg", "gum/evalb_perturbed"),
        ("prm/collins_root", "gum/gold.mrg", "gum/sys_retokenised.mrg", "gum/evalb_retokenised"),
        ("prm/collins_root", "gum/gold.mrg", "gum/sys_resegmented.mrg", "gum/evalb_resegmented"),
    ],
)
def test_real_files(data, evalb, said, gold, test, expected):
    folder = data / "constituency"
    _, out, err = evalb("-p", folder / f"{said}.prm", folder / gold, folder / test)
    assert out == (folder / f"{expected}.stdout").read_bytes()
    assert err == (folder / f"{expected}.stderr").read_bytes()


@given(
    st.lists(pairs(damaged=True), max_size=4), parameters(), st.sampled_from([0, 0, 1, 2]), st.integers(0, 2)
)
def test_every_number_and_message_is_that_of_the_description(lines, said, debug, more):
    sides = [[side[k] for side in lines] for k in (0, 1)]
    sides[0 if more == 1 else 1] += [b"(A a)"] * (more > 0)
    gold, test = (b"".join(line + b"\n" for line in side) for side in sides)
    rows, messages, is_complete = describe(*sides, said)
    result = evaluate(gold, test, said)
    assert [Counts(*sentence[1:]) for sentence in result.sentences] == rows
    assert (result.messages, result.is_complete) == (messages, is_complete)
    status, out, err = run(gold, test, said.replace(debug=debug))
    assert (status, err) == (int(not is_complete), b"".join(b"%s\n" % message for message in messages))
    assert out.count(b"\n-<1>---(") == (len(rows) if debug else 0)
    if is_complete:
        valid = [row for row in rows if row.status == 0]
        assert result.all[3:10] == (len(valid), *(sum(row[k] for row in valid) for k in range(2, 8)))
        assert result.short.sentences == sum(row.length <= said.cutoff for row in rows)


def test_the_description_itself():
    """A case by hand: the comma is left out and closes up; NP crosses VP; two of three tags are right."""
    gold = read_tree(b"(S (NP (A a)) (, ,) (VP (B b) (C c)))")
    test = read_tree(b"(S (NP-SBJ (A a) (B b)) (, ,) (D c))")
    said = Parameters(delete_labels=(b",",), delete_for_length=(b",",))
    assert count(gold, test, said) == (Counts(3, 0, 1, 3, 2, 1, 3, 2), b"")


def describe(gold, test, said):
    """Rows, messages, and whether the end is reached, by the description of evalb."""
    rows, messages = [], []

    def say(text):
        messages.append(b"%d : %s" % (len(rows) + 1, text))
        if len(messages) >= said.max_error + 2:
            raise TooManyErrorsError

    def read(line):
        try:
            tree, below, is_many = read_tree(line), 0, False
        except Unreadable as error:
            tree, below, is_many = None, error.below, error.is_many
        for _ in range(tree.below if tree else below):
            say(b"Bracketing unbalance (too many close bracket)")
        if is_many:
            say(b"More than two elements in a bracket")
        while tree is None:
            say(b"Reading sentence")
        if tree.depth:
            say(b"Bracketing is unbalanced (too many open bracket)")
        return tree

    try:
        for pair in zip(gold, test, strict=False):
            row, message = count(*map(read, pair), said)
            if message:
                say(message)
            rows.append(row)
        if len(gold) > len(test):
            read(gold[len(test)])
        if len(gold) != len(test):
            longer = b"gold" if len(gold) > len(test) else b"test"
            say(b"Number of lines unmatch (too many lines in %s file)" % longer)
    except TooManyErrorsError:
        return rows, messages, False
    return rows, messages, True


@pytest.mark.parametrize(
    ("arguments", "status", "err"),
    [
        ((), 1, b"Can't open gold file ((null))\n"),
        (("gold",), 1, b"Can't open test file ((null))\n"),
        (("-c", "gold", "test"), 1, b"Can't open test file ((null))\n"),
        (("-", "test"), 1, b"Can't open test file ((null))\n"),
        (("nope", "test"), 1, b"Can't open gold file (nope)\n"),
        (("gold", "nope"), 1, b"Can't open test file (nope)\n"),
        (("", "test"), 1, b"Can't open gold file ()\n"),
        ((".", "test"), 1, b"Can't open gold file (.)\n"),
        (("-p", "nope", "-h"), 1, b"Can't open parameter file (nope)\n"),
        (("-p",), 1, b"Missing argument: parameter file\nCan't open parameter file ()\n"),
        (("-c",), 1, b"Missing argument: cut-off length for statistices\nCan't open gold file ((null))\n"),
        (("-e",), 1, b"Missing argument: number of error to kill\nCan't open gold file ((null))\n"),
        (("-h",), 1, USAGE),
        (("gold", "nope", "-h"), 1, USAGE),
        (("-x", "gold", "test"), 0, USAGE),
        (("--", "gold", "test"), 0, USAGE),
    ],
)
def test_arguments_that_are_wrong(evalb, arguments, status, err):
    assert evalb(*arguments) == (status, b"", err)


@pytest.mark.parametrize(
    ("arguments", "cutoff"),
    [
        (("gold", "test"), 40),
        (("-c", "5", "gold", "test"), 5),
        (("-c5", "gold", "test"), 5),
        (("gold", "-c", "5", "test"), 5),
        (("gold", "test", "test", "-c", "-5x"), -5),
        (("-c", "9", "-p", "c7", "gold", "test"), 7),
        (("-pc7", "-c", "9", "gold", "test"), 9),
        (("-c", "99999999999", "gold", "test"), 1215752191),
    ],
)
def test_later_options_replace_earlier_ones(evalb, arguments, cutoff):
    status, out, err = evalb(*arguments)
    assert (status, b"\n-- len<=%d --\n" % cutoff in out) == (0, True)
    assert (b"Unknown keyword (FOO)" in err) == any("c7" in word for word in arguments)


def test_parameter_files_add_up(evalb):
    status, out, err = evalb("-p", "dA", "-e", "5", "-p", "dB", "gold", "test")
    assert (status, err) == (0, b"EQ_LABEL requires two values\n")
    assert out.splitlines()[3:6] == [
        b"%4d    2    2    0.00   0.00     0      0    0      0      0     0     0.00" % k for k in (1, 2, 3)
    ]


@pytest.mark.parametrize(("most", "n"), [(0, 2), (-1, 1), (-9, 1), (1, 3)])
def test_too_many_errors_end_it_at_once(evalb, most, n):
    Path("test").write_bytes(b"(S (A a) (B c))\n" * 9)
    Path("gold").write_bytes(TREE * 9)
    status, out, err = evalb("-e", most, "gold", "test")
    assert (status, err.count(b"Words unmatch (b|c)"), out.count(b"\n")) == (1, n, 3 + n - 1)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"(S (A a) (B b ))", [b"More than two elements in a bracket"]),
        (b"(S (A a) (B b c))", [b"More than two elements in a bracket"]),
        (b"(S (A a) (B b)) c", []),
        (b"c (S (A a) (B b))", []),
        (b"(S (A a) b (B b))", []),
        (b")))(S (A a) (B b ))", [b"Bracketing unbalance (too many close bracket)"] * 2 + [b"More than two elements in a bracket"]),
        (bytes(range(128, 256)) * 3, []),
    ],
)  # fmt: skip
@pytest.mark.parametrize("debug", [0, 2])
def test_what_cannot_be_read_is_tried_until_there_are_too_many_errors(line, said, debug):
    for gold, test in ((TREE + line, TREE * 2), (TREE * 2, TREE + line), (TREE + line, TREE)):
        status, out, err = run(gold, test, Parameters(max_error=4, debug=debug))
        messages = [*said, *[b"Reading sentence"] * (6 - len(said))]
        assert (status, err) == (1, b"".join(b"2 : %s\n" % message for message in messages))
        assert b"\n   1    2    0  100.00 100.00 " in out
        assert b"Summary" not in out


# Where evalb overruns its buffers: the line that is right.
BEYOND = {
    "words": (b"(S " + b"(A a)" * 1000 + b")", 1, 1000),
    "brackets": (b"(X " * 1000 + b"(A a)" + b")" * 1000, 1000, 1),
    "a word": (b"(S (A %s))" % (b"w" * 100_000), 1, 1),
    "a tag": (b"(S (%s a))" % (b"T" * 100_000), 1, 1),
    "a label": (b"(%s (A a))" % (b"L" * 100_000), 1, 1),
    "a deep tree": (b"(X " * 100_000 + b"(A a)" + b")" * 100_000, 100_000, 1),
    "a wide tree": (b"(X " + b"(Y (A a))" * 30_000 + b")", 30_001, 30_000),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.large] * ("tree" in name)) for name in BEYOND]
)
def test_there_are_no_limits(name):
    line, n_brackets, n_words = BEYOND[name]
    result = evaluate(TREE + line + b"\n" + TREE, TREE + line + b"\n" + TREE)
    assert (result.messages, result.is_complete, result.all.valid, result.all.complete) == ([], True, 3, 3)
    assert result.sentences[1][3:] == (n_brackets, n_brackets, n_brackets, 0, n_words, n_words)


def test_many_quotes_are_no_limit():
    said = Parameters(delete_labels=(b"D",), quote_labels=(b"D", b"K", *(b"Q%d" % k for k in range(100))))
    gold, test = (b"(S " + b"(%s ') (A a) " % tag * 60 + b")\n" for tag in (b"D", b"K"))
    result = evaluate(gold, test, said)
    assert (result.messages, result.all.words, result.all.tags) == ([], 120, 60)


def test_a_closing_bracket_too_many_changes_no_other_bracket():
    """In evalb the first bracket of the line ends where the last one too many stands."""
    result = evaluate(b"(S (A a)) (X (B b))\n", b"(S (A a)) (X (B b)))\n")
    assert result.messages == [b"1 : Bracketing is unbalanced (too many open bracket)"]
    assert result.sentences[0][2:6] == (1, 2, 2, 2)


@pytest.mark.parametrize("line", [b"(S (A a) (B b)) (", b"(S (A a) (B b)) (X", b"(S (A a) (B b)) (X "])
def test_a_bracket_that_opens_at_the_end_of_a_line_is_left_open(line):
    """evalb reads on behind the end."""
    for end in (b"\n", b""):
        result = evaluate(TREE, line + end)
        assert result.messages == [b"1 : Bracketing is unbalanced (too many open bracket)"]
        assert result.sentences[0][2:6] == (1, 1, 1, 2)


def test_bytes_are_what_they_are(evalb):
    Path("gold").write_bytes(b"(S (A \xff\x1b[31m) (\xe9 b))\n")
    Path("test").write_bytes(b"(S (A \xfe) (\xe9 b))\n")
    status, out, err = evalb("-d", "gold", "test")
    assert (status, err) == (0, b"1 : Words unmatch (\xff\x1b[31m|\xfe)\n")
    assert b"A       \xff\x1b[31m " in out
    assert b"1 : 9 : \xe9       b " in out


def test_a_terminal_does_not_obey_a_word(evalb, monkeypatch):
    class Terminal(io.TextIOWrapper):
        def isatty(self):
            return True

    streams = {name: Terminal(io.BytesIO(), encoding="ascii") for name in ("stdout", "stderr")}
    for name, stream in streams.items():
        monkeypatch.setattr(sys, name, stream)
    Path("gold").write_bytes("(S (A \x1b[31mé) (B b))\n".encode())
    Path("test").write_bytes(b"(S (A \xfe) (B b))\n")
    assert main(["evalb", "-d", "gold", "test"]) == 0
    for stream in streams.values():
        stream.flush()
    assert streams["stderr"].buffer.getvalue().decode() == "1 : Words unmatch (\\x1b[31mé|\\xfe)\n"
    shown = streams["stdout"].buffer.getvalue()
    assert b"\x1b" not in shown
    assert shown.startswith(b"  Sent.  ")


def test_help_is_that_of_evalign_and_usage_that_of_evalb(evalb):
    status, out, err = evalb("--help")
    assert (status, err) == (0, b"")
    assert out.startswith(b"evalign evalb -p COLLINS.prm gold.mrg system.mrg\n")


@pytest.mark.skipif(os.name == "nt", reason="pipes of a POSIX system")
def test_a_reader_may_go_away(evalb):
    Path("gold").write_bytes(TREE * 4_000)
    code = "import sys; from evalign.cli import enter; sys.argv[1:] = ['evalb', 'gold', 'gold']; enter()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout.readline().startswith(b"  Sent.")
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


FULL = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device")  # noqa: PTH110


def run_in_shell(redirections, *arguments):
    line = f"{sys.executable} -m evalign evalb {' '.join(arguments)} {redirections}"
    return subprocess.run(line, shell=True, capture_output=True, check=False)


@FULL
@pytest.mark.parametrize(
    ("where", "why"), [("> /dev/full", b"No space left on device"), (">&-", b"it is closed")]
)
def test_output_that_cannot_be_written_is_an_error(evalb, where, why):
    done = run_in_shell(where, "gold", "gold")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"evalign: standard output cannot be written (%s)\n" % why


@FULL
@pytest.mark.parametrize("where", ["2> /dev/full", "2>&-"])
def test_messages_that_cannot_be_written_are_lost_alone(evalb, where):
    _, out, err = evalb("gold", "test")
    assert err
    assert run_in_shell(where, "gold", "test").stdout == out


def test_another_error_is_not_taken_for_one_of_output(evalb, monkeypatch):
    """A module that is loaded late, from a disk that has gone bad meanwhile."""
    late = "evalign.compat.evalb.debug"

    class BadDisk:
        def find_spec(self, name, *_):
            if name == late:
                raise OSError(5, "Input/output error")

    monkeypatch.delitem(sys.modules, late, raising=False)
    monkeypatch.setattr(sys, "meta_path", [BadDisk(), *sys.meta_path])
    with pytest.raises(OSError, match="Input/output error"):
        evalb("-d", "gold", "test")


def test_what_is_known_of_labels_grows_and_stays():
    """Labels of every kind among thousands of others, on both sides of each growth."""
    said = Parameters(
        delete_labels=(b"D", b"L700"), delete_for_length=(b"U", b"L701"), quote_labels=(b"Q",),
        eq_labels=((b"A", b"B"), (b"D", b"E"), (b"L300", b"L900"), (b"L1", b"L1")),
    )  # fmt: skip
    table = LabelTable()
    known, codes = KnownLabels(table, said), parseval_codes()
    names = [
        b"S",
        b"A",
        b"B-X",
        *(b"L%d" % k for k in range(1500)),
        b"N-1",
        b"N",
        b"D",
        b"E=2",
        b"U",
        b"Q",
        b"B",
    ]
    last = None
    for name in names:
        table.add(name)
        last = known.current()
        assert known.current() is last
    labels = table.labels()
    numbers = {label: k for k, label in enumerate(labels)}
    assert {*names, b"E"} <= set(labels)
    others = {b"A": [b"B"], b"B": [b"A"], b"D": [b"E"], b"E": [b"D"], b"L300": [b"L900"], b"L900": [b"L300"]}
    for k, label in enumerate(labels):
        bits = {
            "DELETED": label in (b"D", b"L700"), "DELETED_BRACKET": label in (b"D", b"E", b"L700"),
            "UNCOUNTED": label in (b"U", b"L701"), "QUOTE": label == b"Q",
        }  # fmt: skip
        assert known.flags[k] == sum(codes[name] for name, is_set in bits.items() if is_set)
        assert known.stripped[k] == numbers[label.partition(b"-")[0].partition(b"=")[0]]
        found = [labels[known.others[j]] for j in range(known.cuts[k], known.cuts[k + 1])]
        assert found == others.get(label, [])


@pytest.mark.parametrize("debug", [0, 1])
def test_many_labels_are_each_looked_at_once(debug):
    """A table made anew with each batch, or copied with each sentence, would take the square of it."""
    looked = []

    def watch(frame, event, _argument):
        if event == "call" and frame.f_code is strip_label.__code__:
            looked.append(frame.f_locals["label"])

    trees = b"".join(b"(S%d (T%d a))\n" % (k, k) for k in range(1000))
    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        status, out, err = run(trees, trees, Parameters(debug=debug))
    finally:
        sys.setprofile(before)
    assert (status, err) == (0, b"")
    assert out.count(b" 100.00 100.00     1      1    1 ") == 1000
    assert len(looked) == len(set(looked)) == 2000


def test_an_equal_label_is_not_equal_across_a_third():
    said = Parameters(eq_labels=((b"A", b"B"), (b"B", b"C")))
    # Greedy: the first gold bracket of the last line takes the only test bracket that the second one could have.
    gold = b"(A (X x))\n(A (X x))\n(A (B (X x)))\n(B (A (X x)))\n"
    test = b"(C (X x))\n(B (X x))\n(B (C (X x)))\n(B (C (X x)))\n"
    assert [row.matched for row in evaluate(gold, test, said).sentences] == [0, 1, 2, 1]


@pytest.mark.slow
def test_a_huge_sentence_takes_no_quadratic_time():
    """Comparing each bracket with each would take hundreds of millions of steps."""
    n = 10_000
    right = b"".join(b"(R%d (A a) " % (k % 5) for k in range(n)) + b"(A a)" + b")" * n + b"\n"
    left = b"(L " * n + b"(A a)" + b" (A a))" * n + b"\n"
    chain = b"(C " * n + b"(A a)" + b")" * n + b"\n"
    found = evaluate(right + right + left + chain, right + left + right + chain).sentences
    assert [row.matched for row in found] == [n, 0, 0, n]
    assert [row.crossing for row in found] == [0, n - 1, n - 1, 0]


def test_an_equal_label_may_come_in_a_later_batch():
    said = Parameters(eq_labels=((b"A", b"B"),))
    gold = TREE * 300 + b"(S (A (T t)))\n" + TREE * 300 + b"(S (A (T t)))\n"
    test = TREE * 300 + b"(S (C (T t)))\n" + TREE * 300 + b"(S (B (T t)))\n"
    found = evaluate(gold, test, said).sentences
    assert (found[300].matched, found[601].matched) == (1, 2)


def test_gold_brackets_that_cross_each_other_are_crossed_as_any():
    """A bracket that is never closed ends where quotes were put back, amid those in it; the numbers are evalb's."""
    said = Parameters(delete_labels=(b"D",), quote_labels=(b"D", b"K"))
    gold = b"(S " + b"(X " * 10 + b"(A a) (D ') (A a) (D ') (A a) (D ') (A a)" + b")" * 10
    test = b"(S (A a) " + b"(Y " * 12 + b"(K ') (A a)" + b")" * 12 + b" (K ') (A a) (K ') (A a))"
    [found] = evaluate(gold, test, said).sentences
    assert found[1:] == (7, 1, 0, 11, 13, 12, 7, 4)
    # Also by brackets that are equal to one of gold: both of N cross S, which ends behind the second word.
    gold, test = (
        b"(S (M (%s ') (N (N (A a) (B b)))) (M (%s ') (%s '))" % (tag, tag, tag) for tag in (b"D", b"K")
    )
    [found] = evaluate(gold, test + b")", said).sentences
    assert found[1:] == (5, 1, 4, 5, 5, 2, 5, 2)


def test_many_quotes_are_put_back_one_by_one_in_brackets_that_are_left_open():
    """What stands before and behind each bracket follows from the leaves up to it."""
    said = Parameters(delete_labels=(b"D",), quote_labels=(b"D", b"K"), debug=2)
    gold = b"(S " + b"(X (D ')) " * 3 + b"(Y (A a)\n"
    test = b"(S " + b"(X (K ')) " * 3 + b"(Y (A a)))\n"
    _, out, _ = run(gold, test, said)
    steps = out[out.index(b"bra=") : out.index(b"1.res=")].splitlines()
    assert steps == [
        b"bra=2, ind=0", *_brackets((0, -1), (0, 0), (0, 0), (0, 0), (0, -1)), b"endslen=2",
        b"bra=2, ind=1", *_brackets((0, 0), (0, 1), (1, 1), (1, 1), (1, -1)), b"endslen=2",
        b"bra=2, ind=2", *_brackets((0, 1), (0, 2), (2, 2), (2, 2), (2, -1)), b"endslen=2",
    ]  # fmt: skip


def _brackets(*spans):
    return [b"bracket[%d]={%d,%d}" % (k, *span) for k, span in enumerate(spans)]


@pytest.mark.slow
@pytest.mark.parametrize("debug", [1, 2])
def test_a_deep_tree_is_shown_without_a_copy_of_each_of_its_brackets(debug):
    n = 20_000 if debug == 1 else 200
    line = b"(X " * n + b"(A a)" + b")" * n + b"\n"
    status, out, _ = run(line, line, Parameters(debug=debug))
    assert (status, out.count(b"  0    1  X ")) == (0, 2 * n)


@pytest.mark.skipif(not is_compiled(), reason="plain kernels load Cython, or what stands in for it")
def test_it_starts_lean(evalb):
    code = (
        "import sys; before = set(sys.modules); from evalign.cli import main; main(['evalb', 'gold', 'test']);"
        "heavy = {'numpy', 'typing', 'dataclasses', 're', 'argparse', 'pathlib'};"
        "sys.exit(' '.join(heavy & (set(sys.modules) - before)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_process_ends_with_the_status(evalb):
    for arguments, status in ((["gold", "test"], 0), (["-e", "-1", "gold", "test"], 1), (["-h"], 1)):
        done = subprocess.run(
            [sys.executable, "-m", "evalign", "evalb", *arguments], capture_output=True, check=False
        )
        assert done.returncode == status
        assert (b"=== Summary ===" in done.stdout) == (status == 0)


def test_results_for_programs(tmp_path):
    for name in ("gold", "test"):
        (tmp_path / name).write_bytes((FILES / f"{name}.mrg").read_bytes())
    said, _ = read_parameters((FILES / "parameters.prm").read_bytes())
    result = evaluate(tmp_path / "gold", str(tmp_path / "test"), said)
    first = result.sentences[0]
    assert (first.number, first.length, first.is_valid, first.recall, first.precision) == (
        1,
        7,
        True,
        80.0,
        80.0,
    )
    assert f"{first.accuracy:.2f}" == "83.33"
    assert [f"{value:.2f}" for value in (result.all.recall, result.all.precision, result.all.f1, result.all.accuracy)] == [
        "50.00", "57.14", "53.33", "83.33",
    ]  # fmt: skip
    assert evaluate(b"", b"").all.f1 is None
    assert len(result.messages) == 5
