"""CoNLL-U with trees and enhanced graphs for tests, and its evaluation by `evalign.compat`."""

from evalign.compat.evaluation import evaluate_treebanks
from evalign.compat.treebank import Script, read_treebank
from evalign.readers.content import load
from evalign.text import Text

DEFAULT = Script("udtools", enhanced=True)


def row(number, form, head="_", deprel="_", deps="_"):
    return f"{number}\t{form}\t_\t_\t_\t_\t{head}\t{deprel}\t{deps}\t_\n"


def sentence(*words):
    """Return a sentence of words written form/HEAD/DEPREL or form/HEAD/DEPREL/DEPS."""
    rows = [row(number, *word.split("/")) for number, word in enumerate(words, 1)]
    return "".join(rows) + "\n"


def chain(*forms):
    """Return a sentence in which each word depends on the one before."""
    return sentence(*(f"{form}/{k}/dep" for k, form in enumerate(forms)))


def read(text, script=DEFAULT, name="x.conllu"):
    return read_treebank(load(Text(text, name)), script)


def evaluate(gold, system, script=DEFAULT):
    return evaluate_treebanks(
        read(gold, script, "gold.conllu"), read(system, script, "system.conllu"), script.dialect
    )


def counts(scores):
    """Return correct, gold, system and aligned of each metric."""
    return {
        name: (score.correct, score.gold_total, score.system_total, score.aligned_total)
        for name, score in scores.items()
    }
