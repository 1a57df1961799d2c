"""Clusters that require a certificate, started by the commands of docs/security.md."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from clusters import start_scheduler, start_worker

pytest.importorskip("distributed")

from evalign.engines.dask_engine import DaskEngine
from evalign.errors import EngineError

pytestmark = [
    pytest.mark.issue(15),
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("openssl"), reason="openssl makes certificates"),
]


PAGE = (Path(__file__).parents[2] / "docs/security.md").read_text(encoding="utf-8").replace("\\\n", "")
"""Commands on several lines are on one."""


def read_command(begin, folder):
    """The command of the page that begins so, with certificate and key in `folder`."""
    [command] = re.findall(rf"    ({begin} .* cert\.pem.*)", PAGE)
    return [
        str(folder / word) if word.endswith(".pem") else word for word in shlex.split(command.rstrip("& "))
    ]


@pytest.fixture(scope="module")
def certified(tmp_path_factory):
    """A folder with a certificate and its key."""
    return make_certificate(tmp_path_factory.mktemp("certified"))


def make_certificate(folder):
    subprocess.run(read_command("openssl", folder), check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def address(certified, tmp_path_factory):
    """A scheduler and a worker that answer who has the certificate."""
    scheduler, worker = (read_command(f"dask {name}", certified) for name in ("scheduler", "worker"))
    with (
        start_scheduler(options=scheduler[2:]) as (_, address),
        start_worker(address, tmp_path_factory.mktemp("worker"), options=[*worker[3:], "--nworkers", "1"]),
    ):
        yield address


def run_evalign(*arguments, folder=None):
    """A command in a process of its own, as Dask looks at its settings when it is loaded."""
    settings = {}
    if folder:
        settings = {
            name: str(folder / file)
            for name, file in re.findall(r"export (DASK_\S+TLS\S+)=(cert.pem|key.pem)", PAGE)
        }
    return subprocess.run(
        [sys.executable, "-m", "evalign", *arguments],
        check=False, capture_output=True, text=True, env={**os.environ, **settings},
    )  # fmt: skip


def test_a_cluster_is_used_with_certificates(address, certified, tmp_path):
    assert address.startswith("tls://127.0.0.1:")
    for name, text in (("gold", "A b .\nC d .\n"), ("system", "A b . C\nd .\n")):
        (tmp_path / f"{name}.txt").write_text(text)
    files = str(tmp_path / "gold.txt"), str(tmp_path / "system.txt")
    command = "score", *files, "--metrics", "sentences", "--format", "json", "-q"
    here = run_evalign(*command)
    done = run_evalign(*command, "--cluster", address, folder=certified)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == here.stdout


def test_a_cluster_takes_no_other_certificate_and_none(address, tmp_path):
    command = "score", "a.txt", "b.txt", "--cluster", address
    done = run_evalign(*command)
    assert done.returncode == 1
    assert f"{address} cannot be connected to" in done.stderr
    assert "DASK_DISTRIBUTED__COMM__TLS__CA_FILE" in done.stderr
    done = run_evalign(*command, folder=make_certificate(tmp_path))
    assert done.returncode == 1
    assert f"{address} takes another certificate" in done.stderr
    assert "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY" in done.stderr


def test_an_address_without_tls_of_a_scheduler_with_it(address):
    with pytest.raises(EngineError, match="one that takes certificates: tls://HOST:PORT"):
        DaskEngine(address.replace("tls", "tcp"), timeout=1.0)
