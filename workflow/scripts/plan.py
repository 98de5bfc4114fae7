"""Print what a run would do to the cells, and why, without running anything.

It takes the options of the run: plan.py --configfile config/thesis.yaml
"""

import argparse
from pathlib import Path

from seggrid.workflow.jobs.script import run
from seggrid.workflow.run.planning import add_plan_arguments, report_plan

WORKFLOW = Path(__file__).resolve().parent.parent


def main() -> None:
    """Parse the arguments, plan, print."""
    # Without abbreviations, since all other options are passed to Snakemake.
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument(
        "--configfile",
        "--configfiles",
        type=Path,
        nargs="+",
        default=[WORKFLOW.parent / "config/config.yaml"],
        help="as for snakemake; later files override earlier ones",
    )
    add_plan_arguments(parser)
    arguments, options = parser.parse_known_args()
    configs, overrides = arguments.configfile, arguments.config
    report_plan(WORKFLOW / "Snakefile", configs, overrides, options, names=arguments.cells)


if __name__ == "__main__":
    run(main)
