"""Small shared-task runs written to folders."""


def words(*forms, tags=None, heads=None):
    """A sentence of CoNLL-U: a chain to the left unless heads are given."""
    lines = []
    for k, form in enumerate(forms, 1):
        tag = tags[k - 1] if tags else "NOUN"
        head = heads[k - 1] if heads else k - 1
        relation = "root" if head == 0 else "dep"
        lines.append(f"{k}\t{form}\t{form.lower()}\t{tag}\t_\t_\t{head}\t{relation}\t_\t_")
    return "\n".join(lines) + "\n\n"


def write(folder, **files):
    """Files of a folder; a double underscore in a keyword is a dot, and CoNLL-U is the ending of those without."""
    folder.mkdir(parents=True, exist_ok=True)
    for key, text in files.items():
        name = key.replace("__", ".")
        (folder / (name if "." in name else f"{name}.conllu")).write_text(text, encoding="utf-8")
    return folder


BROKEN = "1\tA\ta\n\n"
EN = words("A", "b", "c") + words("D", "e")
DE = words("X", "y")
"""Five words in two sentences, and two in one."""
EN_WRONG = words("A", "b", "c", tags=["NOUN", "VERB", "NOUN"]) + words("D", "e", tags=["VERB", "NOUN"])
"""Tags of two words of five are wrong."""
