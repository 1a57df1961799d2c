"""Terms that messages and documentation use."""

from __future__ import annotations

from evalign.layers.definitions.entry import JO, ZEMAN, Definition

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
    ),
    Definition(
        "match",
        "What makes two spans the same",
        "By default a sentence matches by place, a token or word by place and text. --match place asks for "
        "the place alone in every metric of spans, --match text for both.",
        notes="Results hold both counts (in_place, same_text); the signature says which is shown.",
    ),
    Definition(
        "normalize",
        "Notation made equal",
        "Where the lines differ, other notations of the same characters are rewritten per token: NFC, XML "
        "escapes, Penn Treebank brackets and quotes, the ellipsis. --normalize adds width, lower, accents "
        "or format, leaves one out (no-quotes), or all (none).",
        notes="Where the lines are equal nothing is rewritten.",
    ),
    Definition(
        "exceptions",
        "A list of tokens that stand for others",
        "Contractions such as ca and n't for can and not. The list makes texts comparable; tokens it "
        "rewrote are correct only with --credit-exceptions.",
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
        "ledger",
        "What had to be tolerated",
        "Per result: characters that are equal, rewritten (by which rule), in gold or in system alone; "
        "blocks by size; sentences and tokens in the same place that say something else.",
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
    ),
    Definition(
        "breakdown",
        "A score by label",
        "--per relation, subtype, tag, xpos, feature, feature-value, label or frequency gives correct, gold and system of each "
        "label. Of relations correct asks for the head too. Frequency is how often the form of a token is in gold.",
        notes="Counts are summed over all units, whatever --average says.",
    ),
    Definition(
        "edges",
        "How enhanced edges are matched",
        "once (the default) matches each edge with one other. all compares every edge of a word with every edge "
        "of its partner, as the UD tools do.",
        notes="An edge that cannot be read, or comes from outside the sentence, is wrong. Edges from empty nodes "
        "are left out, or made edges between words by --collapse-empty-nodes.",
    ),
    Definition(
        "stage",
        "What a miss is charged to: sentences, tokens, tags or structure",
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
        notes="--layer NAME gives the layer another name; --per label scores the labels one by one. White space at the "
        "ends of a span does not matter.",
    ),
    Definition(
        "weights",
        "What relations weigh in wlas",
        "A file of averaged word dependency entropies, made by evalign typology weights or by hand.",
        notes="Its name, a fingerprint and the version of UD it was made from are in the signature.",
    ),
)
