"""What every command prints and writes, kept in a folder and compared byte by byte with what another commit does.

    python -m tools.snapshot store ../before
    python -m tools.snapshot compare ../before

The first runs every case with this checkout, or with that of `--tree`, and keeps standard output, standard error, exit
status and files; the second runs them again and says what differs (exit status 1). Cases on real data are left out
where EVALIGN_DATA is not set. A case is a few commands in a folder of its own, with a copy of `examples/`, and with the data
as `data/`, so that no path of a machine is printed.
"""

from __future__ import annotations

import argparse
import difflib
import filecmp
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parent.parent
WIDTHS = (36, 60, 80, 100)
EWT = "data/systems/udpipe/English-EWT"
FORMATS = ("json", "csv", "markdown", "latex", "typst")

# Commands that print tables: each is run at every width, and at one width in each of the formats beside it.
TABLES: dict[str, tuple[str, tuple[str, ...]]] = {
    "score-plain": ("score examples/gold.conllu examples/system.txt", FORMATS),
    "score-two": ("score examples/gold.conllu examples/system.txt examples/second.conllu --paired", FORMATS),
    "score-all": ("score examples/corpus/gold.conllu examples/corpus/second.conllu --metrics all", FORMATS),
    "score-counts": ("score examples/gold.conllu examples/second.conllu --layout counts", FORMATS),
    "score-confidence": (
        "score examples/corpus/gold.conllu examples/corpus/*.conllu --confidence --paired --by document",
        FORMATS,
    ),
    "score-labels": (
        "score examples/corpus/gold.conllu examples/corpus/second.conllu --per tag,relation",
        FORMATS,
    ),
    "score-trees": ("score examples/gold.mrg examples/system.mrg", FORMATS),
    "score-presets": ("score examples/gold.mrg examples/system.mrg --preset evalb-collins", FORMATS),
    "score-folders": (
        "score examples/shared-task/gold examples/shared-task/alpha examples/shared-task/beta",
        FORMATS,
    ),
    "score-folders-counts": (
        "score examples/shared-task/gold examples/shared-task/alpha --layout counts",
        FORMATS,
    ),
    "score-raw": ("score examples/gold.mrg examples/system.mrg --raw examples/raw.txt", FORMATS),
    "score-strict": ("score examples/gold.conllu examples/second.conllu --strict", FORMATS),
    "score-altered": (
        f"score {EWT}.gold.conllu data/systems/udpipe-altered/English-EWT.altered-ptbquotes.conllu",
        FORMATS,
    ),
    "score-segmenter": (
        "score data/systems/segmenters/English-EWT.gold.txt data/systems/segmenters/English-EWT.syntok.txt",
        FORMATS,
    ),
    "score-gum": (
        "score data/constituency/gum/gold.mrg data/constituency/gum/sys_retokenised.mrg --metrics all",
        FORMATS,
    ),
    "score-streamed": (
        "score data/systems/udpipe/French-GSD.gold.conllu data/systems/udpipe/French-GSD.conllu --stream --jobs 2",
        ("json",),
    ),
    "errors": (
        "errors examples/corpus/gold.conllu examples/corpus/second.conllu",
        ("json", "csv", "markdown", "latex"),
    ),
    "errors-trees": (
        "errors examples/gold.mrg examples/system.mrg",
        ("json", "csv", "markdown", "latex"),
    ),
    "diff": ("diff examples/corpus/gold.conllu examples/corpus/second.conllu", ("jsonl",)),
    "diff-trees": ("diff examples/gold.mrg examples/system.mrg", ("jsonl",)),
    "diff-plain": ("diff examples/gold.conllu examples/system.txt", ("jsonl",)),
    "align": ("align examples/gold.conllu examples/system.txt", ("jsonl",)),
    "attribute": ("attribute examples/gold.mrg examples/system.mrg", FORMATS),
    "attribute-arcs": ("attribute examples/corpus/gold.conllu examples/corpus/second.conllu", FORMATS),
    "attribute-folders": (
        "attribute examples/shared-task/gold examples/shared-task/alpha --gold-tokens examples/shared-task/beta",
        FORMATS,
    ),
    "triples": ("triples examples/gold.mrg", ("tsv", "csv", "json", "jsonl")),
    "doctor": ("doctor examples/gold.conllu examples/system.txt examples/trees.txt", ("json",)),
    "profile": ("typology profile examples/shared-task/gold/*.conllu", FORMATS[:-1]),
    "select": ("typology select examples/shared-task/gold/*.conllu --least-tokens 5", FORMATS[:-1]),
    "cascades": ("typology cascades examples/shared-task/gold examples/shared-task/alpha", FORMATS[:-1]),
    "weights": ("typology weights examples/shared-task/gold/*.conllu", ("json",)),
    "profile-pud": ("typology profile data/ud/UD_*-PUD/*.conllu", FORMATS[:-1]),
}

# Commands that run one after the other in one folder; the files that they write are kept too.
SEQUENCES: dict[str, tuple[str, ...]] = {
    "saved": (
        "score examples/corpus/gold.conllu examples/corpus/second.conllu examples/corpus/third.conllu -o run.json -q",
        "convert run.json --format latex",
        "convert run.json --format typst",
        "convert run.json --format jsonl",
        "signature run.json",
        "signature run.json --format json",
        "gate run.json --fail-under las=99",
        "gate run.json --fail-under las=10 --format markdown",
        "report run.json -o page.html",
        "typology compare run.json",
    ),
    "saved-folders": (
        "score examples/shared-task/gold examples/shared-task/alpha examples/shared-task/beta -o run.json -q",
        "convert run.json",
        "convert run.json --format csv --layout counts",
        "report run.json -o page.html",
        "attribute run.json",
        "attribute run.json --format json",
        "typology compare run.json",
        "typology compare run.json --format json",
    ),
    "saved-trees": (
        "score examples/gold.mrg examples/system.mrg -o run.json -q",
        "report run.json -o page.html",
        "convert run.json --format json",
    ),
    "saved-plain": (
        "score examples/gold.conllu examples/system.txt --report page.html -o run.json",
        "convert run.json --format markdown",
    ),
    "study": ("typology study examples/shared-task/gold examples/shared-task/alpha -o study --pictures svg",),
    "official": (
        "conll18 examples/gold.conllu examples/second.conllu -v",
        "conll18 examples/gold.conllu examples/system.txt",
        "udeval examples/gold.conllu examples/second.conllu -v",
        "evalb examples/gold.mrg examples/system.mrg",
        "align examples/gold.conllu examples/system.txt --resegment",
    ),
    "official-data": (
        *(
            f"{script} data/systems/udpipe/{name}.gold.conllu data/systems/udpipe/{name}.conllu -v"
            for script in ("conll18", "udeval")
            for name in ("Chinese-GSD", "English-EWT", "French-GSD", "Korean-GSD")
        ),
        "evalb data/constituency/gum/gold.mrg data/constituency/gum/sys_perturbed.mrg",
        "evalb data/constituency/gum/gold.mrg data/constituency/gum/sys_retokenised.mrg",
    ),
    "bitext": (
        "bitext build examples/bitext/config.toml -o set -q",
        "bitext stats set",
        "bitext stats set --format json",
        "bitext show set",
        "bitext show set --format json",
        "bitext mine set --lexicon examples/bitext/parallel.tsv -o mined -q",
        "bitext score set/fr-en.test.gold mined/fr-en.test.lexical.tsv",
        "bitext score set/fr-en.test.gold mined/fr-en.test.lexical.tsv --format json",
    ),
    "refusals": (
        "score examples/gold.conllu nothing.txt",
        "score examples/gold.conllu examples/gold.mrg --metrics las",
        "score examples/gold.conllu",
        "score examples/gold.conllu examples/system.txt --metrics nonsense",
        "score examples/gold.conllu examples/system.txt --match nonsense",
        "convert examples/gold.conllu",
        "nonsense",
        "typology nonsense",
        "bitext build examples/gold.conllu -o set",
    ),
    "words": (
        "--version",
        "explain",
        "explain las",
        "explain tolerated",
        "cite",
        "cite --format bibtex",
        "completion bash",
        "completion zsh",
        "completion fish",
        "completion bash score --metrics tokens,l",
        "completion zsh bitext mine -",
        "completion fish score --average=m",
    ),
}

COMMANDS = """
score, align, diff, errors, report, convert, signature, gate, attribute, conll18, udeval, triples, evalb,
typology, typology profile, typology weights, typology compare, typology select, typology judge, typology cascades,
typology study, bitext, bitext build, bitext stats, bitext show, bitext score, bitext mine,
explain, doctor, cite, completion
"""


def list_cases() -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """Yield the name of each case, the width of the terminal, and the commands."""
    for name, (command, formats) in TABLES.items():
        for width in WIDTHS:
            yield f"{name}-{width}", width, (command,)
        for format in formats:
            yield f"{name}-{format}", 80, (f"{command} --format {format}",)
    for name, commands in SEQUENCES.items():
        yield name, 80, commands
    for width in (60, 100):
        yield f"help-{width}", width, ("--help", *(f"{command} --help" for command in COMMANDS.split(",")))


def run_case(tree: Path, width: int, commands: tuple[str, ...], kept: Path) -> None:
    """Run the commands of one case with a checkout, and keep what they print, return and write in `kept`."""
    kept.mkdir(parents=True)
    environment = {
        **os.environ,
        "PYTHONPATH": str(tree / "src"),
        "PYTHONHASHSEED": "0",
        "COLUMNS": str(width),
        "NO_COLOR": "1",
        "TZ": "UTC",
        "SOURCE_DATE_EPOCH": "0",
    }
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        shutil.copytree(ROOT / "examples", folder / "examples")
        if data := os.environ.get("EVALIGN_DATA"):
            (folder / "data").symlink_to(data)
        before = set(folder.iterdir())
        for number, command in enumerate(commands):
            arguments = [word for words in shlex.split(command) for word in expand(words, folder)]
            done = subprocess.run(
                [sys.executable, "-m", "evalign", *arguments],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
            )
            (kept / f"{number}.command").write_text(f"evalign {command}\nexit status {done.returncode}\n")
            (kept / f"{number}.stdout").write_bytes(done.stdout)
            (kept / f"{number}.stderr").write_bytes(done.stderr)
        for path in sorted(set(folder.iterdir()) - before):
            (shutil.copytree if path.is_dir() else shutil.copy)(path, kept / path.name)


def expand(word: str, folder: Path) -> list[str]:
    """Expand a pattern to the files that match it, as a shell does."""
    if "*" not in word:
        return [word]
    return sorted(path.relative_to(folder).as_posix() for path in folder.glob(word))


def run_cases(tree: Path, kept: Path) -> None:
    """Run all cases with a checkout; leave out those on real data if EVALIGN_DATA is not set."""
    cases = [
        case
        for case in list_cases()
        if "EVALIGN_DATA" in os.environ or not any("data/" in command for command in case[2])
    ]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        done = [pool.submit(run_case, tree, width, commands, kept / name) for name, width, commands in cases]
        for future in done:
            future.result()
    print(f"{len(cases)} cases, {sum(len(commands) for *_, commands in cases)} commands")


def compare(before: Path, after: Path) -> int:
    """Print the differences between two stored runs; return the number of files that differ."""
    names = {path.relative_to(root) for root in (before, after) for path in root.rglob("*") if path.is_file()}
    count = 0
    for name in sorted(names):
        one, other = before / name, after / name
        if not (one.exists() and other.exists()):
            print(f"only {'before' if one.exists() else 'after'}: {name}")
        elif filecmp.cmp(one, other, shallow=False):
            continue
        else:
            print(f"differs: {name}")
            texts = [
                path.read_bytes().decode(errors="replace").splitlines(keepends=True) for path in (one, other)
            ]
            for line in list(difflib.unified_diff(*texts, n=0))[2:10]:
                print(f"    {line.rstrip()[:200]}")
        count += 1
    print(f"{len(names)} files, {count} of them differ")
    return count


def main() -> int:
    """Store or compare; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("action", choices=("store", "compare"))
    parser.add_argument("folder", type=Path, help="where what is printed and written is kept")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout that is run (default: this)")
    given = parser.parse_args()
    tree = given.tree.resolve()
    if given.action == "store":
        if given.folder.exists():
            parser.error(f"{given.folder} exists already")
        run_cases(tree, given.folder)
        return 0
    if not given.folder.is_dir():
        parser.error(f"{given.folder} is no folder: store it first")
    with tempfile.TemporaryDirectory() as scratch:
        run_cases(tree, Path(scratch) / "after")
        return int(compare(given.folder, Path(scratch) / "after") > 0)


if __name__ == "__main__":
    sys.exit(main())
