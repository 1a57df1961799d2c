"""The eight stages, in their order, and what each depends on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import NamedTuple

from evalign.bitext.build.config import DROP, Config
from evalign.bitext.build.desynchronizing import run_desync
from evalign.bitext.build.filtering import run_filter
from evalign.bitext.build.merging import run_merge
from evalign.bitext.build.planting import run_plant
from evalign.bitext.build.reading import run_read
from evalign.bitext.build.splitting import run_split
from evalign.bitext.build.summing import run_statistics
from evalign.bitext.build.work import StageContext
from evalign.bitext.build.workspace import StageCounts, make_key
from evalign.bitext.build.writing import run_write
from evalign.bitext.languages import Language
from evalign.errors import InputError


class Stage(NamedTuple):
    """A step of the build."""

    name: str
    run: Callable[[StageContext], StageCounts]
    settings: Callable[[Config], object]
    """What of the configuration it depends on, beside what the stages before it do."""


def _of_inputs(config: Config) -> object:
    settings = config.as_json()
    return [*(settings[key] for key in ("pair", "documents", "parallel", "links")), config.filter.lists]


def _of_filter(config: Config) -> object:
    options = asdict(config.filter)
    # Copies in the other language are left out by the stage that splits, lists by the one that reads.
    settings = [value for key, value in options.items() if key not in ("identical", "lists")]
    return [settings, [_of_language(each, config) for each in config.languages]]


def _of_language(language: Language, config: Config) -> object:
    told = sorted(language.stop_words) if config.filter.wrong_language == DROP else []
    return [language.unit, language.shortest, language.longest, language.scripts, told]


def _of_desync(config: Config) -> object:
    return [config.desync, config.seed]


def _of_splits(config: Config) -> object:
    return [config.splits, config.filter.identical]


def _of_planting(config: Config) -> object:
    return [config.as_json()["languages"], asdict(config.planting)]


def _of_seed(config: Config) -> object:
    return config.seed


STAGES = (
    Stage("read", run_read, _of_inputs),
    Stage("filter", run_filter, _of_filter),
    Stage("desynchronise", run_desync, _of_desync),
    Stage("split", run_split, _of_splits),
    Stage("plant", run_plant, _of_planting),
    Stage("typography", run_merge, _of_seed),
    Stage("write", run_write, _of_seed),
    Stage("statistics", run_statistics, _of_seed),
)


def make_keys(config: Config, inputs: object) -> list[str]:
    """What tells each stage from one made of other things; `inputs` is what the input files hold."""
    keys: list[str] = []
    for stage in STAGES:
        before = keys[-1] if keys else ""
        settings = stage.settings(config)
        keys.append(make_key(stage.name, before, settings if keys else [settings, inputs]))
    return keys


def check_sides(config: Config, stage: str, counts: Mapping[str, Mapping[str, int]]) -> None:
    """Raise `InputError` where a stage has left nothing of a language, or of a split of it."""
    for code in config.codes:
        found = counts.get(code, {})
        for kept in _needed(stage, config):
            if found.get(kept, 1) == 0:
                told = ", ".join(f"{what}: {n:,}" for what, n in found.items())
                message = f"no {kept.removeprefix('kept ')} of {code} after the stage {stage!r} ({told})"
                expected, advice = _ADVICE[stage]
                split = kept.removesuffix(" sentences")
                raise InputError(config.place, message, expected, advice.format(split=split))


def _needed(stage: str, config: Config) -> Sequence[str]:
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
        "a document for every split, with sentences that the other language has not",
        "give more documents; [splits] with {split} = 0 makes no {split}",
    ),
}
