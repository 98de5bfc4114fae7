"""Stage 6, score: symmetrize, project to words, aggregate a cell's samples, and count hits.

These steps are one job, since each takes less time than starting a job, and the result is smaller than the input.
Cells that differ only in how samples are aggregated are a group: one job scores them all, and its output has the
counts of each aggregate. The replicates of a group, and the parts of a replicate's samples, are files of their own.

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
        log_of("score"),
    # Cells are scored as soon as they can be, so that the page of a run fills while it goes on.
    priority: 2
    conda:
        "../envs/seggrid.yaml"
    resources:
        **needs("score"),
    params:
        **job("score"),
        alignments=options_of_links,
        aggregates=aggregates,
    shell:
        "{params.script:q} --gold={input.gold:q} {params.alignments:q}"
        " --symmetrization={wildcards.symmetrization:q} --samples={wildcards.samples:q}"
        " --aggregates {params.aggregates:q} --output={output:q} 2> {log:q}"
