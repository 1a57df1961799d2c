"""--max-input applies to every command that reads whole files, and to each of its processes."""

import gzip

import pytest

from runs import DE, EN, write

pytestmark = [pytest.mark.issue(15), pytest.mark.once]

LIMIT = "--max-input=10kB"


@pytest.fixture
def files(folder):
    """A small file, and one that is small until it is unpacked."""
    (folder / "gold.conllu").write_text(EN)
    (folder / "large.conllu.gz").write_bytes(gzip.compress(EN.encode() * 500))
    return "gold.conllu", "large.conllu.gz"


@pytest.mark.parametrize(
    "command",
    [
        "score", "align", "diff", "errors", "attribute", "conll18", "udeval", "typology cascades", "score --jobs 2",
        "score --by document",
    ],
)  # fmt: skip
def test_commands_of_two_files(evalign, files, command):
    done = evalign(*command.split(), *files, LIMIT)
    assert done.status == 1
    assert "large.conllu.gz: gzip data that unpacks to more than 10,000 bytes" in done.err
    assert "--max-input SIZE" in done.err
    other = evalign(*command.split(), *files, "--max-input", "2GiB")
    assert "more than" not in other.err


@pytest.mark.parametrize("command", ["doctor", "triples", "typology profile", "typology weights"])
def test_commands_of_one_file(evalign, files, command):
    done = evalign(*command.split(), files[1], LIMIT)
    said = " ".join((done.out + done.err).split())
    assert "gzip data that unpacks to more than 10,000 bytes" in said
    assert done.status == 1
    assert "more than 10,000" not in evalign(*command.split(), files[1]).err


def test_raw_text_and_lists_have_the_limit_too(evalign, files):
    for option in ("--raw", "--vocabulary", "--weights", "--exceptions", "--preset"):
        done = evalign("score", files[0], files[0], LIMIT, option, files[1])
        assert (done.status, "unpacks to more than 10,000 bytes" in done.err) == (1, True), option


def test_saved_results_have_the_limit_too(evalign, files):
    assert evalign("score", *files[:1] * 2, "-o", "run.json").status == 0
    for command in (["gate", "run.json", "--fail-under", "tokens=50"], ["convert", "run.json"]):
        assert evalign(*command).status == 0
        done = evalign(*command, "--max-input", "100")
        assert (done.status, "run.json: more than 100 bytes" in done.err) == (1, True), command


@pytest.fixture
def folders(folder):
    """Two treebanks; one file of a system is large when it is unpacked."""
    write(folder / "gold", en=EN, de=DE)
    write(folder / "alpha", en=EN)
    (folder / "alpha" / "de.conllu.gz").write_bytes(gzip.compress(DE.encode() * 5000))
    rows = (
        ["treebank", "gold", "s{}"],
        ["de", "gold/de.conllu", "alpha/de.conllu.gz"],
        ["en", "gold/en.conllu", "alpha/en.conllu"],
    )
    table = ("\t".join([*names, *(file.format(k) for k in range(6))]) for *names, file in rows)
    (folder / "all.tsv").write_text("\n".join(table))


@pytest.mark.slow
@pytest.mark.parametrize("given", ["gold" + 6 * " alpha", "--manifest all.tsv"])
@pytest.mark.parametrize("spread", [[], ["--jobs", "2"], ["--cluster"]], indirect=True)
def test_every_worker_knows_the_limit(evalign, folders, given, spread):
    """There are as many systems as make it worth to start processes."""
    done = evalign("score", *given.split(), *spread, LIMIT, "--metrics", "tokens")
    assert done.status == 0
    assert "de.conllu.gz: gzip data that unpacks to more than 10,000" in done.err


def test_a_kept_failure_is_not_taken_for_that_of_another_limit(evalign, folders):
    command = "score", "gold", "alpha", "--metrics", "tokens", "--keep", "kept"
    assert "unpacks to more than 10,000" in evalign(*command, LIMIT).err
    assert "unpacks to more than" not in evalign(*command).err


def test_parts_are_read_whatever_the_limit(evalign, files):
    done = evalign("score", *files, LIMIT, "--stream", "--metrics", "tokens")
    assert done.status == 0


@pytest.mark.parametrize("size", ["4GiB", "much", "0"])
def test_a_limit_that_cannot_be_is_a_wrong_command(evalign, files, size):
    done = evalign("score", *files, "--max-input", size)
    assert done.status == 2
    assert f'a limit of "{size}"' in done.err
    assert "expected a size up to 2 GiB" in done.err


def test_commands_without_files_have_no_limit(evalign):
    assert evalign("explain", "tokens", "--max-input", "5").status == 2
    assert "--max-input" in evalign("score", "--help").out
    assert "--max-input" not in evalign("cite", "--help").out
