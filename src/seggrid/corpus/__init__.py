"""Parallel text and gold alignments: read, checked, and fetched."""
