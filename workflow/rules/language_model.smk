"""Beside the alignment stages, language models: masked language models of segmented texts.

A finished model is an output, which other models can continue. Until its job has finished, progress is kept in
the folder `progress` next to it, from which an interrupted job resumes.

Input: a side's corpus, its segmentation and the segmenter's model, or a text from outside; the model that is
       continued.
Output: results/language_model/{lm}/model/, results/language_model/{lm}/scores.npz,
        results/language_model.csv, results/language_model_comparisons.csv, results/language_model_losses.csv
Config: language_models, seed
"""


rule language_model:
    input:
        unpack(lambda wc: GRID.language_models.text_inputs(wc.lm)),
        outside=lambda wc: ancient(GRID.language_models.outside(wc.lm)),
        base=lambda wc: GRID.language_models.base(wc.lm),
    output:
        directory(table("language_model/{lm}/model")),
    log:
        table("logs/language_model/{lm}.log"),
    conda:
        "../envs/language_model.yaml"
    resources:
        mem_mb=lambda wc, attempt: GRID.language_models.needs(wc.lm, attempt)[0],
        runtime=lambda wc, attempt: GRID.language_models.needs(wc.lm, attempt)[1],
    params:
        script=script("language_model"),
        code=lambda wc: code("language_model", GRID.language_models.module(wc.lm)),
        content=lambda wc: GRID.files.content(*GRID.language_models.outside(wc.lm)),
        text=lambda wc: GRID.language_models.text_options(wc.lm),
        options=lambda wc: GRID.language_models.options(wc.lm),
        progress=lambda wc: f"{GRID.language_models.place(wc.lm)}/progress",
    shell:
        "{params.script:q} {params.text:q} {params.options:q} --threads={threads}"
        " --progress={params.progress:q} --output={output:q} 2> {log:q}"


rule language_model_scores:
    input:
        unpack(lambda wc: GRID.language_models.text_inputs(wc.lm)),
        outside=lambda wc: ancient(GRID.language_models.outside(wc.lm)),
        lm=table("language_model/{lm}/model"),
    output:
        table("language_model/{lm}/scores.npz"),
    log:
        table("logs/language_model_scores/{lm}.log"),
    conda:
        "../envs/language_model.yaml"
    resources:
        mem_mb=lambda wc, attempt: GRID.language_models.needs(wc.lm, attempt)[0],
        runtime=lambda wc, attempt: GRID.language_models.needs(wc.lm, attempt)[1],
    params:
        script=script("language_model_scores"),
        code=lambda wc: code("language_model_scores", GRID.language_models.module(wc.lm)),
        content=lambda wc: GRID.files.content(*GRID.language_models.outside(wc.lm)),
        text=lambda wc: GRID.language_models.text_options(wc.lm),
        progress=lambda wc: f"{GRID.language_models.place(wc.lm)}/progress.npz",
    shell:
        "{params.script:q} {params.text:q} --language-model={input.lm:q} --threads={threads}"
        " --progress={params.progress:q} --output={output:q} 2> {log:q}"


rule language_model_table:
    input:
        models=lambda wc: list(map(GRID.language_models.folder, GRID.language_models.plans)),
        scores=lambda wc: GRID.language_models.scores(),
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
        script=script("language_model_table"),
        code=code("language_model_table"),
        # A function, since Snakemake would take braces in a string for wildcards.
        plans=lambda wc: GRID.language_models.table_options(),
        resamples=GRID.config.report.resamples,
        seed=GRID.config.seed,
    shell:
        "{params.script:q} --models {input.models:q} --scores {input.scores:q}"
        " --plans={params.plans:q} --resamples={params.resamples:q} --seed={params.seed:q}"
        " --output={output.models:q} --comparisons={output.comparisons:q}"
        " --losses={output.losses:q} 2> {log:q}"
