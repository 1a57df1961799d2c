"""What two files say about each other: whether they belong together, and in this order."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import PurePath

from evalign.document import Document
from evalign.readers.findings import Finding, Report

# Pieces of one text that are looked for in the other; their length in characters in a short and a long text.
_PIECES = 100
_SHORTEST, _LONGEST = 3, 12
# Below these shares of pieces found two texts are unrelated, or only partly the same.
_UNRELATED = 0.05
_PARTLY = 0.5

_GOLD_NAME = re.compile(r"(?:^|[\W_])(?:gold|golden|ref|reference|truth)(?:[\W_]|$)", re.IGNORECASE)
_SYSTEM_NAME = re.compile(
    r"(?:^|[\W_])(?:sys|system|pred|predicted|predictions?|hyp|hypothesis|out|output|auto)\d*(?:[\W_]|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Side:
    """What is asked of each of the two."""

    name: str
    line: str
    format: str
    marks: int
    """How many of these it has: sentence ids, texts, documents."""
    heads: bool

    @property
    def says_gold(self) -> bool:
        return bool(_GOLD_NAME.search(PurePath(self.name).name))

    @property
    def says_system(self) -> bool:
        return bool(_SYSTEM_NAME.search(PurePath(self.name).name))


def compare(gold: Report | Document, system: Report | Document) -> list[str]:
    """Hints for two inputs in the order they were given, as text."""
    return [str(finding) for finding in find_hints(gold, system)]


def find_hints(gold: Report | Document, system: Report | Document) -> list[Finding]:
    """What is noteworthy about two inputs: swapped, unrelated, of another form. None if one is unreadable."""
    left, right = _side(gold), _side(system)
    if left is None or right is None:
        return []
    return [*_judge_order(left, right), *_judge_lines(left, right)]


def _side(given: Report | Document) -> _Side | None:
    if isinstance(given, Document):
        marks = bool(given.sentence_ids) + bool(len(given.documents))
        return _Side(given.name, given.line, given.format, marks, heads=False)
    if given.document is None:
        return None
    sizes = given.sizes
    marks = bool(sizes.sentence_ids) + bool(sizes.texts) + bool(sizes.documents)
    return _Side(given.name, given.document.line, given.format, marks, heads=bool(sizes.heads))


def _judge_order(gold: _Side, system: _Side) -> list[Finding]:
    by_name = system.says_gold > gold.says_gold or gold.says_system > system.says_system
    if gold.says_gold and not system.says_gold:
        return []
    if by_name:
        reason = "as the names say"
    elif gold.format == "plain" and system.format != "plain":
        reason = "the second is CoNLL-U, the first plain text"
    elif not gold.marks and not gold.heads and system.marks:
        reason = "only the second has sentence ids, texts or documents"
    else:
        return []
    advice = f"gold comes first: {system.name} {gold.name}"
    return [Finding("warning", f"gold and system are likely swapped ({reason})", advice)]


def _judge_lines(gold: _Side, system: _Side) -> list[Finding]:
    if gold.line == system.line:
        return [Finding("ok", f"{system.name} has the same characters as {gold.name}")]
    if not gold.line or not system.line:
        empty = gold if not gold.line else system
        return [Finding("warning", f"{empty.name} has no characters", "everything is missed or spurious")]
    found = [_judge_forms(gold, system), _judge_case(gold, system), _judge_text(gold, system)]
    return [finding for finding in found if finding is not None]


def _form(line: str) -> str:
    if unicodedata.is_normalized("NFC", line):
        return "both" if unicodedata.is_normalized("NFD", line) else "NFC"
    return "NFD" if unicodedata.is_normalized("NFD", line) else "mixed"


def _judge_forms(gold: _Side, system: _Side) -> Finding | None:
    forms = _form(gold.line), _form(system.line)
    if forms[0] == forms[1] or "both" in forms:
        return None
    message = f"normal forms differ: {gold.name} is {forms[0]}, {system.name} is {forms[1]}"
    return Finding("note", message, "evalign brings both to NFC where they differ; --strict refuses them")


def _judge_case(gold: _Side, system: _Side) -> Finding | None:
    lower = [side.line == side.line.lower() for side in (gold, system)]
    advice = "to let case aside: --normalize lower"
    if lower[0] != lower[1]:
        return Finding("warning", f"{(gold if lower[0] else system).name} is all in lower case", advice)
    if gold.line.lower() == system.line.lower():
        return Finding("warning", "the texts differ in case alone", advice)
    return None


def _judge_text(gold: _Side, system: _Side) -> Finding | None:
    lines = [unicodedata.normalize("NFKD", side.line).casefold() for side in (gold, system)]
    there, back = _share(lines[0], lines[1]), _share(lines[1], lines[0])
    if max(there, back) < _UNRELATED:
        message = f"{gold.name} and {system.name} have nothing in common"
        return Finding("error", message, "are they of the same text?")
    if min(there, back) >= _PARTLY:
        return Finding("note", "the texts differ in some characters", "evalign aligns them; --strict refuses")
    missing = [(gold, system, there), (system, gold, back)]
    of, lacking, share = min(missing, key=lambda row: row[2])
    message = f"only about {share:.0%} of the text of {of.name} is in {lacking.name}"
    return Finding("warning", message, "was it cut off, or made from another version of the text?")


def _share(one: str, other: str) -> float:
    """The share of evenly spaced pieces of one line that the other has somewhere."""
    size = min(_LONGEST, max(_SHORTEST, len(one) // 20), len(one))
    step = max(1, (len(one) - size) // _PIECES)
    pieces = [one[at : at + size] for at in range(0, len(one) - size + 1, step)][:_PIECES]
    # A text that repeats itself is not all there where one repetition is.
    return min(sum(piece in other for piece in pieces) / len(pieces), len(other) / len(one))
