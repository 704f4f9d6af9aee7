"""A specification whose budget is a formula: transformed, converted and compared for all values of its symbols."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.specification import QUESTIONS
from stirred.spec.budgets.loss import Loss
from stirred.spec.shown_table import ShownTable, TableRow
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.formulas.order import OrderAnswer, at_most

_OUTPUTS = {"pure": "epsilon", "zcdp": "rho", "approximate": "epsilon"}


@dataclass(frozen=True, repr=False)
class SymbolicSpecification(ShownTable):
    """Five blocks of which the budget is a formula; domain, multiverse and input premetric go by names.

    Attributes:
        budget: an exact expression of sympy, at least 0: ε in nats, or ρ of zCDP.
        output: "pure", "zcdp" or "approximate".
        delta: δ of "approximate".
        unit: what the input premetric counts.
        domain: who is eligible, each part by its name; more names are a smaller domain.
        invariants: what is the same all over a universe; more names are a finer multiverse.
        where: inequalities of sympy that the symbols satisfy.

    Raises:
        InputError: the output premetric is another one, or a formula holds a float.

    Source: dissertation, Definition 2.4.2 for the blocks; section 2.5 and Appendix A for what is done with them.

    >>> import sympy as sp
    >>> epsilon = sp.Symbol("epsilon", nonnegative=True)
    >>> persons = SymbolicSpecification(epsilon, unit="person")
    >>> print(persons.change_unit("household", 4).compose(persons.change_unit("household", 3)).budget)
    7*epsilon
    """

    budget: Any
    output: str = "pure"
    delta: Any = 0
    unit: str = "record"
    domain: tuple[str, ...] = ()
    invariants: tuple[str, ...] = ()
    where: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        import sympy as sp  # noqa: PLC0415 slow to import

        if self.output not in _OUTPUTS:
            raise InputError(f"output must be one of {', '.join(_OUTPUTS)}; got {self.output!r}")
        for name in ("budget", "delta"):
            given = getattr(self, name)
            found = given.to_sympy() if isinstance(given, Loss) else sp.sympify(given)
            if found.has(sp.Float):
                raise InputError(f"{name} must be exact; got {given!r}: use sympy.Rational")
            object.__setattr__(self, name, found)
        if self.delta != 0 and self.output != "approximate":
            raise InputError(f"delta belongs to the output 'approximate'; got it with {self.output!r}")

    def restrict(self, part: str) -> SymbolicSpecification:
        """The specification on a part of its domain; the budget stays."""
        return replace(self, domain=tuple(sorted({*self.domain, part})))

    def refine(self, invariant: str) -> SymbolicSpecification:
        """The specification with one more invariant, so that fewer data sets are compared; the budget stays."""
        return replace(self, invariants=tuple(sorted({*self.invariants, invariant})))

    def rescale(self, factor: Any, unit: str | None = None) -> SymbolicSpecification:
        """The same constraints with `factor` times the distances: ε/factor, and ρ/factor²."""
        share = self._shared(1 / self._exact("factor", factor))
        return replace(share, unit=unit or f"{self.unit}/{factor}")

    def change_unit(self, unit: str, size: Any) -> SymbolicSpecification:
        """What is implied for units of at most `size` of the present ones: size·ε, and size²·ρ.

        For (ε, δ) it is (size·ε, δ·(e^(size·ε) − 1)/(e^ε − 1)). It holds where a step of one new unit is a path of at
        most `size` steps of the old one inside the same universe.
        """
        return replace(self._shared(self._exact("size", size)), unit=unit)

    def _shared(self, factor: Any) -> SymbolicSpecification:
        import sympy as sp  # noqa: PLC0415 slow to import

        if self.output == "zcdp":
            return replace(self, budget=self.budget * factor**2)
        delta = self.delta
        if delta != 0:
            delta = delta * (sp.exp(factor * self.budget) - 1) / (sp.exp(self.budget) - 1)
        return replace(self, budget=sp.expand(self.budget * factor), delta=delta)

    def compose(self, other: SymbolicSpecification) -> SymbolicSpecification:
        """What two releases with independent seeds satisfy together, where both specifications compare data sets.

        Raises:
            InputError: units or output premetrics differ.
        """
        for name in ("unit", "output"):
            if getattr(self, name) != getattr(other, name):
                raise InputError(f"{name} must be the same; got {getattr(self, name)!r} and {getattr(other, name)!r}")
        return replace(
            self,
            budget=self.budget + other.budget,
            delta=self.delta + other.delta,
            domain=tuple(sorted({*self.domain, *other.domain})),
            invariants=tuple(sorted({*self.invariants, *other.invariants})),
            where=tuple(dict.fromkeys((*self.where, *other.where))),
        )

    def convert(self, output: str, delta: Any = None) -> SymbolicSpecification:
        """What it implies under another output premetric, for neighbours at distance 1.

        ε-DP gives zCDP with ρ = ε·tanh(ε/2), the smallest for all laws; zCDP gives (ρ + 2·√(ρ·ln(1/δ)), δ).

        Raises:
            InputError: there is no such rule here, or δ is missing.
        """
        import sympy as sp  # noqa: PLC0415 slow to import

        if (self.output, output) == ("pure", "zcdp"):
            return replace(self, budget=self.budget * sp.tanh(self.budget / 2), output=output)
        if (self.output, output) == ("pure", "approximate"):
            return replace(self, output=output, delta=0 if delta is None else delta)
        if (self.output, output) != ("zcdp", "approximate"):
            raise InputError(f"output must be one that {self.output} converts to; got {output!r}")
        if delta is None:
            raise InputError("delta must be given for the output 'approximate'")
        slack = self._exact("delta", delta)
        return replace(
            self, budget=self.budget + 2 * sp.sqrt(self.budget * sp.log(1 / slack)), output=output, delta=slack
        )

    def at(self, **values: Any) -> SymbolicSpecification:
        """The specification with values for some symbols, by name.

        Raises:
            InputError: no symbol has this name.
        """
        symbols = {str(symbol): symbol for symbol in (self.budget + self.delta).free_symbols}
        for name in values:
            if name not in symbols:
                raise InputError(f"{name} must be a symbol of the specification; it has {', '.join(symbols) or 'none'}")
        given = {symbols[name]: self._exact(name, value) for name, value in values.items()}
        kept = tuple(one for one in (relation.subs(given) for relation in self.where) if one != True)  # noqa: E712 sympy's
        return replace(self, budget=self.budget.subs(given), delta=self.delta.subs(given), where=kept)

    def implied_by(self, other: SymbolicSpecification, where: Sequence[Any] = ()) -> OrderAnswer:
        """Whether every mechanism that satisfies the other one satisfies this one, for all values of the symbols.

        REFUTED names values where the other budget is larger: then some mechanism on two neighbouring data sets
        satisfies the other one alone (of ε-DP, randomized response). OPEN where units or output premetrics differ, or
        the other one compares fewer data sets.
        """
        relations = tuple(dict.fromkeys((*self.where, *other.where, *where)))
        for name in ("unit", "output"):
            mine, its = getattr(self, name), getattr(other, name)
            if mine != its:
                return self._open(other, relations, f"{name} is {mine} here and {its} there: change it first")
        for name in ("domain", "invariants"):
            if extra := set(getattr(other, name)) - set(getattr(self, name)):
                return self._open(other, relations, f"the other one compares fewer data sets: {', '.join(extra)}")
        answer = at_most(other.budget, self.budget, relations)
        if self.output == "approximate" and (self.delta != 0 or other.delta != 0):
            slack = at_most(other.delta, self.delta, relations)
            if answer.verdict is Verdict.DECIDED and slack.verdict is Verdict.DECIDED:
                return answer
            return self._open(other, relations, "one budget alone is smaller, and curves may still be ordered")
        if answer.counterexample is not None:
            values = {str(name): value for name, value in answer.counterexample.items()}
            mine = self.budget.subs({s: self._exact(str(s), values[str(s)]) for s in self.budget.free_symbols})
            if mine.is_nonnegative is not True:
                return self._open(other, relations, f"at {values} the budget {mine} is not at least 0")
        return answer

    def compare(self, other: SymbolicSpecification, where: Sequence[Any] = ()) -> tuple[OrderAnswer, OrderAnswer]:
        """Whether the other one implies this one, and whether this one implies the other one."""
        return self.implied_by(other, where), other.implied_by(self, where)

    def _open(self, other: SymbolicSpecification, relations: Sequence[Any], because: str) -> OrderAnswer:
        sentence = f"{other.budget} <= {self.budget}"
        return OrderAnswer(Verdict.OPEN, sentence, tuple(map(str, relations)), because)

    def _exact(self, name: str, value: Any) -> Any:
        import sympy as sp  # noqa: PLC0415 slow to import

        found = value.to_sympy() if isinstance(value, Loss) else sp.sympify(value)
        if not isinstance(found, sp.Expr) or found.has(sp.Float):
            raise InputError(f"{name} must be an exact number or expression; got {value!r}")
        return found

    def __repr__(self) -> str:
        return f"<SymbolicSpecification {self}>"

    def __str__(self) -> str:
        """Budget, output premetric and unit on one line."""
        slack = f", delta = {self.delta}" if self.delta != 0 else ""
        under = f" where {', '.join(map(str, self.where))}" if self.where else ""
        return f"{_OUTPUTS[self.output]} = {self.budget}{slack} ({self.output}) for each {self.unit}{under}"

    _title = "specification"

    def _rows(self) -> list[TableRow]:
        import sympy as sp  # noqa: PLC0415 slow to import

        name = _OUTPUTS[self.output]
        symbol = {"epsilon": r"\varepsilon", "rho": r"\rho"}[name]
        answers = (
            ", ".join(self.domain) or "as it is",
            f"invariant: {', '.join(self.invariants)}" if self.invariants else "as it is",
            f"each {self.unit}",
            self.output if self.delta == 0 else f"{self.output}, delta = {self.delta}",
            f"{name} = {self.budget}",
        )
        named = zip(QUESTIONS.items(), answers, strict=True)
        rows = [TableRow(block.replace("_", " "), answer, question) for (block, question), answer in named]
        rows[-1] = replace(rows[-1], latex=f"{symbol} = {sp.latex(self.budget)}")
        return [*rows, *(TableRow("where", str(one), latex=sp.latex(one)) for one in self.where)]

    def to_sympy(self) -> Any:
        """The budget."""
        return self.budget
