"""No key and no name of any settings file is misspelt silently.

Each key, section and name of each kind of file is misspelt alone. The file is then refused, or it promises the same and
lists the word as not used: never is there a run with another multiverse, domain or budget.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from claim_texts import SCHEMA, SOUND
from published_files import settings as phsafe_settings
from quality.misspellings import Place, misspelt, misspelt_once, places
from quality.verdicts_of_texts import ACCOUNT, LISTED, RENYI, WORDS
from survey_files import PEOPLE, RATES, STRATA

from stirred.mechanisms.das.topdown.design import Tie, Weights
from stirred.spec import InputError
from stirred.verify.audit.compared_claims import read_recording
from stirred.verify.audit.records.record_audit import read_record
from stirred.verify.cli.commands.init import FILES
from stirred.verify.cli.commands.run_survey import EXAMPLE as RELEASE
from stirred.verify.cli.commands.survey import EXAMPLE as SURVEY
from stirred.verify.evidence.files.ini_files import load_ini
from stirred.verify.laws.claim.claim_numbers import account_blocks
from stirred.verify.laws.claim.five_blocks import five_blocks
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claims
from stirred.verify.laws.foreign import DEFAULT_LIMITS
from stirred.verify.laws.published_settings import known_keys
from stirred.verify.laws.surveys.survey_audit import build_survey
from stirred.verify.laws.surveys.survey_file import read_survey
from stirred.verify.products.phsafe.settings import read_settings as read_phsafe
from stirred.verify.products.survey.run import read_run
from stirred.verify.products.topdown.examples import EXAMPLES
from stirred.verify.products.topdown.files import read_schema, read_tables
from stirred.verify.products.topdown.settings import design_of, read_settings

FIXTURES = Path(__file__).parents[1] / "verify" / "audit" / "records" / "fixtures"
TOWN = EXAMPLES["town"]()

READ = """\
[DEFAULT]
INCLUDE = other.ini
[geodict]
geolevel_names = Block,Block_Group,Tract,County,State,US
geo_toplevel = US
geo_bottomlevel = Block
spine = opt_spine
[budget]
dp_mechanism = discrete_gaussian_mechanism
privacy_framework = zcdp
global_scale = 339/542
geolevel_budget_prop = 104/4099, 1440/4099, 447/4099, 687/4099, 1256/4099, 165/4099
strategy = ProductionCandidate20210527US_mult8_add02_dsepJune3
only_dyadic_rationals = False
epsilon_budget_total =
zero_error_geolevels =
[schema]
schema = PL94_2020_SCHEMA
[constraints]
theInvariants.Block = gqhh_vect, gqhh_tot
theInvariants.State = tot
theConstraints.Block = hhgq_total_lb, hhgq_total_ub, nurse_nva_0
theConstraints.US = total
[reader]
tables = Unit Person
privacy_table = Person
Person.histogram = hhgq votingage hispanic cenrace_das
Unit.histogram = hhgq_unit
hhgq = qgqtyp
hhgq.legal = 0-7
cenrace_das = cenrace
cenrace_das.legal = 0-62
[engine]
engine = programs.engine.topdown_engine.TopdownEngine
postprocess_only = off
aian_sum_constraints = False
[gurobi]
threads = 4
"""
"""Every key of the published settings that decides something."""


class Kind(NamedTuple):
    """A kind of settings file.

    Attributes:
        form: of its text.
        text: one of them.
        read: what the text in a file promises, and what is listed as not used; None where nothing needs to be.
        own: names that are the user's to choose; one that ends with a dot stands before such a name.
        is_weaker: whether a file that lists a word as not read may promise less.
    """

    form: str
    text: str
    read: Callable[[Path], tuple[object, object]]
    own: str = ""
    is_weaker: bool = False


def topdown(path: Path) -> tuple[object, object]:
    found = read_settings([str(path)])
    named = [[(name, level) for name, level, _ in kind] for kind in (found.kept, found.rules)]
    records = [(one.attributes, [(names, size) for names, size, _ in one.sizes]) for one in found.records]
    return (found.rho_squared, found.levels, found.shares, found.queries, named, records), found.unused


def town(path: Path) -> tuple[object, object]:
    """The design of a run on the example, whose files stand beside the settings."""
    for name, text in TOWN.items():
        target = path.parent / name
        if not target.exists() and target != path:
            target.parent.mkdir(exist_ok=True)
            target.write_text(text)
    is_schema = path.suffix == ".toml"
    settings = read_settings([str(path.with_name("settings.ini") if is_schema else path)])
    schema = read_schema(str(path if is_schema else path.with_name("schema.toml")))
    geography = read_tables(str(path.parent / "data"), schema).geography
    chosen = {"weights": Weights.PRECISION, "tie": Tie.SMALLEST}
    design = design_of(settings, schema.schema, geography, place="data", **chosen)
    return (design, schema), settings.unused


def claim(path: Path) -> tuple[object, object]:
    found = []
    for one in read_claims([path]):
        built = build_claim(one, limits=None)
        account = built.account and account_blocks(built.account)
        mechanism = built.mechanism
        found.append((one.id, one.statement, one.numbers, account, mechanism and (mechanism.name, mechanism.settings)))
        found.append(None if one.is_about_numbers_only else five_blocks(built).texts)
    return repr(found), None


def survey(path: Path) -> tuple[object, object]:
    read = build_survey(read_survey(str(path)), DEFAULT_LIMITS)
    return repr((read.read, read.read.file.units)), None


def record(path: Path) -> tuple[object, object]:
    found: Any = read_record(path)
    if path.suffix == ".yaml":
        return (found.parameters, found.blocks), found.unknown
    said = (found.runs, found.blocks, found.shares, found.missing, found.contradictions)
    return said, None if path.suffix == ".ini" else found.unread


def published() -> str:
    """The keys that decide, and every known one that does not."""
    ini = load_ini("x", READ)
    unused = {name: keys for name, keys in known_keys([ini], ["US"]).unused.items() if name != "reader"}
    return READ + "".join(
        f"[{section}]\n" + "".join(f"{key} = 1\n" for key in keys if ini.get(section, key) is None)
        for section, keys in unused.items()
    )


OF_THE_SCHEMA = "gqhh_vect gqhh_tot tot total hhgq_total_lb hhgq_total_ub nurse_nva_0 qgqtyp cenrace threads"
"""Names that are compared with the schema, as those of the town are."""

OF_A_RELEASE = "weight employed persons region north south missing"
OF_A_SURVEY = "employed yes no missing region income old people rates p s"
OF_A_CLAIM = "vote no yes own listed account a b swapping answer flip"
EVERYWHERE = "person household voter"
CLAIMS = {"claim": SOUND, "schema": SCHEMA, "listed": LISTED, "renyi": RENYI, "words": WORDS, "account": ACCOUNT}
SURVEYS = {"survey": SURVEY, "strata": STRATA, "people": PEOPLE, "rates": RATES}
PHSAFE = json.dumps(phsafe_settings(1, total_budget=46), indent=1)
KINDS = {
    "topdown": Kind("ini", published(), topdown, OF_THE_SCHEMA),
    "topdown, town": Kind("ini", TOWN["settings.ini"], town),
    "topdown, schema": Kind("toml", TOWN["schema.toml"], town, "hhinstlevels institution"),
    "phsafe": Kind("json", PHSAFE, lambda path: read_phsafe(str(path))),
    "run survey": Kind("toml", RELEASE, lambda path: (repr(read_run(str(path), None).read), None), OF_A_RELEASE),
    "recording": Kind("toml", "images = [[1, 2]]\n", lambda path: (read_recording(str(path)), None)),
    "init": Kind("toml", FILES["majority.toml"], claim, OF_A_CLAIM),
    **{name: Kind("toml", text, claim, OF_A_CLAIM) for name, text in CLAIMS.items()},
    **{name: Kind("toml", text, survey, OF_A_SURVEY) for name, text in SURVEYS.items()},
    **{
        f"audit of {path.name}": Kind(
            path.suffix[1:],
            path.read_text(),
            record,
            "District Town tot Person enabled theInvariants.",
            is_weaker=path.suffix != ".ini",
        )
        for path in sorted(FIXTURES.iterdir())
        if path.is_file() and path.suffix != ".csv"  # tests/verify/laws/test_p_table_file.py has its columns
    },
}


def silent(folder: Path, kind: Kind, words: Callable[[str], Iterator[str]]) -> list[str]:
    """The misspellings after which a file promises something else, or the same without a word."""
    path = folder / f"settings.{kind.form}"
    path.write_text(kind.text)
    promised, _ = kind.read(path)
    found = []
    for of_keys in (True, False):
        for place in places(kind.form, kind.text, of_keys=of_keys):
            for word in words(place.word):
                if _is_free(kind, place, word, of_keys=of_keys):
                    continue
                path.write_text(place.put(kind.text, word))
                try:
                    said, unused = kind.read(path)
                except InputError:
                    continue
                line = kind.text[kind.text.rfind("\n", 0, place.start) + 1 :].split("\n")[0]
                key = word if of_keys else re.split("[=:]", line)[0].strip(' \t{",')
                is_listed = unused is None or any(key.lower() in str(one).lower() for one in unused)
                is_listed |= not of_keys and word.lower() == place.word.lower()
                is_same = kind.is_weaker or repr(said).lower() == repr(promised).lower()
                if not is_same or not is_listed:
                    found.append(f"{line.strip()} -> {word}")
    return found


def _is_free(kind: Kind, place: Place, word: str, *, of_keys: bool) -> bool:
    """Whether a word is no misspelling: the user's own name, or the same key of an .ini file in other case."""
    own = (*kind.own.split(), *EVERYWHERE.split())
    is_key = of_keys and kind.form == "ini" and kind.text[place.start - 1] != "["
    return (
        word == place.word
        or place.word in own
        or any(word.startswith(prefix) for prefix in own if prefix.endswith("."))
        or (is_key and word.lower() == place.word.lower())
    )


@pytest.mark.parametrize("name", KINDS)
def test_a_misspelt_word_is_refused_or_listed(name: str, tmp_path: Path) -> None:
    assert silent(tmp_path, KINDS[name], misspelt) == []


@pytest.mark.nightly
@pytest.mark.parametrize("name", KINDS)
def test_a_random_misspelling_is_refused_or_listed(name: str, tmp_path: Path, changing_seed: int) -> None:
    random = Random(f"{name} {changing_seed}")  # noqa: S311 not for secrets
    assert silent(tmp_path, KINDS[name], lambda word: (misspelt_once(word, random) for _ in range(10))) == []


def test_a_reader_that_drops_what_it_does_not_know_is_found(tmp_path: Path) -> None:
    def dropping(path: Path) -> tuple[object, object]:
        ini = load_ini(str(path), path.read_text())
        return [ini.get("constraints", key) for key in ini.keys("constraints") if key.startswith("theInvariants.")], ()

    found = silent(tmp_path, Kind("ini", "[constraints]\ntheInvariants.State = votingage\n", dropping), misspelt)
    assert "theInvariants.State = votingage -> theInvariant.State" in found
    assert "[constraints] -> constraint" in found
    assert "theInvariants.State = votingage -> votingages" in found
