"""What `statistics.json` holds. Shares are from 0 to 1; what could not be found out is null, and `missing` says why."""

from __future__ import annotations

from typing import TypedDict

STATISTICS_FILE = "statistics.json"
STATISTICS_KIND = "bitext-statistics"
STATISTICS_SCHEMA = 1

# Sums of floating-point numbers end differently on other processors; more digits than these tell nobody
# anything.
_DIGITS = 6


def rounded(value: float) -> float:
    """A number as it is saved.

    >>> rounded(2 / 3), rounded(-1e-9)
    (0.666667, 0.0)
    """
    return round(value, _DIGITS) + 0.0


class SplitCounts(TypedDict):
    """One split, as in Table 2 of Zweigenbaum, Sharoff and Rapp (2018)."""

    sentences: dict[str, int]
    """By language."""
    gold: int | None
    """Pairs; null where the split has no gold file."""
    planted: dict[str, int] | None
    """Sentences that are in a gold pair, by language."""


class PairsLeftOut(TypedDict, total=False):
    """Pairs that were not looked for, though their lengths fit; a build need not tell."""

    untranslated: int
    """Both sides are the same."""
    known: int
    """A side is a sentence that the data set has already."""


class PlantingCounts(PairsLeftOut):
    """What became of the pairs that were allotted to a split."""

    offered: int
    fitting: int
    """With both sides inside the limits of length."""
    first_found: int
    """A sentence to stand behind was found for the side in the first language."""
    second_found: int
    planted: int
    """Both were."""


class SavedLengths(TypedDict):
    """How long sentences are."""

    sentences: int
    mean: float
    median: float
    deciles: list[float]
    """From the first to the ninth."""
    percentiles: list[float]
    """The first and the ninety-ninth: nearly all sentences are between them."""
    histogram: dict[str, int]
    """Sentences of each length, by rising length."""


class LanguageLengths(TypedDict):
    """Lengths of one language before and after the data set was built."""

    unit: str
    """words or characters."""
    before: SavedLengths | None
    """As they were read, before any was left out."""
    native: SavedLengths | None
    planted: SavedLengths | None


class SavedSimilarity(TypedDict):
    """Cosines of documents with the nearest other one."""

    documents: int
    p10: float
    median: float
    p90: float


class SavedOrigins(TypedDict, total=False):
    """What is known of pairs without a document; a build of before need not tell."""

    without_document: int
    """Planted sentences whose pair does not say its document: they are compared with nothing."""
    chunked: bool
    """Of a build of before: whether some of those in a row were taken for a document, which says nothing."""


class SavedComparability(SavedOrigins):
    """How near documents with translations are to native ones of the same language (section 2.2.1)."""

    parallel_documents: int
    """All there are; at most `most_documents` of them are looked at."""
    native_documents: int
    most_documents: int
    parallel: SavedSimilarity | None
    """Of a document with translations to the nearest native one; null where there is none, or none has a keyword."""
    native: SavedSimilarity | None
    """Of a native one to the nearest other native one: what the figure above is to be held against."""


class SavedGenre(TypedDict):
    """One genre of one language."""

    genre: str
    """Nothing for documents that carry none."""
    documents: int
    sentences: int
    document_share: float
    sentence_share: float


class SavedFeature(TypedDict):
    """A feature of form, and how far it tells planted from native sentences."""

    name: str
    auc: float
    """Of this feature alone: 1 where every planted sentence has more of it than any native one, 0 where less."""
    weight: float
    """In the classifier, per standard deviation."""
    planted: float
    """Its mean."""
    native: float


class SavedDetectability(TypedDict):
    """How well a classifier of form tells planted from native sentences."""

    planted: int
    """Sentences that it was tried on; as many native ones."""
    folds: int
    auc: float
    interval: list[float]
    """DeLong's, of 95 %."""
    chance: list[float]
    """Where the AUC of scores that say nothing is, 95 times in a hundred."""
    accuracy: float
    """Share of the sentences that are told rightly; 0.5 by chance."""
    features: list[SavedFeature]
    """The most telling ones first."""


class Statistics(TypedDict):
    """All of it."""

    schema: int
    kind: str
    version: str
    pair: str
    seed: int
    splits: dict[str, SplitCounts]
    stages: dict[str, dict[str, dict[str, int]]]
    """By stage, then by language or "pairs", then by what was counted."""
    planting: dict[str, PlantingCounts] | None
    """By split."""
    lengths: dict[str, LanguageLengths]
    comparability: dict[str, SavedComparability] | None
    genres: dict[str, list[SavedGenre]] | None
    detectability: dict[str, SavedDetectability | None]
    missing: dict[str, str]
    """What there is not, and why."""
