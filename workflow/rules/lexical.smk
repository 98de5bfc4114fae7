"""Beside the alignment stages, lexical: the lexical tokenizer on words of its part of speech.

Input: the text and its tags, the models of it and of other segmentations of the same size, the morphemes;
       for alignments, the scores and counts.
Output: results/lexical/{pair}/{side}/{spec}.csv, results/lexical.csv, results/lexical_alignment.csv
Config: pairs.*.*.language, pairs.*.*.morphemes, seed, report.resamples
"""


rule lexical:
    input:
        corpus=lambda wc: GRID.sides.corpus(wc.pair, wc.side, wc.spec),
        tags=lambda wc: GRID.sides.tags(wc.pair, wc.side, wc.spec),
        model=lambda wc: GRID.sides.model(wc.pair, wc.side, wc.spec),
        models=lambda wc: [
            GRID.sides.model(wc.pair, wc.side, other) for other in GRID.lexical.beside(*wc)
        ],
        morphemes=lambda wc: ancient(GRID.lexical.reference(wc.pair, wc.side)),
    output:
        pattern("lexical"),
    log:
        "results/logs/lexical/{pair}/{side}/{spec}.log",
    conda:
        "../envs/report.yaml"
    resources:
        **needs("report"),
    params:
        script=script("lexical"),
        code=code("lexical", "seggrid.segment.lexical.segmenter"),
        content=lambda wc: GRID.files.content(*GRID.lexical.reference(wc.pair, wc.side)),
        morphemes=lambda wc: GRID.lexical.reference_options(wc.pair, wc.side),
        language=lambda wc: GRID.sides.language(wc.pair, wc.side),
        others=lambda wc: GRID.lexical.beside(*wc),
        seed=GRID.config.seed,
        resamples=GRID.config.report.resamples,
    shell:
        "{params.script:q} --corpus={input.corpus:q} --tags={input.tags:q} --model={input.model:q}"
        " --spec={wildcards.spec:q} --pair={wildcards.pair:q} --side={wildcards.side:q}"
        " --language={params.language:q} {params.morphemes:q} --others {params.others:q}"
        " --models {input.models:q} --seed={params.seed:q} --resamples={params.resamples:q}"
        " --output={output:q} 2> {log:q}"


use rule morphology_table as lexical_table with:
    input:
        tables=lambda wc: GRID.lexical.files(),
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
        script=script("lexical_alignment"),
        code=code("lexical_alignment"),
        seed=GRID.config.seed,
        resamples=GRID.config.report.resamples,
    shell:
        "{params.script:q} --scores={input.scores:q} --counts={input.counts:q} --seed={params.seed:q}"
        " --resamples={params.resamples:q} --output={output:q} 2> {log:q}"
