"""Collapse empty nodes: replace paths through them by edges between words, as the 2020 shared task does.

Bouma et al. 2020, section 4, on enhanced Universal Dependencies: the empty nodes of two analyses cannot be
matched, so a path from a word through empty nodes to a word is compared as one edge, labelled with the chain
of relations on it. With a row for the empty node 5.1 that has `2:conj`,

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

# Paths to a node are followed breadth first up to this number, because n empty nodes that all depend on each
# other have more than n! paths. In treebanks a node has a few.
MAX_PATHS_TO_NODE = 1_000
# Most empty nodes on a path.
MAX_NODES_ON_PATH = 100

Edge: TypeAlias = tuple[bytes, bytes]
"""The head that an edge comes from, and its label."""


class _Paths(NamedTuple):
    """Paths from the root or a word to an empty node, as edges with labels that end in `>`."""

    edges: list[Edge]
    are_all: bool


def has_empty_nodes(data: bytes) -> bool:
    """Return whether any row is that of an empty node."""
    return bool(_FIRST_ROW.match(data) or _EMPTY_ROW.search(data))


def collapse_empty_nodes(content: Content) -> Content:
    """Replace each path through empty nodes in DEPS by one edge with a label such as `conj>nsubj`.

    The rows of the empty nodes stay, so that line numbers do not change, but no word depends on them any
    more. A path visits no empty node twice, but may end where it began. A word has each edge once, sorted by
    head and label. Of more than `MAX_PATHS_TO_NODE` paths to an empty node only the shortest are taken, and
    paths through more than `MAX_NODES_ON_PATH` nodes are dropped, with a remark. Sentences without empty
    nodes stay as they are, and so does what cannot be read: a sentence with a row that does not have ten
    columns, DEPS that are not edges, an edge from an empty node that does not exist.
    """
    if not has_empty_nodes(content.data):
        return content
    # A line end in front, so that the first line also follows one.
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
    """Return a remark on the sentences at the offsets `crowded`, whose paths were cut short."""
    if not crowded:
        return ()
    message = f"more than {MAX_PATHS_TO_NODE:,} paths to an empty node, or more than {MAX_NODES_ON_PATH} nodes on one: cut short"
    place = content.place(text.count(b"\n", 0, crowded[0]))
    return (Remark("many-paths", message, len(crowded), (place,)),)


def _collapse(sentence: bytes) -> tuple[bytes, bool]:
    """Collapse the empty nodes of one sentence; also return whether all paths were followed.

    The last line end of the sentence may be missing.
    """
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
    """Return the paths to the empty node `node`, the shortest first.

    `incoming` has the edges to each empty node.
    """
    edges: list[Edge] = []
    are_all = True
    # For each path: the node it has reached, its label, and the empty nodes on it.
    paths: list[tuple[bytes, bytes, tuple[bytes, ...]]] = [(node, b"", ())]
    for source, label, passed in paths:  # the loop appends to the list
        if source not in incoming:
            edges.append((source, label))
        elif len(paths) > MAX_PATHS_TO_NODE or len(passed) == MAX_NODES_ON_PATH:
            are_all = False
        elif source not in passed:
            passed = (*passed, source)
            paths += ((above, step + b">" + label, passed) for above, step in incoming[source])
    return _Paths(edges, are_all)


def _collapse_row(line: bytes, paths: dict[bytes, _Paths]) -> bytes:
    """Return a row with each edge from an empty node replaced by the paths to that node.

    Other lines, comments included, are returned unchanged.
    """
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
    """Return the sort key of an edge: the number of its head, then its label."""
    return [int(number) for number in edge[0].split(b".")], edge[1]
