"""Evidence of a text that is compared in parts: what a part brings, and all of it joined.

    gather_evidence  ->  EvidencePiece of a part  ->  EvidenceJoiner  ->  KeptEvidence of the whole

A piece is small and has no document in it. Joined in the order of the text, pieces say what the whole text would have
said in one piece, word by word. Texts are cut where a sentence ends on both sides, in equal text: what only the system
has between two units is counted with the second one, and would be with the first if a part ended behind it.
"""

from __future__ import annotations

from evalign.results.pieces.gathering import gather_evidence
from evalign.results.pieces.joiner import EvidenceJoiner
from evalign.results.pieces.piece import EvidencePiece, Wanted

__all__ = ["EvidenceJoiner", "EvidencePiece", "Wanted", "gather_evidence"]
