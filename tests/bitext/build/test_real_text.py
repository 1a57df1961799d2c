"""Data sets from real text: NTREX and PUD pairs in monolingual documents, found through EVALIGN_DATA."""

import gzip

import pytest

from bitextinputs import contents
from evalign.bitext.build.build import build_dataset
from oracles.bitext_build import Limits, check_folder

LIMITS = {"zh": Limits(15, 40, in_words=False)}
CONFIG = """\
pair = "{code}-en"

[documents.{code}]
path = "{data}/mono/{code}.tsv.gz"

[documents.en]
path = "{data}/mono/en.tsv.gz"

[[parallel]]
path = "{data}/parallel/ntrex.{code}-en.tsv"

[[parallel]]
path = "{data}/parallel/pud.{code}-en.tsv"

[links]
same_names = ["handbook:", "debref:"]
"""


RUSSIAN = """\
pair = "ru-en"
documents.ru.path = "ru.tsv"
documents.en.path = "{data}/mono/en.tsv.gz"
splits = {{sample = 0, training = 0}}
[[parallel]]
path = "{data}/parallel/pud.fr-en.tsv"
"""


@pytest.fixture(scope="session")
def texts(data):
    folder = data / "bitext"
    if not folder.is_dir():
        pytest.skip("EVALIGN_DATA has no bitext")
    return folder


def names(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return {line.partition("\t")[0] for line in file}


def write_config(folder, texts, code, more=""):
    path = folder / f"{code}.toml"
    path.write_text(CONFIG.format(code=code, data=texts.as_posix()) + more, encoding="utf-8")
    return path


PAPER = "[languages.zh]\nminimum_should_match = 70\n"


@pytest.mark.slow
@pytest.mark.parametrize(("code", "more", "fewest"), [("fr", "", 50), ("de", "", 40), ("zh", "", 25)])
def test_real_text_keeps_all_promises(texts, tmp_path, code, more, fewest):
    config = write_config(tmp_path, texts, code, more)
    built = build_dataset(config, tmp_path / "out")
    shared = names(texts / "mono" / f"{code}.tsv.gz") & names(texts / "mono" / "en.tsv.gz")
    linked = [(name, name) for name in shared if name.startswith(("handbook:", "debref:"))]
    # As the README of the data says.
    assert len(linked) == {"fr": 129, "de": 130, "zh": 129}[code]
    counts = check_folder(tmp_path / "out", f"{code}-en", linked, LIMITS)
    assert counts["training"] >= fewest
    assert counts["test"] >= fewest
    found = built.counts["desynchronise"]
    lost = [found[language]["dropped sentences"] for language in (code, "en")]
    assert abs(lost[0] - lost[1]) <= 0.05 * sum(lost)
    build_dataset(config, tmp_path / "again")
    assert contents(tmp_path / "out") == contents(tmp_path / "again")


@pytest.mark.slow
def test_linked_documents_of_real_text_in_different_splits(texts, tmp_path):
    config = write_config(tmp_path, texts, "fr")
    config.write_text('desync = "split"\n' + config.read_text(encoding="utf-8"), encoding="utf-8")
    build_dataset(config, tmp_path / "out")
    shared = names(texts / "mono" / "fr.tsv.gz") & names(texts / "mono" / "en.tsv.gz")
    linked = [(name, name) for name in shared if name.startswith(("handbook:", "debref:"))]
    check_folder(tmp_path / "out", "fr-en", linked, apart="split")


@pytest.mark.slow
def test_chinese_with_the_settings_of_the_seed_finds_next_to_nothing(texts, tmp_path):
    built = build_dataset(write_config(tmp_path, texts, "zh", PAPER), tmp_path / "out")
    assert sum(sizes["gold"] for sizes in built.sizes.values()) < 30
    assert all("minimum_should_match" in warning for warning in built.warnings)
    told = " ".join(built.warnings)
    assert all(split in told for split in built.sizes), "also of splits that got some"


@pytest.mark.slow
def test_english_among_russian_is_left_out(texts, tmp_path):
    """Every English document once more, as Russian text that it is not."""
    with gzip.open(texts / "mono" / "en.tsv.gz", "rt", encoding="utf-8") as file:
        lines = list(file)
    russian = "Комитет собирался дважды в неделю в старой ратуше и решал все вопросы номер {}\n"
    path = tmp_path / "ru.tsv"
    path.write_text(
        "".join([f"ru:{k % 40}\t{russian.format(k)}" for k in range(400)] + lines[::10]), encoding="utf-8"
    )
    (tmp_path / "ru.toml").write_text(RUSSIAN.format(data=texts.as_posix()), encoding="utf-8")
    built = build_dataset(tmp_path / "ru.toml", tmp_path / "out")
    found = built.counts["filter"]["ru"]
    assert found["wrong language"] > 500
    assert found["kept sentences"] == 400
