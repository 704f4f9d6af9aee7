"""The notebooks of the guide run from a clean start, are kept without outputs, and show what a notebook can show."""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from stirred.verify.cli.guide import page

FOLDER = Path(__file__).parents[2] / "verify" / "cli" / "guide" / "notebooks"
NAMES = sorted(path.name for path in FOLDER.glob("*.ipynb"))


def executed(notebook, folder):
    """The notebook with its outputs, run in an empty folder."""
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    return notebook


def outputs(notebook):
    """By the source of each cell of code: what it shows, by kind."""
    found = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            shows = [one.get("data", {one.get("name"): one.get("text")}) for one in cell.outputs]
            found[cell.source] = {kind: text for one in shows for kind, text in one.items()}
    return found


def shown(found, part):
    (output,) = [output for source, output in found.items() if part in source]
    return output


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Each notebook, run once."""
    return {
        name: outputs(executed(nbformat.read(FOLDER / name, as_version=4), tmp_path_factory.mktemp("run")))
        for name in NAMES
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_is_kept_without_outputs_and_is_small(name):
    notebook = nbformat.read(FOLDER / name, as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell for cell in cells if cell.outputs or cell.execution_count is not None] == []
    assert len(cells) <= 12
    assert notebook.cells[0].source.startswith("# ")
    assert (FOLDER / name).stat().st_size < 10_000


def test_the_auditor_sees_the_verdict_first(runs):
    found = runs["auditor.ipynb"]
    assert "FAIL (REFUTED)" in shown(found, "stirred.audit(")["text/html"].split("<tr>")[1]
    assert shown(found, "smallest_budget")["text/latex"] == r"$\ln 3 \approx 1.09861$"
    assert "PASS" not in shown(found, "households(x, y)")["text/html"].split("<tr>")[1]
    assert r"\toprule" in shown(found, "to_latex")["stdout"]
    assert "<svg" in shown(found, "found.plot")["image/svg+xml"]


def test_the_engineer_sees_formulas_curves_and_enclosures(runs):
    found = runs["engineer.ipynb"]
    assert r"\ln \frac" in shown(found, "symbol in")["text/latex"]
    assert "<svg" in shown(found, "loss.plot")["image/svg+xml"]
    assert shown(found, "sp.solve")["text/plain"].startswith("0.")
    assert "e^epsilon" in shown(found, "privacy_curve")["text/html"]
    assert "enclosed: at least" in shown(found, "convert")["text/html"]
    assert "PASS" in shown(found, "assert_satisfies")["text/html"].split("<tr>")[1]


def test_the_researcher_sees_what_was_compared_and_what_breaks(runs):
    found = runs["researcher.ipynb"]
    assert "PASS (EXHAUSTED)" in shown(found, "def chosen")["text/html"]
    assert "the guess n is refused: it fails at n = 6" in shown(found, "n if n < 6")["text/html"]
    assert "2*epsilon*k" in shown(found, "person.change_unit")["text/html"]
    assert "PASS (DECIDED)" in shown(found, "[k <= 5]")["text/html"]
    assert "FAIL (REFUTED)" in next(o for s, o in found.items() if s == "allowed.implied_by(twice)")["text/html"]


def test_the_page_names_every_notebook():
    assert set(re.findall(r"\(notebooks/([\w-]+\.ipynb)\)", page("formulas").text)) == set(NAMES)


def test_a_cell_that_fails_fails_the_run(tmp_path):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1/0")])
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        executed(notebook, tmp_path)
