"""Find the files that the config names, on disk, in a mirror or on the network, and their digests.

The library `pooch` is not used: it has neither mirrors nor `file:` URLs, and one-line errors and cached
digests would still need code here.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit
from urllib.request import urlopen

from seggrid.base.compressed import read_member
from seggrid.base.errors import InputError
from seggrid.base.extras import PROJECT
from seggrid.base.files import atomic_write


class Remote(Protocol):
    """A file to download: its URL, the sha256 of its content in lower-case hexadecimal, its path inside the
    mirror (by default the last part of the URL) and, if it is an archive, the name of the file in it."""

    @property
    def url(self) -> str: ...
    @property
    def sha256(self) -> str: ...
    @property
    def path(self) -> str | None: ...
    @property
    def member(self) -> str | None: ...


Entry = str | Remote
"""A file as the config names it: a local path, or a file to download."""


def download_name(url: str, member: str | None) -> str:
    """The name that a file to download has in the record of a run.

    >>> download_name("https://x.org/a.tar.gz", "a/b.txt")
    'https://x.org/a.tar.gz#a/b.txt'
    """
    return url if member is None else f"{url}#{member}"


_CHUNK = 1 << 20
_TIMEOUT = 60  # seconds without a byte
_SHORT = 12  # digits of a digest in the name of a file


_RECENT = 2_000_000_000  # nanoseconds


class Digests:
    """The sha256 of files, cached between runs in the file `memory`; if it is damaged or cannot be written,
    files are read again.

    The workflow depends on digests of its inputs, not on their times: a file that `cp -p` or `rsync` puts in
    the place of another may be older than outputs made from the earlier file. A cached digest is used if the
    size, inode, modification time and status change time of the file are the same. The system sets the last
    one at any change, even if a program resets the others. A file that was changed in the last two seconds is
    read again, since another change could leave the same times.
    """

    def __init__(self, memory: Path | None = None) -> None:
        self._memory = memory
        self._known: dict[str, list[Any]] = {}
        if memory is not None:
            with suppress(OSError, ValueError):
                saved = json.loads(memory.read_text("utf-8"))
                self._known = saved if isinstance(saved, dict) else {}

    def sha256(self, path: str | Path) -> str:
        """The sha256 of a file's content, 64 hexadecimal digits."""
        name = os.path.abspath(path)
        try:
            status = os.stat(name)
            state = [status.st_size, status.st_ino, status.st_mtime_ns, status.st_ctime_ns]
            saved = self._known.get(name)
            if isinstance(saved, list) and saved[:-1] == state and len(str(saved[-1])) == 64:
                return str(saved[-1])
            with open(name, "rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", file=path) from None
        if time.time_ns() - max(state[2:]) > _RECENT:
            self._known[name] = [*state, digest]
            self._write()
        return digest

    def _write(self) -> None:
        if self._memory is not None:
            with suppress(OSError), atomic_write(self._memory) as file:
                json.dump(self._known, file)


class OutsideFiles:
    """The files that a config names, with their paths and digests. They are looked for in the folder `mirror`
    before they are downloaded."""

    def __init__(
        self,
        downloads: str | Path,
        mirror: str | Path | None = None,
        digests: Digests | None = None,
    ) -> None:
        self.downloads = Path(downloads).expanduser()
        self.mirror = None if mirror is None else Path(mirror).expanduser()
        self._digests = digests or Digests()
        self._located: dict[Entry, Path] = {}

    def locate(self, entry: Entry) -> Path:
        """The path of a file, which is downloaded if it is neither local nor in the mirror.

        `~` is the home folder. A file in `resources/` that does not exist here is looked for in seggrid's own
        resources. Returned paths do not begin with a dash, which commands would take for an option.
        """
        if entry not in self._located:
            path = self.find(entry)
            if path is None:
                assert not isinstance(entry, str)
                path = self._cached(entry)
                _download(entry.url, path, entry.sha256)
                path = self._member(path, entry)
            self._located[entry] = Path(os.path.abspath(path)) if str(path)[0] == "-" else path
        return self._located[entry]

    def located(self) -> dict[str, Path]:
        """The files located so far, by their names in the config: paths as written there, or URLs with the
        member after `#`."""
        return {
            entry if isinstance(entry, str) else download_name(entry.url, entry.member): path
            for entry, path in self._located.items()
        }

    def find(self, entry: Entry) -> Path | None:
        """Like `locate`, without the network: None if the file would have to be downloaded."""
        if isinstance(entry, str):
            return _local(entry)
        if self.mirror is not None:
            path = self.mirror / (entry.path or _last_part(entry.url))
            if path.is_file():
                if self.sha256(path) != entry.sha256:
                    raise InputError(
                        f"not the file of {entry.url}: its sha256 differs",
                        file=path,
                        hint="replace it, or say by `path` where the mirror has the right one",
                    )
                return self._member(path, entry)
        path = self._cached(entry)
        # A damaged file in the folder of downloads is downloaded again; files in the mirror are not touched.
        if path.is_file() and self.sha256(path) == entry.sha256:
            return self._member(path, entry)
        return None

    def sha256(self, path: str | Path) -> str:
        """The sha256 of a file's content, 64 hexadecimal digits."""
        return self._digests.sha256(path)

    def _member(self, archive: Path, entry: Remote) -> Path:
        """The member of an archive, unpacked into the folder of downloads; if no member is named, the file
        itself."""
        if entry.member is None:
            return archive
        start = f"{entry.sha256[:_SHORT]}-{_short(hashlib.sha256(entry.member.encode()))}-"
        end = f"-{entry.member.rpartition('/')[2]}"
        # The digest is part of the name, so that a damaged file is unpacked again.
        for path in sorted(self.downloads.glob(f"{start}*")):
            if path.name == f"{start}{self.sha256(path)[:_SHORT]}{end}":
                return path
        digest = hashlib.sha256()
        for piece in read_member(archive, entry.member):
            digest.update(piece)
        path = self.downloads / f"{start}{_short(digest)}{end}"
        with atomic_write(path, "wb") as file:
            file.writelines(read_member(archive, entry.member))
        return path

    def _cached(self, entry: Remote) -> Path:
        # The digest distinguishes files with the same name under different URLs.
        return self.downloads / f"{entry.sha256[:_SHORT]}-{_last_part(entry.url)}"


def _short(digest: hashlib._Hash) -> str:
    return digest.hexdigest()[:_SHORT]


def _local(name: str) -> Path:
    try:
        path = Path(name).expanduser()
        if path.parts[:1] == ("resources",) and not path.exists():
            # The default config also runs in folders other than the clone.
            shipped = PROJECT / path
            path = shipped if shipped.exists() else path
        if path.is_dir():
            raise InputError("a folder, not a file", file=name, hint="name the file in it")
        found = path.is_file()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=name) from None
    except RuntimeError as error:  # ~somebody
        raise InputError(str(error), file=name, hint="write the folder out") from None
    if not found:
        raise InputError(
            "no such file",
            file=name,
            hint="check the path in the config, from the folder of the run",
        )
    return path


def _last_part(url: str) -> str:
    return unquote(urlsplit(url).path).rstrip("/").rpartition("/")[2]


def _download(url: str, path: Path, sha256: str) -> None:
    hint = "put the file into the mirror folder (SEGGRID_MIRROR) if there is no network"
    try:
        with urlopen(url, timeout=_TIMEOUT) as response, atomic_write(path, "wb") as file:
            total = response.headers.get("Content-Length")
            digest, size = hashlib.sha256(), 0
            while chunk := response.read(_CHUNK):
                file.write(chunk)
                digest.update(chunk)
                size += len(chunk)
                _progress(path.name, size, total)
            if sys.stderr.isatty():
                sys.stderr.write("\n")
            # Checked before the block ends, so that a wrong file never gets its final name.
            if digest.hexdigest() != sha256:
                raise InputError(
                    f"the download has sha256 {digest.hexdigest()}, the config says {sha256}",
                    file=url,
                    hint="correct the sha256 or the url; the file may have changed",
                )
    except (OSError, HTTPException, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = getattr(error, "reason", None) or error
        raise InputError(f"cannot be downloaded: {reason}", file=url, hint=hint) from None


def _progress(name: str, size: int, total: str | None) -> None:
    """Update a line of progress on a terminal; in a log, print one line when the download is complete."""
    text = f"{name}: {size / 1e6:.1f}" + (f" of {int(total) / 1e6:.1f} MB" if total else " MB")
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{text}")
        sys.stderr.flush()
    elif total and size == int(total):
        sys.stderr.write(f"{text}\n")
