"""Finished runs: their records and tables, compared, joined, and repeated."""
