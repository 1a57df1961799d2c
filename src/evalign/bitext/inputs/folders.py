"""Folders of plain text: every .txt file below them is a document, whatever folder it is in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from unicodedata import normalize

from evalign.bitext.inputs.source import SENTENCES_PER_PIECE, SourceDocument, clean_text
from evalign.bitext.sentences import split_sentences
from evalign.errors import InputError, Place, quote, show_name
from evalign.files import list_files, strip_compression
from evalign.progress import Progress, counted, no_progress
from evalign.readers import read_lines

_TEXT = ".txt"
# Characters that are split at once. A paragraph may be a whole book.
_PIECE = 1 << 16


def read_folder(
    folder: str | os.PathLike[str],
    language: str,
    *,
    progress: Progress = no_progress,
    piece: int = _PIECE,
) -> Iterator[SourceDocument]:
    """Documents of a folder by name, in pieces; their names are their paths inside it, with / and without .gz.

    Blank lines part paragraphs, other line ends are spaces. READMEs and licences are left out; raises `InputError` for
    hidden files, which nobody means to be documents, and for those that are no UTF-8. `piece` is how many characters of
    a paragraph are split at once.
    """
    if not os.fspath(folder) or not Path(folder).is_dir():
        raise InputError(Place(show_name(folder)), "no folder", f"a folder with {_TEXT} files in it")
    documents = sorted((_name(folder, path), path) for path in list_files(folder) if _is_text(path))
    if not documents:
        raise InputError(Place(show_name(folder)), "no document", f"files that end in {_TEXT}")
    _refuse_hidden(folder, [path for _, path in documents])
    for _, (name, path) in counted(documents, progress, lambda each: f"reading {each[0]}"):
        sentences: list[str] = []
        for sentence in _read_sentences(Path(folder) / path, language, piece):
            if len(sentences) >= SENTENCES_PER_PIECE:
                yield SourceDocument(name, tuple(sentences))
                sentences = []
            sentences.append(sentence)
        if sentences:
            yield SourceDocument(name, tuple(sentences))


def _is_text(path: str) -> bool:
    return PurePosixPath(strip_compression(path)).suffix.lower() == _TEXT


def _name(folder: str | os.PathLike[str], path: str) -> str:
    """The name of a document; composed, as macOS may spell names of files otherwise."""
    name = normalize("NFC", strip_compression(path))
    # Bytes of a name that are no UTF-8 come as surrogates.
    if clean_text(name) != name or any("\ud800" <= character <= "\udfff" for character in name):
        place = Place(show_name(Path(folder) / path))
        raise InputError(
            place,
            f"a name of {quote(name)}",
            "names in UTF-8, without control characters and without spaces at their ends",
        )
    return name


def _refuse_hidden(folder: str | os.PathLike[str], paths: list[str]) -> None:
    """Hidden text beside documents, such as what macOS keeps in ._name.txt, is refused rather than lost."""
    for parent in sorted({Path(folder), *((Path(folder) / path).parent for path in paths)}):
        hidden = sorted(path for path in parent.glob(".*") if _is_text(path.name) and path.is_file())
        if hidden:
            advice = "remove it, or give it another name"
            raise InputError(Place(show_name(hidden[0])), "a hidden file", "documents only", advice)


def _read_sentences(path: Path, language: str, piece: int) -> Iterator[str]:
    """Sentences of a text, with no more of it in memory than a paragraph, or of a long one than a piece."""
    lines: list[str] = []
    size = 0
    for _, line in read_lines(path):
        if line and not line.isspace():
            lines.append(line)
            size += len(line)
            if size > piece:
                *whole, rest = _split(lines, language)
                yield from whole
                # The last one may go on in the next line, if it is not too long for a sentence.
                lines = [rest] if len(rest) <= piece else []
                size = len(rest) if lines else 0
                yield from [] if lines else [rest]
        else:
            yield from _split(lines, language)
            lines, size = [], 0
    yield from _split(lines, language)


def _split(lines: list[str], language: str) -> list[str]:
    sentences = split_sentences("\n".join(lines), language)
    return [cleaned for sentence in sentences if (cleaned := clean_text(sentence))]
