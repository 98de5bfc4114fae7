"""Inputs and parameters of the rules in ../collate.smk."""


# The inputs are functions, since jobs on a cluster, each of which reads this file, then need not list all cells.
def all_scores(wc):
    return list(GRID.group_of)


def all_measures(wc):
    return [own.path("measure") for own in GRID.sides]
