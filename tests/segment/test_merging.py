"""BPE of a tokenizer.json whose library cuts the text and whose merges are applied here: the tokens are the
library's wherever it knows the merges, on every kind of tokenizer."""

import json

import numpy as np
import pytest

import builtin_pair
from seggrid.base.errors import InputError
from seggrid.morphology.knockout import prune_model
from seggrid.morphology.references import read_reference
from seggrid.morphology.word_segmentation import cut_each_word, read_word_model
from seggrid.segment.external import External
from seggrid.segment.external.huggingface import HuggingFace
from seggrid.segment.external.merging import Merging
from seggrid.segment.formats.tokenizer_json import parse_merging
from seggrid.segment.formats.tokenizer_writer import write_tokenizer
from tokenizer_kinds import KINDS, TRAINED

tokenizers = pytest.importorskip("tokenizers")
WORDS = builtin_pair.words_of("deu")[:300]
TEXT = [*map(" ".join, WORDS), "ﬁne Ω½ naïve x\u00a0y (sic) ... 10,5 don't"]


def whitespace(**options):
    own = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token="[UNK]", **options))
    own.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=500, show_progress=False, special_tokens=["[UNK]"], **options
    )
    return own, trainer


OWN = {
    "whitespace": whitespace,
    "prefix": lambda: whitespace(continuing_subword_prefix="##"),
    "suffix": lambda: whitespace(end_of_word_suffix="</w>"),
}


@pytest.fixture(scope="module", params=[*OWN, *KINDS])
def content(request):
    """The content of a BPE of each kind that can be pruned."""
    own, trainer = (OWN | KINDS)[request.param]()
    own.train_from_iterator([line[:40] for line in TEXT], trainer)
    TRAINED.get(request.param, lambda tokenizer: None)(own)
    content = json.loads(own.to_str())
    if (
        content["model"]["type"] != "BPE"
        or content["model"].get("ignore_merges")
        or request.param == "raw spaces"
    ):
        with pytest.raises(InputError, match=r"(of type|looks words up whole|has a space)"):
            parse_merging(content, "t")
        pytest.skip("it has no merges")
    return content


def tokens(tokenizer, sentences=WORDS):
    cut = tokenizer.segment(sentences)
    return [cut.sentence(s) for s in range(len(cut))], cut.first.tolist(), cut.last.tolist()


def test_merges_applied_here_give_the_tokens_of_the_library(content):
    text = json.dumps(content)
    assert tokens(Merging(text, content)) == tokens(HuggingFace(text, content))


def test_words_are_spelled_as_the_library_spells_them(content):
    words = sorted({word for sentence in WORDS[:100] for word in sentence})
    cut = HuggingFace(json.dumps(content), content).segment_words(words)
    prefix = content["model"].get("continuing_subword_prefix") or ""
    spelled = [
        [t.removeprefix("▁") if t.startswith("▁") else prefix + t for t in own] if prefix else own
        for own in cut_each_word(parse_merging(content, "t"), words)
    ]
    assert spelled == [cut.sentence(s) for s in range(len(cut))]


@pytest.mark.parametrize("variant", ["cascade-0.5", "blame-0.5"])
def test_what_is_pruned_is_read_with_the_tokens_of_the_pruned_merges(content, variant, tmp_path):
    (tmp_path / "t.json").write_text(json.dumps(content))
    model = read_word_model(tmp_path / "t.json")
    reference = read_reference(builtin_pair.FOLDER / "deu.morphemes.tsv", "surface")
    pruned = prune_model(model, variant, reference)
    assert len(pruned.merges) < len(model.merges)
    write_tokenizer(pruned, tmp_path / "p.json")
    again = read_word_model(tmp_path / "p.json")
    assert (again.merges, again.vocabulary) == (pruned.merges, pruned.vocabulary)
    found = External.read(tmp_path / "p.json").tokenizer
    is_longer = any(len(merge) > 2 for merge in pruned.merges)
    assert isinstance(found, Merging) == is_longer
    if not is_longer:
        # The library reads what it can say, with the same tokens.
        text = (tmp_path / "p.json").read_text()
        tokenizers.Tokenizer.from_str(text)
        assert tokens(Merging(text, json.loads(text))) == tokens(found)
    words = sorted({word for sentence in WORDS[:100] for word in sentence})
    sizes = found.segment_words(words).lengths
    assert sizes.tolist() == np.array(list(map(len, cut_each_word(pruned, words)))).tolist()


@pytest.mark.parametrize("mark", ["_", "▂"])
@pytest.mark.parametrize("kind", ["metaspace, byte fallback", "Llama 2"])
def test_another_mark_of_spaces_changes_the_spelling_alone(kind, mark, tmp_path):
    own, trainer = KINDS[kind]()
    own.train_from_iterator([line[:40] for line in TEXT], trainer)
    TRAINED.get(kind, lambda tokenizer: None)(own)
    plain = json.loads(own.to_str())
    other = json.loads(own.to_str().replace("▁", mark))
    first, second = (HuggingFace(json.dumps(one), one) for one in (plain, other))
    (rows, *spans), (others, *same) = tokens(first), tokens(second)
    assert ([[t.replace("▁", mark) for t in row] for row in rows], spans) == (others, same)
    words = sorted({word for sentence in WORDS[:100] for word in sentence})
    reference = read_reference(builtin_pair.FOLDER / "deu.morphemes.tsv", "surface")
    cuts, merges = [], []
    for content in (plain, other):
        model = parse_merging(content, "t")
        cuts.append([[t.replace("▁", mark) for t in row] for row in cut_each_word(model, words)])
        merges.append(len(prune_model(model, "blame-0.5", reference).merges))
    assert cuts[0] == cuts[1]
    assert merges[0] == merges[1]


def test_dropout_of_a_file_is_left_to_training():
    own, trainer = whitespace()
    own.train_from_iterator(TEXT, trainer)
    content = json.loads(own.to_str())
    words = sorted({word for sentence in WORDS[:100] for word in sentence})
    plain = cut_each_word(parse_merging(content, "t"), words)
    content["model"]["dropout"] = 0.5
    assert cut_each_word(parse_merging(content, "t"), words) == plain
