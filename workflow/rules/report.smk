"""Stage 8, report: statistics, figures, and the page.

Input: the tables of scores and counts, and files of earlier stages for the page's viewer.
Output: results/{significance,correlations,verdict,selection,effects,ranks,cost}.csv, results/figures/, results/report.html
Config: seed, report
"""


rule significance:
    input:
        scores=table("scores.csv"),
        counts=table("counts.npz"),
    output:
        tests=result("significance"),
        correlations=result("correlations"),
    log:
        table("logs/significance.log"),
    conda:
        environment_file("seggrid")
    resources:
        **needs("report"),
    params:
        **job("significance"),
        seed=CONFIG.seed,
        resamples=CONFIG.report.resamples,
    shell:
        "{params.script:q} --scores {input.scores:q} --counts {input.counts:q}"
        " --seed {params.seed:q} --resamples {params.resamples:q} --output {output.tests:q}"
        " --correlations {output.correlations:q} 2> {log:q}"


rule verdict:
    input:
        scores=table("scores.csv"),
        counts=table("counts.npz"),
        selected=[table(made.file) for made in INPUTS.selected],
    output:
        verdict=result("verdict"),
        selection=result("selection"),
        effects=result("effects"),
        ranks=result("ranks"),
    log:
        table("logs/verdict.log"),
    conda:
        environment_file("seggrid")
    resources:
        **needs("report"),
    params:
        **job("verdict", INPUTS.of_studies),
        selected=lambda wc: INPUTS.named(INPUTS.selected),
        defaults=INPUTS.default_cells,
        development=INPUTS.development,
        seed=CONFIG.seed,
        resamples=CONFIG.report.resamples,
    shell:
        "{params.script:q} --scores {input.scores:q} --counts {input.counts:q} --selected={params.selected:q}"
        " --defaults={params.defaults:q} --development={params.development:q} --seed {params.seed:q}"
        " --resamples {params.resamples:q} --output {output.verdict:q} --selection {output.selection:q} --effects {output.effects:q} --ranks {output.ranks:q} 2> {log:q}"


rule figures:
    input:
        tables=[table(made.file) for made in INPUTS.printed],
    output:
        figures=report(
            directory(table("figures")),
            patterns=["{figure}.svg"],
            caption="../report/figures.rst",
            category="Figures",
            labels={"figure": "{figure}"},
        ),
        tables=report(
            directory(table("tables")),
            patterns=["{table}.csv"],
            caption="../report/tables.rst",
            category="Tables",
            labels={"table": "{table}"},
        ),
    log:
        table("logs/figures.log"),
    conda:
        environment_file("seggrid")
    resources:
        **needs("report"),
    params:
        **job("figures", INPUTS.of_studies),
        captions=INPUTS.captions,
        given=lambda wc: INPUTS.named(INPUTS.printed),
    shell:
        "{params.script:q} --given={params.given:q} --figures {output.figures:q}"
        " --tables {output.tables:q} 2> {log:q}"


rule page:
    input:
        tables=[table(made.file) for made in INPUTS.shown],
        cells=table("cells.tsv"),
        # Sentences, gold, links and tokens for the viewer, which shows cells chosen by their scores.
        corpora=sorted({own.corpus for own in GRID.sides}),
        gold=[path("gold", pair=pair) for pair in GRID.pairs],
        score_files=INPUTS.all_scores,
    output:
        page=report(
            table("report.html"),
            caption="../report/page.rst",
            category="Report",
            labels={"page": "interactive report"},
        ),
        cost=table("cost.csv"),
    log:
        table("logs/report.log"),
    conda:
        environment_file("seggrid")
    resources:
        **needs("report"),
    params:
        **job("report", INPUTS.of_studies),
        captions=INPUTS.captions,
        about=lambda wc: json.dumps(RUN.about(), sort_keys=True),
        given=lambda wc: INPUTS.named(INPUTS.shown),
        logs=[log for study in asked_studies(GRID) for log in study.logs(GRID)],
        cells=CONFIG.report.viewer_cells,
    shell:
        "{params.script:q} --given={params.given:q} --cells {input.cells:q} --about={params.about:q}"
        " --viewer-cells {params.cells:q} --logs {params.logs:q} --cost {output.cost:q}"
        " --output {output.page:q} 2> {log:q}"
