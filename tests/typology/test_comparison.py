"""Scores of many treebanks."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalign.errors import CommandError, InputError
from evalign.typology import Profiles, Settings, compare
from oracles import typology as oracle
from typology.samples import make_profile, make_result


def result(gold, correct, of=100, content=(1, 2, 4), **options):
    """A result whose LAS is a share of 100."""
    scores = {"las": [(correct, of, of)], "content": [content], "wlas": [(correct, 2 * of, of)]}
    return make_result(gold, {"system.conllu": scores}, **options)


def test_treebanks_stand_in_the_order_of_las():
    found = compare(result("x/b.conllu", 70), result("x/a.conllu", 90), result("x/c.conllu", 80))
    assert [t.name for t in found.treebanks] == ["a", "c", "b"]
    assert found.measures == ["wlas.f1", "las.f1", "content.precision", "content.recall"]
    values = found.treebanks[0].values
    assert (values["las.f1"], values["content.precision"], values["content.recall"]) == (0.9, 0.25, 0.5)
    assert values["wlas.f1"] == 2 * 90 / 300
    assert values["function.recall"] is None
    assert values["sttr"] is None


def test_correlations_are_of_treebanks_that_have_both():
    found = compare(result("a", 90), result("b", 80), result("c", 70))
    assert found.correlations["wlas.f1", "las.f1"] == (1.0, 3)
    assert found.correlations["las.f1", "content.recall"] == (None, 3)
    no_las = make_result("d", {"s": {"content": [(1, 2, 2)]}})
    assert compare(result("a", 90), result("b", 80), no_las).correlations["wlas.f1", "las.f1"].treebanks == 2


def test_one_treebank_has_no_correlation():
    found = compare(result("a", 90))
    assert {c.r for c in found.correlations.values()} == {None}
    assert found.cumulative_variance("las.f1") == [("a", 0.0)]
    assert compare(result("a", 90), variance="sample").cumulative_variance("las.f1") == [("a", None)]
    json.dumps(found.to_dict(), allow_nan=False)


def test_variance_by_hand():
    found = compare(result("a", 50), result("b", 90), result("c", 70))
    assert [name for name, _ in found.cumulative_variance("las.f1")] == ["b", "c", "a"]
    values = [value for _, value in found.cumulative_variance("las.f1")]
    assert values == pytest.approx([0, 0.01, 0.08 / 3])
    sample = compare(result("a", 50), result("b", 90), result("c", 70), variance="sample")
    assert [value for _, value in sample.cumulative_variance("las.f1")] == [
        None,
        pytest.approx(0.02),
        pytest.approx(0.04),
    ]


@given(st.lists(st.integers(0, 100), min_size=1, max_size=8))
def test_they_are_what_the_oracle_says(correct):
    found = compare(*(result(f"t{k}", n, content=(n // 3, 50, 60)) for k, n in enumerate(correct)))
    las, recall = [n / 100 for n in correct], [n // 3 / 50 for n in correct]
    variance = [value for _, value in found.cumulative_variance("las.f1")]
    assert variance == pytest.approx(oracle.cumulative_variance(las), abs=1e-12)
    r, expected = found.correlations["las.f1", "content.recall"].r, oracle.pearson(las, recall)
    assert r == (expected if expected is None else pytest.approx(expected, abs=1e-9))
    json.dumps(found.to_dict(), allow_nan=False)


def test_profiles_add_shares():
    profiles = Profiles((make_profile("a"), make_profile("b")), Settings())
    found = compare(result("x/a.conllu", 90), result("x/b.conllu", 80), profiles=profiles)
    assert found.measures[-3:] == ["content.share", "function.share", "sttr"]
    assert found.treebanks[0].values["content.share"] == 0.6
    found = compare(result("a", 90), result("z", 80), profiles=profiles)
    assert found.warnings == ("no profile of z: no shares, no STTR",)
    with pytest.raises(CommandError, match="no profile is of y, z"):
        compare(result("y", 90), result("z", 80), profiles=profiles)


def test_results_of_gold_files_with_one_name_are_called_as_their_own_files(tmp_path):
    for name, correct in (("en", 90), ("fi", 80)):
        result(f"{name}/gold.conllu", correct).save(tmp_path / f"{name}.json")
    profiles = Profiles((make_profile("en"), make_profile("fi")), Settings())
    found = compare(tmp_path / "fi.json", tmp_path / "en.json", profiles=profiles)
    assert [t.name for t in found.treebanks] == ["en", "fi"]
    assert found.treebanks[0].values["sttr"] == 0.5


def test_another_system_may_be_asked_for():
    scores = {"one.conllu": {"las": [(1, 10, 10)]}, "x/two.conllu": {"las": [(2, 10, 10)]}}
    both = make_result("a", scores)
    for system, las in (("1", 0.1), ("2", 0.2), ("two", 0.2), ("x/two.conllu", 0.2), ("one.conllu", 0.1)):
        assert compare(both, system=system).treebanks[0].values["las.f1"] == las
    for system in ("0", "3", "three", "", "²"):
        with pytest.raises(CommandError, match=r"a number from 1 to 2, or one of one\.conllu, x/two\.conllu"):
            compare(both, system=system)


def test_results_made_in_different_ways_are_told():
    one = result("a", 90, signature="evalign:1|weights:x(1)|unit:document(1)")
    two = result("b", 80, signature="evalign:1|weights:y(2)|unit:document(2)")
    assert compare(one, two).warnings == ("the results differ in weights: x(1), y(2)",)
    assert compare(one, result("b", 80, signature="evalign:1|unit:x")).warnings == (
        "the results differ in weights: x(1), nothing",
    )


def test_what_cannot_be_compared_is_refused(tmp_path):
    with pytest.raises(CommandError, match="no result"):
        compare()
    with pytest.raises(CommandError, match="population, sample"):
        compare(result("a", 1), variance="both")
    other = make_result("a", {"s": {"tokens": [(1, 2, 2)]}})
    with pytest.raises(InputError, match="none of las, wlas, content and function"):
        compare(other)
    with pytest.raises(InputError, match="cannot be read"):
        compare(tmp_path / "none.json")
