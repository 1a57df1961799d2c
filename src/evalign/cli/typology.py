"""`evalign typology`: commands that compare treebanks and show how scores depend on them.

They follow Callin, "A typological perspective on evaluation for Universal Dependencies" (here: the paper).
The commands share options for treebanks, for choices that the paper leaves open, and for pictures.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePath

from evalign.cli.output import columns, output_format, show_report, tell, warn
from evalign.cli.parser import Command, Parser, check_standard_input, make_group_parser
from evalign.cli.progress import ProgressLine
from evalign.cli.run import run_inner
from evalign.cli.shared_options import (
    add_engine,
    add_fail_on_warning,
    add_output,
    add_systems,
    count,
    engine_of,
    read_names,
)
from evalign.errors import CommandError, InputError, Place
from evalign.files import write_whole
from evalign.wording import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.options import Weights
    from evalign.typology.judgements import RunAgreements
    from evalign.typology.profiles import Profiles

FORMATS = ("table", "json", "csv", "markdown", "latex")
PICTURES = ("png", "svg", "pdf")
# JSON comes first, and is the default, because the command is there to make the file that WLAS reads.
WEIGHT_FORMATS = ("json", *(format for format in FORMATS if format != "json"))


# Options that these commands share.


def add_treebanks(parser: Parser) -> None:
    """Add the positional argument for treebanks."""
    parser.add_argument(
        "treebanks",
        metavar="TREEBANK",
        nargs="+",
        help="a CoNLL-U file, or a folder whose CoNLL-U files are one treebank; - is standard input",
    )


def add_settings(parser: Parser, *names: str) -> argparse._ArgumentGroup:
    """Add options for choices that the paper leaves open, those called `names`; return their group."""
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
    """Add --relations, the version of UD whose classes of relations are used."""
    group.add_argument(
        "--relations", choices=("auto", "v1", "v2"), default="auto",
        help="classes of UD version 1 or 2 (default: of the version that the labels show)",
    )  # fmt: skip


def add_variance(group: Parser | argparse._ArgumentGroup) -> None:
    """Add --variance, which says whether variances are divided by n or n - 1."""
    group.add_argument(
        "--variance", choices=("population", "sample"), default="population",
        help="over n treebanks, or over n - 1 (default population)",
    )  # fmt: skip


def add_root_heads(group: argparse._ArgumentGroup) -> None:
    """Add --root-heads, which says what the root counts as in cascading errors."""
    group.add_argument(
        "--root-heads", choices=("wrong", "left-out", "right"), default="wrong",
        help="a word that the system makes a root has no head that is attached: what it counts as (default wrong)",
    )  # fmt: skip


def share(text: str) -> float:
    """Read a number from 0 to 1 as the value of an option; raises `ArgumentTypeError` for other text."""
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
    """Profile the treebanks of the command line."""
    from evalign.typology.profiles import profile
    from evalign.typology.treebanks import ProfileOptions

    check_standard_input(*arguments.treebanks)
    options = {name: getattr(arguments, name) for name in ProfileOptions._fields if hasattr(arguments, name)}
    progress = ProgressLine(quiet=arguments.quiet)
    try:
        return profile(*arguments.treebanks, settings=ProfileOptions(**options), progress=progress)
    finally:
        progress.clear()


# Pictures.


def add_plot(parser: Parser, figures: Mapping[str, str]) -> None:
    """Add --plot and --figure.

    `figures` describes the figures of the paper by number; all are drawn by default.
    """
    group = parser.add_argument_group("picture")
    group.add_argument(
        "--plot", metavar="FILE", help="draw it too, as FILE.png, FILE.svg or FILE.pdf (needs matplotlib)"
    )
    described = ", ".join(f"{number} ({what})" for number, what in figures.items())
    group.add_argument(
        "--figure",
        metavar="N,...",
        default=",".join(figures),
        help=f"which of the paper's figures: {described}",
    )
    parser.set_defaults(known_figures=tuple(figures))


def check_plot(arguments: argparse.Namespace) -> None:
    """Raise an error if the picture cannot be drawn or written. To be called before the work begins."""
    figures = read_names(arguments.figure)
    if not figures or set(figures) - set(arguments.known_figures):
        message = f'--figure "{arguments.figure}"'
        raise CommandError(message, f"some of {', '.join(arguments.known_figures)}")
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


def make_profile_parser() -> Parser:
    """Make the argument parser of `evalign typology profile`."""
    parser = Parser(
        "typology profile",
        "evalign typology profile en_ewt-ud-test.conllu ko_gsd-ud-test.conllu\n"
        "evalign typology profile UD_English-EWT UD_Korean-GSD -o profile.json --plot profile.pdf",
        "What treebanks are like: sentences, tokens, words; non-projective trees; shares of content and function "
        "relations; standardized type/token ratio (STTR); word dependency entropy (WDE) of each relation.",
    )
    add_treebanks(parser)
    parser.add_argument(
        "--each", action="store_true", help="show the WDE of each treebank, not only the average"
    )
    add_settings(parser, "case", "vocabulary", "missing", "chunk", "share_of", "relations")
    add_output(parser, FORMATS)
    add_plot(parser, {"2": "averaged WDE of each relation", "3": "STTR and shares of each treebank"})
    return parser


def run_profile(arguments: argparse.Namespace) -> int:
    """Run `evalign typology profile`: profile the treebanks, print the profiles, draw them."""
    format = output_format(arguments, FORMATS)
    check_plot(arguments)
    profiles = read_profiles(arguments)
    warn(profiles.warnings, arguments)
    from evalign.reports.typology import report_profiles

    show_report(report_profiles(profiles, each=arguments.each, columns=columns()), arguments, format)
    if arguments.plot:
        from evalign.reports.plots import plot_profiles

        write_plot(arguments, lambda kind, figures: plot_profiles(profiles, kind, figures))
    return 0


# weights: the file of weights that WLAS needs.


def make_weights_parser() -> Parser:
    """Make the argument parser of `evalign typology weights`."""
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


def run_weights(arguments: argparse.Namespace) -> int:
    """Run `evalign typology weights`: profile the treebanks, write their weights."""
    format = output_format(arguments, WEIGHT_FORMATS)
    profiles = read_profiles(arguments)
    warn(profiles.warnings, arguments)
    from evalign.reports.typology import report_weights

    show_report(report_weights(profiles), arguments, format)
    return 0


# compare: scores of many treebanks.


def make_compare_parser() -> Parser:
    """Make the argument parser of `evalign typology compare`."""
    parser = Parser(
        "typology compare",
        "evalign typology compare run.json --profiles profile.json\n"
        "evalign typology compare en.json ko.json zh.json --profiles profile.json\n"
        "evalign typology compare runs/*.json --plot figures.pdf",
        "Compare the scores of many treebanks: LAS, WLAS, precision and recall of content and function relations; "
        "correlations between them; the variance over the best n treebanks; whether what LAS has more than WLAS or "
        "content relations goes with STTR.",
        "A RESULT is what evalign score GOLD SYSTEM --metrics las,wlas,content,function --weights weights.json "
        "-o RESULT wrote, of two files or of two folders of treebanks.",
    )
    parser.add_argument(
        "results",
        metavar="RESULT",
        nargs="+",
        help="a saved result: of one treebank, or of a run of folders, which is all of its treebanks",
    )
    parser.add_argument(
        "--profiles",
        metavar="FILE",
        help="what evalign typology profile -o FILE.json wrote: adds shares of relations and STTR",
    )
    parser.add_argument(
        "--system", metavar="N|NAME", default="1", help="which system of each result (default: the first)"
    )
    add_variance(parser)
    add_output(parser, FORMATS)
    add_plot(parser, {"4": "scores of each treebank", "5": "cumulative variance"})
    return parser


def run_compare(arguments: argparse.Namespace) -> int:
    """Run `evalign typology compare`: load saved results, compare them, print and draw the comparison."""
    from evalign.typology.comparison import compare
    from evalign.typology.profiles import load_profiles

    check_standard_input(*arguments.results, arguments.profiles)
    format = output_format(arguments, FORMATS)
    check_plot(arguments)
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


# select: treebanks to compare.


def make_select_parser() -> Parser:
    """Make the argument parser of `evalign typology select`."""
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


def run_select(arguments: argparse.Namespace) -> int:
    """Run `evalign typology select`: profile the treebanks, choose some, print them."""
    format = output_format(arguments, FORMATS)
    languages = dict(_language(text) for text in arguments.language)
    profiles = read_profiles(arguments)
    warn(profiles.warnings, arguments)
    from evalign.reports.typology import report_selection
    from evalign.typology.selection import Criteria, select

    criteria = Criteria(
        arguments.features,
        arguments.least_tokens,
        arguments.most_nonprojective,
        arguments.per_language,
        arguments.least_featured,
    )
    selection = select(profiles, criteria, prefer=read_names(arguments.prefer), languages=languages)
    advice = "; --prefer NAME takes another"
    warn([f"{warning}{advice}" for warning in selection.warnings], arguments)
    show_report(report_selection(selection), arguments, format)
    return 0


def _language(text: str) -> tuple[str, str]:
    name, _, language = text.partition("=")
    if not name or not language:
        message = f'--language "{text}"'
        raise CommandError(message, "a treebank and its language: --language my_treebank=fi")
    return name, language


# judge: agreement of scores with human judgements.


def make_judge_parser() -> Parser:
    """Make the argument parser of `evalign typology judge`."""
    parser = Parser(
        "typology judge",
        "evalign typology judge judgements.tsv gold.conllu malt.conllu mate.conllu --weights weights.json\n"
        "evalign typology judge judgements.tsv gold_folder malt_folder mate_folder\n"
        "evalign typology judge judgements.tsv run.json",
        "Say how far scores of sentences agree with people who saw what two systems made of each: Spearman's rho "
        "of the difference between the scores and of the preference.",
        "A row of the file of judgements: sentence id, system A, system B, preference, separated by tabs. Systems "
        "have their names, or those of their files with or without ending, or A, B, ... in the order given. The preference is A, "
        "B, tie, the name of a system, or a number: how much better A is. Of folders, JUDGEMENTS is one file for all "
        "treebanks, in which a sentence id that several have is TREEBANK:ID, or a folder with a file for each. A run "
        "is what evalign score GOLD SYSTEM... --metrics las,content --average sentence -o RUN.json saved.",
    )
    parser.add_argument("judgements", metavar="JUDGEMENTS", help="who preferred what; - is standard input")
    parser.add_argument(
        "gold", metavar="GOLD", help="the file taken as right, a folder of them, or a saved run"
    )
    add_systems(parser, "the systems that were judged, NAME=FILE to name one; none with a saved run", "*")
    parser.add_argument(
        "--weights",
        metavar="FILE",
        help="weights of relations: adds WLAS; with a saved run, those that it was scored with",
    )
    add_output(parser, FORMATS)
    return parser


def run_judge(arguments: argparse.Namespace) -> int:
    """Run `evalign typology judge`: score each sentence, print how far scores and judgements agree."""
    from evalign.metrics.relations import load_weights
    from evalign.reports.typology import report_agreements, report_run_agreements
    from evalign.typology.judgements import judge
    from evalign.typology.treebanks import is_folder

    check_standard_input(arguments.judgements, arguments.gold, *arguments.systems, arguments.weights)
    format = output_format(arguments, FORMATS)
    if not arguments.systems and is_folder(arguments.gold):
        message = "no system was judged"
        raise CommandError(message, "gold and at least two systems, or a saved run: RUN.json")
    weights = load_weights(arguments.weights) if arguments.weights else None
    if not arguments.systems or is_folder(arguments.gold):
        agreements_by_treebank = _judge_run(arguments, weights)
        warn(agreements_by_treebank.warnings, arguments)
        show_report(report_run_agreements(agreements_by_treebank), arguments, format)
        return 0
    agreements = judge(
        arguments.judgements, arguments.gold, *arguments.systems, weights=weights, names=arguments.names
    )
    warn(agreements.warnings, arguments)
    show_report(report_agreements(agreements), arguments, format)
    return 0


def _judge_run(arguments: argparse.Namespace, weights: Weights | None) -> RunAgreements:
    """Compute agreement by treebank, for folders or a saved run."""
    from evalign.results.result import load_saved
    from evalign.typology.judgements import judge_run

    if not arguments.systems:
        return judge_run(arguments.judgements, load_saved(arguments.gold), weights=weights)
    with ProgressLine(quiet=arguments.quiet) as progress:
        return judge_run(
            arguments.judgements,
            arguments.gold,
            *arguments.systems,
            weights=weights,
            names=arguments.names,
            progress=progress,
        )


# cascades: errors that come from other errors.


def make_cascades_parser() -> Parser:
    """Make the argument parser of `evalign typology cascades`."""
    parser = Parser(
        "typology cascades",
        "evalign typology cascades gold.conllu system.conllu\n"
        "evalign typology cascades gold_folder system_folder\n"
        "evalign typology cascades en.gold.conllu en.conllu ko.gold.conllu ko.conllu",
        "Of the words that are attached wrongly, by class of their relation: how many have a head, in the system's "
        "tree, that is attached rightly. The fewer, the more errors come from other errors.",
    )
    parser.add_argument(
        "files",
        metavar="GOLD SYSTEM",
        nargs="+",
        help="pairs of files, one for each treebank; or a folder of gold files and one of a system's, matched by name",
    )
    group = parser.add_argument_group("choices that the paper leaves open")
    add_root_heads(group)
    add_relations(group)
    add_output(parser, FORMATS)
    return parser


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


# study: all tables and figures of the paper, for a folder of treebanks and a system.


def make_study_parser() -> Parser:
    """Make the argument parser of `evalign typology study`."""
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


def run_study(arguments: argparse.Namespace) -> int:
    """Run `evalign typology study`: make all tables and figures, write them to a folder with a page."""
    from evalign.metrics.relations import load_weights
    from evalign.reports.study import STUDY_PAGE, make_study_files
    from evalign.typology.treebanks import ProfileOptions
    from evalign.typology.whole_study import study

    kinds = read_names(arguments.pictures)
    if not kinds or set(kinds) - set(PICTURES):
        message = f'--pictures "{arguments.pictures}"'
        raise CommandError(message, f"some of {', '.join(PICTURES)}")
    _check_study_folder(arguments)
    weights = load_weights(arguments.weights) if arguments.weights else None
    settings = ProfileOptions(**{name: getattr(arguments, name) for name in ProfileOptions._fields})
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


COMMANDS = {
    "profile": Command(make_profile_parser, run_profile),
    "weights": Command(make_weights_parser, run_weights),
    "compare": Command(make_compare_parser, run_compare),
    "select": Command(make_select_parser, run_select),
    "judge": Command(make_judge_parser, run_judge),
    "cascades": Command(make_cascades_parser, run_cascades),
    "study": Command(make_study_parser, run_study),
}


def make_parser() -> Parser:
    """Make the argument parser of the group `evalign typology`."""
    return make_group_parser(
        "typology",
        "evalign typology profile en_ewt-ud-test.conllu ko_gsd-ud-test.conllu",
        "Look at treebanks side by side, and at what that does to scores (Callin, A typological perspective on "
        "evaluation for Universal Dependencies).",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command of the group that `arguments` names."""
    return run_inner("typology", arguments)
