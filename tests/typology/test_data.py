"""Real treebanks and system outputs, if EVALIGN_DATA has them."""

import os
from pathlib import Path

import pytest

from evalign import Text, score
from evalign.typology.cascades import find_cascades
from evalign.typology.profiles import make_weights, profile

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


def to_conllx(text):
    """Gold words as the paper gives them to its parser: no ranges, no empty nodes, no subtypes, CPOSTAG filled."""
    kept = []
    for line in text.split("\n"):
        cells = line.split("\t")
        if line.startswith("#") or (len(cells) == 10 and not cells[0].isdigit()):
            continue
        if len(cells) == 10:
            cells[3] = cells[4] if cells[3] == "_" else cells[3]
            cells[7] = cells[7].partition(":")[0]
            cells[8:] = "_", "_"
        kept.append("\t".join(cells))
    return "\n".join(kept)


def damage(text):
    """Every seventh word has another relation, every eleventh hangs on the word before or behind it."""
    lines, number = text.split("\n"), 0
    for k, line in enumerate(lines):
        cells = line.split("\t")
        if not cells[0].isdigit():
            continue
        number += 1
        if number % 7 == 0:
            cells[7] = "case" if cells[7] != "case" else "obj"
        if number % 11 == 0 and cells[6] != "0":
            near = str(int(cells[0]) - 1 or 2)
            cells[6] = near if near != cells[6] and lines[k - 1][:1].isdigit() else cells[6]
        lines[k] = "\t".join(cells)
    return "\n".join(lines)


def list_treebanks():
    """The names of all files, to have a test for each; none where there is no data."""
    folder = os.environ.get("EVALIGN_DATA", "")
    return sorted(path.name for path in Path(folder, "ud").glob("*/*.conllu")) if folder else ["none"]


METRICS = ("las", "uas", "wlas", "content", "function")


@pytest.mark.slow
@pytest.mark.parametrize("name", list_treebanks())
def test_gold_words_without_ranges_score_what_they_do_with_them(data, name):
    """Section 5 of the paper: the parser gets words, so that its output has no contracted tokens, and gold has."""
    [gold] = (data / "ud").glob(f"*/{name}")
    text = gold.read_text(encoding="utf-8")
    weights = make_weights(profile(gold))

    def find(system, system_format):
        result = score(gold, system, metrics=METRICS, weights=weights, system_format=system_format)
        counts = {
            metric: [result[metric][field] for field in result[metric].metric.fields[:3]]
            for metric in METRICS
        }
        return result, counts, find_cascades(gold, system).cascades

    perfect, _, cascades = find(Text(to_conllx(text), "x.conllx"), "conllx")
    assert {metric: perfect[metric].f1 for metric in METRICS} == dict.fromkeys(METRICS, 1.0)
    assert [cascade.wrong for cascade in cascades] == [0, 0, 0, 0]
    wrong = damage(text)
    with_ranges, without = (
        find(Text(wrong, "x.conllu"), "conllu"),
        find(Text(to_conllx(wrong), "x.conllx"), "conllx"),
    )
    assert without[0]["las"].f1 < 1
    assert without[1:] == with_ranges[1:]
