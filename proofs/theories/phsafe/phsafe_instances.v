From Coq Require Import Reals ZArith Lra.
From mathcomp Require Import all_ssreflect.
From Stirred Require Import compat stability joined normalized_renyi
  discrete_gaussian release.

(******************************************************************************)
(* Instances of PHSafe's theorems with premises: numbers as records, base     *)
(* records, persons and units, whether they are odd as their key; for its     *)
(* releases, two levels with a count each of all rows and of those of even    *)
(* numbers.                                                                   *)
(*                                                                            *)
(*   units_of s == the numbers of s below 10                                  *)
(*   one == the budget of each level                                          *)
(*   run_level k == the level of the count k                                  *)
(*   <theorem>_instance == the instance                                       *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.

Definition stable_comp_instance :=
  @stable_comp _ _ _ 1 1 _ _ (@filter_stable nat_eqType odd)
    (@map_stable _ nat_eqType succn).
Definition truncated_stable_instance :=
  @truncated_stable nat_eqType bool_eqType odd [:: true; false] leq isT
    leq_total leq_trans anti_leq 2.
Definition unique_stable_instance :=
  @unique_stable nat_eqType bool_eqType odd [:: true; false] isT.

(* Persons are numbers, units too, and both have their parity as key          *)
Lemma two_at_most n s : size s <= n -> at_most_per_key odd n s.
Proof. by move=> s_n a; rewrite size_filter (leq_trans (count_size _ _)). Qed.
Definition join_stable_instance :=
  @join_stable nat_eqType nat_eqType bool_eqType odd odd 2 1 [:: 1; 3] [:: 1]
    [:: 2] [:: 3] (@two_at_most 2 [:: 1; 3] isT) (@two_at_most 1 [:: 3] isT).
Definition units_of (s : seq nat) : seq nat := [seq x <- s | x < 10].
Lemma units_of_stable : @stable nat_eqType nat_eqType 2 units_of.
Proof.
by move=> s t; apply: leq_trans (filter_stable _ s t) _; rewrite leq_mul2r orbT.
Qed.
Definition truncate_and_join_stable_instance :=
  @truncate_and_join_stable nat_eqType nat_eqType bool_eqType odd odd
    [:: true; false] [:: true; false] leq isT isT leq_total leq_trans anti_leq
    nat_eqType 2 _ _ (@map_stable nat_eqType nat_eqType succn) units_of_stable.
Definition households_stable_instance :=
  @households_stable nat_eqType nat_eqType bool_eqType odd [:: true; false] leq
    isT leq_total leq_trans anti_leq 2 size (@perm_size nat_eqType).

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
