"""Encoders, which turn sentences into vectors: a function of the user's, or a model of sentence-transformers.

Whatever such code raises becomes an error message with its type and text, because the fault is not evalign's.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from importlib import import_module
from types import TracebackType
from typing import TypeAlias

from evalign.errors import CommandError, EvalignError, Message, quote, suggest

Encoder: TypeAlias = Callable[[list[str]], object]
"""A function from a list of sentences to their vectors.

It returns an array or a list of lists, with a row for each sentence.
"""

MODELS = "sentence-transformers"
_EXPECTED = f"package.module:function, or {MODELS}:NAME of a model"


class UserCode(AbstractContextManager["UserCode"]):
    """Runs the user's code in a `with` block: what it raises becomes a `CommandError`.

    The message begins with `what`, the name of the code.
    """

    def __init__(self, what: str) -> None:
        self._what = what

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Replace the exception, unless it is one of ours, an interrupt or a lack of memory."""
        if error is None or isinstance(error, (EvalignError, KeyboardInterrupt, MemoryError, GeneratorExit)):
            return
        message = f"{self._what} raised {type(error).__name__}"
        raise CommandError(f"{message}: {quote(str(error), 400)}" if str(error) else message) from error


def load_encoder(name: str) -> Encoder:
    """Load an encoder by its name, `package.module:function` or `sentence-transformers:NAME`.

    Modules are also looked for in the current folder, as `python -m` does.
    """
    module, colon, member = name.partition(":")
    if not colon or not module or not member:
        message = f"encoder {quote(name)}"
        raise CommandError(message, _EXPECTED, Message("for example {encoder=my_encoder:encode}"))
    if module == MODELS:
        return _load_model(member)
    return _find_member(name, _load_module(name, module), member)


@lru_cache(maxsize=1)
def reload_encoder(name: str) -> Encoder:
    """Load an encoder by its name; each process caches the latest one."""
    return load_encoder(name)


def name_encoder(encoder: Encoder) -> str:
    """Return the name by which another process can load `encoder`, or "" if there is none.

    >>> name_encoder(load_encoder("json:dumps")), name_encoder(lambda sentences: [])
    ('json:dumps', '')
    """
    module, member = getattr(encoder, "__module__", ""), getattr(encoder, "__qualname__", "")
    # Functions of a script or a notebook are in no module that another process could import.
    if not module or not member or module == "__main__" or "<" in member:
        return ""
    resolved: object = sys.modules.get(module)
    for part in member.split("."):
        resolved = getattr(resolved, part, None)
    return f"{module}:{member}" if resolved is encoder else ""


def _load_module(name: str, module: str) -> object:
    folder = os.getcwd()  # noqa: PTH109
    if folder not in sys.path and "" not in sys.path:
        sys.path.insert(0, folder)
    try:
        with UserCode(f"encoder {quote(name)}: importing {module}"):
            return import_module(module)
    except CommandError as error:
        cause = error.__cause__
        missing = cause.name or "" if isinstance(cause, ModuleNotFoundError) else ""
        if missing and f"{module}.".startswith(f"{missing}."):
            message = f"encoder {quote(name)}: no module is called {quote(missing)}"
            expected = "a module that is installed, or a file of the current folder"
            raise CommandError(
                message, expected, f"{module.replace('.', '/')}.py in {folder} would be found"
            ) from None
        raise


def _find_member(name: str, module: object, member: str) -> Encoder:
    resolved = module
    for part in member.split("."):
        if not hasattr(resolved, part):
            message = f"encoder {quote(name)}: it has no {quote(part)}"
            raise CommandError(message, *suggest(part, dir(resolved), expected="a function of this module"))
        resolved = getattr(resolved, part)
    if not callable(resolved):
        message = f"encoder {quote(name)}: it is of type {type(resolved).__name__}"
        raise CommandError(message, "a function from a list of sentences to their vectors")
    return resolved


def _load_model(name: str) -> Encoder:
    package = "sentence_transformers"
    encoder = f"encoder {quote(f'{MODELS}:{name}')}"
    with UserCode(encoder):
        try:
            module = import_module(package)
        except ModuleNotFoundError as error:
            # If something that the package needs is missing, its own error says more.
            if error.name != package:
                raise
            message = f"{encoder}: the package is not installed"
            raise CommandError(message, advice=f"pip install {MODELS}") from None
        model = module.SentenceTransformer(name)

    def encode(sentences: Sequence[str]) -> object:
        return model.encode(list(sentences), show_progress_bar=False)

    return encode
