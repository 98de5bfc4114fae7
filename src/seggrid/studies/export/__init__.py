"""Exports of cells: the links, tokens and models of all sentence pairs."""
