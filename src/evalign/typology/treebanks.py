"""Treebanks as numbers: the choices of how they are looked at, their files, and what is counted through all of them.

Profiles are made of these numbers; cascades, judgements and studies find their files here.
"""

from __future__ import annotations

import math
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Literal, NamedTuple, TypeGuard

import numpy as np
import numpy.typing as npt

from evalign._version import __version__
from evalign.document import ROOT, Column, Columns, Document, IntArray
from evalign.errors import CommandError, InputError, Place, quote, suggest
from evalign.files import PACKED_ENDING, shorten_paths
from evalign.metrics import DEFAULT_WEIGHT, RelationLabels
from evalign.readers import Folder, paths_in_errors
from evalign.scoring import Input, match_folders, read
from evalign.ud_labels import UNFILLED, cut_relation

# Choices that the paper leaves open, each with a name, and the line that says which were made.

Case = Literal["keep", "lower"]
Vocabulary = Literal["treebank", "relation"]
LastChunk = Literal["drop", "keep"]
SttrWithout = Literal["upos", "relation", "nothing"]
ShareOf = Literal["all", "no-punct", "classes"]

CHOICES: dict[str, tuple[str, ...]] = {
    "case": ("keep", "lower"),
    "vocabulary": ("treebank", "relation"),
    "last_chunk": ("drop", "keep"),
    "sttr_without": ("upos", "relation", "nothing"),
    "share_of": ("all", "no-punct", "classes"),
    "relations": ("auto", "v1", "v2"),
}


class ProfileOptions(NamedTuple):
    """How a treebank is looked at; docs/typology.md says why these are the defaults."""

    case: Case = "keep"
    """Whether forms that differ in case are different words."""
    vocabulary: Vocabulary = "treebank"
    """Whose number of word forms bounds the entropy of a relation."""
    missing: float = DEFAULT_WEIGHT
    """What a relation counts in the average where a treebank has it not."""
    chunk: int = 1000
    """Words per chunk of STTR."""
    last_chunk: LastChunk = "drop"
    """Whether a last chunk that is not full counts."""
    sttr_without: SttrWithout = "upos"
    """What STTR leaves out: words whose UPOS is PUNCT, words whose relation is punct, or nothing."""
    share_of: ShareOf = "all"
    """What content and function are shares of: all relations, all but punct, or those of the two classes."""
    relations: RelationLabels = "auto"
    """Whose classes are used: those of UD version 1, of version 2, or of the version that the labels show."""

    def signature(self, versions: Iterable[str] = ()) -> str:
        """Everything that could move a number, on one line.

        >>> ProfileOptions(case="lower").signature(["v2"])
        'evalign:...|case:lower|vocabulary:treebank|missing:0.5|chunk:1000|last-chunk:drop|sttr-without:upos|share-of:all|relations:v2'
        """
        relations = "+".join(sorted(set(versions))) or self.relations
        parts = {"evalign": __version__, **self._asdict(), "relations": relations}
        return "|".join(f"{key.replace('_', '-')}:{value}" for key, value in parts.items())


def check_profile_options(settings: ProfileOptions) -> ProfileOptions:
    """The settings, if they are ones."""
    for name, choices in CHOICES.items():
        value = getattr(settings, name)
        if value not in choices:
            message = f"unknown value {quote(value)} for {name}"
            raise CommandError(message, *suggest(value, choices))
    if settings.chunk < 1:
        message = f"chunks of {settings.chunk} words"
        raise CommandError(message, "1 word or more")
    if not (math.isfinite(settings.missing) and 0 <= settings.missing <= 1):
        message = f"a missing relation counts {settings.missing}"
        raise CommandError(message, "a number from 0 to 1")
    return settings


# Folders of treebanks, as a shared task has them: a file of gold and one of every system for each treebank.


@dataclass(frozen=True, slots=True)
class TreebankFiles:
    """The files of a treebank."""

    name: str
    gold: str
    systems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatchedFolders:
    """Treebanks that every system has a file for."""

    systems: tuple[str, ...]
    """Names of the systems."""
    treebanks: tuple[TreebankFiles, ...]
    warnings: tuple[str, ...]
    """Files that match none, and treebanks that are left out as a system has no file for them."""


def is_folder(source: object) -> TypeGuard[Folder]:
    """Whether an input is the path of a folder."""
    # "" is no path, though it is the current folder to some.
    return isinstance(source, (str, os.PathLike)) and bool(os.fspath(source)) and Path(source).is_dir()


def match_treebanks(gold: Folder, systems: Sequence[Folder], names: Sequence[str] = ()) -> MatchedFolders:
    """Treebanks by the names of their files, as `score_collection` matches them; raises `InputError` if there is none."""
    matched = match_folders(gold, *systems, names=names)
    treebanks, missing = [], []
    for treebank in matched.treebanks:
        lacking = [
            said for said, file in zip(treebank.missing, treebank.systems, strict=True) if file is None
        ]
        missing += [f"{said}: {treebank.name} is left out" for said in lacking]
        if not lacking:
            files = tuple(str(file) for file in treebank.systems)
            treebanks.append(TreebankFiles(treebank.name, str(treebank.gold), files))
    if not treebanks:
        raise InputError(Place(os.fspath(gold)), missing[0], "files of the systems, named as gold's are")
    return MatchedFolders(matched.systems, tuple(treebanks), (*matched.warnings, *missing))


# Sentences that are trees, and those with crossing arcs.


def find_trees(parents: IntArray, cuts: IntArray) -> npt.NDArray[np.bool_]:
    """Per sentence whether it is a tree: every word has a head or is a root. A sentence without words is none."""
    trees: npt.NDArray[np.bool_] = _count(parents >= ROOT, cuts) == np.maximum(np.diff(cuts), 1)
    return trees


def find_nonprojective(parents: IntArray, cuts: IntArray) -> npt.NDArray[np.bool_]:
    """Per sentence whether it is a tree with at least one non-projective arc.

    An arc is non-projective if a word between head and dependent is not under the head. A tree has such an arc if
    and only if some arc has a word inside whose own head is outside (a root's head is outside of everything): from
    a word inside, the way up passes such a word or ends at the head. So the least and the greatest head of what
    lies inside say it all. They are found for all arcs of up to twice a length at once, so time grows with the
    number of words and the logarithm of the longest arc.
    """
    dependents = np.flatnonzero(parents >= 0)
    heads = parents[dependents]
    first, last = np.minimum(dependents, heads) + 1, np.maximum(dependents, heads)
    inside = last - first
    crossed = np.zeros(len(parents), bool)
    # least[k] and greatest[k] are of the heads of words k up to k + reach.
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
    """How many are true in each sentence."""
    total = np.zeros(len(mask) + 1, np.int64)
    np.cumsum(mask, out=total[1:])
    counts: IntArray = np.diff(total[cuts])
    return counts


# Words of relations, and how many distinct forms they have.


class RelationWords(NamedTuple):
    """The words of one relation in one treebank."""

    words: int
    types: int
    """Distinct forms among them."""
    entropy: float
    """Word dependency entropy, from 0 (always the same form) to 1."""


def measure_relations(
    relations: IntArray, forms: IntArray, n_types: int, vocabulary: Vocabulary = "treebank"
) -> dict[int, RelationWords]:
    """Per relation its words and WDE(r, t) = H(p(w | r, t)) / log n, n being the number of distinct forms.

    `relations` and `forms` have a number per word. Where there is one form only, there is no entropy: 0.
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
    """Entropy of a distribution in nats, from its frequencies: log N - sum(f log f) / N."""
    total = int(frequencies.sum())
    return max(0.0, math.log(total) - float((frequencies * np.log(frequencies)).sum()) / total)


class TypeTokenRatio(NamedTuple):
    """A type/token ratio over chunks of equal size."""

    value: float | None
    chunks: int


def measure_types(forms: IntArray, chunk: int, last_chunk: LastChunk = "drop") -> TypeTokenRatio:
    """STTR: the mean over chunks of as many words of distinct forms per word; None where no chunk is full.

    With `last_chunk` "keep" what is left behind the full chunks counts as one more.
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

_PACKED = re.compile(rf"{PACKED_ENDING}$", re.IGNORECASE)
# Words whose forms are held at a time.
_STEP = 1 << 14
_CONLLU = re.compile(r"\.conllu?$", re.IGNORECASE)


class TreebankSizes(NamedTuple):
    """How large a treebank is."""

    sentences: int = 0
    tokens: int = 0
    trees: int = 0
    """Sentences that are trees."""
    nonprojective: int = 0
    """Trees with at least one non-projective arc."""
    featured: int = 0
    """Words that have features."""


class TreebankColumns(NamedTuple):
    """A treebank in numbers. Rows are words."""

    name: str
    path: str
    sizes: TreebankSizes
    forms: IntArray
    """A number per word, the same for the same form."""
    n_types: int
    relations: IntArray
    """A number per word; where there is none, -1."""
    labels: Sequence[str]
    """Relations without subtype."""
    punctuation: npt.NDArray[np.bool_]
    """What STTR leaves out."""
    warnings: tuple[str, ...]


def file_stem(path: str) -> str:
    """The name of a file without its ending; that of packing does not count.

    >>> file_stem("ud/en_ewt-ud-test.conllu.gz"), file_stem("UD_English-EWT"), file_stem("runs/en.v2.json")
    ('en_ewt-ud-test', 'UD_English-EWT', 'en.v2')
    """
    name = _PACKED.sub("", os.path.basename(path.rstrip("/\\"))) or path  # noqa: PTH119 - not every name is a path
    return name.rpartition(".")[0] or name


def name_apart(paths: Sequence[str]) -> list[str]:
    """Names without their endings; where two would be the same, with their folders, else with a number.

    >>> name_apart(["a/en.conllu", "b/en.conllu", "b/fr.conllu"]), name_apart(["en.conllu", "en.conllu"])
    (['a/en', 'b/en', 'fr'], ['en', 'en (2)'])
    """
    names = shorten_paths([path[: path.rfind(file_stem(path))] + file_stem(path) for path in paths])
    earlier = [names[:k].count(name) for k, name in enumerate(names)]
    return [f"{name} ({n + 1})" if n else name for name, n in zip(names, earlier, strict=True)]


def path_of(source: Input) -> str:
    """How an input is called."""
    if isinstance(source, (str, os.PathLike)):
        return "<stdin>" if source == "-" else os.fspath(source)
    return str(getattr(source, "name", "<tokens>"))


def read_treebank(source: Input, name: str, path: str, settings: ProfileOptions) -> TreebankColumns:
    """A treebank from a file, or from all files *.conllu of a folder, in the order of their names.

    `path` is what the profile and warnings call the file; errors have the path as given.
    """
    try:
        return join_documents(name, path, _documents(source, path), settings)
    except InputError as error:
        error.show_paths({path: path_of(source)})
        raise


def _documents(source: Input, path: str) -> Iterator[Document]:
    """The documents of a treebank; those of a folder are called by the names of their files."""
    if not isinstance(source, (str, os.PathLike)) or not os.fspath(source) or not Path(source).is_dir():
        yield read(source).renamed(path)
        return
    files = sorted(entry for entry in Path(source).iterdir() if _CONLLU.search(_PACKED.sub("", entry.name)))
    if not files:
        problem = "a folder without a file *.conllu"
        raise InputError(Place(os.fspath(source)), problem, "a treebank: a CoNLL-U file, or a folder of them")
    for file in files:
        with paths_in_errors([file], [file.name]):
            yield read(file).renamed(file.name)


def join_documents(
    name: str, path: str, documents: Iterable[Document], settings: ProfileOptions
) -> TreebankColumns:
    """A treebank from the documents it is made of; only one of them is held at a time."""
    types: defaultdict[str, int] = defaultdict(count().__next__)
    relations: defaultdict[str, int] = defaultdict(count().__next__)
    sizes: list[TreebankSizes] = []
    parts: list[tuple[IntArray, IntArray, npt.NDArray[np.bool_]]] = []
    warnings: list[str] = []
    for document in documents:
        columns = _columns(document)
        sizes.append(_measure(document, columns))
        forms = number_forms(document, types, lower=settings.case == "lower")
        punctuation, warning = _punctuation(document.name, columns, settings)
        parts.append((forms, _number_relations(columns.deprel, relations), punctuation))
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
    """A warning of sentences that are no trees."""
    broken = sizes.sentences - sizes.trees
    if not broken:
        return ""
    are = (
        f"1 of {sizes.sentences:,} sentences is not a tree"
        if broken == 1
        else (f"{broken:,} of {sizes.sentences:,} sentences are not trees")
    )
    return f"{name}: {are}: the share of non-projective trees leaves them out"


def _columns(document: Document) -> Columns:
    if document.columns is None:
        problem = f"{document.format} text, which has no trees"
        raise InputError(Place(document.name), problem, "a treebank in CoNLL-U")
    return document.columns


def number_forms(document: Document, types: defaultdict[str, int], *, lower: bool = False) -> IntArray:
    """A number per word, the same for the same form; `types` has the forms met before and is added to."""
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


def _number_relations(deprel: Column, relations: defaultdict[str, int]) -> IntArray:
    numbers = [-1 if label in (UNFILLED, "") else relations[cut_relation(label)] for label in deprel.labels]
    numbers_by_word: IntArray = np.array(numbers, np.int32)[deprel.ids]
    return numbers_by_word


def _punctuation(name: str, columns: Columns, settings: ProfileOptions) -> tuple[npt.NDArray[np.bool_], str]:
    """Words that STTR leaves out, and a warning where they cannot be found as asked."""
    if settings.sttr_without == "nothing":
        return np.zeros(len(columns.deprel.ids), bool), ""
    if settings.sttr_without == "upos" and columns.upos.is_filled:
        return _has(columns.upos, lambda label: label == "PUNCT"), ""
    punctuation = _has(columns.deprel, lambda label: cut_relation(label) == "punct")
    missing = f"{name}: no word has a UPOS: STTR leaves out words whose relation is punct"
    return punctuation, missing if settings.sttr_without == "upos" and len(punctuation) else ""


def _has(column: Column, is_wanted: Callable[[str], bool]) -> npt.NDArray[np.bool_]:
    """Per word whether its label is one of some."""
    mask: npt.NDArray[np.bool_] = np.array([is_wanted(label) for label in column.labels], bool)[column.ids]
    return mask
