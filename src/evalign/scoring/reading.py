"""Read gold and systems, give them their names, and align them: where every run and every command begins.

`count` does this for a text that is scored as a whole; `align`, `attribute`, `diff` and `triples` for texts
that they show.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import IO, TypeAlias, cast

import numpy as np

from evalign.alignment.align import PartContext, align_documents
from evalign.alignment.alignment import Alignment
from evalign.document import Document
from evalign.metrics.comparison import Comparison, Units
from evalign.options import ScoreOptions
from evalign.progress import Progress, Step, no_progress
from evalign.readers.display_names import name_inputs, paths_in_errors, rename
from evalign.readers.formats import read_source
from evalign.scoring.warnings import check_gold, refuse_differing
from evalign.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.alignment.raw_map import RawMap
    from evalign.readers.live.objects import Live
    from evalign.readers.raw_files import RawInput, RawText, RawTexts

Input: TypeAlias = "str | os.PathLike[str] | IO[str] | IO[bytes] | Text | Live | Document"


def read_document(
    source: Input, format: str, raws: Sequence[RawText], options: ScoreOptions, name: str = ""
) -> Document:
    """Read an input of a known format, or "auto", as `options` say."""
    return read_source(source, format, options, raws=raws, name=name)


def load_raw(raw: RawInput | RawTexts | None) -> RawTexts | tuple[()]:
    """Return raw texts, reading them unless they were read before; an empty tuple if there are none."""
    if raw is None:
        return ()
    from evalign.readers.raw_files import RawTexts, read_raws

    return raw if isinstance(raw, RawTexts) else read_raws(raw)


def read_comparisons(
    sources: Sequence[object],
    options: ScoreOptions,
    raw: RawInput | RawTexts | None = None,
    names: Sequence[str] = (),
    progress: Progress = no_progress,
) -> list[Comparison]:
    """Read gold and all systems (`sources`) as a whole, name them, and align and compare gold with each system.

    `names` are names for the inputs, instead of those of their files.
    """
    gold, *systems = cast("Sequence[Input]", sources)
    raws = load_raw(raw)
    names = name_inputs(sources, raws, names)
    with paths_in_errors(sources, names):
        progress("reading gold")
        gold_document = rename(read_document(gold, options.gold_format, raws, options), names[0])
        check_gold(gold, gold_document.name, gold_document.line, options.gold_format)
        alignments = []
        for number, system in enumerate(systems, 1):
            progress(Step(f"reading system {number} of {len(systems)}", number - 1, len(systems)))
            document = rename(read_document(system, options.system_format, raws, options), names[number])
            progress(Step(f"aligning {document.name}", number - 1, len(systems)))
            alignments.append(align_pair(gold_document, document, options))
        if not raws or gold_document.spans is not None:
            return compare_aligned(alignments, options)
        from evalign.alignment.raw_map import RawMap, align_on_raw, map_raw

        raw_map = map_raw(gold_document, raws.renamed(names[len(sources) :]))
        progress(f"aligning with {raw_map.raw.name}")
        placed = [
            align_on_raw(each, raw_map, RawMap(each.system.original, raw_map.raw)) for each in alignments
        ]
        return compare_aligned(placed, options, raw_map)


def compare_aligned(
    alignments: Sequence[Alignment], options: ScoreOptions, raw: RawMap | None = None
) -> list[Comparison]:
    """Compare gold with each system it was aligned with, with all of gold as one unit."""
    units = Units("whole", np.zeros(1, np.int32), [alignments[0].gold.original.name])
    return [Comparison(alignment, units, options, raw) for alignment in alignments]


def align_pair(
    gold: Document, system: Document, options: ScoreOptions, context: PartContext | None = None
) -> Alignment:
    """Align two documents; raise `StrictError` if they differ and `options` are strict.

    `context` is given for a part of texts whose lines differ somewhere.
    """
    if options.strict and gold.line != system.line:
        raise refuse_differing(gold, system)
    return align_documents(
        gold, system, normalize=options.normalize, exceptions=options.exceptions.words, differing=context
    )
