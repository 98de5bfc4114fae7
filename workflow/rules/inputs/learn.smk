"""Inputs and parameters of the rules in ../learn.smk."""


def lexicon(wc):
    return outside(side(wc).lexicon)


def ready_merges(wc):
    return outside(side(wc).ready)
