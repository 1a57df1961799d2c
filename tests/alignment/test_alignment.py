"""Alignment of two whole documents: against the oracle, by vectors, by laws."""

import pytest
from hypothesis import example, given

from alignment.counting import align, count, count_aligned, document_with_words, line_of, swapped
from oracles import bits
from oracles.spans import count_spans, sentence_spans
from strategies import Pair, segmentations, two_cuts, two_texts


@given(two_texts())
@example(Pair([["Éc", "É", "."]], [["É"], ["."], ["."]]))
@example(Pair([["é", "a", "a", "a"]], [["éé", "é", "a", "ω"]]))
@example(Pair([["..", "b."], ["..", "b."]], [["..", "."]]))
def test_short_texts_count_as_the_best_path_says(pair):
    alignment = align(pair.gold, pair.system)
    expected = bits.count(pair.gold, pair.system)
    assert int((alignment.sentence_pairs >= 0).sum()) == expected.sentences.correct
    assert count_aligned(alignment)["tokens"][0] == expected.tokens.correct


@given(two_cuts())
def test_on_equal_lines_counts_are_those_of_spans(pair):
    found = count(pair.gold, pair.system)
    expected = count_spans(pair.gold, pair.system)
    assert found == {**expected, "tokens_in_place": expected["tokens"]}


VECTORS = [
    # source, gold, system, correct (sentences, tokens, tokens in place)
    ("Jo et al. 2024, Figure 1", ["Click here To view it ."], ["Click here", "To view it ."], (0, 6, 6)),
    ("Jo et al. 2024, Figure 4", ["When No. 1 Is n't the Best"], ["When No. 1 Isn 't the Best"], (1, 5, 5)),
    ("Jo et al. 2024, Hebrew", ["B H CL FL HM H NEIM"], ["B CL FL HM HNEIM"], (1, 4, 4)),
    ("by hand: a sentence missing", ["u v .", "w x ."], ["u v ."], (1, 3, 3)),
    ("by hand: two sentences changed places", ["u v .", "w x ."], ["w x .", "u v ."], (1, 3, 3)),
    (
        "by hand: the first of three comes last",
        ["u v .", "w x .", "y z ."],
        ["w x .", "y z .", "u v ."],
        (2, 6, 6),
    ),
    ("by hand: another case", ["Now go ."], ["now go ."], (1, 2, 3)),
    ("by hand: another accent", ["où est-il ?"], ["ou est-il ?"], (1, 2, 3)),
    ("by hand: a hyphen dropped and tokens joined", ["a re- run is on"], ["a rerun is on"], (1, 3, 3)),
    ("by hand: said twice by the system", ["a b", "c d"], ["a b", "a b", "c d"], (2, 4, 4)),
    ("by hand: said twice by gold, boundaries elsewhere", ["y", "B", "B", "C"], ["y B", "B", "C"], (2, 4, 4)),
    ("convention: nothing against nothing", [], [], (0, 0, 0)),
    ("convention: nothing against something", [], ["a b"], (0, 0, 0)),
]


@pytest.mark.parametrize(("source", "gold", "system", "correct"), VECTORS, ids=[row[0] for row in VECTORS])
def test_correct_sentences_and_tokens(source, gold, system, correct):
    there, back = count(gold, system), count(system, gold)
    assert tuple(counts[0] for counts in there.values()) == correct
    assert back == swapped(there)


@given(segmentations())
def test_a_document_against_itself_is_perfect(document):
    for correct, gold, system in count(document, document).values():
        assert correct == gold == system
    assert set(align(document, document).blocks.sizes()) <= {"1:1"}


@given(two_texts())
def test_swapping_sides_swaps_precision_and_recall(pair):
    assert count(pair.gold, pair.system) == swapped(count(pair.system, pair.gold))


@given(two_texts(60))
def test_swapping_sides_of_longer_texts_does_so_too(pair):
    assert count(pair.gold, pair.system) == swapped(count(pair.system, pair.gold))


@given(two_texts())
def test_correct_never_exceeds_either_total(pair):
    counts = count(pair.gold, pair.system)
    for correct, gold, system in counts.values():
        assert correct <= min(gold, system)
    assert counts["tokens"][0] <= counts["tokens_in_place"][0]
    assert counts["sentences"][1:] == (len(pair.gold), len(pair.system))


@given(two_cuts())
def test_cutting_at_a_shared_boundary_adds_counts(pair):
    ends = {end for _, end in sentence_spans(pair.gold)} & {end for _, end in sentence_spans(pair.system)}
    whole = count(pair.gold, pair.system)
    for end in ends:
        parts = []
        for part in (slice(0, end), slice(end, None)):
            start, stop, _ = part.indices(len(line_of(pair.gold)))
            halves = [
                [
                    s
                    for s, (a, b) in zip(document, sentence_spans(document), strict=True)
                    if start <= a and b <= stop
                ]
                for document in (pair.gold, pair.system)
            ]
            parts.append(count(*halves))
        for name, counts in whole.items():
            assert counts == tuple(map(sum, zip(parts[0][name], parts[1][name], strict=True)))


@given(segmentations())
def test_case_costs_no_place(document):
    upper = [[token.upper() for token in sentence] for sentence in document]
    counts = count(document, upper)
    assert counts["sentences"] == (len(document),) * 3
    assert counts["tokens_in_place"][0] == counts["tokens_in_place"][1]


@given(segmentations())
def test_a_missing_side_scores_nothing_and_does_not_fail(document):
    for counts in count(document, []).values():
        assert counts[0] == 0


@given(two_texts())
def test_the_documents_are_left_as_they_are(pair):
    alignment = align(pair.gold, pair.system)
    assert list(alignment.gold.original) == pair.gold
    assert list(alignment.system.original) == pair.system


def test_multiword_tokens_do_not_disturb_tokens():
    gold = document_with_words([[("du", ["de", "le"]), ("pain", [])]])
    assert count(gold, ["du pain ."])["tokens"] == (2, 2, 3)
