"""Files written whole or not at all, files of folders, and short names of files and systems.

Used by commands and results to save, and wherever inputs and systems are named.
"""

from __future__ import annotations

import errno
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path

from evalign.errors import CommandError, InputError, Place, quote


def write_json(path: str | os.PathLike[str], saved: Mapping[str, object]) -> None:
    """Write `saved` as JSON without spaces between values, by `write_whole`."""
    import json

    text = json.dumps(saved, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    write_whole(path, f"{text}\n")


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write `content` to a scratch file, then rename it to `path`, so that no reader sees half a file.

    Symbolic links are followed. Anything other than a regular file (a device, a pipe) is written to directly,
    since it cannot be replaced. Raises `InputError` if it cannot be written.
    """
    place = Place(os.fspath(path) or '""')
    target = Path(path)
    if not os.fspath(path) or os.path.isdir(path):  # noqa: PTH112 - pathlib raises where a name is too long
        raise InputError(place, "a directory" if os.fspath(path) else "no name", "a file to write to")
    data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    try:
        target = target.resolve()
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            with replacing(target) as scratch:
                scratch.write_bytes(data)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL character
        problem = f"cannot be written ({getattr(error, 'strerror', None) or error})"
        raise InputError(place, problem, "a file in a folder that can be written to") from None


@contextmanager
def replacing(target: Path, *, scratch_folder: Path | None = None, durable: bool = False) -> Iterator[Path]:
    """Yield the path of a scratch file to write to; after the block it replaces `target`, keeping its mode.

    It is beside `target`, or in `scratch_folder` on the same disk. With `durable`, the file is written through to
    the disk. If the block raises an exception, `target` stays as it is.
    """
    # A name that no other thread or process has. tempfile would ignore the umask: its files are for their
    # owner alone.
    scratch = (scratch_folder or target.parent) / f".evalign-{os.urandom(8).hex()}.part"
    try:
        yield scratch
        if durable:
            sync(scratch)
        if target.exists():
            scratch.chmod(target.stat().st_mode & 0o7777)
        scratch.replace(target)
        if durable:
            sync(target.parent)
    finally:
        # Still there only after an error, Ctrl-C included.
        scratch.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Write a file or folder through to the disk, so that a loss of power does not undo it."""
    try:
        # Windows syncs only files that are open for writing.
        file = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    except OSError:  # a folder on Windows
        return
    try:
        os.fsync(file)
    except OSError as error:
        # Some systems cannot sync folders.
        if error.errno not in (errno.EINVAL, errno.EBADF, errno.EACCES, errno.EPERM, errno.ENOTSUP):
            raise
    finally:
        os.close(file)


SEPARATORS = "/\\._- "
# A regular expression for the ending that compression adds to the name of a file.
PACKED_ENDING = r"\.(?:gz|bz2|xz|zstd?)"
_QUERY = re.compile(r"[?#].*", re.DOTALL)
# Endings of annotated files, compressed or not. Anything else behind a dot belongs to the name.
_LAST_ENDING = re.compile(
    r"\.(?:conll\w*|txt|tsv|csv|jsonl?|xml|mrg|ptb|brackets?|parsed?|discbracket|export|ann|tok|sent|seg|out|pred|pairs)"
    rf"(?:{PACKED_ENDING})?$",
    re.IGNORECASE,
)
_USER = re.compile(r"^[^/]*@")


def file_name(path: str) -> str:
    """Return the last part of `path`, with the line number behind it if there is one.

    >>> file_name("runs/english/gold.conllu:41")
    'gold.conllu:41'
    """
    return path[max(path.rfind(mark) for mark in {"/", os.sep}) + 1 :] or path


def shorten_paths(paths: Sequence[str], taken: Collection[str] = ()) -> list[str]:
    """Shorten each path or URL to its last part and the folders needed to tell it from the others.

    No name is one of `taken`. A path that is given twice gets the same name twice. Names that no folder can
    tell apart, such as URLs with different queries, are numbered.

    >>> shorten_paths(["/home/me/gold.conllu", "/home/me/a/out.conllu", "/home/me/b/out.conllu"])
    ['gold.conllu', 'a/out.conllu', 'b/out.conllu']
    >>> shorten_paths(["https://me:secret@example.org/en.txt?key=1", "https://example.org/en.txt?key=2"])
    ['en.txt', 'en.txt (2)']
    """
    # Paths that differ in "./" or "//" alone are one file.
    same = {
        path: re.sub(r"^(?:\./+)+|(?<=/)(?:\.?/)+(?!/)", "", path) if "://" not in path else path
        for path in paths
    }
    parts = {path: _split_path(path) for path in same.values()}
    depths = dict.fromkeys(parts, 1)
    while True:
        names = {path: "/".join(parts[path][-depth:]) for path, depth in depths.items()}
        times = Counter([*names.values(), *taken])
        deeper = [path for path, name in names.items() if times[name] > 1 and depths[path] < len(parts[path])]
        if not deeper:
            break
        for path in deeper:
            depths[path] += 1
    used = set(taken)
    for path, name in names.items():
        # If folders do not make the name unique, none is shown.
        short = base = name if times[name] == 1 else parts[path][-1]
        number = 1
        while short in used:
            number += 1
            short = f"{base} ({number})"
        names[path] = short
        used.add(short)
    return [names[same[path]] for path in paths]


def check_names(names: Sequence[str], n_systems: int) -> tuple[str, ...]:
    """Return the names given to systems as a tuple with one name per system.

    An empty name stands for the name of the system's file, and no names at all give empty names. Raises
    `CommandError` for a wrong number of names, for a name of white space alone and for one given twice.

    >>> check_names(["base", ""], 2), check_names([], 2)
    (('base', ''), ('', ''))
    """
    if not names:
        return ("",) * n_systems
    names = [names] if isinstance(names, str) else list(names)
    if len(names) != n_systems or not all(isinstance(name, str) for name in names):
        problem = f"names of systems: {names}"
        raise CommandError(problem, f"a list of texts, one for each of {n_systems} systems")
    if blank := [name for name in names if name and not name.strip()]:
        problem = f"a system is called {quote(blank[0])}"
        raise CommandError(problem, "a name with a letter, or none")
    twice = [name for name, times in Counter(names).items() if name and times > 1]
    if twice:
        problem = f"{Counter(names)[twice[0]]} systems are called {quote(twice[0])}"
        raise CommandError(problem, "another name for each system")
    return tuple(names)


def are_alike(one: str, other: str) -> bool:
    """Return whether two names may mean the same file: they are equal, or one is the end of the other's path.

    Results that were saved before names were short have whole paths.

    >>> are_alike("/data/runs/a/out.txt", "a/out.txt"), are_alike("b/out.txt", "a/out.txt")
    (True, False)
    """
    parts = sorted((_split_path(one), _split_path(other)), key=len)
    return parts[1][-len(parts[0]) :] == parts[0]


def replace_paths(message: str, names: Mapping[str, str]) -> str:
    """Replace each path in `message` that is a key of `names` by its name.

    The folders of these paths are removed wherever else they occur in the message.

    >>> replace_paths("/home/me/en.txt: no such file; did you mean /home/me/eng.txt?", {"/home/me/en.txt": "en.txt"})
    'en.txt: no such file; did you mean eng.txt?'
    """
    shown = {path: name for path, name in names.items() if path and name}
    for path in list(shown):
        folder = path[: -len(re.split(r"[/\\]", path)[-1])]
        if len(folder) > 1:
            shown.setdefault(folder, "")
            shown.setdefault(folder[:-1], shorten_paths([folder])[0])
    if not shown:
        return message
    # In one substitution, so that a name put in is not replaced again.
    longest_first = "|".join(map(_match_whole, sorted(shown, key=len, reverse=True)))
    return re.sub(rf"(?<![\w./\\-])(?:{longest_first})", lambda match: shown[match[0]], message)


def _match_whole(path: str) -> str:
    """Return a pattern that matches `path`, but not inside a longer name.

    /home/me is not found in /home/media, nor in /home/me.old.
    """
    return re.escape(path) + ("" if path[-1] in "/\\" else r"(?![\w+~@#%=&-]|\.\w)")


def _split_path(path: str) -> list[str]:
    r"""Split a path into folders and file; of a URL drop scheme, user and query, and put the host first.

    >>> _split_path("C:\\runs\\en.txt"), _split_path("zip://en.txt::s3://me@bucket/all.zip?key=1")
    (['C:', 'runs', 'en.txt'], ['bucket', 'all.zip', 'en.txt'])
    """
    if "://" in path:
        links = [_QUERY.sub("", link.partition("://")[2]) for link in reversed(path.split("::"))]
        path = "/".join(_USER.sub("", link) for link in links)
    parts = [part for part in re.split(r"[/\\]", path) if part not in ("", ".")]
    return parts or [path]


def number_names(names: Sequence[str]) -> list[str]:
    """Return `names` unchanged, except that a repeated name gets a number behind it.

    >>> number_names(["a", "b", "a"])
    ['a', 'b', 'a (2)']
    """
    numbered: list[str] = []
    for name in names:
        number, each = 1, name
        while each in numbered:
            number += 1
            each = f"{name} ({number})"
        numbered.append(each)
    return numbered


def tell_apart(names: Sequence[str]) -> list[str]:
    """Strip from names of files what all of them begin and end with, in whole parts of a name.

    If all names are equal, only their folder and ending are stripped. Names that do not all end like files of
    one kind were given by people, and stay as they are.

    >>> tell_apart(["runs/ewt.nltk.txt", "runs/ewt.moses.txt"]), tell_apart(["runs/en-ewt.txt"] * 2)
    (['nltk', 'moses'], ['en-ewt', 'en-ewt'])
    >>> tell_apart(["lr-0.1", "lr-0.2"]), tell_apart(["bert/base"])
    (['lr-0.1', 'lr-0.2'], ['bert/base'])
    """
    endings = {_find_ending(name) for name in names}
    if len(endings) != 1 or "" in endings:
        return list(names)
    if len(names) < 2:
        return [file_name(name) for name in names]
    after = _common_start([name[::-1] for name in names])[::-1]
    if len(set(names)) == 1:
        after = file_name(after)
    ending = after[after.find(".") :] if "." in after else ""
    stems = [name.removesuffix(ending) for name in names]
    before = _common_start(stems)
    marks = SEPARATORS if len(set(names)) > 1 else ("/", os.sep)
    start = max(before.rfind(mark) for mark in marks) + 1
    apart = [stem[start:] for stem in stems]
    return apart if all(apart) else [file_name(name) for name in names]


def _find_ending(name: str) -> str:
    """Return the ending that shows the kind of a file, compression included; "" if there is none."""
    match = _LAST_ENDING.search(name)
    return match[0] if match else ""


def _common_start(names: Sequence[str]) -> str:
    first, last = min(names), max(names)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))
    return first[:same]


# Files of folders.

_PACKED = re.compile(rf"{PACKED_ENDING}$", re.IGNORECASE)
# Files that come with data and are none.
_ABOUT = re.compile(r"(?:readme|licen[cs]e|contributing|changelog)(?:[._-].*)?", re.IGNORECASE)


def list_files(folder: str | os.PathLike[str], without: Iterable[str | os.PathLike[str]] = ()) -> list[str]:
    """List the files in `folder` and its subfolders as sorted relative paths; skip hidden files and READMEs.

    The folders in `without` are left out with all they contain: they belong to somebody else. Raises
    `InputError` if a folder cannot be read.
    """
    top = Path(folder)
    paths: list[str] = []
    seen = {top.resolve(), *(Path(other).resolve() for other in without)}
    try:
        for parent, folders, names in os.walk(top, onerror=_refuse, followlinks=True):
            inside = Path(parent).relative_to(top)
            entered = {
                name: (Path(parent) / name).resolve() for name in sorted(folders) if not name.startswith(".")
            }
            # A link may lead back to a folder above it.
            folders[:] = [name for name, path in entered.items() if path not in seen]
            seen |= set(entered.values())
            paths += [
                (inside / name).as_posix()
                for name in names
                if not name.startswith(".") and not _ABOUT.fullmatch(name)
            ]
    except OSError as error:
        where = Place(os.fspath(error.filename or folder))
        raise InputError(where, f"cannot be read ({error.strerror})", "a readable folder") from None
    return sorted(paths)


def _refuse(error: OSError) -> None:
    raise error


def strip_compression(path: str) -> str:
    """Return `path` without the ending that compression adds.

    >>> strip_compression("ud/en.conllu.gz"), strip_compression("ud/en.conllu")
    ('ud/en.conllu', 'ud/en.conllu')
    """
    return _PACKED.sub("", path)
