"""P-tables in the forms in which they are published, and what is refused of them in one line."""

from fractions import Fraction

import pytest

from stirred.spec import InputError
from stirred.spec.laws.p_table import PTable, PTableRow
from stirred.verify.laws.p_table_file import is_p_table, read_p_table

UNCHANGED = PTableRow.of([(4, 0)])
SPREAD = PTableRow.of([(1, -1), (2, 0), (1, 1)])
INTERVALS = ((0, 0, 0, 1), (1, -1, 0, ".25"), (1, 0, ".25", ".75"), (1, 1, ".75", 1))


def intervals(separator=";", rows=INTERVALS, header=("i", "v", "p_int_lb", "p_int_ub")):
    lines = [separator.join(header)] + [separator.join(str(one).replace(".", "0.") for one in row) for row in rows]
    return "\n".join(lines) + "\n"


def ons(change=lambda count, key: SPREAD.change(key), counts=range(1, 751), keys=range(4)):
    lines = [f"{count},{key},{change(count, key)}\n" for count in counts for key in keys]
    return '"pcv","ckey","pvalue"\n' + "".join(lines)


def superstar(columns=12, change=lambda count, key: SPREAD.change(key)):
    return "".join(",".join(str(change(n, key)) for n in range(1, columns + 1)) + "\n" for key in range(4))


def read(folder, text, name="p.csv"):
    (folder / name).write_text(text, encoding="utf-8")
    assert is_p_table(str(folder / name))
    return read_p_table(folder / name)


@pytest.mark.parametrize("text", [intervals(), intervals(","), intervals(" "), intervals(";").replace("0.", "0,")])
def test_intervals_are_read_with_each_separator(tmp_path, text):
    assert read(tmp_path, text, "p.txt") == PTable((UNCHANGED, SPREAD), 4)


def test_intervals_of_a_shuffled_row_keep_their_order_and_need_no_lower_ends(tmp_path):
    rows = ((1, 1, ".5"), (1, -1, ".25"), (1, 0, 1))
    table = read(tmp_path, intervals(rows=rows, header=("i", "v", "p_int_ub")))
    assert [table.row(1).change(key) for key in range(table.keys)] == [-1, 1, 0, 0]
    assert table.row(0).changes == (0,)


def test_rows_501_to_750_of_ons_are_used_again(tmp_path):
    table = read(tmp_path, ons(lambda count, key: count % 7 if key == 2 else 0))
    assert table.keys == 4
    for count in (1, 750, 751, 1000, 1001, 12_345):
        again = count if count <= 750 else (count - 1) % 250 + 501  # as ONS publishes it
        assert table.row(count) == table.rows[again]
    assert table.row(0).changes == (0,)


def test_the_last_columns_of_superstar_are_used_again(tmp_path):
    table = read(tmp_path, superstar(30, lambda count, key: count if key == 3 else 0), "p.pert")
    # SuperSTAR 9.14, 30 columns, SmallN = 10: count 25 looks up column 26, 31 column 22, 39 column 30, 40 column 21
    assert [table.row(count).change(3) for count in (20, 25, 31, 39, 40)] == [20, 26, 22, 30, 21]


def test_laws_are_exact(tmp_path):
    table = read(tmp_path, intervals(rows=((1, 0, 0, ".9999999"), (1, 1, ".9999999", 1))))
    assert table.keys == 10**7
    assert table.law(3)[4] == Fraction(1, 10**7)
    assert (table.row(1).bias, table.row(1).variance) == (Fraction(1, 10**7), Fraction(10**7 - 1, 10**14))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "must be a p-table; the file is empty"),
        ("pcv,ckey,pvalue\n", "must have lines below line 1, which names the columns; it has none"),
        (intervals(header=("i", "v", "p_int_lbs", "p_int_ub")), "line 1: unknown column 'p_int_lbs'; did you mean"),
        (intervals(header=("i", "v", "p_int_ub", "p_int_ub")), "line 1: each column must be named once; 'p_int_ub' is"),
        ("pcv,ckey,pvalue,sex\n1,0,0,1\n", "line 1: unknown column 'sex'; known: pcv, ckey, pvalue"),
        ("i,v,ub\n1,0,1\n", "line 1 must name the columns of a p-table, pcv, ckey, pvalue or i, v, p_int_ub; got i,"),
        (intervals(rows=INTERVALS[:-1]), "the intervals of i = 1 must end at exactly 1, to be a law; they end at 3/4"),
        (intervals(rows=(*INTERVALS[:2], INTERVALS[3])), "line 4: the intervals of i = 1 must join; one ends at 1/4, "),
        (intervals(rows=((2, 0, 0, 1),)), "i must run from 0 to the largest, 2; 1 is missing"),
        (intervals(rows=((1, -2, 0, 1),)), "the row of count 1 must not change it by less than -1; got -2"),
        (intervals(rows=((1, "x", 0, 1),)), "line 2: v must be a whole number; got 'x'"),
        ("i;j;v;p_int_ub\n1;1;0;1/2\n1;3;1;1\n", "line 3: j must be i + v, 2; got 3"),
        (
            "i;v;p;p_int_ub\n1;0;1/3;1/2\n1;1;1/2;1\n",
            "line 2: p must be the length of its interval, p_int_ub",
        ),
        ("i;v;p;p_int_ub\n1;0;0.335;0.3334\n1;1;0.665;1\n", "line 2: p must be the length of its interval"),
        (intervals(rows=((1, 0, 0),)), "line 2 must have 4 fields; got 3"),
        (intervals(rows=((1, 0, 0, "1/3"), (1, 0, "1/3", "1e-30"))), "line 3: the intervals of i = 1 must join"),
        (ons(counts=range(1, 20)), "pcv must run from 1 to 750; 20 is missing: name the columns i, v, p_int_ub"),
        (ons(counts=range(1, 760)), "pcv must run from 1 to 750; got 759"),
        (ons() + "3,3,0\n", "line 3002: each pcv and ckey must have one pvalue; 3 and 3 have two"),
        (ons() + "0,7,0\n", "pcv 1 must have a pvalue for each ckey from 0 to 7; 4 is missing"),
        (ons() + "-1,3,0\n", "line 3002: pcv, ckey, pvalue must be whole numbers, the first two not negative; got -1"),
    ],
)
def test_what_is_no_p_table_is_refused_in_one_line(tmp_path, text, said):
    (tmp_path / "p.csv").write_text(text)
    with pytest.raises(InputError) as caught:
        read_p_table(tmp_path / "p.csv")
    assert str(caught.value).startswith(f"{tmp_path / 'p.csv'}: {said}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("ends", [("0.333", "0.33333"), ("0.3000000000000000166", "0.3"), ("1/3", "1/3")])
def test_p_may_be_rounded_beside_its_interval(tmp_path, ends):
    p, end = ends
    table = read(tmp_path, f"i,v,p,p_int_ub\n1,0,{p},{end}\n1,1,{1 - Fraction(p)},1\n")
    assert table.law(1)[1] == Fraction(end)


@pytest.mark.parametrize("coding", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_refused_by_its_name(tmp_path, coding):
    (tmp_path / "p.csv").write_bytes(("\ufeff" + intervals()).encode(coding))
    assert is_p_table(str(tmp_path / "p.csv"))
    with pytest.raises(InputError, match="must be UTF-8; it is UTF-16"):
        read_p_table(tmp_path / "p.csv")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (superstar(9), "must have a column for each count, at least 10 (SmallN); got 9"),
        (superstar() + "0,0\n", "line 5 must have 12 fields; got 2"),
        (superstar(change=lambda count, key: -2), "the row of count 1 must not change it by less than -1; got -2"),
    ],
)
def test_what_is_no_table_of_superstar_is_refused(tmp_path, text, said):
    with pytest.raises(InputError, match=said.replace("(", r"\(").replace(")", r"\)")):
        read(tmp_path, text, "p.pert")


def test_other_tables_are_no_p_tables(tmp_path):
    (tmp_path / "a.csv").write_text("i,v\n1,2\n")
    assert not is_p_table(str(tmp_path / "a.csv"))
    assert not is_p_table(str(tmp_path))
    assert not is_p_table("")
