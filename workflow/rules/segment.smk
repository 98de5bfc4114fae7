"""Stage 4, segment: cut one side into tokens, once or, with dropout or sampling, once for each sample.

Input: the side's corpus, and its model or a tokenizer from elsewhere; its tags, if the segmenter reads them.
Output: results/segment/{pair}/{side}/{spec}/{part}.npz
Config: seed, for samples; pairs.*.*.tokenizers
"""


rule segment:
    input:
        corpus=lambda wc: side(wc).corpus,
        tags=lambda wc: side(wc).tags,
        model=lambda wc: side(wc).model or [],
        tokenizer=lambda wc: ancient(GRID.files.of(side(wc).tokenizer)),
    output:
        pattern("segment"),
    log:
        "results/logs/segment/{pair}/{side}/{spec}/{part}.log",
    conda:
        "../envs/segmenters.yaml"
    resources:
        **needs("segment"),
    params:
        script=script("segment"),
        tags=lambda wc, input: [f"--tags={file}" for file in input.tags],
        code=lambda wc: code("segment", side(wc).module),
        content=lambda wc: GRID.files.content(*GRID.files.of(side(wc).tokenizer)),
        model=lambda wc: GRID.sides.model_options(side(wc)),
        seed=lambda wc: side(wc).seed,
    shell:
        "{params.script:q} --corpus={input.corpus:q} {params.tags:q} {params.model:q} --pair={wildcards.pair:q}"
        " --side={wildcards.side:q} --spec={wildcards.spec:q} --part={wildcards.part:q}"
        " --seed={params.seed:q} --threads={threads} --output={output:q} 2> {log:q}"
