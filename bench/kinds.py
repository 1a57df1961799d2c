"""More than a hundred kinds of altered text. Each is made of steps that keep track of every gold token.

A step takes rows of pieces and returns new ones; a kind applies one step or several in turn. No file is read:
a text is sentences of tokens (`bench.construction.Text`), and the same seed gives the same altered text.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bench import changes
from bench.changes import Change
from bench.construction import Piece, Rows, Text, tidy

Step = Callable[[Rows, Text, random.Random], "Rows | None"]


@dataclass(frozen=True)
class Kind:
    """A kind of altered text.

    `is_ordered` is True if what is left stays in the order of the gold text, `is_unrelated` if nothing is
    left of it.
    """

    name: str
    family: str
    steps: tuple[Step, ...]
    is_ordered: bool = True
    is_unrelated: bool = False


KINDS: dict[str, Kind] = {}


def add(family: str, name: str, *steps: Step, is_ordered: bool = True, is_unrelated: bool = False) -> None:
    """Enter a kind under its name in `KINDS`."""
    assert name not in KINDS, name
    KINDS[name] = Kind(name, family, steps, is_ordered, is_unrelated)


def alter(kind: Kind, text: Text, seed: str) -> Rows | None:
    """Return the altered text, or None if the kind changes nothing or lacks what it needs."""
    rng = random.Random(f"{kind.name} {seed}")
    rows: Rows | None = text.rows
    for step in kind.steps:
        rows = step(rows, text, rng)
        if rows is None:
            return None
    rows = tidy(rows)
    return None if rows == text.rows or not rows else rows


# Steps on tokens


def each(change: Change) -> Step:
    """Change every token."""
    return each_of(lambda _text: change)


def each_of(make: Callable[[Text], Change]) -> Step:
    """Change every token in a way that depends on the text."""

    def step(rows: Rows, text: Text, rng: random.Random) -> Rows:
        change = make(text)
        return [[_changed(piece, change, rng) for piece in row] for row in rows]

    return step


def _changed(piece: Piece, change: Change, rng: random.Random) -> Piece:
    texts: list[str] = []
    for text in piece.texts:
        new = change(text, rng)
        texts += (new,) if isinstance(new, str) else new
    return Piece(tuple(texts), piece.origins)


def noise(make: Callable[[Text, float], Change], percent: int) -> Step:
    """Change characters at a rate of `percent`."""
    return each_of(lambda text: make(text, percent / 100))


def between(token: str) -> Step:
    """Put a foreign token between any two tokens of a sentence."""
    return lambda rows, _text, _rng: [
        [part for piece in row for part in (piece, Piece((token,)))][:-1] for row in rows
    ]


def around(before: str, after: str) -> Step:
    """Put foreign tokens at both ends of each sentence."""
    return lambda rows, _text, _rng: [[Piece((before,)), *row, Piece((after,))] for row in rows]


def some_tokens(every: int, act: Callable[[Piece, Text, random.Random], list[Piece]]) -> Step:
    """Apply `act` to every n-th token of the whole text."""

    def step(rows: Rows, text: Text, rng: random.Random) -> Rows:
        count = rng.randrange(every)
        altered = []
        for row in rows:
            pieces: list[Piece] = []
            for piece in row:
                count += 1
                pieces += [piece] if count % every else act(piece, text, rng)
            altered.append(pieces)
        return altered

    return step


def drop_token(_piece: Piece, _text: Text, _rng: random.Random) -> list[Piece]:
    return []


def double_token(piece: Piece, _text: Text, _rng: random.Random) -> list[Piece]:
    return [piece, Piece(piece.texts)]


def replace_token(piece: Piece, text: Text, rng: random.Random) -> list[Piece]:
    return [Piece((rng.choice(text.tokens),), piece.origins)]


def insert_token(piece: Piece, text: Text, rng: random.Random) -> list[Piece]:
    return [piece, Piece((rng.choice(text.tokens),))]


def insert_remark(piece: Piece, text: Text, rng: random.Random) -> list[Piece]:
    return [piece, *(Piece((token,)) for token in ("(", *rng.choices(text.tokens, k=3), ")"))]


def mask_token(piece: Piece, _text: Text, _rng: random.Random) -> list[Piece]:
    return [Piece(("[UNK]",), piece.origins)]


def hyphenate(piece: Piece, _text: Text, _rng: random.Random) -> list[Piece]:
    """Break a token as at the end of a line."""
    token = piece.texts[0]
    at = len(token) // 2
    return [Piece((token[:at] + "-", token[at:]), piece.origins)] if at else [piece]


def paraphrase(rate: float) -> Step:
    """Change tokens at a rate: four fifths are replaced by other tokens of the text, a fifth is dropped.

    Of the replaced ones, one in four gets an additional token before it.
    """

    def step(rows: Rows, text: Text, rng: random.Random) -> Rows:
        altered = []
        for row in rows:
            pieces: list[Piece] = []
            for piece in row:
                draw = rng.random() / rate
                if draw < 0.8:
                    pieces += [Piece((rng.choice(text.tokens),))] * (draw < 0.2)
                    pieces += replace_token(piece, text, rng)
                elif draw >= 1:
                    pieces.append(piece)
            altered.append(pieces)
        return altered

    return step


def where(is_hit: Callable[[str, Text], bool], make: Callable[[str, Text, random.Random], str]) -> Step:
    """Rewrite the tokens that `is_hit` selects; an empty text removes a token."""

    def step(rows: Rows, text: Text, rng: random.Random) -> Rows:
        return [
            [
                Piece(tuple(make(t, text, rng) if is_hit(t, text) else t for t in p.texts), p.origins)
                for p in row
            ]
            for row in rows
        ]

    return step


def drop_inner_marks(rows: Rows, _text: Text, _rng: random.Random) -> Rows:
    """Leave out punctuation that neither begins nor ends its sentence."""
    return [
        [p for k, p in enumerate(row) if k in (0, len(row) - 1) or not changes.is_mark(p.texts[0])]
        for row in rows
    ]


def drop_last_marks(rows: Rows, _text: Text, _rng: random.Random) -> Rows:
    """Leave out punctuation that ends a sentence."""
    return [row[:-1] if len(row) > 1 and changes.is_mark(row[-1].texts[0]) else row for row in rows]


def glue_marks(rows: Rows, _text: Text, _rng: random.Random) -> Rows:
    """Join punctuation to the token before it."""
    return merge_where(rows, lambda piece: changes.is_mark(piece.texts[0]))


def merge_where(rows: Rows, is_glued: Callable[[Piece], bool]) -> Rows:
    """Join the tokens that `is_glued` selects to the token before them."""
    altered = []
    for row in rows:
        pieces: list[Piece] = []
        for piece in row:
            if pieces and is_glued(piece):
                last = pieces.pop()
                texts = (*last.texts[:-1], last.texts[-1] + piece.texts[0], *piece.texts[1:])
                pieces.append(Piece(texts, last.origins + piece.origins))
            else:
                pieces.append(piece)
        altered.append(pieces)
    return altered


def merge_tokens(percent: int) -> Step:
    return lambda rows, _text, rng: merge_where(rows, lambda _: rng.random() < percent / 100)


def split_tokens(percent: int) -> Step:
    """Cut some tokens in two."""

    def change(token: str, rng: random.Random) -> tuple[str, ...]:
        if len(token) < 2 or rng.random() >= percent / 100:
            return (token,)
        at = rng.randint(1, len(token) - 1)
        return token[:at], token[at:]

    return each(change)


def swap_tokens(percent: int) -> Step:
    """Exchange some tokens with the next one."""

    def step(rows: Rows, _text: Text, rng: random.Random) -> Rows:
        altered = [list(row) for row in rows]
        for row in altered:
            for k in range(0, len(row) - 1, 2):
                if rng.random() < percent / 50:
                    row[k], row[k + 1] = row[k + 1], row[k]
        return altered

    return step


def shuffle_tokens(rows: Rows, _text: Text, rng: random.Random) -> Rows:
    return [rng.sample(row, len(row)) for row in rows]


# Steps on sentences

Row = list[Piece]


def some_sentences(every: int, act: Callable[[Row, Text, random.Random], list[Row]]) -> Step:
    """Apply `act` to every n-th sentence."""

    def step(rows: Rows, text: Text, rng: random.Random) -> Rows:
        phase = rng.randrange(every)
        altered: Rows = []
        for k, row in enumerate(rows):
            altered += act(row, text, rng) if k % every == phase else [row]
        return altered

    return step


def skip(_row: Row, _text: Text, _rng: random.Random) -> list[Row]:
    return []


def double(row: Row, _text: Text, _rng: random.Random) -> list[Row]:
    return [row, row]


def stub(*tokens: str) -> Callable[[Row, Text, random.Random], list[Row]]:
    return lambda _row, _text, _rng: [[Piece((token,)) for token in tokens]]


def keep_first(row: Row, _text: Text, _rng: random.Random) -> list[Row]:
    """Keep the first token of a sentence, followed by three dots."""
    return [[row[0], Piece(("...",))]]


def behind(*tokens: str) -> Callable[[Row, Text, random.Random], list[Row]]:
    """Put a foreign sentence behind a sentence; `#` becomes a number."""
    return lambda row, _text, rng: [
        row, [Piece((token.replace("#", str(rng.randint(1, 999))),)) for token in tokens]
    ]  # fmt: skip


def put_foreign(_row: Row, text: Text, rng: random.Random) -> list[Row]:
    """Replace a sentence by one of another language, or by nothing if there is none."""
    return [[Piece((token,)) for token in rng.choice(text.foreign)]] if text.foreign else []


def split_sentence(row: Row, _text: Text, rng: random.Random) -> list[Row]:
    if len(row) < 2:
        return [row]
    at = rng.randint(1, len(row) - 1)
    return [row[:at], row[at:]]


def cut_short(row: Row, _text: Text, _rng: random.Random) -> list[Row]:
    """Keep the first two thirds of a sentence."""
    return [row[: max(1, len(row) * 2 // 3)]]


def scramble(row: Row, _text: Text, rng: random.Random) -> list[Row]:
    """Shuffle the letters of a sentence over tokens of the same lengths.

    The new tokens come from no gold token.
    """
    letters = [c for piece in row for text in piece.texts for c in text]
    rng.shuffle(letters)
    taken = iter(letters)
    return [[Piece(tuple("".join(next(taken) for _ in text) for text in p.texts)) for p in row]]


def merge_sentences(every: int) -> Step:
    """Join every n-th sentence to the one before it."""

    def step(rows: Rows, _text: Text, rng: random.Random) -> Rows:
        phase = rng.randrange(every)
        altered: Rows = []
        for k, row in enumerate(rows):
            if k % every == phase and k:
                altered[-1] = altered[-1] + row
            else:
                altered.append(row)
        return altered

    return step


def with_strangers(every: int, *, keep: bool = False, length: int = 1) -> Step:
    """Replace every n-th run of `length` sentences by other sentences of the language.

    With `keep`, insert them instead.
    """

    def step(rows: Rows, text: Text, rng: random.Random) -> Rows:
        others = strangers(text, rng)
        phase = rng.randrange(every)
        altered: Rows = []
        for k, row in enumerate(rows):
            is_hit = (k + phase) // length % every == 0
            if keep or not is_hit:
                altered.append(row)
            if is_hit:
                altered.append(next(others))
        return altered

    return step


def strangers(text: Text, rng: random.Random) -> Iterator[Row]:
    """Yield other sentences of the language, each once, and then sentences of scrambled letters."""
    for sentence in rng.sample(list(text.strangers), len(text.strangers)):
        yield [Piece((token,)) for token in sentence]
    while True:
        yield scramble(rng.choice(text.rows), text, rng)[0]


def skip_runs(length: int, every: int) -> Step:
    """Leave out the first `length` of every `every` sentences."""
    return lambda rows, _text, _rng: [row for k, row in enumerate(rows) if k % every >= length]


# Steps on the whole text


def part(*ranges: tuple[float, float]) -> Step:
    """Keep parts of the text, each from one share of its sentences to another."""
    return lambda rows, _text, _rng: [
        row for start, end in ranges for row in rows[round(start * len(rows)) : round(end * len(rows))]
    ]


def swap_blocks(length: int) -> Step:
    """Exchange neighbouring blocks of `length` sentences."""

    def step(rows: Rows, _text: Text, _rng: random.Random) -> Rows:
        altered: Rows = []
        for k in range(0, len(rows), 2 * length):
            altered += rows[k + length : k + 2 * length] + rows[k : k + length]
        return altered

    return step


def move(every: int) -> Step:
    """Move every n-th sentence to a random position."""

    def step(rows: Rows, _text: Text, rng: random.Random) -> Rows:
        altered = [row for k, row in enumerate(rows) if k % every]
        for row in rows[::every]:
            altered.insert(rng.randint(0, len(altered)), row)
        return altered

    return step


def shuffle(rows: Rows, _text: Text, rng: random.Random) -> Rows:
    return rng.sample(rows, len(rows))


def notes_to_end(rows: Rows, _text: Text, _rng: random.Random) -> Rows:
    """Move every tenth sentence to the end of the text."""
    return [row for k, row in enumerate(rows) if k % 10] + rows[::10]


def interleave(rows: Rows, _text: Text, _rng: random.Random) -> Rows:
    """Alternate both halves of every twenty sentences, as when two columns are read across."""
    altered: Rows = []
    for k in range(0, len(rows), 20):
        left, right = rows[k : k + 10], rows[k + 10 : k + 20]
        altered += [row for pair in zip(left, right, strict=False) for row in pair]
        altered += left[len(right) :]
    return altered


def reverse(rows: Rows, _text: Text, _rng: random.Random) -> Rows:
    return rows[::-1]


def twice(rows: Rows, _text: Text, _rng: random.Random) -> Rows:
    """Append the whole text to itself."""
    return rows + rows


def boilerplate(at_start: int, at_end: int) -> Step:
    """Put sentences of a notice before and behind the text."""
    notice = ("This", "copy", "was", "made", "for", "the", "harbour", "library", ",", "page", "#", ".")

    def step(rows: Rows, _text: Text, _rng: random.Random) -> Rows:
        def copies(number: int) -> Rows:
            return [[Piece((token.replace("#", str(k + 1)),)) for token in notice] for k in range(number)]

        return copies(at_start) + rows + copies(at_end)

    return step


def contents(rows: Rows, _text: Text, _rng: random.Random) -> Rows:
    """Put a table of contents before the text.

    It has the first tokens of every tenth sentence, each with a page number.
    """
    titles = [
        [*(Piece(p.texts) for p in row[:4]), Piece(("...", str(k)))] for k, row in enumerate(rows[::10])
    ]
    return titles + rows


def numbered(rows: Rows, _text: Text, _rng: random.Random) -> Rows:
    """Put each sentence's number before it as a sentence of its own."""
    return [new for k, row in enumerate(rows) for new in ([Piece((str(k + 1),)), Piece((".",))], row)]


def unrelated(which: str) -> Step:
    """Replace all sentences by others: by `strangers` or `foreign` of the text."""

    def step(rows: Rows, text: Text, _rng: random.Random) -> Rows | None:
        others = getattr(text, which)[: len(rows)]
        return [[Piece((token,)) for token in sentence] for sentence in others] or None

    return step


def scramble_all(rows: Rows, text: Text, rng: random.Random) -> Rows:
    return [scramble(row, text, rng)[0] for row in rows]


def draw_tokens(rows: Rows, text: Text, rng: random.Random) -> Rows:
    """Draw every token from the text at random; sentences keep their lengths."""
    return [[Piece((rng.choice(text.tokens),)) for _ in row] for row in rows]


# The kinds


def _is_name(token: str, _text: Text) -> bool:
    return token[0].isupper()


def _is_rare_and_even(token: str, text: Text) -> bool:
    return token in text.rare_ones and len(token) % 2 == 0


def _add_encodings() -> None:
    for name, change in {
        "nfd": changes.plain(lambda token: unicodedata.normalize("NFD", token)),
        "nfkc": changes.plain(lambda token: unicodedata.normalize("NFKC", token)),
        "upper": changes.plain(str.upper),
        "lower": changes.plain(str.lower),
        "random-case": changes.capitalise_randomly,
        "accents-stripped": changes.by_character(changes.strip_accents),
        "full-width": changes.by_character(changes.widen),
        "half-width": changes.by_character(changes.narrow),
        "mojibake-latin1": changes.mojibake("latin-1"),
        "mojibake-cp1252": changes.mojibake("cp1252"),
        "mojibake-koi8": changes.mojibake("koi8-r"),
        "mojibake-twice": changes.by_character(
            lambda c: c.encode().decode("latin-1").encode().decode("latin-1")
        ),
        "question-marks": changes.by_character(changes.to_question_mark),
        "replacement-characters": changes.by_character(changes.to_replacement),
        "named-entities": changes.by_character(changes.to_named_entity),
        "numeric-entities": changes.by_character(changes.to_numeric_entity),
        "escapes": changes.by_character(changes.to_escape),
        "percent-encoding": changes.by_character(changes.to_percent),
        "telex": changes.by_character(changes.to_telex),
        "umlauts-spelled": changes.by_character(lambda c: changes.UMLAUTS.get(c, c)),
        "soft-hyphens": changes.insert_between("\u00ad", 3),
        "zero-width-spaces": changes.insert_between("\u200b", 2),
        "zero-width-spaces-dense": changes.insert_between("\u200b", 1),
        "ligatures": changes.plain(changes.ligate),
        "combining-marks-added": changes.insert_between("\u0332", 1),
    }.items():
        add("encoding", name, each(change))


def _add_scripts() -> None:
    for name, rewrite in {
        "katakana": changes.to_katakana,
        "hiragana": changes.to_hiragana,
        "romanised-cyrillic": changes.romanise,
        "korean-letters": changes.to_letters,
        "arabic-digits": changes.to_arabic_digit,
        "romanised-kana": changes.romanise_kana,
        "simplified-han": lambda c: changes.TO_SIMPLIFIED.get(c, c),
        "traditional-han": lambda c: changes.TO_TRADITIONAL.get(c, c),
    }.items():
        add("script", name, each(changes.by_character(rewrite)))
    add("script", "look-alikes-30", each(changes.look_alike(0.3)))


def _add_marks() -> None:
    for name, change in {
        "tags-underscore": changes.tag("_"),
        "tags-slash": changes.tag("/", lower=True),
        "tags-bar": changes.tag("|"),
        "tags-same": changes.glue(after="_NN"),
        "sentencepiece-words": changes.glue("▁"),
        "end-of-word": changes.glue(after="</w>"),
        "elements": changes.glue("<w>", "</w>"),
        "brackets-around": changes.glue("[", "]"),
        "sentencepiece-pieces": changes.into_pieces("▁"),
        "wordpiece": changes.into_pieces(inner="##"),
        "bpe": changes.into_pieces(joint="@@"),
        "characters": changes.plain(tuple),
    }.items():
        add("marks", name, each(change))
    for size in (6, 8, 12, 16):
        add("marks", f"marks-of-{size}", each(changes.mark(size)))
        add("marks", f"marks-of-{size}-in-front", each(changes.mark(size, front=True)))
    add("marks", "word-lemma-tag", each(changes.analyse))
    for name, token in {"bars-between": "|", "slashes-between": "//", "underscores-between": "_"}.items():
        add("marks", name, between(token))
    add("marks", "sentence-marks", around("<s>", "</s>"))


def _add_noise() -> None:
    for percent in (1, 2, 5, 10, 15, 20, 25, 30, 40):
        add("ocr", f"ocr-{percent}", noise(changes.misread, percent))
        add("letters", f"replaced-{percent}", noise(changes.replace_letters, percent))
    for percent in (2, 10, 20, 30):
        add("letters", f"dropped-{percent}", noise(changes.drop_characters, percent))
        add("letters", f"inserted-{percent}", noise(changes.insert_characters, percent))
    for percent in (5, 20):
        add("letters", f"transposed-{percent}", noise(changes.transpose, percent))
    for percent in (10, 30):
        add("letters", f"ascii-for-letters-{percent}", noise(changes.replace_by_ascii, percent))
    add("ocr", "look-alikes-only", each(changes.misread_all(0.5)))
    add("letters", "leet", each(changes.by_character(lambda c: changes.LEET.get(c, c))))
    add("letters", "vowels-dropped", each(changes.plain(changes.drop_vowels)))
    add("letters", "letters-doubled-20", each(changes.double_letters(0.2)))
    add("letters", "stemmed", each(changes.plain(changes.stem)))


def _add_boundaries() -> None:
    for percent in (5, 20, 50):
        add("boundaries", f"tokens-merged-{percent}", merge_tokens(percent))
        add("boundaries", f"tokens-split-{percent}", split_tokens(percent))
    add("boundaries", "hyphenated-1-in-10", some_tokens(10, hyphenate))
    add("boundaries", "tokens-merged-and-noise", merge_tokens(20), noise(changes.replace_letters, 5))
    add("boundaries", "sentences-merged-1-in-5", merge_sentences(5), noise(changes.replace_letters, 2))
    add(
        "boundaries",
        "sentences-split-1-in-5",
        some_sentences(5, split_sentence),
        noise(changes.replace_letters, 2),
    )


def _add_punctuation() -> None:
    add("punctuation", "marks-dropped", where(lambda t, _: changes.is_mark(t), lambda *_: ""))
    add("punctuation", "marks-dropped-inside", drop_inner_marks)
    add("punctuation", "marks-dropped-at-end", drop_last_marks)
    add("punctuation", "marks-glued", glue_marks, noise(changes.replace_letters, 1))
    add("punctuation", "marks-doubled", each(changes.plain(lambda t: t * 2 if changes.is_mark(t) else t)))
    for name, change in {
        "marks-same": changes.change_marks(";"),
        "marks-unknown": changes.change_marks("[PUNCT]"),
        "quotes-angles": changes.map_marks(changes.ANGLES),
        "quotes-and-brackets-penn": changes.map_marks(changes.PENN),
        "marks-ascii": changes.map_marks(changes.ASCII_MARKS),
        "marks-wide": changes.map_marks(changes.WIDE_MARKS),
    }.items():
        add("punctuation", name, each(change))
    add(
        "punctuation",
        "speech",
        where(lambda t, _: changes.is_mark(t), lambda *_: ""),
        each(changes.plain(str.lower)),
    )


def _add_numbers_and_names() -> None:
    add("numbers", "digits-altered", each(changes.alter_digits))
    add("numbers", "numbers-spelled", each(changes.spell_out))
    add("numbers", "numbers-masked", each(changes.mask_numbers))
    add("names", "names-replaced", where(_is_name, lambda _t, text, rng: rng.choice(text.names or ["Oslo"])))
    add("names", "names-masked", where(_is_name, lambda *_: "<name>"))
    add("names", "rare-words-replaced", where(_is_rare_and_even, lambda _t, text, rng: rng.choice(text.rare)))
    add("names", "rare-words-masked", where(lambda t, text: t in text.rare_ones, lambda *_: "[UNK]"))
    add("names", "frequent-words-dropped", where(lambda t, text: t in text.frequent, lambda *_: ""))
    add("names", "abbreviated", each(changes.abbreviate))


def _add_tokens() -> None:
    for every in (3, 10):
        add("tokens", f"token-dropped-1-in-{every}", some_tokens(every, drop_token))
        add("tokens", f"token-replaced-1-in-{every}", some_tokens(every, replace_token))
        add("tokens", f"token-doubled-1-in-{every}", some_tokens(every, double_token))
        add("tokens", f"token-inserted-1-in-{every}", some_tokens(every, insert_token))
        add("tokens", f"token-masked-1-in-{every}", some_tokens(every, mask_token))
    add("tokens", "token-doubled-1-in-5", some_tokens(5, double_token))
    add("tokens", "remark-inserted-1-in-10", some_tokens(10, insert_remark))
    add("paraphrase", "paraphrase-15", paraphrase(0.15))
    add("paraphrase", "paraphrase-30", paraphrase(0.3))
    add("paraphrase", "paraphrase-and-noise", paraphrase(0.2), noise(changes.replace_letters, 10))
    add("paraphrase", "token-pairs-swapped-10", swap_tokens(10), is_ordered=False)
    add("paraphrase", "tokens-shuffled", shuffle_tokens, is_ordered=False)


def _add_sentences() -> None:
    for every in (2, 3, 5, 10):
        add("skipped", f"skipped-1-in-{every}", some_sentences(every, skip))
        add("replaced", f"sentence-replaced-1-in-{every}", with_strangers(every))
    add("skipped", "skipped-run-of-10", skip_runs(10, 50))
    add("skipped", "skipped-and-noise", some_sentences(5, skip), noise(changes.replace_letters, 10))
    add("skipped", "skipped-and-tags", some_sentences(10, skip), each(changes.tag("_")))
    add("replaced", "sentence-replaced-run-of-10", with_strangers(5, length=10))
    add("replaced", "sentence-replaced-and-noise", with_strangers(5), noise(changes.replace_letters, 10))
    add("replaced", "sentence-scrambled-1-in-5", some_sentences(5, scramble))
    add("replaced", "sentence-foreign-1-in-5", some_sentences(5, put_foreign))
    for every in (2, 5):
        add("stubs", f"stub-dots-1-in-{every}", some_sentences(every, stub("...")))
        add("stubs", f"stub-omitted-1-in-{every}", some_sentences(every, stub("[", "omitted", "]", ".")))
    add("stubs", "stub-first-token-1-in-5", some_sentences(5, keep_first))
    add("stubs", "stub-full-stop-1-in-5", some_sentences(5, stub(".")))
    add(
        "stubs",
        "stub-and-noise",
        some_sentences(5, stub("[", "omitted", "]", ".")),
        noise(changes.misread, 10),
    )
    add("doubled", "doubled-1-in-10", some_sentences(10, double))
    add("doubled", "doubled-all", some_sentences(1, double))
    add("doubled", "doubled-and-noise", some_sentences(5, double), noise(changes.replace_letters, 10))
    add("doubled", "text-twice", twice)
    add("inserted", "stranger-inserted-1-in-5", with_strangers(5, keep=True))
    add("inserted", "strangers-interleaved", with_strangers(5, keep=True, length=10))


def _add_layout() -> None:
    add("boilerplate", "page-headers", some_sentences(20, behind("Harbour", "News", "No.", "#")))
    add("boilerplate", "page-numbers", some_sentences(10, behind("-", "#", "-")))
    add(
        "boilerplate", "notice-behind-each", some_sentences(1, behind("Read", "more", "on", "page", "#", "."))
    )
    add("boilerplate", "notices-around", boilerplate(10, 10))
    add("boilerplate", "contents-before", contents)
    add("boilerplate", "sentences-numbered", numbered)
    add("boilerplate", "headers-and-noise", some_sentences(20, behind("Harbour", "News", "No.", "#")),
        noise(changes.misread, 10))  # fmt: skip
    add("truncation", "start-cut-10", part((0.1, 1)))
    add("truncation", "start-cut-40", part((0.4, 1)))
    add("truncation", "end-cut-40", part((0, 0.6)))
    add("truncation", "both-ends-cut", part((0.2, 0.8)))
    add("truncation", "middle-cut-half", part((0, 0.25), (0.75, 1)))
    add("truncation", "middle-cut-and-noise", part((0, 0.3), (0.7, 1)), noise(changes.replace_letters, 10))
    add("truncation", "sentences-cut-short-1-in-5", some_sentences(5, cut_short))


def _add_order() -> None:
    for name, step in {
        "halves-swapped": part((0.5, 1), (0, 0.5)),
        "third-to-end": part((0.33, 1), (0, 0.33)),
        "blocks-of-20-swapped": swap_blocks(20),
        "neighbours-swapped": swap_blocks(1),
        "moved-1-in-10": move(10),
        "sentences-shuffled": shuffle,
        "sentences-reversed": reverse,
        "notes-to-end": notes_to_end,
        "columns-interleaved": interleave,
    }.items():
        add("order", name, step, is_ordered=False)
    add("order", "moved-1-in-10-and-noise", move(10), noise(changes.replace_letters, 10), is_ordered=False)
    for name, step in {
        "unrelated-same-language": unrelated("strangers"),
        "unrelated-other-language": unrelated("foreign"),
        "unrelated-scrambled": scramble_all,
    }.items():
        add("unrelated", name, step, is_unrelated=True)
    add("unrelated", "tokens-drawn", draw_tokens, is_ordered=False)


for _add in (_add_encodings, _add_scripts, _add_marks, _add_noise, _add_boundaries, _add_punctuation,
             _add_numbers_and_names, _add_tokens, _add_sentences, _add_layout, _add_order):  # fmt: skip
    _add()
