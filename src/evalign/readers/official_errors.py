"""The messages with which the official scripts refuse files: byte for byte, and as evalign's own.

"conll18" is the script of the CoNLL 2018 shared task, "udtools" is `udeval` of the UD tools.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Literal, NamedTuple, TypeAlias

from evalign.errors import Message, Place, StrictError, quote

Dialect: TypeAlias = Literal["conll18", "udtools"]

_NAMES = {"conll18": "the CoNLL 2018 script", "udtools": "the UD tools script"}
_ADVICE = {
    "conll18": "leave out {strict} to score the file all the same",
    "udtools": "evalign score reads the file all the same",
}
# How many characters and tokens of each side the scripts show where the texts differ.
_N_CHARACTERS, _N_TOKENS = 20, 10


class OfficialError(StrictError):
    """Input that an official script refuses: `said` is its message, `raised` the name of its exception.

    Any exception other than UDError is one that the script does not catch.
    """

    def __init__(
        self, place: Place, found: str, expected: str, advice: str, *, said: str, raised: str = "UDError"
    ) -> None:
        self.said, self.raised = said, raised
        super().__init__(place, found, expected, advice)


class OfficialTokens(NamedTuple):
    """The tokens of a file as a script compares them: forms without spaces, and their line numbers."""

    name: str
    forms: Sequence[str]
    linenos: Sequence[int]


def refusal(
    dialect: Dialect, place: Place, words: str, *values: str | int, expected: str, at: str | None = None
) -> OfficialError:
    """Return the error for a refusal, in the script's words.

    In `words`, {} stands for each of `values`, which are parts of the input, and {at} for the line (or for
    `at`). evalign's own message quotes the values for a terminal, and leaves {at} out, since `place` has the
    line.
    """
    said = words.format(*values, at=f" at line {place.lineno}" if at is None else at)
    shown = [quote(value) if isinstance(value, str) else value for value in values]
    problem = words.replace("'{}'", "{}").format(*shown, at="").removesuffix(": ")
    return OfficialError(
        place, _describe_refusal(dialect, problem), expected, Message(_ADVICE[dialect]), said=said
    )


def uncaught(
    dialect: Dialect, place: Place, error: Exception, *, expected: str, problem: str = ""
) -> OfficialError:
    """Return the error for an exception that the script does not catch; `problem` may describe it better."""
    raised, said = type(error).__name__, str(error)
    problem = _describe_refusal(dialect, problem or said)
    return OfficialError(place, problem, expected, Message(_ADVICE[dialect]), said=said, raised=raised)


def _describe_refusal(dialect: Dialect, words: str) -> str:
    return f"{_NAMES[dialect]} refuses this: {words}"


def texts_differ(gold: OfficialTokens, system: OfficialTokens, dialect: Dialect) -> OfficialError | None:
    """Return the error for two files whose tokens have different characters; None if they are the same."""
    texts = "".join(gold.forms), "".join(system.forms)
    if texts[0] == texts[1]:
        return None
    pairs = enumerate(zip(*texts, strict=False))
    position = next((k for k, (one, other) in pairs if one != other), min(map(len, texts)))
    words = "The concatenation of tokens in gold file and in system file differ!"
    around = _report_tokens(gold, system, position) if dialect == "udtools" else ""
    ahead = [text[position : position + _N_CHARACTERS] for text in texts]
    said = (
        f"{words}\n{around}"
        f"First {_N_CHARACTERS} differing characters in gold file: '{ahead[0]}' and system file: '{ahead[1]}'"
    )
    token = _count_before(system, position)
    place = Place(system.name, system.linenos[token] if token < len(system.linenos) else 0)
    problem = f"{_describe_refusal(dialect, words)} gold {quote(ahead[0])}, system {quote(ahead[1])}"
    return OfficialError(place, problem, "the same characters as gold", Message(_ADVICE[dialect]), said=said)


def _count_before(tokens: OfficialTokens, position: int) -> int:
    """Return how many tokens end at `position` or before it."""
    return bisect_right(list(accumulate(map(len, tokens.forms))), position)


def _report_tokens(gold: OfficialTokens, system: OfficialTokens, position: int) -> str:
    """Return the tokens around `position` on both sides, as udtools prints them.

    If there is no token before it, only gold's part says so.
    """
    at_start = "The error occurs right at the beginning of the two files.\n"
    return (_report_side(gold, position) or at_start) + _report_side(system, position)


def _report_side(tokens: OfficialTokens, position: int) -> str:
    token = _count_before(tokens, position)
    if not token:
        return ""
    before, after = tokens.forms[max(0, token - _N_TOKENS) : token], tokens.forms[token : token + _N_TOKENS]
    return (
        f"File '{tokens.name}':\n"
        f"  Token no. {token} on line no. {tokens.linenos[token - 1]} is the last one with all characters"
        " reproduced in the other file.\n"
        f"  The previous {len(before)} tokens are '{' '.join(before)}'.\n"
        f"  The next {len(after)} tokens are '{' '.join(after)}'.\n"
    )
