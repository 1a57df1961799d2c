"""Files of pairs, as text."""

from __future__ import annotations

from evalign import Text


def id_of(language, number):
    """Return the id of a sentence."""
    return f"{language}-{number:09d}"


def pair_lines(pairs, languages=("fr", "en")):
    """Return one line for each pair of numbers, with its score if it has one."""
    first, second = languages
    return "".join(
        "\t".join([id_of(first, pair[0]), id_of(second, pair[1]), *(repr(score) for score in pair[2:])])
        + "\n"
        for pair in pairs
    )


def pair_file(pairs, name="system.tsv", languages=("fr", "en")):
    """Return the lines of pairs as a source."""
    return Text(pair_lines(pairs, languages), name=name)
