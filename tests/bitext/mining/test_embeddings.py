"""Retrieval by vectors against a comparison of all pairs, and faulty encoders."""

import sys

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalign.bitext.mining.candidates import MiningSizes
from evalign.bitext.mining.embeddings import (
    RETRIEVALS,
    encode_sentences,
    find_embedded,
    find_nearest,
    load_encoder,
)
from evalign.errors import CommandError
from oracles.bitext_mining import retrieve


@st.composite
def vector_sets(draw):
    """Vectors in which no two cosines are nearly equal by chance, and rows that are there twice."""
    seed = draw(st.integers(0, 10**6))
    sizes = draw(st.tuples(st.integers(1, 7), st.integers(1, 7)))
    random = np.random.default_rng(seed)
    # Of different places, so that all cosines are above 0.
    first, second = (random.random((size, 5)) + 0.1 for size in sizes)
    if draw(st.booleans()):
        second[-1] = second[0]
    return first.tolist(), second.tolist()


def encoder_of(first, second):
    vectors = {f"one {k}": vector for k, vector in enumerate(first)}
    vectors |= {f"two {k}": vector for k, vector in enumerate(second)}
    return lambda sentences: [vectors[sentence] for sentence in sentences]


def texts_of(first, second):
    return [f"one {k}" for k in range(len(first))], [f"two {k}" for k in range(len(second))]


@pytest.mark.parametrize("retrieval", RETRIEVALS)
@given(vectors=vector_sets(), k=st.integers(1, 4))
def test_pairs_are_those_of_a_comparison_of_all(retrieval, vectors, k):
    found = find_embedded(texts_of(*vectors), encoder_of(*vectors), k=k, retrieval=retrieval)
    pairs = zip(found.first.tolist(), found.second.tolist(), strict=True)
    scores = dict(zip(pairs, found.scores.tolist(), strict=True))
    expected = retrieve(*vectors, k, retrieval)
    assert scores.keys() == expected.keys()
    for pair, margin in expected.items():
        assert scores[pair] == pytest.approx(margin, rel=1e-5)


def test_max_leaves_a_sentence_alone_whose_best_is_taken():
    # Cosines of about 0.8 and 0.5, 0.5 and 0.1: either side likes the other's first best.
    first, second = [[0.8, 0.5, 0.33], [0.5, 0.1, 0.86]], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    found = find_embedded(texts_of(first, second), encoder_of(first, second), k=2)
    assert (found.first.tolist(), found.second.tolist()) == ([0], [0])


@given(vectors=vector_sets(), k=st.integers(1, 9), sizes=st.tuples(*[st.integers(1, 5)] * 3))
def test_blocks_change_nothing(vectors, k, sizes):
    first, second = (np.array(side, np.float32) for side in vectors)
    whole = find_nearest(first, second, k)
    similarities, vectors_at_once, others = sizes
    small = MiningSizes(
        similarities_per_block=similarities, fewest_vectors=vectors_at_once, others_per_block=others
    )
    in_blocks = find_nearest(first, second, k, sizes=small)
    assert np.array_equal(whole.numbers, in_blocks.numbers)
    assert np.array_equal(whole.similarities, in_blocks.similarities)


def test_similarities_do_not_depend_on_how_products_are_added_up():
    """Products of matrices differ in their last digits by how many rows are multiplied at a time."""
    random = np.random.default_rng(5)
    first, second = (random.standard_normal((size, 300)).astype(np.float32) for size in (40, 90))
    first, second = (side / np.linalg.norm(side, axis=1, keepdims=True) for side in (first, second))
    second[50:] = second[:40]
    whole = find_nearest(first, second, 3)
    for row in range(len(first)):
        alone = find_nearest(first[row : row + 1], second, 3)
        assert alone.numbers.tolist() == whole.numbers[row : row + 1].tolist()
        assert alone.similarities.tolist() == whole.similarities[row : row + 1].tolist()
    exact = first.astype(np.float64) @ second.T.astype(np.float64)
    assert np.array_equal(whole.similarities, np.take_along_axis(exact, whole.numbers, 1).astype(np.float32))


def test_of_equal_neighbours_the_first_are_taken():
    others = np.array([[0, 1], [1, 0], [1, 0], [1, 0], [0, 1]], np.float32)
    found = find_nearest(np.array([[1, 0]], np.float32), others, 2)
    assert found.numbers.tolist() == [[1, 2]]
    assert found.similarities.tolist() == [[1.0, 1.0]]


class Tensor:
    """What some library has for vectors, and why it gives no array."""

    def __init__(self, error):
        self.error = error

    def __array__(self, dtype=None, copy=None):
        raise self.error


def test_batches_come_in_order():
    calls = []

    def encoder(sentences):
        calls.append(sentences)
        return [[float(sentence), 1.0] for sentence in sentences]

    vectors = encode_sentences(encoder, ["1", "2", "3"], sizes=MiningSizes(sentences_per_batch=2))
    assert calls == [["1", "2"], ["3"]]
    assert np.allclose(vectors[:, 0] / vectors[:, 1], [1, 2, 3])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)


def test_a_sentence_without_direction_is_in_no_good_pair():
    found = find_embedded((["one 0"], ["two 0", "two 1"]), encoder_of([[1.0, 0]], [[0, 0], [1.0, 0]]), k=1)
    assert dict(zip(found.second.tolist(), found.scores.tolist(), strict=True))[1] == 1.0
    assert 0 not in found.second[found.scores > 0]


@pytest.mark.parametrize(
    ("given_back", "message"),
    [
        (lambda batch: [1.0] * len(batch), r"shape \(2,\) for 2 sentences"),
        (lambda batch: [[1.0]], r"shape \(1, 1\) for 2 sentences"),
        (lambda batch: np.ones((2, 0)), r"shape \(2, 0\)"),
        (lambda batch: [[1.0], [1.0, 2.0]], "list that is not an array of numbers"),
        (lambda batch: None, "the encoder gave"),
        (lambda batch: [["a"], ["b"]], "list that is not an array of numbers"),
        (lambda batch: [[1.0], [float("nan")]], 'not finite for "b"'),
        (lambda batch: [[0.0], [0.0]], "only zeros"),
        (lambda batch: 1 / 0, 'the encoder raised ZeroDivisionError: "division by zero"'),
        (lambda batch: sys.exit(3), "the encoder raised SystemExit"),
        (lambda batch: ([1.0] for _ in batch), "generator that is not an array of numbers"),
        (lambda batch: np.full((2, 1), 1e300), 'not finite for "a"'),
        (lambda batch: [[10**400]] * 2, "what the encoder gave raised OverflowError"),
        (lambda batch: Tensor(RuntimeError("call detach first")), 'raised RuntimeError: "call detach first"'),
        (
            lambda batch: Tensor(TypeError("copy it to the host first")),
            "not an array(.|\n)*copy it to the host",
        ),
    ],
)
def test_an_encoder_that_gives_no_vectors_is_told_of(given_back, message):
    with pytest.raises(CommandError, match=message):
        encode_sentences(given_back, ["a", "b"])


def test_an_encoder_whose_vectors_change_their_size_is_told_of():
    one_by_one = MiningSizes(sentences_per_batch=1)
    with pytest.raises(CommandError, match=r"shape \(1, 2\).*\n.*1 numbers for each"):
        encode_sentences(lambda batch: [[1.0] * len(batch[0])], ["a", "bb"], sizes=one_by_one)
    with pytest.raises(CommandError, match="vectors of 1 and of 2 numbers"):
        find_embedded((["a"], ["bb"]), lambda batch: [[1.0] * len(batch[0])], k=1, sizes=one_by_one)


def test_an_interrupt_in_an_encoder_is_one():
    def encoder(_sentences):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        encode_sentences(encoder, ["a"])


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with modules, in which a command runs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each])
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def test_an_encoder_is_found_in_the_current_folder(here):
    (here / "minimal_encoder.py").write_text(
        "class Model:\n    def encode(self, batch):\n        return [[len(each)] for each in batch]\n\nmodel = Model()\n"
    )
    assert load_encoder("minimal_encoder:model.encode")(["abc"]) == [[3]]


@pytest.mark.parametrize(
    ("source", "name", "message"),
    [
        ("", "no_colon", 'encoder "no_colon"\n  expected package.module:function'),
        ("", ":f", 'encoder ":f"'),
        ("", "m:", 'encoder "m:"'),
        ("", "no_such_module_here:f", 'no module is called "no_such_module_here"'),
        ("", "no_such_package_here.inner:f", 'no module is called "no_such_package_here"'),
        (
            "import no_such_thing_at_all",
            "their_module:f",
            "raised ModuleNotFoundError: .*no_such_thing_at_all",
        ),
        ("1 / 0", "their_module:f", "importing their_module raised ZeroDivisionError"),
        ("def encode(x): ...", "their_module:encod", 'it has no "encod"\n  did you mean "encode"'),
        ("encode = 3", "their_module:encode", "it is of type int"),
        ("", "sentence-transformers:some/model", "sentence-transformers"),
    ],
)
def test_an_encoder_that_cannot_be_had_is_told_of(here, monkeypatch, source, name, message):
    (here / "their_module.py").write_text(source)
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(CommandError, match=message):
        load_encoder(name)


def test_a_package_that_is_there_and_does_not_work_says_why(here):
    for source, message in (
        ("import no_such_thing_at_all", "no_such_thing_at_all"),
        ("raise OSError('no DLL')", "no DLL"),
    ):
        (here / "sentence_transformers.py").write_text(source)
        sys.path.insert(0, str(here))
        with pytest.raises(CommandError, match=message):
            load_encoder("sentence-transformers:some/model")


def test_a_model_of_sentence_transformers_is_asked_quietly(monkeypatch):
    class Model:
        def __init__(self, name):
            self.name = name

        def encode(self, sentences, *, show_progress_bar):
            assert show_progress_bar is False
            return [[len(self.name), len(sentence)] for sentence in sentences]

    package = type(sys)("sentence_transformers")
    package.SentenceTransformer = Model
    monkeypatch.setitem(sys.modules, "sentence_transformers", package)
    assert load_encoder("sentence-transformers:tiny")(["abc"]) == [[4, 3]]
