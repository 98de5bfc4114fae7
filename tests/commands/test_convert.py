"""What `convert` writes is read by the program that it is for, which then cuts text alike."""

import json
import re
from collections import Counter
from functools import partial
from importlib import import_module
from io import StringIO
from pathlib import Path

import pytest

import seggrid
from seggrid.commands import main
from seggrid.morphology.word_segmentation import cut_each_word, read_word_model
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.formats.merges import write_merges


@pytest.fixture
def folder(builtin):
    return builtin(40, merges=60)


def segmented(capsys, model):
    capsys.readouterr()
    assert main(["segment", "eng", "-m", model]) == 0
    return capsys.readouterr().out.splitlines()


def test_tokenizers_reads_merges_and_vocabulary_with_the_prefix(folder, capsys):
    tokenizers = pytest.importorskip("tokenizers")
    assert (
        main(["convert", "model", "--to", "merges", "--marking", "start", "-o", "merges.txt"]) == 0
    )
    assert (
        main(["convert", "model", "--to", "vocabulary", "--text", "eng", "-o", "vocab.json"]) == 0
    )
    bpe = tokenizers.models.BPE.from_file(
        "vocab.json", "merges.txt", continuing_subword_prefix="##", unk_token="<unk>"
    )
    theirs = tokenizers.Tokenizer(bpe)
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    same(theirs, folder, segmented(capsys, "model"))


def same(theirs, folder, ours):
    """Whether the tokens of a text are equal, in their two spellings."""
    for line, tokens in zip((folder / "eng").read_text().splitlines(), ours, strict=True):
        spelled = ["##" + t if not t.startswith("▁") else t[1:] for t in tokens.split(" ")]
        assert theirs.encode(line).tokens == spelled


@pytest.mark.parametrize("marking", ["start", "end", "own"])
@pytest.mark.parametrize("spaces", [True, False])
def test_the_tokenizer_decodes_what_it_encodes(folder, marking, spaces):
    tokenizers = pytest.importorskip("tokenizers")
    start = [("▁", "w"), ("e", "r")] if marking == "own" or not spaces else [("e", "r"), ("l", "o")]
    model = BPEModel(start, spaces=spaces, marking=marking if spaces else "start")
    model.write("m")
    line = "low lower newer new"
    (folder / "words").write_text(f"{line}\n")
    assert main(["convert", "m", "--to", "tokenizer", "--text", "words", "-o", "d.json"]) == 0
    read = tokenizers.Tokenizer.from_file("d.json")
    assert read.decode(read.encode(line).ids) == line


def test_merges_read_with_their_marking_come_back(folder):
    write_merges(BPEModel.read("model"), "merges")
    assert main(["convert", "merges", "--marking", "start", "--to", "merges", "-o", "again"]) == 0
    assert (folder / "again").read_bytes() == (folder / "merges").read_bytes()


@pytest.mark.parametrize("id", [60_000_000, 2**31 - 1])
def test_a_tokenizer_with_a_large_id_takes_no_more_memory(folder, capsys, id):
    tokenizers = pytest.importorskip("tokenizers")
    assert main(["convert", "model", "--to", "tokenizer", "--text", "eng", "-o", "t.json"]) == 0
    ask = ["segment", "eng", "--segmenter", "external", "--model-format", "huggingface", "-m"]
    capsys.readouterr()
    assert main([*ask, "t.json"]) == 0
    before = capsys.readouterr().out
    content = json.loads((folder / "t.json").read_text())
    vocabulary = content["model"]["vocab"]
    last = max(vocabulary, key=vocabulary.get)
    vocabulary[last] = id
    (folder / "far.json").write_text(json.dumps(content))
    assert tokenizers.Tokenizer.from_file("far.json").token_to_id(last) == id
    assert main([*ask, "far.json"]) == 0
    assert capsys.readouterr().out == before


def test_a_wordpiece_model_becomes_one_that_cuts_from_the_left(folder, capsys):
    tokenizers = pytest.importorskip("tokenizers")
    assert main(["learn", "eng", "--segmenter", "wordpiece", "--merges", "60", "-o", "wp"]) == 0
    capsys.readouterr()
    assert main(["segment", "eng", "--segmenter", "wordpiece", "-m", "wp"]) == 0
    ours = capsys.readouterr().out.splitlines()
    assert main(["convert", "wp", "--to", "tokenizer", "--text", "eng", "-o", "t.json"]) == 0
    same(tokenizers.Tokenizer.from_file("t.json"), folder, ours)


def test_a_vocabulary_across_words_is_refused_before_a_text_is_asked_for(tmp_path, refused):
    (tmp_path / "text").write_text("the house the house is here\na house is the best\n")
    model = tmp_path / "model"
    learn = ["learn", tmp_path / "text", "--segmenter", "wordpiece", "--spaces", "no"]
    assert main([*map(str, learn), "--merges", "5", "-o", str(model)]) == 0
    convert = ["convert", model, "--to", "tokenizer", "-o", tmp_path / "tokenizer.json"]
    assert "--application left is for" in refused(*convert)


@pytest.mark.parametrize("verb", ["convert {} --to model -o out", "convert {} --to merges -o out"])
def test_a_model_of_sentencepiece_is_named(folder, refused, verb):
    pytest.importorskip("sentencepiece")
    ask = "learn eng --segmenter sentencepiece_bpe --merges 60 -o sp.model"
    assert main(ask.split()) == 0
    assert "a model of sentencepiece" in refused(*verb.format("sp.model").split())


@pytest.mark.parametrize("segmenter", ["bpe", "unigram", "byte_bpe"])
def test_a_vocabulary_that_the_text_does_not_have_is_remarked_on(folder, capsys, segmenter):
    ask = f"learn eng --segmenter {segmenter} --vocabulary 100000 -o out"
    assert main(ask.split()) == 0
    assert "of 100000 types, all that its text has" in capsys.readouterr().err


def test_subword_nmt_cuts_alike_with_merges_learned_here(folder, capsys):
    subword_nmt = pytest.importorskip("subword_nmt.apply_bpe")
    assert main(["learn", "eng", "--merges", "60", "--marking", "end", "-o", "end.model"]) == 0
    assert main(["convert", "end.model", "--to", "merges", "-o", "codes"]) == 0
    theirs = subword_nmt.BPE(StringIO((folder / "codes").read_text()))
    capsys.readouterr()
    assert main(["segment", "eng", "-m", "end.model", "--style", "@@"]) == 0
    lines = (folder / "eng").read_text().splitlines()
    assert capsys.readouterr().out.splitlines() == list(map(theirs.process_line, lines))
    assert main(["convert", "codes", "--to", "model", "-o", "again.model"]) == 0
    assert (folder / "again.model").read_bytes() == (folder / "end.model").read_bytes()
    found = seggrid.measure("eng", seggrid.Segmenter.load("end.model"))
    assert found["exact_sentences"] == 1
    learned = seggrid.Segmenter.learn("eng", merges=60, marking="end")
    assert learned.segment("eng") == seggrid.Segmenter.load("end.model").segment("eng")


def test_rare_types_are_trimmed_by_their_counts_in_a_text(folder, capsys):
    assert main(["prune", "model", "--knockout", "trim-5", "--text", "eng", "-o", "out"]) == 0
    assert main(["prune", "model", "--rule", "trim-5", "--text", "eng", "-o", "same"]) == 0
    assert Path("same").read_bytes() == Path("out").read_bytes()
    split = BPEModel.read("out").split
    capsys.readouterr()
    counts = Counter(token for line in segmented(capsys, "model") for token in line.split(" "))
    products = {"".join(merge) for merge in BPEModel.read("model").merges}
    assert split == {type_ for type_ in products if counts[type_] < 5} != set()


# How a model is learned, converted and applied.
WAYS = {
    "rank": (["--merges", "300"], [], []),
    "left": (["--merges", "300"], ["--application", "left"], ["--application", "left"]),
    "least": (["--merges", "300"], ["--application", "least"], ["--application", "least"]),
    "superbpe": (
        ["--segmenter", "superbpe", "--merges", "400", "--transition", "200"],
        [],
        ["--segmenter", "superbpe"],
    ),
    "superbpe-0": (
        ["--segmenter", "superbpe", "--merges", "200", "--transition", "0"],
        [],
        ["--segmenter", "superbpe"],
    ),
    "mingram": (["--segmenter", "mingram", "--merges", "300"], [], ["--segmenter", "mingram"]),
    "unigram": (["--segmenter", "unigram", "--merges", "300"], [], ["--segmenter", "unigram"]),
}


@pytest.fixture
def longer(builtin):
    folder = builtin(300)
    # Most of the text is unseen, and a long word has several segmentations of equally many tokens.
    lines = (folder / "eng").read_text().splitlines()
    (folder / "part").write_text("\n".join(lines[:120]) + "\n")
    (folder / "eng").write_text("\n".join([*lines, "e" * 30, "ing" * 50, "the the : the"]) + "\n")
    return folder


def written(capsys, *arguments):
    capsys.readouterr()
    assert main([*arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("way", WAYS)
def test_the_library_cuts_alike(way, longer, capsys):
    tokenizers = pytest.importorskip("tokenizers")
    learned, converted, applied = WAYS[way]
    written(capsys, "learn", "part", *learned, "-o", "model")
    written(
        capsys, "convert", "model", "--to", "tokenizer", "--text", "eng", *converted, "-o", "t.json"
    )
    tokenizer = tokenizers.Tokenizer.from_file("t.json")
    ours = written(capsys, "segment", "eng", "-m", "model", *applied).splitlines()
    lines = (longer / "eng").read_text().splitlines()
    assert len(ours) == len(lines)
    for line, cut in zip(lines, ours, strict=True):
        theirs = " ".join(tokenizer.encode(line).tokens)
        if way in ("rank", "left"):
            theirs = re.sub("(^| )(?!##)", r"\1▁", theirs).replace("##", "")
        assert theirs == cut


@pytest.mark.parametrize(
    ("segmenter", "options"),
    [
        ("bpe", []),
        ("bpe", ["--marking", "end"]),
        ("bpe", ["--marking", "own"]),
        ("wordpiece", []),
        ("byte_bpe", []),
    ],
)
def test_a_converted_model_has_the_measures_that_it_had(folder, segmenter, options):
    pytest.importorskip("tokenizers")
    lines = (folder / "eng").read_text().splitlines(keepends=True)
    (folder / "learned").write_text("".join(lines[:20]))
    (folder / "measured").write_text("".join(lines[10:30]).lower())
    learn = ["learn", "learned", "--segmenter", segmenter, "--merges", "80", *options]
    assert main([*learn, "-o", "own"]) == 0
    assert main(["convert", "own", "--to", "tokenizer", "--text", "eng", "-o", "theirs"]) == 0
    ours, theirs = (
        seggrid.measure("measured", seggrid.Segmenter.load(file)) for file in ("own", "theirs")
    )
    if "own" in options:  # A mark that is a token counts as one of its word here, as a space there.
        assert ours.pop("continued_words") >= theirs.pop("continued_words")
    assert {k: str(v) for k, v in theirs.items()} == {k: str(v) for k, v in ours.items()}
    assert ours["vocabulary_use"] < 1


@pytest.mark.parametrize(("segmenter", "to"), [("greedtok", "tokenizer"), ("unigram", "merges")])
def test_a_model_that_no_format_says_is_refused_by_its_kind(segmenter, to, folder, refused):
    learn = ["learn", "eng", "--segmenter", segmenter, "--merges", "20", "-o", "model"]
    assert main(learn) == 0
    message = refused("convert", "model", "--to", to, "-o", "out")
    assert f"model: a model of {segmenter}" in message
    assert "use the file as it is" in message


def test_what_prune_wrote_is_converted_or_refused_in_one_line(folder, refused, capsys):
    tokenizers = pytest.importorskip("tokenizers")
    (folder / "forms").write_text("the\tt he\nand\tan d\nwas\twa s\n")
    for kind, cutter in (
        ("white", tokenizers.pre_tokenizers.Whitespace()),
        ("bytes", tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)),
    ):
        tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token="[UNK]"))
        tokenizer.pre_tokenizer = cutter
        trainer = tokenizers.trainers.BpeTrainer(
            vocab_size=300, show_progress=False, special_tokens=["[UNK]"]
        )
        tokenizer.train(["eng"], trainer)
        tokenizer.save(kind)
        pruned = f"{kind}.pruned"
        assert main(["prune", kind, "--morphemes", "forms", "-o", pruned]) == 0
        assert main(["convert", pruned, "--to", "tokenizer", "-o", "again"]) == 0
        assert segmented(capsys, "again") == segmented(capsys, pruned) != segmented(capsys, kind)
        assert "use the file as it is" in refused("convert", pruned, "--to", "model", "-o", "no")
    assert main(["convert", "bytes.pruned", "--to", "merges", "-o", "merges.txt"]) == 0
    assert main(["convert", "bytes.pruned", "--to", "vocabulary", "-o", "vocab.json"]) == 0
    assert segmented(capsys, "merges.txt") == segmented(capsys, "bytes.pruned")
    assert "use the file as it is" in refused("convert", "white", "--to", "merges", "-o", "no")


@pytest.mark.parametrize("options", [{}, {"byte_fallback": True, "character_coverage": 0.98}])
def test_a_sentencepiece_bpe_has_the_merges_that_its_types_stand_for(builtin, capsys, options):
    sentencepiece = pytest.importorskip("sentencepiece")
    pytest.importorskip("tokenizers")
    builtin(200)
    sentencepiece.SentencePieceTrainer.train(
        input="eng", model_prefix="m", model_type="bpe", vocab_size=600, minloglevel=2, **options
    )
    assert main(["convert", "m.model", "--to", "tokenizer", "-o", "m.json"]) == 0
    assert segmented(capsys, "m.json") == segmented(capsys, "m.model")
    # The merges are applied here as the library applies its types.
    words = sorted({word for line in Path("eng").read_text().splitlines() for word in line.split()})
    library = sentencepiece.SentencePieceProcessor(model_file="m.model")
    known = [word for word in words if library.unk_id() not in library.Encode(word)]
    assert len(known) > len(words) / 2
    assert cut_each_word(read_word_model("m.model"), known) == library.Encode(known, out_type=str)
    Path("forms").write_text("the\tt he\nand\tan d\nwas\twa s\n")
    assert main(["prune", "m.model", "--morphemes", "forms", "-o", "pruned.json"]) == 0
    assert "tokenizer.json is written" in capsys.readouterr().err
    assert segmented(capsys, "pruned.json") != segmented(capsys, "m.model")
    for verb in ("measure eng -m pruned.json", "align eng deu --tokenizer pruned.json -o links"):
        assert main(verb.split()) == 0


def test_a_sentencepiece_bpe_that_merges_cannot_say_is_refused(builtin, refused):
    sentencepiece = pytest.importorskip("sentencepiece")
    pytest.importorskip("tokenizers")
    builtin(100)
    for name, options in (
        ("symbols", {"user_defined_symbols": ["the"]}),
        ("suffix", {"treat_whitespace_as_suffix": True}),
        ("unigram", {"model_type": "unigram"}),
    ):
        kind = {"model_type": "bpe", "vocab_size": 200, "minloglevel": 2, "hard_vocab_limit": False}
        sentencepiece.SentencePieceTrainer.train(input="eng", model_prefix=name, **kind | options)
    told = partial(refused, "prune", "--knockout", "random-0.5", "-o", "out")
    assert "sentencepiece cuts it into" in told("symbols.model")
    assert "marks the ends of words" in told("suffix.model")
    assert "no BPE" in told("unigram.model")
    pieces = import_module("sentencepiece.sentencepiece_model_pb2").ModelProto()
    pieces.ParseFromString(Path("unigram.model").read_bytes())
    pieces.trainer_spec.model_type = 2
    pieces.pieces[-1].type = pieces.SentencePiece.UNUSED
    Path("unused.model").write_bytes(pieces.SerializeToString())
    assert "never used" in told("unused.model")
