"""Inputs and parameters of the rules in ../lexical.smk."""


def morphemes_of_text(wc):
    return outside(side(wc).settings.morphemes)
