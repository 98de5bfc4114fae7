// Time and memory of jobs, by stage.

function cost() {
  const jobs = rows("cost");
  const { stages: known } = REPORT.labels;
  const place = (stage) => (known.includes(stage) ? known.indexOf(stage) : known.length);
  const stages = [...new Set(jobs.map((job) => job.stage))].sort((a, b) => place(a) - place(b));
  const of = (stage, column) => jobs.filter((job) => job.stage === stage).map((job) => job[column] ?? 0);
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const total = sum(jobs.map((job) => job.seconds ?? 0));
  const most = (stage, column) => Math.max(...of(stage, column));
  replace(
    $("cost-summary"),
    table(stages, [
      textual("Stage", (stage) => stage),
      numeric("Jobs", (stage) => of(stage, "seconds").length, whole),
      numeric("Time", (stage) => sum(of(stage, "seconds")), duration),
      numeric("Share", (stage) => sum(of(stage, "seconds")) / (total || 1), (share) => `${Math.round(100 * share)}%`),
      numeric("CPU time", (stage) => sum(of(stage, "cpu_seconds")), duration),
      numeric("Longest job", (stage) => most(stage, "seconds"), duration),
      numeric("Maximum memory", (stage) => most(stage, "max_rss_mb"), memory),
    ], { name: "cost" }),
  );
  const values = jobs.map((job) => ({ row: job.i, stage: job.stage, seconds: Math.max(job.seconds ?? 0, 0.01), memory: job.max_rss_mb }));
  const make = (width) => ({
    width: width - 110,
    height: { step: 34 },
    data: { values },
    mark: { type: "tick", thickness: 1.4, size: 20, opacity: 0.55, color: css("--c1") },
    encoding: {
      x: { field: "seconds", type: "quantitative", title: "Seconds per job", scale: { type: "log", nice: true }, axis: { labelOverlap: "greedy", labelSeparation: 8 } },
      y: { field: "stage", type: "nominal", sort: stages, title: null },
    },
  });
  const name = (job) => {
    const cell = CELL.get(job.cell);
    return cell ? `${cell.pair}: ${describe(cell)}` : job.cell;
  };
  chart($("cost-chart"), "Seconds per job, by stage", make, {
    tip: ({ row }) =>
      jobs[row] &&
      h("div", { class: "card" }, h("strong", null, jobs[row].stage), h("p", null, name(jobs[row])), `${duration(jobs[row].seconds ?? 0)}, memory ${memory(jobs[row].max_rss_mb)}`),
  });
  unfold($("cost-table"), () =>
    table(
      [...jobs].sort((a, b) => (b.seconds ?? 0) - (a.seconds ?? 0)),
      [
        textual("Stage", (job) => job.stage),
        textual("Job", name),
        numeric("Time", (job) => job.seconds ?? 0, duration),
        numeric("Memory", (job) => job.max_rss_mb, memory),
      ],
      { limit: 30, name: "jobs" },
    ),
  );
}
