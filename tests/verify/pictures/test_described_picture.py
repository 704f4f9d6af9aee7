"""A picture in SVG has a title, a description and text that is text, once each, whatever is written in it."""

from xml.etree import ElementTree

from matplotlib.figure import Figure

from stirred.verify.cli import main
from stirred.verify.pictures.rendering import description, rendered_picture, title

SVG = "{http://www.w3.org/2000/svg}"


def drawn(figure):
    left, right = figure.subplots(1, 2)
    left.plot([0, 1], [1, 0], label="a < b & c")
    left.set(xlabel="budget ε", ylabel="swap rate p", title="left\npanel")
    left.legend()
    right.plot([0, 1], [0, 1])
    right.set(xlabel="across", title="right")


def image(draw):
    return ElementTree.fromstring(rendered_picture(draw, "svg"))  # noqa: S314 our own text


def test_an_image_has_a_title_and_a_description_that_are_named_by_it():
    root = image(drawn)
    assert root.get("role") == "img"
    first, second = root[0], root[1]
    assert [one.tag for one in (first, second)] == [f"{SVG}title", f"{SVG}desc"]
    assert root.get("aria-labelledby") == f"{first.get('id')} {second.get('id')}"
    assert len(list(root.iter(f"{SVG}title"))) == len(list(root.iter(f"{SVG}desc"))) == 1
    assert first.text == "left panel; right"
    assert second.text == "left panel: swap rate p against budget ε; series: a < b & c. right: across"


def test_what_is_written_is_text():
    said = {" ".join("".join(text.itertext()).split()) for text in image(drawn).iter(f"{SVG}text")}
    assert {"budget ε", "swap rate p", "a < b & c", "right"} <= said


def test_a_title_of_the_whole_figure_comes_before_those_of_panels():
    figure = Figure()
    drawn(figure)
    figure.suptitle("all of it")
    assert title(figure) == "all of it"
    figure.legend(handles=figure.axes[0].get_lines(), labels=["one line"])
    assert description(figure).endswith(". series: one line")


def test_a_png_is_a_png():
    assert rendered_picture(drawn, "png").startswith(b"\x89PNG")


def test_the_picture_of_a_budget_says_what_it_shows(tmp_path):
    target = tmp_path / "psa.svg"
    assert main(["derive", "psa", "--plot", str(target)]) == 0
    root = ElementTree.parse(target).getroot()  # noqa: S314 our own text
    assert root[0].text.startswith("article, (7); diamonds: the smallest for each b; b = 10")
    assert "swap rate p against budget ε; series: b = 2, b = 10" in root[1].text
