From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Stirred Require Import law swapping hamming pure psa_law psa_privacy.
From Stirred Require Import exchange concentration concentrated.
From Stirred Require Import certificate_check.

(******************************************************************************)
(* A budget by universe, from a certificate that a computation checks         *)
(*                                                                            *)
(*   has_budget b on od r == with odds on / od and gamma^2 at least r the PSA *)
(*            is ln(gamma)-DP in each universe that has two categories on one *)
(*            side and strata of at most b records                            *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   checked_pure_dp == a certificate that passes the check gives pure DP     *)
(*   households_budget == the four budgets of the 1940 households: half of    *)
(*            ln r is below 8.61, 7.75, 7.37 and 6.26 for the swap rates 1%,  *)
(*            5%, 10% and 50%                                                 *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.

Local Open Scope ring_scope.

Section Budget.

Variables (R : realFieldType) (M H S : finType) (n : nat).
Local Notation num k := ((N.to_nat k)%:R : R).

Definition has_budget (b on od r : N) : Prop :=
  forall (p : R) (p01 : 0 <= p <= 1) (gamma : R), 0 < p < 1 ->
    p / (1 - p) = num on / num od -> num r <= gamma ^+ 2 ->
  pure_dp (fun x0 x : dataset M H S n => same_invariants x0 x)
          (fun x x' : dataset M H S n => Some (hamming x x'))
          (fun x0 : dataset M H S n =>
             if two_categories x0 && (largest_stratum x0 <= N.to_nat b)%N
             then Some gamma else None)
          (psa p p01).

Theorem checked_pure_dp (c : numbers) :
  checks c -> rd c = 1%num -> has_budget (b_ c) (on c) (od c) (rn c).
Proof.
move=> c_ok rd1 p p01 gamma p_in oE le_r.
have := checks_sound R c_ok; rewrite -oE rd1 divr1 => q_ok.
exact: concentrated_pure_dp p_in q_ok le_r.
Qed.

Theorem households_budget :
  [/\ has_budget 264331 1 99 29665960, has_budget 264331 1 19 5358648,
      has_budget 264331 1 9 2496399 & has_budget 264331 1 1 270309].
Proof.
split.
- exact: (checked_pure_dp households_1_check (erefl _)).
- exact: (checked_pure_dp households_5_check (erefl _)).
- exact: (checked_pure_dp households_10_check (erefl _)).
exact: (checked_pure_dp households_50_check (erefl _)).
Qed.

End Budget.
