"""Word pairs where characters differ: words written apart on one side, a multiword token on the other."""

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from alignment.counting import align, document_of, document_with_words, placed, tokens_of
from evalign.alignment.fold import fold_line, fold_text
from oracles import stretches as oracle
from strategies import with_other_words


def pairs_of(pairs):
    return [(g, s) for g, s in enumerate(pairs.partners.tolist()) if s >= 0]


def written_apart(tokens):
    """The same with a token for every word."""
    return [(word, []) for form, inner in tokens for word in inner or [form]]


CONTRACTIONS = [
    # language, a sentence; its words written apart have the same words
    ("French", "le prix du(de+le) pain"),
    ("French", "Du(De+le) pain et des(de+les) fruits au(à+le) marché et aux(à+les) halles"),
    ("French", "parler du(de+le) du(de+le) et du(de+le)"),
    ("German", "im(in+dem) Haus , zum(zu+dem) Glück am(an+dem) Rand"),
    ("Spanish", "¡ dámelo(da+me+lo) ! Vámonos(Vamos+nos) del(de+el) bar al(a+el) cine"),
    ("Italian", "nella(in+la) casa della(di+la) nonna , del(di+il) cane e dello(di+lo) zio"),
    ("Portuguese", "vou à(a+a) praia , às(a+as) cinco , pelo(por+o) campo no(em+o) mar"),
    ("Portuguese", "à(a+a) praia"),
    ("Portuguese", "à(a+a) a"),
    ("Czech", "aby(aby+by) se stalo , kdybych(když+bych) mohl"),
    ("Hebrew", "בבית(ב+ה+בית) ובעיר(ו+ב+ה+עיר) לספר(ל+ה+ספר)"),
    ("Hebrew", "ראיתי את ביתו(בית+של+הוא) ."),
    ("Arabic", "وللكتاب(و+ل+ال+كتاب) عنده(عند+ه) بالبيت(ب+ال+بيت)"),
    ("Finnish", "ettei(että+ei) tule"),
    ("Turkish", "nasılsın(nasıl+i+sin) ?"),
    ("Tamil", "அவனே(அவன்+ஏ) வந்தான்"),
    ("by hand: nothing in common", "x ab(cd+ef) y"),
    ("by hand: one character for two words", "x q(cd+ef+gh) y"),
    ("by hand: other case", "Im(in+dem) Haus"),
    ("by hand: the same word next to it", "le du(de+le) le de"),
    ("by hand: a mark by itself", "x né(ne+\u0301) y"),
]


@pytest.mark.parametrize(("language", "text"), CONTRACTIONS, ids=[row[1] for row in CONTRACTIONS])
@pytest.mark.parametrize(
    "neighbours", ["", "before it | {} | and behind"], ids=["alone", "between sentences"]
)
def test_words_written_apart_pair_with_those_of_the_contraction(language, text, neighbours):
    tokens = tokens_of(text)
    sentences = [tokens]
    if neighbours:
        sentences = [tokens_of("before it ."), tokens, tokens_of("and behind .")]
    whole, apart = (
        document_with_words(sentences),
        document_with_words([written_apart(one) for one in sentences]),
    )
    for gold, system in ((whole, apart), (apart, whole)):
        alignment = align(gold, system)
        assert not alignment.lines_equal
        for pairs in (alignment.word_pairs, alignment.folded_word_pairs):
            assert pairs.partners.tolist() == list(range(whole.n_words))


VECTORS = [
    # what it shows, gold, system, pairs
    ("one word of two", "prix du(de+le) pain", "prix de la pain", [(0, 0), (1, 1), (3, 3)]),
    (
        "both sides have ranges",
        "prix du(de+le) pain",
        "prix dou(de+le) pain",
        [(0, 0), (1, 1), (2, 2), (3, 3)],
    ),
    (
        "plain words keep their places",
        "we saw foo bar there",
        "we saw fooo baz there",
        [(k, k) for k in range(5)],
    ),
    ("a contraction that only gold has", "pain du(de+le) jour", "pain jour", [(0, 0), (3, 1)]),
]


@pytest.mark.parametrize(("what", "gold", "system", "pairs"), VECTORS, ids=[row[0] for row in VECTORS])
def test_words_of_stretches_that_differ(what, gold, system, pairs):
    assert pairs_of(align(document_of(gold), document_of(system)).word_pairs) == pairs


ALIGNED = [
    # what it shows, gold, system, pieces, pairs
    (
        "a lone word behind",
        "du(de+le) y",
        "de le y",
        [(2, 2, 2), (0, 2, 0), (1, 1, 1)],
        [(0, 0), (1, 1), (2, 2)],
    ),
    (
        "a lone word before",
        "du(de+le) y",
        "de le y",
        [(0, 2, 0), (2, 2, 2), (1, 1, 1)],
        [(0, 0), (1, 1), (2, 2)],
    ),
    (
        "lone words on both sides",
        "q(ab+cd+ef) y",
        "ab cd ef y",
        [(0, 2, 0), (1, 2, 1), (0, 2, 0), (1, 1, 1)],
        [(0, 0), (1, 1), (2, 2), (3, 3)],
    ),
    (
        "not more lone words than the contraction has to spare",
        "du(de+le) y",
        "de x le y",
        [(2, 2, 2), (0, 3, 0), (1, 1, 1)],
        [(0, 0), (2, 3)],
    ),
    (
        "a lone word between two contractions",
        "du(de+le) au(à+le) y",
        "de le à le y",
        [(2, 2, 2), (0, 2, 0), (2, 1, 1), (0, 2, 0), (1, 1, 1)],
        [(k, k) for k in range(5)],
    ),
    (
        "not in another sentence",
        "u à(a+a) | x y",
        "u a | a x y",
        [(2, 2, 2), (0, 1, 0), (2, 2, 2)],
        [(0, 0), (1, 1), (3, 3), (4, 4)],
    ),
    (
        "the wrong one of equal words has a place",
        "à(a+a) a y",
        "a a a y",
        [(2, 2, 2), (0, 1, 0), (1, 1, 1)],
        [(k, k) for k in range(4)],
    ),
    (
        "plain words in one place",
        "fo ob the bar",
        "foo the baz",
        [(10, 9, 1)],
        [(2, 1)],
    ),
    ("plain words in one place, of other case", "fo ob The bar", "foo the baz", [(10, 9, 1)], []),
    (
        "unrelated text",
        "x the cat du(de+le) sea y",
        "x the dog de le sky y",
        [(1, 1, 1), (11, 0, 0), (0, 13, 0), (1, 1, 1)],
        [(0, 0), (6, 6)],
    ),
    (
        "a pair by place is not given up for another",
        "x du(de+le) le y",
        "x le de le y",
        [(1, 1, 1), (2, 2, 2), (0, 2, 0), (2, 2, 2), (1, 1, 1)],
        [(0, 0), (2, 1), (3, 3), (4, 4)],
    ),
]


@pytest.mark.parametrize(
    ("what", "gold", "system", "pieces", "pairs"), ALIGNED, ids=[row[0] for row in ALIGNED]
)
def test_whatever_the_alignment(what, gold, system, pieces, pairs):
    assert pairs_of(placed(document_of(gold), document_of(system), pieces).word_pairs) == pairs
    back = placed(document_of(system), document_of(gold), [(b, a, places) for a, b, places in pieces])
    assert pairs_of(back.word_pairs) == sorted((s, g) for g, s in pairs)


def test_words_pair_in_order_only():
    # Which of the two is not symmetric, as in the CoNLL 2018 evaluation: gold words are left out first.
    gold, system, pieces = (
        document_of("x du(de+le) y"),
        document_of("x le de y"),
        [(1, 1, 1), (2, 4, 1), (1, 1, 1)],
    )
    assert pairs_of(placed(gold, system, pieces).word_pairs) == [(0, 0), (2, 1), (3, 3)]
    back = [(b, a, places) for a, b, places in pieces]
    assert pairs_of(placed(system, gold, back).word_pairs) == [(0, 0), (2, 1), (3, 3)]


def test_pairs_of_a_stretch_are_made_by_form():
    pairs = align(document_of("prix du(de+le) pain"), document_of("prix de le pain")).word_pairs
    assert pairs.by_form.tolist() == [False, True, True, False]


def test_equal_characters_pair_as_in_equal_lines():
    # In "ab" the words a and b of another cut are in other places, whatever stands elsewhere.
    same = pairs_of(align(document_of("xab ab(a+b) y"), document_of("x ab ab y")).word_pairs)
    other = pairs_of(align(document_of("xab ab(a+b) y zz"), document_of("x ab ab y z")).word_pairs)
    assert other == [*same, (4, 4)]


@st.composite
def alignments(draw):
    """Two documents with multiword tokens, aligned in any way that leads from the start of both lines to their ends."""
    pair = draw(with_other_words())
    gold, system = document_with_words(pair.gold), document_with_words(pair.system)
    if draw(st.booleans()):
        alignment = align(gold, system)
        if not alignment.lines_equal:
            return alignment
        gold, system = alignment.gold.document, alignment.system.document
    left, right = (len(fold_line(document.line, document.cuts).codes) for document in (gold, system))
    pieces = []
    while left or right:
        kind = draw(st.sampled_from(["one to one", "one to one", "one place", "gold", "system"]))
        a, b = (min(draw(st.integers(1, 3)), rest) for rest in (left, right))
        if kind == "one to one":
            a = b = min(a, b)
        elif kind != "one place":
            a, b = (a, 0) if kind == "gold" else (0, b)
        if a or b:
            pieces.append((a, b, 0 if not a or not b else a if a == b else 1))
            left, right = left - a, right - b
    return placed(gold, system, pieces)


def seen(side):
    """A side as the oracle wants it."""
    document, places = side.document, side.places
    sentence = np.repeat(np.arange(document.n_sentences), np.diff(document.sentences))
    cuts = document.word_cuts(np.arange(document.n_tokens + 1)).tolist()
    tokens = [
        oracle.Token(
            document.token(k),
            range(cuts[k], cuts[k + 1]),
            int(sentence[k]),
            int(places.token_starts[k]),
            int(places.token_ends[k]),
        )
        for k in range(document.n_tokens)
    ]
    inner = (
        [False] * document.n_words
        if document.words is None
        else [bool(one) for one in document.words.multiword]
    )
    return oracle.Side(tokens, [document.word(word) for word in range(document.n_words)], inner)


@given(alignments())
def test_pairs_are_those_of_the_oracle(alignment):
    pairs, by_form = oracle.pair_differing(
        seen(alignment.gold), seen(alignment.system), list(alignment.groups)
    )
    assert pairs_of(alignment.word_pairs) == sorted(pairs.items())
    assert set(np.flatnonzero(alignment.word_pairs.by_form).tolist()) == by_form


@given(alignments())
def test_pairs_ascend_and_no_word_has_two(alignment):
    for pairs in (alignment.word_pairs, alignment.folded_word_pairs):
        partners = pairs.partners[pairs.partners >= 0]
        assert (np.diff(partners) > 0).all()
        assert not pairs.by_form[pairs.partners < 0].any()


@given(alignments())
def test_no_word_loses_its_partner(alignment):
    sides = seen(alignment.gold), seen(alignment.system)
    before, _, _ = oracle.pair_placed(*sides, str.lower)
    after = dict(pairs_of(alignment.word_pairs))
    assert before.keys() <= after.keys()
    assert set(before.values()) <= set(after.values())


@given(alignments())
def test_what_is_paired_by_form_has_the_same_form(alignment):
    gold, system = alignment.gold.document, alignment.system.document
    for pairs, key in ((alignment.word_pairs, str.lower), (alignment.folded_word_pairs, fold_text)):
        for g, s in pairs_of(pairs):
            if pairs.by_form[g]:
                assert key(gold.word(g)) == key(system.word(s))


@given(alignments())
def test_folding_forms_loses_no_pair(alignment):
    assert len(pairs_of(alignment.folded_word_pairs)) >= len(pairs_of(alignment.word_pairs))


@given(alignments())
def test_a_pair_by_form_stays_in_its_block_of_sentences(alignment):
    # So that parts of a text that are cut between sentences have the pairs of the whole.
    sides = seen(alignment.gold), seen(alignment.system)
    blocks = [
        np.repeat(np.arange(len(cuts) - 1), np.diff(side.document.word_cuts(side.document.sentences[cuts])))
        for side, cuts in (
            (alignment.gold, alignment.blocks.gold),
            (alignment.system, alignment.blocks.system),
        )
    ]
    # A multiword token behind a boundary is compared with words before it that have no partner (CoNLL 2018).
    _, _, known = oracle.pair_placed(*sides, str.lower)
    for row in known:
        assume(len({*blocks[0][row.gold : row.gold_end], *blocks[1][row.system : row.system_end]}) == 1)
    for g, s in pairs_of(alignment.word_pairs):
        assert blocks[0][g] == blocks[1][s]
