"""Baselines that extract pairs, so that a new data set can be judged at once.

lexical      a lexicon by IBM model 1, coverage in both directions, the best one to one
embeddings   vectors of any encoder, ratio margin of the nearest neighbours
"""

from __future__ import annotations

from evalign.bitext.mining.mine import METHODS, Method, mine_pairs, write_mined

__all__ = ["METHODS", "Method", "mine_pairs", "write_mined"]
