"""Beside the alignment stages, language models: masked language models of segmented texts. They are scored on held-out
sentences, answer zero-shot probes (multiple-choice items), and learn to label words, sentences or pairs of them.

A finished model is an output, which other models can continue. Until its job has finished, progress is kept in
the folder `progress` next to it, from which an interrupted job resumes. The models are in the folder of the
tables, since their names are only unique within a config.

Input: a side's corpus, its segmentation and the segmenter's model, or a text from outside; the model that is
       continued; the files of probes and tasks, or the tagged text.
Output: results/language_model/{lm}/model/, results/language_model/{lm}/scores.npz,
        results/language_model/{lm}/probes/{probe}.npz,
        results/language_model/{lm}/tasks/{task}/{tuning}.npz, {tuning} being the seed,
        results/language_model{,_comparisons,_losses,_probes,_tasks}.csv
Config: language_models, seed
"""

from seggrid.studies.language_model.inputs import ModelInputs

MODELS = ModelInputs(GRID, FILES)


wildcard_constraints:
    lm=names(MODELS.plans),
    probe="[^/]+",
    task="[^/]+",
    tuning=r"\d+",


rule language_model:
    input:
        corpus=MODELS.corpus,
        tokens=MODELS.tokens,
        model=MODELS.segmenter,
        base=MODELS.base,
    output:
        directory(table("language_model/{lm}/model")),
    log:
        table("logs/language_model/{lm}.log"),
    conda:
        environment_file("torch")
    resources:
        **MODELS.resources(MODELS.work),
    params:
        **MODELS.job("language_model", MODELS.of_own_segmenter),
        content=content(MODELS.corpus, MODELS.segmenter),
        text=MODELS.text_settings,
        training=MODELS.training_settings,
        progress=table("language_model/{lm}/progress"),
    shell:
        "{params.script:q} --corpus={input.corpus:q} --tokens={input.tokens:q} --model={input.model:q}"
        " {params.text:q} --base={input.base:q} {params.training:q} --threads={threads}"
        " --progress={params.progress:q} --output={output:q} 2> {log:q}"


rule language_model_scores:
    input:
        **MODELS.scored,
    output:
        table("language_model/{lm}/scores.npz"),
    log:
        table("logs/language_model_scores/{lm}.log"),
    conda:
        environment_file("torch")
    resources:
        **MODELS.resources(MODELS.work),
    params:
        **MODELS.job("language_model_scores", MODELS.of_own_segmenter),
        content=content(MODELS.corpus, MODELS.segmenter),
        text=MODELS.text_settings,
        asked=[],
        progress=table("language_model/{lm}/progress.npz"),
    shell:
        "{params.script:q} --corpus={input.corpus:q} --tokens={input.tokens:q} --model={input.model:q}"
        " {params.text:q} {params.asked:q} --language-model={input.lm:q} --threads={threads}"
        " --progress={params.progress:q} --output={output:q} 2> {log:q}"


use rule language_model_scores as language_model_probes with:
    input:
        **MODELS.scored,
        probe=MODELS.probe_items,
    output:
        table("language_model/{lm}/probes/{probe}.npz"),
    log:
        table("logs/language_model_probes/{lm}/{probe}.log"),
    params:
        **MODELS.job("language_model_probes", MODELS.of_own_segmenter),
        content=content(MODELS.corpus, MODELS.segmenter, MODELS.probe_items),
        asked=MODELS.probe_settings,
        progress=table("language_model/{lm}/probes/{probe}.progress"),


use rule language_model_scores as language_model_task with:
    input:
        **MODELS.scored,
        train=MODELS.train_examples,
        test=MODELS.test_examples,
        tags=MODELS.task_tags,
    output:
        table("language_model/{lm}/tasks/{task}/{tuning}.npz"),
    log:
        table("logs/language_model_task/{lm}/{task}/{tuning}.log"),
    resources:
        **MODELS.resources(MODELS.task_work),
    params:
        **MODELS.job("language_model_task", MODELS.of_own_segmenter),
        content=content(
            MODELS.corpus, MODELS.segmenter, MODELS.train_examples, MODELS.test_examples
        ),
        asked=MODELS.task_settings,
        progress=table("language_model/{lm}/tasks/{task}/{tuning}.progress"),


rule language_model_table:
    input:
        models=expand(table("language_model/{lm}/model"), lm=MODELS.plans),
        scores=expand(table("language_model/{lm}/scores.npz"), lm=MODELS.plans),
    output:
        models=result("language_model", "Language models"),
        comparisons=result("language_model_comparisons", "Language models"),
        losses=table("language_model_losses.csv"),
    log:
        table("logs/language_model_table.log"),
    conda:
        environment_file("seggrid")
    resources:
        **needs("report"),
    params:
        **MODELS.job("language_model_table"),
        plans=MODELS.plans_of_table,
        resamples=CONFIG.report.resamples,
        seed=CONFIG.seed,
    shell:
        "{params.script:q} --models {input.models:q} --scores {input.scores:q}"
        " --plans={params.plans:q} --resamples={params.resamples:q} --seed={params.seed:q}"
        " --output={output.models:q} --comparisons={output.comparisons:q}"
        " --losses={output.losses:q} 2> {log:q}"


rule language_model_probe_table:
    input:
        [table(f"language_model/{name}/probes/{probe}.npz") for name, probe in MODELS.probes],
    output:
        result("language_model_probes", "Language models"),
    log:
        table("logs/language_model_probe_table.log"),
    conda:
        environment_file("seggrid")
    resources:
        **needs("report"),
    params:
        **MODELS.job("language_model_probe_table"),
        names=lambda wc: json.dumps(MODELS.probes),
        resamples=CONFIG.report.resamples,
        seed=CONFIG.seed,
    shell:
        "{params.script:q} --scores {input:q} --names={params.names:q}"
        " --resamples={params.resamples:q} --seed={params.seed:q} --output={output:q} 2> {log:q}"


use rule language_model_probe_table as language_model_task_table with:
    input:
        MODELS.task_scores,
    output:
        result("language_model_tasks", "Language models"),
    log:
        table("logs/language_model_task_table.log"),
    params:
        **MODELS.job("language_model_task_table"),
        names=MODELS.task_rows,
