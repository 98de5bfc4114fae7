"""Inputs and parameters of the rules in ../embeddings.smk."""


# The layers whose vectors are saved for a side; without any, all are.
def kept_layers(wc):
    keep = CONFIG.aligners.options(ENCODING)["keep_layers"]
    return [] if keep == "all" else sorted(GRID.layers[side(wc)])
