"""Builds a data set: runs the eight stages in order, resumes a build that was stopped, and collects warnings.

    >>> built = build_dataset("config.toml", "fr-en")  # doctest: +SKIP

Every stage is synced to the disk before the next one begins, so that a build can be resumed after any stop.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from evalign._version import __version__
from evalign.bitext.build.config import DROP, Config, read_config
from evalign.bitext.build.filter_stage import REASONS, run_filter
from evalign.bitext.build.plant_stage import PLANTING_KINDS, check_engine, run_plant
from evalign.bitext.build.publish import (
    check_free,
    check_inputs,
    describe,
    files_of,
    find_damaged,
    fingerprint_inputs,
    publish,
    read_published,
    save_seals,
)
from evalign.bitext.build.read_stage import run_read
from evalign.bitext.build.rows import BUILD_SIZES, PAIRS, BuildSizes, StageContext
from evalign.bitext.build.split_stages import run_desync, run_split
from evalign.bitext.build.verify import run_statistics
from evalign.bitext.build.write_stages import LINKS, run_merge, run_write
from evalign.bitext.dataset import (
    BUILD_FOLDER,
    DATASET_FILE,
    GOLD,
    PROVENANCE_FILE,
    SPLITS,
    DataSet,
    order_splits,
)
from evalign.bitext.languages import Language
from evalign.bitext.statistics.schema import STATISTICS_FILE
from evalign.engines.base import Engine, open_engine
from evalign.engines.checkpoints import Checkpoints, FinishedStage, StageCounts, make_digest
from evalign.errors import CommandError, InputError, Message, Place
from evalign.progress import Progress, no_progress
from evalign.readers.folder_limit import FolderLimit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from distributed import Client


# To be increased when stages write other files, so that older ones are not read.
LAYOUT = 3
# A file that marks stages as kept on purpose; patterns for all that builds make in the folder, besides its lock.
KEPT = "kept"
UNFINISHED = r".*\.part"
STAGE_FILES = rf"{UNFINISHED}|[0-9]{{2}}-[a-z]+|[a-z]+\.jsonl?|{KEPT}"

# The eight stages in order, and the settings that each depends on.


class Stage(NamedTuple):
    """A stage of the build: its name, its function, and the settings that it depends on."""

    name: str
    run: Callable[[StageContext], StageCounts]
    settings: Callable[[Config], object]
    """Returns the part of the configuration that the stage depends on, besides the stages before it."""


def _of_inputs(config: Config) -> object:
    settings = config.as_json()
    return [*(settings[key] for key in ("pair", "documents", "parallel", "links")), config.filter.lists]


def _of_filter(config: Config) -> object:
    options = asdict(config.filter)
    # Copies in the other language are left out by the stage "split", list items by the stage "read".
    settings = [value for key, value in options.items() if key not in ("identical", "lists")]
    return [settings, [_of_language(each, config) for each in config.languages]]


def _of_language(language: Language, config: Config) -> object:
    stop_words = sorted(language.stop_words) if config.filter.wrong_language == DROP else []
    return [language.unit, language.shortest, language.longest, language.scripts, stop_words]


def _of_seed(config: Config) -> object:
    return config.seed


STAGES = (
    Stage("read", run_read, _of_inputs),
    Stage("filter", run_filter, _of_filter),
    Stage("desynchronise", run_desync, lambda config: [config.desync, config.seed]),
    Stage("split", run_split, lambda config: [config.splits, config.filter.identical]),
    Stage("plant", run_plant, lambda config: [config.as_json()["languages"], asdict(config.planting)]),
    Stage("merge", run_merge, _of_seed),
    Stage("write", run_write, _of_seed),
    Stage("statistics", run_statistics, _of_seed),
)


def make_keys(config: Config, inputs: object) -> list[str]:
    """Return the key of each stage, which is the same only for the same settings and inputs.

    `inputs` are the fingerprints of the input files.
    """
    keys: list[str] = []
    for stage in STAGES:
        before = keys[-1] if keys else ""
        settings = stage.settings(config)
        content = settings if keys else [settings, inputs]
        keys.append(make_digest([LAYOUT, __version__, stage.name, before, content]))
    return keys


def check_sides(config: Config, stage: str, counts: Mapping[str, Mapping[str, int]]) -> None:
    """Raise `InputError` if a stage has left no sentences of a language, or none in one of its splits."""
    for code in config.codes:
        side_counts = counts.get(code, {})
        for kept in _name_needed_counts(stage, config):
            if side_counts.get(kept, 1) == 0:
                listed = ", ".join(f"{what}: {n:,}" for what, n in side_counts.items())
                message = f"no {kept.removeprefix('kept ')} of {code} after the stage {stage!r} ({listed})"
                expected, advice = _ADVICE[stage]
                split = kept.removesuffix(" sentences")
                raise InputError(config.place, message, expected, advice.format(split=split))


def _name_needed_counts(stage: str, config: Config) -> Sequence[str]:
    if stage == "split":
        return [f"{split} sentences" for split in config.shares]
    return ["sentences"] if stage == "read" else ["kept sentences"]


_ADVICE = {
    "read": ("documents with sentences", ""),
    "filter": ("sentences of the right length", "[languages.CODE] shortest and longest say which are"),
    "desynchronise": (
        "documents that are not all linked with the other language",
        'desync = "split" keeps both of two linked documents',
    ),
    "split": (
        "a document for every split, with sentences that are not in the other language",
        "give more documents; [splits] with {split} = 0 makes no {split}",
    ),
}


# A split has few pairs if they are fewer than `LEAST_SHARE` of its sentences (BUCC's have 2 to 5 %), or if
# they are fewer than `FEWEST_PAIRS` and less than `USUAL_SHARE` of the fitting ones found a slot (for French
# in real text 13 % do).
LEAST_SHARE, FEWEST_PAIRS, USUAL_SHARE = 0.01, 20, 0.1


class Built(NamedTuple):
    """The result of a build."""

    dataset: DataSet
    sizes: Mapping[str, Mapping[str, int]]
    """By split: how many sentences of each language, and how many "gold" pairs."""
    kept: tuple[str, ...] = ()
    """Stages that had been finished by an earlier build."""
    counts: Mapping[str, StageCounts] = {}
    """What each stage counted; empty if there was nothing left to do."""
    warnings: tuple[str, ...] = ()
    was_finished: bool = False
    """True if there was nothing left to do."""


def build_dataset(
    config: Config | str | os.PathLike[str],
    folder: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    keep_stages: bool = False,
    progress: Progress = no_progress,
    engine: Engine | Client | int | str | None = None,
    stay_below: str | os.PathLike[str] | None = None,
    sizes: BuildSizes = BUILD_SIZES,
) -> Built:
    """Build a data set in a folder from a configuration, or resume a build that was stopped.

    A folder that has this very data set already is left as it is. A folder with another data set is refused,
    unless `overwrite` is set. The files of the stages are removed in the end, unless `keep_stages` is set:
    with these files, a later build with other settings is quicker.

    `engine` says where sentences are filtered and where slots (native sentences that a planted one can stand
    behind) are searched for, as `evalign.open_engine` takes it: a number of processes, the address of a Dask
    scheduler, or a client. All its workers must see the folder. `sizes` says into what pieces the work is
    cut. The data set depends neither on `engine` nor on `sizes`. If `stay_below` is a folder, a configuration
    that names a file outside of it is refused, symbolic links followed.
    """
    if not os.fspath(folder):
        message = "no folder to build in"
        raise CommandError(message, "the name of a folder, which may be new")
    settings = config if isinstance(config, Config) else read_config(config, stay_below=stay_below)
    if stay_below is not None:
        settings.check_below(FolderLimit(stay_below))
    check_inputs(settings)
    check_engine()
    folder = Path(folder)
    workspace = Checkpoints(folder / BUILD_FOLDER, durable=True)
    with open_engine(engine, progress=progress) as opened, _hold(workspace, folder):
        workspace.clear(UNFINISHED)
        inputs = fingerprint_inputs(settings, workspace.path, progress, sizes)
        keys = make_keys(settings, inputs.prints)
        dataset = DataSet(folder, *settings.codes, tuple(settings.shares))
        if _is_finished(folder, keys[-1], overwrite=overwrite):
            # Stages are left if a build was killed just before its end, or if they were kept on purpose:
            # those stay.
            if not (workspace.path / KEPT).exists():
                workspace.clear(STAGE_FILES)
            return Built(dataset, _count_files(dataset), was_finished=True)
        check_free(workspace, _list_file_names(settings), overwrite=overwrite)
        save_seals(inputs, workspace.path)
        done, kept = _run_stages(workspace, settings, keys, progress, opened, sizes)
        files = files_of(done["write"], done["statistics"])
        publish(workspace, files, describe(settings, inputs.prints, keys[-1]), progress)
        progress("clearing up")
        if keep_stages:
            (workspace.path / KEPT).touch()
        else:
            workspace.clear(STAGE_FILES)
    counts = {name: stage.counts for name, stage in done.items()}
    lines = _count_files(dataset)
    return Built(dataset, lines, kept, counts, _make_warnings(settings, lines, counts))


@contextmanager
def _hold(workspace: Checkpoints, folder: Path) -> Iterator[None]:
    """Make the folder of stages and hold it during the block; new folders that stay empty are removed."""
    try:
        workspace.make()
    except OSError as error:
        # pathlib's functions raise if a name is too long.
        above = [each for each in (workspace.path, *workspace.path.parents) if os.path.exists(each)]  # noqa: PTH110
        is_file = not os.path.isdir(above[0])  # noqa: PTH112
        problem = "no folder" if is_file else f"no folder can be made here ({error.strerror or error})"
        expected = "a folder for the data set, which may be new"
        raise InputError(Place(str(above[0] if is_file else folder)), problem, expected) from None
    message = f"another build works in {folder}"
    busy = CommandError(message, "one at a time", "wait for it, or build in another folder")
    with _explain_writing(folder), workspace.hold(busy):
        yield


@contextmanager
def _explain_writing(path: Path) -> Iterator[None]:
    """Raise `InputError` if something cannot be written, or if what was written cannot be read."""
    try:
        yield
    except OSError as error:
        where = error.filename if isinstance(error.filename, str) else str(path)
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        expected = "room for the data set" if is_full else "a folder that can be written to"
        advice = "finished stages are kept: run the same command again, and it goes on from there"
        problem = f"cannot be written ({error.strerror or error})"
        raise InputError(Place(where), problem, expected, advice) from None


def _count_files(dataset: DataSet) -> dict[str, dict[str, int]]:
    """Count the lines of the files of each split."""
    return {
        split: {
            name: _count_lines(dataset.corpus_path(split, name))
            for name in (dataset.first, dataset.second, GOLD)
        }
        for split in dataset.splits
    }


def _count_lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for _ in file)


def _list_file_names(config: Config) -> list[str]:
    """Return all names that files of this data set may have, also those of BUCC splits without a share."""
    ends = (*config.codes, GOLD)
    splits = order_splits((*SPLITS, *config.shares))
    corpora = [f"{config.pair}.{split}.{end}" for split in splits for end in ends]
    return [*corpora, PROVENANCE_FILE, LINKS, STATISTICS_FILE, DATASET_FILE]


def _is_finished(folder: Path, key: str, *, overwrite: bool) -> bool:
    """Return whether the folder has this very data set, complete and unchanged.

    Raises `CommandError` if the folder has another data set, or a changed one, and `overwrite` is not set.
    """
    published = read_published(folder)
    if published is None:
        return False
    damaged = find_damaged(folder, published)
    if published["key"] == key and not damaged:
        return True
    if overwrite:
        return False
    if published["key"] == key:
        message = f"{folder}: {', '.join(damaged)} changed or gone since the data set was built"
        raise CommandError(message, "files as they were built", Message("{overwrite=True} builds them again"))
    message = f"{folder} has a data set from another configuration or other inputs"
    raise CommandError(message, "another folder", Message("{overwrite=True} replaces it"))


def _run_stages(
    workspace: Checkpoints,
    config: Config,
    keys: Sequence[str],
    progress: Progress,
    engine: Engine,
    sizes: BuildSizes,
) -> tuple[dict[str, FinishedStage], tuple[str, ...]]:
    """Run the stages that are not finished yet.

    Returns all stages by name, and the names of those that an earlier build had finished.
    """
    done: dict[str, FinishedStage] = {}
    kept: list[str] = []
    folders = [f"{number:02d}-{stage.name}" for number, stage in enumerate(STAGES, 1)]
    for number, (stage, key) in enumerate(zip(STAGES, keys, strict=True)):
        finished = workspace.find(folders[number], key) if len(kept) == len(done) else None
        if finished:
            progress(f"{stage.name}: kept")
            kept.append(stage.name)
        else:
            workspace.clear("|".join(folders[number:]))
            progress(f"{stage.name}: begins")
            with workspace.begin(folders[number]) as part, _explain_writing(part):
                counts = stage.run(StageContext(config, part, done, progress, engine, sizes))
                check_sides(config, stage.name, counts)
                finished = workspace.finish(part, key, counts)
        done[stage.name] = finished
    return done, tuple(kept)


def _make_warnings(
    config: Config, sizes: Mapping[str, Mapping[str, int]], counts: Mapping[str, StageCounts]
) -> tuple[str, ...]:
    """Return warnings: links that lead nowhere, splits with few pairs or none."""
    warnings = []
    if (config.links.path or config.links.same_names) and not counts["read"][PAIRS]["links"]:
        warnings.append("[links]: none is between documents of both languages, so none is kept out")
    planted = {split: counts["plant"][split]["planted"] for split in config.shares}
    empty = [split for split, n in planted.items() if not n]
    few = [
        split
        for split, n in planted.items()
        if n and is_few(n, counts["plant"][split]["fitting"], max(sizes[split].values()))
    ]
    for phrase, splits in (("no pair is", empty), ("few pairs are", few)):
        if splits:
            named = [f"{split}: {planted[split]}" if planted[split] else split for split in splits]
            planting = {
                kind: sum(counts["plant"][split][kind] for split in splits) for kind in PLANTING_KINDS
            }
            became = ", ".join(f"{kind}: {n:,}" for kind, n in planting.items() if kind != "planted")
            advice = _advise(planting, counts["filter"][PAIRS])
            warnings.append(f"{phrase} planted in {', '.join(named)} ({became}); {advice}")
    return tuple(warnings)


def is_few(planted: int, fitting: int, sentences: int) -> bool:
    """Return whether a split has far fewer pairs than those of BUCC.

    This is so if the `planted` pairs are few for the number of `sentences`, or if they are few and also a
    small share of the `fitting` pairs, whose lengths are within the limits.

    >>> is_few(7, 23, 37), is_few(7, 400, 37), is_few(99, 500, 10_000)
    (False, True, True)
    """
    return planted < LEAST_SHARE * sentences or (planted < FEWEST_PAIRS and planted < USUAL_SHARE * fitting)


def _advise(planting: Mapping[str, int], filtered: Mapping[str, int]) -> str:
    """Return advice for splits where few pairs were planted."""
    if not planting["offered"]:
        dropped = {reason: filtered[reason] for reason in REASONS if filtered.get(reason)}
        if dropped:
            listed = ", ".join(f"{reason}: {n:,}" for reason, n in dropped.items())
            return f"pairs were left out ({listed}): [filter] says what for"
        return "no pair was drawn for it: give more pairs, or a larger share in [splits]"
    if not planting["fitting"]:
        return "shortest and longest in [languages.CODE] say which lengths fit"
    if planting["untranslated"] + planting["known"] == planting["fitting"]:
        return "all that fit are not translated, or are in the documents already"
    if planting["planted"] >= USUAL_SHARE * planting["fitting"]:
        return "as many find a place as usual: give more pairs, or a larger share in [splits]"
    return "a lower minimum_should_match in [languages.CODE] finds more places"
