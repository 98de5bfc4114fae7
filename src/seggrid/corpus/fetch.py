"""Find the files that the config names: on disk, in a mirror, or on the network."""

import hashlib
import sys
from pathlib import Path
from urllib.error import URLError
from urllib.parse import unquote, urlsplit
from urllib.request import urlopen

from seggrid.data.files import atomic_write
from seggrid.errors import InputError

Entry = str | dict[str, str]

_CHUNK = 1 << 20
_TIMEOUT = 60  # seconds without a byte


def locate(entry: Entry, *, mirror: Path | None, cache: Path) -> Path:
    """The path of a file, which is downloaded if it is nowhere on disk.

    Args:
        entry: a local path; or `url` and `sha256` (in hex), and `path`, the file's place inside
            the mirror (by default the last part of the URL).
        mirror: a folder that stands in for the network, looked into first.
        cache: the folder that keeps downloads.

    Raises:
        InputError: no such local file; the download fails; or a file, in the mirror or just
            downloaded, is not the one whose sha256 is given.
    """
    found = find(entry, mirror=mirror, cache=cache)
    if found is not None:
        return found
    path = _cached(entry, cache)
    _download(entry["url"], path, entry["sha256"])
    return path


def find(entry: Entry, *, mirror: Path | None, cache: Path) -> Path | None:
    """Like `locate`, without the network: None if the file would have to be downloaded."""
    if isinstance(entry, str):
        path = Path(entry)
        if not path.is_file():
            raise InputError("no such file", file=entry, hint="check the path in the config")
        return path
    if mirror is not None:
        path = Path(mirror) / entry.get("path", _last_part(entry["url"]))
        if path.is_file():
            if _sha256(path) != entry["sha256"].lower():
                raise InputError(
                    f"not the file that {entry['url']} stands for: its sha256 differs",
                    file=path,
                    hint="replace it, or say by `path` where the mirror has the right one",
                )
            return path
    path = _cached(entry, cache)
    # A spoiled file in the cache is downloaded again: the cache is ours, the mirror is not.
    if path.is_file() and _sha256(path) == entry["sha256"].lower():
        return path
    return None


def _cached(entry: dict[str, str], cache: Path) -> Path:
    """Where a download is kept; the digest keeps apart files that different URLs call the same."""
    return Path(cache) / f"{entry['sha256'].lower()[:12]}-{_last_part(entry['url'])}"


def _last_part(url: str) -> str:
    return unquote(urlsplit(url).path).rstrip("/").rpartition("/")[2]


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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
            # Inside the block, so that a wrong file never appears under its final name.
            if digest.hexdigest() != sha256.lower():
                raise InputError(
                    f"the download has sha256 {digest.hexdigest()}, the config says {sha256}",
                    file=url,
                    hint="correct the sha256 or the url; the file may have changed",
                )
    except (URLError, OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = getattr(error, "reason", None) or error
        raise InputError(f"cannot be downloaded: {reason}", file=url, hint=hint) from None


def _progress(name: str, size: int, total: str | None) -> None:
    """Keep one line on a terminal up to date; in a log, say only when a download is complete."""
    text = f"{name}: {size / 1e6:.1f}" + (f" of {int(total) / 1e6:.1f} MB" if total else " MB")
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{text}")
        sys.stderr.flush()
    elif total and size == int(total):
        sys.stderr.write(f"{text}\n")
