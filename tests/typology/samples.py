"""Small treebanks and results, made by hand."""

from __future__ import annotations

import numpy as np

from evalign import Text
from evalign.metrics.registry import METRICS
from evalign.results.ledger import Ledger
from evalign.results.result import Result
from evalign.results.system_result import NoEvidence, Score, SystemResult
from evalign.typology.profiles import Profile
from evalign.typology.treebanks import RelationWords, TypeTokenRatio

# Form, head, relation, UPOS of each word.
Rows = list[tuple[str, int, str, str]]

DOG: Rows = [
    ("The", 2, "det", "DET"),
    ("dog", 3, "nsubj", "NOUN"),
    ("barks", 0, "root", "VERB"),
    (".", 3, "punct", "PUNCT"),
]
CAT: Rows = [
    ("the", 2, "det", "DET"),
    ("cat", 3, "nsubj:pass", "NOUN"),
    ("seen", 0, "root", "VERB"),
    (".", 3, "punct", "PUNCT"),
]
# Word 1 depends on word 3, and word 2, between them, on word 4, which is not under 3.
CROSSED: Rows = [
    ("a", 3, "nmod", "NOUN"),
    ("b", 4, "nmod", "NOUN"),
    ("c", 0, "root", "NOUN"),
    ("d", 3, "nmod", "NOUN"),
]


def conllu(*sentences: Rows, feats: str = "_", ids: bool = True) -> str:
    """Return sentences as CoNLL-U."""
    lines = []
    for number, rows in enumerate(sentences, 1):
        if ids:
            lines.append(f"# sent_id = s{number}")
        lines += [
            "\t".join([str(k), form, "_", upos, "_", feats, str(head), relation, "_", "_"])
            for k, (form, head, relation, upos) in enumerate(rows, 1)
        ]
        lines.append("")
    return "\n".join(lines) + "\n"


def treebank(*sentences: Rows, name: str = "x.conllu", feats: str = "_") -> Text:
    """Return sentences as an input with this name."""
    return Text(conllu(*sentences, feats=feats), name)


def make_profile(name: str, **given: object) -> Profile:
    """Return a profile with default values except those given."""
    values: dict = {
        "path": f"{name}.conllu",
        "labels": "v2",
        "sentences": 100,
        "tokens": 40_000,
        "words": 41_000,
        "types": 5_000,
        "featured": 30_000,
        "trees": 100,
        "nonprojective": 10,
        "richness": TypeTokenRatio(0.5, 40),
        "relations": {"nsubj": RelationWords(6, 5, 0.7), "det": RelationWords(4, 2, 0.2)},
    }
    return Profile(name, **(values | given))


def make_score(metric: str, *rows: tuple[int, ...]) -> Score:
    """Return a score from the first integers of each unit; the rest are 0."""
    entry = METRICS[metric]
    table = [[*row, *[0] * (len(entry.fields) - len(row))] for row in rows]
    return Score(entry, np.array(table, np.int64))


def make_result(
    gold: str, systems: dict[str, dict[str, list[tuple[int, ...]]]], signature: str = "evalign:0|unit:x"
) -> Result:
    """Return a result from rows of counts by system and metric."""
    size = len(next(iter(next(iter(systems.values())).values())))
    results = [
        SystemResult(
            name,
            {metric: make_score(metric, *rows) for metric, rows in scores.items()},
            Ledger(0, 0, 0, 0),
            signature,
            NoEvidence(),
        )
        for name, scores in systems.items()
    ]
    return Result(gold, tuple(results), "sentence", [f"s{k + 1}" for k in range(size)])
