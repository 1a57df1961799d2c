"""Invented texts, a system's distorted copy of them, and both written in every format that is streamed."""

import random

from hypothesis import note, strategies as st

WORDS = [
    "the",
    "cat",
    "sat",
    "on",
    "a",
    "mat",
    "and",
    "Then",
    "dogs",
    "ran",
    "far",
    "away",
    "Été",
    "naïve",
    "coöperation",
    "1,234",
    "e-mail",
]
TAGS = ("NOUN", "VERB", "ADP", "_")
RELATIONS = ("nsubj", "obj", "case", "root", "punct")


def invent(rng, size):
    """Return sentences, some of which are repeated."""
    sentences = []
    for _ in range(size):
        if sentences and rng.random() < 0.15:
            sentences.append(rng.choice(sentences))
        else:
            sentences.append([*rng.choices(WORDS, k=rng.randint(1, 14)), "."])
    return sentences


def distort(rng, sentences, rate):
    """Return a system's copy of `sentences`.

    Characters are changed, tokens and sentences are joined and split, and some are lost, added or moved.
    """
    distorted = []
    for sentence in sentences:
        tokens = []
        for token in sentence:
            draw = rng.random()
            if draw < rate / 4:
                continue
            if draw < rate / 2:
                token = rng.choice([token.upper(), token + "x", token[1:] or "y", token + token])
            if tokens and draw > 1 - rate / 2:
                tokens[-1] += token
            else:
                tokens.append(token)
        if rng.random() < rate / 3:
            continue
        if rng.random() < rate / 3:
            distorted += invent(rng, rng.randint(1, 4))
        if distorted and rng.random() < rate / 2:
            distorted[-1] = distorted[-1] + tokens
        elif tokens:
            distorted.append(tokens)
    return [sentence for sentence in distorted if sentence] or [["x"]]


def resegment(rng, sentences, rate):
    """Return the same characters in other tokens and sentences."""
    altered = []
    for sentence in sentences:
        tokens = []
        for token in sentence:
            draw = rng.random()
            if tokens and draw < rate / 2:
                tokens[-1] += token
            elif len(token) > 1 and draw < rate:
                tokens += [token[:1], token[1:]]
            else:
                tokens.append(token)
        if altered and rng.random() < rate:
            altered[-1] = altered[-1] + tokens
        elif len(tokens) > 2 and rng.random() < rate:
            altered += [tokens[:2], tokens[2:]]
        else:
            altered.append(tokens)
    return altered


def write_plain(rng, sentences):
    """Write one sentence per line, with some paragraphs."""
    return "".join(" ".join(s) + ("\n\n" if rng.random() < 0.1 else "\n") for s in sentences)


def write_conllu(rng, sentences, documents=False, blank=()):
    """Write rows with tags, features, heads and graphs, multiword tokens, empty nodes, comments.

    Columns whose numbers are in `blank` are `_`.
    """
    lines = []
    for number, sentence in enumerate(sentences):
        if documents and rng.random() < 0.2:
            lines += [f"# newdoc id = d{number}", f"# genre = {rng.choice(['news', 'fiction'])}"]
        if rng.random() < 0.5:
            lines.append(f"# sent_id = s{number}")
        if rng.random() < 0.1:
            lines.append("# speaker = A")
        word = 0
        size = len(sentence)
        for place, token in enumerate(sentence):
            forms = [token]
            # More often at the start of a sentence: such words may pair with words before the boundary.
            if len(token) > 1 and rng.random() < (0.1 if place else 0.3):
                forms = rng.choice([[token[:1], token[1:]], [rng.choice(WORDS)], [rng.choice(WORDS), "."]])
                lines.append(f"{word + 1}-{word + len(forms)}\t{token}" + "\t_" * 8)
            for form in forms:
                word += 1
                head = rng.choice([0, *range(1, size + 1)])
                relation = rng.choice(RELATIONS)
                feats = rng.choice(["_", "Number=Sing", "Case=Nom|Number=Plur"])
                tag = rng.choice(TAGS)
                columns = [word, form, form.lower(), tag, rng.choice(["NN", "_"]), feats, head, relation]
                columns += [f"{head}:{relation}", "_"]
                lines.append("\t".join("_" if k in blank else str(cell) for k, cell in enumerate(columns)))
            if rng.random() < 0.02:
                lines.append(f"{word}.1\t_\t_\t_\t_\t_\t_\t_\t0:root\t_")
        lines.append("")
    return "\n".join(lines) + "\n"


def write_trees(rng, sentences):
    """Write one tree per sentence, some over several lines."""

    def build(tokens):
        if len(tokens) == 1:
            return f"({rng.choice(['NN', 'VB'])} {tokens[0]})"
        at = rng.randint(1, len(tokens) - 1)
        gap = "\n   " if rng.random() < 0.1 else " "
        return f"({rng.choice(['NP', 'VP', 'S'])} {build(tokens[:at])}{gap}{build(tokens[at:])})"

    return "".join(f"(ROOT {build(sentence)})\n" for sentence in sentences)


FORMATS = {"plain": write_plain, "conllu": write_conllu, "trees": write_trees}
# The columns of CoNLL-U that may be empty.
ANNOTATED = range(2, 9)
# How much of a piece differs from gold's.
RATES = (0, 0, 0, 0.02, 0.1, 0.4, 1)


def write_piece(rng, format, sentences, documents, blank):
    """Write a piece of a text, now and then with other labels and comments, and parses that failed."""
    text = FORMATS[format](rng, sentences, *((documents, blank) if format == "conllu" else ()))
    if rng.random() < 0.2:
        for usual, other in (("NOUN", "Noun"), ("nsubj", "Nsubj"), ("obj", "dobj")):
            text = text.replace(f"\t{usual}\t", f"\t{other}\t")
        comment = rng.choice(["# genre = letter", "# meta::speaker = B"])
        text = text.replace("# sent_id", f"{comment}\n# sent_id", rng.choice([1, -1]))
        text += rng.choice(["(())\n", "(S (NN a b))\n", ")\n"]) if format == "trees" else ""
    return text


def write_pieces(seed, formats, rates, most=4):
    """Write gold and the output of systems in pieces, of which each may lack what others have.

    These are documents, annotation in a column, and characters that differ from gold's: at the rate of the
    piece, of which 1 stands for another text. Sentences that a system lacks in a piece may be in its next.
    """
    rng = random.Random(seed)
    always = [rng.sample(ANNOTATED, rng.choice([0, 0, 0, 2])) for _ in formats]
    sides, moved, n_shared = [""] * len(formats), [[] for _ in formats], rng.choice([0, 1, 3])
    for rate in rates:
        gold, has_documents = invent(rng, rng.randint(1, most)), rng.random() < 0.3
        # Without text that all sides share there are few cuts.
        shared = invent_words(rng, n_shared)
        for side, format in enumerate(formats):
            own = gold
            if side:
                if rng.random() < 0.7:
                    own = invent(rng, 12) if rate == 1 else distort(rng, gold, rate)
                own = moved[side] + resegment(rng, own, rng.choice([0, 0.1]))
                start = rate > 0 and len(own) > 1 and rng.random() < 0.3
                own, moved[side] = own[start:], own[:start]
            blank = (*always[side], *rng.sample(ANNOTATED, rng.choice([0, 0, 0, 3])))
            sides[side] += write_piece(rng, format, own + shared, has_documents, blank)
    return tuple(sides)


@st.composite
def texts(draw, families=("plain", "conllu", "conllu", "conllu", "trees", "mixed"), rates=RATES):
    """Draw gold and the output of one or two systems."""
    family, n_sides = draw(st.sampled_from(families)), draw(st.integers(2, 3))
    any_format = st.sampled_from([*FORMATS])
    formats = [draw(any_format) if family == "mixed" else family for _ in range(n_sides)]
    rates = draw(st.lists(st.sampled_from(rates), min_size=1, max_size=4))
    seed = draw(st.integers(0, 1 << 30))
    note(f"write_pieces({seed}, {formats}, {rates})")
    return write_pieces(seed, formats, rates)


# Texts whose sentences resemble each other.
FORMS = (
    lambda k: f"Station {k + 1} measured {k * 37 % 29} degrees at noon .",
    lambda k: f"Train {k} leaves the harbour at {k * 7} in the morning .",
    lambda k: f"§ {k + 1} Whoever acts against section {k * 7 % 90 + 1} pays up to {k % 5 + 1} crowns .",
    lambda k: f"[ {k % 24:02}:{k * 13 % 60:02} ] job {k * 7919 % 100_000} ended after {k * 37 % 900} ms",
)


def fill_in(form, numbers):
    """Return a sentence of a form for each number."""
    return [form(number).split() for number in numbers]


def invent_words(rng, size, letters="abcdefghijklmnopqrstuvwxyz"):
    """Return sentences of random words, of which hardly one is repeated."""
    words = [["".join(rng.choices(letters, k=rng.randint(2, 8))) for _ in range(8)] for _ in range(size)]
    return [[*sentence, "."] for sentence in words]


def replace_letters(rng, sentences, rate):
    """Return sentences with this share of their letters replaced."""
    return [
        [
            "".join(rng.choice("etaoin") if c.isalpha() and rng.random() < rate else c for c in token)
            for token in tokens
        ]
        for tokens in sentences
    ]


def mix(rng, pieces=4):
    """Return a text and a system's copy of it, of forms and of invented words.

    Each piece of the copy lacks some sentences, has some twice, has letters replaced, or a tag behind each token.
    """
    gold, system = [], []
    for _ in range(pieces):
        if rng.random() < 0.5:
            start = rng.randrange(500)
            piece = fill_in(rng.choice(FORMS), range(start, start + rng.randint(20, 120)))
        else:
            piece = invent_words(rng, rng.randint(20, 120))
        copy = list(piece)
        place, size, draw = rng.randrange(len(copy) - 9), rng.choice([1, 3, 8]), rng.random()
        if draw < 0.35:
            del copy[place : place + size]
        elif draw < 0.6:
            copy[place:place] = copy[place : place + size]
        elif draw < 0.9:
            copy = replace_letters(rng, copy, rng.choice([0.01, 0.05, 0.1, 0.3]))
        else:
            copy = [[f"{token}_NOUNX" for token in sentence] for sentence in copy]
        gold += piece
        system += copy
    return gold, system
