"""Stage 2, learn: one model for each side, of which every number of merges is a prefix.

Where a segmenter's models are not so (`nested` in its registration), one for each number.

Input: the side's corpus.
Output: results/learn/{pair}/{side}/{spec}.model
Config: learn_merges (it is in the path, as `learned`)
"""


rule learn:
    input:
        corpus=lambda wc: GRID.corpus(wc.pair, wc.side, wc.spec),
    output:
        pattern("learn"),
    log:
        "results/logs/learn/{pair}/{side}/{spec}.log",
    conda:
        "../envs/seggrid.yaml"
    resources:
        **needs("learn"),
    params:
        script=script("learn"),
        code=lambda wc: code("learn", GRID.learner_module(wc.spec)),
        size=lambda wc: wc.spec.rpartition("learned=")[2],
    shell:
        "{params.script:q} --corpus={input.corpus:q} --spec={wildcards.spec:q}"
        " --size={params.size:q} --output={output:q} 2> {log:q}"
