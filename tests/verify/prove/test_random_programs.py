"""Random programs with integer noise: what is proved for every size is never below what small sizes need, exactly."""

import importlib.util
import itertools
import os
import random
import re
from fractions import Fraction

import pytest
from followed_paths import Recorded, followed
from tiers import few

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.spec.arguments import InputError
from stirred.verify.evidence.certificates.polynomial import Polynomial
from stirred.verify.evidence.certificates.program_graph import Graph
from stirred.verify.prove.found_function import of_function
from stirred.verify.prove.proving import proof_of
from stirred.verify.prove.stated import stated

HEADER = """\
from fractions import Fraction

HALF, QUARTER, k, count_of = Fraction(1, 2), Fraction(1, 4), 3, 2


def is_above(x, bar, source):
    return x + source.discrete_laplace(QUARTER) >= bar


def doubled(x, *, by):
    k = x * by
    return k if k > 1 else by * x
"""
NAMES = ("q", "z0", "o1", "k", "record", "size", "draw", "held", "counter", "noise", "n", "x1")


def noise(draw):
    two_sided = ["source.discrete_laplace(HALF)", "source.discrete_laplace(QUARTER)"]
    return draw.choice([*two_sided * 4, "source.geometric(HALF)", "source.geometric(HALF) - source.geometric(HALF)"])


def number(draw):
    """A number that is compared: mostly an answer with noise of its own."""
    noisy = [f"x + {noise(draw)}"] * 8 + [f"2 * x + {noise(draw)}", f"{noise(draw)} - x", f"total + {noise(draw)}"]
    return draw.choice([*noisy, "y", "x", "doubled(x, by=2) - x", f"max(x, y) + {noise(draw)}"])


def step(draw):
    """Lines of one step of a pass."""
    kind = draw.randrange(10)
    if kind == 0:
        return [f"total += {draw.choice(['x', '-x', '2 * x', '1'])}"]
    if kind == 1:
        return [f"y = {number(draw)}"]
    if kind <= 3:
        return [f"out.append({number(draw)} {draw.choice(['>=', '>', '<'])} {draw.choice(['limit', '1', '0'])})"]
    if kind == 4:
        return draw.choice((["y, total = (total, y)"], ["y, total = pair"], ["pair = (x, total)"], ["y = total"]))
    if kind == 5:
        return draw.choice(([f"out.append({noise(draw)} + x > y)"], ["out.append(len(out))"], ["count = count"]))
    condition = f"{number(draw)} {draw.choice(['>=', '>', '<='])} {draw.choice(['limit', 'limit', '1'])}"
    if kind == 6:
        condition = draw.choice(["count >= 2", "count == 1", "source.bernoulli(HALF)", "is_above(x, limit, source)"])
    inner = draw.sample(["count += 1", "out.append(True)", f"out.append(x + {noise(draw)} >= 1)", "total += x"], 2)
    end = draw.choice([[], ["break"], ["return out"], ["if count >= 2:", "    break"], ["continue"]])
    other = draw.choice([[], ["out.append(False)"]])
    lines = [f"if {condition}:", *(f"    {line}" for line in inner + end)]
    return lines + (["else:", *(f"    {line}" for line in other)] if other else [])


def loop(draw, k):
    """A loop over the records, with what it begins with."""
    body = [line for _ in range(draw.randint(1, 3)) for line in step(draw)]
    first, head = [], "for x in q:"
    kind = draw.randrange(9)
    if kind == 0:
        head, body = f"for i{k}, x in enumerate(q):", [*body, draw.choice([f"total += i{k}", f"y = i{k}"])]
    elif kind == 1:
        head, body = f"for i{k} in range(len(q)):", [f"x = q[i{k}]", *body]
    elif kind == 2:
        first, head = [f"i{k} = 0"], f"while i{k} < len(q):"
        body = [f"x = q[i{k}]", f"i{k} += 1", *body]
    elif kind == 3:
        first, head = [f"noisy{k} = [x + {noise(draw)} for x in q]"], f"for x in noisy{k}:"
    elif kind == 4:
        first, head = [f"noisy{k} = [{noise(draw)} for x in q]"], f"for x, y in zip(q, noisy{k}):"
    last = ["else:", "    count += 1"] if draw.random() < 0.1 else []
    return [*first, head, *(f"    {line}" for line in body), *last]


def program(name, seed):
    """A function of the data and a source; its variables have names that a reader might use itself."""
    draw = random.Random(seed)  # noqa: S311 no secret
    ends = [
        "out",
        "tuple(out)",
        f"total + {noise(draw)} >= 1",
        "out",
        "count",
        "(count, out)",
        "y",
        "[len(out), count]",
    ]
    ends += ["[len(out), count]", f"sum(q) + {noise(draw)} >= 1", f"sum(x for x in q) - {noise(draw)} > y"]
    limit = draw.choice(["1", f"1 + {noise(draw)}", f"{noise(draw)}", "k"])
    lines = ["out, pair = [], (0, 1)", "total = count = 0" if draw.random() < 0.05 else "total, count = 0, 0", "y = 0"]
    lines += [f"limit = {limit}", *loop(draw, 0), *(loop(draw, 1) if draw.random() < 0.25 else [])]
    if draw.random() < 0.1:
        value = f"[x + {noise(draw)} for x in q]"
        lines = [f"noisy = {value}", f"return noisy.index({draw.choice(['max', 'min'])}(noisy))"]
    else:
        lines.append(f"return {draw.choice(ends)}")
    text = "\n".join(f"    {line}" for line in lines)
    if draw.random() < 0.5:
        renamed = dict(zip(("q", "y", "total", "count", "limit"), draw.sample(NAMES, 5), strict=True))
        text = re.sub("|".join(rf"\b{one}\b" for one in renamed), lambda found: renamed[found[0]], text)
        return f"def {name}({renamed['q']}, source):\n{text}\n"
    return f"def {name}(q, source):\n{text}\n"


def frozen(value):
    """What a function returns, as a law can hold it."""
    return tuple(map(frozen, value)) if isinstance(value, (list, tuple)) else value


def needed(function, pairs):
    """The largest ratio that pairs need, exactly; None where it is infinite."""
    laws, largest = {}, Fraction(1)
    for pair in pairs:
        for data in pair:
            if data not in laws:
                laws[data] = exact_law(lambda data, source: frozen(function(data, source)), data, choice_budget=3_000)
        one, other = (laws[data] for data in pair)
        for outcome in {*one, *other}:
            p, q = one[outcome], other[outcome]
            if not p or not q:
                return None
            largest = max(largest, p / q, q / p)
    return largest


def pairs_at(neighbors, size):
    every = list(itertools.product((0, 1), repeat=size))
    for one, other in itertools.combinations(every, 2):
        changes = [b - a for a, b in zip(one, other, strict=True)]
        if (
            neighbors == "each by 1"
            or (neighbors == "one by 1" and sum(map(abs, changes)) == 1)
            or (neighbors == "all up or all down" and len(set(changes) - {0}) <= 1)
        ):
            yield one, other


def power_of(budget: Polynomial):
    """e^(d budget) and d, where the budget is a sum of logarithms of integers."""
    denominator = 1
    for value in budget.terms.values():
        denominator = max(denominator, value.denominator)
    total = Fraction(1)
    for monomial, value in budget.terms.items():
        ((name, _),) = monomial
        total *= Fraction(int(name.text)) ** int(value * denominator)
    return total, denominator


@pytest.fixture(scope="module", params=few([100, 2000]))
def functions(request, tmp_path_factory):
    """Functions by their texts; those of a night are other ones each night."""
    folder = tmp_path_factory.mktemp("programs")
    first = 0 if request.param == 100 else int(os.environ.get("STIRRED_SEED", "0")) * 10_000
    found = {}
    for start in range(0, request.param, 100):  # a file is searched for each of its functions
        texts = [program(f"f{k}", first + start + k) for k in range(100)]
        file = folder / f"random_programs_{start}.py"
        file.write_text("\n\n".join([HEADER, *texts]))
        spec = importlib.util.spec_from_file_location(file.stem, file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found |= {text: getattr(module, f"f{k}") for k, text in enumerate(texts)}
    return found


def test_no_budget_is_below_what_small_sizes_need(functions):
    compared = tight = 0
    for k, (text, function) in enumerate(functions.items()):
        neighbors = ("one by 1", "one by 1", "each by 1", "all up or all down")[k % 4]
        try:
            found = proof_of(stated(f"f{k}", of_function(function), neighbors, None, {}), explains=False)
        except InputError:
            continue
        if found.budget is None:
            continue
        gamma, root = power_of(found.budget)
        for size in (1, 2, 3):
            try:
                ratio = needed(function, pairs_at(neighbors, size))
            except InputError:
                break
            is_covered = ratio is not None and ratio**root <= gamma
            assert is_covered, (text, neighbors, size, found.budget)
            compared += 1
            tight += ratio**root == gamma
    assert compared >= 60
    assert tight >= 30


def test_paths_are_those_of_python(functions):
    """Ten thousand runs: the draws that Python takes, and the number that it returns."""
    draw, compared = random.Random(0), 0  # noqa: S311 no secret
    for k, (text, function) in enumerate(functions.items()):
        if "noisy" in text:
            continue  # Python draws a list at once, the reader one by one: equal in law, not in order
        try:
            graph = Graph(stated(f"f{k}", of_function(function), "one by 1", None, {}).program)
        except InputError:
            continue
        for _ in range(100):
            data = [draw.randint(0, 1) for _ in range(draw.randint(1, 5))]
            noise = [Fraction(draw.randint(-2, 2)) for _ in range(40)]
            recorded = Recorded(noise)
            native = function(data, recorded)
            _, taken, value = followed(graph, data, noise, {})
            assert taken == recorded.taken, text
            value = value[0] if isinstance(value, tuple) and value else value
            native = native[0] if isinstance(native, tuple) and native else native
            if isinstance(value, (Polynomial, Fraction)):
                assert value == native, text
                compared += 1
    assert compared >= 1000
