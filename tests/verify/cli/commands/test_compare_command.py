"""`stirred compare`: the worked examples with their exact losses, attribution, and what is refused."""

import json
from pathlib import Path

import pytest
from claim_texts import SCHEMA, replaced

from stirred.verify.cli.main import main

FOLDER = Path(__file__).parents[3] / "claims" / "compare"


def compare(capsys, *arguments):
    status = main(["compare", *map(str, arguments), "--json"])
    captured = capsys.readouterr()
    return status, {one["id"]: one for one in json.loads(captured.out)}


def pair(name):
    return FOLDER / f"{name}_honest.toml", FOLDER / f"{name}_claimed.toml"


@pytest.mark.parametrize(
    ("name", "corner", "honest", "claimed"),
    [
        # majority of three answers flipped at 1/4: P(majority) rises from 10/64 by 22/64 = 10/64·11/5, then falls off
        ("invariant", "HCHH", "ln(11/5)", "0"),
        # a household is two persons: (3)^2 against 3
        ("unit", "HHCH", "ln(9)", "ln(3)"),
        # P(1 | x) = (8 − x)/16: the last step is 2/16 to 1/16, the last one below 4 is 6/16 to 5/16
        ("top_coding", "CHHH", "ln(2)", "ln(6/5)"),
        # two answers: 9/16 − 1/4 = 5·(1/16) over distance 2
        ("delta", "HHHC", "ln(3)", "ln(5)/2"),
    ],
)
def test_worked_examples_have_their_exact_losses(capsys, name, corner, honest, claimed):
    status, found = compare(capsys, *pair(name))
    assert status == 1
    assert {key for key in found if key.startswith("loss.")} == {"loss.HHHH", f"loss.{corner}"}
    for key, loss in (("loss.HHHH", honest), (f"loss.{corner}", claimed)):
        assert found[key]["detail"].startswith(f"the smallest budget is {loss}"), found[key]["detail"]
    assert "identical" in found["kernel"]["detail"]
    assert found["budget.honest"]["verdict"] == found["budget.claimed"]["verdict"] == "EXHAUSTED"
    assert found["budget.transferred"]["verdict"] == "REFUTED"
    assert found["budget.transferred"]["witness"] is not None


@pytest.mark.parametrize("name", ["invariant", "unit", "top_coding", "delta"])
def test_a_refuted_line_and_its_witness_name_one_pair_and_one_event(capsys, name):
    found = compare(capsys, *pair(name))[1]["budget.transferred"]
    witness = found["witness"]
    x, y = (json.dumps(witness[key]).replace("[", "(").replace("]", ")") for key in ("x", "x_prime"))
    line = found["detail"].replace(",)", ")")
    assert f"; x = {x}, x' = {y}, d = {witness['distance']}, E = {{{', '.join(witness['event'])}}}: " in line
    assert f"P[E | x] = {witness['probability']} > " in line
    assert f" * {witness['probability_prime']}" in line


def test_more_pairs_than_are_laid_side_by_side_are_refused(capsys, tmp_path):
    large = tmp_path / "large.toml"
    large.write_text(pair("delta")[0].read_text().replace("records = 2", "records = 9"))
    assert "records = 9" in large.read_text()
    assert main(["compare", str(large), str(large)]) == 2
    # 2^9·(2^9 − 1)/2 pairs
    assert (
        "must have at most 100000 pairs of data sets that share a universe to be compared with another claim; it "
        in (capsys.readouterr().err)
    )


def test_a_file_without_a_budget_is_undecided(capsys, tmp_path):
    honest, claimed = pair("delta")
    for path in (honest, claimed):
        text = path.read_text().split("[budget]")
        (tmp_path / path.name).write_text(text[0] + "[mechanism]" + text[1].split("[mechanism]")[1])
    status, found = compare(capsys, tmp_path / honest.name, tmp_path / claimed.name)
    assert status == 3
    for name in ("honest", "claimed"):
        assert found[f"budget.{name}"]["detail"] == f"the {name} file states no budget"
    assert found["budget.transferred"]["verdict"] == "OPEN"


def test_another_unit_at_the_same_distances_is_another_block(capsys, tmp_path):
    honest, _ = pair("delta")
    other = tmp_path / "other.toml"
    other.write_text(honest.read_text().replace('resolution = "person"', 'resolution = "household of ten"'))
    _, found = compare(capsys, honest, other)
    assert found["kernel"]["detail"].endswith("the blocks differ in input_premetric")
    assert found["loss.HHHH"]["detail"].split(",")[0] == found["loss.HHCH"]["detail"].split(",")[0]


def test_nothing_differs_and_nothing_is_refuted(capsys):
    honest, _ = pair("unit")
    other = honest.read_text().replace('id = "unit.honest"', 'id = "again"')
    copy = FOLDER / "again.toml"
    try:
        copy.write_text(other)
        status, found = compare(capsys, honest, copy)
    finally:
        copy.unlink()
    assert status == 0
    assert found["kernel"]["detail"].endswith("no block differs")


def test_sizes_are_reported_block_by_block(capsys):
    _, found = compare(capsys, *pair("invariant"))
    assert found["sizes.multiverse"]["detail"] == (
        "honest: 1 universe of 8 data sets, 0 singletons; claimed: 4 universes of 1 to 3 data sets, "
        "2 singletons; 22 of 28 compared pairs lost"
    )
    _, found = compare(capsys, *pair("unit"))
    assert found["sizes.input_premetric"]["detail"] == (
        "d_claimed <= 2 * d_honest and d_honest <= 1 * d_claimed in the honest universes"
    )
    _, found = compare(capsys, *pair("delta"))
    assert "multiplicative needs ln(3)" in found["sizes.output_premetric.claimed"]["detail"]


@pytest.fixture
def files(tmp_path):
    def write(name, text):
        path = tmp_path / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


RESPONSE = replaced(
    SCHEMA,
    ('"identity"', '"randomized-response"\nflip_probability = "1/4"'),
    ('["no", "yes"]', "[0, 1]"),
    ("records = 2", 'records = 2\norder = "ordered"'),
    ("gamma = 2", "gamma = 3"),
    ("hamming_unordered", "hamming_ordered"),
)


def test_two_blocks_give_four_corners_and_averages_that_add_up(capsys, files):
    honest = files("h", RESPONSE)
    claimed = files(
        "c",
        replaced(
            RESPONSE,
            ('"own"', '"claimed"'),
            ('"multiplicative"', '"approximate_multiplicative"\ndelta = "1/8"'),
            ("invariants = []", 'invariants = [["vote"]]'),
        ),
    )
    _, found = compare(capsys, honest, claimed)
    assert {key for key in found if key.startswith("loss.")} == {f"loss.H{m}H{d}" for m in "HC" for d in "HC"}
    assert "averaged over all orders" in found["attribution.multiverse"]["detail"]
    assert "averaged over all orders" in found["attribution.output_premetric"]["detail"]


def test_a_changed_kernel_is_told_from_a_nominal_drop(capsys, files):
    honest = files("h", RESPONSE)
    claimed = files("c", replaced(RESPONSE, ('"own"', '"claimed"'), ('"1/4"', '"1/3"'), ("gamma = 3", "gamma = 2")))
    status, found = compare(capsys, honest, claimed)
    assert status == 1
    assert found["kernel"]["detail"].startswith("the kernel changed on 4 of 4 data sets")
    assert found["loss.claimed-kernel"]["detail"].startswith("under the claimed blocks the honest kernel needs ln(3)")
    assert found["budget.claimed"]["verdict"] == "EXHAUSTED"
    assert found["budget.transferred"]["verdict"] == "REFUTED"


def test_a_recording_map_joins_different_domains(capsys, files):
    text = (
        FOLDER.joinpath("top_coding_honest.toml")
        .read_text()
        .replace(
            'function = "mechanisms_compared:rare_answer"', 'name = "truncated-geometric"\nsize = 8\nratio = "1/2"'
        )
    )
    honest = files("h", text)
    claimed = files(
        "c",
        replaced(
            text, ('"top-coding.honest"', '"coded"'), ("data_sets = [0, 1, 2, 3, 4, 5, 6, 7]", "data_sets = [0, 1]")
        ),
    )
    recording = files("r", "images = [[0, 0], [1, 1], [2, 1], [3, 1], [4, 1], [5, 1], [6, 1], [7, 1]]")
    _, found = compare(capsys, honest, claimed, "--recording", recording)
    assert "the blocks differ in domain" in found["kernel"]["detail"]
    assert "changed on 6 of 8" in found["kernel"]["detail"]


def refused(capsys, *arguments):
    status = main(["compare", *map(str, arguments)])
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert status == 2
    return captured.err


def test_domains_without_a_map_are_refused_with_the_way_out(capsys, files):
    honest = files("h", RESPONSE)
    claimed = files("c", replaced(RESPONSE, ('"own"', '"claimed"'), ("records = 2", "records = 3")))
    assert "--recording must give a map" in refused(capsys, honest, claimed)


def test_maps_that_are_not_total_are_refused(capsys, files):
    honest, claimed = pair("top_coding")
    recording = files("r", "images = [[0, 0], [1, 1]]")
    assert "a recording map must be total; 2 has no image" in refused(capsys, honest, claimed, "--recording", recording)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("images = [[0, 0], [0, 1]]", "images[1]: 0 is listed twice"),
        ("images = [[0]]", "images[0] must be [data set, its image]; got [0]"),
        ("image = []", "image: unknown key; did you mean 'images'?"),
        ("images = [", "invalid TOML"),
    ],
)
def test_malformed_maps_are_refused(capsys, files, text, message):
    assert message in refused(capsys, *pair("top_coding"), "--recording", files("r", text))


def test_unknown_blocks_are_refused_with_the_nearest_one(capsys, files):
    bad = files("c", RESPONSE.replace("[multiverse]", "[multverse]"))
    assert "did you mean 'multiverse'?" in refused(capsys, files("h", RESPONSE), bad)


def test_claims_without_a_finite_flavor_are_refused(capsys, files):
    words = files("c", 'id = "words"\nstatement = "s"\n[domain]\ndescription = "people"\n')
    assert "must state a finite flavor and a mechanism" in refused(capsys, files("h", RESPONSE), words)


def test_premetrics_without_exact_distances_are_refused(capsys, files):
    renyi = files(
        "c", replaced(RESPONSE, ('"multiplicative"', '"normalized_renyi"'), ("gamma = 3", 'rho_squared = "1"'))
    )
    assert "to be compared exactly; got 'normalized_renyi'" in refused(capsys, files("h", RESPONSE), renyi)


def test_several_claims_in_a_file_are_refused(capsys, files):
    two = files(
        "h",
        '[[claim]]\nid = "a"\nstatement = "s"\nnumbers = [{what="w", printed="1", formula="1"}]\n' * 1
        + '[[claim]]\nid = "b"\nstatement = "s"\nnumbers = [{what="w", printed="1", formula="1"}]\n',
    )
    assert "must have exactly one claim; got 2" in refused(capsys, two, files("c", RESPONSE))


OWN = """\
def apart(x, y):
    return sum(a != b for a, b in zip(x, y))


def first(x, source, *, flip):
    return 1 - x[0][0] if source.bernoulli(flip) else x[0][0]
"""


@pytest.mark.parametrize("metric", ['name = "hamming_ordered"', 'function = "mine:apart"'])
@pytest.mark.parametrize("turned", [False, True])
def test_one_distance_in_two_files_does_not_differ_however_it_is_named(capsys, tmp_path, metric, turned):
    (tmp_path / "mine.py").write_text(OWN, encoding="utf-8")
    # answers flipped at 1/4, of which the first is told: ln 3 at distance 1; with the number of yes, at distance 2
    for place, (distance, invariants) in enumerate([('function = "mine:apart"', "[]"), (metric, '[["vote"]]')]):
        (tmp_path / f"{place}.toml").write_text(
            f"""
id = "mine.{place}"
source = "mine"
statement = "Randomized response."
domain = {{ schema = {{ vote = [0, 1] }}, records = 2, order = "ordered" }}
multiverse = {{ invariants = {invariants} }}
input_premetric = {{ {distance} }}
output_premetric = {{ name = "multiplicative" }}
budget = {{ gamma = 3 }}
mechanism = {{ function = "mine:first", parameters = {{ flip = "1/4" }} }}
""",
            encoding="utf-8",
        )
    files = [tmp_path / "0.toml", tmp_path / "1.toml"]
    status, found = compare(capsys, *(reversed(files) if turned else files))
    assert status == 0
    losses = {key: one["detail"] for key, one in found.items() if key.startswith("loss.")}
    assert {key: text.split(" ≈")[0] for key, text in losses.items()} == {
        key: f"the smallest budget is {loss}"
        for key, loss in zip(("loss.HHHH", "loss.HCHH"), ["ln(3)", "ln(3)/2"][:: -1 if turned else 1], strict=True)
    }
    assert not any("hidden" in key or "input_premetric" in key for key in found)
