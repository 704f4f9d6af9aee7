"""The engines whose changes are tried, each with the tests that must notice them."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_CLAIMS = "quality/test_random_claims.py::test_the_auditor_agrees_with_the_oracle"
_SHARED = {"CLAIMS": _CLAIMS, "RENYI": f"{_CLAIMS}_on_normalized_renyi", "FAULTS": "quality/test_planted_faults.py"}
_PREMETRICS = "conformance/test_output_premetrics spec/test_output_premetrics spec/test_real_premetrics CLAIMS FAULTS"
_LISTED = """
spec/surveys/stages: spec/test_surveys
spec/surveys/settings: spec/test_surveys verify/ledger/claims/test_survey
verify/engines/exhaustive: CLAIMS verify/engines/test_exhaustive FAULTS
verify/audit/exhaust/claim: CLAIMS RENYI verify/audit/test_real_claims verify/audit/test_discrete_gaussian_claims
    verify/audit/test_audit verify/audit/test_exhausted_strata verify/audit/test_generator_mechanisms
    verify/laws/claim/test_account verify/laws/claim/test_own_premetric verify/laws/claim/test_symmetry
verify/engines/comparison: quality/test_comparison verify/engines/test_symmetry verify/engines/test_exhaustive
verify/engines/law_pairs: quality/test_comparison verify/engines/test_symmetry
verify/engines/symmetry: verify/engines/test_symmetry
verify/laws/claim/symmetry: verify/engines/test_symmetry verify/laws/claim/test_symmetry
verify/engines/universe_pairs: verify/engines/test_likelihood quality/test_comparison
verify/engines/zcdp/renyi_check: verify/engines/zcdp/test_renyi_check quality/test_comparison
verify/engines/swapping/loss: verify/engines/swapping/test_loss verify/engines/swapping/test_budget FAULTS
mechanisms/interpreters/exact_law: mechanisms/interpreters/test_exact_law FAULTS
verify/laws/claim/budget_cover: verify/laws/claim/test_budget_cover CLAIMS quality/test_rounding_meets_nothing
mechanisms/interpreters/choice_tree: mechanisms/interpreters/test_choice_tree mechanisms/interpreters/test_exact_law
    mechanisms/test_loops
mechanisms/interpreters/loop_masses: mechanisms/interpreters/test_choice_tree mechanisms/test_loops
mechanisms/interpreters/program_state: mechanisms/interpreters/test_program_state mechanisms/test_loops
mechanisms/interpreters/choice_follower: mechanisms/interpreters/test_choice_tree mechanisms/test_loops
mechanisms/interpreters/run_lister: mechanisms/interpreters/test_choice_tree mechanisms/test_loops
mechanisms/interpreters/choice_runs: mechanisms/interpreters/test_choice_tree verify/engines/test_likelihood
verify/engines/likelihood: verify/engines/test_likelihood FAULTS
spec/blocks/specification: spec/blocks/test_specification CLAIMS
spec/blocks/multiverse: spec/blocks/test_multiverse spec/blocks/test_specification
spec/laws/law: spec/laws/test_law mechanisms/interpreters/test_exact_law
spec/budgets/loss: spec/budgets/test_loss
spec/budgets/renyi_budget: spec/budgets/test_converted
verify/ledger/engines/polynomials: verify/ledger/engines/test_polynomials
verify/engines/swapping/moved_mass: verify/ledger/engines/test_mean_budget
verify/engines/swapping/balanced_rows: verify/engines/swapping/test_balanced_rows
verify/engines/zcdp/normalized_renyi: verify/engines/zcdp/test_normalized_renyi RENYI
"""


def _tests(names: str) -> tuple[str, ...]:
    return tuple(f"tests/{_SHARED.get(name, f'{name}.py')}" for name in names.split())


AREAS = {
    f"{module}.py": _tests(names)
    for module, _, names in (line.partition(": ") for line in _LISTED.strip().replace("\n    ", " ").splitlines())
} | {
    f"spec/output_premetrics/{file.name}": _tests(_PREMETRICS)
    for file in sorted((ROOT / "spec/output_premetrics").glob("[a-z]*.py"))
}
"""The engines and the tests that must notice every change in them."""
