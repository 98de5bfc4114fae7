"""The progress of a run, and an estimate of the time left."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from statistics import mean, median_low

from seggrid.workflow.rules.costs import most


class Progress:
    """Count the jobs of a run, which are given by their numbers, each with its kind: its rule, and what else
    its time depends on. Times are passed in, in seconds of any clock."""

    def __init__(self, jobs: Mapping[int, str]) -> None:
        self.total = len(jobs)
        self.done = self.failed = 0
        self._left = dict(jobs)
        self._running: dict[int, float] = {}
        self._took: defaultdict[str, list[float]] = defaultdict(list)
        self._at_once = 1

    def start(self, job: int, now: float) -> None:
        """Record that a job starts. A group of jobs on a cluster has a number of its own and is ignored."""
        if job in self._left:
            self._running[job] = now
            self._at_once = max(self._at_once, len(self._running))

    def finish(self, job: int, now: float) -> None:
        """Record that a job has succeeded."""
        kind = self._left.pop(job)
        if job in self._running:
            self._took[kind].append(now - self._running.pop(job))
        self.done += 1

    def fail(self, job: int) -> None:
        """Record that a job has failed."""
        self._running.pop(job, None)
        self.failed += 1

    def seconds_left(self, now: float) -> float | None:
        """An estimate of the seconds left: the total time of the jobs that are left, divided by the largest
        number of jobs that ran at once.

        A kind of which no job has finished gets its typical time, times the median ratio of times in this run
        to typical times.

        Returns:
            None if no job has finished; or if one has failed, since those that need it will not run.
        """
        if not self._took or self.failed:
            return None
        means = {kind: mean(times) for kind, times in self._took.items()}
        # The median, since the first jobs of a run wait for the fork server and for kernels to be compiled.
        ratio = median_low(seconds / _typical(kind) for kind, seconds in means.items())
        work = 0.0
        for job, kind in self._left.items():
            seconds = means.get(kind, _typical(kind) * ratio)
            if job in self._running:
                # A job that has taken longer than others of its kind is expected to take some more time.
                had = now - self._running[job]
                seconds = max(seconds - had, had / 4)
            work += seconds
        return work / max(1, min(self._at_once, len(self._left)))

    def line(self, now: float) -> str:
        """The state of the run in one line.

        >>> progress = Progress({1: "align", 2: "align", 3: "score"})
        >>> progress.start(1, 0.0)
        >>> progress.finish(1, 30.0)
        >>> progress.start(2, 30.0)
        >>> progress.line(42.0)
        '1 of 3 jobs (33%), running align for 12 s, about 33 s left'
        """
        share = f" ({100 * self.done // self.total}%)" if self.total else ""
        parts = [f"{self.done} of {self.total} jobs{share}"]
        if self.failed:
            parts.append(f"{self.failed} failed")
        rules = Counter(self._left[job].split()[0] for job in self._running)
        if rules:
            longest = duration(now - min(self._running.values()))
            names = (f"{rule} ×{n}" if n > 1 else rule for rule, n in sorted(rules.items()))
            parts.append(f"running {' '.join(names)} for {longest}")
        seconds = self.seconds_left(now)
        if seconds is not None and self._left:
            parts.append(f"about {duration(seconds)} left")
        return ", ".join(parts)


def _typical(kind: str) -> float:
    """How long a job of a kind takes in comparison with others."""
    return most(kind.split()[0]).minutes


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
