"""Mechanisms as tutorials write them: module-level random numbers, pandas, lists of dictionaries, classes, loops."""

import math
import random
from collections import Counter

import numpy as np


def laplace_mechanism(value, sensitivity, epsilon):
    return value + np.random.laplace(loc=0, scale=sensitivity / epsilon)


def dp_histogram(df, epsilon=1.0):
    hist = df["job"].value_counts().reindex(["a", "b"], fill_value=0)
    noisy = hist.apply(lambda c: max(0, round(laplace_mechanism(c, 1, epsilon))))
    return noisy.to_dict()


def exponential(votes, options=("red", "green", "blue"), epsilon=1.0):
    scores = [list(votes).count(o) for o in options]
    probabilities = np.array([np.exp(epsilon * s / 2) for s in scores])
    probabilities = probabilities / np.linalg.norm(probabilities, ord=1)
    return np.random.choice(options, 1, p=probabilities)[0]


def report_noisy_max(votes, options=("red", "green", "blue"), epsilon=1.0):
    noisy = [laplace_mechanism(list(votes).count(o), 1, epsilon) for o in options]
    return options[int(np.argmax(noisy))]


def randomized_response(answer):
    if np.random.randint(0, 2) == 0:
        return answer
    return bool(np.random.randint(0, 2) == 0)


def geometric_count(data, epsilon=1.0):
    p = 1 - np.exp(-epsilon)
    return int(sum(data) + np.random.geometric(p) - np.random.geometric(p))


def perturb(bits, p=0.75, q=0.25):
    return [int(np.random.rand() < (p if b == 1 else q)) for b in bits]


def unary(value, domain=("x", "y", "z")):
    return perturb([1 if d == value else 0 for d in domain])


def olh(value, d=4, epsilon=1.0):
    g = int(round(np.exp(epsilon))) + 1
    seed = np.random.randint(0, 8)
    h = (value * 2654435761 + seed * 40503) % 4294967296 % g
    if np.random.rand() < np.exp(epsilon) / (np.exp(epsilon) + g - 1):
        return seed, h
    other = np.random.randint(0, g - 1)
    return seed, other if other < h else other + 1


def subsampled(data, rate=0.5, epsilon=1.0):
    mask = np.random.rand(len(data)) < rate
    return int(np.round(np.asarray(data)[mask].sum() + np.random.laplace(0, 1 / epsilon)))


def count_adults(people, epsilon=1.0):
    rng = np.random.default_rng()
    return round(sum(p["age"] >= 18 for p in people) + rng.laplace(scale=1 / epsilon))


def coin(answer):
    if random.random() < 0.5:
        return answer
    return random.choice(["yes", "no"])


def laplace_mech(v, sensitivity, epsilon):
    return v + np.random.laplace(loc=0, scale=sensitivity / epsilon)


def gaussian_mech(v, sensitivity, epsilon, delta):
    return v + np.random.normal(loc=0, scale=sensitivity * np.sqrt(2 * np.log(1.25 / delta)) / epsilon)


def pct_query(df):
    return laplace_mech(len(df[df["Age"] > 40]), 1, 1.0)


def report_noisy_max_of_frame(df, epsilon=1.0):
    R = ["a", "b", "c"]
    score = lambda data, option: data.value_counts().get(option, 0)
    scores = [score(df["job"], r) for r in R]
    noisy_scores = [laplace_mech(s, 1, epsilon) for s in scores]
    max_idx = np.argmax(noisy_scores)
    return R[max_idx]


def exponential_of_frame(df, epsilon=1.0):
    R = ["a", "b", "c"]
    scores = [df["job"].value_counts().get(r, 0) for r in R]
    probabilities = [np.exp(epsilon * score / (2 * 1)) for score in scores]
    probabilities = probabilities / np.linalg.norm(probabilities, ord=1)
    return np.random.choice(R, 1, p=probabilities)[0]


def above_threshold(df, epsilon=1.0):
    T = 2
    queries = [lambda d, b=b: len(d[d["age"] <= b]) for b in (10, 20, 30)]
    T_hat = T + np.random.laplace(loc=0, scale=2 / epsilon)
    for idx, q in enumerate(queries):
        nu_i = np.random.laplace(loc=0, scale=4 / epsilon)
        if q(df) + nu_i >= T_hat:
            return idx
    return -1


def sparse(data, c=1, epsilon=2.0):
    answers = []
    pos = 0
    t_hat = 1 + np.random.laplace(scale=2 * c / epsilon)
    for q in data:
        v = q + np.random.laplace(scale=4 * c / epsilon)
        if v >= t_hat:
            answers.append(True)
            pos += 1
            if pos >= c:
                break
        else:
            answers.append(False)
    return answers


def dp_sum(data, lower=0, upper=2, epsilon=1.0):
    clipped = np.clip(np.array(data), lower, upper)
    return int(round(clipped.sum() + np.random.laplace(0, (upper - lower) / epsilon)))


def dp_mean_sign(data, epsilon=1.0):
    clipped = np.clip(data, 0, 1)
    noisy_sum = np.sum(clipped) + np.random.laplace(0, 2 / epsilon)
    noisy_count = len(data) + np.random.laplace(0, 2 / epsilon)
    return noisy_sum > noisy_count / 2


def gradient_step(data, epsilon=1.0, lr=0.5):
    theta = np.zeros(2)
    grads = [np.array([x - theta[0], -x - theta[1]]) for x in data]
    clipped = []
    for g in grads:
        norm = np.linalg.norm(g, ord=1)
        clipped.append(g / norm if norm > 1 else g)
    total = np.sum(clipped, axis=0)
    noisy = total + np.random.laplace(0, 2 / epsilon, size=2)
    theta -= lr * noisy
    return tuple(int(t > 0) for t in theta)


def randomized_response_p(answer, p=0.75):
    if np.random.uniform() < p:
        return answer
    return 1 - answer


def local_histogram(data, domain=("x", "y", "z"), epsilon=1.0):
    k = len(domain)
    p = np.exp(epsilon) / (np.exp(epsilon) + k - 1)
    counts = Counter()
    for x in data:
        if np.random.random() < p:
            counts[x] += 1
        else:
            counts[np.random.choice([d for d in domain if d != x])] += 1
    return {d: counts[d] for d in domain}


def encode(response, domain=(0, 1, 2)):
    return [1 if d == response else 0 for d in domain]


def perturb_bit(bit, p=0.75, q=0.25):
    sample = np.random.random()
    if bit == 1:
        return 1 if sample <= p else 0
    elif bit == 0:
        return 1 if sample <= q else 0


def unary_encoding(value):
    return [perturb_bit(b) for b in encode(value)]


def rappor(value, f=0.5, p=0.25, q=0.75, m=2):
    bits = np.zeros(m, dtype=int)
    bits[value % m] = 1
    permanent = bits.copy()
    coins = np.random.random(m)
    for i in range(m):
        if coins[i] < f / 2:
            permanent[i] = 1
        elif coins[i] < f:
            permanent[i] = 0
    report = np.where(permanent == 1, np.random.random(m) < q, np.random.random(m) < p)
    return report.astype(int).tolist()


def count_mean_sketch(value, epsilon=2.0, m=2, k=2):
    j = np.random.randint(k)
    v = np.full(m, -1.0)
    v[(value * 7 + j) % m] = 1.0
    flip = np.random.choice(
        [1, -1], size=m, p=[np.exp(epsilon / 2) / (1 + np.exp(epsilon / 2)), 1 / (1 + np.exp(epsilon / 2))]
    )
    return j, (v * flip).tolist()


def private_median(data, lower=0, upper=4, epsilon=1.0):
    candidates = np.arange(lower, upper + 1)
    below = np.array([np.sum(np.asarray(data) < c) for c in candidates])
    above = np.array([np.sum(np.asarray(data) > c) for c in candidates])
    utility = -np.abs(below - above)
    weights = np.exp(epsilon * utility / 2)
    probs = weights / weights.sum()
    return int(np.random.choice(candidates, p=probs))


def synthetic(df, epsilon=1.0, n=1):
    hist = df["job"].value_counts().reindex(["a", "b"], fill_value=0)
    noisy = hist.apply(lambda x: laplace_mech(x, 1, epsilon)).clip(lower=0)
    rounded = noisy.round().astype(int)
    return rounded.to_dict()


def synthetic_array(data, epsilon=1.0):
    hist, _ = np.histogram(data, bins=[0, 1, 2, 3])
    noisy = hist + np.random.laplace(scale=1 / epsilon, size=len(hist))
    noisy = np.clip(noisy, 0, None)
    return np.round(noisy).astype(int).tolist()


def geometric_noise(data, epsilon=1.0):
    alpha = 1 - math.exp(-epsilon)
    g1 = np.random.geometric(alpha)
    g2 = np.random.geometric(alpha)
    return sum(data) + g1 - g2


def sample_and_aggregate(data, k=2, epsilon=1.0):
    chunks = np.array_split(np.array(data), k)
    answers = np.array([np.clip(c.mean(), 0, 1) for c in chunks])
    return bool(np.mean(answers) + np.random.laplace(scale=1 / (k * epsilon)) > 0.5)


def tree(data, epsilon=1.0):
    levels = [list(data)]
    while len(levels[-1]) > 1:
        last = levels[-1]
        levels.append([last[i] + last[i + 1] for i in range(0, len(last), 2)])
    scale = len(levels) / epsilon
    noisy = [[round(v + np.random.laplace(0, scale)) for v in level] for level in levels]
    return noisy


def groupby_counts(df, epsilon=1.0):
    counts = df.groupby("job").size().reindex(["a", "b"], fill_value=0)
    noisy = counts + np.random.laplace(0, 1 / epsilon, size=len(counts))
    return {k: max(0, int(round(v))) for k, v in noisy.items()}


def stability(data, epsilon=1.0):
    counts = Counter(data)
    (top, n1), *rest = counts.most_common() or [(None, 0)]
    n2 = rest[0][1] if rest else 0
    if n1 - n2 + random.expovariate(epsilon) - random.expovariate(epsilon) > 2:
        return top
    return None


def pca(data, epsilon=1.0):
    cov = np.cov(np.array(data).T)
    noise = np.random.laplace(size=cov.shape)
    return np.linalg.eigh(cov + noise)[1][:, -1] > 0


def gumbel_topk(scores, k=2, epsilon=1.0):
    noisy = np.asarray(scores) + np.random.gumbel(scale=2 * k / epsilon, size=len(scores))
    return np.argsort(noisy)[::-1][:k].tolist()


def permute_and_flip(scores, epsilon=1.0):
    best = max(scores)
    for i in np.random.permutation(len(scores)):
        if np.random.random() < np.exp(epsilon * (scores[i] - best) / 2):
            return int(i)


def in_place(data, epsilon=1.0):
    hist = np.zeros(2)
    for x in data:
        hist[x] += 1
    for i in range(len(hist)):
        hist[i] += np.random.laplace(scale=1 / epsilon)
    hist[hist < 0] = 0
    return np.floor(hist).astype(int).tolist()


def top_name(votes, epsilon=1.0):
    counts = {name: votes.count(name) for name in ("a", "b", "c")}
    noisy = {name: c + np.random.laplace(0, 1 / epsilon) for name, c in counts.items()}
    return max(noisy, key=noisy.get)


def sorted_names(votes, epsilon=1.0):
    noisy = [(votes.count(n) + np.random.laplace(0, 1 / epsilon), n) for n in ("a", "b")]
    return [n for _, n in sorted(noisy, reverse=True)]


class LaplaceMechanism:
    def __init__(self, *, epsilon, sensitivity, random_state=None):
        self.epsilon = epsilon
        self.sensitivity = sensitivity
        self._rng = np.random.default_rng(random_state)

    def randomise(self, value):
        return value + self._rng.laplace(0, self.sensitivity / self.epsilon)


def diffprivlib_like(data):
    mech = LaplaceMechanism(epsilon=1.0, sensitivity=1)
    return int(np.floor(mech.randomise(sum(data))))
