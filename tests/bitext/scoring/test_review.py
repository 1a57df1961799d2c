"""Review of false pairs by people, and precision corrected by their judgements."""

import csv
import math

import pytest
from hypothesis import given, strategies as st

from bitext.scoring.pairfiles import id_of, pair_file
from evalign import Text
from evalign.bitext.scoring.pair_scores import score_pairs
from evalign.bitext.scoring.review import REVIEW_COLUMNS, correct_precision, read_review, render_review
from evalign.errors import InputError
from evalign.metrics.counts import Counts

GOLD = [(k, k) for k in range(1, 21)]
# Six that are right, ten that are not.
LINES = [*GOLD[:6], *((k, 100) for k in range(1, 11))]
HEADER = "\t".join(REVIEW_COLUMNS)


def make(lines=LINES, **options):
    return score_pairs(pair_file(GOLD, "gold"), pair_file(lines, "one.tsv"), **options)


def fill(table, verdicts):
    """A table with verdicts in its lines, as long as there are some."""
    head, *lines = table.splitlines()
    filled = []
    for k, line in enumerate(lines):
        fields = line.split("\t")
        fields[4] = verdicts[k] if k < len(verdicts) else ""
        filled.append("\t".join(fields))
    return Text("\n".join([head, *filled]) + "\n", name="review.tsv")


def written(result):
    return render_review({system.name: system.pairing["false"] for system in result.systems})


def test_a_review_is_written_and_read_back(tmp_path):
    table = written(make())
    assert table.splitlines()[:2] == [HEADER, "one.tsv\tfr-000000001\ten-000000100\t\t\t\t"]
    path = tmp_path / "review.tsv"
    path.write_text(fill(table, "yYnn1n0").text, encoding="utf-8")
    assert read_review(path) == {
        "one.tsv": {
            (id_of("fr", k), id_of("en", 100)): said
            for k, said in enumerate([True, True, False, False, True, False, False], 1)
        }
    }


def test_precision_is_corrected_by_hand():
    # By hand: 6 of 26 are right; of 20 false ones 10 are looked at, and 3 parallel, (6 + 0.3 * 20) / 26 = 12/26.
    # Wilson's interval of 3 in 10: (0.3 + z²/20 ± z sqrt(0.021 + z²/400)) / (1 + z²/10), from 0.1078 to 0.6032.
    review = correct_precision("pairs", Counts(6, 20, 26), [True] * 3 + [False] * 7)
    assert (review["reviewed"], review["parallel"], review["precision"]) == (10, 3, 12 / 26)
    z = 1.959963984540054
    half = z * math.sqrt(0.021 + z * z / 400) / (1 + z * z / 10)
    middle = (0.3 + z * z / 20) / (1 + z * z / 10)
    assert (middle - half, middle + half) == pytest.approx((0.1078, 0.6032), abs=5e-5)
    assert review["low"] == pytest.approx((6 + 20 * (middle - half)) / 26)
    assert review["high"] == pytest.approx((6 + 20 * (middle + half)) / 26)


@pytest.mark.issue(28)
@given(st.integers(0, 30), st.lists(st.booleans(), max_size=30), st.sampled_from([0, 1, 17]))
def test_there_is_an_interval_only_where_some_false_pairs_were_not_judged(correct, verdicts, n_others):
    counts = Counts(correct, 40, correct + len(verdicts) + n_others)
    review = correct_precision("pairs", counts, verdicts)
    assert (review["low"] is None) == (review["high"] is None) == (not verdicts or not n_others)
    if verdicts and not n_others:
        assert review["precision"] == pytest.approx((correct + sum(verdicts)) / counts.system)
    elif verdicts:
        assert review["low"] - 1e-12 <= review["precision"] <= review["high"] + 1e-12


WILSON = [
    # Newcombe 1998, Statistics in Medicine 17, Table I, method 3: share of successes, and the interval.
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0.0, 0.1611),
    (1, 29, 0.0061, 0.1718),
]


@pytest.mark.parametrize(("successes", "trials", "low", "high"), WILSON)
def test_intervals_are_wilsons(successes, trials, low, high):
    # All pairs are false: the corrected precision is the share itself.
    verdicts = [True] * successes + [False] * (trials - successes)
    review = correct_precision("pairs", Counts(0, 9, 1000), verdicts)
    assert (review["low"], review["high"]) == pytest.approx((low, high), abs=5e-5)


def test_nothing_that_was_looked_at_corrects_nothing():
    review = correct_precision("pairs", Counts(6, 20, 16), [])
    assert (review["precision"], review["low"], review["high"]) == (None, None, None)
    assert correct_precision("pairs", Counts(0, 20, 0), [True])["precision"] is None


def test_a_result_has_the_corrected_precision():
    reviewed = fill(written(make()), "yyynnnnnnn")
    review = make(reviewed=reviewed).systems[0].pairing["review"]
    assert (review["of"], review["precision"]) == ("pairs", 9 / 16)


def test_only_false_pairs_that_count_are_looked_up():
    said = [
        f"one.tsv\t{id_of('fr', 1)}\t{id_of('en', 1)}\t\ty\t\t",  # is gold
        f"one.tsv\t{id_of('fr', 1)}\t{id_of('en', 999)}\t\ty\t\t",  # is not the system's
        f"two.tsv\t{id_of('fr', 2)}\t{id_of('en', 100)}\t\ty\t\t",  # is another system's
        f"one.tsv\t{id_of('fr', 3)}\t{id_of('en', 100)}\t\tn\t\t",
    ]
    review = make(reviewed=Text("\n".join([HEADER, *said]), name="r")).systems[0].pairing["review"]
    assert (review["reviewed"], review["parallel"]) == (1, 0)


def test_with_a_threshold_of_training_its_false_pairs_are_looked_at():
    training = [pair_file([(1, 1)]), pair_file([(1, 1, 0.5)])]
    lines = [(1, 1, 0.9), (2, 100, 0.8), (3, 100, 0.1)]
    result = make(lines, training=training)
    assert [pair["first"] for pair in result.systems[0].pairing["false"]] == [id_of("fr", 2)]
    review = make(lines, training=training, reviewed=fill(written(result), "y")).systems[0].pairing["review"]
    assert (review["of"], review["reviewed"], review["precision"]) == ("pairs-trained", 1, 1.0)


def test_a_system_that_nobody_said_anything_of_is_warned_of():
    reviewed = Text(f"{HEADER}\ntwo.tsv\t{id_of('fr', 1)}\t{id_of('en', 100)}\t\ty\t\t\n", name="r")
    result = make(reviewed=reviewed)
    assert result.systems[0].pairing["review"]["reviewed"] == 0
    assert result.warnings == ("one.tsv: no verdict on any of its pairs",)


def test_names_with_blanks_come_back():
    name = "my  first\tsystem.tsv"
    result = score_pairs(pair_file(GOLD, "gold"), pair_file(LINES, name))
    reviewed = fill(written(result), "yn")
    again = score_pairs(pair_file(GOLD, "gold"), pair_file(LINES, name), reviewed=reviewed)
    assert again.systems[0].pairing["review"]["reviewed"] == 2


def test_a_spreadsheet_may_have_rewritten_the_table(tmp_path):
    path = tmp_path / "review.tsv"
    table = fill(written(make()), "yn").text
    path.write_bytes("\ufeff".encode() + table.replace("\n", "\r\n").encode() + b"\r\n\r\n")
    assert len(read_review(path)["one.tsv"]) == 2


@pytest.mark.parametrize("name", ["=one.tsv", "-x", '"', 'a "b".tsv', "'=x", "\\"])
def test_names_come_back_whatever_a_spreadsheet_makes_of_them(name):
    result = score_pairs(pair_file(GOLD, "gold"), pair_file(LINES, name))
    table = fill(written(result), "yn")
    cells = next(csv.reader(table.text.splitlines()[1:], "excel-tab"))
    assert cells[0] == (name if name[0] not in "=-" else f"'{name}")
    again = score_pairs(pair_file(GOLD, "gold"), pair_file(LINES, name), reviewed=table)
    assert again.systems[0].pairing["review"]["reviewed"] == 2


def test_sentences_stay_in_their_cells_and_are_no_formulas():
    texts = {"first_text": '"Never," he said', "second_text": "=1+1"}
    table = render_review({"one.tsv": [{"first": "fr-1", "second": "en-1", "score": None, **texts}] * 2})
    rows = [*csv.reader(table.splitlines(), "excel-tab")]
    assert [row[5:] for row in rows[1:]] == [['"Never," he said', "'=1+1"]] * 2


def test_samples_are_drawn_by_seed_and_in_the_order_of_ids():
    lines = [(k, 1) for k in range(1, 2001)]

    def drawn(**options):
        return [pair["first"] for pair in make(lines, **options).systems[0].pairing["false"]]

    assert drawn(examples=30) == sorted(drawn(examples=30))
    assert len(set(drawn(examples=30))) == 30
    assert drawn(examples=30) != drawn(examples=30, seed=2)
    assert set(drawn(examples=10)) <= {
        pair["first"] for pair in make(lines, examples=2000).systems[0].pairing["false"]
    }
    assert drawn(examples=0) == []
    assert len(drawn(examples=2000)) == 1999  # all but the one that is right


BAD = [
    ("no header", "one.tsv\tfr-000000001\ten-000000100\t\ty\n", "r:1: \"one.tsv\\tfr-000000001\\ten-000000100\\t\\ty\""),
    ("a word for a verdict", f"{HEADER}\nx\tfr-000000001\ten-000000100\t\tmaybe\t\t\n", 'r:2: parallel is "maybe"'),
    ("no ids", f"{HEADER}\nx\tfr-1\ten-000000100\t\ty\t\t\n", 'r:2: "fr-1" and "en-000000100"'),
    ("too few columns", f"{HEADER}\nx\tfr-000000001\n", "r:2: columns: 2"),
    ("no verdict", f"{HEADER}\nx\tfr-000000001\ten-000000100\t\t\t\t\n", "r: no verdict"),
    ("nothing", "", 'r:1: ""'),
]  # fmt: skip


@pytest.mark.parametrize(("what", "text", "said"), BAD, ids=[row[0] for row in BAD])
def test_what_is_no_review_is_refused(what, text, said):
    with pytest.raises(InputError) as refused:
        read_review(Text(text, name="r"))
    assert str(refused.value).splitlines()[0] == said
