"""Products of matrices that are the same on every machine: of integers of eight bits, which are exact, and of
numbers whose sums have a fixed order.

Integers are multiplied by a kernel where the processor multiplies bytes (VNNI), elsewhere by BLAS in single
precision, in which sums below 2²⁴ are exact.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import Intrinsic, njit
from seggrid.base.vectors import repeated

MOST = 127
"""The largest absolute value of an integer."""

ZERO = 128
"""What is added to the integers of the left side, which the processor takes without sign."""

ROWS = 8
"""The left side has a multiple of so many rows."""

_STEP, _VECTORS = 4, 2
"""How many products a lane of a vector sums at a time, and vectors of a tile."""

LANES = 16
"""Columns of a product of numbers that are not integers."""

_EXACT = (1 << 24) // MOST**2


class Right:
    """The right side of products: the integers of N outputs and K inputs, shape (N, K). The result has
    `columns` columns, which are N, rounded up; the left side has `depth`, which are K, rounded up."""

    def __init__(self, integers: NDArray[np.int8]) -> None:
        width = max(1, lanes()) * _VECTORS
        outputs, inputs = integers.shape
        self.columns, self.depth = -(-outputs // width) * width, -(-inputs // _STEP) * _STEP
        padded = np.zeros((self.columns, self.depth), dtype=np.int8)
        padded[:outputs, :inputs] = integers
        if lanes():
            # For each tile of columns and each step, the bytes of its vectors.
            parts = padded.reshape(-1, width, self.depth // _STEP, _STEP).swapaxes(1, 2)
            self._tiles = np.ascontiguousarray(parts)
            self._start = -ZERO * padded.sum(axis=1, dtype=np.int32)
            return
        self._parts = [
            padded[:, k : k + _EXACT].T.astype(np.float32) for k in range(0, self.depth, _EXACT)
        ]

    def product(self, left: NDArray[np.uint8]) -> NDArray[np.int32]:
        """The products, shape (M, `columns`), of M rows of integers plus `ZERO`, shape (M, `depth`); M is a
        multiple of `ROWS`."""
        found = np.empty((len(left), self.columns), dtype=np.int32)
        if lanes():
            _multiply(left, self._tiles, self._start, found)
            return found
        found[:] = 0
        for k, part in enumerate(self._parts):
            own = left[:, k * _EXACT : k * _EXACT + len(part)].astype(np.float32) - ZERO
            found += (own @ part).astype(np.int32)
        return found


@cache
def lanes() -> int:
    """How many sums of 32 bits the processor adds products of bytes to at a time; 0 if it cannot."""
    from llvmlite.binding import get_host_cpu_features

    has = get_host_cpu_features()
    return 16 if has.get("avx512vnni") else 0


def _tile(rows: int, vectors: int, integers: bool) -> Any:
    """A function for kernels that multiplies some rows by a tile of columns.

    Its arguments are addresses: of the first row, of the tile, in which columns of a step are side by side,
    of what sums start from, and of the result; then the bytes of a row, and the columns of the result. A step
    is four bytes of a row: a number, or four integers, whose products are summed.
    """

    def tile(
        _: Any, left: Any, right: Any, start: Any, found: Any, depth: Any, columns: Any
    ) -> Any:
        from llvmlite import ir
        from numba.core import types
        from numba.core.cgutils import get_or_insert_function

        def generate(context: Any, builder: Any, _: Any, values: Any) -> Any:
            left, right, start, found, depth, columns = values
            place, index = depth.type, ir.IntType(32)
            number = index if integers else ir.FloatType()
            count = lanes() if integers else LANES
            vector = ir.VectorType(number, count)
            every = range(vectors)

            def load(address: Any, offset: Any, kind: Any) -> Any:
                pointer = builder.inttoptr(builder.add(address, offset), kind.as_pointer())
                return builder.load(pointer, align=4)

            def plus_products(total: Any, one: Any, other: Any) -> Any:
                if not integers:
                    return builder.fadd(total, builder.fmul(one, other))
                kind = ir.FunctionType(vector, [vector] * 3)
                dot: Any = get_or_insert_function
                dot = dot(builder.module, kind, f"llvm.x86.avx512.vpdpbusd.{32 * count}")
                return builder.call(dot, [total, one, other])

            before = builder.block
            loop, after = (builder.append_basic_block(name) for name in ("loop", "after"))
            begin = [load(start, place(4 * count * v), vector) for v in every]
            builder.branch(loop)
            builder.position_at_end(loop)
            step = builder.phi(place)
            step.add_incoming(place(0), before)
            sums = [[builder.phi(vector) for _ in every] for _ in range(rows)]
            of_step = builder.mul(step, place(vectors * count))
            others = [
                load(right, builder.add(of_step, place(4 * count * v)), vector) for v in every
            ]
            ends = []
            for k, row in enumerate(sums):
                one = load(left, builder.add(builder.mul(depth, place(k)), step), number)
                same = repeated(builder, one, count)
                for v in every:
                    ends.append((k, v, plus_products(row[v], same, others[v])))
                    row[v].add_incoming(begin[v], before)
                    row[v].add_incoming(ends[-1][2], loop)
            following = builder.add(step, place(_STEP))
            step.add_incoming(following, loop)
            builder.cbranch(builder.icmp_signed("<", following, depth), loop, after)
            builder.position_at_end(after)
            for k, v, end in ends:
                offset = builder.add(builder.mul(columns, place(4 * k)), place(4 * count * v))
                pointer = builder.inttoptr(builder.add(found, offset), vector.as_pointer())
                builder.store(end, pointer, align=4)
            return context.get_dummy_value()

        return types.void(left, right, start, found, depth, columns), generate

    return Intrinsic(tile)


_tile_of_integers = _tile(ROWS, _VECTORS, integers=True)
_tile_of_floats = _tile(ROWS, 1, integers=False)


@njit
def _multiply(
    left: NDArray[np.uint8],
    tiles: NDArray[np.int8],
    start: NDArray[np.int32],
    found: NDArray[np.int32],
) -> None:
    width = tiles.shape[2]
    for tile in range(len(tiles)):
        for row in range(0, len(left), ROWS):
            _tile_of_integers(
                left[row:].ctypes.data,
                tiles[tile:].ctypes.data,
                start[tile * width :].ctypes.data,
                found[row:, tile * width :].ctypes.data,
                left.shape[1],
                found.shape[1],
            )


@njit
def multiply_floats(
    left: NDArray[np.float32], right: NDArray[np.float32], found: NDArray[np.float32]
) -> None:
    """The product of M rows, a multiple of `ROWS`, shape (M, K), with `LANES` columns, shape (K, `LANES`)."""
    start = np.zeros(LANES, dtype=np.float32)
    for row in range(0, len(left), ROWS):
        _tile_of_floats(
            left[row:].ctypes.data,
            right.ctypes.data,
            start.ctypes.data,
            found[row:].ctypes.data,
            4 * left.shape[1],
            LANES,
        )
