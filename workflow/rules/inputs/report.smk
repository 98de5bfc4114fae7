"""Inputs and parameters of the rules in ../report.smk."""

from dataclasses import replace
from seggrid.grid.recipes import DEFAULT, read_recipe


def published_tables(wc):
    return ancient([FILES.file(name) for name in CONFIG.published])


# The tables that claims about tokenizers are about.
def evaluation_tables(wc):
    made = [name for name in ("morphology", "knockout") if name in RESULTS]
    return [table(RESULTS[name].file) for name in made] if CONFIG.claims == "knockout" else []


# By pair, the cell with the default settings of the commands, if the grid has it. If several differ only in their
# number of replicates, the one with the most, which comes last.
def default_cells(wc):
    recipe = read_recipe(DEFAULT)
    wanted = {pair: recipe.cells(pair, types=FILES.types(pair))[0] for pair in GRID.pairs}
    found = (cell for cell in GRID.experiments if replace(cell, replicates=1) == wanted[cell.pair])
    return json.dumps({cell.pair: str(cell) for cell in found})


# By pair, how many of its first gold sentences are used to choose settings, and so are not scored.
def development(wc):
    golds = {pair: CONFIG.pairs[pair].gold for pair in GRID.pairs}
    chosen = {pair: gold.development for pair, gold in golds.items() if gold and gold.development}
    return json.dumps(chosen)


# The tables that the page shows; the table of costs is made together with it.
SHOWN = [made for made in RESULTS.values() if made.section and made.name != "cost"]


def about():
    return {
        "title": CONFIG.report.title,
        "about": CONFIG.report.about,
        "seed": CONFIG.seed,
        "languages": {pair: CONFIG.pairs[pair].languages for pair in GRID.pairs},
        "configuration": ", ".join(Path(file).name for file in CONFIG_FILES),
    }


RUN.about = about
