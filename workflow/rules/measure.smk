"""Beside alignment, measure: how long, how fragmented, how even a segmentation's tokens are.

Input: the side's corpus, its model, and its segmentation (of dropout, the first sample).
Output: results/measure/{pair}/{side}/{spec}.json
Config: none
"""


rule measure:
    input:
        corpus=lambda wc: GRID.corpus(wc.pair, wc.side, wc.spec),
        model=lambda wc: GRID.model(wc.pair, wc.side, wc.spec) or [],
        segmentation=lambda wc: GRID.first_sample(wc.pair, wc.side, wc.spec),
    output:
        pattern("measure"),
    log:
        "results/logs/measure/{pair}/{side}/{spec}.log",
    conda:
        "../envs/seggrid.yaml"
    resources:
        **needs("measure"),
    params:
        script=script("measure"),
        code=lambda wc: code("measure", GRID.segmenter_module(wc.spec)),
        model=lambda wc, input: [f"--model={input.model}"] if input.model else [],
    shell:
        "{params.script:q} --corpus={input.corpus:q} {params.model:q} --spec={wildcards.spec:q}"
        " --segmentation={input.segmentation:q} --output={output:q} 2> {log:q}"
