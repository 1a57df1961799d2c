"""Lexicons from files: saved ones, dictionaries with probabilities, and sentences with their translations to learn from.

fr TAB en TAB P(en|fr) TAB P(fr|en)       the first line of a saved lexicon
chat TAB cat TAB 0.93                     a dictionary: a word, a translation, how probable it is
un chat TAB a cat                         pairs of sentences, or of words; more forms of these: `inputs.formats`
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from evalign.bitext.ids import LANGUAGE
from evalign.bitext.inputs.formats import find_pair_format, read_pairs_of
from evalign.bitext.languages import Language
from evalign.bitext.mining.expressions import find_expressions
from evalign.bitext.mining.lexicon import Lexicon, from_entries, join_lexicons, learn_lexicon, make_lexicon
from evalign.bitext.mining.terms import Cutter
from evalign.engines import Engine
from evalign.errors import CommandError, InputError, Place, quote, show_name
from evalign.progress import Progress, no_progress
from evalign.readers import read_lines

Path: TypeAlias = "str | os.PathLike[str]"
LexiconSource: TypeAlias = "Path | tuple[Path, Path]"
"""A file, or two whose lines belong together."""

_HEADER = re.compile(rf"({LANGUAGE})\t({LANGUAGE})\tP\(\2\|\1\)\tP\(\1\|\2\)")
_NUMBER = re.compile(r"[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?")


class _Learnt(NamedTuple):
    """What was read to learn from, or was given."""

    pairs: list[tuple[str, str]]
    lexicons: list[Lexicon]


def read_lexicon(
    sources: Sequence[LexiconSource],
    languages: tuple[Language, Language],
    *,
    progress: Progress = no_progress,
    engine: Engine | None = None,
) -> Lexicon:
    """The lexicon of some files together; from all pairs of sentences one is learnt."""
    if not sources:
        message = "no lexicon"
        raise CommandError(message, "a file to learn one from, or a dictionary: --lexicon parallel.tsv")
    read = _Learnt([], [])
    for source in sources:
        _read_source(source, languages, read, progress)
    if read.pairs:
        progress("learning a lexicon")
        cutters = [
            Cutter(language, find_expressions(pair[side] for pair in read.pairs))
            if language.unit == "characters"
            else Cutter(language)
            for side, language in enumerate(languages)
        ]
        cut = ((cutters[0].cut(first), cutters[1].cut(second)) for first, second in read.pairs)
        read.lexicons.append(learn_lexicon(cut, engine=engine))
    lexicon = join_lexicons(read.lexicons)
    if not len(lexicon):
        raise InputError(
            _place(sources[0]), "no word with a translation", "sentences with their translations"
        )
    return lexicon


def _place(source: LexiconSource) -> Place:
    return Place(show_name(source[0] if isinstance(source, tuple) else source))


def _read_source(
    source: LexiconSource, languages: tuple[Language, Language], read: _Learnt, progress: Progress
) -> None:
    paths = source if isinstance(source, tuple) else (source,)
    codes = languages[0].code, languages[1].code
    if len(paths) == 1 and find_pair_format(paths) == "tsv":
        cells = _first_cells(paths[0])
        if _HEADER.fullmatch("\t".join(cells)):
            read.lexicons.append(_read_saved(paths[0], codes, progress))
            return
        if len(cells) == 3 and _NUMBER.fullmatch(cells[2].strip()):
            read.lexicons.append(_read_dictionary(paths[0], languages, progress))
            return
    before = len(read.pairs)
    pairs = read_pairs_of(paths, languages=codes, progress=progress)
    read.pairs.extend((pair.first, pair.second) for pair in pairs)
    if len(read.pairs) == before:
        raise InputError(_place(source), "no pair", "sentences with their translations, or a dictionary")


def _first_cells(path: Path) -> list[str]:
    """The cells of the first line that has any."""
    return next((line.split("\t") for _, line in read_lines(path) if line.strip()), [])


def _read_saved(path: Path, codes: tuple[str, str], progress: Progress) -> Lexicon:
    """A lexicon as `write_lexicon` saves it."""
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
    found = tuple(line.split("\t")[:2])
    if found != codes:
        message = f"a lexicon of {found[0]} and {found[1]}"
        raise InputError(place, message, f"one of {codes[0]} and {codes[1]}")


def _read_dictionary(path: Path, languages: tuple[Language, Language], progress: Progress) -> Lexicon:
    """Words with translations and probabilities."""
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
    # What a dictionary lists is a word, whatever it is made of.
    one = Cutter(languages[0], (first for first, _, _ in rows))
    two = Cutter(languages[1], (second for _, second, _ in rows))
    return from_entries(
        (one.entry(first), two.entry(second), share) for first, second, share in rows if share
    )


def _probability(place: Place, text: str) -> float:
    share = float(text) if _NUMBER.fullmatch(text.strip()) else -1.0
    if not 0.0 <= share <= 1.0:
        raise InputError(place, f"probability {quote(text)}", "a number from 0 to 1")
    return share
