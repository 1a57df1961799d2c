"""Statistics of a folder: those its build has saved, else what its files alone say."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import cast

from evalign.bitext.corpora import open_dataset
from evalign.bitext.statistics.collected import collect_statistics
from evalign.bitext.statistics.shapes import FILE, KIND, SCHEMA, SEED, Statistics
from evalign.errors import InputError, Place
from evalign.progress import Progress, no_progress
from evalign.readers import load
from evalign.results import ShapeError, check_shape, describe_kind

# A build writes dataset.json last, and keeps its own files here until then.
_FINISHED, _UNFINISHED = "dataset.json", ".build"
_EXPECTED = "what a build has saved, or none"
_ADVICE = "without this file the data set is counted as it is"


def bitext_statistics(
    folder: str | os.PathLike[str], pair: str = "", *, seed: int = SEED, progress: Progress = no_progress
) -> Statistics:
    """Statistics of the data set in a folder: as saved by its build, else those that its files allow.

    `pair` says which data set, where there are several; the seed is of the samples, where something is left to find.
    """
    path = Path(folder)
    if (path / _UNFINISHED).is_dir() and not (path / _FINISHED).is_file():
        found = f"a build that is not finished: {_UNFINISHED} without {_FINISHED}"
        raise InputError(
            Place(os.fspath(folder)), found, "a whole data set", "run the build again: it goes on"
        )
    dataset = open_dataset(folder, pair)
    if (path / FILE).is_file():
        saved = read_statistics(path / FILE)
        # A folder may have several data sets; only one of them is the build's.
        if saved["pair"] == dataset.pair:
            return saved
    return collect_statistics(dataset, seed=seed, progress=progress)


def read_statistics(path: str | os.PathLike[str]) -> Statistics:
    """Statistics as they were saved; raises `InputError` where they are damaged, or of another version."""
    content = load(path)
    place = Place(content.name)
    try:
        saved = json.loads(content.data)
    except json.JSONDecodeError as error:
        raise InputError(place, f"damaged: not JSON at line {error.lineno}", _EXPECTED, _ADVICE) from None
    except (ValueError, RecursionError):  # more digits than Python reads, or brackets than it follows
        raise InputError(place, "damaged: JSON that evalign never writes", _EXPECTED, _ADVICE) from None
    if not isinstance(saved, dict) or saved.get("kind") != KIND:
        found = f"JSON of something else: {describe_kind(saved)}"
        raise InputError(place, found, f"an object of kind {KIND}", _ADVICE)
    if saved.get("schema") != SCHEMA:
        found = f"schema {json.dumps(saved.get('schema'))[:20]}"
        raise InputError(place, found, f"schema {SCHEMA}", "a newer evalign may have written it")
    try:
        check_shape(saved, Statistics)
    except ShapeError as error:
        raise InputError(place, f"damaged: {error}", _EXPECTED, _ADVICE) from None
    return cast("Statistics", saved)
