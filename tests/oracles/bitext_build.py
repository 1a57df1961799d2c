"""The promises of a built data set, checked line by line without evalign.

The folder has the files `PAIR.SPLIT.LANG`, `PAIR.SPLIT.gold` and `provenance.tsv`. Limits of sentence length
are given by language, in words or in characters.
"""

import re
from collections import Counter
from typing import NamedTuple

SPLITS = ("sample", "training", "test")


class Limits(NamedTuple):
    shortest: int = 10
    longest: int = 20
    in_words: bool = True


def length(text, limits):
    if limits.in_words:
        return sum(any(c.isalnum() for c in word) for word in text.split())
    return sum(not c.isspace() for c in text)


def read(path):
    return [tuple(line.split("\t")) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]


def bare(text):
    """Return the case-folded letters and digits of `text`, with one zero for each run of ASCII digits."""
    text = "".join(character for character in text.casefold() if character.isalnum())
    return re.sub("[0-9]+", "0", text)


def is_paired(text):
    """Return whether every bracket has its partner and the number of double quotes is even."""
    opened = []
    for character in text:
        if character in "([{（《【":
            opened.append(")]}）》】"["([{（《【".index(character)])
        elif character in ")]}）》】" and (not opened or opened.pop() != character):
            return False
    return not opened and text.count('"') % 2 == 0


def check_folder(
    folder, pair, linked=(), limits=None, *, apart="data set", ratios=(0.8, 1.2), splits=SPLITS, filtered=True
):
    """Assert every promise for `folder`; return the number of gold pairs by split.

    `linked` lists pairs of linked documents. `apart` says where both documents of such a pair must not occur:
    in the whole "data set", or else in the same split. `filtered` says whether the build left out sentences
    copied from the other language and sentences with unpaired marks.
    """
    limits = limits or {}
    first, second = pair.split("-")
    splits = [split for split in splits if (folder / f"{pair}.{split}.{first}").exists()]
    origins = {row[0]: row for row in read(folder / "provenance.tsv")[1:]}
    sentences = {}
    homes = {}
    for language in (first, second):
        numbers, texts = [], []
        for split in splits:
            for id, text in read(folder / f"{pair}.{split}.{language}"):
                assert re.fullmatch(rf"{language}-[0-9]{{9}}", id)
                bound = limits.get(language, Limits())
                assert bound.shortest <= length(text, bound) <= bound.longest, text
                assert origins[id][1] == split
                homes.setdefault((language, origins[id][3]), set()).add(split)
                numbers.append(int(id[-9:]))
                texts.append(text)
                sentences[id] = (split, text)
        assert numbers == list(range(1, len(numbers) + 1))
        assert max(Counter(texts).values(), default=0) <= 1, Counter(texts).most_common(1)
    assert set(origins) == set(sentences)
    assert all(len(home) == 1 for home in homes.values()), "a document in two splits"
    for one, two in linked:
        here, there = homes.get((first, one), set()), homes.get((second, two), set())
        assert not (here and there) if apart == "data set" else not here & there, (one, two)
    if filtered:
        assert all(is_paired(text) for _, text in sentences.values())
        for split in splits:
            sides = [
                {
                    bare(text)
                    for id, (where, text) in sentences.items()
                    if where == split and id[:-10] == language
                }
                for language in (first, second)
            ]
            assert not sides[0] & sides[1], "a sentence on both sides"
    counts = {}
    in_gold = Counter()
    for split in splits:
        gold = read(folder / f"{pair}.{split}.gold")
        assert gold == sorted(gold)
        for one, two in gold:
            assert sentences[one][0] == sentences[two][0] == split
            assert (origins[one][7], origins[two][7]) == (two, one)
            assert origins[one][5] == origins[two][5], "two sentences of different pairs"
            in_gold.update((one, two))
        counts[split] = len(gold)
    assert max(in_gold.values(), default=1) == 1
    assert set(in_gold) == {id for id, row in origins.items() if row[2] == "planted"}
    for id in in_gold:
        row = origins[id]
        assert int(row[8][-9:]) == int(id[-9:]) - 1
        assert origins[row[8]][2] == "native"
        assert origins[row[8]][3] == row[3]
        bound = limits.get(id[:-10], Limits())
        ratio = length(sentences[id][1], bound) / length(sentences[row[8]][1], bound)
        assert ratios[0] <= ratio <= ratios[1], (id, ratio)
    return counts
