"""All that knows Snakemake or looks into `results/`."""
