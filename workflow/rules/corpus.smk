"""Stage 1, corpus: a pair's texts and gold links, in one format whatever they came in.

Files from outside count by their content, not by their times: they are `ancient`, and a parameter
holds their digest. (It may not be made from `input`: such parameters do not count as changed.)

Input: the files that the config names, local or downloaded.
A smaller selection of the text's lines holds all that have gold, so it depends on the gold.

Output: results/corpus/{pair}/{side}/{spec}.txt, spec being `case={case}`, and `+sentences={sentences}`
        where not all are kept; results/gold/{pair}.npz
Config: pairs
"""


rule corpus:
    input:
        text=lambda wc: ancient(GRID.text(wc.pair, wc.side)),
        gold=lambda wc: GRID.gold_of_selection(wc.pair, wc.spec),
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
        content=lambda wc: GRID.content(GRID.text(wc.pair, wc.side)),
        format=lambda wc: GRID.config["pairs"][wc.pair][wc.side]["format"],
        selection=lambda wc: GRID.text_arguments(wc.pair, wc.spec),
    shell:
        "{params.script:q} --text={input.text:q} --format={params.format:q}"
        " {params.selection:q} --output={output:q} 2> {log:q}"


rule gold:
    input:
        gold=lambda wc: ancient(GRID.gold(wc.pair)),
        # The text whose ids the gold uses, if there is one.
        ids=lambda wc: ancient(GRID.ids(wc.pair) or []),
        # Both texts, where links outside them are left out.
        within=lambda wc: ancient(GRID.texts_within(wc.pair)),
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
        content=lambda wc: GRID.content(
            GRID.gold(wc.pair), GRID.ids(wc.pair), *GRID.texts_within(wc.pair)
        ),
        format=lambda wc: GRID.config["pairs"][wc.pair]["gold"]["format"],
        base=lambda wc: GRID.config["pairs"][wc.pair]["gold"]["base"],
        swapped=lambda wc: ["--swapped"] * GRID.config["pairs"][wc.pair]["gold"]["swapped"],
        ids=lambda wc, input: [f"--ids={input.ids}"] if input.ids else [],
        within=lambda wc: GRID.within_arguments(wc.pair),
    shell:
        "{params.script:q} --gold={input.gold:q} --format={params.format:q}"
        " --base={params.base:q} {params.swapped:q} {params.ids:q} {params.within:q}"
        " --output={output:q} 2> {log:q}"
