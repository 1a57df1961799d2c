"""Files of pairs: what is read, and what is refused with its line number."""

import gzip
import itertools
import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalign import Text
from evalign.bitext.pairs import WrittenScores, rank_exactly, read_digits, read_pairs, read_scores
from evalign.errors import InputError

PAIR = "fr-000000001\ten-000000002"
OTHER = "fr-000000003\ten-000000004"
ID = "a language code, a dash and 9 digits: fr-000001781"
LINE = "two ids, and a score if there is one, with tabs between them: fr-000001781<TAB>en-000019027<TAB>0.93"
NUMBER = "a finite number: 0.93"
EVERY = "a score in every line, or in none"


def read(text):
    return read_pairs(Text(text, name="x.tsv"))


def shown(pairs):
    """Pairs with their scores, in order."""
    scores = [()] * len(pairs) if pairs.scores is None else [(score,) for score in pairs.scores.tolist()]
    return [(a, b, *s) for a, b, s in zip(pairs.first.tolist(), pairs.second.tolist(), scores, strict=True)]


MALFORMED = [
    # what, text, line, found, expected, advice
    ("too few digits", f"{PAIR}\nfr-1\ten-000000002\n", 2, 'id "fr-1"', ID, ""),
    ("too many digits", f"{PAIR}\nfr-0000000011\ten-000000002\n", 2, 'id "fr-0000000011"', ID, ""),
    ("too many digits in the second", f"{PAIR}\n{PAIR}0\n", 2, 'id "en-0000000020"', ID, ""),
    ("no dash", "fr000000001\ten-000000002\n", 1, 'id "fr000000001"', ID, ""),
    ("capitals", "FR-000000001\ten-000000002\n", 1, 'id "FR-000000001"', ID, ""),
    ("digits of another script", "fr-00000000١\ten-000000002\n", 1, 'id "fr-00000000١"', ID, ""),
    ("a space behind", f"{PAIR} \n", 1, 'id "en-000000002 "', ID, ""),
    ("a header", f"first\tsecond\n{PAIR}\n", 1, 'id "first"', ID, ""),
    ("columns swapped in a line", f"{PAIR}\n\nen-000000002\tfr-000000001\n", 3, 'id "en-000000002"',
     "an id of fr, as above", "are its columns swapped?"),
    ("another first language", f"{PAIR}\nde-000000001\ten-000000002\n", 2, 'id "de-000000001"',
     "an id of fr, as above", ""),
    ("another second language", f"{PAIR}\nfr-000000001\tde-000000002\n", 2, 'id "de-000000002"',
     "an id of en, as above", ""),
    ("one language", "fr-000000001\tfr-000000002\n", 1, "two ids of fr", "ids of two languages", ""),
    ("one column", "fr-000000001\n", 1, '"fr-000000001"', LINE, ""),
    ("a space between", "fr-000000001 en-000000002\n", 1, '"fr-000000001 en-000000002"', LINE, ""),
    ("a line of a space", f"{PAIR}\n \n", 2, '" "', LINE, ""),
    ("four columns", f"{PAIR}\t0.5\tx\n", 1, f'"{PAIR}\t0.5\tx"'.replace("\t", r"\t"), LINE, ""),
    ("four columns further down", f"{PAIR}\t1\n{PAIR}\t0.5\t7\n", 2, f'"{PAIR}\t0.5\t7"'.replace("\t", r"\t"),
     LINE, ""),
    ("the first of several short lines", f"{PAIR}\nfr-12\ten-000000001\nx\n", 2, 'id "fr-12"', ID, ""),
    ("a score that is missing", f"{PAIR}\t1\n{OTHER}\n", 2, "no score, unlike line 1", EVERY, ""),
    ("a score that is too many", f"\n{PAIR}\n{OTHER}\t0.3\n", 3, "a score, unlike line 2", EVERY, ""),
    ("an empty score", f"{PAIR}\t\n", 1, 'score ""', NUMBER, ""),
    ("nan", f"{PAIR}\t1\n{OTHER}\tnan\n", 2, 'score "nan"', NUMBER, ""),
    ("infinite", f"{PAIR}\tinf\n", 1, 'score "inf"', NUMBER, ""),
    ("infinite as a number", f"{PAIR}\t-1e999\n", 1, 'score "-1e999"', NUMBER, ""),
    ("a word", f"{PAIR}\t1\n\n{OTHER}\tgood\n", 3, 'score "good"', NUMBER, ""),
    ("a comma", f"{PAIR}\t0,5\n", 1, 'score "0,5"', NUMBER, ""),
    ("what only Python takes for a number", f"{PAIR}\t1_0\n", 1, 'score "1_0"', NUMBER, ""),
    ("more digits than any float has", f"{PAIR}\t{'9' * 400}\n", 1, f'score "{"9" * 60}…"', NUMBER, ""),
]  # fmt: skip


@pytest.mark.parametrize(
    ("what", "text", "lineno", "found", "expected", "advice"), MALFORMED, ids=[row[0] for row in MALFORMED]
)
def test_what_is_no_pair_is_refused_with_its_line(what, text, lineno, found, expected, advice):
    with pytest.raises(InputError) as refused:
        read(text)
    lines = [f"x.tsv:{lineno}: {found}", f"expected {expected}", *([advice] if advice else [])]
    assert str(refused.value) == "\n  ".join(lines)


WELL_FORMED = [
    ("plain", f"{PAIR}\n{OTHER}\n", [(1, 2), (3, 4)]),
    ("no line end behind the last", f"{PAIR}\n{OTHER}", [(1, 2), (3, 4)]),
    ("lines of Windows", f"{PAIR}\t0.5\r\n{OTHER}\t1\r\n", [(1, 2, 0.5), (3, 4, 1.0)]),
    ("a byte order mark", f"\ufeff{PAIR}\n", [(1, 2)]),
    ("empty lines", f"\n\n{PAIR}\t0.5\n\n{OTHER}\t-1\n\n", [(1, 2, 0.5), (3, 4, -1.0)]),
    ("ordered by id", f"{OTHER}\t9\n{PAIR}\t1\n", [(1, 2, 1.0), (3, 4, 9.0)]),
    ("numbers in any form", f"{PAIR}\t1e-3\n{OTHER}\t.5\n", [(1, 2, 0.001), (3, 4, 0.5)]),
    ("many digits", f"{PAIR}\t0.{'9' * 5000}\n{OTHER}\t0{'0' * 400}1\n", [(1, 2, 1.0), (3, 4, 1.0)]),
    ("nothing", "", []),
    ("nothing but line ends", "\n\n", []),
]


@pytest.mark.parametrize(("what", "text", "expected"), WELL_FORMED, ids=[row[0] for row in WELL_FORMED])
def test_pairs_are_read(what, text, expected):
    assert shown(read(text)) == expected


def test_compressed_files_are_read(tmp_path):
    path = tmp_path / "x.tsv.gz"
    path.write_bytes(gzip.compress(f"{PAIR}\t0.25\n".encode()))
    assert shown(read_pairs(path)) == [(1, 2, 0.25)]


def test_a_pair_has_the_best_of_its_scores_and_the_line_of_it():
    pairs = read(f"{PAIR}\t0.1\n{OTHER}\t0.2\n{PAIR}\t0.9\n{PAIR}\t0.9\n{PAIR}\t0.5\n")
    assert shown(pairs) == [(1, 2, 0.9), (3, 4, 0.2)]
    assert pairs.repeated == (1, 4, 5)
    assert [str(pairs.place(k)) for k in range(2)] == ["x.tsv:3", "x.tsv:2"]
    assert str(pairs.start) == "x.tsv:2"


def test_without_scores_the_first_line_of_a_pair_is_its_own():
    pairs = read(f"{OTHER}\n{PAIR}\n{OTHER}\n")
    assert (pairs.repeated, pairs.linenos.tolist()) == ((3,), [2, 1])


def test_languages_are_those_of_the_first_line_or_those_asked_for():
    assert read(f"{PAIR}\n").languages == ("fr", "en")
    assert read("").languages == ("", "")
    assert read("zh_hant-000000001\ten-000000002\n").ids(0) == ("zh_hant-000000001", "en-000000002")
    with pytest.raises(InputError) as refused:
        read_pairs(Text(f"{PAIR}\n", name="x.tsv"), ("en", "fr"))
    assert str(refused.value) == (
        "x.tsv:1: ids of fr and en\n  expected of en and fr\n  its columns are swapped"
    )


def test_scores_of_a_language_with_a_subtag_are_no_error():
    assert shown(read("zh_hant-000000001\ten-000000002\t0.5\n")) == [(1, 2, 0.5)]


def test_a_file_may_end_without_a_line_end():
    assert shown(read(f"{PAIR}\t0.5\n\n{OTHER}\t-7")) == [(1, 2, 0.5), (3, 4, -7.0)]


# Numbers as files write them: the very ones that Python reads.


DECIMALS = st.from_regex(r"-?[0-9]{0,12}\.?[0-9]{0,12}", fullmatch=True)
ANY = st.one_of(DECIMALS, st.floats().map(repr), st.text("0123456789.-+eE_ \t", max_size=20))


def lay_out(texts):
    """Bytes with a line end between texts, and where each begins and ends."""
    ends = np.cumsum([len(text) + 1 for text in texts]) - 1
    return "\n".join(texts).encode(), ends - [len(text) for text in texts], ends


def python_reads(text):
    try:
        return math.nan if "_" in text else float(text.encode())
    except ValueError:
        return math.nan


@given(st.lists(ANY, min_size=1))
def test_scores_are_those_that_python_reads(texts):
    found = read_scores(*lay_out(texts))
    assert [*map(repr, found.tolist())] == [repr(python_reads(text)) for text in texts]


@pytest.mark.parametrize(
    "text", ["9007199254740993", "9007199254740992", "0.100000000000001", "9999999999999999", "-0"]
)
def test_scores_of_many_digits_are_the_nearest_floats(text):
    assert repr(read_scores(*lay_out([text])).item()) == repr(float(text))


@pytest.mark.parametrize("text", ["", "-", ".", "-.", "1..2", "1_0", "--1", "1-2", "0x1", "1,5", "١"])
def test_what_is_no_score_is_not_a_number(text):
    assert math.isnan(read_scores(text.encode(), np.array([0]), np.array([len(text.encode())])).item())


@given(st.lists(st.text("0123456789/:", min_size=9, max_size=9), min_size=1))
def test_digits_are_the_number_they_write(texts):
    data, starts, _ = lay_out(texts)
    numbers, good = read_digits(np.frombuffer(data, np.uint8), starts, 9)
    assert good.tolist() == [text.isdigit() for text in texts]
    assert [n for n, right in zip(numbers.tolist(), good, strict=True) if right] == [
        int(text) for text in texts if text.isdigit()
    ]


@given(
    st.lists(
        st.one_of(
            DECIMALS, st.from_regex(r"0\.5000000000000000000[0-9]{0,3}(e-[0-9]{1,3})?", fullmatch=True)
        ),
        min_size=1,
    )
)
def test_exact_ranks_are_in_the_order_of_the_decimals(texts):
    texts = [text for text in texts if math.isfinite(python_reads(text))]
    if not texts:
        return
    data, starts, ends = lay_out(texts)
    scores = read_scores(data, starts, ends) + 0.0
    levels = rank_exactly(scores, WrittenScores(data, starts, ends)).tolist()
    values = [Decimal(text) for text in texts]
    for one, two in itertools.combinations(range(len(texts)), 2):
        assert (levels[one] < levels[two]) is (values[one] < values[two])
        assert (levels[one] == levels[two]) is (values[one] == values[two])


def test_decimals_that_nothing_can_hold_are_zero():
    data, starts, ends = lay_out(["1e-99999999999999999999999", "0.0"])
    scores = read_scores(data, starts, ends)
    assert rank_exactly(scores, WrittenScores(data, starts, ends)).tolist() == [0, 0]
