"""Raw text and the way from the line back to it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evalign.readers import load
from evalign.readers.raw import read_raw
from evalign.text import WHITE_SPACE, Text, without_space


def test_offsets_count_white_space():
    raw = read_raw(load(Text("Ein  Haus.\n\nZwei\u00a0😀.", "raw")))
    assert raw.name == "raw"
    assert raw.line == "EinHaus.Zwei😀."
    assert raw.offsets.tolist() == [0, 1, 2, 5, 6, 7, 8, 9, 12, 13, 14, 15, 17, 18]
    assert raw.offsets.dtype == np.int32


def test_line_ends_are_one_character():
    assert read_raw(load(Text("\ufeffa\r\nb"))).offsets.tolist() == [0, 2]


def test_nothing_has_no_offsets():
    raw = read_raw(load(Text("")))
    assert (raw.text, raw.line, len(raw.offsets)) == ("", "", 0)


@given(
    st.text(
        st.one_of(
            st.characters(codec="utf-8", exclude_characters="\0\r\ufeff"), st.sampled_from(WHITE_SPACE[:4])
        )
    )
)
def test_every_character_of_the_line_is_at_its_offset(text):
    raw = read_raw(load(Text(text)))
    assert raw.text == text
    assert raw.line == without_space(text)
    assert [text[offset] for offset in raw.offsets.tolist()] == list(raw.line)
