"""Small shared-task runs that are written to folders."""


def words(*forms, tags=None, heads=None):
    """Return a sentence of CoNLL-U; unless heads are given, each word depends on the one before."""
    lines = []
    for k, form in enumerate(forms, 1):
        tag = tags[k - 1] if tags else "NOUN"
        head = heads[k - 1] if heads else k - 1
        relation = "root" if head == 0 else "dep"
        lines.append(f"{k}\t{form}\t{form.lower()}\t{tag}\t_\t_\t{head}\t{relation}\t_\t_")
    return "\n".join(lines) + "\n\n"


def write(folder, **files):
    """Write files into a folder and return the folder.

    A double underscore in a keyword stands for a dot; a name without one gets the ending .conllu.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for key, text in files.items():
        name = key.replace("__", ".")
        (folder / (name if "." in name else f"{name}.conllu")).write_text(text, encoding="utf-8")
    return folder


BROKEN = "1\tA\ta\n\n"
EN = words("A", "b", "c") + words("D", "e")
DE = words("X", "y")
"""Two words in one sentence; `EN` has five words in two sentences."""
EN_WRONG = words("A", "b", "c", tags=["NOUN", "VERB", "NOUN"]) + words("D", "e", tags=["VERB", "NOUN"])
"""`EN` with wrong tags for two of its five words."""
