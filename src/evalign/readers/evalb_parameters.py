r"""Parameter files of evalb (`.prm`): each line has a keyword and, as the rest of the line, its value.

>>> parameters, messages = read_parameters(b"# Collins\nDELETE_LABEL TOP\nEQ_LABEL ADVP PRT\nCUTOFF 70\n")
>>> parameters.delete_labels, parameters.eq_labels, messages
((b'TOP',), ((b'ADVP', b'PRT'),), [b'Unknown keyword (CUTOFF 70) in parameter file'])

Labels and words are bytes, as in the trees. Nothing here takes long to import, because `evalign evalb` starts
with it.
"""

from __future__ import annotations

_NUMBERS = {b"DEBUG": "debug", b"MAX_ERROR": "max_error", b"CUTOFF_LEN": "cutoff", b"LABELED": "labeled"}
_LISTS = {
    b"DELETE_LABEL": "delete_labels",
    b"DELETE_LABEL_FOR_LENGTH": "delete_for_length",
    b"QUOTE_LABEL": "quote_labels",
}
_PAIRS = {b"EQ_LABEL": "eq_labels", b"EQ_WORD": "eq_words"}
KEYWORDS = (*_NUMBERS, *_LISTS, *_PAIRS)
# evalb ignores shorter lines.
_SHORTEST = 3


class Parameters:
    """The settings of a parameter file; a setting that the file does not have is evalb's default.

    `debug` is 0, 1 (tables of words and brackets) or 2 (every comparison as well). `max_error` is how many
    errors are tolerated, `cutoff` the longest sentence of the second summary. If `labeled` is false, labels
    of brackets are ignored. Words with a tag in `delete_labels` are left out, and so are brackets with such a
    label; `delete_for_length` only affects the length of a sentence. `eq_labels` and `eq_words` are pairs
    that count as equal in either order; the relation is not transitive. Words whose tag is in `quote_labels`
    are put back where only one side left them out.
    """

    # A plain class: `dataclasses` would take longer to import than a test set to score.
    __slots__ = (
        "cutoff", "debug", "delete_for_length", "delete_labels", "eq_labels", "eq_words", "labeled",
        "max_error", "quote_labels",
    )  # fmt: skip

    def __init__(
        self,
        *,
        debug: int = 0,
        max_error: int = 10,
        cutoff: int = 40,
        labeled: bool = True,
        delete_labels: tuple[bytes, ...] = (),
        delete_for_length: tuple[bytes, ...] = (),
        eq_labels: tuple[tuple[bytes, bytes], ...] = (),
        eq_words: tuple[tuple[bytes, bytes], ...] = (),
        quote_labels: tuple[bytes, ...] = (),
    ) -> None:
        self.debug, self.max_error, self.cutoff, self.labeled = debug, max_error, cutoff, labeled
        self.delete_labels, self.delete_for_length = delete_labels, delete_for_length
        self.eq_labels, self.eq_words, self.quote_labels = eq_labels, eq_words, quote_labels

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Parameters):
            return NotImplemented
        return self.as_dict() == other.as_dict()

    def __hash__(self) -> int:
        return hash(tuple(self.as_dict().values()))

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self.as_dict().items())
        return f"Parameters({values})"

    def as_dict(self) -> dict[str, object]:
        """Return all settings by name."""
        return {name: getattr(self, name) for name in self.__slots__}

    def replace(self, **changes: object) -> Parameters:
        """Return a copy with some settings changed.

        >>> Parameters().replace(cutoff=70).cutoff
        70
        """
        return Parameters(**{**self.as_dict(), **changes})  # type: ignore[arg-type]


def read_parameters(data: bytes, base: Parameters | None = None) -> tuple[Parameters, list[bytes]]:
    """Read a parameter file; return the settings, and evalb's own messages about its lines.

    Lists are appended to those of `base`, numbers replace its numbers, so that a second file adds to the
    first.
    """
    changes = (base or Parameters()).as_dict()
    messages: list[bytes] = []
    for lineno, line in _find_lines(data):
        keyword, value = _split(line)
        if keyword not in KEYWORDS:
            messages.append(b"Unknown keyword (%s) in parameter file" % line)
            continue
        if not value:
            messages.append(b"Empty value in parameter file (%d)" % lineno)
        if keyword in _PAIRS and len(value.split()) != 2:
            messages.append(b"%s requires two values" % keyword)
        else:
            _set(changes, keyword, value)
    return Parameters(**changes), messages  # type: ignore[arg-type]


def check_parameters(data: bytes) -> tuple[list[tuple[int, str, str]], bool]:
    r"""Return the faults in a parameter file, in evalign's words, and whether any line has a known keyword.

    A fault is a line number, what was found there, and what was expected. evalb accepts most of them
    silently.

    >>> check_parameters(b"# Collins\nDELETE_LABEL TOP\nDEBUG x\n")
    ([(3, 'DEBUG is "x"', 'a whole number')], True)
    """
    faults, is_known = [], False
    for lineno, line in _find_lines(data):
        keyword, value = _split(line)
        is_known = is_known or keyword in KEYWORDS
        fault = _find_fault(keyword, value, line)
        if fault is not None:
            faults.append((lineno, *fault))
    return faults, is_known


def _find_fault(keyword: bytes, value: bytes, line: bytes) -> tuple[str, str] | None:
    """Return what is wrong with a line and what was expected; None if nothing is."""
    from evalign.errors import quote  # not loaded by `evalign evalb`

    name, shown = keyword.decode("utf-8", "replace"), quote(value.decode("utf-8", "replace"))
    if keyword not in KEYWORDS:
        problem = f"unknown keyword in {quote(line.decode('utf-8', 'replace'))}"
        return problem, f"one of {', '.join(sorted(each.decode() for each in KEYWORDS))}"
    if keyword in _NUMBERS:
        digits = value[1:] if value[:1] in (b"-", b"+") else value
        return None if digits.isdigit() else (f"{name} is {shown}", "a whole number")
    wanted = 2 if keyword in _PAIRS else 1
    if len(value.split()) == wanted:
        return None
    if wanted == 2:
        return f"{name} has {shown}", f"two {'words' if keyword == b'EQ_WORD' else 'labels'}"
    if not value:
        return f"{name} without a label", "one label; this line is about brackets that have none"
    return f"{name} has {shown}", "one label in a line; none has white space, and this line has no effect"


def _find_lines(data: bytes) -> list[tuple[int, bytes]]:
    """Return the lines with content, and their numbers; a NUL ends a line, as evalb reads strings of C."""
    lines = [line.partition(b"\0")[0].rstrip() for line in data.split(b"\n")]
    return [
        (lineno, line)
        for lineno, line in enumerate(lines, 1)
        if len(line) >= _SHORTEST and not line.startswith(b"#")
    ]


def _split(line: bytes) -> tuple[bytes, bytes]:
    """Split a line into keyword and value; the keyword is empty if the line begins with white space."""
    if line[:1].isspace():
        return b"", line
    keyword, *rest = line.split(None, 1)
    return keyword, rest[0] if rest else b""


def _set(changes: dict[str, object], keyword: bytes, value: bytes) -> None:
    if keyword in _NUMBERS:
        name = _NUMBERS[keyword]
        number = read_number(value)
        changes[name] = number != 0 if name == "labeled" else number
    elif keyword in _LISTS:
        changes[_LISTS[keyword]] += (value,)  # type: ignore[operator]
    else:
        changes[_PAIRS[keyword]] += (tuple(value.split()),)  # type: ignore[operator]


def read_number(text: bytes) -> int:
    """Return the number that `text` begins with, read as C does: 0 if there is none, wrapped to 32 bits.

    >>> read_number(b" 12x"), read_number(b"x"), read_number(b"-3")
    (12, 0, -3)
    """
    text = text.lstrip()
    sign = -1 if text[:1] == b"-" else 1
    digits = text[1:] if text[:1] in (b"-", b"+") else text
    end = 0
    while digits[end : end + 1].isdigit():
        end += 1
    # No 64-bit number has more digits. C stops at the largest number; Python refuses to read thousands of
    # digits.
    number = sign * int(digits[:end].lstrip(b"0")[:20] or b"0")
    number = max(-(1 << 63), min((1 << 63) - 1, number))
    return (number + (1 << 31)) % (1 << 32) - (1 << 31)
