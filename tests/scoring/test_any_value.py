"""Given any value, functions of the public API raise nothing but an `EvalignError`."""

import io
from collections import Counter, UserDict, deque, namedtuple
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import evalign
from standins import make_spacy, make_stanza

pytestmark = pytest.mark.issue(28)

GOLD = [["a", "b"], ["c"]]
RESULT = evalign.score(GOLD, [["a", "x"], ["c"]], metrics="tokens,sentences,words,pk")
PARTS = evalign.score({"one": GOLD, "two": GOLD}, [*GOLD, *GOLD]).split("document")
ALIGNMENT = evalign.align(GOLD, [["ab"], ["c"]])

Row = namedtuple("Row", "id words")
Row.__module__ = __name__


class Unhelpful:
    """An object whose attributes have the right names and wrong values."""

    name = read = keys = columns = dtype = ndim = None


class Broken:
    """An open file that returns what no file does."""

    def read(self, size=-1):
        return 3


ODD = [
    object, object(), Row, Row("1", "a"), Unhelpful(), Broken, Broken(), io.StringIO, print, str, list[int], NotImplemented, ...,
    10**400, -(10**400), float("nan"), float("inf"), Decimal("NaN"), Fraction(1, 3), 1j, range(3), slice(1, 2), memoryview(b"a"),
    bytearray(b"a"), np.float32(0.5), np.bool_(True), np.str_("a"), np.array(1), np.array("a"), np.array([1]), np.array([]),
    np.array([[True, False]]), np.array([("a", 1)], [("form", "U1"), ("id", "i4")]), np.array([None, "a"]), pd.Series(["a"]),
    pd.Series(["a"], ["form"]), pd.DataFrame({"form": ["a"]}), pd.NA, pd.NaT, Counter("ab"), UserDict(a=1), deque("ab"),
    evalign.Text("a"), evalign.Text("\ud800"), evalign.Offsets("a", [(0, 1)]), evalign.Weights({}), evalign.Resampling(),
    evalign.read(GOLD), RESULT, RESULT.systems[0], RESULT["tokens"], PARTS, ALIGNMENT, make_spacy(["a"]), make_stanza(),
    RESULT.to_dict(), RESULT.to_dict(whole=True), PARTS.to_dict(), Path("nowhere"), Path("nowhere\0"), iter("ab"), iter([["a"]]),
    "tokens", "tokens=95", "=", "tokens=", "=5", ".f1=5", "tokens.=5", "tokens=95%,words", "(", "a{99999999999}", "[", "\ud800", "",
    "document", "length", "genre", "upos", "system", "gold", "skip", "plain", "conllu", "de", "none", "1", b"", {}, set(), (), [],
]  # fmt: skip
# Not long enough to be a path of this machine, nor a URL.
texts = st.text(st.characters(exclude_characters="/:.~-\\"), max_size=6)
atoms = (
    st.sampled_from(ODD)
    | texts
    | st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.binary(max_size=3)
)
keys = st.sampled_from(["tokens", "text", "tokens.f1", "pk", "systems", "unit", 1, None, ("a",)])
any_values = st.recursive(
    atoms,
    lambda values: (
        st.lists(values, max_size=3)
        | st.tuples(values, values)
        | st.dictionaries(keys, values, max_size=3)
        | st.builds(iter, st.lists(values, max_size=3))
    ),
    max_leaves=6,
)


def call(function, *arguments, **options):
    """Call a function, which may raise an `EvalignError` and nothing else."""
    with suppress(evalign.EvalignError):
        function(*arguments, **options)


def check_inputs(value):
    call(evalign.read, value)
    call(evalign.align, value, GOLD)
    call(evalign.align, GOLD, value)
    call(evalign.Scorer().update, value, GOLD)


READ = ("format", "strict", "collapse_empty_nodes", "empty", "split_spaces", "raw", "name")
ALIGN = ("normalize", "exceptions", "strict", "split_spaces", "gold_format", "system_format")


def check_options(value):
    for source in (GOLD, evalign.Text("a b\n")):
        for name in READ:
            call(evalign.read, source, **{name: value})
        for name in ALIGN:
            call(evalign.align, source, GOLD, **{name: value})


def check_positions(value):
    for pair in ((value, 3), (0, value), (value, value)):
        call(ALIGNMENT.project, *pair)
    call(ALIGNMENT.project, 0, 1, to=value)


def check_gate(value):
    call(evalign.gate, value, fail_under={"tokens": 50})
    for run in (RESULT, PARTS):
        for limit in ("max_drop", "fail_under", "fail_over"):
            call(evalign.gate, run, run, **{limit: value})
            call(evalign.gate, run, run, **{limit: {"tokens": value}})
        for name in ("baseline", "system", "baseline_system", "part", "significant"):
            call(evalign.gate, run, **{"max_drop": {"tokens": 1}, "baseline": run, name: value})


def check_result(value):
    for name in ("__getitem__", "errors", "error_groups", "breakdown", "split", "check_split", "from_dict"):
        call(getattr(RESULT, name), value)
    for name in ("find", "fails", "gives"):
        call(getattr(RESULT.systems[0], name), value)
    call(RESULT["tokens"].__getitem__, value)
    for option in ("whole", "per", "passages"):
        call(RESULT.to_dict, **{option: value})
    call(RESULT.error_groups, "tokens", examples=value)
    call(RESULT.to_dataframe, units=value)
    assert isinstance(value in RESULT, bool)
    assert isinstance(value in RESULT.systems[0], bool)


def check_parts(value):
    for function in (PARTS.__getitem__, PARTS.failed, PARTS.missed, evalign.load_saved, evalign.Result.load):
        call(function, value)
    for function in (PARTS.score, PARTS.fails, PARTS.counted):
        for arguments in ((value, 0, "tokens"), ("one", value, "tokens"), ("one", 0, value)):
            call(function, *arguments)
    for function in (PARTS.macro, PARTS.covered, PARTS.fails_everywhere):
        call(function, value, "tokens")
        call(function, 0, value)
    for option in ("whole", "per", "passages"):
        call(PARTS.to_dict, **{option: value})


def check_paths(value):
    if not isinstance(value, str):  # which may be a path
        call(RESULT.save, value)
        call(PARTS.save, value)


def check_texts(value):
    call(lambda: evalign.read(evalign.Text(value)))
    call(lambda: evalign.read(evalign.Text("a", value)))
    call(lambda: evalign.read(evalign.Offsets(value, [(0, 1)])))
    call(lambda: evalign.read(evalign.Offsets("a b", value)))
    call(lambda: evalign.read(evalign.Offsets("a b", [(0, 1)], value)))
    call(lambda: evalign.read(evalign.Offsets("a b", [(0, 1)], None, value)))


CHECKS = (
    check_inputs, check_options, check_positions, check_gate, check_result, check_parts, check_paths, check_texts,
)  # fmt: skip


@pytest.mark.parametrize("check", CHECKS)
@given(value=any_values)
def test_any_value_is_taken_or_refused(check, value):
    check(value)


@pytest.mark.parametrize("check", CHECKS)
def test_odd_values_are_taken_or_refused(check, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for value in (
        *ODD,
        *([each] for each in ODD),
        *({"tokens": each} for each in ODD),
        *([["a"], each] for each in ODD),
    ):
        check(value)
