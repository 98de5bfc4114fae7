"""Small trainings, as the workflow's rules call them."""

import hashlib
import json

from seggrid.base.folders import DIGESTS, read_digests

SPEC = "bpe+case=keep+spaces=yes+scoring=frequency+merges=100+application=rank"
PRUNED = SPEC.replace("+application", "+knockout=blame-0.5+application")


def training(text, output, steps, *more, model="eng.model", spec=SPEC):
    """The arguments of a small training."""
    values = {
        "corpus": text / "eng.txt", "model": text / model, "spec": spec, "test": 10,
        "progress": f"{output}.progress", "output": output, "preset": "tiny", "sequence": 32,
        "steps": steps, "batch": 4, "device-batch": 4, "learning-rate": 0.001, "seed": 1,
    }  # fmt: skip
    return [*(f"--{key}={value}" for key, value in values.items()), *more]


def content(folder):
    """The bytes of each file of a model, and their digests in it, except the key of its training."""
    files = {file.name: file.read_bytes() for file in folder.iterdir()}
    digests = read_digests(folder, "")
    # The key is in this file.
    assert digests.pop("training.json") == hashlib.sha256(files["training.json"]).hexdigest()
    about = json.loads(files.pop("training.json"))
    del about["key"]
    return files | {"training.json": about, DIGESTS: digests}
