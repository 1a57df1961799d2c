"""Trees in brackets: what their metrics mean."""

from __future__ import annotations

from collections.abc import Mapping

from evalign.metrics.definitions.entry import DRIDAN, PRF, Definition, Example

BLACK = "Black et al. 1991, A Procedure for Quantitatively Comparing the Syntactic Coverage of English Grammars (PARSEVAL)"
EVALB = "Sekine and Collins, evalb"

# The second parse joins two tokens and calls a phrase otherwise.
DONT = (
    ("(S (NP (PRP We)) (VP (VBP do) (RB n't) (VP (VB wait))))",),
    ("(S (NP (PRP We)) (ADJP (VBP don't) (VP (VB wait))))",),
)
CROSSED = (
    ("(S (NP (DT a) (NN b)) (VP (VB c) (NN d)))",),
    ("(S (DT a) (X (NN b) (VB c)) (NN d))",),
)
TWO = (
    ("(S (NP (NN a)) (VP (VB b)))", "(S (VB c))"),
    ("(S (NP (NN a)) (VP (VB b)))", "(S (VP (VB c)))"),
)


def _example(
    pair: tuple[tuple[str, ...], tuple[str, ...]], counts: Mapping[str, int], ratios: Mapping[str, float]
) -> Example:
    return Example(*pair, counts, ratios, brackets=True)


CONSTITUENCY = (
    Definition(
        "tags",
        "Tags of words, as trees have them",
        "A word is correct if gold and system both have it and give it the same tag. Words are paired as in the metric "
        "words. Of CoNLL-U, the tag is XPOS.",
        f"{PRF}; aligned accuracy = correct / aligned",
        f"{DRIDAN}; {EVALB}",
        "A preset may leave words out by their tags, and make tags the same. On lines that evalb finds valid the "
        "aligned accuracy is its tagging accuracy.",
        _example(
            DONT, {"correct": 2, "gold": 4, "system": 3, "aligned": 2}, {"f1": 4 / 7, "aligned_accuracy": 1.0}
        ),
    ),
    Definition(
        "brackets",
        "Constituents by start, end and label",
        "A bracket is correct if gold and system both have one that starts and ends in the same place and has the same "
        "label; of equal ones as many as both have. The outermost TOP, ROOT, S1, VROOT or empty label is left out, and "
        "so is what covers nothing but empty elements; brackets around a single word and its tag are tags. The place of a "
        "discontinuous bracket is where each of its runs of words starts and ends. Where the texts differ, at least a third "
        "of the text must be shared, as of sentences; a bracket over a single token stands or falls with its sentence.",
        PRF,
        f"{BLACK}; {DRIDAN}",
        "Labels are compared whole, function tags included, unless a preset cuts them. With a .prm file of evalb's, "
        "counts on lines that evalb finds valid are evalb's. --match text asks for the same characters, too; --match place for no shared text at all.",
        _example(DONT, {"correct": 3, "gold": 4, "system": 4}, {"f1": 0.75}),
    ),
    Definition(
        "brackets-unlabelled",
        "Constituents by start and end",
        "As brackets, whatever the labels.",
        PRF,
        BLACK,
        "",
        _example(DONT, {"correct": 4, "gold": 4, "system": 4}, {"f1": 1.0}),
    ),
    Definition(
        "triples",
        "Sentences, tokens, tags and brackets together",
        "Every annotation is a triple of start, end and label. Their counts are those of sentences, tokens, tags and "
        "brackets added up.",
        PRF,
        DRIDAN,
        "evalign triples FILE prints them. As in the metric tokens, tokens and tags also ask for the same text, where "
        "the paper asks for the place alone: --match place does so.",
        _example(DONT, {"correct": 8, "gold": 13, "system": 11}, {"f1": 2 / 3}),
    ),
    Definition(
        "crossing",
        "System brackets that cross gold's",
        "A system bracket crosses if it overlaps some gold bracket and neither is within the other. Each counts once, "
        "with the gold sentence that it begins in.",
        "average = crossing / gold sentences; none, two or less = share of the gold sentences with so many",
        BLACK,
        "A sentence in which the system has no bracket has none that crosses: read this beside brackets, not alone. "
        "Unlike evalb's, the average is over all gold sentences, since none is skipped. Discontinuous brackets, of gold "
        "and of the system, are left out of this count.",
        _example(CROSSED, {"crossing": 1, "sentences": 1}, {"average": 1.0, "none": 0.0, "two_or_less": 1.0}),
    ),
    Definition(
        "complete-match",
        "Gold sentences whose brackets are all right",
        "A gold sentence is right if the system has a sentence in its place with the same brackets and no others.",
        "accuracy = correct / gold",
        EVALB,
        "Over all gold sentences, since none is skipped.",
        _example(TWO, {"correct": 1, "gold": 2}, {"accuracy": 0.5}),
    ),
)
