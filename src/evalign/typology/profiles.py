"""Profiles of treebanks, and the weights for the metric WLAS that follow from them.

    evalign typology profile en_ewt-ud-test.conllu ko_gsd-ud-test.conllu

A profile has sizes, features, crossing arcs, shares of relations, the standardized type/token ratio (STTR)
and the word dependency entropy (WDE) of each relation. Source: Callin, A typological perspective on
evaluation for Universal Dependencies, sections 3 to 5.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypedDict

import numpy as np

from evalign._version import __version__
from evalign.errors import CommandError, InputError, Message, Place
from evalign.files import shorten_paths, write_whole
from evalign.metrics.counts import ratio
from evalign.metrics.relations import WEIGHTS_SCHEMA, RelationClass, Version, find_version, relation_class
from evalign.options import Weights
from evalign.progress import Progress, counted, no_progress
from evalign.readers.content import load
from evalign.scoring.reading import Input
from evalign.typology.correlation import correlate_defined
from evalign.typology.options import ProfileOptions
from evalign.typology.treebanks import (
    RelationWords,
    TreebankColumns,
    TypeTokenRatio,
    measure_relations,
    measure_types,
    name_apart,
    path_of,
    read_treebank,
)

SCHEMA = 1
_ADVICE = "make one: {evalign.typology.profile(...)|evalign typology profile TREEBANK... -o profile.json}"


class SavedRelation(TypedDict):
    """JSON of a relation in a treebank."""

    words: int
    types: int
    wde: float


class SavedProfile(TypedDict):
    """JSON of a profile."""

    name: str
    path: str
    labels: Version
    sentences: int
    tokens: int
    words: int
    types: int
    featured: int
    trees: int
    nonprojective: int
    nonprojective_share: float | None
    chunks: int
    sttr: float | None
    shares: dict[str, float | None]
    relations: dict[str, SavedRelation]


class SavedProfiles(TypedDict):
    """JSON of several profiles."""

    schema: int
    version: str
    kind: str
    signature: str
    settings: dict[str, str | float]
    treebanks: list[SavedProfile]
    wde: dict[str, float]
    correlations: dict[str, float | None]


@dataclass(frozen=True, eq=False)
class Profile:
    """The measures of one treebank."""

    name: str
    path: str
    labels: Version
    """The UD version whose relation classes are used."""
    sentences: int
    tokens: int
    words: int
    types: int
    """Distinct forms of all words."""
    featured: int
    """Words with morphological features."""
    trees: int
    """Sentences that are trees."""
    nonprojective: int
    """Trees with at least one non-projective arc."""
    richness: TypeTokenRatio
    relations: Mapping[str, RelationWords]
    share_of: str = "all"
    warnings: tuple[str, ...] = ()

    @property
    def sttr(self) -> float | None:
        """Standardized type/token ratio; None if the treebank has no full chunk of words."""
        return self.richness.value

    @property
    def nonprojective_share(self) -> float | None:
        """Non-projective trees divided by trees; None without trees."""
        return ratio(self.nonprojective, self.trees)

    @property
    def featured_share(self) -> float | None:
        """Words with features divided by words; None without words."""
        return ratio(self.featured, self.words)

    def count(self, wanted: RelationClass) -> int:
        """Return the number of words whose relation is of the class `wanted`."""
        relations = self.relations.items()
        return sum(r.words for name, r in relations if relation_class(name, self.labels) == wanted)

    def share(self, wanted: RelationClass) -> float | None:
        """Return the share of relations that are of the class `wanted`, None if there are none.

        `share_of` says what it is a share of: all relations ("all"), all but punct ("no-punct"), or content
        and function relations ("classes").
        """
        whole = sum(relation.words for relation in self.relations.values())
        if self.share_of == "no-punct" and "punct" in self.relations:
            whole -= self.relations["punct"].words
        if self.share_of == "classes":
            whole = self.count("content") + self.count("function")
        return ratio(self.count(wanted), whole)

    def to_dict(self) -> SavedProfile:
        """Return the profile in the form that is saved as JSON."""
        relations = {
            name: SavedRelation(words=relation.words, types=relation.types, wde=relation.entropy)
            for name, relation in self.relations.items()
        }
        return SavedProfile(
            name=self.name,
            path=self.path,
            labels=self.labels,
            sentences=self.sentences,
            tokens=self.tokens,
            words=self.words,
            types=self.types,
            featured=self.featured,
            trees=self.trees,
            nonprojective=self.nonprojective,
            nonprojective_share=self.nonprojective_share,
            chunks=self.richness.chunks,
            sttr=self.sttr,
            shares={"content": self.share("content"), "function": self.share("function")},
            relations=relations,
        )


@dataclass(frozen=True, eq=False)
class Profiles:
    """Profiles of several treebanks, made with the same settings."""

    treebanks: tuple[Profile, ...]
    settings: ProfileOptions

    @property
    def versions(self) -> list[str]:
        """UD versions of the labels, sorted."""
        return sorted({treebank.labels for treebank in self.treebanks})

    @property
    def signature(self) -> str:
        """All settings that could change a number, on one line."""
        return self.settings.signature(self.versions)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings of all treebanks, and one if labels of both UD versions are mixed."""
        mixed = "labels of version 1 and 2 are mixed: relations are averaged by name"
        own = [warning for treebank in self.treebanks for warning in treebank.warnings]
        return (*own, *([mixed] if len(self.versions) > 1 else []))

    @cached_property
    def entropies(self) -> dict[str, float]:
        """Averaged word dependency entropy of each relation, ascending."""
        return average_entropies(self.treebanks, self.settings.missing)

    def class_of(self, relation: str) -> RelationClass:
        """Return the class of a relation by the UD version that most treebanks use; UD 2 if tied."""
        v1 = sum(treebank.labels == "v1" for treebank in self.treebanks)
        return relation_class(relation, "v1" if 2 * v1 > len(self.treebanks) else "v2")

    @property
    def correlations(self) -> dict[str, float | None]:
        """Pearson's r between shares and STTR over the treebanks (Figure 3, Table 3)."""
        values = {
            "content": [treebank.share("content") for treebank in self.treebanks],
            "function": [treebank.share("function") for treebank in self.treebanks],
            "sttr": [treebank.sttr for treebank in self.treebanks],
        }
        names = (("content", "sttr"), ("function", "sttr"), ("content", "function"))
        return {f"{a},{b}": correlate_defined(zip(values[a], values[b], strict=True)).r for a, b in names}

    def to_dict(self) -> SavedProfiles:
        """Return the profiles in the form that is saved as JSON."""
        return SavedProfiles(
            schema=SCHEMA,
            version=__version__,
            kind="profiles",
            signature=self.signature,
            settings=dict(vars(self.settings)),
            treebanks=[treebank.to_dict() for treebank in self.treebanks],
            wde=self.entropies,
            correlations=self.correlations,
        )


def profile(
    *treebanks: Input,
    settings: ProfileOptions | None = None,
    progress: Progress = no_progress,
) -> Profiles:
    r"""Read and profile treebanks, each a CoNLL-U file or a folder of CoNLL-U files.

    >>> import evalign
    >>> row = "1\tHi\thi\tINTJ\t_\t_\t0\troot\t_\t_\n2\tyou\tyou\tPRON\t_\t_\t1\tvocative\t_\t_\n\n"
    >>> profiles = profile(evalign.Text(row, "hi.conllu"))
    >>> profiles.treebanks[0].words, profiles.treebanks[0].share("content")
    (2, 1.0)
    """
    settings = settings or ProfileOptions()
    if not treebanks:
        message = "no treebank"
        raise CommandError(message, "at least one CoNLL-U file")
    profiles = []
    given = [path_of(source) for source in treebanks]
    names, paths = name_apart(given), shorten_paths(given)
    for number, name in counted(names, progress, "reading {}".format):
        treebank = read_treebank(treebanks[number], name, paths[number], settings)
        profiles.append(make_profile(treebank, settings))
    return Profiles(tuple(profiles), settings)


def make_profile(treebank: TreebankColumns, settings: ProfileOptions) -> Profile:
    """Compute the profile of a treebank that was read."""
    filled = treebank.relations >= 0
    measured = measure_relations(
        treebank.relations[filled], treebank.forms[filled], treebank.n_types, settings.vocabulary
    )
    counts = np.bincount(treebank.relations[filled], minlength=len(treebank.labels)).tolist()
    version: Version = (
        find_version(treebank.labels, counts) if settings.relations == "auto" else settings.relations
    )
    sizes = treebank.sizes
    by_words = sorted(measured.items(), key=lambda item: (-item[1].words, treebank.labels[item[0]]))
    return Profile(
        treebank.name,
        treebank.path,
        version,
        sizes.sentences,
        sizes.tokens,
        len(treebank.forms),
        treebank.n_types,
        sizes.featured,
        sizes.trees,
        sizes.nonprojective,
        measure_types(treebank.forms[~treebank.punctuation], settings.chunk, settings.last_chunk),
        {treebank.labels[number]: relation for number, relation in by_words},
        settings.share_of,
        treebank.warnings,
    )


def average_entropies(treebanks: Sequence[Profile], missing: float) -> dict[str, float]:
    """Average the word dependency entropy of each relation over the treebanks, in ascending order.

    A treebank without the relation contributes `missing`.
    """
    names = {name for treebank in treebanks for name in treebank.relations}
    averages = {}
    for name in names:
        relations = [treebank.relations.get(name) for treebank in treebanks]
        entropies = [missing if relation is None else relation.entropy for relation in relations]
        averages[name] = math.fsum(entropies) / len(treebanks)
    return dict(sorted(averages.items(), key=lambda item: (item[1], item[0])))


def load_profiles(path: str | os.PathLike[str]) -> Profiles:
    """Load profiles that `evalign typology profile` saved as JSON; raises `InputError` for anything else."""
    content = load(path)
    place = Place(content.name)
    try:
        saved: SavedProfiles = json.loads(content.data)
        if saved.get("kind") != "profiles" or saved.get("schema") != SCHEMA:
            problem = (
                f"JSON of kind {json.dumps(saved.get('kind'))}, schema {json.dumps(saved.get('schema'))}"
            )
            raise InputError(place, problem, f"profiles of schema {SCHEMA}", Message(_ADVICE))
        settings = ProfileOptions(**saved["settings"])  # type: ignore[arg-type]
        treebanks = tuple(_load_profile(profile, settings) for profile in saved["treebanks"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, CommandError) as error:
        problem = f"no profiles ({type(error).__name__}: {error})"
        raise InputError(
            place, problem, "JSON that evalign typology profile wrote", Message(_ADVICE)
        ) from None
    return Profiles(treebanks, settings)


def _load_profile(saved: SavedProfile, settings: ProfileOptions) -> Profile:
    if saved["labels"] not in ("v1", "v2"):
        message = f"labels of {saved['labels']!r}"
        raise ValueError(message)
    relations = {
        name: RelationWords(relation["words"], relation["types"], relation["wde"])
        for name, relation in saved["relations"].items()
    }
    return Profile(
        saved["name"],
        saved["path"],
        saved["labels"],
        saved["sentences"],
        saved["tokens"],
        saved["words"],
        saved["types"],
        saved["featured"],
        saved["trees"],
        saved["nonprojective"],
        TypeTokenRatio(saved["sttr"], saved["chunks"]),
        relations,
        settings.share_of,
    )


# Weights of relations for WLAS: their averaged word dependency entropy (section 5).
#
#     save_weights(profile("en_ewt-ud-train.conllu", "fi_tdt-ud-train.conllu"), "weights.json")
#     evalign.score("gold.conllu", "system.conllu", metrics="las,wlas", weights="weights.json")


def make_weights(profiles: Profiles) -> Weights:
    """Return the averaged word dependency entropy of each relation as its weight for WLAS."""
    return Weights(profiles.entropies, profiles.settings.missing, "+".join(profiles.versions))


def weights_json(profiles: Profiles) -> dict[str, object]:
    """Return weights in the form that is saved as JSON, with the options and treebanks they depend on."""
    weights = make_weights(profiles)
    settings = vars(profiles.settings)
    return {
        "schema": WEIGHTS_SCHEMA,
        "version": __version__,
        "kind": "weights",
        "labels": weights.version,
        # Those that weights depend on.
        "options": {name: settings[name] for name in ("case", "vocabulary", "missing")},
        "treebanks": [
            {"name": treebank.name, "words": treebank.words, "labels": treebank.labels}
            for treebank in profiles.treebanks
        ],
        "missing": weights.missing,
        "weights": dict(weights.values),
    }


def save_weights(profiles: Profiles, path: str | os.PathLike[str]) -> None:
    """Write a file of weights as JSON; nothing is written if that fails."""
    text = json.dumps(weights_json(profiles), ensure_ascii=False, allow_nan=False, indent=2)
    write_whole(path, text + "\n")
