"""Native sentences that may be translations of each other by chance, sampled for people to review.

Gold contains the planted pairs alone. The BUCC organisers estimated that the pairs that were there before are
at most 5 % of all pairs, from what their best systems found beyond gold (Zweigenbaum, Sharoff and Rapp 2018,
section 4). Without a system, and without any knowledge of the languages, this module looks where such pairs
are most likely to show: among native sentences of one split that share numbers, names and Latin words. The
most alike of them are the pool, and a seeded sample of the pool is to be reviewed. The share of parallel
pairs then holds for the pool and for nothing else: pairs that share no such words are not in it, and almost
all pairs of two corpora are not alike at all.
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
from evalign.bitext.scoring.review import correct_precision, read_review
from evalign.errors import InputError, Message, Place, quote
from evalign.metrics.counts import Counts
from evalign.progress import Progress, counted, no_progress
from evalign.results.pairing import PairExample, Review

SAMPLE, POOL = 100, 1000
# A word that is in more sentences than this is not used to find pairs: it would give too many.
_COMMON_WORD_LIMIT = 200
# Fewest common words of a pair: a single one is chance.
_LEAST_SHARED = 2
# Damping of the similarity, in weights of words: a pair of equal sentences whose words weigh this much
# together has a similarity of one half. So two common words alone make no likely pair.
_DAMPING = 10.0
_WORD = re.compile(r"\d+(?:[.,:/]\d+)*|[^\W\d_]+(?:[-'’][^\W\d_]+)*")


# Prefix of the name that stands for a system in the review table: the pool is treated as the output of a
# system.
_NATIVE = "native pairs of "


class _Match(NamedTuple):
    """Two native sentences that are alike."""

    overlap: float
    """Similarity from 0 to 1: the share of their numbers, names and Latin words that they have in common.

    Rare words weigh more.
    """
    split: str
    example: PairExample


def anchor_words(sentence: str) -> frozenset[str]:
    """Find the words of a sentence that may be the same in another language; returns them in lower case.

    These are numbers (without separators), capitalised words except the first, and Latin words among other
    scripts.

    >>> sorted(anchor_words("In 1,500 homes of Bonn")), sorted(anchor_words("北京 Linux 系统"))
    (['1500', 'bonn'], ['linux'])
    """
    is_latin = all(character < "\u0250" for character in sentence if character.isalpha())
    anchors = set()
    for place, word in enumerate(_WORD.findall(sentence)):
        if len(word) == 1:
            continue
        if word[0].isdigit():
            # 1,500 in one language is 1.500 in another.
            anchors.add(re.sub(r"[.,]", "", word))
        elif (is_latin and place and word[0].isupper()) or (not is_latin and word.isascii()):
            anchors.add(word.casefold())
    return frozenset(anchors)


class _Side(NamedTuple):
    """Native sentences of one language and split that have enough anchor words."""

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
    """Draw a sample of `size` pairs from the pool of the `pool` most alike pairs, for people to review.

    Returns the pairs as `render_review` takes them, by name of a system; here a name for each split stands
    for a system. The score of a pair is how alike its sentences are. Splits without gold are left out,
    because their native sentences are not known.
    """
    best: list[_Match] = []
    for split in dataset.splits:
        progress(f"comparing native sentences of {split}")
        sides = _read_native(dataset, split)
        if sides is not None:
            best = sorted([*best, *_match(split, *sides, pool, progress)], key=_order)[:pool]
    drawn = sorted(best, key=lambda match: (draw(seed, "review", match.split, *_ids(match)), _order(match)))
    samples: dict[str, list[PairExample]] = {}
    for match in sorted(drawn[:size], key=lambda match: (dataset.splits.index(match.split), _order(match))):
        samples.setdefault(_NATIVE + match.split, []).append(match.example)
    return samples


def read_reviewed(path: str | os.PathLike[str]) -> Review:
    """Read the verdicts of people on a sample that `sample_review` drew.

    The precision of the result is the share of parallel pairs, with Wilson's 95 % interval.
    """
    verdicts_by_name = read_review(path)
    others = [name for name in verdicts_by_name if not name.startswith(_NATIVE)]
    if others:
        expected = Message(
            "native pairs, as "
            "{evalign.bitext.statistics.native_pairs.sample_review(...)|evalign bitext stats <review>} finds them"
        )
        advice = Message(
            "false pairs of systems are for {evalign.score_pairs(reviewed=FILE)|evalign bitext score <reviewed>}"
        )
        raise InputError(Place(os.fspath(path)), f"pairs of {quote(others[0])}", expected, advice)
    verdicts = [verdict for pairs in verdicts_by_name.values() for verdict in pairs.values()]
    # Treated as a system whose pairs are all false by gold, so that only pairs confirmed by people are
    # correct, and which has more of them than anybody reviews.
    return correct_precision("native pairs", Counts(0, 0, 1 << 53), verdicts)


def _ids(match: _Match) -> tuple[str, str]:
    return match.example["first"], match.example["second"]


def _order(match: _Match) -> tuple[float, str, str, str]:
    """Return a sort key that puts the most alike pairs first."""
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
    """Map each word to the indices of the sentences that contain it."""
    postings: defaultdict[str, list[int]] = defaultdict(list)
    for k, words in enumerate(sentences):
        for word in words:
            postings[word].append(k)
    return postings


def _match(split: str, first: _Side, second: _Side, most: int, progress: Progress) -> list[_Match]:
    """Find the most alike pairs, at most `most`.

    Each sentence of the first language occurs in its best pair only.
    """
    weights = _weigh(first, second)
    others = _index(second.words)
    norms = [_add_up(weights, words) for words in second.words]
    best_pairs = []
    stage = f"comparing native sentences of {split}"
    for k, words in counted(first.words, progress, lambda _: stage):
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
    """Compute the inverse document frequency of every word over both sides (Spaerck Jones 1972).

    No weight is 0, even for a word of all sentences.
    """
    counts = Counter(word for words in (*first.words, *second.words) for word in words)
    total = len(first.words) + len(second.words)
    return {word: math.log1p(total / n) for word, n in counts.items()}


def _add_up(weights: Mapping[str, float], words: Iterable[str]) -> float:
    # The order of a set is arbitrary, so the sum must be exact before it is rounded.
    return math.fsum(weights[word] for word in words)


def _find_best(
    words: frozenset[str],
    weights: Mapping[str, float],
    others: Mapping[str, Sequence[int]],
    norms: Sequence[float],
) -> tuple[float, int]:
    """Find the sentence of the other side that is most alike.

    Returns its similarity (the damped Dice coefficient of weights) and its index; a similarity of 0 means
    that there is none.
    """
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
