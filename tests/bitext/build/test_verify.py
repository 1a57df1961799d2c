"""Verification finds whatever is broken in the files of a data set."""

import pytest

from evalign.bitext.build.build import build_dataset
from evalign.bitext.build.verify import verify_dataset
from evalign.bitext.dataset import open_dataset, read_provenance
from evalign.bitext.languages import find_language

LANGUAGES = {code: find_language(code) for code in ("fr", "en")}


def broken(folder):
    """The promises that a data set does not keep."""
    checks = verify_dataset(open_dataset(folder), LANGUAGES)
    assert all(check.checked for check in checks)
    return {" ".join(check.promise.split()[-2:]) for check in checks if not check.holds}


def change_line(path, number, change):
    lines = path.read_text(encoding="utf-8").split("\n")
    lines[number] = change(lines[number])
    path.write_text("\n".join(lines), encoding="utf-8")


def find_line(path, part):
    lines = path.read_text(encoding="utf-8").split("\n")
    return next(k for k, line in enumerate(lines) if part in line)


def find_planted(folder, path):
    """The first line of a corpus that was planted."""
    planted = {origin.id for origin in read_provenance(folder) if origin.is_planted}
    return next(
        k for k, line in enumerate(path.read_text(encoding="utf-8").split("\n")) if line[:12] in planted
    )


BREAKS = [
    # what is done to a file, which, what is broken then
    ("a pair is gone", "fr-en.training.gold", lambda line: "", {"its translation"}),
    ("a pair is another", "fr-en.training.gold", lambda line: line[:-1] + "9", {"its translation"}),
    ("a sentence comes again", "fr-en.test.fr", None, {"its language"}),
    ("a sentence is short", "fr-en.test.fr", lambda line: line[:12] + "\ttrop court", {"too long", "stand behind"}),
    ("a sentence is twice as long as the one before", "fr-en.test.fr", "planted", {"stand behind"}),
    ("an id leaves a gap", "fr-en.test.fr", lambda line: "fr-999999999" + line[12:], {"each language", "its place"}),
    ("a document moves", "provenance.tsv", lambda line: line.replace("\tnative\t", "\tnative\tx"), set()),
]  # fmt: skip


@pytest.mark.parametrize(("what", "name", "change", "told"), BREAKS, ids=[row[0] for row in BREAKS])
def test_verification_finds_what_is_broken(config, folder, what, name, change, told):
    build_dataset(config, folder)
    assert broken(folder) == set()
    path = folder / name
    if change is None:
        text = path.read_text(encoding="utf-8").split("\n")[1].split("\t")[1]
        change_line(path, 0, lambda line: f"{line[:12]}\t{text}")
    elif change == "planted":
        planted = find_planted(folder, path)
        change_line(path, planted - 1, lambda line: line[:13] + " ".join(f"mot{k}" for k in range(10)))
        change_line(path, planted, lambda line: line[:13] + " ".join(f"mot{k}" for k in range(20)))
    elif name == "provenance.tsv":
        # A native sentence that something stands behind is said to be of another document.
        planted = find_line(path, "\tplanted\t")
        change_line(path, planted - 1, change)
        told = {"for them"}
    else:
        change_line(path, 0, change)
    assert broken(folder) == told


def test_verification_finds_documents_in_two_splits_and_on_both_sides(config, folder):
    build_dataset(config, folder)
    path = folder / "provenance.tsv"
    text = path.read_text(encoding="utf-8")
    homes = {
        line.split("\t")[3]: line.split("\t")[1] for line in text.split("\n")[1:-1] if line.startswith("fr")
    }
    one = next(name for name, split in homes.items() if split == "training")
    two = next(name for name, split in homes.items() if split == "test")
    path.write_text(text.replace(f"\t{one}\t", f"\t{two}\t"), encoding="utf-8")
    assert broken(folder) == {"two splits"}
    path.write_text(text, encoding="utf-8")
    links = [f"{one}\t{two}\n" for one in names(folder, "fr") for two in names(folder, "en")]
    (folder / "links.tsv").write_text("first\tsecond\n" + "".join(links), encoding="utf-8")
    assert broken(folder) == {"data set"}


def names(folder, code):
    return {origin.document for origin in read_provenance(folder) if origin.id.startswith(code)}
