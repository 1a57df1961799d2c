"""Real treebanks and system outputs, where there are any."""

import pytest

from evalign import score
from evalign.typology import make_weights, profile

pytestmark = pytest.mark.large

# spec/ud.md, section 6: weights from the gold file itself; content precision and recall, WLAS as recall.
MEASURED = {
    "English-EWT": (63.35, 63.39, 65.59),
    "French-GSD": (64.99, 65.23, 71.55),
    "Korean-GSD": (37.15, 32.57, 38.26),
    "Chinese-GSD": (25.74, 27.54, 29.85),
}


@pytest.mark.parametrize(("name", "expected"), MEASURED.items(), ids=list(MEASURED))
def test_content_and_weighted_scores(data, name, expected):
    folder = data / "systems" / "udpipe"
    gold = folder / f"{name}.gold.conllu"
    weights = make_weights(profile(gold))
    result = score(gold, folder / f"{name}.conllu", metrics=["content", "wlas"], weights=weights)
    content = result["content"]
    found = (content.precision, content.recall, result["wlas"].recall)
    assert [round(100 * value, 2) for value in found] == list(expected)


def test_function_relations_have_less_entropy_than_content_relations(data):
    treebanks = [path for path in sorted((data / "ud").glob("*PUD/*.conllu")) if "raw" not in path.name]
    found = profile(*treebanks)
    function = [found.entropies[name] for name in ("cc", "cop", "det", "aux", "case", "mark")]
    content = [found.entropies[name] for name in ("nsubj", "obj", "obl", "nmod", "root", "conj", "amod")]
    assert max(function) < min(content)
    assert found.correlations["content,function"] < -0.8
