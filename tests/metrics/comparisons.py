"""Comparisons to count, made from lists of tokens, with gold documents and any kind of units."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from evalign.alignment.align import align_documents
from evalign.document import Breaks, document_from_sentences
from evalign.metrics.comparison import Comparison, Units
from evalign.metrics.registry import METRICS
from evalign.options import ScoreOptions
from evalign.readers.formats import read_source
from evalign.text import Text
from strategies import two_cuts, two_texts


def make_gold(documents):
    """Join several documents to one file that says where each begins."""
    sentences = [sentence for document in documents for sentence in document]
    starts = np.cumsum([0, *map(len, documents)])[:-1]
    firsts = [int(start) for start, document in zip(starts, documents, strict=True) if document]
    breaks = Breaks(np.array(firsts, np.int32), [f"d{k}" for k in range(len(firsts))])
    return replace(document_from_sentences(sentences, "gold"), documents=breaks)


def make_trees(sentences):
    """Make a document from sentences as in worked examples: form/UPOS/HEAD/DEPREL/FEATS/LEMMA/XPOS/DEPS."""
    lines = []
    for sentence in sentences:
        for number, word in enumerate(sentence.split(), 1):
            columns = (*word.split("/"), *["_"] * 7)[:8]
            form, upos, head, deprel, feats, lemma, xpos, deps = columns
            lines.append("\t".join([str(number), form, lemma, upos, xpos, feats, head, deprel, deps, "_"]))
        lines.append("")
    return read_source(Text("\n".join([*lines, ""])), "conllu")


def make_brackets(sentences):
    """Make a document from trees in brackets."""
    return read_source(Text("\n".join([*sentences, ""])), "trees")


def one_unit():
    return Units("whole", np.zeros(1, np.int32), ["all"])


def compare(gold, system, units=None, *, exceptions=None, **options):
    """Compare gold and system, given as documents or as lists of lists of tokens."""
    sides = [document_from_sentences(side) if isinstance(side, list) else side for side in (gold, system)]
    alignment = align_documents(*sides, exceptions=exceptions)
    return Comparison(alignment, units or one_unit(), ScoreOptions(**options))


def compare_documents(documents, system, **options):
    """Compare several gold documents with a system, counted by document."""
    gold = make_gold(documents)
    starts = gold.sentences[gold.documents.sentences] if len(gold.documents) else np.zeros(1, np.int32)
    return compare(gold, system, Units("document", starts, gold.documents.names or ["none"]), **options)


def count(name, comparison):
    """Return the sum of a metric's counts over units, by field."""
    metric = METRICS[name]
    table = metric.count(comparison)
    assert table.dtype == np.int64
    assert table.shape == (len(comparison.units), len(metric.fields))
    return dict(zip(metric.fields, table.sum(axis=0).tolist(), strict=True))


def score(name, comparison):
    """Return a metric's ratios of the sum over units."""
    return METRICS[name].ratios(count(name, comparison))


@st.composite
def in_documents(draw, pairs):
    """Draw (gold documents, system) from a strategy of pairs; gold is cut between any sentences."""
    pair = draw(pairs)
    documents = [[]]
    for sentence in pair.gold:
        if documents[-1] and draw(st.integers(0, 2)) == 0:
            documents.append([])
        documents[-1].append(sentence)
    return documents, pair.system


def cut_documents(max_size=24):
    """Draw gold documents and a system over the same characters."""
    return in_documents(two_cuts(max_size))


def text_documents(max_size=24):
    """Draw gold documents and a system over other characters."""
    return in_documents(two_texts(max_size))
