"""Inputs and parameters of the rules in ../language_model.smk."""


def lm(wc):
    """All settings of a language model."""
    return GRID.language_models[wc.lm]


def lm_text(wc):
    """The segmentation of the text of a language model."""
    return GRID.segmented(lm(wc).pair, lm(wc).side, lm(wc).segmentation)


def lm_corpus(wc):
    return outside(lm(wc).text) or lm_text(wc).corpus


def lm_tokens(wc):
    return [] if lm(wc).text else lm_text(wc).path("segment")


def lm_segmenter(wc):
    return model_of(lm_text(wc))


def of_lm_segmenter(wc):
    return [lm_text(wc).registered.__module__]


# The model that this one continues.
def lm_base(wc):
    return [table(f"language_model/{lm(wc).continues}/model")] if lm(wc).continues else []


def lm_settings(wc):
    own = lm(wc)
    given = {"spec": own.segmentation, "format": own.format, "test": own.test}
    return options(given | {"model_format": format_of(lm_text(wc).tokenizer)})


def lm_training(wc):
    own = lm(wc)
    names = ("sequence", "steps", "batch", "device_batch", "learning_rate", "warmup", "precision")
    given = {name: getattr(own, name) for name in (*names, "seed")}
    return options({"preset": own.size, **given})


def lm_resources(work):
    """Memory and time of a job from the work of training."""
    return {
        "mem_mb": lambda wc, attempt: work(wc).mem_mb(attempt),
        "runtime": lambda wc, attempt: work(wc).minutes(attempt),
    }


def lm_work(wc):
    return costs.training(lm(wc))


# The settings of all models for the table; probes and tasks have tables of their own.
def lm_plans(wc):
    rows = []
    for own in GRID.language_models.values():
        values = dict(own)
        del values["probes"], values["tasks"]
        text = "".join(FILES.of(own.text))
        rows.append(values | {"segmentation": str(own.segmentation), "text": text})
    return json.dumps(rows, sort_keys=True)
