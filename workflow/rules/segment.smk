"""Stages 2 to 4, learn, prune and segment: the model of a side's segmenter, without the merges that a morphological
reference blames (BPE-knockout) or with weights for dropout, and the tokens that it cuts; and beside alignment,
measure: intrinsic measures of these tokens.

One model serves all numbers of merges: a model with fewer merges is a prefix of it. If a segmenter's models are
not nested (`nested` in its registration), there is one model for each number.

Input: the side's text, annotated if its segmenter reads annotations, or those of both sides for a joint model;
       the file with which it learns, if one is given;
       the morphemes, if pruning needs them; or a tokenizer from elsewhere in place of a model.
Output: results/learn/{pair}/{side}/{spec}.model; the side of a joint model is `both`;
        results/prune/{pair}/{side}/{spec}.model; results/measure/{pair}/{side}/{spec}.json;
        results/segment/{pair}/{side}/{spec}/{part}.npz, with dropout or sampling a part of the samples
Config: learn_merges (it is in the path, as `learned`), pairs.*.*, seed, where something is drawn
"""


rule learn:
    input:
        corpus=lambda wc: INPUTS.side(wc).texts,
        given=INPUTS.given,
    output:
        pattern("learn"),
    log:
        log_of("learn"),
    wildcard_constraints:
        side="source|target|both",
    conda:
        environment_file("seggrid")
    resources:
        **needs("learn"),
    params:
        **job("learn", INPUTS.of_segmenter),
        content=content(INPUTS.given),
        size=lambda wc: wc.spec.partition("learned=")[2],
    shell:
        "{params.script:q} --corpus {input.corpus:q} --given={input.given:q} --spec={wildcards.spec:q} --size={params.size:q} --output={output:q}"
        " 2> {log:q}"


rule prune:
    input:
        model=lambda wc: INPUTS.side(wc).learned,
        corpus=lambda wc: INPUTS.side(wc).corpus,
        morphemes=INPUTS.morphemes,
    output:
        pattern("prune"),
    log:
        log_of("prune"),
    conda:
        environment_file("seggrid")
    resources:
        **needs("prune"),
    params:
        **job("prune"),
        content=content(INPUTS.morphemes),
        format=lambda wc: format_of(INPUTS.side(wc).morphemes),
        seed=lambda wc: INPUTS.side(wc).prune_seed,
    shell:
        "{params.script:q} --model={input.model:q} --corpus={input.corpus:q}"
        " --morphemes={input.morphemes:q} --format={params.format:q} --spec={wildcards.spec:q}"
        " --pair={wildcards.pair:q} --side={wildcards.side:q} --seed={params.seed:q}"
        " --output={output:q} 2> {log:q}"


rule segment:
    input:
        corpus=lambda wc: INPUTS.side(wc).text,
        model=INPUTS.model,
    output:
        pattern("segment"),
    log:
        log_of("segment"),
    conda:
        environment_file("seggrid")
    resources:
        **needs("segment"),
    params:
        **job("segment", INPUTS.of_segmenter),
        content=content(INPUTS.model),
        model_format=INPUTS.model_format,
        seed=lambda wc: INPUTS.side(wc).seed,
    shell:
        "{params.script:q} --corpus={input.corpus:q} --model={input.model:q}"
        " --model-format={params.model_format:q} --pair={wildcards.pair:q} --side={wildcards.side:q}"
        " --spec={wildcards.spec:q} --part={wildcards.part:q} --seed={params.seed:q}"
        " --threads={threads} --output={output:q} 2> {log:q}"


# Of several samples, the first is measured.
rule measure:
    input:
        corpus=lambda wc: INPUTS.side(wc).corpus,
        model=INPUTS.model,
        joint=lambda wc: INPUTS.side(wc).joint,
        segmentation=lambda wc: INPUTS.side(wc).path("segment", GRID.first_part[INPUTS.side(wc)]),
    output:
        pattern("measure"),
    log:
        log_of("measure"),
    priority: 2
    conda:
        environment_file("seggrid")
    resources:
        **needs("measure"),
    params:
        **job("measure", INPUTS.of_segmenter),
        content=content(INPUTS.model),
        model_format=INPUTS.model_format,
    shell:
        "{params.script:q} --corpus={input.corpus:q} --model={input.model:q}"
        " --model-format={params.model_format:q} --learned-from {input.joint:q} --spec={wildcards.spec:q}"
        " --segmentation={input.segmentation:q} --output={output:q} 2> {log:q}"
