"""Short names of inputs for results, reports and warnings, which never show a path of one machine.

Errors name the path as given, so that people can open the file.
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
    """Return names for `inputs`, gold first and then systems, followed by names for `raws`.

    An input keeps its name in `given`, which has one per input ("" for none), or is empty. Any other input
    gets the end of its path, or "" if it has no path (text, objects in memory, standard input) or is a
    document that was read under a name: it then keeps its own name.
    """
    chosen = [*map(show_name, given)] if given else [""] * len(inputs)
    paths = [*map(_find_path, inputs), *(raw.path for raw in raws)]
    taken = {each.name for each in inputs if isinstance(each, (Document, Text)) and not _find_path(each)}
    named = {path for path, name in zip(paths, chosen, strict=False) if name}
    short = iter(shorten_paths([path for path in paths if path and path not in named], taken))
    names = [show_name(next(short)) if path and path not in named else "" for path in paths]
    for number, name in enumerate(chosen):
        if name:
            names[number] = name
        elif number and names[number] and names[number] in chosen:
            # The short name of this system is the given name of another. Gold may keep such a name, since
            # nobody mistakes it for a system.
            [names[number]] = shorten_paths([paths[number]], {*taken, *names})
    return names


def name_documents(documents: Sequence[Document]) -> list[Document]:
    """Return the documents renamed so that each name is short and different from the others."""
    names = name_inputs(documents)
    return [rename(document, name) for document, name in zip(documents, names, strict=True)]


def rename(document: Document, name: str) -> Document:
    """Return `document` as `name`; unchanged if `name` is empty."""
    return document.renamed(name) if name else document


@contextmanager
def paths_in_errors(inputs: Sequence[object], names: Sequence[str]) -> Iterator[None]:
    """Within this context, replace the names of `inputs` in an `InputError` by their paths."""
    try:
        yield
    except InputError as error:
        pairs = [(name, show_path(each)) for each, name in zip(inputs, names, strict=False)]
        # A place that is already the path of an input stays, even if another input has it as a name.
        if error.place.path not in [path for _, path in pairs]:
            error.show_paths({name: path for name, path in pairs if name and path})
        raise


def show_path(source: object) -> str:
    """Return the path of an input for an error message: passwords masked, control characters escaped."""
    path = _find_path(source)
    if "://" in path:
        from evalign.readers.remote import is_url, mask_url

        path = mask_url(path) if is_url(path) else path
    return show_name(path)


def _find_path(source: object) -> str:
    return source.path if isinstance(source, Document) else find_input_path(source)
