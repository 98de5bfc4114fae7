"""Sixteen numbers at a time: the few operations that numba does not vectorize on its own.

Numba turns a loop into vector code only where it can prove that its arrays do not overlap, and adds
floating-point numbers one by one, as their order decides the last bits. These functions fix the order in
which sixteen numbers are added, so that results are the same to the bit on every processor, with vectors of
any width. Indices are not checked.

They are written in LLVM's instructions only because plain numba is slower. With one of them as a plain loop,
aligning the thesis's English-German words gives the same links, but takes more CPU time: 1.4 times as much
for `weigh`, 1.3 to 1.4 for `prefetch` (left out), 1.1 for `count_at_most`. Gathering counts with a vector
instruction gained nothing, so the kernel has a plain loop for it.
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
"""Width of the vectors below: one number for each of the samplers that go over a large text together."""

_FOUR_INTS, _FOUR_FLOATS = ir.VectorType(_I32, LANES), ir.VectorType(_F32, LANES)
_FOUR_HALVES = ir.VectorType(ir.IntType(16), LANES)


def _loop(builder: Any, begin: Any, end: Any, carried: list[Any], body: Any) -> list[Any]:
    """Emit a loop over `begin:end`; `body(index, carried)` returns the values of `carried` for the next
    index."""
    before = builder.block
    head, inner, after = (builder.append_basic_block(name) for name in ("head", "inner", "after"))
    builder.branch(head)
    builder.position_at_end(head)
    index = builder.phi(_I64)
    index.add_incoming(begin, before)
    held = []
    for value in carried:
        held.append(builder.phi(value.type))
        held[-1].add_incoming(value, before)
    builder.cbranch(builder.icmp_signed("<", index, end), inner, after)
    builder.position_at_end(inner)
    for phi, value in zip(held, body(index, held), strict=True):
        phi.add_incoming(value, builder.block)
    index.add_incoming(builder.add(index, _I64(1)), builder.block)
    builder.branch(head)
    builder.position_at_end(after)
    return held


def _at(builder: Any, data: Any, index: Any) -> Any:
    """An integer of an array, extended to 64 bits."""
    return builder.sext(builder.load(builder.gep(data, [index])), _I64)


@intrinsic
def weigh_lanes(
    typing_context: Any,
    places: Any,
    slots: Any,
    begin: Any,
    end: Any,
    counts: Any,
    upper_at: Any,
    head: Any,
    own: Any,
    alpha: Any,
    scale: Any,
    scale_step: Any,
    ahead: Any,
    ahead_at: Any,
    back: Any,
    back_at: Any,
    weights: Any,
    sums: Any,
) -> Any:
    """Compute the weights of a token's candidates in each lane, and their cumulative sums.

    For candidates k in `begin:end`, with place p = places[k] and slot slots[k]:

    weights[k - begin] = (count of slots[k] - (head[p] == own) + alpha)
                         (scale[scale_at + p] (ahead[ahead_at + p] back[back_at + p]))
    sums[k - begin + 1] = sums[k - begin] + weights[k - begin], sums[0] = 0

    Args:
        places, slots, head: int32.
        counts: uint16, with LANES numbers for each slot, the lower halves of counts.
        upper_at: distance from the lower to the upper halves, int64; 0 if there are no upper ones.
        own, ahead_at, back_at: int32, shape (LANES,).
        scale_step: scale_at is the number of the lane times this, int64.
        scale, ahead, back: float32.
        weights, sums: float32, with LANES numbers for each candidate.
    """
    signature = types.void(
        places, slots, types.int64, types.int64, counts, types.int64, head, own, types.float32, scale,
        types.int64, ahead, ahead_at, back, back_at, weights, sums,
    )  # fmt: skip

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = [
            _data(context, builder, kind, value) if isinstance(kind, types.Array) else value
            for kind, value in zip(signature.args, arguments, strict=True)
        ]
        (places, slots, begin, end, counts, upper_at, head, own, alpha, scale, scale_step,
         ahead, ahead_at, back, back_at, weights, sums) = data  # fmt: skip
        lanes = [_I64(lane) for lane in range(LANES)]
        own = _load(builder, own, _I64(0), _FOUR_INTS, 4)
        alpha = _splat(builder, alpha, _FOUR_FLOATS)
        ahead_at = [_at(builder, ahead_at, lane) for lane in lanes]
        back_at = [_at(builder, back_at, lane) for lane in lanes]
        scale_at = [builder.mul(scale_step, lane) for lane in lanes]
        has_upper = builder.icmp_signed("!=", upper_at, _I64(0))
        upper_bits = builder.select(has_upper, _I32(0xFFFF), _I32(0))
        upper_bits = _splat(builder, upper_bits, _FOUR_INTS)
        sixteen = ir.Constant(_FOUR_INTS, [16] * LANES)
        nothing = ir.Constant(_FOUR_FLOATS, [0.0] * LANES)
        _store(builder, nothing, sums, _I64(0))

        def body(k: Any, carried: list[Any]) -> list[Any]:
            place = _at(builder, places, k)
            at_slot = builder.mul(_at(builder, slots, k), _I64(LANES))
            at_weight = builder.mul(builder.sub(k, begin), _I64(LANES))
            lower, upper = (
                builder.zext(_load(builder, counts, at, _FOUR_HALVES, 2), _FOUR_INTS)
                for at in (at_slot, builder.add(at_slot, upper_at))
            )
            upper = builder.shl(builder.and_(upper, upper_bits), sixteen)
            count = builder.add(lower, upper)
            first = _splat(builder, builder.load(builder.gep(head, [place])), _FOUR_INTS)
            count = builder.add(
                count, builder.sext(builder.icmp_signed("==", own, first), _FOUR_INTS)
            )
            lexical = builder.fadd(builder.sitofp(count, _FOUR_FLOATS), alpha)
            gathered = []
            for table, at in ((scale, scale_at), (ahead, ahead_at), (back, back_at)):
                vector = ir.Constant(_FOUR_FLOATS, ir.Undefined)
                for lane, begin_of in enumerate(at):
                    one = builder.load(builder.gep(table, [builder.add(begin_of, place)]))
                    vector = builder.insert_element(vector, one, _I32(lane))
                gathered.append(vector)
            factor = builder.fmul(gathered[0], builder.fmul(*gathered[1:]))
            weight = builder.fmul(lexical, factor)
            total = builder.fadd(carried[0], weight)
            _store(builder, weight, weights, at_weight)
            _store(builder, total, sums, builder.add(at_weight, _I64(LANES)))
            return [total]

        _loop(builder, begin, end, [nothing], body)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def count_lanes(typing_context: Any, sums: Any, n: Any, values: Any, found: Any) -> Any:
    """For each lane, count the elements of sums[1:n] that are at most its value.

    Args:
        sums: float32, with LANES numbers for each element.
        values: the value of each lane, float32, shape (LANES,).
        found: the counts, which are set here, int32, shape (LANES,).
    """
    signature = types.void(sums, types.int64, values, found)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        sums, values, found = (
            _data(context, builder, signature.args[k], arguments[k]) for k in (0, 2, 3)
        )
        value = _load(builder, values, _I64(0), _FOUR_FLOATS, 4)

        def body(k: Any, carried: list[Any]) -> list[Any]:
            one = _load(builder, sums, builder.mul(k, _I64(LANES)), _FOUR_FLOATS, 4)
            below = builder.sext(builder.fcmp_ordered("<=", one, value), _FOUR_INTS)
            return [builder.sub(carried[0], below)]

        zero = ir.Constant(_FOUR_INTS, [0] * LANES)
        (total,) = _loop(builder, _I64(1), arguments[1], [zero], body)
        _store(builder, total, found, _I64(0))
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def total_of(typing_context: Any, numbers: Any, at: Any, blocks: Any) -> Any:
    """The sum, added as in `weigh`, and the maximum of 16 x `blocks` numbers from index `at` on, float32.

    No number may be negative.
    """
    pair: Any = types.Tuple((types.float32, types.float32))  # type: ignore[no-untyped-call]
    signature = pair(numbers, types.int64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        numbers = _data(context, builder, signature.args[0], arguments[0])

        def body(k: Any, carried: list[Any]) -> list[Any]:
            index = builder.add(arguments[1], builder.mul(k, _I64(WIDTH)))
            one = _load(builder, numbers, index, _FLOATS, 4)
            above = builder.fcmp_ordered(">", one, carried[1])
            return [builder.fadd(carried[0], one), builder.select(above, one, carried[1])]

        zero = ir.Constant(_FLOATS, [0.0] * WIDTH)
        total, most = _loop(builder, _I64(0), arguments[2], [zero, zero], body)
        total = builder.extract_element(_sums_of_columns(builder, total), _I32(WIDTH - 1))
        for step in (8, 4, 2, 1):
            places = [(k + step) % WIDTH for k in range(WIDTH)]
            moved = builder.shuffle_vector(most, most, ir.Constant(_INTS, places))
            most = builder.select(builder.fcmp_ordered(">", moved, most), moved, most)
        most = builder.extract_element(most, _I32(0))
        return context.make_tuple(builder, signature.return_type, [total, most])

    return signature, generate
