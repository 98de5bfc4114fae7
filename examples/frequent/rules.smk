"""The most frequent types of each segmentation of the grid.

Input: the first sample of each segmentation.
Output: results/frequent.csv
Config: frequent
"""

FREQUENT = Inputs(GRID, FILES, study)


rule frequent:
    input:
        lambda wc: [own.path("segment", GRID.first_part[own]) for own in GRID.sides],
    output:
        result("frequent"),
    log:
        table("logs/frequent.log"),
    conda:
        environment_file("seggrid")
    params:
        **FREQUENT.job("frequent"),
        types=CONFIG.frequent,
    shell:
        "{params.script:q} --segmentations {input:q} --types {params.types:q} --output={output:q} 2> {log:q}"
