"""Inputs and parameters of the rules in ../ensemble.smk."""


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
        return options({"threshold": spell_rational(entry.threshold), "seed": 0})
    return options({**dict(entry.choose), "seed": CONFIG.seed})


def voted(ending):
    """A file of each vote of each pair."""
    return [
        table(f"ensemble/{ensemble}/{pair}.{ending}")
        for ensemble in CONFIG.ensemble
        for pair in GRID.voting_pairs(ensemble)
    ]
