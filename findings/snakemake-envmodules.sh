#!/usr/bin/env bash
# Where there is no program module, --sdm env-modules runs a job without its modules, and the job succeeds.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q snakemake==9.27.1 pulp==3.3.2
printf 'rule a:\n    output: "a.txt"\n    envmodules: "compiler/12"\n    shell: "echo made > {output}"\n' >Snakefile
if type module >/dev/null 2>&1; then echo "needs a machine without environment modules" >&2; exit 1; fi
PATH=$PWD/env/bin:$PATH
status=0
snakemake --cores 1 --sdm env-modules >log 2>&1 || status=$?
{
    echo "exit status $status, the file: $(cat a.txt)"
    grep -o "Activating environment modules.*" log
    grep -o "module: command not found" log
} >seen
cat >recorded <<'SEEN'
exit status 0, the file: made
Activating environment modules: compiler/12
module: command not found
SEEN
echo "Packages:  snakemake==9.27.1 pulp==3.3.2"
echo "Behaviour: Where there is no program module, --sdm env-modules runs a job without its modules, and the job succeeds."
echo "Expected:  An error, as there is without conda under --sdm conda and without apptainer under --sdm apptainer."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
