"""What the commands of `evalign typology` share: treebanks, the choices the paper leaves open, pictures."""

from __future__ import annotations

import argparse

from evalign.cli.parser import Parser, check_standard_input, count
from evalign.cli.progress import Progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.typology import Profiles

FORMATS = ("table", "json", "csv", "markdown", "latex")


def add_treebanks(parser: Parser) -> None:
    """The treebanks to look at."""
    parser.add_argument(
        "treebanks",
        metavar="TREEBANK",
        nargs="+",
        help="a CoNLL-U file, or a folder whose CoNLL-U files are one treebank; - is standard input",
    )


def add_settings(parser: Parser, *names: str) -> argparse._ArgumentGroup:
    """The choices that the paper leaves open: those of these names."""
    group = parser.add_argument_group("choices that the paper leaves open")
    if "case" in names:
        group.add_argument(
            "--case", choices=("keep", "lower"), default="keep",
            help="whether forms that differ in case are different words (default: they are)",
        )  # fmt: skip
    if "vocabulary" in names:
        group.add_argument(
            "--vocabulary", choices=("treebank", "relation"), default="treebank",
            help="WDE: whose distinct forms bound the entropy (default: all of the treebank)",
        )  # fmt: skip
    if "missing" in names:
        group.add_argument(
            "--missing", metavar="X", type=share, default=0.5,
            help="averaged WDE: the value of a relation that a treebank does not have (default 0.5)",
        )  # fmt: skip
    if "chunk" in names:
        group.add_argument(
            "--chunk", metavar="N", type=count, default=1000, help="STTR: words per chunk (default 1000)"
        )
        group.add_argument(
            "--last-chunk", choices=("drop", "keep"), default="drop",
            help="STTR: whether a last chunk that is not full counts (default: it does not)",
        )  # fmt: skip
        group.add_argument(
            "--sttr-without", choices=("upos", "relation", "nothing"), default="upos",
            help="STTR: leave out words whose UPOS is PUNCT, whose relation is punct, or none (default upos)",
        )  # fmt: skip
    if "share_of" in names:
        group.add_argument(
            "--share-of", choices=("all", "no-punct", "classes"), default="all",
            help="shares: of all relations, of all but punct, of content and function (default all)",
        )  # fmt: skip
    if "relations" in names:
        add_relations(group)
    return group


def add_relations(group: argparse._ArgumentGroup) -> None:
    """Whose classes of relations are used."""
    group.add_argument(
        "--relations", choices=("auto", "v1", "v2"), default="auto",
        help="classes of UD version 1 or 2 (default: of the version that the labels show)",
    )  # fmt: skip


def add_variance(group: Parser | argparse._ArgumentGroup) -> None:
    """What variances are divided by."""
    group.add_argument(
        "--variance", choices=("population", "sample"), default="population",
        help="over n treebanks, or over n - 1 (default population)",
    )  # fmt: skip


def add_root_heads(group: argparse._ArgumentGroup) -> None:
    """What the root counts as in cascading errors."""
    group.add_argument(
        "--root-heads", choices=("wrong", "left-out", "right"), default="wrong",
        help="a word that the system makes a root has no head that is attached: what it counts as (default wrong)",
    )  # fmt: skip


def share(text: str) -> float:
    """A number from 0 to 1, as an option has it."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        near = f"; did you mean {value / 100:g}?" if 1 < value <= 100 else ""
        message = f"{text!r} is not a number from 0 to 1{near}"
        raise argparse.ArgumentTypeError(message)
    return value


def read_profiles(arguments: argparse.Namespace) -> Profiles:
    """Profiles of the treebanks that were named."""
    from evalign.typology import ProfileOptions, profile

    check_standard_input(*arguments.treebanks)
    given = {name: getattr(arguments, name) for name in ProfileOptions._fields if hasattr(arguments, name)}
    progress = Progress(quiet=arguments.quiet)
    try:
        return profile(*arguments.treebanks, settings=ProfileOptions(**given), progress=progress)
    finally:
        progress.clear()
