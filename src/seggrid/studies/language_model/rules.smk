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


include: "inputs/language_model.smk"


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
        environment_file("torch")
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
        **SCORED,
    output:
        table("language_model/{lm}/scores.npz"),
    log:
        table("logs/language_model_scores/{lm}.log"),
    conda:
        environment_file("torch")
    resources:
        **lm_resources(lm_work),
    params:
        **job("language_model_scores", of_lm_segmenter),
        content=content(lm_corpus, lm_segmenter),
        text=lm_settings,
        asked=[],
        progress=table("language_model/{lm}/progress.npz"),
    shell:
        "{params.script:q} --corpus={input.corpus:q} --tokens={input.tokens:q} --model={input.model:q}"
        " {params.text:q} {params.asked:q} --language-model={input.lm:q} --threads={threads}"
        " --progress={params.progress:q} --output={output:q} 2> {log:q}"


use rule language_model_scores as language_model_probes with:
    input:
        **SCORED,
        probe=probe_items,
    output:
        table("language_model/{lm}/probes/{probe}.npz"),
    log:
        table("logs/language_model_probes/{lm}/{probe}.log"),
    params:
        **job("language_model_probes", of_lm_segmenter),
        content=content(lm_corpus, lm_segmenter, probe_items),
        asked=probe_settings,
        progress=table("language_model/{lm}/probes/{probe}.progress"),


use rule language_model_scores as language_model_task with:
    input:
        **SCORED,
        train=train_examples,
        test=test_examples,
        tags=task_tags,
    output:
        table("language_model/{lm}/tasks/{task}/{tuning}.npz"),
    log:
        table("logs/language_model_task/{lm}/{task}/{tuning}.log"),
    resources:
        **lm_resources(task_work),
    params:
        **job("language_model_task", of_lm_segmenter),
        content=content(lm_corpus, lm_segmenter, train_examples, test_examples),
        asked=task_settings,
        progress=table("language_model/{lm}/tasks/{task}/{tuning}.progress"),


rule language_model_table:
    input:
        models=expand(table("language_model/{lm}/model"), lm=GRID.language_models),
        scores=expand(table("language_model/{lm}/scores.npz"), lm=GRID.language_models),
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
        **job("language_model_table"),
        plans=lm_plans,
        resamples=CONFIG.report.resamples,
        seed=CONFIG.seed,
    shell:
        "{params.script:q} --models {input.models:q} --scores {input.scores:q}"
        " --plans={params.plans:q} --resamples={params.resamples:q} --seed={params.seed:q}"
        " --output={output.models:q} --comparisons={output.comparisons:q}"
        " --losses={output.losses:q} 2> {log:q}"


rule language_model_probe_table:
    input:
        [table(f"language_model/{name}/probes/{probe}.npz") for name, probe in PROBES],
    output:
        result("language_model_probes", "Language models"),
    log:
        table("logs/language_model_probe_table.log"),
    conda:
        environment_file("seggrid")
    resources:
        **needs("report"),
    params:
        **job("language_model_probe_table"),
        names=lambda wc: json.dumps(PROBES),
        resamples=CONFIG.report.resamples,
        seed=CONFIG.seed,
    shell:
        "{params.script:q} --scores {input:q} --names={params.names:q}"
        " --resamples={params.resamples:q} --seed={params.seed:q} --output={output:q} 2> {log:q}"


use rule language_model_probe_table as language_model_task_table with:
    input:
        task_scores,
    output:
        result("language_model_tasks", "Language models"),
    log:
        table("logs/language_model_task_table.log"),
    params:
        **job("language_model_task_table"),
        names=task_rows,
