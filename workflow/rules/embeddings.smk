"""Beside align, embeddings: vectors of the tokens of gold sentences, and links from their similarities.

The encoder runs once on each sentence of each side. Extracting links from its vectors (with a layer, a method of
extraction and a null threshold) takes little longer than starting a job.

Input: a side's segmentation; the numbers of the gold sentences, which are encoded.
Output: results/encode/{pair}/{side}/{spec}/{part}.npz,
        results/align/{pair}/{source}/{target}/{aligner}/replicate={replicate}/{part}.npz
Config: aligners.embeddings; experiments (which layers are kept)
"""


include: "inputs/embeddings.smk"


rule encode:
    input:
        segmentation=lambda wc: side(wc).path("segment", part(wc)),
        gold_lines=pattern("gold_lines"),
    output:
        pattern("encode"),
    log:
        log_of("encode"),
    # Started before alignments, since these jobs take long.
    priority: 2
    conda:
        "../envs/embeddings.yaml"
    resources:
        **needs("encode"),
    params:
        **job("encode"),
        # A function, since Snakemake would take braces in a string for wildcards.
        options=lambda wc: json.dumps(CONFIG.aligners.options(ENCODING), sort_keys=True),
        layers=kept_layers,
    shell:
        "{params.script:q} --segmentation={input.segmentation:q} --gold-lines={input.gold_lines:q}"
        " --spec={wildcards.spec:q} --options={params.options:q} --layers {params.layers:q} --threads={threads}"
        " --output={output:q} 2> {log:q}"


rule link:
    input:
        source=lambda wc: source(wc).path("encode", part(wc)),
        target=lambda wc: target(wc).path("encode", part(wc)),
    output:
        pattern("align"),
    log:
        log_of("align"),
    wildcard_constraints:
        aligner=with_axes([ENCODING]),
    conda:
        "../envs/embeddings.yaml"
    resources:
        **needs("link"),
    params:
        **job("link"),
    shell:
        "{params.script:q} --source={input.source:q} --target={input.target:q}"
        " --alignment={wildcards.aligner:q} --output={output:q} 2> {log:q}"
