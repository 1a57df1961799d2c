"""One document's tokens in the other's sentences, so that tools that want equal sentences can go on."""

from __future__ import annotations

import numpy as np

from evalign.alignment import Alignment


def resegment(alignment: Alignment) -> list[list[str]]:
    """The system's tokens, one list for each gold sentence, in order; empty where the system has nothing.

    A token goes to the gold sentence in whose places it starts; one without a place goes with the token before it.
    """
    gold, system = alignment.gold, alignment.system
    starts = system.places.token_starts
    known = np.maximum.accumulate(starts) if len(starts) else starts
    begins = np.append(0, gold.places.token_progress)[gold.document.sentences[:-1]]
    cuts = np.concatenate([[0], np.searchsorted(known, begins[1:]), [len(starts)]])
    tokens = system.original.tokens()
    return [tokens[a:b] for a, b in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)][
        : gold.document.n_sentences
    ]
