"""Beside collate, ensemble: votes across cells, scored like cells.

Input: the scores, with their links, of the cells of some experiments; the gold.
Output: results/ensemble/{ensemble}/{pair}.csv, results/ensemble/{ensemble}/{pair}.votes.csv,
        results/ensembles.csv, results/votes.csv
Config: ensemble, seed, report.resamples
"""

from seggrid.studies.votes.inputs import VoteInputs

VOTES = VoteInputs(GRID, FILES)


rule ensemble:
    input:
        gold=pattern("gold"),
        scores=VOTES.scores,
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
        **VOTES.job("ensemble"),
        members=VOTES.members,
        settings=VOTES.settings,
        resamples=CONFIG.report.resamples,
    shell:
        "{params.script:q} --name={wildcards.ensemble:q} --pair={wildcards.pair:q} --gold={input.gold:q}"
        " --members={params.members:q} {params.settings:q} --resamples={params.resamples:q}"
        " --table={output.table:q} --votes={output.votes:q} --links={output.links:q} 2> {log:q}"


rule ensembles:
    input:
        tables=VOTES.voted("csv"),
    output:
        result("ensembles"),
    log:
        table("logs/ensembles.log"),
    localrule: True
    conda:
        environment_file("seggrid")
    params:
        **job("stack_tables"),
    shell:
        "{params.script:q} --tables {input.tables:q} --output={output:q} 2> {log:q}"


use rule ensembles as votes with:
    input:
        tables=VOTES.voted("votes.csv"),
    output:
        table("votes.csv"),
    log:
        table("logs/votes.log"),
