"""After the training of language models, fine-tuning: a model learns to label words, sentences or pairs of them.

Input: a model, the files from which its segmentation is made, and the tagged text or files of examples.
Output: results/language_model/{lm}/tasks/{task}/{tuning}.npz, {tuning} being the seed,
        results/language_model_tasks.csv
Config: language_models.*.tasks, seed
"""


rule language_model_task:
    input:
        unpack(lambda wc: GRID.language_models.text_inputs(wc.lm)),
        outside=lambda wc: ancient(GRID.language_models.outside(wc.lm)),
        examples=lambda wc: ancient(list(GRID.language_models.task_files(wc.lm, wc.task).values())),
        tags=lambda wc: GRID.language_models.task_tags(wc.lm, wc.task),
        lm=table("language_model/{lm}/model"),
    output:
        table("language_model/{lm}/tasks/{task}/{tuning}.npz"),
    log:
        table("logs/language_model_task/{lm}/{task}/{tuning}.log"),
    conda:
        "../envs/language_model.yaml"
    resources:
        mem_mb=lambda wc, attempt: GRID.language_models.task_needs(wc.lm, wc.task, attempt)[0],
        runtime=lambda wc, attempt: GRID.language_models.task_needs(wc.lm, wc.task, attempt)[1],
    params:
        script=script("language_model_task"),
        code=lambda wc: code("language_model_task", GRID.language_models.module(wc.lm)),
        content=lambda wc: GRID.files.content(
            *GRID.language_models.outside(wc.lm),
            *GRID.language_models.task_files(wc.lm, wc.task).values(),
        ),
        text=lambda wc: GRID.language_models.text_options(wc.lm),
        options=lambda wc: GRID.language_models.task_options(wc.lm, wc.task),
        progress=lambda wc: f"{GRID.language_models.place(wc.lm)}/tasks/{wc.task}/{wc.tuning}.progress",
    shell:
        "{params.script:q} {params.text:q} {params.options:q} --seed={wildcards.tuning:q}"
        " --language-model={input.lm:q} --threads={threads} --progress={params.progress:q}"
        " --output={output:q} 2> {log:q}"


rule language_model_task_table:
    input:
        lambda wc: GRID.language_models.task_scores(),
    output:
        result("language_model_tasks", "Language models"),
    log:
        table("logs/language_model_task_table.log"),
    conda:
        "../envs/report.yaml"
    resources:
        **needs("report"),
    params:
        script=script("language_model_task_table"),
        code=code("language_model_task_table"),
        tasks=lambda wc: GRID.language_models.task_table_options(),
        resamples=GRID.config.report.resamples,
        seed=GRID.config.seed,
    shell:
        "{params.script:q} --scores {input:q} --tasks={params.tasks:q}"
        " --resamples={params.resamples:q} --seed={params.seed:q} --output={output:q} 2> {log:q}"
