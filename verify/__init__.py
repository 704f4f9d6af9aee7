"""How claims are checked. A room imports those below it in this list, `mechanisms` and `spec`; only `cli` lies loose.

    facade          what users import as `stirred`, and pytest's plugin
    cli, commands   what a person types, one module for each command
    products        the systems that a person runs, TopDown, PHSafe, surveys, swapping: settings, files, specification
    site            the ledger, its proofs, the guide and the reference as one static site, without a server
    records         published records and settings, read and audited
    claims          what the sources say, by concept: each claim with its property, cases, mutants and theorems;
                    beside them the items of each document and the published numbers as claim files
    studies         what mechanisms do to statistics, on data: draws that are kept, a table, pictures
    learn           what a budget lets someone learn: tests, posteriors, outcomes
    audit           what is asked of a claim, and the answers
    released        releases of TopDown, checked from their own files without the program that made them
    claim           the core claim: five blocks as objects, mechanism, budget, where it is made; its reader of TOML
    ledger          how a claim is stated and run (found by its text, in any module of claims), and the generated pages
    formulas        formulas for every size: guessed, tested beyond; inequalities of formulas, settled for all values
    reports         what was found, in one form, and the formats it is shown in: lines, terminal, JSON, CI, a page
    guide           prose for users: pages, one task each
    libraries       objects of other people's libraries, with the claims that they make themselves
    sampled         black boxes: draws, events that are learned from them, exact ends from fresh ones
    laws            the one road from a mechanism to its laws: of the library's computed here, of users' code listed by
                    two processes and compared
    outside         code that is not ours: started, confined, refused and watched
    files           files read whole up to a stated size, and written whole or not at all
    running         signals, time limits and processes of this program
    prose           sentences as tokens, numbers and phrases, for whoever compares words with numbers
    engines         how statements are decided
    pictures        one way of drawing, what a picture shows in words; at which points, which engines ask it
    evidence        what was found: verdict, evidence, witness
    certificates    re-checking witnesses with nothing but the standard library

Names below are loaded on first use, so that replaying a witness loads nothing else.
"""

from stirred.spec.first_use import on_first_use

_HOMES = {
    "stirred.verify.evidence.finding": ("Evidence",),
    "stirred.verify.evidence.verdict": ("Verdict",),
    "stirred.verify.engines.exhaustive": (
        "check_specification",
        "mechanism_laws",
        "universe_losses",
    ),
    "stirred.verify.engines.zcdp.normalized_renyi": ("normalized_renyi_squared",),
    "stirred.verify.engines.inference.power": (
        "power_bounds",
        "sharpest_power",
    ),
    "stirred.verify.engines.swapping.loss": ("universe_loss",),
}

__all__ = sorted(name for names in _HOMES.values() for name in names)  # noqa: PLE0605 the names are loaded lazily

__getattr__ = on_first_use(globals(), _HOMES)
