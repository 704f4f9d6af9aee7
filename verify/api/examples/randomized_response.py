"""Local privacy: people randomize their own answers."""

import stirred

ANSWERS = stirred.ordered_data_sets((0, 1), [2])
VALUES = stirred.ordered_data_sets(("red", "green", "blue"), [1])


@stirred.satisfies(data_sets=ANSWERS, distance="hamming_ordered", epsilon="ln 3", flip="1/4")
def randomized_response(answers, source, *, flip):
    """Each answer, flipped with probability `flip`: ε = ln((1−p)/p).

    Source: Warner (1965).
    """
    return tuple(1 - answer if source.bernoulli(flip) else answer for answer in answers)


@stirred.satisfies(data_sets=VALUES, distance="hamming_ordered", epsilon="ln 4", gamma=4)
def k_ary_randomized_response(values, source, *, gamma):
    """One of k = 3 values, the true one γ times as likely as each other: ε = ln γ.

    Source: Kairouz, Bonawitz, Ramage (2016).
    """
    (value,) = values
    likely = stirred.Fraction(gamma, gamma + 2)
    if source.bernoulli(likely):
        return value
    return [other for other in ("red", "green", "blue") if other != value][source.uniform(2)]


@stirred.satisfies(data_sets=VALUES, distance="hamming_ordered", epsilon="ln 9", flip="1/4")
def basic_rappor(values, source, *, flip):
    """One bit for each value, flipped with probability f; two bits differ: ε = 2·ln((1−f)/f).

    Source: Erlingsson, Pihur, Korolova (2014), basic one-time RAPPOR.
    """
    (value,) = values
    bits = (value == "red", value == "green", value == "blue")
    return tuple(not bit if source.bernoulli(flip) else bit for bit in bits)


@stirred.satisfies(data_sets=VALUES, distance="hamming_ordered", epsilon="ln 3", keep="1/2", add="1/4")
def optimized_unary_encoding(values, source, *, keep, add):
    """The true value's bit is kept with probability p, every other one set with probability q: ε = ln(p(1−q)/((1−p)q)).

    Source: Wang, Blocki, Li, Jha (2017).
    """
    (value,) = values
    return tuple(source.bernoulli(keep if value == one else add) for one in ("red", "green", "blue"))
