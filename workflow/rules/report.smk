"""Stage 8, report: published figures beside ours, claims, statistics, figures, and the page.

Input: the tables of scores and counts, and files of earlier stages for the page's viewer.
Output: results/{published,claims,significance,correlations,cost}.csv, results/figures/, results/report.html
Config: published, claims, seed, report
"""


rule compare:
    input:
        scores=table("scores.csv"),
        counts=table("counts.npz"),
        published=lambda wc: ancient(GRID.published()),
    output:
        comparison=report(
            table("published.csv"),
            caption="../report/published.rst",
            category="Scores",
            labels={"table": "published figures beside ours"},
        ),
        claims=report(
            table("claims.csv"),
            caption="../report/claims.rst",
            category="Scores",
            labels={"table": "claims"},
        ),
    log:
        table("logs/compare.log"),
    conda:
        "../envs/report.yaml"
    resources:
        **needs("collate"),
    params:
        script=script("compare"),
        code=code("compare"),
        content=lambda wc: GRID.content(*GRID.published()),
        published=lambda wc, input: [f"--published={file}" for file in input.published],
        study=GRID.config.claims,
        seed=GRID.config.seed,
        resamples=GRID.config.report.resamples,
    shell:
        "{params.script:q} --scores {input.scores:q} --counts {input.counts:q} {params.published:q}"
        " --study={params.study:q} --seed {params.seed:q} --resamples {params.resamples:q}"
        " --comparison {output.comparison:q} --claims {output.claims:q} 2> {log:q}"


rule significance:
    input:
        scores=table("scores.csv"),
        counts=table("counts.npz"),
    output:
        tests=report(
            table("significance.csv"),
            caption="../report/significance.rst",
            category="Scores",
            labels={"table": "intervals and tests"},
        ),
        correlations=report(
            table("correlations.csv"),
            caption="../report/correlations.rst",
            category="Scores",
            labels={"table": "measures and scores"},
        ),
    log:
        table("logs/significance.log"),
    conda:
        "../envs/report.yaml"
    resources:
        **needs("report"),
    params:
        script=script("significance"),
        code=code("significance"),
        seed=GRID.config.seed,
        resamples=GRID.config.report.resamples,
    shell:
        "{params.script:q} --scores {input.scores:q} --counts {input.counts:q}"
        " --seed {params.seed:q} --resamples {params.resamples:q} --output {output.tests:q}"
        " --correlations {output.correlations:q} 2> {log:q}"


rule figures:
    input:
        scores=table("scores.csv"),
        significance=table("significance.csv"),
        correlations=table("correlations.csv"),
        published=table("published.csv"),
        claims=table("claims.csv"),
        ensembles=[table("ensembles.csv")] if GRID.config.ensemble else [],
        morphology=[table("morphology.csv")] if GRID.config.morphology else [],
        knockout=[table("knockout.csv")] if GRID.config.morphology else [],
        models=[table("language_model.csv")] if GRID.config.language_models else [],
        probes=[table("language_model_probes.csv")] if LANGUAGE_MODELS.probes else [],
        tasks=[table("language_model_tasks.csv")] if LANGUAGE_MODELS.tasks else [],
        losses=[table("language_model_losses.csv")] if GRID.config.language_models else [],
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
        "../envs/report.yaml"
    resources:
        **needs("report"),
    params:
        script=script("figures"),
        code=code("figures"),
        ensembles=lambda wc, input: ([f"--ensembles={input.ensembles}"] if input.ensembles else []),
        morphology=lambda wc, input: (
            [f"--morphology={input.morphology}", f"--knockout={input.knockout}"]
            if input.morphology
            else []
        ),
        probes=lambda wc, input: [f"--language-model-probes={file}" for file in input.probes],
        tasks=lambda wc, input: [f"--language-model-tasks={file}" for file in input.tasks],
        models=lambda wc, input: (
            [f"--language-models={input.models}", f"--losses={input.losses}"]
            if input.models
            else []
        ),
    shell:
        "{params.script:q} --scores {input.scores:q} --significance {input.significance:q}"
        " --correlations {input.correlations:q} --published {input.published:q} --claims {input.claims:q} {params.morphology:q}"
        " {params.models:q} {params.probes:q} {params.tasks:q} {params.ensembles:q} --figures {output.figures:q} --tables {output.tables:q} 2> {log:q}"


rule page:
    input:
        scores=table("scores.csv"),
        cells=table("cells.tsv"),
        significance=table("significance.csv"),
        correlations=table("correlations.csv"),
        published=table("published.csv"),
        claims=table("claims.csv"),
        ensembles=[table("ensembles.csv")] if GRID.config.ensemble else [],
        votes=[table("votes.csv")] if GRID.config.ensemble else [],
        morphology=[table("morphology.csv")] if GRID.config.morphology else [],
        knockout=[table("knockout.csv")] if GRID.config.morphology else [],
        models=[table("language_model.csv")] if GRID.config.language_models else [],
        probes=[table("language_model_probes.csv")] if LANGUAGE_MODELS.probes else [],
        tasks=[table("language_model_tasks.csv")] if LANGUAGE_MODELS.tasks else [],
        compared=([table("language_model_comparisons.csv")] if GRID.config.language_models else []),
        # Sentences, gold, links and tokens for the viewer; its cells are chosen by the scores.
        corpora=GRID.corpora(),
        gold=GRID.gold_files(),
        score_files=lambda wc: GRID.score_files(),
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
        "../envs/report.yaml"
    resources:
        **needs("report"),
    params:
        script=script("report"),
        code=code("report"),
        # A function, so that braces in the title are not taken for wildcards.
        about=lambda wc: json.dumps(GRID.about(), sort_keys=True),
        ensembles=lambda wc, input: (
            [f"--ensembles={input.ensembles}", f"--votes={input.votes}"] if input.ensembles else []
        ),
        morphology=lambda wc, input: (
            [f"--morphology={input.morphology}", f"--knockout={input.knockout}"]
            if input.morphology
            else []
        ),
        probes=lambda wc, input: [f"--language-model-probes={file}" for file in input.probes],
        tasks=lambda wc, input: [f"--language-model-tasks={file}" for file in input.tasks],
        models=lambda wc, input: (
            [f"--language-models={input.models}", f"--comparisons={input.compared}"]
            if input.models
            else []
        ),
        evaluations=list(GRID.config.morphology),
        cells=GRID.config.report.viewer_cells,
        sentences=GRID.config.report.viewer_sentences,
    shell:
        "{params.script:q} --scores {input.scores:q} --cells {input.cells:q}"
        " --significance {input.significance:q} --correlations {input.correlations:q} --published {input.published:q}"
        " --claims {input.claims:q} {params.ensembles:q} {params.morphology:q} {params.models:q} {params.probes:q} {params.tasks:q} --about={params.about:q}"
        " --viewer-cells {params.cells:q} --viewer-sentences {params.sentences:q}"
        " --evaluations {params.evaluations:q} --cost {output.cost:q} --output {output.page:q}"
        " 2> {log:q}"
