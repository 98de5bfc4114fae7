"""No regular expression of the package takes long, whatever text a user gives it."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("patterns.py")


def asked(*given: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, SCRIPT, *given], capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    "pattern", [r" *([0-9]+[-p?][0-9]+ *)*", r"(a|a)*b", r"(\w+\s?)*;", r"(x+x+)+y"]
)
def test_a_slow_pattern_is_found(pattern):
    first, count = asked(pattern)
    assert first.startswith(f"slow: {pattern!r} of argument on ")
    assert count == "1 patterns"


@pytest.mark.tier("test")
def test_each_pattern_of_the_package_answers_within_a_second():
    *slow, count = asked()
    assert slow == []
    assert int(count.split()[0]) > 70
