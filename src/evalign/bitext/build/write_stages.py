"""Sixth and seventh stage of a build: merge planted and native sentences, number them, write the files."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from evalign.bitext.build.rows import (
    NO_PAIR,
    PAIRS,
    PROGRESS_EVERY,
    MergedRow,
    Planted,
    SentenceRow,
    StageContext,
    documents_of,
    load_sizes,
    open_to_write,
    parse_merged,
    parse_planted,
    read_document_entries,
    read_link_rows,
    read_rows,
    read_sentences,
)
from evalign.bitext.dataset import GOLD, NATIVE, PLANTED, PROVENANCE_FILE, PROVENANCE_HEADER, SentenceOrigin
from evalign.bitext.inputs.source import clean_text
from evalign.bitext.pairs import LARGEST_ID, format_id
from evalign.bitext.sampling import draw
from evalign.engines.checkpoints import StageCounts
from evalign.errors import InputError
from evalign.progress import Step

# Sixth stage: planted sentences are merged with native ones so that they are not conspicuous (section 2.2.3).
#
# Documents of a split come in an order drawn by the seed, sentences of a document in their own order, and a
# planted sentence directly behind the native one that was found for it. The second stage has given native and
# planted text the same typography before anything was compared or searched, and left out what is too short or
# too long; this stage counts the sentences with changed typography. The last stage checks lengths and
# positions in the finished files.


def run_merge(work: StageContext) -> StageCounts:
    """Write the sentences of every split and language in their final order."""
    counts: StageCounts = {}
    for side, code in enumerate(work.config.codes):
        side_counts = dict.fromkeys(("native", "planted", "rewritten native", "rewritten planted"), 0)
        for number, split in enumerate(work.config.shares):
            with open_to_write(work.folder / f"{split}.{code}") as file:
                file.writelines(line.line() for line in _merge(work, side, number, side_counts))
        counts[code] = side_counts
    return counts


def read_planted(work: StageContext, split: str) -> list[Planted]:
    """Read all pairs that were planted in a split."""
    return [parse_planted(line) for line in read_rows(work.folder_of("plant") / f"{split}.planted")]


def _merge(work: StageContext, side: int, split: int, counts: dict[str, int]) -> Iterator[MergedRow]:
    """Yield the sentences of a split in one language, planted ones behind the native ones found for them."""
    code = work.config.codes[side]
    names = [row.name for row in read_document_entries(work.folder_of("read"), code)]
    pairs = read_planted(work, list(work.config.shares)[split])
    behind = {pair.places[side].number: number for number, pair in enumerate(pairs)}
    # A path may contain a tab or a line end, a row may not.
    sources = [clean_text(path) for path in work.config.documents[side].path]
    total = work.finished["split"].counts[code]["kept sentences"]
    for place, sentence in _place(work, code, split, names):
        document = names[sentence.document]
        if counts["native"] % PROGRESS_EVERY == 0:
            work.progress(Step(f"merging {code}", counts["native"], total))
        counts["native"] += 1
        counts["rewritten native"] += sentence.rewritten
        yield MergedRow(
            NO_PAIR, document, sources[sentence.source], str(sentence.position), "", "", sentence.text
        )
        number = behind.get(place)
        if number is not None:
            pair = pairs[number].pair
            counts["planted"] += 1
            counts["rewritten planted"] += pair.rewritten[side]
            source = clean_text(work.config.parallel[pair.source].name)
            score = f"{pairs[number].places[side].score:.4f}"
            yield MergedRow(number, document, source, pair.name, pair.document, score, pair.texts[side])


def _place(work: StageContext, code: str, split: int, names: list[str]) -> Iterator[tuple[int, SentenceRow]]:
    """Yield native sentences of a split with their numbers in the search index, documents in drawn order."""
    documents = documents_of(work.folder_of("split"), code, split)
    sizes = load_sizes(work.folder_of("split"), code)
    firsts = dict(
        zip(documents.tolist(), (np.cumsum(sizes[documents]) - sizes[documents]).tolist(), strict=True)
    )
    seed = work.config.seed
    order = sorted(firsts, key=lambda k: (draw(seed, "shuffle", code, names[k]), k))
    before, place = -1, 0
    for sentence in read_sentences(work.folder_of("split"), code, np.array(order, np.int64)):
        if sentence.document != before:
            before, place = sentence.document, firsts[sentence.document]
        yield place, sentence
        place += 1


# Seventh stage: number all sentences; write corpora, gold and provenance.
#
# Ids are numbered from 1 through each language over the whole data set, with sample before training before
# test before other splits. So no two sentences share an id, whichever files are read together.

LINKS = "links.tsv"
"""A table of linked documents of which at least one is in the data set, to check that not both are."""
LINKS_HEADER = "first\tsecond"

Ids = npt.NDArray[np.int64]


def run_write(work: StageContext) -> StageCounts:
    """Write the files of the data set, all but its statistics."""
    config = work.config
    counts: StageCounts = {code: {"sentences": 0} for code in config.codes}
    counts[PAIRS] = {"gold": 0, "links": _write_links(work)}
    planted: dict[str, list[Ids]] = {}
    for split in config.shares:
        planted[split] = [_write_corpus(work, split, code, counts[code]) for code in config.codes]
        counts[PAIRS][GOLD] += _write_gold(work, split, *planted[split])
    with open_to_write(work.folder / PROVENANCE_FILE) as file:
        file.write(f"{PROVENANCE_HEADER}\n")
        for side in range(len(config.codes)):
            number = 0
            for split in config.shares:
                for origin in _trace(work, split, side, number, planted[split]):
                    file.write("\t".join(origin) + "\n")
                    number += 1
    return counts


def _write_corpus(work: StageContext, split: str, code: str, counts: dict[str, int]) -> Ids:
    """Write the sentences of a split in one language; return the number of each planted sentence, by pair."""
    planted_ids: dict[int, int] = {}
    lines = read_rows(work.folder_of("merge") / f"{split}.{code}")
    work.progress(Step(f"writing {split} {code}", 0, 1))
    with open_to_write(work.folder / f"{work.config.pair}.{split}.{code}") as file:
        for line in map(parse_merged, lines):
            counts["sentences"] += 1
            number = counts["sentences"]
            if number > LARGEST_ID:
                message = f"more than {LARGEST_ID:,} sentences of {code}"
                raise InputError(work.config.place, message, "as many as ids have digits for")
            file.write(f"{format_id(code, number)}\t{line.text}\n")
            if line.planted != NO_PAIR:
                planted_ids[line.planted] = number
    return np.array([planted_ids[pair] for pair in range(len(planted_ids))], np.int64)


def _write_gold(work: StageContext, split: str, first: Ids, second: Ids) -> int:
    one, two = work.config.codes
    with open_to_write(work.folder / f"{work.config.pair}.{split}.{GOLD}") as file:
        for number in np.argsort(first).tolist():
            file.write(f"{format_id(one, int(first[number]))}\t{format_id(two, int(second[number]))}\n")
    return len(first)


def _trace(
    work: StageContext, split: str, side: int, before: int, planted: list[Ids]
) -> Iterator[SentenceOrigin]:
    """Yield the origins of the sentences of a split in one language.

    `before` is the number of sentences before them.
    """
    code, other = work.config.codes[side], work.config.codes[1 - side]
    lines = read_rows(work.folder_of("merge") / f"{split}.{code}")
    for number, line in enumerate(map(parse_merged, lines), before + 1):
        id = format_id(code, number)
        if line.planted == NO_PAIR:
            yield SentenceOrigin(id, split, NATIVE, line.document, line.source, line.name)
        else:
            yield SentenceOrigin(
                id,
                split,
                PLANTED,
                line.document,
                line.source,
                line.name,
                line.pair_document,
                format_id(other, int(planted[1 - side][line.planted])),
                format_id(code, number - 1),
                line.score,
            )


def _write_links(work: StageContext) -> int:
    """Write the links of documents that are in the data set; return how many there are."""
    names, used = [], []
    for code in work.config.codes:
        names.append([row.name for row in read_document_entries(work.folder_of("read"), code)])
        used.append(np.load(work.folder_of("split") / f"{code}.splits.npy") >= 0)
    written = 0
    with open_to_write(work.folder / LINKS) as file:
        file.write(f"{LINKS_HEADER}\n")
        for first, second in read_link_rows(work.folder_of("read")):
            if used[0][first] or used[1][second]:
                file.write(f"{names[0][first]}\t{names[1][second]}\n")
                written += 1
    return written
