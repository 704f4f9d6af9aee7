(******************************************************************************)
(* The budget of the PSA for two categories, and the masses of one stratum    *)
(*                                                                            *)
(* Definitions, for the odds o = p / (1 - p)                                  *)
(*   two_category_budget b o gamma == gamma^2 >= o^2 and                      *)
(*            gamma^2 >= (b + 1/2) / o^2 + (b - 1) / o                        *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   two_category_le_psa_budget == the budget of Theorem 1 satisfies it, so   *)
(*            that the smallest such gamma is never above the printed one     *)
(*   mass_step, mass_fall, mass_orbit == what exchange_le asks of the masses  *)
(*            o^k / d(k), with r = gamma^2                                    *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From mathcomp Require Import zify ring.
From Stirred Require Import compat derangement psa_law psa_privacy.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The budget                                                                 *)
Definition two_category_budget (R : realFieldType) b (o gamma : R) : bool :=
  (o ^+ 2 <= gamma ^+ 2) &&
  ((b%:R + 2%:R^-1) / o ^+ 2 + (b%:R - 1) / o <= gamma ^+ 2).

(* Neighbouring derangement numbers                                           *)
Lemma der_next_le k : (1 < k)%N -> (2 * der k.+1 <= (2 * k + 3) * der k)%N.
Proof.
case: k => [|[|[|k]]] // _; first by rewrite der3 der2.
have : (1 < der k.+3)%N by rewrite -[2%N]der3 leq_der.
by have := derS_le k.+3; move: (der _) (der _) => d1 d; nia.
Qed.

Lemma der_next_ge k : (1 < k)%N -> (k * der k <= der k.+1)%N.
Proof.
move=> k_gt1; have : (0 < der k)%N by rewrite der_gt0 gtn_eqF.
by have := derS_ge k; move: (der _) (der _) => d1 d; nia.
Qed.

Lemma der_next_bound k b : (0 < k)%N -> (k.+2 <= b)%N ->
  (2 * der k.+2 <= (2 * b + 1) * der k.+1)%N.
Proof.
move=> k_gt0 le_kb; apply: leq_trans (der_next_le _) _; first by rewrite ltnS.
by rewrite leq_mul2r; apply/orP; right; lia.
Qed.

Lemma der_next2_le k : (1 < k)%N ->
  (2 * der k.+2 <= k.+1 * (2 * k.+2 + 1) * der k)%N.
Proof.
by move=> k_gt1; have := der_next_le k_gt1; rewrite derSS; nia.
Qed.

Lemma der_next2_ge k : (1 < k)%N -> (k * der k.+2 <= k.+1 ^ 2 * der k.+1)%N.
Proof.
by move=> k_gt1; have := der_next_ge k_gt1; rewrite derSS expnS expn1; nia.
Qed.

(* The masses of one stratum                                                  *)
Section Masses.

Variables (R : realFieldType) (p o r : R) (b n : nat).
Hypotheses (p_gt0 : 0 < p) (p_lt1 : p < 1).
Hypothesis oE : o = p / (1 - p).
Hypotheses (n_gt1 : (1 < n)%N) (le_nb : (n <= b)%N).
Hypothesis le_o : o ^+ 2 <= r.
Hypothesis le_b : (b%:R + 2%:R^-1) / o ^+ 2 + (b%:R - 1) / o <= r.

Let o_gt0 : 0 < o. Proof. by rewrite oE odds_gt0. Qed.
Let o_ge0 : 0 <= o. Proof. exact: ltW. Qed.
Let o_neq0 : o != 0. Proof. by rewrite gt_eqF. Qed.

Let le_bo : b%:R + 2%:R^-1 + (b%:R - 1) * o <= r * o ^+ 2.
Proof.
have o2_ge0 : 0 <= o ^+ 2 by rewrite exprn_ge0 // ltW.
have := ler_wpmul2r o2_ge0 le_b; rewrite /= [leLHS]mulrDl divfK ?expf_neq0 //.
have -> // : (b%:R - 1) / o * o ^+ 2 = (b%:R - 1) * o.
by rewrite expr2 mulrA divfK.
Qed.

(* Masses compare as the o^k / d(k) do.                                       *)
Lemma mass_scale s t k l : (k <= n)%N -> (l <= n)%N -> k != 1%N -> l != 1%N ->
    t * o ^+ k * (der l)%:R <= s * o ^+ l * (der k)%:R ->
  t * move_mass p n k <= s * move_mass p n l.
Proof.
move=> lek lel k1 l1 le_st; rewrite !move_mass_odds // -oE !(mulrCA _ (_ / _)).
apply: ler_wpmul2l.
  apply: divr_ge0; first by rewrite exprn_ge0 // subr_ge0 ltW.
  have p01 : 0 <= p <= 1 by rewrite !ltW.
  have := @one_selected_lt1 _ _ _ p01 [set: 'I_n].
  by rewrite cardsT card_ord => /(_ n_gt1)/ltW.
rewrite !mulrA ler_pdivr_mulr ?ltr0n ?der_gt0 // [leRHS]mulrAC.
by rewrite ler_pdivl_mulr ?ltr0n ?der_gt0.
Qed.

Let o2_gt0 : 0 < o ^+ 2. Proof. by rewrite exprn_gt0. Qed.
Let half_ge0 : 0 <= 2%:R^-1 :> R. Proof. by rewrite invr_ge0 ler0n. Qed.
Let b_ge1 : 1 <= b%:R :> R.
Proof. by rewrite ler1n (leq_trans _ le_nb) // ltnW. Qed.
Let b1_ge0 : 0 <= b%:R - 1 :> R. Proof. by rewrite subr_ge0. Qed.

Lemma budget_ge1 : 1 <= r.
Proof.
have [o_ge1 | o_lt1] := leP 1 o; first exact: le_trans (exprn_ege1 _ _) le_o.
rewrite -(ler_pmul2r o2_gt0) mul1r; apply: le_trans le_bo.
apply: (@le_trans _ _ 1); first by rewrite exprn_ile1 // ltW.
by rewrite -addrA ler_paddr // addr_ge0 // mulr_ge0 // ltW.
Qed.

Lemma budget_ge_odds : o <= r.
Proof.
have [o_ge1 | o_lt1] := leP 1 o; last exact: le_trans (ltW o_lt1) budget_ge1.
by apply: le_trans le_o; rewrite expr2 ler_pemulr // ltW.
Qed.

(* Dropping from k + 2 moved records to k + e.                                *)
Lemma mass_fall k e : (k.+2 <= n)%N -> (e <= 2)%N -> (k + e != 1)%N ->
  move_mass p n k.+2 <= r * move_mass p n (k + e).
Proof.
move=> lek le2 ke1; have le_ke : (k + e <= k.+2)%N by rewrite -addn2 leq_add2l.
rewrite -[leLHS]mul1r; apply: mass_scale => //; first exact: leq_trans lek.
rewrite mul1r; have -> : k.+2 = (2 - e + (k + e))%N.
  by rewrite addnCA subnK // addn2.
have oX_ge0 i : 0 <= o ^+ i by rewrite exprn_ge0.
rewrite exprD -!mulrA; apply: ler_pmul; rewrite ?mulr_ge0 ?ler0n //.
  case: e le2 {ke1 le_ke} => [|[|[|]]] // _; rewrite ?subSS ?subn0 ?expr1 //.
    exact: budget_ge_odds.
  exact: budget_ge1.
by rewrite ler_wpmul2l // ler_nat leq_der // addnCA subnK // addn2.
Qed.

Lemma budget_step : (3 <= b)%N -> b%:R + 2%:R^-1 <= r * o.
Proof.
move=> b_ge3; have r_ge0 : 0 <= r := le_trans ler01 budget_ge1.
have [h_ge0 le_h] := (half_ge0, le_bo); set h := 2%:R^-1 in h_ge0 le_h *.
have h2 : h + h = 1 by rewrite -mulr2n -mulr_natr mulVf ?pnatr_eq0.
have h_le1 : h <= 1 by rewrite -h2 ler_addl.
have [o_ge1 | o_lt1] := leP 1 o; last first.
  apply: (@le_trans _ _ (r * o ^+ 2)).
    by apply: le_trans le_h; rewrite ler_addl mulr_ge0 // ltW.
  by rewrite ler_wpmul2l // expr2 ger_pmulr // ltW.
have [le_b2 | lt_b] := leP ((1 + h) * o) (b%:R + h).
  rewrite -(ler_pmul2r o_gt0) -[r * o * o]mulrA -expr2.
  apply: le_trans le_h; rewrite -ler_subl_addr -mulrBl.
  by have -> : b%:R + h - (b%:R - 1) = 1 + h by ring.
have le_ho : 1 + h <= o.
  rewrite -(ler_pmul2l (ltr0n R 2)); apply: (@le_trans _ _ (b%:R + h)).
    have -> : 2%:R * (1 + h) = 3%:R.
      by rewrite mulr_natl mulr2n addrACA h2; ring.
    by rewrite ler_paddr // ler_nat.
  apply: (le_trans (ltW lt_b)); apply: (ler_wpmul2r (ltW o_gt0)).
  by rewrite mulr2n ler_add2l.
apply: (le_trans (ltW lt_b)); apply: (@le_trans _ _ (o * o)).
  by rewrite ler_wpmul2r // ltW.
by rewrite -expr2 (le_trans le_o) // ler_pemulr.
Qed.

(* One more moved record.                                                     *)
Lemma mass_step k : (0 < k)%N -> (k.+2 <= n)%N ->
  move_mass p n k.+1 <= r * move_mass p n k.+2.
Proof.
move=> k_gt0 lek; rewrite -[leLHS]mul1r; apply: mass_scale => //.
- exact: ltnW.
- by rewrite eqSS -lt0n.
rewrite mul1r [leRHS](_ : _ = o ^+ k.+1 * (r * o * (der k.+1)%:R)); last first.
  by rewrite (exprSr o k.+1) mulrCA -!mulrA.
rewrite ler_wpmul2l ?exprn_ge0 //.
apply: (@le_trans _ _ ((b%:R + 2%:R^-1) * (der k.+1)%:R)); last first.
  rewrite ler_wpmul2r ?ler0n // budget_step // (leq_trans _ le_nb) //.
  by apply: leq_trans lek; rewrite !ltnS.
rewrite -(ler_pmul2l (ltr0n R 2)) mulrA mulrDr divff ?pnatr_eq0 //.
rewrite -(natrM _ 2 b) -(natrD _ _ 1) -!natrM ler_nat.
by apply: der_next_bound => //; apply: leq_trans le_nb.
Qed.

(* An orbit of two loose records, where a and c records of their rows move.   *)
Lemma mass_orbit a c : (a + c != 1)%N -> ((a + c).+2 <= n)%N ->
  let w := move_mass p n in
  w (a + c)%N + w (a + c).+1 *+ a + (w (a + c).+1 + w (a + c).+2 *+ a) *+ c <=
  r * (w (a + c).+2 + w (a + c).+2 *+ a +
       (w (a + c).+2 + w (a + c).+2 *+ a) *+ c).
Proof.
move=> ac1 le_n; cbv zeta; set k := (a + c)%N in ac1 le_n *.
set w := move_mass p n.
have w_ge0 l : 0 <= w l by apply: move_mass_ge0; rewrite !ltW.
have le_r : w k + w k.+1 *+ k <= r * w k.+2 *+ k.+1.
  have [k0 | k_gt0] := posnP k.
    rewrite k0 mulr0n addr0 mulr1n -[leLHS]mul1r; apply: mass_scale => //.
    rewrite expr0 der2 der0 !mulr1; apply: le_trans le_bo.
    by rewrite -addrA ler_paddr // addr_ge0 // mulr_ge0.
  have k_gt1 : (1 < k)%N by rewrite ltn_neqAle eq_sym ac1.
  pose s0 := k.+1%:R * (k.+2%:R + 2%:R^-1) / o ^+ 2.
  pose s1 := k.+1%:R ^+ 2 / o.
  have le0 : w k <= s0 * w k.+2.
    rewrite -[leLHS]mul1r; apply: mass_scale => //; first exact: ltnW (ltnW _).
    rewrite mul1r -addn2 exprD mulrCA -[leRHS]mulrA ler_wpmul2l ?exprn_ge0 //.
    rewrite /s0 addn2 divfK ?expf_neq0 //.
    rewrite -(ler_pmul2l (ltr0n R 2)) -natrM.
    rewrite [leRHS]mulrA [X in X * _]mulrCA mulrDr divff ?pnatr_eq0 //.
    rewrite -(natrM _ 2 k.+2) -(natrD _ _ 1) -!natrM ler_nat.
    exact: der_next2_le.
  have le1 : k%:R * w k.+1 <= s1 * w k.+2.
    apply: mass_scale => //; first exact: ltnW.
      by rewrite eqSS -lt0n.
    have -> : s1 * o ^+ k.+2 = k.+1%:R ^+ 2 * o ^+ k.+1.
      by rewrite exprS mulrA divfK.
    rewrite mulrAC [leRHS]mulrAC ler_wpmul2r ?exprn_ge0 //.
    by rewrite -natrX -!natrM ler_nat der_next2_ge.
  rewrite -[w k.+1 *+ k]mulr_natl; apply: le_trans (ler_add le0 le1) _.
  rewrite -mulrDl -[r * _ *+ _]mulr_natl mulrA ler_wpmul2r //.
  rewrite /s0 /s1 [k.+1%:R ^+ 2]expr2 -!mulrA -mulrDr ler_wpmul2l ?ler0n //.
  apply: le_trans le_b; apply: ler_add.
    by rewrite ler_wpmul2r ?invr_ge0 ?exprn_ge0 // ler_add2r ler_nat
      (leq_trans le_n).
  rewrite ler_wpmul2r ?invr_ge0 // ler_subr_addr -(natrD _ _ 1) addn1 ler_nat.
  exact: leq_trans le_nb.
have -> : w k + w k.+1 *+ a + (w k.+1 + w k.+2 *+ a) *+ c =
    w k + w k.+1 *+ k + w k.+2 *+ (a * c).
  by rewrite mulrnDl -mulrnA addrA /k mulrnDr addrA.
have -> : r * (w k.+2 + w k.+2 *+ a + (w k.+2 + w k.+2 *+ a) *+ c) =
    r * w k.+2 *+ k.+1 + r * w k.+2 *+ (a * c).
  rewrite -!mulrnAr -mulrDr; congr (_ * _).
  by rewrite mulrnDl -mulrnA addrA -/w /k mulrS mulrnDr addrA.
apply: ler_add le_r _; apply: ler_wmuln2r.
by rewrite ler_pemull // budget_ge1.
Qed.

End Masses.

(* The budget is never above the one of Theorem 1.                            *)
Theorem two_category_le_psa_budget (R : realFieldType) b (p gamma : R) :
    (0 < b)%N -> 0 <= p <= 1 -> psa_budget b p = Some gamma ->
  two_category_budget b (p / (1 - p)) gamma.
Proof.
move=> b_gt0 p01 /(psa_budget_jump b_gt0 p01)[p_gt0 p_lt1].
have := odds_gt0 p_gt0 p_lt1; move: (p / (1 - p)) => u u_gt0 le_u le_b.
have [u_ge0 g_ge0] : 0 <= u /\ 0 <= gamma.
  by split; [apply: ltW | apply: le_trans le_u; apply: ltW].
have le_u2 : u ^+ 2 <= gamma ^+ 2 by rewrite ler_expn2r ?nnegrE.
rewrite /two_category_budget le_u2 /=.
have u2_gt0 : 0 < u ^+ 2 by rewrite exprn_gt0.
have -> : (b%:R + 2%:R^-1) / u ^+ 2 + (b%:R - 1) / u =
    (b%:R + 2%:R^-1 + (b%:R - 1) * u) / u ^+ 2.
  rewrite [in RHS]mulrDl; congr (_ + _).
  by rewrite expr2 invfM mulrA mulfK // gt_eqF.
rewrite ler_pdivr_mulr // -exprMn.
have h_le1 : 2%:R^-1 <= 1 :> R by rewrite invf_le1 ?ltr0n // ler1n.
have b_ge0 : 0 <= b%:R - 1 :> R by rewrite subr_ge0 ler1n.
have le1 : b%:R + 2%:R^-1 <= b.+1%:R :> R.
  by rewrite -[b.+1]addn1 natrD ler_add2l.
have [le_ub | lt_bu] := leP u b.+1%:R.
  apply: (@le_trans _ _ (b.+1%:R ^+ 2)); last first.
    by rewrite ler_expn2r ?nnegrE ?mulr_ge0 ?ler0n.
  have -> : b.+1%:R ^+ 2 = b.+1%:R + b%:R * b.+1%:R :> R.
    by rewrite expr2 -natrM mulSn natrD natrM.
  apply: ler_add => //; apply: ler_pmul => //.
  by rewrite ler_subl_addr ler_addl ler01.
have u_ge1 : 1 <= u by apply: le_trans (ltW lt_bu); rewrite ler1n.
apply: (@le_trans _ _ (u * u)); last first.
  rewrite -expr2 ler_expn2r ?nnegrE ?mulr_ge0 //.
  by apply: le_trans le_u _; rewrite ler_pemulr.
apply: (@le_trans _ _ (b.+1%:R + (b%:R - 1) * u)).
  by rewrite ler_add2r.
apply: (@le_trans _ _ (u + (b%:R - 1) * u)).
  by rewrite ler_add2r ltW.
rewrite -{1}[u]mul1r -mulrDl addrC subrK ler_wpmul2r //.
by apply: le_trans (ltW lt_bu); rewrite ler_nat.
Qed.
