"""The short form of the fuzz campaign, and what it finds."""

import ctypes
import socket

import numpy as np
import pytest
from fuzz_campaign import fuzz
from isolation import Violation, isolated, judge
from kinds import KINDS

from seggrid.base.errors import InputError, InputErrors


@pytest.mark.parametrize("name", KINDS)
def test_damaged_input_ends_right_or_refused(name):
    fuzz(name, 40, seed=7)


def hang(folder):
    while True:
        pass


def refuse_at_length(folder):
    raise InputErrors([InputError("a mistake", line=line) for line in range(1000)])


@pytest.mark.parametrize(
    ("run", "said"),
    [
        (lambda folder: ctypes.string_at(0), "killed by signal 11"),
        (lambda folder: bytearray(b"x") * (3 << 30), "MemoryError"),
        (lambda folder: (folder.parents[1] / "seggrid-elsewhere").write_text(""), "elsewhere"),
        (lambda folder: np.array([2.0]) ** 1e6, "RuntimeWarning"),
        (lambda folder: socket.create_connection(("localhost", 9)), "no network here"),
        (refuse_at_length, "a refusal of 1000 lines"),
        (hang, "hangs"),
    ],
)
def test_violations_are_told(run, said, monkeypatch):
    monkeypatch.setattr("isolation.CPU_SECONDS", 1)
    with pytest.raises(Violation, match=said):
        isolated(lambda: judge(run, {}))
