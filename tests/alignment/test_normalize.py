"""Normalisation: each rule, that it applies within tokens only, and what it reports."""

import unicodedata

import pytest
from hypothesis import given, strategies as st

from alignment.counting import align, count, document, document_with_words
from evalign.alignment.alignment import RewrittenByList
from evalign.alignment.normalize import (
    NOTATION,
    ON_REQUEST,
    RULES,
    apply_rules,
    choose_rules,
    lookup_exception,
    rewrite_exceptions,
)
from evalign.errors import CommandError, Place

REWRITES = [
    # rule, token, rewritten
    ("nfc", "e\u0301te\u0301", "été"),
    ("nfc", "\u1112\u1161\u11ab", "한"),
    ("nfc", "\u212b", "Å"),
    ("xml", "&amp;", "&"),
    ("xml", "&lt;b&gt;", "<b>"),
    ("xml", "&quot;&apos;&#39;&#34;", "\"''\""),
    ("xml", "&#91;&#93;&#124;", "[]|"),
    ("xml", "&amp;lt;", "&lt;"),
    ("xml", "R&D;", "R&D;"),
    ("brackets", "-LRB-", "("),
    ("brackets", "-RRB--LSB--RSB--LCB--RCB-", ")[]{}"),
    ("brackets", "-LRB", "-LRB"),
    ("brackets", "-lrb-", "-lrb-"),
    ("slashes", r"1\/2", "1/2"),
    ("slashes", r"\*\*", "**"),
    ("slashes", "\\\\/", "\\/"),
    ("slashes", r"C:\x", r"C:\x"),
    ("quotes", "``", '"'),
    ("quotes", "''", '"'),
    ("quotes", "'''", "\"'"),
    ("quotes", "“a”„b‟", '"a""b"'),
    ("quotes", "‘a’‚b‛", "'a''b'"),
    ("quotes", "`", "'"),
    ("quotes", "n't", "n't"),
    ("ellipsis", "…", "..."),
    ("ellipsis", "a…b…", "a...b..."),
    ("width", "ＡＢ１", "AB1"),
    ("width", "ｶ", "カ"),
    ("width", "ﬁ", "ﬁ"),
    ("lower", "ÀB", "àb"),
    ("lower", "İ", "i\u0307"),
    ("accents", "Éñ", "En"),
    ("accents", "e\u0301", "e"),
    ("accents", "한", "한"),
    ("format", "a\u200bb\u00adc", "abc"),
    ("format", "\u200b", ""),
]


@pytest.mark.parametrize(("rule", "token", "rewritten"), REWRITES)
def test_rules(rule, token, rewritten):
    changed, rule_uses = apply_rules(document([["x", token, "y"]]), [RULES[rule]])
    assert changed.tokens() == ["x", rewritten, "y"]
    assert [(firing.rule, firing.count) for firing in rule_uses] == [(rule, 1)] * (token != rewritten)


EDGES = [
    ("quotes", ["'", "''"], ["'", '"']),
    ("quotes", ["''", "'"], ['"', "'"]),
    ("quotes", ["'", "'"], ["'", "'"]),
    ("quotes", ["`", "`"], ["'", "'"]),
    ("quotes", ["a'", "'b"], ["a'", "'b"]),
    ("brackets", ["-LRB", "-"], ["-LRB", "-"]),
    ("brackets", ["-", "LRB-"], ["-", "LRB-"]),
    ("slashes", ["\\", "/"], ["\\", "/"]),
    ("xml", ["&", "amp;"], ["&", "amp;"]),
    ("xml", ["&lt", ";"], ["&lt", ";"]),
    ("nfc", ["e", "\u0301"], ["e", "\u0301"]),
    ("nfc", ["\u1112", "\u1161"], ["\u1112", "\u1161"]),
    ("accents", ["e", "\u0301"], ["e", ""]),
]


@pytest.mark.parametrize(("rule", "tokens", "rewritten"), EDGES)
@pytest.mark.parametrize("one_sentence", [True, False])
def test_rules_never_see_across_the_edge_of_a_token(rule, tokens, rewritten, one_sentence):
    sentences = [tokens] if one_sentence else [[token] for token in tokens]
    changed, _ = apply_rules(document(sentences), [RULES[rule]])
    assert changed.tokens() == rewritten
    assert changed.n_sentences == len(sentences)


@given(
    st.lists(
        st.lists(st.text("'`\"-LRB&amp;lt…e\u0301“한Aａ\u200b", min_size=1, max_size=8), min_size=1),
        max_size=4,
    )
)
def test_every_token_is_rewritten_as_if_alone(sentences):
    for rule in RULES.values():
        changed, rule_uses = apply_rules(document(sentences), [rule])
        tokens = [token for sentence in sentences for token in sentence]
        assert changed.tokens() == [rule.rewrite(token) for token in tokens]
        assert sum(firing.count for firing in rule_uses) == sum(
            rule.rewrite(token) != token for token in tokens
        )
        assert changed.line == "".join(changed.tokens())
        assert changed.sentences.tolist() == document(sentences).sentences.tolist()


@given(st.lists(st.text("'`\"&amp;lt…e\u0301“-LRB", min_size=1, max_size=8), max_size=6))
def test_rules_apply_one_after_the_other(tokens):
    expected = tokens
    for rule in NOTATION:
        expected = [rule.rewrite(token) for token in expected]
    assert apply_rules(document([tokens]), NOTATION)[0].tokens() == expected


def test_uses_of_rules_are_counted_whole_and_placed_three_times():
    sentences = [["a"], ["``", "b", "''"], ["c"], ["“"], ["’"]]
    _, (firing,) = apply_rules(document(sentences), NOTATION)
    assert (firing.rule, firing.count) == ("quotes", 4)
    assert firing.places == (Place("<tokens>", 2), Place("<tokens>", 2), Place("<tokens>", 4))


def test_uses_of_rules_follow_the_order_of_the_rules():
    _, rule_uses = apply_rules(document(["… `` -LRB- &amp; e\u0301"]), NOTATION)
    assert [firing.rule for firing in rule_uses] == ["nfc", "xml", "brackets", "quotes", "ellipsis"]


def test_nothing_to_rewrite_leaves_the_document_as_it_is():
    untouched = document(["a b", "c"])
    assert apply_rules(untouched, [*NOTATION, *ON_REQUEST]) == (untouched, ())
    assert apply_rules(document([]), NOTATION)[1] == ()


def test_words_inside_multiword_tokens_are_rewritten_too():
    contraction = document_with_words([[("l’eau", ["l’", "eau"]), ("…", [])]])
    changed, _ = apply_rules(contraction, NOTATION)
    assert changed.tokens() == ["l'eau", "..."]
    assert [changed.word(k) for k in range(changed.n_words)] == ["l'", "eau", "..."]


def test_a_word_alone_may_need_rewriting():
    changed, rule_uses = apply_rules(document_with_words([[("du", ["d’", "le"])]]), NOTATION)
    assert [changed.word(k) for k in range(changed.n_words)] == ["d'", "le"]
    assert [(firing.rule, firing.count) for firing in rule_uses] == [("quotes", 1)]


def test_equal_lines_are_not_normalised():
    alignment = align(["`` a ''"], ["`` a", "''"])
    assert alignment.gold.document is alignment.gold.original
    assert alignment.gold.rule_uses == ()


def test_notation_that_makes_the_lines_equal_needs_no_alignment():
    alignment = align(["`` a -LRB- … é"], ['" a ( ... e\u0301'])
    assert alignment.gold.characters is None
    assert alignment.tolerated.equal == len(alignment.gold.document.line)
    assert {firing.rule for firing in alignment.gold.rule_uses} == {"brackets", "quotes", "ellipsis"}
    assert {firing.rule for firing in alignment.system.rule_uses} == {"nfc"}
    assert count(["`` a -LRB- … é"], ['" a ( ... e\u0301'])["tokens"] == (5, 5, 5)


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKD"])
def test_composition_never_costs_a_token_that_is_canonically_the_same(form):
    gold = ["été 한국 Å", "ñandú ."]
    system = [unicodedata.normalize(form, sentence) for sentence in gold]
    assert count(gold, system)["tokens"] == (5, 5, 5)


CHOICES = [
    ([], ["nfc", "xml", "brackets", "slashes", "quotes", "ellipsis"]),
    (["none"], []),
    (["none", "quotes"], ["quotes"]),
    (["lower"], ["nfc", "xml", "brackets", "slashes", "quotes", "ellipsis", "lower"]),
    (["no-xml", "no-nfc"], ["brackets", "slashes", "quotes", "ellipsis"]),
    (["no-width"], ["nfc", "xml", "brackets", "slashes", "quotes", "ellipsis"]),
    (["accents", "none", "format", "xml"], ["xml", "format"]),
    (["lower", "lower", "quotes"], ["nfc", "xml", "brackets", "slashes", "quotes", "ellipsis", "lower"]),
]


@pytest.mark.parametrize(("wanted", "names"), CHOICES)
def test_rules_are_chosen_by_name(wanted, names):
    assert [rule.name for rule in choose_rules(wanted)] == names


LISTED = "one of nfc, xml, brackets, slashes, quotes, ellipsis, "
UNKNOWN = [
    ("accent", 'unknown normalisation "accent"', 'did you mean "accents"?'),
    ("no-accent", 'unknown normalisation "no-accent"', LISTED),
    ("no-quote", 'unknown normalisation "no-quote"', 'did you mean "no-quotes"?'),
    ("xyzzy", 'unknown normalisation "xyzzy"', LISTED),
    ("", 'unknown normalisation ""', LISTED),
    ("no-none", 'unknown normalisation "no-none"', LISTED),
]


@pytest.mark.parametrize(("name", "found", "advice"), UNKNOWN)
def test_a_rule_that_does_not_exist_is_named(name, found, advice):
    with pytest.raises(CommandError) as caught:
        choose_rules(["lower", name])
    assert found in str(caught.value)
    assert advice in str(caught.value)
    assert (LISTED in str(caught.value)) == (advice == LISTED)


EXCEPTIONS = {"ca": "can", "n't": "not", "AM": "am", "gone": ""}


@pytest.mark.parametrize(
    ("token", "stands_for"),
    [("ca", "can"), ("Ca", "Can"), ("CA", "Can"), ("n't", "not"), ("AM", "Am"), ("am", None), ("x", None)],
)
def test_exceptions_keep_the_case_of_the_first_letter(token, stands_for):
    assert lookup_exception(token, EXCEPTIONS) == stands_for


@pytest.mark.parametrize("token", ["gone", "Gone"])
def test_an_exception_may_stand_for_nothing(token):
    assert lookup_exception(token, EXCEPTIONS) == ""


def test_exceptions_are_counted_and_remembered():
    read = document(["I ca n't go", "Ca I"])
    changed, excepted, firing = rewrite_exceptions(read, {1: "can", 2: "not", 4: "Can"}, {})
    assert list(changed) == [["I", "can", "not", "go"], ["Can", "I"]]
    assert excepted.tokens == {1, 2, 4}
    assert (firing.rule, firing.count, len(firing.places)) == ("exceptions", 3, 3)


def test_no_exceptions_no_change():
    untouched = document(["I go"])
    assert rewrite_exceptions(untouched, {}, {}) == (untouched, RewrittenByList(), None)


def test_exceptions_make_lines_comparable():
    alignment = align(["I can not go ."], ["I ca n't go ."], exceptions=EXCEPTIONS)
    assert alignment.gold.document.line == alignment.system.document.line
    assert alignment.system.excepted.tokens == {1, 2}
    assert alignment.gold.excepted == RewrittenByList()
