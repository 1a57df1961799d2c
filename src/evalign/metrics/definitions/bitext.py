"""What the terms of `evalign bitext` mean, and which published numbers they are not: what `evalign explain NAME` says."""

from __future__ import annotations

from evalign.metrics.definitions.entry import PRF, Definition

BUCC = (
    "Zweigenbaum et al. 2018, A Multilingual Dataset for Evaluating Parallel Sentence Extraction from Comparable "
    "Corpora, LREC 2018"
)
BUCC_2017 = "Zweigenbaum et al. 2017, Overview of the Second BUCC Shared Task, BUCC 2017"
MARGIN = "Artetxe and Schwenk 2019, Margin-based Parallel Corpus Mining with Multilingual Sentence Embeddings, ACL 2019"
MTEB = "Muennighoff et al. 2023, MTEB: Massive Text Embedding Benchmark, EACL 2023"
IBM = "Brown et al. 1993, The Mathematics of Statistical Machine Translation"

BITEXT = (
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
        "Of each system, the pairs whose score is at least the threshold of the best F1 on the pairs given as --training. "
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
        "--recall-at 1,5,10 of evalign bitext score; the metrics are called recall-at-1 and so on.",
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
        "How well planted sentences can be told from the others by their form",
        "A logistic regression on lengths, marks, capitals and digits, cross-validated on as many planted as native sentences. "
        "Its area under the ROC curve is 0.5 where form gives nothing away.",
        source=f"{BUCC}, section 2.2.3",
        notes="The paper says what was done so that planted sentences do not stand out; this check of it is evalign's.",
    ),
    Definition(
        "comparability",
        "How near the parallel documents are to the corpus they are planted in",
        "The cosine of keyword vectors of each document of the pairs and the nearest document of the corpus; the interdecile "
        "range of these.",
        source=f"{BUCC}, section 2.2.1; Sharoff 2013, Measuring the distance between comparable corpora between languages",
    ),
    Definition(
        "margin",
        "How much nearer two sentences are than their neighbours",
        "The cosine of two sentence vectors over the mean cosine of their k nearest neighbours in the other language.",
        "margin(x, y) = cos(x, y) / (sum of cos(x, z) / 2k + sum of cos(y, z) / 2k)",
        MARGIN,
        "evalign bitext mine --method embeddings; k is 4.",
    ),
    Definition(
        "lexicon",
        "Which words translate which",
        "Probabilities of IBM model 1 in both directions, found in a file of translations; the lexical baseline covers a sentence "
        "with the translations of another by them.",
        source=IBM,
        notes="evalign bitext mine --method lexical.",
    ),
)
