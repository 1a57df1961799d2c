"""Text and numbers as people read them: text measured, shortened or broken to fit a terminal, and made safe for it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from itertools import takewhile

CUT = "…"
# Ratios that have another name for people, or come in this order.
RATIOS = {"precision": "precision", "recall": "recall", "f1": "F1", "aligned_accuracy": "aligned accuracy"}


def width_of(text: str) -> int:
    """Columns a text takes on a terminal: two for a wide character, none for a mark.

    >>> width_of("tea"), width_of("北京"), width_of("e\N{COMBINING ACUTE ACCENT}")
    (3, 4, 1)
    """
    return len(text) if text.isascii() else sum(map(_width, text))


def _width(character: str) -> int:
    # Marks, and the vowels and final consonants that close a Hangul syllable.
    if unicodedata.category(character) in ("Mn", "Me") or "\u1160" <= character <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def head(text: str, most: int) -> str:
    """The beginning of a text in at most so many columns.

    >>> head("by the way", 7)
    'by the…'
    """
    return text if width_of(text) <= most else _fitting(text, most - 1) + CUT * (most > 0)


def tail(text: str, most: int) -> str:
    """The end of a text in at most so many columns.

    >>> tail("by the way", 8)
    '…the way'
    """
    if width_of(text) <= most:
        return text
    kept = _fitting(text[::-1], most - 1)[::-1]
    # A mark whose letter did not fit would stand on the sign of the cut.
    orphans = len(list(takewhile(lambda c: not _width(c), kept)))
    return CUT * (most > 0) + kept[orphans:].lstrip()


def shorten(text: str, most: int) -> str:
    """Text in at most so many columns, the middle left out: names differ at their ends.

    >>> shorten("runs/english/system.txt", 14)
    'runs/en…em.txt'
    """
    if width_of(text) <= most:
        return text
    end = tail(text, max(0, most // 2))
    return _fitting(text, most - width_of(end)) + (end or CUT * (most > 0))


def _fitting(text: str, most: int) -> str:
    """As many characters from the start as so many columns hold."""
    used = 0
    for k, character in enumerate(text):
        used += _width(character)
        if used > most:
            return text[:k]
    return text


def fold(text: str, most: int) -> list[str]:
    """Text in lines of at most so many columns, broken at spaces where there are any.

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
    """The width of the widest of some texts, 0 if there is none."""
    return max(map(width_of, texts), default=0)


def printable(text: str) -> str:
    r"""For a terminal: control and format characters are shown, not obeyed; a mark on nothing gets a place to stand.

    >>> printable("\x1b[31mred")
    '\\x1b[31mred'
    """
    if not text.isprintable():
        text = "".join(c if c.isprintable() else _shown(c) for c in text)
    return f"◌{text}" if text and unicodedata.category(text[0]) in ("Mn", "Me") else text


def printable_lines(text: str) -> str:
    """The same for a text of several lines."""
    return "\n".join(map(printable, text.split("\n")))


def _shown(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def name_ratio(name: str) -> str:
    """Name a ratio as people do.

    >>> name_ratio("f1_S"), name_ratio("error"), name_ratio("two_or_less")
    ('F1 S', 'error rate', 'two or less')
    """
    stem, _, rest = name.partition("_")
    if stem in ("error", "f1"):
        return " ".join(filter(None, ("error rate" if stem == "error" else "F1", rest.removeprefix("rate"))))
    return RATIOS.get(name, name.replace("_", " "))


def find_ratio(text: str, ratios: Iterable[str]) -> str:
    """Find a ratio that is named as people do; any other text is a name that programs use.

    >>> find_ratio("error rate", ["error"]), find_ratio("two or less", []), find_ratio("error", ["error"])
    ('error', 'two_or_less', 'error')
    """
    return next((ratio for ratio in ratios if name_ratio(ratio) == text), text.replace(" ", "_"))


def counted(count: int, noun: str) -> str:
    """A number with its noun: 1 character, 1,204 characters.

    >>> counted(1, "character"), counted(1204, "character")
    ('1 character', '1,204 characters')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def join_words(words: Sequence[str]) -> str:
    """Words as a sentence lists them.

    >>> join_words(["LAS", "UAS", "tokens"]), join_words(["LAS"])
    ('LAS, UAS and tokens', 'LAS')
    """
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def percent(value: float | None) -> str:
    """A ratio as a percentage with two decimals; "-" where it is undefined.

    >>> percent(0.5), percent(None)
    ('50.00', '-')
    """
    return "-" if value is None else f"{100 * value:.2f}"


def decimal(value: float | None, digits: int = 2) -> str:
    """A number that is no share, with so many decimals; "-" where it is undefined.

    >>> decimal(1.25), decimal(None)
    ('1.25', '-')
    """
    return "-" if value is None else f"{value:.{digits}f}"


def show_p(p: float | None) -> str:
    """A p-value with four decimals; "-" where there is none.

    >>> show_p(0.03), show_p(0.00001), show_p(None)
    ('0.0300', '<0.0001', '-')
    """
    if p is None:
        return "-"
    return "<0.0001" if p < 0.00005 else f"{p:.4f}"


def describe_failure(system: str, part: str, reason: str) -> str:
    """Say that a system failed on a part, and why; a missing file is reason enough.

    >>> describe_failure("beta", "de", "beta/de.conllu:1: 3 columns")
    'beta failed on de: beta/de.conllu:1: 3 columns'
    >>> describe_failure("beta", "de", "beta has no file named de.conllu")
    'beta has no file named de.conllu'
    """
    return reason if reason.startswith(f"{system} has no file") else f"{system} failed on {part}: {reason}"


def tell_left_out(system: str, part: str, reason: str) -> str:
    """Say that a part is left out as a system failed on it.

    >>> tell_left_out("beta", "de", "beta has no file named de.conllu")
    'beta has no file named de.conllu: de is left out'
    """
    return f"{describe_failure(system, part, reason)}: {part} is left out"


def name_units(kinds: Iterable[str]) -> str:
    """Name units of some kinds together, in the plural.

    >>> name_units(["document"]), name_units(["stretch"]), name_units(["stretch", "document"]), name_units(["whole"])
    ('documents', 'units', 'units', 'texts')
    """
    names = {"stretch": "units", "whole": "texts", "group of foreign ids": "groups of foreign ids"}
    plurals = {names.get(kind, f"{kind}s") for kind in kinds}
    return plurals.pop() if len(plurals) == 1 else "units"


def count_units(count: int, kind: str) -> str:
    """Count units of a kind.

    >>> count_units(1204, "stretch"), count_units(1, "stretch"), count_units(1, "document")
    ('1,204 units', '1 unit', '1 document')
    """
    one = "unit" if kind == "stretch" else kind
    return f"{count:,} {one if count == 1 else name_units([kind])}"


def best_of(values: Sequence[float | None], *, lowest: bool = False, scale: int = 100) -> list[int]:
    """Which of some values are best, as shown; none if they are all the same.

    What is shown is `scale` times a value, with two decimals: values that look the same are the same.

    >>> best_of([0.12344, 0.1234, 0.1]), best_of([1.004, 1.0, 2.0], lowest=True, scale=1)
    ([0, 1], [0, 1])
    """
    shown = [None if value is None else round(scale * value, 2) for value in values]
    distinct = {value for value in shown if value is not None}
    if len(distinct) < 2:
        return []
    wanted = min(distinct) if lowest else max(distinct)
    return [k for k, value in enumerate(shown) if value == wanted]
