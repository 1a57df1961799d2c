"""Planted sentences in their context, in every format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalign._version import __version__
from evalign.reports.formats import Report
from evalign.reports.paint import BOLD, painter
from evalign.reports.table import Table
from evalign.wording import fold, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.bitext import ExcerptLine, ExcerptSide, PairExcerpt

_HERE, _OTHER, _NATIVE = ">", "+", " "
_LEAST_COLUMNS = 20
_HEADERS = (
    "excerpt", "split", "language", "id", "kind", "shown", "sentence",
    "document", "source", "name", "pair_document", "after", "similarity",
)  # fmt: skip
_NOTE = "> is the sentence that is shown, + another planted one."


def report_excerpts(excerpts: Sequence[PairExcerpt]) -> Report:
    """A table for each pair, one table of all lines for programs, JSON."""
    tables = [
        Table(
            ["", "id", "sentence"],
            [
                [_mark(side, k), line["id"], line["text"]]
                for side in excerpt["sides"]
                for k, line in enumerate(side["lines"])
            ],
            "nnl",
            notes=[_say_origin(side) for side in excerpt["sides"]],
        )
        for excerpt in excerpts
    ]
    rows = [
        [
            str(number), excerpt["split"], side["language"], line["id"], line["kind"] or "",
            "yes" if line["id"] == side["id"] else "no", line["text"],
            side["document"] or "", *_origin_cells(side, line),
        ]
        for number, excerpt in enumerate(excerpts, 1)
        for side in excerpt["sides"]
        for line in side["lines"]
    ]  # fmt: skip
    titles = [f"{_name(excerpt)}. {_NOTE}" for excerpt in excerpts]
    saved = {"schema": 1, "version": __version__, "kind": "excerpts", "excerpts": excerpts}
    return Report(tables, Table([*_HEADERS], rows, "rnnnnnlnnnnnr"), saved, [], titles)


def _origin_cells(side: ExcerptSide, line: ExcerptLine) -> list[str]:
    """Where the sentence that is shown came from; nothing of those around it."""
    if line["id"] != side["id"]:
        return [""] * 5
    origin = side["source"], side["name"], side["pair_document"], side["after"], side["similarity"]
    return [cell or "" for cell in origin]


def render_excerpts(excerpts: Sequence[PairExcerpt], *, columns: int = 100, color: bool = False) -> str:
    """For a terminal: each pair, one language below the other, sentences folded to the width."""
    blocks = ["".join(f"{line}\n" for line in _lines(excerpt, columns, color=color)) for excerpt in excerpts]
    return "\n".join([*blocks, f"{_NOTE}\n"])


def _name(excerpt: PairExcerpt) -> str:
    return f"{' and '.join(side['id'] for side in excerpt['sides'])}, {excerpt['split']}"


def _mark(side: ExcerptSide, k: int) -> str:
    line = side["lines"][k]
    if line["id"] == side["id"]:
        return _HERE
    return _OTHER if line["kind"] == "planted" else _NATIVE


def _lines(excerpt: PairExcerpt, columns: int, *, color: bool) -> Iterator[str]:
    paint = painter(color=color)
    yield paint(_name(excerpt), BOLD)
    for side in excerpt["sides"]:
        yield from (
            f"  {line}" for line in fold(printable(_say_origin(side)), max(columns - 2, _LEAST_COLUMNS))
        )
        for k, line in enumerate(side["lines"]):
            mark = _mark(side, k)
            before = f"  {mark} {line['id']}  "
            text = fold(printable(line["text"]), max(columns - len(before), _LEAST_COLUMNS)) or [""]
            for number, piece in enumerate(text):
                shown = paint(piece, BOLD) if mark == _HERE else piece
                yield f"{before if not number else ' ' * len(before)}{shown}"


def _say_origin(side: ExcerptSide) -> str:
    """The language of a side and, where that is known, its document and where the sentence came from."""
    told = side["language"]
    if side["document"] is not None:
        told += f', document "{side["document"]}"'
    if side["after"]:
        of = f' of "{side["pair_document"]}"' if side["pair_document"] else ""
        told += f"; planted from {side['source']}, {side['name']}{of}, behind {side['after']} ({side['similarity']})"
    return told
