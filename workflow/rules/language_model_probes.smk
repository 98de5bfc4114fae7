"""After the training of language models, zero-shot probes: multiple-choice items that a model answers.

Input: a model, the files from which its segmentation is made, and the probe's file or the text from which its items are made.
Output: results/language_model/{lm}/probes/{probe}.npz, results/language_model_probes.csv
Config: language_models.*.probes, seed
"""


include: "inputs/language_model_probes.smk"


rule language_model_probes:
    input:
        corpus=lm_corpus,
        tokens=lm_tokens,
        model=lm_segmenter,
        probe=probe_items,
        lm=table("language_model/{lm}/model"),
    output:
        table("language_model/{lm}/probes/{probe}.npz"),
    log:
        table("logs/language_model_probes/{lm}/{probe}.log"),
    conda:
        "../envs/language_model.yaml"
    resources:
        **lm_resources(lm_work),
    params:
        **job("language_model_probes", of_lm_segmenter),
        content=content(lm_corpus, lm_segmenter, probe_items),
        text=lm_settings,
        make=lambda wc: lm(wc).probes[wc.probe].make or "",
        progress=table("language_model/{lm}/probes/{probe}.progress"),
    shell:
        "{params.script:q} --corpus={input.corpus:q} --tokens={input.tokens:q} --model={input.model:q}"
        " {params.text:q} --items={input.probe:q} --make={params.make:q} --language-model={input.lm:q}"
        " --threads={threads} --progress={params.progress:q} --output={output:q} 2> {log:q}"


rule language_model_probe_table:
    input:
        [table(f"language_model/{name}/probes/{probe}.npz") for name, probe in PROBES],
    output:
        result("language_model_probes", "Language models"),
    log:
        table("logs/language_model_probe_table.log"),
    conda:
        "../envs/report.yaml"
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
