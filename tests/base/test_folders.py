"""A folder is replaced only if it is empty, or everything in it is ours and unchanged."""

import os
import stat

import pytest

from seggrid.base.errors import InputError
from seggrid.base.files import atomic_write
from seggrid.base.folders import DIGESTS, check_folder, fresh_folder, read_digests, remove_folder


def fill(path, content="x", **options):
    with fresh_folder(path, **options) as folder:
        (folder / "model").write_text(content)


def test_an_earlier_folder_of_ours_is_replaced(tmp_path):
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "new/deep", tmp_path / "empty"):
        fill(path, "one", digests=True)
        fill(path, "two", digests=True)
        assert (path / "model").read_text() == "two"
        assert sorted(file.name for file in path.iterdir()) == sorted([DIGESTS, "model"])
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.parametrize("mode", [0o700, 0o755])
def test_a_folder_that_is_replaced_keeps_its_permissions(tmp_path, mode):
    path = tmp_path / "k"
    fill(path, "one", digests=True)
    path.chmod(mode)
    fill(path, "two", digests=True)
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_files_of_folders_in_it_have_digests_too(tmp_path):
    path = tmp_path / "k"
    for _ in range(2):
        with fresh_folder(path, digests=True) as folder:
            (folder / "a/b").mkdir(parents=True)
            for name in ("model", "a/model", "a/b/model"):
                (folder / name).write_text(name)
    assert sorted(read_digests(path, "")) == ["a/b/model", "a/model", "model"]
    (path / "a/b/mine").mkdir()
    with pytest.raises(InputError, match="a/b/mine in it is not of seggrid's making"):
        check_folder(path)
    (path / "a/b/mine").rmdir()
    check_folder(path)
    (path / "a/b/model").write_text("mine")
    with pytest.raises(InputError, match="a/b/model in it was changed since"):
        check_folder(path)
    (path / DIGESTS).write_text(f"{'0' * 64}  ../model\n")
    with pytest.raises(InputError, match="not a digest and a name"):
        read_digests(path, "")


def add(folder):
    (folder / "thesis.tex").write_text("mine")


def nest(folder):
    (folder / "corpus").mkdir()


def change(folder):
    (folder / "model").write_text("mine")


def link(folder):
    os.rename(folder / "model", folder.parent / "model")
    os.symlink(folder.parent / "model", folder / "model")


def undo(folder):
    (folder / DIGESTS).unlink()


def damage(folder):
    (folder / DIGESTS).write_text("?\n")


@pytest.mark.parametrize("happens", [add, nest, change, link, undo, damage])
def test_a_folder_with_something_of_the_user_is_not(tmp_path, happens):
    fill(tmp_path / "k", digests=True)
    happens(tmp_path / "k")
    before = sorted(tmp_path.rglob("*"))
    for act in (check_folder, fill, remove_folder):
        with pytest.raises(
            InputError, match=r"k: the folder would be replaced, and .* \(name a new"
        ):
            act(tmp_path / "k")
    assert sorted(tmp_path.rglob("*")) == before


def test_of_a_link_only_the_link_is_removed(tmp_path):
    fill(tmp_path / "model", digests=True)
    os.symlink(tmp_path / "model", tmp_path / "progress")
    remove_folder(tmp_path / "progress")
    assert not os.path.lexists(tmp_path / "progress")
    assert (tmp_path / "model/model").read_text() == "x"


def test_what_is_added_during_the_work_stays(tmp_path):
    fill(tmp_path / "k", digests=True)

    def work():
        with fresh_folder(tmp_path / "k", digests=True):
            add(tmp_path / "k")

    with pytest.raises(InputError, match=r"thesis\.tex in it"):
        work()
    assert (tmp_path / "k/thesis.tex").read_text() == "mine"


def test_a_file_or_a_circle_of_links_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="file: not a folder"):
        fill(tmp_path / "file")
    os.symlink("loop", tmp_path / "loop")
    for act in (fill, lambda path: atomic_write(path).__enter__()):
        with pytest.raises(OSError, match="cannot be written: Too many levels"):
            act(tmp_path / "loop")
    assert os.readlink(tmp_path / "loop") == "loop"
