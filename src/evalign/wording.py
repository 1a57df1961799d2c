"""Text and numbers for people: measured, shortened or broken to fit a terminal, and safe to print there."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from itertools import takewhile

CUT = "…"
# Limits that a p-value is marked as being below.
SIGNIFICANT = (0.01, 0.05)
# Display names of ratios whose name differs, and the order in which these ratios are shown.
RATIOS = {"precision": "precision", "recall": "recall", "f1": "F1", "aligned_accuracy": "aligned accuracy"}


def width_of(text: str) -> int:
    """Return the width of `text` on a terminal, in columns: two for a wide character, none for a mark.

    >>> width_of("tea"), width_of("北京"), width_of("e\N{COMBINING ACUTE ACCENT}")
    (3, 4, 1)
    """
    return len(text) if text.isascii() else sum(map(_width, text))


def _width(character: str) -> int:
    # Combining marks, and the vowels and final consonants that complete a Hangul syllable.
    if unicodedata.category(character) in ("Mn", "Me") or "\u1160" <= character <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def head(text: str, most: int) -> str:
    """Cut `text` at its end to at most `most` columns, with an ellipsis.

    >>> head("by the way", 7)
    'by the…'
    """
    return text if width_of(text) <= most else _fitting(text, most - 1) + CUT * (most > 0)


def tail(text: str, most: int) -> str:
    """Cut `text` at its beginning to at most `most` columns, with an ellipsis.

    >>> tail("by the way", 8)
    '…the way'
    """
    if width_of(text) <= most:
        return text
    kept = _fitting(text[::-1], most - 1)[::-1]
    # A mark whose letter was cut off would combine with the ellipsis.
    orphans = len(list(takewhile(lambda c: not _width(c), kept)))
    return CUT * (most > 0) + kept[orphans:].lstrip()


def shorten(text: str, most: int) -> str:
    """Cut `text` in the middle to at most `most` columns, since names tend to differ at their ends.

    >>> shorten("runs/english/system.txt", 14)
    'runs/en…em.txt'
    """
    if width_of(text) <= most:
        return text
    end = tail(text, max(0, most // 2))
    return _fitting(text, most - width_of(end)) + (end or CUT * (most > 0))


def _fitting(text: str, most: int) -> str:
    """Return the longest beginning of `text` that fits into `most` columns."""
    used = 0
    for k, character in enumerate(text):
        used += _width(character)
        if used > most:
            return text[:k]
    return text


def fold(text: str, most: int) -> list[str]:
    """Break `text` into lines of at most `most` columns, at spaces if possible.

    >>> fold("one two three", 8)
    ['one two', 'three']
    """
    most = max(1, most)
    lines, line = [], ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if width_of(joined) <= most:
            line = joined
            continue
        lines += [line] if line else []
        while width_of(word) > most:
            piece = _fitting(word, most) or word[:1]
            lines.append(piece)
            word = word[len(piece) :]
        line = word
    return [*lines, line] if line or not lines else lines


def widest(texts: Iterable[str]) -> int:
    """Return the width of the widest of `texts`, 0 if there are none."""
    return max(map(width_of, texts), default=0)


def printable(text: str) -> str:
    r"""Make `text` safe for a terminal: escape control and format characters.

    A combining mark at the beginning gets a dotted circle to stand on.

    >>> printable("\x1b[31mred")
    '\\x1b[31mred'
    """
    if not text.isprintable():
        text = "".join(c if c.isprintable() else _shown(c) for c in text)
    return f"◌{text}" if text and unicodedata.category(text[0]) in ("Mn", "Me") else text


def printable_lines(text: str) -> str:
    """Make a text of several lines safe for a terminal, keeping its line breaks."""
    return "\n".join(map(printable, text.split("\n")))


def _shown(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def name_ratio(name: str) -> str:
    """Return the display name of the ratio `name`.

    >>> name_ratio("f1_S"), name_ratio("error"), name_ratio("two_or_less")
    ('F1 S', 'error rate', 'two or less')
    """
    stem, _, rest = name.partition("_")
    if stem in ("error", "f1"):
        return " ".join(filter(None, ("error rate" if stem == "error" else "F1", rest.removeprefix("rate"))))
    return RATIOS.get(name, name.replace("_", " "))


def find_ratio(text: str, ratios: Iterable[str]) -> str:
    """Return the name of the ratio whose display name is `text`; else `text` with underscores for spaces.

    >>> find_ratio("error rate", ["error"]), find_ratio("two or less", []), find_ratio("error", ["error"])
    ('error', 'two_or_less', 'error')
    """
    return next((ratio for ratio in ratios if name_ratio(ratio) == text), text.replace(" ", "_"))


def counted(count: int, noun: str) -> str:
    """Return a number with its noun: 1 character, 1,204 characters.

    >>> counted(1, "character"), counted(1204, "character")
    ('1 character', '1,204 characters')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def join_words(words: Sequence[str], joint: str = "and") -> str:
    """Join `words` as a sentence lists them, with `joint` before the last.

    >>> join_words(["LAS", "UAS", "tokens"]), join_words(["LAS"])
    ('LAS, UAS and tokens', 'LAS')
    """
    *others, last = words
    return f"{', '.join(others)} {joint} {last}" if others else last


def percent(value: float | None) -> str:
    """Format a ratio as a percentage with two decimals; "-" if it is undefined.

    >>> percent(0.5), percent(None)
    ('50.00', '-')
    """
    return "-" if value is None else f"{100 * value:.2f}"


def decimal(value: float | None, digits: int = 2) -> str:
    """Format a number with `digits` decimals, not as a percentage; "-" if it is undefined.

    >>> decimal(1.25), decimal(None)
    ('1.25', '-')
    """
    return "-" if value is None else f"{value:.{digits}f}"


def show_p(p: float | None) -> str:
    """Format a p-value with four decimals; "-" if there is none.

    It is rounded, except that a p below 0.01 or 0.05 is never rounded up to it.

    >>> show_p(0.03), show_p(0.00001), show_p(0.00999), show_p(None)
    ('0.0300', '<0.0001', '0.0099', '-')
    """
    if p is None:
        return "-"
    if p < 0.00005:
        return "<0.0001"
    shown = f"{p:.4f}"
    is_rounded_up = any(p < limit <= float(shown) for limit in SIGNIFICANT)
    return f"{float(shown) - 0.0001:.4f}" if is_rounded_up else shown


def describe_failure(system: str, part: str, reason: str) -> str:
    """Return a message that `system` failed on `part`, and why; for a missing file, `reason` itself.

    >>> describe_failure("beta", "de", "beta/de.conllu:1: 3 columns")
    'beta failed on de: beta/de.conllu:1: 3 columns'
    >>> describe_failure("beta", "de", "beta has no file named de.conllu")
    'beta has no file named de.conllu'
    """
    return reason if reason.startswith(f"{system} has no file") else f"{system} failed on {part}: {reason}"


def tell_left_out(system: str, part: str, reason: str) -> str:
    """Return a message that `part` is left out because `system` failed on it, and why.

    >>> tell_left_out("beta", "de", "beta has no file named de.conllu")
    'beta has no file named de.conllu: de is left out'
    """
    return f"{describe_failure(system, part, reason)}: {part} is left out"


def name_units(kinds: Iterable[str]) -> str:
    """Return the plural noun for units of the given `kinds`; "units" if the kinds differ.

    >>> name_units(["document"]), name_units(["stretch"]), name_units(["stretch", "document"]), name_units(["whole"])
    ('documents', 'units', 'units', 'texts')
    """
    names = {"stretch": "units", "whole": "texts", "group of foreign ids": "groups of foreign ids"}
    plurals = {names.get(kind, f"{kind}s") for kind in kinds}
    return plurals.pop() if len(plurals) == 1 else "units"


def count_units(count: int, kind: str) -> str:
    """Return a number of units of a kind with its noun.

    >>> count_units(1204, "stretch"), count_units(1, "stretch"), count_units(1, "document")
    ('1,204 units', '1 unit', '1 document')
    """
    one = "unit" if kind == "stretch" else kind
    return f"{count:,} {one if count == 1 else name_units([kind])}"


def best_of(values: Sequence[float | None], *, lowest: bool = False, scale: int = 100) -> list[int]:
    """Return the indices of the best `values`; none if all of them look the same.

    Values are compared as shown: `scale` times the value, rounded to two decimals. None is never best.

    >>> best_of([0.12344, 0.1234, 0.1]), best_of([1.004, 1.0, 2.0], lowest=True, scale=1)
    ([0, 1], [0, 1])
    """
    shown = [None if value is None else round(scale * value, 2) for value in values]
    distinct = {value for value in shown if value is not None}
    if len(distinct) < 2:
        return []
    wanted = min(distinct) if lowest else max(distinct)
    return [k for k, value in enumerate(shown) if value == wanted]
