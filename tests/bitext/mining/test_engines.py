"""Mined pairs and scores are identical, to the last digit, wherever sentences were encoded and compared."""

import random
import sys

import numpy as np
import pytest

from bitext.mining.minedsets import LEXICON, PARALLEL, english, write_dataset
from bitext.standins import Shuffled
from clusters import start_cluster
from evalign.bitext.mining.candidates import MiningSizes
from evalign.bitext.mining.embeddings import encode_sentences, name_encoder
from evalign.bitext.mining.mine import mine_pairs, render_pairs
from evalign.errors import CommandError

MODULE = """\
import numpy as np

def encode(sentences):
    if any("forbidden" in each for each in sentences):
        raise ValueError("no such word")
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    random = np.random.default_rng(3).standard_normal((len(letters), 64))
    return np.array([[each.count(letter) for letter in letters] for each in sentences]) @ random
"""


@pytest.fixture
def dataset(tmp_path):
    rng = random.Random(1)
    first = [" ".join(rng.choices([*LEXICON], k=rng.randint(4, 9))) for _ in range(90)]
    second = [" ".join(rng.choices([*LEXICON.values()], k=rng.randint(4, 9))) for _ in range(80)]
    second[10:40] = map(english, first[20:50])
    # Some that are there twice, so that there are equal scores.
    second[50:55] = second[10:15]
    return write_dataset(tmp_path / "set", first, second, gold=[])


@pytest.fixture
def options(tmp_path, monkeypatch):
    """What each method is asked."""
    (tmp_path / "parallel.tsv").write_text(PARALLEL, encoding="utf-8")
    (tmp_path / "mined_encoder.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield {
        "lexical": {"lexicon": [tmp_path / "parallel.tsv"]},
        "embeddings": {"method": "embeddings", "encoder": "mined_encoder:encode"},
    }
    sys.modules.pop("mined_encoder", None)


def small(size=7):
    """Sizes that send even small corpora to workers, so many sentences at a time."""
    return MiningSizes(
        smallest_words=0,
        smallest_sentences=0,
        smallest_seconds=0.0,
        smallest_similarities=0,
        sentences_per_block=size,
        pairs_per_block=size,
        sentences_per_batch=size,
        fewest_vectors=size,
        others_per_block=size,
    )


METHODS = pytest.mark.parametrize("method", ["lexical", "embeddings"])


def mine(dataset, options, **more):
    mined = mine_pairs(dataset, **options, **more)["test"]
    return render_pairs(mined), mined.scores.tolist()


@METHODS
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_blocks_of_any_size_give_the_same_pairs(dataset, options, method, size):
    here = mine(dataset, options[method])
    assert len(here[1]) > 20
    engine = Shuffled(size, n_workers=5)
    assert mine(dataset, options[method], engine=engine, sizes=small(size)) == here
    assert engine.n_items >= 2


@METHODS
def test_two_processes_find_the_same(dataset, options, method):
    here = mine(dataset, options[method])
    steps = []
    assert mine(dataset, options[method], engine=2, progress=steps.append, sizes=small()) == here
    counted = [(step.done, step.total) for step in steps if str(step).startswith("mining test")]
    assert (90 if method == "embeddings" else 170,) * 2 in counted


@METHODS
@pytest.mark.slow
def test_a_cluster_finds_the_same(dataset, options, method):
    here = mine(dataset, options[method])
    with start_cluster() as client:
        assert mine(dataset, options[method], engine=client, sizes=small(20)) == here


@METHODS
def test_small_corpora_are_not_sent_anywhere(dataset, options, method):
    engine = Shuffled()
    assert mine(dataset, options[method], engine=engine) == mine(dataset, options[method])
    assert engine.n_items == 0


def test_what_an_encoder_raises_in_a_worker_is_told(tmp_path, options):
    texts = [f"sentence {number}" for number in range(40)]
    dataset = write_dataset(tmp_path / "bad", [*texts, "forbidden"], texts, gold=[])
    with pytest.raises(CommandError, match='the encoder raised ValueError: "no such word"'):
        mine_pairs(dataset, **options["embeddings"], engine=2, sizes=small())


def test_vectors_of_another_size_from_a_worker_are_refused():
    engine = Shuffled()
    with pytest.raises(CommandError, match="2 numbers for each, as for the sentences before"):
        encode_sentences(
            _ragged, ["a", "b", "c", "d"], name=name_encoder(_ragged), engine=engine, sizes=small(2)
        )
    assert engine.n_items == 1


def _ragged(sentences):
    return [[1.0] * (2 if "a" in sentences else 3) for _ in sentences]


def test_an_encoder_without_a_name_works_here(dataset):
    """What a notebook defines cannot be imported by a worker."""
    calls = []

    def encode(sentences):
        calls.append(len(sentences))
        return [[len(each), each.count("e"), each.count("a")] for each in sentences]

    assert name_encoder(encode) == ""
    assert name_encoder(np.linalg.norm) == "numpy.linalg:norm"
    options = {"method": "embeddings", "encoder": encode, "sizes": small()}
    here = mine(dataset, options)
    before = sum(calls)
    assert mine(dataset, options, engine=Shuffled()) == here
    assert sum(calls) == 2 * before
