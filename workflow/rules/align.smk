"""Stage 5, align: both directions of links between two segmentations, for the gold sentences.

By the aligner `embeddings`, in two jobs. The encoder runs once on each sentence of each side (`encode`). Extracting
links from its vectors (with a layer, a method of extraction and a null threshold) takes little longer than starting
a job (`link`). With `tuning: self`, one job trains the encoder on all sentences of both sides and aligns (`tune`).

Input: the two sides' segmentations; the numbers of the gold sentences, which are kept.
Output: results/align/{pair}/{source}/{target}/{aligner}/replicate={replicate}/{part}.npz, with the probabilities of
        links if the aligner gives any; results/encode/{pair}/{side}/{spec}/{part}.npz
Config: aligners.{aligner}; seed, for aligners that take one; experiments (which layers are kept)
"""


rule align:
    input:
        source=INPUTS.source_tokens,
        target=INPUTS.target_tokens,
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
        INPUTS.conda_of_aligner
    resources:
        **needs("align"),
    params:
        **job("align", INPUTS.of_aligner),
        options=INPUTS.aligner_options,
        seed=lambda wc: CONFIG.seed if ALIGNERS[INPUTS.aligner(wc)].seeded else 0,
    shell:
        "{params.script:q} --source={input.source:q} --target={input.target:q}"
        " --gold-lines={input.gold_lines:q} --aligner={wildcards.aligner:q}"
        " --options={params.options:q} --pair={wildcards.pair:q}"
        " --source-spec={wildcards.source:q} --target-spec={wildcards.target:q}"
        " --replicate={wildcards.replicate:q} --part={wildcards.part:q} --seed={params.seed:q}"
        " --threads={threads} --output={output:q} 2> {log:q}"


rule encode:
    input:
        segmentation=lambda wc: INPUTS.side(wc).path("segment", INPUTS.part(wc)),
        gold_lines=pattern("gold_lines"),
    output:
        pattern("encode"),
    log:
        log_of("encode"),
    # Started before alignments, since these jobs take long.
    priority: 2
    conda:
        environment_file("torch")
    resources:
        **needs("encode"),
    params:
        **job("encode"),
        # A function, since Snakemake would take braces in a string for wildcards.
        options=lambda wc: json.dumps(CONFIG.aligners.options(ENCODING), sort_keys=True),
        layers=INPUTS.kept_layers,
    shell:
        "{params.script:q} --segmentation={input.segmentation:q} --gold-lines={input.gold_lines:q}"
        " --spec={wildcards.spec:q} --options={params.options:q} --layers {params.layers:q} --threads={threads}"
        " --output={output:q} 2> {log:q}"


rule link:
    input:
        source=lambda wc: INPUTS.source(wc).path("encode", INPUTS.part(wc)),
        target=lambda wc: INPUTS.target(wc).path("encode", INPUTS.part(wc)),
    output:
        pattern("align"),
    log:
        log_of("align"),
    wildcard_constraints:
        aligner=f"(?!{TUNED}){with_axes([ENCODING])}",
    conda:
        environment_file("torch")
    resources:
        **needs("link"),
    params:
        **job("link"),
    shell:
        "{params.script:q} --source={input.source:q} --target={input.target:q}"
        " --alignment={wildcards.aligner:q} --output={output:q} 2> {log:q}"


# The same inputs as those of `align`.
use rule align as tune with:
    wildcard_constraints:
        aligner=TUNED,
    conda:
        environment_file("torch")
    resources:
        **needs("tune"),
    params:
        **job("align", INPUTS.of_tuned_aligner),
        seed=CONFIG.seed,
