"""Sixteen numbers at a time: the few operations that numba does not vectorize on its own.

Numba turns a loop into vector code only where it can prove that its arrays do not overlap, and adds
floating-point numbers one by one, for their order decides the last bits. These functions say which
sixteen are added in which order, so that the bytes are the same on every processor, with vectors of
any width. Indices are not checked.

Each is written in LLVM's instructions only because plain numba is slower. CPU time of aligning the
thesis's English-German words if that one alone is a plain loop, with the same links: `weigh` 1.4
times, `prefetch` 1.3 to 1.4 (a loop without it), `count_at_most` 1.1. A gather of counts gained
nothing, and is a plain loop in the kernel.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils as untyped_cgutils

from seggrid.base.compiled import intrinsic

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
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(_I32, WIDTH), [0] * WIDTH))


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
    """Weights of 16 x `blocks` places, and the sums of what stands before each of 16 columns.

    weights[i] = (((words[i] >> shift) & mask) + alpha) scale[scale_at + i]
                 (ahead[ahead_at + i] back[back_at + i])

    Column k has the places k, k + 16, k + 32, .... Its weights are added in this order; the columns
    by four steps of doubling: to each its neighbor 1, 2, 4 and 8 to the left. `sums[k + 1]` is the
    sum of columns 0 to k, `sums[0]` stays as it is; the sum of all is returned.

    Args:
        words: int64, shape (16 x blocks,) at least, as all others but `sums`.
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
        total = added
        for step in (1, 2, 4, 8):
            places = [k - step if k >= step else WIDTH for k in range(WIDTH)]
            moved = builder.shuffle_vector(
                total, zero, ir.Constant(ir.VectorType(_I32, WIDTH), places)
            )
            total = builder.fadd(total, moved)
        _store(builder, total, sums, _I64(1))
        return builder.extract_element(total, _I32(WIDTH - 1))

    return signature, generate


@intrinsic
def count_at_most(typing_context: Any, sums: Any, value: Any) -> Any:
    """How many of `sums[1:17]`, float32, are at most `value`."""
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
