"""Raw texts are put into the order of a document."""

import random
from itertools import pairwise

import pytest

from alignment.counting import document
from evalign.alignment.raw_order import NOT_FOUND, find_texts, order_texts
from evalign.readers.content import load
from evalign.readers.raw_files import RawTexts, read_raw
from evalign.text import Text


def write(number, size=40):
    """A text of its own: words that no other has, among some that all have."""
    chosen = random.Random(number)
    words = ["".join(chosen.choices("abcdefghijklmnop", k=6)) for _ in range(size)]
    return " ".join(word + (" and then ." if k % 9 == 0 else "") for k, word in enumerate(words))


def texts(*given, is_ordered=False):
    made = [read_raw(load(Text(text, f"t{k}"))) for k, text in enumerate(given)]
    return RawTexts(made, "folder", is_ordered=is_ordered)


def names(gold, raws, **limits):
    joined, remarks = order_texts(document(gold), raws, **limits)
    return list(joined.files.names), [str(remark) for remark in remarks]


def test_the_texts_of_a_folder_are_put_in_order():
    parts = [write(k) for k in range(12)]
    order = list(range(12))
    random.Random(1).shuffle(order)
    found, remarks = names([parts[k] for k in order], texts(*parts))
    assert found == [f"t{k}" for k in order]
    assert not remarks


def test_order_is_found_where_every_tenth_letter_differs():
    parts = [write(k, 200) for k in range(5)]
    wrong = random.Random(2)
    noisy = [
        "".join(wrong.choice("xyz") if c.isalpha() and wrong.random() < 0.1 else c for c in part)
        for part in parts
    ]
    found, remarks = names([noisy[k] for k in (3, 1, 4, 0, 2)], texts(*parts))
    assert found == ["t3", "t1", "t4", "t0", "t2"]
    assert not remarks


def test_order_is_found_whatever_the_notation():
    parts = [f'{write(k)} "quoted" (1/2)' for k in range(3)]
    escaped = [
        part.replace("(", "-LRB-").replace(")", "-RRB-").replace('"', "''").replace("/", "\\/")
        for part in parts
    ]
    assert names([escaped[2], escaped[0], escaped[1]], texts(*parts))[0] == ["t2", "t0", "t1"]


def test_a_text_that_is_not_there_is_left_out_and_named():
    parts = [write(k) for k in range(3)]
    found, remarks = names([parts[2], parts[0]], texts(*parts))
    assert found == ["t2", "t0"]
    assert remarks == ["t1: not found in <tokens>, left out as raw text"]
    many = texts(*parts, *(write(k) for k in range(50, 58)))
    assert names(parts, many)[1] == [
        "t3, t4, t5, t6, t7 and 3 more: not found in <tokens>, left out as raw text"
    ]


def test_an_order_that_was_given_is_kept_and_warned_of():
    parts = [write(k) for k in range(3)]
    raws = texts(*parts, is_ordered=True)
    assert names(parts, raws) == (["t0", "t1", "t2"], [])
    found, remarks = names([parts[0], parts[2], parts[1]], raws)
    assert found == ["t0", "t1", "t2"]
    assert len(remarks) == 1
    assert "it has t2 before t1" in remarks[0]


def test_short_texts_are_found_where_no_other_is():
    long = [f"{write(0)} Yes .", f"{write(1)} No ."]
    gold = [long[1], "Yes .", long[0], "No ."]
    assert names(gold, texts(*long, "Yes.", "No."))[0] == ["t1", "t2", "t0", "t3"]


def test_a_text_may_come_several_times():
    part, other = write(0), write(1)
    found, remarks = names([part, other, part], texts(part, part, other))
    assert found == ["t0", "t2", "t1"]
    assert not remarks


NOTED = "It ( that is ) says `` yes '' & no ."


@pytest.mark.parametrize(
    "escaped",
    [
        "It -LRB- that is -RRB- says `` yes '' & no .",
        "It -LCB- that is -RSB- says `` yes '' &amp; no .",
        "It &#91; that is &#93; says &quot; yes &quot; &amp; no .",
    ],
)
def test_escapes_have_no_letters(escaped):
    gold = [escaped, "See -LRB- it -RRB- now .", "So .", escaped]
    raws = texts("So.", NOTED, "See (it) now.", NOTED)
    assert names(gold, raws) == (["t1", "t2", "t0", "t3"], [])
    gold_files = texts(NOTED, "See (it) now.", "So.", NOTED, is_ordered=True)
    assert names(gold, gold_files) == (["t0", "t1", "t2", "t3"], [])


def test_an_order_that_was_given_is_never_cut():
    parts = [write(k) for k in range(3)]
    raws = texts(parts[0], "", "Quux!", parts[1], parts[2], is_ordered=True)
    assert names(parts, raws) == (
        ["t0", "t1", "t2", "t3", "t4"],
        ["t2: not found in <tokens>, kept as raw text where it was given"],
    )


def test_an_order_with_repeated_texts_is_not_doubted():
    """Where a text may be elsewhere too, its place tells nothing of the order."""
    parts = [write(k) for k in range(2)]
    given = ["Yes .", parts[0], "No .", "Yes .", parts[1], "No ."]
    assert names(given, texts(*given, is_ordered=True))[1] == []


def test_a_short_text_that_differs_is_placed():
    gold = [write(0), "What a lovely colour that is .", write(1), "Stop here now ."]
    raws = texts("What a lovely color that is.", write(1), "Stop here!", write(0))
    assert names(gold, raws) == (["t3", "t0", "t1", "t2"], [])


def test_texts_that_come_several_times_and_differ_are_placed():
    parts = [write(k, 60) for k in range(4)]
    other = [part.replace("d", "q", 9) for part in parts]
    order = list(range(12))
    random.Random(4).shuffle(order)
    found, remarks = names(parts * 3, texts(*(other[k % 4] for k in order)))
    assert [order[int(name[1:])] % 4 for name in found] == [0, 1, 2, 3] * 3
    assert not remarks


def test_short_texts_that_come_several_times_are_placed():
    gold = ["Yes .", "No .", "Who knows -LRB- really -RRB- ?", "Yes ."] * 5
    given = ["Yes.", "Yes.", "No.", "Who knows (really)?"] * 5
    found, remarks = names(gold, texts(*given))
    assert [given[int(name[1:])][:2] for name in found] == [text[:2] for text in gold]
    assert not remarks


def test_parts_of_a_text_that_repeats_itself_are_placed_by_their_names():
    words = (write(0, 50) + " ") * 6
    size = len(words) // 13
    parts = [words[k : k + size] for k in range(0, len(words), size)]
    found, remarks = names([words], texts(*parts))
    assert found == [f"t{k}" for k in range(len(parts))]
    assert not remarks


def test_a_repeated_text_is_left_out_only_where_the_document_has_fewer():
    part = write(0)
    found, remarks = names([part, write(1), part], texts(part, part, part, write(1)))
    assert (len(found), found[1]) == (3, "t3")
    assert len(remarks) == 1
    assert "left out" in remarks[0]


@pytest.mark.parametrize("text", ["", "\n \n", "?!"])
def test_a_text_without_letters_is_not_found(text):
    parts = [write(0), text, write(1)]
    assert find_texts(document([parts[0], parts[2]]), texts(*parts))[1].place == NOT_FOUND


def test_where_nothing_is_found_all_texts_stay():
    assert names([write(9)], texts(write(0), write(1))) == (["t0", "t1"], [])
    assert names([], texts("a", "b")) == (["t0", "t1"], [])


def test_many_stretches_are_thinned_out():
    parts = [write(k, 200) for k in range(6)]
    assert names(parts[::-1], texts(*parts), max_stretches=200)[0] == [f"t{k}" for k in range(6)][::-1]


def test_the_documents_of_a_treebank_are_put_in_order(data):
    from evalign.readers.formats import read_source

    gold = read_source(data / "ud" / "UD_English-EWT" / "en_ewt-ud-test.conllu")
    bounds = [*gold.documents.sentences.tolist(), gold.n_sentences]
    parts = [" ".join(token for k in range(a, b) for token in gold.sentence(k)) for a, b in pairwise(bounds)]
    order = list(range(len(parts)))
    random.Random(3).shuffle(order)
    joined, remarks = order_texts(gold, texts(*(parts[k] for k in order)))
    assert [order[int(name[1:])] for name in joined.files.names] == list(range(len(parts)))
    assert not remarks
