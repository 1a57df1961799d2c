"""`evalign bitext build`: hide translations in corpora of two languages."""

from __future__ import annotations

import argparse

from evalign.cli.engines import add_engine, engine_of
from evalign.cli.parser import Parser, add_fail_on_warning, tell, warn
from evalign.cli.progress import ProgressLine
from evalign.cli.sources import add_stay_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.bitext.build import Built


def make_parser() -> Parser:
    """Arguments of the command."""
    parser = Parser(
        "bitext build",
        "evalign bitext build config.toml -o fr-en",
        "Build a data set for the extraction of parallel sentences, as those of the BUCC shared tasks were built: "
        "documents of two languages that are no translations of each other, with known translations hidden in them.",
        "A build that was stopped goes on where it was when it is started again.",
    )
    parser.add_argument(
        "config",
        metavar="CONFIG",
        help="a file in TOML that names the pair of languages, documents and translations",
    )
    add_engine(parser)
    add_stay_below(parser.add_argument_group("input"), "configuration")
    group = parser.add_argument_group("output")
    group.add_argument("-o", "--output", metavar="DIR", required=True, help="the folder of the data set")
    group.add_argument(
        "--overwrite", action="store_true", help="replace another data set, or other files, in that folder"
    )
    group.add_argument(
        "--keep-stages",
        action="store_true",
        help="keep what the stages wrote, in DIR/.build: building with other settings is quicker then",
    )
    group.add_argument("-q", "--quiet", action="store_true", help="only what was built, no warnings")
    add_fail_on_warning(group)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Build, say what was built."""
    from evalign.bitext.build import build_dataset

    with ProgressLine(quiet=arguments.quiet) as progress, engine_of(arguments, progress) as engine:
        built = build_dataset(
            arguments.config,
            arguments.output,
            overwrite=arguments.overwrite,
            keep_stages=arguments.keep_stages,
            progress=progress,
            engine=engine,
            stay_below=arguments.stay_below,
        )
    warn(built.warnings, arguments)
    if built.kept:
        tell(f"kept from before: {', '.join(built.kept)}", arguments)
    if built.was_finished:
        tell(
            f"{arguments.output} is finished, from the same configuration and inputs: nothing to do",
            arguments,
        )
    for line in _describe(built):
        print(line)
    tell(f"evalign bitext stats {arguments.output} shows more", arguments)
    return 0


def _describe(built: Built) -> list[str]:
    """A line for each split: sentences of both languages, gold pairs."""
    columns = (built.dataset.first, built.dataset.second, "gold")
    rows: list[tuple[str, ...]] = [("", *columns)]
    rows += [(split, *(f"{counts[name]:,}" for name in columns)) for split, counts in built.sizes.items()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [_align(row, widths) for row in rows]


def _align(row: tuple[str, ...], widths: list[int]) -> str:
    cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
    return "  ".join([row[0].ljust(widths[0]), *cells])
