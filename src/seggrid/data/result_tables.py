"""The registry of the tables of results: their files, columns, and where else they are shown.

This is the only list of them. From it follow which tables a config makes, which columns readers take as text,
which tables the page, the figures and the tables for papers get, and the reference of columns in
docs/results.md, which `python -m seggrid.data.result_tables` writes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from seggrid.base.files import atomic_write

NAME, TEXT = "name", "text"
"""Units of columns of text: names that users give (`2024` and `NA` are names), and other text."""


@dataclass(frozen=True)
class Column:
    """A column, or several columns with the same meaning.

    Attributes:
        names: the columns' names. A column may be followed by `NAME_low` and `NAME_high`, its interval.
        unit: `NAME`, `TEXT`, or the kind of its numbers: `count`, `share` (from 0 to 1), `difference` (of
            shares), `p`, `s`, `MB`, `bits`, `nats`, `ratio`, `number`.
        meaning: its description for users, in Markdown.
    """

    names: tuple[str, ...]
    unit: str
    meaning: str


@dataclass(frozen=True)
class ResultTable:
    """A table of results.

    Attributes:
        name: its name; the file is `results/NAME.csv`.
        title: its title in Snakemake's report.
        rows: what a row stands for.
        columns: its columns besides those of the axes.
        key: the columns that, together with those of the axes, identify a row; for points of a figure, those
            that identify the figure.
        part: the part of a config that makes it, one of `PARTS`.
        section: the section of the page that shows it; empty if none does.
        drawn: whether static figures are drawn from it.
        latex: whether tables for papers are made from it.
    """

    name: str
    title: str
    rows: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    part: str = "experiments"
    section: str = ""
    drawn: bool = False
    latex: bool = False

    @property
    def file(self) -> str:
        """Its file, in the folder of results or of the study."""
        return f"{self.name}.csv"

    def column_names(self, units: Collection[str] | None = None) -> list[str]:
        """The names of its columns, or of those with some units."""
        return [
            name
            for column in self.columns
            if units is None or column.unit in units
            for name in column.names
        ]


PARTS = {
    "experiments": "`experiments`",
    "ensemble": "`ensemble`",
    "morphology": "`morphology`",
    "language_models": "`language_models`",
    "probes": "`language_models.NAME.probes`",
    "tasks": "`language_models.NAME.tasks`",
    "lexical": "an experiment with the segmenter `lexical`",
}
"""The parts of a config from which tables are made, as documentation names them."""


def _columns(text: str) -> tuple[Column, ...]:
    """Columns from lines `names | unit | meaning`; a line with more indentation continues the one before."""
    lines = dedent(text).replace("\n    ", " ").splitlines()
    fields = (line.split(" | ", 2) for line in lines if line)
    return tuple(Column(tuple(names.split()), unit, meaning) for names, unit, meaning in fields)


TABLES = (
    ResultTable(
        "scores",
        "scores",
        "cell",
        _columns("""
        cell | name | the cell's name: all its settings
        pair | name | the language pair
        experiment | text | the experiments of the config that ask for the cell
        source target | text | the segmentation of each side, as in paths
        sides | text | which sides are segmented: `both` alike, `mixed` (both, differently), `source`,
            `target`, or `none` (words); where the sides differ, columns of axes have the source's values
        samples | count | samples of a random segmentation
        aggregate | text | how the links of samples are combined
        aligner symmetrization | text | the aligner, and how its directions are combined
        replicates | count | runs of a random aligner
        status reason | text | `ok` or `no gold`; in `results/partial/scores.csv` also `missing`, with
            the reason in `reason`
        precision recall f1 aer | share | the scores, means over replicates
        f1_sd f1_samples_sd | share | standard deviation of F1 over replicates, and over single
            samples before they are combined
        links gold_sentences | count | links in the sentences with gold, and the number of these
            sentences; without gold, `links` counts those of the sentences chosen instead, and
            `gold_sentences` is empty
        delta_f1_words delta_f1_plain | difference | F1 minus that of the [best words](methods.md#scores),
            and minus that of the cell without dropout and knockout
        words_cell plain_cell | name | the names of these cells
        parity | ratio | tokens of the source divided by those of the target; the other
            measures of both sides' tokens are in columns `MEASURE_source` and `MEASURE_target`
        equal_cell | name | the cell with the same tokens on both sides whose scores these are; empty
            if they are its own ([methods](methods.md#scores))
        remark | text | whether a text yields fewer merges or types than the cell asks for; whether a
            tokenizer leaves words without a token; whose scores these are
        """),
        key=("cell",),
        section="overview",
        drawn=True,
        latex=True,
    ),
    ResultTable(
        "verdict",
        "what to use",
        "pair with gold",
        _columns("""
        pair | name | the language pair
        cell | name | the cell to use: the one with the highest F1 on all sentences with gold
        cells alike | count | cells of the pair, and how many others cannot be told apart from the best
            ([methods](methods.md#selection-and-verdict))
        f1 f1_low f1_high aer aer_low aer_high | share | scores by [nested
            cross-validation](methods.md#selection-and-verdict), on other sentences than those that
            settings were chosen on, with intervals
        words_cell default_cell | name | the best cell of words, of any aligner; the cell with the default
            settings of the commands, if the grid has it
        delta_f1_words delta_f1_words_low delta_f1_words_high | difference | F1 minus that of words, chosen
            in the same way; empty if words are best
        delta_f1_default delta_f1_default_low delta_f1_default_high | difference | F1 minus that of the
            default settings
        p_words p_default | p | p-value that no cell is better, corrected for the number of cells, and for
            both comparisons
        aligner aligners | text | the aligner of the cell; all that were tried
        replicates | count | runs of the cell
        verdict | text | the same in words
        """),
        key=("pair",),
        section="overview",
        latex=True,
    ),
    ResultTable(
        "selection",
        "settings chosen apart from the scored sentences",
        "pair with gold and family of cells",
        _columns("""
        pair | name | the language pair
        family | text | what is chosen from: `all` cells, the `words`, the cells of one segmenter, of one
            aligner, of `statistical aligners` or of `neural aligners`; `setting chosen on the other
            pairs`; or a vote, in which nothing is chosen
        cells folds | count | cells of the family, and parts of the gold sentences; for a setting chosen
            on the other pairs, the settings that all pairs have
        best | name | the cell with the highest F1 on all sentences, to be used for other text
        chosen | text | the cells that were chosen with one part left out, with the number of parts; for a
            vote, the gold that its weights were chosen with
        f1 f1_low f1_high aer aer_low aer_high | share | scores on sentences that had no part in the
            choice, with intervals
        best_f1 best_aer | share | scores of `best` on the sentences that it was chosen on, which are too
            high; for a vote, those of its best member
        optimism | difference | `best_f1` minus `f1`
        """),
        key=("pair", "family"),
        section="overview",
        latex=True,
    ),
    ResultTable(
        "effects",
        "what each axis does",
        "pair with gold, axis and value",
        _columns("""
        pair | name | the language pair
        axis value reference | text | the axis, its value, and the value that it is compared with
        fixed | text | the values that all compared cells have, of axes that vary in the grid
        over | text | the axes over which the mean is taken, with their number of values
        cells | count | cells with the value that have a counterpart with the reference
        delta_f1 delta_f1_low delta_f1_high | difference | mean difference in F1 between cells that differ in
            this axis alone, with its interval
        """),
        key=("pair", "axis", "value", "reference", "fixed"),
        section="overview",
        latex=True,
    ),
    ResultTable(
        "ranks",
        "settings across pairs",
        "setting that all pairs with gold have, if there are at least three pairs",
        _columns("""
        setting | name | the cell's name without the pair
        pairs | count | pairs with gold
        mean_f1 | share | mean over pairs
        mean_rank | number | mean over pairs; rank 1 is the best
        critical_difference | number | Nemenyi's, for 5%
        told_apart | text | whether the mean rank differs from the best one by more than that, and p is at
            most 0.05
        p | p | p-value that all settings are equally good (Friedman)
        """),
        key=("setting",),
        section="overview",
        latex=True,
        drawn=True,
    ),
    ResultTable(
        "significance",
        "intervals and tests",
        "cell with gold",
        _columns("""
        cell | name | the cell's name: all its settings
        precision_low precision_high recall_low recall_high | share | intervals of the scores
        f1_low f1_high aer_low aer_high | share | the same
        words plain | name | the cells that it is compared with
        delta_f1_words_low delta_f1_words_high | difference | interval of the difference in F1
        delta_f1_plain_low delta_f1_plain_high | difference | the same
        p_words p_plain | p | p-value of the paired test
        p_words_holm p_plain_holm | p | the same, corrected for all cells of the grid
        """),
        key=("cell",),
        section="overview",
        drawn=True,
        latex=True,
    ),
    ResultTable(
        "correlations",
        "measures and scores",
        "measure, score, and [group of cells](methods.md#measures) that differ only in the segmentation",
        _columns("""
        pair | name | the language pair
        aligner symmetrization | text | the other settings that the cells share
        measure score | text | the columns of scores.csv that are correlated
        cells | count | cells that have both, each of another segmentation
        spearman | number | Spearman's rank correlation, from −1 to 1
        spearman_others | number | mean of those of all other pairs, under the same settings; empty with
            fewer than three pairs
        """),
        key=("pair", "aligner", "symmetrization", "measure", "score"),
        section="measures",
        latex=True,
    ),
    ResultTable(
        "published",
        "published figures beside ours",
        "published row",
        _columns("""
        cell | name | the cell that matches the published row, with the same value of every axis that
            the row gives; of several, the one in which axes that the row does not give have no effect or
            their default
        cells | count | cells that match; `cell` and our figures are empty unless it is 1. A run remarks
            beforehand on a row that matches several
        pair | name | the language pair
        stand_in | text | the aligner of our cell where it is not that of the row: gibbs, an
            implementation of eflomal's model with a seed, stands in for eflomal if the grid has no matching
            cell of eflomal
        table num_symbols | text | from the table of published figures: where the figure was published;
            the number of symbols given there
        published_precision published_recall published_f1 published_aer | share | the published figures
        precision recall f1 aer | share | ours
        delta_precision delta_recall delta_f1 delta_aer | difference | ours minus the published ones
        """),
        key=(
            "pair",
            "table",
            "num_symbols",
            "published_precision",
            "published_recall",
            "published_f1",
            "published_aer",
        ),
        section="published",
        drawn=True,
        latex=True,
    ),
    ResultTable(
        "claims",
        "claims",
        "published claim",
        _columns("""
        claim whose source | text | the claim, its authors, and where they make it
        verdict | text | `holds`, `holds in part`, `fails`, `depends on the size` of the text, or `not
            run`
        intervals | text | how many of its comparisons have an interval without 0; `claims: knockout` has
            intervals of the margin by which a comparison supports its claim
        evidence | text | the figures of its comparisons
        """),
        key=("claim", "whose", "source"),
        section="claims",
        latex=True,
    ),
    ResultTable(
        "ensembles",
        "votes across cells",
        "ensemble and pair",
        _columns("""
        ensemble pair | name | the name in the config; the language pair
        members | count | cells that vote
        gold_used | text | the gold that its weights were chosen with: `none`, or `other folds` than that
            of the sentence
        precision recall f1 aer | share | scores of the vote; empty, as all columns that need gold, for
            a pair without gold
        best_member | name | the member with the lowest AER, chosen on the same gold
        best_precision best_recall best_f1 best_aer | share | its scores; of a cell with several
            replicates, those of the first, which votes (`scores.csv` has their means). So are `f1` and
            `aer` of a member in votes.csv
        delta_f1 delta_aer | difference | score of the vote minus that of the best member
        p | p | p-value that both have the same F1
        """),
        key=("ensemble", "pair"),
        part="ensemble",
        section="ensembles",
        latex=True,
    ),
    ResultTable(
        "votes",
        "members of votes",
        "ensemble, pair and member",
        _columns("""
        ensemble pair | name | as above
        member | name | a cell that votes
        f1 aer | share | its scores
        weight | number | its weight; with weights chosen by cross-validation, the weight chosen on all
            sentences, and the smallest and the largest of the folds as `weight_low` and `weight_high`
        above | number | a link is kept if the weights of the members that have it add up to more than this
        """),
        key=("ensemble", "pair", "member"),
        part="ensemble",
        section="ensembles",
    ),
    ResultTable(
        "morphology",
        "boundaries",
        "segmentation, kind of boundary and unit ([methods](methods.md#boundaries-against-morphemes))",
        _columns("""
        tokenizer reference | name | the name under `morphology` in the config; the name of the
            reference's file
        knockout evaluation | text | the variant; `full` or `holdout-r`
        dropout | share | the rate of dropout
        dropout_kind | text | how dropout is computed: `queue`, `occurrence` and `merge`
            ([methods](methods.md#bpe)), or `sentencepiece`, that library's own; empty without dropout
        vocabulary | count | types; if the tokenizer can be pruned, of those in its merges or its file
        boundaries unit | text | boundaries of `morphemes` or of `whole words`; each word once (`types`)
            or as often as it occurs (`tokens`)
        true_positives predicted positives tests | count | boundaries that are both predicted and in the
            reference, predicted, in the reference, possible; empty if several runs are averaged
        precision recall f1 | share | over all boundaries
        macro_precision macro_recall macro_f1 | share | means over words
        tokens_per_word_before tokens_per_word | ratio | before and after pruning
        runs | count | random segmentations or selections that are averaged
        pruned | share | share of merges pruned
        effective_dropout | share | applications of pruned merges, as a share of those of all merges
        published_vocabulary | count | the figure of `published`, if it is given
        published_precision published_recall published_f1 | share | the same
        remark | text | whether the text has fewer merges, or types, than were asked for; whether a model
            has more types than units were asked for
        """),
        key=(
            "tokenizer",
            "reference",
            "knockout",
            "evaluation",
            "dropout",
            "dropout_kind",
            "boundaries",
            "unit",
        ),
        part="morphology",
        section="knockout",
        drawn=True,
        latex=True,
    ),
    ResultTable(
        "knockout",
        "data of the figures of BPE-knockout",
        "point or bar of a figure of BPE-knockout, of evaluations with `figures: yes`",
        _columns("""
        tokenizer reference | name | as in morphology.csv
        figure | text | the figure that the row belongs to
        knockout | text | the variant
        precision recall f1 | share | of boundaries, as in morphology.csv
        pruned | share | share of merges pruned, or taken
        low high count | count | a bar of a histogram: its edges, and the number of merges or words in
            it
        leaves | share | of the share `pruned` of latest merges, the share whose types no other merge
            builds on
        """),
        key=("tokenizer", "reference", "figure", "knockout"),
        part="morphology",
        section="knockout",
        drawn=True,
    ),
    ResultTable(
        "lexical",
        "the lexical segmentation beside others",
        "lexical segmentation, number of syllables, and segmentation that it is compared with",
        _columns("""
        pair | name | the language pair
        side | text | `source` or `target`
        lexical segmentation | text | the lexical segmentation; the one that the row describes
        syllables | text | number of syllables of the words, or `all`
        words tokens | count | distinct words with the part of speech, and their occurrences
        covered_words covered_tokens | share | share of these that the learned segments cover
        pieces_per_covered_word pieces_per_word | ratio | mean tokens of distinct words
        entries | count | entries of the reference for these words
        precision recall f1 | share | boundaries against morphemes
        delta_f1 | difference | F1 of the lexical segmentation minus that of this one
        """),
        key=("pair", "side", "lexical", "segmentation", "syllables"),
        part="lexical",
    ),
    ResultTable(
        "lexical_alignment",
        "alignments of the lexical segmentation beside others",
        "comparison of a lexical cell with another",
        _columns("""
        cell other | name | the cells that are compared
        f1 other_f1 | share | their F1
        delta_f1 | difference | its difference
        p p_holm | p | p-value of the paired test; the same, corrected for all rows
        """),
        key=("cell", "other"),
        part="lexical",
    ),
    ResultTable(
        "language_model",
        "language models",
        "[language model](language-model.md)",
        _columns("""
        model continues | name | the model; the one that it continues
        pair | name | the language pair of its text
        side text segmentation size | text | its settings, as in the config
        seed | number | its seed
        parameters vocabulary | count | parameters, and types
        steps tokens | count | steps of training, and tokens of all their batches
        sentences | count | sentences of the test
        tokens_per_word | ratio | of the test
        unknown cut | share | tokens of the test that the vocabulary does not have; its sentences longer
            than `sequence`, which are scored in pieces
        pppl | number | pseudo-perplexity
        bits_per_character bits_per_word | bits | pseudo-log-likelihood
        validation_loss | nats | loss on validation sentences, per predicted token
        """),
        key=("model",),
        part="language_models",
        section="language-models",
        drawn=True,
        latex=True,
    ),
    ResultTable(
        "language_model_comparisons",
        "comparisons of language models",
        "comparison of two models",
        _columns("""
        model other | name | the model, and the one that it is compared with
        relation | text | `continues`, or `versus` of the config
        seeds | count | if more than 1: means over so many pairs of models with other seeds, with intervals
            over seeds
        pppl_ratio | ratio | its pseudo-perplexity divided by the other's
        delta_bits_per_character delta_bits_per_word | bits | its figures minus the other's
        verdict | text | `better` or `worse` in bits per character, `not shown` if the interval contains
            0, or `other test sentences`
        """),
        key=("model", "other", "relation"),
        part="language_models",
        section="language-models",
    ),
    ResultTable(
        "language_model_losses",
        "losses in training",
        "step of training of a model",
        _columns("""
        model | name | the model
        step | count | the step
        loss validation_loss | nats | per predicted token; empty where not computed
        """),
        key=("model", "step"),
        part="language_models",
        drawn=True,
    ),
    ResultTable(
        "language_model_probes",
        "probes of language models",
        "model and probe",
        _columns("""
        model probe | name | the model and the probe
        items | count | items of the probe
        chance accuracy | share | the accuracy of guessing, and the model's
        verdict | text | `above chance`, `below chance`, or `not shown`
        unknown | share | items with a token that the vocabulary does not have
        """),
        key=("model", "probe"),
        part="probes",
        section="language-models",
        latex=True,
    ),
    ResultTable(
        "language_model_tasks",
        "tasks of language models",
        "model and task",
        _columns("""
        model task | name | the model and the task
        labels measure | text | where its labels are from; the measure of its score
        seeds | count | runs with other seeds; models that differ in their seed alone have a row together, too
        trained sentences tested | count | sentences of training and of the test; labels or entities of
            the test
        unknown | share | tokens of the test that the vocabulary does not have
        baseline score | share | score of the baseline; mean score over seeds
        score_sd | share | standard deviation of the score over seeds
        gain | share | score minus that of the baseline
        verdict | text | `above baseline`, `below baseline`, or `not shown`
        validation | share | mean score on the validation examples; empty without `search`
        """),
        key=("model", "task"),
        part="tasks",
        section="language-models",
        latex=True,
    ),
    ResultTable(
        "cost",
        "time and memory of jobs",
        "job",
        _columns("""
        stage cell | text | the stage, and what the job computed
        seconds cpu_seconds | s | wall time and CPU time
        max_rss_mb | MB | peak memory
        """),
        key=("stage", "cell"),
        section="cost",
    ),
)
"""All tables of results, in the order of the documents."""

BY_NAME = {table.name: table for table in TABLES}


def made_by(parts: Collection[str]) -> list[ResultTable]:
    """The tables that a config with some of `PARTS` makes."""
    return [table for table in TABLES if table.part in parts]


BEGIN, END = "<!-- tables -->", "<!-- /tables -->"
REFERENCE = Path(__file__).parents[3] / "docs/results.md"


def reference() -> str:
    """The part of docs/results.md that describes the tables."""
    return "\n".join(line for table in TABLES for line in _section(table)).rstrip("\n")


def _section(table: ResultTable) -> Iterable[str]:
    shown = [f"the page's section `{table.section}`"] if table.section else []
    shown += ["figures"] if table.drawn else []
    shown += ["tables for papers"] if table.latex else []
    yield f"### {table.file}\n"
    made = f" Made if the config has {PARTS[table.part]}." if table.part != "experiments" else ""
    also = (
        f" Also in {' and '.join(filter(None, [', '.join(shown[:-1]), shown[-1]]))}."
        if shown
        else ""
    )
    yield f"One row per {table.rows}.{made}{also}\n"
    yield "| column | unit | meaning |\n| --- | --- | --- |"
    for column in table.columns:
        names = ", ".join(f"`{name}`" for name in column.names)
        yield f"| {names} | {column.unit} | {column.meaning} |"
    yield ""


def with_reference(text: str) -> str:
    """The text with an updated reference between its markers."""
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n\n{reference()}\n\n{END}{after}"


if __name__ == "__main__":
    text = with_reference(REFERENCE.read_text("utf-8"))
    with atomic_write(REFERENCE) as file:
        file.write(text)
