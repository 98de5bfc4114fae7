"""Files are found on disk, in the mirror, in the cache, and only then downloaded."""

import hashlib

import pytest

from seggrid.corpus.fetch import find, locate
from seggrid.errors import InputError

CONTENT = b"we will go .\n"


@pytest.fixture
def entry(tmp_path):
    """An entry whose URL serves CONTENT from the disk."""
    served = tmp_path / "served" / "a b.txt"
    served.parent.mkdir()
    served.write_bytes(CONTENT)
    return {"url": served.as_uri(), "sha256": hashlib.sha256(CONTENT).hexdigest()}


def test_local_path(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(CONTENT)
    assert locate(str(path), mirror=None, cache=tmp_path / "cache") == path


def test_missing_local_path(tmp_path):
    with pytest.raises(InputError, match=r"none.txt: no such file"):
        locate(str(tmp_path / "none.txt"), mirror=None, cache=tmp_path / "cache")


def test_downloads_once(tmp_path, entry):
    cache = tmp_path / "cache"
    assert find(entry, mirror=None, cache=cache) is None
    path = locate(entry, mirror=None, cache=cache)
    assert path.read_bytes() == CONTENT
    assert path.parent == cache
    (tmp_path / "served" / "a b.txt").unlink()
    assert locate(entry, mirror=None, cache=cache) == path
    assert find(entry, mirror=None, cache=cache) == path


@pytest.mark.parametrize("place", [None, "pair/eng.txt"])
def test_mirror_comes_first(tmp_path, entry, place):
    mirror, cache = tmp_path / "mirror", tmp_path / "cache"
    locate(entry, mirror=None, cache=cache)
    path = mirror / (place or "a b.txt")
    path.parent.mkdir(parents=True)
    path.write_bytes(CONTENT)
    wanted = {**entry, "path": place} if place else entry
    assert locate(wanted, mirror=mirror, cache=cache) == path


def test_a_mirror_without_the_file_is_passed_over(tmp_path, entry):
    path = locate(entry, mirror=tmp_path / "mirror", cache=tmp_path / "cache")
    assert path.parent == tmp_path / "cache"


def test_a_wrong_file_in_the_mirror_is_refused(tmp_path, entry):
    (tmp_path / "a b.txt").write_bytes(b"another\n")
    with pytest.raises(InputError, match="its sha256 differs") as caught:
        locate(entry, mirror=tmp_path, cache=tmp_path / "cache")
    assert caught.value.file == tmp_path / "a b.txt"


def test_a_spoiled_file_in_the_cache_is_replaced(tmp_path, entry):
    cache = tmp_path / "cache"
    locate(entry, mirror=None, cache=cache).write_bytes(b"spoiled")
    assert locate(entry, mirror=None, cache=cache).read_bytes() == CONTENT


def test_a_wrong_download_leaves_nothing(tmp_path, entry):
    entry["sha256"] = "0" * 64
    with pytest.raises(InputError, match="the download has sha256"):
        locate(entry, mirror=None, cache=tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


@pytest.mark.parametrize("url", ["file:///no/such/folder/x.txt", "gopher://host/x.txt", "x.txt"])
def test_a_failed_download_says_how_to_do_without(tmp_path, url):
    entry = {"url": url, "sha256": "0" * 64}
    with pytest.raises(InputError, match=r"cannot be downloaded: .*mirror folder"):
        locate(entry, mirror=None, cache=tmp_path / "cache")


def test_one_name_under_two_urls(tmp_path, entry):
    other = tmp_path / "elsewhere" / "a b.txt"
    other.parent.mkdir()
    other.write_bytes(b"more\n")
    second = {"url": other.as_uri(), "sha256": hashlib.sha256(b"more\n").hexdigest()}
    first = locate(entry, mirror=None, cache=tmp_path / "cache")
    assert locate(second, mirror=None, cache=tmp_path / "cache") != first
    assert first.read_bytes() == CONTENT
