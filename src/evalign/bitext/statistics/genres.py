"""Genres of documents, as Table 1 of Zweigenbaum, Sharoff and Rapp (2018) has them: given, not guessed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from evalign.bitext.statistics.shapes import SavedGenre, rounded


class GenreCounts(NamedTuple):
    """How much there is of a genre."""

    documents: int
    sentences: int


def share_genres(counts: Mapping[str, GenreCounts]) -> list[SavedGenre]:
    """Genres with their shares, the most common first; none where no document carries one.

    >>> [(row["genre"], row["document_share"]) for row in share_genres({"news": GenreCounts(1, 9), "": GenreCounts(3, 4)})]
    [('', 0.75), ('news', 0.25)]
    """
    if not any(counts):
        return []
    n_documents = sum(found.documents for found in counts.values())
    n_sentences = sum(found.sentences for found in counts.values())
    return [
        SavedGenre(
            genre=genre,
            documents=found.documents,
            sentences=found.sentences,
            document_share=rounded(found.documents / n_documents) if n_documents else 0.0,
            sentence_share=rounded(found.sentences / n_sentences) if n_sentences else 0.0,
        )
        for genre, found in sorted(counts.items(), key=lambda item: (-item[1].documents, item[0]))
    ]
