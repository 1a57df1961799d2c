"""Options that several commands share, and how their values are read.

Beside the declarations stand the functions that read several options from parsed arguments.
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from functools import partial
from typing import Literal, NamedTuple, TypeVar

from evalign.cli.command import RAW, Option, group, pick
from evalign.errors import CommandError, quote
from evalign.options import OPTIONS, OptionKeywords, ScoreOptions, pick_options
from evalign.progress import Progress, no_progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from evalign.engines.base import Engine
    from evalign.results.result import Parts, Result
    from evalign.significance.values import Resampling

# Copy of the formats in `evalign.readers`, which loads too much for --help.
FILE_FORMATS = ("auto", "plain", "conllu", "conllx", "trees", "discbracket", "export", "standoff")
# More resamples would not change a digit that is shown, and each takes memory.
MOST_RESAMPLES = 1_000_000
# Copy of the tests in `evalign.significance`.
TESTS = ("randomization", "bootstrap")
ALL = "all"
COUNTS = "counts"
# Headings of options that several declarations share.
WORK, SINGLE = "where the work is done", "single metrics"
READ, TREES = "reading and alignment", "trees in brackets"
LAYOUTS = ("systems", "metrics", COUNTS)

OptionsT = TypeVar("OptionsT", bound="DataclassInstance")


def read_names(text: str) -> tuple[str, ...]:
    """Split a list at its commas; empty names and repetitions are left out."""
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


def read_setting(text: str, flag: str, expected: str) -> tuple[str, str]:
    """Split NAME=VALUE, a value of the option `flag`; raise `CommandError` if it has no name or no value."""
    name, _, value = text.partition("=")
    if not name or not value:
        message = f'{flag} "{text}"'
        raise CommandError(message, expected)
    return name, value


def count(text: str, least: int = 0) -> int:
    """Read an integer from `least` up as the value of an option; raises `ArgumentTypeError` for other text."""
    if not text.isascii() or not text.isdigit() or len(text) > 18 or int(text) < least:
        msg = f"{text!r} is not a number from {least} up"
        raise argparse.ArgumentTypeError(msg)
    return int(text)


def share(text: str) -> float:
    """Read a number from 0 to 1 as the value of an option; raises `ArgumentTypeError` for other text."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        near = f"; did you mean {value / 100:g}?" if 1 < value <= 100 else ""
        message = f"{text!r} is not a number from 0 to 1{near}"
        raise argparse.ArgumentTypeError(message)
    return value


def _window(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 19:
        return int(text)
    msg = f"{text!r} is not a number of characters"
    raise argparse.ArgumentTypeError(msg)


def _jobs(text: str) -> int:
    from evalign.engines.base import MOST_WORKERS, count_cores

    if text == "auto":
        return min(count_cores(), MOST_WORKERS)
    if not text.isascii() or not text.isdigit() or len(text) > 9 or not 1 <= int(text) <= MOST_WORKERS:
        msg = f"{text!r} is not a number from 1 to {MOST_WORKERS} or auto"
        raise argparse.ArgumentTypeError(msg)
    return int(text)


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


def _passages(text: str) -> int | str:
    if text == ALL:
        return ALL
    if text.isascii() and text.isdigit():
        return int(text)
    msg = f"{text!r} is neither a number from 0 up nor all"
    raise argparse.ArgumentTypeError(msg)


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


def systems_option(help: str, nargs: Literal["+", "*"] = "+") -> Option:
    """Declare the systems, each as PATH or NAME=PATH."""
    return Option("systems", help, "SYSTEM", nargs=nargs, action=_Systems)


GOLD = Option("gold", "the file taken as right; - is standard input", "GOLD")
RESULT = Option("result", "a saved result: evalign score ... -o run.json", "RESULT")
FILES = (GOLD, Option("system", "the file being compared", "SYSTEM"))


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
        namespace.names = ()
        for action in parser._actions:
            if not action.option_strings:
                action.required = False


def stay_below_option(naming: str) -> Option:
    """Declare --stay-below, a folder: files outside of it, and URLs, are refused.

    It is meant for a manifest or another file that somebody else wrote and that names other files; the help
    calls this file `naming`.
    """
    return Option(
        "--stay-below",
        f"refuse files outside of a folder, and URLs: for a {naming} that somebody else has written",
        "DIR",
    )


COLLECTION = group(
    "shared tasks (GOLD and SYSTEM may be folders, their files matched by name)",
    Option(
        "--manifest",
        "a table (treebank, gold, raw if any, a column per system) or JSON that names the files of a run, instead of "
        "GOLD and SYSTEM",
        "FILE",
        action=_Manifest,
    ),
    Option(
        "--failures",
        "what averages do with a treebank that a system failed on, having no file or one that cannot be scored: leave it "
        "out (skip, the default), or count all of it as missed (zero)",
        choices=("skip", "zero"),
    ),
    Option(
        "--fail-on-failure",
        "exit with status 1 if a system failed on a treebank, whatever averages do with it; all is written first",
    ),
    Option(
        "--keep",
        "keep finished treebanks in a folder: the same command then goes on where it was stopped, and scores again only "
        "what has changed (with -o FILE: in FILE.parts, until FILE is written)",
        "DIR",
    ),
    stay_below_option("manifest"),
)


# Options for reading and aligning files.


def name_metrics() -> Iterable[str]:
    """List the names of metrics, for completion."""
    from evalign.metrics.registry import METRICS

    return METRICS


def _name_rules() -> Iterable[str]:
    from evalign.alignment.normalize import RULES

    return (*RULES, *(f"no-{name}" for name in RULES), "none")


def _name_presets() -> Iterable[str]:
    from evalign.options import PRESETS

    return PRESETS


def declared_option(
    options: type[DataclassInstance],
    name: str,
    metavar: str | None = None,
    names: Callable[[], Iterable[str]] | None = None,
) -> Option:
    """Declare an option as the field `name` of the dataclass `options` says; the flag is the name."""
    declared = {each.name: each for each in fields(options)}[name]
    default, choices, help = declared.default, declared.metadata.get("choices"), declared.metadata["help"]
    flag = "--" + name.replace("_", "-")
    if isinstance(default, bool):
        return Option(flag, help)
    if isinstance(default, (int, float)):
        least = declared.metadata.get("least", 0)
        kind, usual = (partial(count, least=least), "N") if isinstance(default, int) else (share, "X")
        return Option(flag, help, metavar or usual, kind, default=default)
    if name.endswith("_format"):
        choices = FILE_FORMATS
        help += f": {', '.join(FILE_FORMATS)}" if name == "gold_format" else ""
    # An option that is a list of names is read from one text.
    return Option(
        flag,
        help,
        metavar or (None if choices else "VALUE"),
        choices=choices,
        default=None if default == () else default,
        names=names,
    )


scoring_option = partial(declared_option, ScoreOptions)


def read_declared(options: type[OptionsT], arguments: argparse.Namespace) -> OptionsT:
    """Make the dataclass `options` of those of its fields that a command has."""
    return options(
        **{each.name: getattr(arguments, each.name) for each in fields(options) if each.name in arguments}
    )


# Options that can change a score.
SCORING = (
    scoring_option("metrics", "NAME,...", lambda: (*name_metrics(), "default", "all")),
    scoring_option("average"),
    *group(
        WORK,
        Option(
            "--window",
            "how far away text that was moved is looked for, in characters; what is further away is taken for missing and "
            "extra (with --stream: 1048576, else no limit)",
            "N",
            _window,
        ),
    ),
    *group(
        READ,
        scoring_option("gold_format", "NAME"),
        scoring_option("system_format", "NAME"),
        Option(
            RAW,
            "the raw text, on which gold and system are compared and in whose characters places are given: a file, several in "
            "the order of the text, or a folder (its *.txt, if it has any) in any order; after the other files",
            "FILE|DIR",
            nargs="+",
            action="extend",
        ),
        scoring_option("normalize", "NAME,...", _name_rules),
        scoring_option("exceptions", "LANG|FILE", lambda: ("en",)),
        scoring_option("credit_exceptions"),
        scoring_option("strict"),
        scoring_option("match"),
        scoring_option("split_spaces"),
        scoring_option("strategy"),
        scoring_option("layer", "NAME"),
    ),
    *group(
        TREES,
        scoring_option("preset", "NAME|FILE", _name_presets),
        scoring_option("empty"),
        scoring_option("punctuation"),
    ),
    *group(
        SINGLE,
        scoring_option("weights", "FILE"),
        scoring_option("vocabulary", "FILE"),
        scoring_option("candidates", "MARKS"),
    ),
)
# An option that has no place above stands behind them.
SCORING += group(SINGLE, *(scoring_option(name) for name in OPTIONS if not pick(SCORING, name)))
# Those of every command that reads and aligns two files.
READING = tuple(
    option
    for option in SCORING
    if option.group in (READ, TREES) and option.parameter not in ("split_spaces", "strategy", "layer")
)


def file_format_option(name: str, formats: Sequence[str] = FILE_FORMATS) -> Option:
    """Declare the option `name` for the format of all files of a command."""
    help = f"where the content does not show it: {', '.join(formats)}"
    return Option(name, help, "NAME", choices=formats, default="auto")


def read_options(arguments: argparse.Namespace) -> OptionKeywords:
    """Read the options of `evalign.score` that a command has; commands read --metrics in their own ways."""
    options = pick_options(vars(arguments))
    options.pop("metrics", None)
    return {**options, "normalize": read_names(arguments.normalize or "")}


# Options for where the work is done: --jobs, --cluster, --stream.

ENGINE = group(
    WORK,
    Option("--jobs", "in N processes of this machine; auto: one for each core", "N", _jobs),
    Option(
        "--cluster",
        "by the workers of a Dask scheduler, tcp://HOST:PORT, which read the files themselves",
        "ADDRESS",
    ),
)
# It bounds the memory for scoring one pair of files.
STREAM = Option(
    "--stream",
    "read and score part by part, in memory that does not grow with the files; the result is the same",
    group=WORK,
)


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
    from evalign.engines.base import open_engine

    return open_engine(read_engine(arguments), progress=progress)


# Options for breaking scores down: --by and --per.


class BreakdownChoice(NamedTuple):
    """Choice of breakdowns: kinds of labels (`per`), and other properties that split a result (`by`)."""

    per: tuple[str, ...] = ()
    by: tuple[str, ...] = ()

    def resolve(self, result: Result | Parts) -> BreakdownChoice:
        """Move the kinds of labels in `by` to `per`, so that both options give the same tables.

        "label" becomes the kind of labels that the evidence of `result` has.
        """
        if not self.by:
            return self
        from evalign.metrics.errors.breakdowns import BREAKDOWNS
        from evalign.results.result import Result
        from evalign.results.split import LABEL_BREAKDOWNS, find_labels

        systems = (result if isinstance(result, Result) else result.micro()).systems
        first = find_labels(systems) or LABEL_BREAKDOWNS[0]
        labels = [first if name == "label" else name for name in self.by if name in (*BREAKDOWNS, "label")]
        others = [name for name in self.by if name not in (*BREAKDOWNS, "label")]
        return BreakdownChoice(tuple(dict.fromkeys((*self.per, *labels))), tuple(others))

    def split(self, result: Result | Parts, done: Sequence[Parts] = ()) -> list[Parts]:
        """Split `result` by everything chosen, labels included, for the page.

        Parts in `done` are not computed again.
        """
        parts_by_name = {parts.by: parts for parts in done}
        choice = self.resolve(result)
        return [parts_by_name.get(by) or result.split(by) for by in dict.fromkeys((*choice.by, *choice.per))]


def _name_breakdowns() -> Iterable[str]:
    from evalign.metrics.errors.breakdowns import BREAKDOWNS

    return BREAKDOWNS


BREAKDOWNS = (
    Option(
        "--by",
        "also show scores by genre, document, length (of gold's sentences), frequency (of forms), label, relation or any "
        "kind that --per takes, the name of a comment in gold, or what a regular expression finds in names of documents; "
        "groups of several treebanks are added up",
        "NAME,...",
        action="append",
        names=lambda: dict.fromkeys(
            ("genre", "document", "length", "frequency", "label", *_name_breakdowns())
        ),
    ),
    Option(
        "--per",
        "also show precision, recall and F1 per relation, subtype (relation with subtype), tag, xpos, feature, "
        "feature-value, label (of brackets or stand-off spans)",
        "KIND,...",
        default="",
        names=_name_breakdowns,
    ),
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


COMPARISON = group(
    "comparison",
    Option(
        "--confidence",
        "intervals of this confidence by resampling units (95 where no number follows)",
        "PERCENT",
        _confidence,
        nargs="?",
        const="95",
        fits=r"[-+]?[0-9]*\.?[0-9]+%?",
        expects="a percentage",
    ),
    Option(
        "--paired",
        "compare every system with the first by a paired test: randomization (where no name follows) or bootstrap; "
        "p-values with Holm's correction",
        "TEST",
        choices=TESTS,
        nargs="?",
        const=TESTS[0],
        fits="|".join(TESTS),
        expects=" or ".join(TESTS),
    ),
)
ALL_PAIRS = Option(
    "--all-pairs",
    "with --paired: also print p-values of every pair of systems (JSON, CSV and the report always have them)",
    group="comparison",
)
DRAWS = group(
    "significance",
    Option(
        "--resamples",
        "how many resamples (default 1000, and for tests 1000 times the number of tests)",
        "N",
        _positive,
    ),
    Option("--seed", "where the random numbers start (default 12345)", "N", count),
)
# A test that decides whether a gate fails.
TEST = group(
    "significance",
    Option(
        "--significant",
        "a drop fails only if the paired test finds it significant; needs the same units of gold in both results",
    ),
    Option("--test", "default randomization", choices=TESTS),
    Option("--confidence", "default 95: p below 0.05", "PERCENT", _confidence),
    *DRAWS,
)


def read_resampling(arguments: argparse.Namespace) -> Resampling:
    """Read how units are resampled, from the options of `COMPARISON` or `TEST`, and of `DRAWS`.

    Options that are not given keep their defaults.
    """
    from evalign.significance.values import Resampling

    options = {"seed": arguments.seed, "resamples": arguments.resamples}
    # The name of the test is in --paired or, of a gate, in --test.
    options |= {"confidence": arguments.confidence, "test": getattr(arguments, "paired", None)}
    options["test"] = options["test"] or getattr(arguments, "test", None)
    return Resampling(**{name: value for name, value in options.items() if value is not None})


def check_resampling(arguments: argparse.Namespace, *, used: bool) -> None:
    """Raise `CommandError` for --seed or --resamples if nothing is resampled (`used` is false)."""
    for name in ("seed", "resamples"):
        if getattr(arguments, name) is not None and not used:
            msg = f"--{name} without anything to resample"
            raise CommandError(msg, "--confidence or --paired with it")


# Options for where results go, and how much of them is kept.


FAIL_ON_WARNING = Option(
    "--fail-on-warning",
    "exit status 1 if there is any warning, also with --quiet; results are written all the same",
)
LAYOUT = Option(
    "--layout",
    "systems: a row per system, a column per metric, as in papers; metrics: a row per metric and system with counts, "
    "precision and recall; counts: TP, FP and FN per metric and system. Folders have systems with a row per treebank and "
    "system, metrics with a table per metric, counts with a row per treebank. JSON has everything in any layout; CSV has a "
    "row per number in either layout of scores, counts with columns for TP, FP and FN",
    choices=LAYOUTS,
)
REPORT = Option(
    "--report",
    "also write a page for the browser; - is standard output, which then has no table",
    "FILE.html",
)
PASSAGES = Option(
    "--passages",
    "how many passages with errors a saved result and the page keep of each system at most, chosen over the kinds of "
    "errors (default 300); all errors are counted in any case",
    "N|all",
    _passages,
)
ONLY = Option(
    "--only",
    "print one number per system: tokens.f1, sentences.correct, crossing.two_or_less; of folders its macro average",
    "METRIC[.PART]",
    names=name_metrics,
)


def output_options(formats: Sequence[str], *others: Option, warns: bool = True) -> tuple[Option, ...]:
    """Declare --format, --output, `others`, --quiet and, for a command that `warns`, --fail-on-warning.

    The first of `formats` is the default.
    """
    return group(
        "output",
        Option("--format", f"default {formats[0]}", choices=formats),
        Option("-o --output", "write to a file, in --format or as its ending says", "FILE"),
        *others,
        Option("-q --quiet", "only results, no warnings"),
        *([FAIL_ON_WARNING] if warns else []),
    )


def folder_output(help: str, quiet: str, *others: Option) -> tuple[Option, ...]:
    """Declare where a command writes that writes a folder: --output, `others`, --quiet and --fail-on-warning.

    `help` and `quiet` are the help of --output and --quiet.
    """
    return group(
        "output",
        Option("-o --output", help, "DIR", required=True),
        *others,
        Option("-q --quiet", quiet),
        FAIL_ON_WARNING,
    )


def most_passages(arguments: argparse.Namespace) -> int | None:
    """Return how many passages are kept of each system; None for all."""
    if arguments.passages is None:
        from evalign.metrics.metric import MOST_PASSAGES

        return MOST_PASSAGES
    return None if arguments.passages == ALL else int(arguments.passages)
