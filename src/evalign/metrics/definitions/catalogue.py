"""All definitions by name, for `evalign explain`, and the works that they cite, for `evalign cite`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from evalign.errors import CommandError, Message, quote, suggest
from evalign.metrics.definitions.metric_definitions import (
    CONSTITUENCY,
    DEPENDENCIES,
    POINTS,
    SPANS,
    TRIPLES,
    Definition,
)
from evalign.metrics.definitions.terms import BITEXT_TERMS, GENERAL, SCORES, SIGNIFICANCE, TYPOLOGY_TERMS

METRIC_DEFINITIONS = (*SPANS, *DEPENDENCIES, *TRIPLES, *CONSTITUENCY, *POINTS)
TERMS = (*SCORES, *SIGNIFICANCE, *GENERAL, *TYPOLOGY_TERMS, *BITEXT_TERMS)
DEFINITIONS: dict[str, Definition] = {entry.name: entry for entry in (*METRIC_DEFINITIONS, *TERMS)}
_ALIASES = {alias: entry.name for entry in DEFINITIONS.values() for alias in entry.aliases}


def write_definition(entry: Definition) -> Definition:
    """Return a definition with the options in its texts as users type them."""
    return entry._replace(definition=Message(entry.definition), notes=Message(entry.notes))


def find_definition(name: str) -> Definition:
    """Return the definition of a metric or term by its name or an alias.

    Case does not matter, and words may be joined by hyphens or not. Raises `CommandError` for an unknown
    name.

    >>> find_definition("Pk").title, find_definition("confidence interval").name
    ('Windows in which one side alone has a boundary', 'interval')
    """
    key = "-".join(name.lower().replace("_", " ").split())
    if key in DEFINITIONS or key in _ALIASES:
        return write_definition(DEFINITIONS[_ALIASES.get(key, key)])
    message = f"no metric or term is called {quote(name)}"
    raise CommandError(
        message, *suggest(key, (*DEFINITIONS, *_ALIASES), expected=f"one of {', '.join(DEFINITIONS)}")
    )


class Reference(NamedTuple):
    """A cited work, with the data of its BibTeX entry."""

    named: str
    """How definitions cite the work: the beginning of `Definition.source`."""
    key: str
    authors: tuple[str, ...]
    """Full names. A family name of several words stands first, followed by a comma."""
    title: str
    year: int | None = None
    kind: str = "inproceedings"
    """Type of the BibTeX entry."""
    where: str = ""
    """Proceedings, journal, publisher or institution."""
    volume: str = ""
    pages: str = ""
    url: str = ""


REFERENCES = (
    Reference(
        "Jo et al. 2024",
        "jo-etal-2024-untold",
        ("Eunkyul Leah Jo", "Angela Yoonseo Park", "Grace Zhang", "Izia Xiaoxiao Wang", "Junrui Wang", "MingJia Mao",
         "Jungyeul Park"),
        "An Untold Story of Preprocessing Task Evaluation: An Alignment-based Joint Evaluation Approach",
        2024,
        where="Proceedings of the 2024 Joint International Conference on Computational Linguistics, Language "
        "Resources and Evaluation (LREC-COLING 2024)",
    ),
    Reference(
        "Zeman et al. 2018",
        "zeman-etal-2018-conll",
        ("Daniel Zeman", "Jan Hajič", "Martin Popel", "Martin Potthast", "Milan Straka", "Filip Ginter",
         "Joakim Nivre", "Slav Petrov"),
        "CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to Universal Dependencies",
        2018,
        where="Proceedings of the CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to Universal "
        "Dependencies",
        pages="1-21",
    ),
    Reference(
        "Buchholz and Marsi 2006",
        "buchholz-marsi-2006-conll",
        ("Sabine Buchholz", "Erwin Marsi"),
        "CoNLL-X Shared Task on Multilingual Dependency Parsing",
        2006,
        where="Proceedings of the Tenth Conference on Computational Natural Language Learning (CoNLL-X)",
        pages="149-164",
    ),
    Reference(
        "Bouma et al. 2020",
        "bouma-etal-2020-overview",
        ("Gosse Bouma", "Djamé Seddah", "Daniel Zeman"),
        "Overview of the IWPT 2020 Shared Task on Parsing into Enhanced Universal Dependencies",
        2020,
        where="Proceedings of the 16th International Conference on Parsing Technologies and the IWPT 2020 Shared "
        "Task on Parsing into Enhanced Universal Dependencies",
        pages="151-161",
    ),
    Reference(
        "Callin",
        "callin-typological",
        ("Jimmy Callin",),
        "A typological perspective on evaluation for Universal Dependencies",
        kind="misc",
        where="Uppsala University",
    ),
    Reference(
        "Dridan and Oepen 2013",
        "dridan-oepen-2013-document",
        ("Rebecca Dridan", "Stephan Oepen"),
        "Document Parsing: Towards Realistic Syntactic Analysis",
        2013,
        where="Proceedings of the 13th International Conference on Parsing Technologies (IWPT 2013)",
        pages="127-133",
    ),
    Reference(
        "Black et al. 1991",
        "black-etal-1991-procedure",
        ("E. Black", "S. Abney", "D. Flickenger", "C. Gdaniec", "R. Grishman", "P. Harrison", "D. Hindle",
         "R. Ingria", "F. Jelinek", "J. Klavans", "M. Liberman", "M. Marcus", "S. Roukos", "B. Santorini",
         "T. Strzalkowski"),
        "A Procedure for Quantitatively Comparing the Syntactic Coverage of English Grammars",
        1991,
        where="Speech and Natural Language: Proceedings of a Workshop Held at Pacific Grove, California, "
        "February 19-22, 1991",
    ),
    Reference(
        "Sekine and Collins",
        "sekine-collins-evalb",
        ("Satoshi Sekine", "Michael Collins"),
        "evalb: bracket scoring program",
        kind="misc",
        url="https://nlp.cs.nyu.edu/evalb/",
    ),
    Reference(
        "Read et al. 2012",
        "read-etal-2012-sentence",
        ("Jonathon Read", "Rebecca Dridan", "Stephan Oepen", "Lars Jørgen Solberg"),
        "Sentence Boundary Detection: A Long Solved Problem?",
        2012,
        where="Proceedings of COLING 2012: Posters",
        pages="985-994",
    ),
    Reference(
        "Evang et al. 2013",
        "evang-etal-2013-elephant",
        ("Kilian Evang", "Valerio Basile", "Grzegorz Chrupała", "Johan Bos"),
        "Elephant: Sequence Labeling for Word and Sentence Segmentation",
        2013,
        where="Proceedings of the 2013 Conference on Empirical Methods in Natural Language Processing",
        pages="1422-1426",
    ),
    Reference(
        "Palmer and Hearst 1997",
        "palmer-hearst-1997-adaptive",
        ("David D. Palmer", "Marti A. Hearst"),
        "Adaptive Multilingual Sentence Boundary Disambiguation",
        1997,
        "article",
        "Computational Linguistics",
        "23(2)",
        "241-267",
    ),
    Reference(
        "Levenshtein 1966",
        "levenshtein-1966-binary",
        ("Vladimir I. Levenshtein",),
        "Binary codes capable of correcting deletions, insertions, and reversals",
        1966,
        "article",
        "Soviet Physics Doklady",
        "10(8)",
        "707-710",
    ),
    Reference(
        "Beeferman et al. 1999",
        "beeferman-etal-1999-statistical",
        ("Doug Beeferman", "Adam Berger", "John Lafferty"),
        "Statistical Models for Text Segmentation",
        1999,
        "article",
        "Machine Learning",
        "34(1-3)",
        "177-210",
    ),
    Reference(
        "Pevzner and Hearst 2002",
        "pevzner-hearst-2002-critique",
        ("Lev Pevzner", "Marti A. Hearst"),
        "A Critique and Improvement of an Evaluation Metric for Text Segmentation",
        2002,
        "article",
        "Computational Linguistics",
        "28(1)",
        "19-36",
    ),
    Reference(
        "nltk",
        "bird-etal-2009-natural",
        ("Steven Bird", "Ewan Klein", "Edward Loper"),
        "Natural Language Processing with Python",
        2009,
        "book",
        "O'Reilly",
    ),
    Reference(
        "segeval",
        "fournier-2013-evaluating",
        ("Chris Fournier",),
        "Evaluating Text Segmentation using Boundary Edit Distance",
        2013,
        where="Proceedings of the 51st Annual Meeting of the Association for Computational Linguistics",
        pages="1702-1712",
    ),
    Reference(
        "Emerson 2005",
        "emerson-2005-second",
        ("Thomas Emerson",),
        "The Second International Chinese Word Segmentation Bakeoff",
        2005,
        where="Proceedings of the Fourth SIGHAN Workshop on Chinese Language Processing",
        pages="123-133",
    ),
    Reference(
        "Scott",
        "scott-wordsmith",
        ("Mike Scott",),
        "WordSmith Tools",
        kind="misc",
    ),
    Reference(
        "Plank et al. 2015",
        "plank-etal-2015-dependency",
        ("Barbara Plank", "Martínez Alonso, Héctor", "Željko Agić", "Danijela Merkler", "Anders Søgaard"),
        "Do dependency parsing metrics correlate with human judgments?",
        2015,
        where="Proceedings of the Nineteenth Conference on Computational Natural Language Learning",
        pages="315-320",
    ),
    Reference(
        "Efron and Tibshirani 1993",
        "efron-tibshirani-1993-introduction",
        ("Bradley Efron", "Robert J. Tibshirani"),
        "An Introduction to the Bootstrap",
        1993,
        "book",
        "Chapman and Hall",
    ),
    Reference(
        "Koehn 2004",
        "koehn-2004-statistical",
        ("Philipp Koehn",),
        "Statistical Significance Tests for Machine Translation Evaluation",
        2004,
        where="Proceedings of the 2004 Conference on Empirical Methods in Natural Language Processing",
        pages="388-395",
    ),
    Reference(
        "Noreen 1989",
        "noreen-1989-computer",
        ("Eric W. Noreen",),
        "Computer-Intensive Methods for Testing Hypotheses: An Introduction",
        1989,
        "book",
        "Wiley",
    ),
    Reference(
        "Yeh 2000",
        "yeh-2000-accurate",
        ("Alexander Yeh",),
        "More accurate tests for the statistical significance of result differences",
        2000,
        where="COLING 2000 Volume 2: The 18th International Conference on Computational Linguistics",
        pages="947-953",
    ),
    Reference(
        "Holm 1979",
        "holm-1979-simple",
        ("Sture Holm",),
        "A Simple Sequentially Rejective Multiple Test Procedure",
        1979,
        "article",
        "Scandinavian Journal of Statistics",
        "6(2)",
        "65-70",
    ),
    Reference(
        "Zweigenbaum et al. 2018",
        "zweigenbaum-etal-2018-multilingual",
        ("Pierre Zweigenbaum", "Serge Sharoff", "Reinhard Rapp"),
        "A Multilingual Dataset for Evaluating Parallel Sentence Extraction from Comparable Corpora",
        2018,
        where="Proceedings of the Eleventh International Conference on Language Resources and Evaluation",
    ),
    Reference(
        "Zweigenbaum et al. 2017",
        "zweigenbaum-etal-2017-overview",
        ("Pierre Zweigenbaum", "Serge Sharoff", "Reinhard Rapp"),
        "Overview of the Second BUCC Shared Task: Spotting Parallel Sentences in Comparable Corpora",
        2017,
        where="Proceedings of the 10th Workshop on Building and Using Comparable Corpora",
        pages="60-67",
    ),
    Reference(
        "Sharoff 2013",
        "sharoff-2013-measuring",
        ("Serge Sharoff",),
        "Measuring the Distance between Comparable Corpora between Languages",
        2013,
        where="Building and Using Comparable Corpora",
        pages="113-129",
    ),
    Reference(
        "Artetxe and Schwenk 2019",
        "artetxe-schwenk-2019-margin",
        ("Mikel Artetxe", "Holger Schwenk"),
        "Margin-based Parallel Corpus Mining with Multilingual Sentence Embeddings",
        2019,
        where="Proceedings of the 57th Annual Meeting of the Association for Computational Linguistics",
        pages="3197-3203",
    ),
    Reference(
        "Muennighoff et al. 2023",
        "muennighoff-etal-2023-mteb",
        ("Niklas Muennighoff", "Nouamane Tazi", "Loic Magne", "Nils Reimers"),
        "MTEB: Massive Text Embedding Benchmark",
        2023,
        where="Proceedings of the 17th Conference of the European Chapter of the Association for Computational Linguistics",
        pages="2014-2037",
    ),
    Reference(
        "Brown et al. 1993",
        "brown-etal-1993-mathematics",
        ("Brown, Peter F.", "Della Pietra, Stephen A.", "Della Pietra, Vincent J.", "Mercer, Robert L."),
        "The Mathematics of Statistical Machine Translation: Parameter Estimation",
        1993,
        "article",
        "Computational Linguistics",
        "19(2)",
        "263-311",
    ),
)  # fmt: skip


def find_references(sources: Iterable[str]) -> list[Reference]:
    """Return the works that `sources` cite, each once, in order of citation.

    >>> [each.key for each in find_references(["Levenshtein 1966, Binary codes", "evalign"])]
    ['levenshtein-1966-binary']
    """
    pieces = [piece for source in sources for piece in source.split("; ")]
    references = [
        reference for piece in pieces for reference in REFERENCES if piece.startswith(reference.named)
    ]
    return list(dict.fromkeys(references))
