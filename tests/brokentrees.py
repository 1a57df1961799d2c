"""Careless files of bracketed trees: broken, commented, several on a line, with every kind of line end."""

import random
from typing import NamedTuple

from hypothesis import strategies as st

WORDS = ["the", "cat", "sat", "-LRB-", "\\(", "#", "é", "字", "0.5", "$"]
LABELS = ["S", "NP", "VP", "S", "FRAG", "#", ""]
COMMENTS = ["# a comment", "# end (x y)", "#", "# (", "# )", "  # (S (NN a))", "#(S (NN b))", "# 7 (S (NP"]
ODD = ["(())", "()", "(X)", "( ( ) )", ")", "text", "-3.2", "(S a (NN b))", "(S (NP a b))", "(NN", "x (y"]


class Habits(NamedTuple):
    """How often a file has each kind of oddity, as probabilities."""

    broken: float
    comments: float
    blanks: float
    joined: float
    spread: float
    first_column: float
    odd: float


def draw_habits(rng: random.Random) -> Habits:
    return Habits(*(rng.choice([0.0, 0.0, 0.05, 0.3]) for _ in Habits._fields))


def write_tree(rng: random.Random, habits: Habits) -> str:
    """Return a tree, on one line or several; now and then it has too few or too many brackets."""

    def gap() -> str:
        if rng.random() >= habits.spread:
            return " "
        return "\n" if rng.random() < habits.first_column else "\n  "

    def grow(depth: int) -> str:
        if depth > 3 or rng.random() < 0.4:
            loose = " " if rng.random() < habits.odd / 5 else ""
            return f"({rng.choice(['NN', 'DT', '#', '-NONE-'])} {rng.choice(WORDS)}{loose})"
        inner = gap().join(grow(depth + 1) for _ in range(rng.randint(1, 3)))
        return f"({rng.choice(LABELS)} {inner})"

    tree = (
        f"({rng.choice(['S', 'S', 'S', 'FRAG', ''])} {gap().join(grow(1) for _ in range(rng.randint(1, 3)))})"
    )
    if rng.random() < habits.broken:
        tree = rng.choice([tree[:-1], tree[:-2], tree + ")", tree + "))", tree.replace(")", "", 1)])
    return tree


def write_file(rng: random.Random, habits: Habits, size: int) -> str:
    """Return a file of about `size` trees."""
    lines = []
    for _ in range(size):
        line = write_tree(rng, habits)
        while rng.random() < habits.joined:
            line += rng.choice([" ", "", "  "]) + write_tree(rng, habits)
        if rng.random() < habits.odd:
            odd = rng.choice(ODD)
            line = rng.choice([odd, f"{odd} {line}", f"{line} {odd}", f"{odd}\n{line}"])
        if rng.random() < habits.comments:
            comment = rng.choice(COMMENTS)
            line = rng.choice(
                [f"{comment}\n{line}", f"{line} {comment}", line.replace("\n", f"\n{comment}\n", 1)]
            )
        lines.append(line)
        lines += [rng.choice(["", "", " ", "\t"])] * (rng.random() < habits.blanks)
    if rng.random() < habits.blanks / 2:
        lines = [x for line in lines if line.strip() for x in (line, "")]
    end = rng.choice(["\n", "\n", "\r\n", "\r"])
    return "\n".join(lines).replace("\n", end) + rng.choice(["", end, end * 3])


def write_pair(seed: int) -> tuple[str, str]:
    """Return gold and a system: the same trees, slightly changed trees, or other trees."""
    rng = random.Random(seed)
    size = rng.choice([1, 3, 10, 40])
    gold, kind = write_file(rng, draw_habits(rng), size), rng.random()
    if kind < 0.4:
        lines = gold.splitlines(keepends=True)
        for _ in range(rng.randint(0, 3)):
            where = rng.randrange(len(lines))
            lines[where] = rng.choice(
                [lines[where].replace(")", "", 1), ")" + lines[where], lines[where].replace("NP", "VP"), "\n"]
            )
        return gold, "".join(lines)
    return gold, write_file(rng, draw_habits(rng), size)


def broken_pairs():
    """Draw gold and a system."""
    return st.integers(0, 1 << 32).map(write_pair)
