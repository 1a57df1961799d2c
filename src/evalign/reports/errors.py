"""Errors ranked by kind and by what was written, or as confusion matrices: `evalign errors` prints them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from evalign.metrics.errors.mismatches import (
    BOUNDARY,
    NOTHING,
    ErrorGroup,
    Mismatch,
    PairCounts,
    join_label,
    name_head,
)
from evalign.metrics.registry import show_metric
from evalign.reports.formats import RENDERERS, fold_notes, json_text, render_text
from evalign.results.evidence import cell_json, error_json
from evalign.table import GAP, Table
from evalign.wording import counted, head, printable, shorten, tail, widest, width_of

ARROW = " -> "
# Least columns left for text if places are shown as whole paths, and the width of a place otherwise.
ROOM_FOR_TEXT, LONGEST_PLACE = 40, 30
# Columns of text around a boundary or a word in Markdown, LaTeX and Typst.
WIDE_EXAMPLE = 80
INDENT = 7


@dataclass(frozen=True, slots=True)
class RankedErrors:
    """The errors of a metric: how many of each kind, and groups of equal ones, most frequent first."""

    metric: str
    kinds: Mapping[str, int]
    groups: Sequence[ErrorGroup]
    pairing: PairCounts | None = None
    """How many pairs of words or brackets there are; None unless the metric is about such pairs."""

    @property
    def total(self) -> int:
        """Number of errors."""
        return sum(self.kinds.values())

    @property
    def has_kinds(self) -> bool:
        """True if errors may differ in kind; among metrics of pairs only those of LAS and brackets do."""
        return self.pairing is None or self.metric in ("las", "brackets")

    @property
    def has_example(self) -> bool:
        """True if an example shows more than the words or labels that were written."""
        return self.pairing is not None or self.metric == "sentences"


def render_errors(
    rankings: Sequence[RankedErrors],
    format: str = "table",
    *,
    most: int = 20,
    columns: int = 100,
    color: bool = False,
) -> str:
    """Render errors by metric: how many of each kind, then the groups, each with the place of an example.

    `most` limits the groups per metric on a terminal; 0 shows all.
    """
    if format == "json":
        return json_text([_ranked_json(ranked) for ranked in rankings], indent=2) + "\n"
    if format == "csv":
        return RENDERERS["csv"](_long_table(rankings))
    if format in RENDERERS:
        return "\n".join(RENDERERS[format](_wide_table(ranked)) for ranked in rankings)
    parts = [_render_ranked(ranked, most or len(ranked.groups), columns, color=color) for ranked in rankings]
    return "\n".join([*parts, *_notes(rankings, columns)])


def render_matrices(
    rankings: Sequence[RankedErrors],
    format: str = "table",
    *,
    most: int = 20,
    columns: int = 100,
    color: bool = False,
) -> str:
    """Render confusion matrices: gold's labels in rows, the system's in columns.

    `most` limits the labels; 0 means as many as fit on a terminal, elsewhere all. JSON is that of
    `render_errors`.
    """
    if format == "json":
        return render_errors(rankings, format)
    if format in RENDERERS:
        tables = [
            make_confusion_matrix(ranked.groups, most or 2 * len(ranked.groups), "0") for ranked in rankings
        ]
        return "\n".join(map(RENDERERS[format], tables))
    parts = []
    for ranked in rankings:
        table = fit_confusion_matrix(ranked.groups, most or columns, columns)
        shown = render_text(table, columns=columns, bold=color) if ranked.groups else ""
        title = fold_notes([f"confusion matrix of {_count(ranked)}, gold in rows"], columns)
        parts.append(title + shown)
    return "\n".join([*parts, *_notes(rankings, columns, is_matrix=True)])


def _notes(rankings: Sequence[RankedErrors], columns: int, *, is_matrix: bool = False) -> list[str]:
    """Return notes on words without a partner (errors of words, not of pairs) and on the diagonal."""
    notes = []
    if is_matrix and any(group.gold == group.system for ranked in rankings for group in ranked.groups):
        notes.append("on the diagonal only the head is another")
    pairing = next((ranked.pairing for ranked in rankings if ranked.pairing), None)
    if pairing and (pairing.gold_only or pairing.system_only):
        sides = f"{pairing.gold_only:,} gold and {counted(pairing.system_only, 'system word')}"
        notes.append(f"{sides} without a partner are errors of words")
    return [fold_notes(notes, columns)] if notes else []


def _ranked_json(ranked: RankedErrors) -> dict[str, object]:
    groups: list[dict[str, object]] = []
    for group in ranked.groups:
        written: Mapping[str, object]
        if ranked.pairing:
            written = {**cell_json(group), "share": group.share}
        elif ranked.metric == "sentences":
            written = {"kind": group.kind, "trigger": group.trigger or None, "count": group.count}
        else:
            sides = {"gold": list(group.gold), "system": list(group.system)}
            written = {"kind": group.kind, **sides, "count": group.count}
        groups.append({**written, "examples": [error_json(example) for example in group.examples]})
    pairs = {"pairs": ranked.pairing.pairs} if ranked.pairing else {}
    return {"metric": ranked.metric, "kinds": dict(ranked.kinds), **pairs, "groups": groups}


def _place(group: ErrorGroup) -> str:
    return str(group.first_place or "")


def _long_table(rankings: Sequence[RankedErrors]) -> Table:
    """Make the table for CSV: a row per metric and group; for sentences, with the first example."""
    headers = ["metric", "kind", "trigger", "count", "gold words", "gold", "system", "first place"]
    rows = []
    for ranked in rankings:
        join = join_label if ranked.pairing else BOUNDARY.join
        for group in ranked.groups:
            shown = group.examples[0] if ranked.metric == "sentences" else group
            sides = [join(side) for side in (shown.gold, shown.system)]
            words = str(group.gold_words or "")
            labels = [ranked.metric, group.kind, group.trigger, str(group.count), words]
            rows.append([*labels, *sides, _place(group)])
    return Table(headers, rows, "lllrrnnn")


def _headers(ranked: RankedErrors) -> list[str]:
    """Return headers for the cells that `_labels` returns."""
    if ranked.pairing:
        return ["count", f"of gold {ranked.pairing.noun}s", *["kind"] * ranked.has_kinds]
    return ["count", "kind", "trigger"] if ranked.metric == "sentences" else ["count", "kind"]


def _labels(group: ErrorGroup, ranked: RankedErrors) -> list[str]:
    """Return count and kind; also the trigger of sentence errors, or the share of words with the label."""
    if ranked.pairing:
        return [str(group.count), show_share(group), *[group.kind] * ranked.has_kinds]
    labels = [str(group.count), group.kind]
    return [*labels, group.trigger] if ranked.metric == "sentences" else labels


def _written_header(ranked: RankedErrors) -> str:
    if ranked.pairing is None:
        return "written"
    return "gold head -> system head" if ranked.metric == "uas" else "gold -> system"


def _wide_table(ranked: RankedErrors) -> Table:
    """Make the table for Markdown, LaTeX and Typst: a row per group with all its data."""
    has_written = ranked.metric != "sentences"
    text = [*[_written_header(ranked)] * has_written, *["first example"] * ranked.has_example]
    headers = [*_headers(ranked), *text, "first place"]
    rows = []
    for group in ranked.groups:
        written = [_written(group, ranked)] if has_written else []
        example = [_show_examples([group], WIDE_EXAMPLE)[0].strip()] if ranked.has_example else []
        rows.append([*_labels(group, ranked), *written, *example, _place(group)])
    return Table(headers, rows, "r" + "l" * (len(headers) - 1))


def _count(ranked: RankedErrors) -> str:
    pairing = ranked.pairing
    # Brackets that only one side has are errors too, so the number of pairs is not their total.
    among = f" in {counted(pairing.pairs, 'pair')} of words" if pairing and pairing.noun == "word" else ""
    return f"{show_metric(ranked.metric)}: {counted(ranked.total, 'error')}{among}"


def _title(ranked: RankedErrors) -> str:
    kinds = sorted(ranked.kinds.items(), key=lambda item: -item[1]) if ranked.has_kinds else []
    listed = ", ".join(f"{count:,} {kind}" for kind, count in kinds)
    return _count(ranked) + f" ({listed})" * bool(listed)


def _render_ranked(ranked: RankedErrors, most: int, columns: int, *, color: bool) -> str:
    title, groups = fold_notes([_title(ranked)], columns), ranked.groups[:most]
    if not groups:
        return title
    by_sentence = ranked.metric == "sentences"
    table = _sentence_table(ranked, groups, columns) if by_sentence else _token_table(ranked, groups, columns)
    lines = render_text(table, columns=columns, bold=color).splitlines(keepends=True)
    if ranked.has_example:
        examples = _show_examples(groups, columns - INDENT)
        below = [f"{' ' * INDENT}{example}\n" if example else "" for example in examples]
        lines[1:] = chain.from_iterable(zip(lines[1:], below, strict=True))
    rest = len(ranked.groups) - most
    more = f"and {counted(rest, 'rarer one')}; --most 0 shows all\n" if rest > 0 else ""
    return "".join([title, *lines, more])


def _sentence_table(ranked: RankedErrors, groups: Sequence[ErrorGroup], columns: int) -> Table:
    """Make a table of groups of sentence errors; an example is printed below each row."""
    headers, rows = _headers(ranked), [_labels(group, ranked) for group in groups]
    places = [tail(printable(_place(group)), columns - _measure_columns(headers, rows)) for group in groups]
    body = [[*row, place] for row, place in zip(rows, places, strict=True)]
    return Table([*headers, "first place"], body, "rlll")


def _token_table(ranked: RankedErrors, groups: Sequence[ErrorGroup], columns: int) -> Table:
    """Make a table of groups; text as written gets the room left by counts, kinds and places."""
    headers, rows = _headers(ranked), [_labels(group, ranked) for group in groups]
    used = _measure_columns(headers, rows) + GAP
    header, places = _written_header(ranked), [printable(_place(group)) for group in groups]
    needed = min(ROOM_FOR_TEXT, widest([header, *(_written(group, ranked) for group in groups)]))
    if columns - used - widest(places) < needed:
        places = [tail(place, LONGEST_PLACE) for place in places]
    room = max(24, columns - used - max(widest(places), len("first place")))
    written = [_written(group, ranked, room) for group in groups]
    body = [[*row, text, place] for row, text, place in zip(rows, written, places, strict=True)]
    return Table([*headers, header, "first place"], body, "r" + "l" * (len(headers) + 1))


def _measure_columns(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Return the terminal columns that table columns take, each with a gap after it."""
    return sum(widest([header, *(row[k] for row in rows)]) + GAP for k, header in enumerate(headers))


def _written(group: ErrorGroup, ranked: RankedErrors, room: int = 0) -> str:
    """Join what gold and system wrote by an arrow, shortened to `room` columns unless that is 0."""
    join = join_label if ranked.pairing else " ".join
    sides = [printable(join(side)) or NOTHING for side in (group.gold, group.system)]
    if room and width_of(ARROW.join(sides)) > room:
        free = room - len(ARROW)
        lesser = min(map(width_of, sides))
        longest = max(free // 2, free - lesser)
        sides = [shorten(side, longest) for side in sides]
    return ARROW.join(sides)


def _edge(group: ErrorGroup, room: int) -> tuple[str, str, str] | None:
    """Return what is marked in an example, with the text before and after.

    The mark is the word or, of a sentence, the first boundary that only one side has.
    """
    example = group.examples[0]
    if example.word:
        word = shorten(printable(example.word), room // 2)
        return printable(example.before), f" [{word}] ", printable(example.after)
    parts = example.gold if len(example.gold) > 1 else example.system
    return (printable(parts[0]), BOUNDARY, printable(parts[1])) if len(parts) > 1 else None


def _show_example(group: ErrorGroup, room: int, left: int) -> str:
    """Return the text around the mark of a group's first example, with `left` columns before it."""
    edge = _edge(group, room)
    if edge is None:
        example = group.examples[0]
        return head(printable((example.gold or example.system)[0]), room)
    before, mark, after = edge
    free = room - width_of(mark)
    before = tail(before, left)
    before = " " * (left - width_of(before)) + before
    return (before + mark + head(after, free - left)).rstrip()


def _show_examples(groups: Sequence[ErrorGroup], room: int) -> list[str]:
    """Return an example per group, with marks aligned, each followed by a note on a wrong head."""
    shown = [group for group in groups if group.examples]
    notes = [note_heads(group.examples[0], room * 3 // 5) for group in shown]
    room -= widest(notes) + GAP * any(notes)
    edges = [edge for edge in (_edge(group, room) for group in shown) if edge]
    before, marks, after = (widest(edge[k] for edge in edges) for k in range(3))
    free = room - marks
    left = min(before, max(free // 2, free - after))
    lines = iter(
        f"{_show_example(group, room, left)}{' ' * GAP}{note}".rstrip()
        for group, note in zip(shown, notes, strict=True)
    )
    return [next(lines) if group.examples else "" for group in groups]


# Words with another label than gold: notes on heads, shares, confusion matrices.


# Least columns of a head in a note.
SHORTEST_HEAD = 4


def note_heads(mismatch: Mismatch, room: int) -> str:
    """Say which head a word has instead of the right one; "" if the head is right or was not judged."""
    if not mismatch.gold_head or mismatch.kind == "label":
        return ""
    longest = max(SHORTEST_HEAD, (room - len('head "" instead of ""')) // 2)
    heads = (mismatch.gold_head, mismatch.system_head)
    gold, system = (name_head(head, longest) for head in heads)
    return f"head {system} instead of {gold}"


def show_share(group: ErrorGroup) -> str:
    """Format the share of gold's words with this label that have this error, and the number of the words."""
    return "" if group.share is None else f"{100 * group.share:.1f}% of {group.gold_words:,}"


def make_confusion_matrix(groups: Sequence[ErrorGroup], most: int, zero: str = ".") -> Table:
    """Return a table of gold's labels (rows) by the system's labels (columns).

    It has the `most` labels that were confused most often; the others are added up in one row and column.
    """
    ranked = _rank(groups)
    names = [*ranked[:most], "others", "all"]
    places = dict(zip(ranked, range(most), strict=False))
    others, total = len(names) - 2, len(names) - 1
    grid = [[0] * len(names) for _ in names]
    for group in groups:
        row, column = (places.get(join_label(label), others) for label in (group.gold, group.system))
        for i in (row, total):
            for j in (column, total):
                grid[i][j] += group.count
    columns = [k for k in range(len(names)) if grid[total][k]]
    rows = [[names[i], *(str(row[j] or zero) for j in columns)] for i, row in enumerate(grid) if row[total]]
    return Table(["gold", *(names[j] for j in columns)], rows)


def _rank(groups: Sequence[ErrorGroup]) -> list[str]:
    """Order labels by the number of errors they are on either side of."""
    confused: Counter[str] = Counter()
    for group in groups:
        for label in (group.gold, group.system):
            confused[join_label(label)] += group.count * (group.gold != group.system)
    return sorted(confused, key=lambda label: (-confused[label], label))


def fit_confusion_matrix(groups: Sequence[ErrorGroup], most: int, columns: int) -> Table:
    """Return the confusion matrix with as many labels as fit on a terminal, at most `most`."""
    # A table column takes at least one character and the gap before it.
    size = min(most, columns // (GAP + 1))
    table = make_confusion_matrix(groups, size)
    while size > 1 and table.width > columns:
        size -= 1
        table = make_confusion_matrix(groups, size)
    return table
