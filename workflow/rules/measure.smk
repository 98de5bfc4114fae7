"""Beside alignment, measure: intrinsic measures of a segmentation.

Input: the side's corpus, its model or tokenizer, and its segmentation (of samples, the first).
Output: results/measure/{pair}/{side}/{spec}.json
Config: none
"""


rule measure:
    input:
        corpus=lambda wc: GRID.corpus(wc.pair, wc.side, wc.spec),
        model=lambda wc: GRID.model(wc.pair, wc.side, wc.spec) or [],
        tokenizer=lambda wc: ancient(GRID.tokenizer(wc.pair, wc.side, wc.spec) or []),
        joint=lambda wc: GRID.joint_texts(wc.pair, wc.spec),
        segmentation=lambda wc: GRID.first_sample(wc.pair, wc.side, wc.spec),
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
        code=lambda wc: code("measure", GRID.segmenter_module(wc.spec)),
        content=lambda wc: GRID.content(GRID.tokenizer(wc.pair, wc.side, wc.spec)),
        model=lambda wc: GRID.model_options(wc.pair, wc.side, wc.spec),
        joint=lambda wc, input: [f"--learned-from={file}" for file in input.joint],
    shell:
        "{params.script:q} --corpus={input.corpus:q} {params.model:q} {params.joint:q} --spec={wildcards.spec:q}"
        " --segmentation={input.segmentation:q} --output={output:q} 2> {log:q}"
