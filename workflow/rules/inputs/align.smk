"""Inputs and parameters of the rules in ../align.smk."""

# `embeddings` with an encoder that is tuned, as a pattern; `tuning` is the last of its axes.
TUNED = f"{ENCODING}[+][^/]*tuning=self"


def source_tokens(wc):
    return source(wc).path("segment", part(wc))


def target_tokens(wc):
    return target(wc).path("segment", part(wc))


def of_tuned_aligner(wc):
    """The modules of the aligner and of its training."""
    return [*of_aligner(wc), "seggrid.language_model.tuning"]


# The environments of aligners that are not code of this package alone.
ENVIRONMENTS = {"eflomal": "eflomal", "thot_hmm": "thot", "thot_ibm4": "thot"}


def environment_of(wc):
    return f"../envs/{ENVIRONMENTS.get(aligner(wc), 'seggrid')}.yaml"


# The layers whose vectors are saved for a side; without any, all are.
def kept_layers(wc):
    keep = CONFIG.aligners.options(ENCODING)["keep_layers"]
    return [] if keep == "all" else sorted(GRID.layers[side(wc)])
