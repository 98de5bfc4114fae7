"""Ways to disturb a run: kill its processes, damage its files, fill its disk."""

import random
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil


def kill_tree(process: subprocess.Popen) -> int:
    """SIGKILL a process and all its descendants before any can react; return their number."""
    killed: set[psutil.Process] = set()
    root = psutil.Process(process.pid)
    root.suspend()
    while True:
        alive = {child for child in root.children(recursive=True) if child not in killed}
        for child in alive:
            # A stopped process cannot start another one while its children are looked up.
            for send in (child.suspend, child.kill):
                try:
                    send()
                except psutil.NoSuchProcess:
                    break
        killed |= alive
        if not alive:
            break
    root.kill()
    process.wait()
    psutil.wait_procs(killed, timeout=10)
    return len(killed)


def damage(path: Path, how: str, draw: random.Random) -> None:
    """Truncate a file, empty it, or change one byte of it."""
    content = bytearray(path.read_bytes())
    if how == "empty":
        content = bytearray()
    elif how == "cut":
        content = content[: draw.randrange(len(content))]
    else:
        content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
    path.write_bytes(content)


def disk_use(folder: Path) -> int:
    """Disk space of the files below a folder, in whole blocks."""
    return sum(512 * path.stat().st_blocks for path in folder.rglob("*") if path.is_file())


@contextmanager
def tmpfs(folder: Path, size: int) -> Iterator[Path]:
    """A small file system in memory."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
