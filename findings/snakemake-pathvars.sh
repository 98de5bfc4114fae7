#!/usr/bin/env bash
# A name in angle brackets in the path of an input is replaced, also where the path comes from the config or from an input function: the file in the folder data<results> is not read, but one in dataresults.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q snakemake==9.27.1 pulp==3.3.2
mkdir dataresults "data<results>"
echo "another file" >dataresults/a.txt
echo "the file" >"data<results>/a.txt"
cat >Snakefile <<'RULES'
rule named:
    input: config["file"]
    output: "named.txt"
    shell: "cp {input:q} {output}"
rule found:
    input: lambda wildcards: config["file"]
    output: "found.txt"
    shell: "cp {input:q} {output}"
RULES
PATH=$PWD/env/bin:$PATH
snakemake --cores 1 named.txt found.txt --config file="data<results>/a.txt" >log 2>&1
cat named.txt found.txt >seen
if snakemake --cores 1 named.txt --config file="data<mine>/a.txt" >log 2>&1; then echo "no error" >>seen; fi
grep -o "Undefined pathvar 'mine'" log | head -1 >>seen
cat >recorded <<'SEEN'
another file
another file
Undefined pathvar 'mine'
SEEN
echo "Packages:  snakemake==9.27.1 pulp==3.3.2"
echo "Behaviour: A name in angle brackets in the path of an input is replaced, also where the path comes from the config or from an input function: the file in the folder data<results> is not read, but one in dataresults."
echo "Expected:  The file of that name: pathvars belong to the patterns of rules, and this is the path of a file that is there."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
