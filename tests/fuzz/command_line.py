"""Damaged configs through Snakemake's own command line: a dry run in a process of its own."""

import subprocess
import sys
import tempfile
from pathlib import Path

from isolation import LENGTH, LINES, WALL_SECONDS, Outcome

ROOT = Path(__file__).resolve().parents[2]


def dry_run(files: dict[str, bytes]) -> Outcome:
    """Run `snakemake -n` on a config: it must plan, or refuse with a readable message."""
    with tempfile.TemporaryDirectory(prefix="seggrid-fuzz-") as name:
        for file, data in files.items():
            Path(name, file).write_bytes(data)
        command = [sys.executable, "-m", "snakemake", "--dry-run", "--cores", "1"]
        command += [
            "--snakefile",
            str(ROOT / "workflow" / "Snakefile"),
            "--configfile",
            "config.yaml",
        ]
        try:
            done = subprocess.run(
                command, cwd=name, capture_output=True, timeout=WALL_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return Outcome("violation", f"more than {WALL_SECONDS} s", "hangs")
        told = (done.stderr + (done.stdout if done.returncode else b"")).decode("utf-8", "replace")
        left = {path.name for path in Path(name).iterdir()} - files.keys() - {".snakemake"}
    if left - {"results"}:
        return Outcome("violation", f"leaves {sorted(left)}", "writes elsewhere")
    if "Traceback" in told or done.returncode not in (0, 1):
        last = told.strip().split("\n")[-1]
        return Outcome(
            "violation", f"status {done.returncode}\n{told[-3000:]}", f"traceback: {last[:80]}"
        )
    if done.returncode == 0:
        return Outcome("right")
    lines = told.strip().split("\n")
    if len(lines) > LINES + 10 or max(map(len, lines)) > LENGTH:
        return Outcome("violation", f"{len(lines)} lines: {told[:500]}", "long refusal")
    # Snakemake reads the files first, and has its own message for invalid YAML.
    reasons = ("error: ", "Config file is not valid JSON or YAML")
    if not any(line.startswith(reasons) for line in lines):
        return Outcome("violation", told[-1000:], "no reason is told")
    return Outcome("refused", told)
