"""What users import and start as `stirred`: installed under that name, see `package-dir` in pyproject.toml.

    smallest_budget     the smallest budget that a mechanism satisfies, exact
    audit               the auditor's answers about a mechanism and a claimed budget
    assert_satisfies    the same for a test: an AssertionError shows pair, event and inequality
    compare             the exact loss under mixtures of two sets of blocks
    smallest_delta      the smallest delta at an epsilon; privacy_curve: at every epsilon
    convert             what one budget gives under other output premetrics
    satisfies, check    a claim on the mechanism itself, and its check

A mechanism is a function of a data set, a `Source` of randomness and its parameters. The five blocks of a claim are the
same everywhere, as keywords or as one `Blocks`: data_sets, invariants, distance, output (and delta), and the budget.
A parameter given as `SYMBOL` is left open: the smallest budget is then a function of it, for all values at once.
Names are loaded on first use, so that `python -m stirred` leaves the current folder alone.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fractions import Fraction

    from mechanisms.sampling import sample
    from mechanisms.source import Source
    from spec.arguments import InputError
    from spec.domain import FiniteDomain, Schema, multisets, ordered_data_sets, tables_with_margins
    from spec.loss import INFINITE, Loss
    from spec.rational_function import SYMBOL
    from verify.evidence.verdict import Verdict
    from verify.facade.audits import assert_satisfies, audit, smallest_budget
    from verify.facade.blocks import Blocks
    from verify.facade.comparison import ComparedBlocks, compare
    from verify.facade.conversion import convert
    from verify.facade.decorator import check, satisfies
    from verify.facade.delta import privacy_curve, smallest_delta
    from verify.facade.result import AuditResult, NotSatisfiedError
    from verify.outside.foreign import Limits

__all__ = [
    "INFINITE",
    "SYMBOL",
    "AuditResult",
    "Blocks",
    "ComparedBlocks",
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
    "mechanisms.sampling": ("sample",),
    "mechanisms.source": ("Source",),
    "spec.arguments": ("InputError",),
    "spec.domain": ("FiniteDomain", "Schema", "multisets", "ordered_data_sets", "tables_with_margins"),
    "spec.loss": ("INFINITE", "Loss"),
    "spec.rational_function": ("SYMBOL",),
    "verify.evidence.verdict": ("Verdict",),
    "verify.facade.audits": ("assert_satisfies", "audit", "smallest_budget"),
    "verify.facade.blocks": ("Blocks",),
    "verify.facade.comparison": ("ComparedBlocks", "compare"),
    "verify.facade.conversion": ("convert",),
    "verify.facade.delta": ("privacy_curve", "smallest_delta"),
    "verify.facade.result": ("AuditResult", "NotSatisfiedError"),
    "verify.facade.decorator": ("check", "satisfies"),
    "verify.outside.foreign": ("Limits",),
}


if not TYPE_CHECKING:  # a type checker knows the names above, and refuses others

    def __getattr__(name: str) -> Any:
        for module, names in _HOMES.items():
            if name in names:
                value = globals()[name] = getattr(import_module(module), name)
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
