"""Losses by stage of processing: of one system, or as a table of treebanks and systems (document parsing).

`evalign attribute` prints them.
"""

from __future__ import annotations

from collections.abc import Sequence

from evalign.files import tell_apart
from evalign.metrics.counts import Counts
from evalign.metrics.errors.stages import STAGES
from evalign.metrics.registry import show_metric
from evalign.reports.formats import RENDERERS, Report, exact, json_text, render_text
from evalign.results.signatures import list_signatures
from evalign.scoring.attribution import ATTRIBUTION_RUNS, Attribution, ParsingRow, ParsingTable
from evalign.table import Table
from evalign.wording import counted, decimal, fold, join_words, percent, printable

POINTS_NOTE = "points are points of F1; they add up to 100 - F1"
FAILED_NOTE = "failed parses: gold sentences that the system has nothing of"
INPUT_NOTE = "gold tokens are given with gold sentences, gold tags with both"


def render_attribution(
    attribution: Attribution, format: str = "table", *, columns: int = 100, color: bool = False
) -> str:
    """Render an attribution in one of the formats."""
    if format == "json":
        return json_text(attribution.to_dict(), indent=2) + "\n"
    if format == "csv":
        return RENDERERS["csv"](_long_table(attribution))
    tables = [_stage_table(attribution)]
    tables += [_run_table(attribution)] if len(attribution.runs) > 1 else []
    if format in RENDERERS:
        return "\n".join(RENDERERS[format](table) for table in tables)
    parts = [render_text(table, columns=columns, bold=color) for table in tables]
    return "\n".join([*parts, _footer(attribution, columns)])


def _stage_table(attribution: Attribution) -> Table:
    """Make a table with a row per stage and a total, in points that add up as shown."""
    rows = (*attribution.rows, attribution.total)
    points = _share_out([row.missed + row.spurious for row in attribution.rows], attribution.counts)
    cells = [
        [row.stage, str(row.missed), str(row.spurious), shown]
        for row, shown in zip(rows, points, strict=True)
    ]
    return Table(["lost to", "missed", "spurious", "points"], cells)


def _share_out(wrong: Sequence[int], counts: Counts) -> list[str]:
    """Split the loss, 100 minus F1 as shown, over the stages, in points that add up to it as shown.

    `wrong` has the errors of each stage. Each share is rounded down first; the hundredths still missing go to
    the shares with the largest remainders. Returns the shares, then the total.
    """
    total = _hundredths_lost(counts.f1)
    if total is None:
        return ["-"] * (len(wrong) + 1)
    parts = [divmod(10_000 * count, counts.gold + counts.system) for count in wrong]
    shown = [whole for whole, _ in parts]
    ranked = sorted(range(len(wrong)), key=lambda k: -parts[k][1])
    for k in ranked[: max(0, total - sum(shown))]:
        shown[k] += 1
    return [_shown(value) for value in (*shown, total)]


def _hundredths_lost(f1: float | None, best: float | None = 1.0) -> int | None:
    """Return the difference of two F1 values as shown, in hundredths of a point; None if one is undefined."""
    if f1 is None or best is None:
        return None
    return round(100 * float(percent(best))) - round(100 * float(percent(f1)))


def _run_table(attribution: Attribution) -> Table:
    """Make a table with a row per run: its F1, and how much the next run gains from more gold input."""
    runs = attribution.runs
    rows = []
    for run, best in zip(runs, [*(run.counts.f1 for run in runs[1:]), 1.0], strict=True):
        lost = _shown(_hundredths_lost(run.counts.f1, best))
        rows.append([run.input, percent(run.counts.f1), join_words(run.stages), lost])
    rows.append(["total", "", "", _shown(_hundredths_lost(attribution.f1))])
    return Table(["input", "F1", "lost to", "points"], rows, "nrlr")


def _shown(hundredths: int | None) -> str:
    return "-" if hundredths is None else f"{hundredths / 100:.2f}"


def _footer(attribution: Attribution, columns: int) -> str:
    """Render the counts, notes about what the numbers are, sentences without analysis, and signatures."""
    counts, charges = attribution.counts, attribution.charges
    summary = (
        f"{counts.correct:,} of {counts.gold:,} gold and {counts.system:,} system {attribution.items} correct, "
        f"{show_metric(attribution.metric)} F1 {percent(counts.f1)}"
    )
    lines = fold(summary, columns)
    for note in (POINTS_NOTE, FAILED_NOTE, *([INPUT_NOTE] if len(attribution.runs) > 1 else [])):
        lines += fold(note, columns)
    if charges.unanalysed_sentences:
        sentences = counted(charges.unanalysed_sentences, "gold sentence")
        lines += fold(f"{charges.unanalysed:,} missed in {sentences} without any analysis", columns)
    if not charges.tags:
        lines += fold("no tags in both files: nothing is charged to them", columns)
    runs = [run for run in attribution.runs[1:] if run.signature]
    lines += list_signatures(
        [ATTRIBUTION_RUNS[0], *(run.input for run in runs)],
        [attribution.signature, *(run.signature for run in runs)],
    )
    return "".join(f"{printable(line)}\n" for line in lines)


def _long_table(attribution: Attribution) -> Table:
    """Make the table for CSV, with a row per number: points are of F1, ratios from 0 to 1.

    `points_to_next` is the difference between a run and the next one, not what is charged to a stage.
    """
    rows = []
    for row in (*attribution.rows, attribution.total):
        for measure, value in (("missed", row.missed), ("spurious", row.spurious), ("points", row.points)):
            rows.append([ATTRIBUTION_RUNS[0], row.stage, measure, exact(value)])
    runs = attribution.runs if len(attribution.runs) > 1 else ()
    for run in runs:
        stages = join_words(run.stages)
        for measure, number in (("f1", run.counts.f1), ("points_to_next", run.points)):
            rows.append([run.input, stages, measure, exact(number)])
    return Table(["input", "stage", "measure", "value"], rows, "nnnr")


# Document parsing: a row per corpus, parser and input, with F1, sentence accuracy (SA) and the loss by stage.


FAILED = "failed"
MEASURES = ("sentences", "tokens", "f1", "sentence_f1", "token_f1", "sentence_accuracy")


def report_parsing(table: ParsingTable, columns: int | None = None) -> Report:
    """Report document parsing in one table, or in two if one is wider than `columns`."""
    names = dict(zip(table.signatures, tell_apart(list(table.signatures)), strict=True))
    whole = _make_table(table, names, accuracy=True, losses=True)
    tables, titles = [whole], [""]
    if columns is not None and whole.width > columns:
        tables = [_make_table(table, names, accuracy=True), _make_table(table, names, losses=True)]
        titles = ["", "points of F1 lost to each stage"]
    counted = show_metric(table.metric) if table.metric else "nothing"
    legend = f"SENT: sentences; TOK: tokens; F1 of {counted}; SA: sentences whose tokens are all right"
    footer = [
        f"{legend}; points of F1 lost to the stages add up to 100 - F1",
        "; ".join([FAILED_NOTE, *([INPUT_NOTE] if _has_inputs(table) else [])]),
        *list_signatures(list(names.values()), list(table.signatures.values())),
    ]
    return Report(tables, _long_parsing_table(table), table.to_dict(), footer, titles)


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


def _long_parsing_table(table: ParsingTable) -> Table:
    """Make the table for CSV, with a row per number: ratios from 0 to 1, points of F1."""
    rows: list[Sequence[str]] = []
    for row in table.rows:
        about = [row.treebank, row.system, row.input]
        status = FAILED if row.failure else ""
        for measure in MEASURES:
            value = getattr(row, measure)
            rows.append([*about, measure, exact(value), status])
        for stage, loss in row.losses.items():
            for measure, number in (
                ("missed", loss.missed),
                ("spurious", loss.spurious),
                ("points", loss.points),
            ):
                rows.append([*about, f"{stage}: {measure}", exact(number), status])
    return Table(["treebank", "system", "input", "measure", "value", "status"], rows, "nnnnrn")
