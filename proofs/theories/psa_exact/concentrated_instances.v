From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Stirred Require Import law swapping pure psa_law psa_privacy.
From Stirred Require Import concentration concentrated certificate_check.
From Stirred Require Import checked_budget.

(******************************************************************************)
(* Instances of the theorems on certificates: the households at p = 1/2.      *)
(*                                                                            *)
(*   even_rate == the swap rate 1/2                                           *)
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

Definition even_rate : Q := 2%:R^-1.

Lemma even_rate_ends : 0 <= even_rate <= 1. Proof. by []. Qed.

Lemma even_rate_in : 0 < even_rate < 1. Proof. by []. Qed.

Lemma passes_certified c : checks c -> rd c = 1%num ->
  certifies (certificate_of Q c) (N.to_nat (b_ c)) (num (on c) / num (od c))
    (num (rn c)).
Proof. by move=> ok rd1; have := checks_sound Q ok; rewrite rd1 divr1. Qed.

Lemma even_rate_odds :
  even_rate / (1 - even_rate) = num (on households_50) / num (od households_50).
Proof. exact/eqP. Qed.

Lemma even_rate_certified : certifies (certificate_of Q households_50)
  (N.to_nat (b_ households_50)) (even_rate / (1 - even_rate))
  (num (rn households_50)).
Proof.
rewrite even_rate_odds.
exact: passes_certified households_50_check (erefl _).
Qed.

Lemma natural_le_square k : k%:R <= k%:R ^+ 2 :> Q.
Proof. by rewrite -natrX ler_nat; case: k => // k; rewrite leq_pmulr. Qed.

Definition concentrated_pure_dp_instance :=
  @concentrated_pure_dp Q bit bit bit 2 (N.to_nat (b_ households_50)) even_rate
    even_rate_ends _ _ _
    even_rate_in even_rate_certified (natural_le_square _).
Definition checked_pure_dp_instance :=
  @checked_pure_dp Q bit bit bit 2 households_50 households_50_check
    (erefl _).
