"""Warnings about systems that look like the output for another text."""

import pytest

import evalign

pytestmark = pytest.mark.once

QUESTION = "is it an output for this text?"
SENTENCES = [
    "The old ferry crosses the sound twice a day, except on Sundays.",
    "Nobody had told the harbour master that the timetable was changed.",
    "Bring warm clothes, a torch and something to read.",
    "After the storm three boats were missing, but all of the crews were safe.",
    "Tickets are sold on board.",
]
OTHER = [
    "Quarterly profits rose by eleven per cent, analysts at two banks said.",
    "Voters will decide in May whether the museum gets its new wing.",
    "She plays chess online under a name that no one can pronounce.",
    "Mix flour, butter and sugar; bake for forty minutes at low heat.",
]
FRENCH = [
    "Le conseil municipal a voté hier soir le budget de la nouvelle piscine.",
    "Personne ne savait pourquoi le train de Lyon était parti si tôt.",
    "Il faut beurrer le moule avant de verser la pâte.",
]


def text(sentences, times=1, name="system.txt"):
    return evalign.Text("\n".join(sentences * times) + "\n", name)


GOLD = text(SENTENCES, 4, "gold.txt")
N = 4 * sum(len(sentence.replace(" ", "")) for sentence in SENTENCES)
UNLIKE = {
    "json": evalign.Text('{"a": 1}\n', "system.txt"),
    "empty": evalign.Text("", "system.txt"),
    "a word of it": evalign.Text("harbour\n", "system.txt"),
    "another text": text(OTHER, 4),
    "another language": text(FRENCH, 4),
    "one letter": text(["x" * len(sentence) for sentence in SENTENCES], 4),
    "less than half": text((SENTENCES * 4)[:9]),
}
ALIKE = {
    "the same": GOLD,
    "60 %": text((SENTENCES * 4)[:13]),
    "capitals": text([sentence.upper() for sentence in SENTENCES], 4),
    "more than gold": text([*SENTENCES, *OTHER], 4),
    "some letters replaced": text([sentence.replace("e", "x") for sentence in SENTENCES], 4),
}
HOW = [{}, {"stream": True}, {"metrics": ["sentences"]}, {"strategy": "printed"}]


def ask(result):
    """The warnings that ask the question."""
    return [warning for warning in result.warnings if QUESTION in warning]


@pytest.mark.issue(15)
@pytest.mark.parametrize("how", HOW, ids=str)
@pytest.mark.parametrize("system", UNLIKE.values(), ids=UNLIKE)
def test_a_system_that_has_less_than_half_of_gold_is_asked_about(system, how):
    result = evalign.score(GOLD, system, system_format="plain", **how)
    [warning] = ask(result)
    found = result.systems[0].ledger.characters_found
    assert 2 * found < N
    told = "no token, and so only" if not system.text else "only"
    assert warning == f"system.txt: {told} {found:,} of {N:,} gold characters were found ({QUESTION})"
    # Gold is not tokenized, which is said before.
    assert next(each for each in result.warnings if "raw text?" not in each) == warning


@pytest.mark.issue(15)
@pytest.mark.parametrize("how", HOW, ids=str)
@pytest.mark.parametrize("system", ALIKE.values(), ids=ALIKE)
def test_a_system_that_has_most_of_gold_is_not(system, how):
    assert not ask(evalign.score(GOLD, system, **how))


@pytest.mark.issue(15)
def test_what_is_saved_is_enough_to_ask(tmp_path):
    result = evalign.score(GOLD, UNLIKE["json"], system_format="plain")
    result.save(tmp_path / "run.json")
    ledger = evalign.Result.load(tmp_path / "run.json").systems[0].ledger
    assert (ledger.characters_found, ledger.gold_characters) == (result.systems[0].ledger.characters_found, N)


@pytest.mark.issue(15)
def test_a_scorer_and_folders_ask_too(tmp_path):
    scorer = evalign.Scorer(system_format="plain")
    scorer.update(GOLD, UNLIKE["json"])
    assert ask(scorer.result())
    for folder, content in (("gold", GOLD.text), ("system", UNLIKE["json"].text)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "one.txt").write_text(content, encoding="utf-8")
    parts = evalign.score_collection(tmp_path / "gold", tmp_path / "system", system_format="plain")
    assert ask(parts["one"])


@pytest.mark.issue(15)
@pytest.mark.parametrize(
    ("gold", "system", "asks"), [("a\n", "b\n", True), ("a\n", "a\n", False), ("a b\n", "a c\n", False)]
)
def test_tiny_gold(gold, system, asks):
    assert bool(ask(evalign.score(evalign.Text(gold), evalign.Text(system)))) == asks
