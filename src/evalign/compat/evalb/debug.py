"""What `-d` and `-D` print of each sentence: words and brackets in tables; how it was read, what was compared.

The counts are the kernel's; what is shown of the way there is gone through again, one step per line.
"""

from __future__ import annotations

from evalign.compat.evalb.quotes import print_repair
from evalign.compat.evalb.trace import CLOSED_TOO_OFTEN, Trace, trace_line
from evalign.kernels.parseval_cy import codes
from evalign.kernels.tables_cy import add_up

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from evalign.compat.evalb.scorer import Lines, Scorer
    from evalign.kernels.parseval_cy import Side

_CODES = codes()
_LEFT_OUT, _UNCOMPARED = _CODES["LEFT_OUT"], _CODES["UNCOMPARED"]


class Bracket:
    """A bracket of one side as it is shown: its span in words, its label, what became of it, where its text is."""

    __slots__ = ("end", "is_known", "label", "line", "place", "result", "start")

    def __init__(self, start: int, end: int, label: bytes, result: int, line: bytes, place: slice) -> None:
        self.start, self.end, self.label, self.result = start, end, label, result
        self.line, self.place = line, place  # cut out where it is printed: brackets stand in brackets
        self.is_known = False

    def print(self, kind: bytes) -> bytes:
        """A line about it."""
        return b"  %s[%d-%d]: %s\n" % (kind, self.start, self.end - 1, self.line[self.place])


class Describer:
    """Describes the sentences of a scorer that reads one line at a time."""

    def __init__(self, scorer: Scorer, write: Callable[[bytes], object]) -> None:
        self.scorer, self.write = scorer, write
        self.is_full = scorer.parameters.debug > 1

    def sentences(self) -> Iterator[int]:
        """Count sentence after sentence; gives 1 where its line of the table is due."""
        scorer = self.scorer
        while scorer.read():
            gold = self.follow(scorer.gold)
            test = self.follow(scorer.test)
            scorer.count(1)
            if self.is_full:
                self.write(b"\n")
                if scorer.test_side.n_quotes or scorer.gold_side.n_quotes:
                    self.write(print_repair(scorer))
            scorer.complain_of_words(0)
            sides = (
                self.brackets(scorer.gold_side, scorer.gold, gold),
                self.brackets(scorer.test_side, scorer.test, test),
            )
            if self.is_full and self.is_compared():
                self.write(b"".join(self.compare(*sides)))
            add_up(scorer.counts, 1, scorer.parameters.cutoff, scorer.sums)
            yield 1
            self.write(self.print_tables(*sides))
            scorer.advance(1)
        if scorer.gold.n:
            self.follow(scorer.gold)
        scorer.complain_of_lines()

    def is_compared(self) -> bool:
        """Whether the words of both sides are the same."""
        return self.scorer.counts[0, 6] > 0

    def follow(self, lines: Lines) -> Trace:
        """Show how a line is read, and say what is wrong with it, in turn."""
        scorer = self.scorer
        trace = trace_line(lines.line(0), scorer.labels.deleted)
        for step in trace.steps:
            if step is CLOSED_TOO_OFTEN:
                scorer.complaints.say(scorer.number, step)
            elif self.is_full:
                self.write(step)
        lines.complain_at_end(0, scorer.number, scorer.complaints)
        return trace

    def brackets(self, side: Side, lines: Lines, trace: Trace) -> list[Bracket]:
        """All brackets of a sentence that are no preterminals."""
        labels = self.scorer.table.labels()
        line, places = lines.line(0), trace.places()
        return [
            Bracket(side.starts[k], side.ends[k], labels[side.names[k]], side.results[k], line, places[k])
            for k in range(side.cuts[1])
        ]

    def compare(self, gold: list[Bracket], test: list[Bracket]) -> Iterator[bytes]:
        """Every comparison of two brackets, then those that are extra or cross others."""
        equals, labeled = self.scorer.labels.equals, self.scorer.parameters.labeled
        results = {id(bracket): _LEFT_OUT * (bracket.result == _LEFT_OUT) for bracket in (*gold, *test)}
        for a in gold:
            for b in test:
                yield b"1.res=%d, 2.res=%d, 1.start=%d, 2.start=%d, 1.end=%d, 2.end=%d\n" % (
                    results[id(a)], results[id(b)], a.start, b.start, a.end, b.end,
                )  # fmt: skip
                is_same = (a.start, a.end) == (b.start, b.end)
                if is_same and results[id(a)] == results[id(b)] == 0:
                    if not labeled or equals(a.label, b.label):
                        results[id(a)] = results[id(b)] = 1
                        break
                    a.is_known = b.is_known = True
                    yield a.print(b"LABEL")
            if results[id(a)] == 0 and not a.is_known:
                yield a.print(b"BRACKET")
        for b in test:
            if results[id(b)] == 0 and not b.is_known:
                yield b.print(b"EXTRA")
        yield from _print_crossing(gold, test)

    def print_tables(self, gold: list[Bracket], test: list[Bracket]) -> bytes:
        """Words and brackets, gold on the left, test on the right."""
        scorer = self.scorer
        words = self.words(scorer.gold_side, scorer.gold), self.words(scorer.test_side, scorer.test)
        head = b"-<1>---(wn1=%3d, bn1=%3d)-           -<2>---(wn2=%3d, bn2=%3d)-\n" % (
            len(words[0]), len(gold), len(words[1]), len(test),
        )  # fmt: skip
        equals, is_compared = scorer.labels.equals, self.is_compared()
        lines = [head]
        for k in range(max(map(len, words))):
            pair = [side[k] if k < len(side) else (b"", b"") for side in words]
            result = equals(pair[0][0], pair[1][0]) if is_compared else _UNCOMPARED
            cells = [b"%3d : %d : %-6s  %-16s" % (k, result, tag, word) * (word != b"") for tag, word in pair]
            lines.append(_join(cells, 34))
        lines.append(b"\n")
        for k in range(max(len(gold), len(test))):
            cells = [
                b"%3d : %d : %3d  %3d  %-6s" % (k, side[k].result, side[k].start, side[k].end, side[k].label)
                if k < len(side)
                else b""
                for side in (gold, test)
            ]
            lines.append(_join(cells, 26))
        lines.append(b"\n========\n")
        return b"".join(lines)

    def words(self, side: Side, lines: Lines) -> list[tuple[bytes, bytes]]:
        """Tag and word of all that are kept."""
        labels, scanner = self.scorer.table.labels(), lines.scanner
        leaves = [side.words[k] for k in range(side.n_words)]
        return [(labels[scanner.labels[scanner.leaf_nodes[leaf]]], lines.word(leaf)) for leaf in leaves]


def _print_crossing(gold: list[Bracket], test: list[Bracket]) -> Iterator[bytes]:
    """The first gold bracket that each test bracket crosses, unless it is the one before."""
    last: Bracket | None = None
    for b in test:
        for a in gold:
            if _LEFT_OUT in (a.result, b.result):
                continue
            if a.start < b.start < a.end < b.end or b.start < a.start < b.end < a.end:
                if a is not last:
                    yield a.print(b"CROSSING")
                last = a
                break


def _join(cells: list[bytes], width: int) -> bytes:
    return (cells[0] or b" " * width) + b"      " + cells[1] + b"\n"
