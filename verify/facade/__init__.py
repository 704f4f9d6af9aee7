"""What users import and start as `stirred`: installed under that name, see `package-dir` in pyproject.toml.

    smallest_budget     the smallest budget that a mechanism satisfies, exact
    audit               the auditor's answers about a mechanism and a claimed budget
    estimate            what draws show of any callable, command or library's object: a lower bound with confidence
    assert_satisfies    the same for a test: an AssertionError shows pair, event and inequality
    compare             the exact loss under mixtures of two sets of blocks
    smallest_delta      the smallest delta at an epsilon; privacy_curve: at every epsilon
    convert             what one budget gives under other output premetrics
    satisfies, check    a claim on the mechanism itself, and its check
    explore             formulas: specifications with symbols, smallest budgets for every size

A mechanism is a function of a data set, a `Source` of randomness and its parameters. The five blocks of a claim are the
same everywhere, as keywords or as one `Blocks`: data_sets, invariants, distance, output (and delta), and the budget.
A parameter given as `SYMBOL` is left open: the smallest budget is then a function of it, for all values at once.
Names are loaded on first use, so that `python -m stirred` leaves the current folder alone.
"""

from typing import TYPE_CHECKING

from stirred.spec.first_use import on_first_use

if TYPE_CHECKING:
    from fractions import Fraction

    from stirred import explore
    from stirred.audits import assert_satisfies, audit, smallest_budget
    from stirred.blocks import Blocks
    from stirred.budget import convert
    from stirred.comparison import ComparedBlocks, compare
    from stirred.decorator import check, satisfies
    from stirred.delta import privacy_curve, smallest_delta
    from stirred.estimates import Estimate, estimate
    from stirred.mechanisms.interpreters.sampling import sample
    from stirred.mechanisms.source import Source
    from stirred.result import AuditResult, NotSatisfiedError
    from stirred.spec.arguments import InputError
    from stirred.spec.blocks.domain import FiniteDomain, Schema, multisets, ordered_data_sets, tables_with_margins
    from stirred.spec.budgets.loss import INFINITE, Loss
    from stirred.spec.numbers.rational_function import SYMBOL
    from stirred.verify.evidence.verdict import Verdict
    from stirred.verify.laws.foreign import Limits

__all__ = [
    "INFINITE",
    "SYMBOL",
    "AuditResult",
    "Blocks",
    "ComparedBlocks",
    "Estimate",
    "FiniteDomain",
    "Fraction",
    "InputError",
    "Limits",
    "Loss",
    "NotSatisfiedError",
    "Schema",
    "Source",
    "Verdict",
    "assert_satisfies",
    "audit",
    "check",
    "compare",
    "convert",
    "estimate",
    "explore",
    "multisets",
    "ordered_data_sets",
    "privacy_curve",
    "sample",
    "satisfies",
    "smallest_budget",
    "smallest_delta",
    "tables_with_margins",
]

_HOMES = {
    "fractions": ("Fraction",),
    "stirred.mechanisms.interpreters.sampling": ("sample",),
    "stirred.mechanisms.source": ("Source",),
    "stirred.spec.arguments": ("InputError",),
    "stirred.spec.blocks.domain": ("FiniteDomain", "Schema", "multisets", "ordered_data_sets", "tables_with_margins"),
    "stirred.spec.budgets.loss": ("INFINITE", "Loss"),
    "stirred.spec.numbers.rational_function": ("SYMBOL",),
    "stirred.verify.evidence.verdict": ("Verdict",),
    "stirred.audits": ("assert_satisfies", "audit", "smallest_budget"),
    "stirred.blocks": ("Blocks",),
    "stirred.comparison": ("ComparedBlocks", "compare"),
    "stirred.budget": ("convert",),
    "stirred.delta": ("privacy_curve", "smallest_delta"),
    "stirred.estimates": ("Estimate", "estimate"),
    "stirred.result": ("AuditResult", "NotSatisfiedError"),
    "stirred.decorator": ("check", "satisfies"),
    "stirred.explore": ("explore",),
    "stirred.verify.laws.foreign": ("Limits",),
}


if not TYPE_CHECKING:  # a type checker knows the names above, and refuses others
    __getattr__ = on_first_use(globals(), _HOMES)


def __dir__() -> list[str]:
    return __all__
