"""Every draw has the law that NumPy and `random` draw from, in every form of its arguments, and their exceptions."""

import base64
import importlib.util
import math
import random
from collections import Counter
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from quality.read_laws import law_of

from stirred.mechanisms.reading.draw_laws import TABLES

SAMPLES = 20_000
CUTS = (-2, -1, -0.5, 0, 0.25, 0.5, 1, 2, 3, 5)

CONTINUOUS = (
    "laplace()",
    "laplace(1, 2)",
    "laplace(scale=0.5, loc=-1, size=3)[2]",
    "exponential()",
    "exponential(2)",
    "exponential(scale=0.5, size=(2, 1))[1, 0]",
    "normal(1, 2)",
    "normal(scale=0.5, size=2)[1]",
    "standard_normal(2)[0]",
    "standard_exponential()",
    "gumbel()",
    "gumbel(1, 0.5, 2)[1]",
    "logistic(scale=2)",
    "logistic(-1, size=1)[0]",
    "geometric(0.25)",
    "geometric(p=0.5, size=2)[1]",
    "uniform()",
    "uniform(-1, 2)",
    "uniform(high=3, low=1, size=2)[0]",
)
PLACES = (
    "choice(3)",
    "choice([5, -1, 1])",
    "choice(2, size=(2, 2))[1, 0]",
    "choice(3, p=[0.2, 0.3, 0.5])",
    "choice([0, 3], 2, True, [0.25, 0.75])[1]",
    "choice(4, 2, replace=False)[1]",
    "choice([0, 1, 1], size=2, replace=False).sum()",
    "permutation(3)[0]",
    "permutation([5, 0, 1])[2]",
    "binomial(3, 0.25)",
    "binomial(n=2, p=0.5, size=2)[1]",
    "binomial(2, 0)",
    "hypergeometric(3, 2, 2)",
    "hypergeometric(ngood=1, nbad=3, nsample=2, size=2)[0]",
    "multinomial(3, [0.2, 0.8])[0]",
    "multinomial(n=1, pvals=[0.5, 0.25, 0.25], size=2)[1, 2]",
    "bytes(1)[0] % 5",
)
CALLS = {
    "rng": (
        *CONTINUOUS,
        *PLACES,
        "random()",
        "random(2)[1]",
        "random(size=(1, 2))[0, 1]",
        "integers(3)",
        "integers(-1, 2)",
        "integers(low=0, high=2, endpoint=True)",
        "integers(3, size=2, dtype=np.uint8)[1]",
        "choice([[1, 2], [3, 0]], axis=1)[1]",
        "permuted([5, 0, 1])[1]",
        "permuted(np.array([[5, 0], [1, 2]]), axis=1)[0, 1]",
    ),
    "np.random": (
        *CONTINUOUS,
        *PLACES,
        "rand()",
        "rand(2, 1)[1, 0]",
        "random(2)[0]",
        "random_sample()",
        "ranf()",
        "sample(size=1)[0]",
        "randn()",
        "randn(2)[1]",
        "randint(3)",
        "randint(-1, 2, size=2)[0]",
        "randint(low=1, high=4, dtype=np.int8)",
    ),
    "random": (
        "random()",
        "uniform(-1, 2)",
        "uniform(b=0, a=2)",
        "gauss(1, 2)",
        "normalvariate(mu=0, sigma=0.5)",
        "expovariate(2)",
        "expovariate(lambd=0.5)",
        "randint(-1, 2)",
        "randint(a=0, b=1)",
        "randrange(4)",
        "randrange(-2, 6, 3)",
        "randrange(start=3, stop=-3, step=-2)",
        "choice([5, 0, 0])",
        "choice(seq='ab') == 'a'",
        "choices([0, 2], k=2)[1]",
        "choices([0, 1, 3], [1, 2, 5])[0]",
        "choices(population=[0, 1], weights=[0.25, 0.75], k=1)[0]",
        "sample([0, 0, 3], 2)[1]",
        "sample(population=range(4), k=2)[0]",
        "getrandbits(2)",
        "randbytes(1)[0] % 3",
    ),
    "secrets": (
        *("randbelow(3)", "choice([0, 0, 2])", "randbits(2)", "token_bytes(1)[0] % 3"),
        *("token_hex(1)[0] == 'a'", "token_urlsafe(1)[0] == 'A'"),
    ),
}

RAISING = (
    *("rng.binomial(-1, 0.5)", "rng.binomial(1, 1.5)", "rng.choice(2, p=[0.5, 0.6])", "rng.choice([])"),
    *("rng.choice(2, 3, replace=False)", "rng.choice(2, p=[1.0])", "rng.integers(2, 2)", "rng.integers(1.5)"),
    *("rng.integers(0, 300, dtype=np.uint8)", "rng.laplace(0, -1)", "rng.exponential(-1)", "rng.normal(0, -1)"),
    *("rng.geometric(0)", "rng.geometric(1.5)", "rng.hypergeometric(-1, 1, 1)", "rng.hypergeometric(1, 1, 3)"),
    *("rng.permutation(1.5)", "rng.uniform(2, 1)", "rng.uniform(0, math.inf)", "rng.random(-1)", "rng.random(1.5)"),
    *("rng.laplace(scale=-1, size=2)", "rng.gumbel(0, -1)", "rng.logistic(0, -1)", "rng.random(seed=1)"),
    *("np.random.rand(-1)", "np.random.randint(2, 2)", "np.random.choice(0)", "np.random.binomial(1, -0.5)"),
    *("np.random.choice([[1], [2]])", "np.random.normal(0, -1)", "np.random.rand(1, x=2)"),
    *("random.randint(2, 1)", "random.randint(0.5, 2)", "random.randrange(0)", "random.choice([])"),
    *("random.sample([1], 2)", "random.sample({1, 2}, 1)", "random.choices([], k=1)", "random.choices([0], [0])"),
    *("random.uniform(1)", "random.expovariate(0)", "random.getrandbits(-1)", "random.shuffle((1, 2))"),
    "random.choices([0, 1], [1])",
)

HEAD = "import math, random, secrets\nimport numpy as np\n"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A module of functions that draw once: `cut` says how many cuts the number is above, `raises` what it is."""
    lines = [HEAD]
    for kind, calls in CALLS.items():
        for call in calls:
            lines.append(f"def {name_of(kind, call)}(_):\n    rng = np.random.default_rng()\n    drawn = {kind}.{call}")
            lines.append(f"    return sum(bool(drawn > cut) for cut in {CUTS})\n")
    for place, call in enumerate(RAISING):
        lines.append(f"def raises{place}(_):\n    rng = np.random.default_rng()\n    return {call}\n")
    file = tmp_path_factory.mktemp("draws") / "draws.py"
    file.write_text("\n".join(lines))
    spec = importlib.util.spec_from_file_location("written_draws", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def name_of(kind, call):
    return f"{kind.replace('.', '_')}{CALLS[kind].index(call)}"


def decimal(weight):
    number = getattr(weight, "number", weight)
    return float(number if isinstance(number, Fraction) else number.enclosure(30).lower)


@pytest.mark.parametrize(("kind", "call"), [(kind, call) for kind, calls in CALLS.items() for call in calls])
def test_samples_fit_the_law(written, kind, call):
    law = {int(text): decimal(weight) for text, weight in law_of(written, name_of(kind, call), 0).items()}
    assert math.isclose(sum(law.values()), 1, rel_tol=1e-9)
    np.random.seed(1)
    random.seed(1)
    given = {
        "rng": np.random.default_rng(1),
        "np": np,
        "random": random,
    }
    given["secrets"] = SimpleNamespace(
        randbelow=random.randrange, choice=random.choice, randbits=random.getrandbits,
        token_bytes=random.randbytes, token_hex=lambda size: random.randbytes(size).hex(),
        token_urlsafe=lambda size: base64.urlsafe_b64encode(random.randbytes(size)).decode(),
    )
    code = compile(f"{kind}.{call}", "call", "eval")
    seen = Counter(sum(bool(drawn > cut) for cut in CUTS) for drawn in (eval(code, given) for _ in range(SAMPLES)))  # noqa: S307
    assert seen.keys() <= law.keys()
    far = sum((seen[k] - SAMPLES * p) ** 2 / (SAMPLES * p) for k, p in law.items())
    assert far < len(law) + 4 * math.sqrt(2 * len(law)) + 8  # by chance in fewer than one of 10^4


def test_every_draw_of_the_table_has_a_sample():
    tables = {"rng": "Generator", "np.random": "RandomState", "random": "Random", "secrets": "secrets"}
    for kind, table in tables.items():
        assert {call.partition("(")[0] for call in CALLS[kind]} >= TABLES[table].keys() - {"seed", "shuffle"}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("call", RAISING)
def test_arguments_are_checked_as_those_who_draw_do(written, call):
    name = f"raises{RAISING.index(call)}"
    try:
        expected = repr(getattr(written, name)(0))
    except Exception as error:
        expected = repr(error)
    assert law_of(written, name, 0) == {expected: 1}


MOMENTS = (  # of the drawn integers: mean and variance, by their formulas
    ("binomial(4, 0.25)", 1, Fraction(3, 4)),  # n·p, n·p·(1 − p)
    ("hypergeometric(3, 2, 2)", Fraction(6, 5), Fraction(9, 25)),  # n·K/N, n·K/N·(1 − K/N)·(N − n)/(N − 1)
    ("integers(-2, 3)", 0, 2),  # (n² − 1)/12
    ("choice(3, p=[0.25, 0.25, 0.5])", Fraction(5, 4), Fraction(11, 16)),
    ("choice(5, 2, replace=False).sum()", 4, 3),  # 2·σ²·(1 − 1/4), σ² = 2
    ("permutation(4)[1]", Fraction(3, 2), Fraction(5, 4)),
)


@pytest.mark.parametrize(("call", "mean", "variance"), MOMENTS)
def test_moments_are_exact(tmp_path, call, mean, variance):
    file = tmp_path / "moments.py"
    file.write_text(f"{HEAD}def drawn(_):\n    return int(np.random.default_rng().{call})\n")
    spec = importlib.util.spec_from_file_location("moments", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    law = {int(text): getattr(weight, "number", weight) for text, weight in law_of(module, "drawn", 0).items()}
    assert sum(law.values()) == 1
    assert sum(k * p for k, p in law.items()) == mean
    assert sum(k * k * p for k, p in law.items()) == variance + mean**2
