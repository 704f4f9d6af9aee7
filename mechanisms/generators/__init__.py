"""What mechanisms draw from, and what doubles make of it.

A mechanism takes `numpy.random.Generator`, `random.Random` or a `Source`, or makes a generator itself (`kinds`). What
draws from a `Source` is run as it is (`native_mechanism`); the others are read (`mechanisms.reading`). Where doubles
decide, a uniform float is k/2⁵³, and what code makes of it is a function of k that rises or falls (`float_function`).
"""
