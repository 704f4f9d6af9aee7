"""An independent check of certificates: one file, nothing but Python's standard library.

`stirred check FILE…`, or `python check.py FILE…` with this file alone. A file has one certificate, a JSON object, or a
list of them. Numbers are integers or texts such as "3" and "-1/20"; an integer has at most 100,000 digits.

format             "stirred certificate 1"
claim, statement, mechanism   for the reader: not compared with anything here
data_sets, outputs different texts; below they go by their places in these two lists, from 0
universes          lists of places, each without repetition: where the protection extends to
distance           {"name": n} with n one of `DISTANCES`, and data sets that are Python tuples of records: then they are
                   computed. Or {"name": another, "pairs": [[i, j, d], …]}: d >= 0 from i to j, two different data sets
                   of one universe, each pair once; distances that are not listed are infinite
output_premetric   what P and Q, the laws of two data sets, have to satisfy, and Q and P too, with c the bound:
                   {"name": "multiplicative"}: P(t) <= e^(c) Q(t) for every output t
                   {"name": "approximate_multiplicative", "delta": δ}: P(E) <= e^(c) Q(E) + δ for every event E
                   {"name": "total_variation"}: P(E) - Q(E) <= c for every event E
                   {"name": "normalized_renyi"}: D_α(P‖Q) <= c²·α for every order α > 1, D_α the Rényi divergence
budget             {"epsilon": ε}; {"gamma": γ, "root": k}, which is ε = ln(γ)/k; for normalized_renyi
                   {"rho_squared": r}. The bound c of a pair at distance d is ε·d; for normalized_renyi c² is r·d²
laws               the law of each data set: {"probabilities": [[output, p], …]}, or {"tree": [n, …], "rows": [row, …],
                   "results": [output, …]}, whose tree names rows and outputs by their places in these two
weights            rows of probabilities that sum to 1, for the trees
orders             for normalized_renyi alone: 1 < a_1 < … < a_n
verdict            {"met": true}: P_x and P_x' satisfy the inequality for every two data sets x, x' of one universe
                   at a finite distance, and there are such; or {"exceeded": [i, j], "event": [output, …]}: the laws of
                   i and j as P and Q do not, as this event shows, at the smaller of their distances; no D_α then

A tree lists the choices of a program on one data set in preorder, each node one integer 4·value + kind. Kind 0 is a
choice by the weights of row `value`; a subtree follows for each positive one. Kind 1 is a result, by its number: an
output, or inside an attempt one of its results, numbered from 0 without gaps. Kind 2 goes back to the choice of number
`value` on its path, which then falls anew: choices are counted from 1, an attempt is counted as one choice, and 0 is
the beginning of the program, or of the attempt it is in. Kind 3 is an attempt: the tree of its body follows, whose
choices are counted from 1 anew, then a subtree for each of its results, in order.

For normalized_renyi D_α does not decrease in α: with a_0 = 1 it is enough that D_b <= c²·a for every two neighbours
a < b of a_0, …, a_n, and that D_∞, the largest log-ratio, is at most c²·a_n.

Confirmed is the inequality between these laws; that they are the mechanism's, and all else the claim's, is trusted.
"""

import ast
import decimal
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

FORMAT = "stirred certificate 1"
_USAGE = "usage: python check.py FILE [FILE ...]\nexit status: 0 all confirmed, 1 one is not, 2 one is unreadable\n"
_MOST_BYTES, _LARGEST_DEGREE = 200_000_000, 64
_PRECISIONS = (40, 160, 640)
_MEASURES = ("multiplicative", "approximate_multiplicative", "total_variation", "normalized_renyi")

_ALWAYS = {"format", "claim", "statement", "mechanism", "data_sets", "universes", "distance"}
_ALWAYS |= {"output_premetric", "budget", "outputs", "laws", "verdict"}


class CertificateError(Exception):
    """The certificate is malformed, or does not show what it says."""


def _require(is_right: object, message: str) -> None:
    if not is_right:
        raise CertificateError(message)


def _number(value: object, what: str) -> Fraction:
    """An exact number."""
    _require(type(value) in (int, str), f"{what} must be an integer or a text")
    is_number = re.fullmatch("-?[0-9]+(/0*[1-9][0-9]*)?", str(value))
    _require(is_number, f"{what} must be a number, not over zero: {value!r}")
    return Fraction(str(value))


def _places(value: object, size: int, what: str) -> list[int]:
    """Different places in a list of a size."""
    found = value if isinstance(value, list) else [None]
    _require(all(type(one) is int and 0 <= one < size for one in found), f"{what} must name places in its list")
    _require(len(set(found)) == len(found), f"{what} must name nothing twice")
    return list(found)


def _texts(value: object, what: str) -> list[str]:
    found = value if isinstance(value, list) else []
    _require(found and all(isinstance(one, str) for one in found), f"{what} must be texts, at least one")
    _require(len(set(found)) == len(found), f"{what} must be different")
    return found


Masses = dict[int, Fraction]
Task = Generator[Any, Any, Any]  # of the results of other tasks


class _Tree:
    """The law of a choice tree, its loops summed: a place that is met again with probability r counts 1/(1 - r)."""

    def __init__(self, weights: Sequence[Sequence[Fraction]], nodes: Sequence[Any]) -> None:
        _require(isinstance(nodes, list) and all(type(node) is int and node >= 0 for node in nodes), "a tree: integers")
        self._weights, self._nodes, self._next = weights, nodes, 0

    def law(self) -> Masses:
        """The probabilities of the outputs, by place: tasks wait in a list, since a tree may be deeper than a stack."""
        waiting: list[Task] = [self._whole()]
        done: Any = None
        while waiting:
            try:
                waiting.append(waiting[-1].send(done))
                done = None
            except StopIteration as end:
                done = end.value
                waiting.pop()
        _require(self._next == len(self._nodes), "a tree must end with its nodes")
        return dict(done)

    def _whole(self) -> Task:
        """The masses of the results of a program or a body, conditioned on not beginning again."""
        masses, back = yield self._subtree(1)
        kept = 1 - back.pop(0, Fraction(0))
        _require(kept > 0 and masses, "a program must not begin again with probability 1")
        return {number: mass / kept for number, mass in masses.items()}

    def _subtree(self, number: int) -> Task:
        """The masses of the results, and of going back to each place, of the next subtree; it begins at a number."""
        _require(self._next < len(self._nodes), "a tree must be complete")
        value, kind = divmod(self._nodes[self._next], 4)
        self._next += 1
        _require(kind != 2 or value < number, "a tree must go back to a choice on its path")
        if kind in (1, 2):
            return ({value: Fraction(1)}, {}) if kind == 1 else ({}, {value: Fraction(1)})
        if kind == 0:
            _require(value < len(self._weights), "a choice must name a row of weights")
            weights = [weight for weight in self._weights[value] if weight]
        else:
            body = yield self._whole()
            _require(sorted(body) == list(range(len(body))), "the results of an attempt must be numbered from 0")
            weights = [body[result] for result in range(len(body))]
        masses, back = Masses(), Masses()
        for weight in weights:
            parts = yield self._subtree(number + 1)
            for total, part in zip((masses, back), parts, strict=True):
                for key, mass in part.items():
                    total[key] = total.get(key, Fraction(0)) + weight * mass
        kept = 1 - back.pop(number, Fraction(0))
        _require(kept > 0, "a choice must not go back to itself with probability 1")
        return {key: mass / kept for key, mass in masses.items()}, {key: mass / kept for key, mass in back.items()}


def _laws(certificate: dict[str, Any], size: int, outputs: int) -> list[Masses]:
    """The law of every data set: positive probabilities, by the outputs' places."""
    rows = []
    for row in certificate.get("weights", []):
        rows.append([_number(weight, "a weight") for weight in row])
        _require(all(weight >= 0 for weight in rows[-1]) and sum(rows[-1]) == 1, "weights must sum to 1, none below 0")
    given = certificate["laws"]
    _require(isinstance(given, list) and len(given) == size, "laws must be one for each data set")
    laws = []
    for one in given:
        if "tree" in one:
            named = _places(one["results"], outputs, "the results of a tree")
            masses = _Tree([rows[row] for row in _places(one["rows"], len(rows), "rows")], one["tree"]).law()
            law = {named[result]: mass for result, mass in masses.items()}
        else:
            places = _places([output for output, _ in one["probabilities"]], outputs, "a law")
            law = dict(zip(places, (_number(p, "a probability") for _, p in one["probabilities"]), strict=True))
        _require(all(p >= 0 for p in law.values()) and sum(law.values()) == 1, "a law must sum to 1, none below 0")
        laws.append({output: p for output, p in law.items() if p})
    return laws


def _changed_places(x: Sequence[Any], y: Sequence[Any]) -> int | None:
    return sum(repr(a) != repr(b) for a, b in zip(x, y, strict=True)) if len(x) == len(y) else None


def _changed_members(x: Sequence[Any], y: Sequence[Any]) -> int | None:
    return _added_or_removed(x, y) // 2 if len(x) == len(y) else None


def _added_or_removed(x: Sequence[Any], y: Sequence[Any]) -> int:
    ours, theirs = Counter(map(repr, x)), Counter(map(repr, y))
    return (ours - theirs).total() + (theirs - ours).total()


DISTANCES: dict[str, Callable[[Sequence[Any], Sequence[Any]], int | None]] = {
    "hamming_ordered": _changed_places,
    "hamming_unordered": _changed_members,
    "symmetric_difference": _added_or_removed,
}
"""Distances between tuples of records; None for infinite ones."""


def _pairs(
    certificate: dict[str, Any], names: Sequence[str], universes: Sequence[Sequence[int]]
) -> dict[tuple[int, int], Fraction]:
    """The finite distances between different data sets of one universe."""
    name, listed = certificate["distance"]["name"], certificate["distance"].get("pairs")
    _require(listed is None or name not in DISTANCES, f"{name} is computed: it must have no pairs")
    together = {(i, j) for universe in universes for i in universe for j in universe if i != j}
    if listed is None:
        _require(name in DISTANCES, f"a distance must have pairs, or be one of {sorted(DISTANCES)}")
        records = [ast.literal_eval(text) for text in names]
        _require(all(isinstance(one, tuple) for one in records), f"{name} is of tuples of records")
        computed = ((i, j, DISTANCES[name](records[i], records[j])) for i, j in together)
        return {(i, j): Fraction(d) for i, j, d in computed if d is not None}
    found = {(i, j): _number(d, "a distance") for i, j, d in listed}
    _require(all(d >= 0 for d in found.values()), "a distance must not be negative")
    _require(len(found) == len(listed) and found.keys() <= together, "pairs must be of one universe, each of them once")
    return found


class _Power(NamedTuple):
    """e^x with x = exponent·(1 or ln base)."""

    exponent: Fraction
    base: Fraction | None

    def bounds(self, digits: int) -> tuple[Fraction, Fraction]:
        """Rationals below and above; decimal's ln and exp are correctly rounded, so that the neighbours enclose."""
        _require(self.exponent <= 100_000, "a bound must be at most 100000 times epsilon, or ln(gamma)")
        if not self.exponent or self.base == 1:
            return Fraction(1), Fraction(1)
        if (rational := self._rational()) is not None:
            return rational, rational
        ends = []
        for rounding, outward in (("ROUND_FLOOR", Decimal.next_minus), ("ROUND_CEILING", Decimal.next_plus)):
            with decimal.localcontext(decimal.Context(digits, rounding, -(10**9), 10**9)):
                base = self.base and Decimal(self.base.numerator) / Decimal(self.base.denominator)
                x = outward(base.ln()) if base else Decimal(1)
                x = x * Decimal(self.exponent.numerator) / Decimal(self.exponent.denominator)
                ends.append(Fraction(outward(x.exp())))
        return ends[0], ends[1]

    def _rational(self) -> Fraction | None:
        """The power itself where it is rational, and of a small degree."""
        degree = self.exponent.denominator
        if self.base is None or degree > _LARGEST_DEGREE:
            return None
        power, ends = self.base**self.exponent.numerator, []
        for whole in (power.numerator, power.denominator):
            low, high = 0, 1 << (whole.bit_length() // degree + 1)
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if middle**degree <= whole else (low, middle)
            ends.append(low)
        return Fraction(*ends) if Fraction(*ends) ** degree == power else None


def _at_most_zero(falling: Callable[[Fraction], Fraction], power: _Power) -> bool | None:
    """Whether a function that falls is at most 0 at a power; None where that is not decided."""
    for low, high in map(power.bounds, _PRECISIONS):
        if falling(low) <= 0:
            return True
        if falling(high) > 0:
            return False
    return None


def _moment_fits(p: Masses, q: Masses, order: Fraction, limit: _Power) -> bool:
    """Whether the sum of q·(p/q)^order is at most a power, as its upper end shows."""
    return any(
        sum(q[t] * _Power(order, p[t] / q[t]).bounds(digits)[1] for t in p) <= limit.bounds(digits)[0]
        for digits in _PRECISIONS
    )


class _Bound:
    """The inequality between two laws at a distance."""

    def __init__(self, certificate: dict[str, Any]) -> None:
        measure, budget = certificate["output_premetric"], certificate["budget"]
        self.name, self.delta = measure["name"], _number(measure.get("delta", 0), "delta")
        _require(self.name in _MEASURES, f"output_premetric must be one of {_MEASURES}")
        keys = {"name", "delta"} if self.name == "approximate_multiplicative" else {"name"}
        _require(set(measure) == keys, f"output_premetric must have the keys {sorted(keys)}")
        _require(0 <= self.delta < 1, "delta must be in [0, 1)")
        self._base: Fraction | None = None
        if self.name == "normalized_renyi":
            _require(set(budget) == {"rho_squared"}, "budget must be rho_squared")
            self._factor = _number(budget["rho_squared"], "rho_squared")
        elif set(budget) == {"gamma", "root"} and self.name != "total_variation":
            self._base, root = _number(budget["gamma"], "gamma"), _number(budget["root"], "root")
            _require(self._base >= 1 and root >= 1 and root.denominator == 1, "gamma and root must be at least 1")
            self._factor = 1 / root
        else:
            _require(set(budget) == {"epsilon"}, "budget must be epsilon, or gamma and root")
            self._factor = _number(budget["epsilon"], "epsilon")
        _require(self._factor >= 0, "a budget must not be negative")
        self._orders = [_number(order, "an order") for order in certificate.get("orders", [])]
        _require(all(a < b for a, b in pairwise([Fraction(1), *self._orders])), "orders must rise from 1")
        _require(bool(self._orders) == (self.name == "normalized_renyi"), "orders belong to normalized_renyi")

    def holds(self, p: Masses, q: Masses, d: Fraction) -> bool | None:
        """Whether P is as near to Q as the distance asks for; None where that is not decided."""
        if self.name == "normalized_renyi":
            return self._holds_at_every_order(p, q, self._factor * d * d)
        if self.name == "total_variation":
            return self._excess(p, q, Fraction(1)) <= self._factor * d
        return _at_most_zero(lambda gamma: self._excess(p, q, gamma), _Power(self._factor * d, self._base))

    def _excess(self, p: Masses, q: Masses, gamma: Fraction) -> Fraction:
        return sum((max(Fraction(0), p[t] - gamma * q.get(t, 0)) for t in p), -self.delta)

    def _holds_at_every_order(self, p: Masses, q: Masses, c2: Fraction) -> bool | None:
        if p == q:
            return True
        if not p.keys() <= q.keys() or not c2:
            return False
        orders = [Fraction(1), *self._orders]
        last = _at_most_zero(lambda gamma: max(p[t] / q[t] for t in p) - gamma, _Power(c2 * orders[-1], None))
        is_shown = last and all(_moment_fits(p, q, b, _Power((b - 1) * c2 * a, None)) for a, b in pairwise(orders))
        return True if is_shown else None  # other orders might show it

    def is_exceeded(self, p: Masses, q: Masses, d: Fraction, event: Sequence[int]) -> bool:
        """Whether an event shows that P is not as near to Q."""
        ours, theirs = (sum((law.get(t, Fraction(0)) for t in event), Fraction(0)) for law in (p, q))
        if self.name == "total_variation":
            return ours - theirs > self._factor * d
        power = _Power(self._factor * d, self._base)
        return any(ours > power.bounds(digits)[1] * theirs + self.delta for digits in _PRECISIONS)


def check(certificate: Any) -> list[str]:
    """What a certificate compares not, what it trusts, what it confirms; CertificateError where it shows no verdict."""
    try:
        return list(_checked(certificate))
    except (ArithmeticError, LookupError, RecursionError, SyntaxError, TypeError, ValueError) as error:
        raise CertificateError(f"not as the format describes it: {type(error).__name__} {error}") from None


def _checked(certificate: Any) -> Iterator[str]:
    _require(isinstance(certificate, dict) and certificate.get("format") == FORMAT, f"format must be {FORMAT!r}")
    _require(_ALWAYS <= certificate.keys() <= _ALWAYS | {"weights", "orders"}, "keys must be those of the format")
    names, outputs = _texts(certificate["data_sets"], "data_sets"), _texts(certificate["outputs"], "outputs")
    universes = [_places(one, len(names), "a universe") for one in certificate["universes"]]
    laws = _laws(certificate, len(names), len(outputs))
    pairs, bound, verdict = _pairs(certificate, names, universes), _Bound(certificate), certificate["verdict"]
    _require(pairs, "vacuous, so every mechanism satisfies it: no two data sets of a universe are at a finite distance")
    listed = certificate["distance"].get("pairs") is not None
    numbers = json.dumps(({"delta": str(bound.delta)} if bound.delta else {}) | certificate["budget"])
    shown = f"{bound.name}, {numbers}, {'listed distances' if listed else certificate['distance']['name']}"
    words = {key: certificate[key] for key in ("claim", "statement", "mechanism")}
    words |= {"distances": certificate["distance"]["name"]} if listed else {}
    yield f"not compared: {json.dumps(words)}; what data sets and outputs are called"
    which = {"choice trees" if "tree" in law else "laws" for law in certificate["laws"]}
    yield f"taken on trust: the {' and '.join(sorted(which))} are the mechanism's; all else compared, the claim's"
    if verdict == {"met": True}:
        seen: dict[Any, bool | None] = {}
        kept = [tuple(sorted(law.items())) for law in laws]
        for (i, j), d in pairs.items():
            key = kept[i], kept[j], d
            if key not in seen:
                seen[key] = bound.holds(laws[i], laws[j], d) and bound.holds(laws[j], laws[i], d)
            word = "is not shown" if seen[key] is None else "fails"
            _require(seen[key], f"the inequality {word} at x = {names[i]}, x' = {names[j]}, d = {d}")
        yield f"CONFIRMED: met: {shown}: {len(pairs)} pairs of {len(names)} data sets in {len(universes)} universes"
    else:
        _require(set(verdict) == {"exceeded", "event"} and bound.name != "normalized_renyi", "verdict: one of the two")
        i, j = verdict["exceeded"]
        distances = [pairs[pair] for pair in ((i, j), (j, i)) if pair in pairs]
        _require(distances, "the pair must be at a finite distance")
        event = _places(verdict["event"], len(outputs), "the event")
        _require(bound.is_exceeded(laws[i], laws[j], min(distances), event), "the event does not exceed it")
        yield f"CONFIRMED: exceeded: {shown}: at x = {names[i]}, x' = {names[j]}, E = {[outputs[t] for t in event]}"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    _require(len(dict(pairs)) == len(pairs), "an object must not have duplicate keys")
    return dict(pairs)


def main(paths: Sequence[str]) -> int:
    """Check files; returns 0 where every certificate is confirmed, 1 where one is not, 2 where one cannot be read."""
    if not paths or {"-h", "--help"} & set(paths):
        (sys.stdout if paths else sys.stderr).write(_USAGE)
        return 0 if paths else 2
    status, encoding = 0, sys.stdout.encoding or "ascii"
    for path in paths:
        try:
            with Path(path).open("rb") as file:
                content = json.loads(file.read(_MOST_BYTES), object_pairs_hook=_unique)
            certificates = content if isinstance(content, list) and content else [content]
            lines = [line for one in certificates for line in check(one)]
        except (OSError, ValueError, RecursionError, MemoryError) as error:
            sys.stderr.write(f"{path}: cannot be read: {error}\n")
            status, lines = 2, []
        except CertificateError as error:
            status, lines = max(status, 1), [f"NOT CONFIRMED: {error}"]
        for line in (f"{path}: {line}".encode(encoding, "replace").decode(encoding) for line in lines):
            sys.stdout.write("".join(c if c.isprintable() else "?" for c in line) + "\n")
    return status


if __name__ == "__main__":
    sys.set_int_max_str_digits(100_000)
    sys.exit(main(sys.argv[1:]))
