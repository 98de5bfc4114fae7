"""Inputs and parameters of the rules in ../align.smk."""


def source_tokens(wc):
    return source(wc).path("segment", part(wc))


def target_tokens(wc):
    return target(wc).path("segment", part(wc))


def environment_of(wc):
    name = aligner(wc)
    return f"../envs/{'segmenters' if plugins.is_plugin(ALIGNERS[name]) else name}.yaml"
