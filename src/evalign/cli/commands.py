"""The commands there are: each is a module of this package with `make_parser` and `run`.

`evalb` alone has `main` instead: it starts without a parser.
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
