"""What evalb's options -d and -D print about each sentence.

-d prints words and brackets in tables; -D also prints how lines are read and which brackets are compared. The
counts are those of the kernel. The steps towards them are repeated here for display, one step per line.
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
    """A bracket of one side as it is shown: its span in words, label and result, and where its text is."""

    __slots__ = ("end", "is_known", "label", "line", "place", "result", "start")

    def __init__(self, start: int, end: int, label: bytes, result: int, line: bytes, place: slice) -> None:
        self.start, self.end, self.label, self.result = start, end, label, result
        self.line, self.place = line, place  # cut out when printed, because texts of nested brackets overlap
        self.is_known = False

    def print(self, kind: bytes) -> bytes:
        """Render a line about the bracket, beginning with `kind`."""
        return b"  %s[%d-%d]: %s\n" % (kind, self.start, self.end - 1, self.line[self.place])


class DebugPrinter:
    """Prints the sentences of a scorer that reads one line at a time."""

    def __init__(self, scorer: LineScorer, write: Callable[[bytes], object]) -> None:
        self.scorer, self.write = scorer, write
        self.is_full = scorer.parameters.debug > 1

    def sentences(self) -> Iterator[int]:
        """Count and print sentence after sentence; yield 1 when a sentence's line of the table is due."""
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
        """Return whether brackets were compared: only if the words of both sides are the same."""
        return self.scorer.counts[0, 6] > 0

    def follow(self, lines: TreeFile) -> Trace:
        """Trace how the current line is read, printing steps and messages in their order."""
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
        """List all brackets of a sentence that are not preterminals."""
        labels = self.scorer.table.labels()
        line, places = lines.line(0), trace.places()
        return [
            Bracket(side.starts[k], side.ends[k], labels[side.names[k]], side.results[k], line, places[k])
            for k in range(side.cuts[1])
        ]

    def compare(self, gold: list[Bracket], test: list[Bracket]) -> Iterator[bytes]:
        """Yield a line for every comparison of two brackets, then lines for extra and for crossing ones."""
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
        """Render the tables of words and brackets, gold on the left, test on the right."""
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
        """List tag and word of each leaf that is kept."""
        labels, scanner = self.scorer.table.labels(), lines.scanner
        leaves = [side.words[k] for k in range(side.n_words)]
        return [(labels[scanner.labels[scanner.leaf_nodes[leaf]]], lines.word(leaf)) for leaf in leaves]


def _print_crossing(gold: list[Bracket], test: list[Bracket]) -> Iterator[bytes]:
    """Yield a line for the first gold bracket that each test bracket crosses.

    The same gold bracket is not printed twice in a row.
    """
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


# How evalb reads a line, step by step: what -D prints about it, and where the text of each bracket is.


class Trace:
    """The printed steps of reading a line, and the brackets of the line.

    For each bracket that is not a preterminal, `starts` has the offset where its label ends, and `ends` the
    offset where it is closed (None if it is never closed).
    """

    def __init__(self) -> None:
        self.steps: list[bytes] = []
        self.starts: list[int] = []
        self.ends: list[int | None] = []
        self.open: list[int] = []
        self.depth = 0
        self.n_words = 0

    def places(self) -> list[slice]:
        """Return for each bracket the slice of the line from the end of its label to where it is closed.

        The slice of a bracket that is never closed reaches the end of the line.
        """
        return [slice(start, end) for start, end in zip(self.starts, self.ends, strict=True)]

    def open_bracket(self, at: int) -> None:
        """Open a bracket whose label ends at `at`."""
        self.open.append(len(self.starts))
        self.starts.append(at)
        self.ends.append(None)
        self.depth += 1

    def close_bracket(self, at: int) -> None:
        """Close the innermost open bracket at `at`."""
        if self.depth < 0:
            self.steps.append(CLOSED_TOO_OFTEN)
        if self.open:
            self.ends[self.open.pop()] = at
        self.depth -= 1


def trace_line(line: bytes, deleted: Collection[bytes]) -> Trace:
    """Trace the reading of `line`, to its end or to where it cannot be read."""
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
    """Read the label and word of a bracket whose text begins at `start`; return where the next step begins.

    Adds to `trace` what evalb -D prints for it. A word is counted unless its label is in `deleted`.
    """
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
        return len(line)  # a third element makes the line unreadable
    trace.open_bracket(label_end)
    return end


def _text_end(line: bytes, at: int) -> int:
    while at < len(line) and line[at] not in _BRACKETS and line[at] not in _SPACES:
        at += 1
    return at


# The repair of quotes, as -D shows it. evalb puts back a deleted quote where the other side has kept one.


class Quotes:
    """The quotes of one side of a sentence, and how often each leaf is kept.

    A leaf whose tag is deleted is kept 0 times, any other once; each time that a quote is put back adds one.
    """

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
        """Render place, tag and word of quote `k`; empty if there is none."""
        if k >= len(self.leaves):
            return b""
        return b"%d: %s - %s\n" % (self.places[k], self.tags[self.leaves[k]], self.words[k])

    def put_back(self, k: int) -> Iterator[bytes]:
        """Put quote `k` back.

        Yields a line about the quote, a line for each bracket, and a line with the number of brackets that
        begin before the quote and are still open there.
        """
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
    """Render the repair of quotes: the quotes of both sides in turn, then the lines of those put back."""
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
