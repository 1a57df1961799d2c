"""The table of document parsing: a row per corpus, parser and input, with F1, SA and the loss by stage."""

from __future__ import annotations

from collections.abc import Sequence

from evalign.files import tell_apart
from evalign.metrics import show_metric
from evalign.metrics.errors import STAGES
from evalign.reports.attribution import FAILED_NOTE, INPUT_NOTE
from evalign.reports.formats import Report
from evalign.reports.table import Table
from evalign.results import list_signatures
from evalign.wording import decimal, percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.scoring import ParsingRow, ParsingTable

FAILED = "failed"
MEASURES = ("sentences", "tokens", "f1", "sentence_f1", "token_f1", "sentence_accuracy")


def report_parsing(table: ParsingTable, columns: int | None = None) -> Report:
    """The table; for a terminal of so many columns in two, if it is too wide for it."""
    names = dict(zip(table.signatures, tell_apart(list(table.signatures)), strict=True))
    whole = _make_table(table, names, accuracy=True, losses=True)
    tables, titles = [whole], [""]
    if columns is not None and whole.width > columns:
        tables = [_make_table(table, names, accuracy=True), _make_table(table, names, losses=True)]
        titles = ["", "points of F1 lost to each stage"]
    counted = show_metric(table.metric) if table.metric else "nothing"
    told = f"SENT: sentences; TOK: tokens; F1 of {counted}; SA: sentences whose tokens are all right"
    footer = [
        f"{told}; points of F1 lost to the stages add up to 100 - F1",
        "; ".join([FAILED_NOTE, *([INPUT_NOTE] if _has_inputs(table) else [])]),
        *list_signatures(list(names.values()), list(table.signatures.values())),
    ]
    return Report(tables, _long_table(table), table.to_dict(), footer, titles)


def _has_inputs(table: ParsingTable) -> bool:
    return len({row.input for row in table.rows}) > 1


def _make_table(
    table: ParsingTable, names: dict[str, str], *, accuracy: bool = False, losses: bool = False
) -> Table:
    has_inputs = _has_inputs(table)
    titles = ["treebank", "system", *(["input"] if has_inputs else [])]
    numbers = ["gold SENT", "gold TOK", "F1", "SENT F1", "TOK F1", "SA"] if accuracy else []
    rows = []
    before = ""
    for row in table.rows:
        cells = [row.treebank if row.treebank != before else "", names.get(row.system, row.system)]
        before = row.treebank
        cells += [row.input] if has_inputs else []
        cells += _accuracy_cells(row) if accuracy else []
        cells += _loss_cells(row) if losses else []
        rows.append(cells)
    headers = [*titles, *numbers, *(STAGES if losses else ())]
    return Table(headers, rows, "n" * len(titles) + "r" * (len(headers) - len(titles)))


def _accuracy_cells(row: ParsingRow) -> list[str]:
    sizes = ["-" if count is None else f"{count:,}" for count in (row.sentences, row.tokens)]
    if row.failure:
        return [*sizes, *[FAILED] * 4]
    return [*sizes, *map(percent, (row.f1, row.sentence_f1, row.token_f1, row.sentence_accuracy))]


def _loss_cells(row: ParsingRow) -> list[str]:
    if row.failure:
        return [FAILED] * len(STAGES)
    return [decimal(row.losses[stage].points) if stage in row.losses else "-" for stage in STAGES]


def _long_table(table: ParsingTable) -> Table:
    """A row per number; ratios from 0 to 1, points of F1."""
    rows: list[Sequence[str]] = []
    for row in table.rows:
        about = [row.treebank, row.system, row.input]
        status = FAILED if row.failure else ""
        for measure in MEASURES:
            value = getattr(row, measure)
            rows.append([*about, measure, "" if value is None else str(value), status])
        for stage, loss in row.losses.items():
            for measure, number in (
                ("missed", loss.missed),
                ("spurious", loss.spurious),
                ("points", loss.points),
            ):
                rows.append([*about, f"{stage}: {measure}", "" if number is None else str(number), status])
    return Table(["treebank", "system", "input", "measure", "value", "status"], rows, "nnnnrn")
