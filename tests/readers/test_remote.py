"""Files by URL are read like local ones, from real servers on this machine; no other server is contacted."""

import contextlib
import io
import socket
import sys
import tarfile
import threading
import zipfile
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

pytest.importorskip("fsspec")
pytest.importorskip("aiohttp")

import fsspec

from evalign.errors import InputError
from evalign.readers.byte_stream import open_stream
from evalign.readers.chunks import Chunk, load_chunk
from evalign.readers.content import load
from evalign.readers.formats import read_source
from evalign.readers.remote import RemoteFile, is_url, mask_url
from readers.test_content import COMPRESSIONS

pytestmark = pytest.mark.once

TEXT = "".join(f"{number} é .\n" for number in range(20_000)).encode()
STATUS = {"/gone": 404, "/secret": 403, "/login": 401, "/broken": 500, "/busy": 503}


class _Handler(BaseHTTPRequestHandler):
    """Answers with `files`, and with parts of them if `has_ranges`."""

    protocol_version = "HTTP/1.1"
    files = None
    has_ranges = True
    has_size = True
    asked = None

    def do_HEAD(self):
        self._answer(has_body=False)

    def do_GET(self):
        self._answer(has_body=True)

    def log_message(self, *_):
        pass

    def _answer(self, has_body):
        path = self.path.partition("?")[0]
        self.asked.append(
            (self.command, self.path, self.headers.get("Range"), self.headers.get("Authorization"))
        )
        data = self.files.get(path)
        status = STATUS.get(path, 200 if data is not None else 404)
        data = data or b""
        wanted = self.headers.get("Range")
        size = len(data)
        headers = {}
        if wanted and self.has_ranges and status == 200:
            first, _, last = wanted.removeprefix("bytes=").partition("-")
            first, last = int(first), min(int(last or size), size - 1)
            status = 206 if first < size else 416
            headers["Content-Range"] = f"bytes {first}-{last}/{size}"
            data = data[first : last + 1] if status == 206 else b""
        if self.has_size:
            headers["Content-Length"] = str(len(data))
        else:
            headers["Connection"] = "close"
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if has_body:
            try:
                self.wfile.write(data)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True
        if not self.has_size:
            self.close_connection = True


@contextmanager
def serving(files, **settings):
    """A server on this machine: its address, and what it is asked."""
    handler = type("Handler", (_Handler,), {"files": files, "asked": [], **settings})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.handle_error = lambda *_: None  # whoever has read enough hangs up
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", handler.asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture(scope="module")
def files():
    packed = {f"/a.{kind}": compress(TEXT) for kind, compress in COMPRESSIONS.items() if kind != "zstd"}
    return {"/a.txt": TEXT, "/empty": b"", "/one": b"x", "/latin": b"ok\ncaf\xe9\n", **packed}


@pytest.fixture(scope="module", params=["ranges", "no ranges", "no size"])
def address(request, files):
    """A server that knows of parts of files, one that does not, and one that does not even know their sizes."""
    settings = {"has_ranges": request.param == "ranges", "has_size": request.param != "no size"}
    with serving(files, **settings) as (url, _):
        yield url


@pytest.fixture
def memory():
    """A file in the memory of this process."""
    system = fsspec.filesystem("memory")
    system.pipe_file("/folder/a.txt", TEXT)
    yield "memory://folder/a.txt"
    system.rm("/folder", recursive=True)


def refusal(source, function=load):
    with pytest.raises(InputError) as caught:
        function(source)
    assert "\n  expected " in str(caught.value)
    return str(caught.value)


def read_all(source, n=100_000):
    with open_stream(source) as stream:
        return b"".join(iter(lambda: stream.read(n), b""))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("http://a/b", True),
        ("s3://bucket/key", True),
        ("zip://a.conllu::s3://bucket/all.zip", True),
        ("simplecache::https://a/b", True),
        ("memory://x", True),
        ("C://data/a.txt", False),
        (r"C:\data", False),
        ("a/b.txt", False),
        ("a://b\nc", False),
        ("see http://a", False),
        ("://a", False),
        ("", False),
        (None, False),
    ],
)
def test_what_is_a_url(path, expected):
    assert is_url(path) is expected


def test_a_url_is_read_like_a_file(address):
    content = load(f"{address}/a.txt")
    assert (content.name, content.data) == (f"{address}/a.txt", TEXT)
    assert load(f"{address}/empty").data == b""
    assert read_source(f"{address}/a.txt").n_sentences == 20_000


def test_a_url_is_read_piece_by_piece(address):
    assert read_all(f"{address}/a.txt", 1 << 16) == TEXT
    assert read_all(f"{address}/empty") == b""


@pytest.mark.parametrize("kind", ["gzip", "bzip2", "xz"])
def test_compressed_data_is_told_by_its_content(address, kind):
    assert load(f"{address}/a.{kind}").data == TEXT
    with open_stream(f"{address}/a.{kind}") as stream:
        assert not stream.can_seek
    assert read_all(f"{address}/a.{kind}") == TEXT


def test_parts_are_read_where_a_server_knows_of_them(files):
    with serving(files) as (address, asked):
        with open_stream(f"{address}/a.txt") as stream:
            assert stream.can_seek
            url = stream.path
        asked.clear()
        start = TEXT.index(b"\n10000 ") + 1
        content = load_chunk(Chunk("mine", "plain", url, start, start + 11, 10_001, "lf", False))
        assert content.data == "10000 é .\n".encode()
        wanted = [wanted for command, _, wanted, _ in asked if command == "GET"]
        assert wanted == [f"bytes={start}-{start + 10}"]
        beyond = Chunk("mine", "plain", url, len(TEXT) - 2, len(TEXT) + 5, 9, "lf", True)
        assert "mine: 2 bytes from byte" in refusal(beyond, load_chunk)


def test_a_server_that_does_not_know_of_parts_is_not_asked_for_them(files):
    with serving(files, has_ranges=False) as (address, _):
        for name in ("a.txt", "one"):
            with open_stream(f"{address}/{name}") as stream:
                assert stream.can_seek is (name == "one")  # which may be had whole
        given = Chunk("mine", "plain", f"{address}/a.txt", 7, 14, 2, "lf", False)
        assert "range" in refusal(given, load_chunk)


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/gone", ": no such file\n"),
        ("/nothing", ": no such file\n"),
        ("/secret", ": not allowed (the server answers 403 Forbidden)\n"),
        ("/login", ": not allowed (the server answers 401 Unauthorized)\n"),
        ("/broken", ": cannot be read (the server answers 500 Internal Server Error)\n"),
        ("/busy", ": cannot be read (the server answers 503 Service Unavailable)\n"),
    ],
)
@pytest.mark.parametrize("function", [load, read_all])
def test_what_a_server_refuses_is_said(files, path, told, function):
    with serving(files) as (address, asked):
        assert refusal(address + path, function).startswith(address + path + told)
        assert len(asked) <= 3  # once more at most, in another way


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


@pytest.mark.parametrize("function", [load, read_all])
def test_a_server_that_is_not_there(function):
    url = f"http://127.0.0.1:{free_port()}/a.txt"
    message = refusal(url, function)
    assert message.startswith(f"{url}: cannot be read (")
    assert message.endswith("is the URL right, and the network there?")


def test_a_server_that_does_not_answer_is_not_waited_for():
    def read(url):
        RemoteFile(url, answer_seconds=0.2).read(1)

    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/a.txt"
        assert ": no answer within " in refusal(url, read)


def test_an_answer_that_breaks_off_is_refused():
    def answer(server):
        connection, _ = server.accept()
        with connection:
            connection.recv(1 << 16)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nA b .\n")

    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        thread = threading.Thread(target=answer, args=(server,))
        thread.start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/a.txt"
        assert refusal(url).startswith(f"{url}: cannot be read (")
        thread.join()


def test_text_at_a_url_is_checked_like_any_other(address):
    assert f"{address}/latin:2: byte 6 (0xE9) is not UTF-8" in refusal(f"{address}/latin")


def test_files_of_this_machine_have_urls_too(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(TEXT)
    url = path.as_uri()
    assert load(url).data == read_all(url) == TEXT
    with open_stream(url) as stream:
        assert (stream.can_seek, stream.path) == (True, url)
    assert load_chunk(Chunk("mine", "plain", url, 7, 14, 2, "lf", False)).data == TEXT[7:14]
    assert ": a directory\n" in refusal(tmp_path.as_uri())
    message = refusal(url + "x")
    assert message.startswith(f"{url}x: no such file\n")
    assert "did you mean" not in message


def test_what_is_in_memory_is_in_this_process_alone(memory):
    assert load(memory).data == read_all(memory) == TEXT
    with open_stream(memory) as stream:
        assert not stream.can_seek
    assert load_chunk(Chunk("mine", "plain", memory, 7, 14, 2, "lf", False)).data == TEXT[7:14]
    assert refusal("memory://nothing").startswith("memory://nothing: no such file\n")


def test_chained_urls(tmp_path):
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("a.txt", TEXT)
    url = f"zip://a.txt::{(tmp_path / 'all.zip').as_uri()}"
    assert load(url).data == read_all(url) == TEXT
    with open_stream(url) as stream:
        assert not stream.can_seek
    assert ": no such file\n" in refusal(url.replace("a.txt::", "b.txt::"))
    (tmp_path / "no.zip").write_bytes(b"nothing of the kind")
    assert ": cannot be read (File is not a zip file)" in refusal(url.replace("all.zip", "no.zip"))
    with serving({"/all.zip": (tmp_path / "all.zip").read_bytes()}) as (address, _):
        assert load(f"zip://a.txt::{address}/all.zip").data == TEXT


def test_files_in_archives_of_this_machine(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_bytes(TEXT)
    with tarfile.open(tmp_path / "all.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "a.txt", "a.txt")
    with zipfile.ZipFile(tmp_path / "outer.zip", "w") as archive:
        archive.write(tmp_path / "all.tar.gz", "all.tar.gz")
    monkeypatch.chdir(tmp_path)
    for url in (
        f"tar://a.txt::{(tmp_path / 'all.tar.gz').as_uri()}",
        "tar://a.txt::all.tar.gz",
        "TAR://a.txt::File://all.tar.gz",
        "tar://a.txt::zip://all.tar.gz::outer.zip",
    ):
        assert load(url).data == read_all(url) == TEXT


SCHEMES = [
    "local", "dir", "github", "git", "gist", "ssh", "sftp", "ftp", "jupyter", "dask", "data", "reference", "generic",
    "simplecache", "filecache", "blockcache", "cached", "libarchive", "hf", "hdfs", "smb", "webdav", "dvc", "zzz",
]  # fmt: skip


@pytest.fixture
def without_fsspec(monkeypatch):
    """fsspec, which nothing may be asked of."""
    monkeypatch.setitem(sys.modules, "fsspec.core", None)


@pytest.mark.issue(15)
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    "chain",
    [
        "{}://a.txt",
        "{}://a.txt::file:///b",
        "zip://a.txt::{}://b",
        "{}::file:///b",
        "zip://a::{}://b::/c",
        "zip::{}::memory://b",
    ],
)
@pytest.mark.parametrize("form", [str.lower, str.upper])
def test_a_scheme_that_is_not_listed_is_followed_nowhere_in_a_chain(without_fsspec, scheme, chain, form):
    url = form(chain.format(scheme))
    message = refusal(url)
    assert message.startswith(f'{url}: the scheme "{form(scheme)}", which is not followed\n')
    assert "http, https, s3" in message
    assert "copy the file to this machine" in message


@pytest.mark.issue(15)
@pytest.mark.parametrize(
    "url",
    [
        "zip://a",  # where is the archive?
        "http://a::file:///b",
        "http://[::1]/a",
        "memory://reference://a",
        "file://reference://a",
        "zip://reference://a::/b.zip",
        "s3://bucket/reference://a",
        "zip://a::memory://zip://b",
    ],
)
def test_a_scheme_that_is_listed_has_its_place(without_fsspec, url):
    assert "which does not belong there\n" in refusal(url)


@pytest.mark.issue(15)
@pytest.mark.parametrize("last", ["reference", "data:application/zip;base64,AAAA", "dask", "evalignprobe"])
def test_a_last_link_without_a_scheme_is_a_path_whatever_it_is_called(tmp_path, monkeypatch, probe, last):
    monkeypatch.chdir(tmp_path)
    assert f"zip://a.txt::{last}: no such file\n" in refusal(f"zip://a.txt::{last}")
    assert not probe


@pytest.fixture
def probe():
    """What a file system of somebody else's was asked for; it is registered as plug-ins are."""
    asked = []

    class Probe(fsspec.AbstractFileSystem):
        protocol = "evalignprobe"
        cachable = False

        def __init__(self, *args, **options):
            asked.append((args, options))
            super().__init__(*args, **options)

    fsspec.register_implementation("evalignprobe", Probe, clobber=True)
    yield asked
    sys.modules["fsspec.registry"]._registry.pop("evalignprobe")


@pytest.mark.issue(15)
@pytest.mark.parametrize("url", ["evalignprobe://a", "zip://a::evalignprobe://b", "evalignprobe::file:///a"])
def test_a_registered_file_system_is_not_followed_either(probe, url):
    assert 'the scheme "evalignprobe", which is not followed' in refusal(url)
    assert not probe


@pytest.mark.issue(15)
def test_links_in_an_archive_stay_in_it(tmp_path):
    (tmp_path / "secret.txt").write_text("hidden words")
    with tarfile.open(tmp_path / "all.tar", "w") as archive:
        for number, (kind, target) in enumerate(
            (kind, target)
            for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE)
            for target in (
                str(tmp_path / "secret.txt"),
                "../secret.txt",
                "reference://x",
                "file:///etc/passwd",
            )
        ):
            member = tarfile.TarInfo(f"{number}.txt")
            member.type, member.linkname = kind, target
            archive.addfile(member)
    for number in range(8):
        assert "cannot be read" in refusal(f"tar://{number}.txt::{(tmp_path / 'all.tar').as_uri()}")


@pytest.mark.issue(15)
def test_an_address_may_have_another_in_it(files):
    with serving(files) as (address, asked):
        assert load(f"{address}/a.txt?of=https://example.org/a").data == TEXT
        assert asked[-1][1] == "/a.txt?of=https://example.org/a"


@pytest.mark.issue(15)
def test_no_option_of_a_file_system_comes_from_a_url(monkeypatch):
    found = []

    def watch(url, **options):
        found.append((url, options))
        raise FileNotFoundError(url)

    monkeypatch.setattr("fsspec.core.url_to_fs", watch)
    for url in ("s3://b/k?endpoint_url=x&anon=true", "file:///a?auto_mkdir=1", "zip://a?fo=x::memory://b"):
        refusal(url)
        assert found.pop() == (url, {})
    refusal("https://h/a?client_kwargs=1")
    assert {*found.pop()[1]["https"]["client_kwargs"]} == {"timeout"}


def test_no_password_and_no_key_is_shown(files):
    with serving(files) as (address, asked):
        url = address.replace("http://", "http://anna:geheim@") + "/a.txt?token=geheim&page=2"
        shown = address.replace("http://", "http://***@") + "/a.txt?token=***&page=2"
        assert load(url).name == shown
        assert asked[-1][3].startswith("Basic ")
        with open_stream(url) as stream:
            assert (stream.name, stream.path) == (shown, url)
        for path in ("/gone", "/secret", "/broken", "/latin"):
            message = refusal(url.replace("/a.txt", path))
            assert "geheim" not in message
            assert "***@" in message
    nobody = f"http://anna:geheim@127.0.0.1:{free_port()}/a.txt"
    assert "geheim" not in refusal(nobody)
    assert "geheim" not in refusal(url.replace("http:", "zzz:"))


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://a:b@host/x", "http://***@host/x"),
        ("http://a:b@c@host/x@y", "http://***@host/x@y"),
        ("zip://a::ftp://a:b@host/x", "zip://a::ftp://***@host/x"),
        (
            "https://h/x?X-Amz-Signature=1f&n=1&api_key=3#a",
            "https://h/x?X-Amz-Signature=***&n=1&api_key=***#a",
        ),
        ("http://host/a@b", "http://host/a@b"),
    ],
)
def test_what_is_masked(url, shown):
    assert mask_url(url) == shown


@pytest.mark.parametrize(
    ("url", "told", "advice"),
    [
        ("s3://bucket/a.conllu", 'a URL of "s3"\n  expected a package that reads it', "pip install s3fs"),
        ("gs://bucket/a.conllu", 'a URL of "gs"\n  expected a package that reads it', "pip install gcsfs"),
    ],
)
def test_a_scheme_that_cannot_be_read_says_what_to_install(url, told, advice, monkeypatch):
    for package in ("s3fs", "gcsfs"):
        monkeypatch.setitem(sys.modules, package, None)
    message = refusal(url)
    assert message.startswith(f"{url}: {told}")
    assert advice in message


@pytest.mark.parametrize("package", ["fsspec", "aiohttp"])
def test_without_its_packages_it_says_what_to_install(package, monkeypatch):
    with contextlib.suppress(InputError):
        load("http://127.0.0.1:1/a.txt")  # what it loads is taken away
    monkeypatch.delitem(sys.modules["fsspec.registry"]._registry, "http")
    monkeypatch.delitem(sys.modules, "fsspec.implementations.http")
    monkeypatch.setitem(sys.modules, {"fsspec": "fsspec.core"}.get(package, package), None)
    message = refusal("http://127.0.0.1:1/a.txt")
    assert message.startswith("http://127.0.0.1:1/a.txt: a URL")
    assert message.endswith('pip install aiohttp "fsspec>=2026.6"')


def test_an_open_file_of_fsspec_is_a_file(memory):
    with fsspec.open(memory, "rb") as file:
        assert load(file).data == TEXT
    assert load(io.BytesIO(b"a\n")).name == "<file>"


@pytest.mark.parametrize("url", ["http://", "http://127.0.0.1:99999/x", "http:///x", "file://", "github://a"])
def test_no_url_breaks_the_message(url):
    assert refusal(url).startswith(f"{url}: ")
