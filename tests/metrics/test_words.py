"""Words that pair by form because characters differ: counts, also by unit, and errors."""

import numpy as np
import pytest

from alignment.counting import align, document_of, placed
from evalign.metrics.comparison import Comparison, Units
from evalign.metrics.errors.all_errors import find_mismatches
from evalign.metrics.registry import METRICS
from evalign.options import ScoreOptions
from metrics.comparisons import compare, count


def whole(alignment, **options):
    return Comparison(alignment, Units("whole", np.zeros(1, np.int32), ["all"]), ScoreOptions(**options))


PORTUGUESE = "às(a+as) cinco | vou à(a+a) praia | à(a+a) noite | no(em+o) mar"
APART = "a as cinco | vou a a praia | a a noite | em o mar"


@pytest.mark.parametrize(("gold", "system"), [(PORTUGUESE, APART), (APART, PORTUGUESE)])
@pytest.mark.parametrize("match", ["default", "text", "place"])
def test_words_written_apart_are_right_in_every_unit(gold, system, match):
    gold, system = document_of(gold), document_of(system)
    units = Units("sentence", gold.sentences[:-1], [str(k) for k in range(gold.n_sentences)])
    comparison = Comparison(align(gold, system), units, ScoreOptions(match=match))
    table = METRICS["words"].count(comparison)[:, :3]
    assert table.tolist() == [[n, n, n] for n in (3, 4, 3, 3)]


@pytest.mark.parametrize(("gold", "system"), [(PORTUGUESE, APART), (APART, PORTUGUESE)])
def test_words_written_apart_are_no_errors(gold, system):
    comparison = compare(document_of(gold), document_of(system))
    assert not list(find_mismatches(comparison, "words"))
    assert list(find_mismatches(comparison, "tokens"))


def test_a_word_that_is_missing_is_an_error_of_its_group_alone():
    comparison = compare(
        document_of("prix du(de+le) pain des(de+les) rois"), document_of("prix de la pain de les rois")
    )
    [mismatch] = find_mismatches(comparison, "words")
    assert (mismatch.gold, mismatch.system) == (("de", "le"), ("de", "la"))


def test_plain_words_in_one_place_count_by_form():
    alignment = placed(document_of("fo ob the bar"), document_of("foo the baz"), [(10, 9, 1)])
    assert count("words", whole(alignment))["correct"] == 1
    assert count("tokens", whole(alignment))["correct"] == 0
    [mismatch] = find_mismatches(whole(alignment), "words")
    assert mismatch.gold == ("fo", "ob", "the", "bar")


def test_plain_words_of_other_case_count_in_place_only():
    alignment = placed(document_of("fo ob The bar"), document_of("foo the baz"), [(10, 9, 1)])
    counts = count("words", whole(alignment))
    assert (counts["correct"], counts["in_place"], counts["same_text"]) == (0, 1, 0)
    assert count("words", whole(alignment, match="place"))["correct"] == 1
