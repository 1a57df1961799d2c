"""Tags, lemmas, trees and graphs: what their metrics mean."""

from __future__ import annotations

from evalign.metrics.definitions.entry import CALLIN, PRF, ZEMAN, Definition, Example

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


def _example(
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
        _example(DOGS, 3, 4, 4, 0.75),
    ),
    Definition(
        "xpos",
        "Tags of the language",
        f"{PAIRED}A word is correct if XPOS is the same.",
        JUDGED,
        ZEMAN,
        "Shown where both files have them.",
        _example(XPOS, 1, 2, 2, 0.5),
    ),
    Definition(
        "ufeats",
        "Universal features",
        f"{PAIRED}A word is correct if the features of FEATS that are universal are the same: 21 names, "
        "without layered ones such as Number[psor].",
        JUDGED,
        ZEMAN,
        "The order of values matters (Fem,Masc is not Masc,Fem), unless --feature-values set. What is left "
        "out is in allfeats.",
        _example(DOGS, 3, 4, 4, 0.75),
    ),
    Definition(
        "allfeats",
        "All features",
        f"{PAIRED}A word is correct if FEATS has the same features with the same values, universal or not.",
        JUDGED,
        "evalign",
        "--per feature has each feature on its own.",
        _example(TYPO, 1, 2, 2, 0.5),
    ),
    Definition(
        "alltags",
        "Tags and features",
        f"{PAIRED}A word is correct if UPOS, XPOS and the universal features are the same.",
        JUDGED,
        ZEMAN,
        "",
        _example(DOGS, 2, 4, 4, 0.5),
    ),
    Definition(
        "lemmas",
        "Lemmas",
        f"{PAIRED}A word is correct if LEMMA is the same, or gold's is _.",
        JUDGED,
        ZEMAN,
        "How many gold lemmas are _ is reported: any lemma is right there.",
        _example(DOGS, 3, 4, 4, 0.75),
    ),
    Definition(
        "uas",
        "Heads",
        f"{PAIRED}A word is correct if its head is the partner of gold's head, or both are roots (HEAD 0).",
        JUDGED,
        f"{ZEMAN}; {BUCHHOLZ}",
        "A head that is missing, outside the sentence or on a cycle is wrong, and reported with its place. "
        "Not available if no word of the system has a head.",
        _example(DOGS, 3, 4, 4, 0.75),
    ),
    Definition(
        "las",
        "Heads and relations",
        "Like uas, and DEPREL, cut at the first colon, is the same.",
        JUDGED,
        f"{ZEMAN}; {BUCHHOLZ}",
        "--per relation and --per subtype have each relation on its own.",
        _example(DOGS, 2, 4, 4, 0.5),
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
        _example(DOGS, 1, 2, 2, 0.5),
    ),
    Definition(
        "mlas",
        "Content words with their morphology and function words",
        "Like clas, and UPOS and the universal features are the same, and the function words that hang on the "
        "word are as many, pairwise aligned in order, with the same relation, UPOS and features.",
        JUDGED,
        ZEMAN,
        "",
        _example(DOGS, 0, 2, 2, 0.0),
    ),
    Definition(
        "blex",
        "Content words with their lemma",
        "Like clas, and the lemma is right as in lemmas.",
        JUDGED,
        ZEMAN,
        "",
        _example(DOGS, 0, 2, 2, 0.0),
    ),
    Definition(
        "elas",
        "Enhanced edges",
        "An edge of DEPS is correct if the words are partners, the heads are partners or both the root, and the "
        "label is the same, subtypes and steps through collapsed empty nodes (conj>nsubj) included. Each edge is "
        "matched once.",
        PRF,
        BOUMA,
        "Edges from empty nodes are left out on both sides, unless --collapse-empty-nodes. --edges all compares "
        "every edge with every other as the UD tools do.",
        _example(WANTS, 4, 5, 5, 0.8),
    ),
    Definition(
        "eulas",
        "Enhanced edges without subtypes",
        "Like elas, with every step of a label cut at its first colon.",
        PRF,
        BOUMA,
        "With --edges all it may exceed 100, as in the UD tools.",
        _example(WANTS, 5, 5, 5, 1.0),
    ),
    Definition(
        "content",
        "Attachment of content relations",
        "Like las, over words whose relation is a content relation by Callin's table, cut at the colon: the "
        "system's own relation for precision, gold's for recall.",
        JUDGED,
        f"{CALLIN}, sections 4 and 5",
        "The table for UD v1 or v2 is chosen by the labels of gold, or by --relations; the signature says which.",
        _example(DOGS, 1, 2, 2, 0.5),
    ),
    Definition(
        "function",
        "Attachment of function relations",
        "Like content, over function relations: aux case cc cop det expl mark, and auxpass neg (v1) or clf (v2).",
        JUDGED,
        f"{CALLIN}, sections 4 and 6",
        "",
        _example(DOGS, 1, 1, 1, 1.0),
    ),
    Definition(
        "wlas",
        "Attachment weighted by relation",
        "Like las, but every word weighs what its relation does in the file --weights: its averaged word "
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
