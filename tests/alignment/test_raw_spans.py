"""Spans of tokens, sentences and brackets in the raw text."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from alignment.counting import document
from evalign.alignment.places import NOWHERE
from evalign.alignment.raw_map import RawMap, map_raw
from evalign.document import document_from_sentences
from evalign.readers.content import load
from evalign.readers.raw_files import RawTexts, read_raw
from evalign.text import Text, without_space
from strategies import segmentations


def read(text, name="raw"):
    return read_raw(load(Text(text, name)))


def several(*texts, is_ordered=True):
    return RawTexts([read(text, f"t{k}") for k, text in enumerate(texts)], "all", is_ordered=is_ordered)


def with_empty(sentences):
    """A document in which the token * has no characters."""
    made = document_from_sentences([["" if token == "*" else token for token in s] for s in sentences])
    assert (np.diff(made.cuts) == 0).any()
    return made


def pairs(spans):
    return list(zip(spans.starts.tolist(), spans.ends.tolist(), strict=True))


def slices(gold, text):
    mapped = RawMap(document(gold), read(text))
    return [text[a:b] if a != NOWHERE else None for a, b in pairs(mapped.token_spans)]


WRITTEN = [
    # what is shown, tokens, raw text, the tokens in the raw text
    ("nothing differs", "They did n't .", "They  didn't.", ["They", "did", "n't", "."]),
    ("bracket escapes", "-LRB- a -RRB- -LSB- -RCB-", "(a) [}", ["(", "a", ")", "[", "}"]),
    ("straight quotes", "`` a ''", '"a"', ['"', "a", '"']),
    ("curly quotes", "`` a '' ` b '", "“a” ‘b’", ["“", "a", "”", "‘", "b", "’"]),
    ("quotes of two characters", "`` a '' .", "``a''.", ["``", "a", "''", "."]),
    ("escapes on the raw side alone", '" a "', "``a''", ["``", "a", "''"]),
    ("slash and star", r"1\/2 \* \*\*", "1/2 * **", ["1/2", "*", "**"]),
    ("slash in a longer piece", r"and \/ or -LRB- 1\/2 -RRB-", "and/or (1/2)", ["and", "/", "or", "(", "1/2", ")"]),
    ("ellipsis", "wait ... now", "wait…now", ["wait", "…", "now"]),
    ("ellipsis the other way", "wait … now", "wait...now", ["wait", "...", "now"]),
    ("dashes", "a -- b - c", "a—b – c", ["a", "—", "b", "–", "c"]),
    ("accents composed", "Été à", "E\u0301te\u0301a\u0300", ["E\u0301te\u0301", "a\u0300"]),
    ("accents decomposed", "E\u0301t e\u0301", "Été", ["Ét", "é"]),
    ("marks that fold to nothing", "हिन्दी -LRB- है -RRB-", "हिन्दी (है)", ["हिन्दी", "(", "है", ")"]),
    ("case", "The End .", "the end.", ["the", "end", "."]),
    ("ligature", "ﬁnd it", "find it", ["find", "it"]),
    ("a character more", "an email .", "an e-mail.", ["an", "e-mail", "."]),
    ("a character less", "an e-mail .", "an email.", ["an", "email", "."]),
    ("white space inside", "1 000,5 km", "1\u00a0000,5\tkm", ["1", "000,5", "km"]),
    ("a token that is not there", "He said this uh too", "He said this too", ["He", "said", "this", "", "too"]),
    ("two words contracted", "foo bar de le livre", "foo bar du livre", ["foo", "bar", "d", "u", "livre"]),
    ("two words run together", "I am going to see", "I am gonna see", ["I", "am", "gon", "na", "see"]),
    ("two words rewritten", "we met Xxxx Yyyyyy there", "we met Qqq zzzz there", ["we", "met", "Qqq", "zzzz", "there"]),
    ("two words for one character", "10 per cent more", "10 % more", ["10", "", "%", "more"]),
    ("a character that several tokens are", "wait . . . now", "wait… now", ["wait", "…", "", "", "now"]),
    ("a ligature that is two tokens", "f ind it", "ﬁnd it", ["ﬁ", "nd", "it"]),
    ("text without an analysis", "A cat sat . It ran .", "A cat sat. We saw that. It ran.", ["A", "cat", "sat", ".", "It", "ran", "."]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("gold", "raw", "found"), [row[1:] for row in WRITTEN], ids=[row[0] for row in WRITTEN]
)
def test_tokens_are_found_in_the_raw_text(gold, raw, found):
    assert slices([gold], raw) == found


def test_what_only_one_side_has_is_counted():
    lost = RawMap(document(["He said this uh too"]), read("He said this too"))
    assert (lost.n_missing, lost.n_extra) == (2, 0)
    extra = RawMap(document(["A cat sat .", "It ran ."]), read("A cat sat. We saw that. It ran."))
    assert (extra.n_missing, extra.n_extra) == (0, 10)
    assert pairs(extra.sentence_spans) == [(0, 10), (24, 31)]


def test_an_empty_element_sits_behind_the_token_before_it():
    """Dridan and Oepen 2013, Figure 1."""
    gold = with_empty([["They", "did", "n't", "*", "."]])
    mapped = RawMap(gold, read("They didn't."))
    assert pairs(mapped.token_spans) == [(0, 4), (5, 8), (8, 11), (11, 11), (11, 12)]
    assert pairs(mapped.sentence_spans) == [(0, 12)]
    assert pairs(mapped.spans_over(np.array([0, 1, 3, 3]), np.array([5, 4, 4, 5]))) == [
        (0, 12), (5, 11), (11, 11), (11, 12),
    ]  # fmt: skip


@pytest.mark.parametrize("raw", ["Go on . We  want to go.", "Go on … We  want to go."])
def test_an_empty_element_is_in_its_own_sentence(raw):
    gold = with_empty([["Go", "on", ".", "*"], ["*", "We", "want", "*", "*", "to", "go", "."]])
    mapped = RawMap(gold, read(raw))
    assert pairs(mapped.token_spans)[3:5] == [(7, 7), (8, 8)]
    assert pairs(mapped.token_spans)[7:9] == [(16, 16), (16, 16)]
    assert pairs(mapped.sentence_spans) == [(0, 7), (8, 23)]
    # A bracket that begins with an empty element begins with its first word.
    assert pairs(mapped.spans_over(np.array([7, 7, 4]), np.array([11, 9, 6]))) == [
        (17, 22),
        (16, 16),
        (8, 10),
    ]


def test_what_consists_of_missing_tokens_has_no_place():
    gold = with_empty([["A", "cat", "sat", "here", "*"], ["Unheardof", "*"], ["It", "ran", "away"]])
    mapped = RawMap(gold, read("A cat sat here It ran away"))
    assert pairs(mapped.token_spans)[5:7] == [(NOWHERE, NOWHERE)] * 2
    assert pairs(mapped.sentence_spans) == [(0, 14), (NOWHERE, NOWHERE), (15, 26)]


def test_nothing_has_no_spans():
    mapped = RawMap(document([]), read("a b"))
    assert pairs(mapped.token_spans) == pairs(mapped.sentence_spans) == []
    lost = RawMap(document(["a b"]), read(""))
    assert pairs(lost.token_spans) == [(NOWHERE, NOWHERE)] * 2
    assert lost.n_missing == 2


def test_spans_count_from_the_beginning_of_their_file():
    gold = document(["Ab c .", "D e ."])
    mapped = map_raw(gold, several(" Ab c.", "D e."))
    spans = mapped.token_spans
    assert pairs(spans) == [(1, 3), (4, 5), (5, 6), (0, 1), (2, 3), (3, 4)]
    assert spans.files.tolist() == [0, 0, 0, 1, 1, 1]
    assert mapped.place(4) == ("t1", 0)
    assert mapped.offset(5) == 2
    assert mapped.place(99) == ("t1", 4)
    assert mapped.has_newline_before(4)


def test_what_goes_from_one_file_into_another_has_no_place():
    mapped = map_raw(document(["Ab c . D e ."]), several("Ab c.", "D e."))
    assert pairs(mapped.sentence_spans) == [(NOWHERE, NOWHERE)]
    assert (mapped.token_spans.starts >= 0).all()
    assert mapped.breaks is None


def test_files_say_where_documents_begin():
    gold = document(["Uh .", "Ab c .", "Uh .", "D e .", "F g ."])
    mapped = RawMap(gold, map_raw(gold, several("Ab c.", "D e.", "F g.")).raw)
    assert mapped.breaks is not None
    assert mapped.breaks.sentences.tolist() == [0, 3, 4]
    assert list(mapped.breaks.names) == ["t0", "t1", "t2"]
    assert RawMap(gold, read("Ab c. D e. F g.")).breaks is None


@given(segmentations(), st.data())
def test_where_only_white_space_differs_tokens_are_where_they_stand(sentences, data):
    gold = document(sentences)
    spaces = data.draw(
        st.lists(st.sampled_from(["", " ", "\n\n"]), min_size=len(gold.line), max_size=len(gold.line))
    )
    text = "".join(space + character for space, character in zip(spaces, gold.line, strict=True))
    mapped = RawMap(gold, read(text))
    found = [text[a:b] for a, b in pairs(mapped.token_spans)]
    assert list(map(without_space, found)) == gold.tokens()
    assert all(part == part.strip() for part in found)


@given(segmentations(), segmentations())
def test_spans_never_go_back(sentences, other):
    text = " ".join(token for sentence in other for token in sentence)
    mapped = RawMap(document(sentences), read(text))
    placed = [(a, b) for a, b in pairs(mapped.token_spans) if a < b]
    assert all(0 <= a < b <= len(text) for a, b in placed)
    assert [a for a, _ in placed] == sorted(a for a, _ in placed)
    assert [b for _, b in placed] == sorted(b for _, b in placed)
    assert all(b <= after for (_, b), (after, _) in pairwise(placed))


WORDS = st.text("abcdeﬁ", min_size=1, max_size=4)


@given(st.lists(WORDS, max_size=3), st.lists(st.text("xyz…½", min_size=1, max_size=5), min_size=1, max_size=4),
       st.text("uvw …'&;", max_size=9), st.lists(WORDS, max_size=3))  # fmt: skip
def test_neighbours_that_are_written_otherwise_never_overlap(before, rewritten, written, after):
    """The stretch that differs is divided among them in order, and goes to all of them if there is enough."""
    text = " ".join([*before, written, *after])
    mapped = RawMap(document([" ".join([*before, *rewritten, *after])]), read(text))
    placed = [(a, b) for a, b in pairs(mapped.token_spans) if a < b]
    assert all(0 <= a < b <= len(text) for a, b in placed)
    assert all(b <= start for (_, b), (start, _) in pairwise(placed))
    assert all(text[a:b] == text[a:b].strip() for a, b in placed)
    offsets = [found for found in map(mapped.offset, range(len(mapped.gold.line))) if found is not None]
    assert offsets == sorted(offsets)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=5), st.integers(1, 5))
def test_a_stretch_is_divided_among_the_tokens_that_are_in_it(sizes, size):
    """All of it, in order, each token having a part of its own; tokens may be left out where that earns as much."""
    gold = document(["before " + " ".join("x" * n for n in sizes) + " behind"])
    raw = f"before {'y' * size} behind"
    spans = pairs(RawMap(gold, read(raw)).token_spans)
    assert (spans[0], spans[-1]) == ((0, 6), (len(raw) - 6, len(raw)))
    placed = [span for span in spans[1:-1] if span[0] < span[1]]
    assert 1 <= len(placed) <= size
    assert (placed[0][0], placed[-1][1]) == (7, 7 + size)
    assert all(b == start for (_, b), (start, _) in pairwise(placed))


@given(segmentations(), st.data())
def test_an_empty_element_is_within_its_sentence(sentences, data):
    for sentence in sentences:
        sentence.insert(data.draw(st.integers(0, len(sentence))), "")
    gold = document_from_sentences(sentences)
    mapped = RawMap(gold, read("\n".join("  ".join(filter(None, sentence)) for sentence in sentences)))
    spans = pairs(mapped.token_spans)
    for k, (start, end) in enumerate(pairs(mapped.sentence_spans)):
        for a, b in spans[gold.sentences[k] : gold.sentences[k + 1]]:
            assert start <= a <= b <= end


def test_every_token_of_gum_is_where_the_raw_text_has_it(data):
    folder = data / "constituency" / "gum"
    from evalign.readers.formats import read_source
    from evalign.readers.raw_files import read_raws

    escapes = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]"}
    raws = read_raws(folder)
    texts = {raw.name: raw.text for raw in raws}
    gold = read_source(folder / "gold.mrg")
    mapped = map_raw(gold, raws)
    spans, names = mapped.token_spans, mapped.raw.files.names
    found = [
        texts[names[file]][start:end]
        for start, end, file in zip(*(column.tolist() for column in spans), strict=True)
    ]
    assert found == [escapes.get(token, token) for token in gold.tokens()]
    assert len(found) == 7455
    rows = [row.split("\t") for row in (folder / "index.tsv").read_text().splitlines()[1:]]
    assert [name.rpartition("/")[2].partition(".")[0] for name in names] == [row[0] for row in rows]
    assert mapped.breaks.sentences.tolist() == [int(row[1]) - 1 for row in rows]


def test_a_document_keeps_what_it_has():
    gold = document(["a – b"])
    mapped = RawMap(replace(gold, name="gold"), read("a - b"))
    assert pairs(mapped.token_spans) == [(0, 1), (2, 3), (4, 5)]
    assert gold.line == "a–b"
