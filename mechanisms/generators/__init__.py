"""Look-alikes of the generators that people use, which draw every choice from a source.

A mechanism may be written against `numpy.random.Generator` or `random.Random`. It is given an object with the same
methods and the same laws. Discrete draws are choices of the source. A uniform float is k/2⁵³ with a whole number k that
is not drawn before something depends on it: what code makes of it is followed as a monotone function of k, evaluated in
the same float arithmetic, and a comparison or a rounding is a choice with its exact probability.
"""
