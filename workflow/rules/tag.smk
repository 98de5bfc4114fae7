"""Between corpus and learn, tag: the words of a text with their parts of speech.

For segmenters that look at them. Of the text in its own case, which tells nouns of German.

Input: the side's corpus.
Output: results/tag/{pair}/{side}/{spec}.tsv, of the case `keep`
Config: pairs.*.*.language
"""


rule tag:
    input:
        corpus=pattern("corpus"),
    output:
        pattern("tag"),
    log:
        "results/logs/tag/{pair}/{side}/{spec}.log",
    conda:
        "../envs/tag.yaml"
    resources:
        **needs("tag"),
    params:
        script=script("tag"),
        code=code("tag"),
        language=lambda wc: GRID.language(wc.pair, wc.side),
    shell:
        "{params.script:q} --corpus={input.corpus:q} --language={params.language:q}"
        " --output={output:q} 2> {log:q}"
