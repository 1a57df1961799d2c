"""A sentence with a dependency tree, and a system's version with errors in some words."""

import evalign
from evalign.scoring.count import compare_documents
from evalign.scoring.request import resolve

GOLD = """\
# text = The dogs saw it.
1	The	the	DET	DT	Definite=Def|PronType=Art	2	det	_	_
2	dogs	dog	NOUN	NNS	Number=Plur	3	nsubj	_	_
3	saw	see	VERB	VBD	Mood=Ind|Tense=Past	0	root	_	_
4	it	it	PRON	PRP	Number=Sing|Person=3	3	obj	_	_
5	.	.	PUNCT	.	_	3	punct	_	_

"""
SYSTEM = """\
1	The	the	DET	DT	Definite=Def|PronType=Art	2	det	_	_
2	dogs	dog	NOUN	NNS	Number=Plur	3	obj	_	_
3	saw	saw	NOUN	NN	Number=Sing	0	root	_	_
4	it	it	PRON	PRP	Number=Sing|Person=3|Typo=Yes	2	nmod:of	_	_
5	.	.	PUNCT	.	_	0	punct	_	_

"""


def compare(gold, system, **options):
    """Compare two CoNLL-U texts, ready to be counted."""
    sides = [evalign.Text(text, name) for text, name in ((gold, "gold.conllu"), (system, "system.conllu"))]
    return compare_documents(*sides, resolve(gold_format="conllu", system_format="conllu", **options))[0]
