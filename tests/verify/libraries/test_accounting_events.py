"""Events of dp-accounting become accounts that are added up exactly; its own accountant agrees."""

from dataclasses import make_dataclass

import pytest

from stirred.spec import InputError
from stirred.verify.cli import main
from stirred.verify.libraries.accounting_events import account_of

FLAVOR = {"name": "town.events", "domain": "people of a town", "unit": "person"}


def event(kind, **members):
    """An event of dp-accounting's form."""
    return make_dataclass(kind, list(members))(**members)


GAUSSIAN = event("GaussianDpEvent", noise_multiplier=2.0)
LAPLACE = event("LaplaceDpEvent", noise_multiplier=4.0)


def test_composed_events_are_added_up(tmp_path, capsys):
    whole = event("ComposedDpEvent", events=[event("SelfComposedDpEvent", event=GAUSSIAN, count=3), GAUSSIAN])
    for total, status in (("0.5", 3), ("0.499", 1)):
        (tmp_path / "events.toml").write_text(account_of(whole, **FLAVOR, total=total))
        assert main(["audit", str(tmp_path / "events.toml")]) == status
    assert "1/2" in capsys.readouterr().out


def test_what_has_no_budget_here_is_refused():
    refused = [
        (event("PoissonSampledDpEvent", sampling_probability=0.1, event=GAUSSIAN), "made of Gaussian"),
        (event("ComposedDpEvent", events=[GAUSSIAN, LAPLACE]), "one measure; it has epsilon and rho_squared"),
        (event("NoOpDpEvent"), "holds none"),
        (event("SelfComposedDpEvent", event=GAUSSIAN, count=10**6), "at most 1000"),
        (event("GaussianDpEvent", noise_multiplier=0), "made of Gaussian"),
    ]
    for one, message in refused:
        with pytest.raises(InputError, match=message):
            account_of(one, **FLAVOR)


def test_events_of_the_library_itself_are_read():
    accounting = pytest.importorskip("dp_accounting")
    whole = accounting.SelfComposedDpEvent(accounting.LaplaceDpEvent(4.0), 2)
    assert account_of(whole, **FLAVOR).count('epsilon = "1/4"') == 2
    assert 'rho_squared = "1/8"' in account_of(accounting.ZCDpEvent(0.125), **FLAVOR)
