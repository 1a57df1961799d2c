"""Whether a lexicon is of the languages that are mined."""

from __future__ import annotations

from collections.abc import Sequence

from evalign.bitext.corpora import Corpus
from evalign.bitext.mining.lexicon import Lexicon, Translations
from evalign.bitext.mining.terms import Cutter
from evalign.errors import CommandError

# Lexicons of some 25,000 pairs know 75 to 96 % of the words of their own languages, and 0 to 38 % of those of others
# (fr, de, zh, en). A dictionary without the commonest words knows less, so little of it is only remarked on.
_LEAST_KNOWN = 0.1
_FEW_KNOWN = 0.5
# So many sentences tell.
_MOST_SENTENCES = 2000


def check_lexicon(
    lexicon: Lexicon, corpora: tuple[Corpus, Corpus], cutters: tuple[Cutter, Cutter], split: str
) -> list[str]:
    """Remarks on how few words of the corpora a lexicon knows; raises `CommandError` where it is of other languages."""
    tables = lexicon.forward, lexicon.backward
    known, crossed = (
        [
            share_known(corpus, cutter, table)
            for corpus, cutter, table in zip(corpora, cutters, order, strict=True)
        ]
        for order in (tables, tables[::-1])
    )
    remarks = []
    for corpus, share, other in zip(corpora, known, crossed, strict=True):
        message = f"the lexicon knows {share:.0%} of the words of {corpus.language} in {split}"
        if share < _LEAST_KNOWN or (share < _FEW_KNOWN and other > 2 * share):
            languages = " and ".join(each.language for each in corpora)
            swapped = "its languages seem to be the other way round" if min(crossed) > _FEW_KNOWN else ""
            raise CommandError(message, f"a lexicon of {languages}, in this order", swapped)
        if share < _FEW_KNOWN:
            remarks.append(f"{message}: is it of this language, and large enough?")
    return remarks


def share_known(corpus: Corpus, cutter: Cutter, table: Translations) -> float:
    """The share of the words of a corpus that have a translation, of those with a letter in them."""
    terms = [term for text in _spread(corpus.texts) for term in cutter.cut(text) if not term.isdigit()]
    return sum(term in table for term in terms) / max(len(terms), 1)


def _spread(texts: Sequence[str]) -> Sequence[str]:
    """Some of the sentences, from all over the corpus."""
    return texts[:: max(1, len(texts) // _MOST_SENTENCES)]
