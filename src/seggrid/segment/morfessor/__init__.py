"""Morfessor Baseline (Creutz and Lagus 2002; Virpioja et al. 2013), from its package.

The morphs and their costs are the library's; what the library draws at random is seeded.
"""
