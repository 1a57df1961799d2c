"""What `evalign score` is given: files, folders of treebanks, or a manifest that names them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from evalign.cli.parser import Parser
from evalign.errors import CommandError


class _Manifest(argparse.Action):
    """A manifest names all files: then none are asked for on the command line."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        _option: str | None = None,
    ) -> None:
        setattr(namespace, self.dest, values)
        for action in parser._actions:
            if not action.option_strings:
                action.required = False


def add_collection(parser: Parser) -> None:
    """What is asked of a shared-task run."""
    group = parser.add_argument_group(
        "shared tasks", "GOLD and SYSTEM may be folders, their files matched by name"
    )
    group.add_argument(
        "--manifest",
        metavar="FILE",
        action=_Manifest,
        help="a table (treebank, gold, raw if any, a column per system) or JSON that names the files of a run, "
        "instead of GOLD and SYSTEM",
    )
    group.add_argument(
        "--failures",
        choices=("skip", "zero"),
        help="what averages do with a treebank that a system failed on, having no file or one that cannot be scored: "
        "leave it out (skip, the default), or count all of it as missed (zero)",
    )
    group.add_argument(
        "--fail-on-failure",
        action="store_true",
        help="exit with status 1 if a system failed on a treebank, whatever averages do with it; all is written first",
    )
    group.add_argument(
        "--keep",
        metavar="DIR",
        help="keep finished treebanks in a folder: the same command then goes on where it was stopped, and scores again "
        "only what has changed (with -o FILE: in FILE.parts, until FILE is written)",
    )
    add_stay_below(group, "manifest")


def add_stay_below(group: argparse._ArgumentGroup, naming: str) -> None:
    """The folder that a file of others, which names more files, is kept to."""
    group.add_argument(
        "--stay-below",
        metavar="DIR",
        help=f"refuse files outside of a folder, and URLs: for a {naming} that somebody else has written",
    )


def is_collection(arguments: argparse.Namespace) -> bool:
    """Whether folders or a manifest are to be scored; raises `CommandError` for what only those have."""
    if arguments.manifest is not None:
        if arguments.gold is not None:
            message = "--manifest with GOLD or SYSTEM"
            raise CommandError(message, "one of the two", "a manifest names all files")
        return True
    if any(map(os.path.isdir, (arguments.gold, *arguments.systems))):
        return True
    for name in ("failures", "keep", "stay_below"):
        if getattr(arguments, name) is not None:
            message = f"--{name.replace('_', '-')} {getattr(arguments, name)} without a folder or a manifest"
            advice = "evalign score GOLD_DIR SYSTEM_DIR..."
            raise CommandError(message, "folders of gold and of systems", advice)
    return False
