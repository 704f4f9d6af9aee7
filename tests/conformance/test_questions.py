"""What every question of the auditor must do: one class for what is asked, one line for each question of claims."""

from pathlib import Path

import pytest
from claim_texts import CLAIMS, SCHEMA, SOUND, replaced

from stirred.verify.audit import questions, words
from stirred.verify.audit.audit import QUESTIONS, audit
from stirred.verify.audit.exhaust.claim import under_audit
from stirred.verify.audit.question import Answer, AuditQuestion, asked
from stirred.verify.audit.records import p_table, registry_audit, setting_audit
from stirred.verify.audit.records.record_audit import audit_record, read_records
from stirred.verify.evidence.reports.lines import finding_line
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claims

FIXTURES = Path(__file__).parents[1] / "verify" / "audit" / "records" / "fixtures"
NUMBERS = '[[numbers]]\nwhat = "w"\nprinted = "2"\nformula = "1 + 1"\n'
NUMBERS_ONLY = f'id = "n"\nstatement = "s"\n{NUMBERS}'
RELEASE = '[[account.releases]]\nname = "a"\nrho_squared = "2.56"\n'
ACCOUNT = f'[account]\ntotal = "2.56"\ndomain = "d"\ninvariants = []\nneighbors = "bounded"\nunit = "person"\n{RELEASE}'
ACCOUNT_ONLY = f'id = "n"\nstatement = "s"\n{ACCOUNT}'
IN_WORDS = 'id = "w"\nstatement = "s"\n[domain]\ndescription = "all people"\n[multiverse]\ndescription = "one"\n'
UNMEASURED = replaced(SCHEMA, ('[output_premetric]\nname = "multiplicative"\n', ""))
VACUOUS = replaced(SCHEMA, ("invariants = []", "universes = [[[['no'], ['no']]]]"))
SCATTERED = replaced(SCHEMA, ("invariants = []", 'invariants = [["vote"]]'))
CONFIDENT = replaced(SOUND, ("gamma = 4", "gamma = 1"))
UP_TO_DELTA = replaced(SOUND, ('name = "multiplicative"', 'name = "approximate_multiplicative"\ndelta = "1/10"'))
IRRATIONAL = replaced(UP_TO_DELTA, ("gamma = 4", 'epsilon = "0.1"'))
PARTED = 'rho_squared = "2.57"\n[output_premetric]\nname = "normalized_renyi"\n[mechanism]\nname = "composition"\n'
WRONG_SUM = f'id = "c"\nstatement = "s"\n[budget]\n{PARTED}parts = {{ a = "2.56", b = "0.07" }}\n'
SAID = replaced(SOUND, ("households.", "households satisfies epsilon = ln 4."))
IN_COLUMNS = replaced(
    SOUND,
    ("margins = [{ rows = [2, 1], columns = [1, 2] }]", 'description = "all homes"'),
    ('"1/2"', '"1/2"\nlargest_stratum = 10\nmatching = ["size"]\nholding = ["tenure"]\nswapping = ["county"]'),
)
HALVES = replaced(
    SCHEMA, ('"no", "yes"', "0, 1"), ('name = "identity"', 'name = "randomized-response"\nflip_probability = "1/2"')
)
MISSAID = replaced(SAID, ("ln 4", "ln 3"))

EXPECTED = {
    "complete": ((SOUND, Verdict.EXHAUSTED), (IN_WORDS, Verdict.OPEN), (NUMBERS_ONLY, None)),
    "vacuity": ((SOUND, Verdict.EXHAUSTED), (VACUOUS, Verdict.OPEN), (IN_WORDS, Verdict.OPEN), (NUMBERS_ONLY, None)),
    "account": ((ACCOUNT_ONLY, Verdict.OPEN), (f"{SOUND}{ACCOUNT}", Verdict.OPEN), (SOUND, None)),
    "numbers": ((NUMBERS_ONLY, Verdict.EXHAUSTED), (SOUND, Verdict.OPEN), (WRONG_SUM, Verdict.REFUTED)),
    "mechanism": ((SOUND, Verdict.EXHAUSTED), (UNMEASURED, Verdict.OPEN), (NUMBERS_ONLY, None)),
    "budget": ((SOUND, Verdict.EXHAUSTED), (CONFIDENT, Verdict.REFUTED), (UNMEASURED, Verdict.OPEN)),
    "delta": ((UP_TO_DELTA, Verdict.EXHAUSTED), (IRRATIONAL, Verdict.ENCLOSED), (SOUND, None), (NUMBERS_ONLY, None)),
    "weakening": ((SCATTERED, Verdict.EXHAUSTED), (SOUND, None), (UNMEASURED, None), (NUMBERS_ONLY, None)),
    "size": ((HALVES, Verdict.EXHAUSTED), (SOUND, None), (UNMEASURED, None), (NUMBERS_ONLY, None)),
    "data": ((IN_COLUMNS, Verdict.OPEN), (SOUND, None), (NUMBERS_ONLY, None)),
    "outside": ((SOUND, Verdict.OPEN), (NUMBERS_ONLY, None)),
    "words": ((SAID, Verdict.OPEN), (MISSAID, Verdict.OPEN), (SCHEMA, Verdict.OPEN), (NUMBERS_ONLY, Verdict.OPEN)),
}
"""For each question of claims: a claim with the verdict of its first answer, None where there is nothing to say."""


def built(folder, text):
    (folder / "claim.toml").write_text(text, encoding="utf-8")
    (claim,) = read_claims([folder / "claim.toml"])
    return build_claim(claim)


class Conformance:
    """The interface of `verify.audit.question.AuditQuestion`."""

    questions = ()

    def subjects(self, folder):
        """What is asked, each with the record of its audit."""
        raise NotImplementedError

    def test_each_has_a_name_of_its_own(self):
        names = [question.name for question in self.questions]
        assert len(set(names)) == len(names)
        assert all(name.isidentifier() for name in names)
        assert not {question.beside for question in self.questions} & set(names)

    def test_answers_carry_its_name_and_are_one_line_with_a_scope(self, tmp_path):
        heard = set()
        for subject, _ in self.subjects(tmp_path):
            for question in self.questions:
                for answer in question.answers(subject):
                    assert isinstance(answer, Answer)
                    assert not (question.is_advice and answer.decides)
                    assert answer.question in {question.name, question.beside} - {""}
                    evidence = answer.evidence
                    assert "\n" not in finding_line("id", evidence.verdict.name, evidence.detail, evidence.scope)
                    assert evidence.detail or evidence.verdict is Verdict.PROVED
                    heard.add(answer.question)
        assert heard == {question.name for question in self.questions} | {q.beside for q in self.questions} - {""}

    def test_the_audit_asks_them_in_order_and_adds_the_claim_to_witnesses_only(self, tmp_path):
        for subject, record in self.subjects(tmp_path):
            answers = asked(self.questions, subject)
            assert [(a.question, a.decides) for a in answers] == [(a.question, a.decides) for a in record.answers]
            assert [a.evidence.detail for a in answers] == [a.evidence.detail for a in record.answers]
            for answer in record.answers:
                if answer.evidence.witness is not None:
                    assert answer.evidence.witness["claim"]["id"] == record.id
            assert any(answer.decides for answer in answers)


class TestQuestionsOfClaims(Conformance):
    questions = QUESTIONS

    def subjects(self, folder):
        files = ("coin", "geometric")
        texts = [
            *(SOUND, SCHEMA, NUMBERS_ONLY, ACCOUNT_ONLY, IN_WORDS, UNMEASURED),
            *(VACUOUS, SCATTERED, CONFIDENT, WRONG_SUM, UP_TO_DELTA, IN_COLUMNS),
        ]
        for text in (*texts, *((CLAIMS / f"{name}.toml").read_text(encoding="utf-8") for name in files)):
            one = built(folder, text)
            yield under_audit(one), audit(one)

    def test_each_that_a_module_states_is_asked(self):
        stated = [*vars(questions).values(), *vars(words).values()]
        names = {one.name for one in stated if isinstance(one, AuditQuestion)}
        assert sorted(names) == sorted(question.name for question in QUESTIONS) == sorted(EXPECTED)

    @pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
    def test_its_first_answer_is_the_expected_one(self, tmp_path, question):
        for text, verdict in EXPECTED[question.name]:
            answers = list(question.answers(under_audit(built(tmp_path, text))))
            assert next((answer.evidence.verdict for answer in answers), None) is verdict, text


class OfRecords(Conformance):
    suffixes = ()

    def subjects(self, folder):
        paths = sorted(path for path in FIXTURES.iterdir() if path.suffix in self.suffixes)
        yield from ((record, audit_record(record)) for record in read_records(paths))


class TestQuestionsOfRegistryRecords(OfRecords):
    questions, suffixes = registry_audit.QUESTIONS, (".yaml",)


class TestQuestionsOfSettings(OfRecords):
    questions, suffixes = setting_audit.QUESTIONS, (".ini", ".json")

    def subjects(self, folder):
        yield from super().subjects(folder)
        text = (FIXTURES / "phsafe_us.json").read_text(encoding="utf-8")
        path = folder / "phsafe_of_one_state.json"
        path.write_text(text.replace("{", '{"state_filter": ["01"], ', 1), encoding="utf-8")
        (record,) = read_records([path])
        yield record, audit_record(record)


class TestQuestionsOfPTables(OfRecords):
    questions, suffixes = p_table.QUESTIONS, (".csv",)
