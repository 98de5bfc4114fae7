"""Stage 3, prune: take out of a model what a morphological reference blames (BPE-knockout).

Input: the learnt model, the corpus (whose words are counted), the side's morphemes.
Output: results/prune/{pair}/{side}/{spec}.model
Config: pairs.*.*.morphemes, seed
"""


rule prune:
    input:
        model=lambda wc: GRID.learnt_model(wc.pair, wc.side, wc.spec),
        corpus=lambda wc: GRID.corpus(wc.pair, wc.side, wc.spec),
        morphemes=lambda wc: GRID.morphemes(wc.pair, wc.side),
    output:
        pattern("prune"),
    log:
        "results/logs/prune/{pair}/{side}/{spec}.log",
    benchmark:
        "results/benchmarks/prune/{pair}/{side}/{spec}.tsv"
    conda:
        "../envs/seggrid.yaml"
    resources:
        **needs("prune"),
    params:
        script=script("prune"),
        code=code("prune"),
        format=lambda wc: GRID.config["pairs"][wc.pair][wc.side]["morphemes"]["format"],
        seed=GRID.config["seed"],
    shell:
        "python {params.script:q} --model {input.model:q} --corpus {input.corpus:q}"
        " --morphemes {input.morphemes:q} --format {params.format} --spec {wildcards.spec:q}"
        " --pair {wildcards.pair} --side {wildcards.side} --seed {params.seed}"
        " --output {output:q} 2> {log:q}"
