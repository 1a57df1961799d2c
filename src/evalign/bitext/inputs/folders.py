"""Reader for folders of plain text: every .txt file in a folder or below it is a document."""

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
from evalign.readers.line_reader import read_lines

_TEXT = ".txt"
# Characters of a paragraph that are split into sentences at once, because a paragraph may be a whole book.
_PIECE = 1 << 16


def read_folder(
    folder: str | os.PathLike[str],
    language: str,
    *,
    progress: Progress = no_progress,
    piece: int = _PIECE,
) -> Iterator[SourceDocument]:
    """Yield the documents of a folder, in pieces and in the order of their names.

    The name of a document is its path inside the folder, with / and without .gz. Blank lines separate
    paragraphs, and other line ends count as spaces. READMEs and licences are left out. Raises `InputError`
    for hidden .txt files beside documents, which were hardly meant to be documents, and for files that are
    not UTF-8. `piece` is how many characters of a paragraph are split at once.
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
    """Return the name of a document, composed (NFC), because macOS may spell file names otherwise."""
    name = normalize("NFC", strip_compression(path))
    # Bytes of a name that are not UTF-8 arrive as surrogates.
    if clean_text(name) != name or any("\ud800" <= character <= "\udfff" for character in name):
        place = Place(show_name(Path(folder) / path))
        raise InputError(
            place,
            f"a name of {quote(name)}",
            "names in UTF-8, without control characters and without spaces at their ends",
        )
    return name


def _refuse_hidden(folder: str | os.PathLike[str], paths: list[str]) -> None:
    """Raise `InputError` for hidden text beside documents, such as the ._name.txt of macOS.

    Such a file is not skipped silently, because it might be a document after all.
    """
    for parent in sorted({Path(folder), *((Path(folder) / path).parent for path in paths)}):
        hidden = sorted(path for path in parent.glob(".*") if _is_text(path.name) and path.is_file())
        if hidden:
            advice = "remove it, or give it another name"
            raise InputError(Place(show_name(hidden[0])), "a hidden file", "documents only", advice)


def _read_sentences(path: Path, language: str, piece: int) -> Iterator[str]:
    """Yield the sentences of a file.

    Memory holds at most a paragraph, or about `piece` characters of a longer one.
    """
    lines: list[str] = []
    size = 0
    for _, line in read_lines(path):
        if line and not line.isspace():
            lines.append(line)
            size += len(line)
            if size > piece:
                *whole, rest = _split(lines, language)
                yield from whole
                # The last sentence may go on in the next line, unless it is too long for one already.
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
