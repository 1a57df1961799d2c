"""Settings of a language, the languages that have some, and how long their sentences are and what is indexed of them.

A config sets others:

    [languages.cy]
    unit = "words"
    stop_words = "stop/cy.txt"
    minimum_should_match = 50
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal

from evalign.bitext.pairs import is_language
from evalign.bitext.terms import cut_pieces, cut_words, fold_text, is_run, pair_characters
from evalign.errors import CommandError, quote, suggest
from evalign.readers import load

Unit = Literal["words", "characters"]

_FOLDER = Path(__file__).parent / "data" / "stop"
# What stands between spaces and has neither letter nor digit in it; one search of a sentence, not one of each word.
_MARKS_ALONE = re.compile(r"(?<!\S)(?:[^\w\s]|_)+(?!\S)")


@dataclass(frozen=True)
class Language:
    """Settings of one language; the defaults are those of the BUCC data sets for languages with spaces (section 2.2)."""

    code: str
    unit: Unit = "words"
    """What lengths are counted in, and what is indexed: words, or bigrams of characters."""
    shortest: int = 10
    longest: int = 20
    query: int = 5
    """How many words or characters of a sentence are searched for: the first ones."""
    minimum_should_match: int = 70
    """Percent of the terms of a query that a sentence must have, rounded down, and at least one."""
    phrase_slop: int = 5
    pair_slop: int = 5
    stop_words: frozenset[str] = frozenset()
    """Words that are not searched for, as `terms` folds them; of characters, stop expressions."""
    locution: int = 0
    """Characters of the longest locution before a comma that is left out of a query; 0 for none."""
    commas: str = ",，"
    """What may stand behind a locution."""
    scripts: tuple[str, ...] = ()
    """Scripts that it is written in, as Unicode calls them; none where nobody has said."""

    def fits(self, length: int) -> bool:
        """Whether a sentence of this length is neither too short nor too long."""
        return self.shortest <= length <= self.longest


# Written with spaces: the settings of the seed, with their own stop words.
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
    # Zweigenbaum et al. 2018, section 2.3: 15 to 40 characters, of which 15 are searched for. Of the bigrams of these the
    # 70 % of languages with spaces are next to never found together: docs/bitext-build.md has the trial of 20.
    "characters": Language("", "characters", 15, 40, 15, minimum_should_match=20),
}
_OF_CHARACTERS: Mapping[str, Language] = {
    "zh": replace(_OF_UNIT["characters"], locution=6),
    # With kana the same takes some 1.4 times the characters: ours, no figure of the seed.
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
# Scripts that a config may name: the first words of the names that Unicode gives to letters.
SCRIPTS: Final = (
    "Arabic", "Armenian", "Bengali", "Cyrillic", "Devanagari", "Ethiopic", "Georgian", "Greek", "Gujarati", "Gurmukhi",
    "Han", "Hangul", "Hebrew", "Hiragana", "Kannada", "Katakana", "Khmer", "Lao", "Latin", "Malayalam", "Mongolian",
    "Myanmar", "Oriya", "Sinhala", "Syriac", "Tamil", "Telugu", "Thaana", "Thai", "Tibetan",
)  # fmt: skip
_SAME: Mapping[str, str] = {"cmn": "zh", "nb": "no", "nn": "no"}

_KEYS: Final = tuple(field.name for field in fields(Language) if field.name != "code")
# The least value of each number, and the greatest.
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
    """Codes that need no settings; subtags may follow them, as in zh_hant."""
    return sorted((*_OF_WORDS, *_OF_CHARACTERS, *_SAME))


def find_language(
    code: str, overrides: Mapping[str, object] | None = None, *, folder: str | os.PathLike[str] = ""
) -> Language:
    """The settings of a language, changed as a config says; paths in it are as seen from a folder.

    A language that is not known needs at least one setting, be it its unit.

    >>> find_language("zh").longest, find_language("de_at", {"query": 6}).query
    (40, 6)
    """
    given = dict(overrides or {})
    _check_keys(code, given)
    shipped = _known(code)
    if shipped is None and not given:
        raise _unknown(code)
    unit = _read_unit(code, given)
    base = shipped or _OF_UNIT[unit or "words"]
    if unit and unit != base.unit:
        # Stop words are expressions too short to be one: they would tear words apart.
        stop_words = base.stop_words if unit == "words" else frozenset()
        base = replace(_OF_UNIT[unit], stop_words=stop_words, scripts=base.scripts)
    numbers = {key: _read_number(code, key, given[key]) for key in _NUMBERS if key in given}
    # Either has been read by its type: mypy cannot know of a mapping.
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


def _known(code: str) -> Language | None:
    """The language of a code, with or without its subtag."""
    for name in (code, code.partition("_")[0]):
        same = _SAME.get(name, name)
        if same in _OF_CHARACTERS or same in _OF_WORDS:
            base = _OF_CHARACTERS.get(same, _OF_UNIT["words"])
            return replace(base, stop_words=_shipped(same), scripts=_SCRIPTS.get(same, _LATIN))
    return None


@cache
def _shipped(name: str) -> frozenset[str]:
    text = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    return _fold_all(text.split("\n"), "characters" if name in _OF_CHARACTERS else "words")


def _fold_all(listed: Sequence[str], unit: Unit) -> frozenset[str]:
    """Stop words as they are compared: an entry of several words is each of them, an expression is whole."""
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
    """Stop words of a list, or of a file with one on every line; empty lines and those that begin with # say nothing."""
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
    """Names of scripts; an empty list says nothing of them."""
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
    """How long a sentence is: words between spaces, without those of marks alone; or characters, without spaces.

    >>> count_units(Language("fr"), "Il a dit : « l'homme »"), count_units(Language("zh", "characters"), "用 mdadm 参数。")
    (4, 9)
    """
    if language.unit == "words":
        return len(sentence.split()) - len(_MARKS_ALONE.findall(sentence))
    return sum(map(len, sentence.split()))


def index_terms(language: Language, sentence: str) -> list[str]:
    """The terms of a sentence, in their order and with every repetition, stop words included.

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
    """How often stop expressions occur in a text without spaces, none within another one.

    >>> count_expressions(frozenset({"一", "一方面"}), "一方面是一切")
    2
    """
    pattern = match_expressions(expressions)
    return len(pattern.findall(folded)) if pattern else 0


@lru_cache(maxsize=64)
def match_expressions(stop_words: frozenset[str]) -> re.Pattern[str] | None:
    """A pattern of all stop expressions of characters, the longer of two first; None where there is none.

    Those of letters are words, and not in it.
    """
    listed = sorted(
        (each for each in stop_words if each and is_run(each)), key=lambda each: (-len(each), each)
    )
    return re.compile("|".join(map(re.escape, listed))) if listed else None
