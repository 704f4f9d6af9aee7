(******************************************************************************)
(* Two data sets of one universe differ by a permutation of the swapping      *)
(* variable inside the strata that moves as many records as they are apart.   *)
(*                                                                            *)
(*   mh r == the matching and holding categories of the record r              *)
(*   ms r == its matching and swapping categories                             *)
(*                                                                            *)
(* Headline results, with claim ids                                           *)
(*   swap_path         swapping.permutation-exists (article, Lemma 5), by a   *)
(*                     permutation inside the strata                          *)
(*   universe_swaps    the universe of x is what swapping can make of x       *)
(*                     (article, Proposition 4 and Lemma 5 together)          *)
(*   no_neighbors      no two data sets of one universe are at distance 1     *)
(*                     (article, section 2.2 and the base case of Lemma 5)    *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect all_fingroup.
From Stirred Require Import swapping hamming.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section SwapPath.
Variables (M H S : finType) (n : nat).
Implicit Types (x : dataset M H S n) (g rho : {perm 'I_n}) (r : M * H * S).

Definition mh r : M * H := (matching r, holding r).
Definition ms r : M * S := (matching r, swapping r).

Lemma count_mh x k : count_of (mh \o x) k = n_mh x k.1 k.2.
Proof.
case: k => m k; rewrite n_mhE; apply: eq_card => i.
by rewrite !inE xpair_eqE.
Qed.

Lemma count_ms x k : count_of (ms \o x) k = n_ms x k.1 k.2.
Proof.
case: k => m k; rewrite n_msE; apply: eq_card => i.
by rewrite !inE xpair_eqE.
Qed.

Lemma differing_comp (T : finType) (f : M * H * S -> T) x x' :
  differing (f \o x) (f \o x') \subset differing x x'.
Proof. by apply/subsetP => i; rewrite !inE; apply: contra_neq => /= ->. Qed.

(* A reordering of x' that agrees with x on the holding variables, and on     *)
(* all records but d_HamS(x, x').                                             *)
Lemma align_holding x x' :
  same_invariants x x' ->
  exists2 x2, table x2 = table x' &
    (forall i, mh (x2 i) = mh (x i)) /\ #|differing x x2| <= hamming x x'.
Proof.
move=> eq_xx'; have [pi piP] := exists_alignment x x'.
pose x1 := reorder pi x'.
have eq_mh k : count_of (mh \o x1) k = count_of (mh \o x) k.
  rewrite !count_mh (same_n_mh eq_xx').
  by apply: eq_bigr => s _; rewrite table_reorder.
have [g gP on_g] := eq_count_perm eq_mh.
exists (reorder g x1); first by rewrite !table_reorder.
split=> [i|]; first by rewrite ffunE; have := gP i.
rewrite -piP; apply: subset_leq_card; apply/subsetP => i; rewrite !inE ffunE.
apply: contraNN => /eqP xi; rewrite (out_perm on_g) ?xi // inE /=.
by rewrite xi negbK.
Qed.

(* Lemma 5. *)
Theorem swap_path x x' :
  same_invariants x x' ->
  exists rho, [/\ preserves_strata x rho, moved rho = hamming x x'
                & table (apply_perm rho x) = table x'].
Proof.
move=> eq_xx'; have [x2 tab_x2 [eq_mh le_x2]] := align_holding eq_xx'.
have eq_ms k : count_of (ms \o x) k = count_of (ms \o x2) k.
  rewrite !count_ms (same_n_ms eq_xx').
  by apply: eq_bigr => h _; rewrite tab_x2.
have [rho rhoP on_rho] := eq_count_perm eq_ms.
have x2E : apply_perm rho x = x2.
  apply/ffunP => i; rewrite ffunE; have := rhoP i; have := eq_mh i.
  by rewrite /mh /ms /= => -[<- <-] [_ <-]; rewrite recordK.
exists rho; split; last by rewrite x2E.
  apply/preserves_strataP => i; have := rhoP i; have := eq_mh i.
  by rewrite /mh /ms /= => -[<- _] [<- _].
apply/eqP; rewrite eqn_leq; apply/andP; split; last first.
  rewrite -(hamming_table (erefl (table x)) tab_x2) -x2E.
  exact: hamming_apply_perm.
apply: leq_trans le_x2; apply: subset_leq_card.
apply: subset_trans (differing_comp ms x x2).
by apply: subset_trans on_rho; apply/subsetP => i; rewrite !inE.
Qed.

Theorem universe_swaps x x' :
  same_invariants x x' <->
  exists2 rho, preserves_strata x rho & table (apply_perm rho x) = table x'.
Proof.
split=> [/swap_path[rho [x_rho _ tab]]|[rho x_rho tab]]; first by exists rho.
apply: same_invariants_trans (same_invariants_apply x_rho) _.
exact: eq_table_invariants.
Qed.

(* No permutation moves exactly one record. *)
Lemma moved_neq1 g : moved g != 1.
Proof.
apply/negP => /cards1P[i gi].
have movedE j : (g j != j) = (j == i) by rewrite -[RHS]in_set1 -gi inE.
by have := movedE (g i); rewrite (inj_eq perm_inj); case: eqP.
Qed.

Theorem no_neighbors x x' : same_invariants x x' -> hamming x x' != 1.
Proof. by case/swap_path => rho [_ <- _]; apply: moved_neq1. Qed.

End SwapPath.
