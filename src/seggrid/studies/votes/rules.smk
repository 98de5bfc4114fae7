"""Beside collate, ensemble: votes across cells, scored like cells.

Input: the scores, with their links, of the cells of some experiments; the gold.
Output: results/ensemble/{ensemble}/{pair}.csv, results/ensemble/{ensemble}/{pair}.votes.csv,
        results/ensembles.csv, results/votes.csv
Config: ensemble, seed, report.resamples
"""


include: "inputs/ensemble.smk"


rule ensemble:
    input:
        gold=pattern("gold"),
        scores=member_scores,
    output:
        table=table("ensemble/{ensemble}/{pair}.csv"),
        votes=table("ensemble/{ensemble}/{pair}.votes.csv"),
        links=table("ensemble/{ensemble}/{pair}.links"),
    log:
        table("logs/ensemble/{ensemble}/{pair}.log"),
    wildcard_constraints:
        ensemble=names(CONFIG.ensemble),
    conda:
        environment_file("seggrid")
    resources:
        **needs("ensemble"),
    params:
        **job("ensemble"),
        members=members,
        settings=ensemble_settings,
        resamples=CONFIG.report.resamples,
    shell:
        "{params.script:q} --name={wildcards.ensemble:q} --pair={wildcards.pair:q} --gold={input.gold:q}"
        " --members={params.members:q} {params.settings:q} --resamples={params.resamples:q}"
        " --table={output.table:q} --votes={output.votes:q} --links={output.links:q} 2> {log:q}"


use rule morphology_table as ensembles with:
    input:
        tables=voted("csv"),
    output:
        result("ensembles"),
    log:
        table("logs/ensembles.log"),


use rule ensembles as votes with:
    input:
        tables=voted("votes.csv"),
    output:
        table("votes.csv"),
    log:
        table("logs/votes.log"),
