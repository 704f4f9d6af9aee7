"""The line of a key is that of its statement, whatever the statement is made of."""

from hypothesis import given
from hypothesis import strategies as st

from stirred.verify.files.toml_lines import key_lines

TEXT = '''\
# a comment
id = "one"
statement = """
[budget] is no table here
epsilon = "no key"
"""

[domain]            # who?
schema = {
 answer = [0, 1] }
data_sets = [
  [1, 2],
  "[numbers]",
]
[budget]
epsilon = "0.8"
[mechanism.parameters]
flip = "1/4"
[[numbers]]
what = "first"
[[numbers]]
what = "second"
where.x = "1"
'''.replace("schema = {\n answer = [0, 1] }", "schema = { answer = [\n0, 1] }")


def test_each_key_has_the_first_line_of_its_statement():
    lines = key_lines(TEXT)
    assert {path: line for path, line in lines.items() if path[0] != "domain"} == {
        ("id",): 2,
        ("statement",): 3,
        ("budget",): 15,
        ("budget", "epsilon"): 16,
        ("mechanism", "parameters"): 17,
        ("mechanism", "parameters", "flip"): 18,
        ("numbers", 0): 19,
        ("numbers", 0, "what"): 20,
        ("numbers", 1): 21,
        ("numbers", 1, "what"): 22,
        ("numbers", 1, "where"): 23,
        ("numbers", 1, "where", "x"): 23,
    }
    assert (lines["domain",], lines["domain", "schema"], lines["domain", "data_sets"]) == (8, 9, 11)


def test_tables_of_an_array_are_told_apart():
    text = "[[claim]]\nid = 'a'\n[claim.budget]\ngamma = 2\n[[claim.numbers]]\nwhat = 'n'\n" * 2
    lines = key_lines(text)
    for index in (0, 1):
        start = 6 * index
        assert lines["claim", index] == start + 1
        assert lines["claim", index, "budget", "gamma"] == start + 4
        assert lines["claim", index, "numbers", 0, "what"] == start + 6


@given(st.lists(st.sampled_from(["", "# a = 1", "[t]", "b = 'x'", "c = [\n1,\n2]", 'd = """\n[u]\n"""']), max_size=8))
def test_every_line_number_points_at_the_key_or_table(parts):
    kept = list(dict.fromkeys(parts))
    text = "\n".join(kept)
    for path, line in key_lines(text).items():
        shown = text.splitlines()[line - 1]
        assert shown.startswith((f"[{path[-1]}]", f"{path[-1]} ="))
