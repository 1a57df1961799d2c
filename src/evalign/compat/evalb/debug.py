"""What `-d` and `-D` print of each sentence: words and brackets in tables; how it was read, what was compared.

The counts are the kernel's; what is shown of the way there is gone through again, one step per line.
"""

from __future__ import annotations

from itertools import accumulate

from evalign.kernels.evalb_cy import add_up, codes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from evalign.compat.evalb.scorer import LineScorer, TreeFile
    from evalign.kernels.evalb_cy import EvalbTrees


_CODES = codes()
_LEFT_OUT, _UNCOMPARED = _CODES["LEFT_OUT"], _CODES["UNCOMPARED"]

CLOSED_TOO_OFTEN = b"Bracketing unbalance (too many close bracket)"

_BRACKETS = b"()"
_SPACES = b" \t\n\v\f\r"


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


class DebugPrinter:
    """Describes the sentences of a scorer that reads one line at a time."""

    def __init__(self, scorer: LineScorer, write: Callable[[bytes], object]) -> None:
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

    def follow(self, lines: TreeFile) -> Trace:
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

    def brackets(self, side: EvalbTrees, lines: TreeFile, trace: Trace) -> list[Bracket]:
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

    def words(self, side: EvalbTrees, lines: TreeFile) -> list[tuple[bytes, bytes]]:
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


# How evalb reads a line, step by step: what -D prints of it, and where the text of each bracket is.


class Trace:
    """The steps, and of each bracket that is no preterminal where its label ends and where it is closed."""

    def __init__(self) -> None:
        self.steps: list[bytes] = []
        self.starts: list[int] = []
        self.ends: list[int | None] = []
        self.open: list[int] = []
        self.depth = 0
        self.n_words = 0

    def places(self) -> list[slice]:
        """Where in the line each bracket goes on behind its label; one that is never closed does so to the end."""
        return [slice(start, end) for start, end in zip(self.starts, self.ends, strict=True)]

    def open_bracket(self, at: int) -> None:
        """A bracket whose label ends at `at`."""
        self.open.append(len(self.starts))
        self.starts.append(at)
        self.ends.append(None)
        self.depth += 1

    def close_bracket(self, at: int) -> None:
        """Close what was opened last."""
        if self.depth < 0:
            self.steps.append(CLOSED_TOO_OFTEN)
        if self.open:
            self.ends[self.open.pop()] = at
        self.depth -= 1


def trace_line(line: bytes, deleted: Collection[bytes]) -> Trace:
    """Go through a line up to its end, or to where it cannot be read."""
    trace = Trace()
    at = 0
    while at < len(line) and line[at] != 0:
        byte = line[at : at + 1]
        if byte == b"(":
            at = _trace_bracket(trace, line, at + 1, deleted)
        elif byte == b")":
            trace.close_bracket(at)
            at += 1
        elif byte in _SPACES:
            at += 1
        else:
            break
    return trace


def _trace_bracket(trace: Trace, line: bytes, start: int, deleted: Collection[bytes]) -> int:
    """Read label and word of a bracket; returns where to go on."""
    label_end = _text_end(line, start)
    word = label_end
    while word < len(line) and line[word] in _SPACES:
        word += 1
    end = _text_end(line, word)
    if word == label_end and label_end < len(line):
        trace.open_bracket(label_end)
        return label_end
    label = line[start:label_end].partition(b"\0")[0]
    trace.steps.append(
        b"label=%s, word=%s, wid=%d\n" % (label, line[word:end].partition(b"\0")[0], trace.n_words)
    )
    if line[end : end + 1] == b")":
        trace.n_words += label not in deleted
        return end + 1
    if end > word:
        return len(line)  # another element: it cannot be read
    trace.open_bracket(label_end)
    return end


def _text_end(line: bytes, at: int) -> int:
    while at < len(line) and line[at] not in _BRACKETS and line[at] not in _SPACES:
        at += 1
    return at


# The repair of quotes, as -D shows it: which quotes there are, and what is put back.


class Quotes:
    """One side of a sentence: its quotes, and how many copies of each leaf are kept."""

    def __init__(self, scorer: LineScorer, lines: TreeFile, side: EvalbTrees) -> None:
        scanner = lines.scanner
        labels = scorer.table.labels()
        self.scanner = scanner
        self.tags = [labels[scanner.labels[scanner.leaf_nodes[leaf]]] for leaf in range(scanner.n_leaves)]
        self.copies = [int(tag not in scorer.labels.deleted) for tag in self.tags]
        self.back = [0] * len(self.tags)
        self.leaves = [side.quotes[k] for k in range(side.n_quotes)]
        before = list(accumulate(self.copies, initial=0))
        self.places = [before[leaf] for leaf in self.leaves]
        self.words = [lines.word(leaf) for leaf in self.leaves]
        self.was_kept = [self.copies[leaf] for leaf in self.leaves]

    def print(self, k: int) -> bytes:
        """Place, tag and word of a quote, if there is a kth."""
        if k >= len(self.leaves):
            return b""
        return b"%d: %s - %s\n" % (self.places[k], self.tags[self.leaves[k]], self.words[k])

    def put_back(self, k: int) -> Iterator[bytes]:
        """Put a quote back; tells the brackets before, and how many of them are open there."""
        leaf, scanner = self.leaves[k], self.scanner
        node = scanner.leaf_nodes[leaf]
        nodes = [other for other in range(scanner.n_nodes) if not scanner.kinds[other]]
        yield b"bra=%d, ind=%d\n" % (sum(other < node for other in nodes), self.places[k])
        before = list(accumulate(self.copies, initial=0))
        back = list(accumulate(self.back, initial=0))
        n_open = 0
        for number, other in enumerate(nodes):
            start, end = scanner.firsts[other], scanner.lasts[other]
            last = before[end] if end >= 0 else back[-1] - back[start] - 1
            yield b"bracket[%d]={%d,%d}\n" % (number, before[start], last)
            n_open += other < node and not 0 <= end <= leaf
        yield b"endslen=%d\n" % n_open
        self.copies[leaf] += 1
        self.back[leaf] += 1
        self.places[k:] = [place + 1 for place in self.places[k:]]


def print_repair(scorer: LineScorer) -> bytes:
    """The quotes of both sides in turn, then each that is put back."""
    gold = Quotes(scorer, scorer.gold, scorer.gold_side)
    test = Quotes(scorer, scorer.test, scorer.test_side)
    n = max(len(gold.leaves), len(test.leaves))
    lines = [side.print(k) for k in range(n) for side in (gold, test)]
    for j in range(len(test.leaves)):
        for i in range(len(gold.leaves)):
            if (
                gold.places[i] == test.places[j]
                and gold.was_kept[i] != test.was_kept[j]
                and gold.tags[gold.leaves[i]] != test.tags[test.leaves[j]]
            ):
                lines += test.put_back(j) if gold.was_kept[i] else gold.put_back(i)
                break
    return b"".join(lines)
