"""Fuzz all code that reads a user's file.

    python tests/fuzz/fuzz_campaign.py --inputs 20000

Each input is a valid set of files, nearly always with some damage. Its outcome must be a right result or a
readable refusal (`InputError`): no other exception, no crash, no hang over 20 s, at most 1 GiB of memory, no
overflow, nothing written outside its folder. Any other outcome is a violation: Hypothesis minimizes it, it is
printed, and the exit status is 1. A short form (test_fuzz.py) is part of the tests.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

import hypothesis
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

sys.path.append(str(Path(__file__).resolve().parents[1]))  # for modules of the tests, as in pytest

from isolation import Violation, expect, isolated, judge
from kinds import KINDS, damaged


def fuzz(name: str, inputs: int, seed: int, *, damages: int = 6) -> None:
    """Read damaged inputs of a kind in a process of their own, and print how many were right and refused.

    Raises:
        Violation: one has another outcome; the message has the smallest such input.
    """
    (make, read), counts = KINDS[name], Counter[str]()

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=inputs, deadline=None, suppress_health_check=list(HealthCheck), database=None
    )
    @given(st.randoms(use_true_random=False), st.integers(0, damages))
    def run(rnd, count):
        files, options = make(rnd)
        files = damaged(files, rnd, count)
        hypothesis.note(f"{options}\n" + "\n".join(f"{n}: {d[:2000]!r}" for n, d in files.items()))
        outcome = judge(lambda folder: read(folder, options), files)
        expect(count or outcome == "right" or "odd" in options, "a valid file is refused")
        counts[outcome] += 1

    def counted() -> None:
        run()
        print(f"{name:12}{counts['right']:8}{counts['refused']:9}", flush=True)

    isolated(counted)


def main() -> None:
    """Run the campaign."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--inputs", type=int, default=1000, help="how many (1000)")
    parser.add_argument("--seed", type=int, default=1, help="of all of them (1)")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    arguments = parser.parse_args()
    found = []
    print(f"{'kind':12}{'right':>8}{'refused':>9}")
    for name in arguments.kinds:
        try:
            fuzz(name, -(-arguments.inputs // len(arguments.kinds)), arguments.seed)
        except Violation as violation:
            found.append(f"{name}: {violation}")
    print(*found, sep="\n\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
