"""Stage 7, score: aggregate a cell's samples, in every way asked for, and count hits.

Input: the word links of all samples and replicates, the gold.
Output: results/score/{pair}/{source}/{target}/{aligner}/{symmetrization}/replicates={replicates}/samples={samples}.npz
Config: experiments (which aggregates there are)
"""


rule score:
    input:
        gold=pattern("gold"),
        links=lambda wc: sum(GRID.replicates(wc), []),
    output:
        pattern("score"),
    log:
        "results/logs/score/{pair}/{source}/{target}/{aligner}/{symmetrization}/replicates={replicates}/samples={samples}.log",
    benchmark:
        "results/benchmarks/score/{pair}/{source}/{target}/{aligner}/{symmetrization}/replicates={replicates}/samples={samples}.tsv"
    conda:
        "../envs/seggrid.yaml"
    resources:
        **needs("score"),
    params:
        script=script("score"),
        code=code("score"),
        links=lambda wc: " ".join(f"--links {' '.join(parts)}" for parts in GRID.replicates(wc)),
        aggregates=lambda wc: GRID.aggregates(wc),
    shell:
        "python {params.script:q} --gold {input.gold:q} {params.links}"
        " --samples {wildcards.samples} --aggregates {params.aggregates} --output {output:q}"
        " 2> {log:q}"
