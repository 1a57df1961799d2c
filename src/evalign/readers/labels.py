"""Recognize labels that were given where tokens are expected, in lists or in files of plain text.

They may be all of it, `O B-PER` or `PROPN VERB`, or stand behind each token in lists of two, `Ada PROPN`. They
are scored as they are, with a remark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from evalign.errors import Place, Remark, quote
from evalign.ud_labels import names

# Tags of universal dependencies and of the Penn Treebank.
TAGS = names(
    "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X SPACE "
    "CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP TO UH VB VBD VBG VBN VBP VBZ "
    "WDT WP WP$ WRB HYPH NFP ADD AFX -LRB- -RRB- _SP"
)
OUTSIDE = "O"
# B-PER, I_LOC: a token that begins, continues or ends a span, or is one by itself.
_IN_SPAN = re.compile(r"[BIESULM][-_]\w[\w.:/-]*")
# Most sentences that decide whether tokens are labels. Then all labels are counted.
_N_SENTENCES = 1_000
# Words among so many tokens show at once that they are not labels.
_N_FIRST = 50
TAKE_TOKENS = "they are scored as words of the text: give the tokens instead"


class Labels(NamedTuple):
    """The message about labels among tokens, and the number of the first sentence that has one."""

    message: str
    number: int


def find_labels(sentences: Sequence[Sequence[str]]) -> Labels | None:
    """Recognize that the tokens of `sentences`, or the second of every two, are labels and not words."""
    head = sentences[:_N_SENTENCES]
    pairs = len(head) > 2 and all(len(sentence) == 2 for sentence in head)
    if _are_labels([token for sentence in head for token in sentence]):
        first, what = 0, "tokens are labels such as"
    elif pairs and _are_labels([sentence[1] for sentence in head]):
        first, what = 1, "tokens are the label of the token before, such as"
    else:
        return None
    labels = [token for sentence in sentences for token in sentence[first:] if _is_label(token)]
    example = next((label for label in labels if label != OUTSIDE), OUTSIDE)
    message = f"{len(labels):,} of {sum(map(len, sentences)):,} {what} {quote(example)}"
    number = next(number for number, tokens in enumerate(sentences, 1) if any(map(_is_label, tokens)))
    return Labels(message, number)


def remark_on_labels(name: str, sentences: Sequence[Sequence[str]]) -> tuple[Remark, ...]:
    """Return a remark if the tokens of `sentences`, or the second of every two, are labels and not words."""
    labels = find_labels(sentences)
    if labels is None:
        return ()
    return (Remark("labels", f"{labels.message}: {TAKE_TOKENS}", 1, (Place(name, labels.number),)),)


def _are_labels(tokens: Sequence[str]) -> bool:
    """Return whether hardly any of `tokens` is a word, or half of them are `O`; punctuation is both."""
    if len(tokens) > _N_FIRST and not _are_labels(tokens[:_N_FIRST]):
        return False
    outside = tokens.count(OUTSIDE)
    if len(tokens) > 2 and 2 * outside >= len(tokens):
        return True
    n_labels = sum(map(_is_label, tokens))
    n_words = sum(any(map(str.isalnum, token)) for token in tokens if not _is_label(token))
    return n_labels > 1 and 20 * n_words <= n_labels


def _is_label(token: str) -> bool:
    return token == OUTSIDE or token in TAGS or _IN_SPAN.fullmatch(token) is not None
