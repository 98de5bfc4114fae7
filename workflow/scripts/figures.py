"""Draw the static figures, and write the tables for a paper: SVG and PNG, LaTeX and CSV."""

from pathlib import Path

from seggrid.base.files import fresh_folder
from seggrid.report import figures, tables
from seggrid.score.table import read_scores, read_table
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.jobs.script_arguments import TABLES, scores_parser


def main() -> None:
    """Parse the arguments, draw, write."""
    parser = scores_parser(__doc__, *TABLES, "losses", "correlations", "ensembles")
    parser.add_argument("--figures", type=Path, required=True, help="folder of the figures")
    parser.add_argument("--tables", type=Path, required=True, help="folder of the tables")
    arguments = parser.parse_args()
    scores = read_scores(arguments.scores)
    given = {
        name: read_table(getattr(arguments, name))
        for name in ("significance", "published", "morphology")
    }
    language_models = read_table(arguments.language_models)
    losses = read_table(arguments.losses)
    with timed():
        with fresh_folder(arguments.figures) as folder:
            figures.draw_all(
                scores,
                folder,
                **given,
                knockout=read_table(arguments.knockout),
                language_models=language_models,
                losses=losses,
            )
        with fresh_folder(arguments.tables) as folder:
            claims = read_table(arguments.claims)
            tables.write_all(
                scores,
                folder,
                **given,
                claims=claims,
                language_models=language_models,
                model_probes=read_table(arguments.language_model_probes),
                model_tasks=read_table(arguments.language_model_tasks),
                correlations=read_table(arguments.correlations),
                ensembles=read_table(arguments.ensembles),
            )


if __name__ == "__main__":
    run(main)
