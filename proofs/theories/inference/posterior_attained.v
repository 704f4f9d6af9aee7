From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Stirred Require Import compat law extended specification pure.
From Stirred Require Import privatised_data power power_attained.
From Stirred Require Import prior_predictive posterior posterior_connected.

(******************************************************************************)
(* How far the limits of pure differential privacy on posteriors are attained *)
(* (dissertation section 5.9), for two data sets x0 and x1 at distance n in a *)
(* path metric.                                                               *)
(*                                                                            *)
(*   pick x0 x1 b == x1 for true, x0 for false                                *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   odds_attained == a mechanism and an output whose probabilities at x0 and *)
(*            x1 differ by the factor gamma^n                                 *)
(*   posterior_sharp_attained == for every prior the sharper bounds on the    *)
(*            posterior are attained                                          *)
(*   posterior_connected_strict == the printed bounds are never attained, if  *)
(*            gamma^n > 1 and the prior probability is positive               *)
(*   posterior_printed_approached == but no smaller factor bounds the         *)
(*            posterior for every prior, and no larger one from below         *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.

Local Open Scope ring_scope.

Section Odds.

Variable R : realFieldType.
Implicit Types (c h q : R).

Lemma odds_sum_gt0 h q : 1 <= h -> 0 <= q <= 1 -> 0 < h * q + (1 - q).
Proof.
move=> h_ge1 /andP[q_ge0 q_le1]; apply: lt_le_trans ltr01 _.
by rewrite addrA addrAC -{1}[1]add0r ler_add2r subr_ge0 ler_pemull.
Qed.

Lemma odds_sum_gt1 h q : 1 < h -> 0 < q -> 1 < h * q + (1 - q).
Proof.
move=> h_gt1 q_gt0; rewrite -subr_gt0.
have -> : h * q + (1 - q) - 1 = (h - 1) * q by ring.
by rewrite mulr_gt0 ?subr_gt0.
Qed.

Lemma odds_sum_lt h q : 1 < h -> 0 < q -> q + h * (1 - q) < h.
Proof.
move=> h_gt1 q_gt0; rewrite -subr_gt0.
have -> : h - (q + h * (1 - q)) = (h - 1) * q by ring.
by rewrite mulr_gt0 ?subr_gt0.
Qed.

Lemma odds_quotients h a b c : c != 0 -> h * a + b != 0 ->
  a * (h * c) / (a * (h * c) + b * c) = h * a / (h * a + b) /\
  b * c / (a * (h * c) + b * c) = b / (b + h * a).
Proof.
move=> c_n0 s_n0; have -> : a * (h * c) + b * c = (h * a + b) * c by ring.
rewrite [b + _]addrC; split; field; rewrite ?c_n0 ?s_n0 //.
Qed.

(* Dissertation section 5.9, of Theorem 5.6.3: a factor below gamma^n does    *)
(* not bound the largest posterior for every prior probability q, nor one     *)
(* above gamma^-n the smallest.                                               *)
Theorem posterior_printed_approached h c :
  1 <= h ->
  (c < h -> exists2 q, 0 < q < 1 & c * q < h * q / (h * q + (1 - q))) /\
  (h^-1 < c -> exists2 q, 0 < q < 1 & q / (q + h * (1 - q)) < c * q).
Proof.
move=> h_ge1; have h_gt0 : 0 < h := lt_le_trans ltr01 h_ge1.
have near (a b : R) : 0 <= a -> 0 < b ->
    exists2 q, 0 < q < 1 & a * q < b.
  move=> a_ge0 b_gt0; have s_gt0 : 0 < a + b + 1.
    by rewrite addr_gt0 ?ltr01 // ltr_paddl.
  have ab_lt : b < a + b + 1.
    by rewrite -addrA addrCA ltr_addl ltr_paddl ?ltr01.
  exists (b / (a + b + 1)).
    by rewrite divr_gt0 //= ltr_pdivr_mulr ?mul1r.
  rewrite mulrA ltr_pdivr_mulr // mulrC ltr_pmul2l // -addrA ltr_addl.
  by rewrite addr_gt0 ?ltr01.
split=> [lt_ch | lt_hc].
  have [c_le0 | c_gt0] := leP c 0.
    have [q q01 _] := near 0 1 (lexx _) ltr01; exists q => //.
    have /andP[q_gt0 q_lt1] := q01; apply: le_lt_trans (_ : 0 < _).
      by rewrite mulr_le0_ge0 // ltW.
    by rewrite divr_gt0 ?mulr_gt0 // odds_sum_gt0 // !ltW.
  have [||q q01 small] := near (c * h) (h - c); rewrite ?subr_gt0 //.
    by rewrite mulr_ge0 // ltW.
  exists q => //; have /andP[q_gt0 q_lt1] := q01.
  rewrite ltr_pdivl_mulr; last by rewrite odds_sum_gt0 // !ltW.
  rewrite mulrAC ltr_pmul2r //; apply: le_lt_trans (_ : c + c * h * q < _).
    rewrite mulrDr addrC mulrA ler_add2r ler_pimulr ?ltW //.
    by rewrite gtr_addl oppr_lt0.
  by rewrite -ltr_subr_addl.
have [||q q01 small] := near (c * h) (c * h - 1); rewrite ?subr_gt0 //.
- by rewrite mulr_ge0 // ltW // (lt_trans _ lt_hc) // invr_gt0.
- by rewrite -ltr_pdivr_mulr // mul1r.
exists q => //; have /andP[q_gt0 q_lt1] := q01.
have c_gt0 : 0 < c by rewrite (lt_trans _ lt_hc) // invr_gt0.
have s_gt0 : 0 < q + h * (1 - q) by rewrite addr_gt0 ?mulr_gt0 ?subr_gt0.
rewrite ltr_pdivr_mulr // -{1}[q]mul1r mulrAC ltr_pmul2r //.
rewrite -subr_gt0; have -> : c * (q + h * (1 - q)) - 1 =
  (c * h - 1 - c * h * q) + c * q by ring.
by rewrite addr_gt0 ?mulr_gt0 // subr_gt0.
Qed.

End Odds.

Section Attained.

Variables (R : realFieldType) (X : finType) (r : rel X).
Variables (ds : X -> X -> option nat) (g : R) (n : nat) (x0 x1 : X).
Hypotheses (g_ge1 : 1 <= g) (symr : symmetric r).
Hypotheses (short : is_shortest_walk r ds) (eq_n : ds x0 x1 = Some n).

Definition pick (b : bool) : X := if b then x1 else x0.

(* An output whose probability at x1 is gamma^n times that at x0.             *)
Theorem odds_attained :
  exists T : X -> law R [finType of bool],
    [/\ pure_dp (everything X) ds (fun _ => Some g) T,
        0 < T x0 true & T x1 true = g ^+ n * T x0 true].
Proof.
have g_gt0 : 0 < g := lt_le_trans ltr01 g_ge1.
have gn_gt0 : 0 < g ^+ n by rewrite exprn_gt0.
have s_gt0 : 0 < (g + 1) * g ^+ n by rewrite mulr_gt0 ?addr_gt0 ?ltr01.
have s_ge1 : 1 <= (g + 1) * g ^+ n.
  apply: le_trans (_ : g ^+ n <= _); first by rewrite exprn_ege1.
  by rewrite ler_pemull ?ltW // ltr_addr.
have p01 : 0 <= ((g + 1) * g ^+ n)^-1 <= 1 by rewrite invr_ge0 ltW // invf_le1.
have [T [dpT]] := sharpest_power_attained g_ge1 symr short eq_n p01.
rewrite !Pr1 => T0 T1; exists T; split=> //; first by rewrite T0 invr_gt0.
rewrite T1 T0; case: (n) s_gt0 gn_gt0 => [|m] sm_gt0 gm_gt0.
  by rewrite expr0 mul1r.
apply: iterated_power_small; rewrite ?invr_ge0 ?(ltW sm_gt0) //.
rewrite ler_pdivr_mulr // mul1r ler_wpmul2l ?addr_ge0 ?ler01 ?(ltW g_gt0) //.
by rewrite exprS ler_pemull // ltW // exprn_gt0.
Qed.

(* Dissertation section 5.9, of Theorem 5.6.3: a mechanism with an output     *)
(* that, whatever the prior of x1 against x0, gives x1 the largest posterior  *)
(* that posterior_connected_sharp allows, and x0 the smallest.                *)
Theorem posterior_sharp_attained :
  exists T : X -> law R [finType of bool],
    pure_dp (everything X) ds (fun _ => Some g) T /\
    forall (pi : law R [finType of bool]),
      let after A := posterior pi (fun b => bind (dirac (pick b)) T) true A in
      let q := Pr pi [set true] in let q' := Pr pi [set false] in
      after [set true] = g ^+ n * q / (g ^+ n * q + (1 - q)) /\
      after [set false] = q' / (q' + g ^+ n * (1 - q')).
Proof.
have [T [dpT T0 T1]] := odds_attained; exists T; split=> // pi /=.
have pi01 : pi true + pi false = 1 by rewrite -(law_sum1 pi) big_bool.
rewrite /posterior bindE big_bool !big_set1 !dirac_bind /= T1 !Pr1.
have -> : 1 - pi true = pi false by rewrite -pi01 addrC addKr.
have -> : 1 - pi false = pi true by rewrite -pi01 addrK.
have h_ge1 : 1 <= g ^+ n by rewrite exprn_ege1.
have q01 : 0 <= pi true <= 1 by rewrite law_ge0 law_le1.
have := odds_sum_gt0 h_ge1 q01.
rewrite -{1}pi01 [_ + _ - _]addrC addKr => s_gt0.
have s_n0 : g ^+ n * pi true + pi false != 0 by rewrite gt_eqF.
have T_n0 : T x0 true != 0 by rewrite gt_eqF.
have [quot quot'] := odds_quotients T_n0 s_n0.
by split; [apply: quot | apply: quot'].
Qed.

End Attained.

Section Strict.

Variables (R : realFieldType) (X Y Theta : finType) (I : Type).
Variables (U : I -> X -> Prop) (d : X -> X -> option nat).
Variables (gamma : I -> option R) (T : X -> law R Y) (i : I) (g : R).
Variables (n : nat) (pi : law R Theta) (M : Theta -> law R X) (t0 : Y).

(* Dissertation section 5.9, of Theorem 5.6.3: with gamma^n > 1 the printed   *)
(* bounds are not attained by an event of positive prior probability.         *)
Theorem posterior_connected_strict (A : {set Theta}) :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g -> 1 < g ^+ n ->
  within (U i) d n (supp (bind pi M)) (supp (bind pi M)) ->
  bind pi (fun theta => bind (M theta) T) t0 != 0 -> 0 < Pr pi A ->
  (g ^+ n)^-1 * Pr pi A
    < posterior pi (fun theta => bind (M theta) T) t0 A < g ^+ n * Pr pi A.
Proof.
move=> dpT eq_g g_ge1 gn_gt1 near t0_n0 q_gt0.
have := posterior_connected_sharp A dpT eq_g g_ge1 near t0_n0.
have gn_gt0 : 0 < g ^+ n := lt_trans ltr01 gn_gt1.
move: (Pr pi A) q_gt0 (Pr_le1 pi A) => q q_gt0 q_le1 /andP[lower upper].
have s_gt1 := odds_sum_gt1 gn_gt1 q_gt0; apply/andP; split.
  apply: lt_le_trans lower; rewrite mulrC ltr_pmul2l //.
  rewrite ltf_pinv ?posrE // ?odds_sum_lt //.
  by rewrite ltr_paddr // mulr_ge0 ?subr_ge0 // ltW.
apply: le_lt_trans upper _; rewrite ltr_pdivr_mulr ?(lt_trans ltr01) //.
by rewrite ltr_pmulr ?mulr_gt0.
Qed.

End Strict.
