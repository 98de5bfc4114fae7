"""Votes across cells: ensembles of any aligners and segmentations."""
