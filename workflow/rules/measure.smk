"""Beside alignment, measure: intrinsic measures of a segmentation.

Input: the side's corpus, its model or tokenizer, and its segmentation (the first sample).
Output: results/measure/{pair}/{side}/{spec}.json
Config: none
"""


rule measure:
    input:
        corpus=lambda wc: side(wc).corpus,
        model=model,
        joint=lambda wc: side(wc).joint,
        segmentation=lambda wc: side(wc).path("segment", GRID.first_part[side(wc)]),
    output:
        pattern("measure"),
    log:
        log_of("measure"),
    priority: 2
    conda:
        "../envs/segmenters.yaml"
    resources:
        **needs("measure"),
    params:
        **job("measure", of_segmenter),
        content=content(model),
        model_format=model_format,
    shell:
        "{params.script:q} --corpus={input.corpus:q} --model={input.model:q}"
        " --model-format={params.model_format:q} --learned-from {input.joint:q} --spec={wildcards.spec:q}"
        " --segmentation={input.segmentation:q} --output={output:q} 2> {log:q}"
