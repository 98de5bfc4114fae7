"""Functions for kernels, and parts of such, that are one or a few instructions, which no loop becomes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from seggrid.base.compiled import Intrinsic

KEYS = 16
"""How many keys are compared at once."""


def address_of(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    """The address of an element of an array."""
    return builder.gep(context.make_array(kind)(context, builder, array).data, [index])


def vector_at(builder: Any, pointer: Any, count: int) -> Any:
    """So many elements from an address on."""
    from llvmlite import ir

    kind = ir.VectorType(pointer.type.pointee, count)
    return builder.load(builder.bitcast(pointer, kind.as_pointer()), align=4)


def repeated(builder: Any, value: Any, count: int) -> Any:
    """A vector of so many times the same number."""
    from llvmlite import ir

    index = ir.IntType(32)
    empty = ir.Constant(ir.VectorType(value.type, count), ir.Undefined)
    first = builder.insert_element(empty, value, index(0))
    every = ir.Constant(ir.VectorType(index, count), [0] * count)
    return builder.shuffle_vector(first, empty, every)


@Intrinsic
def find_key(_: Any, keys: Any, begin: Any, wanted: Any) -> Any:
    """`find_key(keys, begin, wanted)`: the number of the first of `KEYS` keys, from `begin` on, that is
    `wanted`; `KEYS` if none is."""
    from llvmlite import ir
    from numba.core import types

    def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
        found = vector_at(
            builder, address_of(context, builder, signature.args[0], *values[:2]), KEYS
        )
        same = builder.icmp_signed("==", found, repeated(builder, values[2], KEYS))
        bits = builder.zext(builder.bitcast(same, ir.IntType(KEYS)), ir.IntType(64))
        return builder.cttz(builder.or_(bits, bits.type(1 << KEYS)), ir.IntType(1)(1))

    return types.int64(keys, types.int64, types.int32), generate


@Intrinsic
def bits_from(_: Any, array: Any, begin: Any) -> Any:
    """`bits_from(array, begin)`: the bits of 8 bytes, those of the first byte the lowest, uint64."""
    from llvmlite import ir
    from numba.core import types

    def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
        pointer = address_of(context, builder, signature.args[0], *values)
        return builder.load(builder.bitcast(pointer, ir.IntType(64).as_pointer()), align=1)

    return types.uint64(array, types.int64), generate


@Intrinsic
def lowest_bit(_: Any, bits: Any) -> Any:
    """`lowest_bit(bits)`: the number of the lowest bit that is set, of which there must be one."""
    from llvmlite import ir
    from numba.core import types

    def generate(_: Any, builder: Any, __: Any, values: Sequence[Any]) -> Any:
        return builder.cttz(values[0], ir.IntType(1)(1))

    return types.int64(types.uint64), generate


@Intrinsic
def prefetch(_: Any, array: Any, index: Any) -> Any:
    """`prefetch(array, index)`: begin to load the memory at an element, which need not exist."""
    from llvmlite import ir
    from numba.core import types

    def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
        number, byte = ir.IntType(32), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        load = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        pointer = builder.bitcast(address_of(context, builder, signature.args[0], *values), byte)
        builder.call(load, [pointer, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate
