"""The types of what `statistics.json` holds.

Shares are from 0 to 1. What could not be determined is null, and `missing` says why.
"""

from __future__ import annotations

from typing import TypedDict

STATISTICS_FILE = "statistics.json"
STATISTICS_KIND = "bitext-statistics"
STATISTICS_SCHEMA = 1

# Sums of floating-point numbers differ between processors in their last digits, and more digits than these
# are of no use.
_DIGITS = 6


def rounded(value: float) -> float:
    """Round a number as it is saved, to six decimals.

    >>> rounded(2 / 3), rounded(-1e-9)
    (0.666667, 0.0)
    """
    return round(value, _DIGITS) + 0.0


class SplitCounts(TypedDict):
    """Counts of one split, as in Table 2 of Zweigenbaum, Sharoff and Rapp (2018)."""

    sentences: dict[str, int]
    """Number of sentences, by language."""
    gold: int | None
    """Number of gold pairs; null if the split has no gold file."""
    planted: dict[str, int] | None
    """Number of sentences that are in a gold pair, by language."""


class PairsLeftOut(TypedDict, total=False):
    """Pairs that were not looked for, though their lengths fit. A build may leave these counts out."""

    untranslated: int
    """Pairs whose sides are the same."""
    known: int
    """Pairs with a side that the data set has already as a sentence."""


class PlantingCounts(PairsLeftOut):
    """What became of the pairs that were assigned to a split."""

    offered: int
    fitting: int
    """Pairs with both sides inside the limits of length."""
    first_found: int
    """Pairs for which a sentence was found that the side in the first language can follow."""
    second_found: int
    planted: int
    """Pairs for which both were found."""


class SavedLengths(TypedDict):
    """Distribution of the lengths of sentences."""

    sentences: int
    mean: float
    median: float
    deciles: list[float]
    """The first to the ninth decile."""
    percentiles: list[float]
    """The first and the ninety-ninth percentile. Nearly all sentences are between them."""
    histogram: dict[str, int]
    """Number of sentences by length, in ascending order of lengths."""


class LanguageLengths(TypedDict):
    """Lengths of the sentences of one language, before and after the data set was built."""

    unit: str
    """Unit of the lengths: "words" or "characters"."""
    before: SavedLengths | None
    """Of all sentences as they were read, before any was left out."""
    native: SavedLengths | None
    planted: SavedLengths | None


class SavedSimilarity(TypedDict):
    """Distribution of the cosine between each document and the nearest other one."""

    documents: int
    p10: float
    median: float
    p90: float


class SavedOrigins(TypedDict, total=False):
    """What is compared, and what is not. Files of older builds may lack these figures."""

    whole_texts: bool
    """True if whole texts were compared, as they were read.

    Older builds compared the planted sentences of a document with the native sentences of others, and only
    with a sample of these.
    """
    without_document: int
    """Number of pairs that name no document; they are compared with nothing."""
    chunked: bool
    """True if consecutive sentences of such pairs were treated as a document.

    Only older builds write it; figures of such documents mean nothing.
    """


class SavedComparability(SavedOrigins):
    """How near documents with translations are to native ones of the same language.

    See section 2.2.1 of Zweigenbaum, Sharoff and Rapp (2018).
    """

    parallel_documents: int
    """Number of documents with translations. The nearest native document is looked for for at most
    `most_documents` of them, and of the native ones; it is looked for among all native documents.
    """
    native_documents: int
    most_documents: int
    parallel: SavedSimilarity | None
    """Cosines of documents with translations to the nearest native one.

    Null if there is no native one, or no document has a keyword.
    """
    native: SavedSimilarity | None
    """Cosines of native documents to the nearest other native one: the figure to compare `parallel` with.

    Of longer native documents only as many words are taken as documents with translations have.
    """


class SavedGenre(TypedDict):
    """Counts and shares of one genre in one language."""

    genre: str
    """Empty for documents without a genre."""
    documents: int
    sentences: int
    document_share: float
    sentence_share: float


class SavedFeature(TypedDict):
    """A feature of form or context, and how well it separates planted from native sentences."""

    name: str
    auc: float
    """AUC of this feature alone: 1 if every planted sentence has more of it than any native one."""
    weight: float
    """Weight in the classifier, per standard deviation."""
    planted: float
    """Mean of the feature over planted sentences."""
    native: float


class SavedSeparation(TypedDict):
    """How well a classifier separates planted from native sentences."""

    auc: float
    interval: list[float]
    """DeLong's 95 % interval of the AUC."""
    chance: list[float]
    """Interval that holds the AUC of meaningless scores 95 times in a hundred."""
    accuracy: float
    """Share of the sentences that are classified correctly; 0.5 by chance."""
    features: list[SavedFeature]
    """The features that separate best, in descending order."""


class SavedContext(TypedDict, total=False):
    """Figures on the context of sentences. Files of older builds lack it."""

    context: SavedSeparation
    """How well a classifier separates planted from native sentences by the sentence before each."""


class SavedDetectability(SavedSeparation, SavedContext):
    """How well a classifier of form separates planted from native sentences, and one of context."""

    planted: int
    """Number of planted sentences in the test; there are as many native ones."""
    folds: int


class Statistics(TypedDict):
    """All statistics of a data set."""

    schema: int
    kind: str
    version: str
    pair: str
    seed: int
    splits: dict[str, SplitCounts]
    stages: dict[str, dict[str, dict[str, int]]]
    """Counts by stage, then by language or "pairs", then by what was counted."""
    planting: dict[str, PlantingCounts] | None
    """Counts by split."""
    lengths: dict[str, LanguageLengths]
    comparability: dict[str, SavedComparability] | None
    genres: dict[str, list[SavedGenre]] | None
    detectability: dict[str, SavedDetectability | None]
    missing: dict[str, str]
    """What is missing from these statistics, and why."""
