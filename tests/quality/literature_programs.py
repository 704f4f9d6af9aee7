"""The benchmark programs of the literature as they are written with NumPy, each a function of the kind of its noise.

Lyu, Su and Li (2017), algorithms 1 to 6; Albarghouthi and Hsu (2018); Wang et al. (2019, 2020), from the published
descriptions. Queries q are answers that change by 1; each program is for ε = 1, and N = 1 answers above the threshold.
"""

import numpy as np

T = 1


def laplace(rng, scale):
    """Real noise."""
    return rng.laplace(scale=scale)


def discrete_laplace(rng, scale):
    """Integer noise, as the difference of two geometric draws."""
    p = 1 - np.exp(-1 / scale)
    return rng.geometric(p) - rng.geometric(p)


def partial_sum(noise, share=1):
    """The total; wrong with noise for a share of its sensitivity."""

    def released(q, rng: np.random.Generator):
        total = 0
        for x in q:
            total += x
        return total + noise(rng, share)

    return released


def prefix_sum(noise):
    """All totals, by adding one noisy answer after another."""

    def released(q, rng: np.random.Generator):
        out, following = [], 0
        for x in q:
            following = following + x + noise(rng, 1)
            out.append(following)
        return out

    return released


def smart_sum(noise, block_noise=True, block=2):
    """Totals by blocks (Chan, Shi and Song 2011); wrong where a block is added without noise."""

    def released(q, rng: np.random.Generator):
        out, following, inside = [], 0, 0
        for i, x in enumerate(q):
            if (i + 1) % block == 0:
                following = inside + x + (noise(rng, 1) if block_noise else 0)
                inside = 0
            else:
                following = following + x + noise(rng, 1)
                inside += x
            out.append(following)
        return out

    return released


def sparse_vector(noise, *, limit_scale=2, rate=1, stop=1, shown=lambda noisy, limit, x, rng: True, below=False):
    """Which queries are above a noisy threshold, up to a number of them; None is no stop, a rate of None no noise."""

    def released(q, rng: np.random.Generator):
        out, count = [], 0
        limit = T + noise(rng, limit_scale)
        for x in q:
            noisy = x + noise(rng, 4 / rate) if rate else x
            if noisy >= limit:
                out.append(shown(noisy, limit, x, rng))
                count += 1
                if count == stop:
                    break
            else:
                out.append(below)
        return out

    return released


def renewed_sparse_vector(noise, stop=1):
    """Algorithm 2 of Lyu, Su and Li (Dwork and Roth 2014): a new threshold after each answer above."""

    def released(q, rng: np.random.Generator):
        out, count = [], 0
        limit = T + noise(rng, 2 * stop)
        for x in q:
            if x + noise(rng, 4 * stop) >= limit:
                out.append(True)
                limit = T + noise(rng, 2 * stop)
                count += 1
                if count >= stop:
                    break
            else:
                out.append(False)
        return out

    return released


def above_threshold(noise):
    """The first query above the threshold."""

    def released(q, rng: np.random.Generator):
        limit = T + noise(rng, 2)
        for i, x in enumerate(q):
            if x + noise(rng, 4) >= limit:
                return i
        return -1

    return released


def noisy_max(noise, scale=2, is_value_shown=False):
    """Report noisy max; wrong where the noisy maximum itself is released."""

    def released(q, rng: np.random.Generator):
        noisy = [x + noise(rng, scale) for x in q]
        best = max(noisy)
        return best if is_value_shown else noisy.index(best)

    return released


def argmax_of_arrays(q, rng: np.random.Generator):
    """Report noisy max with arrays, one-sided geometric noise and np.argmax."""
    return int(np.argmax(np.array(q) + rng.geometric(1 - np.exp(-0.5), size=len(q))))


def exponential_mechanism(q, rng: np.random.Generator):
    """A query, by weights e^(ε·q/2)."""
    weights = np.exp(np.array(q) / 2)
    return int(rng.choice(len(q), p=weights / weights.sum()))
