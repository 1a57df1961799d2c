"""Lexicons: translations of words with probabilities in both directions, learnt from sentences or read.

Lexical mining scores pairs of sentences by a lexicon.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evalign.bitext.dataset import Corpus
from evalign.bitext.inputs.formats import find_pair_format, read_source_pairs
from evalign.bitext.languages import Language
from evalign.bitext.mining.candidates import MINING_SIZES, MiningSizes
from evalign.bitext.mining.word_cutter import Cutter, find_expressions
from evalign.bitext.pairs import LANGUAGE_PATTERN
from evalign.bitext.workers import closing_results
from evalign.engines.base import Engine, SerialEngine, run_ordered
from evalign.errors import CommandError, InputError, Message, Place, quote, show_name
from evalign.files import write_whole
from evalign.progress import Progress, counted, no_progress
from evalign.readers.line_reader import read_lines

Translations: TypeAlias = Mapping[str, Mapping[str, float]]
"""For each word its translations and their probabilities, the most probable first."""

ITERATIONS = 8
# Translations less probable than this are mostly chance.
LEAST_PROBABLE = 0.01
MOST_TRANSLATIONS = 20
# A longer sentence shows little about which word translates which, and costs its length times that of its
# translation.
LONGEST_SENTENCE = 200


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Translations of the words of two languages; words are terms as `Cutter` cuts them."""

    forward: Translations
    """From the first language to the second."""
    backward: Translations
    """From the second language to the first."""

    def __len__(self) -> int:
        return sum(map(len, self.forward.values())) + sum(map(len, self.backward.values()))


def learn_lexicon(
    pairs: Iterable[tuple[Sequence[str], Sequence[str]]],
    *,
    iterations: int = ITERATIONS,
    engine: Engine | None = None,
    sizes: MiningSizes = MINING_SIZES,
) -> Lexicon:
    """Learn translations by IBM model 1, separately in each direction.

    `pairs` are sentences and their translations, as terms. Pairs with an empty or a very long sentence are
    ignored.

    >>> pairs = [("le chat", "the cat"), ("le chien", "the dog"), ("un chat", "a cat")]
    >>> lexicon = learn_lexicon([(first.split(), second.split()) for first, second in pairs])
    >>> next(iter(lexicon.forward["chat"])), next(iter(lexicon.backward["the"]))
    ('cat', 'le')
    """
    numbers: tuple[dict[str, int], dict[str, int]] = {}, {}
    sentences: tuple[list[list[int]], list[list[int]]] = [], []
    for pair in pairs:
        if min(map(len, pair)) > 0 and max(map(len, pair)) <= LONGEST_SENTENCE:
            for vocabulary, into, terms in zip(numbers, sentences, pair, strict=True):
                into.append([vocabulary.setdefault(term, len(vocabulary) + 1) for term in terms])
    first, second = pack_sentences(sentences[0]), pack_sentences(sentences[1])
    names = ["", *numbers[0]], ["", *numbers[1]]
    where = (
        engine if engine and len(first.words) + len(second.words) >= sizes.smallest_words else SerialEngine()
    )
    learn = partial(_learn, iterations)
    with closing_results(run_ordered(where, learn, [(first, second), (second, first)])) as tables:
        forward, backward = tables
    return Lexicon(
        _translate(forward, names[0], names[1]),
        _translate(backward, names[1], names[0]),
    )


def _learn(iterations: int, sentences: tuple[PackedSentences, PackedSentences]) -> TranslationTable:
    """Learn translations in one direction, without improbable ones."""
    table = estimate_model(*sentences, iterations)
    kept = np.flatnonzero(table.probabilities >= LEAST_PROBABLE)
    return TranslationTable(table.sources[kept], table.targets[kept], table.probabilities[kept])


def _translate(
    table: TranslationTable, source_names: Sequence[str], target_names: Sequence[str]
) -> Translations:
    tables: dict[str, dict[str, float]] = {}
    rows = zip(table.sources.tolist(), table.targets.tolist(), table.probabilities.tolist(), strict=True)
    for source, target, probability in rows:
        tables.setdefault(source_names[source], {})[target_names[target]] = probability
    return {word: _best(translations) for word, translations in tables.items()}


def _best(translations: Mapping[str, float]) -> dict[str, float]:
    """Return the most probable translations of a word; ties go alphabetically."""
    ordered = sorted(translations.items(), key=lambda each: (-each[1], each[0]))
    return dict(ordered[:MOST_TRANSLATIONS])


def make_lexicon(forward: Translations, backward: Translations) -> Lexicon:
    """Make a lexicon of these translations; each word keeps its most probable ones."""
    return Lexicon(
        {word: _best(translations) for word, translations in forward.items()},
        {word: _best(translations) for word, translations in backward.items()},
    )


def join_lexicons(lexicons: Sequence[Lexicon]) -> Lexicon:
    """Merge lexicons; a translation that several have keeps its highest probability."""
    if len(lexicons) == 1:
        return lexicons[0]
    return make_lexicon(
        _join([each.forward for each in lexicons]), _join([each.backward for each in lexicons])
    )


def _join(tables: Sequence[Translations]) -> Translations:
    joined: dict[str, dict[str, float]] = {}
    for table in tables:
        for word, translations in table.items():
            so_far = joined.setdefault(word, {})
            for translation, probability in translations.items():
                so_far[translation] = max(so_far.get(translation, 0.0), probability)
    return joined


def lexicon_of_entries(entries: Iterable[tuple[Sequence[str], Sequence[str], float]]) -> Lexicon:
    """Make a lexicon of dictionary entries: the terms of a word, the terms of its translation, a probability.

    In an entry of several terms, each term may be a translation of each, and the probability is shared among
    them. Both directions get the same probability.
    """
    forward: dict[str, dict[str, float]] = {}
    backward: dict[str, dict[str, float]] = {}
    for words, translations, probability in entries:
        for word in words:
            for translation in translations:
                share = probability / max(len(words), len(translations))
                for table, source, target in ((forward, word, translation), (backward, translation, word)):
                    row = table.setdefault(source, {})
                    row[target] = max(row.get(target, 0.0), share)
    return make_lexicon(forward, backward)


def write_lexicon(path: str | os.PathLike[str], lexicon: Lexicon, languages: tuple[str, str]) -> None:
    """Save a lexicon as a table, whole or not at all.

    A line has a word, a translation, and the probability of each given the other.
    """
    rows: dict[tuple[str, str], list[float]] = {}
    for word, translations in lexicon.forward.items():
        for translation, probability in translations.items():
            rows.setdefault((word, translation), [0.0, 0.0])[0] = probability
    for translation, words in lexicon.backward.items():
        for word, probability in words.items():
            rows.setdefault((word, translation), [0.0, 0.0])[1] = probability
    lines = [lexicon_header(languages)]
    lines += (
        f"{word}\t{translation}\t{there:.6f}\t{back:.6f}\n"
        for (word, translation), (there, back) in sorted(rows.items())
    )
    write_whole(path, "".join(lines))


def lexicon_header(languages: tuple[str, str]) -> str:
    r"""Return the first line of a saved lexicon, with its line end.

    >>> lexicon_header(("fr", "en"))
    'fr\ten\tP(en|fr)\tP(fr|en)\n'
    """
    first, second = languages
    return f"{first}\t{second}\tP({second}|{first})\tP({first}|{second})\n"


# Lexicons from files: saved lexicons, dictionaries, and translated sentences to learn a lexicon from.
#
# fr TAB en TAB P(en|fr) TAB P(fr|en)       the first line of a saved lexicon
# chat TAB cat TAB 0.93                     a dictionary: a word, a translation, its probability
# un chat TAB a cat                         pairs of sentences or words; `inputs.formats` lists other formats


Path: TypeAlias = "str | os.PathLike[str]"
LexiconSource: TypeAlias = "Path | tuple[Path, Path]"
"""A file, or two files whose lines belong together."""

_HEADER = re.compile(rf"({LANGUAGE_PATTERN})\t({LANGUAGE_PATTERN})\tP\(\2\|\1\)\tP\(\1\|\2\)")
_NUMBER = re.compile(r"[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?")


def read_lexicon(
    sources: Sequence[LexiconSource],
    languages: tuple[Language, Language],
    *,
    progress: Progress = no_progress,
    engine: Engine | None = None,
    sizes: MiningSizes = MINING_SIZES,
) -> Lexicon:
    """Make one lexicon of files: of saved lexicons, dictionaries, and pairs of sentences.

    A lexicon is learnt from all pairs of sentences together. Raises an error if there are no sources, or if
    no word has a translation.
    """
    if not sources:
        message = "no lexicon"
        expected = Message("a file to learn one from, or a dictionary: {lexicon=parallel.tsv}")
        raise CommandError(message, expected)
    pairs: list[tuple[str, str]] = []
    lexicons: list[Lexicon] = []
    for source in sources:
        content = _read_source(source, languages, progress)
        if isinstance(content, Lexicon):
            lexicons.append(content)
        else:
            pairs += content
    if pairs:
        cutters = [
            Cutter(language, find_expressions(pair[side] for pair in pairs))
            if language.unit == "characters"
            else Cutter(language)
            for side, language in enumerate(languages)
        ]

        def cut_pairs() -> Iterator[tuple[list[str], list[str]]]:
            for _, (first, second) in counted(pairs, progress, lambda _: "cutting sentences"):
                yield cutters[0].cut(first), cutters[1].cut(second)
            progress("learning a lexicon")

        lexicons.append(learn_lexicon(cut_pairs(), engine=engine, sizes=sizes))
    lexicon = join_lexicons(lexicons)
    if not len(lexicon):
        raise InputError(
            _place(sources[0]), "no word with a translation", "sentences with their translations"
        )
    return lexicon


def _place(source: LexiconSource) -> Place:
    return Place(show_name(source[0] if isinstance(source, tuple) else source))


def _read_source(
    source: LexiconSource, languages: tuple[Language, Language], progress: Progress
) -> Lexicon | list[tuple[str, str]]:
    """Read a lexicon, or pairs of sentences to learn one from."""
    paths = source if isinstance(source, tuple) else (source,)
    codes = languages[0].code, languages[1].code
    if len(paths) == 1 and find_pair_format(paths) == "tsv":
        cells = next((line.split("\t") for _, line in read_lines(paths[0]) if line.strip()), [])
        if _HEADER.fullmatch("\t".join(cells)):
            return _read_saved(paths[0], codes, progress)
        if len(cells) == 3 and _NUMBER.fullmatch(cells[2].strip()):
            return _read_dictionary(paths[0], languages, progress)
    source_pairs = read_source_pairs(paths, languages=codes, progress=progress)
    pairs = [(pair.first, pair.second) for pair in source_pairs]
    if not pairs:
        raise InputError(_place(source), "no pair", "sentences with their translations, or a dictionary")
    return pairs


def _read_saved(path: Path, codes: tuple[str, str], progress: Progress) -> Lexicon:
    """Read a lexicon that `write_lexicon` saved."""
    forward: dict[str, dict[str, float]] = {}
    backward: dict[str, dict[str, float]] = {}
    name = show_name(path)
    lines = ((Place(name, lineno), line) for lineno, line in read_lines(path, progress) if line.strip())
    _check_header(*next(lines), codes)
    for place, line in lines:
        cells = line.split("\t")
        if len(cells) != 4 or not all(cells):
            raise InputError(
                place, quote(line), "a word, a translation and two probabilities, tabs between them"
            )
        word, translation, *shares = cells
        there, back = (_probability(place, share) for share in shares)
        if there:
            forward.setdefault(word, {})[translation] = there
        if back:
            backward.setdefault(translation, {})[word] = back
    return make_lexicon(forward, backward)


def _check_header(place: Place, line: str, codes: tuple[str, str]) -> None:
    header_codes = tuple(line.split("\t")[:2])
    if header_codes != codes:
        message = f"a lexicon of {header_codes[0]} and {header_codes[1]}"
        raise InputError(place, message, f"one of {codes[0]} and {codes[1]}")


def _read_dictionary(path: Path, languages: tuple[Language, Language], progress: Progress) -> Lexicon:
    """Read a dictionary: words, translations and probabilities."""
    name = show_name(path)
    rows: list[tuple[str, str, float]] = []
    for lineno, line in read_lines(path, progress):
        if not line.strip():
            continue
        place, cells = Place(name, lineno), line.split("\t")
        if len(cells) != 3:
            expected = "3, as above: a word, a translation, how probable it is"
            raise InputError(place, f"columns: {len(cells)}", expected)
        rows.append((cells[0], cells[1], _probability(place, cells[2])))
    # In scripts without spaces, every entry of the dictionary counts as a word.
    one = Cutter(languages[0], (first for first, _, _ in rows))
    two = Cutter(languages[1], (second for _, second, _ in rows))
    return lexicon_of_entries(
        (one.cut_entry(first), two.cut_entry(second), share) for first, second, share in rows if share
    )


def _probability(place: Place, text: str) -> float:
    share = float(text) if _NUMBER.fullmatch(text.strip()) else -1.0
    if not 0.0 <= share <= 1.0:
        raise InputError(place, f"probability {quote(text)}", "a number from 0 to 1")
    return share


# Checks that a lexicon is of the languages that are mined.
#
# Lexicons of some 25,000 pairs have 75 to 96 % of the words of their own languages, and 0 to 38 % of those of
# others (fr, de, zh, en). A dictionary without the most frequent words has less: below `_FEW_KNOWN` there is
# only a warning.
_LEAST_KNOWN = 0.1
_FEW_KNOWN = 0.5
# This many sentences of a corpus are enough for the check.
_SENTENCES_TO_CHECK = 2000


def check_lexicon(
    lexicon: Lexicon, corpora: tuple[Corpus, Corpus], cutters: tuple[Cutter, Cutter], split: str
) -> list[str]:
    """Return a warning for every corpus that has few of its words in the lexicon.

    Raises `CommandError` if the lexicon seems to be of other languages.
    """
    tables = lexicon.forward, lexicon.backward
    own_shares, crossed_shares = (
        [
            share_known(corpus, cutter, table)
            for corpus, cutter, table in zip(corpora, cutters, order, strict=True)
        ]
        for order in (tables, tables[::-1])
    )
    remarks = []
    for corpus, share, other in zip(corpora, own_shares, crossed_shares, strict=True):
        message = f"the lexicon knows {share:.0%} of the words of {corpus.language} in {split}"
        if share < _LEAST_KNOWN or (share < _FEW_KNOWN and other > 2 * share):
            languages = " and ".join(each.language for each in corpora)
            swapped = (
                "its languages seem to be the other way round" if min(crossed_shares) > _FEW_KNOWN else ""
            )
            raise CommandError(message, f"a lexicon of {languages}, in this order", swapped)
        if share < _FEW_KNOWN:
            remarks.append(f"{message}: is it of this language, and large enough?")
    return remarks


def share_known(corpus: Corpus, cutter: Cutter, table: Translations) -> float:
    """Return the share of the terms of a corpus that have a translation; numbers are ignored."""
    terms = [term for text in _sample_evenly(corpus.texts) for term in cutter.cut(text) if not term.isdigit()]
    return sum(term in table for term in terms) / max(len(terms), 1)


def _sample_evenly(texts: Sequence[str]) -> Sequence[str]:
    """Return evenly spaced sentences, at least `_SENTENCES_TO_CHECK` and at most twice as many.

    Returns all sentences if there are fewer.
    """
    return texts[:: max(1, len(texts) // _SENTENCES_TO_CHECK)]


# IBM model 1: how probable a word is as the translation of another, learnt from pairs of sentences.
#
# Brown et al. 1993, "The Mathematics of Statistical Machine Translation", section 4.1. Every word of a target
# sentence comes from one word of its source sentence or from none. Which one is not observed; expectation
# maximisation finds the probabilities under which the targets are most probable. The likelihood has a single
# maximum, so the start matters little: all probabilities begin equal.
#
# Words are numbers here. A cell is a source word and a target word that occur in one pair of sentences; an
# entry is one occurrence of a cell. All entries of a block are computed at once. Memory: four bytes per entry
# (a word of a source sentence times a word of its translation), and some forty bytes per cell.

Words: TypeAlias = npt.NDArray[np.int32]
Shares: TypeAlias = npt.NDArray[np.float64]

# How many entries are numbered at a time; more if a single pair of sentences has more.
ENTRIES_PER_BLOCK = 1 << 22


class PackedSentences(NamedTuple):
    """Sentences of one language, concatenated."""

    words: Words
    """Numbers of the words, from 1.

    0 is the empty word, which generates target words that no source word explains.
    """
    sizes: npt.NDArray[np.int64]
    """How many words each sentence has."""


class TranslationTable(NamedTuple):
    """Probabilities of target words given source words, ordered by source and then by target."""

    sources: Words
    targets: Words
    probabilities: Shares


class _Entries(NamedTuple):
    """Entries of some pairs of sentences: for each target word, one per source word it may come from."""

    cells: npt.NDArray[np.int32]
    sizes: npt.NDArray[np.int64]
    """How many entries each target word has."""


class _LocalEntries(NamedTuple):
    """Entries whose cells are numbered within their block only."""

    keys: npt.NDArray[np.int64]
    """A sorted key per cell, which identifies the cell across blocks."""
    cells: npt.NDArray[np.int32]
    sizes: npt.NDArray[np.int64]

    def renumber(self, keys: npt.NDArray[np.int64]) -> _Entries:
        """Number the cells by their position in `keys`, the sorted keys of all blocks."""
        return _Entries(np.searchsorted(keys, self.keys).astype(np.int32)[self.cells], self.sizes)


def pack_sentences(sentences: Sequence[Sequence[int]]) -> PackedSentences:
    """Return sentences of word numbers as arrays."""
    sizes = np.fromiter(map(len, sentences), np.int64, len(sentences))
    total = int(sizes.sum())
    return PackedSentences(np.fromiter((word for each in sentences for word in each), np.int32, total), sizes)


def estimate_model(
    sources: PackedSentences, targets: PackedSentences, iterations: int, *, most: int = ENTRIES_PER_BLOCK
) -> TranslationTable:
    """Estimate translation probabilities by `iterations` of expectation maximisation.

    The empty word is part of the model, but not of the result. At most `most` entries are numbered at a time,
    or those of one pair of sentences if it has more.
    """
    width = int(targets.words.max(initial=0)) + 1
    with_none = _add_none(sources)
    spans = [*_cut(with_none.sizes, targets.sizes, most)]
    numbered = [_number_cells(with_none, targets, span, width) for span in spans]
    cells = np.unique(np.concatenate([each.keys for each in numbered])) if numbered else np.empty(0, np.int64)
    blocks = [each.renumber(cells) for each in numbered]
    del numbered
    of_sources, of_targets = (cells // width).astype(np.int32), (cells % width).astype(np.int32)
    shares = _maximize(blocks, of_sources, iterations)
    kept = of_sources > 0
    return TranslationTable(of_sources[kept], of_targets[kept], shares[kept])


def _maximize(blocks: Sequence[_Entries], sources: Words, iterations: int) -> Shares:
    # All target words that a source word occurs with begin equally probable.
    shares = 1 / np.bincount(sources)[sources] if len(sources) else np.empty(0)
    for _ in range(iterations):
        counts = np.zeros(len(sources))
        for block in blocks:
            expected = shares[block.cells]
            sums = np.add.reduceat(expected, np.cumsum(block.sizes) - block.sizes)
            expected /= np.repeat(sums, block.sizes)
            counts += np.bincount(block.cells, expected, len(sources))
        shares = counts / np.bincount(sources, counts)[sources]
    return shares


def _add_none(sentences: PackedSentences) -> PackedSentences:
    """Put the empty word in front of every sentence."""
    starts = np.cumsum(sentences.sizes) - sentences.sizes
    return PackedSentences(np.insert(sentences.words, starts, 0), sentences.sizes + 1)


def _cut(sources: npt.NDArray[np.int64], targets: npt.NDArray[np.int64], most: int) -> Iterator[slice]:
    """Cut pairs of sentences into slices of at most `most` entries; slices without entries are left out."""
    entries = np.cumsum(sources * targets)
    start = 0
    while start < len(entries):
        before = int(entries[start - 1]) if start else 0
        end = max(start + 1, int(np.searchsorted(entries, before + most, "right")))
        if int(entries[end - 1]) > before:
            yield slice(start, end)
        start = end


def _number_cells(
    sources: PackedSentences, targets: PackedSentences, span: slice, width: int
) -> _LocalEntries:
    """List the entries of a slice of pairs, and number their cells."""
    source_starts = np.cumsum(sources.sizes) - sources.sizes
    begin = int(targets.sizes[: span.start].sum())
    words = targets.words[begin : begin + int(targets.sizes[span].sum())]
    sizes = np.repeat(sources.sizes[span], targets.sizes[span])
    starts = np.repeat(source_starts[span], targets.sizes[span])
    places = np.arange(int(sizes.sum())) + np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
    entries = sources.words[places].astype(np.int64) * width + np.repeat(words, sizes)
    keys, cells = np.unique(entries, return_inverse=True)
    return _LocalEntries(keys, cells.astype(np.int32), sizes)
