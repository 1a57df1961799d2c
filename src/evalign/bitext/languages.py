"""Settings of languages, and what depends on them: the length of a sentence and the terms it is indexed by.

There are built-in settings for some languages. A configuration changes them, or adds a language:

    [languages.cy]
    unit = "words"
    stop_words = "stop/cy.txt"
    minimum_should_match = 50
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import Final, Literal

from evalign.bitext.pairs import is_language
from evalign.errors import CommandError, quote, suggest
from evalign.readers.content import load

Unit = Literal["words", "characters"]

_FOLDER = Path(__file__).parent / "data" / "stop"
# A token between spaces without a letter or digit. One search of the sentence is faster than one of each
# token.
_MARKS_ALONE = re.compile(r"(?<!\S)(?:[^\w\s]|_)+(?!\S)")


@dataclass(frozen=True)
class Language:
    """Settings of one language.

    The defaults are those of the BUCC data sets for languages with spaces (section 2.2).

    Lengths are counted in `unit`: words between spaces, or characters.
    """

    code: str
    unit: Unit = "words"
    """The unit of lengths, and of what is indexed: words, or bigrams of characters."""
    shortest: int = 10
    longest: int = 20
    query: int = 5
    """How many words or characters of a sentence, from its start, a query is made of."""
    minimum_should_match: int = 70
    """Percentage of the terms of a query that a sentence must contain.

    Rounded down, but at least one term.
    """
    phrase_slop: int = 5
    pair_slop: int = 5
    stop_words: frozenset[str] = frozenset()
    """Words that are left out of queries, folded by `fold_text`.

    With characters as the unit, stop expressions.
    """
    locution: int = 0
    """The longest locution (a phrase before a comma) that is left out of a query, in characters.

    0 for none.
    """
    commas: str = ",，"
    """The commas that may end a locution."""
    scripts: tuple[str, ...] = ()
    """Scripts of the language by their Unicode names; empty if not known."""

    @property
    def is_chinese(self) -> bool:
        """True if it is written in Chinese characters, but not in those of Japanese or Korean."""
        return "Han" in self.scripts and not {"Hiragana", "Katakana", "Hangul"} & {*self.scripts}

    def fits(self, length: int) -> bool:
        """Return whether a length is from `shortest` to `longest`."""
        return self.shortest <= length <= self.longest


# Languages written with spaces: the settings of the BUCC paper, each with its own stop words.
_OF_WORDS = (
    "ar",
    "cs",
    "da",
    "de",
    "en",
    "es",
    "fi",
    "fr",
    "it",
    "ko",
    "nl",
    "no",
    "pl",
    "pt",
    "ru",
    "sv",
    "tr",
    "uk",
)

_OF_UNIT: Mapping[str, Language] = {
    "words": Language(""),
    # Zweigenbaum et al. 2018, section 2.3: 15 to 40 characters, of which 15 are searched for. With bigrams,
    # hardly any sentence has the 70 % of the terms that languages with spaces require: docs/bitext-build.md
    # has the trial of 20 %.
    "characters": Language("", "characters", 15, 40, 15, minimum_should_match=20),
}
_OF_CHARACTERS: Mapping[str, Language] = {
    "zh": replace(_OF_UNIT["characters"], locution=6),
    # With kana the same content takes some 1.4 times the characters. Our own figure, not one of the BUCC
    # paper.
    "ja": replace(_OF_UNIT["characters"], shortest=20, longest=55, query=20, locution=6, commas=",，、"),
}
_SCRIPTS: Mapping[str, tuple[str, ...]] = {
    "ar": ("Arabic",),
    "ja": ("Han", "Hiragana", "Katakana"),
    "ko": ("Hangul", "Han"),
    "ru": ("Cyrillic",),
    "uk": ("Cyrillic",),
    "zh": ("Han",),
}
_LATIN = ("Latin",)
# Scripts that a configuration may name: the first words of the Unicode names of letters.
SCRIPTS: Final = (
    "Arabic", "Armenian", "Bengali", "Cyrillic", "Devanagari", "Ethiopic", "Georgian", "Greek", "Gujarati", "Gurmukhi",
    "Han", "Hangul", "Hebrew", "Hiragana", "Kannada", "Katakana", "Khmer", "Lao", "Latin", "Malayalam", "Mongolian",
    "Myanmar", "Oriya", "Sinhala", "Syriac", "Tamil", "Telugu", "Thaana", "Thai", "Tibetan",
)  # fmt: skip
_SAME: Mapping[str, str] = {"cmn": "zh", "nb": "no", "nn": "no"}

_KEYS: Final = tuple(field.name for field in fields(Language) if field.name != "code")
# The smallest and the largest value allowed for each number.
_NUMBERS: Mapping[str, tuple[int, int]] = {
    "shortest": (1, 10**6),
    "longest": (1, 10**6),
    "query": (1, 10**6),
    "minimum_should_match": (0, 100),
    "phrase_slop": (0, 1000),
    "pair_slop": (0, 1000),
    "locution": (0, 1000),
}


def known_languages() -> list[str]:
    """Return the codes of the languages with built-in settings, sorted.

    A subtag may follow them, as in zh_hant.
    """
    return sorted((*_OF_WORDS, *_OF_CHARACTERS, *_SAME))


def find_language(
    code: str, overrides: Mapping[str, object] | None = None, *, folder: str | os.PathLike[str] = ""
) -> Language:
    """Return the settings of a language, with the changes of a configuration.

    `overrides` is the table `[languages.CODE]`; paths in it are relative to `folder`. A language without
    built-in settings needs at least one setting, if only its unit. Raises `CommandError` for settings that
    make no sense.

    >>> find_language("zh").longest, find_language("de_at", {"query": 6}).query
    (40, 6)
    """
    given = dict(overrides or {})
    _check_keys(code, given)
    builtin = _find_builtin(code)
    if builtin is None and not given:
        raise _unknown(code)
    unit = _read_unit(code, given)
    base = builtin or _OF_UNIT[unit or "words"]
    if unit and unit != base.unit:
        # As expressions of characters, short stop words would tear other words apart.
        stop_words = base.stop_words if unit == "words" else frozenset()
        base = replace(_OF_UNIT[unit], stop_words=stop_words, scripts=base.scripts)
    numbers = {key: _read_number(code, key, given[key]) for key in _NUMBERS if key in given}
    # `_read_number` has checked each value, which mypy cannot see through the mapping.
    language = replace(base, code=code, **numbers)  # type: ignore[arg-type]
    if "stop_words" in given:
        language = replace(language, stop_words=_read_stop_words(language, given["stop_words"], folder))
    if "commas" in given:
        language = replace(language, commas=_read_text(code, "commas", given["commas"]))
    if "scripts" in given:
        language = replace(language, scripts=_read_scripts(code, given["scripts"]))
    if language.longest < language.shortest:
        problem = f"language {code}: longest is {language.longest}, shortest {language.shortest}"
        raise CommandError(problem, "a longest that is not below the shortest")
    return language


def _find_builtin(code: str) -> Language | None:
    """Return the built-in settings for a code, with or without its subtag; None if there are none."""
    for name in (code, code.partition("_")[0]):
        same = _SAME.get(name, name)
        if same in _OF_CHARACTERS or same in _OF_WORDS:
            base = _OF_CHARACTERS.get(same, _OF_UNIT["words"])
            return replace(
                base, stop_words=_read_builtin_stop_words(same), scripts=_SCRIPTS.get(same, _LATIN)
            )
    return None


@cache
def _read_builtin_stop_words(name: str) -> frozenset[str]:
    text = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    return _fold_all(text.split("\n"), "characters" if name in _OF_CHARACTERS else "words")


def _fold_all(listed: Sequence[str], unit: Unit) -> frozenset[str]:
    """Fold stop words: entries of several words are cut into words, expressions of characters stay whole."""
    folded = [fold_text(each).strip() for each in listed]
    if unit == "words":
        return frozenset(word for each in folded for word in cut_words(each))
    return frozenset(each for each in folded if each)


def _unknown(code: str) -> CommandError:
    if not is_language(code):
        expected = (
            "two or three small letters, and a subtag behind an underscore if there is one: fr, zh_hant"
        )
        return CommandError(f"language code {quote(code)}", expected)
    advice = f'to set it in the config:\n  [languages.{code}]\n  unit = "words"  # or "characters"'
    advice += f'\n  stop_words = "{code}.txt"  # a word on every line; may be left out'
    return CommandError(
        f"no settings for language {quote(code)}", f"one of {', '.join(known_languages())}", advice
    )


def _check_keys(code: str, given: Mapping[str, object]) -> None:
    for key in given:
        if key not in _KEYS:
            problem = f"language {code}: unknown key {quote(key)}"
            raise CommandError(problem, *suggest(key, _KEYS))


def _read_unit(code: str, given: Mapping[str, object]) -> Unit | None:
    match given.get("unit"):
        case None:
            return None
        case "words":
            return "words"
        case "characters":
            return "characters"
        case unit:
            raise _refuse(code, "unit", unit, '"words" or "characters"')


def _read_number(code: str, key: str, value: object) -> int:
    least, most = _NUMBERS[key]
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise _refuse(code, key, value, f"a whole number from {least} to {most}")
    return value


def _read_text(code: str, key: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        raise _refuse(code, key, value, "text that is not empty")
    return value


def _read_stop_words(language: Language, value: object, folder: str | os.PathLike[str]) -> frozenset[str]:
    """Read stop words from a list, or from a file with one on every line.

    Empty lines and lines that begin with # are ignored.
    """
    if isinstance(value, str) and value:
        content = load(Path(folder, value))
        lines = content.data.decode("utf-8").split("\n")
        return _fold_all([line for line in lines if not line.startswith("#")], language.unit)
    if isinstance(value, (list, tuple)) and all(isinstance(each, str) for each in value):
        return _fold_all(value, language.unit)
    raise _refuse(
        language.code, "stop_words", value, "a list of words, or the path of a file with one on every line"
    )


def _read_scripts(code: str, value: object) -> tuple[str, ...]:
    """Read names of scripts; an empty list means that they are not known."""
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, (list, tuple)) or not all(isinstance(each, str) for each in listed):
        raise _refuse(code, "scripts", value, 'names of scripts: ["Latin"]')
    for name in listed:
        if name not in SCRIPTS:
            message = f"language {code}: unknown script {quote(name)}"
            raise CommandError(message, *suggest(name, SCRIPTS))
    return tuple(dict.fromkeys(listed))


def _refuse(code: str, key: str, value: object, expected: str) -> CommandError:
    return CommandError(f"language {code}: {key} is {quote(repr(value))}", expected)


def count_units(language: Language, sentence: str) -> int:
    """Return the length of a sentence in the unit of its language.

    Words are counted between spaces, without tokens that are only marks; characters are counted without
    spaces.

    >>> count_units(Language("fr"), "Il a dit : « l'homme »"), count_units(Language("zh", "characters"), "用 mdadm 参数。")
    (4, 9)
    """
    if language.unit == "words":
        return len(sentence.split()) - len(_MARKS_ALONE.findall(sentence))
    return sum(map(len, sentence.split()))


def index_terms(language: Language, sentence: str) -> list[str]:
    """Return the terms of a sentence in order, with repetitions and stop words.

    >>> index_terms(Language("fr"), "L'Été, l'homme"), index_terms(Language("zh", "characters"), "有线电视TV")
    (['l', 'été', 'l', 'homme'], ['有线', '线电', '电视', 'tv'])
    """
    folded = fold_text(sentence)
    if language.unit == "words":
        return cut_words(folded)
    terms: list[str] = []
    for piece in cut_pieces(folded):
        if is_run(piece):
            terms += pair_characters(piece)
        else:
            terms.append(piece)
    return terms


def count_expressions(expressions: frozenset[str], folded: str) -> int:
    """Count occurrences of stop expressions in folded text, without those inside a longer one.

    Only expressions of scripts without spaces are counted: marks below U+0E00 say nothing about a language.

    >>> count_expressions(frozenset({"一", "一方面", "!"}), "一方面是一切!")
    2
    """
    pattern = match_expressions(_without_spaces(expressions))
    return len(pattern.findall(folded)) if pattern else 0


@lru_cache(maxsize=16)
def _without_spaces(expressions: frozenset[str]) -> frozenset[str]:
    return frozenset(filter(is_run, expressions))


@lru_cache(maxsize=64)
def match_expressions(stop_words: frozenset[str]) -> re.Pattern[str] | None:
    """Return a pattern that matches any of the stop expressions, or None if there is none.

    Longer expressions come before shorter ones. In scripts with spaces they match whole words only.
    """
    listed = sorted(stop_words, key=lambda each: (-len(each), each))
    return re.compile("|".join(map(match_whole, listed))) if listed else None


# Text cut into terms, the same way for indexing, for searching and for counting stop words.
#
# A word is a run of letters, digits, their combining marks and joiners. All other characters separate words:
# l'homme is l and homme, RAID-1 is raid and 1. Scripts without spaces are cut into bigrams of characters. All
# functions but `fold_text` take folded text.

# Longer runs are not words, and search engines limit the length of a term: so they are cut.
_LONGEST_WORD = 64

# Characters from here on are of scripts that are written without spaces, Thai first. Hangul is among them,
# but Korean is a language of words and never gets here.
_WITHOUT_SPACES = "\u0e00"


def _mark_ranges() -> Iterator[tuple[str, str]]:
    """Yield the first and last character of each range of combining marks.

    They are vowels and accents, which `re` does not count as letters.
    """
    blocks = (range(0x300, 0x2100), range(0x2DE0, 0x2E00), range(0x3099, 0x309B), range(0xA66F, 0xAC00))
    start = end = -2
    for code in chain(*blocks):
        if unicodedata.category(chr(code))[0] != "M":
            continue
        if code > end + 1:
            if start >= 0:
                yield chr(start), chr(end)
            start = code
        end = code
    yield chr(start), chr(end)


# Zero-width joiners and non-joiners stand within words too, as in Persian.
_INNER = "".join(f"{start}-{end}" for start, end in _mark_ranges()) + "\u200c\u200d"
_WORD = re.compile(rf"[\w{_INNER}]{{1,{_LONGEST_WORD}}}")
_RUN = re.compile(rf"[\w{_INNER}]+")
_PIECE = re.compile(rf"[{_WITHOUT_SPACES}-\U0010ffff]+|[^{_WITHOUT_SPACES}-\U0010ffff]{{1,{_LONGEST_WORD}}}")

_WORD_CHARACTER = rf"(?![{_WITHOUT_SPACES}-\U0010ffff])[\w{_INNER}]"
_BEGINS_WITH_WORD = re.compile(_WORD_CHARACTER)

_WIDE = re.compile("[０-９Ａ-Ｚａ-ｚ]")
_NARROW = {
    wide: wide - 0xFEE0 for wide in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))
}


def fold_text(text: str) -> str:
    """Fold text for comparison.

    The result is composed (NFC), case-folded and without soft hyphens; underscores become spaces, full-width
    letters and digits narrow ones.

    >>> fold_text("Straße_1"), fold_text("ＲＡＩＤ阵列")
    ('strasse 1', 'raid阵列')
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
        if "\xad" in text:
            text = text.replace("\xad", "")
        if _WIDE.search(text):
            text = text.translate(_NARROW)
        # Case folding decomposes ŉ, so that an accent behind it can be composed with a letter only now.
        text = unicodedata.normalize("NFC", text.casefold())
    else:
        text = text.lower()
    return text.replace("_", " ") if "_" in text else text


def cut_words(folded: str) -> list[str]:
    """Return the words of folded text.

    >>> cut_words("l'homme a 3,5 ans")
    ['l', 'homme', 'a', '3', '5', 'ans']
    """
    return _WORD.findall(folded)


def cut_pieces(folded: str) -> list[str]:
    """Cut folded text into runs of a script without spaces, and the words between them.

    >>> cut_pieces("使用mdadm参数，如/dev")
    ['使用', 'mdadm', '参数', '如', 'dev']
    """
    return [piece for run in _RUN.findall(folded) for piece in _PIECE.findall(run)]


def find_word(folded: str, place: int) -> tuple[int, int]:
    """Return the start and end of the word that the offset `place` is inside of.

    Both are `place` if it is inside of no word, or at the edge of one.

    >>> find_word("使用mdadm参数", 4), find_word("使用mdadm参数", 7)
    ((2, 7), (7, 7))
    """
    for run in _RUN.finditer(folded):
        if run.start() < place < run.end():
            for piece in _PIECE.finditer(folded, *run.span()):
                if piece.start() < place < piece.end() and not is_run(piece[0]):
                    return piece.span()
    return place, place


def is_run(piece: str) -> bool:
    """Return whether a piece of `cut_pieces` is a run of a script without spaces, not a word."""
    return piece[0] >= _WITHOUT_SPACES


def match_whole(expression: str) -> str:
    """Return a regular expression that matches an expression, but no part of a word in a script with spaces.

    >>> re.findall(match_whole("the"), "the theory的the")
    ['the', 'the']
    """
    before = f"(?<!{_WORD_CHARACTER})" if _BEGINS_WITH_WORD.match(expression) else ""
    behind = f"(?!{_WORD_CHARACTER})" if _BEGINS_WITH_WORD.match(expression[-1:]) else ""
    return before + re.escape(expression) + behind


def pair_characters(run: str) -> Iterable[str]:
    """Return the bigrams of a run; a single character stands for itself.

    >>> list(pair_characters("有线电视")), list(pair_characters("如"))
    (['有线', '线电', '电视'], ['如'])
    """
    return map(str.__add__, run, run[1:]) if len(run) > 1 else (run,)
