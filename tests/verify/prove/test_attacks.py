"""Programs that try to be taken for private: none is decided at the budget that it does not have."""

import functools
import importlib.util
import linecache
import sys

import numpy as np
import pytest

from stirred.spec.arguments import InputError
from stirred.verify.prove.found_function import of_function
from stirred.verify.prove.proving import proof_of
from stirred.verify.prove.stated import stated


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


def pair_across_a_head(q, rng, *, eps):
    """What a tuple holds is the last record's, not this one's."""
    kept, out = (0, 0), []
    for x in q:
        before, _ = kept
        out.append(x - before + rng.laplace(scale=1 / eps) * 0)
        kept = (x, 0)
    return out


def pair_of_noise_across_a_head(q, rng, *, eps):
    pair = (rng.laplace(scale=1 / eps), 0)
    out = []
    for x in q:
        noise, _ = pair
        out.append(x + noise + rng.laplace(scale=1 / eps) - rng.laplace(scale=1 / eps))
    return out


def vector_of_a_variable(q, rng, *, eps):
    """An array of what changes later."""
    total = 0
    for x in q:
        total = total + x
    shifted = [total + x for x in q]
    return [x + rng.laplace(scale=1 / eps) for x in shifted]


def generator_after_a_change(q, rng, *, eps):
    scale = 10 / eps
    late = (x + rng.laplace(scale=scale) for x in q)
    scale = 1 / (10 * eps)
    return list(late)


def generator_read_twice(q, rng, *, eps):
    late = (x for x in q)
    first = sum(late) * 0
    return first + sum(late)


LIMIT = 0


def constant_that_is_stored(q, rng, *, eps):
    for x in q:
        LIMIT = x  # noqa: N806 that is the attack
    return LIMIT


def constant_that_a_helper_stores(q, rng, *, eps):
    global LIMIT  # noqa: PLW0603 that is the attack
    LIMIT = LIMIT + 1
    return LIMIT


def reads_the_stored_constant(q, rng, *, eps):
    return LIMIT


def record_named_as_a_parameter(answers, rng, *, q, eps):
    return [x - q for x in answers]


def noise_named_as_a_parameter(answers, rng, *, z0, d0, draw, eps):
    noise = rng.laplace(scale=1 / eps)
    return [sum(answers), noise - z0 - d0 - draw]


def unknown_named_as_a_parameter(answers, rng, *, o1, eps):
    return [x % 2 - o1 for x in answers]


def comprehension_for_its_effect(q, rng, *, eps):
    out = []
    [out.append(x) for x in q]
    return out


def comprehension_that_is_kept_for_its_effect(q, rng, *, eps):
    out = []
    _ = [out.append(x) for x in q]
    return out


def helper_for_its_effect(out, x):
    out.append(x)
    return 0


def comprehension_of_a_helper(q, rng, *, eps):
    out = []
    unread = [helper_for_its_effect(out, x) for x in q]
    return out if len(unread) >= 0 else 0


def key_with_defaults(q, rng, *, eps):
    noisy = [x + rng.laplace(scale=2 / eps) for x in q]
    return max(range(len(noisy)), key=lambda i, *, noisy=q: noisy[i])


def name_of_a_comprehension_outside(q, rng, *, eps):
    x = 0
    noisy = [x + rng.laplace(scale=1 / eps) for x in q]
    return noisy if x == 0 else q


def branch_that_binds(q, rng, *, eps):
    for x in q:
        last = x
    return last


def walrus(q, rng, *, eps):
    noisy = [(y := x) + rng.laplace(scale=1 / eps) for x in q]
    return y if noisy else 0


def loop_that_begins_again(q, rng, *, eps):
    noise = [x + rng.laplace(scale=2 / eps) for x in q]
    out = []
    for _ in range(2):
        for x in noise:
            out.append(x)
        for x in q:
            out.append(x + rng.laplace(scale=1 / eps))
    return out


def calls_itself(q, rng, *, eps):
    noisy = [x + rng.laplace(scale=1 / eps) for x in q]
    if rng.random() < 0.5:
        return calls_itself(q, rng, eps=eps)
    return noisy


def alias_of_the_list(q, rng, *, eps):
    out = []
    other = out
    other.append(sum(q))
    return out


def one_cell_for_all(q, rng, *, eps):
    noise = rng.laplace(scale=1 / eps, size=len(q))
    return np.array(q) + noise - noise + 0 * noise


def returned_early_by_noise_of_data(q, rng, *, eps):
    for x in q:
        if x + rng.laplace(scale=1 / eps) > 0:
            return x
    return 0


def else_of_a_loop(q, rng, *, eps):
    for x in q:
        if x > 0:
            break
    else:
        return 1
    return rng.laplace(scale=1 / eps)


def chain_of_comparisons(q, rng, *, eps):
    return 0 <= sum(q) < 3


def sum_that_is_not_always_read(q, rng, *, eps):
    return rng.random() < 0.5 and sum(q) > 1


def thrice(q, rng, *, eps):
    out = []
    for _ in range(3):
        for x in q:
            out.append(x + rng.laplace(scale=1 / eps))
    return out


def thrice_by_sums(q, rng, *, eps):
    out = []
    for _ in range(3):
        out.append(sum(q) + rng.laplace(scale=1 / eps))
    return out


def sum_of_truth_values(q, rng, *, eps):
    """Of NumPy's, True + True is True, which is 1."""
    for z in rng.laplace(scale=1 / eps, size=len(q)):
        if (z > 0) + (z > 0) == 1:
            return sum(q)
    return 0


def sum_of_kept_truth_values(q, rng, *, eps):
    flag, other = False, 0
    for z in rng.laplace(scale=1 / eps, size=len(q)):
        other = flag
        if flag + other == 1:
            return sum(q)
        flag = z > 0
    return 0


def product_of_truth_values(q, rng, *, eps):
    for z in rng.laplace(scale=1 / eps, size=len(q)):
        a, b = z > 0, z > 1
        if a * b + (z > 0) == 1 and z > 1:
            return sum(q)
    return 0


def largest_of_truth_values(q, rng, *, eps):
    for z in rng.laplace(scale=1 / eps, size=len(q)):
        if max(z > 0, z > 1) + max(z > 0, z > 1) == 1:
            return sum(q)
    return 0


def absolute_truth_value(q, rng, *, eps):
    for z in rng.laplace(scale=1 / eps, size=len(q)):
        a = abs(z > 0)
        a += a
        if a == 1:
            return sum(q)
    return 0


ATTACKS = [
    sum_of_truth_values, sum_of_kept_truth_values, product_of_truth_values, largest_of_truth_values,
    absolute_truth_value,
    pair_across_a_head, pair_of_noise_across_a_head, vector_of_a_variable, generator_after_a_change,
    generator_read_twice, constant_that_is_stored, reads_the_stored_constant, constant_that_a_helper_stores,
    record_named_as_a_parameter, noise_named_as_a_parameter, unknown_named_as_a_parameter,
    comprehension_for_its_effect, comprehension_that_is_kept_for_its_effect, comprehension_of_a_helper,
    key_with_defaults, branch_that_binds, walrus, loop_that_begins_again, calls_itself, alias_of_the_list,
    one_cell_for_all, returned_early_by_noise_of_data, else_of_a_loop, chain_of_comparisons,
    sum_that_is_not_always_read, thrice, thrice_by_sums, noise_of_a_helper_twice,
    shift_that_would_read_noise, answer_scaled_by_noise, scale_that_reads_data, scale_that_reads_the_pass,
    bound_that_reads_data, length_that_reads_data, text_that_reads_data, type_that_reads_data,
    exception_that_reads_data, exception_with_data, state_outside, list_changed_while_read, data_changed,
    noise_read_twice, one_list_of_noise_for_two, alias_of_an_array, nested_passes,
    same_record_again, argmax_and_maximum, argmax_of_shared_noise,
    argmax_with_negative_exponential, exponential_both_ways, fixed_seed, printed, caught, rounded_data,
    remainder_of_data, default_list, normal_noise,
]  # fmt: skip


@pytest.mark.parametrize("function", ATTACKS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("neighbors", ["one by 1", "each by 1", "all up or all down"])
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


def imported(tmp_path, **files):
    """The modules of a folder, the last of them."""
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text)
    spec = importlib.util.spec_from_file_location(name, tmp_path / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("len = max\n\ndef f(q, rng):\n    return len(q)\n", "line 4: a call of len is not read"),
        ("def sum(q):\n    return 0\n\ndef f(q, rng):\n    return sum(q)\n", "line 5: a call of sum is not read"),
        ("from shadows import *\n\ndef f(q, rng):\n    return sum(q)\n", "line 1: import . may bind any name"),
        ("import shadows as np\n\ndef f(q, rng):\n    return np.abs(q)\n", "line 4: np has no known value here"),
        ("from numpy import abs as exp\n\ndef f(q, rng):\n    return exp(sum(q))\n", None),
        ("import numpy as np\nnp.random.seed(1)\ndef f(q):\n    return sum(q) + np.random.laplace()\n", "line 4: "),
        ("A = 1\ndef g(q):\n    return 0 * A\ndef f(q, A):\n    return g(q) + sum(q) * A\n", "line 3: A has no"),
        ("A = 1\ndef g(x=(A := 0)):\n    pass\ndef f(q, rng):\n    return A\n", "line 5: A has no known value"),
        ("A = 1\nclass B:\n    global A\n    A = 0\ndef f(q, rng):\n    return A\n", "line 6: A has no known"),
        ("A = 1\nfor _ in [0]:\n    A = 0\ndef f(q, rng):\n    return A\n", "line 5: A has no known value"),
        ("def o(A):\n    def f(q):\n        return A\n    return f\nA, f = 0, 0\nf = o(1)\n", "line 3: A has no"),
        ("def g(q):\n    return 0\ng = max\ndef f(q, rng):\n    return g(q)\n", "line 5: a call of g is not read"),
        ("import functools\n@functools.cache\ndef g(q):\n    return 0\ndef f(q):\n    return g(q)\n", "line 6: a call"),
    ],
)
def test_names_are_what_they_are_in_the_text(tmp_path, monkeypatch, text, said):
    """A name that the text binds twice, or in a way that is not read, has no meaning, whatever else Python calls so."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "shadows", raising=False)
    shadows = "def sum(q):\n    return 0\n\ndef abs(q):\n    return q[0]\n"
    module = imported(tmp_path, shadows=shadows, claimed=text)
    if said is None:
        assert not proof_of(stated("f", of_function(module.f), "one by 1", "0", {}), explains=False).is_met
        return
    with pytest.raises(InputError, match=said):
        stated("f", of_function(module.f), "one by 1", "0", {})


def test_source_that_does_not_compile_to_the_function_is_refused(tmp_path):
    """The file says 2 where the function that is called says 1: constants are compared too."""
    text = "def f(q, rng, eps):\n    return sum(q) + rng.laplace(scale=1 / eps)\n"
    module = imported(tmp_path, edited=text)
    (tmp_path / "edited.py").write_text(text.replace("1 /", "2 /"))
    linecache.checkcache()
    with pytest.raises(InputError, match="the source of f is not found"):
        of_function(module.f)


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
        for one in ("one by 1", "sum of changes 1", "each by 1", "all up or all down")
    }
    assert found == {"one by 1": True, "sum of changes 1": True, "each by 1": False, "all up or all down": False}
