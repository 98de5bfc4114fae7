"""The progress of a run, and an estimate of the time left from the jobs that have finished."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping


class Progress:
    """Count the jobs of a run. Times are passed in, in seconds of any clock.

    Attributes:
        total, done, failed: numbers of jobs.
        running: start time of each running job, by its number.
    """

    def __init__(self) -> None:
        self.total = self.done = self.failed = 0
        self.running: dict[int, float] = {}
        self._left: Counter[str] = Counter()
        self._took: defaultdict[str, list[float]] = defaultdict(list)
        self._rules: dict[int, str] = {}
        self._began: float | None = None

    def plan(self, jobs: Mapping[str, int]) -> None:
        """Set the number of planned jobs of each rule."""
        self._left = Counter(jobs)
        self.total = sum(self._left.values())

    def announce(self, job: int, rule: str) -> None:
        """Set the rule of a job, which Snakemake reports before or after the job's start."""
        self._rules[job] = rule

    def start(self, job: int, now: float) -> None:
        """Record that a job starts."""
        if self._began is None:
            self._began = now
        self.running[job] = now

    def finish(self, job: int, now: float) -> None:
        """Record that a job has succeeded."""
        rule = self._rule(job)
        self._took[rule].append(now - self.running.pop(job, now))
        self._left[rule] -= 1
        self.done += 1

    def fail(self, job: int) -> None:
        """Record that a job has failed; jobs that depend on it will not run."""
        self.running.pop(job, None)
        self._left[self._rule(job)] -= 1
        self.failed += 1

    def _rule(self, job: int) -> str:
        return self._rules.get(job, "job")

    def seconds_left(self, now: float) -> tuple[float, bool] | None:
        """An estimate of the seconds left, and whether it includes every rule with jobs left.

        The estimate is the number of jobs left of each rule times the mean time of its finished jobs, less
        the time that running jobs have had, divided by the mean number of jobs that ran in parallel so far.
        Rules without a finished job are not included; the estimate is then a lower bound.

        Returns:
            None if no job has finished.
        """
        if not self.done or self._began is None or now <= self._began:
            return None
        work, complete = 0.0, True
        for rule, count in self._left.items():
            if count <= 0:
                continue
            if rule not in self._took:
                complete = False
                continue
            mean = sum(self._took[rule]) / len(self._took[rule])
            had = [now - began for job, began in self.running.items() if self._rule(job) == rule]
            work += max(count * mean - sum(min(seconds, mean) for seconds in had), 0.0)
        spent = sum(map(sum, self._took.values()))
        spent += sum(now - began for began in self.running.values())
        at_once = spent / (now - self._began)
        return (work / at_once if at_once else 0.0), complete

    def line(self, now: float) -> str:
        """The state in one line.

        >>> progress = Progress()
        >>> progress.plan({"align": 4, "score": 2})
        >>> progress.announce(1, "align")
        >>> progress.start(1, 0.0)
        >>> progress.finish(1, 30.0)
        >>> progress.line(30.0)
        '1 of 6 jobs (16%), at least 1 min 30 s left'
        """
        share = f" ({100 * self.done // self.total}%)" if self.total else ""
        parts = [f"{self.done} of {self.total} jobs{share}"]
        if self.failed:
            parts.append(f"{self.failed} failed")
        rules = Counter(self._rules[job] for job in self.running if job in self._rules)
        if rules:
            parts.append(
                "running "
                + " ".join(f"{rule} ×{n}" if n > 1 else rule for rule, n in sorted(rules.items()))
            )
        estimate = self.seconds_left(now)
        if estimate is not None and self.done + self.failed < self.total:
            seconds, complete = estimate
            parts.append(f"{'about' if complete else 'at least'} {duration(seconds)} left")
        return ", ".join(parts)


def duration(seconds: float) -> str:
    """A time in words, rounded as an estimate.

    >>> [duration(s) for s in (0.2, 42, 97, 1234, 9000)]
    ['1 s', '42 s', '1 min 40 s', '21 min', '2 h 30 min']
    """
    whole = max(round(seconds), 1)
    if whole < 60:
        return f"{whole} s"
    if whole < 600:
        minutes, rest = divmod(round(whole / 10) * 10, 60)
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(round(whole / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
