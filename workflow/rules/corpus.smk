"""Stage 1, corpus: a pair's texts and gold links, in one format whatever they came in.

Input: the files that the config names, local or downloaded.
Output: results/corpus/{pair}/{side}/case={case}.txt, results/gold/{pair}.npz
Config: pairs
"""


rule corpus:
    input:
        text=lambda wc: GRID.text(wc.pair, wc.side),
    output:
        pattern("corpus"),
    log:
        "results/logs/corpus/{pair}/{side}/{spec}.log",
    conda:
        "../envs/seggrid.yaml"
    resources:
        **needs("corpus"),
    params:
        script=script("corpus"),
        code=code("corpus"),
        format=lambda wc: GRID.config["pairs"][wc.pair][wc.side]["format"],
        case=lambda wc: wc.spec.removeprefix("case="),
    shell:
        "{params.script} --text {input.text:q} --format {params.format}"
        " --case {params.case} --output {output:q} 2> {log:q}"


rule gold:
    input:
        gold=lambda wc: GRID.gold(wc.pair),
        text=lambda wc: GRID.text(wc.pair, "source"),
    output:
        pattern("gold"),
    log:
        "results/logs/gold/{pair}.log",
    conda:
        "../envs/seggrid.yaml"
    resources:
        **needs("gold"),
    params:
        script=script("gold"),
        code=code("gold"),
        format=lambda wc: GRID.config["pairs"][wc.pair]["gold"]["format"],
        base=lambda wc: GRID.config["pairs"][wc.pair]["gold"]["base"],
        swapped=lambda wc: ("--swapped" if GRID.config["pairs"][wc.pair]["gold"]["swapped"] else ""),
        text_format=lambda wc: GRID.config["pairs"][wc.pair]["source"]["format"],
    shell:
        "{params.script} --gold {input.gold:q} --format {params.format}"
        " --base {params.base} {params.swapped} --text {input.text:q}"
        " --text-format {params.text_format} --output {output:q} 2> {log:q}"
