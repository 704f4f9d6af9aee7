"""The guide as pages: one source with `stirred guide`, its links, its code; and hostile Markdown."""

import pytest
from site_links import Read

from stirred.verify.guide import pages
from stirred.verify.site.guide_pages import markdown
from stirred.verify.site.source_pages import highlighted


@pytest.mark.parametrize("topic", pages())
def test_a_page_has_every_word_of_its_source(few_files, topic):
    said = "".join(Read(few_files[f"guide/{topic}.html"].decode()).text.split())
    for block in pages()[topic].text.split("```")[1::2]:
        _, _, code = block.partition("\n")
        assert "".join(code.split()) in said


def test_links_between_pages_lead_to_pages_and_others_become_text():
    text = markdown("[a](03-reading-a-verdict.md#x) [b](../claims/README.md) [c](../other.py) [d](#e)")
    assert Read(text).links == ["reading-a-verdict.html#x", "../ledger/index.html", "#e"]
    assert Read(text).text.split() == ["a", "b", "c", "d"]


@pytest.mark.parametrize("text", ["<script>x</script>", "[a](javascript:x)", "[a](data:text/html,x)", "![a](x.png)"])
def test_hostile_markdown_does_nothing(text):
    read = Read(markdown(text))
    assert "script" not in [tag for tag, _ in read.tags]
    assert [link for link in read.links if ":" in link] == []


def test_code_is_text_whatever_its_language():
    for language in ("python", "coq", "console", "no-such-language"):
        assert Read(highlighted("a </code><b>\x1b[0m", language)).text.split()[0] == "a"
        assert [tag for tag, _ in Read(highlighted("</code><b>", language)).tags if tag != "span"] == []
