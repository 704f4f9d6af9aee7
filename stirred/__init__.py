"""What a differential-privacy claim means, checked on the mechanism in exact arithmetic.

    smallest_budget     the smallest budget that a mechanism satisfies, exact
    audit               the auditor's answers about a mechanism and a claimed budget
    assert_satisfies    an audit as a test: an AssertionError shows pair, event and inequality
    estimate            a lower bound by sampling any callable, command or library object, with exact confidence
    prove               a budget for every number of records, by alignment of noise, certified; proved: as a test
    compare             the exact loss under mixtures of two sets of blocks
    smallest_delta      the smallest delta at an epsilon; privacy_curve: at every epsilon
    convert             a budget under other output premetrics
    satisfies, check    a claim on the mechanism itself, and its check
    explore             formulas: specifications with symbols, smallest budgets for every size

A mechanism is a function of a data set, a `Source` of randomness and its parameters. The five blocks of a claim are the
same everywhere, as keywords or as one `Blocks`: data_sets, invariants, distance, output (and delta), and the budget.
`Blocks` check mechanisms, refine each other, and are written as a claim file.
With `SYMBOL` as a parameter the smallest budget is a function of it, for all values at once.
Names are loaded on first use, so that `python -m stirred` imports nothing from the current folder.
"""

from typing import TYPE_CHECKING

from stirred.spec.first_use import on_first_use

if TYPE_CHECKING:
    from fractions import Fraction as Fraction

    from stirred.mechanisms.interpreters.sampling import sample as sample
    from stirred.mechanisms.source import Source as Source
    from stirred.spec.arguments import InputError as InputError
    from stirred.spec.blocks.domain import FiniteDomain as FiniteDomain
    from stirred.spec.blocks.domain import Schema as Schema
    from stirred.spec.blocks.domain import multisets as multisets
    from stirred.spec.blocks.domain import ordered_data_sets as ordered_data_sets
    from stirred.spec.blocks.domain import tables_with_margins as tables_with_margins
    from stirred.spec.budgets.loss import INFINITE as INFINITE
    from stirred.spec.budgets.loss import Loss as Loss
    from stirred.spec.numbers.rational_function import SYMBOL as SYMBOL
    from stirred.verify.api import explore as explore
    from stirred.verify.api.audits import assert_satisfies as assert_satisfies
    from stirred.verify.api.audits import audit as audit
    from stirred.verify.api.audits import privacy_curve as privacy_curve
    from stirred.verify.api.audits import smallest_budget as smallest_budget
    from stirred.verify.api.audits import smallest_delta as smallest_delta
    from stirred.verify.api.budget import convert as convert
    from stirred.verify.api.comparison import ComparedBlocks as ComparedBlocks
    from stirred.verify.api.comparison import compare as compare
    from stirred.verify.api.decorator import check as check
    from stirred.verify.api.decorator import satisfies as satisfies
    from stirred.verify.api.estimates import Estimate as Estimate
    from stirred.verify.api.estimates import estimate as estimate
    from stirred.verify.api.proving import prove as prove
    from stirred.verify.api.proving import proved as proved
    from stirred.verify.api.result import AuditResult as AuditResult
    from stirred.verify.api.result import NotSatisfiedError as NotSatisfiedError
    from stirred.verify.api.specification import Blocks as Blocks
    from stirred.verify.evidence.verdict import Verdict as Verdict
    from stirred.verify.laws.foreign import Limits as Limits
else:
    __getattr__, __dir__, __all__ = on_first_use(globals())
