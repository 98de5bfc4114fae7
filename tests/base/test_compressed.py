"""What is unpacked is counted while it comes out."""

import gzip
import tracemalloc
import zlib

import pytest
import zstandard

from seggrid.base.compressed import read_bytes
from seggrid.base.lines import LARGEST_TEXT, read_lines
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


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
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
