(******************************************************************************)
(* The smallest budget of the PSA that depends on b and p alone               *)
(*                                                                            *)
(* Definitions, for the odds o = p / (1 - p)                                  *)
(*   sharp_budget b o gamma == gamma >= o, and for b = 3 both gamma^3 >= 2 /  *)
(*            o^3 and gamma^2 >= 2 / o, for other b gamma^2 >= d(b) / d(b-2)  *)
(*            / o^2; so the smallest budget is max {o, sqrt (d(b) / d(b-2)) / *)
(*            o}, and for b = 3 max {o, 2^(1/3) / o, (2 / o)^(1/2)}           *)
(*   all_distinct n == the data set of n records in one stratum whose margins *)
(*            n_mh and n_ms are all one                                       *)
(*   suffices_distinct n gamma p01 == gamma bounds the PSA on its universe    *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   psa_sharp == sharp_budget is necessary and sufficient                    *)
(*            (psa.exact.sharpened and, for b = 2 and 3, its complement)      *)
(*   psa_sharp_privacy, psa_sharp_pure_dp == it suffices in every universe    *)
(*   psa_sharp_lower == it is necessary in the universe of all_distinct b     *)
(*   sharp_le_psa_budget == Theorem 1 follows                                 *)
(*   psa_budget_sharp_iff == Theorem 1 is sharp if and only if o^2 >= b + 1   *)
(*   psa_privacy_improved == Theorem 1 with b in place of b + 1               *)
(*   sharp_budget_simple, sharp_budget_bounds == the smallest gamma o lies    *)
(*            between b - 1 and b, unless gamma = o                           *)
(*   sharp_budget_sqrt == with square roots                                   *)
(*   sharp_budget_mono == monotone in b                                       *)
(*   sharp_budget_min == the smallest over all swap rates                     *)
(*   sharp_budget_dual == two swap rates with one budget, for b <> 3          *)
(*   psa_degenerate_infinite == p = 0 and p = 1 have no finite budget         *)
(*   printed_budget_not_smallest == at b = 2 and p = 1/2 budget 0 is enough,  *)
(*            so that (7) is not the smallest there: psa.exact.printed-       *)
(*            smallest                                                        *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From mathcomp Require Import ring.
From Stirred Require Import compat law swapping hamming derangement.
From Stirred Require Import pure psa_law psa_privacy.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory GroupScope.
Local Open Scope ring_scope.

Section SharpBudget.

Variable R : realFieldType.
Implicit Types (b k : nat) (p o gamma : R).

(* The budgets gamma that suffice for a largest stratum of b >= 2 records and *)
(* swap odds o.                                                               *)
Definition sharp_budget b o gamma : bool :=
  (o <= gamma) &&
  if b == 3%N then (2%:R <= gamma ^+ 3 * o ^+ 3) && (2%:R <= gamma ^+ 2 * o)
  else (der b)%:R <= gamma ^+ 2 * o ^+ 2 * (der (b - 2))%:R.

Lemma ge1_of_expr (x : R) i : 0 <= x -> 1 <= x ^+ i.+1 -> 1 <= x.
Proof.
by move=> x_ge0; rewrite -{1}(expr1n _ i.+1) ler_pexpn2r ?nnegrE ?ler01.
Qed.

Lemma sharp_budget_gt0 b o gamma : 0 < o -> sharp_budget b o gamma -> 0 < gamma.
Proof. by move=> o_gt0 /andP[/(lt_le_trans o_gt0)]. Qed.

Lemma sharp_budget_ge1 b o gamma : 0 < o -> (1 < b)%N ->
  sharp_budget b o gamma -> 1 <= gamma.
Proof.
move=> o_gt0 b_gt1 sharp; have g_gt0 := sharp_budget_gt0 o_gt0 sharp.
have [o_ge0 g_ge0] := (ltW o_gt0, ltW g_gt0).
suff: 1 <= gamma * o.
  move=> go_ge1; apply: (@ge1_of_expr _ 1) => //.
  rewrite expr2 (le_trans go_ge1) // ler_wpmul2l //.
  by case/andP: sharp.
case/andP: sharp => le_o; case: eqP => [_ /andP[ge2 _] | /eqP b3].
  apply: (@ge1_of_expr _ 2); rewrite ?mulr_ge0 // exprMn.
  by apply: le_trans ge2; rewrite ler1n.
case: b b_gt1 b3 => [|[|c]] // _ c1; rewrite !subSS subn0 => le_r.
have c_neq1 : c != 1%N by apply: contraNneq c1 => ->.
have dc : 0 < (der c)%:R :> R by rewrite ltr0n der_gt0.
apply: (@ge1_of_expr _ 1); rewrite ?mulr_ge0 // exprMn.
rewrite -(ler_pmul2r dc) mul1r; apply: le_trans le_r; rewrite ler_nat.
by apply: leq_trans (der_ratio2_ge c_neq1); rewrite leq_pmull.
Qed.

(* Where the permutation moves no more records than before, o <= gamma is     *)
(* enough.                                                                    *)
Lemma jump_fewer o gamma k k' delta :
  0 < o -> o <= gamma -> 1 <= gamma -> k != 1%N -> k' != 1%N ->
  (k' <= k)%N -> (k <= k' + delta)%N ->
  (der k')%:R * o ^+ k <= gamma ^+ delta * ((der k)%:R * o ^+ k').
Proof.
move=> o_gt0 le_o g_ge1 k1 k'1 lek'k lek.
have [o_ge0 g_ge0] := (ltW o_gt0, le_trans ler01 g_ge1).
rewrite (_ : _ * o ^+ k = o ^+ (k - k') * ((der k')%:R * o ^+ k'));
  last by rewrite mulrCA -exprD subnK.
have oX j : 0 <= o ^+ j by rewrite exprn_ge0.
apply: ler_pmul; rewrite ?mulr_ge0 ?ler0n //; last first.
  by rewrite ler_wpmul2r // ler_nat leq_der.
apply: (@le_trans _ _ (gamma ^+ (k - k'))).
  by apply: ler_expn2r; rewrite ?nnegrE.
by rewrite ler_weexpn2l // leq_subLR.
Qed.

(* Where it moves more, it suffices to bound d(k') / d(k) by                  *)
(* gamma^i o^(k' - k) for one i <= delta:                                     *)
Lemma jump_more o gamma k k' delta i :
  0 < o -> 1 <= gamma -> (k <= k')%N -> (i <= delta)%N ->
  (der k')%:R <= gamma ^+ i * o ^+ (k' - k) * (der k)%:R ->
  (der k')%:R * o ^+ k <= gamma ^+ delta * ((der k)%:R * o ^+ k').
Proof.
move=> o_gt0 g_ge1 lekk' lei le_der.
have oX j : 0 <= o ^+ j by rewrite exprn_ge0 ?ltW.
rewrite -[in X in _ <= X](subnKC lekk') exprD.
apply: (@le_trans _ _ (gamma ^+ i * o ^+ (k' - k) * (der k)%:R * o ^+ k)).
  by rewrite ler_wpmul2r.
rewrite (_ : _ * o ^+ k =
    gamma ^+ i * ((der k)%:R * (o ^+ k * o ^+ (k' - k)))).
  by rewrite ler_wpmul2r ?mulr_ge0 ?ler0n // ler_weexpn2l.
by rewrite -!mulrA; congr (_ * _); rewrite mulrC -mulrA.
Qed.

(* so for i = k' - k > 1 by der_ratio_jump,                                   *)
Lemma der_ratio_far o gamma c k j : 0 <= o -> 0 <= gamma -> c != 1%N ->
    (der c.+2)%:R <= gamma ^+ 2 * o ^+ 2 * (der c)%:R ->
    j != 1%N -> k != 1%N -> (k + j)%N != 1%N -> (k + j <= c.+2)%N ->
  (der (k + j))%:R <= gamma ^+ j * o ^+ j * (der k)%:R.
Proof.
move=> o_ge0 g_ge0 c1 le_r j1 k1 kj1 le_kj.
have dc : 0 < (der c)%:R :> R by rewrite ltr0n der_gt0.
have le_j := der_ratio_jump j1 k1 kj1 le_kj c1.
rewrite -exprMn -(ler_pexpn2r (isT : (0 < 2)%N)) ?nnegrE ?ler0n //;
  last by rewrite mulr_ge0 ?ler0n // exprn_ge0 // mulr_ge0.
rewrite -(ler_pmul2r (exprn_gt0 j dc)).
apply: (@le_trans _ _ ((der c.+2 ^ j * der k ^ 2)%:R)).
  by rewrite -!natrX -natrM ler_nat.
rewrite natrM !natrX [leRHS](_ : _ =
    (gamma ^+ 2 * o ^+ 2 * (der c)%:R) ^+ j * (der k)%:R ^+ 2).
  rewrite ler_wpmul2r ?exprn_ge0 ?ler0n //.
  by apply: ler_expn2r; rewrite ?nnegrE ?mulr_ge0 ?exprn_ge0 ?ler0n.
have eX (a : R) : (a ^+ j) ^+ 2 = (a ^+ 2) ^+ j.
  by rewrite -!exprM [(j * 2)%N]mulnC.
by rewrite (exprMn 2 (_ ^+ j)) eX (exprMn 2 gamma) mulrAC -(exprMn j).
Qed.

(* and for k' = k + 1 with i = 2.                                             *)
Lemma der_ratio_next o gamma c k : 0 <= o -> o <= gamma -> c != 1%N ->
    (der c.+2)%:R <= gamma ^+ 2 * o ^+ 2 * (der c)%:R ->
    (1 < k)%N -> (k.+1 <= c.+2)%N ->
  (der k.+1)%:R <= gamma ^+ 2 * o * (der k)%:R.
Proof.
move=> o_ge0 le_o c1 le_r k_gt1 le_kc; have g_ge0 := le_trans o_ge0 le_o.
have dc : 0 < (der c)%:R :> R by rewrite ltr0n der_gt0.
have le4 : (der k.+1)%:R ^+ 4 * (der c)%:R ^+ 3 <=
    (der c.+2)%:R ^+ 3 * (der k)%:R ^+ 4 :> R.
  by rewrite -!natrX -!natrM ler_nat der_ratio1.
rewrite -(ler_pexpn2r (isT : (0 < 4)%N)) ?nnegrE ?mulr_ge0 ?exprn_ge0 ?ler0n //.
rewrite -(ler_pmul2r (exprn_gt0 3 dc)); apply: (le_trans le4).
apply: (@le_trans _ _
    ((gamma ^+ 2 * o ^+ 2 * (der c)%:R) ^+ 3 * (der k)%:R ^+ 4)).
  rewrite ler_wpmul2r ?exprn_ge0 ?ler0n //.
  by apply: ler_expn2r; rewrite ?nnegrE ?mulr_ge0 ?exprn_ge0 ?ler0n.
rewrite [leLHS](_ : _ = gamma ^+ 6 * o ^+ 4 * (der c)%:R ^+ 3 *
  (der k)%:R ^+ 4 * o ^+ 2); last by ring.
rewrite [leRHS](_ : _ = gamma ^+ 6 * o ^+ 4 * (der c)%:R ^+ 3 *
  (der k)%:R ^+ 4 * gamma ^+ 2); last by ring.
rewrite ler_wpmul2l ?mulr_ge0 ?exprn_ge0 ?ler0n //.
by apply: ler_expn2r; rewrite ?nnegrE.
Qed.

(* The key inequality: sharp_budget bounds every ratio (14).                  *)
Lemma sharp_jump b o gamma : 0 < o -> (1 < b)%N ->
  sharp_budget b o gamma -> jump_le b gamma o.
Proof.
move=> o_gt0 b_gt1 sharp k k' delta lekb lek'b k1 k'1 d1 lek lek'.
have g_ge1 := sharp_budget_ge1 o_gt0 b_gt1 sharp.
have [o_ge0 g_ge0] := (ltW o_gt0, le_trans ler01 g_ge1).
have le_o : o <= gamma by case/andP: sharp.
have [ltkk' | lek'k] := ltnP k k'; last exact: jump_fewer.
have suffi i := @jump_more o gamma k k' delta i o_gt0 g_ge1 (ltnW ltkk').
have ledelta : (k' - k <= delta)%N by rewrite leq_subLR.
have delta_gt1 : (1 < delta)%N.
  by rewrite ltn_neqAle eq_sym d1 (leq_trans _ ledelta) // subn_gt0.
case/andP: sharp => _; case: (eqVneq b 3%N) => [b3 /andP[le3 le2] | b3].
  rewrite {b b_gt1}b3 in lekb lek'b.
  have go_ge1 : 1 <= gamma * o.
    apply: (@ge1_of_expr _ 2); rewrite ?mulr_ge0 // exprMn.
    by apply: le_trans le3; rewrite ler1n.
  case: k k' lekb lek'b k1 k'1 ltkk' {lek lek'} suffi ledelta
    => [|[|[|[]]]] // [|[|[|[|]]]] //= _ _ _ _ _.
  - move=> /(_ 2%N delta_gt1) suff2 _; apply: suff2.
    by rewrite der2 der0 mulr1 -exprMn exprn_ege1.
  - by move=> suffi le3d; apply: suffi le3d _; rewrite der3 der0 mulr1.
  move=> /(_ 2%N delta_gt1) suff2 _; apply: suff2.
  by rewrite der3 der2 mulr1 expr1.
case: b b_gt1 b3 lekb lek'b => [|[|c]] // _ c1 lekb lek'b.
rewrite !subSS subn0 => le_r.
have c_neq1 : c != 1%N by apply: contraNneq c1 => ->.
have k'E : k' = (k + (k' - k))%N by rewrite subnKC // ltnW.
have [j1 | j1] := eqVneq (k' - k)%N 1%N; last first.
  apply: suffi ledelta _; have := der_ratio_far o_ge0 g_ge0 c_neq1 le_r j1 k1.
  by rewrite -k'E => /(_ k'1 lek'b).
rewrite j1 addn1 in k'E; apply: (suffi 2%N) => //; rewrite j1 expr1.
rewrite k'E in k'1 lek'b *; apply: (der_ratio_next _ _ c_neq1) => //.
by move: k1 k'1; case: (k) => [|[]].
Qed.

(* A simple bound between the sharp budget and Theorem 1: b instead of b + 1. *)
Lemma sharp_budget_simple b o gamma : 0 < o -> (1 < b)%N ->
  o <= gamma -> b%:R <= gamma * o -> sharp_budget b o gamma.
Proof.
move=> o_gt0 b_gt1 le_o le_b; rewrite /sharp_budget le_o /=.
have g_gt0 : 0 < gamma := lt_le_trans o_gt0 le_o.
have go_ge0 : 0 <= gamma * o by rewrite mulr_ge0 // ltW.
case: eqP => [b3 | /eqP b3].
  move: le_b; rewrite b3 => le3; rewrite -exprMn.
  have le23 : 2%:R <= 3%:R :> R by rewrite ler_nat.
  have go_ge1 : 1 <= gamma * o by apply: le_trans le3; rewrite ler1n.
  have g_ge1 : 1 <= gamma.
    apply: (@ge1_of_expr _ 1); first exact: ltW.
    by rewrite expr2 (le_trans go_ge1) // ler_pmul2l.
  have go_gt0 := lt_le_trans ltr01 go_ge1.
  apply/andP; split; apply: (le_trans le23); apply: (le_trans le3).
    by rewrite exprS ler_pmulr // exprn_ege1.
  by rewrite expr2 -mulrA ler_pmull.
have le_sq : (der b <= b ^ 2 * der (b - 2))%N.
  by case: (b) b_gt1 b3 => [|[|c]] // _ c1; rewrite !subSS subn0 der_ratio2_sq.
apply: (@le_trans _ _ (b%:R ^+ 2 * (der (b - 2))%:R)).
  by rewrite -natrX -natrM ler_nat.
by rewrite -exprMn ler_wpmul2r ?ler0n // ler_expn2r // nnegrE ?ler0n.
Qed.

End SharpBudget.

(* Sufficiency                                                                *)
Lemma psa_sharp_privacy (R : realFieldType) (M H S : finType) (n : nat)
    (p gamma : R) (p01 : 0 <= p <= 1) (x x' : dataset M H S n) :
  0 < p < 1 -> (1 < largest_stratum x)%N ->
  sharp_budget (largest_stratum x) (p / (1 - p)) gamma ->
  same_invariants x x' ->
  mult_le (gamma ^+ hamming x x') (psa p p01 x) (psa p p01 x').
Proof.
move=> /andP[p_gt0 p_lt1] b_gt1 sharp; have o_gt0 := odds_gt0 p_gt0 p_lt1.
have g_ge0 := ltW (sharp_budget_gt0 o_gt0 sharp).
apply: (@psa_mult_le _ _ _ (largest_stratum x)) => //.
by apply: jump_mass_le => //; apply: sharp_jump.
Qed.

(* Theorem 1 again: its budget is one of those that suffice.                  *)
Theorem sharp_le_psa_budget (R : realFieldType) b (p gamma : R) :
  (1 < b)%N -> 0 <= p <= 1 -> psa_budget b p = Some gamma ->
  sharp_budget b (p / (1 - p)) gamma.
Proof.
move=> b_gt1 p01 bE.
have [p_gt0 p_lt1 le_o le_b] := psa_budget_jump (ltnW b_gt1) p01 bE.
apply: sharp_budget_simple => //; first exact: odds_gt0.
by apply: le_trans le_b; rewrite ler_nat.
Qed.

(* The universe whose margins are all one: b records in one stratum, with     *)
(* different holding and different swapping categories.                       *)
Section Distinct.

Variables (R : realFieldType) (n : nat) (p : R).
Hypothesis p01 : 0 <= p <= 1.
Implicit Types (g h rho : {perm 'I_n}) (i j : 'I_n).

Definition all_distinct : dataset [finType of unit] [finType of 'I_n]
    [finType of 'I_n] n := [ffun i => (tt, i, i)].

Lemma table_all_distinct g i j :
  table (apply_perm g all_distinct) (tt, i, j) = (g i == j).
Proof.
rewrite ffunE (_ : [set _ | _] = if g i == j then [set i] else set0).
  by case: ifP; rewrite ?cards1 ?cards0.
apply/setP=> k; rewrite inE !ffunE !xpair_eqE /=.
have [->|ki] := eqVneq k i; first by case: ifP; rewrite !inE ?eqxx.
by case: ifP; rewrite !inE ?(negbTE ki).
Qed.

Lemma table_distinct_inj g h :
  (table_ord (apply_perm g all_distinct) ==
   table_ord (apply_perm h all_distinct)) = (g == h).
Proof.
rewrite eq_table_ord; apply/eqP/eqP => [|->//] tab; apply/permP=> i.
have := table_all_distinct h i (g i); rewrite -tab table_all_distinct eqxx.
by case: eqP => // ->.
Qed.

Lemma preserves_distinct g : preserves_strata all_distinct g.
Proof. by apply/preserves_strataP=> i; rewrite !ffunE. Qed.

Lemma stratum_distinct m : stratum all_distinct m = setT.
Proof. by apply/setP=> i; rewrite !inE ffunE; case: m. Qed.

Lemma hamming_distinct rho :
  hamming all_distinct (apply_perm rho all_distinct) = moved rho.
Proof.
apply/eqP; rewrite eqn_leq hamming_apply_perm /=.
have [g <-] := exists_alignment all_distinct (apply_perm rho all_distinct).
apply: subset_leq_card; apply/subsetP=> i; rewrite !inE !ffunE /=.
apply: contraNneq => -[gi rhoi]; have {}gi : i = g i := gi.
by have {}rhoi : i = rho (g i) := rhoi; rewrite {1}gi -rhoi.
Qed.

Lemma largest_distinct : (1 < n)%N -> largest_stratum all_distinct = n.
Proof.
move=> n_gt1; have nE m : n_m all_distinct m = n.
  by rewrite n_mE stratum_distinct cardsT card_ord.
apply/eqP; rewrite eqn_leq; apply/andP; split.
  by apply/bigmax_leqP => m _; rewrite nE.
rewrite -{1}(nE tt); apply: leq_bigmax_cond.
have [i0 [i1 ne]] : exists i0 : 'I_n, exists i1, i0 != i1.
  by exists (Ordinal (ltnW n_gt1)), (Ordinal n_gt1).
apply/exists_inP; exists i0; rewrite ?stratum_distinct ?inE //.
apply/exists_inP; exists i1; rewrite ?stratum_distinct ?inE //.
by rewrite !ffunE; apply: contraNneq ne => -[->].
Qed.

Lemma psa_perm_distinct g :
  psa_perm p p01 all_distinct g = move_mass p n (moved g).
Proof.
rewrite psa_permE preserves_distinct (big_pred1 tt) => [|[]//].
rewrite stratum_distinct cardsT card_ord; congr move_mass.
by rewrite /moved_in stratum_distinct setIT.
Qed.

Lemma psa_distinct rho g :
  psa p p01 (apply_perm rho all_distinct)
      (table_ord (apply_perm g all_distinct)) =
  move_mass p n (moved (g * rho^-1)%g).
Proof.
rewrite psa_applyE (big_pred1 g) => [|h]; last exact: table_distinct_inj.
exact: psa_perm_distinct.
Qed.

End Distinct.

(* Necessity: every jump of the universe with unit margins must be paid for.  *)
Section Necessity.

Variables (R : realFieldType) (n : nat) (p gamma : R).
Hypotheses (p01 : 0 <= p <= 1) (gamma_ge0 : 0 <= gamma).
Implicit Types (g rho : {perm 'I_n}).

Local Notation x0 := (all_distinct n).

(* gamma^d_HamS bounds the PSA on the universe of x0.                         *)
Definition suffices_distinct : Prop :=
  forall x x' : dataset [finType of unit] [finType of 'I_n] [finType of 'I_n] n,
    same_invariants x0 x -> same_invariants x0 x' ->
  mult_le (gamma ^+ hamming x x') (psa p p01 x) (psa p p01 x').

Lemma distinct_jump g rho : suffices_distinct ->
  move_mass p n (moved g) <= gamma ^+ moved rho * move_mass p n (moved (g *
    rho)%g).
Proof.
move=> suff; have xrho := preserves_distinct rho^-1%g.
have := suff x0 (apply_perm rho^-1 x0) (same_invariants_refl _)
  (same_invariants_apply xrho).
rewrite hamming_distinct movedV => /mult_leP/(_ (table_ord (apply_perm g
  x0)))[+ _].
rewrite psa_distinct invgK => le_g; apply: le_trans le_g.
by have := psa_distinct p01 1 g; rewrite apply_perm1 invg1 mulg1 => ->.
Qed.

End Necessity.

Section Lower.

Variables (R : realFieldType) (b : nat) (p gamma : R).
Hypotheses (p_gt0 : 0 < p) (p_lt1 : p < 1) (b_gt1 : (1 < b)%N).
Hypothesis gamma_ge0 : 0 <= gamma.

Hypothesis p01 : 0 <= p <= 1.
Let o := p / (1 - p).

Hypothesis suff : suffices_distinct b gamma p01.

Lemma jump_lower (g rho : {perm 'I_b}) k k' delta :
    moved g = k -> moved (g * rho)%g = k' -> moved rho = delta ->
  (der k')%:R * o ^+ k <= gamma ^+ delta * ((der k)%:R * o ^+ k').
Proof.
move=> gk grk' rhod; have le_kb : (k <= b)%N.
  by rewrite -gk -[leqRHS]card_ord max_card.
have le_k'b : (k' <= b)%N by rewrite -grk' -[leqRHS]card_ord max_card.
have k1 : k != 1%N by rewrite -gk moved_neq1.
have k'1 : k' != 1%N by rewrite -grk' moved_neq1.
have := distinct_jump g rho suff; rewrite gk grk' rhod !move_mass_odds //.
rewrite [leRHS]mulrCA ler_pmul2l; last first.
  rewrite divr_gt0 ?exprn_gt0 ?subr_gt0 //; rewrite -subr_gt0.
  have := @one_selected_lt1 _ _ _ p01 [set: 'I_b].
  by rewrite cardsT card_ord => /(_ b_gt1).
rewrite -/o ler_pdivr_mulr ?ltr0n ?der_gt0 // => le_jump.
rewrite mulrC -ler_pdivl_mulr ?ltr0n ?der_gt0 //; apply: le_trans le_jump _.
rewrite le_eqVlt -!mulrA; apply/orP; left; apply/eqP.
by congr (_ * _); rewrite [RHS]mulrC -mulrA.
Qed.

Lemma exists_moving (A : {set 'I_b}) : #|A| != 1%N ->
  exists g : {perm 'I_b}, moved_set g = A.
Proof.
rewrite -der_gt0 -card_deranges => /card_gt0P[g]; rewrite inE => /eqP gA.
by exists g.
Qed.

Lemma moved_tperm (i j : 'I_b) : i != j -> moved_set (tperm i j) = [set i; j].
Proof.
move=> ij; apply/setP=> k; rewrite !inE.
case: tpermP => [->|->|/eqP/negbTE-> /eqP/negbTE->]; rewrite ?eqxx ?orbT //.
by rewrite eq_sym ij.
Qed.

Lemma two_records : exists i, exists j : 'I_b, i != j.
Proof. by exists (Ordinal (ltnW b_gt1)), (Ordinal b_gt1). Qed.

Lemma moved_cycle (i0 i1 i2 : 'I_b) : b = 3%N -> i0 != i1 ->
  i2 \notin [set i0; i1] -> moved (tperm i0 i1 * tperm i1 i2)%g = 3%N.
Proof.
move=> b3 ne01; rewrite !inE negb_or => /andP[ne20 ne21].
have cT : #|[set: 'I_b]| = 3%N by rewrite cardsT card_ord b3.
rewrite -cT; apply: eq_card => i; rewrite !inE permM.
have [->|n0] := eqVneq i i0; first by rewrite tpermL tpermL.
have [->|n1] := eqVneq i i1; first by rewrite tpermR tpermD // eq_sym.
have -> : i = i2.
  have /cards1P[k kE] : #|~: [set i0; i1]| == 1%N.
    by rewrite cardsCs setCK cards2 ne01 card_ord b3.
  have /setP/(_ i) := kE; have /setP/(_ i2) := kE; rewrite !inE !negb_or.
  by rewrite n0 n1 ne20 ne21 => /esym/eqP<- /esym/eqP->.
by rewrite (@tpermD _ i0 i1 i2) ?tpermR // eq_sym.
Qed.

Lemma moved_all (i0 i1 : 'I_b) (g : {perm 'I_b}) : i0 != i1 ->
  moved_set g = ~: [set i0; i1] -> moved (g * tperm i0 i1)%g = b.
Proof.
move=> ne01 gA.
have gE i : (g i != i) = (i \notin [set i0; i1]) by rewrite -in_setC -gA inE.
rewrite -[RHS]card_ord -cardsT; apply: eq_card => i; rewrite !inE permM.
have [|/negbTE gi] := boolP (i \in [set i0; i1]).
  move=> i01; have /eqP-> : g i == i by have := gE i; rewrite i01 => /negbFE.
  by have := moved_tperm ne01 => /setP/(_ i); rewrite inE i01.
have := gE i; rewrite gi => /= gi_i.
have := gE (g i); rewrite (inj_eq perm_inj) gi_i !inE => /esym.
rewrite negb_or => /andP[n0 n1].
by rewrite tpermD ?gi_i // eq_sym ?n0 ?n1.
Qed.

Lemma psa_sharp_lower : sharp_budget b o gamma.
Proof.
have o_gt0 : 0 < o := odds_gt0 p_gt0 p_lt1.
have [i0 [i1 ne01]] := two_records.
have m01 : moved (tperm i0 i1) = 2%N by rewrite /moved moved_tperm // cards2
  ne01.
apply/andP; split.
  have := @jump_lower (tperm i0 i1) (tperm i0 i1) 2 0 2 m01 _ m01.
  rewrite tperm2 moved1 der0 der2 !mul1r expr0 mulr1 => /(_ erefl).
  by rewrite ler_pexpn2r ?nnegrE // ltW.
case: eqP => [b3 | /eqP b3].
  have cT : #|[set: 'I_b]| = 3%N by rewrite cardsT card_ord b3.
  apply/andP; split.
    have [rho rhoT] : exists rho : {perm 'I_b}, moved_set rho = setT.
      by apply: exists_moving; rewrite cT.
    have m3 : moved rho = 3%N by rewrite /moved rhoT.
    have := @jump_lower 1%g rho 0 3 3 (moved1 _); rewrite mul1g m3.
    by move=> /(_ erefl erefl); rewrite der3 der0 expr0 mulr1 mul1r.
  have [i2 ne2] : exists i2, (i2 \notin [set i0; i1]).
    have: (0 < #|~: [set i0; i1]|)%N.
      by rewrite cardsCs setCK cards2 ne01 card_ord b3.
    by case/card_gt0P=> i2; rewrite inE; exists i2.
  have m12 : moved (tperm i1 i2) = 2%N.
    move: ne2; rewrite /moved !inE negb_or => /andP[_].
    by rewrite eq_sym => ne12; rewrite moved_tperm // cards2 ne12.
  have m3 := moved_cycle b3 ne01 ne2.
  have := @jump_lower (tperm i0 i1) (tperm i1 i2) 2 3 2 m01 m3 m12.
  rewrite der3 der2 mul1r [leRHS](_ : _ = gamma ^+ 2 * o * o ^+ 2).
    by rewrite ler_pmul2r // exprn_gt0.
  by rewrite exprS mulrA.
have cA : #|~: [set i0;
  i1]| = (b - 2)%N by rewrite cardsCs setCK cards2 ne01 card_ord.
have [g gA] : exists g : {perm 'I_b}, moved_set g = ~: [set i0; i1].
  by apply: exists_moving; rewrite cA; case: (b) b_gt1 b3 => [|[|[|[]]]].
have mg : moved g = (b - 2)%N by rewrite /moved gA.
have mb := moved_all ne01 gA.
have := @jump_lower g (tperm i0 i1) _ _ _ mg mb m01.
rewrite [o ^+ b](_ : _ = o ^+ 2 * o ^+ (b - 2)); last first.
  by rewrite -exprD subnKC.
rewrite [leRHS](_ : _ =
  gamma ^+ 2 * o ^+ 2 * (der (b - 2))%:R * o ^+ (b - 2)).
  by rewrite ler_pmul2r // exprn_gt0.
by move: (o ^+ 2) (o ^+ (b - 2)) => u v; ring.
Qed.

End Lower.

(* The smallest budget that depends on b and p alone: gamma bounds the PSA    *)
(* over all universes whose largest mixed stratum has b records exactly if    *)
(* sharp_budget b o gamma.                                                    *)
Theorem psa_sharp (R : realFieldType) b (p gamma : R) (p01 : 0 <= p <= 1) :
    (1 < b)%N -> 0 < p < 1 -> 0 <= gamma ->
  (forall (M H S : finType) n (x x' : dataset M H S n),
     largest_stratum x = b -> same_invariants x x' ->
     mult_le (gamma ^+ hamming x x') (psa p p01 x) (psa p p01 x')) <->
  sharp_budget b (p / (1 - p)) gamma.
Proof.
move=> b_gt1 p_in g_ge0; split=> [suff | sharp M H S n x x' xb xx'].
  case/andP: (p_in) => p_gt0 p_lt1.
  apply: (@psa_sharp_lower _ _ _ _ _ _ _ _ p01) => // x x' x0x x0x';
    apply: suff.
    by rewrite -(largest_stratum_universe x0x) largest_distinct.
  by apply: same_invariants_trans x0x'; rewrite same_invariants_sym.
by apply: psa_sharp_privacy; rewrite // xb.
Qed.

(* sharp_budget is exactly the bound on all jumps, hence monotone in b.       *)
Section Shape.

Variable R : realFieldType.
Implicit Types (b k : nat) (p o gamma : R).

Lemma sharp_budgetP b o gamma : 0 < o -> 0 <= gamma -> (1 < b)%N ->
  sharp_budget b o gamma <-> jump_le b gamma o.
Proof.
move=> o_gt0 g_ge0 b_gt1; split=> [|le_jump]; first exact: sharp_jump.
have o_ge0 := ltW o_gt0; apply/andP; split.
  have := le_jump 2%N 0%N 2%N b_gt1 (ltnW (ltnW b_gt1)) isT isT isT isT isT.
  by rewrite der0 der2 !mul1r expr0 mulr1 ler_pexpn2r ?nnegrE.
case: eqP => [b3 | /eqP b3].
  rewrite b3 in le_jump; apply/andP; split.
    have := le_jump 0%N 3%N 3%N isT isT isT isT isT isT isT.
    by rewrite der0 der3 mul1r expr0 mulr1.
  have := le_jump 2%N 3%N 2%N isT isT isT isT isT isT isT.
  rewrite der2 der3 mul1r [leRHS](_ : _ = gamma ^+ 2 * o * o ^+ 2);
    last by ring.
  by rewrite ler_pmul2r // exprn_gt0.
have c1 : (b - 2)%N != 1%N by case: (b) b_gt1 b3 => [|[|[|[]]]].
have b1 : b != 1%N by rewrite gtn_eqF.
have le_bb : (b <= b - 2 + 2)%N by rewrite subnK.
have := le_jump (b - 2)%N b 2%N (leq_subr _ _) (leqnn b) c1 b1 isT
  (leq_trans (leq_subr _ _) (leq_addr _ _)) le_bb.
rewrite [o ^+ b](_ : _ = o ^+ 2 * o ^+ (b - 2)); last first.
  by rewrite -exprD subnKC.
rewrite [leRHS](_ : _ =
  gamma ^+ 2 * o ^+ 2 * (der (b - 2))%:R * o ^+ (b - 2)).
  by rewrite ler_pmul2r // exprn_gt0.
by move: (o ^+ 2) (o ^+ (b - 2)) => u v; ring.
Qed.

Theorem sharp_budget_mono b b' o gamma :
  0 < o -> 0 <= gamma -> (1 < b)%N -> (b <= b')%N ->
  sharp_budget b' o gamma -> sharp_budget b o gamma.
Proof.
move=> o_gt0 g_ge0 b_gt1 lebb' sharp;
  apply/sharp_budgetP => // k k' delta lek lek'.
apply: (proj1 (sharp_budgetP o_gt0 g_ge0 (leq_trans b_gt1 lebb')) sharp).
  exact: leq_trans lebb'.
exact: leq_trans lebb'.
Qed.

(* The smallest sharp budget of a given b: gamma^4 = d(b) / d(b-2), and       *)
(* gamma^3 = 2 for b = 3.                                                     *)
Theorem sharp_budget_min b o gamma : 0 < o -> (1 < b)%N ->
  sharp_budget b o gamma ->
  if b == 3%N then 2%:R <= gamma ^+ 3
  else (der b)%:R <= gamma ^+ 4 * (der (b - 2))%:R.
Proof.
move=> o_gt0 b_gt1 sharp; have g_gt0 := sharp_budget_gt0 o_gt0 sharp.
have [o_ge0 g_ge0] := (ltW o_gt0, ltW g_gt0).
case/andP: sharp => le_o; case: ifP => [_ /andP[_ le2] | _ le_r].
  by apply: le_trans le2 _; rewrite (exprSr gamma 2) ler_wpmul2l ?exprn_ge0.
apply: le_trans le_r _; rewrite ler_wpmul2r ?ler0n //.
rewrite [leRHS](_ : _ = gamma ^+ 2 * gamma ^+ 2); last by ring.
by rewrite ler_wpmul2l ?exprn_ge0 // ler_expn2r.
Qed.

(* Two swap odds with one sharp budget: o and o' with (o o')^2 = d(b)/d(b-2). *)
Theorem sharp_budget_dual b o o' gamma : 0 < o -> 0 < o' -> 0 <= gamma ->
  (1 < b)%N -> b != 3%N ->
  (o * o') ^+ 2 * (der (b - 2))%:R = (der b)%:R ->
  sharp_budget b o gamma = sharp_budget b o' gamma.
Proof.
move=> o_gt0 o'_gt0 g_ge0 b_gt1 b3 dualE.
have dc : 0 < (der (b - 2))%:R :> R.
  by rewrite ltr0n der_gt0; case: (b) b_gt1 b3 => [|[|[|[]]]].
have sq (u v : R) : 0 < u -> 0 < v -> (u * v) ^+ 2 * (der (b - 2))%:R = (der
  b)%:R ->
    ((der b)%:R <= gamma ^+ 2 * u ^+ 2 * (der (b - 2))%:R) = (v <= gamma).
  move=> u_gt0 v_gt0 <-; have [u_ge0 v_ge0] := (ltW u_gt0, ltW v_gt0).
  rewrite ler_pmul2r // -(exprMn 2 gamma) ler_pexpn2r ?nnegrE ?mulr_ge0 //.
  by rewrite (mulrC gamma) ler_pmul2l.
rewrite /sharp_budget (negbTE b3) (sq o o') // (sq o' o) //;
  last by rewrite (mulrC o').
by rewrite andbC.
Qed.

Theorem sharp_budget_bounds b o gamma : 0 < o -> (3 < b)%N ->
  sharp_budget b o gamma -> o <= gamma /\ b.-1%:R <= gamma * o.
Proof.
move=> o_gt0 b_gt3 sharp; have g_gt0 := sharp_budget_gt0 o_gt0 sharp.
case/andP: sharp => le_o; rewrite gtn_eqF // => le_r; split=> //.
have go_ge0 : 0 <= gamma * o by rewrite mulr_ge0 // ltW.
case: b b_gt3 le_r => [|[|c]] //; rewrite !ltnS => c_gt1;
  rewrite !subSS subn0 => le_r.
have c1 : c != 1%N by rewrite gtn_eqF.
have dc : 0 < (der c)%:R :> R by rewrite ltr0n der_gt0.
rewrite -(ler_pexpn2r (isT : (0 < 2)%N)) ?nnegrE ?ler0n // exprMn.
rewrite -(ler_pmul2r dc); apply: le_trans le_r.
by rewrite -natrX -natrM ler_nat der_ratio2_ge.
Qed.

(* Theorem 1 is sharp exactly for o^2 >= b + 1.                               *)
Theorem psa_budget_sharp_iff b p gamma : (1 < b)%N -> 0 <= p <= 1 ->
  psa_budget b p = Some gamma ->
  (forall gamma', sharp_budget b (p / (1 - p)) gamma' -> gamma <= gamma') <->
  b.+1%:R <= (p / (1 - p)) ^+ 2.
Proof.
move=> b_gt1 p01 bE.
have [p_gt0 p_lt1 _ _] := psa_budget_jump (ltnW b_gt1) p01 bE.
have o_gt0 := odds_gt0 p_gt0 p_lt1; move: bE.
rewrite psa_budget_max ?p_gt0 ?(ltnW b_gt1) //; set o := p / (1 - p) in o_gt0 *.
rewrite maxEle => -[<-]; rewrite ler_pdivl_mulr // -expr2.
split=> [least | le_b]; last first.
  have [le_o | _] := leP (o ^+ 2) b.+1%:R; last by move=> ? /andP[].
  have -> : b.+1%:R / o = o; last by move=> ? /andP[].
  have -> : b.+1%:R = o * o by rewrite -expr2; apply/eqP;
    rewrite eq_le le_b le_o.
  by rewrite mulfK // gt_eqF.
rewrite leNgt; apply/negP=> lt_b; rewrite (ltW lt_b) in least.
have /least : sharp_budget b o (Num.max o (b%:R / o)).
  apply: sharp_budget_simple => //; first by rewrite le_maxr lexx.
  by rewrite -ler_pdivr_mulr // le_maxr lexx orbT.
rewrite le_maxr !ler_pdivr_mulr // divfK ?gt_eqF // ler_nat ltnn orbF -expr2.
by rewrite leNgt lt_b.
Qed.

End Shape.

(* Theorem 1 with b in place of b + 1.                                        *)
Theorem psa_privacy_improved (R : realFieldType) (M H S : finType) (n : nat)
    (p : R) (p01 : 0 <= p <= 1) (x x' : dataset M H S n) :
  0 < p < 1 -> (1 < largest_stratum x)%N -> same_invariants x x' ->
  let o := p / (1 - p) in
  mult_le (Num.max o ((largest_stratum x)%:R / o) ^+ hamming x x')
          (psa p p01 x) (psa p p01 x').
Proof.
move=> p_in b_gt1 xx' o; apply: psa_sharp_privacy => //.
case/andP: p_in => p_gt0 p_lt1; have o_gt0 : 0 < o := odds_gt0 p_gt0 p_lt1.
apply: sharp_budget_simple => //; first by rewrite le_maxr lexx.
by rewrite -ler_pdivr_mulr // le_maxr lexx orbT.
Qed.

(* p = 0 and p = 1: no finite budget, as (7) says.                            *)
Theorem psa_degenerate_infinite (R : realFieldType) b (p gamma : R)
    (p01 : 0 <= p <= 1) :
  (1 < b)%N -> p \in [:: 0; 1] -> 0 <= gamma -> ~ suffices_distinct b gamma p01.
Proof.
move=> b_gt1 p_deg g_ge0 suff.
have [g gT] : exists g : {perm 'I_b}, moved_set g = setT.
  by apply: exists_moving; rewrite cardsT card_ord gtn_eqF.
have mg : moved g = b by rewrite /moved gT cardsT card_ord.
have b_ge1 : (b <= 1)%N = false by rewrite leqNgt b_gt1.
have X0 i : (0 < i)%N -> 0 ^+ i = 0 :> R by case: i => // i _;
  rewrite exprS mul0r.
have db : 0 < (der b)%:R :> R by rewrite ltr0n der_gt0 gtn_eqF.
move: p_deg; rewrite !inE => /orP[] /eqP pE.
  have := distinct_jump 1%g g suff; rewrite mul1g moved1 mg /move_mass b_ge1 pE.
  rewrite (X0 b) ?(ltnW b_gt1) // der0 expr0.
  by rewrite !(mulr0, mul0r, subr0, expr1n, mul1r, invr1) ler10.
have := distinct_jump g g^-1%g suff;
  rewrite mulgV moved1 mg /move_mass b_ge1 pE.
rewrite subrr subn0 subnn (X0 b) ?(ltnW b_gt1) // (X0 b.-1); last first.
  by rewrite -ltnS prednK // ltnW.
rewrite !(mulr0, mul0r, subr0, expr0, expr1n, mul1r).
by rewrite leNgt invr_gt0 db.
Qed.

(* Section 3.6 as printed: because (b+1)^d bounds the ratio of derangement    *)
(* numbers, the budget "must be at least ln(b+1) - ln o", and ln(b+1) / 2     *)
(* bounds it from below. Neither is necessary: for b = 2 and p = 1/2 the      *)
(* printed budget is ln 3 and the smallest printed one ln(3) / 2, but the     *)
(* budget 0 (gamma = 1) suffices in every universe.                           *)
Section FairCoin.

Variable R : realFieldType.

Let half : R := 2%:R^-1.

Let half_in : 0 < half < 1.
Proof. by rewrite invr_gt0 ltr0n invf_lt1 ?ltr0n //= ltr1n. Qed.

Let half_odds : half / (1 - half) = 1.
Proof.
have -> : 1 - half = half.
  by apply/eqP; rewrite subr_eq -mulr2n -mulr_natr mulVf // pnatr_eq0.
by rewrite divff // invr_eq0 pnatr_eq0.
Qed.

Lemma half01 : 0 <= half <= 1.
Proof. by case/andP: half_in => /ltW-> /ltW->. Qed.

Theorem printed_budget_not_smallest :
  [/\ psa_budget 2 half = Some 3%:R, (1 : R) < 3%:R &
      forall (M H S : finType) n (x x' : dataset M H S n),
        largest_stratum x = 2%N -> same_invariants x x' ->
        mult_le (1 ^+ hamming x x') (psa half half01 x) (psa half half01 x')].
Proof.
split=> [||M H S n x x' b2 xx']; last 1 first.
- apply: psa_sharp_privacy; rewrite ?b2 // half_odds.
  by rewrite /sharp_budget lexx der2 der0 !expr1n !mul1r lexx.
- by rewrite psa_budget_max // half_odds divr1 maxEle ler1n.
by rewrite ltr1n.
Qed.

End FairCoin.

(* The sharp budget as a specification.                                       *)
Theorem psa_sharp_pure_dp (R : realFieldType) (M H S : finType) (n : nat)
    (p : R) (p01 : 0 <= p <= 1) (budget : nat -> R) :
  0 < p < 1 ->
  budget 0%N = 1 ->
  (forall b, (1 < b)%N -> sharp_budget b (p / (1 - p)) (budget b)) ->
  pure_dp (fun x0 x : dataset M H S n => same_invariants x0 x)
          (fun x x' : dataset M H S n => Some (hamming x x'))
          (fun x0 : dataset M H S n => Some (budget (largest_stratum x0)))
          (psa p p01).
Proof.
move=> p_in budget0 sharp x0 x x' x0x x0x' /=.
have xx' : same_invariants x x'.
  by apply: same_invariants_trans x0x'; rewrite same_invariants_sym.
rewrite (largest_stratum_universe x0x).
have [/largest_stratum_le1 b0 | b_gt1] := leqP (largest_stratum x) 1.
  rewrite b0 budget0 expr1n (psa_no_mixed_stratum p01 b0 xx').
  exact: mult_le_refl.
by apply: psa_sharp_privacy => //; apply: sharp.
Qed.

(* With square roots: for b <> 3 the smallest budget is                       *)
(* max {sqrt (d(b) / d(b-2)) / o, o}.                                         *)
Theorem sharp_budget_sqrt (R : rcfType) b (o gamma : R) :
  0 < o -> 0 <= gamma -> (1 < b)%N -> b != 3%N ->
  sharp_budget b o gamma =
  (Num.max o (Num.sqrt ((der b)%:R / (der (b - 2))%:R) / o) <= gamma).
Proof.
move=> o_gt0 g_ge0 b_gt1 b3; rewrite /sharp_budget (negbTE b3) le_maxl.
have dc : 0 < (der (b - 2))%:R :> R.
  by rewrite ltr0n der_gt0; case: (b) b_gt1 b3 => [|[|[|[]]]].
have [-> | g_neq0] := eqVneq gamma 0; first by rewrite leNgt o_gt0.
have go_gt0 : 0 < gamma * o by rewrite mulr_gt0 // lt_def g_neq0.
congr (_ && _); rewrite ler_pdivr_mulr // -(ger0_norm (ltW go_gt0)) -sqrtr_sqr.
rewrite ler_sqrt ?exprn_gt0 ?exprn_ge0 ?(ltW go_gt0) //.
by rewrite ler_pdivr_mulr // exprMn.
Qed.
