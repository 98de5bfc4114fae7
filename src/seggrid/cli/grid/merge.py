"""`seggrid merge`: join the tables of finished runs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from seggrid.base.extras import check_installed
from seggrid.base.files import atomic_write
from seggrid.base.folders import fresh_folder
from seggrid.cli.files import input_file, output_folder
from seggrid.errors import InputError, note
from seggrid.workflow.finished.record import read_record, write_record
from seggrid.workflow.finished.tables import results_of
from seggrid.workflow.run.records import digest_of

REPORT = "report.html"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: the runs, the new folder, the run whose rows are preferred."""
    parser.add_argument(
        "runs",
        nargs="+",
        type=input_file,
        metavar="RUN",
        help="folders of results, or the folders in which the grids ran",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=output_folder,
        required=True,
        metavar="FOLDER",
        help="a new folder for the tables, the counts and the report, or one that merge has written",
    )
    parser.add_argument(
        "--prefer",
        choices=("first",),
        help="take the row of the first run where rows differ; without it, such runs are refused",
    )


def run(arguments: argparse.Namespace) -> None:
    """Join the tables, and print which were left out.

    Raises:
        InputError: fewer than two runs, a folder without tables, a damaged table, or rows that differ.
    """
    check_installed("grid", "pandas", "vl_convert", user="seggrid merge")
    from seggrid.workflow.finished.joined import join_runs, joined_record

    if len(arguments.runs) < 2:
        raise InputError("merge joins two runs or more", hint="name a second folder")
    folders = [results_of(name) for name in arguments.runs]
    records = [read_record(folder) for folder in folders]
    settings = records[0].get("settings", {})
    report = settings.get("report") or {}
    sampling = {"seed": settings.get("seed", 1), "resamples": report.get("resamples", 2000)}
    with fresh_folder(arguments.output, digests=True) as folder:
        left_out = join_runs(folders, folder, prefer_first=arguments.prefer == "first", **sampling)
        digests = {file.name: digest_of(file) for file in sorted(folder.iterdir())}
        _write_page(folder, arguments.runs, sampling["seed"])
        write_record(folder, joined_record(records), digests)
    if left_out:
        note([f"not joined, since they are made from a whole grid: {', '.join(left_out)}"])
    report_file = Path(arguments.output, REPORT)
    made = f"   Report: {report_file}" if report_file.exists() else ""
    print(f"Tables: {arguments.output}{made}", file=sys.stderr)


def _write_page(folder: Path, runs: list[str], seed: int) -> None:
    """Write the report of the joined tables if there are cells; it has no sentences with their links."""
    from seggrid.data.result_tables import TABLES
    from seggrid.report.page import build
    from seggrid.score.table import read_results

    made = {table.name: folder / table.file for table in TABLES if (folder / table.file).is_file()}
    if "scores" not in made:
        return
    about = {"title": "Several runs", "configuration": ", ".join(runs), "seed": seed}
    page = build(read_results(made), about=about)
    with atomic_write(folder / REPORT) as file:
        file.write(page)
