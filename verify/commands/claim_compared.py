"""Whether a certificate, or a Coq file, is that of a claim: what an audit of the claim, or the ledger, leaves today."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from stirred.verify.certificates import check
from stirred.verify.certificates.printable import json_text

Certificate = Mapping[str, Any]

IS_OF_CLAIM = "compared: it is, word for word and number for number, what the claim leaves today"
_DIGESTS = r'^(?:\(\* (?:(?!\(\*|\*\)|").)*? SHA-256\s+[0-9a-f]{64} \*\)\n)+\n(?=Module Claim1\.$)'
COQ_IS_OF_CLAIM = "COMPARED: its text is what an audit of the claims writes; coqc says whether it holds"


@dataclass(frozen=True)
class ClaimsAtHand:
    """What certificates are compared with.

    Attributes:
        audited: files of claims.
        is_with_ledger: whether those of the ledger are, too.
    """

    audited: tuple[str, ...]
    is_with_ledger: bool

    @property
    def is_asked(self) -> bool:
        """Whether there is anything to compare with."""
        return bool(self.audited) or self.is_with_ledger

    @cached_property
    def _certificates(self) -> tuple[tuple[Certificate, ...], ...]:
        return tuple(_audited(self.audited))

    def of_certificate(self, certificate: Certificate) -> str | None:
        """Why a certificate is not one of the claims; None where it is."""
        claim = certificate["claim"]
        if certificate["format"] == check.FORMAT:
            expected = [one for found in self._certificates for one in found if one["claim"] == claim]
        else:
            expected = list(_of_ledger(claim)) if self.is_with_ledger else []
        if not expected:
            return f"of the claim {json.dumps(claim)} nothing is known here to compare it with"
        read: list[Any] = [json.loads(json_text(one)) for one in expected]
        if certificate in read:
            return None
        keys = [key for key in certificate if certificate[key] != read[0].get(key)]
        return f"it is not what the claim {json.dumps(claim)} leaves: another {', '.join(keys) or 'set of keys'}"

    def of_coq(self, text: str) -> str | None:
        """Why a Coq file is not that of the claims; None where it is. The names and digests of files are its own."""
        from stirred.verify.audit.coq_file import NoCoqFileError, coq_file, coq_module  # noqa: PLC0415 slow to load

        modules = []
        for found in self._certificates:
            try:
                modules += [coq_module(one) for one in found]
            except NoCoqFileError:
                continue
        if not modules:
            return "NOT OF THE CLAIMS: an audit of them writes no theorem"
        if _without_digests(text) != coq_file(modules):
            return "NOT OF THE CLAIMS: its text is not what an audit of them writes"
        return None


def compared_with(claims: Sequence[str], *, is_with_ledger: bool) -> ClaimsAtHand:
    """What certificates are compared with.

    Args:
        claims: files of claims.
        is_with_ledger: whether certificates of the ledger are compared with its claims.
    """
    return ClaimsAtHand(tuple(claims), is_with_ledger)


def _audited(paths: Sequence[str]) -> Iterator[tuple[Certificate, ...]]:
    """The certificates of each claim in files.

    Raises:
        InputError: a claim cannot be read or audited.
    """
    from stirred.verify.audit.audit import audit  # noqa: PLC0415 slow to load
    from stirred.verify.claim.read import build_claim  # noqa: PLC0415
    from stirred.verify.claim.text import read_claims  # noqa: PLC0415

    for path in paths:
        for claim in read_claims([path]):
            yield audit(build_claim(claim), is_certified=True).certificates


def _of_ledger(claim_id: Any) -> Iterator[Certificate]:
    """The certificates of a claim of the ledger; none where it has no such claim."""
    from stirred.verify.ledger.book import claim_ids  # noqa: PLC0415 slow to load
    from stirred.verify.ledger.certificates import certified  # noqa: PLC0415

    if claim_id in claim_ids():
        found = certified(claim_id)
        yield from (json.loads(line) for line in found.text.splitlines())
        if found.queries:
            yield from json.loads(found.queries)


def _without_digests(text: str) -> str:
    """A Coq file without the comments that name the audited files, which stand together before the first module."""
    return re.sub(_DIGESTS, "", text, count=1, flags=re.M | re.S)
