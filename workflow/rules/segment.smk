"""Stage 4, segment: cut one side into tokens, once or, with dropout, once a sample.

Input: the side's corpus and model; where the segmenter looks at them, its tags.
Output: results/segment/{pair}/{side}/{spec}/{part}.npz
Config: seed, for dropout
"""


rule segment:
    input:
        corpus=lambda wc: GRID.corpus(wc.pair, wc.side, wc.spec),
        tags=lambda wc: GRID.tags(wc.pair, wc.side, wc.spec),
        model=lambda wc: GRID.model(wc.pair, wc.side, wc.spec) or [],
    output:
        pattern("segment"),
    log:
        "results/logs/segment/{pair}/{side}/{spec}/{part}.log",
    conda:
        "../envs/seggrid.yaml"
    resources:
        **needs("segment"),
    params:
        script=script("segment"),
        tags=lambda wc, input: [f"--tags={file}" for file in input.tags],
        code=lambda wc: code("segment", GRID.segmenter_module(wc.spec)),
        model=lambda wc, input: [f"--model={input.model}"] if input.model else [],
        seed=lambda wc: GRID.segment_seed(wc.spec),
    shell:
        "{params.script:q} --corpus={input.corpus:q} {params.tags:q} {params.model:q} --pair={wildcards.pair:q}"
        " --side={wildcards.side:q} --spec={wildcards.spec:q} --part={wildcards.part:q}"
        " --seed={params.seed:q} --threads={threads} --output={output:q} 2> {log:q}"
