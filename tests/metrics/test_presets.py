"""Schemes from presets by name and from .prm files: what they report and what is refused."""

import pytest

import evalign
from evalign.errors import CommandError, InputError
from evalign.options import DEFAULT_PRESET, PRESETS
from evalign.scoring.request import load_preset
from evalign.text import Text

TREE = "(S (N a))\n"


def test_nothing_given_is_the_default():
    assert load_preset("evalb-collins") is PRESETS["evalb-collins"]
    assert load_preset(DEFAULT_PRESET) is DEFAULT_PRESET


@pytest.mark.parametrize(
    ("name", "advice"),
    [("evalb-colins", 'did you mean "evalb-collins"?'), ("", "./NAME"), ("COLLINS", "./NAME")],
)
def test_an_unknown_name_is_refused(name, advice):
    with pytest.raises(CommandError, match=f'unknown preset "{name}"') as caught:
        load_preset(name)
    assert advice in caught.value.advice
    assert ("evalb-collins, document-parsing" in caught.value.expected) == ("did you mean" not in advice)


def test_a_file_that_is_no_parameter_file_is_refused():
    with pytest.raises(InputError) as caught:
        load_preset(Text("\n" + TREE, "a.mrg"))
    assert str(caught.value).startswith(
        'a.mrg:2: unknown keyword in "(S (N a))"\n  expected a parameter file'
    )
    assert load_preset(Text("# nothing\n", "a.prm")).messages == ()


def test_a_line_that_says_nothing_is_told_with_its_number():
    prm = Text("DELETE_LABEL TOP\nDELETE_LABEL A B\nCUTOFF 7\nEQ_WORD a b\n", "a.prm")
    result = evalign.score(Text(TREE), Text(TREE), preset=prm)
    told = [warning for warning in result.warnings if "a.prm" in warning]
    assert [warning.partition(";")[0] for warning in told] == [
        'a.prm:2: DELETE_LABEL has "A B"',
        'a.prm:3: unknown keyword in "CUTOFF 7"',
        "a.prm: EQ_WORD has no effect: words are compared by place and text",
    ]
