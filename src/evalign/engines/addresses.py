"""What --cluster takes: the address of a scheduler, or how many workers to start on this machine."""

from __future__ import annotations

import re

from evalign.errors import CommandError, quote

# Nobody has so many cores on one machine, and every item under way takes memory.
MOST_WORKERS = 1024
LOCAL = "local:"
_ADDRESS = re.compile(
    r"(?:(?P<protocol>[a-z][a-z0-9+]*)://)?"  # how to talk to it: tcp, tls, ucx, ws
    r"(?:\[(?P<number>[0-9a-fA-F:.%]+)\]|(?P<host>[^\s:/\[\]@]+))"  # a number of version 6, another, or a name
    r":(?P<port>[0-9]{1,5})/?"
)
_EXPECTED = f"tcp://HOST:PORT, or {LOCAL}N for N workers on this machine"


def find_listener(address: str) -> tuple[str, int] | None:
    """The host and port of an address, where one talks to it over TCP as it is.

    >>> find_listener("tcp://[::1]:8786"), find_listener("tls://10.0.0.1:8786")
    (('::1', 8786), None)
    """
    matched = _ADDRESS.fullmatch(address)
    if matched is None or matched["protocol"] not in (None, "tcp"):
        return None
    return matched["number"] or matched["host"], int(matched["port"])


def check_jobs(n_workers: int) -> int:
    """So many processes as there can be; raises `CommandError` for others."""
    if not 1 <= n_workers <= MOST_WORKERS:
        found = f"{n_workers} processes to work in"
        raise CommandError(found, f"a number from 1 to {MOST_WORKERS}")
    return n_workers


def parse_cluster(text: str) -> int | str:
    """How many workers to start on this machine, or an address to connect to.

    >>> parse_cluster("local:2"), parse_cluster("tcp://10.0.0.1:8786")
    (2, 'tcp://10.0.0.1:8786')
    """
    if text.startswith(LOCAL):
        number = text.removeprefix(LOCAL)
        is_number = number.isascii() and number.isdigit() and len(number) < 10
        if not is_number or not 1 <= int(number) <= MOST_WORKERS:
            found = f"a cluster {quote(text)}"
            raise CommandError(found, f"{LOCAL}N, where N is a number from 1 to {MOST_WORKERS}")
        return int(number)
    matched = _ADDRESS.fullmatch(text)
    if matched is None or not 1 <= int(matched["port"]) <= 65535:
        found = f"a cluster {quote(text)}, which is not an address"
        raise CommandError(found, _EXPECTED, "a scheduler says its address when it starts: dask scheduler")
    return text
