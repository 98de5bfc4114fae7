"""List the outputs that something other than the workflow has changed: truncated, edited, touched.

Their names are printed, one a line. The exit status is 1 if there are any, 2 if there are no records to
compare with. To make them, and the files that depend on them, again:

    snakemake --cores 2 --forcerun $(python workflow/scripts/verify.py)
"""

import argparse
import sys
from pathlib import Path

from seggrid.errors import InputError
from seggrid.workflow.jobs.script import run
from seggrid.workflow.run.records import changed_outputs


def main() -> None:
    """Parse the arguments, look, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, default=Path(), help="where the workflow ran")
    parser.add_argument(
        "--contents",
        action="store_true",
        help="read every file, not only those whose time of change is not the recorded one",
    )
    arguments = parser.parse_args()
    try:
        changed = changed_outputs(arguments.folder, arguments.contents)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    print(*changed, sep="\n", end="\n" if changed else "")
    sys.exit(1 if changed else 0)


if __name__ == "__main__":
    run(main)
