"""Beside alignment, measure: intrinsic measures of a segmentation.

Input: the side's corpus, its model or tokenizer, and its segmentation (of samples, the first).
Output: results/measure/{pair}/{side}/{spec}.json
Config: none
"""


rule measure:
    input:
        corpus=lambda wc: GRID.sides.corpus(wc.pair, wc.side, wc.spec),
        model=lambda wc: GRID.sides.model(wc.pair, wc.side, wc.spec) or [],
        tokenizer=lambda wc: ancient(GRID.sides.tokenizer(wc.pair, wc.side, wc.spec) or []),
        joint=lambda wc: GRID.sides.joint_texts(wc.pair, wc.spec),
        segmentation=lambda wc: GRID.alignments.first_sample(wc.pair, wc.side, wc.spec),
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
        code=lambda wc: code("measure", GRID.sides.segmenter_module(wc.spec)),
        content=lambda wc: GRID.files.content(GRID.sides.tokenizer(wc.pair, wc.side, wc.spec)),
        model=lambda wc: GRID.sides.model_options(wc.pair, wc.side, wc.spec),
        joint=lambda wc, input: [f"--learned-from={file}" for file in input.joint],
    shell:
        "{params.script:q} --corpus={input.corpus:q} {params.model:q} {params.joint:q} --spec={wildcards.spec:q}"
        " --segmentation={input.segmentation:q} --output={output:q} 2> {log:q}"
