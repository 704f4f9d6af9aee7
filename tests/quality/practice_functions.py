"""Mechanisms as people write them after an introduction, and usual mistakes; the test beside has what they need."""

import functools
import hashlib
import math
import random
import secrets
from collections import Counter
from dataclasses import dataclass, field

import numpy as np


def bounded_mean(values, epsilon=1.0, lower=0.0, upper=10.0):
    values = np.clip(np.asarray(values, dtype=float), lower, upper)
    sensitivity = (upper - lower) / len(values)
    return round(values.mean() + np.random.laplace(scale=sensitivity / epsilon), 1)


def favourite(votes, epsilon=1.0):
    counts = Counter(votes)
    noisy = {c: counts.get(c, 0) + np.random.laplace(0, 2 / epsilon) for c in ("tea", "coffee", "milk")}
    return max(noisy, key=noisy.get)


def exp_median(data, epsilon=1.0):
    rng = np.random.default_rng()
    candidates = np.arange(5)
    data = np.sort(data)
    ranks = np.searchsorted(data, candidates, side="right")
    utility = -np.abs(ranks - len(data) / 2)
    w = np.exp(epsilon * utility / 2)
    return rng.choice(candidates, p=w / np.sum(w))


def rr_column(df, p=0.75):
    return df["smokes"].apply(lambda v: v if random.random() < p else 1 - v).tolist()


def rr_vector(bits, epsilon=math.log(3)):
    bits = np.array(bits)
    p = math.exp(epsilon) / (1 + math.exp(epsilon))
    flip = np.random.random(bits.shape) > p
    bits[flip] = 1 - bits[flip]
    return bits


def oue(item, domain=("a", "b", "c"), epsilon=1.0):
    q = 1 / (math.exp(epsilon) + 1)
    return [int(np.random.binomial(1, 0.5 if d == item else q)) for d in domain]


def olh(value, epsilon=1.0):
    g = int(math.exp(epsilon)) + 1
    seed = random.randrange(8)
    h = int(hashlib.sha256(f"{seed}:{value}".encode()).hexdigest(), 16) % g
    p = math.exp(epsilon) / (math.exp(epsilon) + g - 1)
    if random.random() <= p:
        return seed, h
    return seed, random.choice([x for x in range(g) if x != h])


def hist(values, epsilon=1.0):
    counts, edges = np.histogram(values, bins=3, range=(0, 3))
    noisy = counts + np.random.laplace(0, 1 / epsilon, counts.shape)
    noisy[noisy < 0] = 0
    return noisy.round().astype(int).tolist()


def stable_hist(words, epsilon=1.0, threshold=4):
    out = {}
    for w, c in sorted(Counter(words).items()):
        noisy = c + np.random.laplace(0, 1 / epsilon)
        if noisy >= threshold:
            out[w] = int(round(noisy))
    return out


def stable_hist_geometric(words, epsilon=1.0, threshold=4):
    p = 1 - math.exp(-epsilon)
    out = {}
    for w, c in sorted(Counter(words).items()):
        noisy = c + np.random.geometric(p) - np.random.geometric(p)
        if noisy >= threshold:
            out[w] = int(noisy)
    return out


def poisson_count(records, q=0.25, epsilon=1.0):
    mask = np.random.rand(len(records)) < q
    n = int(np.asarray(records)[mask].sum()) if len(records) else 0
    return round(n + np.random.laplace(scale=1 / epsilon))


def quantile(data, q=0.5, lo=0, hi=8, epsilon=1.0):
    xs = [lo, *sorted(min(max(x, lo), hi) for x in data), hi]
    lengths = [b - a for a, b in zip(xs, xs[1:])]
    weights = [l * math.exp(-epsilon / 2 * abs(i - q * len(data))) for i, l in enumerate(lengths)]
    i = random.choices(range(len(weights)), weights=weights)[0]
    return random.randrange(xs[i], xs[i + 1])


def ptr_mode(votes, epsilon=1.0, threshold=3):
    ranked = Counter(votes).most_common()
    first = ranked[0][1]
    second = ranked[1][1] if len(ranked) > 1 else 0
    gap = max(0, first - second - 1)
    if gap + np.random.laplace(0, 1 / epsilon) > threshold:
        return ranked[0][0]
    return "none"


def top_two(scores, epsilon=1.0):
    left = dict(enumerate(scores))
    chosen = []
    for _ in range(2):
        noisy = {i: s + np.random.gumbel(scale=2 * 2 / epsilon) for i, s in left.items()}
        best = max(noisy, key=lambda i: noisy[i])
        chosen.append(best)
        del left[best]
    return chosen


def hash_of(item):
    return sum(map(ord, item))


def bloom_flip(items, m=3, p=0.25):
    bits = np.zeros(m, dtype=bool)
    for it in items:
        bits[hash_of(it) % m] = True
    noise = np.random.random(m) < p
    return np.logical_xor(bits, noise).tolist()


def shuffled_rr(bits):
    out = [b if random.random() < 0.75 else 1 - b for b in bits]
    random.shuffle(out)
    return out


def metropolis(scores, epsilon=1.0, steps=2):
    x = random.randrange(3)
    for _ in range(steps):
        y = (x + random.choice([-1, 1])) % 3
        if random.random() < min(1.0, math.exp(epsilon * (scores[y] - scores[x]) / 2)):
            x = y
    return x


def permute_flip(scores, epsilon=1.0):
    order = list(range(len(scores)))
    np.random.shuffle(order)
    best = max(scores)
    for i in order:
        if np.random.random() <= math.exp(epsilon / 2 * (scores[i] - best)):
            return i


def stochastic_round(x):
    low = math.floor(x)
    return low + (1 if random.random() < x - low else 0)


def bits_bernoulli(bit):
    u = 0
    for _ in range(3):
        u = 2 * u + random.getrandbits(1)
    return bit if u < 5 else 1 - bit


class BudgetExceeded(Exception):
    pass


@dataclass
class Accountant:
    total: float
    spent: float = 0.0
    log: list = field(default_factory=list)

    def spend(self, eps, what):
        if self.spent + eps > self.total:
            raise BudgetExceeded(what)
        self.spent += eps
        self.log.append((what, eps))


def two_counts(bits):
    acc = Accountant(1.0)
    out = []
    for name, target in (("ones", 1), ("zeros", 0), ("more", 1)):
        try:
            acc.spend(0.5, name)
        except BudgetExceeded as e:
            out.append(f"no {e}")
            break
        out.append(round(bits.count(target) + np.random.laplace(scale=1 / 0.5)))
    return out


def noisy_prefix(xs, scale):
    total = 0
    for x in xs:
        total += x
        yield total + np.random.laplace(0, scale)


def prefix_sums(xs):
    return [round(v) for v in noisy_prefix(xs, 2.0)]


QUERIES = {"sum": lambda d: sum(d), "max": lambda d: max(d), "n": len}


def queries(data, epsilon=1.0):
    each = epsilon / len(QUERIES)
    return {k: int(np.rint(q(data) + np.random.laplace(scale=1 / each))) for k, q in QUERIES.items()}


@functools.lru_cache(maxsize=None)
def keep_probability(epsilon, k):
    return math.exp(epsilon) / (math.exp(epsilon) + k - 1)


def krr(value, k=4, epsilon=1.5):
    if np.random.uniform(0, 1) < keep_probability(epsilon, k):
        return value
    return np.random.choice([v for v in range(k) if v != value])


def positive_only(n):
    if (noisy := n + np.random.laplace(0, 1)) > 0.5:
        return math.ceil(noisy)
    return None


def typed(record):
    match record:
        case {"kind": "bit", "value": v}:
            return v if random.random() < 0.75 else 1 - v
        case {"kind": "count", "value": int(n)} if n >= 0:
            return n + int(np.random.geometric(0.5)) - int(np.random.geometric(0.5))
        case _:
            return None


def with_finally(bit):
    log = []
    try:
        if random.random() < 0.5:
            raise KeyError(bit)
        log.append(bit)
    except KeyError:
        log.append(random.choice([0, 1]))
    finally:
        log.append("done")
    return log


def vectorised(bits):
    flip = np.vectorize(lambda b: b if np.random.rand() < 0.8 else 1 - b)
    return flip(np.array(bits)).tolist()


def along_axis(rows):
    def noisy_argmax(row):
        return int(np.argmax(row + np.random.gumbel(size=len(row))))

    return np.apply_along_axis(noisy_argmax, 1, np.array(rows)).tolist()


def selected(bit):
    u = np.random.rand(2)
    return np.select([u < 0.25, u < 0.5], [0, 1], default=bit).tolist()


def random_state(bit):
    rs = np.random.RandomState()
    return int(bit) if rs.randint(0, 4) else int(rs.randint(0, 2))


def secret_rr(bit):
    return bit if secrets.randbelow(100) < 80 else secrets.choice([0, 1])


def weighted(value, epsilon=1.0):
    options = ["x", "y", "z"]
    w = [math.exp(epsilon) if o == value else 1 for o in options]
    return random.choices(options, w, k=1)[0]


def svt_numeric(counts, threshold=1, epsilon=2.0):
    t = threshold + np.random.laplace(0, 2 / (epsilon / 2))
    for i, c in enumerate(counts):
        if c + np.random.laplace(0, 4 / (epsilon / 2)) >= t:
            return i, round(c + np.random.laplace(0, 1 / (epsilon / 2)))
    return None


def two_stage(bits, epsilon=1.0):
    n = round(sum(bits) + np.random.laplace(scale=2 / epsilon))
    p = 0.75 if n > 1 else 0.6
    return n > 1, [b if np.random.rand() < p else 1 - b for b in bits]


LABELS = ["no", "maybe", "yes"]


def label_rr(label, epsilon=2.0):
    k = len(LABELS)
    gamma = (math.exp(epsilon) - 1) / (k - 1 + math.exp(epsilon))
    if random.random() < gamma:
        return label
    return LABELS[random.randint(0, k - 1)]


H = np.array([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]])


def hadamard(value, epsilon=1.0):
    j = np.random.randint(4)
    bit = H[j, value]
    if np.random.random() > np.exp(epsilon) / (1 + np.exp(epsilon)):
        bit = -bit
    return j, int(bit)


def subset_selection(value, k=4, w=2, epsilon=1.0):
    e = math.exp(epsilon)
    p = w * e / (w * e + k - w)
    others = [v for v in range(k) if v != value]
    if random.random() < p:
        chosen = [value] + random.sample(others, w - 1)
    else:
        chosen = random.sample(others, w)
    return tuple(sorted(chosen))


def sign_step(grads, clip=1.0, sigma=1.0):
    g = np.array(grads, dtype=float)
    norms = np.linalg.norm(g, ord=1, axis=1)
    g = g / np.maximum(1, norms / clip)[:, None]
    noisy = g.sum(axis=0) + np.random.laplace(0, 2 * clip / sigma, size=g.shape[1])
    return np.sign(noisy).astype(int).tolist()


def noisy_search(data, lo=0, hi=8, rounds=3, epsilon=1.5):
    for _ in range(rounds):
        mid = (lo + hi) / 2
        below = sum(1 for x in data if x <= mid)
        if below + np.random.laplace(0, rounds / epsilon) < len(data) / 2:
            lo = mid
        else:
            hi = mid
    return (lo + hi) / 2


def round_to_base(n, base=3):
    r = n % base
    if r == 0:
        return n
    return n - r if random.random() < 1 - r / base else n - r + base


def clipped_count(bits, epsilon=1.0):
    n = len(bits)
    return max(0, min(n, int(sum(bits) + np.random.laplace(scale=1 / epsilon))))


def group_mean(df, epsilon=1.0):
    out = {}
    for g in ["x", "y"]:
        part = df.loc[df["g"] == g, "v"].clip(0, 4)
        total = part.sum() + np.random.laplace(0, 4 / epsilon)
        out[g] = int(np.floor(total))
    return out


class Mechanism:
    def __init__(self, epsilon):
        self.epsilon = epsilon

    def release(self, value):
        return self.post(value + self.noise())

    def noise(self):
        raise NotImplementedError

    def post(self, value):
        return value


class GeometricMechanism(Mechanism):
    def noise(self):
        a = 1 - math.exp(-self.epsilon)
        return int(np.random.geometric(a)) - int(np.random.geometric(a))


class Bounded(GeometricMechanism):
    def __init__(self, epsilon, lo, hi):
        super().__init__(epsilon)
        self.lo, self.hi = lo, hi

    def post(self, value):
        return min(max(value, self.lo), self.hi)


def by_class(bits):
    return Bounded(0.5, -2, 5).release(sum(bits))


def noisy_ranking(scores, epsilon=1.0):
    noisy = np.array(scores) + np.random.gumbel(0, 2 / epsilon, 3)
    return np.argsort(-noisy)[:1].tolist()


def inverse_cdf(scores, epsilon=1.0):
    w = np.exp(epsilon * np.array(scores) / 2)
    cdf = np.cumsum(w / w.sum())
    return int(np.searchsorted(cdf, np.random.rand()))


def own_laplace(scale):
    u = random.random() - 0.5
    return -scale * math.copysign(1, u) * math.log(1 - 2 * abs(u))


def own_count(bits, epsilon=1.0):
    return round(sum(bits) + own_laplace(1 / epsilon))


def dithered(x):
    return math.floor(x + random.random())


def rejection_rr(value):
    while True:
        guess = random.randrange(4)
        if guess == value or random.random() < 0.5:
            return guess


P = np.array([[0.7, 0.2, 0.1], [0.15, 0.7, 0.15], [0.1, 0.2, 0.7]])


def matrix_rr(value):
    return int(np.random.choice(3, p=P[value]))


def stream(bits):
    seen = 0
    for t, b in enumerate(bits, 1):
        seen += b if random.random() < 0.75 else 1 - b
        if seen >= 2:
            return t
    return None


def branch_budget(bits, epsilon=1.0):
    n = round(sum(bits) + np.random.laplace(scale=1 / epsilon))
    if n <= 0:
        n = (n, round(sum(bits) + np.random.laplace(scale=1 / epsilon)))
    return n


def wrong_range(values, lo=4, hi=6, epsilon=1.0):
    return int(round(sum(min(max(v, lo), hi) for v in values) + np.random.laplace(scale=(hi - lo) / epsilon)))


def one_noise(bits, epsilon=1.0):
    noise = np.random.laplace(scale=2 / epsilon)
    return round(bits.count(0) + noise), round(bits.count(1) + noise)


def empty_group(values, epsilon=1.0):
    if not values:
        return 0
    return round(len(values) + np.random.laplace(scale=1 / epsilon))


def clip_after(values, epsilon=1.0):
    noisy = sum(values) + np.random.laplace(scale=4 / epsilon)
    return int(round(min(max(noisy, 0), 4)))


def wrong_split(bits, epsilon=1.0):
    return [round(q(bits) + np.random.laplace(scale=2 / epsilon)) for q in (sum, len, max)]


def data_bounds(values, epsilon=1.0):
    lo, hi = min(values), max(values)
    return round(sum(values) + np.random.laplace(scale=(hi - lo + 1) / epsilon))


def without_replacement(bits):
    sample = random.sample(bits, 2)
    return sum(b if random.random() < 0.75 else 1 - b for b in sample)


def upside_down(bits, epsilon=0.5):
    return round(sum(bits) + np.random.laplace(scale=epsilon))


def binary_formula(value, k=4, epsilon=1.0):
    if random.random() < math.exp(epsilon) / (1 + math.exp(epsilon)):
        return value
    return random.choice([v for v in range(k) if v != value])


def broadcast(counts, epsilon=1.0):
    return np.round(np.array(counts) + np.random.laplace(scale=1 / epsilon, size=1)).astype(int).tolist()


def only_positive(bits):
    n = sum(bits)
    return n + int(np.random.geometric(0.5)) if n > 0 else 0


def svt_one_more(counts, c=1, epsilon=1.0):
    out, hits = [], 0
    t = 1 + np.random.laplace(scale=2 / epsilon)
    for n in counts:
        if n + np.random.laplace(scale=4 * c / epsilon) >= t:
            out.append(1)
            hits += 1
            if hits > c:
                break
        else:
            out.append(0)
    return out


def retry(bits, epsilon=1.0):
    while True:
        n = round(sum(bits) + np.random.laplace(scale=1 / epsilon))
        if 0 <= n <= len(bits):
            return n
