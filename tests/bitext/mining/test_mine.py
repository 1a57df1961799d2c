"""Mining of whole data sets from Python."""

import numpy as np
import pytest

from bitext.mining.minedsets import FIRST, GOLD, PARALLEL, SECOND, write_dataset
from evalign.bitext.mining.lexicon import learn_lexicon
from evalign.bitext.mining.mine import mine_pairs, render_pairs, write_mined
from evalign.bitext.pairs import read_pairs
from evalign.errors import CommandError, InputError


@pytest.fixture
def lexicon(tmp_path):
    path = tmp_path / "parallel.tsv"
    path.write_text(PARALLEL, encoding="utf-8")
    return [path]


@pytest.fixture
def dataset(tmp_path):
    return write_dataset(tmp_path / "set")


def pairs_of(pairs):
    return [*zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)]


def bag_of_letters(sentences):
    """An encoder that knows Latin letters only."""
    return [
        [sentence.count(letter) for letter in "abcdefghijklmnopqrstuvwxyz0123456789"]
        for sentence in sentences
    ]


def test_translations_are_found_best_first(dataset, lexicon):
    mined = mine_pairs(dataset, lexicon=lexicon)
    assert list(mined) == ["test"]
    assert pairs_of(mined["test"])[: len(GOLD)] == GOLD
    best = np.argsort(-mined["test"].scores)[: len(GOLD)]
    assert {pairs_of(mined["test"])[k] for k in best} == set(GOLD)


def test_every_sentence_is_in_one_pair_at_most(dataset, lexicon):
    pairs = mine_pairs(dataset, lexicon=lexicon)["test"]
    assert len(set(pairs.first.tolist())) == len(set(pairs.second.tolist())) == len(pairs)
    assert (pairs.scores > 0).all()


def test_a_threshold_keeps_what_is_above_it(dataset, lexicon):
    everything = mine_pairs(dataset, lexicon=lexicon)["test"]
    limit = float(np.sort(everything.scores)[0])
    fewer = mine_pairs(dataset, lexicon=lexicon, threshold=limit)["test"]
    assert len(fewer) < len(everything)
    assert (fewer.scores > limit).all()


def test_files_are_read_as_the_pairs_they_were(dataset, lexicon, tmp_path):
    mined = mine_pairs(dataset, lexicon=lexicon)
    written = write_mined(mined, tmp_path / "mined", pair="fr-en", method="lexical")
    assert written == {"test": tmp_path / "mined" / "fr-en.test.lexical.tsv"}
    read = read_pairs(written["test"])
    assert pairs_of(read) == pairs_of(mined["test"])
    assert read.scores.tolist() == mined["test"].scores.tolist()
    lines = written["test"].read_text(encoding="utf-8").splitlines()
    scores = [float(line.split("\t")[2]) for line in lines]
    assert scores == sorted(scores, reverse=True)
    assert all(len(line.split("\t")[2].split(".")[1]) == 6 for line in lines)


def test_the_order_of_lines_in_a_corpus_does_not_matter(dataset, lexicon):
    before = render_pairs(mine_pairs(dataset, lexicon=lexicon)["test"])
    for path in (dataset / "fr-en.test.fr", dataset / "fr-en.test.en"):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join(reversed(lines)), encoding="utf-8")
    assert render_pairs(mine_pairs(dataset, lexicon=lexicon)["test"]) == before


def test_gold_is_never_read(dataset, lexicon):
    before = render_pairs(mine_pairs(dataset, lexicon=lexicon)["test"])
    (dataset / "fr-en.test.gold").unlink()
    assert render_pairs(mine_pairs(dataset, lexicon=lexicon)["test"]) == before


def test_all_splits_are_mined_or_those_asked_for(dataset, lexicon):
    write_dataset(dataset, split="training")
    assert list(mine_pairs(dataset, lexicon=lexicon)) == ["training", "test"]
    assert list(mine_pairs(dataset, lexicon=lexicon, splits=["test"])) == ["test"]
    with pytest.raises(CommandError, match=r'no split "sample" .*\n  expected one of training, test'):
        mine_pairs(dataset, lexicon=lexicon, splits=["sample"])


def test_a_lexicon_may_be_given_as_a_value(dataset, lexicon):
    pairs = [tuple(side.split() for side in line.split("\t")) for line in PARALLEL.splitlines()]
    given = mine_pairs(dataset, lexicon=learn_lexicon(pairs))
    assert pairs_of(given["test"]) == pairs_of(mine_pairs(dataset, lexicon=lexicon)["test"])


def test_a_lexicon_the_other_way_round_is_refused(dataset, tmp_path):
    path = tmp_path / "swapped.tsv"
    swapped = ["\t".join(reversed(line.split("\t"))) for line in PARALLEL.splitlines()]
    path.write_text("\n".join(swapped), encoding="utf-8")
    with pytest.raises(CommandError, match=r"of fr and en, in this order\n  .*the other way round"):
        mine_pairs(dataset, lexicon=[path])


def test_a_lexicon_of_other_languages_is_refused(dataset, tmp_path):
    path = tmp_path / "other.tsv"
    path.write_text("der hund schläft\tkoira nukkuu\n", encoding="utf-8")
    with pytest.raises(CommandError, match="the lexicon knows 0% of the words of fr in test"):
        mine_pairs(dataset, lexicon=[path])


def test_a_lexicon_that_knows_little_is_told_of(tmp_path, lexicon):
    rare = [f"{text} {' '.join(f'mot{k}{i}x' for i in range(9))}" for k, text in enumerate(FIRST)]
    dataset = write_dataset(tmp_path / "rare", rare, SECOND)
    warnings = []
    mine_pairs(dataset, lexicon=lexicon, warn=warnings.append)
    assert len(warnings) == 1
    assert "% of the words of fr in test: is it of this language" in warnings[0]


def test_a_language_without_settings_needs_its_unit(tmp_path, lexicon):
    dataset = write_dataset(tmp_path / "set", pair=("br", "en"))
    with pytest.raises(
        CommandError, match=r'no settings for language "br"(.|\n)*`units={"br": "words"}`, or characters'
    ):
        mine_pairs(dataset, lexicon=lexicon)
    mined = mine_pairs(dataset, lexicon=lexicon, units={"br": "words"})
    assert pairs_of(mined["test"])[: len(GOLD)] == GOLD
    with pytest.raises(CommandError, match="unit"):
        mine_pairs(dataset, lexicon=lexicon, units={"br": "syllables"})


def test_the_record_of_a_build_says_the_unit(tmp_path, lexicon):
    dataset = write_dataset(tmp_path / "set", pair=("br", "en"))
    (dataset / "dataset.json").write_text('{"config": {"languages": {"br": {"unit": "words"}}}}')
    assert pairs_of(mine_pairs(dataset, lexicon=lexicon)["test"])[: len(GOLD)] == GOLD
    (dataset / "dataset.json").write_text('{"config": ["languages"]}')
    with pytest.raises(CommandError, match="no settings"):
        mine_pairs(dataset, lexicon=lexicon)


def test_chinese_is_mined_by_characters_and_words(tmp_path):
    path = tmp_path / "zh.tsv"
    path.write_text("电视\ttelevision\t1\n猫\tcat\t1\n火车\ttrain\t1\n花园\tgarden\t1\n", encoding="utf-8")
    dataset = write_dataset(
        tmp_path / "set",
        ["猫在花园里睡觉", "他们在看有线电视", "火车明天开"],
        ["a train tomorrow", "the cat in the garden", "people and their television"],
        pair=("zh", "en"),
    )
    assert pairs_of(mine_pairs(dataset, lexicon=[path])["test"]) == [(1, 2), (2, 3), (3, 1)]


@pytest.mark.parametrize("retrieval", ["forward", "backward", "intersect", "max"])
def test_vectors_find_what_is_alike(tmp_path, retrieval):
    dataset = write_dataset(tmp_path / "set", ["kakao", "zebra 7", "mumm"], ["zebra 77", "mumms", "kakaos"])
    mined = mine_pairs(
        dataset, method="embeddings", encoder=bag_of_letters, retrieval=retrieval, neighbours=2
    )
    assert pairs_of(mined["test"]) == [(1, 3), (2, 1), (3, 2)]


def test_a_corpus_without_a_sentence_is_refused(dataset, lexicon):
    (dataset / "fr-en.test.en").write_text("")
    with pytest.raises(InputError, match=r"fr-en\.test\.en: no sentence"):
        mine_pairs(dataset, lexicon=lexicon)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "lexical"}, "no lexicon"),
        ({"method": "embeddings"}, "no encoder"),
        ({"method": "magic"}, 'method "magic"\n  expected one of lexical, embeddings'),
        ({"method": "embeddings", "encoder": bag_of_letters, "retrieval": "best"}, 'retrieval "best"'),
        ({"candidates": 0}, "candidates: 0\n  expected at least 1"),
        ({"neighbours": 0}, "neighbours: 0\n  expected at least 1"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(dataset, options, message):
    with pytest.raises(CommandError, match=message):
        mine_pairs(dataset, **options)


def test_nothing_is_written_where_there_is_no_folder(tmp_path, dataset, lexicon):
    mined = mine_pairs(dataset, lexicon=lexicon)
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "no" / "such", ""):
        with pytest.raises(InputError):
            write_mined(mined, folder, pair="fr-en", method="lexical")
    assert not (tmp_path / "no").exists()


def test_progress_goes_from_nothing_to_all(dataset, lexicon):
    steps = []
    mine_pairs(dataset, lexicon=lexicon, progress=steps.append)
    counted = [(step.done, step.total) for step in steps if str(step) == "mining test"]
    total = len(FIRST) + len(SECOND)
    assert counted == [(0, total), (len(FIRST), total), (total, total)]
    assert "learning a lexicon" in steps
