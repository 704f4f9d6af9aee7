"""The line that a picture draws for a bound is never on the wrong side of the bound, and near it."""

import re
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec.numbers.enclosure import exponential
from stirred.verify.audit.inference.inference import as_learned, infer
from stirred.verify.audit.inference.learned import Asked
from stirred.verify.cli.main import main
from stirred.verify.engines.inference.posterior import posterior_bounds, sharpest_posterior, sharpest_posterior_region
from stirred.verify.engines.inference.power import power_bounds, sharpest_power, smallest_power
from stirred.verify.evidence.reports.learned_page import OPEN_WORDS, Panel, learned_picture
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claims

SIZE, MARGIN = 300, 36
CLAIMS = Path(__file__).parents[3] / "claims"
EPSILONS = ("0", "1e-9", "0.01", "1", "5", "9.76", "17.08", "40", "700", "2000")


def drawn(picture):
    """The panels of a picture by their titles: two polygons each, in shares of the panel's sides, as written."""
    found = {}
    for panel in picture.split("<g transform=")[1:]:
        title = re.search(r"<text[^>]*>([^<]*)</text>", panel).group(1)
        paths = re.findall(r'<path d="M([^Z"]*)Z"', panel)
        found.setdefault(title, [[vertex(text) for text in path.split("L")] for path in paths])
    return found


def vertex(text):
    x, y = map(Fraction, text.split(" "))
    return (x - MARGIN) / SIZE, (MARGIN + SIZE - y) / SIZE


def chains(polygon):
    """The upper and the lower bound that a polygon draws: it goes up to (1, 1) first."""
    top = polygon.index((1, 1))
    return polygon[: top + 1], [polygon[0], *reversed(polygon[top:])]


def heights(chain, x):
    """The heights at which a line from left to right is drawn at x: two where it goes straight up there."""
    found = []
    for (a, b), (c, d) in pairwise(chain):
        if a == x == c:
            found += [b, d]
        elif a <= x <= c:
            found.append(b + (d - b) * (x - a) / (c - a))
    return found


def check(polygon, bounds, xs, *, pixels=Fraction(1)):
    """No bound is drawn within itself, nor further outside than so many pixels, across or upward."""
    upper, lower = chains(polygon)
    assert [x for x, _ in upper] == sorted(x for x, _ in upper)
    assert [x for x, _ in lower] == sorted(x for x, _ in lower)
    near = pixels / SIZE
    for x in xs:
        low, high = bounds(x)
        assert max(heights(upper, x)) >= high, ("upper", x)
        assert min(heights(lower, x)) <= low, ("lower", x)
        assert min(heights(upper, x)) <= bounds(min(Fraction(1), x + near))[1] + near, ("upper", x)
        assert max(heights(lower, x)) >= bounds(max(Fraction(0), x - near))[0] - near, ("lower", x)


def places(gamma=Fraction(10)):
    """Priors and levels: a grid, and where the odds are those of a bend."""
    ends = [Fraction(1, 10**k) for k in range(1, 12)] + [
        1 / (1 + gamma),
        1 / (1 + gamma) ** 2,
        gamma / (1 + gamma) ** 2,
    ]
    grid = [Fraction(k, 97) for k in range(98)] + [Fraction(66, 10_000)]
    return sorted({*grid, *ends, *(1 - x for x in ends)})


def check_panels(panels, gamma, distances, xs):
    for d in distances:
        printed, sharpest = panels[f"posteriors, distance {d}"]
        check(printed, lambda x, d=d: posterior_bounds(x, gamma, d), xs)
        check(sharpest, lambda x, d=d: sharpest_posterior(x, gamma, d), xs)
        printed, sharpest = panels[f"tests, distance {d}"]
        check(printed, lambda x, d=d: power_bounds(x, gamma, d), xs)
        check(sharpest, lambda x, d=d: (smallest_power(x, gamma, d), sharpest_power(x, gamma, d)), xs)


def coin(tmp_path, epsilon):
    """Three persons' answers under a budget, without a mechanism."""
    text = (CLAIMS / "coin.toml").read_text().partition("[mechanism]")[0]
    path = tmp_path / "coin.toml"
    path.write_text(text.replace("gamma = 3", f'epsilon = "{epsilon}"'))
    return path


def test_the_posterior_of_a_rare_conjecture_is_drawn_where_it_is(tmp_path):
    # epsilon 5, prior 0.0066: the bound is 0.4965, and a chord of a grid of 1/50 passed at 0.248
    claim, plot, page = coin(tmp_path, "5"), tmp_path / "learned.svg", tmp_path / "page.html"
    assert main(["infer", str(claim), "--plot", str(plot)]) == 0
    main(["audit", str(claim), "--html", str(page)])
    prior, gamma = Fraction(66, 10_000), exponential(Fraction(5)).lower
    exact = sharpest_posterior(prior, gamma, 1)[1]
    assert Fraction(4964, 10_000) < exact < Fraction(4966, 10_000)
    for picture in (plot.read_text(), page.read_text()):
        _, sharpest = drawn(picture)["posteriors, distance 1"]
        assert min(heights(chains(sharpest)[0], prior)) >= exact


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_no_bound_of_a_claim_is_drawn_within_itself(tmp_path, epsilon):
    built = build_claim(read_claims([coin(tmp_path, epsilon)])[0])
    inference = infer(built, built.cases[0], Asked())
    panels = drawn(learned_picture(as_learned(inference).panels, "learned"))
    assert len(panels) == 4
    check_panels(panels, inference.gamma, (1, 3), places(inference.gamma))


@pytest.mark.parametrize(("epsilon", "is_open"), [("1", False), ("9.76", True), ("2000", True)])
def test_bounds_that_hinder_nobody_are_said_in_words_and_not_filled(tmp_path, epsilon, is_open):
    built = build_claim(read_claims([coin(tmp_path, epsilon)])[0])
    learned = as_learned(infer(built, built.cases[0], Asked()))
    picture = learned_picture(learned.panels, "learned")
    assert (OPEN_WORDS in learned.notes) == is_open
    assert picture.count(OPEN_WORDS.partition(": ")[0]) == 4 * is_open
    assert ("fill-opacity" in picture.replace('fill="none" fill-opacity', "")) != is_open


def test_how_much_of_a_square_is_left_open_is_its_area():
    # randomized response leaves 1 - 2/(1 + gamma) of the square of tests: 99% from gamma = 199 on
    for gamma, is_open in ((198, False), (199, True)):
        corner = Fraction(1, 1 + gamma)
        region = ((0, 0), (corner, gamma * corner), (1, 1), (gamma * corner, corner))
        region = tuple((Fraction(a), Fraction(b)) for a, b in region)
        assert Panel("", "", "", region, region).is_open == is_open


@pytest.mark.parametrize("claim", [0, 1])
def test_between_swapped_tables_no_bound_is_drawn_within_itself(claim):
    # tables are 2 apart, or 4 by way of another one: what is attained is a step of gamma^2, or two of them
    built = build_claim(read_claims([CLAIMS / "swapping.toml"])[claim])
    built = built.with_listed_tables(256)
    inference = infer(built, built.cases[0], Asked())
    panels = drawn(learned_picture(as_learned(inference).panels, "learned"))
    gamma = inference.gamma**2
    for d in inference.curves:
        check(
            panels[f"tests, distance {d}"][1],
            lambda x, d=d: (smallest_power(x, gamma, d // 2), sharpest_power(x, gamma, d // 2)),
            places(gamma),
        )
        check(
            panels[f"posteriors, distance {d}"][1], lambda x, d=d: sharpest_posterior(x, gamma, d // 2), places(gamma)
        )


UNEVEN = """
id = "uneven"
statement = "Something is met."
domain = { data_sets = [0, 2, 5, 7] }
multiverse = { invariants = [] }
input_premetric = { name = "absolute_difference", resolution = "dollar" }
output_premetric = { name = "multiplicative" }
budget = { gamma = 2 }
"""


def test_where_steps_differ_what_the_table_says_is_within_the_picture(tmp_path):
    path = tmp_path / "uneven.toml"
    path.write_text(UNEVEN)
    built = build_claim(read_claims([path])[0])
    for alpha in places(Fraction(2)):
        inference = infer(built, built.cases[0], Asked(alpha=alpha))
        panels = drawn(learned_picture(as_learned(inference).panels, "learned"))
        limits = {one.name: one for one in inference.limits}
        for d in inference.curves:
            upper, lower = chains(panels[f"tests, distance {d}"][1])
            low, high = limits[f"power.{d}"].sharpest
            assert min(heights(lower, alpha)) <= low <= high <= max(heights(upper, alpha))
    assert "the printed bounds alone" in " ".join(inference.notes)


@given(st.fractions(1, 10**6, max_denominator=10**6), st.integers(1, 4), st.lists(st.fractions(0, 1), max_size=20))
def test_the_polygon_around_the_sharpest_posteriors_holds_them_and_is_near(gamma, d, priors):
    within = Fraction(1, 1200)
    polygon = list(sharpest_posterior_region(gamma, d, within))
    if len(polygon) > 2:
        check(polygon, lambda x: sharpest_posterior(x, gamma, d), [*priors, *places(gamma)], pixels=within * SIZE)
    else:
        assert gamma == 1
    assert len(polygon) < 120


@pytest.mark.nightly
def test_at_random_budgets_and_priors(tmp_path, changing_seed):
    random = Random(changing_seed)  # noqa: S311 cases, no secrets
    for _ in range(60):
        epsilon = f"{random.choice((0.001, 0.1, 1, 10, 100, 1000)) * random.random():.6f}"
        built = build_claim(read_claims([coin(tmp_path, epsilon)])[0])
        inference = infer(built, built.cases[0], Asked())
        panels = drawn(learned_picture(as_learned(inference).panels, "learned"))
        odds = [Fraction(2) ** random.randint(-60, 60) * random.randint(1, 99) for _ in range(200)]
        xs = sorted({*(o / (1 + o) for o in odds), *(Fraction(random.randint(0, 10**9), 10**9) for _ in range(200))})
        check_panels(panels, inference.gamma, (1, 3), xs)
