"""Inputs and parameters of the rules in ../prune.smk."""


def morphemes(wc):
    return outside(side(wc).morphemes)
