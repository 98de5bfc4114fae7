"""Export, next to score: for chosen cells, the links and tokens of all sentence pairs, and the models.

An export as a whole aligns the cell again as in `align`, and keeps the links of all sentence pairs. An export in
parts aligns each slice of the text by a separate job. An aligner that `shares` aligns each slice twice: first by
itself, then again with the counts of links in all other slices. Another aligner aligns each slice once, with the
models that it learned on a sample of the text.

Input: segmentations; in parts, the corpus and the segmenters' models; for the table, gold and scores.
Output: results/whole/{pair}/{source}/{target}/{aligner}/replicate={replicate}/{part}/,
        results/kept/{pair}/{source}/{target}/{aligner}/{symmetrization}/samples={samples}/{aggregate}/drawn={drawn}/,
        results/slice/…/lines={lines}/,
        results/counted/{pair}/{source}/{target}/{aligner}/samples={samples}/lines={lines}/,
        results/summed/{pair}/{source}/{target}/{aligner}/samples={samples}/parts={parts}/,
        results/shared/{pair}/{source}/{target}/{aligner}/{symmetrization}/samples={samples}/{aggregate}/parts={parts}/lines={lines}/;
        and, under the study's folder, export/{export}/{cell}/links.txt,
        source.txt, target.txt, models/, and export/{export}/cells.csv
Config: export; aligners.{aligner}; seed
"""


# The same alignment as in `align`, without gold: the links of all sentence pairs are kept.
use rule align as whole with:
    input:
        source=lambda wc: both(wc)[0].path("segment", wc.part),
        target=lambda wc: both(wc)[1].path("segment", wc.part),
        gold_lines=[],
    output:
        directory(pattern("whole")),
    log:
        "results/logs/whole/{pair}/{source}/{target}/{aligner}/replicate={replicate}/{part}.log",
    params:
        gold_lines=[],


rule kept:
    input:
        unpack(lambda wc: GRID.exports.learned(both(wc))),
        texts=lambda wc: [own.whole_text for own in both(wc)],
    output:
        directory(pattern("kept")),
    log:
        "results/logs/kept/{pair}/{source}/{target}/{aligner}/{symmetrization}/samples={samples}/{aggregate}/drawn={drawn}.log",
    wildcard_constraints:
        aligner=with_axes(name for name, entry in ALIGNERS.items() if entry.keeps),
    priority: 1
    conda:
        "../envs/segmenters.yaml"
    resources:
        **needs("kept"),
    params:
        script=script("keep"),
        code=lambda wc: code("keep", *modules(wc)),
        models=lambda wc: GRID.exports.learned_options(both(wc)),
        options=lambda wc: GRID.alignments.aligner_options(aligner(wc)),
        seed=GRID.config.seed,
    shell:
        "{params.script:q} --source={input.texts[0]:q} --target={input.texts[1]:q} {params.models:q}"
        " --pair={wildcards.pair:q} --source-spec={wildcards.source:q}"
        " --target-spec={wildcards.target:q} --aligner={wildcards.aligner:q}"
        " --options={params.options:q} --symmetrization={wildcards.symmetrization:q}"
        " --samples={wildcards.samples:q} --aggregate={wildcards.aggregate:q}"
        " --drawn={wildcards.drawn:q} --seed={params.seed:q} --threads={threads}"
        " --output={output:q} 2> {log:q}"


rule slice:
    input:
        texts=lambda wc: [own.whole_text for own in both(wc)],
        kept=pattern("kept"),
    output:
        directory(pattern("slice")),
    log:
        "results/logs/slice/{pair}/{source}/{target}/{aligner}/{symmetrization}/samples={samples}/{aggregate}/drawn={drawn}/lines={lines}.log",
    wildcard_constraints:
        aligner=with_axes(name for name, entry in ALIGNERS.items() if entry.keeps),
    conda:
        "../envs/segmenters.yaml"
    resources:
        **needs("slice"),
    params:
        script=script("slice"),
        code=lambda wc: code("slice", *modules(wc)),
        options=lambda wc: GRID.alignments.aligner_options(aligner(wc)),
        seed=GRID.config.seed,
    shell:
        "{params.script:q} --source={input.texts[0]:q} --target={input.texts[1]:q}"
        " --kept={input.kept:q} --lines={wildcards.lines:q}"
        " --pair={wildcards.pair:q} --source-spec={wildcards.source:q}"
        " --target-spec={wildcards.target:q} --aligner={wildcards.aligner:q}"
        " --options={params.options:q} --symmetrization={wildcards.symmetrization:q}"
        " --samples={wildcards.samples:q} --aggregate={wildcards.aggregate:q}"
        " --drawn={wildcards.drawn:q} --seed={params.seed:q} --threads={threads}"
        " --output={output:q} 2> {log:q}"


rule counted:
    input:
        unpack(lambda wc: GRID.exports.learned(both(wc))),
        texts=lambda wc: [own.whole_text for own in both(wc)],
    output:
        directory(pattern("counted")),
    log:
        "results/logs/counted/{pair}/{source}/{target}/{aligner}/samples={samples}/lines={lines}.log",
    wildcard_constraints:
        aligner=with_axes(name for name, entry in ALIGNERS.items() if entry.shares),
    priority: 1
    conda:
        "../envs/segmenters.yaml"
    resources:
        **needs("counted"),
    params:
        script=script("count"),
        code=lambda wc: code("count", *modules(wc)),
        models=lambda wc: GRID.exports.learned_options(both(wc)),
        options=lambda wc: GRID.alignments.aligner_options(aligner(wc)),
        seed=GRID.config.seed,
    shell:
        "{params.script:q} --source={input.texts[0]:q} --target={input.texts[1]:q} {params.models:q}"
        " --lines={wildcards.lines:q} --pair={wildcards.pair:q} --source-spec={wildcards.source:q}"
        " --target-spec={wildcards.target:q} --aligner={wildcards.aligner:q}"
        " --options={params.options:q} --samples={wildcards.samples:q}"
        " --seed={params.seed:q} --threads={threads} --output={output:q} 2> {log:q}"


rule summed:
    input:
        lambda wc: GRID.exports.counted(wc),
    output:
        directory(pattern("summed")),
    log:
        "results/logs/summed/{pair}/{source}/{target}/{aligner}/samples={samples}/parts={parts}.log",
    wildcard_constraints:
        aligner=with_axes(name for name, entry in ALIGNERS.items() if entry.shares),
    priority: 1
    conda:
        "../envs/seggrid.yaml"
    resources:
        **needs("summed"),
    params:
        script=script("sum_counts"),
        code=lambda wc: code("sum_counts", ALIGNERS[aligner(wc)].module),
        slices=lambda wc: GRID.exports.counted_options(wc),
    shell:
        "{params.script:q} {params.slices:q} --aligner={wildcards.aligner:q}"
        " --samples={wildcards.samples:q} --output={output:q} 2> {log:q}"


rule shared:
    input:
        unpack(lambda wc: GRID.exports.learned(both(wc))),
        texts=lambda wc: [own.whole_text for own in both(wc)],
        counted=pattern("counted"),
        summed=pattern("summed"),
    output:
        directory(pattern("shared")),
    log:
        "results/logs/shared/{pair}/{source}/{target}/{aligner}/{symmetrization}/samples={samples}/{aggregate}/parts={parts}/lines={lines}.log",
    wildcard_constraints:
        aligner=with_axes(name for name, entry in ALIGNERS.items() if entry.shares),
    conda:
        "../envs/segmenters.yaml"
    resources:
        **needs("shared"),
    params:
        script=script("share"),
        code=lambda wc: code("share", *modules(wc)),
        models=lambda wc: GRID.exports.learned_options(both(wc)),
        options=lambda wc: GRID.alignments.aligner_options(aligner(wc)),
        seed=GRID.config.seed,
    shell:
        "{params.script:q} --source={input.texts[0]:q} --target={input.texts[1]:q} {params.models:q}"
        " --counted={input.counted:q} --summed={input.summed:q} --lines={wildcards.lines:q}"
        " --pair={wildcards.pair:q} --source-spec={wildcards.source:q}"
        " --target-spec={wildcards.target:q} --aligner={wildcards.aligner:q}"
        " --options={params.options:q} --symmetrization={wildcards.symmetrization:q}"
        " --samples={wildcards.samples:q} --aggregate={wildcards.aggregate:q}"
        " --seed={params.seed:q} --threads={threads} --output={output:q} 2> {log:q}"


rule export:
    input:
        lambda wc: GRID.exports.inputs(wc),
    output:
        table("export/{export}/{pair}/{cell}/{what}{ending}"),
    log:
        table("logs/export/{export}/{pair}/{cell}/{what}{ending}.log"),
    wildcard_constraints:
        export="|".join(map(re.escape, GRID.config.export)) or "none",
        cell=".+",
        what="links|source|target",
        ending=r"\.txt(\.gz|\.zst)?",
    conda:
        "../envs/seggrid.yaml"
    resources:
        **needs("export"),
    params:
        script=script("export"),
        code=code("export"),
        options=lambda wc: GRID.exports.options(wc),
    shell:
        "{params.script:q} {params.options:q} --output={output:q} 2> {log:q}"


rule export_models:
    input:
        lambda wc: GRID.exports.model_inputs(wc),
    output:
        directory(table("export/{export}/{pair}/{cell}/models")),
    log:
        table("logs/export/{export}/{pair}/{cell}/models.log"),
    wildcard_constraints:
        export="|".join(map(re.escape, GRID.config.export)) or "none",
        cell=".+",
    conda:
        "../envs/seggrid.yaml"
    resources:
        **needs("export"),
    params:
        script=script("export_models"),
        code=code("export_models"),
        options=lambda wc: GRID.exports.model_options(wc),
    shell:
        "{params.script:q} {params.options:q} --output={output:q} 2> {log:q}"


rule export_table:
    input:
        cells=table("cells.tsv"),
        links=lambda wc: GRID.exports.link_files(wc.export),
        gold=lambda wc: GRID.exports.gold_files(wc.export),
        scores=lambda wc: GRID.exports.score_files(wc.export),
    output:
        report(
            table("export/{export}/cells.csv"),
            caption="../report/export.rst",
            category="Export",
            labels={"table": "{export}"},
        ),
    log:
        table("logs/export/{export}/cells.log"),
    wildcard_constraints:
        export="|".join(map(re.escape, GRID.config.export)) or "none",
    conda:
        "../envs/seggrid.yaml"
    resources:
        **needs("collate"),
    params:
        script=script("export_table"),
        code=code("export_table"),
        options=lambda wc: GRID.exports.table_options(wc.export),
    shell:
        "{params.script:q} --cells={input.cells:q} {params.options:q} --output={output:q} 2> {log:q}"
