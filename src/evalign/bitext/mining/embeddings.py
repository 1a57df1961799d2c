"""Mining by vectors of sentences: nearest neighbours, scored by the ratio margin.

Artetxe and Schwenk 2019, "Margin-based Parallel Corpus Mining with Multilingual Sentence Embeddings": the
cosine of two sentences divided by the mean of the cosines with the k nearest neighbours of each (section
3.2); pairs are taken forward, backward, from their intersection, or the best of both (section 3.3). The
encoder is any function from sentences to vectors.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache, partial
from importlib import import_module
from time import perf_counter
from types import TracebackType
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from evalign.bitext.mining.candidates import MINING_SIZES, Candidates, MiningSizes, choose_pairs
from evalign.bitext.pairs import Numbers, Scores
from evalign.bitext.workers import Broadcast, closing_results, cut_evenly, is_inline
from evalign.engines.base import Engine, SerialEngine, run_ordered
from evalign.errors import CommandError, EvalignError, Message, quote, suggest
from evalign.progress import Progress, Step, no_progress

# Exact nearest neighbours: all vectors of both sets are compared, in blocks, so that the similarities are
# never all in memory.

Vectors: TypeAlias = npt.NDArray[np.float32]

# Products that differ by less may be equal but for rounding: 32-bit floats have 24 bits, and sums of
# thousands lose a few.
_NEAR = 1e-5


class Neighbours(NamedTuple):
    """The nearest vectors of the other set for each vector, by falling similarity and then by number."""

    numbers: npt.NDArray[np.int64]
    """Numbers of the nearest vectors, of shape (n, k)."""
    similarities: Vectors
    """Cosines with them, of shape (n, k)."""

    @property
    def means(self) -> npt.NDArray[np.float64]:
        """The mean similarity of each vector with its nearest ones."""
        means: npt.NDArray[np.float64] = self.similarities.mean(axis=1, dtype=np.float64)
        return means


class _Block(NamedTuple):
    """Some consecutive vectors, and the number of the first."""

    start: int
    vectors: Vectors


def find_nearest(
    vectors: Vectors,
    others: Vectors,
    k: int,
    *,
    stage: str = "comparing",
    progress: Progress = no_progress,
    engine: Engine | None = None,
    sizes: MiningSizes = MINING_SIZES,
) -> Neighbours:
    """Find the `k` nearest of `others` for each vector, or all of them if there are fewer.

    Vectors have length 1 or 0, so that their product is the cosine.
    """
    k = min(k, len(others))
    where = engine if engine and len(vectors) * len(others) >= sizes.smallest_similarities else SerialEngine()
    best = Neighbours(
        np.full((len(vectors), k), -1, np.int64), np.full((len(vectors), k), -np.inf, np.float32)
    )
    progress(Step(stage, 0, len(vectors)))
    for before in range(0, len(others), sizes.others_per_block):
        some = others[before : before + sizes.others_per_block]
        done = 0
        compare = partial(_compare, Broadcast(some), k, sizes.similarities_per_block)
        with closing_results(where.run(compare, _cut(vectors, where, sizes))) as results:
            for _, (start, near) in results:
                rows = slice(start, start + len(near.numbers))
                so_far = Neighbours(best.numbers[rows], best.similarities[rows])
                joined = _join_nearest(so_far, near._replace(numbers=near.numbers + before), k)
                best.numbers[rows], best.similarities[rows] = joined
                done += len(near.numbers)
                compared = before * len(vectors) + done * len(some)
                progress(Step(stage, compared // len(others), len(vectors)))
    return best


def _cut(vectors: Vectors, engine: Engine, sizes: MiningSizes) -> Iterator[_Block]:
    for start, end in cut_evenly(len(vectors), sizes.fewest_vectors, engine, most=sizes.most_vectors):
        yield _Block(start, vectors[start:end])


def _join_nearest(one: Neighbours, two: Neighbours, k: int) -> Neighbours:
    """Return the `k` nearest among both; of equal ones those with the smaller numbers."""
    numbers = np.concatenate((one.numbers, two.numbers), axis=1)
    similarities = np.concatenate((one.similarities, two.similarities), axis=1)
    order = np.lexsort((numbers, -similarities), axis=1)[:, :k]
    return Neighbours(np.take_along_axis(numbers, order, 1), np.take_along_axis(similarities, order, 1))


def _compare(others: Broadcast[Vectors], k: int, most: int, block: _Block) -> tuple[int, Neighbours]:
    """Find the nearest of `others` for a block; return the start of the block and the neighbours.

    At most `most` similarities are in memory at a time.
    """
    width = len(others.value)
    k = min(k, width)
    numbers = np.empty((len(block.vectors), k), np.int64)
    similarities = np.empty((len(block.vectors), k), np.float32)
    size = max(1, most // width)
    for start in range(0, len(numbers), size):
        vectors = block.vectors[start : start + size]
        columns = _find_best(vectors, others.value, k)
        numbers[start : start + size] = columns
        similarities[start : start + size] = _measure(vectors, others.value, columns)
    return block.start, Neighbours(numbers, similarities)


def _find_best(vectors: Vectors, others: Vectors, k: int) -> Numbers:
    """Return the `k` nearest of `others` for each vector, in no order; ties go to smaller numbers.

    Matrix products differ in their last digits with the number of threads and with what else is multiplied.
    So they only tell which of the others may be among the nearest; where these are more than `k`, the
    similarities are computed one by one.
    """
    width = len(others)
    if k == width:
        return np.tile(np.arange(width), (len(vectors), 1))
    products = vectors @ others.T
    columns = np.argpartition(products, width - k, axis=1)[:, width - k :]
    least = np.take_along_axis(products, columns, 1).min(axis=1, keepdims=True) - _NEAR
    for row in np.flatnonzero((products >= least).sum(axis=1) > k):
        if not vectors[row].any():
            columns[row] = np.arange(k)
            continue
        kept = np.flatnonzero(products[row] >= least[row, 0])
        values = np.einsum("ij,j->i", others[kept], vectors[row], dtype=np.float64).astype(np.float32)
        columns[row] = kept[np.argsort(-values, kind="stable")[:k]]
    return columns


def _measure(vectors: Vectors, others: Vectors, columns: Numbers) -> Vectors:
    """Return similarities of each vector with the others in its row of `columns`.

    A similarity is the same on every machine, and does not depend on what else is measured.
    """
    similarities = np.empty(columns.shape, np.float32)
    for which in range(columns.shape[1]):
        # Summed in 64 bits and rounded to 32, so that the order of additions no longer shows.
        similarities[:, which] = np.einsum("ij,ij->i", vectors, others[columns[:, which]], dtype=np.float64)
    return similarities


Retrieval: TypeAlias = Literal["forward", "backward", "intersect", "max"]
RETRIEVALS: tuple[str, ...] = get_args(Retrieval)

_SHAPE = "an array of numbers with a row for each sentence"


def find_embedded(
    texts: tuple[Sequence[str], Sequence[str]],
    encoder: Encoder,
    *,
    k: int,
    retrieval: Retrieval = "max",
    stage: str = "comparing",
    progress: Progress = no_progress,
    name: str = "",
    engine: Engine | None = None,
    sizes: MiningSizes = MINING_SIZES,
) -> Candidates:
    """Find pairs of translations among the sentences of two corpora by their vectors; scores are margins.

    `retrieval` says which: "forward" takes the best second sentence for each first one, so a second sentence
    may be in several pairs; "backward" the other way round; "intersect" the pairs that both find; "max" the
    pairs that either finds, chosen one to one from the best down. `name` is the name of the encoder, by which
    workers can load it.
    """
    first = encode_sentences(encoder, texts[0], progress=progress, name=name, engine=engine, sizes=sizes)
    second = encode_sentences(encoder, texts[1], progress=progress, name=name, engine=engine, sizes=sizes)
    if first.shape[1] != second.shape[1]:
        message = f"the encoder gave vectors of {first.shape[1]} and of {second.shape[1]} numbers"
        raise CommandError(message, "vectors of one size for both languages")
    there = find_nearest(
        first, second, k, stage=f"{stage}, forward", progress=progress, engine=engine, sizes=sizes
    )
    back = find_nearest(
        second, first, k, stage=f"{stage}, backward", progress=progress, engine=engine, sizes=sizes
    )
    near = _candidates(there, back.means), _swap_sides(_candidates(back, there.means))
    forward, backward = _best_of(near[0], near[0].first), _best_of(near[1], near[1].second)
    if retrieval == "max":
        return choose_pairs(_unite(forward, backward))
    if retrieval == "intersect":
        return _intersect(forward, backward)
    return forward if retrieval == "forward" else backward


def encode_sentences(
    encoder: Encoder,
    sentences: Sequence[str],
    *,
    progress: Progress = no_progress,
    name: str = "",
    engine: Engine | None = None,
    sizes: MiningSizes = MINING_SIZES,
) -> Vectors:
    """Return vectors of length 1, one row per sentence; vectors of zeros stay zeros.

    The first batch is encoded in this process. If its time shows that the rest will take long, workers encode
    the rest: each of them loads the encoder by its `name`, if it has one.
    """
    size = sizes.sentences_per_batch
    batches = [[*sentences[start : start + size]] for start in range(0, len(sentences), size)]
    blocks: list[Vectors] = []
    progress(Step("encoding", 0, len(sentences)))
    began = perf_counter()
    for vectors in map(partial(_encode, encoder, 0), batches[:1]):
        blocks.append(vectors)
        progress(Step("encoding", len(vectors), len(sentences)))
    expected = (perf_counter() - began) * (len(batches) - 1)
    width = blocks[0].shape[1] if blocks else 0
    use_workers = engine is not None and not is_inline(engine) and name and expected >= sizes.smallest_seconds
    others = partial(_encode_named, name, width) if use_workers else partial(_encode, encoder, width)
    with closing_results(
        run_ordered(engine if engine and use_workers else SerialEngine(), others, batches[1:])
    ) as encoded:
        for vectors in encoded:
            blocks.append(vectors)
            progress(Step("encoding", sum(map(len, blocks)), len(sentences)))
    vectors = np.concatenate(blocks) if blocks else np.empty((0, 0), np.float32)
    if len(vectors) and not vectors.any():
        message = "the encoder gave only zeros"
        raise CommandError(message, "vectors that tell sentences apart")
    return vectors


def _encode_named(name: str, width: int, batch: list[str]) -> Vectors:
    return _encode(reload_encoder(name), width, batch)


def _encode(encoder: Encoder, width: int, batch: list[str]) -> Vectors:
    """Encode a batch; the vectors must have `width` numbers, unless it is 0."""
    with UserCode("the encoder"):
        given = encoder(batch)
    return _normalize(_check(given, batch, width))


def _normalize(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
    normal: Vectors = np.divide(
        vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0, casting="same_kind"
    )
    return normal


def _check(given: object, batch: Sequence[str], width: int) -> Vectors:
    # Tensors convert themselves to arrays, and may raise anything if they cannot.
    with UserCode("what the encoder gave"), np.errstate(over="ignore"):
        try:
            vectors: Vectors = np.asarray(given, np.float32)
        except (TypeError, ValueError) as error:
            message = f"the encoder gave {type(given).__name__} that is not an array of numbers"
            raise CommandError(message, _SHAPE, quote(str(error), 400)) from None
    shape = f"the encoder gave an array of shape {vectors.shape} for {len(batch)} sentences"
    if vectors.ndim != 2 or len(vectors) != len(batch) or not vectors.shape[1]:
        raise CommandError(shape, f"{_SHAPE}: ({len(batch)}, d)")
    if width and vectors.shape[1] != width:
        raise CommandError(shape, f"{width} numbers for each, as for the sentences before")
    finite = np.isfinite(vectors).all(axis=1)
    if not finite.all():
        sentence = batch[int(np.argmin(finite))]
        message = f"the encoder gave numbers that are not finite for {quote(sentence)}"
        raise CommandError(message, "finite numbers")
    return vectors


def _candidates(nearest: Neighbours, means: Scores) -> Candidates:
    """Return all neighbours as candidates, with ratio margins as scores.

    The margin is 0 where the mean cosine that it divides by is not positive.
    """
    n, k = nearest.numbers.shape
    first = np.repeat(np.arange(n), k)
    second = nearest.numbers.ravel()
    around = (nearest.means[first] + means[second]) / 2
    margins = np.zeros(n * k)
    np.divide(nearest.similarities.ravel(), around, out=margins, where=around > 0, casting="same_kind")
    return Candidates(first, second, margins)


def _swap_sides(candidates: Candidates) -> Candidates:
    return Candidates(candidates.second, candidates.first, candidates.scores)


def _unite(forward: Candidates, backward: Candidates) -> Candidates:
    """Return the candidates of both, each pair once, ordered by first and then by second number."""
    first = np.concatenate((forward.first, backward.first))
    second = np.concatenate((forward.second, backward.second))
    scores = np.concatenate((forward.scores, backward.scores))
    # The two margins of the same pair may differ in the last bit: the greater is kept.
    order = np.lexsort((-scores, second, first))
    joined = Candidates(first[order], second[order], scores[order])
    is_new = np.ones(len(order), bool)
    is_new[1:] = (np.diff(joined.first) != 0) | (np.diff(joined.second) != 0)
    return joined.take(is_new)


def _best_of(candidates: Candidates, numbers: Numbers) -> Candidates:
    """Return the best candidate of each sentence in `numbers`; ties go to the smallest sentence numbers."""
    order = np.lexsort((candidates.second, candidates.first, -candidates.scores, numbers))
    is_new = np.ones(len(order), bool)
    is_new[1:] = np.diff(numbers[order]) != 0
    return candidates.take(order[is_new])


def _intersect(forward: Candidates, backward: Candidates) -> Candidates:
    """Return the candidates of `forward` that `backward` has too."""
    width = max(int(forward.second.max(initial=0)), int(backward.second.max(initial=0))) + 1
    keys = [each.first * width + each.second for each in (forward, backward)]
    return forward.take(np.isin(keys[0], keys[1]))


# Encoders, which turn sentences into vectors: a function of the user's, or a model of sentence-transformers.
#
# Whatever such code raises becomes an error message with its type and text, because the fault is not evalign's.

Encoder: TypeAlias = Callable[[list[str]], object]
"""A function from a list of sentences to their vectors.

It returns an array or a list of lists, with a row for each sentence.
"""

MODELS = "sentence-transformers"
_EXPECTED = f"package.module:function, or {MODELS}:NAME of a model"


class UserCode(AbstractContextManager["UserCode"]):
    """Runs the user's code in a `with` block: what it raises becomes a `CommandError`.

    The message begins with `what`, the name of the code.
    """

    def __init__(self, what: str) -> None:
        self._what = what

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Replace the exception, unless it is one of ours, an interrupt or a lack of memory."""
        if error is None or isinstance(error, (EvalignError, KeyboardInterrupt, MemoryError, GeneratorExit)):
            return
        message = f"{self._what} raised {type(error).__name__}"
        raise CommandError(f"{message}: {quote(str(error), 400)}" if str(error) else message) from error


def load_encoder(name: str) -> Encoder:
    """Load an encoder by its name, `package.module:function` or `sentence-transformers:NAME`.

    Modules are also looked for in the current folder, as `python -m` does.
    """
    module, colon, member = name.partition(":")
    if not colon or not module or not member:
        message = f"encoder {quote(name)}"
        raise CommandError(message, _EXPECTED, Message("for example {encoder=my_encoder:encode}"))
    if module == MODELS:
        return _load_model(member)
    return _find_member(name, _load_module(name, module), member)


@lru_cache(maxsize=1)
def reload_encoder(name: str) -> Encoder:
    """Load an encoder by its name; each process caches the latest one."""
    return load_encoder(name)


def name_encoder(encoder: Encoder) -> str:
    """Return the name by which another process can load `encoder`, or "" if there is none.

    >>> name_encoder(load_encoder("json:dumps")), name_encoder(lambda sentences: [])
    ('json:dumps', '')
    """
    module, member = getattr(encoder, "__module__", ""), getattr(encoder, "__qualname__", "")
    # Functions of a script or a notebook are in no module that another process could import.
    if not module or not member or module == "__main__" or "<" in member:
        return ""
    resolved: object = sys.modules.get(module)
    for part in member.split("."):
        resolved = getattr(resolved, part, None)
    return f"{module}:{member}" if resolved is encoder else ""


def _load_module(name: str, module: str) -> object:
    folder = os.getcwd()  # noqa: PTH109
    if folder not in sys.path and "" not in sys.path:
        sys.path.insert(0, folder)
    try:
        with UserCode(f"encoder {quote(name)}: importing {module}"):
            return import_module(module)
    except CommandError as error:
        cause = error.__cause__
        missing = cause.name or "" if isinstance(cause, ModuleNotFoundError) else ""
        if missing and f"{module}.".startswith(f"{missing}."):
            message = f"encoder {quote(name)}: no module is called {quote(missing)}"
            expected = "a module that is installed, or a file of the current folder"
            raise CommandError(
                message, expected, f"{module.replace('.', '/')}.py in {folder} would be found"
            ) from None
        raise


def _find_member(name: str, module: object, member: str) -> Encoder:
    resolved = module
    for part in member.split("."):
        if not hasattr(resolved, part):
            message = f"encoder {quote(name)}: it has no {quote(part)}"
            raise CommandError(message, *suggest(part, dir(resolved), expected="a function of this module"))
        resolved = getattr(resolved, part)
    if not callable(resolved):
        message = f"encoder {quote(name)}: it is of type {type(resolved).__name__}"
        raise CommandError(message, "a function from a list of sentences to their vectors")
    return resolved


def _load_model(name: str) -> Encoder:
    package = "sentence_transformers"
    encoder = f"encoder {quote(f'{MODELS}:{name}')}"
    with UserCode(encoder):
        try:
            module = import_module(package)
        except ModuleNotFoundError as error:
            # If something that the package needs is missing, its own error says more.
            if error.name != package:
                raise
            message = f"{encoder}: the package is not installed"
            raise CommandError(message, advice=f"pip install {MODELS}") from None
        model = module.SentenceTransformer(name)

    def encode(sentences: Sequence[str]) -> object:
        return model.encode(list(sentences), show_progress_bar=False)

    return encode
