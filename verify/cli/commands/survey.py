"""`stirred survey`: what the release of a survey loses, from the stage on where its protection starts."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.specification import Specification
from stirred.spec.budgets.loss import Loss
from stirred.spec.output_premetrics import Multiplicative
from stirred.spec.surveys.settings import SurveySetting, invariant_stages
from stirred.spec.surveys.stages import Stage
from stirred.spec.surveys.unit_data import UnitData
from stirred.verify.audit.words import Fact, budget_facts, measure_facts, parameter_facts, words_evidence, words_of
from stirred.verify.cli.commands.help_text import declare
from stirred.verify.cli.commands.options import add_limits, command_line, limits
from stirred.verify.engines.exhaustive import check_specification
from stirred.verify.engines.surveys.sensitivity import Sensitivity
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.process_control.workload import part, working
from stirred.verify.evidence.reports.formats import rendered
from stirred.verify.evidence.reports.lines import HOLDS, counted, exit_status, progress
from stirred.verify.evidence.reports.provenance import shown_path
from stirred.verify.evidence.reports.report import Finding, Place, Report, Result
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.budget import ClaimedBudget, claimed_budgets
from stirred.verify.laws.claim.budget_cover import covers, loss_bounds, shortfall
from stirred.verify.laws.surveys.claimable import claimable
from stirred.verify.laws.surveys.stated import epsilon_text
from stirred.verify.laws.surveys.survey_audit import AuditedSurvey, LevelLoss, build_survey, gamma_text
from stirred.verify.laws.surveys.survey_file import read_survey

_DIGITS = 12
_SETTINGS = "dissertation, Table 6.1; processed data: Figure 7.2"


def survey_report(survey: AuditedSurvey, command: str) -> Report:
    """Everything that is found about a survey."""
    budget = (
        None
        if survey.read.file.budget is None
        else claimed_budgets(survey.read.file.budget, Multiplicative(), None, None)[0]
    )
    own = survey.loss(survey.read.setting)
    losses = [survey.loss(setting) for setting in survey.settings if survey.is_quick(setting)]
    words = words_of({"statement": survey.read.file.statement}, _facts(survey, own, budget))
    said = ("words", words_evidence(words))
    named = [*_own(survey, own), *_run(survey), *claimable(survey, own), *_others(survey, losses), said]
    found = _verdict(survey, own, budget)
    if words.differing and found.verdict is not Verdict.REFUTED:
        found = replace(said[1], detail=f"undecided: {said[1].detail}; {found.detail}")
    verdict = _finding(survey, "", found, decides=True)
    *findings, last = (_finding(survey, name, evidence, decides=False) for name, evidence in named)
    findings.append(replace(last, is_fact=not words.differing))
    claimed = "" if budget is None else budget.text
    result = Result(
        verdict, tuple(findings), survey.read.file.path.name, survey.read.file.statement, claimed, str(own.loss)
    )
    result = replace(result, audited=_audited(survey, own, claimed), words=f'"{result.statement}"')
    records = [_record(one, losses, survey) for one in (*findings, verdict)]
    records[-1] |= {"audited": result.audited, "statement": result.statement}
    left = len(survey.settings) - len(losses)
    more = f" ({left} more with too many data sets for a comparison)" if left else ""
    counts = (
        f"{counted(len(findings) + 1, 'finding')}: {counted(len(losses), 'setting')}{more}, {_holds(verdict.verdict)}"
    )
    return Report("survey", command, [result], counts, records)


def _audited(survey: AuditedSurvey, own: LevelLoss, claimed: str) -> str:
    """The program's own sentence: the release with the stages inside it, the setting, and the budget."""
    inside = [step.words for step in survey.pipeline.steps[survey.pipeline.before(own.setting.level) :]]
    premetric, units = survey.read.premetric, counted(len(survey.read.file.units), "unit")
    return (
        f"{', '.join((*inside, survey.pipeline.release.words))}: {claimed or 'no budget is claimed'} in D_Mult for "
        f"each {premetric.resolution} ({premetric.name}), on all data sets of {units}, {own.setting}"
    )


def _facts(survey: AuditedSurvey, own: LevelLoss, budget: ClaimedBudget | None) -> list[Fact]:
    """What the survey's words are compared with; where no budget is claimed, the exact loss."""
    claimed, what = (ClaimedBudget(loss=own.loss), "exact loss") if budget is None else (budget, "budget")
    tables = (block.values for block in (*survey.read.file.mechanisms, *survey.read.file.stages))
    parameters = (fact for table in tables for fact in parameter_facts(table))
    return [*budget_facts(claimed, Multiplicative(), what=what), *measure_facts(Multiplicative()), *parameters]


def _holds(verdict: Verdict) -> str:
    return "1 refuted" if verdict is Verdict.REFUTED else "0 refuted"


def _finding(survey: AuditedSurvey, name: str, evidence: Evidence, *, decides: bool) -> Finding:
    label = f"{survey.read.file.id}{name and '.'}{name}"
    rule = name.partition(".")[0] or "budget"
    place = Place(shown_path(survey.read.file.path))
    return Finding(label, rule, evidence.verdict, evidence.detail, evidence.scope, evidence.witness, decides, place)


def _own(survey: AuditedSurvey, own: LevelLoss) -> Iterator[tuple[str, Evidence]]:
    inside = [step.words for step in survey.pipeline.steps[survey.pipeline.before(own.setting.level) :]]
    before = [step.words for step in survey.pipeline.steps[: survey.pipeline.before(own.setting.level)]]
    what = "; ".join([*inside, survey.pipeline.release.words])
    with part("invariant stages", 1) as done:
        kept = invariant_stages(survey.survey(own.setting.level), own.flavor, own.setting.level)
        done.advance()
    more = [stage.value for stage in kept if stage not in own.setting.invariant]
    also = f", and {' and '.join(more)} invariant by Definition 6.3.3 all the same" if more else ""
    sentence = f"{own.setting}{also}; inside the mechanism: {what}; before it: {'; '.join(before) or 'nothing'}"
    yield "setting", Evidence(Verdict.EXHAUSTED, _SETTINGS, sentence)
    yield "loss", _loss_evidence(own, _loss_sentence(own))
    if survey.pipeline.release.statistic is not None:
        yield "sensitivity", Evidence(Verdict.EXHAUSTED, _scope(own), _sensitivity(survey, own))


def _run(survey: AuditedSurvey) -> Iterator[tuple[str, Evidence]]:
    """What a run on records of any number states that it loses."""
    shares, stated = survey.read.shares, survey.read.stated
    if shares is None:
        return
    epsilon = sum(shares.values(), Fraction(0))
    sentence = f"stirred run survey states epsilon = {epsilon_text(epsilon)} of data of the {stated.value}, of any size"
    setting = survey.agnostic(stated)
    if not survey.refusal(setting):
        exact = survey.loss(setting).loss
        if exact.gamma is None or exact.epsilon(_DIGITS).upper > epsilon + Fraction(1, 10**9):
            raise EngineError(f"the exact loss {exact} is above {epsilon}, which a run would state")
        sentence += f"; the exact loss there is {exact}"
    yield "run", Evidence(Verdict.ARGUED, "a bound on how far one record moves each release, by its steps", sentence)


def _sensitivity(survey: AuditedSurvey, own: LevelLoss) -> str:
    words = survey.pipeline.release.statistic.words if survey.pipeline.release.statistic else ""
    if own.changed is None:
        return f"{words} is left to chance when the {own.setting.level.value} is given: it has no sensitivity there"
    return f"{words} changes by at most {_most(own.changed)} for each unit of distance"


def _most(changed: Sensitivity) -> str:
    return "infinity" if changed.value is None else str(changed.value)


def _scope(level: LevelLoss) -> str:
    domain, premetric = level.flavor.domain, level.flavor.input_premetric
    return (
        f"every pair in {counted(len(level.flavor.multiverse), 'universe')}, {counted(level.pairs, 'pair')} of "
        f"{len(domain)} {domain.name}, multiplicative, {premetric.name}, {premetric.resolution}"
    )


def _loss_evidence(level: LevelLoss, sentence: str) -> Evidence:
    """A sentence on the loss of a setting; where nothing is compared it has none to speak of."""
    verdict = Verdict.OPEN if level.vacuity.is_vacuous else Verdict.EXHAUSTED
    return Evidence(verdict, _scope(level), sentence)


def _loss_sentence(level: LevelLoss) -> str:
    if level.vacuity.is_vacuous:
        return f"0, and nothing is protected: {level.vacuity}"
    if level.worst is None:
        return "0: the release is the same whatever the data"
    x, y = map(_shown, level.worst)
    gamma = gamma_text(level.loss)
    return f"the smallest budget is {level.loss}, gamma = {gamma}, needed by x = {x}, x' = {y}"


def _shown(data: UnitData) -> str:
    """A data set as a person reads it.

    >>> _shown(((1, ("yes", Fraction(3, 2))), (2, (None, Fraction(1)))))
    '{1: yes 3/2, 2: missing 1}'
    """
    records = (f"{unit}: {' '.join('missing' if v is None else str(v) for v in record)}" for unit, record in data)
    return f"{{{', '.join(records)}}}"


def _others(survey: AuditedSurvey, losses: Sequence[LevelLoss]) -> Iterator[tuple[str, Evidence]]:
    """The loss in every other setting: another protection, never a better price for the same one."""
    for level in losses:
        if level.setting != survey.read.setting:
            sentence = f"{level.setting}: {_loss_sentence(level)}"
            if level.changed is not None and not level.vacuity.is_vacuous:
                sentence += f"; the statistic changes by at most {_most(level.changed)}"
            yield f"elsewhere.{_name(level.setting)}", _loss_evidence(level, sentence)


_NAMES = {Stage.RESPONDING: "response", Stage.PROCESSED: "processed"}


def _name(setting: SurveySetting) -> str:
    """The setting as the file writes it."""
    level = _NAMES.get(setting.level, setting.level.value)
    return (
        f"{level}.{_NAMES.get(setting.invariant[-1], setting.invariant[-1].value) if setting.invariant else 'nothing'}"
    )


def _verdict(survey: AuditedSurvey, own: LevelLoss, budget: ClaimedBudget | None) -> Evidence:
    scope = _scope(own)
    if own.vacuity.is_vacuous:
        return own.vacuity.evidence(scope)
    if budget is None:
        return Evidence(Verdict.EXHAUSTED, scope, f"{own.setting}: {own.loss} is needed, and no budget is claimed")
    met = covers(budget, own.loss)
    if met is None:
        return Evidence(Verdict.OPEN, scope, f"the claimed {budget.text} and {own.loss} agree to 48 digits")
    if met:
        return Evidence(Verdict.EXHAUSTED, scope, f"met: the claimed {budget.text} covers {own.loss}")
    laws = survey.laws(own.setting.level)
    high = next(high for _, high in loss_bounds(budget) if own.loss > high)
    refuted = check_specification(laws, Specification.constant(own.flavor, high), scope)
    detail = f"exceeded by {shortfall(budget, own.loss)}: the claimed {budget.text} is below {own.loss}"
    return Evidence(Verdict.REFUTED, scope, detail, refuted.witness)


def _record(finding: Finding, losses: Sequence[LevelLoss], survey: AuditedSurvey) -> dict[str, Any]:
    """The finding as JSON; of a loss γ, its distance and bounds on ε."""
    found: dict[str, Any] = {
        "id": finding.name,
        "verdict": finding.verdict.name,
        "detail": finding.sentence,
        "scope": finding.scope,
        "witness": finding.witness,
    }
    names = {f"{survey.read.file.id}.elsewhere.{_name(one.setting)}": one for one in losses}
    own = survey.loss(survey.read.setting)
    level = own if finding.name in (survey.read.file.id, f"{survey.read.file.id}.loss") else names.get(finding.name)
    if level is not None:
        found |= {"setting": str(level.setting), "pairs": level.pairs, **_loss_record(level.loss)}
    return found


def _loss_record(loss: Loss) -> dict[str, Any]:
    if loss.gamma is None:
        return {"gamma": None, "distance": 1, "epsilon": None}
    bounds = loss.epsilon(_DIGITS)
    return {"gamma": str(loss.gamma), "distance": loss.distance, "epsilon": [_text(bounds.lower), _text(bounds.upper)]}


def _text(number: Fraction) -> str:
    return str(number)


EXAMPLE = """\
id = "town.jobs"
statement = "A noisy count of the employed in a sample of two of three persons."

[population]                      # all data sets of these records, one for each unit
schema = { employed = ["yes", "no", "missing"] }
units = 3
missing = "missing"               # the value that stands for no answer

[[stage]]
kind = "frame"

[[stage]]
kind = "design"
name = "simple-random-sample"
size = 2

[[stage]]
kind = "imputation"
name = "hot-deck"
variable = "employed"
otherwise = "no"                  # where nobody has answered

[mechanism]
name = "geometric"                # P(noise = k) in proportion to ratio^|k|
statistic = "count"
where = { employed = "yes" }
ratio = "1/2"

[protection]
starts = "frame"                  # the data that the mechanism takes; what follows is inside it
invariant = "nothing"
distance = "hamming_unordered"
resolution = "person"
"""
"""A simple random sample, imputation by hot deck, and geometric noise on a count."""


_EPILOG = """\
FILE is TOML. The population is small enough to list, and the law of the release is computed exactly on every possible \
data set: the loss in the setting of [protection], what may be claimed for the frame and what may not, and the loss in \
every other setting. Those protect something else, so a smaller loss there is not a better price.

  [population]   schema (values of each variable), units (how many, or their
                 names), missing (the value for no answer), collected (variables
                 that only the survey collects, so that no invariant fixes them);
                 for stirred run survey also weight (a column) and numbers
                 (variables with any value between those listed)
  [[stage]]      a kind and its keys, in the order of the survey
  [mechanism]    or [[mechanism]] with a label each: a name and its keys
  [calibration]  counts (a label), totals (by variable): applied after the noise
  [protection]   starts (population, frame, sample, response, processed),
                 invariant (nothing, or an earlier stage), distance
                 (hamming_unordered, changed_units, symmetric_difference),
                 resolution
  [budget]       epsilon or gamma, if one is claimed

kinds of stages:
  frame          units, coverage
  design         name and the keys of the design, inclusion (checked)
  non-response   rate, or by with rates; variable if only its answer is missing
  weights        name and the keys of the weights, depends_on (variables)
  imputation     name and the keys of the imputation, variable, classes

designs:
  simple-random-sample  size
  bernoulli             rate
  poisson               by, rates
  stratified            by, and sizes, proportional or neyman (with variable)
  randomly-rounded      by, rate
  cluster               by, number
  two-stage             by, number, size
  systematic            step, order
  pps                   measure, size, order
  sampford              measure, size
  with-replacement      size, measure; a unit drawn t times weighs t/(size*p)

weights:
  design                no keys
  non-response          by
  post-stratification   by, totals
  raking                margins with one sum, rounds (at most 20)
  greg                  totals, units (of the population)

imputations:
  hot-deck, class-mode  otherwise, the value if there is no donor
  sequential-hot-deck   otherwise, donations
  noisy-table           ratio, largest

mechanisms:
  geometric             statistic (count, total, mean), of, where, cells
                        (variables), unit (round to multiples), ratio or
                        epsilon; of a mean population or otherwise; largest
                        (weight that counts), least and most (clamp)
  randomized-response   of, flip_probability
  function = "m:f"      parameters; your own function of data and source

Rates, sizes, totals and inclusion are arrays of [value, number].

examples:
  stirred survey --example > survey.toml   write a survey file to start from
  stirred survey survey.toml --json
  stirred run survey --settings survey.toml --data sample.csv --output out.csv
      the same mechanism on any number of records

exit status: 0 the loss is printed, and a claimed budget covers it; 1 the claimed budget is refuted; 2 usage or engine \
failure; 3 undecided, or vacuous: the setting compares no two data sets.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = declare(
        subparsers,
        "survey",
        run,
        description="Compute the exact loss of a survey's release, by where its protection starts.",
        epilog=_EPILOG,
    )
    parser.add_argument("file", nargs="?", metavar="FILE", help="survey file")
    parser.add_argument("--example", action="store_true", help="print a survey file to start from")
    parser.add_argument("--json", action="store_true", help="print JSON, with exact fractions")
    add_limits(parser, "the whole survey")


def run(arguments: argparse.Namespace) -> int:
    """Enumerate and print; returns the exit status."""
    if arguments.example == (arguments.file is not None):
        raise InputError("pass FILE, or --example on its own")
    if arguments.example:
        sys.stdout.write(EXAMPLE)
        return HOLDS
    allowed = limits(arguments)
    with working(f"the survey of {arguments.file}", allowed.seconds), progress(1) as display:
        display.advance(arguments.file)
        survey = build_survey(read_survey(arguments.file), allowed)
        found = survey_report(survey, command_line("survey", [arguments.file], arguments))
    sys.stdout.write(rendered(found, "json" if arguments.json else "text") + "\n")
    return exit_status([found.results[0].verdict.verdict])
