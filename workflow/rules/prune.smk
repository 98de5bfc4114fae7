"""Stage 3, prune: remove the merges of a model that a morphological reference blames (BPE-knockout), or give
merges weights for dropout (the axis dropout_weight).

Input: the learned model; the corpus, whose words are counted; the morphemes, if the variant needs them.
Output: results/prune/{pair}/{side}/{spec}.model
Config: pairs.*.*.morphemes, seed, for the variants that need them
"""


rule prune:
    input:
        model=lambda wc: side(wc).learned,
        corpus=lambda wc: side(wc).corpus,
        morphemes=morphemes,
    output:
        pattern("prune"),
    log:
        log_of("prune"),
    conda:
        "../envs/seggrid.yaml"
    resources:
        **needs("prune"),
    params:
        **job("prune"),
        content=content(morphemes),
        format=lambda wc: format_of(side(wc).morphemes),
        seed=lambda wc: side(wc).prune_seed,
    shell:
        "{params.script:q} --model={input.model:q} --corpus={input.corpus:q}"
        " --morphemes={input.morphemes:q} --format={params.format:q} --spec={wildcards.spec:q}"
        " --pair={wildcards.pair:q} --side={wildcards.side:q} --seed={params.seed:q}"
        " --output={output:q} 2> {log:q}"
