"""Which jobs a change is expected to plan, as descriptions of jobs; and edits of a config."""

from finished import following, output


def rules(*names):
    return lambda job: job.rule in names


def new(project):
    """Jobs of a changed grid that have no output yet."""
    return lambda job: not (project.folder / output(job)).exists()


def sampled(job):
    return "dropout=" in output(job)


def nothing(job):
    return False


# The list of cells, which changes with any change of the grid, and everything made from all scores.
LIST = rules("cells")
TABLES = {
    "cells",
    "collate",
    "significance",
    "verdict",
    "figures",
    "page",
}
FROM_ALIGN = "align score"
FROM_SEGMENT = f"segment measure {FROM_ALIGN}"
# Of the second pair's cells, which are exported: those of gibbs as a whole and in parts, the others in parts.
EXPORTED = "export export_models"
TWICE = "counted summed shared"
WHOLE, IN_PARTS = f"whole {TWICE} {EXPORTED}", f"kept slice {EXPORTED}"


def either(*descriptions):
    return lambda job: any(description(job) for description in descriptions)


def both(*descriptions):
    return lambda job: all(description(job) for description in descriptions)


def of(**wildcards):
    return lambda job: all(job.wildcards.get(name) == value for name, value in wildcards.items())


def check(planned, jobs, starts, stages):
    """The planned jobs are those that `starts` describes and all jobs that depend on them."""
    assert {output(job) for job in planned} == following(jobs, starts)
    assert {job.rule for job in planned} - TABLES == set(stages.split())


def put(*path, value):
    """An edit of the config that sets the value at a path of keys."""

    def change(config):
        for key in path[:-1]:
            config = config.setdefault(key, {})
        config[path[-1]] = value

    return change
