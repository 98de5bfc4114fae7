"""Stage 4, segment: cut one side into tokens, once or, with dropout or sampling, once for each sample.

Input: the side's corpus, and its model or a tokenizer from elsewhere; its tags, if the segmenter reads them.
Output: results/segment/{pair}/{side}/{spec}/{part}.npz
Config: seed, for samples; pairs.*.*.tokenizers
"""


rule segment:
    input:
        corpus=lambda wc: side(wc).corpus,
        tags=lambda wc: side(wc).tags,
        model=model,
    output:
        pattern("segment"),
    log:
        log_of("segment"),
    conda:
        "../envs/segmenters.yaml"
    resources:
        **needs("segment"),
    params:
        **job("segment", of_segmenter),
        content=content(model),
        model_format=model_format,
        seed=lambda wc: side(wc).seed,
    shell:
        "{params.script:q} --corpus={input.corpus:q} --tags={input.tags:q} --model={input.model:q}"
        " --model-format={params.model_format:q} --pair={wildcards.pair:q} --side={wildcards.side:q}"
        " --spec={wildcards.spec:q} --part={wildcards.part:q} --seed={params.seed:q}"
        " --threads={threads} --output={output:q} 2> {log:q}"
