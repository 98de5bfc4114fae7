"""Code that depends on Snakemake or reads `results/`."""
