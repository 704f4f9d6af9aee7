"""What is kept by the content of the sources is made once, and made again when they change."""

import pytest

from stirred.verify.site import kept_run
from stirred.verify.site.kept_run import digest_of_sources, kept_text


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """A project of one module, whose cache is a folder of the test."""
    for room in ("spec", "mechanisms", "verify/site"):
        (tmp_path / room).mkdir(parents=True)
    (tmp_path / "spec" / "a.py").write_text("x = 1\n")
    monkeypatch.setattr(kept_run, "_ROOT", tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def made(texts):
    return lambda: texts.pop(0)


def test_it_is_made_once(sources):
    texts = ["first", "second"]
    assert [kept_text("run.json", made(texts)) for _ in range(3)] == ["first"] * 3


def test_it_is_made_again_when_a_source_changes_and_the_older_goes(sources):
    texts = ["first", "second"]
    kept_text("run.json", made(texts))
    (sources / "spec" / "a.py").write_text("x = 2\n")
    assert kept_text("run.json", made(texts)) == "second"
    assert len(list((sources / "cache" / "stirred").iterdir())) == 1


@pytest.mark.parametrize(
    ("file", "changes"), [("spec/b.toml", True), ("verify/site/page.py", False), ("spec/n.md", False)]
)
def test_it_depends_on_what_a_verdict_depends_on(sources, file, changes):
    before = digest_of_sources()
    (sources / file).write_text("y")
    assert (digest_of_sources() != before) == changes


def test_a_cache_that_cannot_be_written_to_costs_a_run_only(sources):
    (sources / "cache").write_text("a file")
    assert kept_text("run.json", made(["first"])) == "first"
