"""Files that name other files cannot leave their folder, wherever a path seems to lead."""

import pytest

from evalign.errors import InputError, Place
from evalign.readers.folder_limit import FolderLimit

pytestmark = [pytest.mark.issue(15), pytest.mark.once]
PLACE = Place("runs.tsv", 2)


@pytest.fixture
def top(tmp_path):
    """A folder with files and links, and a file beside it."""
    (tmp_path / "secret.txt").write_text("x")
    top = tmp_path / "top"
    (top / "inner" / "deep").mkdir(parents=True)
    for name in ("a.txt", "inner/b.txt", "inner/deep/c.txt"):
        (top / name).write_text("x")
    return top


@pytest.mark.parametrize(
    "path", ["a.txt", "inner/b.txt", "inner/../a.txt", "inner", ".", "not/there", "http:/a"]
)
def test_what_is_in_the_folder_is_let_through(top, path):
    FolderLimit(top).check(PLACE, top / path)


def test_paths_are_as_seen_from_the_current_folder(top, monkeypatch):
    monkeypatch.chdir(top / "inner")
    FolderLimit("..").check(PLACE, "../a.txt")
    FolderLimit(".").check(PLACE, "deep/c.txt")
    with pytest.raises(InputError):
        FolderLimit(".").check(PLACE, "../a.txt")


@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt", "inner/../../secret.txt", "/etc/passwd", "/dev/stdin", "/proc/self/environ", "..", "/",
        "../top2/a.txt", "../not-there", "a\0b",
    ],
)  # fmt: skip
def test_what_is_elsewhere_is_refused_with_its_place(top, path):
    with pytest.raises(InputError) as caught:
        FolderLimit(top).check(PLACE, f"{top}/{path}" if path[0] != "/" else path)
    assert str(caught.value).startswith("runs.tsv:2: ")
    assert "outside" in caught.value.found
    assert f"below {top}" in caught.value.expected


@pytest.mark.parametrize(
    "url",
    [
        "file:///{top}/a.txt",
        "memory://a.txt",
        "http://127.0.0.1/a",
        "s3://b/k",
        "zip://a::{top}/a.zip",
        "reference://x",
    ],
)
def test_urls_are_refused_whatever_they_are_of(top, url):
    with pytest.raises(InputError, match=r"URL .*outside"):
        FolderLimit(top).check(PLACE, url.format(top=top))


def test_links_are_followed(top, tmp_path):
    (top / "out.txt").symlink_to("../secret.txt")
    (top / "out").symlink_to(tmp_path)
    (top / "in.txt").symlink_to(top / "a.txt")
    (top / "around").symlink_to(top / "inner" / ".." / "inner")
    limit = FolderLimit(top)
    limit.check(PLACE, top / "in.txt")
    limit.check(PLACE, top / "around" / "b.txt")
    for path in ("out.txt", "out", "out/secret.txt", "around/../out.txt"):
        with pytest.raises(InputError, match="outside"):
            limit.check(PLACE, top / path)


def test_all_that_is_in_a_folder_counts(top):
    (top / "inner" / "deep" / "loop").symlink_to(top / "inner")
    limit = FolderLimit(top)
    limit.check(PLACE, top / "inner")
    (top / "inner" / "deep" / "out.txt").symlink_to("/etc/passwd")
    with pytest.raises(InputError, match="leads to /etc/passwd"):
        limit.check(PLACE, top / "inner")


def test_the_folder_itself_may_be_a_link(top, tmp_path):
    (tmp_path / "link").symlink_to(top)
    FolderLimit(tmp_path / "link").check(PLACE, top / "a.txt")
    FolderLimit(top).check(PLACE, tmp_path / "link" / "a.txt")


@pytest.mark.parametrize("folder", ["", "nowhere", "top/a.txt", "a\0b"])
def test_a_folder_that_is_not_there_is_said(top, tmp_path, folder):
    with pytest.raises(InputError, match="no folder"):
        FolderLimit(f"{tmp_path}/{folder}" if folder else "")
