"""Options and calls in messages are flags and commands on the command line, and data is left alone."""

import ast
import inspect
import json
import pickle
import re
import tomllib
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import evalign
import evalign.typology
from evalign import score, score_collection
from evalign.cli import main
from evalign.cli.commands import NAMES
from evalign.cli.output import spell_flags
from evalign.cli.run import load_command
from evalign.errors import Call, EvalignError, InputError, Message, Parameter, option, spell_with
from evalign.metrics.definitions.catalogue import load_definitions
from evalign.metrics.registry import METRICS
from evalign.scoring.collection import Treebank
from evalign.scoring.collection_run import CollectionJob, finish_treebank
from evalign.scoring.request import resolve

pytestmark = pytest.mark.once

SOURCE = Path(__file__).parent.parent.parent / "src" / "evalign"
# These are of the command line itself, or print what the scripts they replace print.
ABOVE = {"cli", "compat", "reports"}


@pytest.mark.parametrize(
    ("message", "typed"),
    [
        (Message("leave out {strict}"), "leave out --strict"),
        (Message("{average=micro} or {average=sentence}"), "--average micro or --average sentence"),
        (option("window", 4096), "--window 4096"),
        (Message("{raw=FOLDER}"), "--raw FOLDER"),
        (Message("{by=^([a-z]+)}"), "--by '^([a-z]+)'"),
        (option("by", "two words"), "--by 'two words'"),
        (Message("without {stream=True} and {engine=|--jobs}"), "without --stream and --jobs"),
        ("{strict} `strict=`: " + Message("{strict}") + " {strict}", "{strict} `strict=`: --strict {strict}"),
    ],
)
def test_options_and_calls_become_flags_and_commands(message, typed):
    before = spell_with(spell_flags)
    try:
        assert "" + message == pickle.loads(pickle.dumps(message)) == typed
    finally:
        spell_with(before)


# What commands print and save.

PLAIN = "The end .\n"
CONLLU = "1\tThe\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tend\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
BROKEN = '"\n'


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """A folder of gold, and one of a system with a file that cannot be read; its advice names formats."""
    monkeypatch.chdir(tmp_path)
    for folder, text in (("gold", CONLLU), ("alpha", CONLLU)):
        Path(folder).mkdir()
        Path(folder, "en.conllu").write_text(text, encoding="utf-8")
        Path(folder, "fi.conllu").write_text(text, encoding="utf-8")
    Path("alpha", "fi.conllu").write_text(BROKEN, encoding="utf-8")
    Path("plain.txt").write_text(PLAIN, encoding="utf-8")
    Path("raw-text.txt").write_text("This is the end. It is over. So it goes.\n" * 9, encoding="utf-8")
    words = [f"{number * 2654435761 % 2**32:x}" for number in range(3000)]
    Path("long.txt").write_text("\n".join(words[:1500]) + "\n", encoding="utf-8")
    Path("longer.txt").write_text(
        "\n".join(words[:600] + words[1500:] + words[600:1500]) + "\n", encoding="utf-8"
    )
    return tmp_path


def run_all(capsys, *commands):
    """What commands print on both streams, and what they write to files called out, together."""
    for command in commands:
        main(command.split())
    return "".join(
        [*capsys.readouterr(), *(path.read_text(encoding="utf-8") for path in Path().glob("out.*"))]
    )


ADVICE = "--gold-format plain or --system-format plain"


@pytest.mark.parametrize(
    ("commands", "flags"),
    [
        (["score gold alpha"], ADVICE),
        (["score gold alpha --format json"], ADVICE),
        (["score gold alpha -o out.json -q"], ADVICE),
        (["score gold alpha --report out.html -q"], "--gold-format plain"),
        (["score gold alpha --jobs 2 --format json"], ADVICE),
        (["score gold alpha -o run.json -q", "attribute gold alpha --format json"], ADVICE),
        (["score gold alpha -o run.json -q", "convert run.json --format markdown"], "--gold-format plain"),
        (["score gold alpha -o run.json -q", "gate run.json --fail-under las=90 --format json"], ADVICE),
        (["typology study gold alpha -o study", "convert study/run.json"], "--gold-format plain"),
        (["doctor raw-text.txt"], "raw text goes to --raw"),
        (["doctor raw-text.txt --format json"], "raw text goes to --raw"),
        (["explain sentences"], "--match place"),
        (["explain las"], "--per relation"),
        (["score plain.txt plain.txt --metrics oov"], "--vocabulary FILE"),
        (["score plain.txt alpha/fi.conllu"], ADVICE),
        (["score long.txt longer.txt --stream --window 64 --metrics tokens"], "larger window: --window N"),
        (["convert plain.txt"], "evalign score ... -o run.json"),
    ],
)
def test_commands_print_and_save_flags(folders, capsys, commands, flags):
    said = run_all(capsys, *commands)
    assert flags in re.sub(r"\s+", " ", said)
    assert not re.search(r"`\w+=|`evalign\.|`breakdown", said)


def test_results_that_python_saved_keep_its_words(folders, capsys):
    score_collection("gold", "alpha").save("run.json")
    said = run_all(capsys, "convert run.json --format json", "report run.json -o out.html")
    assert '`gold_format=\\"plain\\"`' in said
    assert ADVICE not in said


def test_python_says_parameters_after_a_command_has_run(folders, capsys):
    assert "--system-format plain" in run_all(capsys, "score gold/fi.conllu alpha/fi.conllu")
    with pytest.raises(InputError, match='`gold_format="plain"` or `system_format="plain"`'):
        score("gold/fi.conllu", "alpha/fi.conllu")


NAME = "`strict=`g.conllu"
OTHER = "`match=` `evalign.score(stream=True)` `engine=N`.conllu"


def test_names_of_data_with_backticks_are_never_rewritten(folders, capsys):
    """In file names, tokens, labels and comments: in tables, messages, saved results, pages and reports."""
    odd = "# newdoc id = `raw=`\n" + CONLLU.replace("end", "`strict=`").replace("NOUN", "`window=4`")
    for name in (NAME, OTHER):
        Path(name).write_text(odd, encoding="utf-8")
        for folder in ("gold", "alpha"):
            Path(folder, name).write_text(odd if folder == "gold" else BROKEN, encoding="utf-8")
    run = ["score", NAME, OTHER, "--per", "tag", "--by", "document"]
    for command in (
        run,
        [*run, "--format", "json"],
        [*run, "-o", "out.json", "-q"],
        [*run, "--report", "out.html", "-q"],
        ["score", "gold", "alpha", "-o", "run.json"],
        ["convert", "run.json", "--format", "json"],
        ["gate", "run.json", "--fail-under", "las=1", "--format", "json"],
        ["attribute", NAME, OTHER, "--format", "json"],
        ["doctor", NAME, OTHER],
        ["score", NAME, f"alpha/{OTHER}"],
        ["typology", "study", "gold", "alpha", "-o", "study"],
    ):
        main(command)
    out, err = capsys.readouterr()
    files = [*Path().glob("out.*"), Path("run.json"), *Path("study").iterdir()]
    texts = [out, err, *(path.read_text(encoding="utf-8") for path in files if path.suffix != ".pdf")]
    said = "".join(re.sub(r"\s+", " ", text) for text in texts)
    assert NAME in err
    assert json.loads(Path("out.json").read_text(encoding="utf-8"))["gold"] == NAME
    for name in (NAME, OTHER, "`window=4`", "`raw=`"):
        assert name in said
    assert not re.search(r"--strict|--stream|--jobs|--window|--match|--raw", said)


def test_workers_write_options_as_the_process_that_sends_the_work(folders):
    """The worker is this process, which says parameters; the job is of one that says flags."""
    before = spell_with(spell_flags)
    try:
        job = pickle.dumps(CollectionJob(("alpha",), ("",), resolve(), "skip", "keep", None))
        error = pickle.dumps(catch(score, "gold/fi.conllu", "alpha/fi.conllu"))
    finally:
        spell_with(before)
    treebank = Treebank("fi", "gold/fi.conllu", ("alpha/fi.conllu",))
    done = pickle.loads(pickle.dumps(finish_treebank(pickle.loads(job), "", treebank)))
    assert ADVICE in done.result.systems[0].failure
    assert "`gold_format=" in str(pickle.loads(error))


def catch(function, *arguments):
    """The error that a call raises."""
    with pytest.raises(EvalignError) as caught:
        function(*arguments)
    return caught.value


# What messages name.


@cache
def flags(command=""):
    """All options of a command, such as "bitext mine"; of all commands if it is empty."""
    commands = [load_command(name) for name in NAMES if command in ("", name) and name != "evalb"]
    return {flag for each in commands for option in each.all_options for flag in option.name.split()}


@cache
def parameters():
    """All parameters of the functions and classes that users call."""
    packages = (evalign, evalign.typology)
    names = set()
    for each in (getattr(package, name) for package in packages for name in package.__all__):
        with suppress(TypeError, ValueError):  # types of JSON, and constants
            names |= inspect.signature(each).parameters.keys()
    return names


# What makes messages.
MAKERS = {"Message", "option", "call"}
# Texts of entries: of definitions, and of what readers remark on.
OF_ENTRIES = {
    "fields.get(field, '')": lambda: list_texts_of_definitions(),
    "metric.whole": lambda: [metric.whole for metric in METRICS.values()],
    "unusual.advice": lambda: [
        entry.advice for entry in import_module("evalign.readers.foreign_lines").UNUSUAL
    ],
}


def list_texts_of_definitions():
    """The texts of `definitions.toml` in which options are named, with options in braces."""
    path = SOURCE / "metrics" / "definitions" / "definitions.toml"
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    entries = (*content["metrics"].values(), *content["terms"].values())
    texts = [entry.get(field, "") for entry in entries for field in ("definition", "notes")]
    assert len(texts) > 100
    return texts


# Functions that are given the name of an argument of a wrong type, which no command can pass.
CHECKS = {"check_type", "list_texts", "check_flag"}


class Source(ast.NodeVisitor):
    """The texts of a module below the command line, without what messages have for it to say instead."""

    def __init__(self, path):
        self.path, self.texts, self.docs, self.pieces, self.bad = path, [], [], [], []
        tree = ast.parse(path.read_text(encoding="utf-8"))
        self.visit(tree)
        # They would say for ever what they say where the module is imported.
        early = [each for each in tree.body if not isinstance(each, ast.FunctionDef | ast.ClassDef)]
        self.bad += [self.at(each) for one in early for each in ast.walk(one) if name(each) in MAKERS]

    def visit_Call(self, node):
        function = name(node)
        texts = [write(each) for each in node.args]
        if function == "Message":
            for text in self.find_texts(node.args[0]):
                self.texts.append((self.at(node), text))
                self.pieces += Message(text).pieces
        elif function == "option":
            self.pieces.append(Parameter(*texts[:1]))
        elif function == "call":
            self.pieces.append(Call(*texts))
        elif function not in CHECKS:
            self.generic_visit(node)

    def visit_Constant(self, node):
        if isinstance(node.value, str):
            self.texts.append((self.at(node), node.value))

    def visit_JoinedStr(self, node):
        self.texts.append((self.at(node), write(node)))
        self.generic_visit(node)

    def visit_Expr(self, node):
        """Tell docstrings from other texts."""
        if isinstance(node.value, ast.Constant):
            self.docs.append((self.at(node), str(node.value.value)))
        else:
            self.generic_visit(node)

    def find_texts(self, node):
        """The texts that the argument of a `Message` may have: it stands there, or in a constant of the module."""
        if isinstance(node, ast.Constant):
            return [node.value]
        if ast.unparse(node) in OF_ENTRIES:
            return OF_ENTRIES[ast.unparse(node)]()
        constant = getattr(node.value if isinstance(node, ast.Subscript) else node, "id", "")
        if not constant.isupper():
            self.bad.append(self.at(node))
            return []
        module = import_module(".".join(("evalign", *self.path.relative_to(SOURCE).with_suffix("").parts)))
        value = getattr(module, constant)
        return value.values() if isinstance(value, dict) else [value]

    def at(self, node):
        return f"{self.path.relative_to(SOURCE)}:{node.lineno}"


def name(node):
    """The name of the function that a node calls, if it is one."""
    return getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""


def write(node):
    """The text of an argument, with X for each value in it."""
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "X" for part in node.values)
    return node.value if isinstance(node, ast.Constant) else ast.unparse(node)


@cache
def sources():
    paths = [path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).parts[0] not in ABOVE]
    return [Source(path) for path in paths if path.name != "errors.py"]


@cache
def pieces():
    """All options and calls that messages and definitions name, each once."""
    named = dict.fromkeys(each for source in sources() for each in source.pieces)
    return [each for each in named if not isinstance(each, str)]


# Options whose name is a value, and what it may be.
NAMED_BY_VALUES = {
    "X_format": ("gold_format", "system_format"),
    "condition.replace('-', '_')": ("max_drop", "fail_under", "fail_over"),
}


def test_every_option_in_a_message_is_a_parameter_and_a_flag():
    for piece in pieces():
        for name in NAMED_BY_VALUES.get(piece[0], piece[:1]) if isinstance(piece, Parameter) else ():
            assert name in parameters()
            assert spell_flags(Parameter(name)) in flags()


def test_every_call_in_a_message_has_parameters_and_flags_that_there_are():
    for piece in pieces():
        if isinstance(piece, Call):
            check_python(piece.python)
            typed = spell_flags(piece)
            name = re.match(r"evalign ((?:bitext |typology )?[a-z]+)", typed)
            for flag in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", typed):
                assert flag in flags(name[1] if name else ""), typed


def check_python(code):
    """Assert that the parameter or function that `code` names is there, with the parameters that it is given."""
    name, equals, _ = code.replace('X={"X": X}', "max_drop=").partition("=")
    if equals and name.isidentifier():
        assert name in parameters(), code
        return
    tree = ast.parse(code, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and not (name := ast.unparse(node.func)).startswith("evalign.X"):
            given = {keyword.arg for keyword in node.keywords}
            assert given <= inspect.signature(find(name)).parameters.keys(), code


def find(name):
    """The function that is called `name` in a message."""
    *path, last = name.split(".")
    if path[:1] != ["evalign"] or name.startswith("evalign.score("):
        return getattr(evalign.Result, last)
    return getattr(import_module(".".join(path)), last)


def test_no_text_below_the_command_line_names_a_flag():
    named = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
    texts = [row for source in sources() for row in (*source.texts, *source.docs)]
    assert [place for place, text in texts if named.search(text)] == []


def test_all_code_in_messages_is_that_of_an_option_or_call():
    code = re.compile(r"`[a-z_.X]+[=(][^`\n]*`")
    assert [place for source in sources() for place, text in source.texts if code.search(text)] == []


def test_messages_are_made_when_needed_and_their_text_is_never_made_of_data():
    assert [place for source in sources() for place in source.bad] == []


def test_definitions_have_parameters_in_python_and_flags_on_the_command_line():
    python = load_definitions()["tokens"].notes
    before = spell_with(spell_flags)
    try:
        command = load_definitions()["tokens"].notes
    finally:
        spell_with(before)
    assert (python, command) == (
        'With `match="place"` the text does not matter.',
        "With --match place the text does not matter.",
    )


def test_names_of_files_in_commands_to_type_stay_as_they_are(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("it's<raw>.mrg").write_text("(S (N a))\n", encoding="utf-8")
    Path("it's<raw>.tsv").write_text("start\tend\tlabel\n0\t1\tA\n", encoding="utf-8")
    Path("{x}.txt").write_text("a\n", encoding="utf-8")
    main(["score", "it's<raw>.tsv", "it's<raw>.mrg", "--raw", "{x}.txt"])
    assert r"evalign triples 'it'\''s<raw>.mrg' --raw FILE --format tsv" in capsys.readouterr().err


def test_raw_texts_have_any_name_in_warnings(tmp_path, capsys):
    raw = tmp_path / "{x}.txt"
    raw.write_text("other words\n", encoding="utf-8")
    examples = SOURCE.parent.parent / "examples"
    assert (
        main(["score", *(str(examples / name) for name in ("gold.conllu", "system.txt")), "--raw", str(raw)])
        == 0
    )
    assert "{x}.txt: 27" in capsys.readouterr().err
