"""Inputs and parameters of the rules in ../score.smk."""


def group(wc):
    """The cell that represents all cells that a job scores."""
    return GRID.group_of[path("score", **wc)]


def all_links(wc):
    return [file for parts in GRID.links(group(wc)) for file in parts]


# An option for each replicate, with the files of its parts.
def links_of_replicates(wc):
    return [word for parts in GRID.links(group(wc)) for word in option("alignments", parts)]
