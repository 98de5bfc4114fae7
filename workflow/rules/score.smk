"""Stage 6, score: symmetrize, project to words, aggregate a cell's samples, and count hits.

These steps are one job, since each takes less time than starting a job, and the result is smaller than the input.
The job aggregates the samples in all requested ways.

Input: both directions of links of all samples and replicates, with their probabilities; the gold.
Output: results/score/{pair}/{source}/{target}/{aligner}/{symmetrization}/replicates={replicates}/samples={samples}.npz
Config: experiments (the aggregates)
"""


include: "inputs/score.smk"


rule score:
    input:
        gold=pattern("gold"),
        alignments=all_links,
    output:
        pattern("score"),
    log:
        "results/logs/score/{pair}/{source}/{target}/{aligner}/{symmetrization}/replicates={replicates}/samples={samples}.log",
    conda:
        "../envs/seggrid.yaml"
    resources:
        **needs("score"),
    params:
        **job("score"),
        alignments=links_of_replicates,
        aggregates=lambda wc: GRID.groups[group(wc)],
    shell:
        "{params.script:q} --gold={input.gold:q} {params.alignments:q}"
        " --symmetrization={wildcards.symmetrization:q} --samples={wildcards.samples:q}"
        " --aggregates {params.aggregates:q} --output={output:q} 2> {log:q}"
