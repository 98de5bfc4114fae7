"""Sixteen numbers at a time: the few operations that numba does not vectorize on its own.

Numba turns a loop into vector code only where it can prove that its arrays do not overlap, and adds
floating-point numbers one by one, as their order decides the last bits. These functions fix the order in
which sixteen numbers are added, so that results are the same to the bit on every processor, with vectors of
any width. Indices are not checked.

`weigh` and four small ones are written in LLVM's instructions, only because plain numba is slower: aligning
3,000 generated pairs takes 1.1 times as much CPU time with `weigh` and `count_at_most` as loops, and the
thesis's English-German words 1.3 to 1.4 times as much without `prefetch`; the links are the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils as untyped_cgutils
from numpy.typing import NDArray

from seggrid.base.arrays import Float32, Int32
from seggrid.base.compiled import float32, int64, intrinsic, njit, uint64

UInt16 = NDArray[np.uint16]
U = uint64

WIDTH = 16

cgutils: Any = untyped_cgutils
_I32, _I64, _F32 = ir.IntType(32), ir.IntType(64), ir.FloatType()
_WORDS, _INTS, _FLOATS = (ir.VectorType(element, WIDTH) for element in (_I64, _I32, _F32))


def _data(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
    return cgutils.create_struct_proxy(array_type)(context, builder, value=array).data


def _load(builder: Any, data: Any, at: Any, vector: ir.VectorType, align: int) -> Any:
    pointer = builder.bitcast(builder.gep(data, [at]), vector.as_pointer())
    return builder.load(pointer, align=align)


def _store(builder: Any, value: Any, data: Any, at: Any) -> None:
    pointer = builder.bitcast(builder.gep(data, [at]), value.type.as_pointer())
    builder.store(value, pointer, align=4)


def _splat(builder: Any, value: Any, vector: ir.VectorType) -> Any:
    one = builder.insert_element(ir.Constant(vector, ir.Undefined), value, _I32(0))
    return builder.shuffle_vector(
        one, one, ir.Constant(ir.VectorType(_I32, vector.count), [0] * vector.count)
    )


def _sums_of_columns(builder: Any, columns: Any) -> Any:
    """For each column, the sum of the columns up to it, computed in four steps of doubling."""
    zero = ir.Constant(_FLOATS, [0.0] * WIDTH)
    for step in (1, 2, 4, 8):
        places = [k - step if k >= step else WIDTH for k in range(WIDTH)]
        moved = builder.shuffle_vector(columns, zero, ir.Constant(_INTS, places))
        columns = builder.fadd(columns, moved)
    return columns


@intrinsic
def weigh(
    typing_context: Any,
    words: Any,
    blocks: Any,
    shift: Any,
    mask: Any,
    alpha: Any,
    scale: Any,
    scale_at: Any,
    ahead: Any,
    ahead_at: Any,
    back: Any,
    back_at: Any,
    weights: Any,
    sums: Any,
) -> Any:
    """Compute the weights of 16 x `blocks` places, and their cumulative sums over 16 columns.

    weights[i] = (((words[i] >> shift) & mask) + alpha) scale[scale_at + i]
                 (ahead[ahead_at + i] back[back_at + i])

    Column k has the places k, k + 16, k + 32, .... Its weights are added in this order. Then
    the columns are added in four steps: to each, the column 1, 2, 4 and 8 to its left. `sums[k + 1]` becomes
    the sum of columns 0 to k, `sums[0]` is not changed; the sum of all is returned.

    Args:
        words: int64, shape (16 x blocks,) at least, as all other arrays except `sums`.
        shift, mask: int64.
        alpha: float32.
        scale, ahead, back, weights: float32.
        sums: float32, shape (17,).
    """
    signature = types.float32(
        words, types.int64, types.int64, types.int64, types.float32, scale, types.int64,
        ahead, types.int64, back, types.int64, weights, sums,
    )  # fmt: skip

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (words, blocks, shift, mask, alpha, scale, scale_at, ahead, ahead_at, back, back_at,
         weights, sums) = arguments  # fmt: skip
        of = signature.args
        words = _data(context, builder, of[0], words)
        scale = _data(context, builder, of[5], scale)
        ahead = _data(context, builder, of[7], ahead)
        back = _data(context, builder, of[9], back)
        weights = _data(context, builder, of[11], weights)
        sums = _data(context, builder, of[12], sums)
        shift, mask = _splat(builder, shift, _WORDS), _splat(builder, mask, _WORDS)
        alpha = _splat(builder, alpha, _FLOATS)
        zero = ir.Constant(_FLOATS, [0.0] * WIDTH)
        before = builder.block
        loop = builder.append_basic_block("blocks")
        after = builder.append_basic_block("columns")
        builder.branch(loop)
        builder.position_at_end(loop)
        block = builder.phi(_I64)
        columns = builder.phi(_FLOATS)
        block.add_incoming(_I64(0), before)
        columns.add_incoming(zero, before)
        i = builder.mul(block, _I64(WIDTH))
        word = _load(builder, words, i, _WORDS, 8)
        count = builder.trunc(builder.and_(builder.lshr(word, shift), mask), _INTS)
        lexical = builder.fadd(builder.sitofp(count, _FLOATS), alpha)
        lexical = builder.fmul(lexical, _load(builder, scale, builder.add(scale_at, i), _FLOATS, 4))
        jumps = builder.fmul(
            _load(builder, ahead, builder.add(ahead_at, i), _FLOATS, 4),
            _load(builder, back, builder.add(back_at, i), _FLOATS, 4),
        )
        weight = builder.fmul(lexical, jumps)
        _store(builder, weight, weights, i)
        added = builder.fadd(columns, weight)
        following = builder.add(block, _I64(1))
        block.add_incoming(following, loop)
        columns.add_incoming(added, loop)
        builder.cbranch(builder.icmp_signed("<", following, blocks), loop, after)
        builder.position_at_end(after)
        total = _sums_of_columns(builder, added)
        _store(builder, total, sums, _I64(1))
        return builder.extract_element(total, _I32(WIDTH - 1))

    return signature, generate


@intrinsic
def count_at_most(typing_context: Any, sums: Any, value: Any) -> Any:
    """The number of elements of `sums[1:17]`, float32, that are at most `value`."""
    signature = types.int64(sums, types.float32)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        sums = _data(context, builder, signature.args[0], arguments[0])
        loaded = _load(builder, sums, _I64(1), _FLOATS, 4)
        below = builder.fcmp_ordered("<=", loaded, _splat(builder, arguments[1], _FLOATS))
        bits = builder.bitcast(below, ir.IntType(WIDTH))
        return builder.zext(builder.ctpop(bits), _I64)

    return signature, generate


@intrinsic
def prefetch(typing_context: Any, array: Any, at: Any) -> Any:
    """Prefetch the cache line of `array[at]`."""
    signature = types.void(array, at)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = _data(context, builder, signature.args[0], arguments[0])
        at = arguments[1]
        if at.type != _I64:
            at = builder.zext(at, _I64)
        pointer = builder.bitcast(builder.gep(data, [at]), ir.IntType(8).as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, _I32, _I32, _I32])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [pointer, _I32(0), _I32(3), _I32(1)])
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def equal(typing_context: Any, array: Any, at: Any, value: Any) -> Any:
    """Which elements of `array[at : at + WIDTH]`, int32, equal `value`, as bits; the lowest bit is the
    first."""
    signature = types.int64(array, types.int64, types.int32)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = _data(context, builder, signature.args[0], arguments[0])
        loaded = _load(builder, data, arguments[1], _INTS, 4)
        same = builder.icmp_signed("==", loaded, _splat(builder, arguments[2], _INTS))
        return builder.zext(builder.bitcast(same, ir.IntType(WIDTH)), _I64)

    return signature, generate


@intrinsic
def trailing_zeros(typing_context: Any, bits: Any) -> Any:
    """The number of 0 bits below the lowest 1 bit of a number; 64 if all bits are 0."""
    signature = types.int64(types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return signature, generate


LANES = 4
"""The samplers that go over a large text together; the functions below compute one number for each."""


@njit(forceinline=True)
def weigh_lanes(
    places: Int32,
    slots: Int32,
    begin: int,
    end: int,
    counts: UInt16,
    upper_at: int,
    head: Int32,
    own: Int32,
    alpha: float,
    scale: Float32,
    scale_step: int,
    ahead: Float32,
    ahead_at: Int32,
    back: Float32,
    back_at: Int32,
    weights: Float32,
    sums: Float32,
) -> None:
    """Compute the weights of a token's candidates in each lane, and their cumulative sums.

    For candidates k in `begin:end`, with place p = places[k] and slot slots[k]:

    weights[k - begin] = (count of slots[k] - (head[p] == own) + alpha)
                         (scale[scale_at + p] (ahead[ahead_at + p] back[back_at + p]))
    sums[k - begin + 1] = sums[k - begin] + weights[k - begin], sums[0] = 0

    Args:
        counts: lower halves of counts, with LANES numbers for each slot.
        upper_at: distance from the lower to the upper halves; 0 if there are no upper ones.
        own, ahead_at, back_at: shape (LANES,).
        scale_step: scale_at is the number of the lane times this.
        weights, sums: LANES numbers for each candidate.
    """
    upper_bits = int64(0xFFFF) if upper_at else int64(0)
    for lane in range(LANES):
        sums[U(lane)] = 0.0
    for k in range(begin, end):
        place, slot = int64(places[U(k)]), int64(slots[U(k)])
        at, first = (k - begin) * LANES, head[U(place)]
        for lane in range(LANES):
            count = int64(counts[U(slot * LANES + lane)])
            count += (int64(counts[U(slot * LANES + lane + upper_at)]) & upper_bits) << 16
            count -= int64(own[U(lane)] == first)
            jumps = (
                ahead[U(int64(ahead_at[U(lane)]) + place)]
                * back[U(int64(back_at[U(lane)]) + place)]
            )
            weight = (float32(count) + alpha) * (scale[U(scale_step * lane + place)] * jumps)
            weights[U(at + lane)] = weight
            sums[U(at + LANES + lane)] = sums[U(at + lane)] + weight


@njit(forceinline=True)
def count_lanes(sums: Float32, n: int, values: Float32, found: Int32) -> None:
    """For each lane, count in `found` the elements of sums[1:n], of LANES numbers each, that are at most its
    value."""
    for lane in range(LANES):
        found[U(lane)] = 0
    for k in range(1, n):
        for lane in range(LANES):
            found[U(lane)] += sums[U(k * LANES + lane)] <= values[U(lane)]


@njit(forceinline=True)
def total_of(numbers: Float32, at: int, blocks: int, columns: Float32) -> tuple[float, float]:
    """The sum, added as in `weigh`, and the maximum of 16 x `blocks` numbers from index `at` on, none of them
    negative; `columns` has room for 16 numbers."""
    most = float32(0.0)
    for column in range(WIDTH):
        columns[U(column)] = 0.0
    for k in range(0, blocks * WIDTH, WIDTH):
        for column in range(WIDTH):
            number = numbers[U(at + k + column)]
            columns[U(column)] += number
            most = max(most, number)
    for step in (1, 2, 4, 8):
        for column in range(WIDTH - 1, step - 1, -1):
            columns[U(column)] += columns[U(column - step)]
    return columns[U(WIDTH - 1)], most
