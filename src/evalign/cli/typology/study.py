"""`evalign typology study`: tables and figures of the paper, of a folder of treebanks and a system."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path

from evalign.cli.engines import add_engine, engine_of
from evalign.cli.parser import Parser, add_fail_on_warning, names, tell, warn
from evalign.cli.progress import Progress
from evalign.cli.typology.plots import PICTURES
from evalign.cli.typology.settings import add_root_heads, add_settings, add_variance
from evalign.errors import CommandError, InputError, Place


def make_parser() -> Parser:
    """Arguments of the command."""
    parser = Parser(
        "typology study",
        "evalign typology study gold_folder system_folder -o study\n"
        "evalign typology study gold_folder system_folder -o study --pictures svg,pdf",
        "Everything at once: profile and weights of a folder of treebanks, scores of a system, Tables 1, 3 and 5, "
        "Figures 2 to 5 and the correlations of section 7, as files and as one page.",
        "Files are matched by name, as evalign score does. What cannot be had (pictures without matplotlib, "
        "correlations of one treebank) is left out, and the page and standard error say why.",
    )
    parser.add_argument("gold", metavar="GOLD_DIR", help="the folder of gold files, one for each treebank")
    parser.add_argument("system", metavar="SYSTEM_DIR", help="the folder of the system's files")
    parser.add_argument(
        "--weights", metavar="FILE", help="weights of WLAS (default: made of these treebanks)"
    )
    group = add_settings(parser, "case", "vocabulary", "missing", "chunk", "share_of", "relations")
    add_variance(group)
    add_root_heads(group)
    add_engine(parser)
    group = parser.add_argument_group("output")
    group.add_argument("-o", "--output", metavar="DIR", required=True, help="the folder to write to")
    group.add_argument(
        "--overwrite",
        action="store_true",
        help="write into a folder that has files, over those of the same name",
    )
    group.add_argument(
        "--pictures",
        metavar="KIND,...",
        default="svg",
        help=f"kinds of pictures, of {', '.join(PICTURES)} (default svg)",
    )
    group.add_argument("-q", "--quiet", action="store_true", help="no warnings, and not what was written")
    add_fail_on_warning(group)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Study, write."""
    from evalign.metrics import load_weights
    from evalign.reports import PAGE, make_study_files
    from evalign.typology import ProfileOptions, study

    kinds = names(arguments.pictures)
    if not kinds or set(kinds) - set(PICTURES):
        message = f'--pictures "{arguments.pictures}"'
        raise CommandError(message, f"some of {', '.join(PICTURES)}")
    _check_output(arguments)
    weights = load_weights(arguments.weights) if arguments.weights else None
    settings = ProfileOptions(**{name: getattr(arguments, name) for name in ProfileOptions._fields})
    with Progress(quiet=arguments.quiet) as progress, engine_of(arguments, progress) as engine:
        found = study(
            arguments.gold,
            arguments.system,
            settings=settings,
            weights=weights,
            variance=arguments.variance,
            root_heads=arguments.root_heads,
            engine=engine,
            progress=progress,
        )
        made = make_study_files(found, kinds)
    _write(Path(arguments.output), made.files)
    warn([*found.warnings, *(f"left out: {line}" for line in made.left_out)], arguments)
    page = Path(arguments.output) / PAGE
    tell(f"{len(made.files)} files written; the page is {page}", arguments)
    return 0


def _check_output(arguments: argparse.Namespace) -> None:
    """No study is begun whose folder could not be written, or would be read by the next one."""
    output = Path(arguments.output)
    place = Place(arguments.output)
    if output.exists() and not output.is_dir():
        raise InputError(place, "a file", "a folder to write to, or a name that is not there")
    if output.is_dir() and any(output.iterdir()) and not arguments.overwrite:
        raise InputError(
            place, "a folder with files in it", "an empty folder, or none", "or give --overwrite"
        )
    if not output.exists() and not output.resolve().parent.is_dir():
        raise InputError(place, "cannot be written", "a folder inside one that exists")
    for folder in (arguments.gold, arguments.system):
        if Path(folder).resolve() in (output.resolve(), *output.resolve().parents):
            raise InputError(place, f"inside {folder}", "a folder outside of gold's and the system's")


def _write(output: Path, files: Mapping[str, str | bytes]) -> None:
    """Write all files: into a new folder that gets its name when it is whole, or over those that are there."""
    from evalign.files import write_whole

    if output.is_dir() and any(output.iterdir()):
        for name, content in files.items():
            write_whole(output / name, content)
        return
    target = output.resolve()
    scratch = target.with_name(f".evalign-{os.urandom(8).hex()}.part")
    try:
        scratch.mkdir()
        for name, content in files.items():
            write_whole(scratch / name, content)
        scratch.replace(target)
    except OSError as error:
        place = Place(os.fspath(output))
        raise InputError(place, f"cannot be written ({error.strerror or error})", "a folder") from None
    finally:
        for left in scratch.iterdir() if scratch.is_dir() else ():
            left.unlink()
        if scratch.is_dir():
            scratch.rmdir()
