"""Tables of the results of `bench.alterations`: missed aims, the worst kinds, and two runs side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from bench.shelf import header, row

Row = dict[str, Any]
Run = dict[str, Any]
Pair = tuple[Row, Row]

# The aims: how large a share of what must be found may be lost, and of what is absent may be credited.
TOKENS_LOST = 0.02
SENTENCES_LOST = 0.03
SENTENCES_WRONG = 0.02
UNRELATED_TOKENS = 0.003
# Losses count only if at least this share of the characters is left.
KEPT = 0.5
WORST = 15


def is_bound(each: Row) -> bool:
    """Return whether the aims for losses apply to a row: order kept, half of the characters left."""
    return bool(each["ordered"]) and not each["unrelated"] and each.get("kept", 0) >= KEPT


def share(part: int, whole: int) -> float:
    """Return a part of a whole; 0 if the whole is 0."""
    return part / whole if whole else 0.0


def find_violations(rows: Iterable[Row], few: int = 1) -> list[tuple[float, Row, str]]:
    """Return the rows that miss an aim, each with the factor by which it does and a description, worst first.

    A part of at most `few` is never a violation, whatever its share.
    """
    violations = []
    for each in rows:
        if "error" in each:
            violations.append((float("inf"), each, each["error"]))
            continue
        sentences, tokens = each["sentences"], each["tokens"]
        checks = [("absent sentences credited", sentences["wrong"], sentences["absent"], SENTENCES_WRONG)]
        if each["unrelated"]:
            least = min(tokens["gold"], tokens["system"])
            checks = [("tokens of unrelated text credited", tokens["correct"], least, UNRELATED_TOKENS)]
        if is_bound(each):
            checks.append(("untouched tokens lost", tokens["lost"], tokens["asked"], TOKENS_LOST))
            checks.append(("sentences lost", sentences["lost"], sentences["asked"], SENTENCES_LOST))
        for what, part, whole, aim in checks:
            if part > few and share(part, whole) > aim:
                text = f"{what}: {part:,} of {whole:,} ({share(part, whole):.1%})"
                violations.append((share(part, whole) / aim, each, text))
    return sorted(violations, key=lambda violation: -violation[0])


class Sums:
    """Totals over several rows: asked for, lost, absent, wrong and correct per metric, and seconds."""

    def __init__(self, rows: Iterable[Row]) -> None:
        done = [each for each in rows if "error" not in each]
        self.n_rows = len(done)
        self.seconds = sum(each["seconds"] for each in done)
        self.kept = sum(each["kept"] for each in done) / max(1, len(done))
        names = ("gold", "system", "correct", "asked", "lost", "absent", "wrong")
        for metric in ("sentences", "tokens"):
            sums = {name: sum(each[metric][name] for each in done) for name in names}
            setattr(self, metric, sums)

    sentences: dict[str, int]
    tokens: dict[str, int]

    def lost(self, metric: str) -> float:
        """Return the share of what was asked for that is lost."""
        sums = getattr(self, metric)
        return share(sums["lost"], sums["asked"])


def group(rows: Iterable[Row], key: Callable[[Row], str]) -> dict[str, list[Row]]:
    """Group rows by a key, in the order in which the keys first occur."""
    groups: dict[str, list[Row]] = {}
    for each in rows:
        groups.setdefault(key(each), []).append(each)
    return groups


def _percent(part: int, whole: int) -> str:
    return f"{share(part, whole):.2%}" if whole else ""


def _cells(sums: Sums) -> list[str]:
    s, t = sums.sentences, sums.tokens
    return [
        f"{s['asked']:,}", f"{s['lost']:,}", _percent(s["lost"], s["asked"]),
        f"{t['asked']:,}", f"{t['lost']:,}", _percent(t["lost"], t["asked"]),
        f"{s['absent']:,}", f"{s['wrong']:,}", _percent(s["wrong"], s["absent"]),
    ]  # fmt: skip


LOSSES = (
    "sentences asked", "lost", "%", "tokens asked", "lost", "%", "sentences absent", "credited", "%",
)  # fmt: skip


def print_summary(run: Run) -> None:
    """Print families, worst kinds and missed aims of one run."""
    rows: Sequence[Row] = run["rows"]
    failed = [each for each in rows if "error" in each]
    bound = [each for each in rows if is_bound(each) and "error" not in each]
    print(f"evalign {run['evalign']}, {'compiled' if run['compiled'] else 'plain'}: {len(rows):,} texts in "
          f"{run['seconds']:.0f} s, {len(failed)} of them not done")  # fmt: skip
    print("\nFamilies; losses where the order is kept and half of the characters are left\n")
    header("family", "texts", *LOSSES, "seconds")
    for family, members in [*group(rows, lambda each: each["family"]).items(), ("all", rows)]:
        cells = _cells(Sums(each for each in members if is_bound(each)))
        cells[6:] = _cells(Sums(members))[6:]
        row(family, len(members), *cells, f"{Sums(members).seconds:.1f}")
    _print_worst(bound)
    _print_order(rows)
    _print_violations(rows)


def _print_worst(bound: Sequence[Row]) -> None:
    kinds = {kind: Sums(members) for kind, members in group(bound, lambda each: each["kind"]).items()}
    worst = sorted(kinds, key=lambda kind: -max(kinds[kind].lost("sentences"), kinds[kind].lost("tokens")))
    print(f"\nWorst {WORST} kinds\n")
    header("kind", "characters left", *LOSSES)
    for kind in worst[:WORST]:
        row(kind, f"{kinds[kind].kept:.0%}", *_cells(kinds[kind]))


def _print_order(rows: Sequence[Row]) -> None:
    others = [each for each in rows if not each["ordered"] or each["unrelated"]]
    print("\nOther order, and unrelated text: what is credited\n")
    header("kind", "sentences correct", "of", "tokens correct", "of", "%")
    for kind, members in group(others, lambda each: each["kind"]).items():
        s, t = Sums(members).sentences, Sums(members).tokens
        row(kind, f"{s['correct']:,}", f"{s['gold']:,}", f"{t['correct']:,}", f"{t['gold']:,}",
            _percent(t["correct"], t["gold"]))  # fmt: skip


def _print_violations(rows: Sequence[Row], most: int = 30) -> None:
    violations = find_violations(rows)
    print(f"\n{len(violations):,} aims missed, in {len({each['kind'] for _, each, _ in violations})} kinds\n")
    for _, each, text in violations[:most]:
        print(f"{each['treebank']} {each['size']} {each['kind']}: {text}")
    if len(violations) > most:
        print(f"... and {len(violations) - most:,} more")


def print_comparison(before: Run, after: Run, *, by: str = "kind", markdown: bool = False) -> None:
    """Print two runs side by side, by kind or family, for the texts that both have.

    Texts that either run did not finish are counted separately and left out of the sums.
    """
    pairs = _pair_rows(before, after)
    failed = [sum("error" in pair[side] for pair in pairs) for side in (0, 1)]
    aims = [len(find_violations(pair[side] for pair in pairs)) for side in (0, 1)]
    print(f"{len(pairs):,} texts; not done: {failed[0]} before, {failed[1]} after")
    print(f"aims missed: {aims[0]:,} before, {aims[1]:,} after\n")
    done = [pair for pair in pairs if not any("error" in each for each in pair)]
    show = _markdown_row if markdown else _text_row
    columns = (
        "characters left",
        "sentences lost %",
        "tokens lost %",
        "absent credited %",
        "aims missed",
        "seconds",
    )
    _head(show, by, columns)
    ordered = [pair for pair in done if pair[0]["ordered"] and not pair[0]["unrelated"]]
    for name, members in [*_group_pairs(ordered, by).items(), ("all", ordered)]:
        _show_losses(show, name, members)
    print()
    columns = ("sentences correct", "tokens correct", "tokens correct %", "seconds")
    _head(show, "other order or unrelated", columns)
    others = [pair for pair in done if not pair[0]["ordered"] or pair[0]["unrelated"]]
    for name, members in _group_pairs(others, "kind").items():
        sides = _sums(members)
        show(
            name,
            " > ".join(f"{s.sentences['correct']:,}" for s in sides),
            " > ".join(f"{s.tokens['correct']:,}" for s in sides),
            _arrow(*(share(s.tokens["correct"], s.tokens["gold"]) for s in sides)),
            " > ".join(f"{s.seconds:.0f}" for s in sides),
        )


def _show_losses(show: Callable[..., None], name: str, members: Sequence[Pair]) -> None:
    sides = _sums(members)
    bound = _sums([pair for pair in members if is_bound(pair[0])])
    missed = [len(find_violations(pair[side] for pair in members)) for side in (0, 1)]
    is_asked = bound[0].n_rows > 0
    show(
        name,
        f"{sides[0].kept:.0%}",
        _arrow(*(s.lost("sentences") for s in bound)) if is_asked else "not asked",
        _arrow(*(s.lost("tokens") for s in bound)) if is_asked else "not asked",
        _arrow(*(share(s.sentences["wrong"], s.sentences["absent"]) for s in sides))
        if sides[0].sentences["absent"]
        else "",
        " > ".join(map(str, missed)),
        " > ".join(f"{s.seconds:.0f}" for s in sides),
    )


def _sums(pairs: Sequence[Pair]) -> list[Sums]:
    return [Sums(pair[side] for pair in pairs) for side in (0, 1)]


def _group_pairs(pairs: Iterable[Pair], by: str) -> dict[str, list[Pair]]:
    groups: dict[str, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(pair[0][by], []).append(pair)
    return groups


def _head(show: Callable[..., None], name: str, columns: Sequence[str]) -> None:
    show(name, *columns)
    if show is _markdown_row:
        print("|---|" + "--:|" * len(columns))


def _pair_rows(before: Run, after: Run) -> list[Pair]:
    earlier = {(each["treebank"], each["size"], each["kind"]): each for each in before["rows"]}
    keys = [(each["treebank"], each["size"], each["kind"]) for each in after["rows"]]
    return [(earlier[key], each) for key, each in zip(keys, after["rows"], strict=True) if key in earlier]


def _arrow(before: float, after: float) -> str:
    return f"{100 * before:.2f} > {100 * after:.2f}"


def _markdown_row(*cells: str) -> None:
    row(*(cell.replace(" > ", " → ") for cell in cells))


def _text_row(*cells: str) -> None:
    print(f"{cells[0]:30}" + "".join(f"{cell:>20}" for cell in cells[1:]))
