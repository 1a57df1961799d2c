"""The public functions `read`, `align` and `score`; each hands its arguments, checked, to the one walk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from evalign.alignment.alignment import Alignment
from evalign.document import Document
from evalign.errors import check_type
from evalign.metrics.metric import MOST_PASSAGES
from evalign.options import (
    Average,
    EdgeMatch,
    Empty,
    FeatureValues,
    Match,
    PresetInput,
    Punctuation,
    RelationLabels,
    Strategy,
    WeightsInput,
    pick_options,
)
from evalign.progress import Progress, no_progress
from evalign.results.result import Result
from evalign.scoring.reading import Input, load_raw, read_comparisons, read_document
from evalign.scoring.request import Execution, make_request, resolve
from evalign.scoring.run import run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from distributed import Client

    from evalign.engines.base import Engine
    from evalign.readers.raw_files import RawInput


def read(
    source: Input,
    *,
    format: str = "auto",
    strict: bool = False,
    collapse_empty_nodes: bool = False,
    empty: Empty = "drop",
    split_spaces: bool = False,
    raw: RawInput | None = None,
    name: str = "",
) -> Document:
    """Read a path, an open file, a `Text` or objects in memory into a document.

    A stand-off table needs its `raw` text. `empty` says whether empty elements of trees are dropped, or kept
    as tokens without characters. With `split_spaces`, tokens of CoNLL-U are cut at their spaces, as in plain
    text, and have no tags, lemmas and heads. `name` is the document's name in tables and messages.

    >>> read([["A", "b", "."]]).line
    'Ab.'
    """
    check_type(format, str, "`format=`", "the name of a format")
    check_type(name, str, "`name=`", "the name of the document")
    options = resolve(**pick_options(locals()))
    return read_document(source, format, load_raw(raw), options, name)


def score(
    gold: Input,
    *systems: Input,
    metrics: Sequence[str] = (),
    match: Match = "default",
    normalize: Sequence[str] = (),
    exceptions: str = "",
    credit_exceptions: bool = False,
    strict: bool = False,
    strategy: Strategy = "places",
    average: Average = "micro",
    gold_format: str = "auto",
    system_format: str = "auto",
    candidates: str = "",
    vocabulary: Sequence[str] | None = None,
    feature_values: FeatureValues = "ordered",
    edges: EdgeMatch = "once",
    collapse_empty_nodes: bool = False,
    relations: RelationLabels = "auto",
    weights: WeightsInput = None,
    raw: RawInput | None = None,
    layer: str = "",
    preset: PresetInput = None,
    empty: Empty = "drop",
    punctuation: Punctuation = "own",
    split_spaces: bool = False,
    by: Sequence[str] = (),
    names: Sequence[str] = (),
    engine: Engine | Client | int | str | None = None,
    stream: bool | int = False,
    window: int | None = None,
    evidence: Literal["keep", "drop"] = "keep",
    passages: int | None = MOST_PASSAGES,
    progress: Progress = no_progress,
) -> Result:
    """Score one or several systems against gold, metric by metric.

    Without `metrics`, sentences, tokens and words are scored, and tags, lemmas and trees where the documents
    have them. For stand-off tables the spans are scored, under the name `layer`. `preset` is the name of a
    bracket scheme or an evalb parameter file (.prm). `split_spaces` cuts tokens of CoNLL-U at their spaces,
    as in plain text; then tags, lemmas and heads are not scored. Texts may differ: both are placed on one
    line of characters first, and the result's ledger lists what differed. `by` names what the result will be
    split by later, such as comments; an impossible name is refused at once, and a saved result keeps the
    counts that the split needs. `names` are names for the systems, instead of those of their files.
    `progress` is called with the stage of a long run.

    With `stream`, memory does not grow with the size of the files, and displaced text is found only within a
    `window` of characters; a number as `stream` says how many bytes of each file to read at a time. `engine`
    is a number of processes, the address of a Dask cluster or its client: large files are scored in parts,
    with the same result. A run in parts keeps as many errors as a saved result does, and at most `passages`
    blocks of sentences with errors; with `evidence="drop"` it keeps only counts.

    >>> result = score([["Click", "here", "To", "view", "it", "."]], [["Click", "here"], ["To", "view", "it", "."]])
    >>> result["sentences"].f1, result["tokens"].f1
    (0.0, 1.0)
    """
    options = resolve(**pick_options(locals()))
    request = make_request(
        (gold, *systems),
        options,
        raw=raw,
        by=by,
        names=names,
        window=window,
        has_evidence=evidence == "keep",
        passages=passages,
    )
    return run(request, Execution(engine, stream), progress)


def align(
    gold: Input,
    system: Input,
    *,
    normalize: Sequence[str] = (),
    exceptions: str = "",
    strict: bool = False,
    split_spaces: bool = False,
    gold_format: str = "auto",
    system_format: str = "auto",
) -> Alignment:
    """Align two documents, so that positions in one can be compared with positions in the other.

    Both are mapped to shared places: positions on one line of characters. The returned alignment has the
    blocks of sentences and groups of tokens that correspond, and projects spans from gold to system.

    >>> alignment = align([["an", "e-mail", "."]], [["an", "email", "."]])
    >>> alignment.project(2, 8)
    (2, 7)
    """
    options = resolve(**pick_options(locals()))
    return read_comparisons((gold, system), options)[0].alignment
