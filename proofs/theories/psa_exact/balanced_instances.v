From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Stirred Require Import law swapping pure psa_law psa_privacy.
From Stirred Require Import certificate_check concentrated_instances.
From Stirred Require Import balanced_budget balanced_check checked_sizes.

(******************************************************************************)
(* Instances of the theorems on two large rows: the dwellings at p = 1/2.     *)
(*                                                                            *)
(*   <theorem>_instance == the instance                                       *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.

Local Open Scope ring_scope.

Local Notation Q := rat_realFieldType.
Local Notation num k := ((N.to_nat k)%:R : Q).
Local Notation bit := [finType of bool].

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
