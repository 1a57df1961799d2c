"""`evalign bitext mine`: extract pairs from a data set by a baseline."""

from __future__ import annotations

import argparse
import math
from typing import TypedDict

from evalign.cli.engines import add_engine, engine_of
from evalign.cli.parser import Parser, add_fail_on_warning, check_writable, count, tell, warn
from evalign.cli.progress import ProgressLine
from evalign.errors import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from evalign.bitext import DataSet
    from evalign.bitext.mining import Lexicon, Retrieval
    from evalign.engines import Engine

# As `evalign.bitext.mining` has them: it needs numpy, which --help does not.
METHODS = ("lexical", "embeddings")
RETRIEVALS = ("max", "forward", "backward", "intersect")
# Options that only one method knows.
OF_METHOD = {
    "lexical": ("lexicon", "candidates", "unit", "save_lexicon"),
    "embeddings": ("encoder", "retrieval"),
}


def make_parser() -> Parser:
    """Arguments of the command."""
    parser = Parser(
        "bitext mine",
        "evalign bitext mine fr-en --lexicon parallel.tsv -o mined\n"
        "evalign bitext mine fr-en --lexicon news.fr news.en --lexicon memory.tmx -o mined\n"
        "evalign bitext mine fr-en --method embeddings --encoder my_encoder:encode -o mined",
        "Extract pairs of sentences that may be translations from both corpora of a data set: a baseline that other "
        "systems can be compared with. It never sees gold. All pairs are kept, with scores: evalign bitext score "
        "finds the threshold on the training split.",
        "Files are called PAIR.SPLIT.METHOD.tsv; lines are first-id TAB second-id TAB score.",
    )
    parser.add_argument("folder", metavar="DIR", help="the folder of fr-en.training.fr, fr-en.training.en")
    parser.add_argument("--method", choices=METHODS, default="lexical", help="default lexical")
    parser.add_argument(
        "--pair", metavar="LANG-LANG", default="", help="which data set, if there are several"
    )
    parser.add_argument(
        "--split", metavar="NAME", action="append", default=[], help="only this split; may be repeated"
    )
    parser.add_argument(
        "--threshold",
        metavar="X",
        type=_score,
        default=0.0,
        help="only pairs with a score above X (default 0)",
    )
    parser.add_argument(
        "--neighbours",
        metavar="K",
        type=count,
        default=4,
        help="scores are compared with those of the K best around them (default 4)",
    )
    _add_lexical(parser)
    _add_embeddings(parser)
    add_engine(parser)
    group = parser.add_argument_group("output")
    group.add_argument(
        "-o", "--output", metavar="DIR", required=True, help="the folder that files are written to"
    )
    group.add_argument("-q", "--quiet", action="store_true", help="only what was found, no warnings")
    add_fail_on_warning(group)
    return parser


def _add_lexical(parser: Parser) -> None:
    group = parser.add_argument_group("lexical: words that are translations of each other")
    group.add_argument(
        "--lexicon",
        metavar="FILE",
        nargs="+",
        action="append",
        default=[],
        help="sentences with their translations to learn from: a table of 2 or 4 columns, TMX, or two files as Moses has "
        "them; or a dictionary, word TAB translation TAB probability; may be repeated; after DIR",
    )
    group.add_argument(
        "--save-lexicon", metavar="FILE", help="write the lexicon to a file that --lexicon reads at once"
    )
    group.add_argument(
        "--candidates",
        metavar="K",
        type=count,
        help="how many candidates of each sentence are scored (default 10)",
    )
    group.add_argument(
        "--unit",
        metavar="LANG=UNIT",
        action="append",
        default=[],
        help="of a language without settings: words, or characters where there are no spaces",
    )


def _add_embeddings(parser: Parser) -> None:
    group = parser.add_argument_group("embeddings: sentences whose vectors are near")
    group.add_argument(
        "--encoder",
        metavar="MODULE:FUNCTION",
        help="a function from a list of sentences to their vectors, installed or in the current folder; "
        "or sentence-transformers:NAME",
    )
    group.add_argument(
        "--retrieval",
        choices=RETRIEVALS,
        help="forward, backward: the best of each first, of each second sentence; intersect: what both find; max: what "
        "either finds, one to one (default)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Mine, write, say what was found."""
    _check(arguments)
    from evalign.bitext import open_dataset
    from evalign.bitext.mining import check_folder, mine_pairs, write_mined

    check_folder(arguments.output)
    dataset = open_dataset(arguments.folder, arguments.pair)
    warnings: list[str] = []
    with ProgressLine(quiet=arguments.quiet) as progress, engine_of(arguments, progress) as engine:
        mined = mine_pairs(
            arguments.folder,
            method=arguments.method,
            pair=dataset.pair,
            splits=arguments.split,
            threshold=arguments.threshold,
            neighbours=arguments.neighbours,
            progress=progress,
            warn=warnings.append,
            engine=engine,
            **_options(arguments, dataset, progress, engine),
        )
        written = write_mined(mined, arguments.output, pair=dataset.pair, method=arguments.method)
    warn(warnings, arguments)
    for split, pairs in mined.items():
        print(f"{written[split]}: {len(pairs):,} pairs")
    if advice := _advise(dataset, written):
        tell(advice, arguments)
    return 0


class _Options(TypedDict, total=False):
    """What is asked of one method."""

    lexicon: Lexicon
    candidates: int
    units: Mapping[str, str]
    encoder: str
    retrieval: Retrieval


def _options(
    arguments: argparse.Namespace, dataset: DataSet, progress: ProgressLine, engine: Engine
) -> _Options:
    if arguments.method == "embeddings":
        return _Options(encoder=arguments.encoder, retrieval=arguments.retrieval or "max")
    from evalign.bitext.mining import CANDIDATES, find_languages, read_lexicon, write_lexicon

    units = dict(_unit(text) for text in arguments.unit)
    languages = find_languages(dataset, units)
    files = [tuple(files) for files in arguments.lexicon]
    lexicon = read_lexicon(files, languages, progress=progress, engine=engine)
    if arguments.save_lexicon:
        write_lexicon(arguments.save_lexicon, lexicon, (dataset.first, dataset.second))
    candidates = CANDIDATES if arguments.candidates is None else arguments.candidates
    return _Options(lexicon=lexicon, candidates=candidates, units=units)


def _check(arguments: argparse.Namespace) -> None:
    """Options of another method are refused, not left aside."""
    for method, options in OF_METHOD.items():
        for option in options:
            if method != arguments.method and getattr(arguments, option) not in (None, []):
                message = f"--{option.replace('_', '-')} with --method {arguments.method}"
                raise CommandError(message, f"it is for --method {method}")
    if arguments.method == "lexical" and not arguments.lexicon:
        message = "--method lexical without --lexicon"
        raise CommandError(message, "sentences with their translations to learn from: --lexicon parallel.tsv")
    if arguments.method == "embeddings" and not arguments.encoder:
        message = "--method embeddings without --encoder"
        raise CommandError(message, "a function from sentences to vectors: --encoder package.module:function")
    for files in arguments.lexicon:
        if len(files) > 2:
            message = f"--lexicon with {len(files)} files"
            advice = f"to name several: --lexicon {files[0]} --lexicon {files[1]}"
            raise CommandError(message, "one file, or two whose lines belong together", advice)
    if arguments.save_lexicon:
        _check_saved(arguments)


def _check_saved(arguments: argparse.Namespace) -> None:
    from pathlib import Path

    check_writable(arguments.save_lexicon)
    saved = Path(arguments.save_lexicon)
    read = (Path(name) for files in arguments.lexicon for name in files)
    if saved.exists() and any(each.exists() and each.samefile(saved) for each in read):
        message = f'--save-lexicon "{saved}" would replace a file that is read'
        raise CommandError(message, "another file to write to")


def _unit(text: str) -> tuple[str, str]:
    language, _, unit = text.partition("=")
    if not language or not unit:
        message = f'--unit "{text}"'
        raise CommandError(message, "a language and its unit: --unit cy=words")
    return language, unit


def _score(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < 0:
        message = f"{text!r} is not a number from 0 up"
        raise argparse.ArgumentTypeError(message)
    return value


def _advise(dataset: DataSet, written: Mapping[str, Path]) -> str:
    """How to score what was found, where there is gold."""
    known = {
        split: f"{_as_argument(dataset.gold_path(split))} {_as_argument(path)}"
        for split, path in written.items()
        if dataset.gold_path(split).is_file()
    }
    # The training split is scored only where there is no other: thresholds are chosen on it.
    order = ["test", "sample", *(split for split in known if split != "training"), "training"]
    scored = next((split for split in order if split in known), "")
    if not scored:
        return ""
    command = f"evalign bitext score {known[scored]}"
    if "training" in known and scored != "training":
        command += f" --training {known['training']}"
    return f"to score them: {command}"


def _as_argument(path: Path) -> str:
    """A path to be pasted into a command line."""
    return f'"{path}"' if " " in str(path) else str(path)
