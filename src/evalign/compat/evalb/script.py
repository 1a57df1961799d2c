"""The program evalb: `run_script` compares two files as evalb does.

It writes evalb's table and messages and returns its exit status. `evalign evalb` calls it.
"""

from __future__ import annotations

from evalign.compat.evalb.scorer import Complaints, LineScorer, TooManyErrorsError
from evalign.kernels.evalb_cy import percent, print_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from evalign.readers.evalb_parameters import Parameters

    Write = Callable[[bytes], object]
    from collections.abc import Sequence


RULE = b"=" * 76 + b"\n"
HEAD = (
    b"  Sent.                        Matched  Bracket   Cross        Correct Tag\n"
    b" ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy\n" + RULE
)
USAGE = b"""\
 evalb [-dDh][-c n][-e n][-p param_file] gold-file test-file  
                                                         
    Evaluate bracketing in test-file against gold-file.  
    Return recall, precision, F-Measure, tag accuracy.              
                                                         
  <option>                                               
    -d             debug mode                            
    -D             debug mode plus bracketing info       
    -c n           cut-off length forstatistics (def.=40)
    -e n           number of error to kill (default=10)  
    -p param_file  parameter file                        
    -h    help                                           
"""
# How evalb prints 0 / 0 where it was compiled for these tests; elsewhere the sign may be missing.
_NAN = "  -nan"


def run_script(gold: bytes, test: bytes, parameters: Parameters, write: Write, write_message: Write) -> int:
    """Print what evalb prints for two files, given their contents; return its exit status.

    `write` writes to standard output, `write_message` to standard error.
    """
    complaints = Complaints(parameters.max_error, write_message)
    write(HEAD)
    if parameters.debug > 0:
        from evalign.compat.evalb.debug import DebugPrinter

        scorer = LineScorer(gold, test, parameters, complaints, 1)
        steps = DebugPrinter(scorer, write).sentences()
    else:
        scorer = LineScorer(gold, test, parameters, complaints)
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


def print_sums(sums: Sequence[int]) -> bytes:
    """Render the last line of the table. Figures of brackets are left out if one side has no brackets.

    `sums` are the columns of `Totals`.
    """
    _, _, _, _, matched, gold, test, crossing, words, tags, *_ = sums
    text = ""
    if gold and test:
        text = (
            f"{percent(matched, gold):22.2f} {percent(matched, test):6.2f} "
            f"{matched:6d} {gold:5d} {test:5d}  {crossing:5d}"
        )
    return f"{text}  {words:5d} {tags:5d}   {percent(tags, words):6.2f}\n".encode("ascii")


def print_summary(everything: Sequence[int], short: Sequence[int], cutoff: int) -> bytes:
    """Render the end of the table and the summary of all sentences, and of those no longer than `cutoff`."""
    return b"".join(
        (
            RULE,
            print_sums(everything),
            b"=== Summary ===\n\n-- All --\n",
            _print_block(everything),
            b"\n-- len<=%d --\n" % cutoff,
            _print_block(short),
        )
    )


def _print_block(sums: Sequence[int]) -> bytes:
    sentences, errors, skipped, valid, matched, gold, test, crossing, words, tags, complete, none, two = sums
    recall, precision = percent(matched, gold), percent(matched, test)
    f1 = f"{2 * recall * precision / (recall + precision):6.2f}" if recall + precision else _NAN
    return (
        f"Number of sentence        = {sentences:6d}\n"
        f"Number of Error sentence  = {errors:6d}\n"
        f"Number of Skip  sentence  = {skipped:6d}\n"
        f"Number of Valid sentence  = {valid:6d}\n"
        f"Bracketing Recall         = {recall:6.2f}\n"
        f"Bracketing Precision      = {precision:6.2f}\n"
        f"Bracketing FMeasure       = {f1}\n"
        f"Complete match            = {percent(complete, valid):6.2f}\n"
        f"Average crossing          = {crossing / valid if valid else 0:6.2f}\n"
        f"No crossing               = {percent(none, valid):6.2f}\n"
        f"2 or less crossing        = {percent(two, valid):6.2f}\n"
        f"Tagging accuracy          = {percent(tags, words):6.2f}\n"
    ).encode("ascii")
