"""Reports on treebanks: profiles, weights, comparisons, selections, agreements and cascades.

`evalign typology` prints them; `study` uses the single tables too. Figures and tables are those of Callin, A
typological perspective on evaluation for Universal Dependencies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from evalign._version import __version__
from evalign.reports.formats import SIZES, Report, exact
from evalign.results.signatures import join_signatures
from evalign.table import GAP, Table
from evalign.wording import counted, decimal, percent, widest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics.census import DocumentSize
    from evalign.typology.cascades import TreebankCascades
    from evalign.typology.comparison import TreebankComparison
    from evalign.typology.judgements import Agreements, RunAgreements
    from evalign.typology.options import RootHeads
    from evalign.typology.profiles import Profiles
    from evalign.typology.selection import Choice, Selection

LABELS = {
    "wlas.f1": "WLAS",
    "las.f1": "LAS",
    "content.f1": "content",
    "content.precision": "C prec",
    "content.recall": "C rec",
    "function.precision": "F prec",
    "function.recall": "F rec",
    "content.share": "C freq",
    "function.share": "F freq",
    "sttr": "STTR",
}
LAS, STTR = "las.f1", "sttr"
REASONS = {
    "features": "too few features",
    "tokens": "too few tokens",
    "nonprojective": "too many non-projective trees",
    "language": "another one of this language",
}
Show: TypeAlias = Callable[[float | None], str]
# Least terminal columns of a number, with the gap before it.
NUMBER_COLUMN = 12


def report_profiles(profiles: Profiles, *, each: bool = False, columns: int = 100) -> Report:
    """Report treebanks, then relations with their averaged word dependency entropy (WDE).

    With `each`, the WDE in each treebank follows, in tables that fit into `columns`.
    """
    rows = [
        [
            t.name,
            *(f"{count:,}" for count in (t.sentences, t.tokens, t.words)),
            *map(percent, (t.nonprojective_share, t.share("content"), t.share("function"), t.sttr)),
        ]
        for t in profiles.treebanks
    ]
    headers = ["", "sentences", "tokens", "words", "non-proj", "content", "function", "STTR"]
    tables = [Table(headers, rows), _relation_table(profiles)]
    if each:
        tables += _entropy_tables(profiles, columns)
    footer = []
    if len(profiles.treebanks) > 1:
        r = {key: decimal(value, 2) for key, value in profiles.correlations.items()}
        footer.append(
            f"R(content, STTR) = {r['content,sttr']}, R(function, STTR) = {r['function,sttr']}, "
            f"R(content, function) = {r['content,function']}"
        )
    if any(t.sttr is None for t in profiles.treebanks):
        size = counted(profiles.settings.chunk, "word")
        footer.append(f"STTR needs {size} without punctuation; --chunk N asks for fewer")
    footer.append(f"signature  {profiles.signature}")
    return Report(tables, _profile_rows(profiles), profiles.to_dict(), footer)


def _relation_table(profiles: Profiles) -> Table:
    rows = []
    for name, entropy in profiles.entropies.items():
        relations = [t.relations[name] for t in profiles.treebanks if name in t.relations]
        words = sum(relation.words for relation in relations)
        rows.append([name, profiles.class_of(name), str(len(relations)), f"{words:,}", decimal(entropy, 3)])
    return Table(["relation", "class", "treebanks", "words", "WDE"], rows, "nlrrr")


def _entropy_tables(profiles: Profiles, columns: int) -> Iterator[Table]:
    """Yield tables of the WDE of each relation, with as many treebanks abreast as fit."""
    labels = widest(["relation", *profiles.entropies]) + GAP
    abreast = max(1, (columns - labels) // NUMBER_COLUMN)
    for k in range(0, len(profiles.treebanks), abreast):
        treebanks = profiles.treebanks[k : k + abreast]
        rows = [
            [
                name,
                *(decimal(t.relations[name].entropy if name in t.relations else None, 3) for t in treebanks),
            ]
            for name in profiles.entropies
        ]
        yield Table(["relation", *(t.name for t in treebanks)], rows)


def _profile_rows(profiles: Profiles) -> Table:
    """Make the table for CSV: a row per treebank, relation and measure; ratios from 0 to 1."""
    rows = []
    for t in profiles.treebanks:
        counts = {
            "sentences": t.sentences, "tokens": t.tokens, "words": t.words, "types": t.types,
            "featured": t.featured, "trees": t.trees, "nonprojective": t.nonprojective,
        }  # fmt: skip
        rows += [[t.name, "", measure, str(count)] for measure, count in counts.items()]
        ratios = {
            "nonprojective_share": t.nonprojective_share, "content_share": t.share("content"),
            "function_share": t.share("function"), "sttr": t.sttr,
        }  # fmt: skip
        rows += [[t.name, "", measure, exact(value)] for measure, value in ratios.items()]
        for relation, numbers in t.relations.items():
            measures = {"words": numbers.words, "types": numbers.types, "wde": numbers.entropy}
            rows += [[t.name, relation, measure, str(value)] for measure, value in measures.items()]
    rows += [["", relation, "averaged_wde", str(value)] for relation, value in profiles.entropies.items()]
    return Table(["treebank", "relation", "measure", "value"], rows, "nnnr")


def report_weights(profiles: Profiles) -> Report:
    """Report the weight of each relation for WLAS."""
    from evalign.typology.profiles import weights_json

    weights = profiles.entropies.items()
    rows = [[name, profiles.class_of(name), decimal(weight, 3)] for name, weight in weights]
    long = [[name, profiles.class_of(name), str(weight)] for name, weight in weights]
    headers = ["relation", "class", "weight"]
    return Report(
        [Table(headers, rows, "nlr")],
        Table(headers, long, "nlr"),
        weights_json(profiles),
        [
            f"{counted(len(profiles.treebanks), 'treebank')}; any other relation weighs {profiles.settings.missing}",
            f"signature  {profiles.signature}",
        ],
    )


def report_comparison(comparison: TreebankComparison, columns: int | None = None) -> Report:
    """Report scores of treebanks, correlations between measures, and the variance over the best treebanks.

    Sizes of gold stand beside the scores, or in a table of their own if that would be wider than `columns`.
    """
    footer = [
        "Scores and shares are percentages; then Pearson's r; then the variance over the best n treebanks."
        + (
            " Last, r of STTR and what LAS has more than another score."
            if comparison.sttr_correlations
            else ""
        ),
        f"signature  {comparison.signature}",
    ]
    tables = [
        *_add_sizes(
            score_table(comparison, comparison.measures), [t.size for t in comparison.treebanks], columns
        ),
        correlation_table(comparison),
        variance_table(comparison),
        sttr_table(comparison),
    ]
    return Report(tables, _comparison_rows(comparison), comparison.to_dict(), footer)


def _add_sizes(table: Table, sizes: Sequence[DocumentSize | None], columns: int | None) -> list[Table]:
    """Add the sizes of gold to a table of treebanks; as a table before it if it would exceed `columns`."""
    if not any(sizes):
        return [table]
    cells = [[f"{count:,}" for count in size] if size else [""] * len(SIZES) for size in sizes]
    sized = Table(
        [table.headers[0], *SIZES, *table.headers[1:]],
        [[row[0], *cell, *row[1:]] for row, cell in zip(table.rows, cells, strict=True)],
    )
    if columns is None or sized.width <= columns:
        return [sized]
    return [sized.choose(range(1 + len(SIZES))), table]


def score_table(comparison: TreebankComparison, measures: Sequence[str], show: Show = percent) -> Table:
    """Return Figure 4 as a table: a row per treebank, LAS in the first column."""
    ordered = sorted(measures, key=lambda name: name != LAS)
    rows = [[t.name, *(show(t.values[name]) for name in ordered)] for t in comparison.treebanks]
    return Table(["", *(LABELS[name] for name in ordered)], rows)


def correlation_table(comparison: TreebankComparison, show: Show = decimal) -> Table:
    """Return Table 3: the upper half of the matrix of correlations."""
    measures, correlations = comparison.measures, comparison.correlations
    rows = [
        [LABELS[a], *(show(correlations[a, b].r) if (a, b) in correlations else "" for b in measures[1:])]
        for a in measures[:-1]
    ]
    return Table(["r", *(LABELS[name] for name in measures[1:])], rows)


def sttr_table(comparison: TreebankComparison, show: Show = decimal) -> Table:
    """Return the correlations of section 7: STTR with LAS minus another score."""
    rows = [
        [f"LAS - {LABELS[less]}", show(correlation.r), str(correlation.treebanks)]
        for less, correlation in comparison.sttr_correlations.items()
    ]
    return Table(["r", "STTR", "treebanks"], rows)


def show_variance(value: float | None) -> str:
    """Format a variance of scores from 0 to 1 with five decimals, as it is small."""
    return decimal(value, 5)


def variance_table(comparison: TreebankComparison, show: Show = show_variance) -> Table:
    """Return Figure 5 as a table: row n has the variances over the best n treebanks."""
    measures = sorted(comparison.scores, key=lambda name: name != LAS)
    steps = {m: [value for _, value in comparison.cumulative_variance(m)] for m in measures}
    rows = [
        [str(n + 1), *(show(steps[m][n]) if n < len(steps[m]) else "" for m in measures)]
        for n in range(max(map(len, steps.values()), default=0))
    ]
    return Table(["n", *(LABELS[m] for m in measures)], rows, "r" * (1 + len(measures)))


def _comparison_rows(comparison: TreebankComparison) -> Table:
    rows = [
        ["size", t.name, measure, "", str(count)]
        for t in comparison.treebanks
        if t.size
        for measure, count in t.size._asdict().items()
    ]
    rows += [
        ["value", t.name, measure, "", exact(t.values[measure])]
        for t in comparison.treebanks
        for measure in comparison.measures
    ]
    rows += [
        ["correlation", "", a, b, exact(correlation.r)]
        for (a, b), correlation in comparison.correlations.items()
    ]
    rows += [
        ["difference", t.name, LAS, less, exact(value)]
        for t in comparison.treebanks
        for less, value in t.differences.items()
        if value is not None
    ]
    rows += [
        ["correlation", "", f"{LAS}-{less}", STTR, exact(correlation.r)]
        for less, correlation in comparison.sttr_correlations.items()
    ]
    rows += [
        ["variance", name, measure, str(n), exact(value)]
        for measure in comparison.scores
        for n, (name, value) in enumerate(comparison.cumulative_variance(measure), 1)
    ]
    return Table(["kind", "treebank", "measure", "with", "value"], rows, "nnnnr")


def report_selection(selection: Selection) -> Report:
    """Report each treebank with the values that decide (Table 1 for those kept), and why it is left out."""
    headers = ["", "language", "tokens", "non-proj", "features", ""]
    rows = [[*_choice_cells(choice), _verdict(choice)] for choice in selection.choices]
    long = [
        [
            choice.profile.name, choice.language, str(choice.profile.tokens),
            exact(choice.profile.nonprojective_share), str(choice.profile.featured),
            exact(choice.profile.featured_share), " ".join(choice.reasons) or "kept",
        ]
        for choice in selection.choices
    ]  # fmt: skip
    removed = ", ".join(f"{count} {REASONS[reason]}" for reason, count in selection.removed.items())
    footer = [
        f"{counted(len(selection.kept), 'treebank')} of {len(selection.choices)} kept"
        + (f"; left out: {removed}" if removed else ""),
        f"signature  {selection.signature}",
    ]
    long_headers = [
        "treebank",
        "language",
        "tokens",
        "nonprojective_share",
        "featured",
        "featured_share",
        "verdict",
    ]
    return Report(
        [Table(headers, rows, "nnrrrl")], Table(long_headers, long, "nnrrrrl"), selection.to_dict(), footer
    )


def _choice_cells(choice: Choice) -> list[str]:
    profile = choice.profile
    shares = map(percent, (profile.nonprojective_share, profile.featured_share))
    return [profile.name, choice.language, f"{profile.tokens:,}", *shares]


def _verdict(choice: Choice) -> str:
    return ", ".join(REASONS[reason] for reason in choice.reasons) or "kept"


def report_agreements(agreements: Agreements) -> Report:
    """Report Spearman's rho of each measure, and the number of judgements it was computed over."""
    rows = [[LABELS[a.measure], decimal(a.rho, 2), str(a.judgements)] for a in agreements.measures]
    long = [[a.measure, exact(a.rho), str(a.judgements)] for a in agreements.measures]
    headers = ["measure", "rho", "judgements"]
    footer = [
        f"{counted(agreements.judgements, 'judgement')}; a sentence without a measure is left out for that measure",
        f"signature  {agreements.signature}",
    ]
    return Report([Table(headers, rows)], Table(headers, long), agreements.to_dict(), footer)


def report_run_agreements(agreements: RunAgreements) -> Report:
    """Report Table 4: a row per treebank, a column per measure."""
    treebanks = agreements.treebanks
    named = dict.fromkeys(a.measure for one in treebanks.values() for a in one.measures)
    rho = {(name, a.measure): a.rho for name, one in treebanks.items() for a in one.measures}
    rows = [
        [name, *(decimal(rho.get((name, measure)), 2) for measure in named), str(one.judgements)]
        for name, one in treebanks.items()
    ]
    long = [
        [name, a.measure, exact(a.rho), str(a.judgements)]
        for name, one in treebanks.items()
        for a in one.measures
    ]
    signatures = dict.fromkeys(one.signature for one in treebanks.values())
    footer = [
        "Spearman's rho of the preference and of the difference between the scores of the sentence.",
        f"signature  {join_signatures(signatures, treebanks=str(len(treebanks)))}",
    ]
    headers = ["", *(LABELS[measure] for measure in named), "judgements"]
    long_headers = ["treebank", "measure", "rho", "judgements"]
    return Report([Table(headers, rows)], Table(long_headers, long, "nnrr"), agreements.to_dict(), footer)


def report_cascades(
    cascades: Mapping[str, TreebankCascades], root_heads: RootHeads, columns: int | None = None
) -> Report:
    """Report Table 5: a row per treebank, with the sizes of gold."""
    sizes = [one.size for one in cascades.values()]
    long = [
        [name, kind, str(cascade.wrong), str(cascade.head_right), exact(cascade.share), *_size_cells(one)]
        for name, one in cascades.items()
        for kind, cascade in one.cascades._asdict().items()
    ]
    versions = "+".join(sorted({one.version for one in cascades.values()}))
    signature = f"evalign:{__version__}|relations:{versions}|root-heads:{root_heads}"
    saved = {
        "schema": 1,
        "version": __version__,
        "kind": "cascades",
        "signature": signature,
        "treebanks": [_saved_cascades(name, one) for name, one in cascades.items()],
    }
    footer = [
        "Of the words attached wrongly, how many percent have a head that is attached rightly.",
        f"signature  {signature}",
    ]
    long_headers = ["treebank", "kind", "wrong", "head_right", "share", "sentences", "tokens"]
    tables = _add_sizes(cascade_table(cascades), sizes, columns)
    return Report(tables, Table(long_headers, long, "nnrrrrr"), saved, footer)


def _size_cells(cascades: TreebankCascades) -> list[str]:
    return [str(count) for count in cascades.size] if cascades.size else [""] * len(SIZES)


def cascade_table(cascades: Mapping[str, TreebankCascades], show: Show = percent) -> Table:
    """Return Table 5: per treebank, the shares of wrongly attached words whose head is attached correctly."""
    rows = [[name, *(show(cascade.share) for cascade in one.cascades)] for name, one in cascades.items()]
    return Table(["", "C lab.", "C unlab.", "F lab.", "F unlab."], rows)


def _saved_cascades(name: str, cascades: TreebankCascades) -> dict[str, object]:
    saved: dict[str, object] = {"name": name, "labels": cascades.version}
    if cascades.size:
        saved["size"] = cascades.size._asdict()
    for kind, cascade in cascades.cascades._asdict().items():
        saved[kind] = {"wrong": cascade.wrong, "head_right": cascade.head_right, "share": cascade.share}
    return saved
