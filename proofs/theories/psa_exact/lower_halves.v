From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat matrix.
From mathcomp Require Import zify ring.
From Stirred Require Import compat law swapping hamming pure.
From Stirred Require Import psa_law psa_privacy row_permutations.
From Stirred Require Import balanced_attained filled_sums filled_rows.
From Stirred Require Import filled_costs.

(******************************************************************************)
(* Where few categories are too many: losses that grow with n                 *)
(*                                                                            *)
(*   equal_categories H m z == z is of one stratum of H m records, and each   *)
(*            of the H holding and H swapping categories has m records        *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   many_categories == psa.exact.many-categories: with c = (1 - p) (H - 2)   *)
(*            above 1, gamma is at least (c - 1)^2 m / (5 c), and the budget  *)
(*            of Theorem 1 is enough                                          *)
(*   short_row_loss == psa.exact.threshold: gamma^2 is at least a multiple of *)
(*            the larger of two rows if the smaller is below 1 - p times it   *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory GroupScope.
Local Open Scope ring_scope.

(* An exchange of a record of a full row with another one is two apart.       *)
Lemma fills_exchange (H S : finType) n (x : dataset unit H S n) B h s i j :
  fills x B h s -> i \notin B -> j \in B ->
  hamming x (apply_perm (tperm i j) x) = 2%N.
Proof.
move=> fB iB jB; have ij : i != j by apply: contraNneq iB => ->.
set x' := apply_perm _ x.
have xg : preserves_strata x (tperm i j).
  by apply/preserves_strataP=> v; case: (matching _) (matching _) => [] [].
have inv : same_invariants x x' := same_invariants_apply xg.
have le2 : (hamming x x' <= 2)%N.
  apply: leq_trans (hamming_apply_perm _ _) _.
  apply: (@leq_trans #|[set i; j]|); last by rewrite cards2; case: (i != j).
  apply: subset_leq_card; apply/subsetP => l; rewrite !inE.
  by case: tpermP => [->|->|]; rewrite ?eqxx ?orbT.
have neq0 : hamming x x' != 0%N.
  rewrite hamming_eq0; apply/negP=> /eqP/ffunP/(_ (tt, h, s)) E.
  have := fillsP (tperm i j) fB; rewrite -E -{1}[x]apply_perm1 (fillsP _ fB).
  have -> : keeps_row B 1 by apply/forallP=> v; rewrite perm1.
  move/esym/forallP=> /(_ j); rewrite tpermR jB (negbTE iB); exact/negP.
by have := no_neighbors inv; lia.
Qed.

Lemma step_rateE (R : realFieldType) (p : R) M : p < 1 ->
  step_rate (p / (1 - p)) M = ((1 - p) * M.+1%:R)^-1.
Proof.
move=> p_lt1; have q_neq0 : 1 - p != 0 by rewrite subr_eq0 eq_sym lt_eqF.
rewrite /step_rate invfM; congr (_ / _).
by rewrite -{1}(divff q_neq0) -mulrDl subrK div1r.
Qed.

(* Two rows, one of them below 1 - p times the other                          *)
Theorem short_row_loss (R : realFieldType) (p : R) (p01 : 0 <= p <= 1) n1 n2
    gamma (c := (1 - p) * n1.+1%:R) :
    0 < p < 1 -> (1 < n1)%N -> (0 < n2)%N -> n2%:R < c ->
    pure_dp (fun _ : unit => two_by_two (n1 := n1) (n2 := n2))
      (fun x x' => Some (hamming x x')) (fun=> Some gamma) (psa p p01) ->
  (c - n2%:R) ^+ 2 <= 12%:R * (c + 1) * gamma ^+ 2.
Proof.
move=> /andP[p_gt0 p_lt1] n1_gt1 n2_gt0 lt_c dp.
have c_gt0 : 0 < c := le_lt_trans (ler0n _ _) lt_c.
pose x := diagonal n1 n2.
pose A0 : {set 'I_(n1 + n2)} := set0.
pose B : {set 'I_(n1 + n2)} := ~: [set v : 'I_(n1 + n2) | (v < n1)%N].
have [cD cB] := card_row n1 n2.
have DE : ~: (A0 :|: B) = [set v : 'I_(n1 + n2) | (v < n1)%N].
  by rewrite set0U setCK.
have fB : fills x B false false.
  by move=> v; rewrite !inE /x ffunE /holding /swapping /=; case: (v < n1)%N.
pose E := [set s : {ffun unit * bool * bool -> 'I_(n1 + n2).+1}
  | s (tt, false, false) == #|B| :> nat].
have keepsE g : (table_ord (apply_perm g x) \in E) = keeps_rows A0 B g.
  have keep0 : keeps_row A0 g by apply/forallP=> v; rewrite !inE.
  by rewrite inE table_ordE (fillsP g fB) /keeps_rows keep0.
have n_gt1 : (1 < n1 + n2)%N by rewrite (leq_trans n1_gt1) // leq_addr.
have d0B : [disjoint A0 & B] by rewrite disjoints_subset sub0set.
have dpx i j : i \in ~: (A0 :|: B) -> j \in B ->
    mult_le (gamma ^+ 2) (psa p p01 x) (psa p p01 (apply_perm (tperm i j) x)).
  rewrite !inE negb_or => /andP[_ iB] jB.
  have x_in := diagonal_two_by_two n1 n2.
  have xt : preserves_strata x (tperm i j).
    by apply/preserves_strataP=> v; case: (matching _) (matching _) => [] [].
  have x'_in : two_by_two (apply_perm (tperm i j) x).
    by move=> b; have [hE sE] := x_in b; rewrite n_mh_apply n_ms_apply.
  have := dp tt x _ x_in x'_in.
  by rewrite (fills_exchange fB) ?inE.
have A0_card : #|A0| = 0%N by rewrite cards0.
have := one_row_cost (p01 := p01) p_gt0 p_lt1 n_gt1 d0B keepsE erefl erefl erefl
  A0_card _ _ _ dpx.
rewrite cB DE cD step_rateE // -/c => /(_ n2_gt0 n1_gt1).
have lt1 : n2%:R / c < 1 by rewrite ltr_pdivr_mulr // mul1r.
move=> /(_ lt1) le_g.
have c2_gt0 : 0 < c ^+ 2 by rewrite exprn_gt0.
have := ler_wpmul2r (ltW c2_gt0) le_g.
by congr (_ <= _); field; rewrite gt_eqF.
Qed.

Section ManyCategories.

Variables (H m : nat).
Local Notation n := (H * m)%N.
Implicit Types (k : 'I_H) (v : 'I_n).

Definition equal_categories (z : dataset unit 'I_H 'I_H n) : Prop :=
  forall k, n_mh z tt k = m /\ n_ms z tt k = m.

(* Each of the H categories has m of the records.                             *)
Definition category_of v : 'I_H :=
  (enum_val (cast_ord (esym (mxvec_cast H m)) v)).1.

Definition of_category k : {set 'I_n} := [set v | category_of v == k].

Lemma card_category k : #|of_category k| = m.
Proof.
pose e v : 'I_H * 'I_m := enum_val (cast_ord (esym (mxvec_cast H m)) v).
have e_bij : bijective e.
  exists (fun y => cast_ord (mxvec_cast H m) (enum_rank y)) => [v | y].
    by rewrite /e enum_valK cast_ordKV.
  by rewrite /e cast_ordK enum_rankK.
have -> : of_category k = e @^-1: setX [set k] setT.
  by apply/setP=> v; rewrite !inE andbT.
by rewrite on_card_preimset ?cardsX ?cards1 ?cardsT ?card_ord ?mul1n //;
  apply: onW_bij.
Qed.

Definition even_data : dataset unit 'I_H 'I_H n :=
  [ffun v => (tt, category_of v, category_of v)].

Lemma even_dataP : equal_categories even_data.
Proof.
move=> k; rewrite n_mhE n_msE.
by split; rewrite -[RHS](card_category k); apply: eq_card => v;
  rewrite !inE ffunE.
Qed.

Lemma fills_even k : fills even_data (of_category k) k k.
Proof. by move=> v; rewrite inE ffunE. Qed.

Lemma card_others_even k k' : k != k' ->
  #|~: (of_category k :|: of_category k')| = ((H - 2) * m)%N.
Proof.
move=> kk'; have dis : [disjoint of_category k & of_category k'].
  rewrite -setI_eq0; apply/eqP/setP=> v; rewrite !inE.
  by case: eqP => // ->; rewrite (negbTE kk').
have := cardsC (of_category k :|: of_category k').
rewrite cardsU disjoint_setI0 // cards0 subn0 !card_category card_ord.
by rewrite mulnBl; lia.
Qed.

Variables (R : realFieldType) (p : R) (gamma : R).
Hypothesis p01 : 0 <= p <= 1.

Local Notation c := ((1 - p) * (H%:R - 2%:R)).

(* The cost of two rows of m records, where X = d m + 1 - p.                  *)
Lemma two_rows_cost_ge (d X : R) (y := m%:R / X) :
    1 < d -> (0 < m)%N -> d * m%:R < X ->
    (y < 1 -> y < 1 ->
      (1 - y) ^+ 2 * (1 - y) ^+ 2 <= 24%:R * (gamma * X^-1) ^+ 2) ->
  ((d - 1) ^+ 2 * m%:R) ^+ 2 <= 24%:R * (d * gamma) ^+ 2.
Proof.
move=> d_gt1 m_gt0 lt_dm; have d_gt0 : 0 < d := lt_trans ltr01 d_gt1.
have m_pos : 0 < m%:R :> R by rewrite ltr0n.
have X_gt0 : 0 < X by apply: lt_trans lt_dm; rewrite mulr_gt0.
have lt_m : m%:R < X by apply: le_lt_trans lt_dm; rewrite ler_pmull // ltW.
have y_lt1 : m%:R / X < 1 by rewrite ltr_pdivr_mulr // mul1r.
move=> /(_ y_lt1 y_lt1).
have y1_gt0 : 0 < 1 - y by rewrite subr_gt0.
have le1 : (d - 1) * m%:R <= (1 - y) * X.
  rewrite mulrBl mul1r mulrBl mul1r /y divfK ?gt_eqF // ler_add2r.
  exact: ltW.
have le2 : d - 1 <= (1 - y) * d.
  rewrite mulrBl mul1r ler_add2l ler_opp2 /y mulrAC ler_pdivr_mulr // mul1r.
  by rewrite mulrC ltW.
have d1_ge0 : 0 <= d - 1 by rewrite subr_ge0 ltW.
have le12 : (d - 1) ^+ 2 * m%:R <= (1 - y) ^+ 2 * (X * d).
  have := ler_pmul (mulr_ge0 d1_ge0 (ltW m_pos)) d1_ge0 le1 le2.
  by congr (_ <= _); ring.
have l_ge0 : 0 <= (d - 1) ^+ 2 * m%:R by rewrite mulr_ge0 ?sqr_ge0 ?ler0n.
move=> le_g.
have le_sq : ((d - 1) ^+ 2 * m%:R) ^+ 2 <= ((1 - y) ^+ 2 * (X * d)) ^+ 2.
  by rewrite ler_sqr // nnegrE // (le_trans l_ge0).
apply: (le_trans le_sq).
have Xd2_ge0 : 0 <= (X * d) ^+ 2 := sqr_ge0 _.
have := ler_wpmul2r Xd2_ge0 le_g.
congr (_ <= _); first by ring.
by field; rewrite gt_eqF.
Qed.

Lemma many_categories_cost : 0 < p < 1 -> 1 < c -> (0 < m)%N ->
    pure_dp (fun _ : unit => equal_categories)
      (fun x x' => Some (hamming x x')) (fun=> Some gamma) (psa p p01) ->
  ((c - 1) ^+ 2 * m%:R) ^+ 2 <= 24%:R * (c * gamma) ^+ 2.
Proof.
move=> /andP[p_gt0 p_lt1] c_gt1 m_gt0 dp.
have q_gt0 : 0 < 1 - p by rewrite subr_gt0.
have H_gt3 : (3 < H)%N.
  rewrite ltnNge; apply: contraL c_gt1 => H_le3; rewrite -leNgt.
  apply: (@le_trans _ _ (1 - p)); last by rewrite ler_subl_addr ler_addl ltW.
  rewrite ger_pmulr // ler_subl_addr -(natrD _ 1 2) ler_nat.
  exact: H_le3.
pose k1 := Ordinal (leq_trans (isT : (0 < 3)%N) (ltnW H_gt3)).
pose k2 := Ordinal (leq_trans (isT : (1 < 3)%N) (ltnW H_gt3)).
have k12 : k1 != k2 by [].
pose x := even_data; pose A := of_category k1; pose B := of_category k2.
pose E := [set s : {ffun unit * 'I_H * 'I_H -> 'I_n.+1}
  | (s (tt, k1, k1) == #|A| :> nat) && (s (tt, k2, k2) == #|B| :> nat)].
have keepsE g : (table_ord (apply_perm g x) \in E) = keeps_rows A B g.
  by rewrite inE !table_ordE !(fillsP g (fills_even _)).
have dAB : [disjoint A & B].
  rewrite -setI_eq0; apply/eqP/setP=> v; rewrite !inE.
  by case: eqP => // ->; rewrite (negbTE k12).
have M_gt1 : (1 < (H - 2) * m)%N.
  by rewrite (leq_trans _ (leq_pmulr _ m_gt0)) // ltn_subRL.
have n_gt1 : (1 < n)%N.
  by apply: leq_trans M_gt1 _; rewrite leq_mul2r leq_subr orbT.
have dpx : exchange_near x gamma p01 A B.
  move=> i j iA jB; have iB : i \notin B by rewrite (disjointFr dAB).
  have xt : preserves_strata x (tperm i j).
    by apply/preserves_strataP=> v; case: (matching _) (matching _) => [] [].
  have x'_in : equal_categories (apply_perm (tperm i j) x).
    move=> k; have [hE sE] := even_dataP k.
    by rewrite n_mh_apply n_ms_apply.
  have := dp tt x _ even_dataP x'_in.
  by rewrite (fills_exchange (fills_even k2)).
have := two_rows_cost (p01 := p01) p_gt0 p_lt1 n_gt1 dAB keepsE
  erefl erefl erefl _ _ _ _ _ dpx.
rewrite !card_category card_others_even // step_rateE //.
move/(_ m_gt0 m_gt0 M_gt1).
have HE : (H - 2)%:R = H%:R - 2%:R :> R by rewrite natrB // ltnW // ltnW.
set X := (1 - p) * _; have XE : X = c * m%:R + (1 - p).
  by rewrite /X mulrSr natrM HE; ring.
apply: two_rows_cost_ge => //.
by rewrite XE ltr_addl.
Qed.

End ManyCategories.

Lemma five_roots (R : realFieldType) (a b : R) : 0 <= b ->
  a ^+ 2 <= 24%:R * b ^+ 2 -> a <= 5%:R * b.
Proof.
move=> b_ge0 le_ab; rewrite leNgt; apply/negP=> lt_ba.
have b5_ge0 : 0 <= 5%:R * b by rewrite mulr_ge0 ?ler0n.
have : (5%:R * b) ^+ 2 < a ^+ 2.
  by rewrite ltr_sqr // nnegrE // (le_trans b5_ge0) // ltW.
move/lt_le_trans=> /(_ _ le_ab); rewrite exprMn -natrX ltNge => /negP[].
by rewrite ler_wpmul2r ?sqr_ge0 // ler_nat.
Qed.

(* The budget of Theorem 1 for strata of at most b records                    *)
Lemma theorem_1_enough (R : realFieldType) (M H S : finType) n b (p : R)
    (p01 : 0 <= p <= 1) (o := p / (1 - p)) (x x' : dataset M H S n) :
    0 < p < 1 -> (n <= b)%N -> same_invariants x x' ->
  mult_le (Num.max o (b.+1%:R / o) ^+ hamming x x')
    (psa p p01 x) (psa p p01 x').
Proof.
move=> /andP[p_gt0 p_lt1] le_nb; have o_gt0 : 0 < o := odds_gt0 p_gt0 p_lt1.
have le_o : o <= Num.max o (b.+1%:R / o) by rewrite le_maxr lexx.
have le_b : b.+1%:R <= Num.max o (b.+1%:R / o) * o.
  by rewrite -ler_pdivr_mulr // le_maxr lexx orbT.
have g_ge0 : 0 <= Num.max o (b.+1%:R / o) := le_trans (ltW o_gt0) le_o.
apply: (@psa_mult_le _ _ _ b) => //.
  by apply: jump_mass_le => //; apply: budget_jump_le.
apply/bigmax_leqP=> k _; rewrite n_mE; apply: leq_trans le_nb.
by rewrite -[X in (_ <= X)%N](card_ord n) max_card.
Qed.

(* Many categories of the same size                                           *)
Theorem many_categories (R : realFieldType) (p : R) (p01 : 0 <= p <= 1) H m
    (o := p / (1 - p)) (c := (1 - p) * (H%:R - 2%:R)) :
    0 < p < 1 -> 1 < c -> (0 < m)%N ->
  let budget gamma := pure_dp (fun _ : unit => @equal_categories H m)
    (fun x x' => Some (hamming x x')) (fun=> Some gamma) (psa p p01) in
  budget (Num.max o ((H * m).+1%:R / o)) /\
  forall gamma, 0 <= gamma -> budget gamma ->
    (c - 1) ^+ 2 * m%:R <= 5%:R * (c * gamma).
Proof.
move=> p_in c_gt1 m_gt0 budget; split=> [_ x x' xP x'P | gamma g_ge0 dp].
  apply: theorem_1_enough => //; apply/same_invariantsP.
  by split=> -[] k; have [hE sE] := xP k; have [hE' sE'] := x'P k;
    rewrite ?hE ?hE' ?sE ?sE'.
apply: five_roots; last exact: many_categories_cost dp.
by rewrite mulr_ge0 // (le_trans ler01) // ltW.
Qed.
