"""Sentences, tokens and words: what their metrics mean."""

from __future__ import annotations

from evalign.metrics.definitions.entry import DRIDAN, JO, PRF, ZEMAN, Definition, Example

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
        "ledger counts such cases (refused_sentences). --match place leaves that rule out, --match text asks for the "
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
        "With --match place the text does not matter.",
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
        "Every mark of the gold text that may end a sentence (. ? ! … 。 ！ ？, or --candidates) is judged, "
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
        "Recall on the gold tokens that a word list (--vocabulary FILE) has not, and on those it has.",
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
