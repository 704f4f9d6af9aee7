"""Mechanisms that are read: the source of a function, evaluated along each of the paths that its draws can take.

`read_mechanism` follows them; `evaluator` carries out statements, and `expressions` what stands in them; `functions`
finds the source of a function and binds its arguments; `draws` knows what draws, `draw_laws` by which laws, `meanings`
is the table of what is done with numbers, `containers`, `arrays`, `array_functions` and `series` with what holds them,
`natives` carries out what depends on no draw, `exact` computes without rounding, `shadows` says which exact number a
double stands for, and `replay` has Python run each path again. `region` gives exact probabilities of conditions on
several draws of continuous laws: `rows` are the conditions, `component` the draws that they tie, `elimination`
integrates in the algebra of `pieces`, and `linear_ranges` says between which ends a form lies.
"""
