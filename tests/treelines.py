"""Random pairs of lines with trees, and parameters for them.

Labels and words are few, so much is equal by chance.
"""

from hypothesis import strategies as st

from evalign.readers.evalb_parameters import Parameters

TAGS = [b"A", b"B", b"D", b"K", b"-NONE-", b"A-X", b""]
LABELS = [b"S", b"NP", b"NP-SBJ", b"VP=2", b"X", b"-NONE-", b"", b"A", b"A-X"]
WORDS = [b"a", b"b", b"'", b'"', b"/", b"a"]
NAMED = sorted({*TAGS, *LABELS} - {b""})


@st.composite
def trees(draw, words, depth=0):
    """Draw a tree over the words, or several in a row."""
    if len(words) == 1 and (depth > 4 or draw(st.booleans())):
        return b"(%s %s)" % (draw(st.sampled_from(TAGS)), words[0])
    if not words:
        return b"(%s)" % draw(st.sampled_from(LABELS))
    at = draw(st.integers(0, len(words))) if depth < 5 else 1
    parts = [part for part in (words[:at], words[at:]) if part]
    inside = draw(st.sampled_from([b"", b" "])).join(draw(trees(part, depth + 1)) for part in parts)
    return b"(%s%s%s)" % (draw(st.sampled_from(LABELS)), draw(st.sampled_from([b"", b" "])), inside)


@st.composite
def pairs(draw, damaged=False):
    """Draw two lines, mostly over the same words; damaged ones may be anything."""
    words = draw(st.lists(st.sampled_from(WORDS), max_size=6))
    gold = draw(trees(words))
    others = draw(st.sampled_from([words, words, words, words[1:], [*words, b"b"]]))
    test = draw(trees(others))
    if draw(st.booleans()):  # the same brackets, other tags
        test = gold.replace(b"(D ", b"(K ", draw(st.integers(0, 2))).replace(
            b"(A", b"(B", draw(st.integers(0, 1))
        )
    if damaged:
        gold, test = draw(damages(gold)), draw(damages(test))
    return gold, test


@st.composite
def damages(draw, line):
    at = draw(st.integers(0, len(line)))
    put = draw(st.sampled_from([b"", b"", b"(", b")", b" ", b"x", b"()", b"\0", b"( )"]))
    return line[:at] + put + line[at + draw(st.integers(0, 1)) :]


@st.composite
def parameters(draw):
    labels = st.sampled_from(NAMED)
    some = st.lists(labels, max_size=3).map(tuple)
    return Parameters(
        max_error=draw(st.sampled_from([10, 10, 0, -1, 2])),
        cutoff=draw(st.sampled_from([40, 3, 0])),
        labeled=draw(st.sampled_from([True, True, False])),
        delete_labels=draw(some),
        delete_for_length=draw(some),
        eq_labels=tuple(draw(st.lists(st.tuples(labels, labels), max_size=3))),
        eq_words=tuple(draw(st.lists(st.tuples(*[st.sampled_from(WORDS)] * 2), max_size=1))),
        quote_labels=draw(some),
    )
