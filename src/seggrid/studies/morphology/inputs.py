"""Inputs and parameters of the rules in ../morphology.smk."""


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


# What every evaluation reads.
EVALUATED = {
    "reference": reference,
    "frequencies": frequencies,
    "corpus": evaluated_text,
    "model": evaluated_model,
    "tokenizer": evaluated_tokenizer,
    "vocabulary": evaluated_vocabulary,
}


def texts_of_joint_model(wc):
    own = GRID.evaluated(wc.name)
    return own.joint if own else []


def of_evaluated(wc):
    own = GRID.evaluated(wc.name)
    return [(own.registered if own else SEGMENTERS["external"]).__module__]


def reference_settings(wc):
    entry = CONFIG.morphology[wc.name].reference
    return options({"format": entry.format, "wordfreq": entry.wordfreq})


# A model with a vocabulary size has exactly its own merges.
def prunable_settings(wc):
    own = GRID.evaluated(wc.name)
    if own:
        return options({"merges": own.spec.merges, "case": own.spec.case})
    return options({"tokenizer": evaluated_tokenizer(wc), "vocabulary": evaluated_vocabulary(wc)})


def pruned_settings(wc):
    entry = CONFIG.morphology[wc.name]
    variants = {"knockout": entry.variants, "sweep": entry.figures}
    return prunable_settings(wc) + options(variants)


def segmenter_settings(wc):
    own, entry = GRID.evaluated(wc.name), CONFIG.morphology[wc.name]
    if own is None:
        return options({"spec": "external", "model_format": entry.tokenizer.format})
    given = {"spec": own.spec, "model_format": format_of(own.tokenizer)}
    return options(given | {"learned_from": own.joint})


def evaluation_settings(wc):
    entry = CONFIG.morphology[wc.name]
    rates = list(map(spell_rational, entry.dropout))
    return options({"evaluation": entry.evaluation, "dropout": rates, "repeats": entry.repeats})


def evaluation_mb(wc):
    own = CONFIG.morphology[wc.name].learned
    text = FILES.text_mb([own.pair]) if own else 0
    return text + size_mb(from_outside(wc, (*EVALUATED.values(), published_scores)))


# The evaluations whose model can be pruned.
PRUNABLE = [name for name, entry in CONFIG.morphology.items() if entry.can_be_pruned]

# The pruned tokenizers that the config asks for.
PRUNED_TOKENIZERS = [
    table(f"tokenizers/{name}/{variant}")
    for name, entry in CONFIG.morphology.items()
    if entry.write
    for variant in entry.variants
]
