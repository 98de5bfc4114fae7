"""Inputs and parameters of the rules in ../language_model.smk."""

from seggrid.language_model.presets import PRESETS


def lm(wc):
    """All settings of a language model."""
    return GRID.language_models[wc.lm]


def lm_text(wc):
    """The segmentation of the text of a language model."""
    return GRID.segmented(lm(wc).pair, lm(wc).side, lm(wc).segmentation)


def lm_corpus(wc):
    return outside(lm(wc).text) or lm_text(wc).corpus


def lm_tokens(wc):
    return [] if lm(wc).text else lm_text(wc).path("segment")


def lm_segmenter(wc):
    return model_of(lm_text(wc))


def of_lm_segmenter(wc):
    return [lm_text(wc).registered.__module__]


# The model that this one continues.
def lm_base(wc):
    return [table(f"language_model/{lm(wc).continues}/model")] if lm(wc).continues else []


def lm_settings(wc):
    own = lm(wc)
    given = {"spec": own.segmentation, "format": own.format, "test": own.test}
    return options(given | {"model_format": format_of(lm_text(wc).tokenizer)})


def lm_training(wc):
    own = lm(wc)
    names = ("sequence", "steps", "batch", "device_batch", "learning_rate", "warmup", "precision")
    given = {name: getattr(own, name) for name in (*names, "seed")}
    return options({"preset": own.size, **given})


def lm_resources(work):
    """Memory and time of a job from the work of training."""
    return {
        "mem_mb": lambda wc, attempt: work(wc).mem_mb(attempt),
        "runtime": lambda wc, attempt: work(wc).minutes(attempt),
    }


def lm_work(wc):
    return costs.training(lm(wc))


# The settings of all models for the table; probes and tasks have tables of their own.
def lm_plans(wc):
    rows = []
    for own in GRID.language_models.values():
        values = dict(own)
        del values["probes"], values["tasks"]
        text = "".join(FILES.of(own.text))
        rows.append(values | {"segmentation": str(own.segmentation), "text": text})
    return json.dumps(rows, sort_keys=True)


# What the jobs read that ask a finished model.
SCORED = {
    "corpus": lm_corpus,
    "tokens": lm_tokens,
    "model": lm_segmenter,
    "lm": table("language_model/{lm}/model"),
}

# Every probe, as the names of its model and of the probe.
PROBES = [(name, probe) for name, own in GRID.language_models.items() for probe in own.probes]


def probe_items(wc):
    return outside(lm(wc).probes[wc.probe].file)


def probe_settings(wc):
    return options({"items": "".join(probe_items(wc)), "make": lm(wc).probes[wc.probe].make})


# Every task, as the names of its model and of the task.
TASKS = [(name, task) for name, own in GRID.language_models.items() for task in own.tasks]


def task(wc):
    return lm(wc).tasks[wc.task]


def train_examples(wc):
    return outside(task(wc).train)


def test_examples(wc):
    return outside(task(wc).test)


# The tagged text, if the task is part-of-speech tagging.
def task_tags(wc):
    own = lm_text(wc)
    spec = own.spec.spec("corpus", case="keep")
    tagged = path("tag", pair=own.pair, side=own.side, spec=spec)
    return [tagged] if task(wc).kind == "pos" else []


def task_settings(wc):
    own, model = task(wc), lm(wc)
    given = {"kind": own.kind, "new_words": own.new_words, "examples": own.examples}
    given |= {"precision": model.precision, "device_batch": model.device_batch}
    if own.search:
        given |= {"search": own.search, "validation": own.validation}
    else:
        given["batch"] = own.batch or costs.TASK_BATCH
        given["learning_rate"] = own.learning_rate or PRESETS[model.size].fine_tuning_rate
    files = {"train_file": train_examples, "test_file": test_examples, "tags": task_tags}
    given |= {name: "".join(found(wc)) for name, found in files.items()}
    return options(given | costs.duration_of(own) | {"seed": wc.tuning})


def task_work(wc):
    return costs.fine_tuning(lm(wc), wc.task)


# The score files of all tasks, one for each seed. Models that differ only in their own seed have different seeds here.
def task_scores(wc):
    return [
        table(f"language_model/{name}/tasks/{task}/{seed}.npz")
        for name, task in TASKS
        for seed in GRID.language_models[name].task_seeds(task)
    ]


# What the table says about tasks besides scores: the names of model and task, the origin of the labels, the measure,
# the number of seeds, the model's name without number.
def task_rows(wc):
    rows = []
    for name, task in TASKS:
        model = GRID.language_models[name]
        own = model.tasks[task]
        labels = "silver (HanTa)" if own.kind == "pos" else "given"
        measure = "F1 of entities" if own.kind == "entities" else "accuracy"
        group = name if model.seeds == 1 else name.rpartition("-")[0]
        rows.append([name, task, labels, measure, own.seeds, group])
    return json.dumps(rows)
