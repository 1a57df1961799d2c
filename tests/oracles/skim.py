"""Where sentences end, the slow way: line by line, from definitions."""

from __future__ import annotations

import unicodedata

from evalign.text import WHITE_SPACE

Row = tuple[int, int, int]


def is_on_the_line(character: str, *, as_script: bool) -> bool:
    if as_script:
        return unicodedata.category(character) != "Zs"
    return character not in WHITE_SPACE


def split_lines(data: bytes) -> list[tuple[str, int]]:
    """Lines without their ends, and where the next begins."""
    lines, end = [], 0
    for part in data.split(b"\n"):
        is_whole = end + len(part) < len(data)
        end += len(part) + is_whole
        if part or is_whole:
            lines.append(((part.removesuffix(b"\r") if is_whole else part).decode(), end))
    return lines


def skim_plain(data: bytes, *, as_script: bool = False) -> list[Row]:
    """Bytes, characters on the line and lines up to the end of each sentence."""
    rows, characters = [], 0
    for number, (line, end) in enumerate(split_lines(data), 1):
        length = sum(is_on_the_line(c, as_script=as_script) for c in line if c != "\t")
        characters += length
        if length:
            rows.append((end, characters, number))
    return rows


def skim_conllu(data: bytes, *, as_script: bool = False) -> list[Row]:
    """The same of CoNLL-U; a sentence that no empty line ends is not told."""
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
    """Where outermost brackets can be cut off: bytes and lines before that place, lines before the bracket."""
    rows, depth, line_start = [], 0, 0
    for at, byte in enumerate(data):
        if byte == ord("\n"):
            line_start = at + 1
        elif byte == ord("("):
            depth += 1
            if depth == 1:
                place = at
                if not set(data[line_start:at]) & set(b"()"):
                    # Blank lines above belong to it.
                    above = data[:line_start].rstrip(b" \t\r\n\v\f")
                    place = data.index(b"\n", len(above), line_start) + 1 if above else 0
                rows.append((place, data.count(b"\n", 0, place), data.count(b"\n", 0, at)))
        elif byte == ord(")"):
            depth = max(0, depth - 1)
    return rows
