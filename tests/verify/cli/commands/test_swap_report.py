"""The report of a swap: five blocks on top, figures of the records, and refusals before anything is written."""

import re
from collections import Counter

import pytest

from stirred.verify.cli.main import main

RECORDS = "size,tenure,county,income\n" + "".join(
    f"{place % 3},{'own' if place % 5 else 'rent'},{'ABCD'[place % 4]},{place * 17 % 101}\n" for place in range(600)
)
TABLES = '[[table]]\nname = "tenure by county"\nby = ["county", "tenure"]\n'
SWAP = ("--match", "size", "--swap", "county", "--hold", "tenure", "--swap-rate", "1/4", "--seed", "7")


@pytest.fixture
def homes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "homes.csv").write_text(RECORDS, encoding="utf-8")
    (tmp_path / "tables.toml").write_text(TABLES, encoding="utf-8")
    return tmp_path


def swapped(*more):
    return main(["swap", "homes.csv", *SWAP, *more])


def rows(page, title):
    """The rows of the table under a heading, as texts."""
    part = re.split(f"<h3>{title}", page)[1].split("<h3>")[0]
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall("<tr>.*?</tr>", part)]
    return cells[1:]


@pytest.mark.parametrize("form", ["--microdata", "--output"])
def test_a_swap_writes_a_page_with_its_blocks_and_its_figures(homes, capsys, form):
    assert swapped(form, "out.csv", "--report", "page.html", "--tables", "tables.toml") == 0
    assert capsys.readouterr().out.endswith("page.html: written\n")
    page = (homes / "page.html").read_text(encoding="utf-8")
    blocks = ["domain", "multiverse", "input premetric", "output premetric", "budget"]
    assert [page.index(f'scope="row">{name}<br>') for name in blocks] == sorted(
        page.index(f'scope="row">{name}<br>') for name in blocks
    )
    assert page.index("The release as five questions") < page.index("What was done") < page.index("Do it again")
    assert "no one or two columns that stay with their record were found to determine county" in page
    assert "stirred audit CLAIM.toml --data homes.csv out.csv --tables tables.toml --html page.html" in page
    (errors,) = rows(page, "How wrong the tables are</h3>")
    assert errors[:2] == ["tenure by county (county x tenure)", "8"]
    moved = rows(page, "How many moved, by size of the stratum")
    assert [row[:3] for row in moved] == [["100 to 999", "3", "600"]]
    if form == "--microdata":
        before = RECORDS.splitlines()
        after = (homes / "out.csv").read_text(encoding="utf-8").replace('"', "").splitlines()
        number = sum(one.split(",")[2] != other.split(",")[2] for one, other in zip(before, after, strict=True))
        assert f"{number} of 600 records" in page
        assert moved[0][3] == str(number)
        assert "by the law of the PSA at p = 1/4" in page
    else:
        assert "by the counts, at least " in page
    assert not re.search(r"<script|https?://(?!www\.w3\.org)", page)


def test_an_audit_shows_the_same_figures_of_the_files(homes, capsys):
    assert (
        swapped("--microdata", "out.csv", "--claim", "swap.toml", "--report", "page.html", "--tables", "tables.toml")
        == 0
    )
    capsys.readouterr()
    audit = ["audit", "swap.toml", "--data", "homes.csv", "out.csv"]
    assert main([*audit, "--html", "audit.html", "--tables", "tables.toml"]) == 3
    report, page = ((homes / name).read_text(encoding="utf-8") for name in ("page.html", "audit.html"))
    titles = ["How many moved, by group", "Who is alone", "How wrong the tables are</h3>", "What goes together"]
    for title in titles:
        assert rows(page, title) == rows(report, title) != []
    capsys.readouterr()
    assert main([*audit, "--tables", "tables.toml"]) == 2
    assert capsys.readouterr().err == "stirred: --tables requires --html\n"


def test_persons_who_are_carried_along_have_figures_of_their_own(homes, capsys):
    homes_lines = [f"{n},{n % 3},{'ABCD'[n % 4]},{'own' if n % 5 else 'rent'}" for n in range(400)]
    persons = [(n, "ABCD"[n % 4], f"age {k * n % 3}") for n in range(400) for k in range(1 + n % 3)]
    (homes / "houses.csv").write_text("\n".join(["hid,size,county,tenure", *homes_lines, ""]), encoding="utf-8")
    lines = [",".join(map(str, one)) for one in persons]
    (homes / "persons.csv").write_text("\n".join(["hid,county,age", *lines, ""]), encoding="utf-8")
    both = '[[table]]\nname = "ages"\nby = ["county", "age"]\n[[table]]\nname = "all"\nby = ["county"]\n'
    (homes / "tables.toml").write_text(both, encoding="utf-8")
    carried = ("--persons", "persons.csv", "--by", "hid", "--microdata", "out.csv", "--persons-output", "people.csv")
    swap = ["swap", "houses.csv", *SWAP, *carried, "--claim", "swap.toml", "--report", "page.html"]
    assert main([*swap, "--tables", "tables.toml"]) == 0
    audit = ["audit", "swap.toml", "--data", "houses.csv", "out.csv", "--persons", "persons.csv", "people.csv"]
    assert main([*audit, "--html", "audit.html", "--tables", "tables.toml"]) == 3
    page = (homes / "page.html").read_text(encoding="utf-8")
    assert "--persons persons.csv people.csv" in page
    after = [line.split(",") for line in (homes / "people.csv").read_text(encoding="utf-8").splitlines()[1:]]
    moved = Counter(age for (_, county, age), (_, other, _) in zip(persons, after, strict=True) if county != other)
    assert f"of the persons, {moved.total()} of {len(persons)} records" in page
    groups = rows(page, "Persons: how many moved, by group")
    assert {row[0]: int(row[2]) for row in groups} == {f"age {age}": number for age, number in moved.items()}
    counts = [Counter((county, age) for _, county, age in file) for file in (persons, after)]
    errors = [abs(counts[0][cell] - counts[1][cell]) for cell in {*counts[0], *counts[1]}]
    ages, everybody = rows(page, "Persons: how wrong the tables are</h3>")
    assert (ages[0], ages[2], ages[4]) == ("ages (county x age)", str(sum(map(bool, errors))), str(max(errors)))
    assert everybody[0] == "all (county)"
    assert [row[0] for row in rows(page, "How wrong the tables are</h3>")] == ["all (county)"]
    audited = (homes / "audit.html").read_text(encoding="utf-8")
    for title in re.findall("<h3>(Persons: [^<]*)", page):
        assert rows(page, re.escape(title) + "</h3>") == rows(audited, re.escape(title) + "</h3>")
    (homes / "few.csv").write_text("\n".join(["hid,county,age", *lines[:5], ""]), encoding="utf-8")
    capsys.readouterr()
    assert main([*audit[:-1], "few.csv", "--html", "few.html"]) == 1
    few = "few.csv does not hold those of persons.csv line by line"
    assert few in (homes / "few.html").read_text(encoding="utf-8")


def test_another_method_is_not_held_against_the_law_of_the_psa(homes, capsys):
    noise = ["swap", "homes.csv", "--method", "fibre-noise", "--match", "size", "--swap", "county", "--hold", "tenure"]
    assert main([*noise, "--epsilon", "2", "--microdata", "out.csv", "--report", "page.html"]) == 0
    page = (homes / "page.html").read_text(encoding="utf-8")
    assert "by the law of the PSA" not in page
    assert rows(page, "How many moved, by group")
    assert "Do it again" not in page  # audit does not compare its files


def test_targeted_swapping_has_a_report_too(homes, capsys):
    lines = ["hid,size,region,tenure", *(f"{n},{n % 3},{'AB'[n % 2]},{'own' if n % 5 else 'rent'}" for n in range(60))]
    (homes / "houses.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    method = ["--method", "targeted", "--match", "size", "--swap", "region", "--swap-rate", "1/5"]
    assert main(["swap", "houses.csv", *method, "--microdata", "out.csv", "--report", "page.html"]) in (0, 3)
    page = (homes / "page.html").read_text(encoding="utf-8")
    assert "of 60 records" in page
    assert "infinite (swap rate 1/5)" in page
    assert "Do it again" not in page  # audit does not compare its files
    assert "by the law of the PSA" not in page


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--report", "page.html"), "--report requires --microdata or --output"),
        (("--microdata", "out.csv", "--tables", "tables.toml"), "--tables requires --report"),
        (("--microdata", "out.csv", "--report", "out.csv"), "--report and --microdata must be different files"),
        (("--microdata", "out.csv", "--report", "homes.csv"), "--report and DATA must be different files"),
        (
            ("--microdata", "out.csv", "--report", "no/page.html"),
            "no/page.html: cannot be written: its folder does not",
        ),
        (("--microdata", "out.csv", "--report", "p.html", "--tables", "bad.toml"), "must name columns of the records"),
        (("--microdata", "out.csv", "--report", "p.html", "--engine", "spark"), "--report cannot be combined with"),
    ],
)
def test_a_report_that_cannot_be_is_refused_before_anything_is_written(homes, capsys, more, words):
    (homes / "bad.toml").write_text(TABLES.replace('tenure"', 'race"'), encoding="utf-8")
    assert swapped(*more) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert len(err.splitlines()) == 1
    assert not (homes / "out.csv").exists()
    assert (homes / "homes.csv").read_text(encoding="utf-8") == RECORDS


def test_a_missing_value_is_a_group_of_its_own_name(homes, capsys):
    (homes / "homes.csv").write_text(RECORDS.replace(",rent,", ",,"), encoding="utf-8")
    assert swapped("--nulls", "category", "--microdata", "out.csv", "--report", "page.html") == 0
    groups = [
        row[0] for row in rows((homes / "page.html").read_text(encoding="utf-8"), "How many moved, by group</h3>")
    ]
    assert {"tenure own", "tenure (no value)"} < {*groups}
