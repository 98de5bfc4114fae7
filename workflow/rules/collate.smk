"""Stage 7, collate: the table of scores, with one row for each cell.

Input: the scores of every cell, the measures of every segmentation.
Output: results/cells.tsv, results/scores.csv, results/counts.npz
Config: experiments
"""


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
        "../envs/seggrid.yaml"
    params:
        script=job("cells")["script"],
        # A function, since the digest takes a second for 10,000 cells and only this job needs it.
        digest=lambda wc: GRID.digest,
    shell:
        '{params.script:q} --config="$SEGGRID_CONFIG" --output={output:q} 2> {log:q}'


rule collate:
    input:
        cells=table("cells.tsv"),
        scores=all_scores,
        measures=all_measures,
        gold=[path("gold", pair=pair) for pair in GRID.pairs],
    output:
        scores=result("scores"),
        counts=table("counts.npz"),
    log:
        table("logs/collate.log"),
    conda:
        "../envs/report.yaml"
    resources:
        **needs("collate"),
    params:
        **job("collate"),
        golds=lambda wc: json.dumps(FILES.golds(GRID.pairs)),
    shell:
        "{params.script:q} --cells={input.cells:q} --golds={params.golds:q} --scores={output.scores:q}"
        " --counts={output.counts:q} 2> {log:q}"
