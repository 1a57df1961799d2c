"""Random decisions that depend on a seed and on what is decided, never on the order in which it is.

The same seed gives the same data set, on every machine, and whatever was done before the run was interrupted.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b


def draw(seed: int, *key: str) -> float:
    """A number from 0 up to, but without, 1, that belongs to a seed and a key.

    >>> draw(1, "split", "fr", "A") == draw(1, "split", "fr", "A") != draw(2, "split", "fr", "A")
    True
    """
    digest = blake2b("\0".join((str(seed), *key)).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return (int.from_bytes(digest, "big") >> 11) / 2**53


def choose(weights: Mapping[str, float], drawn: float) -> str:
    """One of some names, each as likely as it weighs; the last with any weight where rounding leaves a rest.

    >>> choose({"sample": 2, "training": 49, "test": 49}, 0.5)
    'training'
    """
    left = drawn * sum(weights.values())
    chosen = ""
    for name, weight in weights.items():
        if weight > 0:
            chosen = name
            left -= weight
            if left < 0:
                break
    return chosen
