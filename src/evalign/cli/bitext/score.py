"""`evalign bitext score`: pairs of sentences that systems extracted against those that were hidden."""

from __future__ import annotations

import argparse

from evalign.cli.assess import CommandAssessor
from evalign.cli.groupings import Groupings
from evalign.cli.parser import (
    Parser,
    add_all_pairs,
    add_output,
    add_resampling,
    add_systems,
    check_standard_input,
    check_writable,
    count,
    emit,
    names,
    output_format,
    warn,
)  # fmt: skip
from evalign.cli.save import add_report, check_saved, is_saved, make_page, prints_page, save, write_page
from evalign.cli.show import check_shown, show_result
from evalign.cli.unavailable import check_available, has_number
from evalign.errors import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.results import Result

FORMATS = ("table", "json", "csv", "markdown", "latex", "typst")


def make_parser() -> Parser:
    """Arguments of the command."""
    parser = Parser(
        "bitext score",
        "evalign bitext score fr-en/fr-en.test.gold mined/fr-en.test.lexical.tsv\n"
        "evalign bitext score fr-en.test.gold one.test.tsv two.test.tsv --training fr-en.training.gold "
        "one.training.tsv two.training.tsv --confidence --paired\n"
        "evalign bitext score fr-en/fr-en.test.gold test.tsv --corpora fr-en --review review.tsv",
        "Score files of extracted pairs, first-id TAB second-id and a score if there is one, against gold: precision, recall "
        "and F1 over pairs as sets; where pairs have scores also the precision-recall curve, average precision and thresholds.",
        "evalign explain pairs says what is counted, and which published numbers are something else.",
    )
    parser.add_argument("gold", metavar="GOLD", help="the gold pairs; - is standard input")
    add_systems(parser, "the pairs being scored, NAME=FILE to name one; the first is the baseline")
    parser.add_argument(
        "--training",
        metavar="FILE",
        nargs="+",
        help="gold of the training split, then a file of each system for it: the threshold that is best there is applied",
    )
    parser.add_argument(
        "--recall-at",
        metavar="K,...",
        default="",
        help="recall among the K best candidates of each first sentence",
    )
    parser.add_argument(
        "--corpora",
        metavar="DIR",
        help="the data set: unknown ids are refused, examples have their sentences",
    )
    parser.add_argument(
        "--split",
        metavar="NAME",
        default="",
        help="the split that gold belongs to, where its file name does not say so",
    )
    review = parser.add_argument_group("review of false pairs")
    review.add_argument(
        "--review",
        metavar="FILE",
        help="write a sample of false pairs to be looked at: y or n in the column parallel",
    )
    review.add_argument("--review-size", metavar="N", type=count, help="how many of each system (default 50)")
    review.add_argument(
        "--reviewed", metavar="FILE", help="the sample filled in: precision is corrected by it"
    )
    add_output(parser, FORMATS)
    add_all_pairs(add_resampling(parser))
    add_report(parser)
    parser.add_argument("--only", metavar="METRIC[.PART]", help="print one number per system: pairs.f1")
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Score, then print."""
    from evalign.bitext.scoring import MOST_EXAMPLES, score_pairs

    arguments.per, arguments.by, arguments.passages = "", [], None
    check_shown(arguments)
    training, systems = arguments.training or [], arguments.systems
    check_standard_input(arguments.gold, *systems, *training, arguments.reviewed)
    format = output_format(arguments, FORMATS)
    check_saved(arguments, format)
    if arguments.review == "-":
        msg = "--review -"
        raise CommandError(msg, "a file, which people fill in: --review review.tsv")
    check_writable(arguments.review)
    if arguments.review_size is not None and not arguments.review:
        msg = "--review-size without --review"
        raise CommandError(msg, "a file to write the sample to: --review review.tsv")
    if arguments.split and not arguments.corpora:
        msg = "--split without --corpora"
        raise CommandError(msg, "the folder that has the corpora of the split")
    assessor = CommandAssessor(arguments, page=bool(arguments.report))
    examples = MOST_EXAMPLES if arguments.review_size is None else arguments.review_size
    with assessor.progress as progress:
        result = score_pairs(
            arguments.gold,
            *systems,
            training=training,
            names=arguments.names,
            recall_at=_numbers(arguments.recall_at),
            corpora=arguments.corpora,
            split=arguments.split,
            reviewed=arguments.reviewed,
            examples=examples,
            progress=progress,
        )
    return _show(result, format, arguments, assessor)


def _show(result: Result, format: str, arguments: argparse.Namespace, assessor: CommandAssessor) -> int:
    """Print, and save what is to be saved."""
    from evalign.reports import only_value

    only = [only_value(s, arguments.only) + "\n" for s in result.systems] if arguments.only else []
    warn(result.warnings, arguments)
    assessor.of(result)  # what cannot be tested is refused before anything is written
    if arguments.review:
        from evalign.bitext.scoring import render_review
        from evalign.files import write_whole

        samples = {system.name: (system.pairing or {}).get("false", []) for system in result.systems}
        write_whole(arguments.review, render_review(samples))
    if is_saved(arguments, format):
        save(result, arguments, assessor)
        arguments.output, format = None, "table"
    if only:
        emit(only if has_number(result.systems, arguments.only) else [], arguments)
    elif not prints_page(arguments):
        show_result(result, format, arguments, Groupings(), assessor)
    if arguments.report:
        write_page(make_page(result, assessor, passages=0), arguments.report)
    check_available(result, arguments)
    return 0


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(count(name) for name in names(text))
    except argparse.ArgumentTypeError as error:
        msg = f"--recall-at {text}: {error}"
        raise CommandError(msg, "numbers of candidates: --recall-at 1,5,10") from None
