"""`evalign typology`: commands that compare treebanks and show how scores depend on them.

They follow Callin, "A typological perspective on evaluation for Universal Dependencies" (here: the paper).
The commands share options for treebanks, for choices that the paper leaves open, and for pictures.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields
from pathlib import Path, PurePath
from typing import get_args

from evalign.cli.command import Command, Option, check_standard_input, choice, group, pick
from evalign.cli.output import columns, output_format, show_report, tell, warn
from evalign.cli.progress import ProgressLine
from evalign.cli.run import make_group
from evalign.cli.shared_options import (
    ENGINE,
    declared_option,
    engine_of,
    folder_output,
    output_options,
    read_declared,
    read_names,
    read_setting,
    systems_option,
)
from evalign.errors import CommandError, InputError, Place
from evalign.files import write_whole
from evalign.typology.options import Criteria, ProfileOptions, RootHeads, Variance
from evalign.wording import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.typology.profiles import Profiles

FORMATS = ("table", "json", "csv", "markdown", "latex")
PICTURES = ("png", "svg", "pdf")
# JSON comes first, and is the default, because the command is there to make the file that WLAS reads.
WEIGHT_FORMATS = ("json", *(format for format in FORMATS if format != "json"))


# Options that these commands share.


OPEN = "choices that the paper leaves open"
TREEBANKS = Option(
    "treebanks",
    "a CoNLL-U file, or a folder whose CoNLL-U files are one treebank; - is standard input",
    "TREEBANK",
    nargs="+",
)
VARIANCE = choice("--variance", "over n treebanks, or over n - 1 (default population)", get_args(Variance))
PROFILING = group(OPEN, *(declared_option(ProfileOptions, each.name) for each in fields(ProfileOptions)))
ROOT_HEADS = choice(
    "--root-heads",
    "a word that the system makes a root has no head that is attached: what it counts as (default wrong)",
    get_args(RootHeads),
)


def read_profiles(arguments: argparse.Namespace) -> Profiles:
    """Profile the treebanks of the command line, and print warnings about them."""
    from evalign.typology.profiles import profile

    check_standard_input(*arguments.treebanks)
    settings = read_declared(ProfileOptions, arguments)
    with ProgressLine(quiet=arguments.quiet) as progress:
        profiles = profile(*arguments.treebanks, settings=settings, progress=progress)
    warn(profiles.warnings, arguments)
    return profiles


# Pictures.


def plot_options(figures: Mapping[str, str]) -> tuple[Option, ...]:
    """Declare --plot and --figure.

    `figures` describes the figures of the paper by number; all are drawn by default.
    """
    described = ", ".join(f"{number} ({what})" for number, what in figures.items())
    return group(
        "picture",
        Option("--plot", "draw it too, as FILE.png, FILE.svg or FILE.pdf (needs matplotlib)", "FILE"),
        Option("--figure", f"which of the paper's figures: {described}", "N,...", default=",".join(figures)),
    )


def _read_some(flag: str, text: str, choices: Collection[str]) -> tuple[str, ...]:
    """Read a list of some of `choices`; raise `CommandError` for another name, and for none."""
    names = read_names(text)
    if not names or set(names) - set(choices):
        message = f'{flag} "{text}"'
        raise CommandError(message, f"some of {', '.join(choices)}")
    return names


def check_plot(arguments: argparse.Namespace, figures: Mapping[str, str]) -> None:
    """Raise an error if the picture cannot be drawn or written. To be called before the work begins."""
    _read_some("--figure", arguments.figure, figures)
    if arguments.plot is None:
        return
    kind = _picture_kind(arguments.plot)
    if kind not in PICTURES:
        message = f'--plot "{arguments.plot}"'
        raise CommandError(message, f"a file that ends in .{', .'.join(PICTURES)}")
    if Path(arguments.plot).is_dir() or not Path(arguments.plot).parent.is_dir():
        raise InputError(Place(arguments.plot), "cannot be written", "a file in a folder that exists")
    from evalign.reports.plots import need_matplotlib

    need_matplotlib()


def write_plot(arguments: argparse.Namespace, draw: Callable[[str, Sequence[str]], bytes]) -> None:
    """Draw the picture and write it, whole or not at all.

    `draw` takes the kind of picture and the numbers of the figures.
    """
    write_whole(arguments.plot, draw(_picture_kind(arguments.plot), read_names(arguments.figure)))


def _picture_kind(path: str) -> str:
    return PurePath(path).suffix.lower().removeprefix(".")


# profile: what treebanks are like.

PROFILE_FIGURES = {"2": "averaged WDE of each relation", "3": "STTR and shares of each treebank"}


def run_profile(arguments: argparse.Namespace) -> int:
    """Run `evalign typology profile`: profile the treebanks, print the profiles, draw them."""
    format = output_format(arguments, FORMATS)
    check_plot(arguments, PROFILE_FIGURES)
    profiles = read_profiles(arguments)
    from evalign.reports.typology import report_profiles

    show_report(report_profiles(profiles, each=arguments.each, columns=columns()), arguments, format)
    if arguments.plot:
        from evalign.reports.plots import plot_profiles

        write_plot(arguments, lambda kind, figures: plot_profiles(profiles, kind, figures))
    return 0


PROFILE = Command(
    "typology profile",
    (
        "evalign typology profile en_ewt-ud-test.conllu ko_gsd-ud-test.conllu",
        "evalign typology profile UD_English-EWT UD_Korean-GSD -o profile.json --plot profile.pdf",
    ),
    "What treebanks are like: sentences, tokens, words; non-projective trees; shares of content and function relations; "
    "standardized type/token ratio (STTR); word dependency entropy (WDE) of each relation.",
    (
        TREEBANKS,
        Option("--each", "show the WDE of each treebank, not only the average"),
        *output_options(FORMATS),
        *plot_options(PROFILE_FIGURES),
        *PROFILING,
    ),
    run_profile,
)


# weights: the file of weights that WLAS needs.


def run_weights(arguments: argparse.Namespace) -> int:
    """Run `evalign typology weights`: profile the treebanks, write their weights."""
    format = output_format(arguments, WEIGHT_FORMATS)
    profiles = read_profiles(arguments)
    from evalign.reports.typology import report_weights

    show_report(report_weights(profiles), arguments, format)
    return 0


WEIGHTS = Command(
    "typology weights",
    (
        "evalign typology weights en_ewt-ud-train.conllu fi_tdt-ud-train.conllu -o weights.json",
        "evalign score gold.conllu system.conllu --metrics las,wlas --weights weights.json",
    ),
    "Make weights for WLAS: the word dependency entropy of each relation, averaged over treebanks.",
    (
        TREEBANKS,
        *output_options(WEIGHT_FORMATS),
        *pick(PROFILING, "case", "vocabulary", "missing", "relations"),
    ),
    run_weights,
)


# compare: scores of many treebanks.

COMPARE_FIGURES = {"4": "scores of each treebank", "5": "cumulative variance"}


def run_compare(arguments: argparse.Namespace) -> int:
    """Run `evalign typology compare`: load saved results, compare them, print and draw the comparison."""
    from evalign.typology.comparison import compare
    from evalign.typology.profiles import load_profiles

    check_standard_input(*arguments.results, arguments.profiles)
    format = output_format(arguments, FORMATS)
    check_plot(arguments, COMPARE_FIGURES)
    profiles = load_profiles(arguments.profiles) if arguments.profiles else None
    comparison = compare(
        *arguments.results, profiles=profiles, system=arguments.system, variance=arguments.variance
    )
    warn(comparison.warnings, arguments)
    from evalign.reports.typology import report_comparison

    show_report(report_comparison(comparison, columns() if format == "table" else None), arguments, format)
    if arguments.plot:
        from evalign.reports.plots import plot_comparison

        write_plot(arguments, lambda kind, figures: plot_comparison(comparison, kind, figures))
    return 0


COMPARE = Command(
    "typology compare",
    (
        "evalign typology compare run.json --profiles profile.json",
        "evalign typology compare en.json ko.json zh.json --profiles profile.json",
        "evalign typology compare runs/*.json --plot figures.pdf",
    ),
    "Compare the scores of many treebanks: LAS, WLAS, precision and recall of content and function relations; correlations "
    "between them; the variance over the best n treebanks; whether what LAS has more than WLAS or content relations goes "
    "with STTR.",
    (
        Option(
            "results",
            "a saved result: of one treebank, or of a run of folders, which is all of its treebanks",
            "RESULT",
            nargs="+",
        ),
        Option(
            "--profiles",
            "what evalign typology profile -o FILE.json wrote: adds shares of relations and STTR",
            "FILE",
        ),
        Option("--system", "which system of each result (default: the first)", "N|NAME", default="1"),
        VARIANCE,
        *output_options(FORMATS),
        *plot_options(COMPARE_FIGURES),
    ),
    run_compare,
    "A RESULT is what evalign score GOLD SYSTEM --metrics las,wlas,content,function --weights weights.json -o RESULT wrote, "
    "of two files or of two folders of treebanks.",
)


# select: treebanks to compare.


def run_select(arguments: argparse.Namespace) -> int:
    """Run `evalign typology select`: profile the treebanks, choose some, print them."""
    format = output_format(arguments, FORMATS)
    expected = "a treebank and its language: --language my_treebank=fi"
    languages = dict(read_setting(text, "--language", expected) for text in arguments.language)
    profiles = read_profiles(arguments)
    from evalign.reports.typology import report_selection
    from evalign.typology.selection import select

    criteria = read_declared(Criteria, arguments)
    selection = select(profiles, criteria, prefer=read_names(arguments.prefer), languages=languages)
    advice = "; --prefer NAME takes another"
    warn([f"{warning}{advice}" for warning in selection.warnings], arguments)
    show_report(report_selection(selection), arguments, format)
    return 0


SELECT = Command(
    "typology select",
    (
        "evalign typology select UD_*",
        "evalign typology select UD_* --least-tokens 10000 --format json",
    ),
    "Choose treebanks to compare: with features, large enough, mostly projective, one for each language.",
    (
        TREEBANKS,
        *output_options(FORMATS),
        *group(
            "what a treebank must be like (defaults are the paper's, but for features)",
            declared_option(Criteria, "features"),
            declared_option(Criteria, "least_featured"),
            declared_option(Criteria, "least_tokens"),
            declared_option(Criteria, "most_nonprojective"),
            declared_option(Criteria, "per_language"),
            Option(
                "--prefer",
                "treebanks that were corrected by hand: they are taken before larger ones",
                "NAME,...",
                default="",
            ),
            Option(
                "--language",
                "the language of a treebank, where its name does not begin with it",
                "NAME=LANGUAGE",
                action="append",
            ),
        ),
    ),
    run_select,
)


# judge: agreement of scores with human judgements.


def run_judge(arguments: argparse.Namespace) -> int:
    """Run `evalign typology judge`: score each sentence, print how far scores and judgements agree."""
    from evalign.metrics.relations import load_weights
    from evalign.reports.typology import report_agreements, report_run_agreements
    from evalign.results.result import load_saved
    from evalign.typology.judgements import judge, judge_run
    from evalign.typology.treebanks import is_folder

    check_standard_input(arguments.judgements, arguments.gold, *arguments.systems, arguments.weights)
    format = output_format(arguments, FORMATS)
    if not arguments.systems and is_folder(arguments.gold):
        message = "no system was judged"
        raise CommandError(message, "gold and at least two systems, or a saved run: RUN.json")
    weights = load_weights(arguments.weights) if arguments.weights else None
    if arguments.systems and not is_folder(arguments.gold):
        agreements = judge(
            arguments.judgements, arguments.gold, *arguments.systems, weights=weights, names=arguments.names
        )
        warn(agreements.warnings, arguments)
        show_report(report_agreements(agreements), arguments, format)
        return 0
    with ProgressLine(quiet=arguments.quiet) as progress:
        by_treebank = judge_run(
            arguments.judgements,
            arguments.gold if arguments.systems else load_saved(arguments.gold),
            *arguments.systems,
            weights=weights,
            names=arguments.names,
            progress=progress,
        )
    warn(by_treebank.warnings, arguments)
    show_report(report_run_agreements(by_treebank), arguments, format)
    return 0


JUDGE = Command(
    "typology judge",
    (
        "evalign typology judge judgements.tsv gold.conllu malt.conllu mate.conllu --weights weights.json",
        "evalign typology judge judgements.tsv gold_folder malt_folder mate_folder",
        "evalign typology judge judgements.tsv run.json",
    ),
    "Say how far scores of sentences agree with people who saw what two systems made of each: Spearman's rho of the "
    "difference between the scores and of the preference.",
    (
        Option("judgements", "who preferred what; - is standard input", "JUDGEMENTS"),
        Option("gold", "the file taken as right, a folder of them, or a saved run", "GOLD"),
        systems_option(
            "the systems that were judged, NAME=FILE to name one; none with a saved run", nargs="*"
        ),
        Option(
            "--weights",
            "weights of relations: adds WLAS; with a saved run, those that it was scored with",
            "FILE",
        ),
        *output_options(FORMATS),
    ),
    run_judge,
    "A row of the file of judgements: sentence id, system A, system B, preference, separated by tabs. Systems have their "
    "names, or those of their files with or without ending, or A, B, ... in the order given. The preference is A, B, tie, the "
    "name of a system, or a number: how much better A is. Of folders, JUDGEMENTS is one file for all treebanks, in which a "
    "sentence id that several have is TREEBANK:ID, or a folder with a file for each. A run is what evalign score GOLD "
    "SYSTEM... --metrics las,content --average sentence -o RUN.json saved.",
)


# cascades: errors that come from other errors.


def run_cascades(arguments: argparse.Namespace) -> int:
    """Run `evalign typology cascades`: find cascading errors in each pair of files, print their shares."""
    from evalign.reports.typology import report_cascades
    from evalign.typology.cascades import find_run_cascades

    if len(arguments.files) % 2:
        counted_files = counted(len(arguments.files), "file")
        message = (
            f"{arguments.files[0]} alone"
            if len(arguments.files) == 1
            else f"{counted_files}, one without a partner"
        )
        raise CommandError(message, "pairs: gold and system, gold and system", "or two folders")
    check_standard_input(*arguments.files)
    format = output_format(arguments, FORMATS)
    pairs = list(zip(arguments.files[::2], arguments.files[1::2], strict=True))
    with ProgressLine(quiet=arguments.quiet) as progress:
        cascades = find_run_cascades(
            pairs, relations=arguments.relations, root_heads=arguments.root_heads, progress=progress
        )
    warn(cascades.warnings, arguments)
    width = columns() if format == "table" else None
    show_report(report_cascades(cascades.treebanks, arguments.root_heads, width), arguments, format)
    return 0


CASCADES = Command(
    "typology cascades",
    (
        "evalign typology cascades gold.conllu system.conllu",
        "evalign typology cascades gold_folder system_folder",
        "evalign typology cascades en.gold.conllu en.conllu ko.gold.conllu ko.conllu",
    ),
    "Of the words that are attached wrongly, by class of their relation: how many have a head, in the system's tree, that "
    "is attached rightly. The fewer, the more errors come from other errors.",
    (
        Option(
            "files",
            "pairs of files, one for each treebank; or a folder of gold files and one of a system's, matched by name",
            "GOLD SYSTEM",
            nargs="+",
        ),
        *output_options(FORMATS),
        *pick(PROFILING, "relations"),
        *group(OPEN, ROOT_HEADS),
    ),
    run_cascades,
)


# study: all tables and figures of the paper, for a folder of treebanks and a system.


def run_study(arguments: argparse.Namespace) -> int:
    """Run `evalign typology study`: make all tables and figures, write them to a folder with a page."""
    from evalign.metrics.relations import load_weights
    from evalign.reports.study import STUDY_PAGE, make_study_files
    from evalign.typology.whole_study import study

    kinds = _read_some("--pictures", arguments.pictures, PICTURES)
    _check_study_folder(arguments)
    weights = load_weights(arguments.weights) if arguments.weights else None
    settings = read_declared(ProfileOptions, arguments)
    with ProgressLine(quiet=arguments.quiet) as progress, engine_of(arguments, progress) as engine:
        studied = study(
            arguments.gold,
            arguments.system,
            settings=settings,
            weights=weights,
            variance=arguments.variance,
            root_heads=arguments.root_heads,
            engine=engine,
            progress=progress,
        )
        output = make_study_files(studied, kinds)
    _write_study(Path(arguments.output), output.files)
    warn([*studied.warnings, *(f"left out: {line}" for line in output.left_out)], arguments)
    page = Path(arguments.output) / STUDY_PAGE
    tell(f"{len(output.files)} files written; the page is {page}", arguments)
    return 0


def _check_study_folder(arguments: argparse.Namespace) -> None:
    """Raise `InputError` if the folder of the study cannot be written. To be called before the work begins.

    A folder inside the folder of gold or of the system is refused too: the next study would read it.
    """
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


def _write_study(output: Path, files: Mapping[str, str | bytes]) -> None:
    """Write `files`, contents by name, to the folder `output`.

    A new folder is made under another name and renamed when all files are in it. In a folder that has files
    already, files of the same names are replaced and all others stay.
    """
    if output.is_dir() and any(output.iterdir()):
        for name, content in files.items():
            write_whole(output / name, content)
        return
    from shutil import rmtree

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
        rmtree(scratch, ignore_errors=True)


STUDY = Command(
    "typology study",
    (
        "evalign typology study gold_folder system_folder -o study",
        "evalign typology study gold_folder system_folder -o study --pictures svg,pdf",
    ),
    "Everything at once: profile and weights of a folder of treebanks, scores of a system, Tables 1, 3 and 5, Figures 2 to 5 "
    "and the correlations of section 7, as files and as one page.",
    (
        Option("gold", "the folder of gold files, one for each treebank", "GOLD_DIR"),
        Option("system", "the folder of the system's files", "SYSTEM_DIR"),
        Option("--weights", "weights of WLAS (default: made of these treebanks)", "FILE"),
        *folder_output(
            "the folder to write to",
            "no warnings, and not what was written",
            Option("--overwrite", "write into a folder that has files, over those of the same name"),
            Option(
                "--pictures",
                f"kinds of pictures, of {', '.join(PICTURES)} (default svg)",
                "KIND,...",
                default="svg",
            ),
        ),
        *ENGINE,
        *PROFILING,
        *group(OPEN, VARIANCE, ROOT_HEADS),
    ),
    run_study,
    "Files are matched by name, as evalign score does. What cannot be had (pictures without matplotlib, correlations of one "
    "treebank) is left out, and the page and standard error say why.",
)
TYPOLOGY = make_group(
    "typology",
    "evalign typology profile en_ewt-ud-test.conllu ko_gsd-ud-test.conllu",
    "Look at treebanks side by side, and at what that does to scores (Callin, A typological perspective on evaluation "
    "for Universal Dependencies).",
)
