"""The format `sarif`: the findings that fail, and remarks, as SARIF 2.1.0, as GitHub code scanning takes them."""

import hashlib
from importlib.metadata import version
from typing import Any
from urllib.parse import quote

from stirred.verify.evidence.certificates.printable import json_text, one_line
from stirred.verify.evidence.reports.lines import witness_line
from stirred.verify.evidence.reports.report import Finding, Place, Report
from stirred.verify.evidence.verdict import Verdict

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

_RULES = {
    "words": "The claimant's words do not differ from the blocks where they are compared.",
    "complete": "All five blocks of the specification are stated.",
    "vacuity": "The claim compares some data sets.",
    "account": "The account's conversions and totals are those of its releases.",
    "numbers": "The stated numbers agree with each other.",
    "mechanism": "Something is shown about the mechanism.",
    "budget": "The claimed budget covers the smallest one.",
    "data": "The records that the claim is about were looked at.",
    "file": "The released file is the one that its manifest describes, and the claim is about it.",
    "persons": "The persons are those before the swap, each where the household is.",
    "records": "The released records are those before the swap, apart from what is swapped.",
    "invariants": "The counts that a swap keeps are the same before and after it.",
    "stratum": "The sizes of the strata are as stated.",
    "universe": "The claimed budget is one for the universe of the records.",
    "determined": "What the invariants determine.",
    "outside": "What the claim does not cover.",
    "read": "What was read of a published record.",
    "prose": "The prose of a published record says what its parameters say.",
    "weakening": "Nothing makes the number smaller without more noise.",
    "meaning": "What the number means.",
    "consistent": "The statements of a published record agree with each other.",
    "conversion": "A converted budget covers the exact conversion.",
    "kernel": "The mechanism is the same under both claims.",
    "claim": "The claim holds.",
}


def render(report: Report) -> str:
    """One run with a result for each finding that fails or is a remark.

    A refutation is an error, an open answer that decides its claim a warning, a remark a note. What holds has no
    result: every result becomes an alert, and must have a location: a finding without one is located at the program's
    own name.
    """
    findings = [
        finding for result in report.results for finding in result.all_findings if finding.fails or finding.is_remark
    ]
    rules = list(dict.fromkeys(finding.rule for finding in findings))
    driver = {
        "name": "stirred",
        "version": version("stirred"),
        "rules": [_rule(name) for name in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "utf16CodeUnits",
        "invocations": [
            {
                "commandLine": report.command,
                "endTimeUtc": f"{report.made:%Y-%m-%dT%H:%M:%SZ}",
                "executionSuccessful": not report.not_audited,
            }
        ],
        "results": [
            _result(finding, rules.index(finding.rule), [f.name for f in findings[:place]].count(finding.name))
            for place, finding in enumerate(findings)
        ],
    }
    return json_text({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(name: str) -> dict[str, Any]:
    sentence = _RULES.get(name, f"The finding {name!r} holds.")
    return {
        "id": name,
        "name": name.title().replace("-", "").replace("_", "").replace(".", ""),
        "shortDescription": {"text": sentence},
        "fullDescription": {"text": sentence},
        "help": {"text": f"{sentence} A refutation comes with a witness that stirred replay re-checks."},
        "defaultConfiguration": {"level": "error"},
    }


def _result(finding: Finding, rule: int, before: int) -> dict[str, Any]:
    """One result, by the place of its rule and the number of findings of its name before it."""
    verdict = f"{finding.outcome}: {finding.verdict.name}: " if finding.fails else ""
    message = one_line(f"{finding.name}: {verdict}{finding.sentence} [{finding.scope}]")
    if finding.witness is not None:
        message += "\n" + witness_line(finding.witness).strip()
    related = [{"id": number, **_located(place)} for number, place in enumerate(finding.related, start=1)]
    return {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": "error" if finding.verdict is Verdict.REFUTED else "warning" if finding.fails else "note",
        "message": {"text": message},
        "locations": [_located(finding.place or Place("stirred"))],
        **({"relatedLocations": related} if related else {}),
        # the finding stays the same alert when its line moves or its figures change
        "partialFingerprints": {"finding/v1": hashlib.sha256(f"{finding.name}#{before}".encode()).hexdigest()},
    }


def _located(place: Place) -> dict[str, Any]:
    artifact = {"uri": _uri(place.file)}
    return {"physicalLocation": {"artifactLocation": artifact, "region": {"startLine": place.line}}}


def _uri(file: str) -> str:
    """A file as a URI: relative to the repository's root where the path is relative.

    >>> _uri("a b/c.toml"), _uri("/tmp/c.toml")
    ('a%20b/c.toml', 'file:///tmp/c.toml')
    """
    return ("file://" if file.startswith("/") else "") + quote(file)
