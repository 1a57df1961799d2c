"""The metrics of the CoNLL 2018 script and the UD tools script, and their printed tables.

The metrics are described in Zeman et al. 2018, section 5; for enhanced dependencies in Bouma et al. 2020.
The counts are those of the scripts, even in cases where they mislead and `evalign.score` counts differently.
The commands `conll18` and `udeval` and the Python interfaces of both scripts call `evaluate_treebanks`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from evalign.compat.treebank import Forms, ScriptTreebank
from evalign.kernels.buffers import flags, int_rows, ints, long_rows, longs
from evalign.kernels.conllu_columns_cy import count_ids, translate
from evalign.kernels.edges import EdgeColumns, count_matched
from evalign.kernels.forms import pair_stretches
from evalign.kernels.judge_cy import Analysis, bits, judge, tally
from evalign.kernels.match_cy import pair_spans
from evalign.kernels.words_cy import spread_spans, walk_words
from evalign.readers.conllu_columns import DepsEdges, LabelColumn
from evalign.readers.official_errors import Dialect, texts_differ
from evalign.ud_labels import (
    CONTENT_RELATIONS,
    FUNCTION_RELATIONS,
    UNFILLED,
    cut_path,
    cut_relation,
    universal_features,
)

_BITS = bits()
_TAGS = _BITS["UPOS"] | _BITS["XPOS"] | _BITS["FEATS"]
_LAS = _BITS["HEAD"] | _BITS["LABEL"]
# The bits of a verdict that must be set for a word to be correct: metrics of all words, and of content words.
_OF_WORDS = {
    "UPOS": _BITS["UPOS"],
    "XPOS": _BITS["XPOS"],
    "UFeats": _BITS["FEATS"],
    "AllTags": _TAGS,
    "Lemmas": _BITS["LEMMA"],
    "UAS": _BITS["HEAD"],
    "LAS": _LAS,
}
_OF_CONTENT_WORDS = {"CLAS": _LAS, "MLAS": _BITS["FUNCTION"], "BLEX": _LAS | _BITS["LEMMA"]}
# The columns of labels in `Analysis`, each with the function that reduces a label to what is compared.
_COLUMNS: dict[str, Callable[[str], str] | None] = {
    "upos": None, "xpos": None, "feats": universal_features, "lemma": None, "deprel": cut_relation,
}  # fmt: skip


class ScriptScore(NamedTuple):
    """Counts of one metric of the script. Ratios are 0 where there is nothing to judge."""

    gold_total: int
    system_total: int
    correct: int
    aligned_total: int | None = None

    @property
    def precision(self) -> float:
        """Share of the system's items that are correct."""
        return self.correct / self.system_total if self.system_total else 0.0

    @property
    def recall(self) -> float:
        """Share of gold's items that are correct."""
        return self.correct / self.gold_total if self.gold_total else 0.0

    @property
    def f1(self) -> float:
        """Twice the correct items over the items of both sides."""
        both = self.system_total + self.gold_total
        return 2 * self.correct / both if both else 0.0

    @property
    def aligned_accuracy(self) -> float | None:
        """Share of the aligned words that are correct; None for a metric that has no such figure."""
        if self.aligned_total is None:
            return None
        return self.correct / self.aligned_total if self.aligned_total else 0.0


def evaluate_treebanks(
    gold: ScriptTreebank, system: ScriptTreebank, dialect: Dialect
) -> dict[str, ScriptScore]:
    """Compute all metrics, by the script's names and in its order.

    Raises `OfficialError` if the texts differ.
    """
    _check_texts(gold, system, dialect)
    partners = _pair_words(gold, system)
    judged = _Judged(gold, system, partners)
    return {
        "Tokens": _count_spans(gold.rows.cuts, system.rows.cuts),
        "Sentences": _count_spans(_sentence_cuts(gold), _sentence_cuts(system)),
        "Words": judged.count_pairs(),
        **{name: judged.count(required) for name, required in _OF_WORDS.items()},
        **_count_edges(gold.edges, system.edges, partners),
        **{name: judged.count(required, content=True) for name, required in _OF_CONTENT_WORDS.items()},
    }


def _check_texts(gold: ScriptTreebank, system: ScriptTreebank, dialect: Dialect) -> None:
    if gold.rows.line == system.rows.line:
        return
    # Imported here because few pairs need it and it takes time to load.
    from evalign.readers.official import official_tokens

    error = texts_differ(
        official_tokens(gold.content, dialect), official_tokens(system.content, dialect), dialect
    )
    if error is not None:
        raise error


def _count_spans(gold: memoryview, system: memoryview) -> ScriptScore:
    """Count equal spans.

    Spans tile the line, so cuts represent them: `gold` and `system` are the ascending cuts.
    """
    correct = pair_spans(gold[:-1], gold[1:], system[:-1], system[1:], ints(len(gold) - 1))
    return ScriptScore(len(gold) - 1, len(system) - 1, correct)


def _sentence_cuts(treebank: ScriptTreebank) -> memoryview:
    cuts = ints(len(treebank.rows.sentences))
    translate(treebank.rows.sentences, treebank.rows.cuts, cuts)
    return cuts


def _pair_words(gold: ScriptTreebank, system: ScriptTreebank) -> memoryview:
    """Pair the words of both sides. Returns for each gold word the index of its system word, or -1.

    Words are paired by their forms in stretches: the smallest that contain multiword tokens and cut no multiword
    token of either side.
    """
    partners = ints(gold.n_words)
    rows = int_rows(gold.n_words + system.n_words + 1, 4)
    n = walk_words(*_word_spans(gold), *_word_spans(system), partners, rows)
    if n:
        numbers: dict[str, int] = {}
        gold_forms = _number_forms(gold, [range(rows[k, 0], rows[k, 1]) for k in range(n)], numbers)
        system_forms = _number_forms(system, [range(rows[k, 2], rows[k, 3]) for k in range(n)], numbers)
        pair_stretches(gold_forms, system_forms, rows, n, partners)
    return partners


def _word_spans(treebank: ScriptTreebank) -> tuple[memoryview, memoryview, memoryview]:
    """Return where each word starts and ends on the line, and whether it is in a multiword token."""
    starts, ends = ints(treebank.n_words), ints(treebank.n_words)
    spread_spans(treebank.rows.cuts, treebank.rows.word_tokens, starts, ends)
    return starts, ends, treebank.rows.multiword


def _number_forms(
    treebank: ScriptTreebank, stretches: Sequence[range], numbers: dict[str, int]
) -> memoryview:
    """Number the distinct lower-cased forms of the words inside `stretches`.

    Returns a number for each word; those of words outside the stretches mean nothing. New forms are added to
    `numbers`, which both sides share.
    """
    column = ints(treebank.n_words)
    forms = Forms(treebank)
    for words in stretches:
        for word in words:
            column[word] = numbers.setdefault(forms[word].lower(), len(numbers))
    return column


class _Judged:
    """Verdicts of `judge_cy` on all pairs of words, counted.

    A verdict is a set of bits, one for each column that is right.
    """

    def __init__(self, gold: ScriptTreebank, system: ScriptTreebank, partners: memoryview) -> None:
        numbers: dict[str, dict[str, int]] = {column: {} for column in _COLUMNS}
        gold_labels, system_labels = _number_labels(gold, numbers), _number_labels(system, numbers)
        is_content, is_function = (
            bytearray(relation in group for relation in numbers["deprel"])
            for group in (CONTENT_RELATIONS, FUNCTION_RELATIONS)
        )
        verdicts, counts = flags(gold.n_words), long_rows(256, 2)
        judge(
            _analyse(gold, gold_labels, is_function),
            _analyse(system, system_labels, is_function),
            partners,
            numbers["lemma"].get(UNFILLED, -1),
            verdicts,
        )
        tally(verdicts, gold_labels["deprel"], is_content, counts)
        # Counts of all words and of content words: of gold, of the system, and of gold by verdict.
        self.n_gold = gold.n_words, _count_labels(gold_labels["deprel"], is_content)
        self.n_system = system.n_words, _count_labels(system_labels["deprel"], is_content)
        self.n_verdicts = [[counts[verdict, group] for verdict in range(256)] for group in range(2)]

    def count(self, required: int, *, content: bool = False) -> ScriptScore:
        """Score the pairs whose verdicts have all bits of `required`.

        Counts all words, or with `content` only content words; the pairs are then those of gold's content
        words.
        """
        correct, aligned = (
            self._count_verdicts(required, content),
            self._count_verdicts(_BITS["ALIGNED"], content),
        )
        return ScriptScore(self.n_gold[content], self.n_system[content], correct, aligned)

    def count_pairs(self) -> ScriptScore:
        """Score all pairs of words as correct. The script has no accuracy for them."""
        return self.count(_BITS["ALIGNED"])._replace(aligned_total=None)

    def _count_verdicts(self, required: int, group: int) -> int:
        return sum(n for verdict, n in enumerate(self.n_verdicts[group]) if verdict & required == required)


def _number_labels(treebank: ScriptTreebank, numbers: dict[str, dict[str, int]]) -> dict[str, memoryview]:
    """Number the labels of each column so that both sides have the same numbers."""
    return {
        name: _renumber(getattr(treebank.written, name), numbers[name], simplify)
        for name, simplify in _COLUMNS.items()
    }


def _analyse(treebank: ScriptTreebank, labels: dict[str, memoryview], is_function: bytearray) -> Analysis:
    return Analysis(
        treebank.trees.parents, labels["upos"], labels["xpos"], labels["feats"], labels["lemma"], labels["deprel"],
        is_function, ints(treebank.n_words), ints(treebank.n_words),
    )  # fmt: skip


def _renumber(
    column: LabelColumn, numbers: dict[str, int], simplify: Callable[[str], str] | None
) -> memoryview:
    """Number the labels of a column.

    Labels that `simplify` makes equal get the same number, on both sides, as both share `numbers`.
    """
    labels = map(simplify, column.labels) if simplify else column.labels
    table = array("i", [numbers.setdefault(label, len(numbers)) for label in labels])
    ids = ints(len(column.ids))
    translate(column.ids, table, ids)
    return ids


def _count_labels(ids: memoryview, wanted: bytearray) -> int:
    """Count the words whose label is wanted."""
    counts = longs(len(wanted))
    count_ids(ids, counts)
    return sum(count for count, is_wanted in zip(counts, wanted, strict=True) if is_wanted)


def _count_edges(
    gold: DepsEdges | None, system: DepsEdges | None, partners: memoryview
) -> dict[str, ScriptScore]:
    """Score enhanced dependencies; empty if one side has none.

    Every gold edge of a word is compared with every system edge of its partner.
    """
    if gold is None or system is None:
        return {}
    scores = {}
    for name, simplify in (("ELAS", None), ("EULAS", cut_path)):
        numbers: dict[str, int] = {}
        gold_paths = _renumber(gold.paths, numbers, simplify)
        system_paths = _renumber(system.paths, numbers, simplify)
        right = count_matched(
            EdgeColumns(gold.cuts, gold.heads, gold_paths),
            EdgeColumns(system.cuts, system.heads, system_paths),
            partners,
            once=False,
        )
        scores[name] = ScriptScore(len(gold.heads), len(system.heads), sum(right))
    return scores


# Order of the tables. It differs from that of the scores: enhanced dependencies come last.
_ROWS = (
    "Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS", "CLAS", "MLAS", "BLEX",
    "ELAS", "EULAS",
)  # fmt: skip
_SUMMARY = {
    "LAS": "LAS F1 Score", "MLAS": "MLAS Score", "BLEX": "BLEX Score",
    "ELAS": "ELAS F1 Score", "EULAS": "EULAS F1 Score",
}  # fmt: skip
_RULE = "-----------+-----------+-----------+-----------+-----------\n"


def print_scores(scores: Mapping[str, ScriptScore], *, verbose: bool, counts: bool) -> str:
    """Render a table of the script: the summary, with `verbose` all ratios, with `counts` all counts.

    If both options are set, `counts` wins.
    """
    rows = {name: scores[name] for name in _ROWS if name in scores}
    show = _print_counts if counts else _print_ratios if verbose else _print_summary
    return "".join(show(rows))


def _print_summary(scores: Mapping[str, ScriptScore]) -> Iterator[str]:
    """Yield a line with the F1 of each main metric."""
    for name, title in _SUMMARY.items():
        if name in scores:
            yield f"{title}: {100 * scores[name].f1:.2f}\n"


def _print_ratios(scores: Mapping[str, ScriptScore]) -> Iterator[str]:
    """Yield precision, recall, F1 and aligned accuracy in percent; the last cell may be empty."""
    yield "Metric     | Precision |    Recall |  F1 Score | AligndAcc\n" + _RULE
    for name, score in scores.items():
        ratios = "".join(f"{100 * ratio:10.2f} |" for ratio in (score.precision, score.recall, score.f1))
        accuracy = score.aligned_accuracy
        yield f"{name:11}|{ratios}{'' if accuracy is None else f'{100 * accuracy:10.2f}'}\n"


def _print_counts(scores: Mapping[str, ScriptScore]) -> Iterator[str]:
    """Yield correct, gold, system and aligned counts.

    An aligned count that is 0 or missing is left blank, but for words it is the number of correct ones.
    """
    yield "Metric     | Correct   |      Gold | Predicted | Aligned\n" + _RULE
    for name, score in scores.items():
        aligned = score.aligned_total or (score.correct if name == "Words" else "")
        yield f"{name:11}|{score.correct:10} |{score.gold_total:10} |{score.system_total:10} |{aligned:10}\n"
