From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect fingroup perm all_algebra.
From Stirred Require Import compat law swapping pure psa_law psa_privacy.
From Stirred Require Import certificate_check checked_budget.
From Stirred Require Import balanced_budget balanced_check.
From Stirred Require Import balanced_limit balanced_attained instances.

(******************************************************************************)
(* Instances of the theorems on certificates at p = 1/2: the households, the  *)
(* dwellings, and all large rows of which the smaller has 2/5 of the records, *)
(* for gamma = 4; two equal large rows, for which gamma = 2 is not enough.    *)
(*                                                                            *)
(*   even_rate == the swap rate 1/2                                           *)
(*   <theorem>_instance == the instance                                       *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Local Notation Q := rat_realFieldType.
Local Notation num k := ((N.to_nat k)%:R : Q).
Local Notation bit := [finType of bool].

Definition even_rate : Q := 2%:R^-1.

Lemma even_rate_ends : 0 <= even_rate <= 1. Proof. by []. Qed.

Lemma even_rate_in : 0 < even_rate < 1. Proof. by []. Qed.

Lemma natural_le_square k : k%:R <= k%:R ^+ 2 :> Q.
Proof. by rewrite -natrX ler_nat; case: k => // k; rewrite leq_pmulr. Qed.

Definition checked_pure_dp_instance :=
  @checked_pure_dp Q bit bit bit 2 households_50 households_50_check
    (erefl _).

Local Notation c := dwellings_50.

Lemma even_rate_balanced :
  num (odds_n c) / num (odds_d c) = even_rate / (1 - even_rate).
Proof. exact/eqP. Qed.

Lemma ratio_le_square (k l : N) : (1 <=? l)%num ->
  num k / num l <= num k ^+ 2.
Proof.
move=> /to_nat_le l_gt0; apply: le_trans (natural_le_square _).
by rewrite ler_pdivr_mulr ?ltr0n // -natrM ler_nat leq_pmulr.
Qed.

Definition balanced_pure_dp_instance :=
  @balanced_pure_dp Q bit bit bit 2 even_rate even_rate_ends
    (N.to_nat (odds_n c)) (N.to_nat (odds_d c)) _ (num (cost_n c))
    (sizes_are (row1 c) (row2 c)) even_rate_in even_rate_balanced
    (fun k l => @sizes_are_certified Q c k l dwellings_50_check)
    (@ratio_le_square (cost_n c) (cost_d c) isT).
Definition checked_sizes_pure_dp_instance :=
  @checked_sizes_pure_dp Q bit bit bit 2 c dwellings_50_check.

Local Notation A := [archiFieldType of rat].

Lemma odds_one : 1%:R / 1%:R = even_rate / (1 - even_rate) :> A.
Proof. by apply/eqP; vm_compute. Qed.

Lemma two_to_three : balanced_limit A 1 1 2 3 < 4%:R ^+ 2.
Proof. by vm_compute. Qed.

Definition balances_large_instance :=
  @balances_large A 1 1 2 3 (4%:R ^+ 2) isT isT isT two_to_three.
Definition balanced_limit_pure_dp_instance :=
  @balanced_limit_pure_dp A even_rate even_rate_ends 1 1 2 3 4%:R even_rate_in
    odds_one isT isT two_to_three.
Definition near_equal_pure_dp_instance :=
  @near_equal_pure_dp A even_rate even_rate_ends 1 1 4%:R even_rate_in
    odds_one isT.
Local Notation below := (1 - (1 + 1)%:R / (2%:R + even_rate / (1 - even_rate))).

Lemma two_below_limit : 2%:R ^+ 2 < (1 * 1)%:R / (below * below) :> A.
Proof. by vm_compute. Qed.

Definition limit_attained_instance :=
  @limit_attained A even_rate even_rate_ends 1 1 2%:R even_rate_in isT isT
    two_below_limit.
