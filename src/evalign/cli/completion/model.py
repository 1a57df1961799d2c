"""What can be completed: the commands with their options and arguments, read from their parsers."""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import NamedTuple, cast

from evalign.cli.commands import COMMANDS
from evalign.cli.parser import OPTIONAL
from evalign.cli.run import Command
from evalign.cli.subcommands import GROUPS as SEVERAL, inner_commands

# Values that are files, by what the help calls them.
FILES = re.compile(r"FILE|DIR|GOLD|SYSTEM|RESULT|TREEBANK|TEST|JUDGEMENTS|\.json|\.html")
# Groups that documents and sentences fall into; any field and any pattern is one, too.
GROUPS = ("genre", "document", "length", "frequency", "label")
LONGEST_HELP = 72


class Values(NamedTuple):
    """What may stand where a value is wanted: some names, files, or something only the user knows."""

    metavar: str
    names: tuple[str, ...] = ()
    is_list: bool = False
    """Whether several names may be given with commas between them."""
    is_open: bool = False
    """Whether names are only the first half of the value, and no space may follow them."""
    files: bool = False


class Option(NamedTuple):
    """An option: its spellings, what it is for, what follows it."""

    flags: tuple[str, ...]
    help: str
    values: Values | None = None
    is_optional: bool = False
    """Whether it may stand without its value."""
    is_repeated: bool = False


class Completed(NamedTuple):
    """A command as a shell has to know it."""

    name: str
    """As it is typed: score, or typology profile."""
    help: str
    options: tuple[Option, ...] = ()
    arguments: tuple[Values, ...] = ()
    """What stands without an option; the last for all that follow."""


def describe_commands() -> list[Completed]:
    """Every command with what can be completed after it."""
    found = []
    for name, summary in COMMANDS.items():
        if name == "evalb":
            found.append(_evalb(summary))
        elif name in SEVERAL:
            inner = inner_commands(name)
            names = Values("COMMAND", tuple(inner))
            found.append(Completed(name, summary, (_help_option(),), (names,)))
            found += [_describe(f"{name} {each}", told) for each, told in inner.items()]
        else:
            found.append(_describe(name, summary))
    return found


def _describe(name: str, summary: str) -> Completed:
    """A command by its parser."""
    module = cast("Command", import_module("evalign.cli." + name.replace(" ", ".")))
    parser = module.make_parser()
    names = _names_of(name)
    options, arguments = [], []
    for action in parser._actions:
        told = _told(action, parser.prog)
        if action.option_strings:
            flags = tuple(action.option_strings)
            values = None if action.nargs == 0 else _values(action, names.get(flags[-1]))
            repeated = isinstance(action, argparse._AppendAction) or action.nargs == "+"
            optional = action.nargs == "?" or flags[-1] in OPTIONAL
            options.append(Option(flags, told, values, optional, repeated))
        else:
            arguments.append(_values(action, names.get("")))
    return Completed(name, summary, tuple(options), tuple(arguments))


def _told(action: argparse.Action, prog: str) -> str:
    """What an option is for, in one short line."""
    whole = (action.help or "") % {**vars(action), "prog": prog}
    return textwrap.shorten(re.split(r"; | \(", whole)[0], LONGEST_HELP, placeholder="…")


def _values(action: argparse.Action, names: Values | None) -> Values:
    metavar = str(action.metavar or action.dest.upper())
    if action.choices is not None:
        return Values(metavar, tuple(map(str, action.choices)))
    files = bool(FILES.search(metavar))
    return names._replace(metavar=metavar, files=files) if names else Values(metavar, files=files)


def _names_of(command: str) -> Mapping[str, Values]:
    """Names that options take; those of arguments without an option are under the empty one."""
    from evalign.alignment import RULES
    from evalign.metrics import KINDS, METRICS_WITH_ERRORS, PRESETS
    from evalign.metrics.definitions import DEFINITIONS, METRICS
    from evalign.metrics.errors import BREAKDOWNS

    metrics = tuple(definition.name for definition in METRICS)
    asked = METRICS_WITH_ERRORS if command in ("diff", "errors") else (*metrics, "default", "all")
    limits = Values("", tuple(f"{name}=" for name in metrics), is_open=True)
    named = {
        "--metrics": Values("", asked, is_list=True),
        "--only": Values("", metrics),
        "--per": Values("", tuple(BREAKDOWNS), is_list=True),
        "--by": Values("", tuple(dict.fromkeys((*GROUPS, *BREAKDOWNS))), is_list=True),
        "--kind": Values("", KINDS, is_list=True),
        "--normalize": Values("", (*RULES, *(f"no-{name}" for name in RULES), "none"), is_list=True),
        "--exceptions": Values("", ("en",)),
        "--preset": Values("", tuple(PRESETS)),
        "--max-drop": limits,
        "--fail-under": limits,
        "--fail-over": limits,
    }
    if command == "explain":
        named[""] = Values("", tuple(DEFINITIONS))
    if command == "cite":
        named[""] = Values("", metrics)
    return named


def _help_option() -> Option:
    return Option(("-h", "--help"), "show this help message and exit")


def _evalb(summary: str) -> Completed:
    """The one command without a parser."""
    file = Values("FILE", files=True)
    options = (
        Option(("-p",), "parameter file", file),
        Option(("-c",), "longest sentence of the second summary", Values("N")),
        Option(("-e",), "number of errors to end at", Values("N")),
        Option(("-d",), "print the words and brackets of each sentence, too"),
        Option(("-D",), "print each comparison of brackets, too"),
        Option(("-h",), "print the usage of evalb itself"),
        Option(("--help",), "print what the command does"),
    )
    return Completed(
        "evalb", summary, options, (file._replace(metavar="GOLD"), file._replace(metavar="TEST"))
    )


def top_level(commands: list[Completed]) -> Iterator[tuple[str, str]]:
    """Names and summaries of the commands that come first on a line."""
    return ((command.name, command.help) for command in commands if " " not in command.name)
