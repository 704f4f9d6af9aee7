"""A Coq file whose theorem is the audited specification on the audited domain, proved by computation, or its negation.

It is written from certificates (`verify.audit.certificate`). Its statement is over `satisfies` of the theory
`specification`, its proof calls the checker of `proofs/theories/audit/audited_claim.v`, which is proved sound there:
`coqc` says yes or no.
"""

import ast
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import gcd, lcm
from pathlib import Path
from typing import Any

from stirred.mechanisms.interpreters.choice_path import ATTEMPT, CHOICE, KINDS, RESTART
from stirred.mechanisms.interpreters.choice_tree import tree_masses
from stirred.spec.arguments import InputError
from stirred.verify.audit.coqc import COQ_FLAGS
from stirred.verify.evidence.certificates.check import DISTANCES
from stirred.verify.evidence.certificates.printable import one_line

_DEEPEST = 200

Masses = Mapping[int, Fraction]
"""The probabilities of outputs, by place."""


class DeepTreeError(Exception):
    """A tree is nested deeper than Coq reads."""


class CoqTrees:
    """The trees of a certificate's laws, as Coq terms.

    Attributes:
        terms: a term of the type `tree` for each data set.
        rows: what the terms name `weights_0`, `weights_1`, …: whole numbers.
        summed: the data sets whose program goes back to an earlier choice: their trees are one choice by the law.
    """

    def __init__(self, certificate: Mapping[str, Any]) -> None:
        """Convert."""
        self._named: dict[tuple[int, ...], int] = {}
        self._given = [tuple(Fraction(weight) for weight in row) for row in certificate["weights"]]
        self.terms: list[str] = []
        self.laws: list[Masses] = []
        self.summed: list[int] = []
        for place, law in enumerate(certificate["laws"]):
            masses = self._masses(law)
            self.laws.append(masses)
            nodes = law.get("tree", [])
            if any(node % KINDS == RESTART and node >= KINDS for node in nodes):
                self.summed.append(place)
            self.terms.append(
                self._one_choice(masses)
                if not nodes or place in self.summed
                else _Reader(nodes, [self._given[row] for row in law["rows"]], law["results"], self._row).term()
            )

    @property
    def rows(self) -> Sequence[tuple[int, ...]]:
        """The weights that the terms name."""
        return list(self._named)

    def _masses(self, law: Mapping[str, Any]) -> Masses:
        if "probabilities" in law:
            return {output: Fraction(p) for output, p in law["probabilities"]}
        masses = tree_masses([self._given[row] for row in law["rows"]], law["tree"])
        return dict(zip(law["results"], masses, strict=False))

    def _row(self, weights: Sequence[Fraction]) -> str:
        """The name of positive weights, once they are whole numbers without a common divisor."""
        scale = lcm(*(weight.denominator for weight in weights))
        whole = [int(weight * scale) for weight in weights]
        common = gcd(*whole)
        return f"weights_{self._named.setdefault(tuple(w // common for w in whole), len(self._named))}"

    def _one_choice(self, masses: Masses) -> str:
        positive = {output: mass for output, mass in sorted(masses.items()) if mass}
        results = "; ".join(f"Give {output}" for output in positive)
        return f"Choose {self._row(list(positive.values()))} [:: {results}]"


class _Reader:
    """Reads nodes in preorder into one term."""

    def __init__(self, nodes: Sequence[int], rows: Sequence[Sequence[Fraction]], results: Sequence[int], row: Any):
        self._nodes, self._results, self._row = iter(nodes), results, row
        self._rows = [[weight for weight in weights if weight] for weights in rows]

    def term(self) -> str:
        """The term of the whole tree."""
        return self._subtree(0, None)

    def _subtree(self, depth: int, met: set[int] | None) -> str:
        """The next subtree; inside an attempt its results are met by number, outside they are outputs."""
        if depth > _DEEPEST:
            raise DeepTreeError(f"a choice tree is more than {_DEEPEST} choices deep")
        value, kind = divmod(next(self._nodes), KINDS)
        if kind == CHOICE:
            weights = self._rows[value]
            return f"Choose {self._row(weights)} {self._branches(len(weights), depth, met)}"
        if kind == ATTEMPT:
            results: set[int] = set()
            body = self._subtree(depth + 1, results)
            return f"Attempt ({body}) {self._branches(len(results), depth, met)}"
        if kind == RESTART:
            return "Restart"
        if met is None:
            return f"Give {self._results[value]}"
        met.add(value)
        return f"Give {value}"

    def _branches(self, count: int, depth: int, met: set[int] | None) -> str:
        return f"[:: {'; '.join(self._subtree(depth + 1, met) for _ in range(count))}]"


_BITS = (2, 4, 8, 16, 32, 64, 128, 256)
_MOST_NATS, _MOST_BITS = 2_000, 1 << 18
_SQUARINGS = (16, 32, 64, 128, 256, 512)


@dataclass(frozen=True)
class BudgetPower:
    """e^(ε·d) for a budget ε that is a rational number, or ln(γ)/k.

    Attributes:
        epsilon: ε, where it is rational; else None.
        gamma: γ >= 1, where ε = ln(γ)/k; else not used.
        root: k.
    """

    epsilon: Fraction | None
    gamma: Fraction = Fraction(1)
    root: int = 1

    def is_large(self, d: Fraction) -> bool:
        """Whether e^(ε·d) takes too long to write out, for Coq too.

        >>> BudgetPower(None, Fraction(2)).is_large(Fraction(10**6)), BudgetPower(Fraction(1, 2)).is_large(Fraction(9))
        (True, False)
        """
        if self.epsilon is not None:
            return self.epsilon * d > _MOST_NATS
        roots = self.root * d.denominator * _BITS[-1]
        return self.gamma.numerator.bit_length() * d.numerator + roots > _MOST_BITS

    def below(self, d: Fraction) -> Iterator[Fraction]:
        """Rationals at most e^(ε·d): itself where it is rational, else nearer and nearer ones of few digits.

        >>> list(BudgetPower(None, Fraction(9), 2).below(Fraction(3)))
        [Fraction(27, 1)]
        >>> next(BudgetPower(Fraction(4, 5)).below(Fraction(1)))
        Fraction(2, 1)
        """
        exact = self._exact(d)
        if exact is not None:
            yield exact
            return
        for bits in _BITS:
            yield Fraction(self._floor(d, bits), 1 << bits)

    def above(self, d: Fraction) -> Iterator[Fraction]:
        """Rationals at least e^(ε·d): itself where it is rational, else nearer and nearer ones of few digits."""
        exact = self._exact(d)
        if exact is not None:
            yield exact
            return
        for bits in _BITS:
            yield Fraction(self._floor(d, bits) + 2, 1 << bits)

    def is_shown(self, k: int, d: Fraction, g: Fraction, *, is_below: bool) -> bool:
        """What `at_least` of the Coq checker says of g with k squarings, or `at_most`."""
        if self.epsilon is None:
            m = self.root * d.denominator
            return g**m <= self.gamma**d.numerator if is_below else g**m >= self.gamma**d.numerator
        u, v = self._exponent(d)
        if is_below:
            return g <= Fraction(_exp_lower(k, u, v), 1 << 2 * k)
        return u < v << k and g >= Fraction(_exp_upper(k, u, v), 1 << 2 * k)

    def _exponent(self, d: Fraction) -> tuple[int, int]:
        epsilon = self.epsilon or Fraction(0)
        return epsilon.numerator * d.numerator, epsilon.denominator * d.denominator

    def _exact(self, d: Fraction) -> Fraction | None:
        """The power itself where it is rational: of γ by an exact root."""
        if self.epsilon is not None:
            return None if self.epsilon * d else Fraction(1)
        m, power = self.root * d.denominator, self.gamma**d.numerator
        found = Fraction(_root(power.numerator, m), _root(power.denominator, m))
        return found if found**m == power else None

    def _floor(self, d: Fraction, bits: int) -> int:
        """A whole number at most e^(ε·d)·2^bits, and above it less 2."""
        if self.epsilon is None:
            m, power = self.root * d.denominator, self.gamma**d.numerator
            return _root((power.numerator << bits * m) // power.denominator, m)
        u, v = self._exponent(d)
        k = bits + 32 + 4 * (u // v + 1).bit_length() + 2 * (u // v)
        return _exp_lower(k, u, v) >> 2 * k - bits


def squarings(power: BudgetPower, bounds: Sequence[tuple[Fraction, Fraction]], *, is_below: bool) -> int | None:
    """The fewest squarings, of a short list, with which Coq shows every bound (d, g); None where none of them does."""
    return next(
        (k for k in _SQUARINGS if all(power.is_shown(k, d, g, is_below=is_below) for d, g in bounds)),
        None,
    )


def _exp_lower(k: int, u: int, v: int) -> int:
    """At most e^(u/v)·2^(2k): 1 + y at y = u/(v·2^k), rounded down and squared k times."""
    y = (1 << 2 * k) + (u << 2 * k) // (v << k)
    for _ in range(k):
        y = y * y >> 2 * k
    return y


def _exp_upper(k: int, u: int, v: int) -> int:
    """At least e^(u/v)·2^(2k): 1/(1 - y) at y = u/(v·2^k) < 1, rounded up and squared k times."""
    y = ((v << k) << 2 * k) // ((v << k) - u) + 1
    for _ in range(k):
        y = (y * y >> 2 * k) + 1
    return y


def _root(whole: int, degree: int) -> int:
    """The largest integer whose power of a degree is at most a whole number >= 0."""
    low, high = 0, 1 << (whole.bit_length() // degree + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree <= whole else (low, middle)
    return low


_WIDTH = 100
_MOST = 5000
_MOST_COMPARED = 5_000_000
"""Probabilities, over all pairs: some minutes of `coqc`."""

COQ_DISTANCES = {
    "hamming_ordered": "changed_places",
    "hamming_unordered": "changed_members",
    "symmetric_difference": "added_or_removed",
}
_HEAD = """\
(* What stirred audit --coq has audited, stated over satisfies and proved by
   computation. After make -C proofs,

     stirred check FILE.v --claim CLAIM.toml --coqc

   says whether it holds: that the file is what an audit of the claim writes,
   that coqc accepts it, and that it rests on the axioms of Coq's real numbers
   alone. coqc by itself accepts an altered file that admits a theorem or gives
   satisfies another meaning; the end prints the statements without notations.
   On trust is that the trees are the mechanism's. That every tree is one of a
   program is computed: its outputs are of the list, and it has as many
   branches as weights or results. Each data set and each output is a number,
   and is named in a comment. The theorems hold for every choice function on
   the real numbers, which a field of Mathematical Components comes with. *)

From mathcomp Require Import all_ssreflect.
From Stirred Require Import specification real_field choice_tree.
From Stirred Require Import exponential_bound audited_claim.
From Coq Require Import BinNatDef.
"""


class NoCoqFileError(Exception):
    """Why there is no Coq file."""


def check_coq_name(path: str) -> None:
    """Refuse a name that `coqc` does not compile."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*\.v", Path(path).name):
        raise InputError(f"--coq must name a file of letters, digits and _ that ends in .v, for coqc; got {path}")


def coqc_command(path: str) -> str:
    """What checks a file, in the folder that the source tree of stirred stands in, after `make -C proofs`."""
    return f"coqc {' '.join(COQ_FLAGS)} -Q proofs/theories Stirred {path}"


def coq_file(modules: Sequence[str], sources: Iterable[tuple[str, str]] = ()) -> str:
    """The whole file."""
    spoken = [_comment(f"{name}: SHA-256 {digest}") for name, digest in sources]
    parts = [f"Module Claim{number}.\n\n{text}\nEnd Claim{number}.\n" for number, text in enumerate(modules, 1)]
    names = [
        f"Claim{number}.{_name('met' if 'Theorem claim_is_met' in text else 'exceeded')}"
        for number, text in enumerate(modules, 1)
    ]
    asked = [f"{query} {name}.\n" for query in ("Check", "Print Assumptions") for name in names]
    return "\n".join([_HEAD, *([*spoken, ""] if spoken else []), *parts, "Set Printing All.\n" + "".join(asked)])


def _name(verdict: str) -> str:
    return f"claim_is_{verdict}"


def coq_module(certificate: Mapping[str, Any]) -> str:
    """The definitions and the theorem of one certificate."""
    measure = certificate["output_premetric"]["name"]
    if measure == "normalized_renyi":
        raise NoCoqFileError("the checker in Coq compares with e^epsilon and by total variation, not normalized_renyi")
    if max(len(certificate["data_sets"]), len(certificate["outputs"])) > _MOST:
        raise NoCoqFileError(f"it has more than {_MOST} data sets or outputs")
    pairs = sum(len(universe) * (len(universe) - 1) for universe in certificate["universes"])
    if "met" in certificate["verdict"] and pairs * len(certificate["outputs"]) > _MOST_COMPARED:
        raise NoCoqFileError(f"its pairs have more than {_MOST_COMPARED} probabilities to compare")
    try:
        trees = CoqTrees(certificate)
    except DeepTreeError as error:
        raise NoCoqFileError(str(error)) from None
    return "\n".join(
        [*_described(certificate, trees), *_definitions(certificate, trees), *_theorem(certificate, trees)]
    )


def _described(certificate: Mapping[str, Any], trees: CoqTrees) -> Iterator[str]:
    """What the numbers below stand for, as comments."""
    yield _comment(f"claim: {certificate['claim']}")
    yield _comment(f"the claimant's words, not checked: {certificate['statement']}")
    yield _comment(f"mechanism: {certificate['mechanism']}")
    yield _comment(f"input distance: {certificate['distance']['name']}")
    if any("tree" not in law for law in certificate["laws"]):
        yield _comment("the auditor has summed the laws: each tree is one choice")
    elif trees.summed:
        places = ", ".join(map(str, trees.summed))
        yield _comment(f"the auditor has summed laws with loops: one choice each, of the data sets {places}")
    for place, text in enumerate(certificate["data_sets"]):
        yield _comment(f"data set {place}: {text}")
    for place, text in enumerate(certificate["outputs"]):
        yield _comment(f"output {place}: {text}")


def _comment(text: str) -> str:
    """A text that no comment ends early and no string begins in."""
    safe = re.sub(r"\((?=\*)|\*(?=\))", r"\g<0> ", one_line(text)).replace('"', "''")
    return "\n".join(textwrap.wrap(f"(* {safe} *)", _WIDTH, subsequent_indent="   "))


def _definitions(certificate: Mapping[str, Any], trees: CoqTrees) -> Iterator[str]:
    """The five blocks as data."""
    for number, row in enumerate(trees.rows):
        yield _defined(f"weights_{number}", f"{_list(row)}%num")
    for place, term in enumerate(trees.terms):
        yield _defined(f"tree_{place}", term)
    yield _defined("trees", _list(f"tree_{place}" for place in range(len(trees.terms))))
    yield _defined("protected : seq (seq nat)", _list(map(_list, certificate["universes"])))
    yield from _distance(certificate)
    delta = _fraction(Fraction(certificate["output_premetric"].get("delta", 0)))
    is_variation = certificate["output_premetric"]["name"] == "total_variation"
    yield _defined("compared", "TotalVariation" if is_variation else f"Multiplicative {delta}")
    power = _power(certificate)
    log = f"Log {_fraction(power.gamma)} {power.root}%num"
    yield _defined("claimed", log if power.epsilon is None else f"Exact {_fraction(power.epsilon)}")


def _distance(certificate: Mapping[str, Any]) -> Iterator[str]:
    name, pairs = certificate["distance"]["name"], certificate["distance"].get("pairs")
    if pairs is None:
        codes: dict[str, int] = {}
        records = [[codes.setdefault(repr(one), len(codes)) for one in x] for x in _records(certificate)]
        yield from (_comment(f"record {code}: {text}") for text, code in codes.items())
        yield _defined("data_sets : seq (seq N)", f"{_list(map(_list, records))}%num")
        yield _defined("apart", f"{COQ_DISTANCES[name]} data_sets")
        return
    rows: dict[int, dict[int, str]] = {}
    for i, j, d in pairs:
        rows.setdefault(i, {})[j] = f"Some {_fraction(Fraction(d))}"
    table = [
        _list(rows[i].get(j, "None") for j in range(max(rows[i]) + 1)) if i in rows else "[::]"
        for i in range(len(certificate["data_sets"]))
    ]
    if sum(line.count(";") for line in table) > _MOST * 40:
        raise NoCoqFileError("its table of distances is too large")
    yield _defined("apart", f"listed {_list(table)}")


def _theorem(certificate: Mapping[str, Any], trees: CoqTrees) -> Iterator[str]:
    """The statement, and the proof by computation."""
    is_met = "met" in certificate["verdict"]
    most = len(certificate["outputs"]) - 1
    k, found = _met(certificate, trees.laws) if is_met else _exceeded(certificate, trees.laws)
    if is_met:
        yield _defined("bounds : seq (fraction * fraction)", found)
    yield f"""
Theorem {_name("met" if is_met else "exceeded")} (choice : choice_of_reals) :
  {"" if is_met else "~ "}satisfies (universes protected) (distance choice apart)
    (output_distance choice compared) (fun _ => budget_value choice claimed)
    (mechanism {most} trees).
Proof.
apply: ({f"met_sound choice {k} bounds" if is_met else f"exceeded_sound choice {k} {found}"}).
vm_cast_no_check (erefl true).
Qed.
"""


def _met(certificate: Mapping[str, Any], laws: Sequence[Masses]) -> tuple[int, str]:
    """The squarings, and a bound of few digits for each distance that every pair at it keeps."""
    power, delta = _power(certificate), Fraction(certificate["output_premetric"].get("delta", 0))
    if certificate["output_premetric"]["name"] == "total_variation":
        return 0, "[::]"
    at: dict[Fraction, dict[tuple[int, int], None]] = {}
    for (i, j), d in _pairs(certificate).items():
        at.setdefault(d, {})[min(i, j), max(i, j)] = None
    bounds = []
    _check_powers(power, at)
    for d, pairs in sorted(at.items()):
        g = next((g for g in power.below(d) if all(_is_close(laws, i, j, g, delta) for i, j in pairs)), None)
        if g is None:
            raise NoCoqFileError("a law is nearer to its bound than a rational number of 256 binary places tells")
        bounds.append((d, g))
    k = squarings(power, bounds, is_below=True)
    if k is None:
        raise NoCoqFileError("its powers of e are too large for the checker in Coq")
    return k, _list(f"({_fraction(d)}, {_fraction(g)})" for d, g in bounds)


def _exceeded(certificate: Mapping[str, Any], laws: Sequence[Masses]) -> tuple[int, str]:
    """The squarings, and the universe, the data sets, the event and a bound that show it."""
    power, delta = _power(certificate), Fraction(certificate["output_premetric"].get("delta", 0))
    i, j = certificate["verdict"]["exceeded"]
    event = certificate["verdict"]["event"]
    ours, theirs = (sum((law.get(t, Fraction(0)) for t in event), Fraction(0)) for law in (laws[i], laws[j]))
    pairs = _pairs(certificate)
    d, x, y = min((pairs[x, y], x, y) for x, y in ((i, j), (j, i)) if (x, y) in pairs)
    universe = next(place for place, one in enumerate(certificate["universes"]) if i in one and j in one)
    is_variation = certificate["output_premetric"]["name"] == "total_variation"
    _check_powers(power, () if is_variation else (d,))
    g = Fraction(1) if is_variation else next((g for g in power.above(d) if ours > g * theirs + delta), None)
    k = None if g is None else 0 if is_variation else squarings(power, [(d, g)], is_below=False)
    if g is None or k is None:
        raise NoCoqFileError("a law is nearer to its bound than the checker in Coq tells")
    return k, f"{universe} {x} {y} {_list(event)} {_fraction(g)}"


def _check_powers(power: BudgetPower, distances: Iterable[Fraction]) -> None:
    """Refuse powers that cannot be written out."""
    if any(power.is_large(d) for d in distances):
        raise NoCoqFileError("its powers of e are too large, or roots of too high a degree, for the checker in Coq")


def _is_close(laws: Sequence[Masses], i: int, j: int, g: Fraction, delta: Fraction) -> bool:
    return all(
        sum((max(Fraction(0), mass - g * q.get(t, 0)) for t, mass in p.items()), Fraction(0)) <= delta
        for p, q in permutations((laws[i], laws[j]))
    )


def _pairs(certificate: Mapping[str, Any]) -> dict[tuple[int, int], Fraction]:
    """The finite distances between different data sets of one universe."""
    listed = certificate["distance"].get("pairs")
    if listed is not None:
        return {(i, j): Fraction(d) for i, j, d in listed}
    records, known = _records(certificate), DISTANCES[certificate["distance"]["name"]]
    together = {pair for universe in certificate["universes"] for pair in permutations(universe, 2)}
    found = {(i, j): known(records[i], records[j]) for i, j in sorted(together)}
    return {pair: Fraction(d) for pair, d in found.items() if d is not None}


def _records(certificate: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    return [ast.literal_eval(text) for text in certificate["data_sets"]]


def _power(certificate: Mapping[str, Any]) -> BudgetPower:
    budget = certificate["budget"]
    if "epsilon" in budget:
        return BudgetPower(Fraction(budget["epsilon"]))
    return BudgetPower(None, Fraction(budget["gamma"]), int(budget["root"]))


def _defined(name: str, term: str) -> str:
    text = f"Definition {name} := {term}."
    return "\n".join(textwrap.wrap(text, _WIDTH, subsequent_indent="  ", break_long_words=False))


def _list(items: Iterable[object]) -> str:
    return f"[:: {'; '.join(map(str, items))}]".replace("[:: ]", "[::]")


def _fraction(number: Fraction) -> str:
    return f"({number.numerator}, {number.denominator})%num"
