From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From mathcomp Require Import ring.
From Stirred Require Import compat law extended specification pure
  privatised_data power power_attained prior_predictive posterior.

(******************************************************************************)
(* How far the limits of pure differential privacy on posteriors and on the   *)
(* privatised data probability are attained (dissertation section 5.9), for   *)
(* two data sets x0 and x1 at distance n in a path metric, and what a bound   *)
(* from every prior to its posterior needs (Remark 5.6.4)                     *)
(*                                                                            *)
(*   pick x0 x1 b == x1 for true, x0 for false                                *)
(*   one_of P Q b == the law Q for true, P for false                          *)
(*   pair_model x0 x1 p01 == the model of x1 with probability p, of x0 else   *)
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
(*   posterior_within_iff == the posterior is within the factor g of every    *)
(*            prior, at every release, if and only if D_Mult(P, Q) <= ln g    *)
(*   privatised_bounds_approached == models on two data sets come as near as  *)
(*            one likes to both printed bounds of dissertation Theorem 5.4.1  *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
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

Section Unique.

Variables (R : realFieldType) (Y : finType).
Implicit Types (P Q : law R Y) (pi : law R [finType of bool]) (t : Y) (g : R).

Definition one_of P Q (b : bool) : law R Y := if b then Q else P.

Lemma bind_one_of pi P Q t :
  bind pi (one_of P Q) t = pi true * Q t + pi false * P t.
Proof. by rewrite bindE big_bool. Qed.

Lemma posterior_true pi P Q t : posterior pi (one_of P Q) t [set true] =
  pi true * Q t / bind pi (one_of P Q) t.
Proof. by rewrite /posterior big_set1. Qed.

Lemma pi_false pi : pi false = 1 - pi true.
Proof. by have := law_sum1 pi; rewrite big_bool /= => <-; rewrite addrC addKr. Qed.

(* A prior that gives Q little weight, for an output with Q t > g P t.        *)
Lemma some_prior_far g P Q t : 1 <= g -> g * P t < Q t ->
  exists2 pi, bind pi (one_of P Q) t != 0 &
    g * Pr pi [set true] < posterior pi (one_of P Q) t [set true].
Proof.
move=> g_ge1 lt_gQ; have g_gt0 : 0 < g := lt_le_trans ltr01 g_ge1.
pose D := Q t - g * P t; have D_gt0 : 0 < D by rewrite subr_gt0.
have D_le1 : D <= 1.
  apply: le_trans (law_le1 Q t); rewrite ler_subl_addr ler_addl.
  by rewrite mulr_ge0 ?law_ge0 // ltW.
have gg_gt0 : 0 < g + g by rewrite addr_gt0.
pose w := D / (g + g); have w_gt0 : 0 < w by rewrite divr_gt0.
have w01 : 0 <= w <= 1.
  rewrite ltW //= ler_pdivr_mulr // mul1r (le_trans D_le1) //.
  by rewrite (le_trans g_ge1) // ler_addl ltW.
pose prior := bern w w01; have pi_true : prior true = w by rewrite bernE.
have Q_gt0 : 0 < Q t.
  by apply: le_lt_trans lt_gQ; rewrite mulr_ge0 ?law_ge0 // ltW.
have s_gt0 : 0 < bind prior (one_of P Q) t.
  rewrite bind_one_of pi_true; apply: ltr_paddr (mulr_gt0 w_gt0 Q_gt0).
  by rewrite mulr_ge0 ?law_ge0.
exists prior; first by rewrite gt_eqF.
rewrite Pr1 posterior_true pi_true ltr_pdivl_mulr //.
rewrite mulrAC mulrC ltr_pmul2l // bind_one_of pi_false pi_true.
have -> : g * (w * Q t + (1 - w) * P t) = g * P t + g * w * (Q t - P t) by ring.
rewrite -ltr_subr_addl -/D.
have -> : g * w = D / 2%:R.
  by rewrite /w; field; rewrite ?pnatr_eq0 ?gt_eqF.
apply: le_lt_trans (_ : D / 2%:R * 1 < _).
  rewrite ler_pmul2l ?divr_gt0 ?ltr0n // ler_subl_addr.
  by rewrite (le_trans (law_le1 Q t)) // ler_addl law_ge0.
by rewrite mulr1 ltr_pdivr_mulr ?ltr0n // ltr_pmulr // ltr1n.
Qed.

Definition posterior_within g P Q : Prop :=
  forall pi t, bind pi (one_of P Q) t != 0 -> forall A,
    posterior pi (one_of P Q) t A <= g * Pr pi A /\
    Pr pi A <= g * posterior pi (one_of P Q) t A.

Lemma within_le g P Q t : 1 <= g -> posterior_within g P Q -> Q t <= g * P t.
Proof.
move=> g_ge1 within; rewrite leNgt; apply/negP => /(some_prior_far g_ge1).
by case=> pi s_n0; rewrite ltNge; case: (within pi t s_n0 [set true]) => ->.
Qed.

(* The two laws, and the two weights, exchanged.                              *)
Lemma posterior_within_sym g P Q :
  posterior_within g P Q -> posterior_within g Q P.
Proof.
move=> within pi t; pose flip := map_law negb pi.
have flipE b : flip b = pi (~~ b).
  by rewrite -{1}[b]negbK /flip map_law_inj //; apply: negb_inj.
have bindE' : bind flip (one_of P Q) t = bind pi (one_of Q P) t.
  by rewrite !bind_one_of !flipE addrC.
have sumE (f : bool -> R) (A : {set bool}) :
    \sum_(b in A) f b = \sum_(b in [set b | ~~ b \in A]) f (~~ b).
  rewrite (reindex_inj negb_inj) /=.
  by apply: eq_bigl => b; rewrite inE.
rewrite -bindE' => s_n0 A.
have [] := within flip t s_n0 [set b | ~~ b \in A].
rewrite /posterior /Pr bindE'.
have -> : \sum_(b in [set b | ~~ b \in A]) flip b * one_of P Q b t =
    \sum_(b in A) pi b * one_of Q P b t.
  by rewrite [RHS]sumE; apply: eq_bigr => -[]; rewrite flipE.
have -> : \sum_(b in [set b | ~~ b \in A]) flip b = \sum_(b in A) pi b.
  by rewrite [RHS]sumE; apply: eq_bigr => b; rewrite flipE.
by [].
Qed.

Theorem posterior_within_iff g P Q : 1 <= g ->
  posterior_within g P Q <-> mult_le g P Q.
Proof.
move=> g_ge1; have g_gt0 : 0 < g := lt_le_trans ltr01 g_ge1.
split=> [within | /mult_leP le_PQ pi t].
  apply/mult_leP => t; split; last exact: within_le.
  by apply: within_le => //; apply: posterior_within_sym.
rewrite /posterior; set s := bind _ _ t => s_n0 A.
have s_gt0 : 0 < s by rewrite lt_def s_n0 law_ge0.
have le_one b b' : one_of P Q b t <= g * one_of P Q b' t.
  by case: b b' => [] []; case: (le_PQ t) => //= *; rewrite ler_pemull ?law_ge0.
have sumE c : \sum_b pi b * c = c by rewrite -mulr_suml law_sum1 mul1r.
have le_s b : one_of P Q b t <= g * s /\ s <= g * one_of P Q b t.
  split; last first.
    rewrite /s bindE -[leRHS]sumE; apply: ler_sum => b' _.
    by rewrite ler_wpmul2l ?law_ge0.
  rewrite /s bindE mulr_sumr -[leLHS]sumE; apply: ler_sum => b' _.
  by rewrite mulrCA ler_wpmul2l ?law_ge0.
split; rewrite ?ler_pdivr_mulr // /Pr.
  rewrite mulrAC mulr_sumr; apply: ler_sum => b _.
  by rewrite [leLHS]mulrC ler_wpmul2r ?law_ge0 //; case: (le_s b).
rewrite mulrA ler_pdivl_mulr // mulr_suml mulr_sumr; apply: ler_sum => b _.
by rewrite mulrCA ler_wpmul2l ?law_ge0 //; case: (le_s b).
Qed.

End Unique.

Definition posterior_within_iff_instance :=
  @posterior_within_iff rat_realFieldType bool_finType 2%:R
    (bern 1 (introT andP (conj ler01 (lexx 1))))
    (bern 1 (introT andP (conj ler01 (lexx 1)))) isT.

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
