"""Seeded text to measure on: CoNLL-U or plain text of any size, and a system's wrong or noisy copy of it.

    python -m bench.corpora FOLDER conllu|plain|noisy WORDS

This writes WORDS.gold.KIND and WORDS.system.KIND. It is a process of its own, because the peak memory of a
child process includes what its parent held when the child was started.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

LETTERS = "etaoinshrdlucmfwypvbgkjqxz"


def vocabulary(rng: random.Random, size: int = 20_000) -> tuple[list[str], list[float]]:
    """Return invented words with Zipf's frequencies, some of them with letters beyond ASCII."""
    weights = [1 / (k + 1) for k in range(len(LETTERS))]
    words = ["".join(rng.choices(LETTERS, weights, k=rng.randint(1, 11))) for _ in range(size)]
    words[100::50] = [word + "é" for word in words[100::50]]
    return words, [1 / (k + 10) for k in range(size)]


def sentences(n_words: int, seed: int = 1) -> list[list[str]]:
    """Return sentences of about twelve words with a full stop, `n_words` words in all."""
    rng = random.Random(seed)
    words, weights = vocabulary(rng)
    drawn = rng.choices(words, weights, k=n_words)
    rows, at = [], 0
    while at < n_words:
        size = min(rng.randint(3, 21), n_words - at)
        rows.append([drawn[at].capitalize(), *drawn[at + 1 : at + size - 1], "."][: max(size, 1)])
        at += size
    return rows


def write_conllu(path: Path, rows: list[list[str]]) -> None:
    """Write CoNLL-U with as many columns filled as is usual, so that its size is realistic.

    About every thirtieth word becomes a multiword token of two words.
    """
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for number, sentence in enumerate(rows):
            if number % 40 == 0:
                out.write(f"# newdoc id = document-{number // 40:06d}\n")
            out.write(
                f"# sent_id = document-{number // 40:06d}-{number:08d}\n# text = {' '.join(sentence)}\n"
            )
            word = 0
            for k, form in enumerate(sentence):
                if (number + k) % 30 == 0 and len(form) > 3:
                    out.write(f"{word + 1}-{word + 2}\t{form}\t_\t_\t_\t_\t_\t_\t_\t_\n")
                    forms = [form[:2], form[2:]]
                else:
                    forms = [form]
                for part in forms:
                    word += 1
                    head = word - 1
                    out.write(
                        f"{word}\t{part}\t{part.lower()}\tNOUN\tNN\tNumber=Sing|Case=Nom\t{head}\t"
                        f"{'root' if head == 0 else 'obj'}\t{head}:{'root' if head == 0 else 'obj'}\tSpaceAfter=No\n"
                    )
            out.write("\n")


def segment_otherwise(rows: list[list[str]], rate: float = 0.03, seed: int = 2) -> list[list[str]]:
    """Return the same characters with some tokens and some sentences split or joined."""
    rng = random.Random(seed)
    altered: list[list[str]] = []
    for sentence in rows:
        tokens: list[str] = []
        for token in sentence:
            if tokens and rng.random() < rate:
                tokens[-1] += token
            elif len(token) > 1 and rng.random() < rate:
                at = rng.randint(1, len(token) - 1)
                tokens += [token[:at], token[at:]]
            else:
                tokens.append(token)
        if altered and rng.random() < rate:
            altered[-1] += tokens
        elif len(tokens) > 3 and rng.random() < rate:
            at = rng.randint(1, len(tokens) - 1)
            altered += [tokens[:at], tokens[at:]]
        else:
            altered.append(tokens)
    return altered


def add_noise(rows: list[list[str]], rate: float = 0.01, seed: int = 3) -> list[list[str]]:
    """Return a copy in which characters are dropped, replaced or added, a third each."""
    rng = random.Random(seed)
    noisy = []
    for sentence in rows:
        tokens = []
        for token in sentence:
            if rng.random() < 1 - (1 - rate) ** len(token):
                at, kind = rng.randrange(len(token)), rng.randrange(3)
                new = "" if kind == 0 else rng.choice(LETTERS)
                token = token[:at] + new + token[at + (kind < 2) :]
            if token:
                tokens.append(token)
        if tokens:
            noisy.append(tokens)
    return noisy


def write_plain(path: Path, rows: list[list[str]]) -> None:
    """Write plain text, one sentence per line."""
    path.write_text("".join(" ".join(sentence) + "\n" for sentence in rows), encoding="utf-8", newline="\n")


def write_pair(folder: Path, kind: str, n_words: int) -> None:
    """Write gold and system of one kind and size."""
    rows = sentences(n_words)
    write = write_conllu if kind == "conllu" else write_plain
    write(folder / f"{n_words}.gold.{kind}", rows)
    write(
        folder / f"{n_words}.system.{kind}", add_noise(rows) if kind == "noisy" else segment_otherwise(rows)
    )


def write_treebanks(folder: Path, number: int, n_words: int) -> None:
    """Write folders of `number` treebanks; sizes grow evenly from 0.1 to 1.9 times `n_words`."""
    for side in ("gold", "system"):
        (folder / side).mkdir()
    for k in range(number):
        size = round(n_words * (0.1 + 1.8 * k / max(1, number - 1)))
        rows = sentences(size, seed=k + 1)
        # These names keep the large treebanks from being all at one end.
        name = f"{k * 7919 % 10_007:05d}.conllu"
        write_conllu(folder / "gold" / name, rows)
        write_conllu(folder / "system" / name, segment_otherwise(rows, seed=k + 2))


if __name__ == "__main__":
    write_pair(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
