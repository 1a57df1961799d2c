"""Text in the form that bitext keeps: one line, one cell of a table."""

import unicodedata

from hypothesis import given, strategies as st

from evalign.bitext.inputs.source import clean_text


@given(st.text())
def test_cleaned_text_is_on_one_line_in_one_cell(text):
    cleaned = clean_text(text)
    assert len(cleaned.splitlines()) <= 1
    assert "\t" not in cleaned
    assert cleaned == cleaned.strip() == clean_text(cleaned)
    kept = [c for c in text if not c.isspace() and unicodedata.category(c) != "Cc"]
    assert [c for c in cleaned if not c.isspace()] == kept
