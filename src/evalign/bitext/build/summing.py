"""Eighth stage: statistics of the data set, and a check of all that it promises."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from evalign.bitext.build.files import write_synced
from evalign.bitext.build.filtering import read_lengths
from evalign.bitext.build.verify import verify_dataset
from evalign.bitext.build.work import PAIRS, StageContext, load_sizes, read_document_rows
from evalign.bitext.build.workspace import StageCounts
from evalign.bitext.corpora import open_dataset
from evalign.bitext.statistics import collect_statistics
from evalign.bitext.statistics import GenreCounts
from evalign.bitext.statistics import STATISTICS_FILE
from evalign.bitext.statistics import PlantingCounts
from evalign.errors import InputError, Place


def run_statistics(work: StageContext) -> StageCounts:
    """Write the statistics; raises `InputError` where the data set is not what it should be."""
    config = work.config
    dataset = open_dataset(work.folder_of("write"), config.pair)
    languages = {language.code: language for language in config.languages}
    work.progress("checking the data set")
    ratios = config.planting.shortest_ratio, config.planting.longest_ratio
    checks = verify_dataset(
        dataset, languages, desync=config.desync, ratios=ratios, filter=config.filter
    )
    broken = [check for check in checks if not check.holds]
    if broken:
        told = "; ".join(map(str, broken))
        raise InputError(Place(str(work.folder_of("write"))), told, "a data set that keeps its promises")
    stages = {name: stage.counts for name, stage in work.finished.items()}
    plant = stages["plant"]
    stages["plant"] = {PAIRS: plant[PAIRS]}
    found = collect_statistics(
        dataset,
        stages,
        planting={split: _planting(plant[split]) for split in config.shares},
        lengths_before=read_lengths(work.folder_of("filter")),
        genres={code: _count_genres(work, code) for code in config.codes},
        languages=languages,
        seed=config.seed,
        progress=work.progress,
    )
    write_synced(work.folder / STATISTICS_FILE, {**found})
    return {}


def _planting(found: Mapping[str, int]) -> PlantingCounts:
    return PlantingCounts(
        offered=found["offered"],
        fitting=found["fitting"],
        untranslated=found["untranslated"],
        known=found["known"],
        first_found=found["first found"],
        second_found=found["second found"],
        planted=found["planted"],
    )


def _count_genres(work: StageContext, code: str) -> dict[str, GenreCounts]:
    """Documents and sentences of each genre in the data set."""
    sizes = load_sizes(work.folder_of("split"), code).tolist()
    splits = np.load(work.folder_of("split") / f"{code}.splits.npy").tolist()
    found: dict[str, GenreCounts] = {}
    for row, size, split in zip(read_document_rows(work.folder_of("read"), code), sizes, splits, strict=True):
        if split >= 0:
            documents, sentences = found.get(row.genre, (0, 0))
            found[row.genre] = GenreCounts(documents + 1, sentences + size)
    return found
