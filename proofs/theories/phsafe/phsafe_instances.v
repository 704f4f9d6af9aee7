From mathcomp Require Import all_ssreflect.
From Stirred Require Import compat stability joined.

(******************************************************************************)
(* Instances of PHSafe's theorems with premises: numbers as records, whether  *)
(* they are odd as their key.                                                 *)
(*                                                                            *)
(*   units_of s == the numbers of s below 10                                  *)
(*   <theorem>_instance == the instance                                       *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
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
