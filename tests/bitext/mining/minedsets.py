"""Small data sets to mine, and pairs to learn from; their English is French translated word by word."""

LEXICON = {
    "le": "the",
    "chat": "cat",
    "chien": "dog",
    "noir": "black",
    "blanc": "white",
    "dort": "sleeps",
    "mange": "eats",
    "poisson": "fish",
    "maison": "house",
    "jardin": "garden",
    "dans": "in",
    "petit": "small",
    "oiseau": "bird",
    "chante": "sings",
    "et": "and",
}


def english(french):
    """Translate word by word; unknown words stay."""
    return " ".join(LEXICON.get(word, word) for word in french.split())


# Each word occurs in several sentences, so that IBM model 1 can tell the words apart.
LEARNT = [
    "le chat dort",
    "le chien dort",
    "le chat noir mange",
    "le chien blanc mange le poisson",
    "le poisson blanc",
    "le petit oiseau chante",
    "le petit chat",
    "dans le jardin",
    "dans la maison",
    "le chien et le chat",
    "le jardin blanc et la maison",
    "oiseau noir",
    "chante et dort",
    "petit poisson",
    "maison noir",
]
PARALLEL = "".join(f"{text}\t{english(text)}\n" for text in LEARNT)

FIRST = [
    "le chat noir dort dans le jardin",
    "un train rapide part demain",
    "le petit oiseau chante",
    "rien ne va plus ici",
    "le chien blanc mange le poisson de 1984",
]
# Among others, translations of the first, third and fifth sentence of FIRST.
SECOND = [
    "a plain sentence about nothing",
    "the small bird sings",
    "another one of 1985",
    "the dog white eats the fish of 1984",
    "the cat black sleeps in the garden",
]
GOLD = [(1, 5), (3, 2), (5, 4)]


def write_dataset(folder, first=FIRST, second=SECOND, split="test", pair=("fr", "en"), gold=GOLD):
    """Write a data set of one split into a folder."""
    folder.mkdir(exist_ok=True)
    stem = f"{pair[0]}-{pair[1]}.{split}"
    for code, texts in zip(pair, (first, second), strict=True):
        lines = [f"{code}-{number:09d}\t{text}\n" for number, text in enumerate(texts, 1)]
        (folder / f"{stem}.{code}").write_text("".join(lines), encoding="utf-8", newline="\n")
    lines = [f"{pair[0]}-{one:09d}\t{pair[1]}-{two:09d}\n" for one, two in gold]
    (folder / f"{stem}.gold").write_text("".join(lines), encoding="utf-8", newline="\n")
    return folder
