"""Files are looked for on disk, in the mirror and in the cache before they are downloaded; they are
identified by their content, and read again only if their metadata has changed."""

import hashlib
import os
import time
import zipfile
from http.client import IncompleteRead

import pytest

from seggrid.base.errors import InputError
from seggrid.grid.config.values import Download
from seggrid.text.fetch import Digests, OutsideFiles

CONTENT = b"we will go .\n"


@pytest.fixture
def entry(tmp_path):
    """An entry with a file:// URL of CONTENT."""
    served = tmp_path / "served" / "a b.txt"
    served.parent.mkdir()
    served.write_bytes(CONTENT)
    return Download(url=served.as_uri(), sha256=hashlib.sha256(CONTENT).hexdigest())


def test_downloads_once(tmp_path, entry):
    cache = tmp_path / "cache"
    assert OutsideFiles(cache).find(entry) is None
    path = OutsideFiles(cache).locate(entry)
    assert path.read_bytes() == CONTENT
    assert path.parent == cache
    (tmp_path / "served" / "a b.txt").unlink()
    assert OutsideFiles(cache).locate(entry) == path
    assert OutsideFiles(cache).find(entry) == path


@pytest.mark.parametrize("place", [None, "pair/eng.txt"])
def test_mirror_comes_first(tmp_path, entry, place):
    mirror, cache = tmp_path / "mirror", tmp_path / "cache"
    OutsideFiles(cache).locate(entry)
    path = mirror / (place or "a b.txt")
    path.parent.mkdir(parents=True)
    path.write_bytes(CONTENT)
    wanted = entry.model_copy(update={"path": place})
    assert OutsideFiles(cache, mirror).locate(wanted) == path


def test_a_wrong_file_in_the_mirror_is_refused(tmp_path, entry):
    (tmp_path / "a b.txt").write_bytes(b"another\n")
    with pytest.raises(InputError, match="its sha256 differs") as caught:
        OutsideFiles(tmp_path / "cache", tmp_path).locate(entry)
    assert caught.value.file == tmp_path / "a b.txt"


def test_a_spoiled_file_in_the_cache_is_replaced(tmp_path, entry):
    cache = tmp_path / "cache"
    OutsideFiles(cache).locate(entry).write_bytes(b"spoiled")
    assert OutsideFiles(cache).locate(entry).read_bytes() == CONTENT


def test_a_wrong_download_leaves_nothing(tmp_path, entry):
    """Each sha256 of a URL is checked."""
    files = OutsideFiles(tmp_path / "cache")
    right = files.locate(entry)
    with pytest.raises(InputError, match="the download has sha256"):
        files.locate(entry.model_copy(update={"sha256": "0" * 64}))
    assert list((tmp_path / "cache").iterdir()) == [right]


@pytest.mark.parametrize("url", ["file:///no/such/folder/x.txt", "gopher://host/x.txt", "x.txt"])
def test_a_failed_download_says_how_to_do_without(tmp_path, url):
    entry = Download.model_construct(url=url, sha256="0" * 64)
    with pytest.raises(InputError, match=r"cannot be downloaded: .*mirror folder"):
        OutsideFiles(tmp_path / "cache").locate(entry)


def test_one_name_under_two_urls(tmp_path, entry):
    other = tmp_path / "elsewhere" / "a b.txt"
    other.parent.mkdir()
    other.write_bytes(b"more\n")
    second = Download(url=other.as_uri(), sha256=hashlib.sha256(b"more\n").hexdigest())
    first = OutsideFiles(tmp_path / "cache").locate(entry)
    assert OutsideFiles(tmp_path / "cache").locate(second) != first
    assert first.read_bytes() == CONTENT


def test_a_local_path(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    file = tmp_path / "a.txt"
    file.write_bytes(CONTENT)
    for name in ("~/a.txt", str(file)):
        assert OutsideFiles("~/cache", "~").locate(name) == file
    # No path looks like an option.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-t.txt").write_bytes(CONTENT)
    assert OutsideFiles("cache").locate("-t.txt") == tmp_path / "-t.txt"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("~nobody-of-this-name/a.txt", "write the folder out"),
        ("/", "a folder, not a file"),
        ("none.txt", "none.txt: no such file"),
    ],
)
def test_what_is_no_file(name, message):
    with pytest.raises(InputError, match=message):
        OutsideFiles("cache").locate(name)


def test_a_broken_answer_is_a_failed_download(tmp_path, monkeypatch):
    def answer(*_, **__):
        raise IncompleteRead(b"we")

    monkeypatch.setattr("seggrid.text.fetch.urlopen", answer)
    with pytest.raises(InputError, match="cannot be downloaded"):
        OutsideFiles(tmp_path).locate(Download(url="http://localhost/a", sha256="0" * 64))


@pytest.fixture
def packed(tmp_path):
    """An archive at a file:// URL, and an entry for each of its two files."""
    served = tmp_path / "served/a.zip"
    served.parent.mkdir()
    with zipfile.ZipFile(served, "w") as archive:
        archive.writestr("eng/text.txt", CONTENT)
        archive.writestr("deu/text.txt", CONTENT.upper())
    digest = hashlib.sha256(served.read_bytes()).hexdigest()
    return [
        Download(url=served.as_uri(), sha256=digest, member=f"{name}/text.txt")
        for name in ("eng", "deu")
    ]


def test_files_of_an_archive(tmp_path, packed):
    files = OutsideFiles(tmp_path / "cache")
    english, german = map(files.locate, packed)
    assert (english.read_bytes(), german.read_bytes()) == (CONTENT, CONTENT.upper())
    mirrored = OutsideFiles(tmp_path / "other", tmp_path / "served").find(packed[0])
    assert mirrored.read_bytes() == CONTENT
    assert files.located() == {
        f"{packed[0].url}#eng/text.txt": english,
        f"{packed[1].url}#deu/text.txt": german,
    }
    (tmp_path / "served/a.zip").unlink()
    english.write_bytes(b"changed\n")
    again = OutsideFiles(tmp_path / "cache").locate(packed[0])
    assert (again, again.read_bytes()) == (english, CONTENT)


def test_an_archive_without_the_file(tmp_path, packed):
    with pytest.raises(
        InputError, match=r"a.zip: has no file eng/tekst.txt \(did you mean eng/text"
    ):
        OutsideFiles(tmp_path / "cache").locate(
            packed[0].model_copy(update={"member": "eng/tekst.txt"})
        )


def test_no_name_in_an_archive_leads_out_of_the_folder(tmp_path):
    served = tmp_path / "b.zip"
    with zipfile.ZipFile(served, "w") as archive:
        archive.writestr("../../out.txt", CONTENT)
        archive.writestr("..", CONTENT)
    digest = hashlib.sha256(served.read_bytes()).hexdigest()
    for member in ("../../out.txt", ".."):
        entry = Download(url=served.as_uri(), sha256=digest, member=member)
        assert OutsideFiles(tmp_path / "cache").locate(entry).parent == tmp_path / "cache"
    assert not (tmp_path.parent / "out.txt").exists()


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A file old enough for its digest to be cached."""
    path = tmp_path / "a.txt"
    path.write_text("one")
    later = time.time_ns() + 10_000_000_000
    monkeypatch.setattr("time.time_ns", lambda: later)
    return path


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_file_is_read_once(tmp_path, file, monkeypatch):
    memory = tmp_path / "memory" / "digests.json"
    assert Digests(memory).sha256(file) == sha256("one")
    monkeypatch.setattr("hashlib.file_digest", None)
    assert Digests(memory).sha256(file) == sha256("one")


def test_an_older_file_of_the_same_size_is_another(tmp_path, file):
    digests = Digests(tmp_path / "digests.json")
    times = file.stat().st_atime_ns, file.stat().st_mtime_ns
    assert digests.sha256(file) == sha256("one")
    file.write_text("two")
    # As after `cp -p`: even the modification time is that of the first file.
    os.utime(file, ns=times)
    assert digests.sha256(file) == sha256("two")


def test_a_file_just_changed_is_not_remembered(tmp_path):
    (tmp_path / "a.txt").write_text("one")
    Digests(tmp_path / "digests.json").sha256(tmp_path / "a.txt")
    assert not (tmp_path / "digests.json").exists()


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b'{"a": 1}', b"null", b"{" * 9])
def test_a_damaged_memory_costs_time_only(tmp_path, file, content):
    memory = tmp_path / "digests.json"
    memory.write_bytes(content.replace(b"a", str(file).encode()))
    assert Digests(memory).sha256(file) == sha256("one")
    # So does one that cannot be written.
    assert Digests(file / "digests.json").sha256(file) == sha256("one")
