"""Ends of sentences and of trees in the bytes of a file, found slowly from their definitions."""

from __future__ import annotations

import unicodedata

from evalign.text import WHITE_SPACE

Row = tuple[int, int, int]


def is_on_the_line(character: str, *, as_script: bool) -> bool:
    if as_script:
        return unicodedata.category(character) != "Zs"
    return character not in WHITE_SPACE


def split_lines(data: bytes) -> list[tuple[str, int]]:
    """Return the lines without their line ends, each with the byte offset where the next line begins."""
    lines, end = [], 0
    for part in data.split(b"\n"):
        is_whole = end + len(part) < len(data)
        end += len(part) + is_whole
        if part or is_whole:
            lines.append(((part.removesuffix(b"\r") if is_whole else part).decode(), end))
    return lines


def skim_plain(data: bytes, *, as_script: bool = False) -> list[Row]:
    """Return the numbers of bytes, characters and lines up to the end of each sentence of plain text.

    Only characters on the line count, that is, no white space.
    """
    rows, characters = [], 0
    for number, (line, end) in enumerate(split_lines(data), 1):
        length = sum(is_on_the_line(c, as_script=as_script) for c in line if c != "\t")
        characters += length
        if length:
            rows.append((end, characters, number))
    return rows


def skim_conllu(data: bytes, *, as_script: bool = False) -> list[Row]:
    """Return the same as `skim_plain` for CoNLL-U. A sentence that no empty line ends is left out."""
    rows, characters, inside = [], 0, 0
    has_row = has_token = False
    for number, (line, end) in enumerate(split_lines(data), 1):
        if not line:
            rows += [(end, characters, number)] if has_token else []
            has_row = has_token = False
            inside = 0
            continue
        if line.startswith("#") and not has_row:
            continue
        has_row = True
        id, form = [*line.split("\t"), ""][:2]
        first, dash, last = id.partition("-")
        if all(part.isdigit() for part in id.split(".")) and id.count(".") == 1:
            continue
        if dash:
            inside = max(0, int(last) - int(first) + 1)
        elif inside:
            inside -= 1
            continue
        has_token = True
        characters += sum(is_on_the_line(c, as_script=as_script) for c in form)
    return rows


def find_trees(data: bytes) -> list[Row]:
    """Return where the file can be cut before an outermost bracket.

    Each row has the bytes and the lines before that point, and the lines before the bracket itself.
    """
    rows, depth, line_start = [], 0, 0
    for at, byte in enumerate(data):
        if byte == ord("\n"):
            line_start = at + 1
        elif byte == ord("("):
            depth += 1
            if depth == 1:
                place = at
                if not set(data[line_start:at]) & set(b"()"):
                    # Blank lines above belong to the tree.
                    above = data[:line_start].rstrip(b" \t\r\n\v\f")
                    place = data.index(b"\n", len(above), line_start) + 1 if above else 0
                rows.append((place, data.count(b"\n", 0, place), data.count(b"\n", 0, at)))
        elif byte == ord(")"):
            depth = max(0, depth - 1)
    return rows
