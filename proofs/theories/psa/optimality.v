(******************************************************************************)
(* Lower bounds on the budget of the Permutation Swapping Algorithm           *)
(* (article, Appendix F)                                                      *)
(*                                                                            *)
(*   satisfies_in p01 x0 g == the PSA with swap rate p satisfies the DP       *)
(*            condition with budget ln g in the universe of x0: for all x and *)
(*            x' with the invariants of x0,                                   *)
(*            D_Mult(PSA x, PSA x') <= d_HamS(x, x') * ln g                   *)
(*   unique_in x i == no other record of its stratum shares the holding or    *)
(*            the swapping category of record i                               *)
(*   rest_table x0 m0 h1 h2 s1 s2 t == the table t has the margins of the     *)
(*            stratum m0, and nothing in the rows h1, h2 and columns s1, s2   *)
(*                                                                            *)
(* A budget is non-negative, so that g = e^epsilon >= 1; o is the odds        *)
(* p / (1 - p).                                                               *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   swap_rate0_no_budget == psa.no-swapping: p = 0, no finite budget         *)
(*   swap_rate1_no_budget == psa.full-swapping: p = 1, no finite budget       *)
(*   swap_rate1_leaves_table == psa.full-swapping.some-input                  *)
(*   unit_margins_bound == psa.unit-margins: g >= o                           *)
(*   rigid_lower_bound == the argument of Proposition 9: if x, z share two    *)
(*            unique records of a stratum of b records and no other, then     *)
(*            d(b) <= g^2 o^2 d(b - 2)                                        *)
(*   unit_pair_bound == psa.unit-pair: Proposition 9, repaired                *)
(*   block_lower_bound == the same bound from one data set in which the       *)
(*            swapping category determines the holding category               *)
(*   unit_pair_bound_distinct == the same bound under (18), (19) and the      *)
(*            assumption that no swapping category occurs twice               *)
(*   two_records_bound == psa.two-records: b = 2                              *)
(*   least_budget_attained == psa.optimality.infimum: the least budget exists *)
(*                                                                            *)
(* Proposition 9 as printed is refuted in optimality_refuted.v; universes     *)
(* with these properties, and Theorems 3 and 4, are in                        *)
(* optimality_universes.v.                                                    *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From mathcomp Require Import zify ring.
From Stirred Require Import compat law swapping hamming disjoint_swaps.
From Stirred Require Import derangement psa_law.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.

Lemma half_bound a b c : a <= b -> 2 * b.+1 <= c -> 2 * a <= c - 2.
Proof. by lia. Qed.

Local Open Scope ring_scope.

Section Mass.
Variables (R : realFieldType) (p : R).
Local Notation q := (1 - p).

(* The re-selection happens with probability less than one.                   *)
Lemma reselection_gt0 b : 0 <= p <= 1 -> (1 < b)%N ->
  0 < 1 - b%:R * p * q ^+ b.-1.
Proof.
by move=> p01 b_gt1; have := one_selected_lt1 (A := [set: 'I_b]) p01;
  rewrite cardsT card_ord; apply.
Qed.

Lemma swap_mass_gt0 b k : 0 < p < 1 -> k != 1%N -> 0 < move_mass p b k.
Proof.
case/andP=> p_gt0 p_lt1 k1; rewrite /move_mass.
case: leqP => [_|b_gt1]; first exact: ltr01.
have q_gt0 : 0 < q by rewrite subr_gt0.
rewrite divr_gt0 ?mulr_gt0 ?exprn_gt0 ?reselection_gt0 ?ltr0n ?der_gt0 //.
by rewrite !ltW.
Qed.

(* Two more records to move: equation (14) with delta = 2.                    *)
Lemma move_mass_ratio b k : 0 < p < 1 -> (k.+2 <= b)%N -> k != 1%N ->
  move_mass p b k.+2 * (der k.+2)%:R =
  (p / q) ^+ 2 * (der k)%:R * move_mass p b k.
Proof.
case/andP=> p_gt0 p_lt1 le_kb k1; have b_gt1 : (1 < b)%N by lia.
rewrite /move_mass leqNgt b_gt1 /=.
have -> : (b - k = (b - k.+2).+2)%N by lia.
have p01 : 0 <= p <= 1 by rewrite !ltW.
have q_neq0 : q != 0 by rewrite subr_eq0 eq_sym lt_eqF.
have c_neq0 := lt0r_neq0 (reselection_gt0 p01 b_gt1).
have d_neq0 : (der k)%:R != 0 :> R by rewrite pnatr_eq0 -lt0n der_gt0.
have d2_neq0 : (der k.+2)%:R != 0 :> R by rewrite pnatr_eq0 -lt0n der_gt0.
move: (1 - _ * p * _) c_neq0 => c c_neq0.
by rewrite !exprS expr0; field; rewrite c_neq0 d_neq0 d2_neq0 q_neq0.
Qed.

End Mass.

Section Closed.
Variable R : realFieldType.
Implicit Types a d P Q : R.

Lemma power_near a k : 0 <= a ->
  exists2 c, 0 <= c & forall d, 0 <= d <= 1 -> (a + d) ^+ k <= a ^+ k + d * c.
Proof.
move=> a_ge0; elim: k => [|k [c c_ge0 IHk]].
  by exists 0 => // d _; rewrite !expr0 mulr0 addr0.
exists (a ^+ k + (a + 1) * c).
  by rewrite addr_ge0 ?exprn_ge0 ?mulr_ge0 ?addr_ge0 ?ler01.
move=> d d01; case/andP: (d01) => d_ge0 d_le1.
rewrite exprS; apply: (@le_trans _ _ ((a + d) * (a ^+ k + d * c))).
  by apply: ler_wpmul2l; rewrite ?addr_ge0 ?IHk.
have -> : (a + d) * (a ^+ k + d * c) = a ^+ k.+1 + d * (a ^+ k + (a + d) * c).
  by rewrite exprS; ring.
rewrite ler_add2l ler_wpmul2l // ler_add2l ler_wpmul2r //.
by rewrite ler_add2l.
Qed.

(* An inequality that holds for every larger factor holds for the factor.     *)
Lemma le_power_closed a k P Q : 0 <= a -> 0 <= Q ->
  (forall a', a < a' -> P <= a' ^+ k * Q) -> P <= a ^+ k * Q.
Proof.
move=> a_ge0 Q_ge0 le_P; have [c c_ge0 near] := power_near k a_ge0.
rewrite leNgt; apply/negP => lt_P; set e := P - a ^+ k * Q.
have e_gt0 : 0 < e by rewrite subr_gt0.
have s_gt0 : 0 < e + c * Q + 1.
  by rewrite -addrA ltr_paddr // addr_ge0 ?mulr_ge0 ?ler01.
pose d := e / (e + c * Q + 1).
have d_gt0 : 0 < d by rewrite divr_gt0.
have d_le1 : d <= 1.
  by rewrite ler_pdivr_mulr // mul1r -addrA ler_addl addr_ge0 ?mulr_ge0 ?ler01.
have := le_P (a + d); rewrite ltr_addl => /(_ d_gt0) leP.
have d01 : 0 <= d <= 1 by rewrite d_le1 ltW.
have := le_trans leP (ler_wpmul2r Q_ge0 (near d d01)).
rewrite mulrDl -ler_subl_addl -/e => le_e; suff : d * c * Q < e.
  by rewrite ltNge le_e.
rewrite -mulrA /d mulrAC ltr_pdivr_mulr // ltr_pmul2l //.
rewrite addrAC ltr_addr; apply: ltr_spaddl => //; exact: ler01.
Qed.

End Closed.

Section Uniqueness.
Variables (M H S : finType) (n : nat).
Implicit Types (x z : dataset M H S n) (g rho : {perm 'I_n}) (m : M).

Definition unique_in x i : bool :=
  (n_mh x (matching (x i)) (holding (x i)) == 1%N) &&
  (n_ms x (matching (x i)) (swapping (x i)) == 1%N).

Lemma unique_holding x i j :
  n_mh x (matching (x i)) (holding (x i)) = 1%N ->
  matching (x j) = matching (x i) -> holding (x j) = holding (x i) -> j = i.
Proof.
move=> one mj hj; move/eqP: one; rewrite n_mhE => /cards1P[l lP].
have: i \in [set l] by rewrite -lP inE !eqxx.
have: j \in [set l] by rewrite -lP inE mj hj !eqxx.
by rewrite !inE => /eqP-> /eqP->.
Qed.

Lemma unique_swapping x i j :
  n_ms x (matching (x i)) (swapping (x i)) = 1%N ->
  matching (x j) = matching (x i) -> swapping (x j) = swapping (x i) -> j = i.
Proof.
move=> one mj sj; move/eqP: one; rewrite n_msE => /cards1P[l lP].
have: i \in [set l] by rewrite -lP inE !eqxx.
have: j \in [set l] by rewrite -lP inE mj sj !eqxx.
by rewrite !inE => /eqP-> /eqP->.
Qed.

(* A unique record that is still there after the swap was not moved.          *)
Lemma unique_fixed x g i : preserves_strata x g -> unique_in x i ->
  (0 < table (apply_perm g x) (x i))%N -> g i = i.
Proof.
move=> /preserves_strataP xg /andP[/eqP one_h /eqP one_s].
rewrite ffunE => /card_gt0P[j]; rewrite inE ffunE -[x i]recordK.
move=> /eqP[mj hj sj]; have ji := unique_holding one_h mj hj.
by apply: unique_swapping one_s _ _; rewrite ?xg // -sj ji.
Qed.

Lemma preserves_strata_tperm x i j :
  matching (x i) = matching (x j) -> preserves_strata x (tperm i j).
Proof.
by move=> mij; apply/preserves_strataP => l; case: tpermP => [->|->|].
Qed.

(* Inside a stratum, too, no permutation moves exactly one record.            *)
Lemma moved_in_one x g m : preserves_strata x g -> moved_in x g m != 1%N.
Proof.
move=> /preserves_strataP xg; apply/negP => /cards1P[i gi].
have movedE j : (g j != j) && (matching (x j) == m) = (j == i).
  by rewrite -[RHS]in_set1 -gi !inE.
have := movedE i; rewrite eqxx => /andP[gi_neq mi].
have := movedE (g i); rewrite (inj_eq perm_inj) gi_neq xg mi /=.
by move/esym/eqP => gii; rewrite gii eqxx in gi_neq.
Qed.

Lemma in_stratum x g m i : preserves_strata x g ->
  (g i \in stratum x m) = (i \in stratum x m).
Proof. by move=> /preserves_strataP xg; rewrite !inE xg. Qed.

(* Composing with a transposition in the stratum m changes nothing elsewhere. *)
Lemma moved_in_tperm x g i j m m' :
  preserves_strata x g -> i \in stratum x m -> j \in stratum x m ->
  m' != m -> moved_in x (g * tperm i j) m' = moved_in x g m'.
Proof.
move=> xg im jm neq_m; apply: eq_card => l; rewrite !inE permM.
have [lm'|_] := eqVneq (matching (x l)) m'; rewrite ?andbF ?andbT //.
have glm : g l \notin stratum x m.
  by rewrite in_stratum // inE lm'.
by rewrite tpermD //; apply: contraTneq glm => <-; rewrite negbK.
Qed.

(* The two records i and j are not fixed any more.                            *)
Lemma moved_in_tperm_fixed x g i j m :
  preserves_strata x g -> i \in stratum x m -> j \in stratum x m -> i != j ->
  g i = i -> g j = j ->
  moved_in x (g * tperm i j) m = (moved_in x g m).+2.
Proof.
move=> xg im jm neq_ij gi gj.
rewrite /moved_in; set X := _ :&: _.
have Xi : i \in X.
  by move: im; rewrite !inE permM gi tpermL [_ == i]eq_sym neq_ij.
have Xj : j \in X :\ i.
  by move: jm; rewrite !inE permM gj tpermR [_ == i]eq_sym neq_ij.
rewrite (cardsD1 i X) Xi (cardsD1 j (X :\ i)) Xj !add1n; congr _.+2.
apply: eq_card => l; rewrite !inE permM.
have [->|li] := eqVneq l i; first by rewrite gi eqxx andbF.
have [->|lj] := eqVneq l j; first by rewrite gj eqxx.
rewrite /= tpermD // eq_sym.
  by apply: contra_neq li => gl; apply: (@perm_inj _ g); rewrite gl gi.
by apply: contra_neq lj => gl; apply: (@perm_inj _ g); rewrite gl gj.
Qed.

End Uniqueness.

Section LowerBounds.
Variables (R : realFieldType) (M H S : finType) (p : R).
Hypothesis p01 : 0 <= p <= 1.
Local Notation q := (1 - p).
Local Notation o := (p / (1 - p)).

Definition satisfies_in n (x0 : dataset M H S n) (gamma : R) : Prop :=
  forall x x' : dataset M H S n,
    same_invariants x0 x -> same_invariants x0 x' ->
  mult_le (gamma ^+ hamming x x') (psa p p01 x) (psa p p01 x').

Section OneSize.
Variable n : nat.
Implicit Types (x z : dataset M H S n) (g rho : {perm 'I_n}) (m : M).

Lemma psa_sumE x t :
  psa p p01 x t =
  \sum_(g | preserves_strata x g && (table_ord (apply_perm g x) == t))
     \prod_m move_mass p #|stratum x m| (moved_in x g m).
Proof.
rewrite psaE (bigID (preserves_strata x)) /= [X in _ + X]big1 ?addr0.
  apply: eq_big => [g|g /andP[_ xg]]; first by rewrite andbC.
  by rewrite psa_permE xg.
by move=> g /andP[_ xg]; rewrite psa_permE (negPf xg).
Qed.

(* The law of the swapped data set rho(x), by the permutations of x.          *)
Lemma psa_shift x rho t : preserves_strata x rho ->
  psa p p01 (apply_perm rho x) t =
  \sum_(g | preserves_strata x g && (table_ord (apply_perm g x) == t))
     \prod_m move_mass p #|stratum x m| (moved_in x (g * rho^-1) m).
Proof.
move=> x_rho; rewrite psa_sumE (reindex_inj (mulIg rho^-1%g)) /=.
apply: eq_big => [g|g _]; last first.
  by apply: eq_bigr => m _; rewrite /moved_in stratum_apply.
rewrite apply_permM mulgKV preserves_strata_apply; congr (_ && _).
apply/idP/idP => xg; last by rewrite preserves_strataM ?preserves_strataV.
by rewrite -(mulgKV rho g) preserves_strataM.
Qed.

Lemma psa_gt0 x g : 0 < p < 1 -> preserves_strata x g ->
  0 < psa p p01 x (table_ord (apply_perm g x)).
Proof.
move=> p_in xg; rewrite psaE (bigD1 g) //= ltr_spaddl //; last first.
  by apply: sumr_ge0 => h _; apply: law_ge0.
rewrite psa_permE xg; apply: prodr_gt0 => m _; apply: swap_mass_gt0 => //.
exact: moved_in_one.
Qed.

(* If every permutation of x that produces the table t moves k records of the *)
(* stratum m, and k' after composition with a transposition, then the two     *)
(* probabilities of t are in the ratio of the masses.                         *)
Lemma rigid_ratio x i j m t k k' :
  i \in stratum x m -> j \in stratum x m ->
  (forall g, preserves_strata x g -> table_ord (apply_perm g x) = t ->
     moved_in x g m = k /\ moved_in x (g * tperm i j) m = k') ->
  psa p p01 (apply_perm (tperm i j) x) t * move_mass p #|stratum x m| k =
  psa p p01 x t * move_mass p #|stratum x m| k'.
Proof.
move=> im jm rigid; have mij : matching (x i) = matching (x j).
  by move: im jm; rewrite !inE => /eqP-> /eqP->.
rewrite (psa_shift _ (preserves_strata_tperm mij)) tpermV psa_sumE !mulr_suml.
apply: eq_bigr => g /andP[xg /eqP gt]; have [gk gk'] := rigid g xg gt.
rewrite (bigD1 m) //= [in RHS](bigD1 m) //= gk gk'.
rewrite (eq_bigr (fun m' => move_mass p #|stratum x m'| (moved_in x g m'))).
  by rewrite mulrAC [RHS]mulrAC [X in X * _ = _]mulrC.
by move=> m' neq_m; rewrite (moved_in_tperm xg im jm neq_m).
Qed.

Lemma rigid_bound x0 x i j m g0 gamma k k' :
  0 < p < 1 -> 1 <= gamma -> satisfies_in x0 gamma -> same_invariants x0 x ->
  i \in stratum x m -> j \in stratum x m ->
  preserves_strata x g0 ->
  (forall g, preserves_strata x g -> table (apply_perm g x) =
     table (apply_perm g0 x) ->
     moved_in x g m = k /\ moved_in x (g * tperm i j) m = k') ->
  let b := #|stratum x m| in
  move_mass p b k <= gamma ^+ 2 * move_mass p b k' /\
  move_mass p b k' <= gamma ^+ 2 * move_mass p b k.
Proof.
move=> p_in gamma1 sat inv_x im jm xg0 rigid b.
have mij : matching (x i) = matching (x j).
  by move: im jm; rewrite !inE => /eqP-> /eqP->.
have x_ij := preserves_strata_tperm mij.
have inv_x' := same_invariants_trans inv_x (same_invariants_apply x_ij).
set t := table_ord (apply_perm g0 x); set x' := apply_perm _ x in inv_x'.
have ratio : psa p p01 x' t * move_mass p b k =
    psa p p01 x t * move_mass p b k'.
  apply: rigid_ratio => // g xg /eqP; rewrite eq_table_ord => /eqP gt.
  exact: rigid.
have Pxt : 0 < psa p p01 x t by apply: psa_gt0.
have k1 : k != 1%N.
  by have [<- _] := rigid g0 xg0 erefl; apply: moved_in_one.
have k1' : k' != 1%N.
  have [_ <-] := rigid g0 xg0 erefl; apply: moved_in_one.
  exact: preserves_strataM.
have wk := swap_mass_gt0 b p_in k1; have wk' := swap_mass_gt0 b p_in k1'.
have Px't : 0 < psa p p01 x' t.
  by rewrite -(pmulr_lgt0 _ wk) ratio mulr_gt0.
have le2 : gamma ^+ hamming x x' <= gamma ^+ 2.
  apply: ler_weexpn2l => //; apply: leq_trans (hamming_apply_perm _ _) _.
  rewrite -[2%N]/(1.+1)%N; apply: leq_trans (_ : #|[set i; j]| <= _)%N.
    apply: subset_leq_card; apply/subsetP => l; rewrite !inE.
    by case: tpermP => [->|->|]; rewrite ?eqxx ?orbT.
  by rewrite cards2; case: (i != j).
have [Pxx' Px'x] := iffLR (mult_leP _ _ _) (sat x x' inv_x inv_x') t.
have Pxx'2 := le_trans Pxx' (ler_wpmul2r (ltW Px't) le2).
have Px'x2 := le_trans Px'x (ler_wpmul2r (ltW Pxt) le2).
split; rewrite -(ler_pmul2l Pxt) mulrCA.
  by rewrite -ratio mulrA ler_wpmul2r // ltW.
by rewrite -ratio mulrA ler_wpmul2r // ltW.
Qed.

Lemma rigid_bound_odds x0 x i j m g0 gamma k :
  0 < p < 1 -> 1 <= gamma -> satisfies_in x0 gamma -> same_invariants x0 x ->
  i \in stratum x m -> j \in stratum x m -> i != j -> preserves_strata x g0 ->
  (forall g, preserves_strata x g -> table (apply_perm g x) =
     table (apply_perm g0 x) -> [/\ moved_in x g m = k, g i = i & g j = j]) ->
  (der k.+2)%:R <= gamma ^+ 2 * o ^+ 2 * (der k)%:R /\
  o ^+ 2 * (der k)%:R <= gamma ^+ 2 * (der k.+2)%:R.
Proof.
move=> p_in gamma1 sat inv_x im jm neq_ij xg0 rigid.
have rigid' g : preserves_strata x g ->
    table (apply_perm g x) = table (apply_perm g0 x) ->
    moved_in x g m = k /\ moved_in x (g * tperm i j) m = k.+2.
  move=> xg gt; have [gk gi gj] := rigid g xg gt.
  by rewrite (moved_in_tperm_fixed xg im jm neq_ij gi gj) gk.
have [le1 le2] := rigid_bound p_in gamma1 sat inv_x im jm xg0 rigid'.
have [g0k g0k2] := rigid' g0 xg0 erefl.
have k1 : k != 1%N by rewrite -g0k; apply: moved_in_one.
have le_kb : (k.+2 <= #|stratum x m|)%N.
  by rewrite -g0k2; apply: subset_leq_card; apply: subsetIr.
have wk := swap_mass_gt0 #|stratum x m| p_in k1.
have ratio := move_mass_ratio p_in le_kb k1.
have dk : 0 <= (der k.+2)%:R :> R by apply: ler0n.
split; rewrite -(ler_pmul2r wk).
  have -> : gamma ^+ 2 * o ^+ 2 * (der k)%:R * move_mass p #|stratum x m| k =
      gamma ^+ 2 * move_mass p #|stratum x m| k.+2 * (der k.+2)%:R.
    by rewrite -[RHS]mulrA ratio !mulrA.
  by rewrite mulrC ler_wpmul2r.
by rewrite -ratio [X in _ <= X]mulrAC ler_wpmul2r.
Qed.

Lemma card_pairD (A : {set 'I_n}) i j :
  i \in A -> j \in A -> i != j -> #|A :\: [set i; j]|.+2 = #|A|.
Proof.
move=> Ai Aj neq_ij; have : [set i; j] \subset A.
  by apply/subsetP => l; rewrite !inE => /orP[]/eqP->.
move/cardsDS; have := max_card (mem A); have : (#|[set i; j]| <= #|A|)%N.
  apply: subset_leq_card; apply/subsetP => l.
  by rewrite !inE => /orP[]/eqP->.
by rewrite cards2 neq_ij => ? _ ->; lia.
Qed.

(* The argument of Proposition 9.                                             *)
Lemma rigid_lower_bound x0 x z i j m gamma :
  0 < p < 1 -> 1 <= gamma -> satisfies_in x0 gamma ->
  same_invariants x0 x -> same_invariants x z ->
  i \in stratum x m -> j \in stratum x m -> i != j ->
  unique_in x i -> unique_in x j ->
  (0 < table z (x i))%N -> (0 < table z (x j))%N ->
  disjoint_on x z (stratum x m :\: [set i; j]) ->
  (der (n_m x m))%:R <= gamma ^+ 2 * o ^+ 2 * (der (n_m x m - 2))%:R.
Proof.
move=> p_in gamma1 sat inv_x inv_z im jm neq_ij ui uj zi zj disj.
have [g0 xg0 g0z] := iffLR (universe_swaps x z) inv_z.
have -> : n_m x m = #|stratum x m :\: [set i; j]|.+2.
  by rewrite card_pairD // -n_mE.
rewrite !subSS subn0.
apply: (proj1 (rigid_bound_odds p_in gamma1 sat inv_x im jm neq_ij xg0 _)).
move=> g xg; rewrite g0z => gz.
have gi : g i = i by apply: unique_fixed xg ui _; rewrite gz.
have gj : g j = j by apply: unique_fixed xg uj _; rewrite gz.
split=> //; apply: eq_card => l; rewrite !inE.
have [lm|] := boolP (matching (x l) == m); rewrite ?andbF // !andbT.
have [->|li] := eqVneq l i; first by rewrite gi eqxx.
have [->|lj] := eqVneq l j; first by rewrite gj eqxx.
rewrite /=; apply: contraTneq (elimT forall_inP disj l _) => [gl|].
  have <- : apply_perm g x l = x l by rewrite ffunE gl recordK.
  by rewrite -gz -lt0n table_gt0.
by rewrite !inE negb_or li lj lm.
Qed.

(* Proposition 8.                                                             *)
Theorem unit_margins_bound x0 m0 gamma :
  0 < p < 1 -> (2 <= n_m x0 m0)%N ->
  (forall h, n_mh x0 m0 h <= 1)%N -> (forall s, n_ms x0 m0 s <= 1)%N ->
  1 <= gamma -> satisfies_in x0 gamma -> o <= gamma.
Proof.
move=> p_in; rewrite n_mE => /card_gt1P[i [j [im jm neq_ij]]].
move=> one_h one_s gamma1 sat; have inv_x := same_invariants_refl x0.
have unique l : l \in stratum x0 m0 -> unique_in x0 l.
  rewrite inE => /eqP lm; apply/andP; rewrite !eqn_leq lm one_h one_s /=.
  by rewrite -{1}lm n_mh_gt0 -lm n_ms_gt0.
have fixed g : preserves_strata x0 g -> table (apply_perm g x0) =
    table (apply_perm 1 x0) -> forall l, l \in stratum x0 m0 -> g l = l.
  move=> xg gt l lm; apply: unique_fixed xg (unique l lm) _.
  by rewrite gt apply_perm1 table_gt0.
have [g xg gt|_] := @rigid_bound_odds x0 x0 i j m0 1 gamma 0 p_in gamma1 sat
  inv_x im jm neq_ij (preserves_strata1 x0).
  split; [apply: eq_card0 => l | exact: fixed | exact: fixed].
  rewrite !inE; apply/negP => /andP[gl lm].
  by rewrite (fixed g xg gt) ?inE // eqxx in gl.
have o_ge0 : 0 <= o.
  by case/andP: p_in => p_gt0 p_lt1; rewrite divr_ge0 ?subr_ge0 ?ltW.
have gamma_ge0 : 0 <= gamma := le_trans ler01 gamma1.
by rewrite der0 der2 !mulr1 ler_sqr.
Qed.

(* Without swapping the released table is the table of the data.              *)
Lemma psa_p0 x t : p = 0 -> t != table_ord x -> psa p p01 x t = 0.
Proof.
move=> p0 tx; rewrite psa_sumE; apply: big1 => g /andP[xg /eqP gt].
have [i gi] : exists i, g i != i.
  apply/existsP; apply: contraNT tx => /existsPn g1; rewrite -gt.
  suff -> : g = 1%g by rewrite apply_perm1.
  by apply/permP => i; rewrite perm1; apply/eqP; rewrite -[_ == _]negbK g1.
set m := matching (x i).
have gm : (0 < moved_in x g m)%N.
  by apply/card_gt0P; exists i; rewrite !inE gi eqxx.
have m_gt1 : (1 < #|stratum x m|)%N.
  have := moved_in_one m xg; have := subset_leq_card (subsetIr _ _ :
    moved_set g :&: stratum x m \subset stratum x m).
  by rewrite -/(moved_in x g m); lia.
rewrite (bigD1 m) //= /move_mass leqNgt m_gt1 /= p0 expr0n.
by rewrite eqn0Ngt gm !mul0r.
Qed.

(* Proposition 6.                                                             *)
Theorem swap_rate0_no_budget x0 x x' gamma :
  p = 0 -> same_invariants x0 x -> same_invariants x0 x' ->
  table x <> table x' -> ~ satisfies_in x0 gamma.
Proof.
move=> p0 inv_x inv_x' /eqP; rewrite -eq_table_ord => neq_t sat.
have [+ _] := iffLR (mult_leP _ _ _) (sat x x' inv_x inv_x') (table_ord x).
rewrite (psa_p0 p0 neq_t) mulr0; apply/negP; rewrite -ltNge.
have := law_sum1 (psa p p01 x); rewrite (bigD1 (table_ord x)) //= big1.
  by rewrite addr0 => ->; apply: ltr01.
by move=> t; apply: psa_p0.
Qed.

(* With swap rate 1 all records of a stratum of at least two are moved.       *)
Lemma move_mass_p1 b k : p = 1 -> (k <= b)%N ->
  (0 < move_mass p b k) = (b <= 1)%N || (k == b).
Proof.
move=> p1 le_kb; rewrite /move_mass p1; case: leqP => [_|b_gt1].
  by rewrite ltr01.
rewrite subrr expr1n mul1r mulr1 !expr0n /=.
have -> : (b.-1 == 0)%N = false by case: b b_gt1 le_kb => [|[]].
rewrite mulr0 subr0 mul1r subn_eq0.
have [->|neq_kb] := eqVneq k b; last first.
  by rewrite leqNgt ltn_neqAle neq_kb le_kb mul0r ltxx.
rewrite leqnn mul1r invr_gt0 ltr0n der_gt0.
by case: b b_gt1 {le_kb} => [|[]].
Qed.

Lemma psa_perm_p1 x g : p = 1 ->
  (0 < psa_perm p p01 x g) =
  preserves_strata x g &&
  [forall m, (#|stratum x m| <= 1)%N || (moved_in x g m == #|stratum x m|)].
Proof.
move=> p1; rewrite psa_permE; case: (preserves_strata x g) => /=; last first.
  by rewrite ltxx.
have le_m m : (moved_in x g m <= #|stratum x m|)%N.
  by apply: subset_leq_card; apply: subsetIr.
apply/idP/forallP => [gt0 m|full]; last first.
  by apply: prodr_gt0 => m _; rewrite move_mass_p1.
rewrite -move_mass_p1 //; move: gt0; rewrite (bigD1 m) //=.
have : 0 <= move_mass p #|stratum x m| (moved_in x g m).
  rewrite /move_mass p1; case: leqP => [_|m_gt1]; first exact: ler01.
  have r_gt0 := reselection_gt0 p01 m_gt1; rewrite p1 in r_gt0.
  have q_ge0 : 0 <= 1 - 1 :> R by rewrite subrr.
  by rewrite divr_ge0 ?mulr_ge0 ?exprn_ge0 ?ler0n ?ler01 ?(ltW r_gt0).
by rewrite le_eqVlt => /orP[/eqP<-|->//]; rewrite mul0r ltxx.
Qed.

Lemma moved_in_conj x pi g m : preserves_strata x pi ->
  moved_in x (pi^-1 * g * pi) m = moved_in x g m.
Proof.
move=> x_pi; rewrite /moved_in -[LHS](card_preimset _ (@perm_inj _ pi)).
apply: eq_card => i; rewrite !inE !permM permK (inj_eq perm_inj).
by rewrite (elimT (preserves_strataP _ _) x_pi).
Qed.

(* In every universe some data set has given records, if the margins allow.   *)
Lemma place_pair x0 m h h' s s' :
  h != h' -> s != s' -> (0 < n_mh x0 m h)%N -> (0 < n_mh x0 m h')%N ->
  (0 < n_ms x0 m s)%N -> (0 < n_ms x0 m s')%N ->
  exists x i j, [/\ same_invariants x0 x, x i = (m, h, s), x j = (m, h', s')
                 & i != j].
Proof.
move=> neq_h neq_s /n_mh_gt0P[i mi hi] /n_mh_gt0P[j mj hj].
move=> /n_ms_gt0P[k mk sk] /n_ms_gt0P[l ml sl].
have neq_ij : i != j by apply: contra_neq neq_h => eq_ij; rewrite -hi eq_ij.
have neq_kl : k != l by apply: contra_neq neq_s => eq_kl; rewrite -sk eq_kl.
pose a := tperm i k; pose g := (a * tperm (a j) l)%g.
have ai : a i = k by rewrite /a tpermL.
have maj : matching (x0 (a j)) = m by rewrite /a; case: tpermP.
have gi : g i = k.
  rewrite permM ai tpermD //; last by rewrite eq_sym.
  by rewrite -ai (inj_eq perm_inj) eq_sym.
have gj : g j = l by rewrite permM tpermL.
have xg : preserves_strata x0 g.
  by apply: preserves_strataM; apply: preserves_strata_tperm;
    rewrite ?mi ?mk ?maj ?ml.
exists (apply_perm g x0), i, j; split=> //; first exact: same_invariants_apply.
  by rewrite ffunE mi hi gi sk.
by rewrite ffunE mj hj gj sl.
Qed.

Lemma full_moves (g : {perm 'I_n}) (A : {set 'I_n}) i :
  #|moved_set g :&: A| = #|A| -> i \in A -> g i != i.
Proof.
move=> full; have /eqP <- : moved_set g :&: A == A.
  by rewrite eqEcard subsetIr full /=.
by rewrite !inE => /andP[].
Qed.

(* Proposition 7.                                                             *)
Theorem swap_rate1_no_budget x0 m0 h0 h0' s0 s0' gamma :
  p = 1 -> h0 != h0' -> s0 != s0' ->
  n_mh x0 m0 h0 = 1%N -> n_mh x0 m0 h0' = 1%N ->
  n_ms x0 m0 s0 = 1%N -> n_ms x0 m0 s0' = 1%N ->
  ~ satisfies_in x0 gamma.
Proof.
move=> p1 neq_h neq_s one_h one_h' one_s one_s' sat.
have [||||x [i [j [inv_x xi xj neq_ij]]]] := place_pair (x0 := x0) (m := m0)
  neq_h neq_s; rewrite ?one_h ?one_h' ?one_s ?one_s' //.
have im : i \in stratum x m0 by rewrite inE xi.
have jm : j \in stratum x m0 by rewrite inE xj.
have m0_gt1 : (1 < #|stratum x m0|)%N by apply/card_gt1P; exists i, j.
have x_ij : preserves_strata x (tperm i j).
  by apply: preserves_strata_tperm; rewrite xi xj.
pose x' := apply_perm (tperm i j) x.
have inv_x' : same_invariants x0 x'.
  exact: same_invariants_trans inv_x (same_invariants_apply x_ij).
have ui : unique_in x i.
  by rewrite /unique_in xi -(same_n_mh inv_x) -(same_n_ms inv_x) one_h one_s.
have [g] := law_witness (psa_perm p p01 x'); rewrite neq_lt.
rewrite ltNge law_ge0 /= psa_perm_p1 // => /andP[].
rewrite preserves_strata_apply => xg /forallP full.
have gi : g i != i.
  have := full m0; rewrite /moved_in stratum_apply leqNgt m0_gt1 /= => /eqP.
  by move/full_moves; apply.
pose pi := tperm (g i) j.
have x_pi : preserves_strata x pi.
  apply: preserves_strata_tperm; rewrite xj.
  by rewrite (elimT (preserves_strataP _ _) xg) xi.
pose g' := (pi^-1 * g * pi)%g.
have g'i : g' i = j.
  rewrite !permM tpermV tpermD //; last by rewrite eq_sym.
  by rewrite tpermL.
have x'g' : preserves_strata x' g'.
  by rewrite preserves_strata_apply !preserves_strataM ?preserves_strataV.
pose t := table_ord (apply_perm g' x').
have x't_gt0 : 0 < psa p p01 x' t.
  rewrite psaE (bigD1 g') //= ltr_spaddl //; last first.
    by apply: sumr_ge0 => h _; apply: law_ge0.
  rewrite psa_perm_p1 // x'g'; apply/forallP => m.
  by rewrite moved_in_conj ?preserves_strata_apply.
have [_] := iffLR (mult_leP _ _ _) (sat x x' inv_x inv_x') t.
apply/negP; rewrite -ltNge; suff -> : psa p p01 x t = 0 by rewrite mulr0.
rewrite psaE; apply: big1 => h; rewrite eq_table_ord => /eqP ht.
apply/eqP; rewrite eq_le law_ge0 andbT leNgt psa_perm_p1 //.
apply/negP => /andP[xh /forallP/(_ m0)].
rewrite leqNgt m0_gt1 /= => /eqP/full_moves/(_ im)/negP[].
apply/eqP; apply: unique_fixed xh ui _.
rewrite ht; have -> : x i = apply_perm g' x' i; last exact: table_gt0.
by rewrite ffunE matching_apply holding_apply g'i swapping_apply tpermR recordK.
Qed.

(* The step of the proof of Proposition 7, repaired: the table of x itself    *)
(* cannot be released, but from some x' in the universe it can.               *)
Theorem swap_rate1_leaves_table x i :
  p = 1 -> unique_in x i -> (1 < n_m x (matching (x i)))%N ->
  psa p p01 x (table_ord x) = 0 /\
  exists2 x', same_invariants x x' & 0 < psa p p01 x' (table_ord x).
Proof.
move=> p1 ui; set m := matching (x i); rewrite n_mE => m_gt1; split.
  rewrite psaE; apply: big1 => h; rewrite eq_table_ord => /eqP ht.
  apply/eqP; rewrite eq_le law_ge0 andbT leNgt psa_perm_p1 //.
  apply/negP => /andP[xh /forallP/(_ m)].
  rewrite leqNgt m_gt1 /= => /eqP full.
  have /eqP sub : moved_set h :&: stratum x m == stratum x m.
    by rewrite eqEcard subsetIr -full /=.
  have : i \in stratum x m by rewrite inE.
  rewrite -sub !inE => /andP[/negP[]]; apply/eqP.
  by apply: unique_fixed xh ui _; rewrite ht table_gt0.
have [g] := law_witness (psa_perm p p01 x); rewrite neq_lt.
rewrite ltNge law_ge0 /= psa_perm_p1 // => /andP[xg /forallP full].
exists (apply_perm g^-1 x).
  exact: same_invariants_apply (preserves_strataV xg).
rewrite psaE (bigD1 g) /=; last by rewrite apply_permM mulgV apply_perm1.
rewrite ltr_spaddl //; last by apply: sumr_ge0 => h _; apply: law_ge0.
rewrite psa_perm_p1 // preserves_strata_apply xg; apply/forallP => m'.
by rewrite /moved_in stratum_apply; apply: full.
Qed.

(* The argument of Proposition 9 for a data set in which the swapping         *)
(* category determines the holding category.                                  *)
Lemma block_lower_bound x0 x i j m gamma :
  0 < p < 1 -> 1 <= gamma -> satisfies_in x0 gamma ->
  same_invariants x0 x ->
  i \in stratum x m -> j \in stratum x m -> i != j ->
  unique_in x i -> unique_in x j ->
  determines_on x (stratum x m :\: [set i; j]) ->
  (forall h, 2 * #|[set l in stratum x m :\: [set i; j] | holding (x l) == h]|
             <= n_m x m - 2)%N ->
  (der (n_m x m))%:R <= gamma ^+ 2 * o ^+ 2 * (der (n_m x m - 2))%:R.
Proof.
move=> p_in gamma1 sat inv_x im jm neq_ij ui uj det half.
have card_A : #|stratum x m :\: [set i; j]| = (n_m x m - 2)%N.
  by rewrite n_mE -(card_pairD im jm neq_ij) !subSS subn0.
have [h|k l|g on_g disj] := disjoint_swap_on (subsetDl _ _) det.
- by rewrite card_A; apply: half.
- move: im jm ui uj; rewrite !inE => /eqP im /eqP jm.
  move=> /andP[/eqP ui _] /andP[/eqP uj _].
  rewrite negb_or => /andP[/andP[ki kj] /eqP km] /eqP lm.
  rewrite lm eqxx andbT negbK => /orP[]/eqP ->; [move: ki | move: kj];
    apply: contra_neq => eq_h; apply: unique_holding eq_h => //.
    by rewrite km im.
  by rewrite km jm.
have fixed l : l \in [set i; j] -> g l = l.
  by move=> lij; apply: (out_perm on_g); rewrite inE lij.
have zE l : g l = l -> apply_perm g x l = x l.
  by move=> gl; rewrite ffunE gl recordK.
have xg : preserves_strata x g.
  by apply: (@preserves_strata_on _ _ _ _ _ _ m);
    apply: subset_trans on_g (subsetDl _ _).
apply: (rigid_lower_bound p_in gamma1 sat inv_x (same_invariants_apply xg)
          im jm neq_ij ui uj) disj.
  by rewrite -(zE i) ?table_gt0 // fixed // !inE eqxx.
by rewrite -(zE j) ?table_gt0 // fixed // !inE eqxx orbT.
Qed.

Lemma card_holding_le x m (A : {set 'I_n}) h :
  A \subset stratum x m ->
  (#|[set l in A | holding (x l) == h]| <= n_mh x m h)%N.
Proof.
move=> sub; rewrite n_mhE; apply: subset_leq_card; apply/subsetP => l.
by rewrite !inE => /andP[/(subsetP sub)]; rewrite inE => ->.
Qed.

(* Proposition 9, repaired: (18) and (19) are enough if no swapping category  *)
(* occurs twice in the stratum.                                               *)
Theorem unit_pair_bound_distinct x0 m0 h1 h2 s1 s2 gamma :
  0 < p < 1 -> bounded_18 x0 m0 -> h1 != h2 -> s1 != s2 ->
  n_mh x0 m0 h1 = 1%N -> n_mh x0 m0 h2 = 1%N ->
  n_ms x0 m0 s1 = 1%N -> n_ms x0 m0 s2 = 1%N ->
  (forall s, n_ms x0 m0 s <= 1)%N ->
  1 <= gamma -> satisfies_in x0 gamma ->
  (der (n_m x0 m0))%:R <= gamma ^+ 2 * o ^+ 2 * (der (n_m x0 m0 - 2))%:R.
Proof.
move=> p_in /andP[/forallP le_h _] neq_h neq_s oh1 oh2 os1 os2 one_s gamma1 sat.
have [||||x [i [j [inv_x xi xj neq_ij]]]] := place_pair (x0 := x0) (m := m0)
  neq_h neq_s; rewrite ?oh1 ?oh2 ?os1 ?os2 //.
have im : i \in stratum x m0 by rewrite inE xi.
have jm : j \in stratum x m0 by rewrite inE xj.
rewrite (same_n_m inv_x).
apply: (block_lower_bound p_in gamma1 sat inv_x im jm neq_ij).
- by rewrite /unique_in xi -(same_n_mh inv_x) -(same_n_ms inv_x) oh1 os1.
- by rewrite /unique_in xj -(same_n_mh inv_x) -(same_n_ms inv_x) oh2 os2.
- have det : determines_on x (stratum x m0).
    by apply: unique_determines => s; rewrite -(same_n_ms inv_x).
  apply/forall_inP => k /setDP[km _]; apply/forall_inP => l /setDP[lm _].
  exact: forall_inP (forall_inP det k km) l lm.
move=> h; apply: half_bound (card_holding_le h (subsetDl _ _)) _.
by rewrite -(same_n_m inv_x) -(same_n_mh inv_x).
Qed.

(* Proposition 9, repaired: (19), and the stratum without the categories h1,  *)
(* h2, s1 and s2 has two tables with these margins and no occupied cell in    *)
(* common.                                                                    *)
Section UnitPair.
Variables (x0 : dataset M H S n) (m0 : M) (h1 h2 : H) (s1 s2 : S).
Hypotheses (neq_h : h1 != h2) (neq_s : s1 != s2).
Hypotheses (oh1 : n_mh x0 m0 h1 = 1%N) (oh2 : n_mh x0 m0 h2 = 1%N).
Hypotheses (os1 : n_ms x0 m0 s1 = 1%N) (os2 : n_ms x0 m0 s2 = 1%N).

Definition rest_table (t : H -> S -> nat) : Prop :=
  (forall h, \sum_s t h s =
     if (h == h1) || (h == h2) then 0 else n_mh x0 m0 h)%N /\
  (forall s, \sum_h t h s =
     if (s == s1) || (s == s2) then 0 else n_ms x0 m0 s)%N.

Let pair_cells h s : nat :=
  (((h == h1) && (s == s1)) + ((h == h2) && (s == s2)))%N.

Let complete (t : H -> S -> nat) (r : M * H * S) : nat :=
  if matching r == m0
  then (t (holding r) (swapping r) + pair_cells (holding r) (swapping r))%N
  else table x0 r.

Let pair_row h : (\sum_s pair_cells h s = (h == h1) + (h == h2))%N.
Proof.
rewrite big_split /= (bigD1 s1) //= eqxx andbT big1 => [|s /negPf->].
  rewrite (bigD1 s2) //= eqxx andbT big1 => [|s /negPf->].
    by rewrite !addn0.
  by rewrite andbF.
by rewrite andbF.
Qed.

Let pair_column s : (\sum_h pair_cells h s = (s == s1) + (s == s2))%N.
Proof.
rewrite big_split /= (bigD1 h1) //= eqxx big1 => [|h /negPf-> //].
by rewrite (bigD1 h2) //= eqxx big1 => [|h /negPf-> //]; rewrite !addn0.
Qed.

Let complete_row t m h :
  rest_table t -> (\sum_s complete t (m, h, s) = n_mh x0 m h)%N.
Proof.
case=> row _; rewrite /complete /matching /holding /swapping /=.
have [->|//] := eqVneq m m0; rewrite big_split /= row pair_row.
have [->|] := eqVneq h h1; first by rewrite oh1 (negPf neq_h).
by have [->|] := eqVneq h h2; rewrite ?oh2 ?addn0.
Qed.

Let complete_column t m s :
  rest_table t -> (\sum_h complete t (m, h, s) = n_ms x0 m s)%N.
Proof.
case=> _ column; rewrite /complete /matching /holding /swapping /=.
have [->|//] := eqVneq m m0; rewrite big_split /= column pair_column.
have [->|] := eqVneq s s1; first by rewrite os1 (negPf neq_s).
by have [->|] := eqVneq s s2; rewrite ?os2 ?addn0.
Qed.

Let completion t : rest_table t -> exists2 x : dataset M H S n,
  same_invariants x0 x & forall r, table x r = complete t r.
Proof.
move=> rest; have [|x xE] := @exists_dataset _ _ _ (complete t) n.
  rewrite sum_records -[RHS](sum_n_m x0); apply: eq_bigr => m _.
  by apply: eq_bigr => h _; apply: complete_row.
exists x => //; apply/same_invariantsP; split=> m k.
  by rewrite -(complete_row _ _ rest); apply: eq_bigr => s _; rewrite xE.
by rewrite -(complete_column _ _ rest); apply: eq_bigr => h _; rewrite xE.
Qed.

Theorem unit_pair_bound t t' gamma :
  0 < p < 1 -> rest_table t -> rest_table t' ->
  (forall h s, t h s = 0 \/ t' h s = 0)%N ->
  1 <= gamma -> satisfies_in x0 gamma ->
  (der (n_m x0 m0))%:R <= gamma ^+ 2 * o ^+ 2 * (der (n_m x0 m0 - 2))%:R.
Proof.
move=> p_in rest rest' disj gamma1 sat.
have [x inv_x xE] := completion rest; have [z inv_z zE] := completion rest'.
have inv_xz : same_invariants x z.
  by apply: same_invariants_trans inv_z; rewrite same_invariants_sym.
have cell1 u : (0 < complete u (m0, h1, s1))%N.
  by rewrite /complete /pair_cells /= !eqxx addnA addnAC addn1.
have cell2 u : (0 < complete u (m0, h2, s2))%N.
  by rewrite /complete /pair_cells /= !eqxx addnA addn1.
have occupied r : (0 < table x r)%N -> exists i, x i = r.
  by rewrite ffunE => /card_gt0P[i]; rewrite inE => /eqP; exists i.
have [i xi] : exists i, x i = (m0, h1, s1) by apply: occupied; rewrite xE.
have [j xj] : exists j, x j = (m0, h2, s2) by apply: occupied; rewrite xE.
have ui : unique_in x i.
  by rewrite /unique_in xi -(same_n_mh inv_x) -(same_n_ms inv_x) oh1 os1.
have uj : unique_in x j.
  by rewrite /unique_in xj -(same_n_mh inv_x) -(same_n_ms inv_x) oh2 os2.
have neq_ij : i != j.
  by apply: contra_neq neq_h => eq_ij; move: xi; rewrite eq_ij xj => -[->].
rewrite (same_n_m inv_x); apply: (rigid_lower_bound p_in gamma1 sat inv_x inv_xz
  _ _ neq_ij ui uj); rewrite ?inE ?xi ?xj ?zE //.
apply/forall_inP => l; rewrite !inE negb_or => /andP[/andP[li lj] /eqP lm].
have no_cell k : k != l -> unique_in x k -> matching (x k) = m0 ->
    (holding (x l) == holding (x k)) = false.
  move=> neq_kl /andP[/eqP one_h _] km; apply: contra_neqF neq_kl => /eqP eq_h.
  by apply/esym/(unique_holding one_h _ eq_h); rewrite km.
have := table_gt0 x l; rewrite zE xE /complete lm eqxx /pair_cells.
have := no_cell i; rewrite eq_sym li xi => /(_ isT ui erefl) /= ->.
have := no_cell j; rewrite eq_sym lj xj => /(_ isT uj erefl) /= ->.
by rewrite !addn0; case: (disj (holding (x l)) (swapping (x l))) => ->.
Qed.

End UnitPair.

(* Proposition 10, for every swap rate strictly between 0 and 1.              *)
Theorem two_records_bound x0 m0 h1 h2 s1 s2 gamma :
  0 < p < 1 -> n_m x0 m0 = 2%N -> h1 != h2 -> s1 != s2 ->
  n_mh x0 m0 h1 = 1%N -> n_mh x0 m0 h2 = 1%N ->
  n_ms x0 m0 s1 = 1%N -> n_ms x0 m0 s2 = 1%N ->
  1 <= gamma -> satisfies_in x0 gamma ->
  (der 2)%:R <= gamma ^+ 2 * o ^+ 2 * (der (2 - 2))%:R.
Proof.
move=> p_in two neq_h neq_s oh1 oh2 os1 os2 gamma1 sat.
have [||||x [i [j [inv_x xi xj neq_ij]]]] := place_pair (x0 := x0) (m := m0)
  neq_h neq_s; rewrite ?oh1 ?oh2 ?os1 ?os2 //.
have im : i \in stratum x m0 by rewrite inE xi.
have jm : j \in stratum x m0 by rewrite inE xj.
have A0 : stratum x m0 :\: [set i; j] = set0.
  apply/eqP; rewrite -cards_eq0 -eqSS -(eqn_add2r 1) !addn1.
  by rewrite card_pairD // -n_mE -(same_n_m inv_x) two.
have := block_lower_bound p_in gamma1 sat inv_x im jm neq_ij.
rewrite -(same_n_m inv_x) two; apply.
- by rewrite /unique_in xi -(same_n_mh inv_x) -(same_n_ms inv_x) oh1 os1.
- by rewrite /unique_in xj -(same_n_mh inv_x) -(same_n_ms inv_x) oh2 os2.
- by rewrite A0; apply/forall_inP => k; rewrite inE.
move=> h; rewrite A0 (_ : [set l in set0 | _] = set0) ?cards0 //.
by apply/setP => l; rewrite !inE.
Qed.

(* Theorem 4, first claim: the infimum of the budgets of a universe is one of *)
(* its budgets.                                                               *)
Theorem least_budget_attained x0 gamma : 0 <= gamma ->
  (forall gamma', gamma < gamma' -> satisfies_in x0 gamma') ->
  satisfies_in x0 gamma.
Proof.
move=> gamma_ge0 sat x x' inv_x inv_x'; apply/mult_leP => t; split.
  apply: le_power_closed => // [|gamma' lt_gamma']; first exact: law_ge0.
  by case: (iffLR (mult_leP _ _ _) (sat gamma' lt_gamma' x x' inv_x inv_x') t).
apply: le_power_closed => // [|gamma' lt_gamma']; first exact: law_ge0.
by case: (iffLR (mult_leP _ _ _) (sat gamma' lt_gamma' x x' inv_x inv_x') t).
Qed.

End OneSize.
End LowerBounds.
