"""What the parameters say of each label, in the form the kernel wants."""

from __future__ import annotations

from evalign.kernels.buffers import flags, ints
from evalign.kernels.parseval_cy import Labels, codes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.kernels.brackets_cy import LabelTable
    from evalign.readers import Parameters

_CODES = codes()
_DELETED, _UNCOUNTED = _CODES["DELETED"], _CODES["UNCOUNTED"]
_QUOTE, _DELETED_BRACKET = _CODES["QUOTE"], _CODES["DELETED_BRACKET"]

# Labels there is room for at first.
_ROOM = 256


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
    """The labels of a table as the kernel knows them; those that are new are added, the others stay as they are."""

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
        # Labels that are taken as equal to others have their numbers first: no later label changes what is known of
        # them.
        for label in self.equals.others:
            table.add(label)
        self.others = ints(max(len(self.equals.pairs), 1))
        self.n = self.n_others = 0
        self.flags, self.stripped, self.cuts = flags(_ROOM), ints(_ROOM), ints(_ROOM + 1)
        self.known = Labels(self.flags, self.stripped, self.cuts, self.others)

    def current(self) -> Labels:
        """What there is to know of all labels of the table; it costs as much as there are new ones."""
        labels = self.table.labels()
        while self.n < len(labels):  # a label that is stripped may add another
            if self.n == len(self.flags):
                self._grow()
            self._add(labels[self.n])
        return self.known

    def _add(self, label: bytes) -> None:
        self.flags[self.n] = (
            _DELETED * (label in self.deleted)
            | _UNCOUNTED * (label in self.uncounted)
            | _QUOTE * (label in self.quotes)
            | _DELETED_BRACKET * (label in self.deleted_brackets)
        )
        self.stripped[self.n] = self.table.add(strip_label(label))
        for other in self.equals.others.get(label, ()):
            if other != label:
                self.others[self.n_others] = self.table.add(other)
                self.n_others += 1
        self.n += 1
        self.cuts[self.n] = self.n_others

    def _grow(self) -> None:
        """Room for twice as many."""
        room = 2 * self.n
        wider = flags(room), ints(room), ints(room + 1)
        for column, old in zip(wider, (self.flags, self.stripped, self.cuts), strict=True):
            column[: len(old)] = old
        self.flags, self.stripped, self.cuts = wider
        self.known = Labels(self.flags, self.stripped, self.cuts, self.others)
