"""Beside alignment, measure: intrinsic measures of a segmentation.

Input: the side's corpus, its model or tokenizer, and its segmentation (the first sample).
Output: results/measure/{pair}/{side}/{spec}.json
Config: none
"""


rule measure:
    input:
        corpus=lambda wc: side(wc).corpus,
        model=lambda wc: side(wc).model or [],
        tokenizer=lambda wc: ancient(GRID.files.of(side(wc).tokenizer)),
        joint=lambda wc: side(wc).joint,
        segmentation=lambda wc: GRID.alignments.first_sample(side(wc)),
    output:
        pattern("measure"),
    log:
        "results/logs/measure/{pair}/{side}/{spec}.log",
    conda:
        "../envs/segmenters.yaml"
    resources:
        **needs("measure"),
    params:
        script=script("measure"),
        code=lambda wc: code("measure", side(wc).module),
        content=lambda wc: GRID.files.content(*GRID.files.of(side(wc).tokenizer)),
        model=lambda wc: GRID.sides.model_options(side(wc)),
        joint=lambda wc, input: [f"--learned-from={file}" for file in input.joint],
    shell:
        "{params.script:q} --corpus={input.corpus:q} {params.model:q} {params.joint:q} --spec={wildcards.spec:q}"
        " --segmentation={input.segmentation:q} --output={output:q} 2> {log:q}"
