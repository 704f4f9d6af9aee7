(******************************************************************************)
(* A budget by universe, from a certificate that a computation checks         *)
(*                                                                            *)
(* Headline results, with claim ids                                           *)
(*   checked_pure_dp   a certificate that passes the check gives pure DP      *)
(******************************************************************************)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From Stirred Require Import law swapping hamming pure psa_law psa_privacy.
From Stirred Require Import exchange concentration concentrated.
From Stirred Require Import certificate_check.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.

Local Open Scope ring_scope.

Section Households.

Variables (R : realFieldType) (M H S : finType) (n : nat) (p : R).
Hypothesis p01 : 0 <= p <= 1.
Local Notation num k := ((N.to_nat k)%:R : R).

Theorem checked_pure_dp (c : numbers) (gamma : R) :
    checks c -> 0 < p < 1 -> p / (1 - p) = num (on c) / num (od c) ->
    num (rn c) / num (rd c) <= gamma ^+ 2 ->
  pure_dp (fun x0 x : dataset M H S n => same_invariants x0 x)
          (fun x x' : dataset M H S n => Some (hamming x x'))
          (fun x0 : dataset M H S n =>
             if two_categories x0 &&
                (largest_stratum x0 <= N.to_nat (b_ c))%N
             then Some gamma else None)
          (psa p p01).
Proof.
move=> c_ok p_in oE; have := checks_sound R c_ok; rewrite -oE => q_ok.
exact: concentrated_pure_dp p_in q_ok.
Qed.

End Households.
