"""Beside collate, ensemble: votes across cells, scored like cells.

Input: the scores, with their links, of the cells of some experiments; the gold.
Output: results/ensemble/{ensemble}/{pair}.csv, results/ensemble/{ensemble}/{pair}.votes.csv,
        results/ensembles.csv, results/votes.csv
Config: ensemble, seed, report.resamples
"""


def member_scores(wc):
    cells = GRID.members(wc.ensemble, wc.pair)
    return list(dict.fromkeys(cell.path("score") for cell in cells))


# Name, score file, aggregate and number of votes of each; a cell in several experiments has the largest of their
# numbers.
def members(wc):
    entry = CONFIG.ensemble[wc.ensemble]

    def votes(cell):
        own = {*GRID.experiments[cell]} & {*entry.members}
        return max(entry.weights.get(experiment, 1) for experiment in own)

    cells = GRID.members(wc.ensemble, wc.pair)
    return json.dumps([[str(c), c.path("score"), c.aggregate, votes(c)] for c in cells])


def ensemble_settings(wc):
    entry = CONFIG.ensemble[wc.ensemble]
    if entry.choose is None:
        settings = {"threshold": spell_rational(entry.threshold), "folds": "", "penalty": ""}
        return options(settings | {"seed": 0})
    chosen = {"folds": entry.choose.folds, "penalty": entry.choose.penalty}
    return options({"threshold": "", **chosen, "seed": CONFIG.seed})


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
        "../envs/report.yaml"
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


def voted(ending):
    """A file of each vote of each pair."""
    return [
        table(f"ensemble/{ensemble}/{pair}.{ending}")
        for ensemble in CONFIG.ensemble
        for pair in GRID.voting_pairs(ensemble)
    ]


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
