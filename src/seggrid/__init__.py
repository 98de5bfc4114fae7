"""seggrid: what a word segmentation does to word alignment and to morphology.

The package holds the algorithms as pure functions over plain arrays and strings; it knows nothing
of Snakemake. `workflow/` turns them into jobs. Importing `seggrid` imports nothing heavy: each
subpackage is imported by the job that needs it.
"""

__version__ = "0.1.0"
