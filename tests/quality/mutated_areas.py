"""The engines whose changes are tried, each with the tests that must notice them."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_CLAIMS = "tests/quality/test_random_claims.py::test_the_auditor_agrees_with_the_oracle"
_RENYI = f"{_CLAIMS}_on_normalized_renyi"
_FAULTS = "tests/quality/test_planted_faults.py"
_COMPARED = "tests/quality/test_comparison.py"
_SYMMETRIC = "tests/verify/engines/test_symmetry.py"
AREAS = {
    "spec/surveys/stages.py": ("tests/spec/test_surveys.py",),
    "spec/surveys/settings.py": ("tests/spec/test_surveys.py", "tests/verify/ledger/claims/test_survey.py"),
    "verify/engines/exhaustive.py": (_CLAIMS, "tests/verify/engines/test_exhaustive.py", _FAULTS),
    "verify/audit/exhaust/claim.py": (
        _CLAIMS,
        _RENYI,
        *(f"tests/verify/audit/test_{one}_claims.py" for one in ("real", "discrete_gaussian")),
        *(f"tests/verify/audit/test_{one}.py" for one in ("audit", "exhausted_strata", "generator_mechanisms")),
        *(f"tests/verify/laws/claim/test_{one}.py" for one in ("account_parts", "own_premetric", "symmetry")),
    ),
    "verify/engines/comparison.py": (_COMPARED, _SYMMETRIC, "tests/verify/engines/test_exhaustive.py"),
    "verify/engines/law_pairs.py": (_COMPARED, _SYMMETRIC),
    "verify/engines/symmetry.py": (_SYMMETRIC,),
    "verify/laws/claim/symmetry.py": (_SYMMETRIC, "tests/verify/laws/claim/test_symmetry.py"),
    "verify/engines/universe_pairs.py": ("tests/verify/engines/test_likelihood.py", _COMPARED),
    "verify/engines/zcdp/renyi_check.py": ("tests/verify/engines/zcdp/test_renyi_check.py", _COMPARED),
    "verify/engines/swapping/loss.py": (
        "tests/verify/engines/swapping/test_loss.py",
        "tests/verify/engines/swapping/test_budget.py",
        _FAULTS,
    ),
    "mechanisms/interpreters/exact_law.py": ("tests/mechanisms/interpreters/test_exact_law.py", _FAULTS),
    "verify/laws/claim/budget_cover.py": (
        "tests/verify/laws/claim/test_budget_cover.py",
        _CLAIMS,
        "tests/quality/test_rounding_meets_nothing.py",
    ),
    "mechanisms/interpreters/choice_tree.py": (
        "tests/mechanisms/interpreters/test_choice_tree.py",
        "tests/mechanisms/interpreters/test_exact_law.py",
        "tests/mechanisms/interpreters/test_loop_masses.py",
        "tests/mechanisms/test_loops.py",
    ),
    "mechanisms/interpreters/loop_masses.py": (
        "tests/mechanisms/interpreters/test_loop_masses.py",
        "tests/mechanisms/test_loops.py",
    ),
    "mechanisms/interpreters/program_state.py": (
        "tests/mechanisms/interpreters/test_program_state.py",
        "tests/mechanisms/test_loops.py",
    ),
    "mechanisms/interpreters/choice_follower.py": (
        "tests/mechanisms/interpreters/test_choice_follower.py",
        "tests/mechanisms/interpreters/test_choice_tree.py",
        "tests/mechanisms/test_loops.py",
    ),
    "mechanisms/interpreters/run_weights.py": ("tests/mechanisms/interpreters/test_choice_tree.py",),
    "mechanisms/interpreters/run_lister.py": (
        "tests/mechanisms/interpreters/test_choice_tree.py",
        "tests/mechanisms/test_loops.py",
    ),
    "mechanisms/interpreters/choice_runs.py": (
        "tests/mechanisms/interpreters/test_choice_tree.py",
        "tests/verify/engines/test_likelihood.py",
    ),
    "verify/engines/likelihood.py": ("tests/verify/engines/test_likelihood.py", _FAULTS),
    **{
        f"spec/output_premetrics/{file.name}": (
            "tests/conformance/test_output_premetrics.py",
            *(f"tests/spec/test_{one}_premetrics.py" for one in ("output", "real")),
            *(_CLAIMS, _FAULTS),
        )
        for file in sorted((ROOT / "spec/output_premetrics").glob("[a-z]*.py"))
    },
    "spec/blocks/specification.py": ("tests/spec/blocks/test_specification.py", _CLAIMS),
    "spec/blocks/multiverse.py": ("tests/spec/blocks/test_multiverse.py", "tests/spec/blocks/test_specification.py"),
    "spec/laws/law.py": ("tests/spec/laws/test_law.py", "tests/mechanisms/interpreters/test_exact_law.py"),
    "spec/budgets/loss.py": ("tests/spec/budgets/test_loss.py",),
    "spec/budgets/renyi_budget.py": ("tests/spec/budgets/test_converted.py",),
    "verify/ledger/engines/polynomials.py": ("tests/verify/ledger/engines/test_polynomials.py",),
    "verify/engines/swapping/moved_mass.py": ("tests/verify/ledger/engines/test_mean_budget.py",),
    "verify/engines/swapping/balanced_rows.py": ("tests/verify/engines/swapping/test_balanced_rows.py",),
    "verify/engines/zcdp/normalized_renyi.py": ("tests/verify/engines/zcdp/test_normalized_renyi.py", _RENYI),
}
"""The engines and the tests that must notice every change in them."""
