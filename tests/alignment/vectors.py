"""Pairs of texts with the counts of what is right, from the data folder."""

import json


def read_vectors(data):
    """Return all vectors; each has gold and system, correct sentences, and correct tokens, one number or two."""
    paths = (data / "alignment" / name for name in ("vectors.jsonl", "vectors-3.jsonl"))
    return [json.loads(row) for path in paths for row in path.read_text(encoding="utf-8").splitlines()]
