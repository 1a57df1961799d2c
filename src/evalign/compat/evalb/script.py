"""evalb itself: two files in, its table on standard output, its messages on standard error, its exit status."""

from __future__ import annotations

from evalign.compat.evalb.output import HEAD, print_summary
from evalign.compat.evalb.scorer import Complaints, Scorer, TooManyErrorsError
from evalign.kernels.tables_cy import print_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from evalign.readers import Parameters

    Write = Callable[[bytes], object]


def run_script(gold: bytes, test: bytes, parameters: Parameters, write: Write, write_message: Write) -> int:
    """Print what evalb prints of the contents of two files; returns its exit status."""
    complaints = Complaints(parameters.max_error, write_message)
    write(HEAD)
    if parameters.debug > 0:
        from evalign.compat.evalb.debug import Describer

        scorer = Scorer(gold, test, parameters, complaints, 1)
        steps = Describer(scorer, write).sentences()
    else:
        scorer = Scorer(gold, test, parameters, complaints)
        steps = scorer.batches()
    try:
        for n in steps:
            write(print_lines(scorer.counts, 0, n, scorer.number))
    except TooManyErrorsError:
        write(print_lines(scorer.counts, 0, scorer.n_counted, scorer.number))
        return 1
    sums = [[scorer.sums[row, column] for column in range(13)] for row in range(2)]
    write(print_summary(sums[0], sums[1], parameters.cutoff))
    return 0
