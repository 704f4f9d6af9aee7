"""The exact losses on the pages of mechanisms: the catalogue's on small domains, the examples' as claimed."""

import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

from stirred.mechanisms.catalogue import CATALOGUE
from stirred.spec.arguments import InputError
from stirred.verify.cli.site.kept_run import kept_text
from stirred.verify.cli.site.mechanism_pages import KnownLoss, KnownLosses, setting_words, stated_examples
from stirred.verify.evidence.finding import EngineError
from stirred.verify.laws.foreign import DEFAULT_LIMITS

_CLAIM = """\
id = "{name}"
statement = "The smallest budget on a small domain."
[domain]
{domain}
[multiverse]
invariants = {invariants}
[input_premetric]
name = "{distance}"
resolution = "{unit}"
[output_premetric]
name = "multiplicative"
[mechanism]
{mechanism}
"""

_COUNTS = {
    "domain": "data_sets = [0, 1, 2, 3]",
    "invariants": "[]",
    "distance": "absolute_difference",
    "unit": "person",
}
_VOTES = {
    "domain": 'schema = { vote = ["no", "yes"], age = ["young", "old"] }\nrecords = 2',
    "invariants": "[]",
    "distance": "hamming_unordered",
    "unit": "voter",
}
_HOUSES = {
    "domain": "margins = [{ rows = [2, 1], columns = [1, 2] }]",
    "invariants": '["swapping"]',
    "distance": "hamming_unordered",
    "unit": "household",
}
_LAWS = 'laws = [[0, [["a", "2/3"], ["b", "1/3"]]], [1, [["a", "1/3"], ["b", "2/3"]]]]'

ASKED: Mapping[str, Mapping[str, str]] = {
    "permutation-swapping": {**_HOUSES, "mechanism": 'name = "permutation-swapping"\nswap_rate = "1/3"'},
    "fibre-noise": {**_HOUSES, "mechanism": 'name = "fibre-noise"\nroot = "1/2"'},
    "identity": {**_VOTES, "mechanism": 'name = "identity"'},
    "constant": {**_VOTES, "mechanism": 'name = "constant"'},
    "peeking-constant": {**_VOTES, "mechanism": 'name = "peeking-constant"'},
    "release-invariants": {**_VOTES, "invariants": '[["vote"]]', "mechanism": 'name = "release-invariants"'},
    "kernel": {**_COUNTS, "domain": "data_sets = [0, 1]", "mechanism": f'name = "kernel"\n{_LAWS}'},
    "clamped-geometric": {**_COUNTS, "mechanism": 'name = "clamped-geometric"\nsize = 4\nratio = "1/3"'},
    "random-rounding": {**_COUNTS, "mechanism": 'name = "random-rounding"\nbase = 3'},
    "truncated-geometric": {**_COUNTS, "mechanism": 'name = "truncated-geometric"\nsize = 4\nratio = "1/3"'},
}
"""Small claims without a budget, by the mechanisms that have numbers for parameters."""

OF_ALL_VALUES: Mapping[str, Mapping[str, Any]] = {
    "randomized-response": {"data_sets": [(0,), (1,)], "distance": "hamming_ordered", "flip_probability": "symbol"},
}
"""Arguments of `stirred.smallest_budget` for mechanisms whose loss is a formula of a parameter."""


def known_losses() -> KnownLosses:
    """The losses by the mechanisms' names, recomputed if the sources have changed."""
    kept = json.loads(kept_text("losses.json", _made))
    return {name: tuple(KnownLoss(**one) for one in losses) for name, losses in kept.items()}


def _made() -> str:
    losses = {**catalogued_losses(), **_of_examples()}
    return json.dumps({name: [asdict(one) for one in found] for name, found in losses.items()})


def catalogued_losses() -> KnownLosses:
    """The losses of the catalogue's mechanisms."""
    claims = {name: (_needed(name, _CLAIM.format(name=name, **parts)),) for name, parts in ASKED.items()}
    return {**claims, **{name: (_of_all_values(name, asked),) for name, asked in OF_ALL_VALUES.items()}}


def _of_all_values(name: str, asked: Mapping[str, Any]) -> KnownLoss:
    """The loss of a mechanism for all values of a parameter at once."""
    program = CATALOGUE[name].program
    if program is None:
        raise EngineError(f"{name} has no program")
    found = import_module("stirred").smallest_budget(program, **asked)
    words = ", ".join(f"{key}={value!r}" for key, value in asked.items())
    lines = (
        "import stirred",
        f"from {program.__module__} import {program.__name__}",
        f"print(stirred.smallest_budget({program.__name__}, {words}))",
    )
    return KnownLoss("\n".join(lines), "python", "", str(found), _latex(found))


def _needed(name: str, text: str) -> KnownLoss:
    """The smallest budget of a claim file, as `stirred derive mechanism` prints it."""
    from stirred.verify.audit.exhaust.claim import exhaust  # noqa: PLC0415
    from stirred.verify.laws.claim.read import build_claim  # noqa: PLC0415 only a whole site audits
    from stirred.verify.laws.claim.text import read_claims  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        (claim,) = read_claims([path])
        built = build_claim(claim, DEFAULT_LIMITS)
        (case,) = built.cases
        found = exhaust(built, case)
    if found is None:
        raise InputError(f"{name}: must have a loss on finite blocks")
    asked = f"$ cat claim.toml\n{text}$ stirred derive mechanism claim.toml"
    return KnownLoss(asked, "text", "", found.needed, _latex(found.smallest))


def _of_examples() -> KnownLosses:
    """The losses of the examples, under the claims that they carry."""
    return {one.__name__: tuple(_audited(one, claim) for claim in stated) for one, stated in stated_examples()}


def _audited(function: Callable[..., Any], stated: Any) -> KnownLoss:
    found = import_module("stirred.verify.api.audits").audit_of(function, stated)
    needed = import_module("stirred.verify.api.result").budget_text(found.smallest)
    return KnownLoss("", "", setting_words(stated), needed, _latex(found.smallest))


def _latex(smallest: Any) -> str:
    if hasattr(smallest, "latex"):
        return str(smallest.latex())
    return str(smallest.to_latex()) if hasattr(smallest, "to_latex") else ""
