"""Programs that try to be taken for private: none is decided at the budget that it does not have."""

import functools

import numpy as np
import pytest

from stirred.spec.arguments import InputError
from stirred.verify.prove.proving import proof_of
from stirred.verify.prove.stated import of_file, of_function, stated


def shift_that_would_read_noise(q, rng, *, eps):
    z = rng.laplace(scale=1 / eps)
    return [x * z for x in q]


def answer_scaled_by_noise(q, rng, *, eps):
    out = []
    for x in q:
        z = rng.laplace(scale=1 / eps)
        out.append(z + x - z)
    return out


def scale_that_reads_data(q, rng, *, eps):
    return sum(q) + rng.laplace(scale=sum(q) / eps)


def scale_that_reads_the_pass(q, rng, *, eps):
    count = 1
    out = []
    for x in q:
        out.append(x + rng.laplace(scale=count / eps))
        count += 1
    return out


def bound_that_reads_data(q, rng, *, eps):
    out = []
    for _ in range(sum(q)):
        out.append(rng.laplace(scale=1 / eps))
    return out


def length_that_reads_data(q, rng, *, eps):
    out = []
    for x in q:
        if x > 0:
            out.append(rng.laplace(scale=1 / eps))
    return out


def text_that_reads_data(q, rng, *, eps):
    return ["much" if x >= 1 else "little" for x in q]


def type_that_reads_data(q, rng, *, eps):
    out = []
    for x in q:
        out.append(True if x == 1 else 1)
    return out


def exception_that_reads_data(q, rng, *, eps):
    for x in q:
        if x > 1:
            raise ValueError
    return sum(q) + rng.laplace(scale=1 / eps)


def exception_with_data(q, rng, *, eps):
    for x in q:
        if rng.laplace(scale=1 / eps) > 0:
            raise ValueError(x)
    return 0


STATE = []


def state_outside(q, rng, *, eps):
    STATE.append(q)
    return rng.laplace(scale=1 / eps)


def list_changed_while_read(q, rng, *, eps):
    out = []
    for x in q:
        out.append(x + rng.laplace(scale=1 / eps))
        q.append(x)
    return out


def data_changed(q, rng, *, eps):
    q[0] = 0
    return sum(q) + rng.laplace(scale=1 / eps)


def noise_read_twice(q, rng, *, eps):
    noise = rng.laplace(scale=1 / eps, size=len(q))
    out = []
    for x in np.array(q) + noise:
        out.append(x)
    for x in noise:
        out.append(x)
    return out


def one_list_of_noise_for_two(q, rng, *, eps):
    noise = rng.laplace(scale=2 / eps, size=len(q))
    out = []
    for a, b in zip(np.array(q) + noise, np.array(q) - noise):  # noqa: B905 as users write
        out.append(a)
        out.append(b)
    return out


def fresh(rng, q, eps):
    return rng.laplace(scale=1 / eps, size=len(q))


def noise_of_a_helper_twice(q, rng, *, eps):
    return [a - b + x for a, b, x in zip(fresh(rng, q, eps), fresh(rng, q, eps), q)]  # noqa: B905


def alias_of_an_array(q, rng, *, eps):
    noisy = np.array(q)
    kept = noisy
    noisy += rng.laplace(scale=1 / eps, size=len(q))
    return kept


def bound_that_is_read_once(q, rng, *, eps):
    out = []
    count = 1
    for _ in range(count):
        count += 1
        out.append(sum(q) + rng.laplace(scale=1 / eps))
    return out


def nested_passes(q, rng, *, eps):
    out = []
    for _ in q:
        for x in q:
            out.append(x + rng.laplace(scale=1 / eps))
    return out


def same_record_again(q, rng, *, eps):
    out = []
    i = 0
    while i < len(q):
        out.append(q[i] + rng.laplace(scale=1 / eps))
        if rng.random() < 0.5:
            i += 1
    return out


def argmax_and_maximum(q, rng, *, eps):
    noisy = [x + rng.laplace(scale=2 / eps) for x in q]
    best = noisy.index(max(noisy))
    return (best, noisy[best])


def argmax_of_shared_noise(q, rng, *, eps):
    z = rng.laplace(scale=2 / eps)
    return int(np.argmax([x + z for x in q]))


def argmax_without_the_first(q, rng, *, eps):
    best, top = 0, 0
    for i, x in enumerate(q):
        noisy = x + rng.laplace(scale=2 / eps)
        if noisy > top:
            best, top = i, noisy
    return best


def argmax_with_negative_exponential(q, rng, *, eps):
    return int(np.argmax([x - rng.exponential(scale=2 / eps) for x in q]))


def exponential_both_ways(q, rng, *, eps):
    return sum(q) + rng.exponential(scale=1 / eps)


def fixed_seed(q, rng, *, eps):
    return sum(q) + np.random.default_rng(0).laplace(scale=1 / eps)


def printed(q, rng, *, eps):
    print(q)
    return rng.laplace(scale=1 / eps)


def caught(q, rng, *, eps):
    try:
        return 1 / q[0]
    except ZeroDivisionError:
        return rng.laplace(scale=1 / eps)


def rounded_data(q, rng, *, eps):
    return int(sum(q)) + rng.laplace(scale=1 / eps)


def remainder_of_data(q, rng, *, eps):
    return sum(q) % 2 + rng.laplace(scale=1 / eps)


def default_list(q, rng, *, eps, out=[]):  # noqa: B006 that is the attack
    out.append(rng.laplace(scale=1 / eps))
    return out


def normal_noise(q, rng, *, eps):
    return sum(q) + rng.normal(0, 1 / eps)


ATTACKS = [
    shift_that_would_read_noise, answer_scaled_by_noise, scale_that_reads_data, scale_that_reads_the_pass,
    bound_that_reads_data, length_that_reads_data, text_that_reads_data, type_that_reads_data,
    exception_that_reads_data, exception_with_data, state_outside, list_changed_while_read, data_changed,
    noise_read_twice, one_list_of_noise_for_two, alias_of_an_array, nested_passes,
    same_record_again, argmax_and_maximum, argmax_of_shared_noise,
    argmax_with_negative_exponential, exponential_both_ways, fixed_seed, printed, caught, rounded_data,
    remainder_of_data, default_list, normal_noise,
]  # fmt: skip


@pytest.mark.parametrize("function", ATTACKS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("neighbors", ["one by 1", "each by 1", "up"])
def test_attacks_are_refused_or_open(function, neighbors):
    try:
        found = proof_of(stated(function.__name__, of_function(function), neighbors, "eps", {}), explains=False)
    except InputError:
        return
    assert not found.is_met
    assert found.budget is None


@pytest.mark.parametrize(
    ("function", "line"),
    [(scale_that_reads_data, "the scale of noise"), (state_outside, "STATE"), (caught, "Try"), (printed, "print")],
)
def test_refusals_name_line_and_cause(function, line):
    with pytest.raises(InputError, match=rf"line \d+: .*{line}"):
        stated(function.__name__, of_function(function), "each by 1", "eps", {})


def test_noise_of_two_calls_is_not_one_noise():
    """Two calls of one helper draw two arrays: what is computed of them is refused, not taken for zero noise."""
    with pytest.raises(InputError, match=r"second time|read in"):
        stated("f", of_function(noise_of_a_helper_twice), "one by 1", "0", {})


def thrice(q, rng, *, eps):
    out = []
    for _ in range(3):
        for x in q:
            out.append(x + rng.laplace(scale=1 / eps))
    return out


def thrice_by_sums(q, rng, *, eps):
    out = []
    for _ in [1, 2, 3]:
        out.append(sum(q) + rng.laplace(scale=1 / eps))
    return out


@pytest.mark.parametrize("function", [thrice, thrice_by_sums])
def test_loops_in_loops_that_are_written_out_are_refused(function):
    with pytest.raises(InputError, match="carried out pass by pass"):
        stated("f", of_function(function), "one by 1", "eps", {})


def test_builtins_are_python_s_own(tmp_path):
    file = tmp_path / "shadows.py"
    file.write_text("len = max\n\n\ndef f(q, rng):\n    return len(q)\n")
    with pytest.raises(InputError, match="len is not Python's own"):
        stated("f", of_file(file, "f"), "one by 1", "0", {})


def test_a_seed_of_the_module_is_refused(tmp_path):
    file = tmp_path / "seeds.py"
    file.write_text(
        "import numpy as np\n\nnp.random.seed(1)\n\n\n"
        "def f(q, eps):\n    return sum(q) + np.random.laplace(0, 1 / eps)\n"
    )
    with pytest.raises(InputError, match=r"line 3: np\.random\.seed sets a seed"):
        stated("f", of_file(file, "f"), "one by 1", "eps", {})


def test_decorated_functions_are_refused():
    @functools.lru_cache
    def cached(q, rng, *, eps):
        return sum(q) + rng.laplace(scale=1 / eps)

    with pytest.raises(InputError, match="without decorators"):
        of_function(cached)


def count_to(q, rng, *, N, eps):
    out = []
    limit = rng.laplace(scale=2 / eps)
    count = 0
    for x in q:
        above = x + rng.laplace(scale=4 * N / eps) >= limit
        out.append(above)
        if above:
            count += 1
            if count >= N:
                break
    return out


@pytest.mark.parametrize(("said", "is_met"), [("whole >= 1", True), ("whole >= 0", False), ("positive", False)])
def test_a_count_of_zero_or_of_fractions_pays_nothing(said, is_met):
    """At N = 0 one answer above is paid by nothing; at N = 1/2 it costs twice what N buys."""
    claim = stated("f", of_function(count_to), "each by 1", "eps", {"N": said})
    assert proof_of(claim, explains=False).is_met == is_met


def test_a_range_is_computed_once():
    claim = stated("f", of_function(bound_that_is_read_once), "one by 1", "eps", {})
    assert str(proof_of(claim, explains=False).budget) == "eps"


def test_an_index_of_a_maximum_above_zero():
    """Each answer above the start may be released or not: one changed answer is paid by its own noise, all are not."""
    found = {
        one: proof_of(stated("f", of_function(argmax_without_the_first), one, "eps", {}), explains=False).budget
        for one in ("one by 1", "each by 1")
    }
    assert (str(found["one by 1"]), found["each by 1"]) == ("1/2*eps", None)


def test_neighbors_are_not_confused():
    def histogram(q, rng, *, eps):
        return [x + rng.laplace(scale=1 / eps) for x in q]

    found = {
        one: proof_of(stated("f", of_function(histogram), one, "eps", {}), explains=False).is_met
        for one in ("one by 1", "sum of changes 1", "each by 1", "up", "down")
    }
    assert found == {"one by 1": True, "sum of changes 1": True, "each by 1": False, "up": False, "down": False}
