"""Options that several commands share, and how their values are read.

A function `add_...` adds options to a parser; beside it stands the function that reads them from parsed
arguments.
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from evalign.cli.parser import RAW, TESTS, Parser
from evalign.errors import CommandError, quote
from evalign.options import OPTIONS, OptionKeywords, pick_options
from evalign.progress import Progress, no_progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.engines.base import Engine
    from evalign.results.result import Parts, Result
    from evalign.significance.values import Resampling

# Copy of the formats in `evalign.readers`, which loads too much for --help.
FILE_FORMATS = ("auto", "plain", "conllu", "conllx", "trees", "discbracket", "export", "standoff")
# More resamples would not change a digit that is shown, and each takes memory.
MOST_RESAMPLES = 1_000_000
ALL = "all"
COUNTS = "counts"
LAYOUTS = ("systems", "metrics", COUNTS)


def read_names(text: str) -> tuple[str, ...]:
    """Split a list at its commas; empty names and repetitions are left out."""
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


def count(text: str) -> int:
    """Read an integer from 0 up as the value of an option; raises `ArgumentTypeError` for other text."""
    if not text.isascii() or not text.isdigit():
        msg = f"{text!r} is not a number from 0 up"
        raise argparse.ArgumentTypeError(msg)
    return int(text)


# Options for files: gold and systems, folders or a manifest.


class _Systems(argparse.Action):
    """Action for systems as `PATH` or `NAME=PATH`.

    Paths are stored in `systems`, names in `names`; a system without a name has the empty one.
    """

    def __call__(
        self,
        _parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        _option: str | None = None,
    ) -> None:
        pairs = [_split_name(str(value)) for value in values or ()]
        names = [name for name, _ in pairs if name is not None]
        for argument, (name, path) in zip(values or (), pairs, strict=True):
            if name is not None and not (name.strip() and path):
                lacking = "path behind" if name.strip() else "name before"
                message = f"no {lacking} the = in {quote(str(argument))} (expected NAME=PATH)"
                raise argparse.ArgumentError(self, message)
            if name and names.count(name) > 1:
                message = f"{names.count(name)} systems are called {quote(name)} (expected another NAME=PATH for each)"
                raise argparse.ArgumentError(self, message)
        namespace.systems = [path for _, path in pairs]
        namespace.names = [name or "" for name, _ in pairs]


def _split_name(argument: str) -> tuple[str | None, str]:
    """Split `NAME=PATH` into name and path.

    The name is None if the whole argument is an existing file, or if it looks like a path or URL with "=" in
    it.

    >>> _split_name("base=out/a.txt"), _split_name("out/lr=0.1/a.txt")
    (('base', 'out/a.txt'), (None, 'out/lr=0.1/a.txt'))
    """
    name, equals, path = argument.partition("=")
    if not equals or "/" in name or os.sep in name or os.path.exists(argument):  # noqa: PTH110 - may hold a NUL
        return None, argument
    return name, path


def add_systems(parser: Parser, help: str, nargs: Literal["+", "*"] = "+") -> None:
    """Add the positional argument for systems, each as PATH or NAME=PATH."""
    parser.add_argument("systems", metavar="SYSTEM", nargs=nargs, action=_Systems, help=help)
    parser.set_defaults(names=())


def add_files(parser: Parser, *, several: bool = False) -> None:
    """Add the positional arguments for gold and system, or for `several` systems."""
    parser.add_argument("gold", metavar="GOLD", help="the file taken as right; - is standard input")
    if several:
        add_systems(
            parser, "the file or files being scored, NAME=FILE to name one; the first is the baseline"
        )
    else:
        parser.add_argument("system", metavar="SYSTEM", help="the file being compared")


class _Manifest(argparse.Action):
    """Action for --manifest: as a manifest names all files, positional arguments are no longer required."""

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
    """Add the options for shared-task runs: manifest, failed treebanks, kept results."""
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
    """Add --stay-below, a folder: files outside of it, and URLs, are refused.

    It is meant for a manifest or another file that somebody else wrote and that names other files; the help
    calls this file `naming`.
    """
    group.add_argument(
        "--stay-below",
        metavar="DIR",
        help=f"refuse files outside of a folder, and URLs: for a {naming} that somebody else has written",
    )


# Options of `evalign.score`, as they are declared.


def option_of(name: str) -> dict[str, Any]:
    """Return the keyword arguments of `add_argument` for an option of `evalign.score`; its flag is its name."""
    declared = OPTIONS[name]
    default, help = declared.default, declared.metadata["help"]
    if isinstance(default, bool):
        return {"help": help, "action": "store_true"}
    if isinstance(default, int):
        return {"help": help, "default": default, "type": int, "metavar": "N"}
    argument = {"help": help, "default": None if default == () else default}
    return argument | {name: value for name, value in declared.metadata.items() if name == "choices"}


def add_others(parser: Parser) -> None:
    """Add all options of `evalign.score` that `parser` lacks."""
    added = {action.dest for action in parser._actions}
    for name in OPTIONS:
        if name not in added:
            parser.add_argument("--" + name.replace("_", "-"), **option_of(name))


def read_options(arguments: argparse.Namespace) -> OptionKeywords:
    """Read the options of `evalign.score` that a command has; commands read --metrics in their own ways."""
    options = pick_options(vars(arguments))
    options.pop("metrics", None)
    return {**options, "normalize": read_names(arguments.normalize or "")}


# Options for reading and aligning files.


def add_reading(parser: Parser) -> None:
    """Add the options for reading and aligning files."""
    group = parser.add_argument_group("reading and alignment")
    gold = option_of("gold_format")
    gold["help"] += f": {', '.join(FILE_FORMATS)}"
    group.add_argument("--gold-format", choices=FILE_FORMATS, metavar="NAME", **gold)
    group.add_argument("--system-format", choices=FILE_FORMATS, metavar="NAME", **option_of("system_format"))
    add_raw(group)
    group.add_argument("--normalize", metavar="NAME,...", **option_of("normalize"))
    group.add_argument("--exceptions", metavar="LANG|FILE", **option_of("exceptions"))
    group.add_argument("--credit-exceptions", **option_of("credit_exceptions"))
    group.add_argument("--strict", **option_of("strict"))
    group.add_argument("--match", **option_of("match"))
    add_trees(parser)


def add_file_format(parser: Parser, flag: str, formats: Sequence[str] = FILE_FORMATS) -> None:
    """Add the option `flag` for the format of all files of a command."""
    parser.add_argument(
        flag,
        choices=formats,
        default="auto",
        metavar="NAME",
        help=f"where the content does not show it: {', '.join(formats)}",
    )


def add_split_spaces(parser: Parser) -> None:
    """Add --split-spaces."""
    parser.add_argument("--split-spaces", **option_of("split_spaces"))


def add_raw(parser: argparse._ActionsContainer) -> None:
    """Add --raw."""
    parser.add_argument(
        RAW,
        metavar="FILE|DIR",
        nargs="+",
        action="extend",
        help="the raw text, on which gold and system are compared and in whose characters places are given: a file, several in the order of the text, or a folder "
        "(its *.txt, if it has any) in any order; after the other files",
    )


def add_feature_values(parser: argparse._ActionsContainer) -> None:
    """Add --feature-values."""
    parser.add_argument("--feature-values", **option_of("feature_values"))


def add_trees(parser: Parser) -> None:
    """Add the options for trees in brackets."""
    group = parser.add_argument_group("trees in brackets")
    group.add_argument("--preset", metavar="NAME|FILE", **option_of("preset"))
    group.add_argument("--empty", **option_of("empty"))
    group.add_argument("--punctuation", **option_of("punctuation"))


# Options for where the work is done: --jobs, --cluster, --stream.


def add_engine(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add --jobs and --cluster, both None by default; return their group."""
    group = parser.add_argument_group("where the work is done")
    group.add_argument(
        "--jobs", metavar="N", type=_jobs, help="in N processes of this machine; auto: one for each core"
    )
    group.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="by the workers of a Dask scheduler, tcp://HOST:PORT, which read the files themselves; local:N starts N "
        "of them on this machine",
    )
    return group


def add_streaming(group: argparse._ArgumentGroup) -> None:
    """Add --stream and --window, which bound the memory for scoring one pair of files."""
    group.add_argument(
        "--stream",
        action="store_true",
        help="read and score part by part, in memory that does not grow with the files; the result is the same",
    )
    group.add_argument(
        "--window",
        metavar="N",
        type=_window,
        help="how far away text that was moved is looked for, in characters; what is further away is taken for missing "
        "and extra (with --stream: 1048576, else no limit)",
    )


def _window(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 19:
        return int(text)
    msg = f"{text!r} is not a number of characters"
    raise argparse.ArgumentTypeError(msg)


def _jobs(text: str) -> int:
    from evalign.engines.base import MOST_WORKERS
    from evalign.engines.run import count_cores

    if text == "auto":
        return min(count_cores(), MOST_WORKERS)
    if not text.isascii() or not text.isdigit() or len(text) > 9 or not 1 <= int(text) <= MOST_WORKERS:
        msg = f"{text!r} is not a number from 1 to {MOST_WORKERS} or auto"
        raise argparse.ArgumentTypeError(msg)
    return int(text)


def read_engine(arguments: argparse.Namespace) -> int | str | None:
    """Return the number of processes, the address of a cluster, or None.

    Raises `CommandError` if both are given.
    """
    if arguments.jobs is not None and arguments.cluster is not None:
        msg = "--jobs together with --cluster"
        raise CommandError(msg, "one of them", "how many work is up to the cluster")
    engine: int | str | None = arguments.jobs if arguments.cluster is None else arguments.cluster
    return engine


def engine_of(arguments: argparse.Namespace, progress: Progress = no_progress) -> Engine:
    """Open the engine that --jobs or --cluster asks for; without them, work is done in this process.

    The caller closes the engine.
    """
    from evalign.engines.run import open_engine

    return open_engine(read_engine(arguments), progress=progress)


# Options for breaking scores down: --by and --per.


class BreakdownChoice(NamedTuple):
    """Choice of breakdowns: kinds of labels (`per`), and other properties that split a result (`by`)."""

    per: tuple[str, ...] = ()
    by: tuple[str, ...] = ()

    def resolve(self, result: Result) -> BreakdownChoice:
        """Move the kinds of labels in `by` to `per`, so that both options give the same tables.

        "label" becomes the kind of labels that the evidence of `result` has.
        """
        if not self.by:
            return self
        from evalign.metrics.errors.breakdowns import BREAKDOWNS
        from evalign.results.split import LABEL_BREAKDOWNS

        kinds = {kind for system in result.systems for kind in system.evidence.breakdown_kinds()}
        first = next((kind for kind in LABEL_BREAKDOWNS if kind in kinds), LABEL_BREAKDOWNS[0])
        labels = [first if name == "label" else name for name in self.by if name in (*BREAKDOWNS, "label")]
        others = [name for name in self.by if name not in (*BREAKDOWNS, "label")]
        return BreakdownChoice(tuple(dict.fromkeys((*self.per, *labels))), tuple(others))

    def split(self, result: Result, done: Sequence[Parts] = ()) -> list[Parts]:
        """Split `result` by everything chosen, labels included, for the page.

        Parts in `done` are not computed again.
        """
        parts_by_name = {parts.by: parts for parts in done}
        choice = self.resolve(result)
        return [parts_by_name.get(by) or result.split(by) for by in dict.fromkeys((*choice.by, *choice.per))]

    def refuse_parts(self, parts: Parts) -> None:
        """Raise `CommandError` if a breakdown was chosen: a run of several treebanks has none."""
        if self != BreakdownChoice():
            msg = f"--{'by' if self.by else 'per'} of a run of several {parts.by}s"
            raise CommandError(msg, f"the run as it is: it has a row for each {parts.by}")


def add_breakdowns(parser: Parser) -> None:
    """Add --by and --per."""
    parser.add_argument(
        "--by",
        metavar="NAME,...",
        action="append",
        default=[],
        help="also show scores by genre, document, length (of gold's sentences), frequency (of forms), label, relation or any "
        "kind that --per takes, the name of a comment in gold, or what a regular expression finds in names of documents",
    )
    parser.add_argument(
        "--per",
        metavar="KIND,...",
        default="",
        help="also show precision, recall and F1 per relation, subtype (relation with subtype), tag, xpos, feature, "
        "feature-value, label (of brackets or stand-off spans)",
    )


def read_breakdowns(arguments: argparse.Namespace) -> BreakdownChoice:
    """Read --by and --per before any file is read.

    Raises `CommandError` for an unknown kind, and for --by without a name.
    """
    per = read_names(arguments.per)
    if per:
        from evalign.metrics.errors.breakdowns import check_kind

        for kind in per:
            check_kind(kind)
    if not arguments.by:
        return BreakdownChoice(per)
    from evalign.results.split import split_names

    by = [name for text in arguments.by for name in split_names(text)]
    if not by:
        msg = "--by without a name"
        raise CommandError(msg, "genre, document, length, a comment of gold: --by genre")
    return BreakdownChoice(per, tuple(dict.fromkeys(by)))


# Options for intervals and tests.


def add_resampling(parser: Parser) -> argparse._ArgumentGroup:
    """Add the options for intervals and tests, all None by default; return their group."""
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
    """Add --all-pairs, for commands that print tables."""
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
    """Add the options for a significance test that decides whether a gate fails."""
    group = parser.add_argument_group("significance")
    group.add_argument(
        "--significant",
        action="store_true",
        help="a drop fails only if the paired test finds it significant; needs the same units of gold in both results",
    )
    group.add_argument("--test", choices=TESTS, help="default randomization")
    group.add_argument("--confidence", metavar="PERCENT", type=_confidence, help="default 95: p below 0.05")
    _add_draws(group)


def read_resampling(arguments: argparse.Namespace) -> Resampling:
    """Read how units are resampled, from the options of `add_resampling` or `add_test`.

    Options that are not given keep their defaults.
    """
    from evalign.significance.values import Resampling

    options = {"seed": arguments.seed, "resamples": arguments.resamples}
    # The name of the test is in --paired (`add_resampling`) or in --test (`add_test`).
    options |= {"confidence": arguments.confidence, "test": getattr(arguments, "paired", None)}
    options["test"] = options["test"] or getattr(arguments, "test", None)
    return Resampling(**{name: value for name, value in options.items() if value is not None})


def check_resampling(arguments: argparse.Namespace, *, used: bool) -> None:
    """Raise `CommandError` for --seed or --resamples if nothing is resampled (`used` is false)."""
    for name in ("seed", "resamples"):
        if getattr(arguments, name) is not None and not used:
            msg = f"--{name} without anything to resample"
            raise CommandError(msg, "--confidence or --paired with it")


def _confidence(text: str) -> float:
    """Read a percentage from 50 to less than 100 as a share."""
    try:
        value = float(text.removesuffix("%"))
    except ValueError:
        value = math.nan
    if not 50 <= value < 100:
        near = f"; did you mean {100 * value:g}?" if 0.5 <= value < 1 else ""
        msg = f"{text!r} is not a percentage from 50 to less than 100{near}"
        raise argparse.ArgumentTypeError(msg)
    # Equal to the literal, such as 0.999; the quotient 99.9 / 100 may differ from it in the last bit.
    return float(f"{value / 100:.12g}")


def _positive(text: str) -> int:
    number = count(text)
    if not 1 <= number <= MOST_RESAMPLES:
        msg = f"{text!r} is not a number from 1 to {MOST_RESAMPLES:,}"
        raise argparse.ArgumentTypeError(msg)
    return number


# Options for where results go, and how much of them is kept.


def add_output(parser: Parser, formats: Sequence[str], *, warns: bool = True) -> None:
    """Add --format, --output, --quiet and, for a command that `warns`, --fail-on-warning.

    The first of `formats` is the default.
    """
    group = parser.add_argument_group("output")
    group.add_argument("--format", choices=formats, default=None, help=f"default {formats[0]}")
    group.add_argument(
        "-o", "--output", metavar="FILE", help="write to a file, in --format or as its ending says"
    )
    group.add_argument("-q", "--quiet", action="store_true", help="only results, no warnings")
    if warns:
        add_fail_on_warning(group)


def add_fail_on_warning(group: argparse._ActionsContainer) -> None:
    """Add --fail-on-warning."""
    group.add_argument(
        "--fail-on-warning",
        action="store_true",
        help="exit status 1 if there is any warning, also with --quiet; results are written all the same",
    )


def add_layout(parser: Parser) -> None:
    """Add --layout."""
    parser.add_argument(
        "--layout",
        choices=LAYOUTS,
        help="systems: a row per system, a column per metric, as in papers; metrics: a row per metric and system with counts, "
        "precision and recall; counts: TP, FP and FN per metric and system. Folders have systems with a row per treebank and "
        "system, metrics with a table per metric, counts with a row per treebank. JSON has everything in any layout; CSV has a "
        "row per number in either layout of scores, counts with columns for TP, FP and FN",
    )


def add_report(parser: Parser) -> None:
    """Add --report."""
    parser.add_argument(
        "--report",
        metavar="FILE.html",
        help="also write a page for the browser; - is standard output, which then has no table",
    )


def add_saved(parser: Parser) -> None:
    """Add --report, and --passages for how many passages a saved result keeps."""
    add_report(parser)
    parser.add_argument(
        "--passages",
        metavar="N|all",
        type=_passages,
        help="how many passages with errors a saved result and the page keep of each system at most, chosen over the "
        "kinds of errors (default 300); all errors are counted in any case",
    )


def _passages(text: str) -> int | str:
    if text == ALL:
        return ALL
    if text.isascii() and text.isdigit():
        return int(text)
    msg = f"{text!r} is neither a number from 0 up nor all"
    raise argparse.ArgumentTypeError(msg)


def most_passages(arguments: argparse.Namespace) -> int | None:
    """Return how many passages are kept of each system; None for all."""
    if arguments.passages is None:
        from evalign.metrics.metric import MOST_PASSAGES

        return MOST_PASSAGES
    return None if arguments.passages == ALL else int(arguments.passages)
