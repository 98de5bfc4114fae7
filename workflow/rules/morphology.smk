"""Beside the alignment stages, morphology: token boundaries against morpheme boundaries, also after pruning.

Input: a morphological reference; a tokenizer from elsewhere, or a segmentation of a pair's text.
Output: results/morphology/{name}.csv, results/morphology/{name}.figures.csv,
        results/morphology.csv, results/knockout.csv (the data of the figures),
        results/tokenizers/{name}/{knockout} (tokenizer.json and others, of a tokenizer that is written)
Config: morphology, seed
"""


def reference(wc):
    return outside(CONFIG.morphology[wc.name].reference.file)


def frequencies(wc):
    return outside(CONFIG.morphology[wc.name].reference.frequencies)


def published_scores(wc):
    return outside(CONFIG.morphology[wc.name].published)


def evaluated_text(wc):
    own = GRID.evaluated(wc.name)
    return own.corpus if own else []


# A model that was learned, or a tokenizer from elsewhere that is not pruned.
def evaluated_model(wc):
    own, files = GRID.evaluated(wc.name), CONFIG.morphology[wc.name].tokenizer
    return model_of(own) if own else outside(files.file)


# A tokenizer from elsewhere that can be pruned.
def evaluated_tokenizer(wc):
    files = CONFIG.morphology[wc.name].tokenizer
    return outside(files.merges or files.tokenizer) if files else []


def evaluated_vocabulary(wc):
    files = CONFIG.morphology[wc.name].tokenizer
    return outside(files.vocabulary) if files else []


def texts_of_joint_model(wc):
    own = GRID.evaluated(wc.name)
    return own.joint if own else []


def of_evaluated(wc):
    own = GRID.evaluated(wc.name)
    return [own.registered.module if own else SEGMENTERS["external"].module]


def reference_settings(wc):
    entry = CONFIG.morphology[wc.name].reference
    return options({"format": entry.format, "wordfreq": entry.wordfreq})


# A model with a vocabulary size has exactly its own merges.
def prunable_settings(wc):
    own = GRID.evaluated(wc.name)
    return options({"merges": own.spec.merges, "case": own.spec.case}) if own else []


def segmenter_settings(wc):
    own, entry = GRID.evaluated(wc.name), CONFIG.morphology[wc.name]
    if own is None:
        return options({"spec": "external", "model_format": entry.tokenizer.format})
    return options({"spec": own.spec, "model_format": format_of(own.tokenizer)})


def evaluation_settings(wc):
    entry = CONFIG.morphology[wc.name]
    rates = list(map(spell_rational, entry.dropout))
    return options({"evaluation": entry.evaluation, "dropout": rates, "repeats": entry.repeats})


def evaluation_mb(wc):
    own = CONFIG.morphology[wc.name].learned
    files = (reference, frequencies, published_scores, evaluated_tokenizer, evaluated_vocabulary)
    size = size_mb(file for made in files for file in made(wc))
    return size + (FILES.text_mb([own.pair]) if own else size_mb(evaluated_model(wc)))


def evaluations(pruned):
    """The names of the evaluations whose model can be pruned or, if not `pruned`, of all others."""
    entries = CONFIG.morphology.items()
    return [name for name, entry in entries if entry.can_be_pruned == pruned]


rule morphology:
    input:
        reference=reference,
        frequencies=frequencies,
        published=published_scores,
        corpus=evaluated_text,
        model=evaluated_model,
        tokenizer=evaluated_tokenizer,
        vocabulary=evaluated_vocabulary,
    output:
        table=table("morphology/{name}.csv"),
        figures=table("morphology/{name}.figures.csv"),
    log:
        table("logs/morphology/{name}.log"),
    wildcard_constraints:
        name=names(evaluations(pruned=True)),
    conda:
        "../envs/report.yaml"
    resources:
        **needs("morphology", evaluation_mb),
    params:
        **job("morphology"),
        content=content(
            reference,
            frequencies,
            published_scores,
            evaluated_tokenizer,
            evaluated_vocabulary,
        ),
        reference=reference_settings,
        model=prunable_settings,
        knockout=lambda wc: CONFIG.morphology[wc.name].variants,
        evaluation=evaluation_settings,
        sweep=lambda wc: CONFIG.morphology[wc.name].figures,
        seed=CONFIG.seed,
    shell:
        "{params.script:q} --name={wildcards.name:q} --reference={input.reference:q}"
        " --frequencies={input.frequencies:q} --published={input.published:q} {params.reference:q}"
        " --corpus={input.corpus:q} --model={input.model:q} --tokenizer={input.tokenizer:q}"
        " --vocabulary={input.vocabulary:q} {params.model:q} --knockout {params.knockout:q}"
        " {params.evaluation:q} --sweep={params.sweep:q} --seed={params.seed:q}"
        " --output={output.table:q} --figures={output.figures:q} 2> {log:q}"


rule segmenter_morphology:
    input:
        reference=reference,
        frequencies=frequencies,
        published=published_scores,
        corpus=evaluated_text,
        model=evaluated_model,
        joint=texts_of_joint_model,
    output:
        table=table("morphology/{name}.csv"),
        figures=table("morphology/{name}.figures.csv"),
    log:
        table("logs/morphology/{name}.log"),
    wildcard_constraints:
        name=names(evaluations(pruned=False)),
    conda:
        "../envs/morphology.yaml"
    resources:
        **needs("morphology", evaluation_mb),
    params:
        **job("segmenter_morphology", of_evaluated),
        content=content(reference, frequencies, published_scores, evaluated_model),
        reference=reference_settings,
        model=segmenter_settings,
        evaluation=evaluation_settings,
        seed=CONFIG.seed,
    shell:
        "{params.script:q} --name={wildcards.name:q} --reference={input.reference:q}"
        " --frequencies={input.frequencies:q} --published={input.published:q} {params.reference:q}"
        " --corpus={input.corpus:q} --model={input.model:q} --learned-from {input.joint:q}"
        " {params.model:q} {params.evaluation:q} --seed={params.seed:q}"
        " --output={output.table:q} --figures={output.figures:q} 2> {log:q}"


rule morphology_table:
    input:
        tables=expand(table("morphology/{name}.csv"), name=CONFIG.morphology),
    output:
        result("morphology", "Morphology"),
    log:
        table("logs/morphology.log"),
    localrule: True
    conda:
        "../envs/seggrid.yaml"
    params:
        **job("morphology_table"),
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
        reference=reference,
        frequencies=frequencies,
        corpus=evaluated_text,
        model=evaluated_model,
        tokenizer=evaluated_tokenizer,
        vocabulary=evaluated_vocabulary,
    output:
        directory(table("tokenizers/{name}/{knockout}")),
    log:
        table("logs/tokenizers/{name}/{knockout}.log"),
    wildcard_constraints:
        name=names(CONFIG.morphology),
        knockout="[^/]+",
    conda:
        "../envs/report.yaml"
    resources:
        **needs("morphology", evaluation_mb),
    params:
        **job("write_tokenizer"),
        content=content(reference, frequencies, evaluated_tokenizer, evaluated_vocabulary),
        reference=reference_settings,
        model=prunable_settings,
        seed=CONFIG.seed,
    shell:
        "{params.script:q} --reference={input.reference:q} --frequencies={input.frequencies:q}"
        " {params.reference:q} --corpus={input.corpus:q} --model={input.model:q}"
        " --tokenizer={input.tokenizer:q} --vocabulary={input.vocabulary:q} {params.model:q}"
        " --knockout={wildcards.knockout:q} --seed={params.seed:q} --output={output:q} 2> {log:q}"


# The pruned tokenizers that the config asks for.
WRITTEN = [
    table(f"tokenizers/{name}/{variant}")
    for name, entry in CONFIG.morphology.items()
    if entry.write
    for variant in entry.variants
]
