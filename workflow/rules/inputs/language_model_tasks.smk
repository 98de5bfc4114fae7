"""Inputs and parameters of the rules in ../language_model_tasks.smk."""

from seggrid.language_model.presets import PRESETS

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
    return options(given | costs.duration_of(own))


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
