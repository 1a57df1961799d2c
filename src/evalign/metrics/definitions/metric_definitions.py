"""The classes of definitions, and the definitions of all metrics, each with its source and a worked example.

`catalogue` joins them with the definitions of terms and finds them by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Example(NamedTuple):
    """A small worked example: sentences of gold and system, with the counts and ratios that they give.

    Tokens are separated by spaces. With `trees`, a word is written as form/UPOS/HEAD/DEPREL;
    /FEATS/LEMMA/DEPS may follow.
    """

    gold: tuple[str, ...]
    system: tuple[str, ...]
    counts: Mapping[str, int]
    ratios: Mapping[str, float]
    vocabulary: tuple[str, ...] = ()
    weights: Mapping[str, float] | None = None
    trees: bool = False
    brackets: bool = False
    """True if the sentences are bracketed trees."""
    metric: str = ""
    """The metric that is counted, if the example belongs to a term."""


class Definition(NamedTuple):
    """The definition of a metric or a term."""

    name: str
    title: str
    definition: str
    formula: str = ""
    source: str = ""
    notes: str = ""
    example: Example | None = None
    worked: str = ""
    """An example in words, for a term that two short texts cannot show."""
    aliases: tuple[str, ...] = ()
    """Other names to look it up by, in lower case with hyphens."""


JO = "Jo et al. 2024, An Untold Story of Preprocessing Task Evaluation, LREC-COLING 2024 (the jp-algorithm)"
ZEMAN = (
    "Zeman et al. 2018, CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to Universal Dependencies"
)
DRIDAN = "Dridan and Oepen 2013, Document Parsing: Towards Realistic Syntactic Analysis, IWPT 2013"
CALLIN = "Callin, A typological perspective on evaluation for Universal Dependencies"
PRF = "precision = correct / system; recall = correct / gold; f1 = 2 correct / (gold + system)"


# Sentences, tokens and words.

EVANG = "Evang et al. 2013, Elephant: Sequence Labeling for Word and Sentence Segmentation, EMNLP 2013"
PALMER = "Palmer and Hearst 1997, Adaptive Multilingual Sentence Boundary Disambiguation, CL 23(2)"
READ = "Read et al. 2012, Sentence Boundary Detection: A Long Solved Problem?, COLING 2012"
BEEFERMAN = "Beeferman et al. 1999, Statistical Models for Text Segmentation, Machine Learning 34"
PEVZNER = "Pevzner and Hearst 2002, A Critique and Improvement of an Evaluation Metric for Text Segmentation, CL 28(1)"
EMERSON = "Emerson 2005, The Second International Chinese Word Segmentation Bakeoff, SIGHAN 2005"
LEVENSHTEIN = "Levenshtein 1966, Binary codes capable of correcting deletions, insertions, and reversals"

WINDOWS = "error = windows that differ / windows, summed over gold documents"

CLICK = ("Click here To view it .",), ("Click here", "To view it .")
SMITH = ("Mr. Smith left .", "He ran ."), ("Mr.", "Smith left .", "He ran .")
BEST = ("When No. 1 Is n't the Best",), ("When No. 1 Isn 't the Best",)
CANNOT = ("I can not go .", "He ran ."), ("I cannot go . He ran .",)
LETTERS = ("a b c d", "e f g h", "i j k l"), ("a b c", "d e f g h", "i j", "k l")
SHORT = ("a b", "c d"), ("a", "b c d")

SPANS = (
    Definition(
        "sentences",
        "Sentences by start and end",
        "A sentence is correct if gold and system both have one that starts and ends in the same place. Where the texts "
        "differ, at least a third of its text must be shared, too: twice the shared characters are at least a third of "
        "both lengths together, case and accents aside.",
        PRF,
        f"{JO}; {ZEMAN}",
        "One wrong boundary makes two sentences wrong. A stub such as ... in the place of a sentence earns nothing; the "
        "ledger counts such cases (refused_sentences). {match=place} leaves that rule out, {match=text} asks for the "
        "same characters.",
        Example(*CLICK, {"correct": 0, "gold": 1, "system": 2}, {"precision": 0.0, "recall": 0.0, "f1": 0.0}),
    ),
    Definition(
        "tokens",
        "Tokens by start, end and text",
        "A token is correct if gold and system both have one that starts and ends in the same place and "
        "says the same after normalisation. A multiword token counts once.",
        PRF,
        f"{JO}; {ZEMAN}",
        "With {match=place} the text does not matter.",
        Example(*BEST, {"correct": 5, "gold": 7, "system": 7}, {"f1": 5 / 7}),
    ),
    Definition(
        "words",
        "Syntactic words",
        "Like tokens, but multiword tokens are looked into: their words are paired by the longest common "
        "subsequence of lower-cased forms within the stretch that the multiword tokens cover. Where gold and system "
        "differ in characters, words that have no partner by place pair by form within the group of tokens they are in.",
        PRF,
        ZEMAN,
        "With the same characters and no multiword tokens this is the same as tokens. The pairing inside multiword "
        "tokens is not symmetric.",
        Example(
            *CANNOT, {"correct": 6, "gold": 8, "system": 7}, {"precision": 6 / 7, "recall": 0.75, "f1": 0.8}
        ),
    ),
)

# Listed after the metrics of dependencies.
POINTS = (
    Definition(
        "boundaries",
        "Sentence ends as points",
        "A boundary is the point where a sentence ends. It is correct if a sentence of the other side ends "
        "there.",
        PRF,
        READ,
        "Kinder than sentences: one wrong boundary is one error, and where the sentence began does not "
        "matter.",
        Example(
            *SMITH, {"correct": 2, "gold": 2, "system": 3}, {"precision": 2 / 3, "recall": 1.0, "f1": 0.8}
        ),
    ),
    Definition(
        "boundaries-inner",
        "Sentence ends within documents",
        "Like boundaries, without the points where a gold document ends: nobody can miss those.",
        PRF,
        READ,
        "A file that names no documents is one document.",
        Example(
            *SMITH, {"correct": 1, "gold": 1, "system": 2}, {"precision": 0.5, "recall": 1.0, "f1": 2 / 3}
        ),
    ),
    Definition(
        "token-boundaries",
        "Token ends as points",
        "A token boundary is the point where a token ends. The points where a gold document ends are left "
        "out.",
        PRF,
        DRIDAN,
        "Kinder than tokens: a token cut at the wrong place costs one boundary on each side, not two tokens.",
        Example(
            *BEST, {"correct": 5, "gold": 6, "system": 6}, {"precision": 5 / 6, "recall": 5 / 6, "f1": 5 / 6}
        ),
    ),
    Definition(
        "bio",
        "One label per character",
        "Every character that is not white space is labelled S (starts a sentence), T (starts a token) or I "
        "(inside). A label is right if the other side gives the same one to the same character.",
        "accuracy = right labels / gold characters; error_rate = 1 - accuracy; and precision, recall, f1 "
        "per label",
        EVANG,
        "A character that one side alone has counts under its label for that side only, so as wrong. A "
        "token's label is on its first shared character. Most characters are I, so accuracy is high for any "
        "system.",
        Example(
            *CLICK,
            {"correct": 17, "characters": 18, "correct_S": 1, "gold_S": 1, "system_S": 2, "correct_T": 4},
            {"accuracy": 17 / 18, "error_rate": 1 / 18, "precision_S": 0.5, "recall_S": 1.0, "recall_T": 0.8},
        ),
    ),
    Definition(
        "disambiguation",
        "Do marks end a sentence?",
        "Every mark of the gold text that may end a sentence (. ? ! … 。 ！ ？, or {candidates}) is judged, "
        "inside a token too: does a sentence end right after it?",
        "accuracy = (both + neither) / marks; error_rate = (system_only + gold_only) / marks",
        f"{PALMER}; {READ}",
        "Sentence ends without a mark are not judged. Marks are those of the gold text as it was read.",
        Example(*SMITH, {"both": 2, "system_only": 1, "gold_only": 0, "neither": 0}, {"accuracy": 2 / 3}),
    ),
    Definition(
        "sentence-accuracy",
        "Sentences with exactly their tokens",
        "A gold sentence is correct if its place holds exactly its tokens on the system side. The system's "
        "own sentence boundaries do not matter.",
        "accuracy = correct / gold",
        f"{DRIDAN} (SA)",
        "Tokens match as in the metric tokens.",
        Example(*CANNOT, {"correct": 1, "gold": 2}, {"accuracy": 0.5}),
    ),
    Definition(
        "edit-distance",
        "Edits per gold token",
        "The fewest tokens to insert, delete or replace to make gold of the system's output, block by "
        "block; and the same over boundary strings, which have 2 for a character that ends a sentence, 1 "
        "for one that ends a token, else 0.",
        "rate = distance / gold tokens; boundary_rate = boundary_distance / gold characters",
        LEVENSHTEIN,
        "Lower is better, and it may exceed 1. Exact, except in a block so large that it would take too "
        "long: that one is cut at token boundaries that both sides have, and the sum over its pieces is "
        "never less.",
        Example(
            *CANNOT,
            {"distance": 2, "gold": 8, "boundary_distance": 2, "characters": 16},
            {"rate": 0.25, "boundary_rate": 0.125},
        ),
    ),
    Definition(
        "pk",
        "Windows in which one side alone has a boundary",
        "A window of k gaps slides over the gold tokens of each gold document; it is an error if one side "
        "has a sentence boundary in it and the other has none. k is half the mean gold sentence length, at "
        "least 1.",
        f"{WINDOWS}; k = round(tokens / 2 sentences), halves to even",
        BEEFERMAN,
        "Lower is better. A system boundary inside a gold token is moved to its end. Near misses cost less.",
        Example(*LETTERS, {"errors": 4, "windows": 10}, {"error": 0.4}),
    ),
    Definition(
        "windowdiff",
        "Windows with another number of boundaries",
        "Like pk, but a window is an error if the two sides do not have as many boundaries in it.",
        f"{WINDOWS}; k = round(tokens / 2 sentences), halves to even",
        PEVZNER,
        "Lower is better. Never less than pk.",
        Example(*LETTERS, {"errors": 4, "windows": 10}, {"error": 0.4}),
    ),
    Definition(
        "pk-nltk",
        "pk with nltk's window",
        "Like pk, with the window that nltk.metrics.segmentation.pk takes: half of the gaps per boundary.",
        f"{WINDOWS}; k = round((tokens - 1) / 2 (sentences - 1)), halves to even",
        f"{BEEFERMAN}; nltk 3.10",
        "Lower is better. The last sentence is not a boundary to nltk, so k is larger; it may also be 0.",
        Example(*LETTERS, {"errors": 3, "windows": 9}, {"error": 1 / 3}),
    ),
    Definition(
        "windowdiff-nltk",
        "windowdiff with nltk's window",
        "Like windowdiff, with the window of pk-nltk: nltk's own windowdiff has no default.",
        f"{WINDOWS}; k = round((tokens - 1) / 2 (sentences - 1)), halves to even",
        f"{PEVZNER}; nltk 3.10",
        "Lower is better.",
        Example(*LETTERS, {"errors": 4, "windows": 9}, {"error": 4 / 9}),
    ),
    Definition(
        "pk-segeval",
        "pk with segeval's window",
        "Like pk, with a window of at least 2, as segeval takes it.",
        f"{WINDOWS}; k = round(tokens / 2 sentences), halves to even, at least 2",
        f"{BEEFERMAN}; segeval 2.0",
        "Lower is better. Differs from pk only for documents with very short sentences.",
        Example(*SHORT, {"errors": 1, "windows": 2}, {"error": 0.5}),
    ),
    Definition(
        "windowdiff-segeval",
        "windowdiff with segeval's window",
        "Like windowdiff, with a window of at least 2, as segeval takes it.",
        f"{WINDOWS}; k = round(tokens / 2 sentences), halves to even, at least 2",
        f"{PEVZNER}; segeval 2.0",
        "Lower is better.",
        Example(*SHORT, {"errors": 1, "windows": 2}, {"error": 0.5}),
    ),
    Definition(
        "oov",
        "Recall out of vocabulary",
        "Recall on the gold tokens that are not in a word list ({vocabulary=[...]|--vocabulary FILE}), and on those that are.",
        "recall_out = out_correct / out_gold; recall_in = in_correct / in_gold",
        EMERSON,
        "A gold token is looked up as it was read, and correct as in the metric tokens.",
        Example(
            ("I saw Lake Titicaca .",),
            ("I saw Lake Titi caca .",),
            {"in_correct": 4, "in_gold": 4, "out_correct": 0, "out_gold": 1},
            {"recall_in": 1.0, "recall_out": 0.0},
            ("I", "saw", "Lake", "."),
        ),
    ),
)


# Tags, lemmas, trees and graphs.

BOUMA = (
    "Bouma et al. 2020, Overview of the IWPT 2020 Shared Task on Parsing into Enhanced Universal Dependencies"
)
BUCHHOLZ = "Buchholz and Marsi 2006, CoNLL-X Shared Task on Multilingual Dependency Parsing"

JUDGED = f"{PRF}; aligned_accuracy = correct / aligned"
PAIRED = "Words are paired as in the metric words; a word without a partner is wrong. "

DOGS = (
    (
        "The/DET/2/det/Definite=Def dogs/NOUN/3/nsubj/Number=Plur/dog ran/VERB/0/root/Tense=Past/run ./PUNCT/3/punct",
    ),
    (
        "The/DET/2/det/Definite=Def dogs/NOUN/3/obj/Number=Sing/dog ran/NOUN/0/root/Tense=Past/ran ./PUNCT/2/punct",
    ),
)
XPOS = (
    ("dogs/NOUN/2/nsubj/_/_/NNS ran/VERB/0/root/_/_/VBD",),
    ("dogs/NOUN/2/nsubj/_/_/NNS ran/VERB/0/root/_/_/VBN",),
)
TYPO = ("teh/DET/2/det/Typo=Yes dog/NOUN/0/root/Number=Sing",), ("teh/DET/2/det dog/NOUN/0/root/Number=Sing",)
_REST = "wants/VERB/0/root/_/_/_/0:root to/PART/4/mark/_/_/_/4:mark go/VERB/2/xcomp/_/_/_/2:xcomp"
WANTS = (
    (f"She/PRON/2/nsubj/_/_/_/2:nsubj|4:nsubj:xsubj {_REST}",),
    (f"She/PRON/2/nsubj/_/_/_/2:nsubj|4:nsubj {_REST}",),
)


def _tree_example(
    pair: tuple[tuple[str, ...], tuple[str, ...]], correct: int, gold: int, system: int, f1: float
) -> Example:
    counts = {"correct": correct, "gold": gold, "system": system}
    return Example(*pair, counts, {"f1": f1}, trees=True)


DEPENDENCIES = (
    Definition(
        "upos",
        "Universal tags",
        f"{PAIRED}A word is correct if UPOS is the same.",
        JUDGED,
        ZEMAN,
        "Shown where both files have tags.",
        _tree_example(DOGS, 3, 4, 4, 0.75),
    ),
    Definition(
        "xpos",
        "Tags of the language",
        f"{PAIRED}A word is correct if XPOS is the same.",
        JUDGED,
        ZEMAN,
        "Shown where both files have them.",
        _tree_example(XPOS, 1, 2, 2, 0.5),
    ),
    Definition(
        "ufeats",
        "Universal features",
        f"{PAIRED}A word is correct if the features of FEATS that are universal are the same: 21 names, "
        "without layered ones such as Number[psor].",
        JUDGED,
        ZEMAN,
        "The order of values matters (Fem,Masc is not Masc,Fem), unless {feature_values=set}. What is left "
        "out is in allfeats.",
        _tree_example(DOGS, 3, 4, 4, 0.75),
    ),
    Definition(
        "allfeats",
        "All features",
        f"{PAIRED}A word is correct if FEATS has the same features with the same values, universal or not.",
        JUDGED,
        "evalign",
        "{breakdown(\"feature\")|--per feature} has each feature on its own.",
        _tree_example(TYPO, 1, 2, 2, 0.5),
    ),
    Definition(
        "alltags",
        "Tags and features",
        f"{PAIRED}A word is correct if UPOS, XPOS and the universal features are the same.",
        JUDGED,
        ZEMAN,
        "",
        _tree_example(DOGS, 2, 4, 4, 0.5),
    ),
    Definition(
        "lemmas",
        "Lemmas",
        f"{PAIRED}A word is correct if LEMMA is the same, or gold's is _.",
        JUDGED,
        ZEMAN,
        "Where gold's LEMMA is _, whatever lemma a system gives counts as right; how many words that are is reported.",
        _tree_example(DOGS, 3, 4, 4, 0.75),
    ),
    Definition(
        "uas",
        "Heads",
        f"{PAIRED}A word is correct if its head is the partner of gold's head, or both are roots (HEAD 0).",
        JUDGED,
        f"{ZEMAN}; {BUCHHOLZ}",
        "A head that is missing, outside the sentence or on a cycle is wrong, and reported with its place. "
        "Not available if no word of the system has a head.",
        _tree_example(DOGS, 3, 4, 4, 0.75),
    ),
    Definition(
        "las",
        "Heads and relations",
        "Like uas, and DEPREL, cut at the first colon, is the same.",
        JUDGED,
        f"{ZEMAN}; {BUCHHOLZ}",
        "{breakdown(\"relation\")|--per relation} and {breakdown(\"subtype\")|--per subtype} have each relation on its own.",
        _tree_example(DOGS, 2, 4, 4, 0.5),
    ),
    Definition(
        "clas",
        "Heads and relations of content words",
        "Like las, over words with one of 29 content relations, each side by its own. Function words (aux cop "
        "mark det clf case cc), punct and unknown labels are left out.",
        JUDGED,
        ZEMAN,
        "Not the content relations of Callin: CLAS also has expl, fixed, flat, list, goeswith, reparandum, dep "
        "and discourse (see content).",
        _tree_example(DOGS, 1, 2, 2, 0.5),
    ),
    Definition(
        "mlas",
        "Content words with their morphology and function words",
        "Like clas, and UPOS and the universal features are the same, and the function words that hang on the "
        "word are as many, pairwise aligned in order, with the same relation, UPOS and features.",
        JUDGED,
        ZEMAN,
        "",
        _tree_example(DOGS, 0, 2, 2, 0.0),
    ),
    Definition(
        "blex",
        "Content words with their lemma",
        "Like clas, and the lemma is right as in lemmas.",
        JUDGED,
        ZEMAN,
        "",
        _tree_example(DOGS, 0, 2, 2, 0.0),
    ),
    Definition(
        "elas",
        "Enhanced edges",
        "An edge of DEPS is correct if the words are partners, the heads are partners or both the root, and the "
        "label is the same, subtypes and steps through collapsed empty nodes (conj>nsubj) included. Each edge is "
        "matched once.",
        PRF,
        BOUMA,
        "Edges from empty nodes are left out on both sides, unless {collapse_empty_nodes}. {edges=all} compares "
        "every edge with every other as the UD tools do.",
        _tree_example(WANTS, 4, 5, 5, 0.8),
    ),
    Definition(
        "eulas",
        "Enhanced edges without subtypes",
        "Like elas, with every step of a label cut at its first colon.",
        PRF,
        BOUMA,
        "With {edges=all} it may exceed 100, as in the UD tools.",
        _tree_example(WANTS, 5, 5, 5, 1.0),
    ),
    Definition(
        "content",
        "Attachment of content relations",
        "Like las, over words whose relation is a content relation by Callin's table, cut at the colon: the "
        "system's own relation for precision, gold's for recall.",
        JUDGED,
        f"{CALLIN}, sections 4 and 5",
        "The table for UD v1 or v2 is chosen by the labels of gold, or by {relations}; the signature says which.",
        _tree_example(DOGS, 1, 2, 2, 0.5),
    ),
    Definition(
        "function",
        "Attachment of function relations",
        "Like content, over function relations: aux case cc cop det expl mark, and auxpass neg (v1) or clf (v2).",
        JUDGED,
        f"{CALLIN}, sections 4 and 6",
        "",
        _tree_example(DOGS, 1, 1, 1, 1.0),
    ),
    Definition(
        "wlas",
        "Attachment weighted by relation",
        "Like las, but every word weighs what its relation does in the file {weights}: its averaged word "
        "dependency entropy. A correct word weighs its gold relation.",
        "precision = correct weight / weight of the system's words; recall = correct weight / weight of gold's; "
        "f1 = 2 correct / both; aligned_accuracy = correct / weight of the aligned gold words",
        f"{CALLIN}, section 5",
        "Callin's score, on gold segmentation, is the recall. A relation without a weight weighs what the file "
        "says of missing ones, else 0.5. Weights are kept in billionths, so that sums are exact.",
        Example(
            *DOGS,
            {"weight_correct": 900_000_000, "weight_gold": 1_700_000_000, "weight_system": 1_500_000_000},
            {"precision": 0.6, "recall": 9 / 17, "f1": 0.5625},
            weights={"det": 0.2, "nsubj": 0.7, "root": 0.7, "punct": 0.1},
            trees=True,
        ),
    ),
)  # fmt: skip


# Dependencies as triples.

# One sentence in gold, two in the system: a dependency is identified by the places of its words, not by its
# sentence.
_CALLS = (
    ("call/VERB/0/root it/PRON/1/obj now/ADV/1/advmod please/INTJ/1/discourse",),
    ("call/VERB/0/root it/PRON/1/obj", "now/ADV/2/advmod please/VERB/0/root"),
)

TRIPLES = (
    Definition(
        "dependencies",
        "Dependencies as triples on the line",
        "A dependency is where the dependent begins and ends, where its head does, and DEPREL in full. Of equal ones "
        "as many are correct as both sides have. Words are not paired and sentences play no role.",
        PRF,
        f"{DRIDAN} (who name it as the next step)",
        "Words of a multiword token are where the token is. A word without a head, or on a cycle, has no dependency. "
        "Where tokens are the same and none is a multiword token, correct is what las has if subtypes are looked at. "
        "{match=text} also asks that dependent and head say the same. Not shown unless asked for.",
        Example(*_CALLS, {"correct": 2, "gold": 4, "system": 4}, {"f1": 0.5}, trees=True),
    ),
)


# Trees in brackets.

BLACK = "Black et al. 1991, A Procedure for Quantitatively Comparing the Syntactic Coverage of English Grammars (PARSEVAL)"
EVALB = "Sekine and Collins, evalb"

# The second parse joins two tokens and gives a phrase another label.
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


def _bracket_example(
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
        _bracket_example(
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
        "counts on lines that evalb finds valid are evalb's. {match=text} asks for the same characters, too; {match=place} for no shared text at all.",
        _bracket_example(DONT, {"correct": 3, "gold": 4, "system": 4}, {"f1": 0.75}),
    ),
    Definition(
        "brackets-unlabelled",
        "Constituents by start and end",
        "As brackets, whatever the labels.",
        PRF,
        BLACK,
        "",
        _bracket_example(DONT, {"correct": 4, "gold": 4, "system": 4}, {"f1": 1.0}),
    ),
    Definition(
        "triples",
        "Sentences, tokens, tags and brackets together",
        "Every annotation is a triple of start, end and label. Their counts are those of sentences, tokens, tags and "
        "brackets added up.",
        PRF,
        DRIDAN,
        "evalign triples FILE prints them. As in the metric tokens, tokens and tags also ask for the same text, where "
        "the paper asks for the place alone: {match=place} does so.",
        _bracket_example(DONT, {"correct": 8, "gold": 13, "system": 11}, {"f1": 2 / 3}),
    ),
    Definition(
        "crossing",
        "System brackets that cross gold's",
        "A system bracket crosses if it overlaps some gold bracket and neither is within the other. Each counts once, "
        "with the gold sentence that it begins in.",
        "average = crossing / gold sentences; none, two or less = share of the gold sentences with that many",
        BLACK,
        "A sentence in which the system has no bracket has none that crosses: read this beside brackets, not alone. "
        "Unlike evalb's, the average is over all gold sentences, since none is skipped. Discontinuous brackets, of gold "
        "and of the system, are left out of this count.",
        _bracket_example(
            CROSSED, {"crossing": 1, "sentences": 1}, {"average": 1.0, "none": 0.0, "two_or_less": 1.0}
        ),
    ),
    Definition(
        "complete-match",
        "Gold sentences whose brackets are all right",
        "A gold sentence is right if the system has a sentence in its place with the same brackets and no others.",
        "accuracy = correct / gold",
        EVALB,
        "Over all gold sentences, since none is skipped.",
        _bracket_example(TWO, {"correct": 1, "gold": 2}, {"accuracy": 0.5}),
    ),
)
