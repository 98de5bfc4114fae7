"""The weights of places by vector instructions: of a loop that shifts 64 bits, LLVM makes short ones, and
checks before it whether its arrays overlap. All processors sum in the same order; no product is fused with a
sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from seggrid.base.compiled import Intrinsic
from seggrid.base.vectors import address_of, repeated, vector_at

WIDTH = 8
"""How many weights are computed at once; arrays of places have a multiple of it."""


@Intrinsic
def weigh(
    _: Any, links: Any, shift: Any, mask: Any, lexical: Any, type: Any, own: Any, ratio: Any, unlinked: Any,
    scale: Any, ahead: Any, from_ahead: Any, back: Any, from_back: Any, old: Any, weight: Any, reached: Any,
    places: Any,
) -> Any:  # fmt: skip
    """Set the weights of `places` places in one lane, rounded up to a multiple of `WIDTH`, and for each of
    `WIDTH` columns the sum of the weights up to it (`reached`). The weight of place i is

        (((links[i] >> shift) & mask) + lexical) * (scale[i] * (ahead[from_ahead + i] * back[from_back + i]))

    but where type[i] is `own`, with one link less, and unlinked * ratio[i] for scale[i]; at `old` it is 0.
    """
    from llvmlite import ir
    from numba.core import cgutils, types

    long, int_, real = types.int64, types.int32, types.float32
    parameters = {
        "links": links, "shift": types.uint64, "mask": types.uint64, "lexical": real, "type": type,
        "own": int_, "ratio": ratio, "unlinked": real, "scale": scale, "ahead": ahead, "from_ahead": long,
        "back": back, "from_back": long, "old": int_, "weight": weight, "reached": reached, "places": long,
    }  # fmt: skip

    def generate(context: Any, builder: Any, _: Any, values: Sequence[Any]) -> Any:
        given = dict(zip(parameters, values, strict=True))

        def address(name: str, index: Any) -> Any:
            return address_of(context, builder, parameters[name], given[name], index)

        def load(name: str, index: Any) -> Any:
            return vector_at(builder, address(name, index), WIDTH)

        def store(value: Any, name: str, index: Any) -> None:
            to = builder.bitcast(address(name, index), value.type.as_pointer())
            builder.store(value, to, align=4)

        number, place = ir.IntType(32), given["places"].type
        given["mask"] = builder.trunc(given["mask"], number)
        names = "shift", "mask", "lexical", "own", "unlinked", "old"
        shift, mask, lexical, own, unlinked, old = (
            repeated(builder, given[name], WIDTH) for name in names
        )
        numbers, none = ir.Constant(old.type, [*range(WIDTH)]), ir.Constant(lexical.type, None)
        variable: Any = cgutils.alloca_once_value
        sums = variable(builder, none)
        with cgutils.for_range_slice(
            builder, place(0), given["places"], place(WIDTH), inc=True
        ) as (i, _):
            is_own = builder.icmp_signed("==", load("type", i), own)
            scales = builder.select(
                is_own, builder.fmul(unlinked, load("ratio", i)), load("scale", i)
            )
            count = builder.trunc(builder.lshr(load("links", i), shift), mask.type)
            count = builder.add(builder.and_(count, mask), builder.sext(is_own, mask.type))
            linked = builder.fadd(builder.sitofp(count, lexical.type), lexical)
            jumps = builder.fmul(
                load("ahead", builder.add(given["from_ahead"], i)),
                load("back", builder.add(given["from_back"], i)),
            )
            weights = builder.fmul(linked, builder.fmul(scales, jumps))
            here = builder.add(repeated(builder, builder.trunc(i, number), WIDTH), numbers)
            weights = builder.select(builder.icmp_signed("==", here, old), none, weights)
            store(weights, "weight", i)
            builder.store(builder.fadd(builder.load(sums), weights), sums)
        columns = builder.load(sums)
        total = builder.extract_element(columns, number(0))
        for k in range(1, WIDTH):
            total = builder.fadd(total, builder.extract_element(columns, number(k)))
            columns = builder.insert_element(columns, total, number(k))
        store(columns, "reached", place(0))
        return context.get_dummy_value()

    return types.void(*parameters.values()), generate
