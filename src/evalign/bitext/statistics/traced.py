"""Comparability of a finished data set: the provenance table says which sentences belong to one document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evalign.bitext.corpora import DataSet
from evalign.bitext.ids import parse_id
from evalign.bitext.languages import Language
from evalign.bitext.provenance import FILE, Origin, read_provenance
from evalign.bitext.statistics.comparability import Comparison
from evalign.bitext.statistics.shapes import SavedComparability
from evalign.errors import InputError, Place, quote


def compare_traced(
    dataset: DataSet, languages: Mapping[str, Language], *, seed: int
) -> dict[str, SavedComparability | None]:
    """By language, how near planted sentences of one document are to native documents."""
    comparisons = {code: Comparison(language, seed=seed) for code, language in languages.items()}
    for language, origin, text in _trace(dataset):
        comparison = comparisons[language]
        if origin.is_planted:
            comparison.parallel.add(origin.pair_document, (text,))
        else:
            comparison.native.add(origin.document, (text,))
    return {code: comparison.finish() for code, comparison in comparisons.items()}


def _trace(dataset: DataSet) -> Iterator[tuple[str, Origin, str]]:
    """All sentences with their language and origin; one corpus is held at a time, as they follow each other."""
    held: tuple[str, str] | None = None
    texts: dict[int, str] = {}
    for lineno, origin in enumerate(read_provenance(dataset.folder), 2):
        found = parse_id(origin.id)
        language, number = found or ("", 0)
        known = language in (dataset.first, dataset.second) and origin.split in dataset.splits
        if known and held != (origin.split, language):
            corpus = dataset.corpus(origin.split, language)
            texts = dict(zip(corpus.numbers, corpus.texts, strict=True))
            held = origin.split, language
        if not known or number not in texts:
            place = Place(str(dataset.folder / FILE), lineno)
            shown = (
                f"{quote(origin.id)} of split {quote(origin.split)}, which is not a sentence of the data set"
            )
            raise InputError(place, shown, "every sentence of the corpora")
        yield language, origin, texts[number]
