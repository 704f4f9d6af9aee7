(******************************************************************************)
(* The budgets of the 1940 demonstration, by universe                         *)
(*                                                                            *)
(* Headline results, with claim ids                                           *)
(*   checked_pure_dp   a certificate that passes the check gives pure DP      *)
(*   households_pure_dp   psa.exact.massachusetts.households: with two        *)
(*            tenures                                                         *)
(*            and at most 264,331 households in each stratum, gamma^2 may be  *)
(*            29665960, 5358648, 2496399 and 270309 at swap rates of 1%, 5%,  *)
(*            10%                                                             *)
(*            and 50%                                                         *)
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
move=> c_ok p_in oE; have := checks_sound R c_ok; rewrite -oE.
exact: concentrated_pure_dp.
Qed.

Theorem households_pure_dp (gamma : R) :
    [\/ p = 100%:R^-1 /\ num 29665960 <= gamma ^+ 2,
        p = 20%:R^-1 /\ num 5358648 <= gamma ^+ 2,
        p = 10%:R^-1 /\ num 2496399 <= gamma ^+ 2 |
        p = 2%:R^-1 /\ num 270309 <= gamma ^+ 2] ->
  pure_dp (fun x0 x : dataset M H S n => same_invariants x0 x)
          (fun x x' : dataset M H S n => Some (hamming x x'))
          (fun x0 : dataset M H S n =>
             if two_categories x0 &&
                (largest_stratum x0 <= N.to_nat 264331)%N
             then Some gamma else None)
          (psa p p01).
Proof.
have /and5P[c0 c1 c2 c3 _] := households_check.
have oddsE k : (1 < k)%N -> k%:R^-1 / (1 - k%:R^-1) = 1 / k.-1%:R :> R.
  move=> k_gt1; have k_gt0 : (0 < k)%N by apply: ltnW.
  have k_neq0 : k%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
  have k1_neq0 : k.-1%:R != 0 :> R by rewrite pnatr_eq0 -lt0n -subn1 subn_gt0.
  rewrite -(prednK k_gt0) /= -[k.-1.+1]addn1 natrD in k_neq0 *.
  by field; rewrite addrK k1_neq0 k_neq0.
have in01 k : (1 < k)%N -> 0 < k%:R^-1 < 1 :> R.
  move=> k_gt1; rewrite invr_gt0 ltr0n (ltnW k_gt1) /=.
  by rewrite invf_lt1 ?ltr1n // ltr0n ltnW.
case=> -[pE le_gamma].
- apply: (checked_pure_dp c0); rewrite ?pE ?in01 ?oddsE ?divr1 //.
- apply: (checked_pure_dp c1); rewrite ?pE ?in01 ?oddsE ?divr1 //.
- apply: (checked_pure_dp c2); rewrite ?pE ?in01 ?oddsE ?divr1 //.
by apply: (checked_pure_dp c3); rewrite ?pE ?in01 ?oddsE ?divr1.
Qed.

End Households.
