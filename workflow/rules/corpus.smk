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
        text=lambda wc: ancient(GRID.text_files(wc.pair, wc.side)),
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
        content=lambda wc: GRID.content(*GRID.text_files(wc.pair, wc.side)),
        text=lambda wc: GRID.text_arguments(wc.pair, wc.side, wc.spec),
    shell:
        "{params.script:q} {params.text:q} --output={output:q} 2> {log:q}"


# Of a pair without gold, some sentences are kept that cells are compared on.
rule gold:
    input:
        gold=lambda wc: ancient(GRID.gold(wc.pair) or []),
        # The text whose ids the gold uses; both, where links outside them are left out.
        texts=lambda wc: ancient(GRID.gold_text_files(wc.pair)),
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
        content=lambda wc: GRID.content(GRID.gold(wc.pair), *GRID.gold_text_files(wc.pair)),
        options=lambda wc: GRID.gold_arguments(wc.pair),
    shell:
        "{params.script:q} {params.options:q} --output={output:q} 2> {log:q}"
