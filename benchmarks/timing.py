"""How the benchmarks measure: by the clock and on the CPU, contenders in turns, medians."""

import resource
import statistics
import time


def timed(work):
    """Do the work; its result, and the seconds that it took by the clock and on the CPU."""
    wall, cpu = time.perf_counter(), _cpu_time()
    result = work()
    return result, time.perf_counter() - wall, _cpu_time() - cpu


def medians(times):
    """The median of each column, for each contender's rows of seconds."""
    return {
        name: [statistics.median(column) for column in zip(*rows, strict=True)]
        for name, rows in times.items()
    }


def _cpu_time():
    """User and system time of this process and of those it has waited for."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
