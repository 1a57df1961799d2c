"""Detect text files whose lines are not sentences of plain text.

A file that is about to be read as plain text is examined first. What cannot be sensible as plain text is
refused: columns of tags, tables, lines of Python, and CoNLL-U or trees inside other text. What may be is read
and remarked on: tagged tokens, list marks, ids, markup, untokenized text. Two tables below list what is
recognized. Only the first bytes decide, so that a file is judged in the same way whether it is read in pieces
or at once. If the user names a format, nothing is checked here.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from evalign.errors import InputError, Message, Place, Remark, quote
from evalign.readers.foreign_files import AS_PLAIN, EXPECTED, N_BYTES
from evalign.readers.plain import TAKE_TOKENS, UNTOKENIZED, find_labels

_DOCUMENT = "-DOCSTART-"
_PASSED_OVER = "#-<"


def _is_aside(line: str) -> bool:
    """Return whether `line` stands between rows of columns: a comment, a mark of a document, a lone tag."""
    return line.startswith(("#", _DOCUMENT)) or re.fullmatch(r"</?[A-Za-z][^<>]*>", line) is not None


# What lines have in common is no evidence in fewer lines than this, as any sentence may begin with a number; in a
# short text, nearly all lines must have it.
_FEWEST = 3
_SHORT, _NEARLY_ALL = 10, 0.9


class Lines:
    """The first lines of a file: what recognitions look at."""

    def __init__(self, name: str, data: bytes, *, lineno: int = 1, is_whole: bool = True) -> None:
        self.name, self.lineno, self.is_whole = name, lineno, is_whole
        text = data.decode("utf-8", "ignore").removeprefix("\ufeff")
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.text = text
        self.all = text.split("\n")

    @cached_property
    def rows(self) -> list[int]:
        """The indices of the lines that are not blank."""
        return [k for k, line in enumerate(self.all) if line and not line.isspace()]

    @cached_property
    def texts(self) -> list[str]:
        """The lines that are not blank, without white space at their ends."""
        return [self.all[k].strip() for k in self.rows]

    @cached_property
    def tokens(self) -> list[str]:
        """All tokens of plain text."""
        return list(chain.from_iterable(map(str.split, self.texts)))

    @cached_property
    def columns(self) -> list[tuple[int, list[str]]]:
        """The rows with the most frequent number of columns, between tabs or blanks, if nine of ten lines have it.

        Each row comes with its index among the lines that are not blank. Comments, marks of documents and
        lines of nothing but a tag do not count.
        """
        texts = self.texts
        counted = [k for k, line in enumerate(texts) if line[0] not in _PASSED_OVER or not _is_aside(line)]
        if len(counted) < _FEWEST:
            return []
        are_tabbed = 2 * sum("\t" in texts[k] for k in counted) > len(counted)
        cells = [self.raw(k).split("\t") if are_tabbed else texts[k].split() for k in counted]
        width, n = Counter(map(len, cells)).most_common(1)[0]
        if 10 * n < 9 * len(counted):
            return []
        return [(k, row) for k, row in zip(counted, cells, strict=True) if len(row) == width]

    def raw(self, row: int) -> str:
        """Return the line that `rows` has at index `row`, with the white space at its ends."""
        return self.all[self.rows[row]]

    def place(self, row: int) -> Place:
        """Return the place of the line that `rows` has at index `row`."""
        return Place(self.name, self.lineno + self.rows[row])


def read_beginning(name: str, data: bytes) -> Lines:
    """Return the lines of the first `N_BYTES` of a file; the last one only if it is whole."""
    is_whole = len(data) <= N_BYTES
    head = data[:N_BYTES]
    if not is_whole:
        end = max(head.rfind(b"\n"), head.rfind(b"\r"))
        head = head[: end + 1] or head
    return Lines(name, head, is_whole=is_whole)


def find_refused(lines: Lines, *, has_rows: bool = False) -> InputError | None:
    """Return the error if `lines` are recognizably no sentences of plain text.

    `has_rows` is True if the lines are known to be rows of columns, of whatever format.
    """
    for what, find in () if has_rows else INSIDE:
        inside = find(lines)
        if inside is not None:
            where = _describe_lines(lines, inside)
            return describe_other(lines.place(inside.other), what, where, lines.texts[inside.other])
    for find_match, advice in REFUSED.items():
        match = find_match(lines)
        if match is not None:
            return InputError(
                lines.place(match.row), match.what, EXPECTED, f"{advice}\n  " + Message(AS_PLAIN)
            )
    return None


def describe_other(place: Place, what: str, where: str, line: str) -> InputError:
    """Return the error for `line`, the first one that is not `what` in a file that has it in the lines `where`."""
    mark = ", a mark of a merge conflict" if line.startswith(_CONFLICT) else ""
    return InputError(
        place,
        f"{what} {where}; the first other line is {place.lineno:,}, {quote(line)}{mark}",
        f"{what} and nothing else",
        "take out all other lines, such as comments, code fences and the words of an answer",
    )


def remark_on_lines(lines: Lines) -> Iterator[Remark]:
    """Yield a remark for each kind of thing that lines or tokens carry and that is scored as text."""
    kinds: set[str] = set()
    for unusual in UNUSUAL if lines.texts else ():
        match = unusual.find(lines) if unusual.kind not in kinds else None
        if match is not None:
            kinds.add(unusual.kind)
            message = f"{match.what}: " + Message(unusual.advice)
            yield Remark(unusual.kind, message, 1, (lines.place(match.row),))


class Match(NamedTuple):
    """A recognition: what it is, in words, and the first of the lines that are not blank where it stands."""

    what: str
    row: int


class Inside(NamedTuple):
    """Where something stands among other lines: its first and last row, and the first row that is not part of it."""

    first: int
    last: int
    other: int


class Unusual(NamedTuple):
    """Something that lines or tokens may carry and that is scored as text, with a remark."""

    kind: str
    find: Callable[[Lines], Match | None]
    advice: str


# ----- CoNLL-U and trees inside other text -----

_ID = r"\d+(?:[-.]\d+)?"
_HEAD = r"\d+|_"
_ROW_STARTS = "0123456789|"
_CONFLICT = ("<<<<<<<", "=======", ">>>>>>>")


def is_conllu_row(line: str) -> bool:
    """Return whether `line` is a row of CoNLL-U: ten columns with ID and HEAD, also between spaces or bars."""
    # As Python prints tabs.
    line = line.replace("\\t", "\t")
    if line.startswith("|"):
        columns = [cell.strip() for cell in line.strip("|").split("|")]
    else:
        columns = line.split("\t") if "\t" in line else line.split()
    if len(columns) != 10 or not re.fullmatch(_ID, columns[0].strip()) or not re.fullmatch(_HEAD, columns[6]):
        return False
    return "\t" in line or "_" in columns


def find_conllu(lines: Lines) -> Inside | None:
    """Recognize CoNLL-U with other lines around it or between its sentences."""
    rows = [k for k, line in enumerate(lines.texts) if line[0] in _ROW_STARTS and is_conllu_row(line)]
    if not rows or (len(rows) == 1 and not lines.texts[rows[0]].startswith("1")):
        return None
    are_rows = {k for k in rows if not lines.texts[k].startswith("|") and "\\t" not in lines.texts[k]}
    others = (k for k, line in enumerate(lines.texts) if k not in are_rows and not line.startswith("#"))
    other = next(others, -1)
    first = rows[0]
    while first and lines.texts[first - 1].startswith("#"):
        first -= 1
    return Inside(first, rows[-1], other) if other >= 0 else None


def _describe_lines(lines: Lines, inside: Inside) -> str:
    """Say in which lines of the file something stands."""
    first, last, end = (lines.rows[k] + lines.lineno for k in (inside.first, inside.last, -1))
    if not lines.is_whole:
        return f"from line {first:,} on"
    return f"in {f'lines {first:,} to {last:,}' if first < last else f'line {first:,}'} of {end:,}"


_BRACKET_OR_WORD = r"[()]|[^\s()]+"
# A tree may stand behind a number or a word or two, and between quotes: "1. (S ...".
_QUOTES = "\"'`*"
_TREE_IN_LINE = rf"(?:[^\s()]+[ \t]+){{0,3}}[{_QUOTES}]*(\([^\s()]*\s*\()"
# Fewer brackets are no evidence: "(S (X yes))" has two.
_FEWEST_BRACKETS = 3


def find_trees(lines: Lines) -> Inside | None:
    """Recognize trees in brackets with other lines around them."""
    text = "\n".join(lines.texts)
    if text.count("(") < _FEWEST_BRACKETS:
        return None
    starts = [0]
    for line in lines.texts:
        starts.append(starts[-1] + len(line) + 1)
    in_trees: set[int] = set()
    prefixed: set[int] = set()
    n_brackets = row = 0
    while row < len(lines.texts):
        match = re.compile(_TREE_IN_LINE).match(text, starts[row])
        size, end = _measure_tree(text, match.start(1), is_cut=not lines.is_whole) if match else (0, 0)
        last = row
        while size and starts[last + 1] <= end:
            last += 1
        if size and text[end : starts[last + 1]].strip(_QUOTES + " \t\n") == "":
            n_brackets += size
            in_trees.update(range(row, last + 1))
            if match and match.start(1) > starts[row]:
                prefixed.add(row)
        elif size < 0:  # not closed up to the end
            break
        row = last + 1
    if n_brackets < _FEWEST_BRACKETS:
        return None
    other = next((row for row in range(len(lines.texts)) if row not in in_trees or row in prefixed), -1)
    return Inside(min(in_trees), max(in_trees), other) if other >= 0 else None


def _measure_tree(text: str, start: int, *, is_cut: bool) -> tuple[int, int]:
    """Return the number of brackets of the tree at `start`, and where it ends.

    The number is 0 if this is no tree, since words stand beside brackets, and -1 if it is never closed; a tree
    of a text that `is_cut` ends with the text.
    """
    # Per open bracket: the words in it, and whether it has brackets.
    words: list[int] = []
    nested: list[bool] = []
    size = 0
    for token in re.compile(_BRACKET_OR_WORD).finditer(text, start):
        if token[0] == "(":
            if words:
                if words[-1] > 1:
                    return 0, 0
                nested[-1] = True
            words.append(0)
            nested.append(False)
            size += 1
        elif token[0] == ")":
            if not nested.pop() and words[-1] != 2:
                return 0, 0
            words.pop()
            if not words:
                return size, token.end()
        else:
            words[-1] += 1
            if nested[-1] or words[-1] > 2:
                return 0, 0
    return (size, len(text)) if is_cut else (-1, 0)


# ----- Columns, tables, lines of Python -----

# Tags of spans in columns: O, or B, I, E, S, U, L, M, W, perhaps with a label before or behind.
_TAG = r"O|[BIESULMW](?:[-_].+)?|[A-Z]+[-_][BIESULMW]"


def is_tag(text: str) -> bool:
    """Return whether `text` is a tag of spans in columns: O, B, I-PER and the like."""
    return re.fullmatch(_TAG, text) is not None


def find_tag_columns(lines: Lines) -> Match | None:
    """Recognize a token and its tags per line: nine of ten cells of a column are tags.

    The first row may be a header. The first column has the tokens, unless it has labels behind hyphens.
    """
    rows = lines.columns
    width = len(rows[0][1]) if rows else 0
    for column in range(width - 1, -1, -1) if width > 1 else ():
        cells = [row[column].strip() for _, row in rows]
        tags = set(filter(is_tag, set(cells)))
        has_labels = any(tag[1:2] in ("-", "_") for tag in tags)
        if not has_labels and (column == 0 or ("O" not in tags and len(tags) < _FEWEST)):
            continue
        if 10 * sum(cell in tags for cell in cells[1:]) >= 9 * (len(cells) - 1):
            k = next(
                (k for (k, _), cell in zip(rows, cells, strict=True) if cell in tags and cell != "O"),
                rows[0][0],
            )
            what = f"columns of tags, column {column + 1} of {width}, as in {quote(lines.texts[k])}"
            return Match(what, k)
    return None


def find_table(lines: Lines) -> Match | None:
    """Recognize lines with the same number of columns between tabs, or numbered ones among other lines."""
    # White space at the ends may be an empty cell.
    rows = [k for k in range(len(lines.texts)) if "\t" in lines.raw(k)]
    if len(rows) < _FEWEST or not any("\t" in line for line in lines.texts):
        return None
    widths = Counter(lines.raw(k).count("\t") + 1 for k in rows)
    width, n = widths.most_common(1)[0]
    numbered = sum(re.fullmatch(_ID, lines.texts[k].partition("\t")[0].strip()) is not None for k in rows)
    are_most = 2 * len(rows) > len(lines.columns) > 0
    if not are_most and (len(widths) > 1 or 10 * numbered < 9 * len(rows)):
        return None
    what = f"a table: {n:,} lines with {width} columns between tabs, as {quote(lines.texts[rows[0]])}"
    return Match(what, rows[0])


_LITERAL = r"""(?s)[\[({]+\s*[bru]?['"\d].*[\])}],?"""
# A list that is cut: two strings, or a key and a value.
_CUT_LITERAL = r"""[\[({]+\s*'[^'\n]*'\s*[,:]\s*['"\[({]"""


def find_literals(lines: Lines) -> Match | None:
    """Recognize lists, tuples and dictionaries as Python prints them: one per line, or one over all lines."""
    rows = [k for k, line in enumerate(lines.texts) if line[0] in "[({" and re.fullmatch(_LITERAL, line)]
    if rows and 10 * len(rows) >= 9 * len(lines.texts) and _is_literal(lines.texts[rows[0]]):
        return Match(f"lines of Python, as {quote(lines.texts[rows[0]])}", rows[0])
    text = lines.text.strip()
    if text[:1] not in ("[", "(", "{"):
        return None
    is_value = _is_literal(text) if re.fullmatch(_LITERAL, text) else re.match(_CUT_LITERAL, text) is not None
    return Match(f"a value of Python, {quote(text)}", 0) if is_value else None


def _is_literal(text: str) -> bool:
    """Return whether `text` is a list or the like of Python; a number in brackets may be that of a footnote."""
    try:
        value = ast.literal_eval(text.removesuffix(","))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False
    is_footnote = (
        isinstance(value, (list, set)) and len(value) == 1 and isinstance(next(iter(value)), (int, float))
    )
    return isinstance(value, (list, tuple, dict, set)) and not is_footnote


# What is refused because other lines stand around it: plain text makes no sense either.
INSIDE = (("CoNLL-U", find_conllu), ("trees", find_trees))
# What is refused unless the user names plain text, in this order, with advice.
REFUSED = {
    find_tag_columns: "write the tokens of a sentence in one line, without tags, to score tokens",
    find_table: "take out the column to be scored, for example the second: cut -f 2 FILE > text.txt",
    find_literals: 'write the tokens of each list in one line, separated by spaces: " ".join(tokens)',
}


# ----- What lines and tokens carry -----


def _find_share(lines: Lines) -> float:
    """Return the share of lines that must be exceeded to speak of most lines."""
    return 0.5 if len(lines.texts) >= _SHORT else _NEARLY_ALL - 1e-9


def _lines_with(
    pattern: str,
    what: str,
    *,
    needs: str = "",
    firsts: str = "",
    share: float | None = None,
    least: int = _FEWEST,
) -> Callable[[Lines], Match | None]:
    """Return a function that recognizes text of which more than `share` of the lines match `pattern`.

    Without a share most lines must match. At least `least` lines must match. `needs` is text that every match contains, `firsts` the characters
    that every line that matches begins with: most files fail these tests, so that patterns are seldom
    compiled.
    """

    def find(lines: Lines) -> Match | None:
        texts = lines.texts
        if needs not in lines.text:
            return None
        most = _find_share(lines) if share is None else share
        if firsts and sum(line[0] in firsts for line in texts) <= most * len(texts):
            return None
        search = re.compile(pattern).search
        rows = [k for k, line in enumerate(texts) if needs in line and search(line)]
        if len(rows) < least or len(rows) <= most * len(texts):
            return None
        return _count(lines, rows, what, texts[rows[0]])

    return find


def _count(lines: Lines, rows: list[int], what: str, example: str) -> Match:
    """Say how many of all lines are as the example is."""
    return _share(lines, len(rows), len(lines.texts), f"lines {what}", example, rows[0])


def _share(lines: Lines, n: int, total: int, what: str, example: str, row: int = 0) -> Match:
    """Say how many of `total` things, of the file or of its beginning, are as the example in line `row` is."""
    first = "" if lines.is_whole else "the first "
    return Match(f"{n:,} of {first}{total:,} {what}, such as {quote(example)}", row)


_DIGITS = "0123456789"
_OWN_ID = r"(?a)(?=\S*\d)(?=\S*[^\W\d])[\w.:/#-]+|[0-9a-f-]{8,}"


def _find_own_ids(lines: Lines) -> Match | None:
    """Recognize lines that begin with an id: words with digits, all different, all of one shape."""
    rows = []
    names = []
    for k, line in enumerate(lines.texts):
        name, _, rest = line.partition(" ")
        if rest and not name.isalpha() and re.fullmatch(_OWN_ID, name):
            rows.append(k)
            names.append(name)
    too_few = len(rows) < _FEWEST or len(rows) <= _find_share(lines) * len(lines.texts)
    if too_few or 10 * len(set(names)) < 9 * len(names):
        return None
    shapes = Counter(re.sub(r"[0-9a-f]{8,}|\d+", "0", name) for name in names)
    if 2 * shapes.most_common(1)[0][1] <= len(names):
        return None
    return _count(lines, rows, "begin with an id of their own", lines.texts[rows[0]])


_HEADER = r'"?[^\W\d]\w*"?(?:([,;|])"?[^\W\d]\w*"?)+'
# In text a space follows a comma, or it is inside a number.
_BETWEEN_CELLS = r"(?<!\d),(?=\S)|(?<=\d),(?=[^\s\d])"


def _find_cells(lines: Lines) -> Match | None:
    """Recognize tables with commas, semicolons or bars: behind a header, or the same number in most lines."""
    texts = lines.texts
    for mark, name, least in ((",", "commas (CSV)", 2), (";", "semicolons (CSV)", 2), ("|", "bars", 1)):
        if sum(mark in line for line in texts) < 0.8 * len(texts):
            continue
        header = re.fullmatch(_HEADER, texts[0])
        if header and header[1] == mark and len(texts) > 1:
            width = texts[0].count(mark)
            rows = [k for k, line in enumerate(texts) if line.count(mark) >= width]
        else:
            counts = [len(re.findall(_BETWEEN_CELLS.replace(",", re.escape(mark)), line)) for line in texts]
            n, times = Counter(counts).most_common(1)[0]
            rows = [k for k, count in enumerate(counts) if n >= least and times >= _FEWEST and count == n]
        if rows and len(rows) >= 0.8 * len(texts):
            return _count(lines, rows, f"are cells of a table between {name}", texts[rows[-1]])
    return None


_FINAL = ".!?。！？।॥؟۔።။។…"


def _ends_sentence(token: str) -> bool:
    """Return whether a final mark is joined to a word in `token`."""
    return token[-1:] in _FINAL and token.strip(_FINAL) != ""


_FEW_TOKENS = 6
_MOST_CELLS = 4
_LONGEST_WORD = 12
_EMPTY_CELL = r"[-_*]|\d+(?:[.,]\d+)*"


def _find_vertical(lines: Lines) -> Match | None:
    """Recognize one token per line, perhaps with its labels, and blank lines or punctuation between sentences."""
    rows = [row for _, row in lines.columns]
    width = len(rows[0]) if len(rows) >= _FEW_TOKENS else 0
    words = [row[0] for row in rows]
    if not 1 <= width <= _MOST_CELLS or sum(map(len, words)) > _LONGEST_WORD * len(words):
        return None
    if 5 * sum(map(_ends_sentence, words)) > len(words):  # raw text without spaces, such as Chinese
        return None
    has_blank = lines.rows[-1] - lines.rows[0] >= len(lines.rows)
    if not has_blank and all(any(map(str.isalnum, word)) for word in words):
        return None
    if width > 1 and not any(_are_labels([row[column] for row in rows]) for column in range(1, width)):
        return None
    what = "have one token" if width == 1 else f"have one token and {width - 1} more columns"
    return _count(lines, [k for k, _ in lines.columns], what, lines.texts[lines.columns[0][0]])


def _find_rows(lines: Lines) -> Match | None:
    """Recognize rows of columns between blanks, at least two of which have nothing but numbers and empty cells."""
    rows = [row for _, row in lines.columns]
    width = len(rows[0]) if len(rows) >= _FEW_TOKENS else 0
    n_empty = sum(all(re.fullmatch(_EMPTY_CELL, row[column]) for row in rows) for column in range(width))
    if not 2 <= n_empty < width:
        return None
    first = lines.columns[0][0]
    return _count(lines, [k for k, _ in lines.columns], f"have {width} columns", lines.texts[first])


_SEPARATORS = "_/|\\#^:-￨"
_LABEL = r"[A-Z][A-Z0-9$+.:*-]*|[^\w\s]+"


def _find_tagged_tokens(lines: Lines) -> Match | None:
    """Recognize tokens that carry a tag: word_TAG, word/TAG, word|lemma|TAG, TAG_word."""
    tokens = lines.tokens
    for separator in _SEPARATORS:
        tagged = [token for token in tokens if separator in token]
        if 2 * len(tagged) <= len(tokens):
            continue
        parts = [row for row in (token.split(separator) for token in tagged) if all(row)]
        width = max(Counter(map(len, parts)).items(), key=lambda item: item[1], default=(0, 0))[0]
        parts = [row for row in parts if len(row) == width]
        if 2 * len(parts) <= len(tokens):
            continue
        if separator != "|" and not any(_are_labels([row[k] for row in parts]) for k in (-1, 0)):
            continue
        token = separator.join(parts[0])
        row = next(k for k, line in enumerate(lines.texts) if token in line.split())
        shape = separator.join(["word", *["..."] * (width - 2), "TAG"])
        return _share(lines, len(parts), len(tokens), f"tokens are like {shape}", token, row)
    return None


def _are_labels(texts: list[str]) -> bool:
    """Return whether `texts` are mostly labels: in capitals, or few different ones (60, or a tenth of all).

    Punctuation, which may be its own label, is none if it is all there is, as at the ends of sentences.
    """
    shaped = sum(re.fullmatch(_LABEL, text) is not None for text in texts)
    n_marks = sum(not any(map(str.isalnum, text)) for text in texts)
    is_few = 10 * len(set(texts)) <= min(len(texts), 600)
    return 2 * n_marks <= len(texts) and (5 * shaped >= 4 * len(texts) or is_few)


def _find_numbers(lines: Lines) -> Match | None:
    """Recognize tokens that are numbers, or pairs of numbers such as those of aligned words."""
    tokens = lines.tokens
    numbers = [token for token in tokens if token[0] in _DIGITS and re.fullmatch(r"\d+(?:-\d+)?", token)]
    if len(numbers) < _FEW_TOKENS or 10 * len(numbers) < 9 * len(tokens):
        return None
    return _share(lines, len(numbers), len(tokens), "tokens are numbers", numbers[0])


def _find_labels(lines: Lines) -> Match | None:
    """Recognize tokens that are labels: B-PER, O, NOUN."""
    labels = find_labels([line.split() for line in lines.texts]) if len(lines.tokens) >= _FEW_TOKENS else None
    return Match(labels.message, labels.number - 1) if labels else None


def _find_raw(lines: Lines) -> Match | None:
    """Recognize text that is not tokenized: most final marks are joined to the word before."""
    marked = [k for k, line in enumerate(lines.texts) if line[-1] in _FINAL]
    joined = [k for k in marked if _ends_sentence(lines.texts[k].split()[-1])]
    if len(joined) < _FEWEST or 2 * len(joined) <= len(marked) or 5 * len(joined) < len(lines.texts):
        return None
    example = lines.texts[joined[0]].split()[-1]
    return _count(lines, joined, "end in a word with a final mark", example)


_CHATTER = r"(?:Output|Answer|Result|Response|Final [Aa]nswer|Sure|Certainly|Of course|Absolutely|Okay|OK|Here (?:is|are|'s))\b.*:"


def _find_chatter(lines: Lines) -> Match | None:
    """Recognize an answer that opens with a sentence about what follows."""
    first = lines.texts[0]
    if first.endswith(":") and len(lines.texts) > 1 and re.fullmatch(_CHATTER, first):
        return Match(f"the first line looks like the words of an assistant, {quote(first)}", 0)
    return None


_NUMBER = r"^(?:[(\[#]?\s?\d+(?:\.\d+)*\s?[.):\]]?(?:\s|$)|\d+[,;](?=[^\s\d])|[①-⑳])"
_LETTER = r"^[(\[]?[a-z][)\]]\s"
_BULLETS = "-*+•·‣◦▪–—>→➢✓●"
_TIME = r"^[(\[<]?(?:\d{1,2}:\d{2}|\d{4}-\d{2}-\d{2})"
_ID_BEHIND = r"\s\((?=[^)]*[\d_-])(?!(?:1\d|20)\d\d\))[\w./:@-]+\)$"  # no word, no year
# [PER Ada], [Ada]PER, Ada[PER], [[Ada]], {{Ada}}, Ada/PER.
_LABELLED = (
    r"\[[A-Z]{2,} [^\]]+\]|\][A-Z]{2,}|\w\[[A-Z]{2,}\]|\[\[.+\]\]|\{\{.+\}\}|\w/(?:PER|LOC|ORG|GPE|MISC)\b"
)
_STRING = r"^[bru]?'(?!\s)[^']+(?<!\s)',?$"
_KEY = r"""^(?:-\s+)?["']?[\w.-]+(?: [\w.-]+)?["']?(?::(?:\s|$)| = )"""
_THOUGHTS = r"^</?(?:think|thinking|thought|thoughts|reasoning|scratchpad|answer|output|response)>"
_TAKE_OFF = "this is scored as text: take it off first"
_TAKE_OUT = "such lines are scored as text: take them out first"
_TOKENS = "plain text has one sentence per line with spaces between its tokens"

# What is remarked on; at most one remark of each kind is made.
UNUSUAL = (
    Unusual("tags", _lines_with(r"<([A-Za-z][\w:.-]*)(?:\s[^<>]*)?>[^<>]*</\1\s*>", "have text between tags", needs="</", share=0.2, least=1), _TAKE_OFF),
    Unusual("tags", _lines_with(r"\[[^\[\]]+\]\([^()\s]+\)", "have a label or link behind brackets", needs="](", share=0.2, least=1), _TAKE_OFF),
    Unusual("tags", _lines_with(r"</?[A-Za-z][\w:.-]*\s*/?>", "have a tag", needs="<"), _TAKE_OFF),
    Unusual("tags", _lines_with(r"^</[A-Za-z][\w:.-]*\s*>$", "are closing tags", needs="</", share=0, least=1), _TAKE_OUT),
    Unusual("tags", _lines_with(r"\[/?[A-Z]{3,}\]", "have a label in brackets", needs="["), _TAKE_OFF),
    Unusual("tags", _lines_with(r"\([A-Z]{3,}\)", "have a label in brackets", needs="("), _TAKE_OFF),
    Unusual("tags", _lines_with(_LABELLED, "have a label beside a word"), _TAKE_OFF),
    Unusual("tags", _lines_with(r"\*\*[^*]+\*\*", "have text between stars", needs="**"), _TAKE_OFF),
    Unusual("tokens", _find_tagged_tokens, _TAKE_OFF),
    Unusual("tokens", _find_labels, TAKE_TOKENS),
    Unusual("lines", _find_numbers, "are these ids of words? The text is scored"),
    Unusual(UNTOKENIZED, _find_raw, f"is this raw text? {_TOKENS}; raw text goes to {{raw}}"),
    Unusual("tokens", _find_vertical, _TOKENS),
    Unusual("lines", _find_rows, _TOKENS),
    Unusual("lines", _lines_with(_TIME, "begin with a time", firsts=_DIGITS + "([<"), _TAKE_OFF),
    Unusual("lines", _find_cells, "take out the column to be scored, one sentence per line"),
    Unusual("lines", _lines_with(_NUMBER, "begin with a number"), _TAKE_OFF),
    Unusual("lines", _lines_with(_LETTER, "begin with a letter of a list", needs=" "), _TAKE_OFF),
    Unusual("lines", _lines_with(rf"^[{_BULLETS}]\s+\S", "begin with a bullet or dash", firsts=_BULLETS), _TAKE_OFF),
    Unusual("lines", _lines_with(r"^\|", "begin with a bar, as rows of a table", firsts="|"), _TAKE_OFF),
    Unusual("lines", _find_own_ids, _TAKE_OFF),
    Unusual("lines", _lines_with(_ID_BEHIND, "end in an id in brackets", needs=")"), _TAKE_OFF),
    Unusual("lines", _lines_with(_STRING, "are strings as Python prints them", needs="'"), "write them without quotes"),
    Unusual("lines", _lines_with(r"\S\\n(?:\S|$)", "have \\n where lines should end", needs="\\n", least=1), "write one sentence per line"),
    Unusual("lines", _lines_with(r"^__label__\S", "begin with a label", needs="__label__"), _TAKE_OFF),
    Unusual("lines", _lines_with(_KEY, "begin with a key or name (is it YAML?)"), _TAKE_OFF),
    Unusual("objects", _lines_with(r"<[\w. ]+ at 0x[0-9a-f]+>", "are objects as Python prints them", needs=" at 0x", share=0, least=1), "write their text instead"),
    Unusual("objects", _lines_with(r"^(?:[A-Z]\w+|array|tensor)\(.*\)$", "are objects as Python prints them", needs=")"), "write their text instead"),
    Unusual("values", _lines_with(r"^(?:None|nan|NaN|<NA>|null|undefined|\[\]|\{\})$", "are missing values", share=0.01, least=1), "leave such a line empty, or write what is missing"),
    Unusual("colors", _lines_with("\x1b", "have control sequences of a terminal, such as colours", needs="\x1b", share=0, least=1), _TAKE_OFF),
    Unusual("thoughts", _lines_with(_THOUGHTS, "are tags around a language model's thoughts", needs=">", share=0, least=1), _TAKE_OUT),
    Unusual("thoughts", _lines_with(r"<\|\w+\|>", "have marks of a language model's turns", needs="<|", share=0, least=1), _TAKE_OFF),
    Unusual("fences", _lines_with("^(?:```|~~~)", "are code fences", firsts="`~", share=0, least=1), _TAKE_OUT),
    Unusual("answer", _find_chatter, _TAKE_OUT),
    Unusual("conflicts", _lines_with(r"^[<=>]{7}(?:\s|$)", "are marks of a merge conflict", needs="<<<<<<<", share=0, least=1), "choose one side of each conflict"),
)  # fmt: skip
