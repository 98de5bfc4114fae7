"""Fine-tuning on labeled text: labels at tokens, the script, its determinism, its files."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from trainings import arguments, kill_and_repeat

from seggrid.base.errors import InputError
from seggrid.base.lines import write_lines
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.model import BPEModel
from seggrid.studies.language_model.scores import TaskScores, read_model_scores
from seggrid.studies.language_model.tables import task_table
from seggrid.studies.language_model.tasks import (
    NONE,
    entities,
    first_tokens,
    label_examples,
    label_tokens,
    most_frequent_labels,
    number_labels,
    random_settings,
    read_examples,
)
from seggrid.studies.language_model.text import split
from seggrid.studies.language_model.vocabulary import BEGIN, END, PAD, Vocabulary
from seggrid.text.pos import tagged as tagged_text
from seggrid.text.segmentation import Segmentation, write_segmentations
from snake import script_named


def made_up(sentences):
    """Tags that follow from the last letter of each word."""
    return [["VVB" if word[-1] in "aeiouy" else "NN1" for word in words] for words in sentences]


@pytest.fixture(scope="module")
def segmented(text, english):
    return apply(BPEModel.read(text / "eng.model"), english)


def test_a_word_is_labeled_at_its_first_token():
    """A token of a boundary is of no word, and a word may have no token."""
    first = np.array([0, 0, 2, 0, 0, 1], dtype=np.int32)
    last = np.array([-1, 0, 2, 0, 0, 1], dtype=np.int32)
    tokens = Segmentation(["x"], 0 * first, np.array([0, 3, 6]), first, last)
    assert first_tokens(tokens, [3, 2]).tolist() == [1, -1, 2, 3, 5]


def test_sequences_hold_every_label_once_and_are_cut_where_they_are_too_long(segmented, english):
    tags = made_up(english)
    numbers = number_labels(tags)
    vocabulary = Vocabulary.from_types(segmented.types, "".join(map("".join, english)))
    data = label_tokens([segmented], vocabulary, tags, numbers, 12)
    assert data.ids.shape[1] == 12
    flat = [numbers[tag] for own in tags for tag in own]
    here = data.words >= 0
    assert sorted(data.words[here]) == list(range(len(flat)))
    assert data.labels[here].tolist() == [flat[word] for word in data.words[here]]
    assert (data.labels[~here] == NONE).all()
    first = first_tokens(segmented, [len(own) for own in tags])
    ids = vocabulary.encode(segmented)
    assert data.ids[here].tolist() == ids[first[data.words[here]]].tolist()
    inner = data.ids[(data.ids != BEGIN) & (data.ids != END) & (data.ids != PAD)]
    assert inner.tolist() == ids.tolist(), "all tokens, in order"


def test_a_pair_of_texts_is_framed_as_in_roberta():
    text = Segmentation.from_words([["a", "b", "c"], ["d"]])
    other = Segmentation.from_words([["e", "f"], ["g"]])
    vocabulary = Vocabulary(("<s>", "<pad>", "</s>", "<unk>", "<mask>", *"abcdefg"))
    data = label_examples([text, other], vocabulary, [["yes"], ["no"]], {"no": 0, "yes": 1}, 8)
    assert data.ids.tolist() == [[0, 5, 6, 2, 2, 9, 10, 2], [0, 8, 2, 2, 11, 2, 1, 1]]
    assert data.labels[:, 0].tolist() == [1, 0]
    assert (data.labels[:, 1:] == NONE).all()
    assert data.words[:, 0].tolist() == [0, 1]


def test_the_baseline_is_the_most_frequent_label_of_a_word():
    """Of equally frequent ones the first; a new word has the most frequent of all."""
    words, labels = [["a", "b", "a"], ["b", "c", "c"]], [["X", "Z", "Y"], ["Y", "Z", "Z"]]
    assert most_frequent_labels(words, labels, [["a", "b"], ["c", "d"]]) == [["X", "Y"], ["Z", "Z"]]


def tuning(text, trained, output, *more, steps=40):
    small = {"device_batch": 8, "seed": 1, "test": 20}
    if steps is not None:
        small |= {"batch": 8, "learning_rate": 0.002, "steps": steps}
    return arguments(text, output, *more, language_model=trained, **small)


@pytest.fixture(scope="module")
def pos(text, english, segmented, tmp_path_factory):
    """The arguments of a task of made-up tags."""
    folder = tmp_path_factory.mktemp("tags")
    text = tagged_text(english, made_up(english), "English")
    write_lines(folder / "tagged", [" ".join(words) for words in text])
    write_segmentations(folder / "tokens.npz", [segmented])
    return [f"--tags={folder / 'tagged'}", f"--tokens={folder / 'tokens.npz'}", "--kind=pos"]


@pytest.fixture(scope="module")
def tagged(trained, text, script, pos, tmp_path_factory):
    """The file of its scores."""
    output = tmp_path_factory.mktemp("tagged") / "1.npz"
    script("language_model_task", *tuning(text, trained, output, *pos))
    return output


def test_a_rule_of_letters_is_learned_better_than_by_the_baseline(tagged, english):
    scores = read_model_scores(tagged, TaskScores)
    train, test = split(list(map(tuple, english)), 20)
    assert scores.given.tolist() == scores.predicted.tolist() == [len(english[i]) for i in test]
    assert scores.trained.tolist() == [len(train)]
    assert (scores.right <= scores.given).all()
    tags = made_up(english)
    guessed = most_frequent_labels(
        [english[i] for i in train], [tags[i] for i in train], [english[i] for i in test]
    )
    known = [sum(map(str.__eq__, g, tags[i])) for g, i in zip(guessed, test, strict=True)]
    assert scores.baseline_right.tolist() == known
    assert scores.right.sum() > 0.6 * scores.given.sum()


def test_a_search_takes_the_best_setting_on_validation_examples_and_resumes(
    trained, text, root, script, pos, english, tmp_path, capsys
):
    search = [*pos, "--search=3", "--validation=10", "--epochs=2", "--examples=60", "--new-words"]
    output = tmp_path / "1.npz"
    script("language_model_task", *tuning(text, trained, output, *search, steps=None))
    told = re.findall(r"setting (\d), batch (\d+), .*: (0\.\d+)", capsys.readouterr().err)
    assert [(int(n), int(batch)) for n, batch, _ in told] == [
        (n, setting.batch) for n, setting in enumerate(random_settings(3, 1), 1)
    ]
    scores = read_model_scores(output, TaskScores)
    right, both = scores.validation
    assert f"{2 * right / both:.3f}" == max(score for _, _, score in told)
    assert scores.trained.tolist() == [60]
    train, test = split(list(map(tuple, english)), 20)
    train = [train[i] for i in split([tuple(english[i]) for i in train], 10)[0]]
    known = {word for i in split(range(len(train)), 60)[1] for word in english[train[i]]}
    new = [sum(word not in known for word in english[i]) for i in test]
    assert scores.given.tolist() == scores.predicted.tolist() == new
    again, script_file = tmp_path / "2.npz", script_named("language_model_task")
    arguments = tuning(text, trained, again, *search, steps=None)
    second = tmp_path / "2.npz.progress-2" / "step.txt"
    assert "goes on after" in kill_and_repeat(script_file, arguments, second)
    assert again.read_bytes() == output.read_bytes()
    assert not list(tmp_path.glob("*progress*"))


def test_settings_are_drawn_in_their_ranges_and_more_of_them_begin_alike():
    drawn = random_settings(200, 7)
    assert drawn[:10] == random_settings(10, 7) != random_settings(10, 8)
    assert {setting.batch for setting in drawn} == {16, 32, 64, 128, 256, 512}
    rates, decays = np.array([setting[1:] for setting in drawn]).T
    assert 1e-6 <= rates.min() < 1e-5 < 1e-4 < rates.max() <= 1e-3
    assert 0.4 < (rates < 10**-4.5).mean() < 0.6, "as often in each of the three decades"
    assert 0.01 <= decays.min() < 0.02 < 0.09 < decays.max() <= 0.1


def test_fine_tuning_is_that_of_transformers(torch, trained, text, english, segmented):
    """The first step's loss and gradients, with dropout off, of a model that transformers made."""
    from transformers import AutoModelForTokenClassification

    from seggrid.base.torch_training import Schedule
    from seggrid.studies.language_model.fine_tuning import fine_tune, make_classifier
    from seggrid.studies.language_model.model import read_language_model

    tags = made_up(english)
    _, vocabulary = read_language_model(trained)
    data = label_tokens([segmented], vocabulary, tags, number_labels(tags), 32)
    model = make_classifier(trained, 2, seed=1)
    twin = AutoModelForTokenClassification.from_pretrained(trained, num_labels=2)
    twin.classifier.load_state_dict(model.classifier.state_dict())
    for own in (model, twin):
        for part in own.modules():
            if isinstance(part, torch.nn.Dropout):
                part.p = 0.0
    gradients = {}

    class Keep(torch.optim.SGD):
        def step(self):
            gradients.update({n: p.grad.clone() for n, p in model.named_parameters()})

    schedule = Schedule(len(data.ids), 7, 0.1, 1)
    ((_, loss),) = fine_tune(model, Keep(model.parameters(), lr=0.1), data, schedule, range(1))
    ids = torch.from_numpy(data.ids.astype(np.int64))
    expected = twin.train()(
        ids, attention_mask=(ids != PAD).long(), labels=torch.from_numpy(data.labels)
    ).loss
    expected.backward()
    assert loss == pytest.approx(float(expected.detach()), abs=1e-5)
    for name, p in twin.named_parameters():
        assert torch.allclose(gradients[name], p.grad, atol=1e-6), name


FILES = {
    "words": ("Der\tO\nBerg\tB-LOC\n\nEr\tO\nsieht\tO\nden\tO\nBerg\tB-LOC\n", "Er\tO\nden\tO\n"),
    "entities": ("Der\tO\nrote\tB-LOC\nBerg\tI-LOC\n\nEr\tB-PER\nsieht\tO\nBerg\tB-LOC\n", "Er\tB-PER\n"),
    "sentences": ("good\tthe good house\nbad\tthe bad house\n", "good\ta good cat\n"),
    "sentence_pairs": ("yes\tthe house\ta house\nno\tthe cat\ta house\n", "no\tthe cat\tthe house\n"),
}  # fmt: skip


@pytest.mark.parametrize("kind", FILES)
def test_a_made_up_task_of_files_is_learned(trained, text, script, tmp_path, kind):
    files = []
    for what, content in zip(("train", "test"), FILES[kind], strict=True):
        (tmp_path / what).write_text(content)
        files.append(f"--{what}-file={tmp_path / what}")
    # Tested on what it was trained on: that much must be learned.
    files[1] = f"--test-file={tmp_path / 'train'}"
    output = tmp_path / "1.npz"
    script(
        "language_model_task", *tuning(text, trained, output, *files, f"--kind={kind}", steps=60)
    )
    scores = read_model_scores(output, TaskScores)
    assert scores.right.tolist() == scores.given.tolist() == scores.predicted.tolist()
    assert scores.given.tolist() == {"words": [2, 4], "entities": [1, 2]}.get(kind, [1, 1])
    # Of entities, the baseline labels the second Berg as the first of two equally frequent labels, B-LOC, but
    # also the first one, so that the entity of two words is missed.
    assert scores.baseline_right.sum() == {"words": 6, "entities": 2}.get(kind, 1)
    assert scores.baseline_predicted.sum() == {"words": 6, "entities": 4}.get(kind, 2)
    files[1] = f"--test-file={tmp_path / 'test'}"
    script("language_model_task", *tuning(text, trained, output, *files, f"--kind={kind}", steps=2))
    assert len(read_model_scores(output, TaskScores).given) == 1


@pytest.mark.parametrize(
    ("kind", "content", "line", "told"),
    [
        ("words", "a\tX\nb\n", 2, "'b' is not a word and its label"),
        ("words", "-DOCSTART- -X- O\n\n", None, "no example"),
        ("words", "a\t\n", 1, "is not a word and its label"),
        ("entities", "a\tO\nb\tLOC\n", 2, "'LOC' is not the label of an entity"),
        ("entities", "a\tO\nb\tO\n", None, "no entity: every label is O"),
        ("sentences", "good\ta cat\nvery good\ta cat\n", 2, "not a label without spaces and a"),
        ("sentence_pairs", "yes\ta cat\t\n", 1, "not a label without spaces and a text and a text"),
        ("sentences", "good\ta ▁cat\n", 1, "the character U+2581"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(tmp_path, kind, content, line, told):
    (tmp_path / "file").write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_examples(tmp_path / "file", kind)
    assert told in str(error.value)
    assert error.value.line == line


def test_columns_of_conll_are_read(tmp_path):
    (tmp_path / "file").write_text("-DOCSTART- -X- O\n\nEU NNP B-ORG\nrejects VBZ O\n\n\nHe PRP O")
    (sentences,), labels = read_examples(tmp_path / "file", "words")
    assert sentences == [["EU", "rejects"], ["He"]]
    assert labels == [["B-ORG", "O"], ["O"]]
    # Words are separated as in a text: by spaces alone.
    (tmp_path / "file").write_text("10\u00a0000\tB-NUM\n今日\u3000は NOUN\n", "utf-8")
    assert read_examples(tmp_path / "file", "words").texts == [[["10\u00a0000", "今日\u3000は"]]]


def scored(right, trained=9):
    right = np.array(right)
    five, ten = np.full(len(right), 5), np.full(len(right), 10)
    return TaskScores(
        right, ten, ten, five, ten, np.array([trained]), np.array([3, 60]), np.zeros(2)
    )


def test_the_table_has_mean_deviation_and_interval(tmp_path, script, tagged):
    seeds = [scored([8, 9, 7]), scored([9, 9, 9]), scored([10, 9, 8])]
    labels = {("m", "pos"): ("silver (HanTa)", "accuracy"), ("n", "x"): ("given", "accuracy")}
    labels["n2", "x"] = labels["n", "x"]
    runs = {("m", "pos"): seeds, ("n", "x"): seeds[:1], ("n2", "x"): seeds[2:]}
    table = task_table(runs, labels, {"both": ["n", "n2"]}, rounds=300, seed=1)
    first, second, _, together = table.to_dict("records")
    assert (together["model"], together["task"], together["seeds"]) == ("both", "x", 2)
    assert together["score"] == pytest.approx((24 + 27) / 60)
    assert first["gain"] == pytest.approx(first["score"] - 0.5)
    assert (first["gain_low"] > 0, first["verdict"]) == (True, "above baseline")
    assert pd.isna(first["validation"])
    assert first["unknown"] == 0.05
    assert (first["labels"], first["seeds"], first["tested"]) == ("silver (HanTa)", 3, 30)
    assert first["score"] == pytest.approx((24 + 27 + 27) / 90)
    assert first["score_sd"] == pytest.approx(np.std([0.8, 0.9, 0.9], ddof=1))
    assert first["score_low"] < first["score"] < first["score_high"]
    assert first["baseline"] == 0.5
    assert second["score_sd"] is None or np.isnan(second["score_sd"])
    tasks = json.dumps([["bpe", "pos", "silver (HanTa)", "accuracy", 2, "bpe"]])
    output = tmp_path / "tasks.csv"
    script(
        "language_model_task_table",
        *("--scores", tagged, tagged, f"--names={tasks}", "--resamples=200", "--seed=1"),
        f"--output={output}",
    )
    header, row = output.read_text().splitlines()
    assert header.startswith("model,task,labels,measure,seeds,trained,sentences,tested,unknown,")
    assert row.startswith("bpe,pos,silver (HanTa),accuracy,2,")


def test_the_score_of_entities_is_f1_of_precision_and_recall():
    right, given, predicted = np.array([3, 1]), np.array([4, 3]), np.array([5, 3])
    scores = TaskScores(
        right, given, predicted, right, given, np.array([9]), np.array([0, 9]), np.zeros(2)
    )
    precision, recall = 4 / 8, 4 / 7
    expected = 2 * precision * recall / (precision + recall)
    row = task_table(
        {("m", "ner"): [scores]}, {("m", "ner"): ("given", "F1 of entities")}, rounds=300, seed=1
    ).iloc[0]
    assert (row["score"], row["measure"]) == (pytest.approx(expected), "F1 of entities")
    assert row["baseline"] == pytest.approx(2 * 4 / 14)
    assert row["tested"] == 7


# Entities of labeled words, against conlleval's rules as a table


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("O O", []),
        ("B-X I-X I-X", [(0, 2, "X")]),
        ("I-X I-X", [(0, 1, "X")]),
        ("B-X B-X", [(0, 0, "X"), (1, 1, "X")]),
        ("B-X I-Y", [(0, 0, "X"), (1, 1, "Y")]),
        ("S-X I-X", [(0, 0, "X"), (1, 1, "X")]),
        ("B-X E-X E-X", [(0, 1, "X"), (2, 2, "X")]),
        ("B-X O I-X", [(0, 0, "X"), (2, 2, "X")]),
        ("B-X S-X B-X", [(0, 0, "X"), (1, 1, "X"), (2, 2, "X")]),
        ("B-A-B I-A-B", [(0, 1, "A-B")]),
    ],
)
def test_entities_are_those_of_conlleval(labels, expected):
    assert sorted(entities(labels.split())) == expected
