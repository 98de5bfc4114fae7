"""Stage 3, prune: remove the merges of a model that a morphological reference blames (BPE-knockout), or give
merges weights for dropout (the axis dropout_weight).

Input: the learned model; the corpus, whose words are counted; the morphemes, if the variant needs them.
Output: results/prune/{pair}/{side}/{spec}.model
Config: pairs.*.*.morphemes, seed, for the variants that need them
"""


rule prune:
    input:
        model=lambda wc: GRID.sides.learned_model(wc.pair, wc.side, wc.spec),
        corpus=lambda wc: GRID.sides.corpus(wc.pair, wc.side, wc.spec),
        morphemes=lambda wc: ancient(GRID.sides.morphemes(wc.pair, wc.side, wc.spec) or []),
    output:
        pattern("prune"),
    log:
        "results/logs/prune/{pair}/{side}/{spec}.log",
    conda:
        "../envs/seggrid.yaml"
    resources:
        **needs("prune"),
    params:
        script=script("prune"),
        code=code("prune"),
        content=lambda wc: GRID.files.content(GRID.sides.morphemes(wc.pair, wc.side, wc.spec)),
        morphemes=lambda wc: GRID.sides.morphemes_options(wc.pair, wc.side, wc.spec),
        seed=lambda wc: GRID.sides.prune_seed(wc.spec),
    shell:
        "{params.script:q} --model={input.model:q} --corpus={input.corpus:q}"
        " {params.morphemes:q} --spec={wildcards.spec:q} --pair={wildcards.pair:q}"
        " --side={wildcards.side:q} --seed={params.seed:q} --output={output:q} 2> {log:q}"
