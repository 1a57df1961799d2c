"""Reports about pairs of sentences in two languages.

Statistics of a data set (`evalign bitext stats`), planted sentences in their context (`evalign bitext show`),
and the numbers that a result of extracted pairs has besides counts, which `scores` adds to its tables.
Planted sentences are translations that were inserted into documents; native ones were there before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from evalign._version import __version__
from evalign.reports.formats import BOLD, COLUMN, Report, painter, render_text
from evalign.results.pairing import Pairing, Threshold, pairing_numbers
from evalign.results.result import Result
from evalign.results.system_result import SystemResult
from evalign.table import GAP, Table
from evalign.wording import counted, decimal, fold, percent, printable, widest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.bitext.excerpts import ExcerptLine, ExcerptSide, PairExcerpt
    from evalign.bitext.statistics.schema import (
        LanguageLengths,
        SavedComparability,
        SavedDetectability,
        SavedLengths,
        SavedSeparation,
        SavedSimilarity,
        Statistics,
    )
    from evalign.results.pairing import Review


_BARS = "▁▂▃▄▅▆▇█"
_MOST_BARS = 20
_KINDS = {"before": "as read", "native": "native", "planted": "planted"}
_NO_GENRE = "(none)"
_MOST_FEATURES = 5
_PAPER = "Zweigenbaum et al. 2018"


def report_statistics(statistics: Statistics, *, shapes: bool = True) -> Report:
    """Report all statistics, a table for each kind; `shapes` adds small histograms of lengths."""
    tables = {
        f"Sentences, gold pairs (Table 2 of {_PAPER}), percent planted": _counts(statistics),
        "What each stage of the build has counted": _stages(statistics),
        "Pairs offered for planting, and what became of them": _planting(statistics),
        "Length of sentences"
        + (", and its shape between the 1st and 99th percentile" if shapes else ""): _lengths(
            statistics, shapes=shapes
        ),
        "Comparability: cosine of a document with the nearest native one, by keywords": _comparability(
            statistics
        ),
        f"Genres of documents, in percent (Table 1 of {_PAPER})": _genres(statistics),
        "Detectability: how well classifiers of form and of context tell planted from native sentences": (
            _detectability(statistics)
        ),
        "Features of form that are most telling, and those of context, each taken alone": _features(
            statistics
        ),
    }
    long = Table(
        ["table", "split", "language", "item", "measure", "value"], list(_rows(statistics)), "nnnnnr"
    )
    return Report([*tables.values()], long, statistics, list(_footer(statistics)), [*tables])


def _counts(statistics: Statistics) -> Table:
    """Make Table 2: sentences, gold pairs and shares of planted sentences by split."""
    first, second = statistics["lengths"]
    rows = []
    for split, counts in statistics["splits"].items():
        sentences, planted = counts["sentences"], counts["planted"]
        shares = [planted[code] / sentences[code] if planted else None for code in (first, second)]
        gold = "-" if counts["gold"] is None else f"{counts['gold']:,}"
        rows.append([split, f"{sentences[first]:,}", f"{sentences[second]:,}", gold, *map(percent, shares)])
    return Table(["", first, second, "gold", f"{first} planted", f"{second} planted"], rows)


def _stages(statistics: Statistics) -> Table:
    """Make a table with a heading per stage of the build and a row per count."""
    columns = [*statistics["lengths"], "pairs"]
    rows: list[list[str]] = []
    for stage, by in statistics["stages"].items():
        columns += [of for of in by if of not in columns]
        names = dict.fromkeys(name for counts in by.values() for name in counts)
        rows.append([stage])
        rows += [
            [f"  {name}", *(f"{by[of][name]:,}" if name in by.get(of, {}) else "" for of in columns)]
            for name in names
        ]
    padded = [[*row, *[""] * (1 + len(columns) - len(row))] for row in rows]
    return Table(["", *columns], padded)


def _planting(statistics: Statistics) -> Table:
    first, second = statistics["lengths"]
    kinds = {
        "offered": "offered", "fitting": "fitting", "untranslated": "same", "known": "known",
        "first_found": f"{first} found", "second_found": f"{second} found", "planted": "planted",
    }  # fmt: skip
    planting = {split: _integers(counts) for split, counts in (statistics["planting"] or {}).items()}
    shown = [kind for kind in kinds if any(kind in counts for counts in planting.values())]
    rows = [
        [
            split,
            *(f"{counts[kind]:,}" if kind in counts else "-" for kind in shown),
            percent(counts["planted"] / counts["offered"] if counts["offered"] else None),
        ]
        for split, counts in planting.items()
    ]
    return Table(["", *(kinds[kind] for kind in shown), "percent"], rows)


def _integers(counts: Mapping[str, object]) -> dict[str, int]:
    """Return the integer values of a typed dictionary, some of whose keys may be missing."""
    return {name: n for name, n in counts.items() if isinstance(n, int)}


def _lengths(statistics: Statistics, *, shapes: bool) -> Table:
    rows: list[list[str]] = []
    for code, lengths in statistics["lengths"].items():
        by_kind = [(name, one) for name, one in _kinds(lengths) if one is not None]
        if by_kind:
            rows.append([f"{code}, in {lengths['unit']}"])
        for name, one in by_kind:
            low, high = one["deciles"][0], one["deciles"][-1]
            numbers = (decimal(one["mean"], 1), *(f"{value:.10g}" for value in (one["median"], low, high)))
            rows.append([f"  {name}", f"{one['sentences']:,}", *numbers, *([_shape(one)] if shapes else [])])
    headers = ["", "sentences", "mean", "median", "p10", "p90", *(["shape"] if shapes else [])]
    padded = [[*row, *[""] * (len(headers) - len(row))] for row in rows]
    return Table(headers, padded, "nrrrrr" + "l" * shapes)


def _kinds(lengths: LanguageLengths) -> list[tuple[str, SavedLengths | None]]:
    """Return the lengths of each kind of sentence, with the names of the kinds as shown."""
    by_key = {"before": lengths["before"], "native": lengths["native"], "planted": lengths["planted"]}
    return [(_KINDS[key], value) for key, value in by_key.items()]


def _shape(lengths: SavedLengths) -> str:
    """Draw a histogram as bars of equal width, scaled to the highest, between the 1st and 99th percentile."""
    low, high = int(lengths["percentiles"][0]), -int(-lengths["percentiles"][1] // 1)
    step = -(-(high - low + 1) // _MOST_BARS)
    heights = [0] * -(-(high - low + 1) // step)
    for length, n in lengths["histogram"].items():
        if low <= int(length) <= high:
            heights[(int(length) - low) // step] += n
    most = max(heights)
    bars = "".join(_BARS[-(-(len(_BARS) - 1) * height // most)] for height in heights)
    return f"{low} {bars} {high}"


def _comparability(statistics: Statistics) -> Table:
    rows: list[list[str]] = []
    for code, comparability in (statistics["comparability"] or {}).items():
        rows.append([code, "", "", "", ""])
        rows += [[f"  {name} to native", *_similarity(one)] for name, one in _sides(comparability)]
    return Table(["", "documents", "p10", "median", "p90"], rows)


def _similarity(one: SavedSimilarity | None) -> list[str]:
    if one is None:
        return ["-"] * 4
    return [f"{one['documents']:,}", *(decimal(one[key], 3) for key in ("p10", "median", "p90"))]


def _sides(comparability: SavedComparability) -> list[tuple[str, SavedSimilarity | None]]:
    """Return the similarity of parallel and of native documents; None if there are no parallel documents."""
    parallel = None if comparability.get("chunked") else comparability["parallel"]
    return [("parallel", parallel), ("native", comparability["native"])]


def _genres(statistics: Statistics) -> Table:
    rows: list[list[str]] = []
    for code, genres in (statistics["genres"] or {}).items():
        rows.append([code, "", "", "", ""])
        rows += [
            [
                f"  {genre['genre'] or _NO_GENRE}",
                f"{genre['documents']:,}", percent(genre["document_share"]),
                f"{genre['sentences']:,}", percent(genre["sentence_share"]),
            ]
            for genre in genres
        ]  # fmt: skip
    return Table(["", "documents", "percent", "sentences", "percent"], rows)


def _list_detectability(statistics: Statistics) -> Iterator[tuple[str, SavedDetectability]]:
    for code, detectability in statistics["detectability"].items():
        if detectability is not None:
            yield code, detectability


def _list_classifiers(detectability: SavedDetectability) -> Iterator[tuple[str, SavedSeparation]]:
    """Yield the classifiers of a language with their names; older statistics have only that of form."""
    yield "form", detectability
    if "context" in detectability:
        yield "context", detectability["context"]


def _detectability(statistics: Statistics) -> Table:
    rows = [
        [
            f"{code} {name}", f"{detectability['planted']:,} + {detectability['planted']:,}", decimal(one["auc"], 3),
            _range(one["interval"]), _range(one["chance"]), percent(one["accuracy"]),
        ]
        for code, detectability in _list_detectability(statistics)
        for name, one in _list_classifiers(detectability)
    ]  # fmt: skip
    return Table(["", "sentences", "AUC", "95 %", "by chance", "accuracy"], rows)


def _range(ends: Sequence[float]) -> str:
    return f"{decimal(ends[0], 3)}–{decimal(ends[1], 3)}"


def _features(statistics: Statistics) -> Table:
    rows: list[list[str]] = []
    for code, detectability in _list_detectability(statistics):
        rows.append([code, "", "", "", ""])
        rows += [
            [f"  {one['name']}", decimal(one["auc"], 3), decimal(one["planted"]), decimal(one["native"]), decimal(one["weight"])]
            for _, classifier in _list_classifiers(detectability)
            for one in classifier["features"][:_MOST_FEATURES]
        ]  # fmt: skip
    return Table(["", "AUC", "planted", "native", "weight"], rows)


def _footer(statistics: Statistics) -> Iterator[str]:
    for code, detected in _list_detectability(statistics):
        yield f"{code}: {_say_detected(detected)}"
    if any(_list_detectability(statistics)):
        yield (
            "AUC is 0.5 and accuracy 50 % where nothing can be told; every sentence is judged by a classifier that has "
            "not seen it. A feature of AUC above 0.5 is larger in planted sentences, below 0.5 in native ones."
        )
    if any("context" in detected for _, detected in _list_detectability(statistics)):
        yield (
            "Context is the sentence before: planting chooses one that has the first words of the planted sentence and "
            "about its length. A system that looks for this learns how the data set was made, not how to translate."
        )
    if statistics["comparability"]:
        yield (
            "Where both rows of a language are alike, documents with translations are no further from native ones than "
            f"those are from each other. The cosines of {_PAPER}, 0.971 to 0.980, are of other vectors."
        )
    for code, comparability in (statistics["comparability"] or {}).items():
        yield f"{code}: {_say_compared(comparability)}"
    yield from _missing(statistics["missing"])
    yield f"signature  evalign:{statistics['version']}|bitext:{statistics['pair']}|seed:{statistics['seed']}"


def _say_detected(detectability: SavedDetectability) -> str:
    """Say how well planted sentences can be told from native ones, and by what."""
    low, high = detectability["chance"]
    classifiers = [*_list_classifiers(detectability)]
    shares = [f"{100 * one['auc']:.1f}" for _, one in classifiers]
    telling = " and by their ".join(name for name, one in classifiers if one["auc"] > high)
    if telling:
        judged = f"planted sentences can be told by their {telling}"
    elif any(one["auc"] < low for _, one in classifiers):
        judged = "less than chance, which only a small sample does"
    elif "context" in detectability:
        judged = "they are hidden, as far as form and the sentence before go"
    else:
        judged = "no more than chance; whether the sentence before tells them was not looked at"
    tells = f"form tells a planted from a native sentence {shares[0]} times in 100"
    by_context = f", context {shares[1]} times" if len(shares) > 1 else ""
    return f"{tells}{by_context}, where chance gives {100 * low:.1f} to {100 * high:.1f}: {judged}"


def _say_compared(comparability: SavedComparability) -> str:
    """Say which documents of a language were compared, and which could not be."""
    most, native = comparability["most_documents"], comparability["native_documents"]
    nameless = comparability.get("without_document", 0)
    if comparability.get("chunked") or not comparability["parallel_documents"]:
        return "cannot be compared: pairs do not name their documents, so that there are no texts with translations"
    sampled = f"{_sampled(comparability['parallel_documents'], most)} documents with translations, {_sampled(native, most)} native ones"
    if comparability.get("whole_texts"):
        compared = f"{sampled}, each with the nearest of {native:,} native ones, by their whole texts"
    else:
        compared = f"{sampled}, by the sentences in the data set alone, as evalign did before: build again for whole texts"
    return (
        f"{compared}; {counted(nameless, 'pair')} without a document: not compared" if nameless else compared
    )


def _sampled(n: int, most: int) -> str:
    return f"{most:,} of {n:,}" if n > most else f"all {n:,}"


def _missing(missing: Mapping[str, str]) -> Iterator[str]:
    """Yield which statistics are missing, and why; those with the same reason share a line."""
    by_reason: dict[str, list[str]] = {}
    for name, reason in missing.items():
        by_reason.setdefault(reason, []).append(name)
    for reason, names in by_reason.items():
        yield f"not here: {', '.join(names)} ({reason})"


def report_review(review: Review) -> list[str]:
    """Return lines on a reviewed sample: how many of the pairs are parallel, and what the sample is of."""
    low, high = percent(review["low"]), percent(review["high"])
    share = f"{percent(review['precision'])} % [{low}, {high}]"
    judged = f"{review['parallel']:,} of {counted(review['reviewed'], 'judged pair')}"
    return [
        f"Parallel: {judged}, {share} of the native pairs that share most numbers and names.",
        "This is no share of all native pairs, nor of gold: it says how many of the likeliest ones are translations.",
    ]


def _rows(statistics: Statistics) -> Iterator[list[str]]:
    """Yield a row per value for CSV: table, split, language, item, measure, value; ratios from 0 to 1."""
    for split, counts in statistics["splits"].items():
        for code, n in counts["sentences"].items():
            yield ["splits", split, code, "", "sentences", str(n)]
        for code, n in (counts["planted"] or {}).items():
            yield ["splits", split, code, "", "planted", str(n)]
        yield ["splits", split, "", "", "gold", "" if counts["gold"] is None else str(counts["gold"])]
    for stage, by in statistics["stages"].items():
        for of, numbers in by.items():
            for name, n in numbers.items():
                yield ["stages", "", of, stage, name, str(n)]
    for split, planting in (statistics["planting"] or {}).items():
        for measure, value in planting.items():
            yield ["planting", split, "", "", measure, str(value)]
    yield from _length_rows(statistics)
    for code, comparability in (statistics["comparability"] or {}).items():
        for kind, side in _sides(comparability):
            for measure, value in (side or {}).items():
                yield ["comparability", "", code, kind, measure, str(value)]
    for code, genres in (statistics["genres"] or {}).items():
        for genre in genres:
            for measure, value in genre.items():
                if measure != "genre":
                    yield ["genres", "", code, genre["genre"], measure, str(value)]
    yield from _detectability_rows(statistics)


def _length_rows(statistics: Statistics) -> Iterator[list[str]]:
    for code, lengths in statistics["lengths"].items():
        for name, one in _kinds(lengths):
            if one is None:
                continue
            yield ["lengths", "", code, name, "sentences", str(one["sentences"])]
            yield ["lengths", "", code, name, "mean", str(one["mean"])]
            for decile, value in enumerate(one["deciles"], 1):
                yield ["lengths", "", code, name, f"p{10 * decile}", str(value)]
            for length, n in one["histogram"].items():
                yield ["histogram", "", code, name, length, str(n)]


def _detectability_rows(statistics: Statistics) -> Iterator[list[str]]:
    for code, detectability in _list_detectability(statistics):
        for name, one in _list_classifiers(detectability):
            values = {
                "planted": detectability["planted"], "auc": one["auc"], "auc_low": one["interval"][0],
                "auc_high": one["interval"][1], "chance_low": one["chance"][0],
                "chance_high": one["chance"][1], "accuracy": one["accuracy"],
            }  # fmt: skip
            for measure, value in values.items():
                yield ["detectability", "", code, name, measure, str(value)]
            for feature in one["features"]:
                for key in ("auc", "weight", "planted", "native"):
                    yield ["features", "", code, feature["name"], key, str(feature[key])]


# Extracted pairs: average precision, thresholds and where they come from, review.


TRAINED = "trained threshold"
ORACLE = "oracle threshold"
AVERAGE_PRECISION = "average precision"
CORRECTED = "precision after review"


def pairing_table(result: Result, names: Sequence[str]) -> Table:
    """Return a table with a row per number and a column per system; rows without any number are left out."""
    return _table(result.systems, names, several=len(result.systems) > 1)


def _table(systems: Sequence[SystemResult], names: Sequence[str], *, several: bool) -> Table:
    pairings = [system.pairing or Pairing() for system in systems]
    rows = [
        [AVERAGE_PRECISION, *(percent(each.get("average_precision")) for each in pairings)],
        [TRAINED, *(_threshold(each.get("trained")) for each in pairings)],
        ["  F1 on training", *(_f1(each.get("trained")) for each in pairings)],
        [ORACLE, *(_threshold(each.get("oracle")) for each in pairings)],
        [CORRECTED, *map(show_corrected, pairings)],
    ]
    headers = names if several else ["value"]
    return Table(["", *headers], [row for row in rows if any(cell != "-" for cell in row[1:])])


def render_pairing(result: Result, names: Sequence[str], columns: int, *, bold: bool) -> list[str]:
    """Render tables with as many systems abreast as fit, then notes on the numbers."""
    whole = pairing_table(result, names)
    labels = widest(row[0] for row in whole.rows)
    need = max(COLUMN, widest(cell for row in whole.rows for cell in row[1:])) + GAP
    abreast = max(1, (columns - labels) // need)
    shown = []
    for k in range(0, len(names), abreast):
        table = _table(result.systems[k : k + abreast], names[k : k + abreast], several=len(names) > 1)
        shown += [render_text(table, columns=columns, bold=bold)] if table.rows else []
    notes = "".join(f"{line}\n" for note in pairing_notes(result) for line in fold(note, columns))
    return [*shown, notes] if notes else shown


def _threshold(threshold: Threshold | None) -> str:
    return "-" if threshold is None else show_score(threshold["threshold"])


def show_score(score: float) -> str:
    """Format the score of a pair with six significant digits.

    >>> show_score(0.93), show_score(0.123456789)
    ('0.93', '0.123457')
    """
    return f"{score:.6g}"


def _f1(threshold: Threshold | None) -> str:
    return "-" if threshold is None else percent(threshold["f1"])


def show_corrected(pairing: Pairing) -> str:
    """Format the precision that a review corrected, with its interval if it has one; "-" without a review."""
    review = pairing.get("review")
    if review is None or not review["reviewed"]:
        return "-"
    if review["low"] is None:
        return percent(review["precision"])
    return f"{percent(review['precision'])} [{percent(review['low'])}, {percent(review['high'])}]"


def pairing_notes(result: Result) -> list[str]:
    """Return notes on what each number means, so that nobody mistakes one for another."""
    pairings = [system.pairing for system in result.systems if system.pairing]
    notes = []
    if any("trained" in each for each in pairings):
        notes.append(
            "pairs-trained keeps the pairs that score at least the threshold that is best on the training split: "
            "this is the number to report."
        )
    if any("oracle" in each for each in pairings):
        notes.append(
            "pairs-oracle has the threshold that is best on this gold itself: a bound, no result of a system."
        )
        if not any("trained" in each for each in pairings):
            notes.append(
                "The number to report is that of a threshold chosen on the training split: --training GOLD SYSTEM."
            )
    corrected = [shown for shown in map(show_corrected, pairings) if shown != "-"]
    if any("[" in shown for shown in corrected):
        notes.append(
            "precision after review: if false pairs are parallel as often as those that were looked at; its interval "
            "is Wilson's, of 95 %."
        )
    if any("[" not in shown for shown in corrected):
        notes.append(
            "precision after review without an interval: every false pair was looked at, so nothing is estimated."
        )
    return notes


def pairing_rows(result: Result) -> list[list[str]]:
    """Return rows for CSV: system, metric, measure and value; ratios from 0 to 1."""
    return [
        [system.name, metric, measure, repr(value)]
        for system in result.systems
        for metric, measure, value in pairing_numbers(system.pairing or Pairing())
    ]


# Excerpts: planted sentences in their context.


_HERE, _OTHER, _NATIVE = ">", "+", " "
_LEAST_COLUMNS = 20
_HEADERS = (
    "excerpt", "split", "language", "id", "kind", "shown", "sentence",
    "document", "source", "name", "pair_document", "after", "similarity",
)  # fmt: skip
_NOTE = "> is the sentence that is shown, + another planted one."


def report_excerpts(excerpts: Sequence[PairExcerpt]) -> Report:
    """Report excerpts: a table for each pair, one table of all lines for programs, JSON."""
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
    """Return cells on the origin of the sentence that an excerpt shows; empty for the lines around it."""
    if line["id"] != side["id"]:
        return [""] * 5
    origin = side["source"], side["name"], side["pair_document"], side["after"], side["similarity"]
    return [cell or "" for cell in origin]


def render_excerpts(excerpts: Sequence[PairExcerpt], *, columns: int = 100, color: bool = False) -> str:
    """Render excerpts for a terminal: one language below the other, sentences folded to the width."""
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
    """Name the language of a side and, where known, its document and the origin of the sentence."""
    origin = side["language"]
    if side["document"] is not None:
        origin += f', document "{side["document"]}"'
    if side["after"]:
        of = f' of "{side["pair_document"]}"' if side["pair_document"] else ""
        origin += f"; planted from {side['source']}, {side['name']}{of}, behind {side['after']} ({side['similarity']})"
    return origin
