"""`evalign typology select`: choose treebanks to compare."""

from __future__ import annotations

import argparse

from evalign.cli.parser import Parser, add_output, count, names, output_format, warn
from evalign.cli.reported import show
from evalign.cli.typology.settings import FORMATS, add_treebanks, read_profiles, share
from evalign.errors import CommandError


def make_parser() -> Parser:
    """Arguments of the command."""
    parser = Parser(
        "typology select",
        "evalign typology select UD_*\nevalign typology select UD_* --least-tokens 10000 --format json",
        "Choose treebanks to compare: with features, large enough, mostly projective, one for each language.",
    )
    add_treebanks(parser)
    group = parser.add_argument_group(
        "what a treebank must be like (defaults are the paper's, but for features)"
    )
    group.add_argument(
        "--features",
        choices=("needed", "ignored"),
        default="needed",
        help="whether words must have features (default needed)",
    )
    group.add_argument(
        "--least-featured",
        metavar="X",
        type=share,
        default=0.05,
        help="at least this share of words with features (default 0.05: of treebanks without morphology up to 2 %% "
        "have some, of others 12 %% and more; 0: any word)",
    )
    group.add_argument(
        "--least-tokens", metavar="N", type=count, default=30_000, help="at least N tokens (default 30000)"
    )
    group.add_argument(
        "--most-nonprojective",
        metavar="X",
        type=share,
        default=0.25,
        help="less than this share of non-projective trees (default 0.25)",
    )
    group.add_argument(
        "--per-language",
        choices=("largest", "all"),
        default="largest",
        help="of each language only the largest, or all (default largest)",
    )
    group.add_argument(
        "--prefer",
        metavar="NAME,...",
        default="",
        help="treebanks that were corrected by hand: they are taken before larger ones",
    )
    group.add_argument(
        "--language",
        metavar="NAME=LANGUAGE",
        action="append",
        default=[],
        help="the language of a treebank, where its name does not begin with it",
    )
    add_output(parser, FORMATS)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Read, choose, print."""
    format = output_format(arguments, FORMATS)
    languages = dict(_language(text) for text in arguments.language)
    profiles = read_profiles(arguments)
    warn(profiles.warnings, arguments)
    from evalign.reports import report_selection
    from evalign.typology import Criteria, select

    criteria = Criteria(
        arguments.features,
        arguments.least_tokens,
        arguments.most_nonprojective,
        arguments.per_language,
        arguments.least_featured,
    )
    selection = select(profiles, criteria, prefer=names(arguments.prefer), languages=languages)
    advice = "; --prefer NAME takes another"
    warn([f"{warning}{advice}" for warning in selection.warnings], arguments)
    show(report_selection(selection), arguments, format)
    return 0


def _language(text: str) -> tuple[str, str]:
    name, _, language = text.partition("=")
    if not name or not language:
        message = f'--language "{text}"'
        raise CommandError(message, "a treebank and its language: --language my_treebank=fi")
    return name, language
