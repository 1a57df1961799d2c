"""Declarations of commands and options, and the argument parser and help made of them.

Help opens with an example, and messages say what to do next. Unlike argparse, the parser lets no option
swallow the files that belong to the command itself.
"""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, NoReturn

from evalign.cli.commands import GROUPS
from evalign.cli.output import columns, write_error
from evalign.errors import CommandError, find_nearest, quote, suggest
from evalign.wording import printable

# Takes any number of files, so it would swallow the positional ones that follow.
RAW = "--raw"
# Start of the message of argparse about arguments that no option or positional takes.
UNRECOGNIZED = "unrecognized arguments: "


class Option(NamedTuple):
    """An option or a positional argument of a command.

    Without a metavar, choices or an action it is a flag: it takes no value.
    """

    name: str
    """All spellings, as in "-o --output"; of a positional argument the attribute that gets its value."""
    help: str
    metavar: str | None = None
    type: Callable[[str], object] | None = None
    """Reads the value; raises `ArgumentTypeError` if it is wrong."""
    choices: Sequence[str] | None = None
    default: object = None
    nargs: str | None = None
    const: str | None = None
    """The value where none is given, with `nargs` "?"."""
    action: str | Callable[..., argparse.Action] | None = None
    required: bool | None = None
    group: str = ""
    """Heading in the help."""
    names: Callable[[], Iterable[str]] | None = None
    """Lists what completion offers as values, beside choices and files."""
    fits: str = ""
    """With `const`: a pattern of the words behind the option that are its value; any other word is a file."""
    expects: str = ""
    """With `fits`: such a word as messages call it."""

    @property
    def parameter(self) -> str:
        """The option as Python names it: gold_format for --gold-format."""
        return self.name.split()[-1].lstrip("-").replace("-", "_")

    @property
    def is_positional(self) -> bool:
        return not self.name.startswith("-")

    @property
    def takes_value(self) -> bool:
        return bool(self.metavar or self.choices)

    def add_to(self, container: argparse._ActionsContainer) -> None:
        """Add the option to a parser or to a group of its options."""
        own = {"name", "group", "names", "fits", "expects"}
        keywords = {
            key: value for key, value in self._asdict().items() if key not in own and value is not None
        }
        if not self.takes_value and not self.action:
            keywords["action"] = "store_true"
        if self.action == "append":
            keywords["default"] = []
        keywords["help"] = self.help.replace("%", "%%")
        container.add_argument(*self.name.split(), **keywords)


def choice(name: str, help: str, values: Sequence[str]) -> Option:
    """Declare an option whose value is one of `values`, by default the first."""
    return Option(name, help, choices=values, default=values[0])


def group(title: str, *options: Option) -> tuple[Option, ...]:
    """Put `options` under a heading of the help."""
    return tuple(option._replace(group=title) for option in options)


def pick(options: Iterable[Option], *parameters: str) -> tuple[Option, ...]:
    """Return those of `options` that Python calls by one of the names in `parameters`."""
    return tuple(option for option in options if option.parameter in parameters)


def _read_size(text: str) -> int:
    from evalign.readers.limits import check_size

    return check_size(text)


HELP = Option("-h --help", "show this help message and exit", action="help")
MAX_INPUT = Option(
    "--max-input",
    "refuse a file that is larger than this, decompressed, where files are read whole: 500MB (default and maximum: "
    "2GiB)",
    "SIZE",
    _read_size,
)


class CommandParser(argparse.ArgumentParser):
    """Argument parser of a command. Its help opens with examples that can be pasted."""

    def __init__(self, command: Command) -> None:
        width = min(columns(), 100) - 2
        super().__init__(
            prog=f"evalign {command.name}",
            usage=command.usage,
            description="\n".join([textwrap.fill(command.description, width), *command.listing]),
            epilog=textwrap.fill(command.epilog, width),
            # Given a width, argparse does not load shutil to find one.
            formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=width),
            allow_abbrev=command.allow_abbrev,
            add_help=False,
        )
        self._command = command
        self._may_refuse = True
        self._words: Sequence[str] = ()
        containers: dict[str, argparse._ActionsContainer] = {"": self}
        for option in command.all_options:
            if option.group not in containers:
                containers[option.group] = self.add_argument_group(option.group)
            option.add_to(containers[option.group])

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse as argparse does, but let no option swallow the files that belong to the command.

        Files that --raw swallowed are given back, beginning with its last one. --paired takes the name of a
        test and nothing else.
        """
        self._words = list(args or ())
        args = self._with_values()
        files = [option for option in self._command.options if option.is_positional]
        several = any(option.nargs == "+" for option in files)
        for tried in _give_back(args, len(files), several=several):
            self._may_refuse = False
            try:
                return super().parse_known_args(tried, namespace)
            except _RefusedError:
                pass
            finally:
                self._may_refuse = True
        return super().parse_known_args(args, namespace)

    def format_help(self) -> str:
        """Return the examples, then the help text of argparse."""
        return "\n".join([*self._command.examples, "", super().format_help()])

    def error(self, message: str) -> NoReturn:
        """Print what is wrong, an example and where to read more; exit with status 2."""
        if not self._may_refuse:
            raise _RefusedError
        message, hint = self._explain_left(message) or (message.removeprefix("argument "), "")
        hints = [
            hint,
            f"for example: {self._command.examples[0]}",
            f"to read more: {self.prog} --help",
        ]
        write_error("\n  ".join([message, *filter(None, hints)]), self.prog)
        raise SystemExit(2)

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """Raise `ArgumentError` if `value` is not a choice of `action`; name similar choices, or all."""
        if action.choices is not None and value not in action.choices:
            expected, advice = suggest(str(value), map(str, action.choices))
            hints = filter(None, [f"expected {expected}" if expected else "", advice])
            kind = "command" if action.dest == "command" else "value"
            message = f"unknown {kind} {quote(str(value))}"
            raise argparse.ArgumentError(
                None if kind == "command" else action, "\n  ".join([message, *hints])
            )

    def _explain_left(self, message: str) -> tuple[str, str] | None:
        """Explain arguments that no option or positional argument takes.

        `message` is the error of argparse. Returns a message and a hint to print instead (the hint may be
        empty), or None if the error is a different one.
        """
        if not message.startswith(UNRECOGNIZED):
            return None
        left = printable(message.removeprefix(UNRECOGNIZED)).split()
        expected = {option.name: option.expects for option in self._command.options if option.expects}
        for option, word in zip(self._words, self._words[1:], strict=False):
            if option in expected and word in left:
                return f"unexpected argument: {word}", f"{option} takes {expected[option]}, or nothing"
        unknown = [word.partition("=")[0] for word in left if word.startswith("-") and word != "-"]
        if not unknown:
            return f"unexpected argument{'s' * (len(left) > 1)}: {' '.join(left)}", ""
        near = find_nearest(unknown[0], self._option_string_actions) if unknown[0][:2] == "--" else []
        return f"unknown option {unknown[0]}", f"did you mean {' or '.join(near)}?" if near else ""

    def _with_values(self) -> list[str]:
        """Return the words with the values of options whose value may be left out, where it was."""
        words = list(self._words)
        end = words.index("--") if "--" in words else len(words)
        optional = {option.name: option for option in self._command.options if option.fits}
        for k in range(end):
            option = optional.get(words[k])
            if option and not re.fullmatch(option.fits, words[k + 1] if k + 1 < len(words) else ""):
                words[k] = f"{words[k]}={option.const}"
        return words


class _RefusedError(Exception):
    """Signal that argparse refused one way to read the arguments, so that the next way can be tried."""


def _give_back(args: list[str], most: int, *, several: bool) -> Iterator[list[str]]:
    """Yield ways to read `args`: as they are, then with the last 1, 2, ... files of --raw moved before it.

    At most `most` files are moved, and a command that takes several positional files (`several`) must leave
    --raw exactly one. Yields nothing without --raw.
    """
    if RAW not in args:
        return
    yield args
    at = args.index(RAW) + 1
    end = next((k for k in range(at, len(args)) if args[k].startswith("-") and args[k] != "-"), len(args))
    files = args[at:end]
    for n_given in range(1, min(most, len(files) - 1) + 1):
        if not several or len(files) == n_given + 1:
            yield [*args[: at - 1], *files[-n_given:], RAW, *files[:-n_given], *args[end:]]


class Command(NamedTuple):
    """A command of evalign. Its summary is in `evalign.cli.commands`."""

    name: str
    """As it is typed, such as "score" or "typology profile"."""
    examples: tuple[str, ...]
    """Commands to paste; messages suggest the first."""
    description: str
    options: tuple[Option, ...]
    """In the order of the help; headings in the order of their first option."""
    run: Callable[[argparse.Namespace], int]
    """Takes the parsed arguments and returns the exit status."""
    epilog: str = ""
    reads_files: bool = True
    allow_abbrev: bool = False
    parser: type[CommandParser] = CommandParser

    @property
    def all_options(self) -> tuple[Option, ...]:
        """The options of the command, and those that every command has."""
        return (HELP, *self.options, *([MAX_INPUT] if self.reads_files else []))

    @property
    def usage(self) -> str:
        """The command with what it cannot do without: `evalign score GOLD SYSTEM... [options]`."""
        words = ["evalign", self.name]
        for option in self.options:
            if option.is_positional:
                word = f"{option.metavar}{'...' if option.nargs in ('+', '*') else ''}"
                words.append(f"[{word}]" if option.nargs == "*" else word)
            elif option.required:
                words.append(f"{option.name.split()[0]} {option.metavar}")
        return " ".join(words if self.name in GROUPS else [*words, "[options]"])

    @property
    def listing(self) -> list[str]:
        """The lines of a group's help that list its commands."""
        inner = GROUPS.get(self.name, {})
        width = max(map(len, inner), default=0)
        lines = [f"  {name:{width}}  {summary}" for name, summary in inner.items()]
        return ["", "commands", *lines] if lines else []

    def make_parser(self) -> CommandParser:
        return self.parser(self)


def check_standard_input(*paths: str | Sequence[str] | None) -> None:
    """Raise `CommandError` if "-" occurs more than once in `paths`. Standard input can be read only once."""
    if sum([path] == ["-"] if isinstance(path, str) else (path or ()).count("-") for path in paths) > 1:
        msg = '"-" is given twice'
        raise CommandError(msg, "at most one input from standard input", "save the other to a file")
