From Coq Require Import Reals ZArith Lra.
From mathcomp Require Import all_ssreflect.
From Stirred Require Import compat normalized_renyi discrete_gaussian stability
  joined.
From Stirred Require Import phsafe_instances release.

(******************************************************************************)
(* Instances of the theorems on PHSafe's releases: numbers as base records,   *)
(* persons and units, their parity as key; two levels with a count each of    *)
(* all rows and of those of even numbers.                                     *)
(*                                                                            *)
(*   one == the budget of each level                                          *)
(*   run_level k == the level of the count k                                   *)
(*   <theorem>_instance == the instance                                       *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope R_scope.

Definition one (j : nat) : R := 1.
Lemma one_gt0 j : 0 < one j. Proof. exact: Rlt_0_1. Qed.
Definition run_level (k : nat) : nat := (if k == 0 then 0 else 1)%N.
Lemma level_of_lt k : (run_level k < 2)%N. Proof. by case: k. Qed.

Definition all_or_even (k : nat) (r : nat) : bool := (k == 0%N) || ~~ odd r.
Definition all_or_even_person (k : nat) (r : nat * nat) : bool :=
  all_or_even k r.1.
Lemma units_disjoint : disjoint_cells run_level all_or_even 2.
Proof.
move=> j r; rewrite big_mkcond 2!big_ord_recr big_ord0 /= /run_level /=.
by case: j => [|[|j]] //=; case: (all_or_even _ r).
Qed.
Lemma persons_disjoint : disjoint_cells run_level all_or_even_person 2.
Proof. by move=> j r; apply: units_disjoint. Qed.

Definition release_zcdp_instance :=
  @release_zcdp nat_eqType nat_eqType (fun=> units_of) run_level all_or_even
    (fun=> 2)%N one 2 2 one_gt0 (fun=> isT) level_of_lt units_disjoint
    (fun=> units_of_stable).
Definition join_run_zcdp_instance :=
  @join_run_zcdp nat_eqType nat_eqType nat_eqType bool_eqType odd odd
    [:: true; false] [:: true; false] leq isT isT leq_total leq_trans anti_leq
    _ _ (@map_stable nat_eqType nat_eqType succn) units_of_stable one run_level 2
    2 one_gt0 level_of_lt 3 _ persons_disjoint.
Definition units_run_zcdp_instance :=
  @units_run_zcdp nat_eqType nat_eqType units_of units_of_stable one run_level 2
    2 one_gt0 level_of_lt _ units_disjoint.
