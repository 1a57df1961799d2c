"""Work for workers: spans of files, folders, blocks, and data that is sent only once."""

import pickle

import pytest
from hypothesis import given, strategies as st

from bitext.standins import Shuffled
from evalign.bitext.workers import (
    Broadcast,
    FileSpan,
    check_folder_visible,
    closing_results,
    cut_evenly,
    cut_file,
    share_folder,
)
from evalign.engines.base import SerialEngine
from evalign.errors import EngineError


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("cut") / "lines"


# Line ends of other kinds are text.
LINES = st.lists(st.text("aé\r\u2028\x85 ", max_size=6), max_size=20)


@given(LINES, st.integers(1, 40))
def test_spans_are_all_lines_of_a_file_once(path, lines, size):
    path.write_bytes("".join(f"{line}\n" for line in lines).encode("utf-8"))
    spans = [*cut_file(path, size)]
    assert [line for span in spans for line in span.read()] == lines
    assert all(span.end - span.start >= size for span in spans[:-1])
    assert [span.start for span in spans[1:]] == [span.end for span in spans[:-1]]


def test_a_span_of_one_line_may_be_longer_than_asked_for(tmp_path):
    (tmp_path / "lines").write_bytes(b"a\n" + b"b" * 100 + b"\nc\n")
    spans = [*cut_file(tmp_path / "lines", 3)]
    assert [span.read() for span in spans] == [["a", "b" * 100], ["c"]]
    assert spans[0] == FileSpan(tmp_path / "lines", 0, 103)


@given(st.integers(0, 300), st.integers(1, 50), st.integers(1, 9))
def test_blocks_are_all_things_once(n, least, n_workers):
    for engine in (SerialEngine(), Shuffled(n_workers=n_workers)):
        blocks = [*cut_evenly(n, least, engine)]
        assert [number for start, end in blocks for number in range(start, end)] == [*range(n)]
        assert all(end - start >= least for start, end in blocks[:-1])
        assert engine.name == "this process" or len(blocks) <= 8 * n_workers
        assert all(end - start <= 60 for start, end in cut_evenly(n, least, engine, most=60))


def test_a_shared_folder_is_seen_while_it_is_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with share_folder(tmp_path / ".") as folder, share_folder(tmp_path) as other:
        assert folder.is_absolute()
        assert folder != other
        (folder / "file").write_bytes(b"x")
        check_folder_visible(folder)
    assert not folder.exists()
    with pytest.raises(EngineError, match="does not see the folder"):
        check_folder_visible(folder)


def test_what_is_sent_is_opened_once():
    sent = Broadcast({"a": [1, 2]})
    first, second = (pickle.loads(pickle.dumps(sent)) for _ in range(2))
    assert first.value == sent.value
    assert first is second
    again = pickle.loads(pickle.dumps(Broadcast({"a": [3]})))
    assert again.value == {"a": [3]}
    # Only the last is kept: a worker that lives for long does not grow.
    assert pickle.loads(pickle.dumps(sent)) is not first
    assert pickle.loads(pickle.dumps(sent)).value == sent.value


def test_what_is_under_way_is_called_off():
    ended = []

    def results():
        try:
            yield from range(5)
        finally:
            ended.append(True)

    def look():
        with closing_results(results()) as found:
            assert next(found) == 0
            raise KeyError

    with pytest.raises(KeyError):
        look()
    assert ended
    with closing_results(iter([1])) as found:
        assert [*found] == [1]
