"""Nothing of a claim file is read silently as something else: it is used, or refused in one line."""

from pathlib import Path

import pytest
from claim_texts import SCHEMA, SOUND, audited, changed, replaced
from quality.verdicts_of_texts import ACCOUNT, LISTED, RENYI, WORDS, record_of

from stirred.spec import InputError
from stirred.verify.cli.main import main
from stirred.verify.evidence.verdict import Verdict

NUMBER = '[[numbers]]\nwhat = "w"\nprinted = "2"\nformula = "b + 1"\nwhere = { b = 1 }\n'

CURVE = replaced(
    SCHEMA,
    ("records = 2", "records = 1"),
    ('"multiplicative"', '"tradeoff"'),
    ("gamma = 2", "curve = [[0, 1], [1, 1]]"),
)
LISTED_CURVE = replaced(LISTED, ('"multiplicative"', '"tradeoff"'), ("gamma = 3", "curve = [[0, 1], [1, 1]]"))
SWAP = replaced(
    SCHEMA,
    ('["no", "yes"] }', '["no", "yes"], a = [1, 2] }'),
    ('name = "identity"', 'name = "permutation-swapping"\nswap_rate = "1/2"\nholding = ["vote"]\nswapping = ["a"]'),
)

SILENT = {
    LISTED: r"""
        pair twice: [[0], [1], 1], => [[0], [1], 1], [[0], [1], 99], ! distances[1]: the pair is listed twice
        pair twice, equal: [[0], [1], 1], => [[0], [1], 1], [[0], [1], 1], ! distances[1]: the pair is listed
        diagonal: [[0], [1], 1], => [[0], [0], 5], ! distances[0] must have the distance 0 from a data set to
        universe twice: [[[0], [1]]] => [[[0], [1]], [[1], [0]]] ! universes of a multiverse must be distinct
        data set twice: [[[0], [1]]] => [[[0], [1], [0]]] ! universes[0]: the data set (0,) is listed twice
        domain twice: data_sets = [[0], [1]] => data_sets = [[0], [1], [0]] ! (0,) is listed twice
        true among data sets: data_sets = [[0], [1]] => data_sets = [[0], [true]] ! got true: write 1 or "true"
        true in a universe: [[[0], [1]]] => [[[false], [true]]] ! got false: write 0 or "false"
        true in a pair: [[0], [1], 1], => [[0], [true], 1], ! distances[0][1][0] must be a text
        true as a distance: [[0], [1], 1], => [[0], [1], true], ! distances[0][2] must be a text
        comma in a distance: [[0], [1], 1], => [[0], [1], '1,5'], ! got '1,5': write '15' or '1.5'
        """,
    SCHEMA: r"""
        invariant twice: invariants = [] => invariants = ["size", "size"] ! invariants[1] is a duplicate
        variable twice: invariants = [] => invariants = [["vote", "vote"]] ! invariants[0] has duplicates
        true as a value: ["no", "yes"] => [0, true] ! schema.vote[1] must be a text, an integer
        true as gamma: gamma = 2 => gamma = true ! budget.gamma must be a text, an integer
        true as epsilon: gamma = 2 => epsilon = [true] ! budget.epsilon[0] must be a text, an integer
        true as a number of records: records = 2 => records = true ! records must be a text, an integer
        comma in a gamma: gamma = 2 => gamma = "1,099" ! got '1,099': write '1099' or '1.099'
        comma in an epsilon: gamma = 2 => epsilon = "1,099" ! got '1,099': write '1099' or '1.099'
        underscores: gamma = 2 => gamma = "_3_" ! got '_3_': write '3'
        underscores in an epsilon: gamma = 2 => epsilon = "1_0" ! got '1_0': write '10'
        full width: gamma = 2 => gamma = "３" ! must be an exact number in ASCII
        other digits: gamma = 2 => epsilon = "٣.٥" ! must be an exact number in ASCII
        plus: gamma = 2 => gamma = "+3" ! got '+3': write '3'
        spaces: gamma = 2 => gamma = "1 000" ! got '1 000': write '1000'
        space outside: gamma = 2 => epsilon = " 3" ! got ' 3': write '3'
        narrow space: gamma = 2 => epsilon = "3\u202f000" ! must be an exact number in ASCII
        leading zero: gamma = 2 => gamma = "007" ! write digits without leading zeros
        no whole part: gamma = 2 => epsilon = ".5" ! write digits without leading zeros
        no decimals: gamma = 2 => epsilon = "5." ! write digits without leading zeros
        two points: gamma = 2 => epsilon = "1.000.000" ! write digits without leading zeros
        comma in a parameter: name = "identity" => function = "json:dumps"\nparameters = { lie = "1,5" }
          ! parameters.lie must be an exact number such as '1/20' or '0.05'; got '1,5': write '15' or '1.5'
        negative epsilon: gamma = 2 => epsilon = "-0.5" ! epsilon must be non-negative; got -1/2
        delta of one: name = "multiplicative" => name = "approximate_multiplicative"\ndelta = 1
          ! delta must be at least 0 and below 1
        printed beside gamma: gamma = 2 => gamma = 2\nprinted = "0.69" ! printed belongs to by without epsilon
        """,
    SOUND: r"""
        rate twice: "1/2" => ["1/2", "0.5"] ! swap_rate must be distinct rates; got 1/2, 1/2
        true as a margin: rows = [2, 1] => rows = [2, true] ! rows[1] must be a text, an integer
        true as a rate: "1/2" => true ! swap_rate must be a text, an integer
        roles without a schema: swap_rate = "1/2" => swap_rate = "1/2"\nholding = ["a"] ! holding belongs to a domain
        resolution: swap_rate = "1/2" => swap_rate = "1/2"\nresolution = "person"
          ! resolution must be the input premetric's on a finite domain, 'household'; got 'person'
        """,
    SCHEMA + NUMBER: r"""
        true as an input: { b = 1 } => { b = true } ! where.b must be a text, an integer
        comma in a formula's input: { b = 1 } => { b = "1,000" } ! write '1000' or '1.000'
        """,
    CURVE: r"""
        true as a power: [1, 1]] => [1, true]] ! curve[1][1] must be a text, an integer
        """,
    WORDS: r"""
        thousands: = 10 => = "264,331" ! got '264,331': write '264331' or '264.331'
        roles in words: swap_rate => matching = ["State"]\nswap_rate
          ! holding must name at least one column, where the columns of the records are named
        distances by name: name = "hamming_unordered" => name = "hamming_unordered"\ndistances = []
          ! distances belongs to the input premetric 'explicit'
        printed beside epsilon: epsilon = "9" => epsilon = "9"\nby = "psa.budget.theorem"\nprinted = "5.34"
          ! printed belongs to by without epsilon
        by beside infinite: epsilon = "9" => epsilon = "infinite"\nby = "psa.budget.theorem"
          ! by cannot be combined with 'infinite'
        fewer printed than rates: epsilon = "9" => by = "psa.budget.theorem"\nprinted = ["1", "2"]
          ! printed must have one number for each swap rate, 1; got 2
        """,
    ACCOUNT: r"""
        comma in a total: total = "1" => total = "3,016" ! write '3016' or '3.016'
        comma in a part: "2.56" => "2,56" ! write '256' or '2.56'
        zero total: total = "1" => total = "0.00" ! must have a digit other than 0, or be the exact
        """,
    RENYI: r"""
        rounded away: "3.016" => "0.0" ! rho_squared must have a digit other than 0
        negative rho: "3.016" => "-1" ! rho_squared must be non-negative; got -1
        converted delta of one: "3.016" => "3.016"\nconverted = { epsilon = "3", delta = 1 }
          ! delta must be between 0 and 1, exclusive; got 1
        two converted: "3.016" => "3.016"\nconverted = { epsilon = "3", printed = "3", delta = "1e-9" }
          ! exactly one of epsilon, printed must be given; got epsilon and printed
        """,
    SWAP: r"""
        stratum of a schema: swap_rate = "1/2" => swap_rate = "1/2"\nlargest_stratum = 2
          ! largest_stratum belongs to a domain in words, to margins, or to a budget with by
        """,
    LISTED_CURVE: r"""
        distance without a curve: [[0], [1], 1], => [[0], [1], 2],
          ! input_premetric must have the distances 0, 1 and infinity only for the output premetric 'tradeoff'; got 2
        """,
}
"""Lists in which one entry silently won; true taken for 1; numbers in another notation; keys that would not be used."""


class TestNothingIsReadSilently:
    """Class 3: what could be read in two ways, or would not be read, is refused at its key."""

    def test_the_texts_are_sound_before_they_are_changed(self) -> None:
        for text in SILENT:
            record_of(text)

    @pytest.mark.parametrize(("text", "expected"), [one for text in SILENT for one in changed(text, SILENT[text])])
    def test_it_is_refused_in_one_line(self, text: str, expected: str) -> None:
        with pytest.raises(InputError) as caught:
            record_of(text)
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
