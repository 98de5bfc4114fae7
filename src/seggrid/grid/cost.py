"""What a job costs, and what it asks for."""

from __future__ import annotations

from typing import NamedTuple


class Most(NamedTuple):
    """What a job asks for: upper bounds with a margin, as linear functions of the size of a pair's text.

    A job that asks for too much has to wait, and one that asks for too little is killed. MB are 10**6 bytes;
    those of a text are those of both sides.

    Attributes:
        memory: MB of memory for any text.
        memory_per_mb: MB of memory for each MB of text.
        minutes: minutes for any text and sample.
        minutes_per_mb: minutes for each MB of text and each sample.
    """

    memory: int
    memory_per_mb: float
    minutes: float
    minutes_per_mb: float


class Cost(NamedTuple):
    """The cost of a job.

    Attributes:
        fixed: CPU seconds that do not depend on the text.
        rate: CPU seconds for each MB of text and sample; for an aligner, for each thousand tokens.
        disk: MB of files for each MB of text and each sample.
        file: MB of files for each sample, independent of the text.
        aligns: for a stage that aligns, the share of an alignment's time that it takes; its other figures
            are then those of the aligner.
        pairs: for an aligner, CPU seconds for each million token pairs.
        most: what a job of the stage asks for, with any segmenter or aligner.
    """

    fixed: float = 0.2
    rate: float = 0.05
    disk: float = 0.0
    file: float = 0.1
    pairs: float = 0.0
    aligns: float = 0.0
    most: Most = Most(500, 60, 2, 0.2)


class Work(NamedTuple):
    """What a job of a study costs that does not depend on the text as other jobs do: CPU seconds of its own
    work, and the memory in MB that it asks for."""

    seconds: float
    memory_mb: float
