"""The argument parser of all commands.

Its help opens with an example, and its messages say what to do next. Unlike argparse, it lets no option
swallow the files that belong to the command itself.
"""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, NoReturn

from evalign.cli.commands import GROUPS
from evalign.cli.output import columns, write_error
from evalign.errors import CommandError, find_nearest, quote, suggest
from evalign.wording import printable

# Takes any number of files, so it would swallow the positional ones that follow.
RAW = "--raw"
# Options whose value may be left out, each with its default value and a test of what counts as a value. Any
# other word behind the option is a file.
TESTS = ("randomization", "bootstrap")
OPTIONAL = {
    "--confidence": ("95", re.compile(r"[-+]?[0-9]*\.?[0-9]+%?").fullmatch),
    "--paired": ("randomization", re.compile("|".join(TESTS)).fullmatch),
}
TAKES = {"--confidence": "a percentage, or nothing", "--paired": f"{' or '.join(TESTS)}, or nothing"}
# Start of the message of argparse about arguments that no option or positional takes.
UNRECOGNIZED = "unrecognized arguments: "


class _RefusedError(Exception):
    """Signal that argparse refused one way to read the arguments, so that the next way can be tried."""


class Parser(argparse.ArgumentParser):
    """Argument parser whose help opens with a command that can be pasted."""

    def __init__(
        self, command: str, example: str, summary: str, epilog: str = "", *, reads_files: bool = True
    ) -> None:
        super().__init__(
            prog=f"evalign {command}",
            description=textwrap.fill(summary, min(columns(), 100) - 2),
            epilog=textwrap.fill(epilog, min(columns(), 100) - 2),
            # Given a width, argparse does not load shutil to find one.
            formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=min(columns(), 100) - 2),
            allow_abbrev=False,
        )
        self.example = example
        self._may_refuse = True
        self._words: Sequence[str] = ()
        if reads_files:
            self.add_argument(
                "--max-input",
                metavar="SIZE",
                type=_size,
                help="refuse a file that is larger than this, decompressed, where files are read whole: 500MB "
                "(default and maximum: 2GiB)",
            )

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse as argparse does, but let no option swallow the files that belong to the command.

        Files that --raw swallowed are given back, beginning with its last one. --paired takes the name of a
        test and nothing else.
        """
        self._words = list(args or ())
        args = _with_values(self._words)
        files = [action for action in self._actions if not action.option_strings]
        several = any(action.nargs == "+" for action in files)
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
        """Return the example, then the help text of argparse."""
        return f"{self.example}\n\n{super().format_help()}"

    def error(self, message: str) -> NoReturn:
        """Print what is wrong, an example and where to read more; exit with status 2."""
        if not self._may_refuse:
            raise _RefusedError
        message, hint = self._explain_left(message) or (message.removeprefix("argument "), "")
        hints = [
            hint,
            f"for example: {self.example.splitlines()[0]}",
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
        for option, word in zip(self._words, self._words[1:], strict=False):
            if option in OPTIONAL and word in left:
                return f"unexpected argument: {word}", f"{option} takes {TAKES[option]}"
        unknown = [word.partition("=")[0] for word in left if word.startswith("-") and word != "-"]
        if not unknown:
            return f"unexpected argument{'s' * (len(left) > 1)}: {' '.join(left)}", ""
        near = find_nearest(unknown[0], self._option_string_actions) if unknown[0][:2] == "--" else []
        return f"unknown option {unknown[0]}", f"did you mean {' or '.join(near)}?" if near else ""


def _with_values(args: Sequence[str]) -> list[str]:
    """Give each option of `OPTIONAL` that stands without a value its default value."""
    end = args.index("--") if "--" in args else len(args)
    words = []
    for k, word in enumerate(args):
        takes = OPTIONAL.get(word) if k < end else None
        follows = args[k + 1] if k + 1 < len(args) else ""
        words.append(word if takes is None or takes[1](follows) else f"{word}={takes[0]}")
    return words


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


def _size(text: str) -> int:
    from evalign.readers.limits import check_size

    return check_size(text)


class Command(NamedTuple):
    """A command: the function that makes its argument parser, and the one that runs it.

    `run` takes the parsed arguments and returns the exit status.
    """

    make_parser: Callable[[], Parser]
    run: Callable[[argparse.Namespace], int]


def make_group_parser(name: str, example: str, description: str) -> Parser:
    """Make the parser of a group of commands.

    It takes the name of a command of the group and keeps all further words in `rest`, for that command.
    """
    commands = GROUPS[name]
    parser = Parser(name, example, description, f"evalign {name} COMMAND --help says more", reads_files=False)
    width = max(map(len, commands))
    listed = [f"  {inner:{width}}  {summary}" for inner, summary in commands.items()]
    parser.description = "\n".join([parser.description or "", "", "commands", *listed])
    parser.add_argument("command", metavar="COMMAND", choices=commands, help="one of these")
    parser.add_argument("rest", metavar="...", nargs=argparse.REMAINDER, help="the arguments of that command")
    return parser


def check_standard_input(*paths: str | Sequence[str] | None) -> None:
    """Raise `CommandError` if "-" occurs more than once in `paths`. Standard input can be read only once."""
    if sum([path] == ["-"] if isinstance(path, str) else (path or ()).count("-") for path in paths) > 1:
        msg = '"-" is given twice'
        raise CommandError(msg, "at most one input from standard input", "save the other to a file")
