"""`Result`, the scores of all systems against one gold, and `Parts`, results of several treebanks or a split.

They hold counts per unit, ledgers and signatures. Reports and later comparisons need nothing else and never
open a document again.
"""

from __future__ import annotations

import os
from collections.abc import ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from dataclasses import dataclass, field, replace
from types import NoneType

from evalign._version import __version__
from evalign.errors import CommandError, InputError, Place, check_flag, check_type, list_texts, quote, suggest
from evalign.files import number_names, write_json
from evalign.metrics.census import DocumentSize
from evalign.metrics.metric import MOST_PASSAGES, find_name
from evalign.results.ledger import Ledger
from evalign.results.signatures import join_signatures
from evalign.results.system_result import (
    Failures,
    Score,
    SystemResult,
    counted_ratios,
    has_headline,
    has_no_row,
    mean_ratios,
    order_metrics,
)
from evalign.wording import count_units, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    import pandas as pd

    from evalign.results.codec import SavedParts, SavedResult
    from evalign.results.display import BreakdownTable, ErrorGroups, Errors, ResultView
    from evalign.results.split import Split, Whole
    from evalign.table import Table


@dataclass(frozen=True, eq=False)
class Result:
    """Scores of all systems against one gold.

    Iterating gives the systems, and iterating a system its scores. `result["LAS"]` is a score of the first
    system, and `dict(result)` has all of them by metric.
    """

    gold: str
    systems: tuple[SystemResult, ...]
    unit_kind: str
    """Kind of the units by which counts are kept: "document", "stretch", "sentence" or "whole"."""
    unit_names: Sequence[str]
    warnings: tuple[str, ...] = ()
    unit_starts: Sequence[int] = ()
    """Position of each unit's start on the gold line; empty if not known."""
    length: int = 0
    """Characters of the gold line."""
    unit_fields: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    """Fields from comments, such as genre, source or year: a value per unit, empty without a comment."""
    size: DocumentSize | None = None
    """Size of gold; None without sentences and tokens, or in results saved before sizes were kept."""

    def __repr__(self) -> str:
        metrics = len({metric for system in self.systems for metric in system.scores})
        against = f"{counted(len(self.systems), 'system')} against {self.gold!r}"
        return f"<Result: {against}, {counted(metrics, 'metric')}>"

    def __str__(self) -> str:
        """Precision, recall and F1 of each metric and system, and what was tolerated."""
        return self._view().text()

    def __len__(self) -> int:
        return len(self.systems)

    def __iter__(self) -> Iterator[SystemResult]:
        """Iterate over the systems."""
        return iter(self.systems)

    def __contains__(self, item: object) -> bool:
        """Return whether `item` is one of the systems, or names a metric of the first one, in any case."""
        if isinstance(item, str):
            return item in self.systems[0]
        return any(system is item for system in self.systems)

    def keys(self) -> KeysView[str]:
        """Return the names of the first system's metrics, so that `dict(result)` has its scores by metric."""
        return self.systems[0].keys()

    def values(self) -> ValuesView[Score]:
        """Return the first system's scores, metric by metric."""
        return self.systems[0].values()

    def items(self) -> ItemsView[str, Score]:
        """Return pairs of the name of a metric and the first system's score."""
        return self.systems[0].items()

    def __getitem__(self, metric: str) -> Score:
        """Return the first system's score of `metric`, whose name may be written in any case."""
        return self.systems[0][metric]

    @property
    def signature(self) -> str:
        """Signature of the first system: everything that could change its numbers."""
        return self.systems[0].signature

    @property
    def ledger(self) -> Ledger:
        """Ledger of the first system: what its scores tolerated."""
        return self.systems[0].ledger

    def errors(self, metric: str) -> Errors:
        """Return the first system's errors of `metric`, in the order of the text."""
        return self.systems[0].errors(metric)

    def error_groups(self, metric: str, *, examples: int = 3) -> ErrorGroups:
        """Group the first system's errors by kind and by what was written, most frequent first."""
        return self.systems[0].error_groups(metric, examples=examples)

    def breakdown(self, kind: str) -> BreakdownTable:
        """Return the first system's counts per label of `kind`.

        Kinds are relation, subtype, tag, xpos, feature, feature-value, label and frequency.
        """
        return self.systems[0].breakdown(kind)

    def split(self, by: str) -> Parts:
        """Split the result into parts with units, or shares of units, of their own (docs/breakdowns.md).

        `by` is `document`, `genre`, `length` of gold sentences, `frequency` of forms, `label` or any other
        breakdown, the key of a comment of gold, or a regular expression that finds the group in the names of
        the units.
        """
        from evalign.results.split import split

        check_type(by, str, "`by=`", "a name of groups")
        return self._make_parts(by, split(self._whole(), by))

    def _make_parts(self, by: str, split: Split, run: Parts | None = None) -> Parts:
        results = {
            name: Result(self.gold, part.systems, self.unit_kind, part.unit_names)
            for name, part in split.parts.items()
        }
        units = {name: part.units for name, part in split.parts.items()}
        failures = "skip" if run is None else run.failures
        return Parts(by, results, split.source, failures, self, split.warnings, units, run)

    def check_split(self, by: str) -> None:
        """Raise `CommandError` if the result cannot be split by `by`, before anything is counted."""
        from evalign.results.split import find_grouping

        check_type(by, str, "`by=`", "a name of groups")
        find_grouping(self._whole(), by)

    def _whole(self) -> Whole:
        from evalign.results.split import Whole

        # Names are decoded at each access, and splitting accesses them again and again.
        return Whole(self.gold, self.systems, self.unit_kind, list(self.unit_names), self.unit_fields)

    def to_dict(
        self, *, whole: bool = False, per: Sequence[str] = (), passages: int | None = MOST_PASSAGES
    ) -> SavedResult:
        """Return the scores, and the breakdowns in `per`, as JSON prints them.

        If `whole`, return also units, evidence and all breakdowns, as `save` writes them. `passages` limits
        the passages with errors for each system; None keeps all.
        """
        from evalign.results.codec import SavedSize, SavedUnit, result_json

        per = list_texts(per, "`per=`", "a list of kinds of breakdowns")
        _check_saving(whole, passages)
        saved = result_json(self.gold, self.systems, whole=whole, per=per, passages=passages)
        if self.size is not None:
            saved["size"] = SavedSize(sentences=self.size.sentences, tokens=self.size.tokens)
        if whole:
            saved["unit"] = SavedUnit(kind=self.unit_kind, names=list(self.unit_names))
            if self.unit_starts:
                saved["unit"]["starts"] = list(self.unit_starts)
                saved["unit"]["length"] = self.length
            if self.unit_fields:
                saved["unit"]["fields"] = {key: list(values) for key, values in self.unit_fields.items()}
        saved["warnings"] = list(self.warnings)
        return saved

    def save(self, path: str | os.PathLike[str], *, passages: int | None = MOST_PASSAGES) -> None:
        """Write the whole result to a file; if that fails, no partial file is left."""
        _check_path(path)
        write_json(path, self.to_dict(whole=True, passages=passages))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Result:
        """Load a result that was saved; its errors are those kept as evidence."""
        loaded = load_saved(path)
        if isinstance(loaded, Parts):
            place, advice = Place(os.fspath(path)), "evalign.load_saved reads both"
            raise InputError(place, "a result in parts", "a single result", advice)
        return loaded

    @classmethod
    def from_dict(cls, saved: SavedResult) -> Result:
        """Make a result from what `to_dict(whole=True)` returned; its errors are those kept as evidence."""
        from evalign.results.codec import load_dict

        return cls(*load_dict(saved))

    def flat(self) -> dict[str, float]:
        """Return all numbers in one dictionary, for a logger: `{"tokens/f1": 0.93}`.

        With several systems keys begin with the name of the system: `{"NAME/tokens/f1": 0.93}`. Ratios are
        from 0 to 1. What is undefined or not available is left out, so that every value is a float.
        """
        if len(self.systems) == 1:
            return self.systems[0].flat()
        names = number_names([system.name for system in self.systems])
        return {
            f"{name}/{key}": value
            for name, system in zip(names, self.systems, strict=True)
            for key, value in system.flat().items()
        }

    def to_dataframe(self, *, units: bool = False) -> pd.DataFrame:
        """Return a pandas data frame of all numbers: system, metric, measure and value.

        Ratios are from 0 to 1. With `units` it has the numbers of every unit, with the unit's name and fields
        in front.
        """
        from evalign.results import frames

        check_flag(units, "units")
        if not units:
            rows = ((system.name, *numbers) for system in self.systems for numbers in system.numbers())
            return frames.make_frame(rows, frames.COLUMNS)
        fields = {
            frames.name_column(key, ("unit", *frames.COLUMNS)): values
            for key, values in self.unit_fields.items()
        }
        rows_of_units = frames.unit_rows(self.systems, self.unit_names, fields)
        return frames.make_frame(rows_of_units, ("unit", *fields, *frames.COLUMNS))

    def _repr_html_(self) -> str:
        """Return a table for notebooks."""
        return self._view().html()

    def _view(self) -> ResultView:
        from evalign.results.display import view_result

        units = count_units(len(self.unit_names), self.unit_kind)
        return view_result(self.gold, self.systems, units, self.warnings)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle plain lists instead of lazy ones, and systems with the evidence that is saved."""
        fields = {key: list(values) for key, values in self.unit_fields.items()}
        units = self.unit_kind, list(self.unit_names)
        places = list(self.unit_starts), self.length
        return Result, (self.gold, self.systems, *units, self.warnings, *places, fields, self.size)


@dataclass(frozen=True, eq=False)
class Parts:
    """Results of several parts with the same systems, by name; a part may lack a metric that another has.

    Iterating gives the names of the parts; `parts[name]` is the result of one part.

    There are two averages over parts: micro adds up the counts of all parts and then takes ratios; macro
    takes the ratios of each part and then their mean, so that a small treebank weighs as much as a large one.
    """

    by: str
    """What the parts are: treebank, genre, document, length, or the name of a field."""
    results: Mapping[str, Result]
    source: str = ""
    """Where the names of the parts come from, in words; empty if that is obvious."""
    failures: Failures = "skip"
    whole: Result | None = field(default=None, repr=False)
    """The result that was split; None if the parts were scored one by one."""
    warnings: tuple[str, ...] = ()
    """Warnings about the parts together; each result has its own as well."""
    units: Mapping[str, Sequence[int]] = field(default_factory=dict, repr=False)
    """The numbers of the units of each part among those of `whole`; empty if there is no `whole`."""
    run: Parts | None = field(default=None, repr=False)
    """The run over several treebanks that was split, with `whole` its sum; None otherwise."""

    def __repr__(self) -> str:
        numbers = {"part": len(self), "system": len(self.systems), "metric": len(self.metrics)}
        return f"<Parts by {self.by}: {', '.join(counted(n, noun) for noun, n in numbers.items())}>"

    def __str__(self) -> str:
        """The headline ratio of each metric, in a line for each part and system."""
        from evalign.results.display import render_text

        return render_text(self._table(), self._notes())

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the parts."""
        return iter(self.results)

    def __getitem__(self, name: str) -> Result:
        check_type(name, str, f"a {self.by}", "the name of one")
        if name not in self.results:
            message = f"no {self.by} is called {quote(name)}"
            raise CommandError(message, *suggest(name, self.results))
        return self.results[name]

    @property
    def systems(self) -> Sequence[str]:
        """Names of the systems, the same in every part."""
        first = next(iter(self.results.values()))
        return [system.name for system in first.systems]

    @property
    def metrics(self) -> Sequence[str]:
        """Names of all metrics that any part has, in the order of the parts' results."""
        return order_metrics(result.systems[0].scores for result in self.results.values())

    def score(self, part: str, system: int, metric: str) -> Score | None:
        """Return a score of one part; None if the part lacks the metric."""
        return self[part].systems[self._find_system(system)].find(metric)

    def failed(self, system: int) -> Mapping[str, str]:
        """Return the reasons why a system failed, by part; only parts that it failed on."""
        system = self._find_system(system)
        failures = {name: result.systems[system].failure for name, result in self.results.items()}
        return {name: failure for name, failure in failures.items() if failure}

    def missed(self, system: int) -> Mapping[str, Sequence[str]]:
        """Return metrics that count as failures, by part, for parts that a system did not fail on.

        With `failures` "zero" these are the metrics that gold can be judged by and the system gave nothing
        for; with "skip" there are none.
        """
        system = self._find_system(system)
        if self.failures == "skip":
            return {}
        systems = {name: result.systems[system] for name, result in self.results.items()}
        return {name: each.missed for name, each in systems.items() if each.missed and not each.failure}

    def fails(self, part: str, system: int, metric: str) -> bool:
        """Return whether a system's score on a part counts as a failure.

        It does if the system failed on the part or, with `failures` "zero", gave nothing for a metric that
        gold has there.
        """
        system_result = self[part].systems[self._find_system(system)]
        return system_result.fails(metric) and bool(system_result.failure or self.failures == "zero")

    def fails_everywhere(self, system: int, metric: str) -> bool:
        """Return whether a system has a score of a metric of its own on no part: nothing to be compared."""
        metric, system = self._find_metric(metric), self._find_system(system)
        return not any(result.systems[system].gives(metric) for result in self.results.values())

    def covered(self, system: int, metric: str) -> Sequence[str]:
        """Return the parts that count in a system's averages of a metric; there may be fewer than all."""
        metric, system, parts = self._find_metric(metric), self._find_system(system), self.results.items()
        return [name for name, part in parts if has_headline(part.systems[system], metric, self.failures)]

    def counted(self, part: str, system: int, metric: str) -> Mapping[str, float | None]:
        """Return the ratios of one part as the macro average counts them.

        Ratios of a failure are None, or the worst values if `failures` is "zero".
        """
        system_result = self[part].systems[self._find_system(system)]
        return counted_ratios(system_result, self._find_metric(metric), self.failures)

    def macro(self, system: int, metric: str) -> Mapping[str, float | None]:
        """Return the mean of each ratio over the parts that have it.

        With `failures` "zero" a failure counts as 0, or as 1 for error rates; ratios without a worst value
        always leave failures out. With "skip" all ratios do.
        """
        metric, system, parts = self._find_metric(metric), self._find_system(system), self.results.values()
        return mean_ratios(counted_ratios(part.systems[system], metric, self.failures) for part in parts)

    def _find_metric(self, metric: str) -> str:
        """Return the name of a metric as the parts have it; `metric` may be written in any case."""
        check_type(metric, str, "a metric", "the name of one")
        if any(metric in result.systems[0].scores for result in self.results.values()):
            return metric
        return find_name(metric, self.metrics)

    def _find_system(self, number: int) -> int:
        """Return the number of a system; raise `CommandError` if there is none."""
        check_type(number, int, "`system=`", "the number of a system, from 0")
        if not -len(self.systems) <= number < len(self.systems):
            message = "no system has this number"
            raise CommandError(message, f"0 to {len(self.systems) - 1}")
        return number

    def micro(self) -> Result:
        """Return all parts as one result, whose units are those of the parts, one after the other.

        Counts are added up, even if the results of the parts are averages over documents or sentences.
        """
        parts, metrics, numbers = self.results.values(), self.metrics, range(len(self.systems))
        kinds = list(dict.fromkeys(part.unit_kind for part in parts if part.unit_names))
        systems = [self._join_system(number) for number in numbers]
        # A split result has its own ledgers and signatures, which are not sums of those of its parts.
        for number, whole in enumerate(self.whole.systems if self.whole else ()):
            signature = join_signatures([whole.signature], average="micro")
            systems[number] = replace(systems[number], ledger=whole.ledger, signature=signature)
        return Result(
            next(iter(parts)).gold,
            tuple(systems),
            kinds[0] if len(kinds) == 1 else "unit",
            self._join_names(),
            tuple(line for number in numbers for line in self._describe_failures(number, metrics)),
            unit_fields=self._join_fields(),
            size=self._add_sizes(),
        )

    def _join_system(self, number: int) -> SystemResult:
        """Join the results of one system on all parts; it has the metrics that any part has.

        There are zeros for a part that lacks a metric or is left out. A score is not available if a failure
        that counts has no row.
        """
        from evalign.results.sums import AddedBreakdowns, SystemSum

        total, sizes = SystemSum(), dict[str, int]()
        systems = [part.systems[number] for part in self.results.values()]
        skips = self.failures == "skip"
        for part, system in zip(self.results.values(), systems, strict=True):
            total.extend(SystemSum.of(system, as_one=False, skips_failures=skips), sum(sizes.values()))
            sizes[part.unit_kind] = sizes.get(part.unit_kind, 0) + len(_row_names(part))
        # The units of each kind: document(4)/stretch(210).
        units = "/".join(f"{kind}({size})" for kind, size in sizes.items() if size) or "unit(0)"
        signed = {"average": "micro", "unit": units, f"{self.by}s": str(len(self))}
        if failed := sum(bool(system.failure or system.missed) for system in systems):
            signed["failures"] = f"{self.failures}({failed})"
        joined = total.result(systems[0].name, "micro", sum(sizes.values()), signed)
        scores = {
            metric: replace(score, available=False)
            if not skips and any(has_no_row(system, metric) for system in systems)
            else score
            for metric, score in joined.scores.items()
        }
        failure = systems[0].failure if all(system.failure for system in systems) else ""
        evidence = AddedBreakdowns([part.systems for part in self.results.values()], number)
        return replace(joined, scores=scores, evidence=evidence, failure=failure)

    def _join_names(self) -> list[str]:
        """Join the unit names of all parts; if two would be equal, put the name of its part before each."""
        named = [(title, name) for title, part in self.results.items() for name in _row_names(part)]
        names = [name for _title, name in named]
        return names if len(set(names)) == len(names) else [f"{title}: {name}" for title, name in named]

    def _join_fields(self) -> Mapping[str, Sequence[str]]:
        """Join the fields of the units of all parts, and add a field that names the part of each unit."""
        sizes = {title: len(_row_names(part)) for title, part in self.results.items()}
        fields: dict[str, list[str]] = {}
        for key in dict.fromkeys(key for part in self.results.values() for key in part.unit_fields):
            values = [
                part.unit_fields.get(key) or [""] * sizes[title] for title, part in self.results.items()
            ]
            fields[key] = [value for column in values for value in column]
        return {**fields, self.by: [title for title, size in sizes.items() for _ in range(size)]}

    def _describe_failures(self, number: int, metrics: Sequence[str]) -> Iterator[str]:
        """Yield warnings about the parts that the averages of a system leave out or count as 0."""
        failed, name = self.failed(number), self.systems[number]
        consequence = "counted as 0" if self.failures == "zero" else "left out of its averages"
        among = f"of {len(self)} {self.by}s, {consequence}"
        if failed:
            yield f"{name} failed on {len(failed)} {among}: {', '.join(failed)}"
        for metric in metrics if self.failures == "zero" else ():
            lacking = [
                title
                for title, part in self.results.items()
                if title not in failed and part.systems[number].fails(metric)
            ]
            if lacking:
                yield f"{name} has no {metric} on {len(lacking)} {among}: {', '.join(lacking)}"

    def breakdown(self, kind: str) -> BreakdownTable:
        """Return the first system's counts per label of `kind`, added up; kinds are those of `Result.breakdown`.

        Parts without such labels count as a whole, as far as they are judged, under the label "(none)".
        """
        return self.micro().breakdown(kind)

    def split(self, by: str) -> Parts:
        """Split every part as `Result.split` does, and add up the counts of groups of the same name.

        Parts that lack the grouping count as a whole in the group "(none)".
        """
        from evalign.results.split import split_texts

        check_type(by, str, "`by=`", "a name of groups")
        whole = self.micro()
        texts = {name: result._whole() for name, result in self.results.items()}
        return whole._make_parts(by, split_texts(whole._whole(), texts, by), self)

    def _add_sizes(self) -> DocumentSize | None:
        """Return the size of gold in all parts together; if a result was split, its size."""
        if self.whole is not None:
            return self.whole.size
        sizes = [result.size for result in self.results.values() if result.size is not None]
        return DocumentSize(*map(sum, zip(*sizes, strict=True))) if sizes else None

    def to_dict(
        self, *, whole: bool = False, per: Sequence[str] = (), passages: int | None = MOST_PASSAGES
    ) -> SavedParts:
        """Return all parts and their averages, as JSON prints them; if `whole`, as `save` writes them.

        `per` names breakdowns to include, of every part and of all together. `passages` limits the passages with errors for each system and
        part; None keeps all.
        """
        from evalign.results.codec import SCHEMA, SavedAverages, SavedParts, breakdowns_json

        per = list_texts(per, "`per=`", "a list of kinds of breakdowns")
        _check_saving(whole, passages)
        metrics, added = self.metrics, self.micro()
        averages = [
            SavedAverages(
                name=system.name,
                failed=dict(self.failed(number)),
                parts={metric: len(self.covered(number, metric)) for metric in metrics},
                macro={metric: dict(self.macro(number, metric)) for metric in metrics},
                micro={metric: system[metric].to_dict() for metric in metrics},
            )
            for number, system in enumerate(added.systems)
        ]
        for saved_averages, system in zip(averages, added.systems, strict=True) if per else ():
            saved_averages["breakdowns"] = breakdowns_json(system, per)
        parts = {
            name: result.to_dict(whole=whole, per=per, passages=passages)
            for name, result in self.results.items()
        }
        for name, saved in parts.items():
            for number, each in enumerate(saved["systems"]):
                for metric in each["scores"]:
                    each["scores"][metric] |= self.counted(name, number, metric)
        return SavedParts(
            schema=SCHEMA,
            version=__version__,
            by=self.by,
            source=self.source,
            failures=self.failures,
            averages=averages,
            parts=parts,
            warnings=list(self.warnings),
        )

    def flat(self) -> dict[str, float]:
        """Return all numbers of all parts in one dictionary: `{"PART/NAME/tokens/f1": 0.93}`.

        See `Result.flat`. If a system failed on a part, only the ratios that averages count for the failure
        are there, if any.
        """
        flat = {}
        names = number_names(self.systems)
        for part, result in self.results.items():
            for number, (name, system) in enumerate(zip(names, result.systems, strict=True)):
                for metric, measure, own in system.numbers():
                    fails = self.fails(part, number, metric)
                    value = self.counted(part, number, metric).get(measure) if fails else own
                    if value is not None:
                        flat[f"{part}/{name}/{metric}/{measure}"] = float(value)
        return flat

    def to_dataframe(self, *, units: bool = False) -> pd.DataFrame:
        """Return a pandas data frame of the numbers of all parts, with the part in front.

        The column of the part is named after `by`. If the parts were scored one by one, a last column
        `status` is "failed" where a system failed on a part.
        """
        from evalign.results import frames

        check_flag(units, "units")
        part_frames = [result.to_dataframe(units=units) for result in self.results.values()]
        if self.whole is None:
            for part, frame in zip(self.results, part_frames, strict=True):
                frames.mark_failures(frame, self._list_failed(part))
        return frames.join_frames(self.by, self.results, part_frames)

    def _list_failed(self, part: str) -> set[tuple[str, str]]:
        """Return the pairs of system name and metric that count as failures on a part."""
        return {
            (system.name, metric)
            for number, system in enumerate(self[part].systems)
            for metric in system.scores
            if self.fails(part, number, metric)
        }

    def _repr_html_(self) -> str:
        """Return a table for notebooks."""
        from evalign.results.display import render_html

        return render_html(self._table(), self._notes())

    def _table(self) -> Table:
        """Return a table with a row for each part and system."""
        from evalign.results.display import parts_table

        parts = {name: result.systems for name, result in self.results.items()}
        return parts_table(self.by, parts, self.metrics, self.counted, self.fails)

    def _notes(self) -> list[str]:
        from evalign.results.display import parts_notes

        parts = {name: result.systems for name, result in self.results.items()}
        return parts_notes(self.by, parts, self.warnings, self.source)

    def save(self, path: str | os.PathLike[str], *, passages: int | None = MOST_PASSAGES) -> None:
        """Write all parts to a file; if that fails, no partial file is left.

        `evalign.load_saved` reads the file. Parts of a split result cannot be saved (`CommandError`): save
        the result itself, and split it again.
        """
        if self.whole is not None:
            message = f"parts of one result, by {self.by}"
            advice = f"save the result that was split, then: evalign.load_saved(...).split({self.by!r})"
            raise CommandError(message, "a run that was scored part by part", advice)
        _check_path(path)
        write_json(path, self.to_dict(whole=True, passages=passages))


def _row_names(part: Result) -> Sequence[str]:
    """Return a name for each row of counts; gold without a sentence has a row without a name."""
    rows = part.systems[0].n_rows
    return list(part.unit_names)[:rows] or [""] * rows


def _check_path(path: object) -> None:
    """Raise `CommandError` for anything but a path."""
    check_type(path, (str, os.PathLike), "a file", "a path")


def _check_saving(whole: object, passages: object) -> None:
    """Raise `CommandError` if an argument of `to_dict` is of a wrong type."""
    check_flag(whole, "whole")
    check_type(passages, (int, NoneType), "`passages=`", "a number, or None for all")


def load_saved(path: str | os.PathLike[str]) -> Result | Parts:
    """Load what `Result.save` or `Parts.save` wrote; errors are those kept as evidence."""
    from evalign.results.codec import ResultFields, load_fields

    _check_path(path)
    loaded = load_fields(path)
    if isinstance(loaded, ResultFields):
        return Result(*loaded)
    results = {name: Result(*fields) for name, fields in loaded.results.items()}
    return Parts(loaded.by, results, loaded.source, loaded.failures, warnings=loaded.warnings)
