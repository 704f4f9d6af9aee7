"""Certificates of claims in a folder: one file for each claim that can leave one, and one for its queries."""

from collections import Counter
from pathlib import Path

from stirred.spec.arguments import InputError
from stirred.verify.certificates.printable import one_line, printable
from stirred.verify.certificates.standard_streams import say
from stirred.verify.files.atomic import write_whole
from stirred.verify.ledger.certificates import Certified


class KeptCertificates:
    """A folder of certificates: each file is written whole, and one that a claim does not leave is taken away.

    Args:
        folder: it is made where it does not exist.

    Raises:
        InputError: it cannot be made.
    """

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        self._kept = self._bytes = 0
        self._none: Counter[str] = Counter()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{printable(folder)}: cannot be made a folder: {error.strerror}") from None

    def keep(self, found: Certified) -> None:
        """Write the certificates of a claim, and say in one line what they lack.

        Raises:
            InputError: the file cannot be written.
        """
        name = found.record.claim.id
        for suffix, text in ((".json", found.text), (".query.json", found.queries)):
            path = self._folder / f"{name}{suffix}"
            if text:
                write_whole(str(path), text)
                self._bytes += len(text.encode())
            else:
                path.unlink(missing_ok=True)
        if found.text or found.queries:
            self._kept += 1
        else:
            self._none[found.record.verdict.name] += 1
            say(one_line(f"{name}: no certificate: {'; '.join(found.without)}"))
        for scope in found.unanswered:
            say(one_line(f"{name}: its query waits for another solver [{scope}]"))

    def say_counts(self) -> None:
        """Say how many claims left a certificate, and of which verdicts those are that left none."""
        counts = ", ".join(f"{number} {name}" for name, number in sorted(self._none.items()))
        none = f"; {self._none.total()} leave none: {counts}" if self._none else ""
        say(f"{printable(str(self._folder))}: certificates of {self._kept} claims, {self._bytes} bytes{none}")
