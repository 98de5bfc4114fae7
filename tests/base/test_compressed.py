"""What is compressed in any way is read as it was, or refused by name."""

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile

import pytest
import zstandard

from seggrid.base.compressed import read_member, read_pieces
from seggrid.base.errors import InputError
from seggrid.base.lines import read_lines, utf8_blocks


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


def test_a_dictionary_of_zstandard_is_named(tmp_path):
    known = zstandard.train_dictionary(400, [b"the house is red %d" % (k * 3) for k in range(200)])
    packed = zstandard.ZstdCompressor(dict_data=known).compress(b"the house\n" * 20)
    (tmp_path / "file").write_bytes(packed)
    with pytest.raises(InputError, match=r"with a dictionary \(unpack it: zstd -d -D"):
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


# Files of archives: their content, or one line that says why not


FILES = {
    "kftt/data/eng.txt": b"we go .\n" * 200_000,
    "./kftt/jpn.txt": "行く\n".encode(),
    "no": b"",
}


def tar_of(files):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        folder = tarfile.TarInfo("kftt")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        link = tarfile.TarInfo("kftt/link.txt")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/hostname"
        archive.addfile(link)
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def zip_of(files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.removeprefix("./"), content)
    return packed.getvalue()


PACKED = {
    "tar": tar_of,
    "tar.gz": lambda files: gzip.compress(tar_of(files)),
    "tar.zst": lambda files: zstandard.ZstdCompressor().compress(tar_of(files)),
    "tar.bz2": lambda files: bz2.compress(tar_of(files)),
    "tar.xz": lambda files: lzma.compress(tar_of(files)),
    "zip": zip_of,
}


@pytest.fixture(params=list(PACKED))
def pack(request, tmp_path):
    def packed(files):
        path = tmp_path / f"a.{request.param}"
        path.write_bytes(PACKED[request.param](files))
        return path

    return packed


def test_each_file_is_read_as_it_is(pack):
    path = pack(FILES)
    for name, content in FILES.items():
        assert b"".join(read_member(path, name.removeprefix("./"))) == content


@pytest.mark.parametrize(
    ("name", "hint"),
    [("kftt/data/en.txt", "did you mean kftt/data/eng.txt?"), ("x", "it has 3 files")],
)
def test_a_missing_file_is_one_line(pack, name, hint):
    with pytest.raises(InputError) as caught:
        list(read_member(pack(FILES), name))
    assert (caught.value.message, caught.value.hint) == (f"has no file {name}", hint)


def test_links_and_folders_are_no_files(pack):
    for name in ("kftt/link.txt", "kftt"):
        with pytest.raises(InputError, match="has no file"):
            list(read_member(pack(FILES), name))


@pytest.mark.parametrize("share", [0, 0.1, 0.5])
def test_what_is_cut_short_is_refused(pack, share):
    path = pack(FILES)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(InputError):
        list(read_member(path, "kftt/data/eng.txt"))


def test_a_text_is_no_archive(tmp_path):
    path = tmp_path / "a.tar.gz"
    path.write_text("not found\n" * 100, "utf-8")
    with pytest.raises(InputError, match="not an archive"):
        list(read_member(path, "a"))


def test_another_file_may_be_encrypted(tmp_path):
    packed = bytearray(zip_of({"secret": b"x", "text": b"we go\n"}))
    packed[6] |= 1  # the flag of the first file, and that in the directory
    packed[packed.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "a.zip").write_bytes(packed)
    assert b"".join(read_member(tmp_path / "a.zip", "text")) == b"we go\n"
    with pytest.raises(InputError, match="secret cannot be unpacked"):
        list(read_member(tmp_path / "a.zip", "secret"))
