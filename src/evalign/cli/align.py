"""`evalign align`: print the aligned blocks, or the system's tokens in gold's sentences."""

from __future__ import annotations

import argparse

from evalign.cli.command import Command, Option, check_standard_input, pick
from evalign.cli.diff import compare
from evalign.cli.output import columns, emit, output_format, warn
from evalign.cli.shared_options import FILES, READING, SCORING, output_options

FORMATS = ("table", "jsonl")


def run(arguments: argparse.Namespace) -> int:
    """Run `evalign align`: align both files, print the blocks or the regrouped tokens."""
    check_standard_input(arguments.gold, arguments.system, arguments.raw)
    format = output_format(arguments, FORMATS)
    comparison, warnings = compare(arguments)
    warn(warnings, arguments)
    if arguments.resegment:
        from evalign.reports.blocks import render_sentences

        emit(render_sentences(comparison.alignment.resegment(), format), arguments, is_data=True)
        return 0
    from evalign.reports.blocks import render_blocks, render_blocks_jsonl, view_blocks

    blocks = view_blocks(comparison)
    pieces = render_blocks_jsonl(blocks) if format == "jsonl" else render_blocks(blocks, columns())
    emit(pieces, arguments)
    return 0


COMMAND = Command(
    "align",
    (
        "evalign align examples/gold.conllu examples/system.txt",
        "evalign align examples/gold.conllu examples/system.txt --format jsonl -o blocks.jsonl",
        "evalign align examples/gold.conllu examples/system.txt --resegment -o resegmented.txt",
    ),
    'Print the aligned blocks: m:n sentences, "~~~" between merged parts, TP where gold and system agree.',
    (
        *FILES,
        Option(
            "--resegment",
            "write the system's tokens, one line for each sentence of gold (with --format jsonl, one list)",
        ),
        *output_options(FORMATS),
        *READING,
        *pick(SCORING, "split_spaces"),
    ),
    run,
)
