"""Random accounts of claims and of stated budgets, with what the oracle says of each part and of all together."""

import json
import random
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from itertools import combinations, product
from math import prod

from quality.oracle import PRECISE, Case, holds

UNIT = Decimal("0.000001")
KINDS = {"multiplicative": "epsilon", "approximate_multiplicative": "epsilon", "normalized_renyi": "rho_squared"}
BUDGETS = {"epsilon": ("0", "0.5", "1.5", "3", "3"), "rho_squared": ("0.02", "0.3", "1.2")}


@dataclass(frozen=True)
class Part:
    """A part of an account: a claim with the oracle's case, or a budget that is stated alone, without a case."""

    case: Case | None
    kind: str
    value: Fraction
    delta: Fraction
    flavor: tuple[object, ...]

    def verdict(self):
        """Whether the claim is met; None where it compares nothing, or is no claim."""
        if self.case is None or not self.case.compared():
            return None
        return holds(self.case, self.kind, self.value)

    def amount(self):
        """The budget in nats, or ρ²."""
        number = Decimal(self.value.numerator) / self.value.denominator
        return number.ln() if self.kind == "gamma" else number


@dataclass(frozen=True)
class RandomAccount:
    """An account in a file with its claims; `number` is what `key` states: right, wrong, or above the sum."""

    seed: int
    text: str
    parts: tuple[Part, ...]
    key: str
    number: Decimal
    total: Decimal

    def expected(self):
        """The verdicts of which one is right."""
        claims = [part for part in self.parts if part.case is not None]
        flavors = {part.flavor[:-1] for part in self.parts}
        if claims and len(flavors) > 1:
            return {"OPEN"}
        is_close = abs(self.number - self.total) <= UNIT / 2
        is_bound = self.key == "total" and self.number >= self.total
        if not (is_close or is_bound):
            return {"REFUTED"}
        is_shown = len(claims) == len(self.parts) and all(part.verdict() for part in claims)
        is_one = len({part.flavor for part in claims}) == 1
        is_met = self.key == "printed" or is_bound
        return {"EXHAUSTED", "ENCLOSED"} if is_shown and is_one and is_met else {"OPEN"}

    def together(self):
        """The mechanism that runs all parts, each with randomness of its own, as the oracle's case."""
        first = self.parts[0].case
        laws = []
        for place in range(len(first.laws)):
            rows = product(*(part.case.laws[place].items() for part in self.parts))
            laws.append({str([t for t, _ in row]): prod((mass for _, mass in row), start=Fraction(1)) for row in rows})
        delta = sum((part.delta for part in self.parts), Fraction(0))
        return Case(first.universes, first.distances, tuple(laws), first.measure, delta)


def random_account(seed):
    """The account of a seed."""
    draw = random.Random(seed)  # noqa: S311 not for secrets
    measure = draw.choice(("multiplicative", "multiplicative", "approximate_multiplicative", "normalized_renyi"))
    size = draw.choice((2, 2, 3))
    universes = _universes(draw, size)
    usual = measure, size, "a", "person", universes is None, universes
    parts, texts, releases = [], [], []
    for number in range(draw.choice((1, 2, 2, 3))):
        flavor = usual
        if draw.random() < 0.25:
            changed = draw.choice((2, 3, 5, 5, 5, 5))
            other = {2: "b", 3: "household", 5: _universes(draw, size)}[changed]
            flavor = (*usual[:changed], other, *usual[changed + 1 :])
            flavor = (*flavor[:4], flavor[5] is None, flavor[5])
        is_stated = draw.random() < 0.1
        part, text, release = _part(draw, f"p.{seed}.{number}", flavor, is_stated=is_stated)
        parts.append(part)
        texts.append(text)
        releases.append(release)
    with localcontext(PRECISE):
        total = sum((part.amount() for part in parts), Decimal(0))
        key, number = _number(draw, total)
    account = f'[[claim]]\nid = "account.{seed}"\nstatement = "All."\n[claim.account]\n{key} = "{number or 0}"\n'
    texts.insert(draw.randint(0, len(texts)), account + "".join(releases))
    return RandomAccount(seed, "".join(texts), tuple(parts), key, number, total)


def _number(draw, total):
    """A number with six decimals: the sum rounded up, to the nearest, above it, or below."""
    up, near = total.quantize(UNIT, ROUND_CEILING), total.quantize(UNIT, ROUND_HALF_UP)
    above = up + draw.choice((UNIT, Decimal("0.1"), Decimal(5)))
    below = max(Decimal(0), near - draw.choice((2 * UNIT, Decimal("0.1"))))
    totals = [("total", number) for number in (up, up, near, above, below)]
    return draw.choice([*totals, ("printed", near), ("printed", above)])


def _universes(draw, size):
    """None for all data sets together, else a list in which seldom nothing is compared."""
    if draw.random() < 0.5:
        return None
    subsets = [part for n in range(1, size + 1) for part in combinations(range(size), n)]
    return tuple(sorted(set(draw.choices(subsets, k=draw.choice((1, 2))))))


def _part(draw, name, flavor, *, is_stated):
    measure, size, variable, unit, _, universes = flavor
    kind = KINDS[measure]
    value = Fraction(draw.choice(BUDGETS[kind]))
    delta = Fraction(draw.choice(("1/10", "1/50"))) if measure == "approximate_multiplicative" else Fraction(0)
    if measure == "multiplicative" and not is_stated and draw.random() < 0.4:
        kind, value = "gamma", Fraction(draw.choice(("1", "5/4", "2", "4", "20")))
    if is_stated:
        invariants = "[]" if universes is None else '["listed universes"]'
        text = f'[[claim.account.releases]]\nname = "{name}"\n{kind} = "{value}"\n'
        text += f'delta = "{delta}"\n' if delta else ""
        text += f'domain = "{size} multisets of records of {variable}"\ninvariants = {invariants}\n'
        text += f'neighbors = "bounded"\nunit = "{unit}"\n'
        return Part(None, kind, value, delta, flavor), "", text
    outputs = ("x", "y", "z")[: draw.choice((2, 3))]
    laws = []
    for _ in range(size):
        weights = [draw.choice((1, 1, 2, 3)) for _ in outputs]
        laws.append({t: Fraction(w, sum(weights)) for t, w in zip(outputs, weights, strict=True)})
    listed = (tuple(range(size)),) if universes is None else universes
    distances = {(x, y): Fraction(1) for x in range(size) for y in range(size) if x != y}
    case = Case(listed, distances, tuple(laws), measure, delta)
    rows = [json.dumps([[[x]], [[t, str(m)] for t, m in law.items()]]) for x, law in enumerate(laws)]
    multiverse = "invariants = []"
    if universes is not None:
        multiverse = f"universes = [{', '.join(str([[[x]] for x in universe]) for universe in universes)}]"
    text = (
        f'[[claim]]\nid = "{name}"\nstatement = "A table."\n'
        f"[claim.domain]\nschema = {{ {variable} = {list(range(size))} }}\nrecords = 1\n"
        f"[claim.multiverse]\n{multiverse}\n"
        f'[claim.input_premetric]\nname = "hamming_unordered"\nresolution = "{unit}"\n'
        f'[claim.output_premetric]\nname = "{measure}"\n'
        + (f'delta = "{delta}"\n' if delta else "")
        + f'[claim.budget]\n{kind} = "{value}"\n[claim.mechanism]\nname = "kernel"\nlaws = [{", ".join(rows)}]\n'
    )
    return Part(case, kind, value, delta, flavor), text, f'[[claim.account.releases]]\nclaim = "{name}"\n'
