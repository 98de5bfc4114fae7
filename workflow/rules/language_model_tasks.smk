"""After the training of language models, fine-tuning: a model learns to label words, sentences or pairs of them.

Input: a model, the files from which its segmentation is made, and the tagged text or files of examples.
Output: results/language_model/{lm}/tasks/{task}/{tuning}.npz, {tuning} being the seed,
        results/language_model_tasks.csv
Config: language_models.*.tasks, seed
"""

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
    spec = own.spec.spec(CORPUS, case="keep")
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


rule language_model_task:
    input:
        corpus=lm_corpus,
        tokens=lm_tokens,
        model=lm_segmenter,
        train=train_examples,
        test=test_examples,
        tags=task_tags,
        lm=table("language_model/{lm}/model"),
    output:
        table("language_model/{lm}/tasks/{task}/{tuning}.npz"),
    log:
        table("logs/language_model_task/{lm}/{task}/{tuning}.log"),
    conda:
        "../envs/language_model.yaml"
    resources:
        **lm_resources(task_work),
    params:
        **job("language_model_task", of_lm_segmenter),
        content=content(lm_corpus, lm_segmenter, train_examples, test_examples),
        text=lm_settings,
        task=task_settings,
        progress=table("language_model/{lm}/tasks/{task}/{tuning}.progress"),
    shell:
        "{params.script:q} --corpus={input.corpus:q} --tokens={input.tokens:q} --model={input.model:q}"
        " {params.text:q} {params.task:q} --train-file={input.train:q} --test-file={input.test:q}"
        " --tags={input.tags:q} --seed={wildcards.tuning:q} --language-model={input.lm:q}"
        " --threads={threads} --progress={params.progress:q} --output={output:q} 2> {log:q}"


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


rule language_model_task_table:
    input:
        task_scores,
    output:
        result("language_model_tasks", "Language models"),
    log:
        table("logs/language_model_task_table.log"),
    conda:
        "../envs/report.yaml"
    resources:
        **needs("report"),
    params:
        **job("language_model_task_table"),
        tasks=task_rows,
        resamples=CONFIG.report.resamples,
        seed=CONFIG.seed,
    shell:
        "{params.script:q} --scores {input:q} --tasks={params.tasks:q}"
        " --resamples={params.resamples:q} --seed={params.seed:q} --output={output:q} 2> {log:q}"
