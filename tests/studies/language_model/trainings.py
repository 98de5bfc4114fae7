"""Small trainings, as the workflow's rules call them."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time

from seggrid.base.extras import SNAKEFILE
from seggrid.base.folders import DIGESTS, read_digests

SPEC = "bpe+case=keep+spaces=yes+scoring=frequency+merges=100+application=rank"
PRUNED = SPEC.replace("+application", "+knockout=blame-0.5+application")


def arguments(text, output, *more, model="eng.model", **values):
    """The arguments of a script of language models: those that all have, and the given ones."""
    values = {
        "corpus": text / "eng.txt", "model": text / model, "spec": SPEC, "test": 10,
        "progress": f"{output}.progress", "output": output, **values,
    }  # fmt: skip
    return [*(f"--{key.replace('_', '-')}={value}" for key, value in values.items()), *more]


def training(text, output, steps, *more, **values):
    """The arguments of a small training."""
    small = {"preset": "tiny", "sequence": 32, "batch": 4, "device_batch": 4, "seed": 1}
    return arguments(
        text, output, *more, **{**small, "steps": steps, "learning_rate": 0.001, **values}
    )


def kill_and_repeat(script, arguments, sign):
    """Run a script, kill it when a file is there, and run it again; what the second run says."""
    command = [
        sys.executable,
        str(SNAKEFILE.parent / "scripts/job.py"),
        str(script),
        *arguments,
        "--every=0",
    ]
    # One thread, as in Snakemake's jobs.
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    while not sign.exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL, "it was to be killed before it was through"
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stderr


def content(folder):
    """The bytes of each file of a model, and their digests in it, except the key of its training."""
    files = {file.name: file.read_bytes() for file in folder.iterdir()}
    digests = read_digests(folder, "")
    # The key is in this file.
    assert digests.pop("training.json") == hashlib.sha256(files["training.json"]).hexdigest()
    about = json.loads(files.pop("training.json"))
    del about["key"]
    return files | {"training.json": about, DIGESTS: digests}
