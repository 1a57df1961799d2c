"""Native sentences that may be translations of each other by chance, for people to look at.

Gold knows of the planted pairs alone; the BUCC organisers put those that were there before at 5 % of the pairs at most,
from what their best systems found beyond gold (Zweigenbaum, Sharoff and Rapp 2018, section 4). Without a system, and
without any knowledge of the languages, this looks where such pairs are most likely to show: native sentences of one
split that share numbers, names and Latin words. The most alike of them are the pool, and a seeded sample of that is to be
reviewed. What share of it is parallel is said of the pool and of nothing else: pairs that share no such word are not in
it, and almost all pairs of two corpora are not alike at all.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from typing import NamedTuple

from evalign.bitext.dataset import DataSet, find_planted, read_gold
from evalign.bitext.pairs import format_id
from evalign.bitext.sampling import SEED, draw
from evalign.bitext.scoring import correct_precision, read_review
from evalign.errors import InputError, Place, quote
from evalign.metrics import Counts
from evalign.progress import Progress, no_progress
from evalign.results import PairExample, Review

SAMPLE, POOL = 100, 1000
# A word of more sentences than this joins nothing: it would be in too many pairs.
_COMMON_WORD_LIMIT = 200
# One common word is chance.
_LEAST_SHARED = 2
# What two sentences need to share, in weights of words, to be half as alike as they can be: two words alone,
# and common ones, make no likely pair.
_DAMPING = 10.0
_WORD = re.compile(r"\d+(?:[.,:/]\d+)*|[^\W\d_]+(?:[-'’][^\W\d_]+)*")


# What stands for a system in the table: the pool is what a system found that knows no more than this.
_NATIVE = "native pairs of "


class _Match(NamedTuple):
    """Two native sentences."""

    overlap: float
    """From 0 to 1: how much of their numbers, names and Latin words they share, rare ones above all."""
    split: str
    example: PairExample


def anchor_words(sentence: str) -> frozenset[str]:
    """Words that may be the same in another language: numbers, capitalised words but the first, Latin among others.

    >>> sorted(anchor_words("In 1,500 homes of Bonn")), sorted(anchor_words("北京 Linux 系统"))
    (['1500', 'bonn'], ['linux'])
    """
    is_latin = all(character < "\u0250" for character in sentence if character.isalpha())
    anchors = set()
    for place, word in enumerate(_WORD.findall(sentence)):
        if len(word) == 1:
            continue
        if word[0].isdigit():
            # 1,500 in one language is 1.500 in the other.
            anchors.add(re.sub(r"[.,]", "", word))
        elif (is_latin and place and word[0].isupper()) or (not is_latin and word.isascii()):
            anchors.add(word.casefold())
    return frozenset(anchors)


class _Side(NamedTuple):
    """Native sentences of one language and split that have such words."""

    ids: Sequence[str]
    texts: Sequence[str]
    words: Sequence[frozenset[str]]


def sample_review(
    dataset: DataSet,
    *,
    size: int = SAMPLE,
    pool: int = POOL,
    seed: int = SEED,
    progress: Progress = no_progress,
) -> dict[str, list[PairExample]]:
    """A sample of the pool for `render_review`, by what stands for a system; the score is how alike a pair is.

    Splits without gold are left out: what is native is not known of them.
    """
    best: list[_Match] = []
    for split in dataset.splits:
        progress(f"comparing native sentences of {split}")
        sides = _read_native(dataset, split)
        if sides is not None:
            best = sorted([*best, *_match(split, *sides, pool)], key=_order)[:pool]
    drawn = sorted(best, key=lambda match: (draw(seed, "review", match.split, *_ids(match)), _order(match)))
    samples: dict[str, list[PairExample]] = {}
    for match in sorted(drawn[:size], key=lambda match: (dataset.splits.index(match.split), _order(match))):
        samples.setdefault(_NATIVE + match.split, []).append(match.example)
    return samples


def read_reviewed(path: str | os.PathLike[str]) -> Review:
    """What people said of such a sample; its precision is the share that is parallel, with Wilson's 95 % interval."""
    verdicts_by_name = read_review(path)
    others = [name for name in verdicts_by_name if not name.startswith(_NATIVE)]
    if others:
        expected = "native pairs, as `evalign.bitext.statistics.sample_review(...)` finds them"
        advice = "false pairs of systems are for `evalign.score_pairs(reviewed=FILE)`"
        raise InputError(Place(os.fspath(path)), f"pairs of {quote(others[0])}", expected, advice)
    verdicts = [verdict for pairs in verdicts_by_name.values() for verdict in pairs.values()]
    # As of a system whose pairs are all false by gold: what is right of it is what people found.
    return correct_precision("native pairs", Counts(0, 0, 1), verdicts)


def _ids(match: _Match) -> tuple[str, str]:
    return match.example["first"], match.example["second"]


def _order(match: _Match) -> tuple[float, str, str, str]:
    """The most alike first."""
    return -match.overlap, match.split, *_ids(match)


def _read_native(dataset: DataSet, split: str) -> tuple[_Side, _Side] | None:
    gold = read_gold(dataset, split)
    if gold is None:
        return None
    sides = []
    for language, ids in ((dataset.first, gold.first), (dataset.second, gold.second)):
        corpus = dataset.corpus(split, language)
        is_planted = find_planted(corpus, gold, ids)
        rows = [
            (format_id(language, number), text, words)
            for number, text, planted in zip(corpus.numbers, corpus.texts, is_planted.tolist(), strict=True)
            if not planted and len(words := anchor_words(text)) >= _LEAST_SHARED
        ]
        sides.append(_Side([row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows]))
    return sides[0], sides[1]


def _index(sentences: Iterable[frozenset[str]]) -> Mapping[str, Sequence[int]]:
    """Which sentences have a word."""
    postings: defaultdict[str, list[int]] = defaultdict(list)
    for k, words in enumerate(sentences):
        for word in words:
            postings[word].append(k)
    return postings


def _match(split: str, first: _Side, second: _Side, most: int) -> list[_Match]:
    """The most alike pairs: of every sentence of the first language its best one."""
    weights = _weigh(first, second)
    others = _index(second.words)
    norms = [_add_up(weights, words) for words in second.words]
    best_pairs = []
    for k, words in enumerate(first.words):
        overlap, other = _find_best(words, weights, others, norms)
        if overlap:
            best_pairs.append((overlap, k, other))
    return [
        _Match(
            overlap,
            split,
            PairExample(
                first=first.ids[k],
                second=second.ids[other],
                score=round(overlap, 3),
                first_text=_on_one_line(first.texts[k]),
                second_text=_on_one_line(second.texts[other]),
            ),
        )
        for overlap, k, other in nlargest(most, best_pairs)
    ]


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _weigh(first: _Side, second: _Side) -> Mapping[str, float]:
    """The inverse document frequency of every word, over both sides (Spaerck Jones 1972); never 0."""
    counts = Counter(word for words in (*first.words, *second.words) for word in words)
    total = len(first.words) + len(second.words)
    return {word: math.log1p(total / n) for word, n in counts.items()}


def _add_up(weights: Mapping[str, float], words: Iterable[str]) -> float:
    # In whatever order a set has its words: this sum is exact before it is rounded.
    return math.fsum(weights[word] for word in words)


def _find_best(
    words: frozenset[str],
    weights: Mapping[str, float],
    others: Mapping[str, Sequence[int]],
    norms: Sequence[float],
) -> tuple[float, int]:
    """How alike the most alike sentence is, by Dice's coefficient of weights, damped, and which; 0 where there is none."""
    shared: defaultdict[int, list[str]] = defaultdict(list)
    for word in words:
        matches = others.get(word, ())
        if len(matches) <= _COMMON_WORD_LIMIT:
            for other in matches:
                shared[other].append(word)
    norm = _add_up(weights, words)
    best = (0.0, 0)
    for other, common in shared.items():
        if len(common) >= _LEAST_SHARED:
            best = max(best, (2 * _add_up(weights, common) / (norm + norms[other] + 2 * _DAMPING), -other))
    return best[0], -best[1]
