"""Tolerated differences are counted completely, by rule and with places."""

from hypothesis import given

from alignment.counting import align, line_of
from evalign.errors import Place
from strategies import two_texts


def rules_of(tolerated):
    return {firing.rule: firing.count for firing in tolerated.rules}


@given(two_texts())
def test_every_character_is_counted_once(pair):
    alignment = align(pair.gold, pair.system, normalize=["none"])
    tolerated = alignment.tolerated
    assert min(tolerated.equal, tolerated.rewritten, tolerated.gold_only, tolerated.system_only) >= 0
    assert tolerated.equal + tolerated.rewritten + tolerated.gold_only == len(line_of(pair.gold))
    assert tolerated.system_only <= len(line_of(pair.system))
    rules = rules_of(tolerated)
    assert sum(rules.get(rule, 0) for rule in ("gold-only", "unrelated-gold")) == tolerated.gold_only
    assert sum(rules.get(rule, 0) for rule in ("system-only", "unrelated-system")) == tolerated.system_only
    assert (
        sum(rules.get(rule, 0) for rule in ("other-case", "other-accents", "other-variant", "substituted"))
        == tolerated.rewritten
    )


@given(two_texts())
def test_swapping_sides_swaps_what_is_one_sided(pair):
    there, back = align(pair.gold, pair.system).tolerated, align(pair.system, pair.gold).tolerated
    assert (there.gold_only, there.system_only) == (back.system_only, back.gold_only)


def test_equal_lines_tolerate_nothing():
    tolerated = align(["a b"], ["a", "b"]).tolerated
    assert (tolerated.equal, tolerated.rewritten, tolerated.rules) == (2, 0, ())


def test_rules_tell_case_accents_and_variants_apart():
    tolerated = align(["the café ＡＢ x"], ["The cafe AB x"], normalize=["none"]).tolerated
    assert rules_of(tolerated) == {"other-case": 1, "other-accents": 1, "other-variant": 2}
    assert (tolerated.equal, tolerated.rewritten) == (6, 4)


def test_places_name_the_line_of_the_token():
    tolerated = align(["aa bb", "cc - dd", "ee"], ["aa bb", "cc dd", "ee"]).tolerated
    (firing,) = tolerated.rules
    assert (firing.rule, firing.count, firing.places) == ("gold-only", 1, (Place("<tokens>", 2),))


def test_substitutions_are_listed_commonest_first():
    gold = ["one xx two", "one yy two", "one xx two"]
    system = ["one pq two", "one rs two", "one pq two"]
    tolerated = align(gold, system).tolerated
    assert tolerated.substitutions == (("xx", "pq", 2), ("yy", "rs", 1))
    assert rules_of(tolerated) == {"substituted": 6}
