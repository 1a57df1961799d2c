"""`evalign doctor` and `evalign triples`: what is odd about files, and what is annotated in one."""

from __future__ import annotations

import argparse

from evalign.cli.command import Command, Option, check_standard_input, pick
from evalign.cli.output import columns, emit, output_format, use_color, warn
from evalign.cli.shared_options import FILE_FORMATS, SCORING, file_format_option, output_options

FORMATS = ("table", "json")


def run(arguments: argparse.Namespace) -> int:
    """Run `evalign doctor`: examine each file, compare the others with the first, print the findings."""
    from evalign.readers.doctor import examine, find_hints
    from evalign.reports.doctor import render_doctor

    check_standard_input(*arguments.files)
    format = output_format(arguments, FORMATS)
    reports = [examine(path, arguments.file_format) for path in arguments.files]
    hints = [hint for other in reports[1:] for hint in find_hints(reports[0], other)]
    emit(
        [render_doctor(reports, hints, format, columns=columns(), color=use_color(arguments))],
        arguments,
    )
    findings = [finding for report in reports for finding in report.findings]
    arguments.n_warnings = sum(finding.severity == "warning" for finding in (*findings, *hints))
    return 1 if any(report.error for report in reports) else 0


DOCTOR = Command(
    "doctor",
    ("evalign doctor examples/gold.conllu examples/system.txt",),
    "Examine files: encoding, normal form, byte order mark, line ends, ids, sizes, and, of two or more, whether they "
    "belong together and in this order.",
    (
        Option("files", "files to examine; gold first", "FILE", nargs="+"),
        file_format_option("--file-format"),
        *output_options(FORMATS),
    ),
    run,
    "exit status: 0 whatever was found, 1 if a file cannot be read, or with --fail-on-warning if there is a warning",
)


# triples: all annotations of a file as labelled spans.

TRIPLE_FORMATS = ("table", "tsv", "csv", "json", "jsonl")


def run_triples(arguments: argparse.Namespace) -> int:
    """Run `evalign triples`: read the file, align it with the raw text if there is one, print its triples."""
    from evalign.reports.triples import render_triples
    from evalign.scoring.extraction import extract

    check_standard_input(arguments.file, arguments.raw)
    if arguments.format is None and str(arguments.output or "").lower().endswith(".tsv"):
        arguments.format = "tsv"
    format = output_format(arguments, TRIPLE_FORMATS)
    extraction = extract(arguments.file, raw=arguments.raw, format=arguments.input_format)
    warn(extraction.warnings, arguments)
    # A saved table does not depend on the width of the terminal.
    width = None if arguments.output and arguments.output != "-" else columns()
    emit(render_triples(extraction, format, columns=width), arguments, is_data=format in ("tsv", "csv"))
    return 0


TRIPLES = Command(
    "triples",
    (
        "evalign triples examples/gold.mrg --raw examples/trees.txt",
        "evalign triples examples/gold.conllu --raw examples/raw.txt --format tsv -o gold.tsv",
    ),
    "Print sentences (SENT), tokens (TOK), tags (POS:tag), constituents and dependencies as triples: start, end, label. "
    "Positions lie between the characters of the raw text, white space included; without --raw they are those of the "
    "tokens written one after the other, without white space.",
    (
        Option("file", "trees, CoNLL-U or plain text; - is standard input", "FILE"),
        # Stand-off tables are what the command writes, so it does not read them.
        file_format_option("--input-format", [name for name in FILE_FORMATS if name != "standoff"]),
        *pick(SCORING, "raw"),
        *output_options(TRIPLE_FORMATS),
    ),
    run_triples,
    "A table in tsv is what evalign score reads as stand-off spans (with the same --raw). Tags are XPOS, or UPOS where "
    "there is none.",
)
