"""Reports for tests: what holds, fails and stays open, with hostile texts in every place where a text may stand."""

from fractions import Fraction

from stirred.spec import Law, Loss
from stirred.verify.evidence.certificates.printable import one_line
from stirred.verify.evidence.reports.report import Bar, Finding, Place, Question, Report, Result, Safe
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import event_witness, formula_witness

HOSTILE = "<b>&\"'%,:\r\n::error::x\x1b[31m\u202e ]]></script><!-- é \ud800"
HALF, QUARTER = Law({"yes": Fraction(1, 2), "no": Fraction(1, 2)}), Law({"yes": Fraction(3, 4), "no": Fraction(1, 4)})

EVENT = event_witness(
    (HALF, QUARTER), ["no"], distance=1, claimed=Loss(Fraction(3, 2)), x=[[0], [1]], x_prime=[[0], [0]]
)

FORMULA = formula_witness("a <= 1", a=2)


def hostile_report() -> Report:
    """One claim with a finding of each kind, every text of which is hostile."""
    place = Place(f"a b/{one_line(HOSTILE)}.toml", 7)
    findings = (
        Finding(f"own.{HOSTILE}", "complete", Verdict.EXHAUSTED, HOSTILE, HOSTILE, decides=False, place=place),
        Finding("own.numbers", "numbers", Verdict.OPEN, HOSTILE, HOSTILE, decides=False, place=place),
        Finding("own.numbers", "numbers", Verdict.REFUTED, HOSTILE, HOSTILE, FORMULA, place=place),
        Finding("own.mechanism", "mechanism", Verdict.OPEN, HOSTILE, HOSTILE, place=place),
        Finding("own.budget", "budget", Verdict.REFUTED, HOSTILE, HOSTILE, EVENT, place=place, notes=("a note",)),
    )
    verdict = Finding("own", "claim", Verdict.REFUTED, HOSTILE, HOSTILE, place=place)
    bars = (
        Bar("HHHH", HOSTILE, "ln(2)", Fraction(2)),
        Bar("HCHH", HOSTILE, "0", Fraction(0)),
        Bar("CHHH", "x", "infinite"),
        Bar("CCHH", "x", "undefined"),
    )
    one = Result(
        verdict,
        findings,
        source=HOSTILE,
        statement=HOSTILE,
        claimed=HOSTILE,
        needed=HOSTILE,
        because=HOSTILE,
        questions=(Question("domain", "who?", HOSTILE),),
        picture=bars,
        safes=(Safe("data", HOSTILE, True, (HOSTILE, HOSTILE), HOSTILE), Safe("people", "who?", False, (), HOSTILE)),
        assumptions=(HOSTILE,),
        files=((HOSTILE, "0" * 64),),
    )
    held = Result(Finding("held", "claim", Verdict.PROVED, "it holds", "all of it"), statement="it holds")
    counts = "2 claims: 1 hold, 1 refuted, 0 undecided"
    return Report("audit", "stirred audit 'a b.toml'", [one, held], counts, [{"id": HOSTILE}], picture=bars)
