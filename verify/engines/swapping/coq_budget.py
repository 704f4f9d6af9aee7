"""A Coq file whose theorem is a certified budget of the PSA for one universe, from a certificate that Coq checks.

The statement is over `psa` and `pure_dp` of the theories; the checkers of certificates are proved sound there
(`checked_budget.checked_pure_dp`, `checked_budget.checked_sizes_pure_dp`).
"""

import textwrap
from dataclasses import astuple

from stirred.verify.engines.swapping.balanced_rows import BalancedCertificate
from stirred.verify.engines.swapping.moved_mass import Certificate

_FILE = """\
(* A budget of permutation swapping for one universe, from a certificate: coqc
   accepts this file only if the certificate holds and so the theorem. It needs
   the theories that come with stirred, compiled by make -C proofs:

     {command}

   With odds {on} / {od}, that is at the swap rate {rate}, and with gamma^2 at
   least {rn} / {rd}, permutation swapping is ln(gamma)-DP per unit of
   distance in each universe whose strata have two categories on one side,
   {which}. *)

From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Stirred Require Import {theories}.

Import Order.Theory GRing.Theory Num.Theory.

Definition certificate :=
  ({constructor}
{numbers})%num.

Lemma accepted : {checker} certificate.
Proof. by vm_compute. Qed.

Theorem budget (R : realFieldType) (M H S : finType) (n : nat) :
  {statement}.
Proof. exact: ({proof}). Qed.

Print Assumptions budget.
"""


def coq_budget(certificate: BalancedCertificate | Certificate, command: str) -> str:
    """The whole file."""
    if isinstance(certificate, BalancedCertificate):
        numbers = certificate.numbers
        first, second, on, od, *_, rn, rd = numbers
        parts = {
            "which": f"of {first} and {second} records",
            "theories": "balanced_check checked_budget",
            "constructor": "BalanceNumbers",
            "checker": "balance_checks",
            "statement": f"has_sizes_budget R M H S n {first} {second} {on} {od} {rn} {rd}",
            "proof": "checked_sizes_pure_dp accepted",
        }
    else:
        numbers = astuple(certificate)
        largest, on, od, *_, rn, rd = numbers
        parts = {
            "which": f"and at most {largest} records",
            "theories": "certificate_check checked_budget",
            "constructor": "Numbers",
            "checker": "checks",
            "statement": f"has_budget R M H S n {largest} {on} {od} {rn}",
            "proof": "checked_pure_dp accepted erefl",
        }
    parts |= {"command": command, "rate": f"{on}/{on + od}", "numbers": _wrapped(numbers)}
    return _FILE.format(**parts, on=on, od=od, rn=rn, rd=rd)


def _wrapped(numbers: tuple[int, ...]) -> str:
    return textwrap.indent(textwrap.fill(" ".join(map(str, numbers)), 72), "    ")
