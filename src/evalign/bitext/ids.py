"""Ids of sentences: a language code, a dash and nine digits, fr-000001781 (Zweigenbaum et al. 2018, Figure 1)."""

from __future__ import annotations

import re

DIGITS = 9
LARGEST_ID = 10**DIGITS - 1
# A subtag tells scripts and varieties apart, zh_hant; a dash would end the code.
LANGUAGE_PATTERN = r"[a-z]{2,3}(?:_[a-z0-9]{2,8})?"
ID_PATTERN = re.compile(rf"({LANGUAGE_PATTERN})-([0-9]{{{DIGITS}}})")
EXPECTED_ID = f"a language code, a dash and {DIGITS} digits: fr-000001781"

_CODE = re.compile(LANGUAGE_PATTERN)


def is_language(code: str) -> bool:
    """Whether it can stand before the dash.

    >>> is_language("fr"), is_language("zh_hant"), is_language("fr-CA")
    (True, True, False)
    """
    return _CODE.fullmatch(code) is not None


def format_id(language: str, number: int) -> str:
    """The id of a sentence.

    >>> format_id("fr", 1781)
    'fr-000001781'
    """
    return f"{language}-{number:0{DIGITS}d}"


def parse_id(text: str) -> tuple[str, int] | None:
    """Language and number of an id; None where it is none.

    >>> parse_id("fr-000001781"), parse_id("fr-1781")
    (('fr', 1781), None)
    """
    found = ID_PATTERN.fullmatch(text)
    return (found[1], int(found[2])) if found else None
