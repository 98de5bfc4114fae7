"""Inputs and parameters of the rules in ../score.smk."""


def links_of_replicates(wc):
    """For each replicate, the files of its parts."""
    return GRID.links(GRID.group_of[path("score", **wc)])


def all_links(wc):
    return [file for parts in links_of_replicates(wc) for file in parts]


# The same files, with an option for each replicate.
def options_of_links(wc):
    return [word for parts in links_of_replicates(wc) for word in option("alignments", parts)]


def aggregates(wc):
    return GRID.groups[GRID.group_of[path("score", **wc)]]
