#!/usr/bin/env bash
# A name that no rule and no file has is an error for --until and passed over by --omit-from.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q snakemake==9.27.1
cat >Snakefile <<'SMK'
rule all:
    input: "b.txt"
rule first:
    output: "a.txt"
    shell: "echo a > {output}"
rule second:
    input: "a.txt"
    output: "b.txt"
    shell: "cat {input} > {output}"
SMK
export XDG_CACHE_HOME=$PWD/home
for option in --until --omit-from; do
    # The rule is called second.
    status=0
    env/bin/snakemake --cores 1 $option secnod >log 2>&1 || status=$?
    made=$(find . -maxdepth 1 -name "*.txt" -printf "%f\n" | sort | xargs)
    echo "$option secnod: ends with $status, $(grep -c '^MissingRuleException' log || true) exceptions, made: ${made:-nothing}"
done >seen
cat >recorded <<'SEEN'
--until secnod: ends with 1, 1 exceptions, made: nothing
--omit-from secnod: ends with 0, 0 exceptions, made: a.txt b.txt
SEEN
echo "Packages:  snakemake==9.27.1"
echo "Behaviour: A name that no rule and no file has is an error for --until and passed over by --omit-from."
echo "Expected:  both end with an error, so that a misspelled rule is not run after all."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
