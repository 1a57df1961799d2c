"""`evalign typology weights`: the file of weights that WLAS needs."""

from __future__ import annotations

import argparse

from evalign.cli.parser import Parser, add_output, output_format, warn
from evalign.cli.reported import show
from evalign.cli.typology.settings import FORMATS, add_settings, add_treebanks, read_profiles

# The file itself comes first: it is what the command is for.
WEIGHT_FORMATS = ("json", *(format for format in FORMATS if format != "json"))


def make_parser() -> Parser:
    """Arguments of the command."""
    parser = Parser(
        "typology weights",
        "evalign typology weights en_ewt-ud-train.conllu fi_tdt-ud-train.conllu -o weights.json\n"
        "evalign score gold.conllu system.conllu --metrics las,wlas --weights weights.json",
        "Make weights for WLAS: the word dependency entropy of each relation, averaged over treebanks.",
    )
    add_treebanks(parser)
    add_settings(parser, "case", "vocabulary", "missing", "relations")
    add_output(parser, WEIGHT_FORMATS)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Read, measure, write."""
    format = output_format(arguments, WEIGHT_FORMATS)
    profiles = read_profiles(arguments)
    warn(profiles.warnings, arguments)
    from evalign.reports import report_weights

    show(report_weights(profiles), arguments, format)
    return 0
