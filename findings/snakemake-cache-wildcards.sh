#!/usr/bin/env bash
# Outputs of a rule with cache: True that differ only by a wildcard in the shell command share one entry of the cache.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q snakemake==9.27.1
cat >Snakefile <<'SMK'
rule all:
    input: "a.txt", "b.txt"
rule one:
    output: "{n}.txt"
    wildcard_constraints: n="[ab]"
    cache: True
    shell: "echo made for {wildcards.n} > {output}"
SMK
mkdir shelf
export SNAKEMAKE_OUTPUT_CACHE=$PWD/shelf XDG_CACHE_HOME=$PWD/home
# One after the other, so that it is known whose result is kept.
env/bin/snakemake --cores 1 --cache --quiet all -- a.txt
env/bin/snakemake --cores 1 --cache --quiet all -- b.txt
for file in a.txt b.txt; do echo "$file: $(cat $file)"; done >seen
cat >recorded <<'SEEN'
a.txt: made for a
b.txt: made for a
SEEN
echo "Packages:  snakemake==9.27.1"
echo "Behaviour: Outputs of a rule with cache: True that differ only by a wildcard in the shell command share one entry of the cache."
echo "Expected:  b.txt says b, since the wildcard is part of the command."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
