"""Inputs and parameters of the rules in ../align.smk."""


def source_tokens(wc):
    return source(wc).path("segment", part(wc))


def target_tokens(wc):
    return target(wc).path("segment", part(wc))


# The environments of aligners that are not code of this package alone.
ENVIRONMENTS = {"eflomal": "eflomal", "thot_hmm": "thot", "thot_ibm4": "thot"}


def environment_of(wc):
    name = aligner(wc)
    plain = "segmenters" if plugins.is_plugin(ALIGNERS[name]) else "seggrid"
    return f"../envs/{ENVIRONMENTS.get(name, plain)}.yaml"
