"""Pictures of `evalign typology`: the options, and the file."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePath

from evalign.cli.parser import Parser, names
from evalign.errors import CommandError, InputError, Place
from evalign.files import write_whole

PICTURES = ("png", "svg", "pdf")


def add_plot(parser: Parser, figures: Mapping[str, str]) -> None:
    """A picture, and which figures of the paper are in it."""
    group = parser.add_argument_group("picture")
    group.add_argument(
        "--plot", metavar="FILE", help="draw it too, as FILE.png, FILE.svg or FILE.pdf (needs matplotlib)"
    )
    told = ", ".join(f"{number} ({what})" for number, what in figures.items())
    group.add_argument(
        "--figure", metavar="N,...", default=",".join(figures), help=f"which of the paper's figures: {told}"
    )
    parser.set_defaults(known_figures=tuple(figures))


def check_plot(arguments: argparse.Namespace) -> None:
    """No work is begun whose picture could not be drawn or written."""
    figures = names(arguments.figure)
    if not figures or set(figures) - set(arguments.known_figures):
        message = f'--figure "{arguments.figure}"'
        raise CommandError(message, f"some of {', '.join(arguments.known_figures)}")
    if arguments.plot is None:
        return
    kind = _kind(arguments.plot)
    if kind not in PICTURES:
        message = f'--plot "{arguments.plot}"'
        raise CommandError(message, f"a file that ends in .{', .'.join(PICTURES)}")
    if Path(arguments.plot).is_dir() or not Path(arguments.plot).parent.is_dir():
        raise InputError(Place(arguments.plot), "cannot be written", "a file in a folder that exists")
    from evalign.reports import need_matplotlib

    need_matplotlib()


def write_plot(arguments: argparse.Namespace, draw: Callable[[str, Sequence[str]], bytes]) -> None:
    """Draw, then write the picture whole or not at all."""
    write_whole(arguments.plot, draw(_kind(arguments.plot), names(arguments.figure)))


def _kind(path: str) -> str:
    return PurePath(path).suffix.lower().removeprefix(".")
