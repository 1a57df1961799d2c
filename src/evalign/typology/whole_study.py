"""A whole study of treebanks and one system: profiles, weights, scores, comparison and cascades.

    study("gold_folder", "system_folder")

`evalign typology study` writes its results to files. Source: Callin, A typological perspective on evaluation
for Universal Dependencies: Tables 1, 3 and 5, Figures 2 to 5, and the correlations of section 7. Table 4
needs human judgements, see `judge_run`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evalign.engines.base import EngineInput
from evalign.errors import EvalignError
from evalign.options import Weights
from evalign.progress import Progress, counted, no_progress
from evalign.readers.folder_limit import Folder
from evalign.results.result import Parts
from evalign.scoring.collection import Collection, Treebank
from evalign.scoring.collection_run import score_collection
from evalign.typology.cascades import RunCascades, find_cascades
from evalign.typology.comparison import LEFT_OUT, NO_STTR, TWO_TREEBANKS, TreebankComparison, compare
from evalign.typology.options import ProfileOptions, RootHeads, Variance
from evalign.typology.profiles import Profile, Profiles, make_weights, profile
from evalign.typology.treebanks import match_treebanks
from evalign.wording import counted as count_noun

METRICS = ("las", "uas", "wlas", "content", "function")


@dataclass(frozen=True, eq=False)
class Study:
    """Everything computed for some treebanks and a system; parts that could not be computed are None."""

    system: str
    profiles: Profiles
    weights: Weights
    """The weights of WLAS: those given, else made of the profiles."""
    run: Parts | None
    comparison: TreebankComparison | None
    cascades: RunCascades | None
    root_heads: RootHeads
    left_out: tuple[str, ...]
    """What could not be computed, and why."""
    warnings: tuple[str, ...]
    """Warnings of all parts of the study."""


def study(
    gold: Folder,
    system: Folder,
    *,
    settings: ProfileOptions | None = None,
    weights: Weights | None = None,
    variance: Variance = "population",
    root_heads: RootHeads = "wrong",
    engine: EngineInput = None,
    progress: Progress = no_progress,
) -> Study:
    """Study a folder of gold files and a folder of one system's files, matched by name.

    Unless `weights` are given, WLAS uses the averaged word dependency entropy of these treebanks. A treebank
    that cannot be read is left out, and so are results that need more treebanks or words; `left_out` says
    why. It is an error if no gold file can be read.
    """
    matched = match_treebanks(gold, system)
    profiles, left_out = _profile(matched, settings or ProfileOptions(), progress)
    used = weights or make_weights(profiles)
    named = {treebank.name for treebank in profiles.treebanks}
    files = [treebank for treebank in matched.treebanks if treebank.name in named]
    run, reasons = _score(matched, files, profiles, used, engine, progress)
    left_out += reasons
    comparison = None
    if run is not None:
        # `reasons` names the treebanks that the system failed on already.
        scored = {name: result for name, result in run.results.items() if name not in run.failed(0)}
        try:
            comparison = compare(replace(run, results=scored), profiles=profiles, variance=variance)
        except EvalignError as error:
            left_out.append(f"Tables 3 and 5, Figures 4 and 5: {error.on_one_line}")
    compared = {treebank.name for treebank in comparison.treebanks} if comparison is not None else set()
    files = [treebank for treebank in files if treebank.name in compared]
    cascades, reasons = _find_cascades(files, profiles, root_heads, progress)
    left_out += [*reasons, *_tell_lacking(profiles, comparison)]
    warnings = [*matched.warnings, *profiles.warnings]
    if len(profiles.treebanks) == 2:
        warnings.append(TWO_TREEBANKS)
    for part in (comparison, cascades):
        warnings += part.warnings if part is not None else ()
    return Study(
        matched.systems[0],
        profiles,
        used,
        run,
        comparison,
        cascades,
        root_heads,
        tuple(dict.fromkeys(left_out)),
        tuple(
            warning for warning in dict.fromkeys(warnings) if warning.removeprefix(LEFT_OUT) not in left_out
        ),
    )


def _profile(matched: Collection, settings: ProfileOptions, progress: Progress) -> tuple[Profiles, list[str]]:
    """Profile all gold files that can be read, under the names of their treebanks; also return failures."""
    profiles: list[Profile] = []
    left_out: list[str] = []
    failed: EvalignError | None = None
    for _, treebank in counted(matched.treebanks, progress, lambda one: f"reading {one.name}"):
        try:
            [treebank_profile] = profile(treebank.gold, settings=settings).treebanks
            profiles.append(replace(treebank_profile, name=treebank.name))
        except EvalignError as error:
            failed = failed or error
            left_out.append(f"{treebank.name}: {error.on_one_line}")
    if failed and not profiles:
        raise failed
    return Profiles(tuple(profiles), settings), left_out


def _score(
    matched: Collection,
    files: Sequence[Treebank],
    profiles: Profiles,
    weights: Weights,
    engine: EngineInput,
    progress: Progress,
) -> tuple[Parts | None, list[str]]:
    """Score the system on the treebanks; None if it fails on all. Also return the failures."""
    collection = replace(matched, treebanks=tuple(files), warnings=())
    try:
        run = score_collection(
            collection,
            metrics=METRICS,
            weights=weights,
            relations=profiles.settings.relations,
            evidence="drop",
            engine=engine,
            progress=progress,
        )
    except EvalignError as error:
        return None, [f"scores, Tables 3 and 5, Figures 4 and 5: {error.on_one_line}"]
    return run, [f"{name}: {why}" for name, why in run.failed(0).items()]


def _find_cascades(
    files: Sequence[Treebank], profiles: Profiles, root_heads: RootHeads, progress: Progress
) -> tuple[RunCascades | None, list[str]]:
    """Count the cascades (Table 5) of the treebanks that can be compared; also return failures."""
    by_treebank = {}
    left_out: list[str] = []
    for _, one in counted(files, progress, lambda one: f"comparing {one.name}"):
        try:
            [file] = [each for each in one.systems if each is not None]
            by_treebank[one.name] = find_cascades(
                one.gold, file, relations=profiles.settings.relations, root_heads=root_heads
            )
        except EvalignError as error:
            left_out.append(f"{one.name}: {error.on_one_line}")
    warnings = tuple(warning for cascades in by_treebank.values() for warning in cascades.warnings)
    return RunCascades(by_treebank, warnings) if by_treebank else None, left_out


def _tell_lacking(profiles: Profiles, comparison: TreebankComparison | None) -> list[str]:
    """Say which correlations and ratios are missing because there are too few words or treebanks."""
    messages = []
    without = [treebank.name for treebank in profiles.treebanks if treebank.sttr is None]
    if without:
        size = count_noun(profiles.settings.chunk, "word")
        messages.append(
            f"STTR of {', '.join(without)}: fewer than {size} without punctuation, which is a chunk"
        )
    few = "correlations need at least two"
    if len(profiles.treebanks) < 2:
        messages.append(f"the correlations of Figure 3: one treebank, and {few}")
    if comparison is not None and len(comparison.treebanks) < 2:
        messages.append(f"the correlations of Table 3: one treebank, and {few}")
        messages.append("Figure 5: one treebank, which has no variance")
    if comparison is not None and f"{LEFT_OUT}{NO_STTR}" in comparison.warnings:
        messages.append(NO_STTR)
    return messages
