"""Signatures say which number a score is, in parts such as `average:micro` with a bar between them.

The long signature names everything that could change a number; JSON has it. The short one stands under
tables: the version, the mode, every option that is not the default, and a hash of the long signature.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from evalign.options import SIGNED

# Parts that change no number: the form of the kernels, which older versions named.
_IGNORED = ("kernels",)
# Parts that follow from the version or from the texts; the short signature has them only in its hash.
_LEFT_TO_THE_HASH = ("alignment", "unit", "correction")
# Key that named the constants of the alignment before it had a version, and the version that those were.
_OLDER_ALIGNMENT, _FIRST_ALIGNMENT = "thresholds", "1"
# Usual values of keys that are no options of `score`.
_USUAL: Mapping[str, Sequence[str]] = {
    "lines": ("equal",),
    "match": ("sets-of-id-pairs",),
    "ties": ("together",),
    "seed": ("12345",),
    "confidence": ("0.95",),
    "test": ("paired-randomization",),
}
# Columns of the heads of lines under a table.
INDENT = 11


def split_signature(signature: str) -> dict[str, str]:
    """Split a signature into its parts by key, without those that change no number.

    >>> split_signature("evalign:1|kernels:plain|thresholds:32-512|weights:w.json(1a:2)")
    {'evalign': '1', 'alignment': '1', 'weights': 'w.json(1a:2)'}
    """
    parts = (part.partition(":") for part in signature.split("|") if part)
    return dict(_modernise(key, value) for key, _, value in parts if key not in _IGNORED)


def _modernise(key: str, value: str) -> tuple[str, str]:
    """Return key and value of a part as the current version writes them."""
    if key != _OLDER_ALIGNMENT:
        return key, value
    return "alignment", value if value == "not-needed" else _FIRST_ALIGNMENT


def join_signatures(signatures: Iterable[str], **changes: str) -> str:
    """Join signatures into one: values that differ are joined by slashes, and `changes` replace or add parts.

    >>> join_signatures(["evalign:1|lines:equal|unit:document(2)", "evalign:1|lines:differ"], unit="document(3)")
    'evalign:1|lines:equal/differ|unit:document(3)'
    """
    values: dict[str, dict[str, None]] = {}
    for signature in signatures:
        for key, value in split_signature(signature).items():
            values.setdefault(key, {})[value] = None
    return _write({key: "/".join(each) for key, each in values.items()} | changes)


def shorten_signatures(signatures: Sequence[str], suffix: str = "") -> tuple[str, list[str]]:
    """Return the short signature of several systems, and for each system the parts not shared by all.

    `suffix` is the part of a signature about intervals and tests. It is not part of the hash, so that the
    hash stays the same whether or not a result is resampled.

    >>> shorten_signatures(["evalign:1|mode:aligned|lines:equal|match:text|unit:document(2)"], "|seed:7")
    ('evalign:1|mode:aligned|match:text|seed:7|hash:ad2b3f6a', [''])
    >>> shorten_signatures(["evalign:1|lines:equal", "evalign:1|lines:differ"])
    ('evalign:1|hash:c14a0759', ['', 'lines:differ'])
    """
    split = [split_signature(signature) for signature in signatures]
    notable = [{key: value for key, value in parts.items() if _is_notable(key, value)} for parts in split]
    shared = {
        key: value for key, value in notable[0].items() if all(parts.get(key) == value for parts in notable)
    }
    resampling = {key: value for key, value in split_signature(suffix).items() if _is_notable(key, value)}
    own = [_write({key: parts[key] for key in parts if key not in shared}) for parts in notable]
    return _write(shared | resampling | {"hash": _hash(split)}), own


def list_signatures(names: Sequence[str], signatures: Sequence[str], suffix: str = "") -> list[str]:
    """Return the lines under a table: the short signature, then parts that only the systems named have.

    >>> for line in list_signatures(["a", "b", "c"], ["evalign:1|lines:equal", *["evalign:1|lines:differ"] * 2]):
    ...     print(line)
    signature  evalign:1|hash:c14a0759
               b, c: lines:differ
    """
    short, own = shorten_signatures(signatures, suffix)
    groups: dict[str, list[str]] = {}
    for name, parts in zip(names, own, strict=True):
        groups.setdefault(parts, []).append(name)
    lines = [f"{', '.join(some)}: {parts}" for parts, some in groups.items() if parts]
    return [f"{'signature':{INDENT}}{short}", *(f"{'':{INDENT}}{line}" for line in lines)]


def _is_notable(key: str, value: str) -> bool:
    """Return whether the short signature shows a part.

    Parts are shown if their value is not the default, except those that only the hash depends on.
    """
    if key in _LEFT_TO_THE_HASH:
        return False
    if key == "resamples":
        return not value.startswith("auto(")
    return not {*value.split("/")} <= {*_find_usual(key)}


def _find_usual(key: str) -> Sequence[str]:
    """Return the values of a key that are not worth showing."""
    if key == "normalize":
        from evalign.alignment.normalize import choose_rules

        return ("not-needed", "+".join(rule.name for rule in choose_rules(())))
    if key not in SIGNED:
        return _USUAL.get(key, ())
    declared = SIGNED[key]
    written: Sequence[str] = declared.metadata.get("written", (str(declared.default),))
    return (*_USUAL.get(key, ()), declared.metadata.get("usual", written[0]))


def _write(parts: Mapping[str, str]) -> str:
    return "|".join(f"{key}:{value}" for key, value in parts.items())


def _hash(split: Sequence[Mapping[str, str]]) -> str:
    """Hash the set of long signatures; the order of systems does not matter."""
    text = "\n".join(sorted({*map(_write, split)}))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
