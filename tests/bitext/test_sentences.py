"""Sentence splitting of running text by rules."""

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from evalign.bitext.sentences import split_sentences

# | is where a sentence ends.
VECTORS = [
    ("en", "It rains.|We stay!|Do you?|Yes."),
    ("en", "Mr. Smith met Dr. J. R. Jones.|They left."),
    ("en", "He came at 3.30 p.m. on Monday.|It was 2.5 km."),
    ("en", "He came at 3 p.m.|The train left."),
    ("en", "See Fig. 3, p. 12 and Vol. II of it.|Then go."),
    ("en", "The U.S. Senate met.|It was in the U.S.|The vote failed."),
    ("en", "Apples, pears, etc. are fruit.|Acme Inc. was sold."),
    ("en", "“Why?” she asked.|“Because.”|He left."),
    ("en", "(It was late.)|They went home."),
    ("en", "Wait... what is it?|Wait...|What?"),
    ("en", "Yahoo! is a company."),
    ("en", "Visit example.com or v1.2.3 now.|Bye."),
    ("en", "1. First do this.|2. Then do that."),
    ("en", "It fell.[12]|It rose.[3][4]|It stayed."),
    ("en", "An end without a mark"),
    ("fr", "M. Dupont est né vers 50 av. J.-C. à Rome.|Il y vécut."),
    ("fr", "« Il est venu. »|Elle est partie."),
    ("fr", "« Venez ! » dit-il.|Elle vint."),
    ("fr", "Voir p. 12 et art. 3 du code.|C’est tout."),
    ("de", "Am 3. Mai 1990 begann das 20. Jahrhundert, z. B. hier.|Der Rest folgt."),
    ("de", "Er wurde 1990 geboren.|Im Jahr 2000 zog er um."),
    ("de", "Das war Kaiser Wilhelm II.|Dann kam Dr. Müller usw. nach Bonn, im II. Weltkrieg."),
    ("de", "Er ging.|»Komm!«, rief sie.|„Nein.“|Er blieb."),
    ("de", "Nr. 5 kostet ca. 3,50 Euro.|Das ist viel."),
    ("ru", "Он родился в 1990 г. в Москве, на ул. Ленина.|Он жив."),
    ("ru", "«Привет!» — сказал он.|Она ушла."),
    ("ru", "А. С. Пушкин и др. писали.|Это так."),
    ("es", "El Sr. Pérez llegó a EE.UU. ayer.|¿Por qué?|¡No sé!"),
    ("it", "Il sig. Rossi e la dott.ssa Bianchi.|Il resto segue."),
    ("pt", "O Sr. Silva mora na Av. Brasil.|Ele saiu."),
    ("nl", "Dhr. Jansen woont o.a. in Gent.|Hij werkt."),
    ("zh", "他来了。|我们走吧！|真的？|好。"),
    ("zh", "“你好！”，他说。|然后走了。"),
    ("zh", '他说："你好。"|她笑了。|"再见!"|好'),
    ("ja", "「行きます。」と言った。|そして帰った。"),
    ("ja", "値は１．５です。|次。"),
    ("hi", "वह आया। वह गया।".replace("। व", "।|व")),
    ("ar", "هل جاء؟|نعم. ذهب".replace(". ", ".|")),
    ("ur", "وہ آیا۔|وہ گیا۔"),
    ("ko", "그는 갔다.|나는 왔다."),
    ("hy", "Նա եկավ։|Նա գնաց։"),
    ("xx", "A. Smith came.|Mr.|Smith left."),
]


@pytest.mark.parametrize(("language", "text"), VECTORS, ids=[f"{row[0]}: {row[1][:30]}" for row in VECTORS])
def test_vectors(language, text):
    has_spaces = language not in ("zh", "ja")
    sentences = text.split("|")
    assert split_sentences((" " if has_spaces else "").join(sentences), language) == sentences


@pytest.mark.parametrize("language", ["en", "fr", "zh", "xx"])
def test_blank_lines_end_a_sentence_and_others_do_not(language):
    assert split_sentences("A heading\n\nwhich is\r\nlong\n \t\nand ends\n", language) == [
        "A heading",
        "which is long",
        "and ends",
    ]


def test_lines_of_chinese_are_joined_without_a_space():
    assert split_sentences("我们今天\n去 Paris\n玩。", "zh") == ["我们今天去 Paris 玩。"]


def test_regions_and_scripts_go_with_their_language():
    assert (
        split_sentences("Er ist der 3. Mann.", "de_at")
        == split_sentences("Er ist der 3. Mann.", "de-AT")
        == ["Er ist der 3. Mann."]
    )


def test_what_stands_for_a_template_stays_with_the_sentence_before_it():
    assert split_sentences("One fact.\ue000 Another \ue000. \ue000 Third.", "en") == [
        "One fact.\ue000",
        "Another \ue000.",
        "\ue000 Third.",
    ]


either_text = st.one_of(
    st.text(), st.text(st.sampled_from("aAbB1 .!?…\"'“”«»()[]。！？」と中\n\u00a0\ue000،؟-,"))
)
languages = st.sampled_from(["en", "fr", "de", "ru", "zh", "ja", "xx", ""])


@given(either_text, languages)
def test_nothing_but_white_space_is_lost(text, language):
    sentences = split_sentences(text, language)
    assert "".join("".join(sentences).split()) == "".join(text.split())
    assert all(sentence and sentence == sentence.strip() for sentence in sentences)


@given(either_text, languages)
def test_a_sentence_is_on_one_line(text, language):
    assert not [s for s in split_sentences(text, language) if "\n" in s or "\r" in s]


@given(either_text, either_text, languages)
def test_paragraphs_do_not_know_of_each_other(one, two, language):
    apart = split_sentences(one, language) + split_sentences(two, language)
    assert split_sentences(f"{one}\n\n{two}", language) == apart


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", [". ", "a. ", "。", "。」", '。"，', "\n ", " ", "« ", ".»", "- ", "[1", "A.-", "Mr. "]
)
def test_long_runs_take_no_longer_than_they_are(piece):
    # A quadratic rule would not come to an end here.
    text = piece * 100_000
    assert sum(len("".join(s.split())) for s in split_sentences(text, "en")) == len("".join(text.split()))


TREEBANKS = [
    # treebank, at least this F1 of sentences: news and Wikipedia in whole sentences
    ("UD_English-PUD", 0.99),
    ("UD_French-PUD", 0.98),
    ("UD_German-PUD", 0.98),
    ("UD_Russian-PUD", 0.98),
    ("UD_Chinese-PUD", 0.98),
    ("UD_Japanese-PUD", 0.98),
    ("UD_Korean-PUD", 0.98),
]


def spans(sentences):
    ends = [0]
    for sentence in sentences:
        ends.append(ends[-1] + len("".join(sentence.split())))
    return set(pairwise(ends))


@pytest.mark.parametrize(("treebank", "least"), TREEBANKS, ids=[row[0] for row in TREEBANKS])
def test_treebanks_are_split_as_people_did(data, treebank, least):
    conllu = next((data / "ud" / treebank).glob("*-ud-test.conllu"))
    rows = conllu.read_text(encoding="utf-8").splitlines()
    gold = spans(row.removeprefix("# text = ") for row in rows if row.startswith("# text = "))
    language = conllu.name.split("_")[0]
    # In some treebanks every sentence is a paragraph, so blank lines would say where sentences end.
    lines = conllu.with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    text = ("" if language in ("zh", "ja") else " ").join(line.strip() for line in lines)
    system = spans(split_sentences(text, language))
    assert 2 * len(gold & system) / (len(gold) + len(system)) >= least
