"""Beside the alignment stages, language models: masked language models of segmented texts.

A finished model is an output, which other models can continue. Until its job has finished, progress is kept in
the folder `progress` next to it, from which an interrupted job resumes. The models are in the folder of the
tables, since their names are only unique within a config.

Input: a side's corpus, its segmentation and the segmenter's model, or a text from outside; the model that is
       continued.
Output: results/language_model/{lm}/model/, results/language_model/{lm}/scores.npz,
        results/language_model.csv, results/language_model_comparisons.csv, results/language_model_losses.csv
Config: language_models, seed
"""

from dataclasses import fields


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
    return [lm_text(wc).registered.module]


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


rule language_model:
    input:
        corpus=lm_corpus,
        tokens=lm_tokens,
        model=lm_segmenter,
        base=lm_base,
    output:
        directory(table("language_model/{lm}/model")),
    log:
        table("logs/language_model/{lm}.log"),
    conda:
        "../envs/language_model.yaml"
    resources:
        **lm_resources(lm_work),
    params:
        **job("language_model", of_lm_segmenter),
        content=content(lm_corpus, lm_segmenter),
        text=lm_settings,
        training=lm_training,
        progress=table("language_model/{lm}/progress"),
    shell:
        "{params.script:q} --corpus={input.corpus:q} --tokens={input.tokens:q} --model={input.model:q}"
        " {params.text:q} --base={input.base:q} {params.training:q} --threads={threads}"
        " --progress={params.progress:q} --output={output:q} 2> {log:q}"


rule language_model_scores:
    input:
        corpus=lm_corpus,
        tokens=lm_tokens,
        model=lm_segmenter,
        lm=table("language_model/{lm}/model"),
    output:
        table("language_model/{lm}/scores.npz"),
    log:
        table("logs/language_model_scores/{lm}.log"),
    conda:
        "../envs/language_model.yaml"
    resources:
        **lm_resources(lm_work),
    params:
        **job("language_model_scores", of_lm_segmenter),
        content=content(lm_corpus, lm_segmenter),
        text=lm_settings,
        progress=table("language_model/{lm}/progress.npz"),
    shell:
        "{params.script:q} --corpus={input.corpus:q} --tokens={input.tokens:q} --model={input.model:q}"
        " {params.text:q} --language-model={input.lm:q} --threads={threads}"
        " --progress={params.progress:q} --output={output:q} 2> {log:q}"


# The settings of all models for the table; probes and tasks have tables of their own.
def lm_plans(wc):
    rows = []
    for own in GRID.language_models.values():
        values = {field.name: getattr(own, field.name) for field in fields(own)}
        del values["probes"], values["tasks"]
        text = "".join(FILES.of(own.text))
        rows.append(values | {"segmentation": str(own.segmentation), "text": text})
    return json.dumps(rows, sort_keys=True)


rule language_model_table:
    input:
        models=expand(table("language_model/{lm}/model"), lm=GRID.language_models),
        scores=expand(table("language_model/{lm}/scores.npz"), lm=GRID.language_models),
    output:
        models=result("language_model", "Language models"),
        comparisons=result(
            "language_model_comparisons", "Language models", caption="language_model"
        ),
        losses=table("language_model_losses.csv"),
    log:
        table("logs/language_model_table.log"),
    conda:
        "../envs/report.yaml"
    resources:
        **needs("report"),
    params:
        **job("language_model_table"),
        plans=lm_plans,
        resamples=CONFIG.report.resamples,
        seed=CONFIG.seed,
    shell:
        "{params.script:q} --models {input.models:q} --scores {input.scores:q}"
        " --plans={params.plans:q} --resamples={params.resamples:q} --seed={params.seed:q}"
        " --output={output.models:q} --comparisons={output.comparisons:q}"
        " --losses={output.losses:q} 2> {log:q}"
