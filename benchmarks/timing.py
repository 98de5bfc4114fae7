"""Timing for the benchmarks: wall time and CPU time, programs in turns, medians."""

import resource
import statistics
import time


def timed(work):
    """Do the work; return its result, its wall time and its CPU time in seconds."""
    wall, cpu = time.perf_counter(), cpu_time()
    result = work()
    return result, time.perf_counter() - wall, cpu_time() - cpu


def medians(times):
    """For each program, the median of each column of its rows of seconds."""
    return {
        name: [statistics.median(column) for column in zip(*rows, strict=True)]
        for name, rows in times.items()
    }


def cpu_time():
    """User and system time of this process and of its finished child processes."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
