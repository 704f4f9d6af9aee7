"""The gallery: pictures that commands draw, each with the command under it."""

from collections.abc import Sequence
from dataclasses import dataclass

from stirred.verify.site.page import Hit, SitePage


@dataclass(frozen=True)
class GalleryPicture:
    """A picture with what it shows and the command that draws it."""

    name: str
    caption: str
    command: str
    content: bytes

    @property
    def file(self) -> str:
        """Where it lies on the site."""
        return f"pictures/{self.name}.svg"


def gallery(pictures: Sequence[GalleryPicture]) -> SitePage:
    """The page of all pictures."""
    hits = [Hit("Pictures", "section", " ".join(f"{one.caption} {one.command}" for one in pictures))]
    return SitePage("gallery.html", "Pictures", "gallery.html", {"pictures": pictures}, hits)
