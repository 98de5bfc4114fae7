"""Beside the alignment stages, morphology: how tokens meet morphemes, before and after pruning.

Input: a morphological reference; a tokeniser from elsewhere, or the model learnt on a pair's text.
Output: results/morphology/{name}.csv, results/morphology.csv
Config: morphology, seed
"""


rule morphology:
    input:
        unpack(lambda wc: GRID.morphology_inputs(wc.name)),
    output:
        "results/morphology/{name}.csv",
    log:
        "results/logs/morphology/{name}.log",
    benchmark:
        "results/benchmarks/morphology/{name}.tsv"
    conda:
        "../envs/report.yaml"
    params:
        script=script("morphology"),
        code=code("morphology"),
        arguments=lambda wc, input: GRID.morphology_arguments(wc.name, input),
        seed=GRID.config["seed"],
    shell:
        "python {params.script:q} --name {wildcards.name} {params.arguments} --seed {params.seed}"
        " --output {output:q} 2> {log:q}"


rule morphology_table:
    input:
        expand("results/morphology/{name}.csv", name=GRID.config["morphology"]),
    output:
        report(
            "results/morphology.csv",
            caption="../report/morphology.rst",
            category="Morphology",
            labels={"table": "boundaries"},
        ),
    log:
        "results/logs/morphology.log",
    localrule: True
    conda:
        "../envs/report.yaml"
    # The tables have the same columns: one header, then all rows.
    shell:
        "awk 'NR == 1 || FNR > 1' {input:q} > {output:q} 2> {log:q}"
