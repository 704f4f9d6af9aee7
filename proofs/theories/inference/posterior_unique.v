From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Stirred Require Import compat law extended specification pure.
From Stirred Require Import privatised_data prior_predictive posterior.

(******************************************************************************)
(* What is needed for a bound from every prior to its posterior (dissertation *)
(* Remark 5.6.4): two laws P and Q of the output, at two data sets.           *)
(*                                                                            *)
(*   one_of P Q b == Q for true, P for false                                  *)
(*                                                                            *)
(* Headline theorem                                                           *)
(*   posterior_within_iff == the posterior is within the factor g of every    *)
(*            prior, at every release, if and only if D_Mult(P, Q) <= ln g    *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.

Local Open Scope ring_scope.

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
