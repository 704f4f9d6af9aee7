"""What every module that reads a published format must do: one class, and two lines for each format."""

from pathlib import Path

import pytest

from stirred.spec import InputError
from stirred.verify.audit.records import p_table, phsafe, registry, safetab, topdown
from stirred.verify.audit.records.record_audit import FORMATS, audit_record, read_record, read_records
from stirred.verify.audit.records.record_kind import record_kind
from stirred.verify.evidence.files.exact_json import load_json
from stirred.verify.evidence.files.ini_files import load_ini
from stirred.verify.evidence.files.safe_yaml import load_yaml
from stirred.verify.laws.claim.five_blocks import FiveBlocks, Stated
from stirred.verify.laws.p_table_file import parse_p_table

FIXTURES = Path(__file__).parents[1] / "verify" / "audit" / "records" / "fixtures"
LOADERS = {"yaml": load_yaml, "ini": load_ini, "json": load_json, "p-table": parse_p_table}


def parsed(path):
    return LOADERS[record_kind(path)](str(path), path.read_text(encoding="utf-8"))


class Conformance:
    """The interfaces of `verify.audit.records.published_record`."""

    format = None
    file = None

    @property
    def path(self):
        return FIXTURES / self.file

    def test_it_is_listed_once_under_its_own_name(self):
        assert [one for one in FORMATS if one.NAME == self.format.NAME] == [self.format]
        assert record_kind(self.path) == self.format.FORM
        assert self.format.KEYS
        assert set(vars(self.format)) >= {"FORM", "KEYS", "NAME", "read", "recognizes"}

    def test_it_recognizes_its_own_files_only(self):
        assert self.format.recognizes(parsed(self.path))
        others = [other.file for other in Conformance.__subclasses__() if other.format is not self.format]
        assert [name for name in others if self.format.recognizes(parsed(FIXTURES / name))] == []
        assert [junk for junk in (None, [], {}, "", 3, True, ["privacy_budget"]) if self.format.recognizes(junk)] == []

    def test_a_file_is_read_by_it(self):
        assert read_record(self.path) == self.format.read(self.path, parsed(self.path))

    def test_the_record_says_what_it_is(self):
        record = read_record(self.path)
        assert record.path == self.path
        for text in (record.id, record.title, record.statement):
            assert text
            assert text.isprintable()
        assert record.statement.startswith(record.title)
        assert record.beside([]) == record
        assert read_records([self.path]) == (record,)

    def test_a_block_that_is_left_out_says_so(self):
        blocks = read_record(self.path).blocks
        assert isinstance(blocks, FiveBlocks)
        for block in blocks.by_name.values():
            assert block.text
            assert (block.stated is Stated.NOT) == block.text.startswith("not stated")

    def test_its_audit_begins_with_what_was_read_and_ends_with_what_is_outside(self):
        record = read_record(self.path)
        audited = audit_record(record)
        names = list(dict.fromkeys(answer.question for answer in audited.answers))
        assert (names[:2], names[-1]) == (["read", "complete"], "outside")
        assert (audited.id, audited.source, audited.statement) == (record.id, self.path.name, record.statement)
        (complete,) = (answer.evidence.detail for answer in audited.answers if answer.question == "complete")
        assert all(name in complete for name in record.blocks.named(Stated.NOT))

    def test_without_any_one_line_it_is_a_record_or_one_line_that_names_the_file(self, tmp_path):
        lines = self.path.read_text(encoding="utf-8").splitlines(keepends=True)
        path = tmp_path / self.file
        refusals = []
        for index in range(len(lines)):
            path.write_text("".join(lines[:index] + lines[index + 1 :]), encoding="utf-8")
            try:
                assert audit_record(read_record(path)).answers
            except InputError as error:
                refusals.append(str(error))
        assert 0 < len(refusals) < len(lines)
        assert [text for text in refusals if not text.startswith(str(path)) or "\n" in text] == []


class TestRegistry(Conformance):
    format, file = registry, "library_loans.yaml"


class TestTopDown(Conformance):
    format, file = topdown, "town_default.ini"


class TestPHSafe(Conformance):
    format, file = phsafe, "phsafe_us.json"


class TestSafeTab(Conformance):
    format, file = safetab, "safetab_p.json"


class TestPTable(Conformance):
    format, file = p_table, "town_ptable.csv"


def test_every_format_conforms():
    assert {one.format for one in Conformance.__subclasses__()} == set(FORMATS)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[1]", "must be a setting, a JSON object; got list"),
        ('{"a": 1}', "privacy_budget: missing key; a PHSafe setting has it, a SafeTab setting has privacy_budget_p_*"),
        (
            '{"privacy_budget": {}, "privacy_budget_p_level_1_usa": 1}',
            "privacy_budget: must not stand beside privacy_budget_p_* or privacy_budget_h_*",
        ),
    ],
)
def test_a_file_of_no_format_or_of_two_is_refused(tmp_path, content, said):
    (tmp_path / "s.json").write_text(content)
    with pytest.raises(InputError) as caught:
        read_record(tmp_path / "s.json")
    assert str(caught.value).startswith(f"{tmp_path / 's.json'}: {said}")
