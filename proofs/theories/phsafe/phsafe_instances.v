From mathcomp Require Import all_ssreflect.
From Stirred Require Import stability changes.

(******************************************************************************)
(* Instances of PHSafe's theorems with premises: numbers as records, whether  *)
(* they are odd as their key, and counts of two cells.                        *)
(*                                                                            *)
(*   in_one c == two persons in the cell c                                    *)
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

Definition in_one (c i : bool) : nat := if c == i then 2 else 0.
Lemma two_in_one c : \sum_i in_one c i <= 2.
Proof. by rewrite big_bool; case: c. Qed.
Lemma twice_one_in_one c : \sum_i in_one c i <= 2 * 1.
Proof. exact: two_in_one. Qed.
Lemma most_in_one c : \sum_i in_one c i <= 2 * 0 + 2.
Proof. exact: two_in_one. Qed.
Definition person_added_change_instance :=
  @person_added_change _ 2 _ _ (two_in_one true) (two_in_one false).
Definition person_replaced_change_instance :=
  @person_replaced_change _ 1 _ _ (twice_one_in_one true) (twice_one_in_one false).
Definition tables_replaced_change_instance :=
  @tables_replaced_change _ 0 _ _ (most_in_one true) (most_in_one false).
