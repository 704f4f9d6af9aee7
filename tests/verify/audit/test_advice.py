"""Advice decides nothing: it is looked for after the verdict, and where the time does not allow it, it is left open."""

import time

from claim_texts import SOUND, answer, audited

from stirred.verify.audit import audit as module
from stirred.verify.audit.question import Answer, AuditQuestion, asked
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.process_control.workload import Workload, working
from stirred.verify.evidence.verdict import Verdict


def question(name, seen, *, seconds=0.0, is_advice=False):
    """Answers after so many seconds, and says that it was asked."""

    def answers(_):
        seen.append(name)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            len("")
        yield Answer(name, Evidence(Verdict.EXHAUSTED, "scope", name), decides=not is_advice)

    return AuditQuestion(name, answers, is_advice=is_advice)


def details(answers):
    return [(one.question, one.evidence.verdict.name, one.decides) for one in answers]


def test_it_is_asked_last_and_answered_in_its_place():
    seen = []
    questions = (question("early", seen, is_advice=True), question("late", seen))
    with working("this", 60):
        found = details(asked(questions, None))
    assert seen == ["late", "early"]
    assert found == [("early", "EXHAUSTED", False), ("late", "EXHAUSTED", True)]


def test_it_takes_half_of_what_is_left_and_the_rest_of_the_audit_stands():
    seen = []
    questions = (question("late", seen), question("endless", seen, seconds=60, is_advice=True))
    begun = time.monotonic()
    with working("this", 1):
        found = asked(questions, None)
    assert details(found) == [("late", "EXHAUSTED", True), ("endless", "OPEN", False)]
    assert "raise --seconds" in found[1].evidence.detail
    assert time.monotonic() - begun < 30


def test_it_is_not_begun_when_no_time_is_left(monkeypatch):
    seen = []
    monkeypatch.setattr(Workload, "left", lambda _: -1)
    found = asked((question("late", seen, is_advice=True),), None)
    assert (seen, found[0].evidence.verdict) == ([], Verdict.OPEN)


def test_a_verdict_does_not_wait_for_it(tmp_path, monkeypatch):
    expected = audited(tmp_path, SOUND)
    slow = AuditQuestion("weakening", question("weakening", [], seconds=60).answers, is_advice=True)
    changed = tuple(slow if one.name == "weakening" else one for one in module.QUESTIONS)
    monkeypatch.setattr(module, "QUESTIONS", changed)
    monkeypatch.setattr(Workload, "left", lambda _: 0.5)
    record = audited(tmp_path, SOUND)
    assert (record.verdict, record.sentence) == (expected.verdict, expected.sentence)
    assert answer(record, "weakening").verdict is Verdict.OPEN
