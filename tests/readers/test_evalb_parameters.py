"""evalb's parameter files: each line as evalb reads it, and the messages."""

import pytest

from evalign.readers.evalb_parameters import Parameters, check_parameters, read_number, read_parameters

pytestmark = pytest.mark.once

ROWS = [
    # lines, what they change, messages
    (b"", {}, []),
    (b"DEBUG 2\nMAX_ERROR 3\nCUTOFF_LEN 70\nLABELED 0\n", {"debug": 2, "max_error": 3, "cutoff": 70, "labeled": False}, []),
    (b"LABELED 2", {"labeled": True}, []),
    (b"DELETE_LABEL TOP\nDELETE_LABEL -NONE-\n", {"delete_labels": (b"TOP", b"-NONE-")}, []),
    (b"DELETE_LABEL A B\n", {"delete_labels": (b"A B",)}, []),
    (b"DELETE_LABEL\tA\r\n", {"delete_labels": (b"A",)}, []),
    (b"DELETE_LABEL   \vA \f\n", {"delete_labels": (b"A",)}, []),
    (b"DELETE_LABEL_FOR_LENGTH -NONE-\n", {"delete_for_length": (b"-NONE-",)}, []),
    (b"QUOTE_LABEL ``\nQUOTE_LABEL ''\n", {"quote_labels": (b"``", b"''")}, []),
    (b"EQ_LABEL ADVP PRT\nEQ_WORD a\tb\n", {"eq_labels": ((b"ADVP", b"PRT"),), "eq_words": ((b"a", b"b"),)}, []),
    (b"# DEBUG 2\n\nab\na  \n\t\t\t\n", {}, []),
    (b"FOO 1\n", {}, [b"Unknown keyword (FOO 1) in parameter file"]),
    (b" DEBUG 1 \n", {}, [b"Unknown keyword ( DEBUG 1) in parameter file"]),
    (b"DEBUGX 1\ndebug 1\nabc", {}, [b"Unknown keyword (%s) in parameter file" % k for k in (b"DEBUGX 1", b"debug 1", b"abc")]),
    (b"QUOTE_TERM ``\n", {}, [b"Unknown keyword (QUOTE_TERM ``) in parameter file"]),
    (b"EQ_LABEL A\n", {}, [b"EQ_LABEL requires two values"]),
    (b"EQ_WORD a b c\n", {}, [b"EQ_WORD requires two values"]),
    (b"#\nDELETE_LABEL \n", {"delete_labels": (b"",)}, [b"Empty value in parameter file (2)"]),
    (b"EQ_LABEL\n", {}, [b"Empty value in parameter file (1)", b"EQ_LABEL requires two values"]),
    (b"CUTOFF_LEN 5\0 DELETE\nDELETE_LABEL \xe9\n", {"cutoff": 5, "delete_labels": (b"\xe9",)}, []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "changes", "messages"), ROWS, ids=[repr(row[0]) for row in ROWS])
def test_a_line_is_taken_as_evalb_takes_it(text, changes, messages):
    assert read_parameters(text) == (Parameters(**changes), messages)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (b"", 0), (b"x", 0), (b"12x", 12), (b" \t7", 7), (b"-3", -3), (b"+4", 4), (b"+-4", 0), (b"007", 7),
        (b"2147483648", -(2**31)), (b"99999999999", 1215752191), (b"9" * 5000, -1), (b"-" + b"9" * 30, 0),
    ],
)  # fmt: skip
def test_numbers_are_those_of_c(text, number):
    assert read_number(text) == number


def test_a_second_file_adds_to_the_first():
    first, _ = read_parameters(b"DELETE_LABEL A\nCUTOFF_LEN 1\nMAX_ERROR 5\n")
    second, _ = read_parameters(b"DELETE_LABEL B\nCUTOFF_LEN 2\n", first)
    assert second == Parameters(delete_labels=(b"A", b"B"), cutoff=2, max_error=5)
    assert first == Parameters(delete_labels=(b"A",), cutoff=1, max_error=5)
    assert hash(first) == hash(first.replace()) != hash(second)
    assert repr(Parameters(cutoff=7)).startswith("Parameters(cutoff=7, debug=0, ")
    assert first != "first"


FAULTS = [
    # line, what is said of it
    (b"FOO 1", ('unknown keyword in "FOO 1"', "one of CUTOFF_LEN, DEBUG, DELETE_LABEL, ")),
    (b" DEBUG 1", ('unknown keyword in " DEBUG 1"', "one of ")),
    (b"DEBUG x", ('DEBUG is "x"', "a whole number")),
    (b"LABELED", ('LABELED is ""', "a whole number")),
    (b"CUTOFF_LEN 1 2", ('CUTOFF_LEN is "1 2"', "a whole number")),
    (b"EQ_LABEL A", ('EQ_LABEL has "A"', "two labels")),
    (b"EQ_WORD a b c", ('EQ_WORD has "a b c"', "two words")),
    (b"DELETE_LABEL A B", ('DELETE_LABEL has "A B"', "one label in a line")),
    (b"DELETE_LABEL", ("DELETE_LABEL without a label", "one label")),
    (b"QUOTE_LABEL `` ''", ("QUOTE_LABEL has \"`` ''\"", "one label in a line")),
]


@pytest.mark.parametrize(("line", "said"), FAULTS, ids=[repr(row[0]) for row in FAULTS])
def test_what_evalb_takes_without_a_word_is_told_with_its_line(line, said):
    ((lineno, found, expected),), is_known = check_parameters(b"# a\n\nDELETE_LABEL TOP\n" + line + b"\n")
    assert (lineno, found, is_known) == (4, said[0], True)
    assert expected.startswith(said[1])


@pytest.mark.parametrize("row", [row for row in ROWS if row[2]], ids=repr)
def test_all_that_evalb_tells_is_told(row):
    assert check_parameters(row[0])[0]


def test_a_file_may_have_no_keyword():
    assert check_parameters(b"# nothing\n\n") == ([], False)
    assert check_parameters(b"(S (NN a))\n")[1] is False


@pytest.mark.parametrize("name", ["COLLINS", "new", "nk", "spmrl", "collins_root"])
def test_the_files_in_use_are_read_without_a_message(data, name):
    parameters, messages = read_parameters((data / f"constituency/prm/{name}.prm").read_bytes())
    assert messages == []
    assert check_parameters((data / f"constituency/prm/{name}.prm").read_bytes()) == ([], True)
    assert b"TOP" in parameters.delete_labels
