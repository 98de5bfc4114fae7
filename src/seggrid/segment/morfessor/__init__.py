"""Morfessor Baseline (Creutz and Lagus 2002; Virpioja et al. 2013), run by its own package, with a seed."""
