"""The jobs that a dry run of Snakemake lists."""

import re
from itertools import takewhile

from seggrid.grid.run.dry_run import PlannedJob


def read_dry_run(text: str) -> list[PlannedJob]:
    """The jobs in the output of `snakemake --dry-run`, in its order, as many as it says."""
    jobs = []
    lines = iter(text.splitlines())
    for line in lines:
        if head := re.fullmatch(r"(?:local)?(?:rule|checkpoint) (\w+):", line):
            own = takewhile(lambda line: line.startswith("    "), lines)
            fields = dict(line.strip().partition(": ")[::2] for line in own)
            inputs, outputs, wildcards = (
                tuple(filter(None, fields.get(name, "").split(", ")))
                for name in ("input", "output", "wildcards")
            )
            named = dict(part.split("=", 1) for part in wildcards)
            jobs.append(PlannedJob(head[1], inputs, outputs, named, fields.get("reason", "")))
    totals = re.findall(r"^total +(\d+)$", text, re.M)
    expected = int(totals[-1]) if totals else 0
    assert totals or "Nothing to be done" in text, text
    assert len(jobs) == expected, (len(jobs), expected)
    return jobs
