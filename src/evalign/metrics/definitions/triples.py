"""Dependencies as triples: what the metric means."""

from __future__ import annotations

from evalign.metrics.definitions.entry import DRIDAN, PRF, Definition, Example

# One sentence for gold, two for the system: a dependency is where its words are, not in which sentence.
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
        "--match text also asks that dependent and head say the same. Not shown unless asked for.",
        Example(*_CALLS, {"correct": 2, "gold": 4, "system": 4}, {"f1": 0.5}, trees=True),
    ),
)
