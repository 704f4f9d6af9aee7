"""What a page leads to and what can be led to on it, read as a browser reads it."""

import posixpath
from html.parser import HTMLParser
from urllib.parse import unquote


class Read(HTMLParser):
    """The links, the places, the tags and the text of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.places, self.tags, self.text = [], set(), [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag in ("br", "th", "td", "dt", "dd", "li", "p", "div", "h2", "h3"):
            self.text += " "
        self.tags.append((tag, tuple(name for name, _ in attrs)))
        for name, value in attrs:
            if name in ("href", "src", "action"):
                self.links.append(value)
            if name == "id":
                self.places.add(value)

    def handle_data(self, data):
        self.text += data


def read_pages(files):
    """Every page of a site by its path."""
    return {path: Read(content.decode()) for path, content in files.items() if path.endswith(".html")}


def broken_links(files, pages=None):
    """The links that lead nowhere, or off the site; `pages` where they were read already."""
    pages = read_pages(files) if pages is None else pages
    found = []
    for path, page in pages.items():
        for link in page.links:
            address, _, place = link.partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(address))) if address else path
            if target not in files or (place and target in pages and unquote(place) not in pages[target].places):
                found.append((path, link))
    return found
