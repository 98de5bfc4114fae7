"""Stage 1, corpus: a pair's texts and gold links, converted to one format; and the parts of speech of a text, for
segmenters that read them.

Input: the files that the config names, local or downloaded; if only some lines are used, the numbers of the lines
       with gold, which are always among them.
Output: results/corpus/{pair}/{side}/{spec}.txt, where spec is `case={case}`, followed by
        `+sentences={sentences}` if not all are kept; results/gold/{pair}.npz; results/gold_lines/{pair}.npz,
        the numbers of the lines with gold; results/tag/{pair}/{side}/{spec}.txt
Config: pairs
"""


rule corpus:
    input:
        text=INPUTS.text_files,
        gold_lines=INPUTS.lines_that_stay,
    output:
        pattern("corpus"),
    log:
        log_of("corpus"),
    conda:
        environment_file("seggrid")
    resources:
        **needs("corpus"),
    params:
        **job("corpus"),
        content=content(INPUTS.text_files),
        texts=lambda wc: options(FILES.layout(wc.pair, wc.side)),
    shell:
        "{params.script:q} {params.texts:q} --spec={wildcards.spec:q} --gold-lines={input.gold_lines:q}"
        " --output={output:q} 2> {log:q}"


# For a pair without gold, some sentences are chosen to take the place of gold sentences.
rule gold:
    input:
        gold=INPUTS.gold_files,
        texts=INPUTS.gold_texts,
    output:
        pattern("gold"),
    log:
        log_of("gold"),
    priority: 2
    conda:
        environment_file("seggrid")
    resources:
        **needs("gold"),
    params:
        **job("gold"),
        content=content(INPUTS.gold_files, INPUTS.gold_texts),
        options=lambda wc: options(FILES.gold_settings(wc.pair)),
        only_lines=False,
    shell:
        "{params.script:q} --gold {input.gold:q} {params.options:q} --only-lines={params.only_lines:q}"
        " --output={output:q} 2> {log:q}"


# The numbers of the lines with gold are in a file of their own, whose parameter is a digest of these numbers: so a
# changed link does not rerun alignments.
use rule gold as gold_lines with:
    output:
        pattern("gold_lines"),
    log:
        log_of("gold_lines"),
    params:
        content=lambda wc: FILES.gold_lines_digest(wc.pair),
        only_lines=True,


# The text is tagged in its original case, which distinguishes German nouns.
rule tag:
    input:
        corpus=INPUTS.in_original_case,
    output:
        pattern("tag"),
    log:
        log_of("tag"),
    conda:
        environment_file("seggrid")
    resources:
        **needs("tag"),
    params:
        **job("tag"),
        language=lambda wc: CONFIG.pairs[wc.pair].languages[wc.side],
    shell:
        "{params.script:q} --corpus={input.corpus:q} --spec={wildcards.spec:q}"
        " --language={params.language:q} --output={output:q} 2> {log:q}"
