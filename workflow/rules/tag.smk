"""Between corpus and learn, tag: parts of speech of the words of a text, for segmenters that read them.

The text is tagged in its original case, which distinguishes German nouns.

Input: the side's corpus.
Output: results/tag/{pair}/{side}/{spec}.tsv, with the case `keep`
Config: pairs.*.*.language
"""


rule tag:
    input:
        corpus=pattern("corpus"),
    output:
        pattern("tag"),
    log:
        log_of("tag"),
    conda:
        "../envs/segmenters.yaml"
    resources:
        **needs("tag"),
    params:
        **job("tag"),
        language=lambda wc: CONFIG.pairs[wc.pair].languages[wc.side],
    shell:
        "{params.script:q} --corpus={input.corpus:q} --language={params.language:q}"
        " --output={output:q} 2> {log:q}"
