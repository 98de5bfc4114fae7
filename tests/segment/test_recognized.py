"""What a file is, is seen from its content, in each verb, in Python and in a config."""

import base64
import json
from types import SimpleNamespace

import pytest
import tokenizers

import builtin_pair
import seggrid
from seggrid.base.errors import InputError
from seggrid.commands import main
from seggrid.segment.external import External
from seggrid.segment.formats.ranks import PATTERNS, parse_ranks, tokenizer_of_ranks
from seggrid.segment.model_file import kind_of_file, segmenter_of_file
from tokenizer_kinds import trained_on_bytes

sentencepiece = pytest.importorskip("sentencepiece")
TEXT = [" ".join(words) for words in builtin_pair.words_of("eng")[:200]]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A tokenizer of each kind, made by its library; the names say nothing."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "text").write_text("".join(f"{line}\n" for line in TEXT))
    own = trained_on_bytes(TEXT, 400)
    own.decoder = tokenizers.decoders.ByteLevel()
    own.save(str(folder / "json"))
    (folder / "bytes").mkdir()
    own.model.save(str(folder / "bytes"))
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXT),
        model_prefix=str(folder / "sp"),
        vocab_size=150,
        model_type="bpe",
        minloglevel=2,
    )
    ranks = {bytes([byte]): byte for byte in range(256)} | {b" t": 256, b"he": 257, b" the": 258}
    lines = [f"{base64.b64encode(text).decode()} {id}\n" for text, id in ranks.items()]
    (folder / "ranks").write_text("".join(lines))
    (folder / "codes").write_text("#version: 0.2\nt h\nth e</w>\n")
    for name, segmenter in (("model", "bpe"), ("greedy", "greedtok")):
        asked = ["learn", folder / "text", "--segmenter", segmenter, "--merges", 50]
        assert main([*map(str, asked), "-o", str(folder / name)]) == 0
    return folder


KINDS = {
    "json": ("json", "external"),
    "sp.model": ("sentencepiece", "external"),
    "bytes/merges.txt": ("byte_merges", "external"),
    "ranks": ("ranks", "external"),
    "codes": ("merges", "bpe"),
    "model": ("bpe", "bpe"),
    "greedy": ("greedtok", "greedtok"),
    "text": ("merges", "bpe"),
}


@pytest.mark.parametrize("name", KINDS)
def test_the_content_says_what_a_file_is(files, name):
    assert (kind_of_file(files / name), segmenter_of_file(files / name)) == KINDS[name]


@pytest.fixture
def known_ranks(monkeypatch):
    monkeypatch.setitem(seggrid.segment.formats.contents._PATTERN_OF, 259, "cl100k")


@pytest.mark.parametrize("name", [name for name in KINDS if name != "text"])
def test_no_verb_must_be_told_what_a_file_is(files, name, known_ranks, tmp_path, capsys):
    file, text = str(files / name), str(files / "text")
    assert main(["segment", text, "-m", file, "-o", str(tmp_path / "cut")]) == 0
    assert main(["measure", text, "-m", file, "--against", file]) == 0
    assert "words_alike\t1\n" in capsys.readouterr().out
    links = str(tmp_path / "links")
    if name != "codes":
        assert main(["align", text, text, "--tokenizer", file, "-o", links]) == 0
        assert (tmp_path / "links").read_text().startswith("0-0 1-1")
    in_python = [line.split(" ") for line in (tmp_path / "cut").read_text().splitlines()]
    assert seggrid.Segmenter.load(file).segment(TEXT) == in_python


def test_a_file_of_merges_and_its_vocabulary_is_the_tokenizer(files):
    first, second = (seggrid.Segmenter.load(files / n) for n in ("json", "bytes/merges.txt"))
    assert first.segment(TEXT) == second.segment(TEXT)


def test_objects_of_libraries_are_taken_where_files_are(files):
    """An Encoding of tiktoken is known by what it holds, so the package is not needed here."""
    own = tokenizers.Tokenizer.from_file(str(files / "json"))
    processor = sentencepiece.SentencePieceProcessor(model_file=str(files / "sp.model"))
    ranks = parse_ranks((files / "ranks").read_text().splitlines(), "ranks")
    encoding = SimpleNamespace(
        _mergeable_ranks=ranks, _pat_str=PATTERNS["cl100k"], _special_tokens={"<|end|>": 300}
    )
    for object_, name in ((own, "json"), (processor, "sp.model")):
        cut = seggrid.Segmenter.load(object_).segment(TEXT)
        assert cut == seggrid.Segmenter.load(files / name).segment(TEXT)
        by_object, by_file = (
            seggrid.align(TEXT, TEXT, "words-fast_align", tokenizers=one)
            for one in (object_, str(files / name))
        )
        assert by_object.lines() == by_file.lines()
    expected = tokenizers.Tokenizer.from_str(json.dumps(tokenizer_of_ranks(ranks, "cl100k")))
    assert seggrid.Segmenter.load(encoding).segment(TEXT[:3]) == [
        expected.encode(line).tokens for line in TEXT[:3]
    ]
    with pytest.raises(InputError, match="an object of int, where a tokenizer is expected"):
        seggrid.Segmenter.load(7)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("vocab.json", '{"a": 0, "b": 1}', "a vocabulary, which does not say how text is cut"),
        ("merges.txt", "Ġ t\nĠt he\n", "merges over bytes, and no vocab.json beside them"),
        ("text", "some text\n", "no tokenizer that is known by its content"),
    ],
)
def test_what_does_not_say_how_text_is_cut_is_refused(tmp_path, name, content, message):
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=message):
        External.read(tmp_path / name)


def test_other_ranks_do_not_say_how_text_is_cut(files):
    with pytest.raises(InputError, match=r"do not say by which expression .*--pattern gpt2"):
        External.read(files / "ranks")
