"""Files are written completely or not at all, whatever happens to the writing process."""

import os
import signal
import stat
import subprocess
import sys
import textwrap

import pytest

from seggrid.base.files import atomic_write, remove_parts


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def start(code, *arguments):
    """Start another Python that runs some code, with its output piped."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(
    ("mode", "written", "content"),
    [("w", "▁Käse\n🧀\n", "▁Käse\n🧀\n".encode()), ("wb", b"\r\n\0", b"\r\n\0")],
)
def test_a_file_is_there_in_the_end_and_its_folders_too(tmp_path, mode, written, content):
    path = tmp_path / "new" / "folder" / "file"
    with atomic_write(path, mode) as file:
        file.write(written)
        file.flush()
        assert not path.exists()
    assert path.read_bytes() == content
    assert names(path.parent) == ["file"]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, SystemExit])
def test_an_exception_leaves_what_was_there(tmp_path, error):
    path = tmp_path / "file"
    path.write_text("before")

    def write():
        with atomic_write(path) as file:
            file.write("after")
            raise error

    with pytest.raises(error):
        write()
    assert path.read_text() == "before"
    assert names(tmp_path) == ["file"]


def test_permissions_follow_the_umask(tmp_path):
    previous = os.umask(0o027)
    try:
        with atomic_write(tmp_path / "file") as file:
            file.write("x")
    finally:
        os.umask(previous)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o755])
def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path, mode, monkeypatch):
    monkeypatch.setattr(os, "umask", None)
    path = tmp_path / "file"
    path.write_text("before")
    path.chmod(mode)
    with atomic_write(path) as file:
        (part,) = tmp_path.glob(".*")
        assert not stat.S_IMODE(part.stat().st_mode) & ~mode
        file.write("after")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("after", mode)


def test_a_killed_writer_leaves_what_was_there(tmp_path):
    path = tmp_path / "file"
    path.write_text("before")
    writer = start(
        """
        import sys, time
        from seggrid.base.files import atomic_write
        with atomic_write(sys.argv[1]) as file:
            file.write("after")
            file.flush()
            print("writing", flush=True)
            time.sleep(60)
        """,
        path,
    )
    with writer:
        assert writer.stdout.readline() == "writing\n"
        writer.send_signal(signal.SIGKILL)
    assert path.read_text() == "before"


def test_no_room_leaves_what_was_there(tmp_path):
    path = tmp_path / "file"
    path.write_text("before")
    writer = start(
        """
        import resource, signal, sys
        from seggrid.base.files import atomic_write
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
        try:
            with atomic_write(sys.argv[1]) as file:
                file.write("after" * 10_000)
        except OSError as error:
            print(error.strerror)
        """,
        path,
    )
    assert writer.communicate()[0] == "cannot be written: File too large\n"
    assert path.read_text() == "before"
    assert names(tmp_path) == ["file"]


def test_parts_of_killed_writers_are_removed_once_they_are_old(tmp_path):
    old, new = tmp_path / "a" / ".table.x1.part", tmp_path / ".table.x2.part"
    folder, kept = tmp_path / ".figures.x3.part", tmp_path / "a" / "table.part"
    folder.mkdir()
    for file in (old, new, kept, folder / "one"):
        file.parent.mkdir(exist_ok=True)
        file.write_text("half")
    for path in (old, kept, folder):
        os.utime(path, (0, 0))
    remove_parts(tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*")) == [
        ".table.x2.part",
        "a",
        "table.part",
    ]
