"""The base of the models that are made from a table, such as that of the axes."""

from __future__ import annotations

from seggrid.base.settings import Settings


class Generated(Settings, use_attribute_docstrings=False):
    """Base of models that have no source code; for others, pydantic searches the source for docstrings."""
