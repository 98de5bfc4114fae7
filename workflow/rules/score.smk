"""Stage 6, score: symmetrize, project to words, aggregate a cell's samples, and count hits.

One job, for each of these takes less time than the start of a job, and holds less in the end than
what it begins with. The samples are aggregated in every way asked for.

Input: both directions of links of all samples and replicates (results/align, or results/posteriors
       where probabilities are asked for), the gold.
Output: results/score/{pair}/{source}/{target}/{aligner}/{symmetrization}/replicates={replicates}/samples={samples}.npz
Config: experiments (which aggregates there are)
"""


rule score:
    input:
        gold=pattern("gold"),
        alignments=lambda wc: sum(GRID.replicates(wc), []),
    output:
        pattern("score"),
    log:
        "results/logs/score/{pair}/{source}/{target}/{aligner}/{symmetrization}/replicates={replicates}/samples={samples}.log",
    conda:
        "../envs/seggrid.yaml"
    resources:
        **needs("score"),
    params:
        script=script("score"),
        code=code("score"),
        alignments=lambda wc: [
            argument for parts in GRID.replicates(wc) for argument in ("--alignments", *parts)
        ],
        aggregates=lambda wc: GRID.aggregates(wc),
    shell:
        "{params.script:q} --gold={input.gold:q} {params.alignments:q}"
        " --symmetrization={wildcards.symmetrization:q} --samples={wildcards.samples:q}"
        " --aggregates {params.aggregates:q} --output={output:q} 2> {log:q}"
