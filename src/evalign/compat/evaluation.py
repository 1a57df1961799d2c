"""The metrics of the CoNLL 2018 and the UD tools scripts.

Zeman et al. 2018, section 5, and for enhanced dependencies Bouma et al. 2020. Counts are those of the scripts,
whatever one may think of them; `evalign score` has others where they mislead.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from typing import NamedTuple

from evalign.compat.treebank import Forms, Script, Treebank, read_treebank
from evalign.kernels.buffers import flags, int_rows, ints, long_rows, longs
from evalign.kernels.columns_cy import count_ids, translate
from evalign.kernels.edges_cy import match_edges
from evalign.kernels.judge_cy import Analysis, bits, judge, tally
from evalign.kernels.spans_cy import pair_spans
from evalign.kernels.words_cy import pair_forms, spread_spans, walk_words
from evalign.labels import (
    CONTENT_RELATIONS,
    FUNCTION_RELATIONS,
    UNFILLED,
    cut_path,
    cut_relation,
    universal_features,
)  # fmt: skip
from evalign.readers.official import official_tokens
from evalign.readers.refusals import texts_differ
from evalign.readers.source import Source, load
from evalign.readers.written import LabelColumn

_BITS = bits()
_TAGS = _BITS["UPOS"] | _BITS["XPOS"] | _BITS["FEATS"]
_LAS = _BITS["HEAD"] | _BITS["LABEL"]
# Metric, what must be right, and whether of content words alone.
_JUDGED = (
    ("Words", _BITS["ALIGNED"], 0),
    ("UPOS", _BITS["UPOS"], 0),
    ("XPOS", _BITS["XPOS"], 0),
    ("UFeats", _BITS["FEATS"], 0),
    ("AllTags", _TAGS, 0),
    ("Lemmas", _BITS["LEMMA"], 0),
    ("UAS", _BITS["HEAD"], 0),
    ("LAS", _LAS, 0),
    ("CLAS", _LAS, 1),
    ("MLAS", _BITS["FUNCTION"], 1),
    ("BLEX", _LAS | _BITS["LEMMA"], 1),
)


class Score(NamedTuple):
    """A metric of the script; ratios are 0 where there is nothing to judge."""

    gold_total: int
    system_total: int
    correct: int
    aligned_total: int | None = None

    @property
    def precision(self) -> float:
        """Correct of the system's."""
        return self.correct / self.system_total if self.system_total else 0.0

    @property
    def recall(self) -> float:
        """Correct of gold's."""
        return self.correct / self.gold_total if self.gold_total else 0.0

    @property
    def f1(self) -> float:
        """Twice the correct, of both."""
        both = self.system_total + self.gold_total
        return 2 * self.correct / both if both else 0.0

    @property
    def aligned_accuracy(self) -> float | None:
        """Correct of the aligned words; None for a metric that has none."""
        if self.aligned_total is None:
            return None
        return self.correct / self.aligned_total if self.aligned_total else 0.0


def evaluate_treebanks(gold: Treebank, system: Treebank, script: Script) -> dict[str, Score]:
    """All metrics by the script's names; raises `OfficialError` where the texts differ."""
    if gold.found.line != system.found.line:
        sides = (official_tokens(side.content, script.dialect) for side in (gold, system))
        error = texts_differ(*sides, script.dialect)
        if error is not None:
            raise error
    partners = _pair_words(gold, system)
    scores = {
        "Tokens": _count_spans(gold.found.cuts, system.found.cuts),
        "Sentences": _count_spans(_sentence_cuts(gold), _sentence_cuts(system)),
        **_count_words(gold, system, partners),
    }
    if script.enhanced:
        scores |= _count_edges(gold, system, partners)
    return scores


def _count_spans(gold: memoryview, system: memoryview) -> Score:
    """Spans that both sides have; spans tile the line, so cuts hold them."""
    correct = pair_spans(gold[:-1], gold[1:], system[:-1], system[1:], ints(len(gold) - 1))
    return Score(len(gold) - 1, len(system) - 1, correct)


def _sentence_cuts(treebank: Treebank) -> memoryview:
    cuts = ints(len(treebank.found.sentences))
    translate(treebank.found.sentences, treebank.found.cuts, cuts)
    return cuts


def _pair_words(gold: Treebank, system: Treebank) -> memoryview:
    """Per gold word its system word, or -1."""
    spans = []
    for side in (gold, system):
        starts, ends = ints(side.n_words), ints(side.n_words)
        spread_spans(side.found.cuts, side.found.word_tokens, starts, ends)
        spans += [starts, ends, side.found.multiword]
    partners = ints(gold.n_words)
    stretches = int_rows(gold.n_words + system.n_words + 1, 4)
    n_stretches = walk_words(*spans, partners, stretches)
    if n_stretches:
        rows = [[stretches[k, c] for c in range(4)] for k in range(n_stretches)]
        numbers: dict[str, int] = {}
        forms = [
            _number_forms(gold, ((row[0], row[1]) for row in rows), numbers),
            _number_forms(system, ((row[2], row[3]) for row in rows), numbers),
        ]
        lengths = ints(max(d - c for _, _, c, d in rows) + 1)
        table = flags(max((b - a) * (d - c) for a, b, c, d in rows) // 8 + 1)
        pair_forms(*forms, stretches, n_stretches, lengths, table, partners)
    return partners


def _number_forms(
    treebank: Treebank, stretches: Iterable[tuple[int, int]], numbers: dict[str, int]
) -> memoryview:
    """A number per distinct lower-cased form, for the words inside the stretches."""
    column = ints(treebank.n_words)
    forms = Forms(treebank)
    for first, end in stretches:
        for word in range(first, end):
            column[word] = numbers.setdefault(forms[word].lower(), len(numbers))
    return column


def _count_words(gold: Treebank, system: Treebank, partners: memoryview) -> dict[str, Score]:
    """The metrics of words and what hangs on them."""
    numbers: list[dict[str, int]] = []
    labels = {
        "upos": None, "xpos": None, "feats": universal_features, "lemma": None, "deprel": cut_relation,
    }  # fmt: skip
    sides = [[side.trees.parents] for side in (gold, system)]
    for column, simplify in labels.items():
        numbers.append({})
        for side, columns in zip((gold, system), sides, strict=True):
            columns.append(_renumber(getattr(side.written, column), numbers[-1], simplify))
    relations, lemmas = numbers[4], numbers[3]
    is_content, is_function = (
        bytearray(label in group for label in relations) for group in (CONTENT_RELATIONS, FUNCTION_RELATIONS)
    )
    analyses = [Analysis(*columns) for columns in sides]
    for analysis, side in zip(analyses, (gold, system), strict=True):
        analysis.find_function_words(is_function, ints(side.n_words), ints(side.n_words))
    verdicts, counts = flags(gold.n_words), long_rows(256, 2)
    judge(*analyses, partners, lemmas.get(UNFILLED, -1), verdicts)
    tally(verdicts, sides[0][5], is_content, counts)
    totals = [
        [side.n_words, _count_labels(columns[5], is_content)]
        for side, columns in zip((gold, system), sides, strict=True)
    ]
    found = {v: [counts[v, 0], counts[v, 1]] for v in range(256)}
    return {
        name: Score(
            totals[0][group],
            totals[1][group],
            sum(found[v][group] for v in found if v & asked == asked),
            sum(found[v][group] for v in found if v),
        )
        for name, asked, group in _JUDGED
    }


def _renumber(
    column: LabelColumn, numbers: dict[str, int], simplify: Callable[[str], str] | None
) -> memoryview:
    """A column in numbers that are equal on both sides where the labels are, once simplified."""
    labels = map(simplify, column.labels) if simplify else column.labels
    table = array("i", [numbers.setdefault(label, len(numbers)) for label in labels])
    ids = ints(len(column.ids))
    translate(column.ids, table, ids)
    return ids


def _count_labels(ids: memoryview, wanted: bytearray) -> int:
    """How many words have a label of those wanted."""
    counts = longs(len(wanted))
    count_ids(ids, counts)
    return sum(count for count, is_wanted in zip(counts, wanted, strict=True) if is_wanted)


def _count_edges(gold: Treebank, system: Treebank, partners: memoryview) -> dict[str, Score]:
    """Enhanced dependencies: every gold edge of a word is compared with every system edge of its partner."""
    scores = {}
    for name, simplify in (("ELAS", None), ("EULAS", cut_path)):
        numbers: dict[str, int] = {}
        sides = []
        for side in (gold, system):
            assert side.edges is not None
            paths = _renumber(side.edges.paths, numbers, simplify)
            sides.append((side.edges.cuts, side.edges.heads, paths))
        right = ints(gold.n_words)
        n_edges = [len(heads) for _, heads, _ in sides]
        match_edges(*sides[0], *sides[1], partners, flags(n_edges[1]), once=False, right=right)
        scores[name] = Score(n_edges[0], n_edges[1], sum(right))
    return scores


def evaluate_files(gold: Source, system: Source, script: Script) -> dict[str, Score]:
    """All metrics of two files."""
    sides = [read_treebank(load(source), script) for source in (gold, system)]
    return evaluate_treebanks(sides[0], sides[1], script)
