"""Empty nodes collapsed: paths through them become edges between words, as in the shared task of 2020.

Bouma et al. 2020, section 4, of enhanced Universal Dependencies: empty nodes of two analyses cannot be told from one
another, so a path from a word through empty nodes to a word is compared as one edge, whose label is the chain of the
relations on it. With a row for the empty node 5.1 that says `2:conj`,

    6  ...  5.1:nsubj|7:obj    becomes    6  ...  2:conj>nsubj|7:obj
"""

from __future__ import annotations

import re
from typing import NamedTuple, TypeAlias

from evalign.errors import Remark
from evalign.readers.content import Content

_ID, _DEPS, _N_COLUMNS = 0, 8, 10
_EMPTY_ROW = re.compile(rb"\n[0-9]+\.[0-9]+\t")
_FIRST_ROW = re.compile(rb"[0-9]+\.[0-9]+\t")
_WORD = re.compile(rb"[0-9]+")
_EMPTY = re.compile(rb"[0-9]+\.[0-9]+")
_EDGE = re.compile(rb"([0-9]{1,9}(?:\.[0-9]{1,9})?):(.+)", re.DOTALL)

# The paths to a node are followed breadth first until there are this many: n empty nodes that all depend on each
# other have more than n! of them. In treebanks a node has a few.
MAX_PATHS_TO_NODE = 1_000
# Empty nodes on a path.
MAX_NODES_ON_PATH = 100

Edge: TypeAlias = tuple[bytes, bytes]
"""Where it comes from, and its label."""


class _Paths(NamedTuple):
    """Paths to an empty node from the root or a word, as edges with labels that end in `>`."""

    edges: list[Edge]
    are_all: bool


def has_empty_nodes(data: bytes) -> bool:
    """Whether there is a row for an empty node."""
    return bool(_FIRST_ROW.match(data) or _EMPTY_ROW.search(data))


def collapse_empty_nodes(content: Content) -> Content:
    """CoNLL-U in which DEPS of words has each path through empty nodes as one edge with a label such as `conj>nsubj`.

    The rows of the empty nodes stay, so that every line keeps its number; no word depends on them any more. A path goes through no empty node twice, but may end where it begins. A word has each edge once, in the order of
    heads and labels. Of more than `MAX_PATHS_TO_NODE` paths to an empty node only the shortest are taken, of those through
    more than `MAX_NODES_ON_PATH` none, with a remark. What cannot be understood stays as it is: a row without ten columns
    with all of its sentence, DEPS that are no edges, an edge from an empty node that is not there. So do all
    sentences without empty nodes.
    """
    if not has_empty_nodes(content.data):
        return content
    # Each line but the first of a file begins after a line end: so that the first does, too.
    text = b"\n" + content.data
    pieces: list[bytes] = []
    crowded: list[int] = []
    done = 1
    while match := _EMPTY_ROW.search(text, done - 1):
        start = max(done, text.rfind(b"\n\n", done - 1, match.start() + 1) + 2)
        end = text.find(b"\n\n", match.end()) + 1 or len(text)
        rows, are_all = _collapse(text[start:end])
        pieces += text[done:start], rows
        if not are_all:
            crowded.append(start)
        done = end
    data = b"".join((*pieces, text[done:]))
    return content._replace(data=data, remarks=(*content.remarks, *_remark(content, text, crowded)))


def _remark(content: Content, text: bytes, crowded: list[int]) -> tuple[Remark, ...]:
    """A remark on the sentences that begin at these places."""
    if not crowded:
        return ()
    message = f"more than {MAX_PATHS_TO_NODE:,} paths to an empty node, or more than {MAX_NODES_ON_PATH} nodes on one: cut short"
    place = content.place(text.count(b"\n", 0, crowded[0]))
    return (Remark("many-paths", message, len(crowded), (place,)),)


def _collapse(sentence: bytes) -> tuple[bytes, bool]:
    """A sentence, whose last line end may be missing, in which no word depends on an empty node; and whether with all paths."""
    lines = sentence.split(b"\n")
    rows = [line.split(b"\t") for line in lines if line and not line.startswith(b"#")]
    if any(len(row) != _N_COLUMNS for row in rows):
        return sentence, True
    incoming: dict[bytes, list[Edge]] = {}
    for row in rows:
        if _EMPTY.fullmatch(row[_ID]):
            edges = map(_EDGE.fullmatch, row[_DEPS].split(b"|"))
            incoming.setdefault(row[_ID], []).extend((edge[1], edge[2]) for edge in edges if edge)
    paths = {node: _find_paths(node, incoming) for node in incoming}
    collapsed = b"\n".join(_collapse_row(line, paths) for line in lines)
    return collapsed, all(node_paths.are_all for node_paths in paths.values())


def _find_paths(node: bytes, incoming: dict[bytes, list[Edge]]) -> _Paths:
    """Paths to an empty node, the shortest first."""
    edges: list[Edge] = []
    are_all = True
    # Where a path has got to, its label, and the empty nodes on it.
    paths: list[tuple[bytes, bytes, tuple[bytes, ...]]] = [(node, b"", ())]
    for source, label, passed in paths:  # more are added while it is read
        if source not in incoming:
            edges.append((source, label))
        elif len(paths) > MAX_PATHS_TO_NODE or len(passed) == MAX_NODES_ON_PATH:
            are_all = False
        elif source not in passed:
            passed = (*passed, source)
            paths += ((above, step + b">" + label, passed) for above, step in incoming[source])
    return _Paths(edges, are_all)


def _collapse_row(line: bytes, paths: dict[bytes, _Paths]) -> bytes:
    """A row, or a comment, with the edges from empty nodes replaced by those of the paths to them."""
    row = line.split(b"\t")
    if not _WORD.fullmatch(row[_ID]):
        return line
    edges = [_EDGE.fullmatch(edge) for edge in row[_DEPS].split(b"|")]
    if not any(edge and edge[1] in paths for edge in edges):
        return line
    collapsed: set[Edge] = set()
    for edge in edges:
        if edge is None:
            return line
        head, label = edge[1], edge[2]
        if head in paths:
            collapsed.update((source, path + label) for source, path in paths[head].edges)
        else:
            collapsed.add((head, label))
    row[_DEPS] = b"|".join(b"%s:%s" % edge for edge in sorted(collapsed, key=_order)) or b"_"
    return b"\t".join(row)


def _order(edge: Edge) -> tuple[list[int], bytes]:
    """By the number of the head, then by label."""
    return [int(number) for number in edge[0].split(b".")], edge[1]
