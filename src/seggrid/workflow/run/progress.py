"""The progress of a run, and an estimate of the time left."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from statistics import median_low

from seggrid.workflow.rules.costs import most


class Progress:
    """Count the jobs of a run. Times are passed in, in seconds of any clock.

    Attributes:
        total, done, failed: numbers of jobs.
        running: start time of each running job, by its number.
    """

    def __init__(self, measured: Mapping[str, float] | None = None) -> None:
        """
        Args:
            measured: seconds of a job of each kind, from earlier runs in the folder.
        """
        self.total = self.done = self.failed = 0
        self.running: dict[int, float] = {}
        self._measured = dict(measured or {})
        self._took: defaultdict[str, list[float]] = defaultdict(list)
        # The jobs that are left, each after the jobs that it needs.
        self._left: dict[int, str] = {}
        self._needs: Mapping[int, Collection[int]] = {}
        self._most = 1

    def plan(self, jobs: Mapping[int, str], needs: Mapping[int, Collection[int]]) -> None:
        """Set the planned jobs.

        Args:
            jobs: the kind of each job, by its number: the rule, and other things on which its time depends.
            needs: for each job, the planned jobs that have to finish before it.
        """
        self._needs = needs
        self._left = {job: jobs[job] for job in _ordered(jobs, needs)}
        self.total = len(jobs)

    def start(self, job: int, now: float) -> None:
        """Record that a job starts. A group of jobs on a cluster has a number of its own and is ignored."""
        if job not in self._left:
            return
        self.running[job] = now
        self._most = max(self._most, len(self.running))

    def finish(self, job: int, now: float) -> None:
        """Record that a job has succeeded."""
        kind = self._left.pop(job, None)
        start = self.running.pop(job, None)
        if kind is not None and start is not None:
            self._took[kind].append(now - start)
        self.done += 1

    def fail(self, job: int) -> None:
        """Record that a job has failed; jobs that depend on it will not run."""
        self.running.pop(job, None)
        self.failed += 1
        never = {job}
        for other in self._left:
            if not never.isdisjoint(self._needs.get(other, ())):
                never.add(other)
        for other in never:
            self._left.pop(other, None)

    def measured(self) -> dict[str, float]:
        """Seconds of a job of each kind: the mean in this run, or else in earlier runs."""
        own = {kind: sum(times) / len(times) for kind, times in self._took.items()}
        return self._measured | own

    def seconds_left(self, now: float) -> tuple[float, bool] | None:
        """An estimate of the seconds left, and whether every kind of job that is left was measured.

        The estimate is the total time of the jobs that are left, divided by the largest number of jobs that
        ran at once, but at least the time of the longest chain of jobs that need one another. A kind that was
        never measured gets its typical time, times the median ratio of times in this run to typical times.

        Returns:
            None if no job has finished.
        """
        if not self.done:
            return None
        means = self.measured()
        # The median, since the first jobs of a run wait for the fork server and for kernels to be compiled.
        ratios = [means[kind] / _typical(kind) for kind in self._took]
        ratio = median_low(ratios) if ratios else 1.0
        work, complete = 0.0, True
        ends: dict[int, float] = {}
        for job, kind in self._left.items():
            complete = complete and kind in means
            seconds = means.get(kind, _typical(kind) * ratio)
            if job in self.running:
                # A job that has already taken longer than others of its kind is expected to take some more
                # time.
                had = now - self.running[job]
                seconds = max(seconds - had, had / 4)
            work += seconds
            before = (ends[need] for need in self._needs.get(job, ()) if need in ends)
            ends[job] = seconds + max(before, default=0.0)
        return max([work / self._most, *ends.values()]), complete

    def line(self, now: float) -> str:
        """The state of the run in one line.

        >>> progress = Progress()
        >>> progress.plan({1: "align", 2: "align", 3: "score"}, {3: [1, 2]})
        >>> progress.start(1, 0.0)
        >>> progress.finish(1, 30.0)
        >>> progress.start(2, 30.0)
        >>> progress.line(42.0)
        '1 of 3 jobs (33%), running align for 12 s, perhaps 33 s left'
        """
        share = f" ({100 * self.done // self.total}%)" if self.total else ""
        parts = [f"{self.done} of {self.total} jobs{share}"]
        if self.failed:
            parts.append(f"{self.failed} failed")
        rules = Counter(self._left[job].split()[0] for job in self.running if job in self._left)
        if rules:
            longest = duration(max(now - start for start in self.running.values()))
            names = (f"{rule} ×{n}" if n > 1 else rule for rule, n in sorted(rules.items()))
            parts.append(f"running {' '.join(names)} for {longest}")
        estimate = self.seconds_left(now)
        if estimate is not None and self._left:
            seconds, complete = estimate
            parts.append(f"{'about' if complete else 'perhaps'} {duration(seconds)} left")
        return ", ".join(parts)


def _typical(kind: str) -> float:
    """How long a job of a kind takes in comparison with others, for kinds of which no job was ever measured
    in a folder."""
    return most(kind.split()[0]).minutes


def _ordered(jobs: Collection[int], needs: Mapping[int, Collection[int]]) -> list[int]:
    """The jobs, each after the jobs that it needs."""
    found: dict[int, None] = {}
    # An explicit stack, since chains of jobs may be deeper than Python's recursion limit.
    waiting = list(jobs)[::-1]
    while waiting:
        job = waiting[-1]
        before = [need for need in needs.get(job, ()) if need in jobs and need not in found]
        if before:
            waiting += before
        else:
            found[waiting.pop()] = None
    return list(found)


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
