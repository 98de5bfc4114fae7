"""Stage 6, project: join the two directions, and map links between tokens to links between words.

Input: both directions, with the tokens they link.
Output: results/project/{pair}/{source}/{target}/{aligner}/{symmetrization}/replicate={replicate}/{part}.npz
Config: none
"""


rule project:
    input:
        pattern("align"),
    output:
        pattern("project"),
    log:
        "results/logs/project/{pair}/{source}/{target}/{aligner}/{symmetrization}/replicate={replicate}/{part}.log",
    benchmark:
        "results/benchmarks/project/{pair}/{source}/{target}/{aligner}/{symmetrization}/replicate={replicate}/{part}.tsv"
    conda:
        "../envs/seggrid.yaml"
    resources:
        **needs("project"),
    params:
        script=script("project"),
        code=code("project"),
    shell:
        "python {params.script:q} --alignments {input:q} --symmetrization {wildcards.symmetrization}"
        " --output {output:q} 2> {log:q}"
