"""Mechanisms that are read: the source of a function, evaluated along each of the paths that its draws can take.

`read_mechanism` follows them. `evaluator` carries out statements (`yielding` those of generators, `matching`
patterns, `rejection` loops without a last pass), and `expressions` what stands in them; `functions` finds the source of
a function and binds its arguments, `calls` tells functions that are read from those that are called, and `objects`
follows classes.

Draws: `draws` knows what draws, `asked` one call with its arguments, `draw_laws` by which laws. Numbers: `exact`
computes without rounding, `shadows` says which exact number a double stands for, `symbols` are what depends on draws,
and `drawn_numbers` computes with them (`drawn_roundings` to integers, `drawn_quotients`; `drawn_doubles` and
`double_draws`: where doubles decide). `meanings` is the table of what is done with values, `containers`, `arrays`,
`array_functions` and `series` with what holds them; `natives` carries out what depends on no draw, by
`known_functions`, and `refusal` is what no program can catch.

Probabilities: `region` gives those of conditions on several draws. `rows` are the conditions, `component` the draws
that they tie, `elimination` integrates in the algebra of `pieces`, `densities` stops before the last variable,
`separated` and `linear_ranges` say which draws a form has and between which ends it lies; `gumbel_orders` is the
softmax, `enclosed_integral` encloses other laws of `base_laws`, and `second_integral` computes all of them another
way. `released` says which law a number has that is released, and `replay` has Python run each path again.
"""
