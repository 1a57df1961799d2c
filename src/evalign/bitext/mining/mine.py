"""Mining a data set: pairs of every split by one of the baselines, and the files they are written to.

Python and the command line both mine through `mine_pairs`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from evalign.bitext.dataset import Corpus, DataSet, open_dataset, read_language_unit
from evalign.bitext.languages import Language, find_language
from evalign.bitext.mining.candidates import MINING_SIZES, Candidates, MiningSizes, choose_pairs
from evalign.bitext.mining.embeddings import (
    RETRIEVALS,
    Encoder,
    Retrieval,
    find_embedded,
    load_encoder,
    name_encoder,
)
from evalign.bitext.mining.lexical import find_lexical
from evalign.bitext.mining.lexicon import Lexicon, LexiconSource, check_lexicon, read_lexicon
from evalign.bitext.mining.word_cutter import Cutter
from evalign.bitext.pairs import IdPairs, format_id
from evalign.engines.base import Engine, open_engine
from evalign.errors import CommandError, InputError, Message, Place, call, quote, suggest
from evalign.files import write_whole
from evalign.progress import Progress, no_progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from distributed import Client

Method: TypeAlias = Literal["lexical", "embeddings"]
FindPairs: TypeAlias = Callable[[str, tuple[Corpus, Corpus]], Candidates]
"""A function that finds the pairs of a split, given its name and its corpora."""
METHODS: tuple[str, ...] = get_args(Method)

CANDIDATES = 10
NEIGHBOURS = 4
# Scores are rounded to this many decimals, in files and as values.
DIGITS = 6


class Mining(NamedTuple):
    """Options that say how a data set is mined."""

    method: Method = "lexical"
    candidates: int = CANDIDATES
    """lexical: how many likely translations of each sentence are looked at."""
    neighbours: int = NEIGHBOURS
    """How many of the best scores around a pair its own score is compared with."""
    retrieval: Retrieval = "max"
    """embeddings: "forward", "backward", "intersect" or "max"."""
    threshold: float = 0.0
    """Only pairs that score more than this are kept."""


def mine_pairs(
    folder: str | os.PathLike[str],
    *,
    method: Method = "lexical",
    pair: str = "",
    splits: Sequence[str] = (),
    lexicon: Lexicon | Sequence[LexiconSource] = (),
    encoder: Encoder | str | None = None,
    candidates: int = CANDIDATES,
    neighbours: int = NEIGHBOURS,
    retrieval: Retrieval = "max",
    threshold: float = 0.0,
    units: Mapping[str, str] | None = None,
    progress: Progress = no_progress,
    warn: Callable[[str], None] = no_progress,
    engine: Engine | Client | int | str | None = None,
    sizes: MiningSizes = MINING_SIZES,
) -> dict[str, IdPairs]:
    """Find pairs of translations in a data set; return them with their scores by split.

    All splits are mined unless `splits` names some. Pairs are one to one, unless `retrieval` says otherwise.
    `lexicon` is a lexicon, or files to read or learn one from. `encoder` is a function from a list of
    sentences to their vectors, or its name. `units` gives the unit, "words" or "characters", of languages
    without settings. Only pairs that score more than `threshold` are kept: the best threshold is found by
    scoring the pairs.

    `engine` says where sentences are searched for, as `evalign.open_engine` takes it: a number of
    processes, the address of a Dask scheduler, or a client; `sizes` says into what pieces the work is cut.
    Pairs and scores depend neither on `engine` nor on `sizes`.
    """
    mining = _check(Mining(method, candidates, neighbours, retrieval, threshold))
    dataset = open_dataset(folder, pair)
    wanted = _choose_splits(dataset, splits)
    pairs_by_split = {}
    with open_engine(engine, progress=progress) as opened:
        find = (
            _prepare_lexical(dataset, lexicon, units or {}, mining, progress, warn, opened, sizes)
            if mining.method == "lexical"
            else _prepare_embedded(encoder, mining, progress, opened, sizes)
        )
        for split in wanted:
            corpora = _read(dataset, split, dataset.first), _read(dataset, split, dataset.second)
            chosen = find(split, corpora)
            pairs_by_split[split] = _as_pairs(f"{dataset.pair}.{split}.{method}", corpora, chosen, threshold)
    return pairs_by_split


def write_mined(
    mined: Mapping[str, IdPairs], folder: str | os.PathLike[str], *, pair: str, method: str
) -> dict[str, Path]:
    """Write the pairs of each split to `PAIR.SPLIT.METHOD.tsv` in a folder; return the paths by split.

    The best pairs come first. Each file is written whole or not at all.
    """
    into = check_output_folder(folder)
    try:
        into.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(
            Place(str(into)), f"cannot be made ({error.strerror or error})", "a folder to write to"
        ) from None
    written = {}
    for split, pairs in mined.items():
        written[split] = into / f"{pair}.{split}.{method}.tsv"
        write_whole(written[split], render_pairs(pairs))
    return written


def check_output_folder(folder: str | os.PathLike[str]) -> Path:
    """Return the path of a folder that exists or can be made; else raise `InputError`.

    To be called before the work begins, so that its result can be written.
    """
    into = Path(folder)
    if not os.fspath(folder) or (into.exists() and not into.is_dir()):
        raise InputError(Place(os.fspath(folder) or '""'), "no folder", "a folder to write files to")
    if not into.exists() and not into.resolve().parent.is_dir():
        problem = f"cannot be made: there is no folder {into.parent}"
        raise InputError(Place(str(into)), problem, "a folder in one that exists")
    return into


def render_pairs(pairs: IdPairs) -> str:
    """Return pairs as lines that `score_pairs` reads, by falling score and then by ids."""
    scores = pairs.scores if pairs.scores is not None else np.zeros(len(pairs))
    order = np.lexsort((pairs.second, pairs.first, -scores)).tolist()
    lines = (
        f"{format_id(pairs.languages[0], int(pairs.first[k]))}\t"
        f"{format_id(pairs.languages[1], int(pairs.second[k]))}\t{scores[k]:.{DIGITS}f}\n"
        for k in order
    )
    return "".join(lines)


def _check(mining: Mining) -> Mining:
    for name, value, choices in (
        ("method", mining.method, METHODS),
        ("retrieval", mining.retrieval, RETRIEVALS),
    ):
        if value not in choices:
            message = f"unknown {name} {quote(value)}"
            raise CommandError(message, *suggest(value, choices))
    for name, number in (("candidates", mining.candidates), ("neighbours", mining.neighbours)):
        if number < 1:
            message = f"{name}: {number}"
            raise CommandError(message, "at least 1")
    return mining


def _choose_splits(dataset: DataSet, splits: Sequence[str]) -> tuple[str, ...]:
    for split in splits:
        if split not in dataset.splits:
            message = f"no split {quote(split)} in {dataset.folder}"
            raise CommandError(message, *suggest(split, dataset.splits))
    return tuple(split for split in dataset.splits if not splits or split in splits)


def _read(dataset: DataSet, split: str, language: str) -> Corpus:
    """Read a corpus ordered by id, so that sentences with smaller indices have smaller ids."""
    corpus = dataset.corpus(split, language)
    order = sorted(range(len(corpus)), key=corpus.numbers.__getitem__)
    return Corpus(corpus.name, language, [corpus.numbers[k] for k in order], [corpus.texts[k] for k in order])


def _as_pairs(name: str, corpora: tuple[Corpus, Corpus], chosen: Candidates, threshold: float) -> IdPairs:
    """Return candidates as pairs of ids, with scores rounded as they are written."""
    chosen = chosen.with_scores(np.round(chosen.scores, DIGITS))
    chosen = chosen.take(chosen.scores > max(threshold, 0.0))
    chosen = chosen.take(np.lexsort((chosen.second, chosen.first)))
    first, second = (np.array(corpus.numbers, np.int64) for corpus in corpora)
    return IdPairs(
        name,
        (corpora[0].language, corpora[1].language),
        first[chosen.first],
        second[chosen.second],
        chosen.scores,
    )


def _prepare_lexical(
    dataset: DataSet,
    lexicon: Lexicon | Sequence[LexiconSource],
    units: Mapping[str, str],
    mining: Mining,
    progress: Progress,
    warn: Callable[[str], None],
    engine: Engine,
    sizes: MiningSizes,
) -> FindPairs:
    """Read the lexicon; return a function that finds one-to-one pairs by it."""
    languages = find_dataset_languages(dataset, units)
    if isinstance(lexicon, Lexicon):
        translations = lexicon
    else:
        translations = read_lexicon(lexicon, languages, progress=progress, engine=engine, sizes=sizes)
    cutters = Cutter(languages[0], translations.forward), Cutter(languages[1], translations.backward)

    def find(split: str, corpora: tuple[Corpus, Corpus]) -> Candidates:
        for remark in check_lexicon(translations, corpora, cutters, split):
            warn(remark)
        candidates = find_lexical(
            (corpora[0].texts, corpora[1].texts),
            cutters,
            translations,
            most=mining.candidates,
            k=mining.neighbours,
            stage=f"mining {split}",
            progress=progress,
            engine=engine,
            sizes=sizes,
        )
        return choose_pairs(candidates)

    return find


def _prepare_embedded(
    encoder: Encoder | str | None, mining: Mining, progress: Progress, engine: Engine, sizes: MiningSizes
) -> FindPairs:
    """Load the encoder; return a function that finds pairs by it."""
    if encoder is None:
        message = "no encoder"
        expected = Message("a function from sentences to vectors: {encoder=package.module:function}")
        raise CommandError(message, expected)
    encode = load_encoder(encoder) if isinstance(encoder, str) else encoder
    name = encoder if isinstance(encoder, str) else name_encoder(encoder)

    def find(split: str, corpora: tuple[Corpus, Corpus]) -> Candidates:
        return find_embedded(
            (corpora[0].texts, corpora[1].texts),
            encode,
            k=mining.neighbours,
            retrieval=mining.retrieval,
            stage=f"mining {split}",
            progress=progress,
            name=name,
            engine=engine,
            sizes=sizes,
        )

    return find


def find_dataset_languages(dataset: DataSet, units: Mapping[str, str]) -> tuple[Language, Language]:
    """Return the settings of both languages.

    The unit is that of `units`, else the one that the data set was built with, else the language's built-in
    one.
    """
    return _find_language(dataset, dataset.first, units), _find_language(dataset, dataset.second, units)


def _find_language(dataset: DataSet, code: str, units: Mapping[str, str]) -> Language:
    if code in units:
        return find_language(code, {"unit": units[code]})
    unit = read_language_unit(dataset.folder, code)
    try:
        return find_language(code, {"unit": unit} if unit else None)
    except CommandError as error:
        advice = call(f'units={{"{code}": "words"}}', f"<unit> {code}=words") + ", or characters"
        raise CommandError(error.found, error.expected, advice) from None
