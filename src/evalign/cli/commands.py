"""Names and one-line summaries of all commands.

Each command is a `Command` in the module of its name, and has its name in capitals: `SCORE`. The commands of a
group are in the module of the group; other commands that share a module are in `MODULES`. `evalb` alone has
`main` instead, because it starts without a parser. This module imports nothing, so that `evalign --help` lists
the commands without loading any of them.
"""

COMMANDS = {
    "score": "score one or several systems against gold",
    "align": "print the aligned blocks, or regroup tokens into gold's sentences",
    "diff": "print what differs, with places",
    "errors": "rank errors by kind and by what was written",
    "report": "write a saved result as a page for the browser",
    "convert": "print a saved result as LaTeX, CSV, Markdown, Typst or JSON",
    "signature": "say which numbers a saved result has",
    "gate": "fail where scores fall: for continuous integration",
    "attribute": "say how much of the loss comes from which stage",
    "conll18": "print what the CoNLL 2018 evaluation script prints",
    "udeval": "print what the UD tools evaluation script prints",
    "triples": "print every annotation as a labelled span",
    "evalb": "print what evalb prints",
    "typology": "profile, select and compare treebanks; weights for WLAS",
    "bitext": "parallel sentences: build data sets, score, mine",
    "explain": "say what a metric or a term means",
    "doctor": "examine files before they are scored",
    "cite": "say how to cite evalign and what a metric comes from",
    "completion": "print a script that completes commands in a shell",
}

# Modules of the commands that share one.
MODULES = {
    "align": "diff", "errors": "diff", "udeval": "conll18", "cite": "explain", "report": "convert",
    "signature": "convert", "triples": "doctor",
}  # fmt: skip

# Commands that multiply large matrices or run a model: the others get on without numpy's threads.
WITH_THREADS = ("bitext mine",)

# Groups of commands, as in `evalign typology profile` or `evalign bitext build`.
GROUPS = {
    "typology": {
        "profile": "size, crossing arcs, shares of relations, STTR, entropy of words",
        "weights": "make the file of weights that WLAS needs",
        "compare": "scores of many treebanks: correlations and variance",
        "select": "choose treebanks to compare",
        "judge": "agreement of scores with human judgements",
        "cascades": "errors that come from other errors",
        "study": "all tables and figures of a folder of treebanks at once",
    },
    "bitext": {
        "build": "hide translations in corpora of two languages: a data set with gold",
        "stats": "what a data set is like, and how well its translations are hidden",
        "show": "planted sentences among those around them, in both languages",
        "score": "score pairs of sentences that systems extracted",
        "mine": "extract pairs by a baseline",
    },
}

# All commands as they are typed.
NAMES = (*COMMANDS, *(f"{group} {name}" for group, commands in GROUPS.items() for name in commands))
