"""Inputs and parameters of rules in several files, and those of one line."""

# These functions parse the wildcards of a job; all other code gets typed values.


def side(wc):
    """The segmentation of one side."""
    return GRID.segmented(wc.pair, wc.side, parse_spec(wc.spec))


def source(wc):
    """The segmentation of the source."""
    return GRID.segmented(wc.pair, "source", parse_spec(wc.source))


def target(wc):
    """The segmentation of the target."""
    return GRID.segmented(wc.pair, "target", parse_spec(wc.target))


def part(wc):
    """The range of samples."""
    return Part.from_text(wc.part)


def aligner(wc):
    """The name of the aligner, without its axes."""
    return read_alignment(wc.aligner)[0]


def aligner_options(wc):
    """The options of the aligner in the config, as JSON."""
    return json.dumps(CONFIG.aligners.options(aligner(wc)), sort_keys=True)


def of_aligner(wc):
    """The module of the aligner."""
    return [ALIGNERS[aligner(wc)].__module__]


def of_segmenter(wc):
    """The module of the segmenter."""
    return [side(wc).registered.__module__]


def of_all(wc):
    """The modules of the segmenters and the aligner."""
    return [source(wc).registered.__module__, target(wc).registered.__module__, *of_aligner(wc)]


# These are functions, since jobs on a cluster, each of which reads these files, then need not list all cells.
def all_scores(wc):
    """The scores of all cells."""
    return list(GRID.group_of)


def all_measures(wc):
    """The measures of all segmentations."""
    return [own.path("measure") for own in GRID.sides]


def lexicon(wc):
    """More words to learn from, for a segmenter that reads tags."""
    return outside(side(wc).lexicon)


def ready_merges(wc):
    """Merges that are given, in place of learned ones."""
    return outside(side(wc).ready)


def morphemes(wc):
    """The reference that pruning needs."""
    return outside(side(wc).morphemes)


def morphemes_of_text(wc):
    """The reference of a text, whether or not pruning needs it."""
    return outside(side(wc).settings.morphemes)


def model(wc):
    """The model of a segmentation, or the file of a tokenizer from elsewhere."""
    return model_of(side(wc))


def model_of(own):
    """The model of a segmentation; an empty list if it has none."""
    return own.model or outside(own.tokenizer)


def model_format(wc):
    """The format of a tokenizer's file; empty for a learned model."""
    return format_of(side(wc).tokenizer)


def format_of(entry):
    """The format of an entry of the config; empty without one."""
    return entry.format if entry else ""
