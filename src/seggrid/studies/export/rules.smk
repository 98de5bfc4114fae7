"""Export, next to score: for chosen cells, the links and tokens of all sentence pairs, and the models.

A cell is exported in one of two ways. As a whole (`whole`), it is aligned again as in `align`, and the links of
all sentence pairs are kept. In parts, a text is aligned in two steps, which are one script: some of it is aligned
by itself (`kept`, a sample of the text; `counted`, each slice), and then each slice with what that taught (`slice`,
`shared`). Slices of an aligner that shares counts learn from the counts of links in all other slices, which are
`summed`; those of others, from the models of the sample.

Input: segmentations; in parts, the corpus and the segmenters' models.
Output: results/{whole,kept,slice,counted,summed,shared}/{pair}/{source}/{target}/{aligner}/…/, folders;
        and, under the study's folder, export/{export}/{cell}/links.txt, source.txt, target.txt, models/
Config: export; aligners.{aligner}; seed
"""

from seggrid.studies.export.inputs import KEEPS, SHARES, ExportInputs
from seggrid.studies.export.study import Exports

EXPORTS = ExportInputs(GRID, FILES)


wildcard_constraints:
    lines=r"\d+-\d+",
    drawn=r"\d+",
    parts=r"\d+",


# The same alignment as in `align`, without gold: the links of all sentence pairs are kept.
use rule align as whole with:
    input:
        source=INPUTS.source_tokens,
        target=INPUTS.target_tokens,
        gold_lines=[],
    output:
        directory(pattern("whole")),
    log:
        log_of("whole"),


rule kept:
    input:
        **EXPORTS.whole_text,
        kept=[],
        counted=[],
        summed=[],
    output:
        directory(pattern("kept")),
    log:
        log_of("kept"),
    wildcard_constraints:
        aligner=KEEPS,
    priority: 1
    conda:
        environment_file("seggrid")
    resources:
        **needs("kept", EXPORTS.part_mb, EXPORTS.samples_of_cell),
    params:
        **EXPORTS.job("align_part", INPUTS.of_all),
        options=INPUTS.aligner_options,
        part=EXPORTS.settings_of_part,
        seed=CONFIG.seed,
    shell:
        "{params.script:q} --source={input.source:q} --target={input.target:q}"
        " --source-model={input.source_model:q} --target-model={input.target_model:q}"
        " --kept={input.kept:q} --counted={input.counted:q} --summed={input.summed:q}"
        " --pair={wildcards.pair:q} --source-spec={wildcards.source:q}"
        " --target-spec={wildcards.target:q} --aligner={wildcards.aligner:q}"
        " --options={params.options:q} --samples={wildcards.samples:q} {params.part:q}"
        " --seed={params.seed:q} --threads={threads} --output={output:q} 2> {log:q}"


use rule kept as counted with:
    output:
        directory(pattern("counted")),
    log:
        log_of("counted"),
    wildcard_constraints:
        aligner=SHARES,
    resources:
        **needs("counted", EXPORTS.part_mb, EXPORTS.samples_of_cell),


rule summed:
    input:
        EXPORTS.counts_of_all,
    output:
        directory(pattern("summed")),
    log:
        log_of("summed"),
    wildcard_constraints:
        aligner=SHARES,
    priority: 1
    conda:
        environment_file("seggrid")
    resources:
        **needs("summed", samples=EXPORTS.samples_of_cell),
    params:
        **EXPORTS.job("sum_counts", INPUTS.of_aligner),
        # A pattern, since thousands of names would not fit into a command.
        slices=lambda wc: path("counted", **{**wc, "lines": "*"}),
        lines=lambda wc: FILES.lines(wc.pair),
    shell:
        "{params.script:q} --slices={params.slices:q} --cut {params.lines:q} {wildcards.parts:q}"
        " --aligner={wildcards.aligner:q} --samples={wildcards.samples:q} --output={output:q} 2> {log:q}"


use rule kept as slice with:
    input:
        **EXPORTS.whole_text,
        kept=pattern("kept"),
        counted=[],
        summed=[],
    output:
        directory(pattern("slice")),
    log:
        log_of("slice"),
    resources:
        **needs("slice", EXPORTS.part_mb, EXPORTS.samples_of_cell),


use rule kept as shared with:
    input:
        **EXPORTS.whole_text,
        kept=[],
        counted=pattern("counted"),
        summed=pattern("summed"),
    output:
        directory(pattern("shared")),
    log:
        log_of("shared"),
    wildcard_constraints:
        aligner=SHARES,
    resources:
        **needs("shared", EXPORTS.part_mb, EXPORTS.samples_of_cell),


rule exports:
    input:
        Exports.targets(GRID),
    localrule: True


rule export:
    input:
        EXPORTS.inputs,
    output:
        table("export/{export}/{pair}/{cell}/{what}{ending}"),
    log:
        table("logs/export/{export}/{pair}/{cell}/{what}{ending}.log"),
    wildcard_constraints:
        export=names(CONFIG.export),
        cell=".+",
        what="links|source|target",
        ending=r"\.txt(\.gz|\.zst)?",
    conda:
        environment_file("seggrid")
    resources:
        **needs("export"),
    params:
        **EXPORTS.job("export"),
        settings=EXPORTS.settings,
    shell:
        "{params.script:q} {params.settings:q} --output={output:q} 2> {log:q}"


rule export_models:
    input:
        unpack(EXPORTS.models),
    output:
        directory(table("export/{export}/{pair}/{cell}/models")),
    log:
        table("logs/export/{export}/{pair}/{cell}/models.log"),
    wildcard_constraints:
        export=names(CONFIG.export),
        cell=".+",
    conda:
        environment_file("seggrid")
    resources:
        **needs("export"),
    params:
        **EXPORTS.job("export_models"),
        recipe=EXPORTS.recipe,
    shell:
        "{params.script:q} {params.recipe:q} --output={output:q} 2> {log:q}"
