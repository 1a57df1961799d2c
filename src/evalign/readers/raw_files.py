"""Raw text: the text before it was divided into sentences and tokens, to which users' offsets refer.

Raw text may be in several files or in a folder. The files are joined into one text, with a line end between
two of them, and `RawFiles` leads from an offset in the joined text back to the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from evalign.document import IntArray
from evalign.errors import CommandError, InputError, Place
from evalign.files import shorten_paths
from evalign.readers.byte_stream import find_input_path
from evalign.readers.content import Content, load
from evalign.text import LONGEST_LINE, WHITE_SPACE, Source, without_space

_SPACES = np.array([ord(c) for c in WHITE_SPACE], np.uint32)
# The ending of raw texts in a folder. If no file has it, all files of the folder are taken.
_ENDING = ".txt"

RawInput: TypeAlias = "Source | Sequence[Source]"


class RawFiles(NamedTuple):
    """The files that a raw text was joined from."""

    names: tuple[str, ...]
    starts: IntArray
    """Offset of each file in the joined text; the first is 0."""
    lengths: IntArray
    """Length of each file in characters. A line end that was put between two files belongs to neither."""

    def __len__(self) -> int:
        return len(self.names)

    def file_of(self, offsets: IntArray) -> IntArray:
        """Return the index of the file that contains each of `offsets` in the joined text."""
        return np.searchsorted(self.starts, offsets, side="right") - 1


@dataclass(frozen=True, slots=True, eq=False)
class RawText:
    """A raw text, and for each character of its line the offset in the text."""

    name: str
    text: str
    line: str
    """The text without white space."""
    offsets: IntArray
    """Per character on the line: its offset in the text, in characters; a line end is one character."""
    joined: RawFiles | None = None
    """The files that the text was joined from; None if it is one file."""
    path: str = ""
    """The path as given; "" for text in memory, and for a text that was given a name."""

    @property
    def files(self) -> RawFiles:
        """The files of the text, also if it is only one."""
        if self.joined is not None:
            return self.joined
        return RawFiles((self.name,), np.zeros(1, np.int64), np.array([len(self.text)]))


class RawTexts(tuple[RawText, ...]):
    """The raw texts of one run, in the order in which they were read."""

    name: str
    """One name for all of them."""
    folder: str
    """The folder that all texts are from, if a single folder was given; else ""."""
    is_ordered: bool
    """True if the user gave the order. Files of a folder have none until compared with gold."""

    def __new__(cls, texts: Iterable[RawText], folder: str = "", *, is_ordered: bool) -> RawTexts:  # noqa: PYI034
        """Make a tuple of the texts."""
        raws = super().__new__(cls, texts)
        raws.name, raws.folder, raws.is_ordered = folder or _name_files(raws), folder, is_ordered
        return raws

    def renamed(self, names: Sequence[str]) -> RawTexts:
        """Return these texts under other names; an empty name leaves a text as it is.

        If they are from a single folder, `folder` becomes the last part of its path, as results name it.
        """
        texts = [
            replace(text, name=name, path="") if name else text
            for text, name in zip(self, names, strict=True)
        ]
        folder = shorten_paths([self.folder])[0] if self.folder else ""
        return RawTexts(texts, folder, is_ordered=self.is_ordered)


def read_raw(content: Content) -> RawText:
    """Make a raw text from checked content, white space included."""
    text = content.data.decode("utf-8")
    points = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    offsets = np.flatnonzero(~np.isin(points, _SPACES)).astype(np.int32)
    return RawText(content.name, text, without_space(text), offsets)


def read_raws(raw: RawInput) -> RawTexts:
    """Read one raw text, several, or those in a folder."""
    sources = _list_sources(raw)
    if not sources:
        message = "no raw text"
        raise CommandError(message, "a file, several, or a folder of them")
    folders = [source for source in sources if _is_folder(source)]
    files = [path for source in sources for path in _list_files(source)]
    texts = [replace(read_raw(load(path)), path=find_input_path(path)) for path in files]
    folder = _folder_name(folders[0]) if len(sources) == len(folders) == 1 else ""
    return RawTexts(texts, folder, is_ordered=not folders)


def _list_sources(raw: RawInput) -> list[Source]:
    if isinstance(raw, str) or not isinstance(raw, Sequence):
        return [raw]
    return list(raw)


def _is_folder(source: Source) -> bool:
    return isinstance(source, (str, os.PathLike)) and os.path.isdir(source)  # noqa: PTH112 - may hold a NUL


def _folder_name(source: Source) -> str:
    return os.fspath(source) if isinstance(source, (str, os.PathLike)) else ""


def _list_files(source: Source) -> Iterator[Source]:
    """Yield `source` itself; if it is a folder, its texts sorted by name."""
    if not _is_folder(source):
        yield source
        return

    folder = Path(_folder_name(source))
    try:
        entries = sorted(folder.iterdir(), key=lambda path: path.name)
    except OSError as error:
        raise InputError(
            Place(str(folder)), f"cannot be read ({error.strerror})", "a readable folder"
        ) from None
    files = [path for path in entries if path.is_file() and not path.name.startswith(".")]
    if not files:
        problem = "a folder without a file" + (", only folders" if any(map(Path.is_dir, entries)) else "")
        raise InputError(Place(str(folder)), problem, "raw texts, *.txt or files of any other name")
    yield from [path for path in files if path.suffix.lower() == _ENDING] or files


def _name_files(texts: Sequence[RawText]) -> str:
    """Return one name for several files: up to three names, or the first and how many follow."""
    names = [text.name for text in texts]
    if len(names) > 3:
        return f"{names[0]} and {len(names) - 1} more"
    return ", ".join(names)


def join_texts(texts: Sequence[RawText], name: str = "") -> RawText:
    """Join several texts, with a line end behind each that has none; a single text is returned as it is."""
    if len(texts) == 1:
        return texts[0]
    pieces: list[str] = []
    offsets, starts = [], []
    at = 0
    for text in texts:
        if pieces and pieces[-1] and not pieces[-1].endswith("\n"):
            pieces.append("\n")
            at += 1
        starts.append(at)
        offsets.append(text.offsets.astype(np.int64) + at)
        pieces.append(text.text)
        at += len(text.text)
    if at > LONGEST_LINE:
        problem = f"raw texts of {at:,} characters together"
        raise CommandError(problem, f"at most {LONGEST_LINE:,}", "score the documents in several runs")
    files = RawFiles(
        tuple(text.name for text in texts),
        np.array(starts, np.int64),
        np.array([len(text.text) for text in texts], np.int64),
    )
    line = "".join(text.line for text in texts)
    joined = np.concatenate(offsets).astype(np.int32) if texts else np.zeros(0, np.int32)
    return RawText(name or _name_files(texts), "".join(pieces), line, joined, files)
