"""What is compressed in any way is read as it was, or refused by name."""

import bz2
import gzip
import lzma
import struct
import zipfile

import pytest
import zstandard

from seggrid.base.compressed import read_pieces
from seggrid.base.lines import read_lines, stream_lines, utf8_blocks
from seggrid.errors import InputError


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
def test_frames_are_joined(tmp_path, pack):
    (tmp_path / "file").write_bytes(pack(b"one ") + pack(b"two"))
    assert b"".join(read_pieces(tmp_path / "file")) == b"one two"
    whole = pack(b"".join(b"%d " % k for k in range(1000)))
    damaged = whole[:18] + b"\xff" * 9 + whole[27:]
    for data, what in ((whole[:-3], "cut short"), (damaged, "damaged")):
        (tmp_path / "file").write_bytes(data)
        with pytest.raises(InputError, match=f"compressed by .*{what}"):
            list(read_pieces(tmp_path / "file"))


def test_zeros_may_follow_gzip(tmp_path):
    (tmp_path / "file").write_bytes(gzip.compress(b"one") + bytes(512))
    assert b"".join(read_pieces(tmp_path / "file")) == b"one"


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
    assert b"".join(utf8_blocks(tmp_path / "file")) == b"ab c\n" * lines
    assert list(stream_lines(tmp_path / "file")) == ["ab c"] * lines
