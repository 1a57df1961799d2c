"""Lines of folded characters and paths through them, for the aligner and for its oracle."""

import numpy as np

from evalign.alignment.character_alignment import PathWalker, walk_characters
from evalign.alignment.fold import SENTENCE_MARK, TOKEN_MARK, FoldedLine, fold_document
from evalign.document import document_from_sentences
from evalign.kernels import align_cy
from oracles import bits

CODES = align_cy.codes()


def fold(sentences) -> FoldedLine:
    """Return the folded line of sentences of tokens."""
    return fold_document(document_from_sentences(sentences))


def oracle_marks(line):
    """Return 0 within a token, 1 at a token boundary, 2 at a sentence boundary."""
    marks = [2 if mark >= SENTENCE_MARK else 1 if mark >= TOKEN_MARK else 0 for mark in line.marks.tolist()]
    marks[0] = marks[-1] = 2
    return marks


def oracle_pieces(pieces):
    """Translate the pieces of a walk into the oracle's pieces."""
    names = {CODES["EQUAL"]: bits.EQUAL, CODES["GAP"]: bits.GAP}
    return [
        bits.Piece(names.get(kind) or (bits.JUMP_FIRST if a else bits.JUMP_SECOND), a, b)
        for kind, a, b in pieces.tolist()
    ]


def score_walk(first, second, pieces=None):
    """Return the score of a path by the oracle; by default, of the path that the aligner finds."""
    pieces = walk_characters(first, second).pieces if pieces is None else pieces
    codes = first.codes.tolist(), second.codes.tolist()
    return bits.score_path(
        oracle_pieces(np.asarray(pieces)), *codes, oracle_marks(first), oracle_marks(second)
    )


def best_score(first, second):
    """Return the score of the best path by the oracle."""
    codes = first.codes.tolist(), second.codes.tolist()
    return bits.best_path(*codes, oracle_marks(first), oracle_marks(second))[0]


def fill_exactly(first, second):
    """Return the pieces of the best path, from the kernel that looks at all points.

    Only for lines of up to two thousand characters.
    """
    walker = PathWalker(first, second)
    walker.finder.fill(0, 0, len(first.codes), len(second.codes))
    size = walker.finder.count()[0]
    return np.stack([column[:size] for column in walker.pieces], axis=1, dtype=np.int32)
