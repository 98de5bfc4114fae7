"""Edits of configs."""

from copy import deepcopy


def with_value(config, *path, value):
    """A copy of a config with another value at a path of keys."""
    config = deepcopy(config)
    inner = config
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return config
