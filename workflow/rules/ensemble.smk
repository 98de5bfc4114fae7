"""Beside collate, ensemble: votes across cells, scored like cells.

Input: the scores, with their links, of the cells of some experiments; the gold.
Output: results/ensemble/{ensemble}/{pair}.csv, results/ensemble/{ensemble}/{pair}.votes.csv,
        results/ensembles.csv, results/votes.csv
Config: ensemble, seed, report.resamples
"""


rule ensemble:
    input:
        gold=pattern("gold"),
        scores=lambda wc: GRID.ensembles.score_files(wc.ensemble, wc.pair),
    output:
        table=table("ensemble/{ensemble}/{pair}.csv"),
        votes=table("ensemble/{ensemble}/{pair}.votes.csv"),
        links=table("ensemble/{ensemble}/{pair}.links"),
    log:
        table("logs/ensemble/{ensemble}/{pair}.log"),
    wildcard_constraints:
        ensemble="|".join(map(re.escape, GRID.config.ensemble)) or "none",
    conda:
        "../envs/report.yaml"
    resources:
        **needs("ensemble"),
    params:
        script=script("ensemble"),
        code=code("ensemble"),
        members=lambda wc: GRID.ensembles.members(wc.ensemble, wc.pair),
        options=lambda wc: GRID.ensembles.options(wc.ensemble),
        seed=lambda wc: GRID.ensembles.seed(wc.ensemble),
        resamples=GRID.config.report.resamples,
    shell:
        "{params.script:q} --name={wildcards.ensemble:q} --pair={wildcards.pair:q} --gold={input.gold:q}"
        " --members={params.members:q} {params.options:q} --seed={params.seed:q}"
        " --resamples={params.resamples:q} --table={output.table:q} --votes={output.votes:q}"
        " --links={output.links:q} 2> {log:q}"


use rule morphology_table as ensembles with:
    input:
        tables=[
            f"{table('ensemble')}/{ensemble}/{pair}.csv"
            for ensemble in GRID.config.ensemble
            for pair in GRID.ensembles.voting_pairs(ensemble)
        ],
    output:
        result("ensembles"),
    log:
        table("logs/ensembles.log"),


use rule ensembles as votes with:
    input:
        tables=[
            f"{table('ensemble')}/{ensemble}/{pair}.votes.csv"
            for ensemble in GRID.config.ensemble
            for pair in GRID.ensembles.voting_pairs(ensemble)
        ],
    output:
        table("votes.csv"),
    log:
        table("logs/votes.log"),
