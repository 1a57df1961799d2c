"""Scores of pairs against a plain computation over sets."""

import random
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, strategies as st

from bitext.scoring.pairfiles import id_of, pair_file
from evalign import Text
from evalign.bitext.pairs import IdPairs, read_pairs
from evalign.bitext.scoring.curves import Curve, are_gold, make_curve
from evalign.bitext.scoring.pair_scores import find_pair_units, score_pairs
from evalign.errors import CommandError, InputError
from oracles import pairs as oracle

NUMBERS = st.integers(1, 6)
# Few enough to be equal often, and as far apart as floats are.
SCORES = st.sampled_from([-1.7e308, -1.0, 0.0, 5e-324, 0.25, 0.5, 1.0, 1.7e308])
GOLD = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=15)
SCORED = st.lists(st.tuples(NUMBERS, NUMBERS, SCORES), max_size=25)


def counts_of(score):
    return oracle.Counts(*(score.counts[name] for name in ("correct", "gold", "system")))


def make(gold, *systems, **options):
    files = [pair_file(system, f"{k}.tsv") for k, system in enumerate(systems)]
    return score_pairs(pair_file(gold, "gold"), *files, **options)


@given(GOLD, SCORED, SCORED)
def test_counts_are_those_of_sets(gold, one, two):
    result = make(gold, one, two)
    for system, lines in zip(result.systems, (one, two), strict=True):
        expected = oracle.count(gold, [line[:2] for line in lines])
        assert counts_of(system["pairs"]) == expected
        assert system["pairs"].f1 == float(oracle.f1(expected))
        assert system["pairs"].precision == (expected.correct / expected.system if expected.system else None)


@given(GOLD, SCORED)
def test_without_scores_nothing_but_the_counts_is_known(gold, lines):
    system = make(gold, [line[:2] for line in lines], recall_at=[2]).systems[0]
    assert counts_of(system["pairs"]) == oracle.count(gold, [line[:2] for line in lines])
    assert set(system.scores) == {"pairs", "recall-at-2"}
    # Who finds nothing has found nothing among the first two, either.
    assert system["recall-at-2"].recall == (None if lines else 0)
    assert set(system.pairing) == {"false", "missed"}


@given(GOLD, SCORED, st.integers(1, 4))
def test_curve_thresholds_and_ranks_are_those_of_a_plain_computation(gold, lines, most):
    system = make(gold, lines, recall_at=[most]).systems[0]
    scored = oracle.keep_best(lines)
    if not scored:
        assert "curve" not in system.pairing
        return
    traced = oracle.trace(set(gold), scored)
    points = system.pairing["curve"]
    assert [(p["threshold"], p["correct"], p["system"]) for p in points] == [
        (threshold, counts.correct, counts.system) for threshold, counts in traced
    ]
    assert [p["recall"] for p in points] == [counts.correct / counts.gold for _, counts in traced]
    assert system.pairing["average_precision"] == pytest.approx(
        float(oracle.average_precision(set(gold), scored)), abs=1e-12
    )
    best = oracle.find_best(set(gold), scored)
    assert system.pairing["oracle"]["threshold"] == best
    assert counts_of(system["pairs-oracle"]) == oracle.count(gold, oracle.keep(scored, best))
    assert system[f"recall-at-{most}"].counts["correct"] == oracle.recall_at(set(gold), scored, most)
    assert system[f"recall-at-{most}"].counts["gold"] == len(set(gold))


@given(GOLD, SCORED, GOLD, SCORED)
def test_the_threshold_of_training_is_applied(gold, lines, training_gold, training_lines):
    learned = oracle.keep_best(training_lines)
    files = [pair_file(training_gold, "t.gold"), pair_file(training_lines, "t.tsv")]
    if not set(training_gold) & set(learned):
        with pytest.raises(InputError):
            make(gold, lines, training=files)
        return
    system = make(gold, lines, training=files).systems[0]
    threshold = oracle.find_best(set(training_gold), learned)
    trained = system.pairing["trained"]
    there = oracle.count(training_gold, oracle.keep(learned, threshold))
    assert (trained["threshold"], trained["chosen_on"]) == (threshold, "t.gold")
    assert (trained["correct"], trained["gold"], trained["system"]) == there
    assert trained["f1"] == float(oracle.f1(there))
    kept = oracle.keep(oracle.keep_best(lines), threshold)
    assert counts_of(system["pairs-trained"]) == oracle.count(gold, kept)
    assert f"|threshold:training({threshold!r})" in system.signature
    # All false and missed pairs are kept: there are few.
    false = {(pair["first"], pair["second"]) for pair in system.pairing["false"]}
    assert false == {(id_of("fr", a), id_of("en", b)) for a, b in kept - set(gold)}
    missed = {(pair["first"], pair["second"]) for pair in system.pairing["missed"]}
    assert missed == {(id_of("fr", a), id_of("en", b)) for a, b in set(gold) - kept}


# Decimals that are the same float as others, equal to them or not; some are equal and written otherwise.
WRITTEN = st.sampled_from(
    ["0.5", "0.50", "5e-1", "0.50000000000000000000", "0.50000000000000000001", "0.49999999999999999999", "0.4",
     "9007199254740992", "9007199254740993", "9007199254740992.0000001", "0", "-0.0", "1e-400", "-1e-400", "4e-324",
     "5e-324", "8.000000000000001", "8.0000000000000011", "0.30000000000000004", "0.300000000000000041"]
)  # fmt: skip
WRITTEN_LINES = st.lists(st.tuples(NUMBERS, NUMBERS, WRITTEN), max_size=25)


def written_file(lines, name):
    text = "".join(f"{id_of('fr', a)}\t{id_of('en', b)}\t{score}\n" for a, b, score in lines)
    return Text(text, name=name)


def as_decimals(lines):
    return [(a, b, Decimal(score)) for a, b, score in lines]


@given(GOLD, WRITTEN_LINES, GOLD, WRITTEN_LINES, st.integers(1, 4))
def test_scores_are_compared_as_the_decimals_that_are_written(
    gold, lines, training_gold, training_lines, most
):
    scored, learned = oracle.keep_best(as_decimals(lines)), oracle.keep_best(as_decimals(training_lines))
    files = [pair_file(training_gold, "t.gold"), written_file(training_lines, "t.tsv")]
    training = files if set(training_gold) & set(learned) else []
    result = score_pairs(
        pair_file(gold, "gold"), written_file(lines, "s.tsv"), training=training, recall_at=[most]
    )
    system = result.systems[0]
    if training:
        threshold = oracle.find_best(set(training_gold), learned)
        assert counts_of(system["pairs-trained"]) == oracle.count(gold, oracle.keep(scored, threshold))
        trained = system.pairing["trained"]
        assert trained["threshold"] == float(threshold)
        assert Decimal(trained.get("written", repr(trained["threshold"]))) == threshold
    if scored:
        best = oracle.find_best(set(gold), scored)
        assert counts_of(system["pairs-oracle"]) == oracle.count(gold, oracle.keep(scored, best))
        traced = oracle.trace(set(gold), scored)
        points = system.pairing["curve"]
        assert [(p["threshold"], p["correct"], p["system"]) for p in points] == [
            (float(threshold), counts.correct, counts.system) for threshold, counts in traced
        ]
        assert system[f"recall-at-{most}"].counts["correct"] == oracle.recall_at(set(gold), scored, most)


def test_a_threshold_of_many_digits_is_told_as_it_is_written():
    long, short = "0.930000000000000000001", "0.93"
    gold = pair_file([(1, 1), (2, 2)], "gold")
    system = written_file([(1, 1, long), (2, 2, short), (3, 3, short)], "s.tsv")
    found = score_pairs(
        gold,
        system,
        training=[pair_file([(1, 1)], "t.gold"), written_file([(1, 1, long), (4, 4, short)], "t.tsv")],
    ).systems[0]
    assert found["pairs-trained"].counts["system"] == 1, "0.93 is below it"
    assert found.pairing["trained"]["written"] == long
    assert f"threshold:training({long})" in found.signature
    # And the other way round: what is written with more digits is above a short threshold.
    found = score_pairs(
        gold,
        system,
        training=[pair_file([(1, 1)], "t.gold"), written_file([(1, 1, short), (4, 4, "0.9")], "t.tsv")],
    ).systems[0]
    assert found["pairs-trained"].counts["system"] == 3
    assert "written" not in found.pairing["trained"]


def test_best_thresholds_are_equal_only_where_their_fractions_are():
    # 1/3 against (10**15 + 1)/(3 * 10**15 + 2), which is larger by 3e-16 and the nearest float of both.
    large = 10**15
    curve = Curve(1, np.array([0.9, 0.5]), np.array([2, 3 * large + 1]), np.array([1, large + 1], np.int64))
    shares = curve.correct / (curve.gold + curve.system)
    assert abs(shares[0] - shares[1]) < 1e-15
    assert curve.find_best() == 1
    equal = Curve(1, np.array([0.9, 0.5]), np.array([2, 3 * large - 1]), np.array([1, large], np.int64))
    assert equal.find_best() == 0, "of equal ones the highest"


@given(GOLD, SCORED)
def test_what_is_in_several_pairs_is_reported(gold, lines):
    ledger = make(gold, lines).systems[0].ledger.pairs
    pairs = {line[:2] for line in lines}
    assert (ledger.first.gold, ledger.second.gold) == tuple(oracle.several(set(gold), k) for k in (0, 1))
    assert (ledger.first.system, ledger.second.system) == tuple(oracle.several(pairs, k) for k in (0, 1))
    assert ledger.repeated[:2] == (len(gold) - len(set(gold)), len(lines) - len(pairs))


@given(GOLD, SCORED, st.integers(1, 8))
def test_units_are_first_ids_and_add_up_whatever_is_one_of_them(gold, lines, most):
    gold_pairs, system = (read_pairs(pair_file(each)) for each in (gold, lines))
    firsts = system.first[are_gold(system, gold_pairs)], gold_pairs.first, system.first
    ids = sorted({pair[0] for pair in (*gold, *lines)})
    single = find_pair_units(gold_pairs, [system])
    assert (list(single.names), single.merged) == ([id_of("fr", number) for number in ids], 1)
    merged = find_pair_units(gold_pairs, [system], most=most)
    assert len(merged) <= most
    rows, few = (units.count(*map(units.find, firsts)) for units in (single, merged))
    assert rows.sum(axis=0).tolist() == few.sum(axis=0).tolist() == [len(each) for each in firsts]
    for k, number in enumerate(ids):
        mine = {pair[:2] for pair in lines if pair[0] == number}
        assert tuple(rows[k]) == oracle.count([pair for pair in gold if pair[0] == number], mine)
    assert (single.kind, merged.kind) == (
        "foreign id",
        "group of foreign ids" if merged.merged > 1 else "foreign id",
    )
    if merged.merged > 1:
        assert merged.names[0] == f"from {id_of('fr', ids[0])}"
        assert merged.describe() == f"foreign-id({len(merged)})x{merged.merged}"
        size = merged.merged
        assert few.tolist() == [rows[k : k + size].sum(axis=0).tolist() for k in range(0, len(ids), size)]


@given(GOLD, SCORED, st.randoms(use_true_random=False))
def test_the_order_of_lines_does_not_matter(gold, lines, rng):
    def said(result):
        system = result.systems[0]
        return {name: score.to_dict() for name, score in system.scores.items()}, {
            key: system.pairing[key] for key in system.pairing
        }

    shuffled = rng.sample(lines, len(lines))
    assert said(make(gold, lines)) == said(make(rng.sample(gold, len(gold)), shuffled))


@given(GOLD)
def test_gold_against_itself_is_perfect(gold):
    assert make(gold, gold)["pairs"].f1 == 1


def test_points_of_a_long_curve_are_thinned_and_the_best_is_kept():
    rng = random.Random(3)
    gold = [(k, k) for k in range(1, 400)]
    lines = [(k, k if rng.random() < 0.4 else k + 1, rng.random()) for k in range(1, 3000)]
    pairing = make(gold, lines).systems[0].pairing
    points = pairing["curve"]
    assert 400 < len(points) <= 501
    assert [p["threshold"] for p in points] == sorted((p["threshold"] for p in points), reverse=True)
    scored = oracle.keep_best(lines)
    ends = sorted(scored.values())
    assert [points[0]["threshold"], points[-1]["threshold"]] == [ends[-1], ends[0]]
    assert pairing["oracle"]["threshold"] in [p["threshold"] for p in points]


def test_an_average_precision_by_hand():
    # By hand: ranks 1 and 2 come together with precision 1/2, rank 3 is right: 2/3. (1/2 + 2/3 + 0) / 3 = 7/18.
    pairing = make([(1, 1), (2, 2), (3, 3)], [(1, 1, 0.9), (1, 9, 0.9), (2, 2, 0.5)]).systems[0].pairing
    assert pairing["average_precision"] == pytest.approx(7 / 18)
    assert [p["precision"] for p in pairing["curve"]] == [0.5, 2 / 3]


def test_a_curve_of_nothing_has_nothing_that_is_best():
    curve = make_curve(
        IdPairs("", ("fr", "en"), *[np.empty(0, np.int64)] * 2, np.empty(0)), np.empty(0, bool), 3
    )
    assert (len(curve), curve.find_best(), curve.average_precision, curve.points()) == (0, None, 0.0, [])
    assert Curve(0, np.empty(0), np.empty(0, np.int64), np.empty(0, np.int64)).average_precision is None


def test_of_thresholds_that_are_equally_good_the_highest_is_taken():
    # By hand: F1 is 2/3 with the first pair alone, 1/2 with two, and 2/3 again with all four.
    lines = [(1, 1, 0.9), (3, 9, 0.8), (4, 9, 0.7), (2, 2, 0.6)]
    system = make([(1, 1), (2, 2)], lines).systems[0]
    assert system.pairing["oracle"] == {
        "threshold": 0.9, "chosen_on": "gold", "correct": 1, "gold": 2, "system": 1, "f1": 2 / 3,
    }  # fmt: skip


def test_a_zero_has_no_sign():
    result = make(
        [(1, 1)], [(1, 1, -0.0), (2, 2, 0.0)], training=[pair_file([(1, 1)]), pair_file([(1, 1, -0.0)])]
    )
    assert len(result.systems[0].pairing["curve"]) == 1
    assert "training(0.0)" in result.signature


def test_a_system_without_a_pair_finds_nothing():
    result = make([(1, 1)], [], [(1, 1, 0.5)], recall_at=[1])
    empty, other = result.systems
    assert counts_of(empty["pairs"]) == (0, 1, 0)
    assert (empty["pairs"].f1, empty["recall-at-1"].recall) == (0, 0)
    assert (empty["pairs-oracle"].available, other["pairs-oracle"].f1) == (False, 1)
    assert result.warnings == ("0.tsv: no pair",)


def test_with_a_threshold_of_training_a_system_without_a_pair_finds_nothing_either():
    training = [pair_file([(1, 1)]), pair_file([(1, 1, 0.5)])]
    system = make([(1, 1)], [], training=training).systems[0]
    assert counts_of(system["pairs-trained"]) == (0, 1, 0)


def test_several_pairs_of_one_sentence_all_count():
    system = make([(1, 1), (1, 2), (2, 2)], [(1, 1), (1, 2), (3, 2)]).systems[0]
    assert counts_of(system["pairs"]) == (2, 3, 3)
    assert system.ledger.pairs.first == (1, 1, ())
    assert system.ledger.pairs.second == (1, 1, ())


def test_a_pair_that_is_said_again_counts_once_with_its_best_score():
    result = make([(1, 1), (2, 2)], [(1, 1, 0.2), (1, 1, 0.8), (3, 3, 0.5), (1, 1, 0.2)])
    system = result.systems[0]
    assert counts_of(system["pairs"]) == (1, 2, 2)
    assert [p["threshold"] for p in system.pairing["curve"]] == [0.8, 0.5]
    assert system.ledger.pairs.repeated == (0, 2, ("0.tsv:1", "0.tsv:4"))
    said = "0.tsv: repeated pairs: 2 (lines 1, 4); each is counted once, with its best score"
    assert result.warnings == (said,)


def test_candidates_of_equal_score_are_all_before_each_other():
    gold = [(1, 1), (2, 1)]
    lines = [(1, 1, 0.9), (1, 2, 0.9), (1, 3, 0.9), (1, 4, 0.1), (2, 5, 0.8), (2, 1, 0.3)]
    scores = make(gold, lines, recall_at=[1, 2, 3]).systems[0].scores
    assert [scores[f"recall-at-{k}"].counts["correct"] for k in (1, 2, 3)] == [0, 1, 2]


def test_signatures_say_everything_that_could_move_a_number():
    result = make([(1, 1)], [(1, 2)])
    said = "task:bitext|languages:fr-en|match:sets-of-id-pairs|ties:together|average:micro|unit:foreign-id(1)"
    assert result.signature.partition("|")[2] == said


REFUSED = [
    ("gold without a pair", [], [[(1, 1)]], {}, "gold: no pair\n  expected gold pairs to find"),
    ("training without scores", [(1, 1)], [[(1, 1, 0.5)]], {"training": [[(2, 2)], [(2, 2)]]},
     "t1.tsv:1: pairs without scores\n  expected a third column with a score, to choose a threshold by"),
    ("training without a pair", [(1, 1)], [[(1, 1, 0.5)]], {"training": [[(2, 2)], []]},
     "t1.tsv: no pair\n  expected a third column with a score, to choose a threshold by"),
    ("training without gold", [(1, 1)], [[(1, 1, 0.5)]], {"training": [[], [(2, 2, 0.5)]]},
     "t0.tsv: no pair\n  expected gold pairs to choose a threshold by"),
    ("training without a pair that is right", [(1, 1)], [[(1, 1, 0.5)]], {"training": [[(2, 2)], [(2, 3, 0.5)]]},
     "t1.tsv:1: none of its pairs is in t0.tsv\n  expected some, to choose a threshold by"),
    ("no scores to apply a threshold to", [(1, 1)], [[(1, 1)]], {"training": [[(2, 2)], [(2, 2, 0.5)]]},
     "0.tsv:1: pairs without scores\n  expected scores, to apply the threshold to"),
    ("a file of training too few", [(1, 1)], [[(1, 1, 0.5)], [(1, 1, 0.5)]], {"training": [[(2, 2)], [(2, 2, 0.5)]]},
     "training files: 2, systems: 2\n  expected gold of the training split, then a file of each system for it, in their order"),
    ("recall at nothing", [(1, 1)], [[(1, 1, 0.5)]], {"recall_at": [0]},
     "recall at 0\n  expected numbers of candidates from 1 up"),
    ("fewer examples than none", [(1, 1)], [[(1, 1)]], {"examples": -1}, "examples: -1\n  expected how many to keep, from 0 up"),
    ("no system", [(1, 1)], [], {}, "no system to score\n  expected gold and at least one system"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("what", "gold", "systems", "options", "said"), REFUSED, ids=[row[0] for row in REFUSED]
)
def test_what_cannot_be_scored_is_refused(what, gold, systems, options, said):
    if "training" in options:
        files = [pair_file(each, f"t{k}.tsv") for k, each in enumerate(options["training"])]
        options = {"training": files}
    with pytest.raises((InputError, CommandError)) as refused:
        make(gold, *systems, **options)
    assert str(refused.value) == said


def test_files_of_other_languages_are_refused():
    gold = pair_file([(1, 1)], "gold")
    with pytest.raises(InputError) as refused:
        score_pairs(gold, pair_file([(9, 9), (1, 1)], "x.tsv", ("en", "fr")))
    assert str(refused.value) == (
        "x.tsv:1: ids of en and fr\n  expected of fr and en, as in gold\n  its columns are swapped"
    )
    training = [pair_file([(1, 1)], "t.gold", ("de", "en")), pair_file([(1, 1, 0.5)], "t.tsv", ("de", "en"))]
    with pytest.raises(InputError) as refused:
        score_pairs(gold, pair_file([(1, 1, 0.5)]), training=training)
    assert str(refused.value) == "t.gold:1: ids of de and en\n  expected of fr and en, as in gold"


def test_training_on_the_gold_that_is_scored_is_warned_of():
    gold, system = pair_file([(1, 1)], "gold"), pair_file([(1, 1, 0.5)], "x.tsv")
    (told,) = score_pairs(gold, system, training=[gold, system]).warnings
    assert (
        told
        == "gold is the training gold too: pairs-trained is then no more than pairs-oracle, and no result"
    )
    other = pair_file([(1, 1)], "training.gold")
    assert not score_pairs(gold, system, training=[other, system]).warnings
