"""The benchmark programs of the literature as users write them in NumPy, with what is published of them.

Each is written from the published description: Dwork and Roth (2014), Chan, Shi and Song (2011), Lyu, Su and Li (2017),
Ding et al. (2018, 2019), Wang et al. (2019, 2020). `PROGRAMS` says how neighbours differ, which budget is claimed,
whether it holds, and the least budget that alignment of noise shows (None where it shows none).
"""

import numpy as np

PROGRAMS = {}
WHOLE = {"N": "whole >= 1", "M": "whole >= 1"}


def program(neighbors, epsilon, least, *, holds=True):
    def add(function):
        PROGRAMS[function.__name__] = (function, neighbors, epsilon, least, holds)
        return function

    return add


def ranges(function):
    """The ranges of a program's parameters that are integers."""
    return {name: text for name, text in WHOLE.items() if name in function.__code__.co_varnames}


@program("one by 1", "eps", "eps")
def identity(q, rng, *, eps):
    return [x + rng.laplace(scale=1 / eps) for x in q]


@program("one by 1", "eps", "eps")
def histogram(q, rng, *, eps):
    return np.array(q) + rng.laplace(0, 1 / eps, size=len(q))


@program("one by 1", "eps", "1/eps", holds=False)
def bad_histogram(q, rng, *, eps):
    return [x + rng.laplace(scale=eps) for x in q]


@program("one by 1", "eps", "eps")
def partial_sum(q, rng, *, eps):
    return sum(q) + rng.laplace(scale=1 / eps)


@program("one by 1", "eps", "2*eps", holds=False)
def bad_partial_sum(q, rng, *, eps):
    total = 0
    for x in q:
        total += x
    return total + rng.laplace(scale=1 / (2 * eps))


@program("one by 1", "eps", "eps")
def prefix_sum(q, rng, *, eps):
    out = []
    following = 0
    for x in q:
        following = following + x + rng.laplace(scale=1 / eps)
        out.append(following)
    return out


@program("one by 1", "2*eps", "2*eps")
def smart_sum(q, rng, *, M, T, eps):
    out = []
    following = 0
    block = 0
    i = 0
    while i <= T and i < len(q):
        if (i + 1) % M == 0:
            following = block + q[i] + rng.laplace(scale=1 / eps)
            block = 0
        else:
            following = following + q[i] + rng.laplace(scale=1 / eps)
            block = block + q[i]
        out.append(following)
        i += 1
    return out


@program("one by 1", "2*eps", None, holds=False)
def bad_smart_sum(q, rng, *, M, T, eps):
    out = []
    following = 0
    block = 0
    i = 0
    while i <= T and i < len(q):
        if (i + 1) % M == 0:
            following = block + q[i]
            block = 0
        else:
            following = following + q[i] + rng.laplace(scale=1 / eps)
            block = block + q[i]
        out.append(following)
        i += 1
    return out


def is_above(x, scale, limit, rng):
    """A helper, as users write them."""
    return x + rng.laplace(scale=scale) >= limit


@program("each by 1", "eps", "eps")
def svt(q, rng, *, T, N, eps):
    out = []
    limit = T + rng.laplace(scale=2 / eps)
    count = 0
    i = 0
    while count < N and i < len(q):
        if is_above(q[i], 4 * N / eps, limit, rng):
            out.append(True)
            count += 1
        else:
            out.append(False)
        i += 1
    return out


@program("each by 1", "eps", "eps")
def svt_with_break(q, rng, *, T, N, eps):
    out = []
    eps1 = eps / 2
    eps2 = eps - eps1
    limit = T + rng.laplace(loc=0.0, scale=1 / eps1)
    count = 0
    for x in q:
        above = x + rng.laplace(0.0, 2 * N / eps2) >= limit
        out.append(bool(above))
        if above:
            count += 1
            if count >= N:
                break
    return tuple(out)


@program("each by 1", "eps", "eps")
def svt_with_drawn_arrays(q, rng, *, T, eps):
    noisy = np.array(q) + rng.laplace(0, 4 / eps, size=len(q))
    limit = T + rng.laplace(0, 2 / eps)
    for i, x in enumerate(noisy):
        if x >= limit:
            return i
    return None


@program("each by 1", "eps", "eps")
def above_threshold(q, rng, *, T, eps):
    limit = T + rng.laplace(scale=2 / eps)
    for i, x in enumerate(q):
        if x + rng.laplace(scale=4 / eps) >= limit:
            return i
    return -1


@program("all up or all down", "eps", "eps")
def svt_monotone(q, rng, *, T, N, eps):
    out = []
    limit = T + rng.laplace(scale=2 / eps)
    count = 0
    for i in range(len(q)):
        if count >= N:
            break
        if q[i] + rng.laplace(scale=2 * N / eps) >= limit:
            out.append(True)
            count += 1
        else:
            out.append(False)
    return out


@program("each by 1", "eps", "eps")
def gap_svt(q, rng, *, T, N, eps):
    out = []
    limit = T + rng.laplace(scale=2 / eps)
    count = 0
    i = 0
    while count < N and i < len(q):
        noisy = q[i] + rng.laplace(scale=4 * N / eps)
        if noisy >= limit:
            out.append(noisy - limit)
            count += 1
        else:
            out.append(0)
        i += 1
    return out


@program("each by 1", "eps", "eps")
def numerical_svt(q, rng, *, T, N, eps):
    out = []
    limit = T + rng.laplace(scale=3 / eps)
    count = 0
    i = 0
    while count < N and i < len(q):
        if q[i] + rng.laplace(scale=6 * N / eps) >= limit:
            out.append(q[i] + rng.laplace(scale=3 * N / eps))
            count += 1
        else:
            out.append(0)
        i += 1
    return out


@program("each by 1", "eps", "eps")
def adaptive_svt(q, rng, *, T, N, eps):
    """The spent budget is counted in units of eps/(4N)."""
    out = []
    limit = T + rng.laplace(scale=2 / eps)
    spent = 2 * N
    for x in q:
        top = x + rng.laplace(scale=8 * N / eps) - limit
        if top >= 16:
            out.append(top)
            spent += 1
        else:
            middle = x + rng.laplace(scale=4 * N / eps) - limit
            if middle >= 0:
                out.append(middle)
                spent += 2
            else:
                out.append(0)
        if spent > 4 * N - 2:
            break
    return out


@program("each by 1", "eps", None, holds=False)
def bad_svt_without_noise(q, rng, *, T, eps):
    """Stoddard et al."""
    out = []
    limit = T + rng.laplace(scale=2 / eps)
    for x in q:
        out.append(x >= limit)
    return out


@program("each by 1", "eps", None, holds=False)
def bad_svt_without_stop(q, rng, *, T, eps):
    """Chen et al."""
    out = []
    limit = T + rng.laplace(scale=2 / eps)
    for x in q:
        out.append(x + rng.laplace(scale=2 / eps) >= limit)
    return out


@program("each by 1", "eps", "3/2*N*eps + 1/4*eps", holds=False)
def bad_svt_lee_clifton(q, rng, *, T, N, eps):
    out = []
    limit = T + rng.laplace(scale=4 / eps)
    count = 0
    i = 0
    while count < N and i < len(q):
        if q[i] + rng.laplace(scale=4 / (3 * eps)) >= limit:
            out.append(True)
            count += 1
        else:
            out.append(False)
        i += 1
    return out


@program("each by 1", "eps", None, holds=False)
def bad_gap_svt(q, rng, *, T, N, eps):
    """Roth's lecture notes: the compared answer is released."""
    out = []
    limit = T + rng.laplace(scale=2 / eps)
    count = 0
    i = 0
    while count < N and i < len(q):
        noisy = q[i] + rng.laplace(scale=4 * N / eps)
        if noisy >= limit:
            out.append(noisy)
            count += 1
        else:
            out.append(-100)
        i += 1
    return out


@program("each by 1", "eps", None, holds=False)
def bad_adaptive_svt(q, rng, *, T, N, eps):
    out = []
    limit = T + rng.laplace(scale=2 / eps)
    spent = 2 * N
    for x in q:
        top = x + rng.laplace(scale=8 * N / eps)
        if top - limit >= 16:
            out.append(top)
            spent += 1
        else:
            middle = x + rng.laplace(scale=4 * N / eps) - limit
            if middle >= 0:
                out.append(middle)
                spent += 2
            else:
                out.append(-100)
        if spent > 4 * N - 2:
            break
    return out


@program("each by 1", "eps", None, holds=False)
def one_noise_for_all(q, rng, *, T, eps):
    out = []
    limit = T + rng.laplace(scale=2 / eps)
    noise = rng.laplace(scale=2 / eps)
    for x in q:
        out.append(x + noise >= limit)
    return out


@program("each by 1", "eps", "eps")
def noisy_max(q, rng, *, eps):
    best = 0
    top = 0
    i = 0
    while i < len(q):
        noisy = q[i] + rng.laplace(scale=2 / eps)
        if i == 0 or noisy > top:
            best = i
            top = noisy
        i += 1
    return best


@program("each by 1", "eps", "eps")
def noisy_max_from_infinity(q, rng, *, eps):
    best, top = 0, -np.inf
    for i, x in enumerate(q):
        noisy = x + rng.exponential(scale=2 / eps)
        if noisy > top:
            best, top = i, noisy
    return best


@program("all up or all down", "eps", "eps")
def noisy_max_monotone(q, rng, *, eps):
    return int(np.argmax(np.asarray(q) + rng.laplace(scale=1 / eps, size=len(q))))


@program("each by 1", "eps", "eps")
def noisy_max_by_index(q, rng, *, eps):
    noisy = [x + rng.laplace(scale=2 / eps) for x in q]
    return noisy.index(max(noisy))


@program("one by 1", "eps", "eps")
def noisy_min(q, rng, *, eps):
    noisy = [x + rng.laplace(scale=1 / eps) for x in q]
    return noisy.index(min(noisy))


@program("each by 1", "eps", "eps")
def exponential_mechanism(q, rng, *, eps):
    weights = np.exp(eps * np.array(q) / 2)
    return rng.choice(len(q), p=weights / weights.sum())


@program("each by 1", "eps", "2*eps", holds=False)
def bad_exponential_mechanism(q, rng, *, eps):
    weights = np.exp(eps * np.array(q))
    return rng.choice(len(q), p=weights / weights.sum())


@program("each by 1", "eps", None, holds=False)
def bad_noisy_max(q, rng, *, eps):
    """Releases the noisy maximum itself."""
    best = 0
    top = 0
    i = 0
    while i < len(q):
        noisy = q[i] + rng.laplace(scale=2 / eps)
        if i == 0 or noisy > top:
            best = noisy
            top = noisy
        i += 1
    return best


@program("each by 1", "ln(1/r) + 2*N*ln(1/s)", "2*N*ln(1/s) + ln(1/r)")
def discrete_svt(q, source, *, T, N, r, s):
    out = []
    limit = T + source.discrete_laplace(r)
    count = 0
    for x in q:
        above = x + source.discrete_laplace(s) >= limit
        out.append(above)
        if above:
            count += 1
            if count == N:
                break
    return out


@program("one by 1", "eps", "eps")
def geometric_sum(q, rng, *, eps):
    p = 1 - np.exp(-eps)
    return sum(q) + rng.geometric(p) - rng.geometric(p)


@program("one by 1", "eps", "eps")
def total_and_each(q, rng, *, eps):
    first = sum(q) + rng.laplace(scale=2 / eps)
    out = [first]
    for x in q:
        out.append(x + rng.laplace(scale=2 / eps))
    return out
