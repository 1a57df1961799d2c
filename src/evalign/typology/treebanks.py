"""Read treebanks into arrays of numbers, and compute the basic measures on them.

Profiles are made of these measures. Cascades, judgements and studies use `match_treebanks` and the helpers
for names here to find their files.
"""

from __future__ import annotations

import math
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import NamedTuple, TypeGuard

import numpy as np
import numpy.typing as npt

from evalign.document import ROOT, Column, Columns, Document, IntArray
from evalign.errors import InputError, Place
from evalign.files import shorten_paths, strip_compression
from evalign.readers.display_names import paths_in_errors
from evalign.readers.folder_limit import Folder
from evalign.scoring.api import read
from evalign.scoring.collection import Collection, match_folders
from evalign.scoring.reading import Input
from evalign.typology.options import LastChunk, ProfileOptions, Vocabulary
from evalign.ud_labels import UNFILLED, cut_relation

# Folders as in a shared task: for each treebank a gold file and a file of every system.


def is_folder(source: object) -> TypeGuard[Folder]:
    """Return whether `source` is the path of an existing folder."""
    # Path("") is the current folder, but an empty string is no path given by a user.
    return isinstance(source, (str, os.PathLike)) and bool(os.fspath(source)) and Path(source).is_dir()


def match_treebanks(gold: Folder, system: Folder) -> Collection:
    """Match the files of a gold folder with those of a system's folder by name.

    Files are matched as `score_collection` does. Treebanks that the system has no file for are left out with
    a warning. Raises `InputError` if none is left.
    """
    matched = match_folders(gold, system)
    treebanks = tuple(treebank for treebank in matched.treebanks if None not in treebank.systems)
    lacking = [
        f"{treebank.missing[0]}: {treebank.name} is left out"
        for treebank in matched.treebanks
        if None in treebank.systems
    ]
    if not treebanks:
        raise InputError(Place(os.fspath(gold)), lacking[0], "files of the systems, named as gold's are")
    return replace(matched, treebanks=treebanks, warnings=(*matched.warnings, *lacking))


# Trees and crossing arcs.


def find_trees(parents: IntArray, cuts: IntArray) -> npt.NDArray[np.bool_]:
    """Return for each sentence whether it is a tree, meaning that every word has a head or is a root.

    `parents` has the head of each word as an index of a word, or ROOT; a smaller value means no head. `cuts`
    has the index of each sentence's first word, and at the end the number of words. An empty sentence is not
    a tree.
    """
    trees: npt.NDArray[np.bool_] = _count(parents >= ROOT, cuts) == np.maximum(np.diff(cuts), 1)
    return trees


def find_nonprojective(parents: IntArray, cuts: IntArray) -> npt.NDArray[np.bool_]:
    """Return for each sentence whether it is a tree with at least one non-projective arc.

    The arguments are those of `find_trees`. An arc is non-projective if a word between head and dependent is
    not a descendant of the head. A tree has such an arc if and only if some arc has a word inside whose own
    head lies outside the arc (the head of a root lies outside every arc): the path from a word inside up to
    the root either passes such a word or ends at the head of the arc. So it suffices to compare the smallest
    and the greatest head of the words inside with the two ends of the arc.

    Both are range queries, answered at once for all arcs that have `reach` to 2 * `reach` - 1 words inside.
    Time is proportional to the number of words times the logarithm of the longest arc.
    """
    dependents = np.flatnonzero(parents >= 0)
    heads = parents[dependents]
    first, last = np.minimum(dependents, heads) + 1, np.maximum(dependents, heads)
    inside = last - first
    crossed = np.zeros(len(parents), bool)
    # least[k] and greatest[k] are the extremes of the heads of the words k to k + reach - 1.
    least, greatest, reach = parents, parents, 1
    while (inside >= reach).any():
        chosen = np.flatnonzero((inside >= reach) & (inside < 2 * reach))
        start, end = first[chosen], last[chosen]
        low = np.minimum(least[start], least[end - reach])
        high = np.maximum(greatest[start], greatest[end - reach])
        crossed[dependents[chosen]] = (low < start - 1) | (high > end)
        least = np.minimum(least[:-reach], least[reach:])
        greatest = np.maximum(greatest[:-reach], greatest[reach:])
        reach *= 2
    return find_trees(parents, cuts) & (_count(crossed, cuts) > 0)


def _count(mask: npt.NDArray[np.bool_], cuts: IntArray) -> IntArray:
    """Return how many entries of `mask` are true in each sentence."""
    total = np.zeros(len(mask) + 1, np.int64)
    np.cumsum(mask, out=total[1:])
    counts: IntArray = np.diff(total[cuts])
    return counts


# Relations: their words, distinct forms and entropy.


class RelationWords(NamedTuple):
    """Counts of the words that have one relation in one treebank."""

    words: int
    types: int
    """Number of distinct forms among the words."""
    entropy: float
    """Word dependency entropy (WDE), from 0 (always the same form) to 1."""


def measure_relations(
    relations: IntArray, forms: IntArray, n_types: int, vocabulary: Vocabulary = "treebank"
) -> dict[int, RelationWords]:
    """Compute words, distinct forms and word dependency entropy per relation, keyed by the relation's number.

    `relations` and `forms` have a number per word; `n_types` is the number of distinct forms in the treebank.
    For a relation r in a treebank t, WDE(r, t) = H(p(w | r, t)) / log n. With `vocabulary` "treebank" n is
    `n_types`, with "relation" it is the number of distinct forms of that relation. A relation with a single
    form has entropy 0.
    """
    if not len(relations):
        return {}
    keys = np.sort(relations.astype(np.int64) * max(1, n_types) + forms)
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    frequencies = np.diff(np.append(starts, len(keys)))
    owners = keys[starts] // max(1, n_types)
    cuts = np.append(np.flatnonzero(np.append(True, owners[1:] != owners[:-1])), len(owners))
    measured = {}
    for k in range(len(cuts) - 1):
        of_forms = frequencies[cuts[k] : cuts[k + 1]]
        bound = n_types if vocabulary == "treebank" else len(of_forms)
        measured[int(owners[cuts[k]])] = RelationWords(
            int(of_forms.sum()), len(of_forms), min(1.0, _entropy(of_forms) / math.log(max(2, bound)))
        )
    return measured


def _entropy(frequencies: IntArray) -> float:
    """Return the entropy in nats of a distribution given by frequencies: log N - sum(f log f) / N."""
    total = int(frequencies.sum())
    return max(0.0, math.log(total) - float((frequencies * np.log(frequencies)).sum()) / total)


class TypeTokenRatio(NamedTuple):
    """A standardized type/token ratio (STTR) and the number of chunks it is the mean of."""

    value: float | None
    chunks: int


def measure_types(forms: IntArray, chunk: int, last_chunk: LastChunk = "drop") -> TypeTokenRatio:
    """Compute STTR: the mean, over chunks of `chunk` words, of distinct forms divided by words.

    `forms` has a number per word. With `last_chunk` "keep" the words after the last full chunk count as one
    more chunk. The value is None if there is no chunk.
    """
    full = len(forms) // chunk
    rows = np.sort(forms[: full * chunk].reshape(full, chunk), axis=1)
    types = int((rows[:, 1:] != rows[:, :-1]).sum()) + full
    total, chunks = Fraction(types, chunk), full
    rest = forms[full * chunk :].tolist()
    if last_chunk == "keep" and rest:
        total, chunks = total + Fraction(len(set(rest)), len(rest)), chunks + 1
    return TypeTokenRatio(float(total / chunks) if chunks else None, chunks)


# Treebanks, read file by file.

# Number of words whose forms are in memory at a time.
_STEP = 1 << 14
_CONLLU = re.compile(r"\.conllu?$", re.IGNORECASE)


class TreebankSizes(NamedTuple):
    """Counts of sentences, tokens and trees in a treebank."""

    sentences: int = 0
    tokens: int = 0
    trees: int = 0
    """Sentences that are trees."""
    nonprojective: int = 0
    """Trees with at least one non-projective arc."""
    featured: int = 0
    """Words with morphological features."""


class TreebankColumns(NamedTuple):
    """A treebank as arrays with an entry per word."""

    name: str
    path: str
    sizes: TreebankSizes
    forms: IntArray
    """Number of each word's form; equal forms have equal numbers."""
    n_types: int
    relations: IntArray
    """Number of each word's relation, an index into `labels`; -1 for a word without one."""
    labels: Sequence[str]
    """Names of the relations, without subtypes."""
    punctuation: npt.NDArray[np.bool_]
    """True for the words that STTR ignores."""
    warnings: tuple[str, ...]


def file_stem(path: str) -> str:
    """Return the file name in `path` without its ending and without the ending of a compressed file.

    >>> file_stem("ud/en_ewt-ud-test.conllu.gz"), file_stem("UD_English-EWT"), file_stem("runs/en.v2.json")
    ('en_ewt-ud-test', 'UD_English-EWT', 'en.v2')
    """
    name = strip_compression(os.path.basename(path.rstrip("/\\"))) or path  # noqa: PTH119 - not every name is a path
    return name.rpartition(".")[0] or name


def name_apart(paths: Sequence[str]) -> list[str]:
    """Shorten `paths` to distinct names without endings.

    Where two names would be equal they get their folders or, if that does not help, a number.

    >>> name_apart(["a/en.conllu", "b/en.conllu", "b/fr.conllu"]), name_apart(["en.conllu", "en.conllu"])
    (['a/en', 'b/en', 'fr'], ['en', 'en (2)'])
    """
    names = shorten_paths([path[: path.rfind(file_stem(path))] + file_stem(path) for path in paths])
    earlier = [names[:k].count(name) for k, name in enumerate(names)]
    return [f"{name} ({n + 1})" if n else name for name, n in zip(names, earlier, strict=True)]


def path_of(source: Input) -> str:
    """Return the path or the name of an input, for messages; "<stdin>" for "-"."""
    if isinstance(source, (str, os.PathLike)):
        return "<stdin>" if source == "-" else os.fspath(source)
    return str(getattr(source, "name", "<tokens>"))


def read_treebank(source: Input, name: str, path: str, settings: ProfileOptions) -> TreebankColumns:
    """Read a treebank from a file, or from all files *.conllu of a folder in the order of their names.

    `name` and `path` are what profile and warnings call the treebank and its file; errors show the path as
    given.
    """
    try:
        return join_documents(name, path, _documents(source, path), settings)
    except InputError as error:
        error.show_paths({path: path_of(source)})
        raise


def _documents(source: Input, path: str) -> Iterator[Document]:
    """Yield the documents of a treebank; each file of a folder is a document called by its file name."""
    if not isinstance(source, (str, os.PathLike)) or not os.fspath(source) or not Path(source).is_dir():
        yield read(source).renamed(path)
        return
    files = sorted(entry for entry in Path(source).iterdir() if _CONLLU.search(strip_compression(entry.name)))
    if not files:
        problem = "a folder without a file *.conllu"
        raise InputError(Place(os.fspath(source)), problem, "a treebank: a CoNLL-U file, or a folder of them")
    for file in files:
        with paths_in_errors([file], [file.name]):
            yield read(file).renamed(file.name)


def join_documents(
    name: str, path: str, documents: Iterable[Document], settings: ProfileOptions
) -> TreebankColumns:
    """Combine documents into one treebank, holding only one of them in memory at a time."""
    types: defaultdict[str, int] = defaultdict(count().__next__)
    relations: defaultdict[str, int] = defaultdict(count().__next__)
    sizes: list[TreebankSizes] = []
    parts: list[tuple[IntArray, IntArray, npt.NDArray[np.bool_]]] = []
    warnings: list[str] = []
    for document in documents:
        columns = document.columns
        if columns is None:
            problem = f"{document.format} text, which has no trees"
            raise InputError(Place(document.name), problem, "a treebank in CoNLL-U")
        sizes.append(_measure(document, columns))
        forms = number_forms(document, types, lower=settings.case == "lower")
        punctuation, warning = _punctuation(document.name, columns, settings)
        labels = columns.deprel.labels
        numbers = [-1 if label in (UNFILLED, "") else relations[cut_relation(label)] for label in labels]
        parts.append((forms, np.array(numbers, np.int32)[columns.deprel.ids], punctuation))
        warnings += map(str, document.remarks)
        warnings += filter(None, (_broken(document.name, sizes[-1]), warning))
    forms, relation_ids, punctuation = (np.concatenate(column) for column in zip(*parts, strict=True))
    if not (relation_ids >= 0).any():
        expected = "relations in the column DEPREL"
        raise InputError(Place(path), "no word has a relation", expected, "is this the gold file?")
    total = TreebankSizes(*map(sum, zip(*sizes, strict=True)))
    return TreebankColumns(
        name, path, total, forms, len(types), relation_ids, list(relations), punctuation, tuple(warnings)
    )


def _measure(document: Document, columns: Columns) -> TreebankSizes:
    parents, cuts = columns.parents, document.word_cuts(document.sentences)
    trees, crossed = find_trees(parents, cuts), find_nonprojective(parents, cuts)
    featured = _has(columns.feats, lambda label: label not in (UNFILLED, ""))
    counts = (int(np.count_nonzero(mask)) for mask in (trees, crossed, featured))
    return TreebankSizes(document.n_sentences, document.n_tokens, *counts)


def _broken(name: str, sizes: TreebankSizes) -> str:
    """Return a warning if some sentences are not trees, else ""."""
    broken = sizes.sentences - sizes.trees
    if not broken:
        return ""
    are = "sentences is not a tree" if broken == 1 else "sentences are not trees"
    return (
        f"{name}: {broken:,} of {sizes.sentences:,} {are}: the share of non-projective trees leaves them out"
    )


def number_forms(document: Document, types: defaultdict[str, int], *, lower: bool = False) -> IntArray:
    """Return a number per word, equal for equal forms.

    `types` maps forms to numbers; forms that are new in `document` are added to it. With `lower` forms that
    differ in case count as equal.
    """
    words, line = document.words, document.line
    inner = np.zeros(document.n_words, bool) if words is None else words.multiword.astype(bool)
    tokens = np.flatnonzero(~inner) if words is None else words.tokens[~inner]
    starts, ends = document.cuts[tokens], document.cuts[tokens + 1]
    plain: list[int] = []
    for k in range(0, len(tokens), _STEP):
        bounds = zip(starts[k : k + _STEP].tolist(), ends[k : k + _STEP].tolist(), strict=True)
        forms = [line[start:end] for start, end in bounds]
        plain += map(types.__getitem__, map(str.lower, forms) if lower else forms)
    numbers: IntArray = np.empty(document.n_words, np.int32)
    numbers[~inner] = plain
    if words is not None:
        numbers[inner] = [types[form.lower() if lower else form] for form in words.forms]
    return numbers


def _punctuation(name: str, columns: Columns, settings: ProfileOptions) -> tuple[npt.NDArray[np.bool_], str]:
    """Return a mask of the words that STTR ignores, and a warning where UPOS was asked for but is missing."""
    if settings.sttr_without == "nothing":
        return np.zeros(len(columns.deprel.ids), bool), ""
    if settings.sttr_without == "upos" and columns.upos.is_filled:
        return _has(columns.upos, lambda label: label == "PUNCT"), ""
    punctuation = _has(columns.deprel, lambda label: cut_relation(label) == "punct")
    missing = f"{name}: no word has a UPOS: STTR leaves out words whose relation is punct"
    return punctuation, missing if settings.sttr_without == "upos" and len(punctuation) else ""


def _has(column: Column, is_wanted: Callable[[str], bool]) -> npt.NDArray[np.bool_]:
    """Return per word whether its label in `column` satisfies `is_wanted`."""
    mask: npt.NDArray[np.bool_] = np.array([is_wanted(label) for label in column.labels], bool)[column.ids]
    return mask
