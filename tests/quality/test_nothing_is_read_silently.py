"""Nothing of a claim file is read silently as something else: it is used, or refused in one line."""

from pathlib import Path

import pytest
from claim_texts import SCHEMA, SOUND, audited, replaced
from quality.verdicts_of_texts import ACCOUNT, LISTED, RENYI, WORDS, record_of

from stirred.spec import InputError
from stirred.verify.cli.main import main
from stirred.verify.evidence.verdict import Verdict

NUMBER = '[[numbers]]\nwhat = "w"\nprinted = "2"\nformula = "b + 1"\nwhere = { b = 1 }\n'

SILENT = {
    # lists in which one entry silently won
    "pair twice": (
        LISTED,
        "[[0], [1], 1], ",
        "[[0], [1], 1], [[0], [1], 99], ",
        "distances[1]: the pair is listed twice",
    ),
    "pair twice, equal": (
        LISTED,
        "[[0], [1], 1], ",
        "[[0], [1], 1], [[0], [1], 1], ",
        "distances[1]: the pair is listed",
    ),
    "diagonal": (
        LISTED,
        "[[0], [1], 1], ",
        "[[0], [0], 5], ",
        "distances[0] must have the distance 0 from a data set to",
    ),
    "universe twice": (
        LISTED,
        "[[[0], [1]]]",
        "[[[0], [1]], [[1], [0]]]",
        "universes of a multiverse must be distinct",
    ),
    "data set twice": (LISTED, "[[[0], [1]]]", "[[[0], [1], [0]]]", "universes[0]: the data set (0,) is listed twice"),
    "domain twice": (LISTED, "data_sets = [[0], [1]]", "data_sets = [[0], [1], [0]]", "(0,) is listed twice"),
    "records twice": (SCHEMA, "records = 2", "records = [2, 2]", "must be distinct numbers of records"),
    "values twice": (SCHEMA, '["no", "yes"]', '["no", "no"]', "variable 'vote' must have distinct values"),
    "invariant twice": (SCHEMA, "invariants = []", 'invariants = ["size", "size"]', "invariants[1] is a duplicate"),
    "variable twice": (SCHEMA, "invariants = []", 'invariants = [["vote", "vote"]]', "invariants[0] has duplicates"),
    "rate twice": (SOUND, '"1/2"', '["1/2", "0.5"]', "swap_rate must be distinct rates; got 1/2, 1/2"),
    "no claim": ("claim = []\n", "claim = []", "claim = [ ]", "claim must have at least one claim; got none"),
    # true taken for 1
    "true among data sets": (
        LISTED,
        "data_sets = [[0], [1]]",
        "data_sets = [[0], [true]]",
        'got true: write 1 or "true"',
    ),
    "true in a universe": (LISTED, "[[[0], [1]]]", "[[[false], [true]]]", 'got false: write 0 or "false"'),
    "true in a pair": (LISTED, "[[0], [1], 1], ", "[[0], [true], 1], ", "distances[0][1][0] must be a text"),
    "true as a distance": (LISTED, "[[0], [1], 1], ", "[[0], [1], true], ", "distances[0][2] must be a text"),
    "true as a value": (SCHEMA, '["no", "yes"]', "[0, true]", "schema.vote[1] must be a text, an integer"),
    "true as gamma": (SCHEMA, "gamma = 2", "gamma = true", "budget.gamma must be a text, an integer"),
    "true as epsilon": (SCHEMA, "gamma = 2", "epsilon = [true]", "budget.epsilon[0] must be a text, an integer"),
    "true as a number of records": (SCHEMA, "records = 2", "records = true", "records must be a text, an integer"),
    "true as a margin": (SOUND, "rows = [2, 1]", "rows = [2, true]", "rows[1] must be a text, an integer"),
    "true as a rate": (SOUND, '"1/2"', "true", "swap_rate must be a text, an integer"),
    "true as an input": (SCHEMA + NUMBER, "{ b = 1 }", "{ b = true }", "where.b must be a text, an integer"),
    "true as a power": (
        replaced(
            SCHEMA,
            ("records = 2", "records = 1"),
            ('"multiplicative"', '"tradeoff"'),
            ("gamma = 2", "curve = [[0, 1], [1, 1]]"),
        ),
        "[1, 1]]",
        "[1, true]]",
        "curve[1][1] must be a text, an integer",
    ),
    # numbers in another notation
    "comma in a gamma": (SCHEMA, "gamma = 2", 'gamma = "1,099"', "got '1,099': write '1099' or '1.099'"),
    "comma in an epsilon": (SCHEMA, "gamma = 2", 'epsilon = "1,099"', "got '1,099': write '1099' or '1.099'"),
    "thousands": (WORDS, "= 10", '= "264,331"', "got '264,331': write '264331' or '264.331'"),
    "underscores": (SCHEMA, "gamma = 2", 'gamma = "_3_"', "got '_3_': write '3'"),
    "underscores in an epsilon": (SCHEMA, "gamma = 2", 'epsilon = "1_0"', "got '1_0': write '10'"),
    "full width": (SCHEMA, "gamma = 2", 'gamma = "３"', "must be an exact number in ASCII"),
    "other digits": (SCHEMA, "gamma = 2", 'epsilon = "٣.٥"', "must be an exact number in ASCII"),
    "plus": (SCHEMA, "gamma = 2", 'gamma = "+3"', "got '+3': write '3'"),
    "spaces": (SCHEMA, "gamma = 2", 'gamma = "1 000"', "got '1 000': write '1000'"),
    "space outside": (SCHEMA, "gamma = 2", 'epsilon = " 3"', "got ' 3': write '3'"),
    "narrow space": (SCHEMA, "gamma = 2", 'epsilon = "3\u202f000"', "must be an exact number in ASCII"),
    "leading zero": (SCHEMA, "gamma = 2", 'gamma = "007"', "write digits without leading zeros"),
    "no whole part": (SCHEMA, "gamma = 2", 'epsilon = ".5"', "write digits without leading zeros"),
    "no decimals": (SCHEMA, "gamma = 2", 'epsilon = "5."', "write digits without leading zeros"),
    "two points": (SCHEMA, "gamma = 2", 'epsilon = "1.000.000"', "write digits without leading zeros"),
    "comma in a distance": (LISTED, "[[0], [1], 1], ", "[[0], [1], '1,5'], ", "got '1,5': write '15' or '1.5'"),
    "comma in a parameter": (
        SCHEMA,
        'name = "identity"',
        'function = "json:dumps"\nparameters = { lie = "1,5" }',
        "parameters.lie must be an exact number such as '1/20' or '0.05'; got '1,5': write '15' or '1.5'",
    ),
    "comma in a formula's input": (SCHEMA + NUMBER, "{ b = 1 }", '{ b = "1,000" }', "write '1000' or '1.000'"),
    "comma in a total": (ACCOUNT, 'total = "1"', 'total = "3,016"', "write '3016' or '3.016'"),
    "comma in a part": (ACCOUNT, '"2.56"', '"2,56"', "write '256' or '2.56'"),
    "zero total": (ACCOUNT, 'total = "1"', 'total = "0.00"', "must have a digit other than 0, or be the exact"),
    "rounded away": (RENYI, '"3.016"', '"0.0"', "rho_squared must have a digit other than 0"),
    # negative and excessive numbers
    "negative rho": (RENYI, '"3.016"', '"-1"', "rho_squared must be non-negative; got -1"),
    "negative epsilon": (SCHEMA, "gamma = 2", 'epsilon = "-0.5"', "epsilon must be non-negative; got -1/2"),
    "delta of one": (
        SCHEMA,
        'name = "multiplicative"',
        'name = "approximate_multiplicative"\ndelta = 1',
        "delta must be at least 0 and below 1",
    ),
    "converted delta of one": (
        RENYI,
        '"3.016"',
        '"3.016"\nconverted = { epsilon = "3", delta = 1 }',
        "delta must be between 0 and 1, exclusive; got 1",
    ),
    # keys that would not be used
    "roles without a schema": (
        SOUND,
        'swap_rate = "1/2"',
        'swap_rate = "1/2"\nholding = ["a"]',
        "holding belongs to a domain",
    ),
    "roles in words": (
        WORDS,
        "swap_rate",
        'matching = ["State"]\nswap_rate',
        "holding must name at least one column, where the columns of the records are named",
    ),
    "distances by name": (
        WORDS,
        'name = "hamming_unordered"',
        'name = "hamming_unordered"\ndistances = []',
        "distances belongs to the input premetric 'explicit'",
    ),
    "resolution": (
        SOUND,
        'swap_rate = "1/2"',
        'swap_rate = "1/2"\nresolution = "person"',
        "resolution must be the input premetric's on a finite domain, 'household'; got 'person'",
    ),
    "unused input": (SCHEMA + NUMBER, "{ b = 1 }", "{ b = 1, p = 2 }", "must name only what the formula uses; got 'p'"),
    "printed beside gamma": (
        SCHEMA,
        "gamma = 2",
        'gamma = 2\nprinted = "0.69"',
        "printed belongs to by without epsilon",
    ),
    "printed beside epsilon": (
        WORDS,
        'epsilon = "9"',
        'epsilon = "9"\nby = "psa.budget.theorem"\nprinted = "5.34"',
        "printed belongs to by without epsilon",
    ),
    "two converted": (
        RENYI,
        '"3.016"',
        '"3.016"\nconverted = { epsilon = "3", printed = "3", delta = "1e-9" }',
        "exactly one of epsilon, printed must be given; got epsilon and printed",
    ),
    "by beside infinite": (
        WORDS,
        'epsilon = "9"',
        'epsilon = "infinite"\nby = "psa.budget.theorem"',
        "by cannot be combined with 'infinite'",
    ),
    "fewer printed than rates": (
        WORDS,
        'epsilon = "9"',
        'by = "psa.budget.theorem"\nprinted = ["1", "2"]',
        "printed must have one number for each swap rate, 1; got 2",
    ),
    "stratum of a schema": (
        replaced(
            SCHEMA,
            ('["no", "yes"] }', '["no", "yes"], a = [1, 2] }'),
            (
                'name = "identity"',
                'name = "permutation-swapping"\nswap_rate = "1/2"\nholding = ["vote"]\nswapping = ["a"]',
            ),
        ),
        'swap_rate = "1/2"',
        'swap_rate = "1/2"\nlargest_stratum = 2',
        "largest_stratum belongs to a domain in words, to margins, or to a budget with by",
    ),
    "distance without a curve": (
        replaced(LISTED, ('"multiplicative"', '"tradeoff"'), ("gamma = 3", "curve = [[0, 1], [1, 1]]")),
        "[[0], [1], 1], ",
        "[[0], [1], 2], ",
        "input_premetric must have the distances 0, 1 and infinity only for the output premetric 'tradeoff'; got 2",
    ),
}


class TestNothingIsReadSilently:
    """Class 3: what could be read in two ways, or would not be read, is refused at its key."""

    @pytest.mark.parametrize("name", SILENT)
    def test_it_is_refused_in_one_line(self, name: str) -> None:
        sound, old, new, expected = SILENT[name]
        if name != "no claim":
            record_of(sound)
        with pytest.raises(InputError) as caught:
            record_of(replaced(sound, (old, new)))
        assert expected in str(caught.value)
        assert "claim.toml: " in str(caught.value)
        assert "\n" not in str(caught.value)

    @pytest.mark.parametrize("value", [0, '"0"', '"0.0"'])
    def test_a_data_set_may_be_listed_at_the_distance_zero_from_itself(self, value: object) -> None:
        text = replaced(LISTED, ("[[0], [1], 1], ", f"[[0], [0], {value}], [[0], [1], 1], "))
        assert record_of(text).verdict is Verdict.EXHAUSTED

    def test_the_order_of_listed_distances_is_of_no_consequence(self) -> None:
        pairs = ["[[0], [1], 1]", '[[1], [0], "1/2"]', "[[1], [1], 0]"]
        verdicts = set()
        for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
            listed = ", ".join(pairs[i] for i in order)
            text = replaced(LISTED, ("[[[0], [1], 1], [[1], [0], 1]]", f"[{listed}]"), ("gamma = 3", "gamma = 9"))
            assert record_of(text).verdict is Verdict.EXHAUSTED
            verdicts.add(record_of(replaced(text, ("gamma = 9", "gamma = 8"))).verdict)
        assert verdicts == {Verdict.REFUTED}

    @pytest.mark.parametrize(
        ("images", "expected"),
        [
            ("[[0, 0], [0, 1], [1, 1]]", "images[1]: 0 is listed twice"),
            ("[[0, 0.0], [1, 1]]", "images[0][1] must be an exact number; got the float 0.0"),
            ("[[false, 0], [1, 1]]", "images[0][0] must be a text, an integer"),
            ("[[0, 0], [1, 1], [7, 1]]", "--recording must map data sets of a only; 7 is not one"),
            ("[[0, 0]]", "a recording map must be total; 1 has no image"),
        ],
    )
    def test_a_recording_map_is_read_like_a_claim(
        self, images: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        text = replaced(
            LISTED,
            ("[[0], [1]]", "[0, 1]"),
            ("universes = [[0, 1]]", "invariants = []"),
            ('name = "explicit"', 'name = "absolute_difference"'),
            ("distances = [[[0], [1], 1], [[1], [0], 1]]\n", ""),
            (
                'name = "randomized-response"\nflip_probability = "1/4"',
                'name = "truncated-geometric"\nsize = 2\nratio = "1/3"',
            ),
        )
        for name in ("a", "b"):
            (tmp_path / f"{name}.toml").write_text(text.replace('"listed"', f'"{name}"'), encoding="utf-8")
        (tmp_path / "map.toml").write_text(f"images = {images}\n", encoding="utf-8")
        files = [str(tmp_path / f"{name}.toml") for name in ("a", "b")]
        assert main(["compare", *files, "--recording", str(tmp_path / "map.toml")]) == 2
        assert expected in capsys.readouterr().err

    def test_a_boolean_may_be_a_parameter_of_a_mechanism(self, tmp_path: Path) -> None:
        (tmp_path / "own_flag.py").write_text("def release(data, source, *, flag):\n    return type(flag).__name__\n")
        text = replaced(SCHEMA, ('name = "identity"', 'function = "own_flag:release"\nparameters = { flag = true }'))
        assert audited(tmp_path, text).verdict is Verdict.EXHAUSTED
