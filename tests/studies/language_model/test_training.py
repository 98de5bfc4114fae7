"""Training by the workflow's script: continued, killed, with parts of batches; and loading its output."""

import json
import os

import numpy as np
import pytest
from trainings import PRUNED, content, kill_and_repeat, training

from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.model import BPEModel
from seggrid.studies.language_model.text import pack
from seggrid.studies.language_model.vocabulary import SPECIAL, read_vocabulary
from seggrid.text.segmentation import write_segmentations
from snake import script_named


def test_another_seed_gives_another_model(trained, text, script, tmp_path):
    script("language_model", *training(text, tmp_path / "other", 40, "--seed=2"))
    assert content(tmp_path / "other")["model.safetensors"] != content(trained)["model.safetensors"]


def test_a_segmentation_from_a_file_is_taken_as_it_is(trained, text, english, script, tmp_path):
    tokens = apply(BPEModel.read(text / "eng.model"), english)
    write_segmentations(tmp_path / "tokens.npz", [tokens])
    arguments = training(text, tmp_path / "model", 40, f"--tokens={tmp_path / 'tokens.npz'}")
    script("language_model", *arguments)
    assert content(tmp_path / "model") == content(trained)


def test_a_model_that_is_continued_ends_as_one_that_was_trained_at_once(
    trained, text, script, tmp_path
):
    script("language_model", *training(text, tmp_path / "half", 20))
    rest = training(text, tmp_path / "whole", 20, f"--base={tmp_path / 'half'}")
    script("language_model", *rest)
    whole, once = content(tmp_path / "whole"), content(trained)
    for name in ("model.safetensors", "optimizer.safetensors", "types.txt", "tokenizer.json"):
        assert whole[name] == once[name], name
    assert whole["training.json"] == once["training.json"]


def test_a_killed_training_goes_on_and_ends_with_the_same_bytes(trained, text, root, tmp_path):
    output, progress = tmp_path / "model", tmp_path / "model.progress"
    script = script_named("language_model")
    told = kill_and_repeat(script, training(text, output, 40), progress / "training.json")
    assert "goes on from" in told
    assert content(output) == content(trained)
    assert not progress.exists()


def test_what_was_begun_with_other_settings_is_begun_anew(trained, text, script, tmp_path, capfd):
    output, before = tmp_path / "model", content(trained)
    (tmp_path / "model.progress").symlink_to(trained)
    script("language_model", *training(text, output, 40, "--learning-rate=0.002"))
    assert "goes on from" not in capfd.readouterr().err
    assert not os.path.lexists(tmp_path / "model.progress")
    assert content(trained) == before, "the model behind the link is kept"
    assert content(output)["model.safetensors"] != content(trained)["model.safetensors"]


def test_transformers_and_tokenizers_load_the_folder(trained, english, text):
    from tokenizers import Tokenizer
    from transformers import AutoModel, AutoModelForMaskedLM, AutoTokenizer

    assert AutoModel.from_pretrained(trained).config.vocab_size == len(
        read_vocabulary(trained / "types.txt")
    )
    tokenizer = AutoTokenizer.from_pretrained(trained)
    assert tokenizer.mask_token_id == SPECIAL.index("<mask>")
    assert len(tokenizer) == AutoModelForMaskedLM.from_pretrained(trained).config.vocab_size
    vocabulary = read_vocabulary(trained / "types.txt")
    segmented = apply(BPEModel.read(text / "eng.model"), english)
    plain = Tokenizer.from_file(str(trained / "tokenizer.json"))
    for index, words in enumerate(english[:40]):
        ids = vocabulary.encode(segmented.take([index])).tolist()
        assert plain.encode(" ".join(words)).ids == [0, *ids, 2]
        assert tokenizer(" ".join(words))["input_ids"] == [0, *ids, 2]


@pytest.fixture(scope="module")
def swapped(trained, text, script, tmp_path_factory):
    """The trained model with the pruned tokenizer, without further steps."""
    folder = tmp_path_factory.mktemp("swapped") / "model"
    base = f"--base={trained}"
    arguments = training(text, folder, 0, base, model="pruned.model", spec=PRUNED)
    script("language_model", *arguments)
    return folder


def test_a_tokenizer_is_swapped_with_weights_and_ids_kept(trained, swapped, english, text):
    from tokenizers import Tokenizer

    before, after = content(trained), content(swapped)
    for name in ("model.safetensors", "optimizer.safetensors", "types.txt", "config.json"):
        assert before[name] == after[name], name
    assert before["training.json"]["takes_text"]
    assert not after["training.json"]["takes_text"]
    # The same model, but another text.
    assert after["training.json"]["steps"] == before["training.json"]["steps"]
    jump = after["training.json"]["validation_loss"]
    assert jump != before["training.json"]["validation_loss"]
    losses = [files["losses.csv"].decode().splitlines() for files in (before, after)]
    assert losses[0][:-1] == losses[1][:-1]
    assert losses[1][-1] == f"{losses[0][-1].rpartition(',')[0]},{jump!r}"
    # A tokenizer of longer merges takes segmented text.
    segmented = apply(BPEModel.read(text / "pruned.model"), english)
    ids = read_vocabulary(swapped / "types.txt").encode(segmented.take([3])).tolist()
    tokenizer = Tokenizer.from_file(str(swapped / "tokenizer.json"))
    assert tokenizer.encode(segmented.lines()[3]).ids == [0, *ids, 2]


@pytest.mark.parametrize("begun", [0, 3])
def test_the_learning_rate_rises_in_the_first_own_steps_of_a_model(torch, begun):
    """Those of the model that is continued do not count; an interrupted training goes on with the same."""
    from seggrid.base.torch_training import Schedule, run_steps

    model = torch.nn.Linear(2, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    rates = []
    optimizer.register_step_pre_hook(
        lambda optimizer, *_: rates.append(optimizer.param_groups[0]["lr"])
    )
    schedule = Schedule(2, 2, 0.4, 1, 4)

    def losses(chosen, seed):
        yield model(torch.ones(2, 2)).sum()

    for _ in run_steps(model, optimizer, 4, losses, schedule, range(100 + begun, 106), 100):
        pass
    assert rates == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.4, 0.4][begun:])


def test_a_model_is_not_continued_with_types_that_it_does_not_have(trained, text, script, tmp_path):
    (tmp_path / "eng.txt").write_text("ЖЖЖ ЩЩ\nЩЩ ЖЖЖ\n" * 9 + "Ж Щ\n" * 3, "utf-8")
    arguments = training(
        tmp_path, tmp_path / "model", 1, base=trained, test=2, model=text / "eng.model"
    )
    with pytest.raises(SystemExit, match="100% of the tokens are not in the vocabulary of the mod"):
        script("language_model", *arguments)


def test_losses_are_kept_and_fall(trained):
    rows = [row.split(",") for row in (trained / "losses.csv").read_text().splitlines()[1:]]
    assert [int(row[0]) for row in rows] == list(range(1, 41))
    validated = [int(row[0]) for row in rows if row[2]]
    assert validated == [1, *range(2, 41, 2)], "twenty times, at equal distances, and at first"
    assert float(rows[-1][2]) < float(rows[1][2])
    about = json.loads((trained / "training.json").read_text())
    assert about["validation_loss"] == float(rows[-1][2])


def test_each_step_masks_anew_and_no_special_token(trained, torch):
    from transformers import AutoTokenizer

    from seggrid.studies.language_model.train import Masking

    masking = Masking(AutoTokenizer.from_pretrained(trained))
    ids = np.random.default_rng(1).integers(5, 60, size=20_000).astype(np.int32)
    sequences = pack(ids, np.full(200, 100), 102)
    masked, labels = masking(sequences, 7)
    chosen = labels >= 0
    assert not chosen[torch.from_numpy(sequences) < len(SPECIAL)].any()
    assert chosen.any()
    again, _ = masking(sequences, 7)
    other, _ = masking(sequences, 8)
    assert torch.equal(masked, again)
    assert not torch.equal(masked, other), "each step masks anew"


@pytest.mark.parametrize("device_batch", [1, 3, 8])
def test_gradients_of_parts_add_up_to_those_of_transformers(trained, torch, device_batch):
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    from seggrid.base.torch_training import Schedule
    from seggrid.studies.language_model.train import Masking, train_language_model

    model = AutoModelForMaskedLM.from_pretrained(trained)
    # Without dropout, so that parts and the whole batch can be compared.
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    model.config.attention_probs_dropout_prob = 0.0
    masking = Masking(AutoTokenizer.from_pretrained(trained))
    ids = np.random.default_rng(1).integers(5, 60, size=8 * 30).astype(np.int32)
    sequences = pack(ids, np.full(8, 30), 32)
    schedule = Schedule(8, device_batch, 0.0, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    gradients = {}
    optimizer.zero_grad = lambda: gradients.update(
        {name: p.grad.clone() for name, p in model.named_parameters()}
    )
    ((step, loss),) = train_language_model(model, optimizer, sequences, masking, schedule, range(1))
    assert step == 1
    model.zero_grad()
    from seggrid.base.torch_training import batch

    (drawn,) = np.random.SeedSequence([3, 0]).generate_state(1)
    masked, labels = masking(sequences[batch(8, 8, 0, 3)], int(drawn))
    expected = model(masked, labels=labels).loss
    expected.backward()
    assert loss == pytest.approx(float(expected.detach()), abs=1e-5)
    for name, p in model.named_parameters():
        assert torch.allclose(gradients[name], p.grad, atol=1e-6), name
