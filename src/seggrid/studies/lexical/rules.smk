"""The lexical tokenizer on words of its part of speech, beside others of the same size.

Input: the tagged text, and the models of other segmentations of the same size; for alignments, the scores and counts.
Output: results/lexical/{pair}/{side}/{spec}.csv, results/lexical.csv, results/lexical_alignment.csv
Config: pairs.*.*.language, pairs.*.*.morphemes, seed, report.resamples
"""

from seggrid.studies.lexical.inputs import LexicalInputs

LEXICAL = LexicalInputs(GRID, FILES)


rule lexical:
    input:
        corpus=lambda wc: LEXICAL.side(wc).text,
        model=lambda wc: LEXICAL.side(wc).model,
        models=LEXICAL.models,
        morphemes=LEXICAL.morphemes_of_text,
    output:
        pattern("lexical"),
    log:
        log_of("lexical"),
    conda:
        environment_file("seggrid")
    resources:
        **needs("report"),
    params:
        **LEXICAL.job("lexical", lambda wc: ["seggrid.segment.lexical"]),
        content=content(LEXICAL.morphemes_of_text),
        format=lambda wc: format_of(LEXICAL.side(wc).settings.morphemes),
        language=lambda wc: CONFIG.pairs[wc.pair].languages[wc.side],
        others=LEXICAL.others,
        seed=CONFIG.seed,
        resamples=CONFIG.report.resamples,
    shell:
        "{params.script:q} --corpus={input.corpus:q} --model={input.model:q}"
        " --spec={wildcards.spec:q} --pair={wildcards.pair:q} --side={wildcards.side:q}"
        " --language={params.language:q} --morphemes={input.morphemes:q} --format={params.format:q}"
        " --others {params.others:q} --models {input.models:q} --seed={params.seed:q}"
        " --resamples={params.resamples:q} --output={output:q} 2> {log:q}"


rule lexical_table:
    input:
        tables=LEXICAL.tables,
    output:
        table("lexical.csv"),
    log:
        table("logs/lexical.log"),
    localrule: True
    conda:
        environment_file("seggrid")
    params:
        **job("stack_tables"),
    shell:
        "{params.script:q} --tables {input.tables:q} --output={output:q} 2> {log:q}"


rule lexical_alignment:
    input:
        scores=table("scores.csv"),
        counts=table("counts.npz"),
    output:
        table("lexical_alignment.csv"),
    log:
        table("logs/lexical_alignment.log"),
    conda:
        environment_file("seggrid")
    resources:
        **needs("report"),
    params:
        **LEXICAL.job("lexical_alignment"),
        seed=CONFIG.seed,
        resamples=CONFIG.report.resamples,
    shell:
        "{params.script:q} --scores={input.scores:q} --counts={input.counts:q} --seed={params.seed:q}"
        " --resamples={params.resamples:q} --output={output:q} 2> {log:q}"
