"""What results, reports and warnings call their inputs: never by a whole path, which is of one machine alone.

Errors name the path as it was given, so that people can open the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from evalign.document import Document
from evalign.errors import InputError, show_name
from evalign.files import shorten_paths
from evalign.readers.byte_stream import find_input_path
from evalign.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.readers.raw_files import RawText


def name_inputs(
    inputs: Sequence[object], raws: Sequence[RawText] = (), given: Sequence[str] = ()
) -> list[str]:
    """The names of inputs, then of raw texts: those that the systems were `given`, else the end of a path.

    `inputs` are gold and the systems. Nothing for what has no path: text, objects in memory and standard input are called
    as they say themselves, and a document that was read under a name keeps it.
    """
    chosen = ["", *map(show_name, given)] if given else [""] * len(inputs)
    paths = [*map(_find_path, inputs), *(raw.path for raw in raws)]
    taken = {each.name for each in inputs if isinstance(each, (Document, Text)) and not _find_path(each)}
    named = {path for path, name in zip(paths, chosen, strict=False) if name}
    short = iter(shorten_paths([path for path in paths if path and path not in named], taken))
    names = [show_name(next(short)) if path and path not in named else "" for path in paths]
    for number, name in enumerate(chosen):
        if name:
            names[number] = name
        elif number and names[number] and names[number] in chosen:
            # Gold keeps its name: nobody takes it for a system.
            [names[number]] = shorten_paths([paths[number]], {*taken, *names})
    return names


def name_documents(documents: Sequence[Document]) -> list[Document]:
    """Documents under the names that they have together."""
    names = name_inputs(documents)
    return [rename(document, name) for document, name in zip(documents, names, strict=True)]


def rename(document: Document, name: str) -> Document:
    """A document under its name, if it has got one."""
    return document.renamed(name) if name else document


@contextmanager
def paths_in_errors(inputs: Sequence[object], names: Sequence[str]) -> Iterator[None]:
    """Let errors say the path of an input where they have its name."""
    try:
        yield
    except InputError as error:
        pairs = [(name, show_path(each)) for each, name in zip(inputs, names, strict=False)]
        # What is the path of an input was not said by name, even if another input is named so.
        if error.place.path not in [path for _, path in pairs]:
            error.show_paths({name: path for name, path in pairs if name and path})
        raise


def show_path(source: object) -> str:
    """The path of an input as errors have it: without passwords, and as a terminal can show it."""
    path = _find_path(source)
    if "://" in path:
        from evalign.readers.remote import is_url, mask_url

        path = mask_url(path) if is_url(path) else path
    return show_name(path)


def _find_path(source: object) -> str:
    return source.path if isinstance(source, Document) else find_input_path(source)
