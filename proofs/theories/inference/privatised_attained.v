From mathcomp Require Import all_ssreflect all_algebra.
From Stirred Require Import compat law extended specification pure.
From Stirred Require Import privatised_data prior_predictive posterior_attained.

(******************************************************************************)
(* How far the limits of pure differential privacy on the privatised data     *)
(* probability are attained (dissertation section 5.9).                       *)
(*                                                                            *)
(*   pair_model x0 x1 p01 == the model of x1 with probability p, of x0 else   *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   privatised_bounds_approached == models on two data sets come as near as  *)
(*            one likes to both printed bounds of dissertation Theorem 5.4.1  *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.

Local Open Scope ring_scope.

Section PairModel.

Variables (R : realFieldType) (X : finType) (x0 x1 : X).

Definition pair_model p (p01 : 0 <= p <= 1) : law R X :=
  map_law (pick x0 x1) (bern p p01).

Lemma pair_modelE (Y : finType) (T : X -> law R Y) p (p01 : 0 <= p <= 1) t :
  bind (pair_model p01) T t = p * T x1 t + (1 - p) * T x0 t.
Proof. by rewrite bindA bindE big_bool !dirac_bind !bernE. Qed.

Lemma supp_pair_model p (p01 : 0 <= p <= 1) :
  0 < p < 1 -> supp (pair_model p01) = [set x0; x1].
Proof.
move=> /andP[p_gt0 p_lt1]; apply/setP=> x; rewrite supp_bind.
have in_supp b : b \in supp (bern p p01).
  by rewrite inE bernE gt_eqF //; case: b; rewrite ?subr_gt0.
have in_point z y : (z \in supp (dirac y : law R X)) = (z == y).
  by rewrite inE diracE pnatr_eq0 eqb0 negbK.
apply/existsP/set2P => [[b] | [->|->]]; first 1 last.
- by exists false; rewrite in_supp in_point eqxx.
- by exists true; rewrite in_supp in_point eqxx.
by rewrite in_supp in_point; case: b => /eqP->; [right | left].
Qed.

End PairModel.

Section Approached.

Variables (R : realFieldType) (X : finType) (r : rel X).
Variables (ds : X -> X -> option nat) (g : R) (n : nat) (x0 x1 : X).

(* Dissertation section 5.9, of Theorem 5.4.1: with models on x0 and x1 both, *)
(* whose d_* is n, the probability of an output comes as near as one likes to *)
(* the upper bound gamma^n p_x0(t), and to the lower bound gamma^-n p_x1(t).  *)
Theorem privatised_bounds_approached :
  1 <= g -> symmetric r -> is_shortest_walk r ds -> ds x0 x1 = Some n ->
  exists T : X -> law R [finType of bool],
    pure_dp (everything X) ds (fun _ => Some g) T /\
    forall eta, 0 < eta -> exists P P' : law R X,
      [/\ supp P = [set x0; x1], supp P' = [set x0; x1],
          g ^+ n * T x0 true < bind P T true + eta &
          bind P' T true < (g ^+ n)^-1 * T x1 true + eta].
Proof.
move=> g_ge1 symr short eq_n.
have [T [dpT T0 T1]] := odds_attained g_ge1 symr short eq_n.
exists T; split=> // eta eta_gt0.
have gn_n0 : g ^+ n != 0.
  by rewrite gt_eqF // exprn_gt0 // (lt_le_trans ltr01).
pose delta : R := eta / (eta + 1).
have s_gt0 : 0 < eta + 1 by rewrite addr_gt0 ?ltr01.
have d_gt0 : 0 < delta by rewrite divr_gt0.
have d_lt1 : delta < 1 by rewrite ltr_pdivr_mulr // mul1r ltr_addl ltr01.
have d_eta : delta < eta by rewrite ltr_pdivr_mulr // ltr_pmulr // ltr_addr.
have d01 : 0 <= delta <= 1 by rewrite !ltW.
have d01' : 0 <= 1 - delta <= 1.
  by rewrite subr_ge0 (ltW d_lt1) ler_subl_addr ler_addl ltW.
have small x : delta * T x true < eta.
  by apply: le_lt_trans d_eta; rewrite ler_pimulr ?law_le1 // ltW.
exists (pair_model x0 x1 d01'), (pair_model x0 x1 d01); split.
- by rewrite supp_pair_model // subr_gt0 d_lt1 ltr_subl_addr ltr_addl.
- by rewrite supp_pair_model // d_gt0.
- rewrite -T1 pair_modelE subKr mulrBl mul1r -!addrA ltr_addl addrC.
  rewrite subr_gt0 ltr_paddl //.
  exact: mulr_ge0 (ltW d_gt0) (law_ge0 _ _).
rewrite pair_modelE T1 mulKf // -T1 mulrBl mul1r addrC ltr_add //.
by rewrite gtr_addl oppr_lt0 mulr_gt0.
Qed.

End Approached.
