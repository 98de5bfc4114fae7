"""Beside the alignment stages, lexical: the lexical tokenizer on words of its part of speech.

Input: the text and its tags; the lexical model and the models of other segmentations of the same size; morphemes;
       for alignments, the scores and counts.
Output: results/lexical/{pair}/{side}/{spec}.csv, results/lexical.csv, results/lexical_alignment.csv
Config: pairs.*.*.language, pairs.*.*.morphemes, seed, report.resamples
"""


rule lexical:
    input:
        corpus=lambda wc: side(wc).corpus,
        tags=lambda wc: side(wc).tags,
        model=lambda wc: side(wc).model,
        models=lambda wc: [other.model for other in GRID.lexical[side(wc)]],
        morphemes=morphemes_of_text,
    output:
        pattern("lexical"),
    log:
        log_of("lexical"),
    conda:
        "../envs/report.yaml"
    resources:
        **needs("report"),
    params:
        **job("lexical", lambda wc: ["seggrid.segment.lexical"]),
        content=content(morphemes_of_text),
        format=lambda wc: format_of(side(wc).settings.morphemes),
        language=lambda wc: CONFIG.pairs[wc.pair].languages[wc.side],
        others=lambda wc: [str(other.spec) for other in GRID.lexical[side(wc)]],
        seed=CONFIG.seed,
        resamples=CONFIG.report.resamples,
    shell:
        "{params.script:q} --corpus={input.corpus:q} --tags={input.tags:q} --model={input.model:q}"
        " --spec={wildcards.spec:q} --pair={wildcards.pair:q} --side={wildcards.side:q}"
        " --language={params.language:q} --morphemes={input.morphemes:q} --format={params.format:q}"
        " --others {params.others:q} --models {input.models:q} --seed={params.seed:q}"
        " --resamples={params.resamples:q} --output={output:q} 2> {log:q}"


use rule morphology_table as lexical_table with:
    input:
        tables=[own.path("lexical") for own in GRID.lexical],
    output:
        table("lexical.csv"),
    log:
        table("logs/lexical.log"),


rule lexical_alignment:
    input:
        scores=table("scores.csv"),
        counts=table("counts.npz"),
    output:
        table("lexical_alignment.csv"),
    log:
        table("logs/lexical_alignment.log"),
    conda:
        "../envs/report.yaml"
    resources:
        **needs("report"),
    params:
        **job("lexical_alignment"),
        seed=CONFIG.seed,
        resamples=CONFIG.report.resamples,
    shell:
        "{params.script:q} --scores={input.scores:q} --counts={input.counts:q} --seed={params.seed:q}"
        " --resamples={params.resamples:q} --output={output:q} 2> {log:q}"
