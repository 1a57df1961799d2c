"""Baselines that extract pairs of translations from a data set, so that a new data set can be judged at once.

lexical      a lexicon learnt by IBM model 1, scores by coverage in both directions, one-to-one pairs
embeddings   vectors of any encoder, ratio margins of nearest neighbours

`mine_pairs` runs either of them on a data set.
"""
