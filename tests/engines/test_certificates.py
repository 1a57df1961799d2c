"""Clusters that require a certificate: one started on this machine, and one at an address."""

import contextlib
import datetime
import os
import socket
import ssl
import subprocess
import sys

import pytest

import workpieces
from engines.test_schedulers import start_scheduler, start_worker

distributed = pytest.importorskip("distributed")
pytest.importorskip("cryptography")
psutil = pytest.importorskip("psutil")

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from evalign.engines.dask_connection import Timeouts
from evalign.engines.dask_engine import DaskEngine
from evalign.engines.run import open_engine, run_ordered
from evalign.errors import CommandError, EngineError

pytestmark = [pytest.mark.issue(15), pytest.mark.slow]


@pytest.fixture(scope="module")
def engine():
    """Two workers on this machine."""
    with open_engine("local:2") as engine:
        yield engine


def find_ports():
    """Ports that this process and those it started listen at: address and number."""
    own = psutil.Process()
    ports = set()
    for process in (own, *own.children(recursive=True)):
        with contextlib.suppress(psutil.NoSuchProcess):  # it has ended meanwhile
            connections = process.net_connections("inet")
            ports |= {tuple(each.laddr) for each in connections if each.status == psutil.CONN_LISTEN}
    return ports


def ask_as_a_stranger(port, context=None):
    """What somebody without a certificate is told, asking in the ways that he knows."""
    told = []
    for asking in (b"", b"GET / HTTP/1.0\r\n\r\n", b"\x08" + bytes(15)):
        connection = socket.create_connection(("127.0.0.1", port), 5)
        connection.settimeout(0.5)
        if context is not None:
            connection = context.wrap_socket(connection, do_handshake_on_connect=False)
        # Refused, or left waiting.
        with connection, contextlib.suppress(OSError):
            connection.sendall(asking)
            told.append(connection.recv(1000))
    return told


def test_a_cluster_on_this_machine_listens_on_it_alone_and_answers_no_stranger(engine):
    ports = find_ports()
    # A scheduler, two workers and who looks after each of them: no web pages.
    assert len(ports) == 5
    assert {address for address, _ in ports} == {"127.0.0.1"}
    unchecked = ssl.create_default_context()
    unchecked.check_hostname, unchecked.verify_mode = False, ssl.CERT_NONE
    for _, port in ports:
        # In plain text, what is told is at most TLS's own alert that something else was expected.
        assert all(
            not told or (told[:2] == b"\x15\x03" and len(told) == 7) for told in ask_as_a_stranger(port)
        )
        assert not any(ask_as_a_stranger(port, unchecked))
    assert list(run_ordered(engine, workpieces.double, range(3))) == [0, 2, 4]


def test_a_client_with_another_certificate_is_not_let_in(engine):
    address = engine.client.scheduler.address
    assert address.startswith("tls://127.0.0.1:")
    others = distributed.Security.temporary()
    with pytest.raises(OSError, match=r"certificate|Timed out|(?i:connect)"):
        distributed.Client(address, security=others, timeout=2, set_as_default=False)
    with pytest.raises(OSError, match=r"certificate|Timed out|(?i:connect)"):
        distributed.Client(address.replace("tls", "tcp"), timeout=2, set_as_default=False)
    assert list(run_ordered(engine, workpieces.double, range(3))) == [0, 2, 4]


def test_a_worker_that_is_started_again_answers_no_stranger_either(engine):
    before = find_ports()
    [one, *_] = engine.client.run(os.getpid).values()
    psutil.Process(one).kill()
    workpieces.wait_until(lambda: one not in engine.client.run(os.getpid, on_error="ignore").values())
    workpieces.wait_until(lambda: len(find_ports()) == 5 and find_ports() != before)
    assert list(run_ordered(engine, workpieces.double, range(3))) == [0, 2, 4]


def test_without_the_package_that_makes_certificates_nothing_is_started(monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(
        CommandError, match=r"(?s)needs the package cryptography.*pip install crypt.*engine=N"
    ):
        open_engine("local:2")


class Authority:
    """Who signs certificates; files of them are in a folder."""

    def __init__(self, folder):
        self.folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, f"authority {folder.name}")])
        self.path = self._write("ca", self._sign(self._name, self._key, is_authority=True))

    def make(self, name):
        """A certificate and its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        path = self._write(name, self._sign(subject, key))
        form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        key_path = self.folder / f"{name}.key"
        key_path.write_bytes(key.private_bytes(*form))
        return path, str(key_path)

    def _sign(self, subject, key, is_authority=False):
        now = datetime.datetime.now(datetime.UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(hours=1))
            .not_valid_after(now + datetime.timedelta(hours=1))
            .add_extension(x509.BasicConstraints(is_authority, None), critical=True)
            .sign(self._key, hashes.SHA256())
        )

    def _write(self, name, certificate):
        path = self.folder / f"{name}.pem"
        path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        return str(path)


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="module")
def address(authority, tmp_path_factory):
    """A scheduler and a worker, each with a certificate of its own."""

    def options(name):
        path, key = authority.make(name)
        return "--tls-ca-file", authority.path, "--tls-cert", path, "--tls-key", key

    with (
        start_scheduler(options=["--protocol", "tls", *options("scheduler")]) as (_, address),
        start_worker(address, tmp_path_factory.mktemp("worker"), options=options("worker")),
    ):
        yield address


def settings(authority, name):
    """What the environment has, so that Dask takes a certificate."""
    path, key = authority.make(name)
    begin = "DASK_DISTRIBUTED__COMM__TLS__"
    return {f"{begin}CA_FILE": authority.path, f"{begin}CLIENT__CERT": path, f"{begin}CLIENT__KEY": key}


def run_evalign(*arguments, env=None):
    """A command in a process of its own, as Dask looks at its settings when it is loaded."""
    return subprocess.run(
        [sys.executable, "-m", "evalign", *arguments],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, **(env or {})},
    )


@pytest.mark.slow
def test_a_cluster_is_used_with_certificates(address, authority, tmp_path):
    assert address.startswith("tls://127.0.0.1:")
    for name, text in (("gold", "A b .\nC d .\n"), ("system", "A b . C\nd .\n")):
        (tmp_path / f"{name}.txt").write_text(text)
    files = str(tmp_path / "gold.txt"), str(tmp_path / "system.txt")
    command = "score", *files, "--metrics", "sentences", "--format", "json", "-q"
    here = run_evalign(*command)
    done = run_evalign(*command, "--cluster", address, env=settings(authority, "client"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == here.stdout


@pytest.mark.slow
def test_a_cluster_takes_no_other_certificate_and_none(address, tmp_path):
    command = "score", "a.txt", "b.txt", "--cluster", address
    done = run_evalign(*command)
    assert done.returncode == 1
    assert f"{address} cannot be connected to" in done.stderr
    assert "DASK_DISTRIBUTED__COMM__TLS__CA_FILE" in done.stderr
    done = run_evalign(*command, env=settings(Authority(tmp_path), "stranger"))
    assert done.returncode == 1
    assert f"{address} takes another certificate" in done.stderr
    assert "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY" in done.stderr


@pytest.mark.slow
def test_an_address_without_tls_of_a_scheduler_with_it(address):
    with pytest.raises(EngineError, match="one that takes certificates: tls://HOST:PORT"):
        DaskEngine(address.replace("tls", "tcp"), timeouts=Timeouts(answer=1.0))
