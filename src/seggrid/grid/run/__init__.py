"""A run of Snakemake: fork server, digests of code, progress, state, dry runs."""
