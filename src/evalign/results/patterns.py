"""A user's regular expression looked for in many names, with a limit of time: some take longer than anyone can wait.

Python cannot stop a search that has begun, so another process makes it, which can be ended: in any thread, and on every
system. Expressions that cannot take long are searched for here.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from functools import lru_cache

from evalign.errors import CommandError, quote

# Seconds for all names, and names for each second more.
LIMIT = 10.0
NAMES_PER_SECOND = 50_000
# Characters of a name up to which an expression with one repetition is searched for here.
_LONGEST_NAME = 1000
_REPEATS = "*+?{|"
_SEARCH = """
import json, re, sys, warnings
warnings.simplefilter("ignore")
pattern, names = json.load(sys.stdin)
pattern = re.compile(pattern)
group = 1 if pattern.groups else 0
for name in names:
    match = pattern.search(name)
    print(json.dumps(match and match[group]), flush=True)
"""


@lru_cache(maxsize=4)
def search_names(pattern: str, names: tuple[str, ...], *, limit: float = LIMIT) -> list[str | None]:
    """What an expression, which is valid, finds in each name: its first group, else all of it; None where nothing.

    Raises `CommandError` where that takes longer than `limit` seconds, and one more for each `NAMES_PER_SECOND`.
    """
    if _is_quick(pattern, names) or getattr(sys, "frozen", False) or not sys.executable:
        return _search_here(pattern, names)
    limit += len(names) / NAMES_PER_SECOND
    distinct = list(dict.fromkeys(names))
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _SEARCH],
            input=json.dumps([pattern, distinct]).encode("ascii"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=limit,
            check=True,
        )
    except subprocess.TimeoutExpired as late:
        n_found = (late.stdout or b"").count(b"\n")
        raise _too_slow(pattern, distinct[min(n_found, len(distinct) - 1)], limit) from None
    except (OSError, subprocess.CalledProcessError):  # no process can be had here
        return _search_here(pattern, names)
    found = dict(zip(distinct, map(json.loads, done.stdout.splitlines()), strict=True))
    return [found[name] for name in names]


def _is_quick(pattern: str, names: Sequence[str]) -> bool:
    """Whether at most one repetition or choice is in it, in names that are not too long: it then takes few steps."""
    return sum(map(pattern.count, _REPEATS)) <= 1 and max(map(len, names), default=0) <= _LONGEST_NAME


def _search_here(pattern: str, names: Sequence[str]) -> list[str | None]:
    import re

    compiled = re.compile(pattern)
    found = [compiled.search(name) for name in names]
    return [match and match[1 if compiled.groups else 0] for match in found]


def _too_slow(pattern: str, name: str, limit: float) -> CommandError:
    message = f"by {quote(pattern)}: not done after {limit:.0f} seconds, at the name {quote(name)}"
    advice = "a repetition within another, such as (a+)+, can take forever: write (a+) instead"
    return CommandError(message, "a regular expression that is quick to search for", advice)
