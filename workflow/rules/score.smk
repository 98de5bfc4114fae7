"""Stages 6 and 7, score and collate: symmetrize, project to words, aggregate a cell's samples, and count hits; then
the table of scores, with one row for each cell.

The steps of scoring are one job, since each takes less time than starting a job, and the result is smaller than the
input. Cells that differ only in how samples are aggregated are a group: one job scores them all, and its output has
the counts of each aggregate. The replicates of a group, and the parts of a replicate's samples, are files of their own.

Input: both directions of links of all samples and replicates, with their probabilities; the gold; for the table, the
       measures of every segmentation.
Output: results/score/{pair}/{source}/{target}/{aligner}/{symmetrization}/replicates={replicates}/samples={samples}.npz,
        results/cells.tsv, results/scores.csv, results/counts.npz
Config: experiments
"""


rule score:
    input:
        gold=pattern("gold"),
        alignments=lambda wc: GRID.links(GRID.group_of[path("score", **wc)]),
    output:
        pattern("score"),
    log:
        log_of("score"),
    # Cells are scored as soon as they can be, so that the page of a run fills while it goes on.
    priority: 2
    conda:
        environment_file("seggrid")
    resources:
        **needs("score"),
    params:
        **job("score"),
        aggregates=lambda wc: GRID.groups[GRID.group_of[path("score", **wc)]],
    shell:
        "{params.script:q} --gold={input.gold:q} --alignments {input.alignments:q}"
        " --symmetrization={wildcards.symmetrization:q} --samples={wildcards.samples:q}"
        " --aggregates {params.aggregates:q} --output={output:q} 2> {log:q}"


# The list of cells is a file, since it is too long for a command line. Its job must rerun when the list changes, but
# not when only the wording of the config does; therefore its parameter is a digest of the list, not the config.
rule cells:
    output:
        table("cells.tsv"),
    log:
        table("logs/cells.log"),
    priority: 2
    localrule: True
    conda:
        environment_file("seggrid")
    params:
        script=job("cells")["script"],
        # A function, since the digest takes a second for 10,000 cells and only this job needs it.
        digest=lambda wc: GRID.digest,
    shell:
        '{params.script:q} --config="$SEGGRID_CONFIG" --output={output:q} 2> {log:q}'


rule collate:
    input:
        cells=table("cells.tsv"),
        scores=INPUTS.all_scores,
        measures=INPUTS.all_measures,
        gold=[path("gold", pair=pair) for pair in GRID.pairs],
    output:
        scores=result("scores"),
        counts=table("counts.npz"),
    log:
        table("logs/collate.log"),
    conda:
        environment_file("seggrid")
    resources:
        **needs("collate"),
    params:
        **job("collate"),
        golds=lambda wc: json.dumps(FILES.golds(GRID.pairs)),
    shell:
        "{params.script:q} --cells={input.cells:q} --golds={params.golds:q} --scores={output.scores:q}"
        " --counts={output.counts:q} 2> {log:q}"
