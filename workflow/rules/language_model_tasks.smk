"""After the training of language models, fine-tuning: a model learns to label words, sentences or pairs of them.

Input: a model, the files from which its segmentation is made, and the tagged text or files of examples.
Output: results/language_model/{lm}/tasks/{task}/{tuning}.npz, {tuning} being the seed,
        results/language_model_tasks.csv
Config: language_models.*.tasks, seed
"""


include: "inputs/language_model_tasks.smk"


rule language_model_task:
    input:
        corpus=lm_corpus,
        tokens=lm_tokens,
        model=lm_segmenter,
        train=train_examples,
        test=test_examples,
        tags=task_tags,
        lm=table("language_model/{lm}/model"),
    output:
        table("language_model/{lm}/tasks/{task}/{tuning}.npz"),
    log:
        table("logs/language_model_task/{lm}/{task}/{tuning}.log"),
    conda:
        "../envs/language_model.yaml"
    resources:
        **lm_resources(task_work),
    params:
        **job("language_model_task", of_lm_segmenter),
        content=content(lm_corpus, lm_segmenter, train_examples, test_examples),
        text=lm_settings,
        task=task_settings,
        progress=table("language_model/{lm}/tasks/{task}/{tuning}.progress"),
    shell:
        "{params.script:q} --corpus={input.corpus:q} --tokens={input.tokens:q} --model={input.model:q}"
        " {params.text:q} {params.task:q} --train-file={input.train:q} --test-file={input.test:q}"
        " --tags={input.tags:q} --seed={wildcards.tuning:q} --language-model={input.lm:q}"
        " --threads={threads} --progress={params.progress:q} --output={output:q} 2> {log:q}"


rule language_model_task_table:
    input:
        task_scores,
    output:
        result("language_model_tasks", "Language models"),
    log:
        table("logs/language_model_task_table.log"),
    conda:
        "../envs/report.yaml"
    resources:
        **needs("report"),
    params:
        **job("language_model_task_table"),
        tasks=task_rows,
        resamples=CONFIG.report.resamples,
        seed=CONFIG.seed,
    shell:
        "{params.script:q} --scores {input:q} --tasks={params.tasks:q}"
        " --resamples={params.resamples:q} --seed={params.seed:q} --output={output:q} 2> {log:q}"
