"""Published figures beside ours.

Input: the tables of scores and of published figures.
Output: results/published.csv
Config: published
"""

from seggrid.studies.published.inputs import PublishedInputs

PUBLISHED = PublishedInputs(GRID, FILES)


rule compare:
    input:
        scores=table("scores.csv"),
        published=PUBLISHED.tables,
    output:
        result("published"),
    log:
        table("logs/compare.log"),
    conda:
        environment_file("seggrid")
    resources:
        **needs("collate"),
    params:
        **PUBLISHED.job("compare"),
        content=content(PUBLISHED.tables),
    shell:
        "{params.script:q} --scores {input.scores:q} --published {input.published:q} --comparison {output:q} 2> {log:q}"
