"""Beside the alignment stages, morphology: token boundaries against morpheme boundaries, also after pruning.

Input: a morphological reference; a tokenizer from elsewhere, or a segmentation of a pair's text.
Output: results/morphology/{name}.csv, results/morphology/{name}.figures.csv,
        results/morphology.csv, results/knockout.csv (the data of the figures),
        results/tokenizers/{name}/{knockout} (tokenizer.json and others, of a tokenizer that is written)
Config: morphology, seed
"""

from seggrid.studies.morphology.inputs import EvaluationInputs

EVALUATIONS = EvaluationInputs(GRID, FILES)


# Tokenizers whose tokens are those of merges, which can be pruned.
rule morphology:
    input:
        **EVALUATIONS.read,
        published=EVALUATIONS.published,
    output:
        table=table("morphology/{name}.csv"),
        figures=table("morphology/{name}.figures.csv"),
    log:
        table("logs/morphology/{name}.log"),
    wildcard_constraints:
        name=names(EVALUATIONS.prunable),
    conda:
        environment_file("seggrid")
    resources:
        **needs("morphology", EVALUATIONS.mb),
    params:
        **EVALUATIONS.job("morphology"),
        content=content(*EVALUATIONS.read.values(), EVALUATIONS.published),
        reference=EVALUATIONS.reference_settings,
        model=EVALUATIONS.pruned_settings,
        evaluation=EVALUATIONS.evaluation_settings,
        seed=CONFIG.seed,
    shell:
        "{params.script:q} --name={wildcards.name:q} --reference={input.reference:q}"
        " --frequencies={input.frequencies:q} --published={input.published:q} {params.reference:q}"
        " --corpus={input.corpus:q} --model={input.model:q} {params.model:q} {params.evaluation:q}"
        " --seed={params.seed:q} --output={output.table:q} --figures={output.figures:q} 2> {log:q}"


# Any other segmenter.
use rule morphology as segmenter_morphology with:
    input:
        **EVALUATIONS.read,
        published=EVALUATIONS.published,
        joint=EVALUATIONS.joint,
    wildcard_constraints:
        name=names(name for name in CONFIG.morphology if name not in EVALUATIONS.prunable),
    conda:
        environment_file("seggrid")
    params:
        **EVALUATIONS.job("segmenter_morphology", EVALUATIONS.of_segmenter_named),
        content=content(*EVALUATIONS.read.values(), EVALUATIONS.published),
        reference=EVALUATIONS.reference_settings,
        model=EVALUATIONS.segmenter_settings,
        evaluation=EVALUATIONS.evaluation_settings,
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
        **EVALUATIONS.read,
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
        **needs("morphology", EVALUATIONS.mb),
    params:
        **EVALUATIONS.job("write_tokenizer"),
        content=content(*EVALUATIONS.read.values()),
        reference=EVALUATIONS.reference_settings,
        model=EVALUATIONS.prunable_settings,
        seed=CONFIG.seed,
    shell:
        "{params.script:q} --reference={input.reference:q} --frequencies={input.frequencies:q}"
        " {params.reference:q} --corpus={input.corpus:q} --model={input.model:q} {params.model:q}"
        " --knockout={wildcards.knockout:q} --seed={params.seed:q} --output={output:q} 2> {log:q}"
