From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From mathcomp Require Import zify ring.
From Stirred Require Import compat.

(******************************************************************************)
(* Geometric descent                                                          *)
(*                                                                            *)
(*   lopsided start len d1 d a b == b is above start + len, and a below d1 /  *)
(*            d of it                                                         *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   tail_le == if M b+2 <= alpha M b+1 + beta M b above s, with 0 < t < 1,   *)
(*            alpha t + beta <= t^2 and t^len <= delta (1 - t), what lies     *)
(*            above s + len is at most delta times the whole sum              *)
(*   lopsided_le == the same for a family of such sequences, where row a      *)
(*            falls once b is above start and a is at most d2 / d of it       *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Sequence.

Variables (R : realFieldType) (M : nat -> R) (alpha beta t delta : R).
Variables (s len size : nat).
Hypothesis M_ge0 : forall b, 0 <= M b.
Hypotheses (alpha_ge0 : 0 <= alpha) (beta_ge0 : 0 <= beta).
Hypotheses (t_gt0 : 0 < t) (t_lt1 : t < 1).
Hypothesis le_t : alpha * t + beta <= t ^+ 2.
Hypothesis le_delta : t ^+ len <= delta * (1 - t).
Hypothesis M_step : forall b, (s.+1 < b.+2)%N ->
  M b.+2 <= alpha * M b.+1 + beta * M b.

Let X := M s.+1 + M s.

Let X_ge0 : 0 <= X. Proof. exact: addr_ge0. Qed.

Lemma rates_le : alpha + beta <= t.
Proof.
have t_ge0 := ltW t_gt0; have t1_ge0 : 0 <= 1 - t by rewrite subr_ge0 ltW.
have le_at : alpha <= t.
  rewrite -(ler_pmul2r t_gt0) -expr2; apply: le_trans le_t.
  by rewrite ler_addl.
rewrite (_ : alpha + beta = alpha * t + beta + alpha * (1 - t)); last by ring.
apply: (@le_trans _ _ (t ^+ 2 + t * (1 - t))).
  by rewrite ler_add ?ler_wpmul2r.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

Lemma sequence_le j : M (s.+1 + j)%N <= t ^+ j * X.
Proof.
suff [//] : M (s.+1 + j)%N <= t ^+ j * X /\ M (s.+1 + j.+1)%N <= t ^+ j.+1 * X.
elim: j => [|j [IHj IHj1]].
  rewrite addn0 expr0 mul1r expr1 ler_addl; split=> //.
  rewrite addn1; apply: le_trans (M_step _) _; first by rewrite ltnS.
  apply: (@le_trans _ _ ((alpha + beta) * X)); last first.
    by rewrite ler_wpmul2r // rates_le.
  by rewrite mulrDl ler_add // ler_wpmul2l // ?ler_addl ?ler_addr.
split=> //; rewrite !addnS; apply: le_trans (M_step _) _.
  by rewrite !ltnS leqW ?leq_addr.
apply: (@le_trans _ _ ((alpha * t + beta) * (t ^+ j * X))).
  rewrite mulrDl -mulrA [t * (_ * X)]mulrA -exprS.
  by rewrite ler_add // ler_wpmul2l // -?addnS.
rewrite -[j.+2]addn2 addnC exprD -[leRHS]mulrA ler_wpmul2r //.
by rewrite mulr_ge0 // exprn_ge0 // ltW.
Qed.

Lemma tail_le :
  \sum_(b < size | (s.+1 + len < b)%N) M b <= delta * \sum_(b < size) M b.
Proof.
have t1_gt0 : 0 < 1 - t by rewrite subr_gt0.
have tX_ge0 j : 0 <= t ^+ j by rewrite exprn_ge0 // ltW.
have delta_ge0 : 0 <= delta.
  by rewrite -(pmulr_lge0 _ t1_gt0); apply: le_trans le_delta.
have sum_ge0 : 0 <= \sum_(b < size) M b by apply: sumr_ge0.
have [le_size | lt_s] := leqP size (s.+1 + len).
  rewrite big_pred0 ?mulr_ge0 // => b.
  by apply/negbTE; rewrite -leqNgt; apply: leq_trans (ltnW _) le_size.
have le_X : X <= \sum_(b < size) M b.
  have s1 : (s.+1 < size)%N := leq_ltn_trans (leq_addr _ _) lt_s.
  rewrite (bigD1 (Ordinal s1)) //= (bigD1 (Ordinal (ltnW s1))) /=; last first.
    by rewrite -val_eqE /= -{1}[s]addn0 -addn1 eqn_add2l.
  by rewrite addrA ler_addl sumr_ge0.
apply: (@le_trans _ _ (delta * X)); last by rewrite ler_wpmul2l.
rewrite -(ler_pmul2r t1_gt0) mulrAC.
apply: (@le_trans _ _ (t ^+ len * X)); last by rewrite ler_wpmul2r.
pose f b := - (t ^+ (b - s.+1) * X).
have -> : \sum_(b < size | (s.+1 + len < b)%N) M b =
    \sum_((s.+1 + len).+1 <= b < size) M b.
  by rewrite big_geq_mkord; apply: eq_bigl => b.
apply: (@le_trans _ _ (\sum_((s.+1 + len).+1 <= b < size) (f b.+1 - f b))).
  rewrite mulr_suml; apply: ler_sum_nat => b /andP[lt_b _].
  have le_sb : (s.+1 <= b)%N.
    by apply: leq_trans (ltnW lt_b); apply: leq_addr.
  have := sequence_le (b - s.+1); rewrite subnKC //.
  move=> /(ler_wpmul2r (ltW t1_gt0))/le_trans; apply.
  rewrite /f opprK subSn // exprS.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
rewrite telescope_sumr // /f opprK addrC ler_subl_addr.
apply: (@le_trans _ _ (t ^+ len * X)); last first.
  by rewrite ler_addl mulr_ge0.
rewrite -addnS addKn ler_wpmul2r // exprS ger_pmull ?ltW //.
by rewrite exprn_gt0.
Qed.

End Sequence.

(* A family of such sequences: row a falls in b once b is above start and a   *)
(* is at most d2 / d of it; what lies beyond start + len and where a is below *)
(* d1 / d of b is small.                                                      *)
Section Plane.

Variables (R : realFieldType) (M : nat -> nat -> R) (alpha beta t delta : R).
Variables (start len d1 d2 d : nat).

Definition lopsided a b := (start + len < b)%N && (d * a < d1 * b)%N.

Hypothesis M_ge0 : forall a b, 0 <= M a b.
Hypotheses (alpha_ge0 : 0 <= alpha) (beta_ge0 : 0 <= beta).
Hypotheses (t_gt0 : 0 < t) (t_lt1 : t < 1).
Hypothesis le_t : alpha * t + beta <= t ^+ 2.
Hypothesis le_delta : t ^+ len <= delta * (1 - t).
Hypotheses (start_gt0 : (0 < start)%N) (d12 : (d1 < d2)%N).
Hypothesis le_len : (len * d1 <= start * (d2 - d1))%N.
Hypothesis M_step : forall a b, (start < b.+2)%N -> (d * a <= d2 * b.+2)%N ->
  M a b.+2 <= alpha * M a b.+1 + beta * M a b.

Lemma lopsided_le rows columns :
  \sum_(a < rows) \sum_(b < columns | lopsided a b) M a b <=
  delta * \sum_(a < rows) \sum_(b < columns) M a b.
Proof.
rewrite mulr_sumr; apply: ler_sum => -[a /= _] _.
have d2_gt0 : (0 < d2)%N by apply: leq_ltn_trans d12.
pose s := (maxn start (d * a %/ d2)).-1.
have sE : s.+1 = maxn start (d * a %/ d2).
  by rewrite prednK // leq_max start_gt0.
have step b : (s.+1 < b.+2)%N -> M a b.+2 <= alpha * M a b.+1 + beta * M a b.
  rewrite sE gtn_max => /andP[lt_start]; rewrite ltn_divLR // => /ltnW lt_a.
  by apply: M_step => //; rewrite [(d2 * _)%N]mulnC.
apply: le_trans (tail_le columns (M_ge0 a) alpha_ge0 beta_ge0 t_gt0 t_lt1 le_t
  le_delta step).
rewrite [leLHS]big_mkcond [leRHS]big_mkcond; apply: ler_sum => -[b /= _] _.
case: ifP => [/andP[lt_b lt_a] | _]; last by case: ifP.
rewrite ifT // sE addn_maxl gtn_max lt_b /=.
have [le_start | lt_start] := leqP start (d * a %/ d2); last first.
  by apply: leq_ltn_trans lt_b; rewrite leq_add2r ltnW.
have := leq_trunc_div (d * a)%N d2.
move: (_ %/ _)%N le_start => x le_start le_x.
have le1 : (len * d1 <= x * (d2 - d1))%N.
  by apply: leq_trans le_len _; rewrite leq_mul2r le_start orbT.
have : ((x + len) * d1 < b * d1)%N.
  rewrite [(b * _)%N]mulnC; apply: leq_ltn_trans lt_a.
  apply: leq_trans le_x; rewrite mulnDl.
  have -> : (x * d2 = x * d1 + x * (d2 - d1))%N.
    by rewrite -mulnDr subnKC // ltnW.
  by rewrite leq_add2l.
by rewrite ltn_mul2r => /andP[].
Qed.

End Plane.
