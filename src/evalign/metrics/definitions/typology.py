"""What the terms of `evalign typology` mean, and which choices they leave open: what `evalign explain NAME` says."""

from __future__ import annotations

from evalign.metrics.definitions.entry import CALLIN, Definition

PLANK = "Plank et al. 2015, Do dependency parsing metrics correlate with human judgments?, CoNLL 2015"
SCOTT = "Scott, WordSmith Tools (standardised type/token ratio)"

TYPOLOGY = (
    Definition(
        "relation-classes",
        "Content, function and other relations",
        "A function relation links a word with a function word; a content relation links content words, or hangs "
        "on the root; others are neither. Labels are cut at the first colon.",
        source=f"{CALLIN}, Table 2",
        notes="The paper has labels of UD version 1. For version 2 dobj is obj, remnant is orphan, mwe is fixed, name "
        "and foreign are flat; obl, once nmod, is content; clf is function; neg is gone. --relations auto takes the "
        "version of whose own labels there are more words, and the signature says which; v1 or v2 asks for one.",
    ),
    Definition(
        "relation-shares",
        "Shares of content and function relations",
        "How many of a treebank's relations are content, and how many function relations.",
        "share = relations of the class / all relations",
        f"{CALLIN}, Figure 3 and Table 3 (C freq, F freq)",
        "The paper does not say what they are shares of. --share-of all counts every relation, punct too, under "
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
        "The paper leaves open what a word is and whose vocabulary n counts. --case keep tells forms apart that "
        "differ in case, lower does not; punctuation is in the vocabulary. --vocabulary treebank counts the forms "
        "of the treebank; relation those of the relation, which mixes the classes. Where n is 1, WDE is 0.",
    ),
    Definition(
        "averaged-wde",
        "Word dependency entropy over treebanks",
        "The mean of a relation's WDE over all treebanks. A treebank that has not the relation counts 0.5: neither "
        "function nor content. It is what a word weighs in wlas.",
        "averaged WDE(r, T) = sum of WDE(r, t) over t in T / treebanks",
        f"{CALLIN}, section 4.2 and Figure 2",
        "--missing X counts another value than 0.5. evalign typology weights writes it to a file for evalign score "
        "--weights.",
    ),
    Definition(
        "sttr",
        "Standardized type/token ratio",
        "Distinct forms per word, in chunks of 1,000 words, averaged. The higher, the more forms a language has for "
        "its words.",
        "sttr = mean over chunks of distinct forms / words",
        f"{CALLIN}, section 4.3; {SCOTT}",
        "The paper leaves open what a word is and what becomes of the last chunk. Chunks run over syntactic words, "
        "across sentences. --chunk N asks for another size; --last-chunk drop leaves out a last chunk that is not "
        "full, keep counts it; --sttr-without upos leaves out words whose UPOS is PUNCT, relation those whose "
        "relation is punct, nothing none; --case as in wde. Less than a chunk has no STTR.",
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
        "The language is what a treebank's name begins with, unless --language says otherwise; --prefer names those "
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
        "as a head: --root-heads wrong counts it as not attached rightly, right as attached rightly, left-out leaves "
        "such words out. A head that gold has not is not attached rightly.",
    ),
    Definition(
        "cumulative-variance",
        "Variance over the best n treebanks",
        "Treebanks are ordered by a score, best first, for each score anew; the variance is taken over the first n, "
        "n from 1 up.",
        "variance = sum of (score - mean)^2 / n",
        f"{CALLIN}, Figure 5",
        "The paper does not say which variance. --variance population divides by n, sample by n - 1, which leaves "
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
