"""`evalign score`: a table for one or several systems."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from evalign.cli.parser import (
    Parser,
    add_files,
    add_output,
    add_reading,
    check_standard_input,
    columns,
    emit,
    names,
    output_format,
    use_color,
    warn,
)  # fmt: skip
from evalign.errors import InputError, Place

FORMATS = ("table", "json", "csv", "markdown", "latex")


def make_parser() -> Parser:
    """Arguments of the command."""
    parser = Parser(
        "score",
        "evalign score gold.conllu system.txt\n"
        "evalign score gold.conllu a.txt b.conllu --metrics sentences,tokens,pk --format json\n"
        "evalign score gold.conllu system.conllu --only tokens.f1",
        "Score one or several systems against gold: sentences, tokens and words, whatever the segmentation.",
        "evalign explain NAME says what a metric is; evalign explain lists them.",
    )
    add_files(parser, several=True)
    parser.add_argument(
        "--metrics",
        metavar="NAME,...",
        default="sentences,tokens,words",
        help="what to score; all for everything",
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
    add_reading(parser)
    add_output(parser, FORMATS)
    parser.add_argument(
        "--only", metavar="METRIC[.PART]", help="print one number: tokens.f1, sentences.correct"
    )
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Score, then print."""
    from evalign.evaluate import score
    from evalign.reports.scores import only_value, render_scores

    check_standard_input(arguments.gold, *arguments.systems)
    metrics = names(arguments.metrics)
    if arguments.only and (wanted := arguments.only.partition(".")[0]) not in metrics:
        metrics = (*metrics, wanted)
    result = score(
        arguments.gold,
        *arguments.systems,
        metrics=metrics,
        match=arguments.match,
        normalize=names(arguments.normalize),
        exceptions=arguments.exceptions,
        credit_exceptions=arguments.credit_exceptions,
        strict=arguments.strict,
        strategy=arguments.strategy,
        average=arguments.average,
        gold_format=arguments.gold_format,
        system_format=arguments.system_format,
        candidates=arguments.candidates,
        vocabulary=_read_vocabulary(arguments.vocabulary),
        raw=arguments.raw,
    )
    warn(result.warnings, arguments)
    if arguments.only:
        emit(only_value(result, arguments.only) + "\n", arguments)
        return 0
    format = output_format(arguments, FORMATS)
    if arguments.output and format == "json":
        # The whole result goes to the file; the table is still what a person wants to see.
        result.save(arguments.output)
        sys.stdout.write(render_scores(result, "table", columns=columns(), color=use_color()))
    else:
        color = use_color() and not arguments.output
        emit(render_scores(result, format, columns=columns(), color=color), arguments)
    return 0


def _read_vocabulary(path: str | None) -> list[str] | None:
    if path is None:
        return None
    try:
        return Path(path).read_text(encoding="utf-8").split()
    except OSError as error:
        raise InputError(Place(path), f"cannot be read ({error.strerror})", "a list of words") from None
    except UnicodeDecodeError as error:
        raise InputError(
            Place(path), f"byte {error.start} is not UTF-8", "a list of words in UTF-8"
        ) from None
