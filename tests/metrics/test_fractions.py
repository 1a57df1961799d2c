"""Ratios as fractions, and which scores are best at the precision shown."""

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

import evalign
from evalign.metrics.registry import METRICS
from evalign.options import Weights
from evalign.results.system_result import mean
from evalign.wording import best_of, decimal, percent

counts = st.tuples(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))


@given(counts, st.sampled_from(["tokens", "las", "content", "wlas"]))
def test_a_ratio_is_its_fraction_rounded_once(row, metric):
    entry = METRICS[metric]
    fields = dict(zip(entry.fields, (*row, 0, 0), strict=False))
    exact, floats = entry.fractions(fields), entry.ratios(fields)
    assert exact.keys() == floats.keys()
    for name, value in floats.items():
        assert value == (None if exact[name] is None else float(exact[name]))
    if row[1] + row[2]:
        assert exact["f1"] == Fraction(2 * row[0], row[1] + row[2])


def test_equal_differences_are_equal():
    metric = METRICS["las"]
    high, middle, low = (
        metric.fractions({**dict.fromkeys(metric.fields, 0), "correct": n, "gold": 10, "system": 10})["f1"]
        for n in (9, 8, 7)
    )
    assert high - middle == middle - low
    assert 0.9 - 0.8 != 0.8 - 0.7


@given(st.integers(0, 10**15))
def test_a_weight_is_the_decimal_that_is_written(n):
    written = Fraction(n, 10**15)
    assert Weights({"det": n / 10**15}).exact("det:poss") == written


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9), st.randoms())
def test_a_mean_does_not_depend_on_the_order(values, random):
    shuffled = random.sample(values, len(values))
    assert mean(values) == mean(shuffled)


@given(st.lists(st.floats(0, 1).map(lambda x: round(x, 5)), min_size=2, max_size=6), st.booleans())
def test_who_looks_the_best_is_the_best(values, lowest):
    for scale, show in ((100, percent), (1, decimal)):
        shown = [float(show(value)) for value in values]
        wanted = (min if lowest else max)(shown)
        expected = [k for k, value in enumerate(shown) if value == wanted] if len(set(shown)) > 1 else []
        assert best_of(values, lowest=lowest, scale=scale) == expected


@pytest.mark.parametrize("options", [{}, {"stream": 64}, {"stream": True, "engine": 2}])
def test_a_result_says_how_large_gold_is(examples, tmp_path, options):
    gold, system = examples / "gold.conllu", examples / "second.conllu"
    result = evalign.score(gold, system, **options)
    assert result.size == (12, 83)
    result.save(tmp_path / "run.json")
    assert evalign.load_saved(tmp_path / "run.json").size == (12, 83)
