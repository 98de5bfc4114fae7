"""Beside the alignment stages, morphology: token boundaries against morpheme boundaries, also after pruning.

Input: a morphological reference; a tokenizer from elsewhere, or a segmentation of a pair's text.
Output: results/morphology/{name}.csv, results/morphology/{name}.figures.csv,
        results/morphology.csv, results/knockout.csv (the data of the figures),
        results/tokenizers/{name}/{knockout} (tokenizer.json and others, of a tokenizer that is written)
Config: morphology, seed
"""


rule morphology:
    input:
        unpack(
            lambda wc: (
                {key: ancient(file) for key, file in GRID.morphology.files(wc.name).items()}
                | GRID.morphology.model(wc.name)
            )
        ),
    output:
        table=table("morphology/{name}.csv"),
        figures=table("morphology/{name}.figures.csv"),
    log:
        table("logs/morphology/{name}.log"),
    wildcard_constraints:
        name="|".join(map(re.escape, GRID.morphology.evaluations(pruned=True))) or "(?!)",
    conda:
        "../envs/report.yaml"
    resources:
        **needs("morphology"),
    params:
        script=script("morphology"),
        code=code("morphology"),
        content=lambda wc: GRID.files.content(*GRID.morphology.files(wc.name).values()),
        options=lambda wc: GRID.morphology.options(wc.name),
        seed=GRID.config.seed,
    shell:
        "{params.script:q} --name={wildcards.name:q} {params.options:q} --seed={params.seed:q}"
        " --output={output.table:q} --figures={output.figures:q} 2> {log:q}"


use rule morphology as segmenter_morphology with:
    wildcard_constraints:
        name="|".join(map(re.escape, GRID.morphology.evaluations(pruned=False))) or "(?!)",
    conda:
        "../envs/morphology.yaml"
    params:
        script=script("segmenter_morphology"),
        code=lambda wc: code("segmenter_morphology", GRID.morphology.module(wc.name)),


rule morphology_table:
    input:
        tables=expand(table("morphology/{name}.csv"), name=GRID.config.morphology),
    output:
        result("morphology", "Morphology"),
    log:
        table("logs/morphology.log"),
    localrule: True
    conda:
        "../envs/seggrid.yaml"
    params:
        script=script("morphology_table"),
        code=code("morphology_table"),
    shell:
        "{params.script:q} --tables {input.tables:q} --output={output:q} 2> {log:q}"


use rule morphology_table as knockout_table with:
    input:
        tables=expand(table("morphology/{name}.figures.csv"), name=GRID.config.morphology),
    output:
        table("knockout.csv"),
    log:
        table("logs/knockout.log"),


rule write_tokenizer:
    input:
        unpack(
            lambda wc: (
                {key: ancient(file) for key, file in GRID.morphology.files(wc.name).items()}
                | GRID.morphology.model(wc.name)
            )
        ),
    output:
        directory(table("tokenizers/{name}/{knockout}")),
    log:
        table("logs/tokenizers/{name}/{knockout}.log"),
    wildcard_constraints:
        name="|".join(map(re.escape, GRID.config.morphology)) or "none",
        knockout="[^/]+",
    conda:
        "../envs/report.yaml"
    resources:
        **needs("morphology"),
    params:
        script=script("write_tokenizer"),
        code=code("write_tokenizer"),
        content=lambda wc: GRID.files.content(*GRID.morphology.files(wc.name).values()),
        options=lambda wc: GRID.morphology.tokenizer_options(wc.name),
        seed=GRID.config.seed,
    shell:
        "{params.script:q} {params.options:q} --knockout={wildcards.knockout:q}"
        " --seed={params.seed:q} --output={output:q} 2> {log:q}"
