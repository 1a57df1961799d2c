"""`evalign bitext`: commands for parallel sentences in corpora of two languages.

They build data sets, describe and show them, score extracted pairs, and mine pairs with a baseline.
"""

from __future__ import annotations

import argparse
import math

from evalign.bitext.scoring.options import PairOptions
from evalign.cli.command import Command, Option, check_standard_input, group
from evalign.cli.output import (
    check_writable,
    columns,
    emit,
    output_format,
    show_report,
    tell,
    use_color,
    warn,
)
from evalign.cli.progress import ProgressLine
from evalign.cli.result_output import (
    CommandAssessor,
    check_saved,
    check_shown,
    show_scores,
)
from evalign.cli.run import check_outside, make_group
from evalign.cli.shared_options import (
    ALL_PAIRS,
    COMPARISON,
    DRAWS,
    ENGINE,
    ONLY,
    REPORT,
    BreakdownChoice,
    count,
    declared_option,
    engine_of,
    folder_output,
    output_options,
    read_names,
    read_setting,
    stay_below_option,
    systems_option,
)
from evalign.errors import CommandError
from evalign.table import Table, set_lines
from evalign.wording import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from evalign.bitext.dataset import DataSet
    from evalign.bitext.mining.lexicon import Lexicon
    from evalign.engines.base import Engine

FORMATS = ("table", "json", "csv", "markdown", "latex", "typst")
# Copies of the names in `evalign.bitext.mining`, which loads numpy; --help must not.
METHODS = ("lexical", "embeddings")
RETRIEVALS = ("max", "forward", "backward", "intersect")
# Options that belong to one method only.
OF_METHOD = {
    "lexical": ("lexicon", "candidates", "unit", "save_lexicon"),
    "embeddings": ("encoder", "retrieval"),
}

FOLDER = Option("folder", "the folder of fr-en.training.fr, fr-en.training.en, fr-en.training.gold", "DIR")
PAIR = Option("--pair", "which data set, if there are several", "LANG-LANG", default="")


# build: hide translations in corpora of two languages.


def run_build(arguments: argparse.Namespace) -> int:
    """Run `evalign bitext build`: build the data set, print its sizes."""
    from evalign.bitext.build.build import build_dataset

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
    names = (built.dataset.first, built.dataset.second, "gold")
    rows = [(split, *(f"{counts[name]:,}" for name in names)) for split, counts in built.sizes.items()]
    table = Table(("", *names), rows)
    for line in set_lines(table, table.width):
        print(line)
    tell(f"evalign bitext stats {arguments.output} shows more", arguments)
    return 0


BUILD = Command(
    "bitext build",
    ("evalign bitext build config.toml -o fr-en",),
    "Build a data set for the extraction of parallel sentences, as those of the BUCC shared tasks were built: documents of "
    "two languages that are no translations of each other, with known translations hidden in them.",
    (
        Option(
            "config",
            "a file in TOML that names the pair of languages, documents and translations",
            "CONFIG",
        ),
        *folder_output(
            "the folder of the data set",
            "only what was built, no warnings",
            Option("--overwrite", "replace another data set, or other files, in that folder"),
            Option(
                "--keep-stages",
                "keep what the stages wrote, in DIR/.build: building with other settings is quicker then",
            ),
        ),
        *ENGINE,
        *group("input", stay_below_option("configuration")),
    ),
    run_build,
    "A build that was stopped goes on where it was when it is started again.",
)


# stats: describe a data set, and how well its planted sentences are hidden.


def run_stats(arguments: argparse.Namespace) -> int:
    """Run `evalign bitext stats`: read or compute the statistics, print them; or sample pairs for review."""
    format = output_format(arguments, FORMATS)
    _check_review(arguments)
    _check_stats(arguments, format)
    from evalign.bitext.statistics.dataset_statistics import bitext_statistics
    from evalign.bitext.statistics.native_pairs import read_reviewed
    from evalign.reports.bitext import report_review, report_statistics

    if arguments.reviewed:
        lines = report_review(read_reviewed(arguments.reviewed))
        emit([f"{line}\n" for text in lines for line in fold(text, columns())], arguments)
        return 0
    with ProgressLine(quiet=arguments.quiet) as progress:
        statistics = bitext_statistics(
            arguments.folder, arguments.pair, seed=arguments.seed, progress=progress
        )
        if arguments.review:
            _write_review(arguments, progress)
    show_report(report_statistics(statistics, shapes=format == "table"), arguments, format)
    return 0


def _check_review(arguments: argparse.Namespace) -> None:
    """Raise an error if the file for reviewers cannot be written."""
    if arguments.review == "-":
        message = "--review -"
        raise CommandError(message, "a file, which people fill in: --review review.tsv")
    check_writable(arguments.review)


def _check_stats(arguments: argparse.Namespace, format: str) -> None:
    """Raise `CommandError` for options that exclude each other, or would replace a file of the data set."""
    if arguments.reviewed and (arguments.review or format != "table"):
        other = "--review" if arguments.review else f"--format {format}"
        message = f"--reviewed with {other}"
        raise CommandError(message, "one of the two", "--reviewed says in words what was found")
    check_outside(arguments.folder, arguments.output, arguments.review)


def _write_review(arguments: argparse.Namespace, progress: ProgressLine) -> None:
    from evalign.bitext.dataset import open_dataset
    from evalign.bitext.scoring.review import render_review
    from evalign.bitext.statistics.native_pairs import sample_review
    from evalign.files import write_whole

    dataset = open_dataset(arguments.folder, arguments.pair)
    samples = sample_review(dataset, seed=arguments.seed, progress=progress)
    write_whole(arguments.review, render_review(samples))
    progress.clear()
    tell(f"{arguments.review}: pairs to review: {sum(map(len, samples.values()))}", arguments)


STATS = Command(
    "bitext stats",
    (
        "evalign bitext stats data/fr-en",
        "evalign bitext stats data/fr-en --review review.tsv",
        "evalign bitext stats data/fr-en -o statistics.json",
    ),
    "What a data set is like: sentences and gold pairs of each split, what its build has counted and planted, how long "
    "sentences are, how near documents with translations are to native ones, and how well classifiers of form and of "
    "context tell planted from native sentences. Where the build has saved no statistics.json, this is counted from the "
    "files as far as they allow.",
    (
        FOLDER,
        PAIR,
        Option("--seed", "where samples start (default 12345)", "N", count, default=12345),
        *output_options(FORMATS, warns=False),
        *group(
            "pairs that are parallel by chance",
            Option(
                "--review",
                "write a sample of native pairs that share most numbers and names, with a column to fill in: y or n",
                "FILE",
            ),
            Option("--reviewed", "such a file, filled in: say how many of them are parallel", "FILE"),
        ),
    ),
    run_stats,
)


# show: planted sentences with the sentences around them.


def run_show(arguments: argparse.Namespace) -> int:
    """Run `evalign bitext show`: find or draw sentences, print them with those around them."""
    format = output_format(arguments, FORMATS)
    for option, says in (("pairs", "how many"), ("seed", "which pairs")):
        value = getattr(arguments, option)
        if value is not None and arguments.ids:
            message = f"--{option} {value} with ids"
            raise CommandError(
                message, "one of the two", f"--{option} says {says} are drawn where no id is named"
            )
    if arguments.pairs == 0:
        message = "--pairs 0"
        raise CommandError(message, "one or more")
    check_outside(arguments.folder, arguments.output)
    from evalign.bitext.excerpts import PAIRS_SHOWN, bitext_excerpts
    from evalign.bitext.sampling import SEED
    from evalign.reports.bitext import render_excerpts, report_excerpts

    with ProgressLine(quiet=arguments.quiet) as progress:
        excerpts = bitext_excerpts(
            arguments.folder,
            *arguments.ids,
            pair=arguments.pair,
            split=arguments.split,
            number=arguments.pairs or PAIRS_SHOWN,
            context=arguments.context,
            seed=SEED if arguments.seed is None else arguments.seed,
            progress=progress,
        )
    if format == "table":
        emit([render_excerpts(excerpts, columns=columns(), color=use_color(arguments))], arguments)
    else:
        show_report(report_excerpts(excerpts), arguments, format)
    return 0


SHOW = Command(
    "bitext show",
    (
        "evalign bitext show data/fr-en",
        "evalign bitext show data/fr-en fr-000001781 --context 3",
        "evalign bitext show data/fr-en --split test --pairs 50 -o placements.csv",
    ),
    "Show planted sentences of a data set with the sentences around them, in both languages, as Figure 1 of the paper "
    "does. A sentence that is named by its id brings its translation along; one that is in no pair is shown alone.",
    (
        FOLDER,
        Option("ids", "sentences of either language; without any, some pairs are drawn", "ID", nargs="*"),
        PAIR,
        Option("--split", "only this split", "NAME", default=""),
        Option("--pairs", "how many pairs are drawn where no id is named (default 5)", "N", count),
        Option("--context", "sentences before and behind each (default 2)", "N", count, default=2),
        Option("--seed", "which pairs are drawn where no id is named (default 12345)", "N", count),
        *output_options(FORMATS, warns=False),
    ),
    run_show,
    "Where documents begin and end, and where sentences come from, is known where the data set has its provenance.tsv.",
)


# score: compare extracted pairs of sentences with the hidden ones.


def run_score(arguments: argparse.Namespace) -> int:
    """Run `evalign bitext score`: score the files of pairs, print and save the result."""
    from evalign.bitext.scoring.pair_scores import score_pairs

    arguments.per, arguments.by, arguments.passages = "", [], None
    check_shown(arguments)
    training, systems = arguments.training or [], arguments.systems
    check_standard_input(arguments.gold, *systems, *training, arguments.reviewed)
    format = output_format(arguments, FORMATS)
    check_saved(arguments, format)
    _check_review(arguments)
    if arguments.review_size is not None and not arguments.review:
        msg = "--review-size without --review"
        raise CommandError(msg, "a file to write the sample to: --review review.tsv")
    if arguments.split and not arguments.corpora:
        msg = "--split without --corpora"
        raise CommandError(msg, "the folder that has the corpora of the split")
    assessor = CommandAssessor(arguments, page=bool(arguments.report))
    with assessor.progress as progress:
        result = score_pairs(
            arguments.gold,
            *systems,
            training=training,
            names=arguments.names,
            recall_at=_numbers(arguments.recall_at or ""),
            corpora=arguments.corpora,
            split=arguments.split,
            reviewed=arguments.reviewed,
            examples=PairOptions.examples if arguments.review_size is None else arguments.review_size,
            progress=progress,
        )

    def write_sample() -> None:
        from evalign.bitext.scoring.review import render_review
        from evalign.files import write_whole

        samples = {system.name: (system.pairing or {}).get("false", []) for system in result.systems}
        write_whole(arguments.review, render_review(samples))

    write_more = write_sample if arguments.review else None
    return show_scores(
        result, format, arguments, BreakdownChoice(), assessor, passages=0, write_more=write_more
    )


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(count(name) for name in read_names(text))
    except argparse.ArgumentTypeError as error:
        msg = f"--recall-at {text}: {error}"
        raise CommandError(msg, "numbers of candidates: --recall-at 1,5,10") from None


SCORE = Command(
    "bitext score",
    (
        "evalign bitext score fr-en/fr-en.test.gold mined/fr-en.test.lexical.tsv",
        "evalign bitext score fr-en.test.gold one.test.tsv two.test.tsv --training fr-en.training.gold one.training.tsv two.training.tsv --confidence --paired",
        "evalign bitext score fr-en/fr-en.test.gold test.tsv --corpora fr-en --review review.tsv",
    ),
    "Score files of extracted pairs, first-id TAB second-id and a score if there is one, against gold: precision, recall "
    "and F1 over pairs as sets; where pairs have scores also the precision-recall curve, average precision and thresholds.",
    (
        Option("gold", "the gold pairs; - is standard input", "GOLD"),
        systems_option("the pairs being scored, NAME=FILE to name one; the first is the baseline"),
        Option(
            "--training",
            "gold of the training split, then a file of each system for it: the threshold that is best there is applied",
            "FILE",
            nargs="+",
        ),
        ONLY._replace(help="print one number per system: pairs.f1"),
        declared_option(PairOptions, "recall_at", "K,..."),
        declared_option(PairOptions, "corpora", "DIR"),
        declared_option(PairOptions, "split", "NAME"),
        *output_options(FORMATS, REPORT),
        *COMPARISON,
        ALL_PAIRS,
        *group(
            "review of false pairs",
            Option(
                "--review",
                "write a sample of false pairs to be looked at: y or n in the column parallel",
                "FILE",
            ),
            declared_option(PairOptions, "examples")._replace(name="--review-size", default=None),
            declared_option(PairOptions, "reviewed", "FILE"),
        ),
        *DRAWS,
    ),
    run_score,
    "evalign explain pairs says what is counted, and which published numbers are something else.",
)


# mine: extract pairs from a data set with a baseline.


def run_mine(arguments: argparse.Namespace) -> int:
    """Run `evalign bitext mine`: mine pairs, write them to files, print how many there are."""
    _check_mining(arguments)
    from evalign.bitext.dataset import open_dataset
    from evalign.bitext.mining.mine import CANDIDATES, check_output_folder, mine_pairs, write_mined

    check_output_folder(arguments.output)
    dataset = open_dataset(arguments.folder, arguments.pair)
    units = dict(
        read_setting(text, "--unit", "a language and its unit: --unit cy=words") for text in arguments.unit
    )
    warnings: list[str] = []
    with ProgressLine(quiet=arguments.quiet) as progress, engine_of(arguments, progress) as engine:
        is_lexical = arguments.method == "lexical"
        mined = mine_pairs(
            arguments.folder,
            method=arguments.method,
            pair=dataset.pair,
            splits=arguments.split,
            lexicon=_read_lexicon(arguments, dataset, units, progress, engine) if is_lexical else (),
            encoder=arguments.encoder,
            candidates=CANDIDATES if arguments.candidates is None else arguments.candidates,
            neighbours=arguments.neighbours,
            retrieval=arguments.retrieval or "max",
            threshold=arguments.threshold,
            units=units,
            progress=progress,
            warn=warnings.append,
            engine=engine,
        )
        written = write_mined(mined, arguments.output, pair=dataset.pair, method=arguments.method)
    warn(warnings, arguments)
    for split, pairs in mined.items():
        print(f"{written[split]}: {len(pairs):,} pairs")
    if advice := _advise_scoring(dataset, written):
        tell(advice, arguments)
    return 0


def _read_lexicon(
    arguments: argparse.Namespace,
    dataset: DataSet,
    units: Mapping[str, str],
    progress: ProgressLine,
    engine: Engine,
) -> Lexicon:
    from evalign.bitext.mining.lexicon import read_lexicon, write_lexicon
    from evalign.bitext.mining.mine import find_dataset_languages

    files = [tuple(files) for files in arguments.lexicon]
    languages = find_dataset_languages(dataset, units)
    lexicon = read_lexicon(files, languages, progress=progress, engine=engine)
    if arguments.save_lexicon:
        write_lexicon(arguments.save_lexicon, lexicon, (dataset.first, dataset.second))
    return lexicon


def _check_mining(arguments: argparse.Namespace) -> None:
    """Raise `CommandError` for options of the other method, and for required options that are missing."""
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
        _check_saved_lexicon(arguments)


def _check_saved_lexicon(arguments: argparse.Namespace) -> None:
    from pathlib import Path

    check_writable(arguments.save_lexicon)
    saved = Path(arguments.save_lexicon)
    read = (Path(name) for files in arguments.lexicon for name in files)
    if saved.exists() and any(each.exists() and each.samefile(saved) for each in read):
        message = f'--save-lexicon "{saved}" would replace a file that is read'
        raise CommandError(message, "another file to write to")


def _threshold(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < 0:
        message = f"{text!r} is not a number from 0 up"
        raise argparse.ArgumentTypeError(message)
    return value


def _advise_scoring(dataset: DataSet, written: Mapping[str, Path]) -> str:
    """Return a hint with the command that scores the mined pairs, or "" if no split has gold."""
    files = {
        split: f"{_as_argument(dataset.gold_path(split))} {_as_argument(path)}"
        for split, path in written.items()
        if dataset.gold_path(split).is_file()
    }
    # The training split is scored only if there is no other, because thresholds are chosen on it.
    order = ["test", "sample", *(split for split in files if split != "training"), "training"]
    scored = next((split for split in order if split in files), "")
    if not scored:
        return ""
    command = f"evalign bitext score {files[scored]}"
    if "training" in files and scored != "training":
        command += f" --training {files['training']}"
    return f"to score them: {command}"


def _as_argument(path: Path) -> str:
    """Quote a path that contains spaces, to be pasted into a command line."""
    return f'"{path}"' if " " in str(path) else str(path)


MINE = Command(
    "bitext mine",
    (
        "evalign bitext mine fr-en --lexicon parallel.tsv -o mined",
        "evalign bitext mine fr-en --lexicon news.fr news.en --lexicon memory.tmx -o mined",
        "evalign bitext mine fr-en --method embeddings --encoder my_encoder:encode -o mined",
    ),
    "Extract pairs of sentences that may be translations from both corpora of a data set: a baseline that other systems "
    "can be compared with. It never sees gold. All pairs are kept, with scores: evalign bitext score finds the threshold "
    "on the training split.",
    (
        FOLDER._replace(help="the folder of fr-en.training.fr, fr-en.training.en"),
        Option("--method", "default lexical", choices=METHODS, default="lexical"),
        PAIR,
        Option("--split", "only this split; may be repeated", "NAME", action="append"),
        Option("--threshold", "only pairs with a score above X (default 0)", "X", _threshold, default=0.0),
        Option(
            "--neighbours",
            "scores are compared with those of the K best around them (default 4)",
            "K",
            count,
            default=4,
        ),
        *folder_output("the folder that files are written to", "only what was found, no warnings"),
        *group(
            "lexical: words that are translations of each other",
            Option(
                "--lexicon",
                "sentences with their translations to learn from: a table of 2 or 4 columns, TMX, or two files as Moses "
                "has them; or a dictionary, word TAB translation TAB probability; may be repeated; after DIR",
                "FILE",
                nargs="+",
                action="append",
            ),
            Option("--save-lexicon", "write the lexicon to a file that --lexicon reads at once", "FILE"),
            Option(
                "--candidates", "how many candidates of each sentence are scored (default 10)", "K", count
            ),
            Option(
                "--unit",
                "of a language without settings: words, or characters where there are no spaces",
                "LANG=UNIT",
                action="append",
            ),
        ),
        *group(
            "embeddings: sentences whose vectors are near",
            Option(
                "--encoder",
                "a function from a list of sentences to their vectors, installed or in the current folder; or "
                "sentence-transformers:NAME",
                "MODULE:FUNCTION",
            ),
            Option(
                "--retrieval",
                "forward, backward: the best of each first, of each second sentence; intersect: what both find; max: what "
                "either finds, one to one (default)",
                choices=RETRIEVALS,
            ),
        ),
        *ENGINE,
    ),
    run_mine,
    "Files are called PAIR.SPLIT.METHOD.tsv; lines are first-id TAB second-id TAB score.",
)
BITEXT = make_group(
    "bitext",
    "evalign bitext build examples/bitext/config.toml -o fr-en",
    "Build data sets of parallel sentences hidden in comparable corpora, score systems that find them, mine them with a "
    "baseline (Zweigenbaum et al. 2018, the BUCC shared tasks).",
)
