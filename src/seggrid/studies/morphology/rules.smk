"""Beside the alignment stages, morphology: token boundaries against morpheme boundaries, also after pruning; and
lexical: the lexical tokenizer on words of its part of speech.

Input: a morphological reference; a tokenizer from elsewhere, or a segmentation of a pair's text; for lexical ones,
       tags, and the models of other segmentations of the same size; for their alignments, the scores and counts.
Output: results/morphology/{name}.csv, results/morphology/{name}.figures.csv,
        results/morphology.csv, results/knockout.csv (the data of the figures),
        results/tokenizers/{name}/{knockout} (tokenizer.json and others, of a tokenizer that is written),
        results/lexical/{pair}/{side}/{spec}.csv, results/lexical.csv, results/lexical_alignment.csv
Config: morphology, pairs.*.*.language, pairs.*.*.morphemes, seed, report.resamples
"""


include: "inputs/morphology.smk"


# Tokenizers whose tokens are those of merges, which can be pruned.
rule morphology:
    input:
        **EVALUATED,
        published=published_scores,
    output:
        table=table("morphology/{name}.csv"),
        figures=table("morphology/{name}.figures.csv"),
    log:
        table("logs/morphology/{name}.log"),
    wildcard_constraints:
        name=names(PRUNABLE),
    conda:
        environment_file("seggrid")
    resources:
        **needs("morphology", evaluation_mb),
    params:
        **job("morphology"),
        content=content(*EVALUATED.values(), published_scores),
        reference=reference_settings,
        model=pruned_settings,
        evaluation=evaluation_settings,
        seed=CONFIG.seed,
    shell:
        "{params.script:q} --name={wildcards.name:q} --reference={input.reference:q}"
        " --frequencies={input.frequencies:q} --published={input.published:q} {params.reference:q}"
        " --corpus={input.corpus:q} --model={input.model:q} {params.model:q} {params.evaluation:q}"
        " --seed={params.seed:q} --output={output.table:q} --figures={output.figures:q} 2> {log:q}"


# Any other segmenter.
use rule morphology as segmenter_morphology with:
    input:
        **EVALUATED,
        published=published_scores,
        joint=texts_of_joint_model,
    wildcard_constraints:
        name=names(name for name in CONFIG.morphology if name not in PRUNABLE),
    conda:
        environment_file("seggrid")
    params:
        **job("segmenter_morphology", of_evaluated),
        content=content(*EVALUATED.values(), published_scores),
        reference=reference_settings,
        model=segmenter_settings,
        evaluation=evaluation_settings,
        seed=CONFIG.seed,


rule morphology_table:
    input:
        tables=expand(table("morphology/{name}.csv"), name=CONFIG.morphology),
    output:
        result("morphology", "Morphology"),
    log:
        table("logs/morphology.log"),
    localrule: True
    conda:
        environment_file("seggrid")
    params:
        **job("stack_tables"),
    shell:
        "{params.script:q} --tables {input.tables:q} --output={output:q} 2> {log:q}"


use rule morphology_table as knockout_table with:
    input:
        tables=expand(table("morphology/{name}.figures.csv"), name=CONFIG.morphology),
    output:
        table("knockout.csv"),
    log:
        table("logs/knockout.log"),


rule write_tokenizer:
    input:
        **EVALUATED,
    output:
        directory(table("tokenizers/{name}/{knockout}")),
    log:
        table("logs/tokenizers/{name}/{knockout}.log"),
    wildcard_constraints:
        name=names(CONFIG.morphology),
        knockout="[^/]+",
    conda:
        environment_file("seggrid")
    resources:
        **needs("morphology", evaluation_mb),
    params:
        **job("write_tokenizer"),
        content=content(*EVALUATED.values()),
        reference=reference_settings,
        model=prunable_settings,
        seed=CONFIG.seed,
    shell:
        "{params.script:q} --reference={input.reference:q} --frequencies={input.frequencies:q}"
        " {params.reference:q} --corpus={input.corpus:q} --model={input.model:q} {params.model:q}"
        " --knockout={wildcards.knockout:q} --seed={params.seed:q} --output={output:q} 2> {log:q}"


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
        environment_file("seggrid")
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
        environment_file("seggrid")
    resources:
        **needs("report"),
    params:
        **job("lexical_alignment"),
        seed=CONFIG.seed,
        resamples=CONFIG.report.resamples,
    shell:
        "{params.script:q} --scores={input.scores:q} --counts={input.counts:q} --seed={params.seed:q}"
        " --resamples={params.resamples:q} --output={output:q} 2> {log:q}"
