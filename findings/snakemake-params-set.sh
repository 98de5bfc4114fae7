#!/usr/bin/env bash
# A set among a rule's params counts as changed in the next process, though it is equal.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q snakemake==9.27.1
cat >Snakefile <<'SMK'
VALUES = {"list": ["deu", "eng", "fra", "kat"], "set": {"deu", "eng", "fra", "kat"}}
rule one:
    output: "{kind}.txt"
    params: languages=lambda wildcards: VALUES[wildcards.kind]
    shell: "touch {output}"
SMK
export XDG_CACHE_HOME=$PWD/home
for kind in list set; do
    # The seeds stand for those that Python draws for each process.
    PYTHONHASHSEED=1 env/bin/snakemake --cores 1 --quiet all -- $kind.txt >log 2>&1
    PYTHONHASHSEED=2 env/bin/snakemake --dry-run -- $kind.txt >log 2>&1
    echo "$kind: $(grep -o "Nothing to be done\|Params have changed since last execution" log)"
done >seen
cat >recorded <<'SEEN'
list: Nothing to be done
set: Params have changed since last execution
SEEN
echo "Packages:  snakemake==9.27.1"
echo "Behaviour: A set among a rule's params counts as changed in the next process, though it is equal."
echo "Expected:  Nothing to be done for either: the values are equal."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
