"""What is unpacked is counted while it comes out."""

import bz2
import gzip
import lzma
import struct
import tracemalloc
import zipfile
import zlib

import pytest
import zstandard

from seggrid.base.compressed import read_bytes
from seggrid.base.lines import LARGEST_TEXT, read_lines, stream_lines, utf8_blocks
from seggrid.errors import InputError

SIZE = 1 << 29


def pack(path, kind):
    packer = {
        "gzip": lambda: zlib.compressobj(9, wbits=31),
        "zstd": lambda: zstandard.ZstdCompressor(level=19).compressobj(),
    }[kind]()
    with open(path, "wb") as file:
        for _ in range(SIZE >> 20):
            file.write(packer.compress(bytes(1 << 20)))
        file.write(packer.flush())


@pytest.mark.tier("test")
@pytest.mark.parametrize("kind", ["gzip", "zstd"])
def test_a_file_made_to_fill_the_memory_is_refused_before_it_does(tmp_path, kind):
    pack(tmp_path / "bomb", kind)
    tracemalloc.start()
    with pytest.raises(InputError, match="unpacks to more than 100 times its size"):
        read_lines(tmp_path / "bomb", limit=LARGEST_TEXT)
    assert tracemalloc.get_traced_memory()[1] < SIZE / 2
    tracemalloc.stop()


def pzstd(data):
    """As `pzstd` writes: before each frame, a skippable one that says how long it is."""
    frame = zstandard.compress(data)
    return struct.pack("<III", 0x184D2A50, 4, len(frame)) + frame


def zstd_long(data):
    """As `zstd --long=31 < file` writes, whose frames ask for a window of 2 GB."""
    parameters = zstandard.ZstdCompressionParameters.from_level(
        3, window_log=31, write_content_size=False
    )
    packer = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    return packer.compress(data) + packer.flush()


PACK = [gzip.compress, zstandard.compress, pzstd, zstd_long, bz2.compress, lzma.compress]


@pytest.mark.parametrize("pack", PACK)
def test_frames_are_joined_and_cut_at_the_limit(tmp_path, pack):
    (tmp_path / "file").write_bytes(pack(b"one ") + pack(b"two"))
    assert read_bytes(tmp_path / "file", 100) == b"one two"
    assert read_bytes(tmp_path / "file", 5) == b"one t"
    (tmp_path / "file").write_bytes(pack(b"one ") + pack(b"two")[:-3])
    with pytest.raises(InputError, match="cut short"):
        read_bytes(tmp_path / "file", 100)


def test_zeros_may_follow_gzip(tmp_path):
    (tmp_path / "file").write_bytes(gzip.compress(b"one") + bytes(512))
    assert read_bytes(tmp_path / "file", 100) == b"one"


def test_a_zip_archive_is_refused_by_name(tmp_path):
    with zipfile.ZipFile(tmp_path / "file", "w") as archive:
        archive.writestr("text", "one")
    with pytest.raises(InputError, match=r"a zip archive, not a text \(unpack it"):
        read_lines(tmp_path / "file")


@pytest.mark.parametrize("pack", [bytes, *PACK])
@pytest.mark.parametrize("lines", [3, 200_000])
@pytest.mark.parametrize("end", [b"", b"\r"])
def test_the_one_reader_of_blocks_knows_marks_and_ends_in_any_size(tmp_path, pack, lines, end):
    """A byte order mark and a lone carriage return at the end are no part of the text."""
    (tmp_path / "file").write_bytes(pack(b"\xef\xbb\xbf" + b"ab c\n" * lines + end))
    assert b"".join(utf8_blocks(tmp_path / "file", bounded=False)) == b"ab c\n" * lines
    assert list(stream_lines(tmp_path / "file")) == ["ab c"] * lines
