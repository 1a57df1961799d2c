"""Comparison of scores over many treebanks."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from evalign.errors import CommandError, InputError
from evalign.metrics.census import DocumentSize
from evalign.results.result import Parts
from evalign.typology.comparison import LEFT_OUT, NO_STTR, TWO_TREEBANKS, compare
from evalign.typology.options import ProfileOptions
from evalign.typology.profiles import Profiles
from evalign.typology.treebanks import TypeTokenRatio
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
    profiles = Profiles((make_profile("a"), make_profile("b")), ProfileOptions())
    found = compare(result("x/a.conllu", 90), result("x/b.conllu", 80), profiles=profiles)
    assert found.measures[-3:] == ["content.share", "function.share", "sttr"]
    assert found.treebanks[0].values["content.share"] == 0.6
    found = compare(result("a", 90), result("z", 80), profiles=profiles)
    assert found.warnings == ("no profile of z: no shares, no STTR", TWO_TREEBANKS, f"{LEFT_OUT}{NO_STTR}")
    found = compare(result("a", 90), result("b", 70), result("z", 80), profiles=profiles)
    assert found.warnings[1:] == (
        "two treebanks with STTR: every correlation with it is 1 or -1, and says nothing",
    )
    with pytest.raises(CommandError, match="no profile is of y, z"):
        compare(result("y", 90), result("z", 80), profiles=profiles)


def test_results_of_gold_files_with_one_name_are_called_as_their_own_files(tmp_path):
    for name, correct in (("en", 90), ("fi", 80)):
        result(f"{name}/gold.conllu", correct).save(tmp_path / f"{name}.json")
    profiles = Profiles((make_profile("en"), make_profile("fi")), ProfileOptions())
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
    assert compare(one, two).warnings[0] == "the results differ in weights: x(1), y(2)"
    other = compare(one, result("b", 80, signature="evalign:1|unit:x"))
    assert other.warnings[0] == "the results differ in weights: x(1), nothing"


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


def run_of(results, failures=()):
    """A run of folders with these treebanks, some of which the system failed on."""
    lost = {
        name: replace(found, systems=tuple(replace(one, failure="no such file") for one in found.systems))
        for name, found in results.items()
        if name in failures
    }
    return Parts("treebank", {**results, **lost})


def test_a_run_of_folders_is_as_many_treebanks_as_it_has(tmp_path):
    results = {"en": result("G/en.gold.conllu", 90), "fi": result("G/fi.gold.conllu", 70)}
    run_of(results).save(tmp_path / "run.json")
    profiles = Profiles((make_profile("en.gold"), make_profile("fi")), ProfileOptions())
    singly = compare(*results.values())
    for run in (run_of(results), tmp_path / "run.json"):
        found = compare(run, profiles=profiles)
        assert [t.name for t in found.treebanks] == ["en", "fi"]
        assert [t.values["las.f1"] for t in found.treebanks] == [t.values["las.f1"] for t in singly.treebanks]
        assert found.warnings == (TWO_TREEBANKS,)
        assert found.treebanks[0].values["sttr"] == found.treebanks[1].values["sttr"] == 0.5
    both = compare(tmp_path / "run.json", result("x/hi.conllu", 80))
    assert [t.name for t in both.treebanks] == ["en", "hi", "fi"]
    assert both.warnings == ()


@pytest.mark.issue(18)
def test_treebanks_that_count_twice_are_refused_or_told(tmp_path):
    size = DocumentSize(3, 9)
    results = {name: replace(result(f"{name}.conllu", 90), size=size) for name in ("en", "fi")}
    for name in ("one", "two"):
        run_of(results).save(tmp_path / f"{name}.json")
    for same in ((tmp_path / "one.json", str(tmp_path / "one.json")), (results["en"],) * 2):
        with pytest.raises(CommandError, match="is given twice"):
            compare(*same)
    twice = compare(tmp_path / "one.json", tmp_path / "two.json")
    assert sorted(t.name for t in twice.treebanks) == ["one: en", "one: fi", "two: en", "two: fi"]
    assert twice.treebanks[0].size == size
    told = "one: en and two: en have the same gold file, as have those of 1 other treebank"
    assert twice.warnings == (f"{told}: each counts as a treebank of its own",)


def test_treebanks_that_a_system_failed_on_are_left_out():
    results = {"en": result("en.conllu", 90), "fi": result("fi.conllu", 70)}
    found = compare(run_of(results, failures=["fi"]))
    assert [t.name for t in found.treebanks] == ["en"]
    assert found.warnings == ("system.conllu failed on fi: no such file: fi is left out",)
    without = make_result("sv.conllu", {"system.conllu": {"tokens": [(1, 2, 2)]}})
    some = compare(run_of({**results, "sv": without}))
    told = "sv has none of las, wlas, content and function: it is left out"
    assert some.warnings == (told, TWO_TREEBANKS)
    with pytest.raises(CommandError, match=r"no treebank to compare: system\.conllu failed on en"):
        compare(run_of(results, failures=["en", "fi"]))


def test_what_las_has_more_goes_with_sttr_or_not():
    """By hand: the differences are 0.1, 0.2 and 0.3, in the order of STTR and against it."""
    made = [
        make_result(name, {"s": {"las": [(8, 10, 10)], "wlas": [(8 - k, 10, 10)], "content": [(k, 10, 10)]}})
        for k, name in enumerate("abc", 1)
    ]
    richness = [TypeTokenRatio(k / 10, 5) for k in (1, 2, 3)]
    profiles = Profiles(
        tuple(make_profile(name, richness=one) for name, one in zip("abc", richness, strict=True)),
        ProfileOptions(),
    )
    found = compare(*made, profiles=profiles)
    assert {less: (one.r, one.treebanks) for less, one in found.sttr_correlations.items()} == {
        "wlas.f1": (1.0, 3),
        "content.f1": (-1.0, 3),
        "content.precision": (-1.0, 3),
        "content.recall": (-1.0, 3),
    }
    assert compare(*made).sttr_correlations == {}
    saved = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert saved["sttr_correlations"][0] == {
        "left": "las.f1-wlas.f1",
        "right": "sttr",
        "r": 1.0,
        "treebanks": 3,
    }
    assert saved["treebanks"][0]["differences"]["wlas.f1"] == 0.1


def test_equal_differences_do_not_vary():
    """0.9 - 0.8, 0.8 - 0.7 and 0.7 - 0.6 are a tenth each; as floats they would correlate with something."""
    made = [
        make_result(name, {"s": {"las": [(k, 10, 10)], "wlas": [(k - 1, 10, 10)]}})
        for name, k in zip("abc", (9, 8, 7), strict=True)
    ]
    profiles = Profiles(
        tuple(make_profile(name, richness=TypeTokenRatio(k / 7, 1)) for k, name in enumerate("abc")),
        ProfileOptions(),
    )
    found = compare(*made, profiles=profiles)
    assert [t.differences["wlas.f1"] for t in found.treebanks] == [0.1, 0.1, 0.1]
    assert found.sttr_correlations["wlas.f1"] == (None, 3)


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50), st.integers(1, 9)), min_size=2, max_size=8))
def test_correlations_with_sttr_are_what_the_oracle_says(rows):
    made = [
        make_result(f"t{k}", {"s": {"las": [(las, 50, 50)], "wlas": [(wlas, 50, 50)]}})
        for k, (las, wlas, _) in enumerate(rows)
    ]
    profiles = [make_profile(f"t{k}", richness=TypeTokenRatio(n / 9, 1)) for k, (_, _, n) in enumerate(rows)]
    found = (
        compare(*made, profiles=Profiles(tuple(profiles), ProfileOptions())).sttr_correlations["wlas.f1"].r
    )
    expected = oracle.pearson([Fraction(las - wlas, 50) for las, wlas, _ in rows], [n / 9 for *_, n in rows])
    assert found == (expected if expected is None else pytest.approx(expected, abs=1e-9))


def test_the_signature_names_weights_relations_and_the_settings_of_the_profile():
    signed = "evalign:1|lines:equal|average:micro|unit:x|relations:{}|weights:w(1a)"
    made = [result("a", 90, signature=signed.format("v1")), result("b", 80, signature=signed.format("v2"))]
    profiles = Profiles((make_profile("a"), make_profile("b")), ProfileOptions(chunk=20, case="lower"))
    parts = compare(*made, profiles=profiles, variance="sample").signature.split("|")
    assert parts[:6] == [
        "evalign:1", "average:micro", "relations:v1/v2", "weights:w(1a)", "variance:sample", "treebanks:2",
    ]  # fmt: skip
    assert {"profile-chunk:20", "profile-case:lower", "profile-sttr-without:upos"} < {*parts}
    assert "profile" not in compare(*made).signature
