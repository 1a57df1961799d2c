"""Small CoNLL-U texts for tests."""


def row(number, form, head="_", relation="_"):
    return f"{number}\t{form}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_\n"


def sentence(*forms):
    """Return a sentence with a tree: the first word is the root, the others depend on the word before."""
    return "".join(row(k, form, k - 1) for k, form in enumerate(forms, 1)) + "\n"


def from_words(document, ids=()):
    """Return sentences of (form, inner words) as CoNLL-U; a token without inner words is one word."""
    lines = []
    for index, tokens in enumerate(document):
        lines += [f"# sent_id = {ids[index]}\n"] if ids else []
        number = 0
        for form, inner in tokens:
            if inner:
                lines.append(row(f"{number + 1}-{number + len(inner)}", form))
            for word in inner or [form]:
                number += 1
                lines.append(row(number, word, number - 1))
        lines.append("\n")
    return "".join(lines)
