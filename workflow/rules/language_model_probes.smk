"""After the training of language models, zero-shot probes: multiple-choice items that a model answers.

Input: a model, the files from which its segmentation is made, and the probe's file or the text from which its items are made.
Output: results/language_model/{lm}/probes/{probe}.npz, results/language_model_probes.csv
Config: language_models.*.probes, seed
"""


rule language_model_probes:
    input:
        unpack(lambda wc: GRID.language_models.text_inputs(wc.lm)),
        outside=lambda wc: ancient(GRID.language_models.outside(wc.lm)),
        given=lambda wc: ancient(GRID.language_models.probe_files(wc.lm, wc.probe)),
        lm=table("language_model/{lm}/model"),
    output:
        table("language_model/{lm}/probes/{probe}.npz"),
    log:
        table("logs/language_model_probes/{lm}/{probe}.log"),
    conda:
        "../envs/language_model.yaml"
    resources:
        mem_mb=lambda wc, attempt: GRID.language_models.needs(wc.lm, attempt)[0],
        runtime=lambda wc, attempt: GRID.language_models.needs(wc.lm, attempt)[1],
    params:
        script=script("language_model_probes"),
        code=lambda wc: code("language_model_probes", GRID.language_models.module(wc.lm)),
        content=lambda wc: GRID.files.content(
            *GRID.language_models.outside(wc.lm),
            *GRID.language_models.probe_files(wc.lm, wc.probe),
        ),
        text=lambda wc: GRID.language_models.text_options(wc.lm),
        given=lambda wc: GRID.language_models.probe_options(wc.lm, wc.probe),
        progress=lambda wc: f"{GRID.language_models.place(wc.lm)}/probes/{wc.probe}.progress",
    shell:
        "{params.script:q} {params.text:q} {params.given:q} --language-model={input.lm:q}"
        " --threads={threads} --progress={params.progress:q} --output={output:q} 2> {log:q}"


rule language_model_probe_table:
    input:
        lambda wc: GRID.language_models.probe_scores(),
    output:
        result("language_model_probes", "Language models"),
    log:
        table("logs/language_model_probe_table.log"),
    conda:
        "../envs/report.yaml"
    resources:
        **needs("report"),
    params:
        script=script("language_model_probe_table"),
        code=code("language_model_probe_table"),
        names=lambda wc: json.dumps(GRID.language_models.probes),
        resamples=GRID.config.report.resamples,
        seed=GRID.config.seed,
    shell:
        "{params.script:q} --scores {input:q} --names={params.names:q}"
        " --resamples={params.resamples:q} --seed={params.seed:q} --output={output:q} 2> {log:q}"
