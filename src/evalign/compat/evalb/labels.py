"""What the parameters say of each label, in the form the kernel wants."""

from __future__ import annotations

from evalign.kernels.buffers import flags, ints
from evalign.kernels.parseval_cy import Labels, codes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.kernels.brackets_cy import LabelTable
    from evalign.readers.parameters import Parameters

_CODES = codes()
_DELETED, _UNCOUNTED = _CODES["DELETED"], _CODES["UNCOUNTED"]
_QUOTE, _DELETED_BRACKET = _CODES["QUOTE"], _CODES["DELETED_BRACKET"]


def strip_label(label: bytes) -> bytes:
    """A label without its functions: up to the first hyphen or equals sign.

    >>> strip_label(b"NP-SBJ=2"), strip_label(b"-NONE-")
    (b'NP', b'')
    """
    return label.partition(b"-")[0].partition(b"=")[0]


class Equals:
    """Which labels, or words, are taken as equal: either way round, but not across a third one."""

    def __init__(self, pairs: tuple[tuple[bytes, bytes], ...]) -> None:
        self.pairs = frozenset(pairs) | frozenset((b, a) for a, b in pairs)
        self.others: dict[bytes, set[bytes]] = {}
        for a, b in self.pairs:
            self.others.setdefault(a, set()).add(b)

    def __call__(self, a: bytes, b: bytes) -> bool:
        """Whether a and b are equal, or taken as such."""
        return a == b or (a, b) in self.pairs


class KnownLabels:
    """The labels of a table as the kernel knows them; made anew when there are more than before."""

    def __init__(self, table: LabelTable, parameters: Parameters) -> None:
        self.table = table
        self.equals = Equals(parameters.eq_labels)
        self.deleted = frozenset(parameters.delete_labels)
        self.uncounted = frozenset(parameters.delete_for_length)
        self.quotes = frozenset(parameters.quote_labels)
        # Brackets are left out by any label that is taken as equal to a deleted one.
        self.deleted_brackets = self.deleted.union(
            *(self.equals.others.get(label, ()) for label in self.deleted)
        )
        self.n = -1

    def current(self) -> Labels:
        """What there is to know of all labels of the table."""
        if len(self.table) != self.n:
            stripped = [self.table.add(strip_label(label)) for label in self.table.labels()]
            labels = self.table.labels()
            stripped += range(len(stripped), len(labels))  # the new ones are stripped already
            self.n = len(labels)
            self.known = Labels(self._flags(labels), _column(stripped), *self._others(labels))
        return self.known

    def _flags(self, labels: list[bytes]) -> memoryview:
        column = flags(len(labels))
        for number, label in enumerate(labels):
            column[number] = (
                _DELETED * (label in self.deleted)
                | _UNCOUNTED * (label in self.uncounted)
                | _QUOTE * (label in self.quotes)
                | _DELETED_BRACKET * (label in self.deleted_brackets)
            )
        return column

    def _others(self, labels: list[bytes]) -> tuple[memoryview, memoryview]:
        numbers = {label: number for number, label in enumerate(labels)}
        cuts, others = [0], []
        for label in labels:
            for other in self.equals.others.get(label, ()):
                if other != label and other in numbers:
                    others.append(numbers[other])
            cuts.append(len(others))
        return _column(cuts), _column(others)


def _column(values: list[int]) -> memoryview:
    column = ints(max(len(values), 1))
    for k, value in enumerate(values):
        column[k] = value
    return column
