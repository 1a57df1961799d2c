"""Arguments that several commands share, and how they are read."""

from __future__ import annotations

import argparse
import math
import os
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Literal, NoReturn, TextIO, TypedDict

from evalign.errors import CommandError, InputError, Place, find_nearest, quote, suggest
from evalign.wording import printable, printable_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics import Match, Punctuation
    from evalign.readers import Empty
    from evalign.significance import Resampling

ENDINGS = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".csv": "csv",
    ".md": "markdown",
    ".tex": "latex",
    ".typ": "typst",
    ".html": "html",
    ".pdf": "pdf",
    ".txt": "table",
}


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
# Columns of the narrowest terminal that anything is laid out for.
NARROWEST = 20
# More would not change a digit that is shown, and takes memory for each.
MOST_RESAMPLES = 1_000_000


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
        self._given: Sequence[str] = ()
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
        self._given = list(args or ())
        args = _with_values(self._given)
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
            found = f"unknown {kind} {quote(str(value))}"
            raise argparse.ArgumentError(None if kind == "command" else action, "\n  ".join([found, *hints]))

    def _explain_left(self, message: str) -> tuple[str, str] | None:
        """Say what is wrong with arguments that nothing takes, and give a hint; None if `message` is about others."""
        if not message.startswith(UNRECOGNIZED):
            return None
        left = printable(message.removeprefix(UNRECOGNIZED)).split()
        for option, word in zip(self._given, self._given[1:], strict=False):
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
    found = []
    for k, word in enumerate(args):
        takes = OPTIONAL.get(word) if k < end else None
        follows = args[k + 1] if k + 1 < len(args) else ""
        found.append(word if takes is None or takes[1](follows) else f"{word}={takes[0]}")
    return found


def _give_back(args: list[str], most: int, *, several: bool) -> Iterator[list[str]]:
    """The arguments, then with --raw taking fewer files; a command of any number of files has to leave it one."""
    if RAW not in args:
        return
    yield args
    at = args.index(RAW) + 1
    end = next((k for k in range(at, len(args)) if args[k].startswith("-") and args[k] != "-"), len(args))
    taken = args[at:end]
    for given in range(1, min(most, len(taken) - 1) + 1):
        if not several or len(taken) == given + 1:
            yield [*args[: at - 1], *taken[-given:], RAW, *taken[:-given], *args[end:]]


class _Systems(argparse.Action):
    """Systems as `PATH` or `NAME=PATH`: paths go to `systems`, names to `names`, empty where none is given."""

    def __call__(
        self,
        _parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        _option: str | None = None,
    ) -> None:
        pairs = [_split_name(str(value)) for value in values or ()]
        given = [name for name, _ in pairs if name is not None]
        for argument, (name, path) in zip(values or (), pairs, strict=True):
            if name is not None and not (name.strip() and path):
                lacking = "path behind" if name.strip() else "name before"
                message = f"no {lacking} the = in {quote(str(argument))} (expected NAME=PATH)"
                raise argparse.ArgumentError(self, message)
            if name and given.count(name) > 1:
                message = f"{given.count(name)} systems are called {quote(name)} (expected another NAME=PATH for each)"
                raise argparse.ArgumentError(self, message)
        namespace.systems = [path for _, path in pairs]
        namespace.names = [name or "" for name, _ in pairs]


def _split_name(argument: str) -> tuple[str | None, str]:
    """The name and the path of `NAME=PATH`; no name where all of it is a file or folder, or a path with folders or a URL.

    >>> _split_name("base=out/a.txt"), _split_name("out/lr=0.1/a.txt")
    (('base', 'out/a.txt'), (None, 'out/lr=0.1/a.txt'))
    """
    name, equals, path = argument.partition("=")
    if not equals or "/" in name or os.sep in name or os.path.exists(argument):  # noqa: PTH110 - may hold a NUL
        return None, argument
    return name, path


def add_systems(parser: Parser, help: str, nargs: Literal["+", "*"] = "+") -> None:
    """Systems, each with a name of its own if it is given one."""
    parser.add_argument("systems", metavar="SYSTEM", nargs=nargs, action=_Systems, help=help)
    parser.set_defaults(names=())


def add_files(parser: Parser, *, several: bool = False) -> None:
    """Gold and system."""
    parser.add_argument("gold", metavar="GOLD", help="the file taken as right; - is standard input")
    if several:
        add_systems(
            parser, "the file or files being scored, NAME=FILE to name one; the first is the baseline"
        )
    else:
        parser.add_argument("system", metavar="SYSTEM", help="the file being compared")


def add_reading(parser: Parser) -> None:
    """How files are read and brought together."""
    group = parser.add_argument_group("reading and alignment")
    formats = ("auto", "plain", "conllu", "conllx", "trees", "discbracket", "export", "standoff")
    group.add_argument(
        "--gold-format",
        choices=formats,
        default="auto",
        metavar="NAME",
        help=f"format of gold, where its content does not show it: {', '.join(formats)}",
    )
    group.add_argument(
        "--system-format", choices=formats, default="auto", metavar="NAME", help="format of the systems"
    )
    add_raw(group)
    group.add_argument(
        "--normalize",
        metavar="NAME,...",
        default="",
        help="add lower, accents, format or width; no-NAME leaves out one of nfc, xml, brackets, slashes, quotes, ellipsis; none leaves out all",
    )
    group.add_argument(
        "--exceptions",
        metavar="LANG|FILE",
        default="",
        help="rewrite contractions: en, or a file of your own",
    )
    group.add_argument(
        "--credit-exceptions", action="store_true", help="count tokens the exception list rewrote"
    )
    group.add_argument("--strict", action="store_true", help="refuse what the CoNLL 2018 script refuses")
    group.add_argument(
        "--match",
        choices=("default", "place", "text"),
        default="default",
        help="default: sentences and brackets by place, if a third of the text is shared, tokens and words by place and text; place: all by place; text: all by place and text",
    )
    add_trees(parser)


def add_split_spaces(parser: Parser) -> None:
    """Whether tokens with spaces are one token."""
    parser.add_argument(
        "--split-spaces",
        action="store_true",
        help="cut tokens of CoNLL-U at their spaces, as plain text has them (1 000 is two tokens); tags, lemmas and heads are "
        "then not available",
    )


def add_raw(parser: argparse._ActionsContainer) -> None:
    """The raw text."""
    parser.add_argument(
        RAW,
        metavar="FILE|DIR",
        nargs="+",
        action="extend",
        help="the raw text, on which gold and system are compared and in whose characters places are given: a file, several in the order of the text, or a folder "
        "(its *.txt, if it has any) in any order; after the other files",
    )


def add_feature_values(parser: argparse._ActionsContainer) -> None:
    """When features are the same."""
    parser.add_argument(
        "--feature-values",
        choices=("ordered", "set"),
        default="ordered",
        help="set: Gender=Fem,Masc is the same as Gender=Masc,Fem",
    )


def add_trees(parser: Parser) -> None:
    """What counts of trees."""
    group = parser.add_argument_group("trees in brackets")
    group.add_argument(
        "--preset",
        metavar="NAME|FILE",
        help="which brackets and tags count: document-parsing, evalb-collins, or a .prm file of evalb's "
        "(default: all but the root, with full labels)",
    )
    group.add_argument(
        "--empty",
        choices=("drop", "keep"),
        default="drop",
        help="keep: empty elements, tagged -NONE-, are tokens without characters",
    )
    group.add_argument(
        "--punctuation",
        choices=("own", "gold"),
        default="own",
        help="gold: gold's tag says of both sides whether the preset leaves a word out",
    )


class Reading(TypedDict):
    """What `add_reading` asks for, as `evalign.score` wants it."""

    match: Match
    normalize: tuple[str, ...]
    exceptions: str
    credit_exceptions: bool
    strict: bool
    gold_format: str
    system_format: str
    raw: list[str] | None
    preset: str | None
    empty: Empty
    punctuation: Punctuation


def reading(arguments: argparse.Namespace) -> Reading:
    """The options that say how files are read and brought together."""
    return Reading(
        match=arguments.match,
        normalize=names(arguments.normalize),
        exceptions=arguments.exceptions,
        credit_exceptions=arguments.credit_exceptions,
        strict=arguments.strict,
        gold_format=arguments.gold_format,
        system_format=arguments.system_format,
        raw=arguments.raw,
        preset=arguments.preset,
        empty=arguments.empty,
        punctuation=arguments.punctuation,
    )


def add_output(parser: Parser, formats: Sequence[str], *, warns: bool = True) -> None:
    """Where results go, and how; and what becomes of warnings, for a command that has any."""
    group = parser.add_argument_group("output")
    group.add_argument("--format", choices=formats, default=None, help=f"default {formats[0]}")
    group.add_argument(
        "-o", "--output", metavar="FILE", help="write to a file, in --format or as its ending says"
    )
    group.add_argument("-q", "--quiet", action="store_true", help="only results, no warnings")
    if warns:
        add_fail_on_warning(group)


def add_fail_on_warning(group: argparse._ActionsContainer) -> None:
    """Warnings that fail a build."""
    group.add_argument(
        "--fail-on-warning",
        action="store_true",
        help="exit status 1 if there is any warning, also with --quiet; results are written all the same",
    )


def add_resampling(parser: Parser) -> argparse._ArgumentGroup:
    """Intervals and tests. Values stay None where nothing is said."""
    group = parser.add_argument_group("significance")
    group.add_argument(
        "--confidence",
        metavar="PERCENT",
        nargs="?",
        type=_confidence,
        help="intervals of this confidence by resampling units (95 where no number follows)",
    )
    group.add_argument(
        "--paired",
        metavar="TEST",
        nargs="?",
        choices=TESTS,
        help="compare every system with the first by a paired test: randomization (where no name follows) or bootstrap; "
        "p-values with Holm's correction",
    )
    _add_draws(group)
    return group


def add_all_pairs(group: argparse._ArgumentGroup) -> None:
    """Tests of every pair of systems, for commands that print tables."""
    group.add_argument(
        "--all-pairs",
        action="store_true",
        help="with --paired: also print p-values of every pair of systems (JSON, CSV and the report always have them)",
    )


def _add_draws(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--resamples",
        metavar="N",
        type=_positive,
        help="how many resamples (default 1000, and for tests 1000 times the number of tests)",
    )
    group.add_argument(
        "--seed", metavar="N", type=count, help="where the random numbers start (default 12345)"
    )


def add_test(parser: Parser) -> None:
    """A test that decides, and the draws it is made of."""
    group = parser.add_argument_group("significance")
    group.add_argument(
        "--significant",
        action="store_true",
        help="a drop fails only if the paired test finds it significant; needs the same units of gold in both results",
    )
    group.add_argument("--test", choices=TESTS, help="default randomization")
    group.add_argument("--confidence", metavar="PERCENT", type=_confidence, help="default 95: p below 0.05")
    _add_draws(group)


def resampling(arguments: argparse.Namespace) -> Resampling:
    """How units are resampled: what `add_resampling` asks for, defaults elsewhere."""
    from evalign.significance import Resampling

    given = {"seed": arguments.seed, "resamples": arguments.resamples}
    # `add_resampling` has the name of the test in --paired, `add_test` in --test.
    given |= {"confidence": arguments.confidence, "test": getattr(arguments, "paired", None)}
    given["test"] = given["test"] or getattr(arguments, "test", None)
    return Resampling(**{name: value for name, value in given.items() if value is not None})


def check_resampling(arguments: argparse.Namespace, *, used: bool) -> None:
    """Raise `CommandError` for --seed or --resamples where nothing is resampled."""
    for name in ("seed", "resamples"):
        if getattr(arguments, name) is not None and not used:
            msg = f"--{name} without anything to resample"
            raise CommandError(msg, "--confidence or --paired with it")


def _confidence(text: str) -> float:
    """A percentage as a share."""
    try:
        value = float(text.removesuffix("%"))
    except ValueError:
        value = math.nan
    if not 50 <= value < 100:
        near = f"; did you mean {100 * value:g}?" if 0.5 <= value < 1 else ""
        msg = f"{text!r} is not a percentage from 50 to less than 100{near}"
        raise argparse.ArgumentTypeError(msg)
    # As 0.95 is written: 95 / 100 is the nearest there is, 99.9 / 100 is not always.
    return float(f"{value / 100:.12g}")


def _positive(text: str) -> int:
    found = count(text)
    if not 1 <= found <= MOST_RESAMPLES:
        msg = f"{text!r} is not a number from 1 to {MOST_RESAMPLES:,}"
        raise argparse.ArgumentTypeError(msg)
    return found


def count(text: str) -> int:
    """A number from 0 up, as an option has it."""
    if not text.isascii() or not text.isdigit():
        msg = f"{text!r} is not a number from 0 up"
        raise argparse.ArgumentTypeError(msg)
    return int(text)


def _size(text: str) -> int:
    from evalign.readers import check_size

    return check_size(text)


def names(text: str) -> tuple[str, ...]:
    """A list separated by commas, each once."""
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


def output_format(arguments: argparse.Namespace, formats: Sequence[str]) -> str:
    """The format asked for: by name, else by the ending of the output file, else the first."""
    check_writable(arguments.output)
    if arguments.format:
        return str(arguments.format)
    if not arguments.output:
        return formats[0]
    from pathlib import PurePath

    ending = PurePath(arguments.output).suffix.lower()
    found = ENDINGS.get(ending, formats[0])
    if found not in formats:
        msg = f'"{arguments.output}" asks for {found}, which this command does not write'
        advice = f"to write something else under this name: --format {formats[0]}"
        raise CommandError(msg, f"one of {', '.join(formats)}", advice)
    return found


def check_writable(path: str | None) -> None:
    """No work is begun whose result could not be written."""
    if path is None or path == "-":
        return
    if not path:
        msg = "-o without a name"
        raise CommandError(msg, "the path of a file to write")
    from pathlib import Path

    try:
        os.lstat(path)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:  # a name that is too long, or has a NUL
        found = f"cannot be written ({getattr(error, 'strerror', None) or error})"
        raise InputError(Place(path), found, "the path of a file to write") from None
    if Path(path).is_dir():
        raise InputError(Place(path), "cannot be written: it is a directory", "the path of a file to write")
    if not Path(path).parent.is_dir():
        found = f"cannot be written: there is no folder {Path(path).parent}"
        raise InputError(Place(path), found, "a file in a folder that exists")


def check_standard_input(*paths: str | Sequence[str] | None) -> None:
    """Standard input can be read once."""
    if sum([path] == ["-"] if isinstance(path, str) else (path or ()).count("-") for path in paths) > 1:
        msg = '"-" is given twice'
        raise CommandError(msg, "at most one input from standard input", "save the other to a file")


def columns() -> int:
    """How wide the output may be: COLUMNS, else the terminal, else 100 (shutil says the same, but loads slowly)."""
    return _measure_width(sys.__stdout__) or 100


def _measure_width(stream: TextIO | None) -> int:
    """COLUMNS, else how wide the terminal is that a stream goes to; 0 if it is none."""
    asked = os.environ.get("COLUMNS", "")
    if asked.isascii() and asked.isdigit() and int(asked):
        return max(int(asked), NARROWEST)
    try:
        return max(os.get_terminal_size(stream.fileno()).columns, NARROWEST)  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return 0


def use_color(arguments: argparse.Namespace) -> bool:
    """Say whether results are shown in colours: on a terminal, not in a file."""
    return not arguments.output and _allows_color(is_terminal=_is_terminal())


def _allows_color(*, is_terminal: bool) -> bool:
    """Say whether colours are wanted: on a terminal, unless NO_COLOR is set; FORCE_COLOR asks for them elsewhere."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    # The older consoles of Windows show the codes; Windows Terminal and the shells that set TERM obey them.
    is_able = os.name != "nt" or "WT_SESSION" in os.environ or "TERM" in os.environ
    return is_terminal and is_able and os.environ.get("TERM") != "dumb"


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def emit(pieces: Iterable[str], arguments: argparse.Namespace, *, is_data: bool = False) -> None:
    """Text to standard output, or whole to the file that was named.

    Data are for programs and stay as they are; on a terminal their control characters are shown, not obeyed.
    """
    if arguments.output is not None and arguments.output != "-":
        from evalign.files import write_whole

        write_whole(arguments.output, "".join(pieces))
    else:
        on_terminal = is_data and _is_terminal()
        sys.stdout.writelines(map(printable_lines, pieces) if on_terminal else pieces)


def warn(messages: Sequence[str], arguments: argparse.Namespace) -> None:
    """Warnings to standard error, unless only results are wanted; how many there were decides --fail-on-warning."""
    arguments.n_warnings = getattr(arguments, "n_warnings", 0) + len(messages)
    if not arguments.quiet:
        for message in messages:
            _write_message("warning: ", printable(message), "warning")


def tell(message: str, arguments: argparse.Namespace) -> None:
    """A remark to standard error, unless only results are wanted."""
    if not arguments.quiet:
        _write_message("", printable(message))


def write_error(message: str, program: str = "evalign", place: str = "") -> None:
    """Write an error to standard error; hints are lines of their own, `place` the path it begins with, if any."""
    _write_message(f"{program}: ", message, "error", place)


def _write_message(head: str, text: str, kind: str = "", place: str = "") -> None:
    """Write a message to standard error, as wide as its terminal; where there is none, lines stay whole."""
    from evalign.cli.messages import shape_message

    color = _allows_color(is_terminal=sys.stderr.isatty())
    width = _measure_width(sys.stderr)
    sys.stderr.write(shape_message(head, text, kind=kind, columns=width, color=color, place=place))
