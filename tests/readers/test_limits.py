"""Reading a whole input stops at a limit, also while it is unpacked; reading in pieces has no limit."""

import gzip
import io
import os
import re
import subprocess
import sys
import textwrap
import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest
from hypothesis import given, strategies as st

import evalign
from evalign import InputLimit
from evalign.bitext.pairs import read_pairs
from evalign.errors import CommandError, InputError
from evalign.readers.byte_stream import ByteStream, OpenFile, open_stream, read_bytes
from evalign.readers.chunks import ChunkReader
from evalign.readers.content import load
from evalign.readers.limits import check_size, find_limit, show_size
from evalign.readers.line_reader import read_lines
from evalign.scoring.portable_inputs import read_input
from evalign.text import LONGEST_LINE
from readers.test_content import COMPRESSIONS, each_compression

try:
    import zstandard
except ImportError:
    zstandard = None

SENTENCE = b"a b c d e f g h\n"
pytestmark = [pytest.mark.issue(15), pytest.mark.once]

LINE = b"a b c d e f g h " * 255 + b"a b c d e f g hi\n"[1:]
SIZE = 40 << 20


@cache
def bomb(kind):
    """Forty MB of text in few bytes; in many members with bzip2, which takes long for what repeats."""
    n_members = 320 if kind == "bzip2" else 1
    return COMPRESSIONS[kind](LINE * (SIZE // len(LINE) // n_members)) * n_members


def refusal(function, *given):
    with pytest.raises(InputError) as caught:
        function(*given)
    assert caught.value.exit_status == 1
    return str(caught.value)


def streamed_size(source):
    with open_stream(source) as stream:
        return sum(map(len, iter(lambda: stream.read(1 << 18), b"")))


def peak_of(function):
    """The most memory that a function takes."""
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@given(st.binary(min_size=1, max_size=300), st.integers(1, 300), st.sampled_from([None, *COMPRESSIONS]))
def test_an_input_may_be_as_large_as_the_limit_and_no_larger(data, limit, kind):
    source = io.BytesIO(COMPRESSIONS[kind](b"x" + data) if kind else b"x" + data)
    with InputLimit(limit), open_stream(source) as stream:
        if len(data) + 1 <= limit:
            assert stream.read_whole() == b"x" + data
        else:
            assert f"more than {limit:,} bytes" in refusal(stream.read_whole)


@pytest.mark.slow
@each_compression
def test_unpacking_stops_at_the_limit_and_holds_little_more(kind):
    packed = bomb(kind)
    load(io.BytesIO(COMPRESSIONS[kind](SENTENCE)))  # loads what is needed

    def read():
        with InputLimit("4 MiB"):
            said = refusal(load, io.BytesIO(packed))
        assert f"{kind} data that unpacks to more than 4 MiB" in said
        assert "expected at most 4 MiB" in said
        assert "`evalign.score(stream=True)`" in said
        assert "`evalign.InputLimit(SIZE)`" in said

    assert peak_of(read) < 16 << 20
    assert len(load(io.BytesIO(packed)).data) == SIZE


@each_compression
def test_several_members_and_padding_count_together(kind):
    packed = COMPRESSIONS[kind](SENTENCE * 100) + bytes(1000)
    with InputLimit(len(SENTENCE) * 300):
        assert load(io.BytesIO(packed * 3)).data == SENTENCE * 300
        assert "unpacks to more than" in refusal(load, io.BytesIO(packed * 4))


@each_compression
def test_what_is_read_whole_takes_the_memory_of_its_bytes_once(kind):
    packed = bomb(kind)
    load(io.BytesIO(COMPRESSIONS[kind](SENTENCE)))
    # Where bytes are grown they have an eighth more; decompression has 10 MB.
    assert peak_of(lambda: open_stream(io.BytesIO(packed)).read_whole()) < SIZE * 9 / 8 + (12 << 20)


def test_a_large_file_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "large.txt"
    path.touch()
    os.truncate(path, 1 << 32)  # of which the disk has nothing
    assert peak_of(lambda: refusal(load, path)) < 1 << 20
    said = refusal(load, path)
    assert said.startswith(f"{path}: more than 2 GiB\n  expected at most 2 GiB")
    assert "--max-input" not in said  # which can allow no more
    assert "more than 2 GiB" in refusal(read_bytes, path)


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no file without an end here")  # noqa: PTH110
def test_a_file_without_an_end_is_read_up_to_the_limit():
    with InputLimit("1 MiB"):
        assert "/dev/zero: more than 1 MiB" in refusal(load, "/dev/zero")
        assert "/dev/zero: more than 1 MiB" in refusal(read_bytes, "/dev/zero")
        held = read_input("/dev/zero")
    assert "more than 1 MiB" in str(held.error)


def test_a_pipe_and_standard_input_are_read_up_to_the_limit(monkeypatch):
    reading, writing = os.pipe()

    def write():
        with open(writing, "wb") as pipe:  # noqa: PTH123
            try:
                while True:
                    pipe.write(SENTENCE * 1000)
            except BrokenPipeError:
                pass

    thread = threading.Thread(target=write)
    thread.start()
    with open(reading, "rb") as pipe, InputLimit("100 kB"):  # noqa: PTH123
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(pipe))
        assert "<stdin>: more than 100,000 bytes" in refusal(load, "-")
        sys.stdin.detach()
    thread.join()


def test_an_open_file_of_characters_counts_by_bytes():
    with InputLimit(2000):
        assert load(io.StringIO("é" * 1000)).data == "é".encode() * 1000
        assert "more than 2,000 bytes" in refusal(load, io.StringIO("é" * 1001))


def test_a_url_is_read_up_to_the_limit():
    memory = pytest.importorskip("fsspec").filesystem("memory")
    memory.pipe_file("/bomb.gz", bomb("gzip"))
    memory.pipe_file("/plain", SENTENCE * 1000)
    try:
        with InputLimit("10 kB"):
            assert "gzip data that unpacks to more than 10,000 bytes" in refusal(load, "memory://bomb.gz")
            assert "memory://plain: more than 10,000 bytes" in refusal(load, "memory://plain")
            assert "memory://plain: more than 10,000 bytes" in refusal(read_bytes, "memory://plain")
        assert load("memory://plain").data == SENTENCE * 1000
    finally:
        memory.rm("/bomb.gz")
        memory.rm("/plain")


def test_a_member_of_an_archive_is_read_up_to_the_limit(tmp_path):
    pytest.importorskip("fsspec")
    import zipfile

    with zipfile.ZipFile(tmp_path / "all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.txt", LINE * (SIZE // len(LINE)))
    url = f"zip://bomb.txt::file://{tmp_path}/all.zip"
    assert peak_of(lambda: streamed_size(url)) < 16 << 20
    with InputLimit("1 MiB"):
        assert peak_of(lambda: refusal(load, url)) < 16 << 20
        assert "more than 1 MiB" in refusal(load, url)


def test_what_is_held_in_memory_is_read_once_at_a_time():
    for data in (b"", b"a\n", SENTENCE, SENTENCE * 1000, gzip.compress(b"")):
        held = read_input(io.BytesIO(data))
        for _ in range(2):
            assert load(held).data == (b"" if data.startswith(b"\x1f") else data)
            with open_stream(held) as stream:
                assert stream.read(1 << 20) == load(held).data
                assert stream.read(1) == b""
            assert read_bytes(held)[1] == data


def test_what_is_held_in_memory_begins_again_after_a_refusal():
    held = read_input(io.BytesIO(gzip.compress(SENTENCE * 100_000)))
    with InputLimit(1000):
        said = refusal(load, held)
        assert refusal(load, held) == said
    assert load(held).data == SENTENCE * 100_000


@each_compression
def test_what_is_read_in_pieces_has_no_limit(kind, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(COMPRESSIONS[kind](SENTENCE * 1000))
    with InputLimit(100):
        assert streamed_size(path) == len(SENTENCE) * 1000
        assert sum(1 for _ in read_lines(path)) == 1000
        result = evalign.score(path, path, metrics=["tokens"], stream=True)
    assert result["tokens"].f1 == 1


@pytest.mark.slow
@each_compression
def test_lines_of_large_data_take_little_memory(kind, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(bomb(kind))
    assert peak_of(lambda: all(line for line in read_lines(path))) < 16 << 20


def read_on(source):
    """Read all chunks, of which none is taken, in 10 MiB."""
    with ChunkReader(source, max_held_bytes=10 << 20) as reader:
        while not reader.at_end:
            reader.read_more()


@pytest.mark.parametrize("kind", ["text", "rows"])
def test_a_sentence_that_does_not_end_is_refused_where_texts_are_read_in_pieces(kind):
    row = b"1\ta" + b"\t_" * 8 + b"\n"
    endless = {"text": b"a\n" * 3 + b"a b " * (5 << 20), "rows": (row + b"\n") * 3 + row * (1 << 20)}[kind]

    def read_packed():
        assert "<file>:" in refusal(read_on, io.BytesIO(packed))

    packed = gzip.compress(endless, 1)
    line = {"text": 4, "rows": 7}[kind]
    assert f"<file>:{line}: a sentence of more than 10 MiB" in refusal(read_on, io.BytesIO(packed))
    # Some pieces of 4 MB more than the sentence.
    assert peak_of(read_packed) < 64 << 20


@pytest.mark.slow
@pytest.mark.issue(15)
def test_text_that_the_other_side_has_nothing_of_is_refused_before_it_fills_the_memory():
    packed = gzip.compress(b"c d\n" * (10 << 20), 1)
    assert "more than 10 MiB that the other text has nothing of" in refusal(read_on, io.BytesIO(packed))


def test_the_limit_is_that_of_the_innermost_block_and_of_no_other_thread():
    assert find_limit() == LONGEST_LINE
    with InputLimit("1 MiB"):
        with InputLimit(5):
            assert find_limit() == 5
        assert find_limit() == 1 << 20
        with ThreadPoolExecutor(1) as other:
            assert other.submit(find_limit).result() == LONGEST_LINE
    assert find_limit() == LONGEST_LINE


@pytest.mark.parametrize(
    "size", ["", "1e3", "4GiB", "3 GB", "-5", "0", "MB", "5 apples", 0, -1, 1 << 32, "nan"]
)
def test_a_limit_is_a_size_up_to_2_gib(size):
    with pytest.raises(CommandError, match=r"a limit of .*\n  expected a size up to 2 GiB"):
        InputLimit(size)


@given(st.integers(1, LONGEST_LINE))
def test_a_size_that_is_shown_is_a_size(n_bytes):
    assert check_size(show_size(n_bytes).replace(",", "")) == n_bytes


# Packed data that unpacks to far more than its size


@cache
def large_bomb(kind):
    """A hundred and eight MB of text in few bytes: many members of 4 MB."""
    return COMPRESSIONS[kind](LINE * 1000) * 27


def unpack(source, free):
    with ByteStream(OpenFile("<file>", source), free=free) as stream:
        return stream.read_whole()


@pytest.mark.issue(28)
@given(st.integers(1, 40), st.integers(0, 60_000), st.integers(0, 60_000), st.sampled_from([*COMPRESSIONS]))
def test_packed_data_may_be_large_or_unpack_to_much_but_not_both(members, size, free, kind):
    packed = COMPRESSIONS[kind](b"a" * size) * members
    n_bytes = members * size
    if n_bytes <= max(free, 100 * len(packed)):
        assert len(unpack(io.BytesIO(packed), free)) == n_bytes
        return
    said = refusal(unpack, io.BytesIO(packed), free)
    stated = re.search(r"data of ([\d,]+) bytes that unpacks to more than ([\d,]+) bytes", said)
    stored, unpacked = (int(number.replace(",", "")) for number in stated.groups())
    assert stored <= len(packed)
    assert unpacked == max(free, 100 * stored) < n_bytes


@pytest.mark.issue(28)
@pytest.mark.parametrize("kind", ["gzip", pytest.param("bzip2", marks=pytest.mark.slow), "xz", "zstd"])
def test_data_that_unpacks_to_far_more_than_its_size_is_refused(kind, tmp_path):
    path = tmp_path / "bomb"
    path.write_bytes(large_bomb(kind))
    load(io.BytesIO(COMPRESSIONS[kind](SENTENCE)))  # loads what is needed
    told = f"{kind} data of {path.stat().st_size:,} bytes that unpacks to more than 100,000,000 bytes\n  expected"
    assert told in refusal(load, path)
    assert told in refusal(streamed_size, path)
    assert "unpacks to more than 100,000,000 bytes" in refusal(streamed_size, io.BytesIO(path.read_bytes()))
    assert "`evalign.InputLimit(SIZE)` reads it all the same" in refusal(list, read_lines(path))
    with InputLimit("2 GiB"):
        assert streamed_size(path) == len(load(path).data) == 27_000 * len(LINE)
        with InputLimit(None):
            assert told in refusal(load, path)


@pytest.mark.issue(28)
def test_every_entrance_refuses_what_unpacks_to_far_more_than_its_size(tmp_path):
    bomb, gold = tmp_path / "bomb.txt.gz", tmp_path / "gold.txt"
    bomb.write_bytes(large_bomb("gzip"))
    gold.write_bytes(SENTENCE)
    for call in (
        lambda: evalign.score(gold, bomb),
        lambda: evalign.score(bomb, gold),
        lambda: evalign.score(gold, bomb, stream=True),
        lambda: evalign.score(gold, gold, raw=bomb),
        lambda: evalign.read(bomb),
        lambda: evalign.align(gold, bomb),
        lambda: next(iter(evalign.triples(bomb))),
        lambda: read_pairs(bomb),
    ):
        assert "gzip data of" in refusal(call)
    for side in ("gold", "system"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "one.txt").write_bytes(SENTENCE)
    (tmp_path / "gold" / "two.txt").write_bytes(SENTENCE)
    bomb.rename(tmp_path / "system" / "two.txt.gz")
    run = evalign.score_collection(tmp_path / "gold", tmp_path / "system")
    assert "that unpacks to more than 100,000,000 bytes" in run.failed(0)["two"]


@pytest.mark.issue(28)
def test_a_url_of_data_that_unpacks_to_far_more_than_its_size_is_refused():
    memory = pytest.importorskip("fsspec").filesystem("memory")
    memory.pipe_file("/large.gz", large_bomb("gzip"))
    try:
        assert "unpacks to more than 100,000,000 bytes" in refusal(load, "memory://large.gz")
    finally:
        memory.rm("/large.gz")


@pytest.mark.issue(28)
def test_a_worker_elsewhere_has_the_limit_of_where_the_run_was_started(tmp_path):
    class Elsewhere:
        """An engine whose worker is a thread, which does not inherit what is set here."""

        name, n_workers, is_remote = "elsewhere", 1, True

        def run(self, function, items):
            with ThreadPoolExecutor(1) as thread:
                for number, item in enumerate(items):
                    yield number, thread.submit(function, item).result()

        def close(self):
            pass

    bomb, gold = tmp_path / "bomb.txt.gz", tmp_path / "gold.txt"
    bomb.write_bytes(large_bomb("gzip"))
    gold.write_bytes(SENTENCE)
    assert "gzip data of" in refusal(lambda: evalign.score(gold, bomb, stream=True, engine=Elsewhere()))
    with InputLimit("2 GiB"):
        (tmp_path / "all.txt.gz").write_bytes(gzip.compress(SENTENCE))
        result = evalign.score(gold, tmp_path / "all.txt.gz", stream=True, engine=Elsewhere())
    assert result["tokens"].f1 == 1


# Under a limit of address space, as containers and job systems set it

LIMITED = """\
    import resource, sys
    from evalign.readers.content import load
    from evalign import InputLimit, InputError
    import zlib, bz2, lzma
    size = int(sys.argv[2])
    now = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + size + size // 2, ) * 2)
    with InputLimit(size):
        try:
            load(sys.argv[1])
        except InputError as error:
            print(error)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited and measured otherwise")
@each_compression
def test_half_as_much_memory_again_is_enough_to_refuse(kind, tmp_path):
    path = tmp_path / "bomb"
    path.write_bytes(bomb(kind) * 3)
    command = [sys.executable, "-c", textwrap.dedent(LIMITED), str(path), str(100 << 20)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert f"{kind} data that unpacks to more than 100 MiB" in done.stdout


# zstd: frames may declare what they like


zstandard = pytest.importorskip("zstandard") if sys.version_info < (3, 14) else None
needs_zstandard = pytest.mark.skipif(
    zstandard is None, reason="Python's own module makes these frames otherwise"
)


def skippable(data):
    return b"\x50\x2a\x4d\x18" + len(data).to_bytes(4, "little") + data


@needs_zstandard
def test_frames_without_a_size_and_frames_to_skip_are_read_like_others(tmp_path):
    compressor = zstandard.ZstdCompressor(write_content_size=False)
    packed = compressor.compress(SENTENCE) + skippable(b"x" * 70_000) + compressor.compress(SENTENCE)
    path = tmp_path / "a.zst"
    for data in (packed, skippable(b"") + packed + skippable(b"\0" * 10)):
        path.write_bytes(data)
        assert load(path).data == SENTENCE * 2
        assert streamed_size(path) == len(SENTENCE) * 2
        assert [line for _, line in read_lines(path)] == [SENTENCE.decode().rstrip()] * 2


@needs_zstandard
def test_a_frame_with_a_huge_window_is_read_by_bitext_alone(tmp_path):
    parameters = zstandard.ZstdCompressionParameters(
        window_log=31, hash_log=6, chain_log=6, strategy=1, write_content_size=0
    )
    compressor = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    path = tmp_path / "long.zst"
    path.write_bytes(compressor.compress(SENTENCE) + compressor.flush())
    assert [line for _, line in read_lines(path)] == [SENTENCE.decode().rstrip()]
    for function in (load, streamed_size):
        assert "zstd data that needs more than 256 MB to be decompressed" in refusal(function, path)


@needs_zstandard
def test_blocks_of_one_byte_are_unpacked_a_few_at_a_time(tmp_path):
    # A frame with a window of 128 KB and blocks of 131,072 times the same byte, four bytes each.
    block = (131072 << 3 | 1 << 1).to_bytes(3, "little") + b"a"
    path = tmp_path / "bomb.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd" + b"\x00" + b"\x38" + block * 400_000)  # 50 GB
    with InputLimit("20 MiB"):
        assert peak_of(lambda: refusal(load, path)) < 48 << 20
        assert "zstd data that unpacks to more than 20 MiB" in refusal(load, path)
    assert "a line of more than" in refusal(lambda: list(read_lines(path)))
