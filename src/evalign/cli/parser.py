"""The parser of a command: help that opens with an example, messages that say what to do, and how words are read.

The words of a command line are not always read as argparse would: no option takes the files that a command wants.
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

# Takes any number of files, and would take those that the command wants too.
RAW = "--raw"
# Options that may stand without a value, what that means, and the values they take: whatever else follows is a file.
TESTS = ("randomization", "bootstrap")
OPTIONAL = {
    "--confidence": ("95", re.compile(r"[-+]?[0-9]*\.?[0-9]+%?").fullmatch),
    "--paired": ("randomization", re.compile("|".join(TESTS)).fullmatch),
}
TAKES = {"--confidence": "a percentage, or nothing", "--paired": f"{' or '.join(TESTS)}, or nothing"}
# How argparse begins a message about what nothing takes.
UNRECOGNIZED = "unrecognized arguments: "


class _RefusedError(Exception):
    """What argparse would say, if there is no other way to read the arguments."""


class Parser(argparse.ArgumentParser):
    """A parser whose help opens with a command that can be pasted."""

    def __init__(
        self, command: str, example: str, summary: str, epilog: str = "", *, reads_files: bool = True
    ) -> None:
        super().__init__(
            prog=f"evalign {command}",
            description=textwrap.fill(summary, min(columns(), 100) - 2),
            epilog=textwrap.fill(epilog, min(columns(), 100) - 2),
            # With a width of its own argparse need not load shutil to find one.
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
        """As argparse does, but no option takes the files that the command wants.

        Where --raw took them, it gives back the last it took; --paired takes nothing but the name of a test.
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
        """The example, then what argparse says."""
        return f"{self.example}\n\n{super().format_help()}"

    def error(self, message: str) -> NoReturn:
        """A wrong command: what is wrong, and where to read more."""
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
        """Refuse what is none of the choices of an argument, with those that are near, or with all."""
        if action.choices is not None and value not in action.choices:
            expected, advice = suggest(str(value), map(str, action.choices))
            hints = filter(None, [f"expected {expected}" if expected else "", advice])
            kind = "command" if action.dest == "command" else "value"
            message = f"unknown {kind} {quote(str(value))}"
            raise argparse.ArgumentError(
                None if kind == "command" else action, "\n  ".join([message, *hints])
            )

    def _explain_left(self, message: str) -> tuple[str, str] | None:
        """Say what is wrong with arguments that nothing takes, and give a hint; None if `message` is about others."""
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
    """Options that stand without a value, with what that means."""
    end = args.index("--") if "--" in args else len(args)
    words = []
    for k, word in enumerate(args):
        takes = OPTIONAL.get(word) if k < end else None
        follows = args[k + 1] if k + 1 < len(args) else ""
        words.append(word if takes is None or takes[1](follows) else f"{word}={takes[0]}")
    return words


def _give_back(args: list[str], most: int, *, several: bool) -> Iterator[list[str]]:
    """The arguments, then with --raw taking fewer files; a command of any number of files has to leave it one."""
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
    from evalign.readers import check_size

    return check_size(text)


class Command(NamedTuple):
    """What a command does: its arguments, and what is done with them; returns the exit status."""

    make_parser: Callable[[], Parser]
    run: Callable[[argparse.Namespace], int]


def make_group_parser(name: str, example: str, description: str) -> Parser:
    """Arguments of a group of commands: one of them, and what is for that one."""
    commands = GROUPS[name]
    parser = Parser(name, example, description, f"evalign {name} COMMAND --help says more", reads_files=False)
    width = max(map(len, commands))
    listed = [f"  {inner:{width}}  {summary}" for inner, summary in commands.items()]
    parser.description = "\n".join([parser.description or "", "", "commands", *listed])
    parser.add_argument("command", metavar="COMMAND", choices=commands, help="one of these")
    parser.add_argument("rest", metavar="...", nargs=argparse.REMAINDER, help="the arguments of that command")
    return parser


def check_standard_input(*paths: str | Sequence[str] | None) -> None:
    """Standard input can be read once."""
    if sum([path] == ["-"] if isinstance(path, str) else (path or ()).count("-") for path in paths) > 1:
        msg = '"-" is given twice'
        raise CommandError(msg, "at most one input from standard input", "save the other to a file")
