"""Counts of the CoNLL 2018 evaluation, written straight from the dependency rules.

Reading follows section 2.1, the alignment of words section 2.3 (`oracles.words`), the metrics section 2.4,
and the treatment of trees that the official script refuses section 5. The input must be well-formed; only
documents with different characters are refused.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import NamedTuple

from oracles.words import WordDocument, pair_words, strip_separators


def names(text: str) -> frozenset[str]:
    """Return the whitespace-separated words of `text` as a set."""
    return frozenset(text.split())


UNIVERSAL_FEATURES = names(
    "PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood "
    "Tense Aspect Voice Evident Polarity Person Polite"
)
CONTENT = names(
    "nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos nummod "
    "acl amod conj fixed flat compound list parataxis orphan goeswith reparandum root dep"
)
FUNCTION = names("aux cop mark det clf case cc")
ATTACHMENT = ("UAS", "LAS", "CLAS", "MLAS", "BLEX")
ROOT = -1

Counts = tuple[int, int, int, int | None]
"""Numbers of correct, gold, system and aligned items."""


class Word(NamedTuple):
    """A syntactic word with its columns as written; `head` is None if HEAD is not an integer."""

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int | None
    deprel: str
    deps: str


class Treebank(NamedTuple):
    """All words in order, each sentence as a range of word numbers, and the tokens of each sentence."""

    words: list[Word]
    sentences: list[range]
    tokens: WordDocument


def read(text: str) -> Treebank:
    """Read a treebank from CoNLL-U (2.1).

    Empty nodes are skipped anywhere, also inside a multiword token (5).
    """
    words: list[Word] = []
    sentences, tokens = [], []
    for lines in sentences_of(text):
        first = len(words)
        tokens.append([])
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        rows = [row for row in rows if "." not in row[0]]
        while rows:
            number, form, *_ = rows[0]
            if "-" in number:
                start, end = map(int, number.split("-"))
                length = end - start + 1  # the IDs of these words are not checked
                inside, rows = rows[1 : length + 1], rows[length + 1 :]
                tokens[-1].append((form, [row[1] for row in inside]))
            else:
                inside, rows = rows[:1], rows[1:]
                tokens[-1].append((form, []))
            words += [word_of(row) for row in inside]
        sentences.append(range(first, len(words)))
    return Treebank(words, sentences, tokens)


def sentences_of(text: str) -> list[list[str]]:
    """Return the lines of each sentence with the comments before it. Only CR, LF and CRLF end a line."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    sentences: list[list[str]] = [[]]
    for line in lines:
        if line:
            sentences[-1].append(line)
        else:
            sentences.append([])
    return [lines for lines in sentences if any(not line.startswith("#") for line in lines)]


def word_of(row: list[str]) -> Word:
    """Make a word from its ten columns."""
    _, form, lemma, upos, xpos, feats, head, deprel, deps, _ = row
    try:
        number = int(head)
    except ValueError:
        number = None
    return Word(form, lemma, upos, xpos, feats, number, deprel, deps)


def relation(word: Word) -> str:
    """Return DEPREL up to its first colon."""
    return word.deprel.split(":")[0]


def reduced_feats(word: Word) -> str:
    """Return the universal features, sorted. A layered name such as Number[psor] is not universal."""
    features = [] if word.feats == "_" else word.feats.split("|")
    return "|".join(sorted(feature for feature in features if feature.split("=")[0] in UNIVERSAL_FEATURES))


def parents_of(treebank: Treebank) -> list[int | None]:
    """Return, for each word, the number of its head among all words, or ROOT.

    None stands for a head that is missing or out of range.
    """
    parents: list[int | None] = []
    for sentence in treebank.sentences:
        for number in sentence:
            head = treebank.words[number].head
            if head == 0:
                parents.append(ROOT)
            else:
                parents.append(sentence[head - 1] if head and 0 < head <= len(sentence) else None)
    return parents


def without_cycles(parents: list[int | None]) -> list[int | None]:
    """Return `parents` with None for each word on a cycle.

    Words that only lead to a cycle keep their heads.
    """

    def is_on_cycle(number: int) -> bool:
        seen = set()
        parent = parents[number]
        while parent is not None and parent != ROOT and parent not in seen:
            seen.add(parent)
            parent = parents[parent]
        return number in seen

    return [None if is_on_cycle(number) else parent for number, parent in enumerate(parents)]


def align(gold: Treebank, system: Treebank) -> list[tuple[int, int]]:
    """Return the aligned pairs of gold and system word numbers (2.3)."""
    return pair_words(gold.tokens, system.tokens)


def without_inner_spaces(treebank: Treebank) -> Treebank:
    """Remove separators also from the words inside multiword tokens (5, case 33)."""
    tokens = [
        [(form, [strip_separators(word) for word in inner]) for form, inner in sentence]
        for sentence in treebank.tokens
    ]
    return treebank._replace(tokens=tokens)


class Comparison(NamedTuple):
    """Two treebanks, their aligned words, and the head of each word as `parents_of` gives it."""

    gold: Treebank
    system: Treebank
    pairs: list[tuple[int, int]]
    gold_of: dict[int, int]
    gold_parents: list[int | None]
    system_parents: list[int | None]

    def are_heads_equal(self, g: int, s: int) -> bool:
        """Return whether the system head is aligned to the gold head, or both are the root.

        A missing head equals nothing.
        """
        gold_parent, system_parent = self.gold_parents[g], self.system_parents[s]
        if gold_parent is None or system_parent is None:
            return False
        if system_parent == ROOT:
            return gold_parent == ROOT
        return self.gold_of.get(system_parent) == gold_parent

    def are_labels_equal(self, g: int, s: int) -> bool:
        """Return whether the relations are equal up to the first colon."""
        return relation(self.gold.words[g]) == relation(self.system.words[s])


def compare(gold: Treebank, system: Treebank) -> Comparison:
    """Compare as the official script does, which takes only trees with one root each."""
    pairs = align(gold, system)
    gold_of = {s: g for g, s in pairs}
    return Comparison(gold, system, pairs, gold_of, parents_of(gold), parents_of(system))


def compare_leniently(gold: Treebank, system: Treebank) -> Comparison:
    """Compare as section 5 asks: a head that is missing, out of range or on a cycle counts as no head."""
    gold, system = without_inner_spaces(gold), without_inner_spaces(system)
    comparison = compare(gold, system)
    return comparison._replace(
        gold_parents=without_cycles(comparison.gold_parents),
        system_parents=without_cycles(comparison.system_parents),
    )


def token_spans(treebank: Treebank) -> list[list[tuple[int, int]]]:
    """Return, for each sentence, the half-open character span of each surface token."""
    spans = []
    end = 0
    for sentence in treebank.tokens:
        spans.append([])
        for form, _ in sentence:
            start, end = end, end + len(strip_separators(form))
            spans[-1].append((start, end))
    return spans


def count_spans(gold: list[tuple[int, int]], system: list[tuple[int, int]]) -> Counts:
    """Count equal spans as a multiset intersection."""
    return (Counter(gold) & Counter(system)).total(), len(gold), len(system), None


def functional_children(treebank: Treebank, parents: list[int | None]) -> list[list[int]]:
    """Return, for each word, its dependents with a functional relation, in word order.

    A word without a head is nobody's child.
    """
    children: list[list[int]] = [[] for _ in treebank.words]
    for number, parent in enumerate(parents):
        if parent is not None and parent != ROOT and relation(treebank.words[number]) in FUNCTION:
            children[parent].append(number)
    return children


def count(comparison: Comparison) -> dict[str, Counts]:
    """Return the counts of all metrics of 2.4."""
    gold, system, pairs, gold_of, gold_parents, system_parents = comparison
    gold_children = functional_children(gold, gold_parents)
    system_children = functional_children(system, system_parents)

    def have_equal_tags(g: int, s: int) -> bool:
        mine, theirs = gold.words[g], system.words[s]
        return mine.upos == theirs.upos and reduced_feats(mine) == reduced_feats(theirs)

    def have_equal_children(g: int, s: int) -> bool:
        mine, theirs = gold_children[g], system_children[s]
        return len(mine) == len(theirs) and all(
            gold_of.get(t) == m and comparison.are_labels_equal(m, t) and have_equal_tags(m, t)
            for m, t in zip(mine, theirs, strict=True)
        )

    correct: Counter[str] = Counter()
    for g, s in pairs:
        mine, theirs = gold.words[g], system.words[s]
        is_lemma_right = mine.lemma in ("_", theirs.lemma)
        uas = comparison.are_heads_equal(g, s)
        las = uas and comparison.are_labels_equal(g, s)
        clas = las and relation(mine) in CONTENT
        correct["Words"] += 1
        correct["UPOS"] += mine.upos == theirs.upos
        correct["XPOS"] += mine.xpos == theirs.xpos
        correct["UFeats"] += reduced_feats(mine) == reduced_feats(theirs)
        correct["AllTags"] += have_equal_tags(g, s) and mine.xpos == theirs.xpos
        correct["Lemmas"] += is_lemma_right
        correct["UAS"] += uas
        correct["LAS"] += las
        correct["CLAS"] += clas
        correct["MLAS"] += clas and have_equal_tags(g, s) and have_equal_children(g, s)
        correct["BLEX"] += clas and is_lemma_right

    all_words = len(gold.words), len(system.words), len(pairs)
    content_words = (
        sum(relation(word) in CONTENT for word in gold.words),
        sum(relation(word) in CONTENT for word in system.words),
        sum(relation(gold.words[g]) in CONTENT for g, _ in pairs),
    )
    gold_spans, system_spans = token_spans(gold), token_spans(system)
    counts = {
        "Tokens": count_spans([*chain(*gold_spans)], [*chain(*system_spans)]),
        "Sentences": count_spans(
            [(tokens[0][0], tokens[-1][1]) for tokens in gold_spans],
            [(tokens[0][0], tokens[-1][1]) for tokens in system_spans],
        ),
    }
    for name in ("Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS"):
        counts[name] = (correct[name], *all_words)
    for name in ("CLAS", "MLAS", "BLEX"):
        counts[name] = (correct[name], *content_words)
    return counts


def official_counts(gold: Treebank, system: Treebank) -> dict[str, Counts]:
    """Return the rows of the `-c` table.

    The aligned count is None where the table is blank; for Words it is the number of pairs.
    """
    return count(compare(gold, system))


def lenient_counts(gold: Treebank, system: Treebank) -> dict[str, Counts | None]:
    """Return the same rows as `official_counts` for any heads, on equal characters (5).

    A row is None, not available, if it needs heads and no word of the system has one. A system without words
    lacks no heads, so its rows are available.
    """
    counts: dict[str, Counts | None] = {**count(compare_leniently(gold, system))}
    if system.words and all(word.head is None for word in system.words):
        counts.update(dict.fromkeys(ATTACHMENT))
    return counts


def f1(counts: Counts) -> float:
    """Return 2C / (S + G); 0 if there is nothing on either side."""
    correct, gold, system, _ = counts
    return 2 * correct / (gold + system) if gold + system else 0.0
