"""Words that are labelled otherwise: in a few words, as rows of a ranking, as a table of labels against labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from evalign.metrics import ErrorGroup, Mismatch
from evalign.metrics.errors import join_label, name_head
from evalign.reports.table import GAP, Table

# Columns that a head gets at least in a note.
SHORTEST_HEAD = 4


def note_heads(mismatch: Mismatch, room: int) -> str:
    """What a word hangs on instead of what it should; nothing where its head is right, or was not judged."""
    if not mismatch.gold_head or mismatch.kind == "label":
        return ""
    longest = max(SHORTEST_HEAD, (room - len('head "" instead of ""')) // 2)
    heads = (mismatch.gold_head, mismatch.system_head)
    gold, system = (name_head(head, longest) for head in heads)
    return f"head {system} instead of {gold}"


def show_share(group: ErrorGroup) -> str:
    """Which part of gold's words with this label are labelled so."""
    return "" if group.share is None else f"{100 * group.share:.1f}% of {group.gold_words:,}"


def make_matrix(groups: Sequence[ErrorGroup], most: int, zero: str = ".") -> Table:
    """Gold's labels in rows, the system's in columns: the most confused ones first, then all others together."""
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
    """Labels by how often they were taken for another, or another for them."""
    confused: Counter[str] = Counter()
    for group in groups:
        for label in (group.gold, group.system):
            confused[join_label(label)] += group.count * (group.gold != group.system)
    return sorted(confused, key=lambda label: (-confused[label], label))


def fit_matrix(groups: Sequence[ErrorGroup], most: int, columns: int) -> Table:
    """The same with as many labels as there is room for on a terminal."""
    # Every column is at least as wide as the gap before it, and one more.
    size = min(most, columns // (GAP + 1))
    table = make_matrix(groups, size)
    while size > 1 and table.width > columns:
        size -= 1
        table = make_matrix(groups, size)
    return table
