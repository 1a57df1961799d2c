"""`evalign score`: a table for one or several systems."""

from __future__ import annotations

import argparse

from evalign.cli.assess import CommandAssessor
from evalign.cli.engines import add_engine, add_streaming, read_spread
from evalign.cli.groupings import Groupings, add_groupings, read_groupings
from evalign.cli.parser import (
    Parser,
    add_all_pairs,
    add_feature_values,
    add_files,
    add_output,
    add_reading,
    add_resampling,
    add_split_spaces,
    check_standard_input,
    emit,
    names,
    output_format,
    warn,
)  # fmt: skip
from evalign.cli.save import (
    add_saved,
    check_saved,
    is_saved,
    make_page,
    most_passages,
    prints_page,
    save,
    write_page,
)  # fmt: skip
from evalign.cli.show import add_layout, check_shown, show_result
from evalign.cli.sources import add_collection, is_collection
from evalign.cli.unavailable import check_available, has_number
from evalign.errors import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.results import Parts, Result
    from evalign.scoring import ScoreOptions

FORMATS = ("table", "json", "csv", "markdown", "latex", "typst")


def make_parser() -> Parser:
    """Arguments of the command."""
    parser = Parser(
        "score",
        "evalign score examples/gold.conllu examples/system.txt\n"
        "evalign score examples/gold.conllu examples/system.txt examples/second.conllu --metrics tokens,pk\n"
        "evalign score examples/gold.conllu examples/second.conllu --only tokens.f1\n"
        "evalign score examples/gold.conllu examples/second.conllu examples/system.txt --layout counts\n"
        "evalign score examples/gold.conllu examples/second.conllu --metrics las --per relation\n"
        "evalign score examples/gold.mrg examples/system.mrg --preset document-parsing --per label\n"
        "evalign score examples/gold.conllu examples/second.conllu examples/system.txt --confidence --paired\n"
        "evalign score gold.tsv system.tsv --raw text.txt --layer entities",
        "Score one or several systems against gold, whatever the segmentation: sentences, tokens, words, tags, "
        "features, lemmas, dependencies, constituents, spans of stand-off tables.",
        "evalign explain NAME says what a metric is; evalign explain lists them.",
    )
    add_files(parser, several=True)
    add_collection(parser)
    parser.add_argument(
        "--metrics",
        metavar="NAME,...",
        help="what to score; all for everything, default,NAME for more (default: sentences, tokens, words, and the tags, lemmas and trees "
        "that the files have)",
    )
    parser.add_argument(
        "--average",
        choices=("micro", "document", "sentence"),
        default="micro",
        help="sum counts first (micro), or average over gold documents or gold sentences",
    )
    parser.add_argument(
        "--strategy",
        choices=("places", "printed"),
        default="places",
        help="printed: Algorithm 1 as Jo et al. 2024 print it, for comparison",
    )
    parser.add_argument("--vocabulary", metavar="FILE", help="known words, one per line, for the metric oov")
    parser.add_argument(
        "--candidates", metavar="MARKS", default="", help="marks that may end a sentence (disambiguation)"
    )
    parser.add_argument(
        "--layer",
        metavar="NAME",
        default="",
        help="what the spans of stand-off tables are called (default: spans)",
    )
    add_streaming(add_engine(parser))
    add_reading(parser)
    add_split_spaces(parser)
    _add_columns(parser)
    add_output(parser, FORMATS)
    add_layout(parser)
    add_all_pairs(add_resampling(parser))
    add_groupings(parser)
    add_saved(parser)
    parser.add_argument(
        "--only",
        metavar="METRIC[.PART]",
        help="print one number per system: tokens.f1, sentences.correct, crossing.two_or_less",
    )
    return parser


def _add_columns(parser: Parser) -> None:
    """What is asked of tags, trees and graphs."""
    group = parser.add_argument_group("tags, trees and graphs")
    add_feature_values(group)
    group.add_argument(
        "--edges",
        choices=("once", "all"),
        default="once",
        help="all: compare every enhanced edge with every other, as the UD tools do, which may exceed 100",
    )
    group.add_argument(
        "--collapse-empty-nodes", action="store_true", help="replace paths through empty nodes by edges"
    )
    group.add_argument(
        "--weights", metavar="FILE", help="what relations weigh in wlas (evalign typology weights)"
    )
    group.add_argument(
        "--relations",
        choices=("auto", "v1", "v2"),
        default="auto",
        help="version of UD that says which relations are content and function relations (default: the version of gold's labels)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Score, then print."""
    check_shown(arguments)
    collected = is_collection(arguments)
    groupings = read_groupings(arguments)
    if arguments.split_spaces and any(groupings):
        from evalign.scoring import refuse_columns

        refuse_columns((), (*groupings.per, *groupings.by))
    check_standard_input(
        arguments.gold, *(arguments.systems or ()), arguments.raw, arguments.vocabulary, arguments.weights
    )
    format = output_format(arguments, FORMATS)
    check_saved(arguments, format)
    if collected:
        from evalign.cli.collection import run_collection

        return run_collection(arguments, _options(arguments), format)
    from evalign.scoring import score

    assessor = CommandAssessor(arguments, page=bool(arguments.report))
    files = arguments.gold, *arguments.systems
    spread = read_spread(
        arguments, keeps=is_saved(arguments, format) or any(groupings) or bool(arguments.report)
    )
    with assessor.progress as progress:
        result = score(
            *files,
            raw=arguments.raw,
            by=groupings.by,
            names=arguments.names,
            progress=progress,
            **spread,
            **_options(arguments),
        )
    return _show(result, format, arguments, groupings, assessor)


def _show(
    result: Result,
    format: str,
    arguments: argparse.Namespace,
    groupings: Groupings,
    assessor: CommandAssessor,
) -> int:
    """Print, and save what is to be saved."""
    from evalign.reports import only_value

    only = [only_value(s, arguments.only) + "\n" for s in result.systems] if arguments.only else []
    warn(result.warnings, arguments)
    assessor.of(result)  # what cannot be tested is refused before anything is written
    if is_saved(arguments, format):
        save(result, arguments, assessor)
        arguments.output, format = None, "table"
    split: list[Parts] = []
    if only:
        # Of a number that no system has there is nothing to print.
        emit(only if has_number(result.systems, arguments.only) else [], arguments)
    elif not prints_page(arguments):
        split = show_result(result, format, arguments, groupings, assessor, arguments.layout or "")
    if arguments.report:
        # What was printed is there already.
        splits = groupings.split(result, split)
        page = make_page(result, assessor, passages=most_passages(arguments), splits=splits)
        write_page(page, arguments.report)
    check_available(result, arguments)
    return 0


def _options(arguments: argparse.Namespace) -> ScoreOptions:
    """The options of `evalign.score`; raw text is no part of them, as it may be a folder where others are."""
    return {
        "metrics": _metrics(arguments),
        "match": arguments.match,
        "normalize": names(arguments.normalize),
        "exceptions": arguments.exceptions,
        "credit_exceptions": arguments.credit_exceptions,
        "strict": arguments.strict,
        "strategy": arguments.strategy,
        "average": arguments.average,
        "gold_format": arguments.gold_format,
        "system_format": arguments.system_format,
        "candidates": arguments.candidates,
        "vocabulary": _read_vocabulary(arguments.vocabulary),
        "feature_values": arguments.feature_values,
        "edges": arguments.edges,
        "collapse_empty_nodes": arguments.collapse_empty_nodes,
        "relations": arguments.relations,
        "weights": arguments.weights,
        "layer": arguments.layer,
        "preset": arguments.preset,
        "empty": arguments.empty,
        "punctuation": arguments.punctuation,
        "split_spaces": arguments.split_spaces,
    }


def _metrics(arguments: argparse.Namespace) -> tuple[str, ...]:
    """The metrics asked for: what --only names is one of them, and alone if nothing else is said."""
    metrics = names(arguments.metrics or "")
    if arguments.metrics is not None and not metrics:
        msg = "--metrics without a name"
        raise CommandError(msg, "metrics separated by commas, or all", "evalign explain lists them")
    if arguments.only is None:
        return metrics
    if arguments.format and not arguments.output:
        msg = f"--only with --format {arguments.format}"
        raise CommandError(msg, "one of the two", "--only prints plain numbers, one for each system")
    wanted = arguments.only.partition(".")[0]
    if wanted in ("", "all"):
        msg = f'--only "{arguments.only}"'
        raise CommandError(msg, "one metric, and a part of it if you like: --only tokens.f1")
    if arguments.metrics is None and not arguments.output:
        return (wanted,)
    return tuple(dict.fromkeys((*(metrics or ("default",)), wanted)))


def _read_vocabulary(path: str | None) -> list[str] | None:
    if path is None:
        return None
    from evalign.readers import load

    return [line.strip() for line in load(path).data.decode("utf-8").split("\n") if line.strip()]
