"""First stage of a build: read documents, pairs and links once, into files that the other stages work on.

Pieces of a document may be anywhere in the input. Only the names and genres of documents are kept in memory,
no sentences and no pairs.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from pathlib import Path

from evalign.bitext.build.config import DROP, DocumentInput, LinkInput
from evalign.bitext.build.rows import PAIRS, PROGRESS_EVERY, DocumentEntry, StageContext, open_to_write
from evalign.bitext.inputs.formats import (
    AUTO,
    find_document_format,
    read_documents,
    read_links,
    read_source_pairs,
)
from evalign.bitext.inputs.source import Link, SourceDocument
from evalign.bitext.inputs.tables import read_genres
from evalign.engines.checkpoints import StageCounts
from evalign.errors import InputError, Place, quote

Numbering = Mapping[str, int]
"""Numbers of documents from 0, by name."""


def run_read(work: StageContext) -> StageCounts:
    """Read all inputs."""
    counts: StageCounts = {}
    numbers: list[Numbering] = []
    for documents in work.config.documents:
        counts[documents.language], numbering = _read_side(work, documents)
        numbers.append(numbering)
    counts[PAIRS] = {**_read_pairs(work), "links": _read_links(work, numbers[0], numbers[1])}
    return counts


def _read_side(work: StageContext, documents: DocumentInput) -> tuple[dict[str, int], Numbering]:
    """Write the sentences and the documents of a language; return counts, and document numbers by name."""
    code = documents.language
    genres = read_genres(work.config.find(documents.genres)) if documents.genres else {}
    numbering: dict[str, int] = {}
    rows: list[DocumentEntry] = []
    sizes = array("q")
    counts = {"documents": 0, "sentences": 0, "dropped for a template": 0, "dropped from lists": 0}
    with open_to_write(work.folder / f"{code}.sentences") as file:
        for source, document in _read_pieces(work, documents):
            number = numbering.setdefault(document.name, len(numbering))
            genre = genres.get(document.name, document.genre)
            if number == len(rows):
                rows.append(DocumentEntry(document.name, genre))
                sizes.append(0)
            elif genre != rows[number].genre:
                rows[number] = _add_genre(work, rows[number], genre)
            for position, sentence in enumerate(document.sentences, sizes[number] + 1):
                file.write(f"{number}\t{position}\t{source}\t{sentence}\n")
            sizes[number] += len(document.sentences)
            reported = counts["sentences"] // PROGRESS_EVERY
            counts["sentences"] += len(document.sentences)
            counts["dropped for a template"] += document.n_dropped
            counts["dropped from lists"] += document.n_listed
            if counts["sentences"] // PROGRESS_EVERY > reported:
                work.progress(f"reading {code}: {counts['sentences']:,} sentences")
    counts["documents"] = len(rows)
    with open_to_write(work.folder / f"{code}.documents") as file:
        file.writelines("\t".join(row) + "\n" for row in rows)
    return counts, numbering


def _add_genre(work: StageContext, row: DocumentEntry, genre: str) -> DocumentEntry:
    """Add the genre of another piece of a document.

    Pieces may lack a genre, but must not have different ones.
    """
    if row.genre and genre:
        problem = f"document {quote(row.name)} of genres {quote(row.genre)} and {quote(genre)}"
        raise InputError(work.config.place, problem, "a document of one genre")
    return row._replace(genre=row.genre or genre)


def _read_pieces(work: StageContext, documents: DocumentInput) -> Iterator[tuple[int, SourceDocument]]:
    """Yield documents or pieces of them, each with the index of the path it was read from."""
    for source, path in enumerate(documents.path):
        work.progress(f"reading {path}")
        where = work.config.find(path)
        for document in read_documents(
            [where],
            documents.format,
            documents.language,
            drop_lists=work.config.filter.lists == DROP,
            progress=work.progress,
        ):
            yield source, document


def _read_pairs(work: StageContext) -> dict[str, int]:
    """Write all pairs; return how many there are, and how many had an empty side."""
    counts = {"pairs": 0, "with an empty side": 0}

    def skip(_place: Place) -> None:
        counts["with an empty side"] += 1

    with open_to_write(work.folder / PAIRS) as file:
        for source, parallel in enumerate(work.config.parallel):
            work.progress(f"reading {parallel.name}")
            for pair in read_source_pairs(
                [work.config.find(path) for path in parallel.paths],
                parallel.format,
                work.config.codes,
                parallel.columns or None,
                skipped=skip,
                progress=work.progress,
            ):
                file.write(f"{source}\t{pair.name}\t{pair.document}\t{pair.first}\t{pair.second}\n")
                counts["pairs"] += 1
    if not counts["pairs"]:
        raise InputError(work.config.place, "parallel: no pair in any of its files", "sentences to hide")
    return counts


def _read_links(work: StageContext, first: Numbering, second: Numbering) -> int:
    """Write links between documents that exist, each once; return how many there are."""
    links: dict[tuple[int, int], None] = {}
    for link in _iterate_links(work, work.config.links, first, second):
        if link.first in first and link.second in second:
            links[first[link.first], second[link.second]] = None
    with open_to_write(work.folder / "links") as file:
        file.writelines(f"{one}\t{two}\n" for one, two in links)
    return len(links)


def _iterate_links(
    work: StageContext, links: LinkInput, first: Numbering, second: Numbering
) -> Iterator[Link]:
    for name in first if links.same_names else ():
        if name in second and name.startswith(links.same_names):
            yield Link(name, name)
    if links.path:
        work.progress(f"reading {links.path}")
        yield from read_links(
            work.config.find(links.path),
            links.format,
            work.config.codes,
            of=links.of,
            dumps=dict(_find_dumps(work)),
            progress=work.progress,
        )


def _find_dumps(work: StageContext) -> Iterator[tuple[str, list[Path]]]:
    """Yield each language with the Wikipedia dumps among its documents."""
    for documents in work.config.documents:
        paths = [work.config.find(path) for path in documents.path]
        formats = [
            find_document_format(path) if documents.format == AUTO else documents.format for path in paths
        ]
        yield (
            documents.language,
            [path for path, format in zip(paths, formats, strict=True) if format == "wikipedia"],
        )
