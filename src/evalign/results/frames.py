"""Results as pandas data frames with a row for each number; `Result.to_dataframe` calls these functions.

    system            metric     measure    value
    system.conllu     tokens     correct    80.0
    system.conllu     tokens     f1         0.9411764705882353

Ratios are from 0 to 1; what is undefined or not available is missing (NaN).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from evalign.errors import CommandError, advise_install
from evalign.metrics.counts import add_misses
from evalign.results.system_result import SystemResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    import pandas as pd

Row: TypeAlias = "tuple[str | float | None, ...]"
COLUMNS = ("system", "metric", "measure", "value")


def unit_rows(
    systems: Iterable[SystemResult], names: Sequence[str], fields: Mapping[str, Sequence[str]]
) -> Iterator[Row]:
    """Yield a row for each number of each unit: unit name, its fields, system, metric, measure, value.

    `names` are the names of the units; `fields` has a list of values, one for each unit, by field name.
    """
    units = [(name, *(values[number] for values in fields.values())) for number, name in enumerate(names)]
    # Gold without a sentence has a row of counts but no unit name.
    nameless = [("", *("" for _ in fields))]
    for system in systems:
        for metric, score in system.scores.items():
            for unit, counted in zip(units or nameless, score.units.tolist(), strict=True):
                counts = dict(zip(score.metric.fields, counted, strict=True))
                for measure, value in {**add_misses(counts), **score.metric.ratios(counts)}.items():
                    yield *unit, system.name, metric, measure, value if score.available else None


def make_frame(rows: Iterable[Row], columns: Sequence[str]) -> pd.DataFrame:
    """Make a data frame of `rows`; raise `CommandError` if pandas is not installed."""
    try:
        import pandas as pd
    except ModuleNotFoundError:
        message = "pandas is not installed"
        raise CommandError(message, "pandas, for a data frame", advise_install("pandas")) from None
    frame = pd.DataFrame(list(rows), columns=list(columns))
    return frame.astype({"value": float})


def mark_failures(frame: pd.DataFrame, failed: Collection[tuple[str, str]]) -> None:
    """Add a column `status`: "failed" for the (system, metric) pairs in `failed`, else empty."""
    pairs = zip(frame["system"], frame["metric"], strict=True)
    frame["status"] = ["failed" if pair in failed else "" for pair in pairs]


def join_frames(by: str, names: Iterable[str], frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Stack the data frames of parts, with the names of the parts in the first column."""
    import pandas as pd

    joined = pd.concat(list(frames), keys=list(names), names=["part", None])
    column = name_column(by, joined.columns)
    return joined.reset_index(level="part", names=column).reset_index(drop=True)


def name_column(wanted: str, taken: Iterable[str]) -> str:
    """Return a column name that is not in `taken`: `wanted`, with underscores appended if needed.

    >>> name_column("genre", COLUMNS), name_column("metric", COLUMNS)
    ('genre', 'metric_')
    """
    while wanted in taken:
        wanted += "_"
    return wanted
