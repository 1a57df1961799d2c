"""The table of losses by stage: its columns add up to the last digit."""

import re

from hypothesis import given, strategies as st

from evalign.metrics.counts import Counts
from evalign.metrics.errors.stages import Charges
from evalign.reports.attribution import render_attribution
from evalign.scoring.attribution import Attribution, make_attribution_runs


@st.composite
def attributions(draw):
    stages = st.tuples(*[st.integers(0, 40)] * 5)
    missed, spurious, correct = draw(stages), draw(stages), draw(st.integers(0, 200))
    counts = Counts(correct, correct + sum(missed), correct + sum(spurious))
    runs = {0: ("system", counts)}
    for number in sorted(draw(st.sets(st.integers(1, 3)))):
        right = draw(st.integers(0, 50))
        runs[number] = (
            "other",
            Counts(right, right + draw(st.integers(0, 9)), right + draw(st.integers(1, 9))),
        )
    charges = Charges(counts, missed, spurious, 0, 0, "xpos")
    return Attribution("gold", "system", "brackets", charges, make_attribution_runs(runs), "none")


def columns(lines):
    """What stands last in each row, in hundredths."""
    return [round(100 * float(line.split()[-1])) for line in lines]


@given(attributions())
def test_the_last_column_adds_up_as_it_is_shown(attribution):
    parts = render_attribution(attribution).split("\n\n")
    if attribution.f1 is None:
        assert parts[0].splitlines()[-1].split() == ["total", "0", "0", "-"]
        return
    *rows, total = columns(parts[0].splitlines()[1:])
    assert sum(rows) == total
    exact = [row.points for row in attribution.rows]
    assert all(abs(shown - 100 * points) < 1.001 for shown, points in zip(rows, exact, strict=True))
    assert total == 10_000 - round(100 * float(re.search(r"F1 ([\d.]+)", parts[-1])[1]))
    if len(attribution.runs) > 1:
        *rows, last = columns(parts[1].splitlines()[1:])
        assert (sum(rows), last) == (total, total)


@given(attributions())
def test_every_format_has_every_stage(attribution):
    for format in ("table", "json", "csv", "markdown", "latex"):
        shown = render_attribution(attribution, format)
        assert all(stage in shown for stage in ("sentences", "tokens", "tags", "structure", "total"))
