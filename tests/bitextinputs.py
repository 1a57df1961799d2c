"""Small inputs of bitext data sets, and the content of a data set's folder."""

import random

OPENINGS = {
    "fr": ["parlement européen vote budget annuel", "navire marchand quitte port ancien", "équipe locale gagne finale nationale"],
    "en": ["european parliament passes annual budget", "merchant ship leaves ancient harbour", "local team wins national final"],
    "zh": ["欧洲议会通过年度预算", "商船离开古老港口城市", "本地球队赢得全国决赛"],
}  # fmt: skip
WORDS = {
    "fr": [
        "maison",
        "jardin",
        "rivière",
        "montagne",
        "forêt",
        "village",
        "école",
        "marché",
        "pont",
        "route",
        "église",
        "musée",
        "lampe",
        "table",
        "chaise",
    ],
    "en": [
        "house",
        "garden",
        "river",
        "mountain",
        "forest",
        "village",
        "school",
        "market",
        "bridge",
        "road",
        "church",
        "museum",
        "lamp",
        "table",
        "chair",
    ],
    "zh": list("房园河山林村学市桥路堂馆灯桌椅"),
}

CONFIG = """\
pair = "fr-en"

[documents.fr]
path = "fr.tsv"

[documents.en]
path = "en.tsv"

[[parallel]]
path = "pairs.tsv"

[links]
same_names = ["linked:"]

[splits]
sample = 20
training = 40
test = 40
"""


def sentence(language, rng):
    """Return a sentence of valid length with one of a few beginnings, so that pairs find places."""
    between = "" if language == "zh" else " "
    tail = rng.choices(WORDS[language], k=rng.randint(6, 10))
    return between.join([rng.choice(OPENINGS[language]), *tail])


def document(language, rng, sentences):
    """Return sentences, some of which are too short or too long."""
    return [
        sentence(language, rng)
        if rng.random() < 0.8
        else " ".join(rng.choices(WORDS[language], k=rng.choice([3, 30])))
        for _ in range(sentences)
    ]


def write_table(path, rows):
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8", newline="\n")


def write_inputs(
    folder, *, documents=10, linked=4, sentences=6, pairs=60, config=CONFIG, languages=("fr", "en")
):
    """Write documents of two languages, some with the same name, and pairs.

    Return the configuration's path.
    """
    rng = random.Random(7)
    folder.mkdir(parents=True, exist_ok=True)
    for language in languages:
        names = [f"{language}:{k}" for k in range(documents)] + [f"linked:{k}" for k in range(linked)]
        rows = [(name, text) for name in names for text in document(language, rng, sentences)]
        write_table(folder / f"{language}.tsv", rows)
    rows = [
        (f"p{k}", f"d{k // 5}", *(sentence(language, rng) for language in languages)) for k in range(pairs)
    ]
    write_table(folder / "pairs.tsv", rows)
    path = folder / "config.toml"
    path.write_text(config, encoding="utf-8", newline="\n")
    return path


def edit(config, old, new):
    """Replace a text that the configuration contains."""
    text = config.read_text(encoding="utf-8")
    assert old in text
    config.write_text(text.replace(old, new), encoding="utf-8")


def contents(folder):
    """Return the bytes of every file of a folder, by path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
