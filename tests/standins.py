"""Stand-ins for objects of spaCy, stanza and NLTK, with the attributes and class names that readers look for.

The packages are slow to import, and stanza needs torch. `test_packages.py` tests the readers on the real
packages.
"""

from __future__ import annotations

import itertools
from types import SimpleNamespace

CONLLU = """\
# newdoc id = harbour
# sent_id = h1
# genre = news
1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_
1\tde\tde\tADP\tIN\t_\t3\tcase\t3:case\t_
2\tle\tle\tDET\tDT\tGender=Masc\t3\tdet\t3:det\t_
3\tport\tport\tNOUN\tNN\tGender=Masc\t0\troot\t0:root|3.1:nsubj\t_
3.1\tvoit\tvoir\tVERB\t_\t_\t_\t_\t3:conj\t_

# sent_id = h2
1\tOui\toui\tINTJ\tUH\t_\t0\troot\t0:root\t_
2\t.\t.\tPUNCT\t.\t_\t1\tpunct\t1:punct\t_

"""


def of_package(package, name, bases=(object,)):
    """Return a class that claims to come from `package`."""
    return type(name, bases, {"__module__": package})


StanzaDocument = of_package("stanza.models.common.doc", "Document")
StanzaSentence = of_package("stanza.models.common.doc", "Sentence")


def make_stanza(text=CONLLU):
    """Return a stanza document from CoNLL-U."""
    document = StanzaDocument()
    document.sentences = [_make_sentence(block) for block in text.strip().split("\n\n")]
    return document


def _make_sentence(block):
    lines = block.split("\n")
    sentence = StanzaSentence()
    sentence.comments = [line for line in lines if line.startswith("#")]
    sentence.tokens, sentence.empty_words = [], []
    end = 0
    for row in (line.split("\t") for line in lines if not line.startswith("#")):
        if "-" in row[0]:
            first, end = map(int, row[0].split("-"))
            sentence.tokens.append(SimpleNamespace(text=row[1], id=(first, end), words=[]))
        elif "." in row[0]:
            sentence.empty_words.append(_make_word(row, tuple(map(int, row[0].split(".")))))
        else:
            word = _make_word(row, int(row[0]))
            if word.id > end:
                sentence.tokens.append(SimpleNamespace(text=row[1], id=(word.id,), words=[]))
            sentence.tokens[-1].words.append(word)
    return sentence


def _make_word(row, number):
    filled = [None if value == "_" else value for value in row]
    return SimpleNamespace(
        id=number, text=row[1], lemma=filled[2], upos=filled[3], xpos=filled[4], feats=filled[5],
        head=None if filled[6] is None else int(filled[6]), deprel=filled[7], deps=filled[8],
    )  # fmt: skip


SpacyDoc = of_package("spacy.tokens.doc", "Doc")


class _Token(SimpleNamespace):
    def has_head(self):
        return bool(self.dep_)


def make_spacy(words, heads=None, deps=None, starts=(), **columns):
    """Return a Doc.

    `starts` are the words with which later sentences begin, `heads` are indices of words in the Doc.
    """
    tokens = [
        _Token(
            i=i,
            text=word,
            is_sent_start=i in starts or (i == 0 if starts else None),
            dep_=deps[i] if deps else "",
            **{key: column[i] for key, column in columns.items()},
        )
        for i, word in enumerate(words)
    ]
    for i, token in enumerate(tokens):
        token.head = tokens[heads[i]] if heads else token
    annotated = {"LEMMA": "lemma_", "POS": "pos_", "TAG": "tag_", "MORPH": "morph"}

    class Doc(SpacyDoc):
        def __iter__(self):
            return iter(tokens)

        @property
        def sents(self):
            cuts = [0, *starts, len(tokens)]
            return [tokens[a:b] for a, b in itertools.pairwise(cuts)]

        def has_annotation(self, name):
            if name == "SENT_START":
                return bool(starts)
            return bool(deps) if name in ("DEP", "HEAD") else annotated[name] in columns

    return Doc()


class NltkTree(of_package("nltk.tree.tree", "Tree", (list,))):
    """An NLTK tree, which is a list of its children."""

    def __init__(self, label, children):
        super().__init__(children)
        self._label = label

    def label(self):
        return self._label
