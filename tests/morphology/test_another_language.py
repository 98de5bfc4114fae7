"""BPE-knockout on made-up languages unlike English, compared with its slow twin.

The tokenizers are trained by HuggingFace tokenizers, and their tokens are its own; letters have accents and
several bytes, some morphemes do not show in the word, and some words have a hyphen or occur twice.
"""

from fractions import Fraction

import knockout_oracle as oracle
import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel
from tokenizers.trainers import BpeTrainer

from seggrid.morphology.evaluate import evaluate, evaluate_ideal
from seggrid.morphology.knockout import prune
from seggrid.morphology.references import read_reference
from seggrid.morphology.word_segmentation import read_model, segment, spell

DUTCH = """
reanimatietechniek	((((re)[V|.V],(animeer)[V])[V],(atie)[N|V.])[N],((technisch)[A],(iek)[N|A.])[N])[N]
reanimatie	(((re)[V|.V],(animeer)[V])[V],(atie)[N|V.])[N]
techniek	((technisch)[A],(iek)[N|A.])[N]
technisch	(technisch)[A]
coëfficiënt	((co)[N|.N],(efficiënt)[A])[N]
coëxistentie	((co)[N|.N],((existeer)[V],(entie)[N|V.])[N])[N]
één	(één)[Q]
één	(één)[N]
eenheid	((één)[Q],(heid)[N|Q.])[N]
bruidsjurk	((bruid)[N],(s)[N|N.N],(jurk)[N])[N]
bruidegom	(bruidegom)[N]
beleidsmaker	((beleid)[N],(s)[N|N.N],((maak)[V],(er)[N|V.])[N])[N]
gids	(gids)[N]
zee-egel	((zee)[N],(egel)[N])[N]
zee	(zee)[N]
egel	(egel)[N]
maker	((maak)[V],(er)[N|V.])[N]
foto's	(foto)[N]
ging	((gaan)[V])[F]
"""
GREEK = """
αβγ	((αβ)[N],(γ)[N])[N]
αβγδε	((αβ)[N],((γδ)[N],(ε)[N|N.])[N])[N]
γδε	((γδ)[N],(ε)[N|N.])[N]
γδ	(γδ)[N]
άβδε	((αβ)[N],(δε)[N])[N]
δε-αβ	((δε)[N],(αβ)[N])[N]
漢字γδ	((漢字)[N],(γδ)[N])[N]
漢αβ	((漢)[N],(αβ)[N])[N]
"""


@pytest.fixture(params=[DUTCH, GREEK], ids=["dutch", "many bytes"])
def language(request, tmp_path):
    celex = tmp_path / "celex.txt"
    celex.write_text(request.param.strip() + "\n", encoding="utf-8")
    entries = [line.split("\t") for line in request.param.strip().split("\n")]
    kept = [(w, a) for w, a in entries if "'" not in w and "[F]" not in a]
    peer = Tokenizer(BPE())
    peer.pre_tokenizer = ByteLevel(add_prefix_space=False)
    alphabet = sorted(ByteLevel.alphabet())
    trainer = BpeTrainer(vocab_size=256 + 60, initial_alphabet=alphabet, special_tokens=["<s>"])
    peer.train_from_iterator([f" {word}" for word, _ in entries] * 2, trainer)
    peer.save(str(tmp_path / "tokenizer.json"))
    return peer, read_model(tmp_path / "tokenizer.json"), read_reference(celex, "celex"), kept


def expected(entries, merges):
    """True positives, predicted and positives, for morphemes and for whole words."""
    sums = np.zeros((2, 3), dtype=int)
    for word, analysis in entries:
        predicted = oracle.predicted_cuts(word, oracle.tokenize(word, merges)[0])
        for row, pieces in enumerate(oracle.celex_pieces(word, analysis)):
            gold = oracle.cuts(pieces)
            sums[row] += len(set(gold) & set(predicted)), len(predicted), len(gold)
    return sums.tolist()


def counts(rows):
    return [[row["true_positives"], row["predicted"], row["positives"]] for row in rows]


def test_tokens_are_those_of_huggingface(language):
    peer, model, reference, _ = language
    tokens = segment(model.merges, spell(model, reference.words)).words()
    assert tokens == [peer.encode(f" {word}").tokens for word in reference.words]


def test_base_and_knockout(language):
    _, model, reference, entries = language
    assert reference.words == [word for word, _ in entries]
    assert counts(evaluate(model, reference)) == expected(entries, model.merges)

    gold = [(word, oracle.cuts(oracle.celex_pieces(word, a)[0])) for word, a in entries]
    applied, blamed = oracle.blame(gold, model.merges)
    gone = oracle.chosen(applied, blamed, Fraction(1, 2))
    assert gone, "nothing to knock out"
    pruned = oracle.knock_out(model.merges, gone)
    assert prune(model, "blame-0.5", reference).merges == pruned
    rows = evaluate(model, reference, "blame-0.5")
    assert counts(rows) == expected(entries, pruned)
    assert rows[0]["vocabulary"] == len(model.vocabulary) - len(gone)
    assert rows[0]["effective_dropout"] == sum(applied[m] for m in gone) / sum(applied)
    assert rows[0]["tests"] == sum(len(word) - 1 for word, _ in entries)


def test_holdout(language):
    _, model, reference, entries = language
    generator = np.random.default_rng(0)
    learn = [generator.random() < 0.7 for _ in entries]
    gold = [
        (word, oracle.cuts(oracle.celex_pieces(word, analysis)[0]))
        for (word, analysis), chosen in zip(entries, learn, strict=True)
        if chosen
    ]
    gone = oracle.chosen(*oracle.blame(gold, model.merges), Fraction(1, 2))
    test = [entry for entry, chosen in zip(entries, learn, strict=True) if not chosen]
    rows = evaluate(model, reference, "blame-0.5", "holdout-0.7")
    assert counts(rows) == expected(test, oracle.knock_out(model.merges, gone))


def test_ideal(language):
    _, _, reference, entries = language
    pieces = [oracle.celex_pieces(word, analysis)[0] for word, analysis in entries]
    rows = evaluate_ideal(reference)
    assert rows[0]["vocabulary"] == len({piece for word in pieces for piece in word})
    assert rows[0]["precision"] == rows[0]["recall"] == rows[1]["recall"] == 1
    assert rows[0]["predicted"] == sum(len(word) - 1 for word in pieces)
