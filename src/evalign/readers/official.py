"""What the CoNLL 2018 evaluation script refuses to read, in its words.

Written from a description of what the script does. It differs on purpose in one point: heads are followed
in a loop, so that a long chain of words is no error.
"""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import category

from evalign.errors import Place, StrictError, quote
from evalign.readers.source import Content

_ID, _FORM, _HEAD, _N_COLUMNS = 0, 1, 6, 10
_UNSEEN, _ON_PATH, _DONE = 0, 1, 2


def check_official(content: Content) -> None:
    """Raise `StrictError` for CoNLL-U that the CoNLL 2018 script refuses."""
    name = content.name
    lines = _lines(content)
    rows = iter(enumerate(lines, 1))
    heads: list[str] | None = None  # of the sentence so far; None between sentences
    for lineno, text in rows:
        if heads is None:
            if text.startswith("#"):
                continue
            heads = []
        if not text:
            _check_tree(Place(name, lineno), heads)
            heads = None
            continue
        columns = text.split("\t")
        place = Place(name, lineno)
        if len(columns) != _N_COLUMNS:
            raise _not_ten(place, text)
        if "." in columns[_ID]:
            continue
        if _is_empty(columns[_FORM]):
            raise _refusal(
                place, "There is an empty FORM in the CoNLL-U file", "at least one character that is no space"
            )
        if "-" in columns[_ID]:
            heads += _read_inner(place, columns[_ID], rows)
        else:
            _check_word(place, columns, len(heads) + 1)
            heads.append(columns[_HEAD])
    if heads is not None:
        place = Place(name, len(lines))
        raise _refusal(place, "The CoNLL-U file does not end with empty line", "an empty line at the end")


def _lines(content: Content) -> list[str]:
    """Lines as the script sees them: ended by LF, CRLF or CR; a byte order mark is text to it."""
    text = content.data.decode("utf-8").replace("\r", "\n")
    if any(remark.kind == "bom" for remark in content.remarks):
        text = f"\ufeff{text}"
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def _refusal(place: Place, said: str, expected: str) -> StrictError:
    found = f"the CoNLL 2018 script refuses this: {said}"
    return StrictError(place, found, expected, "leave out --strict to score the file all the same")


def _not_ten(place: Place, text: str) -> StrictError:
    said = f"The CoNLL-U line does not contain 10 tab-separated columns: {quote(text)}"
    return _refusal(place, said, f"ten columns, not {text.count(chr(9)) + 1}")


def _is_empty(form: str) -> bool:
    return not form or (category(form[0]) == "Zs" and all(category(c) == "Zs" for c in form))


def _read_inner(place: Place, number: str, rows: Iterator[tuple[int, str]]) -> list[str]:
    """Heads of the words of a multiword token: as many rows as its range has numbers, whatever their IDs."""
    try:
        first, last = map(int, number.split("-"))
    except ValueError:
        said = f"Cannot parse multi-word token ID {quote(number)}"
        raise _refusal(place, said, "two numbers such as 3-4") from None
    heads = []
    for _ in range(first, last + 1):
        lineno, text = next(rows, (place.lineno, ""))
        columns = text.split("\t")
        if len(columns) != _N_COLUMNS:
            raise _not_ten(Place(place.path, lineno), text)
        heads.append(columns[_HEAD])
    return heads


def _check_word(place: Place, columns: list[str], due: int) -> None:
    """A word outside multiword tokens: its own number, and a number as its head."""
    number, form, head = columns[_ID], columns[_FORM], columns[_HEAD]
    try:
        found = int(number)
    except ValueError:
        raise _refusal(place, f"Cannot parse word ID {quote(number)}", f"{due}, the next word") from None
    if found != due:
        said = f"Incorrect word ID {quote(number)} for word {quote(form)}, expected {due}"
        raise _refusal(place, said, f"{due}, the next word")
    expected = "the number of a word, or 0"
    try:
        negative = int(head) < 0
    except ValueError:
        raise _refusal(place, f"Cannot parse HEAD {quote(head)}", expected) from None
    if negative:
        raise _refusal(place, "HEAD cannot be negative", expected)


def _check_tree(place: Place, written: list[str]) -> None:
    """One root, no cycle, no head outside; found in the order in which the script follows heads."""
    size = len(written)
    state = bytearray(size)
    for start in range(size):
        path = []
        word = start
        while state[word] != _DONE:
            if state[word] == _ON_PATH:
                raise _refusal(place, "There is a cycle in a sentence", "heads that lead to the root")
            head = _read_head(place, written[word], size)
            state[word] = _ON_PATH
            path.append(word)
            if not head:
                break
            word = head - 1
        for word in path:
            state[word] = _DONE
    roots = sum(int(head) == 0 for head in written)
    if roots != 1:
        expected = "one word with HEAD 0" if size else "a sentence before each empty line"
        raise _refusal(place, f"There are {roots} roots in a sentence", expected)


def _read_head(place: Place, written: str, size: int) -> int:
    try:
        head = int(written)
    except ValueError:  # only inside a multiword token is it not told before
        said = f"invalid literal for int() with base 10: {quote(written)}"
        raise _refusal(place, said, f"a number from 0 to {size} as HEAD") from None
    if not 0 <= head <= size:
        said = f"HEAD {quote(written)} points outside of the sentence"
        raise _refusal(place, said, f"a number from 0 to {size}")
    return head
