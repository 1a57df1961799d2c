"""The options of `score_pairs` and of the command `evalign bitext score`, declared as those of `score`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evalign.bitext.sampling import SEED
from evalign.errors import CommandError
from evalign.options import check_options, declare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.bitext.scoring.review import SplitCorpora, Verdicts


@dataclass(frozen=True)
class PairOptions:
    """The options of `score_pairs`, checked. Files that they name were read."""

    recall_at: tuple[int, ...] = declare(
        "recall among the K best candidates of each first sentence", default=()
    )
    corpora: SplitCorpora | None = declare(
        "the data set: unknown ids are refused, examples have their sentences", default=None
    )
    split: str = declare("the split that gold belongs to, where its file name does not say so", default="")
    reviewed: Mapping[str, Verdicts] | None = declare(
        "the sample filled in: precision is corrected by it", default=None
    )
    examples: int = declare("how many of each system (default 50)", default=50)
    """How many false and how many missed pairs of each system a result keeps as examples."""
    seed: int = SEED
    """Where samples start; no option of the command."""

    def __post_init__(self) -> None:
        """Check types and numbers; raise `CommandError` for a value that no pairs can be scored with."""
        check_options(self)
        for most in self.recall_at:
            if not 0 < most < 10**9:
                message = f"recall at {most}"
                raise CommandError(message, "numbers of candidates from 1 up")
        if self.examples < 0:
            message = f"examples: {self.examples}"
            raise CommandError(message, "how many to keep, from 0 up")
