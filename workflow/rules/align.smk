"""Stage 5, align: both directions of links between two segmentations, for the gold sentences.

Input: the two sides' segmentations; the numbers of the gold sentences, which are kept.
Output: results/align/{pair}/{source}/{target}/{aligner}/replicate={replicate}/{part}.npz, with the probabilities of
        links if the aligner gives any
Config: aligners.{aligner}; seed, for aligners that take one
"""


include: "inputs/align.smk"


rule align:
    input:
        source=source_tokens,
        target=target_tokens,
        gold_lines=pattern("gold_lines"),
    output:
        pattern("align"),
    log:
        log_of("align"),
    wildcard_constraints:
        aligner=with_axes(name for name in ALIGNERS if name != ENCODING),
    # Alignments take longest, so they start as early as possible.
    priority: 1
    conda:
        environment_of
    resources:
        **needs("align"),
    params:
        **job("align", of_aligner),
        options=aligner_options,
        seed=lambda wc: CONFIG.seed if ALIGNERS[aligner(wc)].seeded else 0,
    shell:
        "{params.script:q} --source={input.source:q} --target={input.target:q}"
        " --gold-lines={input.gold_lines:q} --aligner={wildcards.aligner:q}"
        " --options={params.options:q} --pair={wildcards.pair:q}"
        " --source-spec={wildcards.source:q} --target-spec={wildcards.target:q}"
        " --replicate={wildcards.replicate:q} --part={wildcards.part:q} --seed={params.seed:q}"
        " --threads={threads} --output={output:q} 2> {log:q}"
