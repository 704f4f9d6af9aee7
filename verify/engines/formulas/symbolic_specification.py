"""A specification whose budget is a formula: transformed, converted and compared for all values of its symbols."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.specification import QUESTIONS
from stirred.spec.shown_table import ShownTable, TableRow
from stirred.verify.engines.formulas.order import OrderAnswer, assumption, at_most
from stirred.verify.engines.formulas.read_formula import check_names, expression, fits, inequalities
from stirred.verify.engines.formulas.symbolic_conversions import power_of, rules
from stirred.verify.evidence.verdict import Verdict

_OUTPUTS = {
    "pure": "epsilon",
    "zcdp": "rho",
    "approximate": "epsilon",
    "gdp": "mu",
    "renyi": "epsilon",
    "total-variation": "epsilon",
}

_FROM_PURE = ("zcdp", "approximate", "gdp", "total-variation")

_RESCALED = (("pure", "zcdp"), ("pure", "approximate"), ("zcdp", "approximate"))
"""Conversions that hold at the distance of rescaled neighbours."""


def _capped(delta: Any) -> Any:
    """min(1, δ), where δ is known to be above 1: beyond it nothing is claimed."""
    return delta / delta if (delta - 1).is_positive else delta


@dataclass(frozen=True, repr=False)
class SymbolicSpecification(ShownTable):
    """Five blocks of which the budget is a formula; domain, multiverse and input premetric go by names.

    Attributes:
        budget: a real expression of sympy or its text, exact: ε in nats, or ρ of zCDP. It is at least 0 wherever
            anything is claimed; its symbols are real, and say themselves what else is assumed of them.
        output: "pure", "zcdp", "approximate", "gdp", "total-variation", or "renyi" at an `order`.
        delta: δ of "approximate", from 0 to 1. A δ that is derived and above 1 claims nothing, and is written as 1.
        unit: what the input premetric counts.
        domain: who is eligible, each part by its name; more names are a smaller domain.
        invariants: what is the same all over a universe; more names are a finer multiverse.
        where: inequalities of sympy, or their texts, that the symbols satisfy.
        step: the distance between neighbours: 1 unless distances were rescaled.
        order: of "renyi".
        steps: the conversions that led here.

    Raises:
        InputError: the output premetric is another one, a formula holds a float, is infinite, complex or negative, δ is
            above 1, a symbol is not real, or no values satisfy a condition.

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
    where: Any = ()
    step: Any = 1
    order: Any = None
    steps: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        import sympy as sp  # noqa: PLC0415 slow to import

        if self.output not in _OUTPUTS:
            raise InputError(f"output must be one of {', '.join(_OUTPUTS)}; got {self.output!r}")
        for name in ("budget", "delta", "step"):
            found = expression(name, getattr(self, name))
            if found.is_nonpositive and not found.is_zero:
                raise InputError(f"{name} must be at least 0; got {found}")
            unreal = sorted(str(symbol) for symbol in found.free_symbols if not symbol.is_real)
            if unreal:
                raise InputError(f"{unreal[0]} must be a real symbol, as explore.budgets, rates and sizes make them")
            object.__setattr__(self, name, found)
        if (self.delta - 1).is_positive:
            raise InputError(f"delta must be at most 1; got {self.delta}")
        bounds = (self.delta >= 0, self.delta <= 1) if self.delta.is_Symbol else ()
        where = inequalities((*inequalities(self.where), *bounds))
        if sp.false in where:
            raise InputError("where must be satisfiable; one inequality is false")
        object.__setattr__(self, "where", where)
        check_names(set().union(*(one.free_symbols for one in (self.budget, self.delta, self.step, *where))))
        if (self.order is None) == (self.output == "renyi"):
            raise InputError(f"order belongs to the output 'renyi', and to no other; got {self.order!r}")
        if self.order is not None:
            object.__setattr__(self, "order", expression("order", self.order))
        if self.delta != 0 and self.output != "approximate":
            raise InputError(f"delta belongs to the output 'approximate'; got it with {self.output!r}")

    def restrict(self, part: str) -> SymbolicSpecification:
        """The specification on a part of its domain; the budget stays."""
        return replace(self, domain=tuple(sorted({*self.domain, part})))

    def refine(self, invariant: str) -> SymbolicSpecification:
        """The specification with one more invariant, so that fewer data sets are compared; the budget stays."""
        return replace(self, invariants=tuple(sorted({*self.invariants, invariant})))

    def rescale(self, factor: Any, unit: str | None = None) -> SymbolicSpecification:
        """The same constraints with `factor` times the distances: ε/factor, and ρ/factor²; δ stays.

        Raises:
            InputError: factor is not above 0.
        """
        by = expression("factor", factor)
        if not by.is_positive:
            raise InputError(f"factor must be above 0; got {by}")
        return replace(self, budget=self._times(1 / by), unit=unit or f"{self.unit}/{by}", step=self.step * by)

    def change_unit(self, unit: str, size: Any) -> SymbolicSpecification:
        """What is implied for units of at most `size` of the present ones: size·ε, and size²·ρ.

        For (ε, δ) it is (size·ε, δ·(e^(size·ε) − 1)/(e^ε − 1)), at ε = 0 size·δ. It holds where a step of one new unit
        is a path of at most `size` steps of the old one inside the same universe.

        Raises:
            InputError: size is not whole and at least 1, or below the distance of rescaled neighbours.
        """
        import sympy as sp  # noqa: PLC0415 slow to import

        by = expression("size", size)
        if not (by.is_integer and by.is_positive):
            raise InputError(
                f"size must be a whole number of at least 1, or a symbol of `sizes`; got {by}: a unit of the new kind "
                "changes at least one of the old"
            )
        if not (by - self.step).is_nonnegative:
            raise InputError(f"size must be at least {self.step}, the distance between neighbours; got {by}")
        delta = self.delta
        if delta != 0 and by != self.step:
            grown = (sp.exp(by * self.budget) - 1) / (sp.exp(self.step * self.budget) - 1)
            delta *= sp.Piecewise((by / self.step, sp.Eq(self.budget, 0)), (grown, True))
        return replace(self, budget=self._times(by), delta=_capped(delta), unit=unit, step=1)

    def _scaled(self, factor: Any) -> Any:
        """The budget where distances are divided by a factor."""
        return self.budget * factor**2 if self.output == "zcdp" else self.budget * factor

    def _times(self, factor: Any) -> Any:
        import sympy as sp  # noqa: PLC0415 slow to import

        if self.output == "renyi" and factor != 1:
            raise InputError("a budget at one Renyi order is not multiplied by distances: convert it first")
        return self._scaled(factor) if self.output == "zcdp" else sp.expand(self._scaled(factor))

    @property
    def _conditions(self) -> tuple[Any, ...]:
        """What must be so for the budget to be one."""
        return (*self.where, self.budget >= 0)

    def compose(self, other: SymbolicSpecification) -> SymbolicSpecification:
        """What two releases with independent seeds satisfy together, where both specifications compare data sets.

        Budgets add; of Gaussian privacy their squares. ε-DP beside zCDP or (ε, δ) is converted first, as `steps` say.

        Raises:
            InputError: units, distances between neighbours or orders differ, or output premetrics that are not
                converted so.
        """
        import sympy as sp  # noqa: PLC0415 slow to import

        for name in ("unit", "step"):
            if getattr(self, name) != getattr(other, name):
                raise InputError(f"{name} must be the same; got {getattr(self, name)!r} and {getattr(other, name)!r}")
        outputs = {self.output, other.output}
        if len(outputs) == 2 and "pure" in outputs and (target := (outputs - {"pure"}).pop()) in _FROM_PURE:
            one, two = (part if part.output == target else part.convert(target) for part in (self, other))
            return one.compose(two)
        for name in ("output", "order"):
            if getattr(self, name) != getattr(other, name):
                raise InputError(
                    f"{name} must be the same; got {getattr(self, name)!r} and {getattr(other, name)!r}: convert one"
                )
        total = self.budget + other.budget
        if self.output == "gdp":
            total = sp.sqrt(self.budget**2 + other.budget**2)
        return replace(
            self,
            budget=sp.Min(total, 1) if self.output == "total-variation" else total,
            delta=_capped(self.delta + other.delta),
            domain=tuple(sorted({*self.domain, *other.domain})),
            invariants=tuple(sorted({*self.invariants, *other.invariants})),
            where=(*self._conditions, *other._conditions),
            steps=(*self.steps, *other.steps),
        )

    __add__ = compose

    def __mul__(self, times: Any) -> SymbolicSpecification:
        """What so many such releases with independent seeds satisfy together.

        Raises:
            InputError: times is not whole and at least 1.
        """
        import sympy as sp  # noqa: PLC0415 slow to import

        by = expression("times", times)
        if not (by.is_integer and by.is_positive):
            raise InputError(f"times must be a whole number of at least 1, or a symbol of `sizes`; got {by}")
        total = self.budget * (sp.sqrt(by) if self.output == "gdp" else by)
        capped = sp.Min(total, 1) if self.output == "total-variation" else sp.expand(total)
        return replace(self, budget=capped, delta=_capped(self.delta * by))

    __rmul__ = __mul__

    def convert(
        self, output: str, delta: Any = None, *, order: Any = None, epsilon: Any = None
    ) -> SymbolicSpecification:
        """What it implies under another output premetric, for neighbours; the rule is the last of `steps`.

        ε-DP gives zCDP with ρ = ε·tanh(ε/2), Rényi privacy at an order, Gaussian privacy, total variation and
        (ε, δ); zCDP gives Rényi privacy and (ρ + 2·√(ρ·ln(1/δ)), δ); Gaussian privacy all of them, (ε, δ(ε)) at an
        `epsilon`; one Rényi order gives (ε, δ) at a δ; (ε, δ) gives total variation.

        Raises:
            InputError: there is no such rule here, what it needs is missing or not wanted, or out of its range.
        """
        if delta is not None and output != "approximate":
            raise InputError(f"delta belongs to the output 'approximate'; got it with {output!r}")
        known = rules()
        if (rule := known.get((self.output, output))) is None:
            ways = ", ".join(to for by, to in known if by == self.output) or "none"
            raise InputError(f"output must be one that {self.output} converts to ({ways}); got {output!r}")
        asked = {"delta": delta, "order": order, "epsilon": epsilon}
        given = {name: expression(name, value) for name, value in asked.items() if value is not None}
        for name in rule.needs:
            if name not in given:
                raise InputError(f"{name} must be given for the output {output!r}")
        allowed = {*rule.needs, *(("delta",) if (self.output, output) == ("pure", "approximate") else ())}
        if extra := sorted(set(given) - allowed):
            raise InputError(f"{extra[0]} does not belong to the conversion of {self.output} to {output}")
        where = [*self._conditions]
        if "delta" in rule.needs:
            slack = given["delta"]
            if slack.is_positive is False or (slack - 1).is_positive:
                raise InputError(f"delta must be above 0 and at most 1; got {slack}")
            where += [slack > 0, slack <= 1]
        if "order" in given:
            if (given["order"] - 1).is_nonpositive:
                raise InputError(f"order must be above 1; got {given['order']}")
            where.append(given["order"] > 1)
        if self.step != 1 and (self.output, output) not in _RESCALED:
            raise InputError(f"step must be 1 for this conversion; got {self.step}: rescale first")
        near = self._scaled(self.step)
        question = SimpleNamespace(**{"budget": near, "had": self.delta, "order": self.order, "delta": 0, **given})
        where += rule.holds_where(question)
        found = rule.formula(question)
        budget, slack = found if isinstance(found, tuple) else (found, 0)
        changed = replace(self, budget=budget, delta=slack, output=output, order=given.get("order"), where=where)
        words = f"{self.output} to {output} by {rule.words}"
        return replace(changed, budget=changed._scaled(1 / self.step), steps=(*self.steps, words))

    def power(self, level: Any) -> Any:
        """The largest power of a test of a level between neighbours, as an expression of sympy.

        Raises:
            InputError: the output premetric is none of "pure", "approximate" and "gdp".
        """
        found = power_of(self.output, self._scaled(self.step), self.delta, expression("level", level))
        if found is None:
            raise InputError(f"output must be pure, approximate or gdp for the power of a test; got {self.output!r}")
        return found

    def refines(self, other: SymbolicSpecification, where: Sequence[Any] = ()) -> OrderAnswer:
        """Whether every mechanism that satisfies this one satisfies the other one: `other.implied_by(self)`."""
        return other.implied_by(self, where)

    def at(self, **values: Any) -> SymbolicSpecification:
        """The specification with values for some symbols, by name.

        Raises:
            InputError: no symbol has this name, a value is not what is assumed of its symbol, or breaks a condition.
        """
        formulas = (self.budget, self.delta, self.step, *self.where)
        symbols = {str(symbol): symbol for one in formulas for symbol in one.free_symbols}
        given = {}
        for name, value in values.items():
            if name not in symbols:
                raise InputError(
                    f"{name} must be a symbol of the specification; it has {', '.join(sorted(symbols)) or 'none'}"
                )
            given[symbols[name]] = found = expression(name, value)
            if not fits(symbols[name], found):
                assumed = assumption(symbols[name])
                raise InputError(f"{name} must satisfy the assumptions of its symbol, {assumed}; got {found}")
        budget, delta, step, *where = (one.subs(given, simultaneous=True) for one in formulas)
        order = None if self.order is None else self.order.subs(given, simultaneous=True)
        shown = ", ".join(f"{symbol} = {value}" for symbol, value in given.items())
        for relation, found in zip(self.where, where, strict=True):
            if found == False:  # noqa: E712 sympy's
                raise InputError(f"values must satisfy {relation}; got {shown}")
        return replace(self, budget=budget, delta=_capped(delta), step=step, order=order, where=tuple(where))

    def implied_by(self, other: SymbolicSpecification, where: Sequence[Any] = ()) -> OrderAnswer:
        """Whether every mechanism that satisfies the other one satisfies this one, for all values of the symbols.

        REFUTED names values where the other budget is larger: then some mechanism on two neighbouring data sets
        satisfies the other one alone (of ε-DP, randomized response). OPEN where units or output premetrics differ, the
        other one compares fewer data sets, or no values satisfy the conditions of both.
        """
        relations = inequalities((*self.where, *other.where, *inequalities(where)))
        for name in ("unit", "output", "order", "step"):
            mine, its = getattr(self, name), getattr(other, name)
            if mine != its:
                return self._open(other, relations, f"{name} is {mine} here and {its} there: change it first")
        for name in ("domain", "invariants"):
            if extra := set(getattr(other, name)) - set(getattr(self, name)):
                return self._open(other, relations, f"the other one compares fewer data sets: {', '.join(extra)}")
        answer = at_most(other.budget, self.budget, relations)
        none_above = other.budget.is_nonnegative is not True and at_most(other.budget, 0, relations).verdict
        if answer.verdict is none_above is Verdict.DECIDED:
            return self._open(other, relations, f"vacuous: no values make {other.budget} a budget above 0")
        if self.output == "approximate" and (self.delta != 0 or other.delta != 0):
            slack = at_most(other.delta, self.delta, relations)
            if answer.verdict is Verdict.OPEN or slack.verdict is answer.verdict is Verdict.DECIDED:
                return answer
            return self._open(other, relations, "one budget alone is smaller, and curves may still be ordered")
        if answer.counterexample is not None:
            values = {str(name): value for name, value in answer.counterexample.items()}
            known = {s: expression(str(s), values[str(s)]) for s in self.budget.free_symbols if str(s) in values}
            mine = self.budget.subs(known)
            if mine.is_nonnegative is not True:
                return self._open(other, relations, f"at {values} the budget {mine} is not at least 0")
        return answer

    def compare(self, other: SymbolicSpecification, where: Sequence[Any] = ()) -> tuple[OrderAnswer, OrderAnswer]:
        """Whether the other one implies this one, and whether this one implies the other one."""
        return self.implied_by(other, where), other.implied_by(self, where)

    def _open(self, other: SymbolicSpecification, relations: Sequence[Any], because: str) -> OrderAnswer:
        sentence = f"{other.budget} <= {self.budget}"
        return OrderAnswer(Verdict.OPEN, sentence, tuple(map(str, relations)), because)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def __str__(self) -> str:
        """Budget, output premetric and unit on one line."""
        slack = f", delta = {self.delta}" if self.delta != 0 else ""
        under = f" where {', '.join(map(str, self.where))}" if self.where else ""
        return f"{_OUTPUTS[self.output]} = {self.budget}{slack} ({self.output}) for {self._each}{under}"

    @property
    def _each(self) -> str:
        return f"each {self.unit}" if self.step == 1 else f"each {self.unit}, neighbours at distance {self.step}"

    _title = "specification"

    def _rows(self) -> list[TableRow]:
        name = _OUTPUTS[self.output]
        symbol = {"epsilon": r"\varepsilon", "rho": r"\rho", "mu": r"\mu"}[name]
        answers = (
            ", ".join(self.domain) or "as it is",
            f"invariant: {', '.join(self.invariants)}" if self.invariants else "as it is",
            self._each,
            self.output if self.delta == 0 else f"{self.output}, delta = {self.delta}",
            f"{name} = {self.budget}",
        )
        named = zip(QUESTIONS.items(), answers, strict=True)
        rows = [TableRow(block.replace("_", " "), answer, question) for (block, question), answer in named]
        formula = _latex(self.budget)
        rows[-1] = replace(rows[-1], latex=formula if formula == symbol else f"{symbol} = {formula}")
        rows += [TableRow("where", str(one), latex=_latex(one)) for one in self.where]
        return [*rows, *(TableRow("by", step) for step in self.steps)]

    def to_sympy(self) -> Any:
        """The budget."""
        return self.budget


def _latex(formula: Any) -> str:
    """A formula as LaTeX, with one letter for ε."""
    import sympy as sp  # noqa: PLC0415 slow to import

    names = {one: one.name.replace("epsilon", r"\varepsilon") for one in formula.free_symbols if one.name == "epsilon"}
    return str(sp.latex(formula, symbol_names=names))
