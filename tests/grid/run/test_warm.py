"""`make install` compiles every kernel, with values that each segmenter can have."""

from seggrid.grid.run.warm import run_kernels


def test_every_kernel_runs():
    run_kernels()
