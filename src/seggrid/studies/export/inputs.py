"""Inputs and parameters of the rules in ../export.smk."""

from seggrid.corpus.selection import slices
from seggrid.grid.recipes import recipe_of

# Aligners whose models are kept, and those of them whose slices share counts.
KEEPS = with_axes(name for name, entry in ALIGNERS.items() if issubclass(entry, Keeps))
SHARES = with_axes(name for name, entry in ALIGNERS.items() if issubclass(entry, Counts))

CELLS = {str(cell): cell for cell in GRID.experiments}


# The size of the part of a text that a job aligns.
def part_mb(wc):
    size = Part.from_text(wc.lines).size if "lines" in wc.keys() else int(wc.drawn)
    return min(1, size / max(1, FILES.lines(wc.pair))) * text_mb(wc)


def samples_of_cell(wc):
    return int(wc.samples)


# What all parts of a text are aligned from.
WHOLE_TEXT = {
    "source": lambda wc: source(wc).whole_text,
    "target": lambda wc: target(wc).whole_text,
    "source_model": lambda wc: source(wc).exact or [],
    "target_model": lambda wc: target(wc).exact or [],
}


# The settings that are not in each of the paths.
def settings_of_part(wc):
    own = ("symmetrization", "aggregate", "drawn", "lines")
    return options({name: wc[name] for name in own if name in wc.keys()})


# The names of the slices of a pair's text, each of `size` sentence pairs.
def cut(pair, size):
    return [Part(*lines) for lines in slices(FILES.lines(pair), size)]


def counts_of_all(wc):
    return [path("counted", **{**wc, "lines": lines}) for lines in cut(wc.pair, int(wc.parts))]


ENDINGS = {"plain": ".txt", "gz": ".txt.gz", "zst": ".txt.zst"}


def exported_file(export, cell, what):
    return table(f"export/{export}/{cell}/{what}{ENDINGS[CONFIG.export[export].format]}")


def exported_files(name):
    """All files of an export."""
    entry = CONFIG.export[name]
    for cell in GRID.exported(name):
        if entry.links != "none":
            yield exported_file(name, cell, "links")
        if entry.tokens != "none":
            yield from (exported_file(name, cell, side) for side in SIDES)
        if entry.models:
            yield table(f"export/{name}/{cell}/models")


def wholes(cell):
    """The folders with all links of a cell, in order."""
    return [cell.path("whole", replicate=0, part=part) for part in GRID.parts(cell)]


def slice_of(export, cell, lines):
    """The folder of a slice of a cell's text; `*` stands for any `lines`."""
    entry = CONFIG.export[export]
    if issubclass(ALIGNERS[cell.aligner], Counts):
        return cell.path("shared", parts=entry.parts, lines=lines)
    return cell.path("slice", drawn=entry.sample, lines=lines)


def exported_inputs(wc):
    cell, parts = CELLS[f"{wc.pair}/{wc.cell}"], CONFIG.export[wc.export].parts
    if parts is not None:
        return [slice_of(wc.export, cell, lines) for lines in cut(cell.pair, parts)]
    if wc.what == "links":
        return wholes(cell)
    own = GRID.segmented(cell.pair, wc.what, cell.side(wc.what))
    return [own.path("segment", GRID.parts(cell)[0])]


def exported_settings(wc):
    cell, entry = CELLS[f"{wc.pair}/{wc.cell}"], CONFIG.export[wc.export]
    wanted = entry.links if wc.what == "links" else entry.tokens
    layout = FILES.part_of_layout(cell.pair, training=wanted == "all")
    if entry.parts is not None:
        # A pattern, since thousands of names would not fit into a command.
        sizes = [FILES.lines(cell.pair), entry.parts]
        slices = {"slices": slice_of(wc.export, cell, "*"), "cut": sizes, "what": wc.what}
        return options(layout | slices)
    if wc.what != "links":
        return options(layout | {"segmentation": exported_inputs(wc)[0]})
    how = {name: getattr(cell, name) for name in ("symmetrization", "samples", "aggregate")}
    return options(layout | how | {"alignments": wholes(cell)})


def exported_models(wc):
    """The models of the segmenters by side, and the folders of others."""
    cell, entry = CELLS[f"{wc.pair}/{wc.cell}"], CONFIG.export[wc.export]
    if entry.parts is not None:
        return {"folders": [cell.path("kept", drawn=entry.sample)]}
    learned = {f"{own.side}_model": own.exact for own in GRID.both(cell) if own.exact}
    return learned | {"folders": wholes(cell) if issubclass(ALIGNERS[cell.aligner], Keeps) else []}


def exported_recipe(wc):
    cell = CELLS[f"{wc.pair}/{wc.cell}"]
    given = CONFIG.aligners.options(cell.aligner)
    recipe = recipe_of(cell, f"Of the export {wc.export}.", given).text()
    return options({"recipe": recipe, "samples": cell.samples} | exported_models(wc))
