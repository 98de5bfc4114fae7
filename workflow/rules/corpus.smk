"""Stage 1, corpus: a pair's texts and gold links, converted to one format.

Jobs depend on the content of files from outside, not on their times: the files are `ancient`, and a parameter
is a digest of their content. (It must not be made from `input`, since Snakemake ignores changes of such
parameters.)

Input: the files that the config names, local or downloaded; if only some lines are used, the numbers of the lines
       with gold, which are always among them.
Output: results/corpus/{pair}/{side}/{spec}.txt, where spec is `case={case}`, followed by
        `+sentences={sentences}` if not all are kept; results/gold/{pair}.npz; results/gold_lines/{pair}.npz,
        the numbers of the lines with gold
Config: pairs
"""


rule corpus:
    input:
        text=lambda wc: ancient(GRID.files.text_files(wc.pair, wc.side)),
        gold_lines=lambda wc: GRID.files.gold_of_selection(wc.pair, parse_corpus_spec(wc.spec)),
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
        content=lambda wc: GRID.files.content(*GRID.files.text_files(wc.pair, wc.side)),
        text=lambda wc: GRID.files.text_arguments(wc.pair, wc.side, parse_corpus_spec(wc.spec)),
    shell:
        "{params.script:q} {params.text:q} --output={output:q} 2> {log:q}"


# For a pair without gold, some sentences are chosen to take the place of gold sentences.
rule gold:
    input:
        gold=lambda wc: ancient(GRID.files.gold(wc.pair)),
        # The text with the ids that the gold uses; both texts, if links outside sentences are left out.
        texts=lambda wc: ancient(GRID.files.gold_text_files(wc.pair)),
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
        content=lambda wc: GRID.files.content(
            *GRID.files.gold(wc.pair), *GRID.files.gold_text_files(wc.pair)
        ),
        options=lambda wc: GRID.files.gold_arguments(wc.pair),
    shell:
        "{params.script:q} {params.options:q} --output={output:q} 2> {log:q}"


# The numbers of the lines with gold are in a file of their own, whose parameter is a digest of these numbers: so a
# changed link does not rerun alignments.
use rule gold as gold_lines with:
    output:
        pattern("gold_lines"),
    log:
        "results/logs/gold_lines/{pair}.log",
    params:
        content=lambda wc: GRID.files.gold_lines_digest(wc.pair),
        options=lambda wc: [*GRID.files.gold_arguments(wc.pair), "--only-lines"],
