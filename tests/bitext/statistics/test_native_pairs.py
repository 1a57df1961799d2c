"""Native pairs for people to review."""

import pytest

from bitext.datasets import Split, make_split, write_dataset
from evalign.bitext.scoring.review import REVIEW_COLUMNS, render_review
from evalign.bitext.statistics.native_pairs import anchor_words, read_reviewed, sample_review
from evalign.errors import InputError

TRAINING = "native pairs of training"


def pairs_of(samples):
    return [(pair["first"], pair["second"]) for sample in samples.values() for pair in sample]


@pytest.fixture
def dataset(tmp_path):
    """Two native pairs that share names, one of them a number too; one planted pair that shares more."""
    first = [
        "Le chat de Berlin mange en 1989 avec Marie.",
        "Une route mène de Lyon à Vienne.",
        "En 1815 Napoléon quitte Elba pour Cannes.",
        "Rien du tout ici.",
    ]
    second = [
        "The road from Lyon went to Vienne.",
        "Nothing here of Berlin.",
        "In 1815 Napoléon left Elba for Cannes.",
        "The cat of Berlin eats in 1989 with Marie.",
    ]
    return write_dataset(tmp_path / "d", training=Split(first, second, [(2, 2)]))


def test_native_pairs_with_common_names_are_found_and_planted_ones_are_not(dataset):
    samples = sample_review(dataset)
    assert pairs_of(samples) == [
        ("fr-000000001", "en-000000004"),
        ("fr-000000002", "en-000000001"),
    ]
    assert [*samples] == [TRAINING]
    more, less = (pair["score"] for pair in samples[TRAINING])
    assert 1 > more > less > 0


def test_one_common_word_is_not_enough(tmp_path):
    split = Split(["Il voit Berlin et Paris."], ["He sees Berlin and Rome."], [])
    assert sample_review(write_dataset(tmp_path / "d", test=split)) == {}


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The cat sat", set()),
        ("At 7 with X or 7,5", {"75"}),
        ("The cat of Anna", {"anna"}),
        ("Anna has 3.5 or 1,000,000", {"35", "1000000"}),
        ("At 10:30 on I-95", {"10:30", "95"}),
        ("Saint-Étienne or Saint-Étienne", {"saint-étienne"}),
        ("系统 Linux 和 GNU", {"linux", "gnu"}),
        ("Вот Linux и Москва", {"linux"}),
        ("", set()),
    ],
)
def test_words_that_may_be_the_same_in_two_languages(sentence, expected):
    assert anchor_words(sentence) == expected


def test_a_sample_is_by_seed_and_no_larger_than_asked(tmp_path):
    names = [f"{a}{b}la {a}{b}mo" for a in "BCDF" for b in "aeiouyêéàù"]
    split = Split([f"Voici {name}." for name in names], [f"Here are {name}." for name in names], [])
    dataset = write_dataset(tmp_path / "d", training=split)
    found = sample_review(dataset, size=5, seed=1)
    assert len(pairs_of(found)) == 5
    assert sample_review(dataset, size=5, seed=1) == found
    assert any(sample_review(dataset, size=5, seed=seed) != found for seed in (2, 3))
    assert len(pairs_of(sample_review(dataset, size=100, pool=7))) == 7


def test_splits_are_told_apart_and_one_without_gold_is_left_out(dataset, tmp_path):
    split = Split(["Voici Anna Maria."], ["Here is Anna Maria."], [])
    hidden = Split(["Voici Anna Maria."], ["Here is Anna Maria."], None)
    found = sample_review(write_dataset(tmp_path / "e", sample=split, training=split, test=hidden))
    assert [*found] == ["native pairs of sample", TRAINING]


def test_random_sentences_share_nothing(tmp_path):
    assert sample_review(write_dataset(tmp_path / "d", training=make_split())) == {}


def fill(path, dataset, verdicts):
    lines = render_review(sample_review(dataset)).splitlines()
    column = REVIEW_COLUMNS.index("parallel")
    for k, verdict in enumerate(verdicts, 1):
        cells = lines[k].split("\t")
        assert cells[column] == ""
        cells[column] = verdict
        lines[k] = "\t".join(cells)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_filled_table_says_what_share_is_parallel(dataset, tmp_path):
    found = read_reviewed(fill(tmp_path / "r.tsv", dataset, ["y", "n"]))
    assert (found["reviewed"], found["parallel"], found["precision"]) == (2, 1, 0.5)
    # Wilson's interval of 1 in 2.
    assert (round(found["low"], 3), round(found["high"], 3)) == (0.095, 0.905)


def test_a_pair_that_was_not_judged_does_not_count(dataset, tmp_path):
    found = read_reviewed(fill(tmp_path / "r.tsv", dataset, ["y", ""]))
    assert (found["reviewed"], found["precision"]) == (1, 1.0)


@pytest.mark.parametrize(
    ("verdicts", "told"), [(["y", "maybe"], "r.tsv:3: parallel is"), (["", ""], "no verdict")]
)
def test_a_table_that_is_filled_in_wrongly(dataset, tmp_path, verdicts, told):
    with pytest.raises(InputError, match=told):
        read_reviewed(fill(tmp_path / "r.tsv", dataset, verdicts))


def test_false_pairs_of_a_system_are_refused(dataset, tmp_path):
    path = fill(tmp_path / "r.tsv", dataset, ["y", "n"])
    path.write_text(path.read_text(encoding="utf-8").replace(TRAINING, "mine.tsv"), encoding="utf-8")
    with pytest.raises(InputError, match=r'pairs of "mine.tsv"'):
        read_reviewed(path)


def test_sentences_stay_on_their_line(tmp_path):
    split = Split(["Voici\tAnna  Maria."], ["Here is Anna Maria."], [])
    text = render_review(sample_review(write_dataset(tmp_path / "d", training=split)))
    assert [len(line.split("\t")) for line in text.splitlines()] == [len(REVIEW_COLUMNS)] * 2
