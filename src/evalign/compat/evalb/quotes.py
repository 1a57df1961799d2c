"""The repair of quotes, as `-D` shows it: which quotes there are, and what is put back."""

from __future__ import annotations

from itertools import accumulate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from evalign.compat.evalb.scorer import Lines, Scorer
    from evalign.kernels.parseval_cy import Side


class Quotes:
    """One side of a sentence: its quotes, and how many copies of each leaf are kept."""

    def __init__(self, scorer: Scorer, lines: Lines, side: Side) -> None:
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


def print_repair(scorer: Scorer) -> bytes:
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
