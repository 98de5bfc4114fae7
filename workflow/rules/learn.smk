"""Stage 2, learn: the model of a side's segmenter.

One model serves all numbers of merges: a model with fewer merges is a prefix of it. If a segmenter's models are
not nested (`nested` in its registration), there is one model for each number.

Input: the side's corpus, or those of both sides for a joint model; tags and lexicon, if the segmenter reads them.
Output: results/learn/{pair}/{side}/{spec}.model; the side of a joint model is `both`
Config: learn_merges (it is in the path, as `learned`), pairs.*.*.lexicon, pairs.*.*.model
"""


rule learn:
    input:
        corpus=lambda wc: side(wc).texts,
        tags=lambda wc: side(wc).tags,
        lexicon=lexicon,
        ready=ready_merges,
    output:
        pattern("learn"),
    log:
        log_of("learn"),
    wildcard_constraints:
        side="source|target|both",
    conda:
        "../envs/segmenters.yaml"
    resources:
        **needs("learn"),
    params:
        **job("learn", of_segmenter),
        content=content(lexicon, ready_merges),
        size=lambda wc: wc.spec.partition("learned=")[2],
    shell:
        "{params.script:q} --corpus {input.corpus:q} --tags={input.tags:q} --lexicon={input.lexicon:q}"
        " --ready={input.ready:q} --spec={wildcards.spec:q} --size={params.size:q} --output={output:q}"
        " 2> {log:q}"
