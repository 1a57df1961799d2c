"""With `strict`, a column that one side leaves empty is counted as by the CoNLL 2018 script."""

from __future__ import annotations

from itertools import product

import pytest

import evalign
from compat.written import row
from evalign import Text
from evalign.compat.evaluation import evaluate_treebanks
from evalign.compat.treebank import Script, read_pair
from sameresult import assert_same

pytestmark = pytest.mark.issue(15)
METRICS = {
    "UPOS": "upos",
    "AllTags": "alltags",
    "Lemmas": "lemmas",
    "MLAS": "mlas",
    "BLEX": "blex",
    "XPOS": "xpos",
}


def document(*filled, sentences=3):
    """A small treebank with something in these columns alone."""
    rows = []
    for _ in range(sentences):
        for number, form in enumerate(("a", "b", "c"), 1):
            columns = [str(number), form, *("_" * 8)]
            columns[6:8] = ("0", "root") if number == 1 else ("1", "obj")
            for place, name in ((2, "lemma"), (3, "upos"), (4, "xpos")):
                if name in filled:
                    columns[place] = form.upper()
            rows.append("\t".join(columns))
        rows.append("")
    return "\n".join(rows) + "\n"


KINDS = [(), ("lemma",), ("upos",), ("xpos",), ("lemma", "upos"), ("lemma", "upos", "xpos")]


@pytest.mark.parametrize(("gold", "system"), list(product(KINDS, KINDS)))
def test_one_sided_columns_have_the_numbers_of_the_script(gold, system, tmp_path):
    files = []
    for name, filled in (("gold", gold), ("system", system)):
        files.append(tmp_path / f"{name}.conllu")
        files[-1].write_text(document(*filled), encoding="utf-8")
    script = Script("conll18")
    expected = evaluate_treebanks(*read_pair(*map(str, files), script), script.dialect)
    result = evalign.score(*files, strict=True)
    for theirs, metric in METRICS.items():
        needs = [name for name in ("lemma", "upos", "xpos") if name in _needs(metric)]
        if any(name in gold for name in needs) != any(name in system for name in needs):
            assert metric in result.systems[0].scores
        if metric in result.systems[0].scores and result[metric].available:
            assert result[metric].correct == expected[theirs].correct, metric


def _needs(metric):
    return {"lemmas": ("lemma",), "upos": ("upos",), "xpos": ("xpos",)}.get(metric, ())


@pytest.mark.parametrize(("gold", "system", "right"), [(True, False, 0), (False, True, 9)])
def test_lemmas_of_one_side_are_counted_saved_and_told(gold, system, right, tmp_path, monkeypatch):
    texts = [
        Text(document(*(["lemma"] if has else [])), name)
        for has, name in ((gold, "gold"), (system, "system"))
    ]
    result = evalign.score(*texts, strict=True)
    assert (result["lemmas"].correct, result["lemmas"].gold) == (right, 9)
    assert any(
        "no word has LEMMA: lemmas, blex counted as the CoNLL 2018" in line for line in result.warnings
    )
    assert not any("not available" in line for line in result.warnings)
    result.save(tmp_path / "run.json")
    assert evalign.Result.load(tmp_path / "run.json")["lemmas"].correct == right
    parts = evalign.score(*texts, strict=True, stream=40)
    assert_same(parts, result)
    lenient = evalign.score(*texts, metrics=["lemmas"])
    assert not lenient["lemmas"].available


def test_a_column_that_both_sides_leave_empty_is_not_there():
    texts = [Text(document("upos"), name) for name in ("gold", "system")]
    assert "lemmas" not in evalign.score(*texts, strict=True).systems[0].scores
    assert not evalign.score(*texts, strict=True, metrics=["lemmas"])["lemmas"].available


def test_text_without_columns_has_none():
    gold, system = Text(document("lemma"), "gold"), Text("a b c\n" * 3, "system")
    assert not evalign.score(gold, system, strict=True, metrics=["lemmas"])["lemmas"].available


def test_the_examples_are_rows_of_ten_columns():
    assert len(document("lemma").splitlines()[0].split("\t")) == len(row(1, "a", 0).rstrip().split("\t"))
