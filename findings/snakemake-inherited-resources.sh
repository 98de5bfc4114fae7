#!/usr/bin/env bash
# A rule made by 'use rule' that gives one of params keeps the others; if it gives one of resources, it loses the others.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q snakemake==9.27.1
cat >Snakefile <<'SMK'
rule all:
    input: "first.txt", "param.txt", "resource.txt"
rule first:
    output: "first.txt"
    params: x=1, y=2
    resources: mem_mb=8000, runtime=60
    run:
        named = {name: resources.get(name) for name in ("mem_mb", "runtime", "gpu")}
        with open(output[0], "w") as file:
            print(dict(params.items()), named, file=file)
use rule first as param with:
    output: "param.txt"
    params: y=3
use rule first as resource with:
    output: "resource.txt"
    resources: gpu=1
SMK
export XDG_CACHE_HOME=$PWD/home
env/bin/snakemake --cores 1 --quiet all
for rule in first param resource; do echo "$rule: $(cat $rule.txt)"; done >seen
cat >recorded <<'SEEN'
first: {'x': 1, 'y': 2} {'mem_mb': 8000, 'runtime': 60, 'gpu': None}
param: {'x': 1, 'y': 3} {'mem_mb': 8000, 'runtime': 60, 'gpu': None}
resource: {'x': 1, 'y': 2} {'mem_mb': 1000, 'runtime': None, 'gpu': 1}
SEEN
echo "Packages:  snakemake==9.27.1"
echo "Behaviour: A rule made by 'use rule' that gives one of params keeps the others; if it gives one of resources, it loses the others."
echo "Expected:  gpu=1 is added to mem_mb and runtime as y=3 is to x: a job whose rule has mem_mb=8000 keeps it."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
