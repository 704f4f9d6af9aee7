(******************************************************************************)
(* Statements of article, Appendix F, that fail                               *)
(*                                                                            *)
(*   cells20, universe20 == twenty records with row margins (9, 9, 1, 1) and  *)
(*            column margins (6, 6, 6, 1, 1)                                  *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   unit_pair_bound_refuted == psa.unit-pair.printed (Proposition 9): (18)   *)
(*            and (19) hold, and for some swap rate a smaller budget suffices *)
(*   swap_rate1_leaves_table_refuted == psa.full-swapping.proof-step: with a  *)
(*            third record, P_x'(C(s(x')) = C(x)) = 0 too                     *)
(*   budget_beyond_largest_stratum == psa.optimality.not-tight: two universes *)
(*            with one b and one swap rate, where a budget that the first     *)
(*            satisfies is too small for the other                            *)
(*   small_odds_budget == if no two data sets of a universe are further apart *)
(*            than D, then for small swap rates the budget ln((D + 1) / o)    *)
(*            suffices, up to any factor 1 + eta                              *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From mathcomp Require Import zify ring.
From Stirred Require Import compat law swapping hamming disjoint_swaps.
From Stirred Require Import derangement psa_law psa_privacy optimality.
From Stirred Require Import optimality_universes.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.

Lemma der_le_fact k : der k <= k`!.
Proof.
by rewrite /der -card_Sn; apply: max_card.
Qed.

Lemma pred_jump k k' : k != 1 -> k < k' -> (k' - k).+1 != k'.
Proof. by move=> k1 lt_kk'; apply: contra_neq k1; lia. Qed.

Local Open Scope ring_scope.

Section SmallOdds.
Variables (R : realFieldType) (H S : finType) (n : nat) (p : R).
Hypotheses (p01 : 0 <= p <= 1) (p_in : 0 < p < 1) (n_gt1 : (1 < n)%N).
Local Notation o := (p / (1 - p)).
Local Notation w k := (move_mass p n k).
Implicit Types (x z : dataset unit H S n) (g rho : {perm 'I_n}).

Let o_gt0 : 0 < o. Proof. by case/andP: p_in => ? ?; apply: odds_gt0. Qed.

Lemma psa_perm_unit x g : psa_perm p p01 x g = w (moved g).
Proof.
rewrite psa_permE (_ : preserves_strata x g = true); last first.
  by apply/preserves_strataP => i; case: (matching _); case: (matching _).
rewrite (big_pred1 tt) => [|[]//].
have full : stratum x tt = setT.
  by apply/setP => i; rewrite !inE; case: (matching _).
by rewrite /moved_in full setIT cardsT card_ord.
Qed.

Lemma moved_le_n g : (moved g <= n)%N.
Proof. by rewrite -[n in X in (_ <= X)%N]card_ord max_card. Qed.

Let c := (1 - p) ^+ n / (1 - n%:R * p * (1 - p) ^+ n.-1).

Let c_gt0 : 0 < c.
Proof.
case/andP: p_in => p_gt0 p_lt1.
by rewrite divr_gt0 ?exprn_gt0 ?subr_gt0 // -subr_gt0 reselection_gt0.
Qed.

(* Comparing two masses without division.                                     *)
Lemma perm_mass_le k k' (B : R) : (k <= n)%N -> (k' <= n)%N ->
  k != 1%N -> k' != 1%N ->
  o ^+ k * (der k')%:R <= B * o ^+ k' * (der k)%:R -> w k <= B * w k'.
Proof.
move=> lekn lek'n k1 k'1 le_B; case/andP: (p_in) => p_gt0 p_lt1.
rewrite !move_mass_odds // [X in _ <= X]mulrCA; apply: ler_wpmul2l.
  exact: ltW c_gt0.
rewrite ler_pdivr_mulr ?ltr0n ?der_gt0 //.
have -> : B * (o ^+ k' / (der k')%:R) * (der k)%:R =
    B * o ^+ k' * (der k)%:R / (der k')%:R by rewrite mulrA mulrAC.
by rewrite ler_pdivl_mulr ?ltr0n ?der_gt0.
Qed.

Lemma divACA (a b c1 d : R) : a / b * c1 * d = a * c1 * d / b.
Proof. by rewrite (mulrAC a) (mulrAC (a * c1)). Qed.

Variables (D : nat) (eta : R).
Hypotheses (o_le1 : o <= 1) (eta_gt0 : 0 < eta).
Hypothesis o_small : (n`!)%:R ^+ 2 * o <= eta.

Lemma mass_le_near k k' d : (k <= n)%N -> (k' <= n)%N ->
  k != 1%N -> k' != 1%N -> (k' <= k + d)%N -> (k' <= D)%N ->
  w k <= (D.+1%:R / o) ^+ d * w k'.
Proof.
move=> lekn lek'n k1 k'1 le_k' le_D; apply: perm_mass_le => //.
rewrite [(_ / o) ^+ d]expr_div_n divACA ler_pdivl_mulr ?exprn_gt0 //.
rewrite mulrAC -exprD mulrAC mulrC; apply: ler_pmul.
- exact: ler0n.
- by rewrite exprn_ge0 // ltW.
- rewrite -natrX -natrM ler_nat.
  have [le_k'k|lt_kk'] := leqP k' k.
    apply: leq_trans (leq_der le_k'k k'1 k1) _.
    by rewrite leq_pmull // expn_gt0.
  have := @der_ratio k' (k' - k); rewrite subKn ?(ltnW lt_kk') //.
  move=> ratio; apply: leq_trans (ratio _ _) _; rewrite ?leq_subr //.
    exact: pred_jump k1 lt_kk'.
  rewrite leq_mul2r; apply/orP; right.
  apply: (@leq_trans (D.+1 ^ (k' - k))); first by rewrite leq_exp2r ?subn_gt0.
  by rewrite leq_pexp2l // leq_subLR.
by apply: ler_wiexpn2l; rewrite // ltW.
Qed.

Lemma mass_le_far k h' d : (k <= n)%N -> (h' <= n)%N ->
  k != 1%N -> h' != 1%N -> (h' < k + d)%N ->
  w k <= (n`!)%:R * o / o ^+ d * w h'.
Proof.
move=> lekn leh'n k1 h'1 lt_h'; apply: perm_mass_le => //.
rewrite divACA ler_pdivl_mulr ?exprn_gt0 //.
have -> : (n`!)%:R * o * o ^+ h' * (der k)%:R =
    (n`!)%:R * (der k)%:R * o ^+ h'.+1.
  by rewrite exprS mulrAC (mulrAC _ o) !mulrA.
rewrite mulrAC -exprD mulrC; apply: ler_pmul.
- exact: ler0n.
- by rewrite exprn_ge0 // ltW.
- rewrite -natrM ler_nat; apply: leq_trans (der_le_fact h') _.
  apply: leq_trans (_ : n`! <= _)%N.
    exact: leq_fact.
  by rewrite leq_pmulr // der_gt0.
by apply: ler_wiexpn2l; rewrite // ltW.
Qed.

Lemma far_ge0 d : 0 <= (n`!)%:R * o / o ^+ d.
Proof.
apply: divr_ge0; last exact: exprn_ge0 (ltW o_gt0).
by apply: mulr_ge0 (ltW o_gt0); apply: ler0n.
Qed.

Lemma near_ge0 d : 0 <= (D.+1%:R / o) ^+ d.
Proof.
by apply/exprn_ge0/divr_ge0; [apply: ler0n | apply: ltW o_gt0].
Qed.

Lemma mass_le_any k k' h' d : (k <= n)%N -> (k' <= n)%N -> (h' <= D)%N ->
  (h' <= n)%N -> k != 1%N -> k' != 1%N -> h' != 1%N -> (k' <= k + d)%N ->
  w k <= (D.+1%:R / o) ^+ d * w k' + (n`!)%:R * o / o ^+ d * w h'.
Proof.
move=> lekn lek'n leh'D leh'n k1 k'1 h'1 lek'.
have w_ge0 l : 0 <= w l by apply: move_mass_ge0.
have [le_D|lt_D] := leqP k' D.
  apply: le_trans (mass_le_near lekn lek'n k1 k'1 lek' le_D) _.
  by rewrite ler_addl mulr_ge0 ?far_ge0.
apply: le_trans (mass_le_far lekn leh'n k1 h'1 (d := d) _) _.
  exact: leq_ltn_trans leh'D (leq_trans lt_D lek').
by rewrite ler_addr mulr_ge0 ?near_ge0.
Qed.

Local Notation gamma := ((1 + eta) * (D.+1%:R / o)).

Lemma far_terms_le d :
  (n`!)%:R * ((n`!)%:R * o / o ^+ d) <= eta * (D.+1%:R / o) ^+ d.
Proof.
rewrite mulrA mulrA -expr2; apply: (@le_trans _ _ (eta / o ^+ d)).
  apply: ler_wpmul2r o_small.
  by rewrite invr_ge0 exprn_ge0 // (ltW o_gt0).
apply: ler_wpmul2l; first exact: ltW.
have od_gt0 : 0 < (o ^+ d)^-1 by rewrite invr_gt0 exprn_gt0.
rewrite [(_ / o) ^+ d]expr_div_n (ler_pmull _ od_gt0).
by rewrite exprn_ege1 // ler1n.
Qed.

Lemma psa_le_small x x' t :
  same_invariants x x' -> (0 < hamming x x')%N ->
  (forall z, same_invariants x z -> hamming x' z <= D)%N ->
  psa p p01 x t <= gamma ^+ hamming x x' * psa p p01 x' t.
Proof.
move=> inv_x'; have [rho [x_rho rhoE tab]] := swap_path inv_x'.
rewrite -rhoE => d_gt0 diam; set d := moved rho in rhoE d_gt0 *.
have gamma_ge0 : 0 <= gamma.
  by rewrite mulr_ge0 ?(near_ge0 1) ?addr_ge0 ?ler01 ?(ltW eta_gt0).
have [g1 /eqP g1t|none] := pickP (fun g => table_ord (apply_perm g x) == t);
    last first.
  by rewrite psaE big_pred0 // mulr_ge0 ?exprn_ge0 ?law_ge0.
pose z := apply_perm g1 x.
have all_strata (y : dataset unit H S n) g : preserves_strata y g.
  by apply/preserves_strataP => i; case: (matching _); case: (matching _).
have inv_z : same_invariants x z := same_invariants_apply (all_strata x g1).
have [sigma [_ sigmaE tab_z]] : exists sigma, [/\ preserves_strata x' sigma,
    moved sigma = hamming x' z & table (apply_perm sigma x') = table z].
  apply: swap_path; apply: same_invariants_trans inv_z.
  by rewrite same_invariants_sym.
set h' := hamming x' z in sigmaE; have leh'D : (h' <= D)%N := diam z inv_z.
have w_ge0 l : 0 <= w l by apply: move_mass_ge0.
have wh' : w h' <= psa p p01 x' t.
  rewrite psaE (bigD1 sigma) /=; last first.
    by rewrite -g1t eq_table_ord tab_z.
  rewrite psa_perm_unit sigmaE ler_addl.
  by apply: sumr_ge0 => g _; apply: law_ge0.
have x'E : psa p p01 x' t =
    \sum_(g | table_ord (apply_perm g x) == t) w (moved (g * rho^-1)).
  rewrite -(psa_eq_table p01 tab) psa_applyE.
  by apply: eq_bigr => g _; rewrite psa_perm_unit.
pose E := (n`!)%:R * o / o ^+ d.
have E_ge0 : 0 <= E := far_ge0 d.
have le_sum : psa p p01 x t <=
    (D.+1%:R / o) ^+ d * psa p p01 x' t + (n`!)%:R * (E * w h').
  rewrite x'E psaE mulr_sumr.
  apply: (@le_trans _ _ (\sum_(g | table_ord (apply_perm g x) == t)
      ((D.+1%:R / o) ^+ d * w (moved (g * rho^-1)) + E * w h'))).
    apply: ler_sum => g _; rewrite psa_perm_unit.
    apply: mass_le_any; rewrite ?moved_le_n ?moved_neq1 //.
    - by rewrite -sigmaE moved_le_n.
    - by rewrite -sigmaE moved_neq1.
    have /andP[_ le_k'] := moved_change g rho^-1.
    by rewrite movedV in le_k'.
  rewrite big_split ler_add2l /= sumr_const -[X in X <= _]mulr_natl.
  apply: ler_wpmul2r; first by rewrite mulr_ge0.
  by rewrite ler_nat -[in X in (_ <= X)%N]card_Sn max_card.
have le_E : (n`!)%:R * E <= eta * (D.+1%:R / o) ^+ d := far_terms_le d.
apply: le_trans le_sum _.
apply: (@le_trans _ _ ((1 + eta) * (D.+1%:R / o) ^+ d * psa p p01 x' t)).
  have nE_ge0 : 0 <= (n`!)%:R * E by rewrite mulr_ge0 ?ler0n.
  have := ler_pmul nE_ge0 (w_ge0 h') le_E wh'.
  rewrite [(1 + eta) * _]mulrDl mul1r mulrDl ler_add2l.
  by rewrite [X in _ -> X <= _]mulrA.
rewrite [gamma ^+ d]exprMn; apply: ler_wpmul2r; first exact: law_ge0.
apply: ler_wpmul2r; first exact: near_ge0.
by rewrite ler_eexpr // ler_addl ltW.
Qed.

Theorem small_odds_budget x0 :
  (forall x x', same_invariants x0 x -> same_invariants x0 x' ->
     (hamming x x' <= D)%N) ->
  satisfies_in p01 x0 gamma.
Proof.
move=> diam x x' inv_x inv_x'.
have inv_xx' : same_invariants x x'.
  by apply: same_invariants_trans inv_x'; rewrite same_invariants_sym.
have [h0|h_gt0] := posnP (hamming x x').
  rewrite h0; have /eqP tab : table x == table x' by rewrite -hamming_eq0 h0.
  by rewrite (psa_eq_table p01 tab); apply/mult_leP => t; rewrite expr0 !mul1r.
apply/mult_leP => t; split.
  apply: psa_le_small => // z inv_z; apply: diam => //.
  exact: same_invariants_trans inv_z.
rewrite hamming_sym; apply: psa_le_small => [||z inv_z].
- by rewrite same_invariants_sym.
- by rewrite hamming_sym.
by apply: diam => //; apply: same_invariants_trans inv_z.
Qed.

End SmallOdds.

Local Close Scope ring_scope.

Section Universe20.

Let h0 : 'I_4 := @Ordinal 4 0 isT. Let h1 : 'I_4 := @Ordinal 4 1 isT.
Let h2 : 'I_4 := @Ordinal 4 2 isT. Let h3 : 'I_4 := @Ordinal 4 3 isT.
Let s0 : 'I_5 := @Ordinal 5 0 isT. Let s1 : 'I_5 := @Ordinal 5 1 isT.
Let s2 : 'I_5 := @Ordinal 5 2 isT. Let s3 : 'I_5 := @Ordinal 5 3 isT.
Let s4 : 'I_5 := @Ordinal 5 4 isT.

Definition cells20 : seq (unit * 'I_4 * 'I_5) :=
  nseq 6 (tt, h0, s0) ++ nseq 3 (tt, h0, s1) ++
  nseq 3 (tt, h1, s1) ++ nseq 6 (tt, h1, s2) ++
  [:: (tt, h2, s3); (tt, h3, s4)].

Definition universe20 : dataset unit 'I_4 'I_5 20 := dataset_of cells20.

Lemma n_mh20 h : n_mh universe20 tt h = nth 0 [:: 9; 9; 1; 1] h.
Proof.
rewrite [LHS](n_mh_of cells20).
by case: h => [[|[|[|[|k]]]] lt_k4].
Qed.

Lemma n_ms20 s : n_ms universe20 tt s = nth 0 [:: 6; 6; 6; 1; 1] s.
Proof.
rewrite [LHS](n_ms_of cells20).
by case: s => [[|[|[|[|[|k]]]]] lt_k5].
Qed.

Lemma n_m20 : n_m universe20 tt = 20.
Proof. by rewrite [LHS](n_m_of cells20). Qed.

(* Nine records of one row fill at least two of the three large columns.      *)
Lemma row_overlap (a b : 'I_5 -> nat) :
  \sum_s a s = 9 -> \sum_s b s = 9 ->
  (forall s, a s <= nth 0 [:: 6; 6; 6; 1; 1] s) ->
  (forall s, b s <= nth 0 [:: 6; 6; 6; 1; 1] s) ->
  0 < \sum_s minn (a s) (b s).
Proof.
move=> sum_a sum_b le_a le_b; rewrite lt0n; apply/negP.
rewrite sum_nat_eq0 => /forall_inP min0.
have disj s : a s = 0 \/ b s = 0.
  by have /eqP := min0 s isT; case: leqP => _ ->; [left | right].
move: sum_a sum_b; rewrite !big_ord_recl !big_ord0.
set t1 := lift _ _; set t2 := lift _ _; set t3 := lift _ _; set t4 := lift _ _.
have /= := (le_a ord0, le_a t1, le_a t2, le_a t3, le_a t4).
have /= := (le_b ord0, le_b t1, le_b t2, le_b t3, le_b t4).
move: (disj ord0) (disj t1) (disj t2) (disj t3) (disj t4).
move: (a ord0) (a t1) (a t2) (a t3) (a t4) => a0 a1 a2 a3 a4.
move: (b ord0) (b t1) (b t2) (b t3) (b t4) => b0 b1 b2 b3 b4.
rewrite /bump /=.
move=> d0 d1 d2 d3 d4 [[[[? ?] ?] ?] ?] [[[[? ?] ?] ?] ?] ? ?.
lia.
Qed.

Lemma universe20_diameter (x z : dataset unit 'I_4 'I_5 20) :
  same_invariants universe20 x -> same_invariants universe20 z ->
  hamming x z <= 18.
Proof.
move=> inv_x inv_z.
pose overlap h := \sum_s minn (table x (tt, h, s)) (table z (tt, h, s)).
have overlap_gt0 h : n_mh universe20 tt h = 9 -> 0 < overlap h.
  move=> nine; apply: row_overlap.
  - by rewrite -[LHS]/(n_mh x tt h) -(same_n_mh inv_x).
  - by rewrite -[LHS]/(n_mh z tt h) -(same_n_mh inv_z).
  - move=> s; rewrite -n_ms20 (same_n_ms inv_x) /n_ms (bigD1 h) //=.
    exact: leq_addr.
  move=> s; rewrite -n_ms20 (same_n_ms inv_z) /n_ms (bigD1 h) //=.
  exact: leq_addr.
have := hamming_in_min x z tt; rewrite -(same_n_m inv_x) n_m20.
have -> : hamming_in x z tt = hamming x z.
  by rewrite hamming_sum (big_pred1 tt) // => -[].
rewrite -/(overlap _) (bigD1 h0) //= (bigD1 h1) //= -/(overlap h0).
rewrite -/(overlap h1).
have := overlap_gt0 h0 (n_mh20 h0); have := overlap_gt0 h1 (n_mh20 h1).
by lia.
Qed.

End Universe20.

Lemma der20_gt : 364 * der 18 < der 20.
Proof.
have := derS_ge 18; rewrite (derSS 18).
have : 2 <= der 18 by rewrite -der3; apply: leq_der.
by move: (der 18) (der 19) => d18 d19; lia.
Qed.

Local Open Scope ring_scope.

(* (1 + 1/361)^2 (D + 1)^2 <= 364 for D = 18.                                 *)
Lemma refuting_budget (R : realFieldType) :
  ((1 + (19 ^ 2)%:R^-1) * 19%:R) ^+ 2 <= 364%:R :> R.
Proof.
have : (19 ^ 2)%:R != 0 :> R by rewrite pnatr_eq0.
have v_le1 : (19 ^ 2)%:R^-1 <= 1 :> R by rewrite invf_le1 ?ltr0n // ler1n.
rewrite exprMn -[19%:R ^+ 2]natrX; move: v_le1; set N := (19 ^ 2)%:R.
move=> v_le1 N_neq0; have -> : (1 + N^-1) ^+ 2 * N = N + 2%:R + N^-1.
  by field.
by rewrite (_ : 364%N = (19 ^ 2 + 2 + 1)%N) // !natrD !ler_add2l.
Qed.

(* For a small swap rate universe20 has a budget below the bound of           *)
(* Proposition 9.                                                             *)
Lemma universe20_budget (R : realFieldType) :
  exists (p : R) (p01 : 0 <= p <= 1) (gamma : R),
    [/\ 0 < p < 1, 1 <= gamma, satisfies_in p01 universe20 gamma
      & gamma ^+ 2 * (p / (1 - p)) ^+ 2 * (der (20 - 2))%:R < (der 20)%:R].
Proof.
have [K K_gt0 KE] : exists2 K : R, 1 <= K & K = (20`!)%:R ^+ 2.
  by exists ((20`!)%:R ^+ 2) => //; rewrite exprn_ege1 // ler1n fact_gt0.
pose eta : R := (19 ^ 2)%:R^-1.
have eta_gt0 : 0 < eta by rewrite invr_gt0 ltr0n.
have eta_le1 : eta <= 1 by rewrite invf_le1 ?ltr0n // ler1n.
pose o : R := eta / K; have K0 : 0 < K := lt_le_trans ltr01 K_gt0.
have o_gt0 : 0 < o by rewrite divr_gt0.
have o_le1 : o <= 1 by rewrite ler_pdivr_mulr // mul1r (le_trans eta_le1).
have o1_gt0 : 0 < 1 + o by rewrite addr_gt0 ?ltr01.
pose p : R := o / (1 + o).
have qE : 1 - p = (1 + o)^-1.
  rewrite /p -[X in X - _](divff (lt0r_neq0 o1_gt0)) -mulrBl addrK.
  by rewrite mul1r.
have oE : p / (1 - p) = o.
  by rewrite qE invrK /p divfK // lt0r_neq0.
have p_in : 0 < p < 1.
  by rewrite divr_gt0 //= -subr_gt0 qE invr_gt0.
have p01 : 0 <= p <= 1 by case/andP: p_in => ? ?; rewrite !ltW.
exists p, p01, ((1 + eta) * (19%:R / o)); split=> //.
- apply: mulr_ege1; first by rewrite ler_addl ltW.
  by rewrite ler_pdivl_mulr // mul1r (le_trans o_le1) // ler1n.
- rewrite -[in 19%:R / o]oE; apply: small_odds_budget => //; rewrite ?oE //.
    by rewrite -KE /o mulrCA divff ?mulr1 // lt0r_neq0.
  exact: universe20_diameter.
have go : (1 + eta) * (19%:R / o) * o = (1 + eta) * 19%:R.
  by rewrite -mulrA mulfVK // lt0r_neq0.
rewrite oE -exprMn go.
apply: le_lt_trans (_ : 364%:R * (der (20 - 2))%:R < _).
  by rewrite ler_wpmul2r ?ler0n ?refuting_budget.
by rewrite -natrM ltr_nat der20_gt.
Qed.

Lemma universe20_largest : largest_stratum universe20 = 20%N.
Proof.
rewrite largest_stratum_unit.
by rewrite (@mixed_hs _ _ _ _ _ _ (@Ordinal 4 0 isT) (@Ordinal 4 1 isT)) //
           n_mh20.
Qed.

(* Proposition 9 as printed fails: in this universe of twenty records (18)    *)
(* and (19) hold, and for a small swap rate the PSA satisfies a budget below  *)
(* the claimed lower bound.                                                   *)
Theorem unit_pair_bound_refuted :
  exists n (x0 : dataset unit 'I_4 'I_5 n) (h1 h2 : 'I_4) (s1 s2 : 'I_5),
    [/\ bounded_18 x0 tt /\ n_m x0 tt = largest_stratum x0, h1 != h2, s1 != s2,
        n_mh x0 tt h1 = 1%N /\ n_mh x0 tt h2 = 1%N
      & n_ms x0 tt s1 = 1%N /\ n_ms x0 tt s2 = 1%N] /\
  forall R : realFieldType, exists (p : R) (p01 : 0 <= p <= 1) (gamma : R),
    [/\ 0 < p < 1, 1 <= gamma, satisfies_in p01 x0 gamma
      & gamma ^+ 2 * (p / (1 - p)) ^+ 2 * (der (n_m x0 tt - 2))%:R
        < (der (n_m x0 tt))%:R].
Proof.
exists 20%N, universe20, (@Ordinal 4 2 isT), (@Ordinal 4 3 isT).
exists (@Ordinal 5 3 isT), (@Ordinal 5 4 isT).
rewrite !n_mh20 !n_ms20 n_m20; split.
  split=> //; split.
    rewrite /bounded_18 n_m20; apply/andP; split; apply/forallP => k.
      by rewrite n_mh20; case: k => [[|[|[|[|]]]]].
    by rewrite n_ms20; case: k => [[|[|[|[|[|]]]]]].
  exact/esym/universe20_largest.
exact: universe20_budget.
Qed.

(* Two universes with the same largest stratum, the same swap rate, and       *)
(* different least budgets.                                                   *)
Theorem budget_beyond_largest_stratum (R : realFieldType) :
  exists n (x0 : dataset unit 'I_4 'I_5 n) n' (x1 : dataset unit 'I_4 'I_5 n')
    (p : R) (p01 : 0 <= p <= 1) (gamma : R),
    [/\ largest_stratum x0 = largest_stratum x1, 0 < p < 1, 1 <= gamma,
        satisfies_in p01 x0 gamma & ~ satisfies_in p01 x1 gamma].
Proof.
have [p [p01 [gamma [p_in gamma1 sat lt_b]]]] := universe20_budget R.
have [|||n [x1 [b_x1 bound]]] :=
  @lower_bound_every_size unit_finType [finType of 'I_4] [finType of 'I_5] tt
    20; rewrite ?card_ord //.
exists 20%N, universe20, n, x1, p, p01, gamma.
split; rewrite ?universe20_largest //.
case/(bound R p p01 gamma p_in gamma1) => le_b _.
by have := le_lt_trans le_b lt_b; rewrite ltxx.
Qed.

(* The printed proof of Proposition 7 takes the event that the table of x is  *)
(* released. If the stratum holds a third record, no permutation without a    *)
(* fixed point leads there from x' either.                                    *)
Theorem swap_rate1_leaves_table_refuted (R : realFieldType) 
    (p01 : (0 : R) <= 1 <= 1) :
  exists (x : dataset unit 'I_3 'I_3 3) (i j : 'I_3),
    let x' := apply_perm (tperm i j) x in
    [/\ i != j, unique_in x i, unique_in x j,
        psa 1 p01 x (table_ord x) = 0 & psa 1 p01 x' (table_ord x) = 0].
Proof.
pose x : dataset unit 'I_3 'I_3 3 := [ffun i : 'I_3 => (tt, i, i)].
pose i : 'I_3 := @Ordinal 3 0 isT; pose j : 'I_3 := @Ordinal 3 1 isT.
pose k : 'I_3 := @Ordinal 3 2 isT.
have unique l : unique_in x l.
  apply/andP; rewrite n_mhE n_msE; split; apply/cards1P; exists l.
    by apply/setP => l'; rewrite !inE !ffunE.
  by apply/setP => l'; rewrite !inE !ffunE.
have all_strata g : preserves_strata x g.
  by apply/preserves_strataP => l; rewrite !ffunE.
have fixed g l : table (apply_perm g x) = table x -> g l = l.
  by move=> gx; apply: unique_fixed (all_strata g) (unique l) _;
    rewrite gx table_gt0.
have mass0 (y : dataset unit 'I_3 'I_3 3) (g : {perm 'I_3}) l :
    g l = l -> psa_perm 1 p01 y g = 0.
  move=> gl; rewrite psa_perm_unit.
  have lt3 : (moved g < 3)%N.
    have := subset_leq_card (subsetT (l |: moved_set g)).
    by rewrite cardsU1 inE gl eqxx cardsT card_ord.
  by rewrite /move_mass /= subrr expr1n mul1r expr0n subn_eq0 leqNgt lt3 mul0r.
exists x, i, j; split=> //; rewrite psaE; apply: big1 => g.
  by rewrite eq_table_ord => /eqP gx; apply: (mass0 _ _ k); apply: fixed.
rewrite apply_permM eq_table_ord => /eqP gx; apply: (mass0 _ _ k).
by apply: (@perm_inj _ (tperm i j)); rewrite -permM (fixed _ k gx) tpermD.
Qed.
