(******************************************************************************)
(* The PSA where one variable has two categories: a budget that grows half as *)
(* fast as the one of Theorem 1                                               *)
(*                                                                            *)
(* With the odds o = p / (1 - p), for 0 < p < 1 and a largest stratum of at   *)
(* most b records, every gamma with                                           *)
(*            gamma^2 >= max {o^2, (b + 1/2) / o^2 + (b - 1) / o}             *)
(* bounds the PSA by gamma^d_HamS (two_category_budget b o gamma). There may  *)
(* be several strata; each needs two holding or two swapping categories, not  *)
(* all of them the same.                                                      *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   two_category_privacy == psa.exact.two-categories, with gamma =           *)
(*            e^epsilon, for one pair of data sets of a universe              *)
(*   two_category_type_privacy == the same where the holding or the swapping  *)
(*            variable has only two categories, with the inequalities written *)
(*            out                                                             *)
(*   two_category_pure_dp == psa.exact.two-categories as a specification:     *)
(*            pure DP with a budget that is a function of the universe        *)
(*   two_category_sqrt == the same over a field with square roots, epsilon =  *)
(*            ln (max {o^2, (b + 1/2) / o^2 + (b - 1) / o}) / 2               *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From Stirred Require Import compat law swapping hamming derangement.
From Stirred Require Import pure psa_law psa_privacy.
From Stirred Require Import insertion exchange two_rows two_category_budget.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory GroupScope.
Local Open Scope ring_scope.

(* One exchange inside a stratum of two rows                                  *)
Lemma two_category_exchange (R : realFieldType) (M : finType) (n b : nat)
    (p : R) (p01 : 0 <= p <= 1) (gamma : R) :
  0 < p < 1 -> two_category_budget b (p / (1 - p)) gamma ->
  exchange_cost p01 M n (sizes_le b) (gamma ^+ 2).
Proof.
move=> /andP[p_gt0 p_lt1] /andP[le_o le_b] H S x i j t mij hij two.
rewrite /sizes_le -(size_rows mij hij two) => le_nb.
have sE := size_stratum mij hij two.
have N_gt1 : (1 < #|stratum x (matching (x i))|)%N by rewrite sE.
apply: two_row_le => // [|k /andP[k_gt0 lek]|k e lek le2 ke1|{}t].
- exact: (budget_ge1 p_gt0 p_lt1 erefl N_gt1 le_nb le_o le_b).
- apply: (mass_step p_gt0 p_lt1 erefl N_gt1 le_nb le_o le_b) => //.
  by rewrite sE !ltnS.
- apply: (mass_fall p_gt0 p_lt1 erefl N_gt1 le_nb le_o le_b) => //.
  by rewrite sE !ltnS.
apply: (@bases_le_orbits _ _ _ _ i j) => [|g|g|a c leac ac1].
- exact: rows_disjoint.
- by apply: rows_mass_ge0.
- case/andP=> /andP[Pg /eqP gi] /eqP gj; split=> //.
  by have := rows_moved mij hij two Pg; rewrite gi gj !eqxx !addn0.
apply: (mass_orbit p_gt0 p_lt1 erefl N_gt1 le_nb le_o le_b) => //.
by rewrite sE !ltnS.
Qed.

(* The privacy of whole universes                                             *)
Section Privacy.

Variables (R : realFieldType) (M H S : finType) (n : nat) (p : R).
Hypothesis p01 : 0 <= p <= 1.
Local Notation o := (p / (1 - p)).
Implicit Types (x : dataset M H S n) (gamma : R).

(* Every stratum has two holding or two swapping categories.                  *)
Theorem two_category_privacy b gamma x x' :
    0 < p < 1 -> two_categories x -> (largest_stratum x <= b)%N ->
    two_category_budget b o gamma -> same_invariants x x' ->
  mult_le (gamma ^+ hamming x x') (psa p p01 x) (psa p p01 x').
Proof.
move=> p_in two le_xb budget.
apply: exchange_cost_privacy (sizes_le_fit two le_xb) _.
exact: two_category_exchange.
Qed.

(* Two holding categories, or two swapping categories.                        *)
Theorem two_category_type_privacy b gamma x x' :
    0 < p < 1 -> (#|H| <= 2)%N || (#|S| <= 2)%N ->
    (largest_stratum x <= b)%N -> same_invariants x x' ->
    o ^+ 2 <= gamma ^+ 2 ->
    (b%:R + 2%:R^-1) / o ^+ 2 + (b%:R - 1) / o <= gamma ^+ 2 ->
  mult_le (gamma ^+ hamming x x') (psa p p01 x) (psa p p01 x').
Proof.
move=> p_in HS2 le_xb xx' le_o le_b.
apply: (two_category_privacy p_in _ le_xb _ xx').
  exact: two_categories_type.
exact/andP.
Qed.

(* As a specification: universes with more categories are not bounded here.   *)
Theorem two_category_pure_dp (budget : nat -> R) :
    0 < p < 1 ->
    (forall b, (1 < b)%N -> two_category_budget b o (budget b)) ->
  pure_dp (fun x0 x : dataset M H S n => same_invariants x0 x)
          (fun x x' : dataset M H S n => Some (hamming x x'))
          (fun x0 : dataset M H S n =>
             if two_categories x0 then Some (budget (largest_stratum x0))
             else None)
          (psa p p01).
Proof.
move=> p_in le_budget; apply: exchange_cost_pure_dp => b /le_budget.
exact: two_category_exchange.
Qed.

End Privacy.

(* With square roots: eps = ln (max {o^2, (b + 1/2) / o^2 + (b - 1) / o}) / 2 *)
Theorem two_category_sqrt (R : rcfType) (M H S : finType) (n : nat) (p : R)
    (p01 : 0 <= p <= 1) :
  0 < p < 1 -> (#|H| <= 2)%N || (#|S| <= 2)%N ->
  let o := p / (1 - p) in
  pure_dp (fun x0 x : dataset M H S n => same_invariants x0 x)
          (fun x x' : dataset M H S n => Some (hamming x x'))
          (fun x0 : dataset M H S n =>
             let b := largest_stratum x0 in
             Some (Num.sqrt (Num.max (o ^+ 2)
               ((b%:R + 2%:R^-1) / o ^+ 2 + (b%:R - 1) / o))))
          (psa p p01).
Proof.
move=> p_in HS2 o x0 x x' x0x x0x' /=.
pose budget b := Num.sqrt (Num.max (o ^+ 2)
  ((b%:R + 2%:R^-1) / o ^+ 2 + (b%:R - 1) / o)).
have le_budget b : (1 < b)%N -> two_category_budget b o (budget b).
  move=> _; rewrite /two_category_budget /budget sqr_sqrtr; last first.
    by rewrite le_maxr sqr_ge0.
  by rewrite !le_maxr !lexx orbT.
have := two_category_pure_dp p01 p_in le_budget x0x x0x'.
by rewrite two_categories_type.
Qed.
