(******************************************************************************)
(* Data sets, contingency tables and permutation of the swapping variable     *)
(*                                                                            *)
(* A record has one matching, one (non-matching) holding and one swapping     *)
(* category (article, Proposition 4 and Appendix E); M, H and S are the       *)
(* finite types of the three categories.                                      *)
(*                                                                            *)
(*       dataset M H S n == data sets of n records: {ffun 'I_n -> M * H * S}  *)
(*            matching r == the matching category of the record r             *)
(*             holding r == its (non-matching) holding category               *)
(*            swapping r == its swapping category                             *)
(*               table x == the fully saturated contingency table C(x), with  *)
(*                          table x (m, h, s) = n_mhs                         *)
(*           table_ord x == the same table, with values in 'I_n.+1, so that   *)
(*                          tables form a finType                             *)
(*            n_mh x m h == sum over s of n_mhs (counts the holding variables)*)
(*            n_ms x m s == sum over h of n_mhs                               *)
(*            n_hs x h s == sum over m of n_mhs                               *)
(*               n_m x m == the size of the stratum m                         *)
(*               n_h x h == number of records with holding category h         *)
(*               n_s x s == number of records with swapping category s        *)
(*     swap_invariants x == c_Swap(x): all n_mh and all n_ms (Definition 2)   *)
(*  same_invariants x x' == x and x' lie in one universe of D_cSwap           *)
(*        apply_perm g x == g(x): record i is (M_i, H_i, S_(g i)) (App. E)    *)
(*  preserves_strata x g == g maps every record into its own stratum          *)
(*           stratum x m == the (indices of the) records in stratum m         *)
(*           moved_set g == the records that g does not fix                   *)
(*               moved g == their number, k_g in the article                  *)
(*        moved_in x g m == number of records of stratum m that g moves       *)
(*          hamming x x' == d_HamS(x, x') for data sets of equal size: number *)
(*                          of records of x to be replaced to obtain x',      *)
(*                          ignoring the order                                *)
(*        l1_tables x x' == l1-distance of the tables, equation (10)          *)
(*             mixed x m == stratum m holds at least two distinct records     *)
(*     largest_stratum x == b of Theorem 1: the size of the largest mixed     *)
(*                          stratum, or 0 if there is none                    *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   swap_preserves_invariants == swapping.invariants.margins                 *)
(*   swap_may_change_cells_and_third_margin == an instance of                 *)
(*            swapping.invariants.not-preserved                               *)
(*   same_invariants_size, one_dimensional_margins ==                         *)
(*            swapping.invariants.topdown (what a swap always preserves)      *)
(*   largest_stratum_universe == psa.budget.universe-function                 *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup perm.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.

Notation dataset M H S n := {ffun 'I_n -> M * H * S}.

Section Records.
Variables M H S : finType.
Implicit Type r : M * H * S.

Definition matching r : M := r.1.1.
Definition holding r : H := r.1.2.
Definition swapping r : S := r.2.

End Records.

Section Tables.
Variables (M H S : finType) (n : nat).
Implicit Types (x : dataset M H S n) (m : M) (h : H) (s : S).

Definition table x : {ffun M * H * S -> nat} :=
  [ffun r => #|[set i | x i == r]|].
Definition table_ord x : {ffun M * H * S -> 'I_n.+1} :=
  [ffun r => inord (table x r)].

Definition n_mh x m h := \sum_s table x (m, h, s).
Definition n_ms x m s := \sum_h table x (m, h, s).
Definition n_hs x h s := \sum_m table x (m, h, s).
Definition n_m x m := \sum_h \sum_s table x (m, h, s).
Definition n_h x h := \sum_m \sum_s table x (m, h, s).
Definition n_s x s := \sum_m \sum_h table x (m, h, s).

Definition swap_invariants x : {ffun M * H -> nat} * {ffun M * S -> nat} :=
  ([ffun k => n_mh x k.1 k.2], [ffun k => n_ms x k.1 k.2]).

Definition stratum x m : {set 'I_n} := [set i | matching (x i) == m].
Definition mixed x m : bool :=
  [exists i in stratum x m, exists j in stratum x m, x i != x j].
Definition largest_stratum x := \max_(m | mixed x m) n_m x m.

End Tables.

Definition same_invariants (M H S : finType) (n n' : nat)
    (x : dataset M H S n) (x' : dataset M H S n') : bool :=
  swap_invariants x == swap_invariants x'.

Section Permutations.
Variables (M H S : finType) (n : nat).
Implicit Types (x : dataset M H S n) (g : {perm 'I_n}) (m : M).

Definition apply_perm g x : dataset M H S n :=
  [ffun i => (matching (x i), holding (x i), swapping (x (g i)))].
Definition preserves_strata x g : bool :=
  [forall i, matching (x (g i)) == matching (x i)].
Definition moved_set g : {set 'I_n} := [set i | g i != i].
Definition moved g := #|moved_set g|.
Definition moved_in x g m := #|moved_set g :&: stratum x m|.

End Permutations.

Section Distance.
Variables (M H S : finType) (n : nat).
Implicit Types x : dataset M H S n.

Definition hamming x x' := \sum_r (table x r - table x' r).
Definition l1_tables x x' :=
  \sum_r ((table x r - table x' r) + (table x' r - table x r)).

End Distance.

Section Counting.
Variables (M H S : finType) (n : nat).
Implicit Types (x : dataset M H S n) (m : M) (h : H) (s : S).

Lemma card_fibers (T : finType) (f : 'I_n -> T) (P : pred 'I_n) :
  #|[set i | P i]| = \sum_t #|[set i | P i & f i == t]|.
Proof.
rewrite cardsE -sum1_card (partition_big f predT) //=.
by apply: eq_bigr => t _; rewrite cardsE -sum1_card.
Qed.

Lemma eq_record (r : M * H * S) m h s :
  (r == (m, h, s)) =
  [&& matching r == m, holding r == h & swapping r == s].
Proof. by case: r => [[m' h'] s']; rewrite !xpair_eqE -andbA. Qed.

Lemma recordK (r : M * H * S) : (matching r, holding r, swapping r) = r.
Proof. by case: r => [[]]. Qed.

Lemma n_mhE x m h :
  n_mh x m h = #|[set i | (matching (x i) == m) && (holding (x i) == h)]|.
Proof.
rewrite (card_fibers (fun i => swapping (x i))); apply: eq_bigr => s _.
by rewrite ffunE; apply: eq_card => i; rewrite !inE eq_record andbA.
Qed.

Lemma n_msE x m s :
  n_ms x m s = #|[set i | (matching (x i) == m) && (swapping (x i) == s)]|.
Proof.
rewrite (card_fibers (fun i => holding (x i))); apply: eq_bigr => h _.
rewrite ffunE; apply: eq_card => i.
by rewrite !inE eq_record andbA -!andbA [X in _ && X]andbC.
Qed.

Lemma n_m_mh x m : n_m x m = \sum_h n_mh x m h.
Proof. by []. Qed.

Lemma n_m_ms x m : n_m x m = \sum_s n_ms x m s.
Proof. by rewrite /n_m exchange_big. Qed.

Lemma n_h_mh x h : n_h x h = \sum_m n_mh x m h.
Proof. by []. Qed.

Lemma n_s_ms x s : n_s x s = \sum_m n_ms x m s.
Proof. by []. Qed.

Lemma n_mE x m : n_m x m = #|stratum x m|.
Proof.
rewrite n_m_mh (card_fibers (fun i => holding (x i))).
by apply: eq_bigr => h _; rewrite n_mhE.
Qed.

Lemma sum_n_m x : \sum_m n_m x m = n.
Proof.
rewrite -[RHS]card_ord -cardsT (card_fibers (fun i => matching (x i))).
by apply: eq_bigr => m _; rewrite n_mE.
Qed.

Lemma sum_table x : \sum_r table x r = n.
Proof.
rewrite -[RHS]card_ord -cardsT (card_fibers x).
by apply: eq_bigr => r _; rewrite ffunE.
Qed.

Lemma table_le x r : table x r <= n.
Proof. by rewrite ffunE (leq_trans (max_card _)) ?card_ord. Qed.

Lemma table_ordE x r : table_ord x r = table x r :> nat.
Proof. by rewrite ffunE inordK // ltnS table_le. Qed.

Lemma table_gt0 x i : 0 < table x (x i).
Proof. by rewrite ffunE; apply/card_gt0P; exists i; rewrite inE. Qed.

Lemma eq_table_ord x x' : (table_ord x == table_ord x') = (table x == table x').
Proof.
apply/eqP/eqP => /ffunP eq_xx'; apply/ffunP => r.
  by rewrite -!table_ordE eq_xx'.
by apply/val_inj; rewrite /= !table_ordE eq_xx'.
Qed.

Lemma n_mh_gt0 x i : 0 < n_mh x (matching (x i)) (holding (x i)).
Proof. by rewrite n_mhE; apply/card_gt0P; exists i; rewrite inE !eqxx. Qed.

Lemma n_ms_gt0 x i : 0 < n_ms x (matching (x i)) (swapping (x i)).
Proof. by rewrite n_msE; apply/card_gt0P; exists i; rewrite inE !eqxx. Qed.

Lemma n_mh_gt0P x m h :
  reflect (exists2 i, matching (x i) = m & holding (x i) = h) (0 < n_mh x m h).
Proof.
rewrite n_mhE; apply: (iffP card_gt0P) => [[i]|[i <- <-]].
  by rewrite inE => /andP[/eqP xm /eqP xh]; exists i.
by exists i; rewrite inE !eqxx.
Qed.

Lemma n_ms_gt0P x m s :
  reflect (exists2 i, matching (x i) = m & swapping (x i) = s) (0 < n_ms x m s).
Proof.
rewrite n_msE; apply: (iffP card_gt0P) => [[i]|[i <- <-]].
  by rewrite inE => /andP[/eqP xm /eqP xs]; exists i.
by exists i; rewrite inE !eqxx.
Qed.

Lemma mixedE x m :
  mixed x m =
    [exists h, exists h', [&& h != h', 0 < n_mh x m h & 0 < n_mh x m h']] ||
    [exists s, exists s', [&& s != s', 0 < n_ms x m s & 0 < n_ms x m s']].
Proof.
apply/idP/idP => [/exists_inP[i + /exists_inP[j]]|].
  rewrite !inE => /eqP xim /eqP xjm neq_ij.
  have [eq_h|neq_h] := eqVneq (holding (x i)) (holding (x j)); last first.
    apply/orP; left; apply/existsP; exists (holding (x i)); apply/existsP.
    by exists (holding (x j)); rewrite neq_h -{1}xim -xjm !n_mh_gt0.
  apply/orP; right; apply/existsP; exists (swapping (x i)); apply/existsP.
  exists (swapping (x j)); rewrite -{1}xim -xjm !n_ms_gt0 !andbT.
  apply: contra_neq neq_ij => eq_s.
  by rewrite -(recordK (x i)) xim eq_h eq_s -xjm recordK.
case/orP => /existsP[k /existsP[k' /and3P[neq_k]]].
  move=> /n_mh_gt0P[i xim xik] /n_mh_gt0P[j xjm xjk].
  apply/exists_inP; exists i; first by rewrite inE xim.
  apply/exists_inP; exists j; first by rewrite inE xjm.
  by apply: contra_neq neq_k => eq_x; rewrite -xik -xjk eq_x.
move=> /n_ms_gt0P[i xim xik] /n_ms_gt0P[j xjm xjk].
apply/exists_inP; exists i; first by rewrite inE xim.
apply/exists_inP; exists j; first by rewrite inE xjm.
by apply: contra_neq neq_k => eq_x; rewrite -xik -xjk eq_x.
Qed.

End Counting.

Section Invariants.
Variables (M H S : finType).

Section TwoSizes.
Variables (n n' : nat) (x : dataset M H S n) (x' : dataset M H S n').

Lemma same_invariantsP :
  reflect ((forall m h, n_mh x m h = n_mh x' m h) /\
           (forall m s, n_ms x m s = n_ms x' m s))
          (same_invariants x x').
Proof.
apply: (iffP eqP) => [[/ffunP eq_mh /ffunP eq_ms]|[eq_mh eq_ms]].
  by split=> [m h|m s];
    [have := eq_mh (m, h) | have := eq_ms (m, s)]; rewrite !ffunE.
by congr pair; apply/ffunP => k; rewrite !ffunE.
Qed.

Hypothesis eq_xx' : same_invariants x x'.

Lemma same_n_mh m h : n_mh x m h = n_mh x' m h.
Proof. by case/same_invariantsP: eq_xx'. Qed.

Lemma same_n_ms m s : n_ms x m s = n_ms x' m s.
Proof. by case/same_invariantsP: eq_xx'. Qed.

Lemma same_n_m m : n_m x m = n_m x' m.
Proof. by rewrite !n_m_mh; apply: eq_bigr => h _; apply: same_n_mh. Qed.

Lemma same_n_h h : n_h x h = n_h x' h.
Proof. by rewrite !n_h_mh; apply: eq_bigr => m _; apply: same_n_mh. Qed.

Lemma same_n_s s : n_s x s = n_s x' s.
Proof. by rewrite !n_s_ms; apply: eq_bigr => m _; apply: same_n_ms. Qed.

Lemma same_mixed m : mixed x m = mixed x' m.
Proof.
rewrite !mixedE; congr (_ || _); apply: eq_existsb => k; apply: eq_existsb => l.
  by rewrite !same_n_mh.
by rewrite !same_n_ms.
Qed.

End TwoSizes.

Lemma same_invariants_refl n (x : dataset M H S n) : same_invariants x x.
Proof. exact: eqxx. Qed.

Lemma same_invariants_sym n n' (x : dataset M H S n) (x' : dataset M H S n') :
  same_invariants x x' = same_invariants x' x.
Proof. exact: eq_sym. Qed.

Lemma same_invariants_trans n n' n'' (x : dataset M H S n)
    (x' : dataset M H S n') (x'' : dataset M H S n'') :
  same_invariants x x' -> same_invariants x' x'' -> same_invariants x x''.
Proof. by rewrite /same_invariants => /eqP->. Qed.

(* Data sets of one universe have the same number of records. *)
Theorem same_invariants_size n n' (x : dataset M H S n)
    (x' : dataset M H S n') :
  same_invariants x x' -> n = n'.
Proof.
move=> eq_xx'; rewrite -(sum_n_m x) -(sum_n_m x').
by apply: eq_bigr => m _; apply: same_n_m.
Qed.

(* Example 3: the one-dimensional margins are functions of c_Swap. *)
Theorem one_dimensional_margins n n' (x : dataset M H S n)
    (x' : dataset M H S n') :
  same_invariants x x' ->
  [/\ forall m, n_m x m = n_m x' m, forall h, n_h x h = n_h x' h
    & forall s, n_s x s = n_s x' s].
Proof.
move=> eq_xx'; split=> k; first exact: same_n_m; first exact: same_n_h.
exact: same_n_s.
Qed.

(* Remark 1: b is a function of the universe. *)
Theorem largest_stratum_universe n n' (x : dataset M H S n)
    (x' : dataset M H S n') :
  same_invariants x x' -> largest_stratum x = largest_stratum x'.
Proof.
move=> eq_xx'; apply: eq_big => m; first exact: same_mixed.
by move=> _; apply: same_n_m.
Qed.

Lemma eq_table_invariants n (x x' : dataset M H S n) :
  table x = table x' -> same_invariants x x'.
Proof.
move=> eq_xx'; apply/same_invariantsP.
by split=> m k; apply: eq_bigr => l _; rewrite eq_xx'.
Qed.

End Invariants.

Section Swap.
Variables (M H S : finType) (n : nat).
Implicit Types (x : dataset M H S n) (g : {perm 'I_n}) (m : M) (h : H) (s : S).

Lemma matching_apply g x i : matching (apply_perm g x i) = matching (x i).
Proof. by rewrite ffunE. Qed.

Lemma holding_apply g x i : holding (apply_perm g x i) = holding (x i).
Proof. by rewrite ffunE. Qed.

Lemma swapping_apply g x i : swapping (apply_perm g x i) = swapping (x (g i)).
Proof. by rewrite ffunE. Qed.

Lemma preserves_strataP x g :
  reflect (forall i, matching (x (g i)) = matching (x i))
          (preserves_strata x g).
Proof. by apply: (iffP forallP) => xg i; apply/eqP. Qed.

Lemma apply_perm1 x : apply_perm 1 x = x.
Proof. by apply/ffunP => i; rewrite ffunE perm1 recordK. Qed.

Lemma apply_permM g g' x :
  apply_perm g (apply_perm g' x) = apply_perm (g * g') x.
Proof.
apply/ffunP => i; rewrite ffunE matching_apply holding_apply swapping_apply.
by rewrite ffunE permM.
Qed.

Lemma preserves_strata1 x : preserves_strata x 1.
Proof. by apply/preserves_strataP => i; rewrite perm1. Qed.

Lemma preserves_strataM x g g' :
  preserves_strata x g -> preserves_strata x g' -> preserves_strata x (g * g').
Proof.
move=> /preserves_strataP xg /preserves_strataP xg'.
by apply/preserves_strataP => i; rewrite permM xg' xg.
Qed.

Lemma preserves_strataV x g : preserves_strata x g -> preserves_strata x g^-1.
Proof.
move=> /preserves_strataP xg; apply/preserves_strataP => i.
by rewrite -{2}(permKV g i) xg.
Qed.

Lemma preserves_strata_apply x g g' :
  preserves_strata (apply_perm g x) g' = preserves_strata x g'.
Proof. by apply: eq_forallb => i; rewrite !matching_apply. Qed.

Lemma stratum_apply g x m : stratum (apply_perm g x) m = stratum x m.
Proof. by apply/setP => i; rewrite !inE matching_apply. Qed.

(* The holding variables are not touched, whatever the permutation. *)
Lemma n_mh_apply g x m h : n_mh (apply_perm g x) m h = n_mh x m h.
Proof.
rewrite !n_mhE; apply: eq_card => i.
by rewrite !inE matching_apply holding_apply.
Qed.

Lemma n_ms_apply g x m s :
  preserves_strata x g -> n_ms (apply_perm g x) m s = n_ms x m s.
Proof.
move=> /preserves_strataP xg.
rewrite !n_msE -[RHS](card_preimset _ (@perm_inj _ g)).
by apply: eq_card => i; rewrite !inE matching_apply swapping_apply xg.
Qed.

(* Proposition 4: permuting the swapping variable inside the strata keeps     *)
(* both margins n_mh and n_ms.                                                *)
Theorem swap_preserves_invariants x g :
  preserves_strata x g ->
  (forall m h, n_mh (apply_perm g x) m h = n_mh x m h) /\
  (forall m s, n_ms (apply_perm g x) m s = n_ms x m s).
Proof. by move=> xg; split=> m k; [exact: n_mh_apply | exact: n_ms_apply]. Qed.

Lemma same_invariants_apply x g :
  preserves_strata x g -> same_invariants x (apply_perm g x).
Proof.
by move=> xg; apply/same_invariantsP; split=> m k;
  [rewrite n_mh_apply | rewrite n_ms_apply].
Qed.

(* Two permutations of one matching stratum m only differ there. *)
Lemma moved_sum x g : moved g = \sum_m moved_in x g m.
Proof.
rewrite /moved /moved_set (card_fibers (fun i => matching (x i))).
by apply: eq_bigr => m _; apply: eq_card => i; rewrite !inE.
Qed.

Lemma moved1 : moved (1%g : {perm 'I_n}) = 0.
Proof. by apply: eq_card0 => i; rewrite inE perm1 eqxx. Qed.

Lemma movedV g : moved g^-1 = moved g.
Proof.
rewrite /moved -(card_preimset (moved_set g^-1) (@perm_inj _ g)).
by apply: eq_card => i; rewrite !inE permK eq_sym.
Qed.

End Swap.

(* Proposition 4: in general interior cell counts n_mhs are not preserved     *)
(* and neither are the margins n_hs: one stratum with two records that        *)
(* differ in both categories.                                                 *)
Theorem swap_may_change_cells_and_third_margin :
  exists (x : dataset unit bool bool 2) (g : {perm 'I_2}),
    [/\ preserves_strata x g,
        table x (tt, true, true) = 1,
        table (apply_perm g x) (tt, true, true) = 0,
        n_hs x true true = 1 & n_hs (apply_perm g x) true true = 0].
Proof.
pose x : dataset unit bool bool 2 :=
  [ffun i : 'I_2 => (tt, i == ord0, i == ord0)].
pose g : {perm 'I_2} := tperm ord0 ord_max.
have tab1 : table x (tt, true, true) = 1.
  by rewrite ffunE -sum1dep_card big_mkcond !big_ord_recl big_ord0 !ffunE.
have tab2 : table (apply_perm g x) (tt, true, true) = 0.
  rewrite ffunE; apply: eq_card0 => i; rewrite !inE !ffunE eq_record /= /g.
  by case: tpermP => [->|->|/eqP/negPf -> _] //=; rewrite andbF.
have hs_tt (z : dataset unit bool bool 2) h s : n_hs z h s = table z (tt, h, s).
  by rewrite /n_hs (big_pred1 tt) // => -[].
exists x, g; rewrite !hs_tt; split=> //.
by apply/preserves_strataP => i; rewrite !ffunE.
Qed.
