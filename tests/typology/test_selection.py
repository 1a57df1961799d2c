"""Selection of treebanks (Callin, section 3)."""

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from evalign.errors import CommandError
from evalign.typology.options import Criteria, ProfileOptions
from evalign.typology.profiles import Profiles
from evalign.typology.selection import language_of, select
from typology.samples import make_profile


def chosen(*profiles, criteria=None, **options):
    selection = select(Profiles(profiles, ProfileOptions()), criteria, **options)
    return {choice.profile.name: list(choice.reasons) for choice in selection.choices}


def test_the_bounds_are_those_of_the_paper():
    assert chosen(
        make_profile("aa", tokens=30_000),
        make_profile("bb", tokens=29_999),
        make_profile("cc", nonprojective=24),
        make_profile("dd", nonprojective=25),
        make_profile("ee", featured=0),
        make_profile("ff", featured=0, tokens=1, nonprojective=99),
        make_profile("gg", trees=0, nonprojective=0),
    ) == {
        "aa": [],
        "bb": ["tokens"],
        "cc": [],
        "dd": ["nonprojective"],
        "ee": ["features"],
        "ff": ["features", "tokens", "nonprojective"],
        "gg": ["nonprojective"],
    }


@pytest.mark.parametrize(
    ("featured", "least", "kept"),
    [
        # Of 41,000 words.
        (2_050, 0.05, True), (2_049, 0.05, False), (287, 0.05, False), (287, 0.007, True), (1, 0, True),
        (0, 0, False), (41_000, 1, True), (40_999, 1, False),
    ],
)  # fmt: skip
def test_features_are_those_of_a_share_of_words(featured, least, kept):
    criteria = Criteria(least_featured=least)
    assert chosen(make_profile("aa", featured=featured), criteria=criteria) == {
        "aa": [] if kept else ["features"]
    }
    ignored = replace(criteria, features="ignored")
    assert chosen(make_profile("aa", featured=featured), criteria=ignored) == {"aa": []}


@given(st.integers(1, 400), st.integers(1, 400), st.integers(0, 1000), st.sampled_from([10, 100, 1000]))
def test_shares_are_compared_as_they_are_written(part, of, limit, digits):
    """The oracle has integers alone."""
    part, limit = min(part, of), min(limit, digits)
    treebank = make_profile("aa", words=of, featured=part, trees=of, nonprojective=part)
    criteria = Criteria(least_featured=limit / digits, most_nonprojective=limit / digits)
    reasons = chosen(treebank, criteria=criteria)["aa"]
    assert ("features" in reasons) == (part * digits < limit * of)
    assert ("nonprojective" in reasons) == (part * digits >= limit * of)


@pytest.mark.parametrize("criteria", [{"least_featured": float("nan")}, {"most_nonprojective": 25}])
def test_what_is_no_share_is_refused(criteria):
    with pytest.raises(CommandError, match="a share from 0 to 1"):
        Criteria(**criteria)


def test_treebanks_of_the_same_size_are_told():
    large, equal = make_profile("en_b", tokens=50_000), make_profile("en_d", tokens=50_000)
    [told] = select(Profiles((large, equal), ProfileOptions())).warnings
    assert told == "en_d has as many tokens as en_b: en_b is taken, as it was given first"
    assert select(Profiles((large, equal), ProfileOptions()), prefer=["en_d"]).warnings == ()
    assert select(Profiles((large, make_profile("fi", tokens=50_000)), ProfileOptions())).warnings == ()


def test_each_is_an_option():
    profiles = (
        make_profile("aa_x", featured=0),
        make_profile("aa_y", tokens=5),
        make_profile("bb", nonprojective=50),
    )
    assert set(map(len, chosen(*profiles).values())) == {1}
    criteria = Criteria("ignored", 5, 0.6, "all")
    assert chosen(*profiles, criteria=criteria) == {"aa_x": [], "aa_y": [], "bb": []}


def test_of_a_language_the_largest_that_is_valid_is_taken():
    small, large = make_profile("en_a", tokens=40_000), make_profile("en_b", tokens=50_000)
    broken = make_profile("en_c", tokens=90_000, featured=0)
    assert chosen(small, large, broken) == {"en_a": ["language"], "en_b": [], "en_c": ["features"]}
    equal = make_profile("en_d", tokens=50_000)
    assert chosen(large, equal) == {"en_b": [], "en_d": ["language"]}


def test_what_was_corrected_by_hand_is_taken_before_what_is_larger():
    small, large = make_profile("en_a", tokens=40_000), make_profile("en_b", tokens=50_000)
    assert chosen(small, large, prefer=["en_a"]) == {"en_a": [], "en_b": ["language"]}
    assert chosen(large, small, prefer=["en_a"]) == {"en_a": [], "en_b": ["language"]}


def test_languages_may_be_told():
    profiles = (make_profile("mine"), make_profile("fi_tdt"))
    assert chosen(*profiles) == {"mine": [], "fi_tdt": []}
    assert chosen(*profiles, languages={"mine": "fi"}) == {"mine": [], "fi_tdt": ["language"]}


@pytest.mark.parametrize("options", [{"prefer": ["x"]}, {"languages": {"x": "fi"}}])
def test_names_that_are_not_there_are_refused(options):
    with pytest.raises(CommandError, match='no treebank is called "x"'):
        chosen(make_profile("aa"), **options)


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("en_ewt-ud-test", "en"), ("fi-ud-train", "fi"), ("UD_Finnish", "Finnish"), ("UD_Finnish-FTB", "Finnish"),
        ("UD_Old_Church_Slavonic-PROIEL", "Old_Church_Slavonic"), ("x/en_ewt", "en"), ("_", "_"), ("gold", "gold"),
    ],
)  # fmt: skip
def test_the_language_is_what_a_name_begins_with(name, language):
    assert language_of(name) == language


def test_removed_treebanks_are_counted_once():
    profiles = [make_profile("aa", tokens=1), make_profile("bb", tokens=1, featured=0), make_profile("cc")]
    selection = select(Profiles(tuple(profiles), ProfileOptions()))
    assert [treebank.name for treebank in selection.kept] == ["cc"]
    assert selection.removed == {"features": 1, "tokens": 1}
    assert [t["kept"] for t in selection.to_dict()["treebanks"]] == [False, False, True]
