From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From Stirred Require Import compat law swapping psa_law optimality_universes.
From Stirred Require Import single_record instances mean_table.

(******************************************************************************)
(* Instances of the theorems of mean_table: two records at the swap rate 1/2  *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Local Notation Q := rat_realFieldType.

Lemma records_matching l : matching (records l) = tt.
Proof. by case: (matching _). Qed.
Definition mean_table_instance :=
  @mean_table Q _ _ _ 2 half half_ends isT records tt true true
    records_matching.
Definition half_rate_instance := @half_rate Q half 2 half_in isT ltac:(by []).
Definition both_records (k : 'I_2) :
    dataset unit_finType bool_finType bool_finType (2 * 1) :=
  pair_data tt true false (k == 1%N :> nat) (k != 1%N :> nat).
Lemma both_matching k l : matching (both_records k l) = tt.
Proof. by case: (matching _). Qed.
Lemma both_cells k : table (both_records k) (tt, true, true) = k.
Proof.
rewrite ffunE -sum1_card big_mkcond /= !big_ord_recl big_ord0 !inE !ffunE.
by case: k => [[|[|k]]].
Qed.
Lemma both_margins k : [/\ n_mh (both_records k) tt true = 1%N,
  n_mh (both_records k) tt false = 1%N,
  n_ms (both_records k) tt (k == 1%N :> nat) = 1%N
  & n_ms (both_records k) tt (k != 1%N :> nat) = 1%N].
Proof.
apply: (@pair_margins _ _ _ tt _ _ _ _ true_false).
by case: (k == 1%N :> nat).
Qed.
Lemma both_rows k : n_mh (both_records k) tt true = 1%N.
Proof. by case: (both_margins k). Qed.
Lemma both_columns k : n_ms (both_records k) tt true = 1%N.
Proof. by case: (both_margins k) => _ _; case: (k == 1%N :> nat). Qed.
Definition uniform_change_instance :=
  @uniform_change Q _ _ _ 1 half half_ends both_records tt true true isT
    both_matching both_cells both_rows both_columns.
