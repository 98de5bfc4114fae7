#!/usr/bin/env bash
# Threads that are half of the cores are none on one core: the command is told 0, and jobs of no threads are not counted, so that all four run at once; 3 and 5 cores both give 2.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q snakemake==9.27.1 pulp==3.3.2
cat >Snakefile <<'RULES'
rule told:
    output: "told-{cores}.txt"
    threads: workflow.cores * 0.5
    shell: "echo cores {wildcards.cores}: threads {threads}, OMP_NUM_THREADS $OMP_NUM_THREADS >{output}"
# Each job waits for the other three to begin, five seconds at most, and says how many have.
rule together:
    output: "part-{i}.txt"
    threads: workflow.cores * 0.5
    shell:
        "touch begun-{wildcards.i}; for n in $(seq 50); do "
        "if [ $(ls begun-* | wc -l) = 4 ]; then break; fi; sleep 0.1; done; ls begun-* | wc -l >{output}"
RULES
PATH=$PWD/env/bin:$PATH
for cores in 1 2 3 4 5; do snakemake --cores "$cores" "told-$cores.txt" >log 2>&1; done
cat told-*.txt >seen
snakemake --cores 1 part-{1,2,3,4}.txt >log 2>&1
echo "jobs begun on one core before the first one ends: $(sort -n part-*.txt | head -1)" >>seen
cat >recorded <<'SEEN'
cores 1: threads 0, OMP_NUM_THREADS 0
cores 2: threads 1, OMP_NUM_THREADS 1
cores 3: threads 2, OMP_NUM_THREADS 2
cores 4: threads 2, OMP_NUM_THREADS 2
cores 5: threads 2, OMP_NUM_THREADS 2
jobs begun on one core before the first one ends: 4
SEEN
echo "Packages:  snakemake==9.27.1 pulp==3.3.2"
echo "Behaviour: Threads that are half of the cores are none on one core: the command is told 0, and jobs of no threads are not counted, so that all four run at once; 3 and 5 cores both give 2."
echo "Expected:  At least one thread, so that --cores 1 runs one job at a time."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
