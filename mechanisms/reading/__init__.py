"""Mechanisms that are read: the source of a function, evaluated along each of the paths that its draws can take.

`paths` follows them; `evaluator` carries out statements and expressions; `functions` finds the source of a function and
binds its arguments; `draws` is the table of what draws, and `meanings` of what is done with a number that is drawn.
"""
