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
        lexicon=lambda wc: ancient(GRID.files.of(side(wc).lexicon)),
        ready=lambda wc: ancient(GRID.files.of(side(wc).ready)),
    output:
        pattern("learn"),
    log:
        "results/logs/learn/{pair}/{side}/{spec}.log",
    wildcard_constraints:
        side="source|target|both",
    conda:
        "../envs/segmenters.yaml"
    resources:
        **needs("learn"),
    params:
        script=script("learn"),
        tags=lambda wc, input: [f"--tags={file}" for file in input.tags],
        code=lambda wc: code("learn", side(wc).learner),
        content=lambda wc: GRID.files.content(
            *GRID.files.of(side(wc).lexicon), *GRID.files.of(side(wc).ready)
        ),
        lexicon=lambda wc, input: [f"--lexicon={file}" for file in input.lexicon],
        ready=lambda wc, input: [f"--ready={file}" for file in input.ready],
        size=lambda wc: [f"--size={size}" for size in wc.spec.partition("learned=")[2:] if size],
    shell:
        "{params.script:q} --corpus {input.corpus:q} {params.tags:q} {params.lexicon:q} {params.ready:q} --spec={wildcards.spec:q}"
        " {params.size:q} --output={output:q} 2> {log:q}"
