"""A picture in SVG has a title, a description and text that is text, once each, whatever is written in it.

What pictures of matplotlib draw as lines is the curve, to a pixel; what is computed at few places is marks.
"""

from fractions import Fraction
from itertools import pairwise
from math import isqrt
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from stirred.spec.budgets.privacy_curve import PrivacyCurve
from stirred.spec.flavors.permutation_swapping import psa_budget
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import tradeoff_curve
from stirred.verify.cli.commands.plot import certified_lines, certified_marks
from stirred.verify.cli.main import main
from stirred.verify.engines.smallest_delta import DeltaCurves, delta_line
from stirred.verify.engines.swapping.bounds import certified_budget, certified_two_category_budget, sharpened_budget
from stirred.verify.evidence.pictures.rendering import description, monotone_points, rendered_picture, title
from stirred.verify.products.studies.budgets import budget_line

SVG = "{http://www.w3.org/2000/svg}"


def drawn(figure):
    left, right = figure.subplots(1, 2)
    left.plot([0, 1], [1, 0], label="a < b & c")
    left.set(xlabel="budget ε", ylabel="swap rate p", title="left\npanel")
    left.legend()
    right.plot([0, 1], [0, 1])
    right.set(xlabel="across", title="right")


def image(draw):
    return ElementTree.fromstring(rendered_picture(draw, "svg"))  # noqa: S314 our own text


def test_an_image_has_a_title_and_a_description_that_are_named_by_it():
    root = image(drawn)
    assert root.get("role") == "img"
    first, second = root[0], root[1]
    assert [one.tag for one in (first, second)] == [f"{SVG}title", f"{SVG}desc"]
    assert root.get("aria-labelledby") == f"{first.get('id')} {second.get('id')}"
    assert len(list(root.iter(f"{SVG}title"))) == len(list(root.iter(f"{SVG}desc"))) == 1
    assert first.text == "left panel; right"
    assert second.text == "left panel: swap rate p against budget ε; series: a < b & c. right: across"


def test_what_is_written_is_text():
    said = {" ".join("".join(text.itertext()).split()) for text in image(drawn).iter(f"{SVG}text")}
    assert {"budget ε", "swap rate p", "a < b & c", "right"} <= said


def test_a_title_of_the_whole_figure_comes_before_those_of_panels():
    figure = Figure()
    drawn(figure)
    figure.suptitle("all of it")
    assert title(figure) == "all of it"
    figure.legend(handles=figure.axes[0].get_lines(), labels=["one line"])
    assert description(figure).endswith(". series: one line")


def test_a_png_is_a_png():
    assert rendered_picture(drawn, "png").startswith(b"\x89PNG")


def test_the_picture_of_a_budget_says_what_it_shows(tmp_path):
    target = tmp_path / "psa.svg"
    assert main(["derive", "psa", "--plot", str(target)]) == 0
    root = ElementTree.parse(target).getroot()  # noqa: S314 our own text
    assert root[0].text.startswith("article, (7); diamonds: the smallest for each b; b = 10")
    assert "swap rate p against budget ε; series: b = 2, b = 10" in root[1].text


PIXEL = 1 / 500
"""Of a picture's width or height, at most: the largest panel has fewer."""


def at(line, x):
    """The height of a line at x."""
    (a, b), (c, d) = next(((a, b), (c, d)) for (a, b), (c, d) in pairwise(line) if a <= x <= c)
    return b + (d - b) * (x - a) / (c - a)


@given(st.lists(st.integers(0, 100), min_size=2, max_size=60), st.integers(0, 200))
def test_between_two_points_of_a_monotone_curve_there_is_a_small_step_or_no_place(heights, step):
    heights.sort()
    points = monotone_points(
        heights.__getitem__, 0, len(heights) - 1, lambda a, b: (a + b) // 2 if b - a > 1 else None, step
    )
    assert [points[0][0], points[-1][0]] == [0, len(heights) - 1]
    assert all(y == heights[x] for x, y in points)
    assert all(a < b and (b - a == 1 or z - y <= step) for (a, y), (b, z) in pairwise(points))


@pytest.mark.parametrize("rate", [Fraction(1, 100), Fraction(1, 2), Fraction(99, 100)])
@pytest.mark.parametrize(("kind", "budget"), [("printed", psa_budget), ("sharp", sharpened_budget)])
def test_the_lines_of_budgets_are_the_budgets_at_every_n(rate, kind, budget):
    line = budget_line(kind, 4, 10_000, rate)
    sizes = [*range(4, 200), *(isqrt(k) for k in range(40_000, 10**8, 10**5))]
    assert all(abs(at(line, n) - float(budget(n, rate))) <= PIXEL * line[-1][1] for n in sizes)


def sides(points, end):
    """Whether the points that are drawn of a certified budget need no less than what is certified there."""
    for line in points:
        across = sorted((rate, budget) for budget, rate in line)
        for (low, _), (high, _) in pairwise(across):
            rate = Fraction(low + high) / 2
            exact = float(certified_two_category_budget(end, rate.limit_denominator(10**4)))
            assert abs(at(across, float(rate.limit_denominator(10**4))) - exact) <= PIXEL * max(b for b, _ in line)


def test_the_line_of_certified_budgets_of_ten_records_is_the_budget_between_its_points_too():
    sides(certified_lines(10), 10)


def test_where_no_certificate_for_the_margins_is_found_the_mark_is_another_one():
    # the jump of the third panel, from 3.1 at p = 10% to 7.75 at p = 5%: what holds for any two categories
    half = (264_331 // 2, 264_331 - 264_331 // 2)
    own, of_any = certified_marks(half)
    assert [rate for _, rate in of_any] == [1 / 20]
    assert of_any[0][0] == float(certified_two_category_budget(264_331, Fraction(1, 20)))
    assert certified_budget(half, half, Fraction(1, 20)).reason.startswith("two categories")
    assert certified_budget(half, half, Fraction(1, 10)).reason == "two large categories"
    assert len(own) == 18
    assert all(b - a < 0.6 for (b, _), (a, _) in pairwise(own))


def flipped(share, bits):
    """How many of some bits are flipped, and how many are not: two laws with a curve of that many bends."""
    laws = Law({0: Fraction(1)}), Law({0: Fraction(1)})
    for _ in range(bits):
        laws = tuple(added(law, one) for law, one in zip(laws, (share, 1 - share), strict=True))
    return laws


def added(law, share):
    found = {}
    for count, weight in law.items():
        for more, factor in ((1, share), (0, 1 - share)):
            found[count + more] = found.get(count + more, 0) + weight * factor
    return Law(found)


def curves(share, bits, distances=(1,)):
    p, q = flipped(share, bits)
    one = PrivacyCurve.of((*tradeoff_curve(p, q), *tradeoff_curve(q, p)))
    return DeltaCurves(dict.fromkeys(map(Fraction, distances), one))


def delta(one, epsilon):
    """The smallest delta at an exact epsilon."""
    found = (
        curve.delta_at(epsilon * d, digits=30).upper if epsilon > 0 else curve.delta(1)
        for d, curve in one.by_distance.items()
    )
    return float(max(found))


def check_delta(one, end, places):
    line = delta_line(one.by_distance, end)
    width, height = PIXEL * end, PIXEL * line[0][1]
    for x in places:
        drawn = at(line, x)
        assert drawn >= delta(one, Fraction(min(end, x + width))) - height
        assert drawn <= delta(one, Fraction(max(0.0, x - width))) + height


@pytest.mark.parametrize(
    ("share", "bits", "distances", "end"),
    [
        (Fraction(1, 4), 1, (1,), 1.4),
        (Fraction(1, 4), 5, (1, 2), 7.0),
        (Fraction(1, 10**8), 1, (1,), 22.0),
        (Fraction(1, 10**20), 2, (1, 3), 111.0),
        (Fraction(1, 10**310), 1, (1,), 900.0),
    ],
)
def test_the_smallest_delta_is_drawn_where_it_is(share, bits, distances, end):
    # of a chord between two of 200 places the last one begins far above 0 and ends at 0: delta falls late and fast
    check_delta(curves(share, bits, distances), end, [end * k / 997 for k in range(998)])


@pytest.mark.nightly
def test_random_curves_are_drawn_where_they_are(changing_seed):
    chance = Random(changing_seed)  # noqa: S311 cases, no secrets
    for _ in range(15):
        share = Fraction(chance.randint(1, 10**6), 10 ** chance.randint(7, 40))
        one, end = (
            curves(share, chance.randint(1, 5), chance.choice(((1,), (1, 2), (2, 5)))),
            chance.choice((1.0, 10.0, 300.0)),
        )
        check_delta(one, end, sorted(end * chance.random() for _ in range(400)))
    for _ in range(3):
        end = chance.randint(10, 10**5)
        sides(certified_lines(end), end)
