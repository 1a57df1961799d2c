"""Definitions of the terms that messages and documentation use, including those of `typology` and `bitext`.

`catalogue` joins them with the definitions of metrics and finds them by name.
"""

from __future__ import annotations

from evalign.metrics.definitions.metric_definitions import CALLIN, CANNOT, JO, PRF, ZEMAN, Definition, Example

COUNTS = {"correct": 6, "gold": 8, "system": 7}
# Two treebanks that explain both averages.
TREEBANKS = (
    "Of 100 gold tokens of one treebank a system with 100 tokens has 90 right, F1 90.00; of 10 gold tokens of another it has "
    "5 of 10 right, F1 50.00."
)

# The columns of every table of scores.
SCORES = (
    Definition(
        "gold",
        "The annotation taken as right",
        "The file that systems are compared with, usually made or checked by people. As a column of a table: how many "
        "sentences, tokens or other items gold has.",
        example=Example(*CANNOT, COUNTS, {}, metric="tokens"),
    ),
    Definition(
        "system",
        "The annotation being scored",
        "The output of a program, compared with gold. As a column of a table: how many sentences, tokens or other items the "
        "system has.",
        example=Example(*CANNOT, COUNTS, {}, metric="tokens"),
    ),
    Definition(
        "correct",
        "Items that gold and system have in common",
        "How many items of the system match one of gold; each item matches one other at most. What makes two items match is "
        "part of the definition of each metric.",
        example=Example(*CANNOT, COUNTS, {}, metric="tokens"),
    ),
    Definition(
        "precision",
        "Share of the system's items that are correct",
        "Low precision means that the system has much that gold does not have. It says nothing about what the system missed: "
        "that is recall.",
        "precision = correct / system",
        example=Example(*CANNOT, COUNTS, {"precision": 6 / 7}, metric="tokens"),
    ),
    Definition(
        "recall",
        "Share of gold's items that are correct",
        "Low recall means that the system missed much of what gold has. It says nothing about what the system has beyond "
        "that: that is precision.",
        "recall = correct / gold",
        example=Example(*CANNOT, COUNTS, {"recall": 0.75}, metric="tokens"),
    ),
    Definition(
        "f1",
        "Precision and recall in one number",
        "The harmonic mean of precision and recall, which is high only if both are. It is 100 if gold and system agree in "
        "everything and 0 if they agree in nothing, and stays the same if the two are swapped.",
        PRF,
        example=Example(*CANNOT, COUNTS, {"precision": 6 / 7, "recall": 0.75, "f1": 0.8}, metric="tokens"),
        aliases=("f", "f-1", "f1-score", "f-score", "f-measure"),
    ),
    Definition(
        "baseline",
        "The system that the others are compared with",
        "Of several systems the first: gains, differences and tests are against it. Of a gate, the result that was saved "
        "before.",
        worked="In evalign score gold.conllu old.conllu new.conllu the baseline is old.conllu.",
    ),
    Definition(
        "gain",
        "Points of F1 that a system has more than the baseline",
        "The F1 of a system minus that of the first system, in points of a percentage. Below zero the system is worse than "
        "the baseline. Whether a gain may be chance is what the p-value is about.",
        "gain = 100 (F1 of the system - F1 of the baseline)",
        worked="A baseline of 77.96 and a system of 88.15: the gain is +10.19.",
        aliases=("gains", "difference"),
    ),
    Definition(
        "micro",
        "An average over all items together",
        "Counts of all documents or treebanks are added up first, and ratios are taken of the sums: a large treebank weighs "
        "more than a small one.",
        "micro F1 = 2 (sum of correct) / (sum of gold + sum of system)",
        worked=f"{TREEBANKS} The micro average is 2 * 95 / (110 + 110), which is 86.36.",
        aliases=("micro-average",),
    ),
    Definition(
        "macro",
        "An average over documents or treebanks",
        "A ratio is taken of each document or treebank first, and then the mean of these: a small treebank weighs as much as "
        "a large one. Shared tasks rank systems by it.",
        "macro F1 = (sum of the F1 of each treebank) / treebanks",
        worked=f"{TREEBANKS} The macro average is (90 + 50) / 2, which is 70.00.",
        aliases=("macro-average",),
    ),
)

# Terms of significance tests.
SIGNIFICANCE = (
    Definition(
        "interval",
        "How much a score may vary with the texts",
        "Scores depend on which documents happen to be in gold. The bootstrap draws as many documents from gold's as there "
        "are, with repetition, a thousand times, and scores each draw; an interval of 95 % leaves out the lowest and the "
        "highest 2.5 % of these scores. A wide interval means that there is too little text to be sure.",
        source="Efron and Tibshirani 1993, An Introduction to the Bootstrap",
        notes="Two intervals that overlap do not mean that two systems are the same: the test of their difference says that.",
        worked="In the example corpus of 24 documents the LAS of second.conllu is 88.15, its interval [83.63, 91.85].",
        aliases=("intervals", "confidence", "confidence-interval", "confidence-intervals", "ci"),
    ),
    Definition(
        "p-value",
        "How often chance alone gives a difference this large",
        "Suppose that two systems are equally good. Then it does not matter which output of a document is whose: approximate "
        "randomization exchanges the two outputs of each document or not, at random, many times. p is the share of these "
        "draws in which the systems differ at least as much as they do. Below 0.05 a difference is usually called "
        "significant.",
        "p = (1 + draws with a difference as large) / (1 + draws)",
        "Noreen 1989, Computer-Intensive Methods for Testing Hypotheses",
        "A small p says that there is a difference, not that it is large: look at the gain and its interval.",
        worked="Two outputs differ in 5 documents, and one system is better in all 5. Of the 32 ways to exchange them 2 "
        "give as large a difference, so p is 2 / 32 = 0.0625, however large the difference is.",
        aliases=("p", "p-values", "significance", "significant"),
    ),
    Definition(
        "holm",
        "Holm's correction of p-values of several tests",
        "Of 20 tests one is below 0.05 by chance alone. Holm's method makes up for that: the smallest of m p-values is "
        "multiplied by m, the next by m - 1, and so on, and none gets smaller than the one before it. The p-values of "
        "tables are corrected so.",
        "corrected p of rank k = max over j <= k of min(1, (m - j + 1) p of rank j)",
        "Holm 1979, A Simple Sequentially Rejective Multiple Test Procedure",
        worked="The p-values 0.010, 0.020 and 0.040 of three tests become 0.030, 0.040 and 0.040.",
        aliases=("holm's-correction", "holm's-method", "holms-correction", "holm-correction", "correction"),
    ),
)

GENERAL = (
    Definition(
        "line",
        "The text without white space",
        "All characters of a document that are not Unicode White_Space, in order. Every span is a stretch "
        "of it, so spaces and line breaks never make two documents differ.",
    ),
    Definition(
        "place",
        "A position that both lines have",
        "Where the lines are equal, a place is a position. Where they differ, characters are aligned, and "
        "only what both have takes places. What one side alone has is in no place and matches nothing.",
        notes="A token runs from its first to its last shared character, a sentence from its first to its "
        "last token.",
    ),
    Definition(
        "block",
        "The smallest stretch with a sentence boundary on both sides at each end",
        "The m:n aligned sentences of Jo et al. 2024. Blocks are what a person looks at; counts do not "
        "depend on them, edit-distance aside.",
        source=JO,
    ),
    Definition(
        "unit",
        "What counts are kept by",
        "A gold document; where there are none, a stretch between sentence boundaries that gold and every "
        "system share. Rows of units add up to the whole and are what resampling draws from.",
        notes="A unit owns what starts in it. Pk and WindowDiff are per document: a row is in the unit it "
        "starts in.",
        worked="A gold file with 24 lines that begin with # newdoc has 24 units.",
        aliases=("units", "stretch", "stretches"),
    ),
    Definition(
        "match",
        "What makes two spans the same",
        "By default a sentence or bracket matches by place, if at least a third of its text is shared; a token or "
        "word by place and text. {match=place} asks for the place alone in every metric of spans, {match=text} for "
        "place and text.",
        notes="Results hold both counts (in_place, same_text); the signature says which is shown.",
    ),
    Definition(
        "normalize",
        "Notation made equal",
        "Where the lines differ, other notations of the same characters are rewritten per token: NFC, XML "
        "escapes, Penn Treebank brackets and quotes, the ellipsis. {normalize} adds width, lower, accents "
        "or format, leaves one out (no-quotes), or all (none).",
        notes="Where the lines are equal nothing is rewritten.",
    ),
    Definition(
        "exceptions",
        "A list of tokens that stand for others",
        "Contractions such as ca and n't for can and not. The list makes texts comparable; tokens it "
        "rewrote are correct only with {credit_exceptions}.",
        source=JO,
    ),
    Definition(
        "strategy",
        "How sentences and tokens are aligned",
        "places (the default) stops merging where both sides have the same characters behind them. printed "
        "is Algorithm 1 as it was published, which looks one pair ahead and falls out of step on repeated "
        "sentences.",
        source=JO,
    ),
    Definition(
        "tolerated",
        "Differences between the texts that did not stop the comparison",
        "Gold and system may not have the same characters: quotes are written otherwise, a character is missing, a sentence "
        "is left out. Such texts are aligned and scored all the same, and what had to be tolerated is listed below the "
        "table: notations that were made equal, and characters that only one side has.",
        worked="Gold has an e-mail, the system an email: 1 character only in gold is tolerated, and the token is wrong.",
        aliases=("tolerate", "tolerance"),
    ),
    Definition(
        "ledger",
        "What had to be tolerated",
        "Per result: characters that are equal, rewritten (by which rule), in gold or in system alone; "
        "blocks by size; sentences and tokens in the same place that say something else; sentences in the same "
        "place that were refused, as less than a third of their text is shared; sentences in another order.",
    ),
    Definition(
        "signature",
        "Which number this is",
        "One line with everything that could move a score: version, mode, normalisations, exceptions, match, "
        "strategy, average, units. Scores with different signatures are different measurements.",
    ),
    Definition(
        "aligned-accuracy",
        "Share of the paired words that are right",
        "Correct over aligned: how good tags and trees are where the segmentation is right. A pair of words is "
        "what the metric words counts as correct.",
        "aligned_accuracy = correct / aligned",
        ZEMAN,
        aliases=("aligned", "accuracy"),
    ),
    Definition(
        "breakdown",
        "A score by label",
        '{breakdown("relation")|--per relation}, subtype, tag, xpos, feature, feature-value, label or frequency gives correct, gold and system of each '
        "label. Of relations correct asks for the head too. Frequency is how often the form of a token is in gold.",
        notes="Counts are summed over all units, whatever {average} says.",
    ),
    Definition(
        "edges",
        "How enhanced edges are matched",
        "once (the default) matches each edge with one other. all compares every edge of a word with every edge "
        "of its partner, as the UD tools do.",
        notes="An edge that cannot be read, or comes from outside the sentence, is wrong. Edges from empty nodes "
        "are left out, or made edges between words by {collapse_empty_nodes}.",
    ),
    Definition(
        "stage",
        "What a miss is charged to: failed parses, sentences, tokens, tags or structure",
        "evalign attribute charges every bracket or dependency that is missed or spurious to the first stage that "
        "failed for it, so that the stages add up to 100 - F1.",
        "points = 100 (missed + spurious) / (gold + system)",
        notes="With outputs for gold sentences, tokens or tags, differences between neighbouring runs are shown beside.",
    ),
    Definition(
        "spans",
        "Labelled stretches of a raw text, from a stand-off table",
        "A table has a line with start, end and label for each span, positions between the characters of the raw "
        "text. A span is right if the other table has it too, with the same label, each as often as both have it.",
        notes='{layer=NAME} gives the layer another name; {breakdown("label")|--per label} scores the labels one by one. White space at the '
        "ends of a span does not matter.",
    ),
    Definition(
        "weights",
        "What relations weigh in wlas",
        "A file of averaged word dependency entropies, made by evalign typology weights or by hand.",
        notes="Its name, a fingerprint and the version of UD it was made from are in the signature.",
    ),
)


# Terms of `evalign typology`, with the choices that their sources leave open.

PLANK = "Plank et al. 2015, Do dependency parsing metrics correlate with human judgments?, CoNLL 2015"
SCOTT = "Scott, WordSmith Tools (standardised type/token ratio)"

TYPOLOGY_TERMS = (
    Definition(
        "relation-classes",
        "Content, function and other relations",
        "A function relation links a word with a function word; a content relation links content words, or hangs "
        "on the root; others are neither. Labels are cut at the first colon.",
        source=f"{CALLIN}, Table 2",
        notes="The paper has labels of UD version 1. For version 2 dobj is obj, remnant is orphan, mwe is fixed, name "
        "and foreign are flat; obl, once nmod, is content; clf is function; neg is gone. {relations=auto} takes the "
        "version of whose own labels there are more words, and the signature says which; v1 or v2 asks for one.",
    ),
    Definition(
        "relation-shares",
        "Shares of content and function relations",
        "How many of a treebank's relations are content, and how many function relations.",
        "share = relations of the class / all relations",
        f"{CALLIN}, Figure 3 and Table 3 (C freq, F freq)",
        "The paper does not say what they are shares of. {share_of=all} counts every relation, punct too, under "
        "which the paper's correlation of the two comes out; no-punct leaves punct out; classes takes the two "
        "classes alone. A word without a relation is not counted.",
    ),
    Definition(
        "wde",
        "Word dependency entropy",
        "How evenly the words of a relation spread over word forms: 0 where it always has the same word, 1 where "
        "all words of the vocabulary are equally frequent. Function relations have little, content relations much.",
        "WDE(r, t) = H(p(w | r, t)) / log n; n distinct forms",
        f"{CALLIN}, section 4.2",
        "The paper leaves open what a word is and whose vocabulary n counts. {case=keep} tells forms apart that "
        "differ in case, lower does not; punctuation is in the vocabulary. {vocabulary=treebank} counts the forms "
        "of the treebank; relation those of the relation, which mixes the classes. Where n is 1, WDE is 0.",
    ),
    Definition(
        "averaged-wde",
        "Word dependency entropy over treebanks",
        "The mean of a relation's WDE over all treebanks. A treebank without the relation counts 0.5: neither "
        "function nor content. It is what a word weighs in wlas.",
        "averaged WDE(r, T) = sum of WDE(r, t) over t in T / treebanks",
        f"{CALLIN}, section 4.2 and Figure 2",
        "{missing=X} counts another value than 0.5. evalign typology weights writes it to a file for "
        "{evalign.score(weights=FILE)|evalign score --weights}.",
    ),
    Definition(
        "sttr",
        "Standardized type/token ratio",
        "Distinct forms per word, in chunks of 1,000 words, averaged. The higher, the more forms a language has for "
        "its words.",
        "sttr = mean over chunks of distinct forms / words",
        f"{CALLIN}, section 4.3; {SCOTT}",
        "The paper leaves open what a word is and what becomes of the last chunk. Chunks run over syntactic words, "
        "across sentences. {chunk=N} asks for another size; {last_chunk=drop} leaves out a last chunk that is not "
        "full, keep counts it; {sttr_without=upos} leaves out words whose UPOS is PUNCT, relation those whose "
        "relation is punct, nothing none; {case} as in wde. Less than a chunk has no STTR.",
    ),
    Definition(
        "nonprojective",
        "Trees with an arc over a word that is not under its head",
        "An arc is non-projective if a word between head and dependent is not under the head; a tree is, if one of "
        "its arcs is.",
        "share = non-projective trees / trees",
        f"{CALLIN}, section 3 and Table 1",
        "A sentence in which a word has no head, or a head beyond the sentence or on a cycle, is no tree. The paper's "
        "ratios could not be had from its treebanks under any definition tried.",
    ),
    Definition(
        "selection",
        "Which treebanks to compare",
        "Treebanks that have features, at least 30,000 tokens and less than 25 % non-projective trees; of several of "
        "one language the one corrected by hand, else the largest.",
        source=f"{CALLIN}, section 3",
        notes="Each is an option of evalign typology select. A multiword token is one token. "
        "The language is what a treebank's name begins with, unless {languages=|--language} says otherwise; {prefer} names those "
        "corrected by hand, which no file says of itself.",
    ),
    Definition(
        "cascades",
        "Errors that come from other errors",
        "Of the words that are attached wrongly, by class of their gold relation: how many have a head, in the "
        "system's tree, that is itself attached rightly; labelled or unlabelled, both in the same sense.",
        "share = words with a head attached rightly / words attached wrongly",
        f"{CALLIN}, Table 5",
        "The lower, the more cascades. Words are those that both sides have. The paper does not say what the root is "
        "as a head: {root_heads=wrong} counts it as not attached rightly, right as attached rightly, left-out leaves "
        "such words out. A head that gold does not have is not attached rightly.",
    ),
    Definition(
        "cumulative-variance",
        "Variance over the best n treebanks",
        "Treebanks are ordered by a score, best first, for each score anew; the variance is taken over the first n, "
        "n from 1 up.",
        "variance = sum of (score - mean)^2 / n",
        f"{CALLIN}, Figure 5",
        "The paper does not say which variance. {variance=population} divides by n, sample by n - 1, which leaves "
        "one treebank without.",
    ),
    Definition(
        "correlation",
        "Measures that rise and fall together over treebanks",
        "Pearson's r between each two of WLAS, LAS, content and function precision and recall, shares of relations "
        "and STTR, over the treebanks that have both.",
        source=f"{CALLIN}, Table 3",
        notes="Undefined for fewer than two treebanks, or where a measure does not vary.",
    ),
    Definition(
        "agreement",
        "Agreement with human judgements",
        "People saw what two systems made of a sentence and preferred one. Spearman's rho is taken of the preference "
        "and of the difference between the scores of that sentence.",
        "rho = Pearson's r of ranks; equal values share their mean rank",
        f"{CALLIN}, Table 4; {PLANK}",
        "A sentence on which a system has no score, as content precision where it has no content relation, is left "
        "out for that score. Undefined where all preferences or all differences are the same.",
    ),
)


# Terms of `evalign bitext`, with the published numbers that they differ from.

BUCC = (
    "Zweigenbaum et al. 2018, A Multilingual Dataset for Evaluating Parallel Sentence Extraction from Comparable "
    "Corpora, LREC 2018"
)
BUCC_2017 = "Zweigenbaum et al. 2017, Overview of the Second BUCC Shared Task, BUCC 2017"
MARGIN = "Artetxe and Schwenk 2019, Margin-based Parallel Corpus Mining with Multilingual Sentence Embeddings, ACL 2019"
MTEB = "Muennighoff et al. 2023, MTEB: Massive Text Embedding Benchmark, EACL 2023"
IBM = "Brown et al. 1993, The Mathematics of Statistical Machine Translation"

BITEXT_TERMS = (
    Definition(
        "pairs",
        "Extracted pairs of sentences",
        "A pair of ids is right if gold has it. Pairs are sets: a pair that a file says twice counts once, and is reported. "
        "A sentence may be in several pairs.",
        PRF,
        f"{BUCC}; {BUCC_2017}",
        'The official scorer of the BUCC shared tasks is not public; this is its description. MTEB\'s "BUCC" is '
        "another number: the nearest neighbour of every gold sentence, without a threshold, and F1 weighted by class. "
        "LASER's figures leave out repeated sentences. What is resampled is a foreign id with all its pairs.",
    ),
    Definition(
        "pairs-trained",
        "Pairs above the threshold that is best on the training split",
        "Of each system, the pairs whose score is at least the threshold of the best F1 on the pairs given as {training}. "
        "Of thresholds that are equally good, the highest.",
        PRF,
        BUCC_2017,
        "This is what a participant of a shared task can have; pairs-oracle is not.",
    ),
    Definition(
        "pairs-oracle",
        "Pairs above the threshold that is best on the gold itself",
        "The best F1 that some threshold gives on the pairs that are scored. It is a bound: nobody knows that threshold "
        "before having seen gold.",
        PRF,
        BUCC_2017,
        "Its interval does not know that the threshold was chosen on the same data, and lies too high.",
    ),
    Definition(
        "average-precision",
        "Precision averaged over gold pairs",
        "The precision at the score of every gold pair, averaged over all gold pairs; a pair that is not found has 0. "
        "Pairs of equal score come together.",
        "AP = sum over thresholds of (recall gained) * precision",
        MTEB,
        "It is no ratio of sums over units, so it has no interval.",
    ),
    Definition(
        "recall-at-k",
        "Gold pairs among the best candidates",
        "How many gold pairs are among the k candidates of their first sentence that score best. The rank of a pair is the "
        "number of candidates that score as much or more, so that equal scores gain nothing.",
        "recall = gold pairs of rank k or better / gold pairs",
        MARGIN,
        "{recall_at=[1, 5, 10]|--recall-at 1,5,10} of evalign bitext score; the metrics are called recall-at-1 and so on.",
    ),
    Definition(
        "planting",
        "Hiding translations in corpora of two languages",
        "Each sentence of a known pair is put behind a sentence of its language that resembles its beginning, found by a search "
        "engine; the pair is gold. Documents that are linked between the languages are kept on one side only.",
        source=f"{BUCC}, section 2",
        notes="evalign bitext build does it; pairs that were parallel before are not gold, and count as false.",
    ),
    Definition(
        "detectability",
        "How well planted sentences can be told from the others by their form, and by their context",
        "Two logistic regressions, cross-validated on as many planted as native sentences: one on lengths, marks, capitals and "
        "digits; one on the share of first words and of content words that stand in the sentence before, and on the ratio of "
        "lengths. The area under the ROC curve is 0.5 where form or context gives nothing away.",
        source=f"{BUCC}, sections 2.2.2 and 2.2.3",
        notes="The paper says what was done so that planted sentences do not stand out; this check of it is evalign's.",
    ),
    Definition(
        "comparability",
        "How near the parallel documents are to the corpus they are planted in",
        "The cosine of keyword vectors of each document of the pairs and the nearest of all documents of the corpus, by their "
        "whole texts; the interdecile range of these.",
        source=f"{BUCC}, section 2.2.1; Sharoff 2013, Measuring the distance between comparable corpora between languages",
    ),
    Definition(
        "margin",
        "How much nearer two sentences are than their neighbours",
        "The cosine of two sentence vectors over the mean cosine of their k nearest neighbours in the other language.",
        "margin(x, y) = cos(x, y) / (sum of cos(x, z) / 2k + sum of cos(y, z) / 2k)",
        MARGIN,
        '{evalign.mine_pairs(method="embeddings")|evalign bitext mine --method embeddings}; k is 4.',
    ),
    Definition(
        "lexicon",
        "Which words translate which",
        "Probabilities of IBM model 1 in both directions, found in a file of translations; the lexical baseline covers a sentence "
        "with the translations of another by them.",
        source=IBM,
        notes='{evalign.mine_pairs(method="lexical")|evalign bitext mine --method lexical}.',
    ),
)
