From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law invariants output_distances.

(******************************************************************************)
(* Random rounding of a count to base b + 1: total variation of every pair of *)
(* counts, and what one record costs.                                         *)
(*                                                                            *)
(*   two_points i j x x01 == the law with mass x at j and 1 - x at i          *)
(*   rounding b m n == the law of n rounded at random, q standing for the     *)
(*                     multiple q (b + 1), for counts up to m (b + 1)         *)
(*   rounded_apart b n n' == b + 1 times the total variation of n <= n'       *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   rounding_variation == rounding.variation                                 *)
(*   rounding_record == rounding.one-record, the variation of neighbours      *)
(*   rounding_least == rounding.one-record, that no smaller delta is enough   *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Two.

Variables (R : realFieldType) (T : finType).
Implicit Types (i j k l t : T) (x y : R).

Definition two_points i j x (x01 : 0 <= x <= 1) : law R T :=
  map_law (fun up : bool => if up then j else i) (bern x x01).

Lemma two_pointsE i j x x01 t :
  @two_points i j x x01 t = (1 - x) * (t == i)%:R + x * (t == j)%:R.
Proof.
rewrite map_lawE PrE big_mkcond big_bool !inE !bernE /= addrC.
rewrite (eq_sym t i) (eq_sym t j).
by do 2!case: (_ == t); rewrite ?mulr1 ?mulr0.
Qed.

Lemma sum_of_two (F : T -> R) i j : i != j ->
  (forall t, t != i -> t != j -> F t = 0) -> \sum_t F t = F i + F j.
Proof.
move=> ij F0; rewrite (bigD1 i) //= (bigD1 j) 1?eq_sym //=.
by rewrite big1 ?addr0 // => t /andP[]; apply: F0.
Qed.

Lemma sum_of_three (F : T -> R) i j k : i != j -> i != k -> j != k ->
  (forall t, t != i -> t != j -> t != k -> F t = 0) ->
  \sum_t F t = F i + F j + F k.
Proof.
move=> ij ik jk F0; rewrite (bigD1 i) //= (bigD1 j) 1?eq_sym //=.
rewrite (bigD1 k) /=; last by rewrite !(eq_sym k) ik jk.
by rewrite big1 ?addr0 ?addrA // => t /andP[/andP[]]; apply: F0.
Qed.

Lemma half_sum x : (x + x) / 2%:R = x.
Proof. by rewrite -mulr2n -(mulr_natr x) mulfK ?pnatr_eq0. Qed.

Lemma tv_same i j x y x01 y01 : i != j -> x <= y ->
  tv (@two_points i j x x01) (@two_points i j y y01) = y - x.
Proof.
move=> ij le_xy; rewrite /tv (sum_of_two ij) => [|t /negPf ti /negPf tj].
  rewrite !two_pointsE !eqxx (eq_sym j i) (negPf ij).
  rewrite !(mulr0, mulr1, addr0, add0r).
  have -> : 1 - x - (1 - y) = y - x by rewrite opprB addrC addrA subrK.
  rewrite (distrC x) ger0_norm ?subr_ge0 //.
  by rewrite half_sum.
by rewrite !two_pointsE ti tj !mulr0 subrr normr0.
Qed.

Lemma tv_chain i j k x y x01 y01 : i != j -> i != k -> j != k ->
  tv (@two_points i j x x01) (@two_points j k y y01) = Num.max (1 - x) y.
Proof.
move=> ij ik jk; have [/andP[x0 x1] /andP[y0 y1]] := (x01, y01).
rewrite /tv (sum_of_three ij ik jk) => [|t /negPf ti /negPf tj /negPf tk].
  rewrite !two_pointsE !eqxx !(eq_sym k) !(eq_sym j i) (negPf ij) (negPf ik).
  rewrite (negPf jk) !(mulr0, mulr1, addr0, add0r, subr0, sub0r) normrN.
  rewrite (ger0_norm y0) ger0_norm ?subr_ge0 //.
  have -> : x - (1 - y) = y - (1 - x) by rewrite !opprB addrCA.
  case: (lerP (1 - x) y) => _; first by rewrite (addrC (1 - x)) subrK half_sum.
  by rewrite -addrA subrK half_sum.
by rewrite !two_pointsE ti tj tk !mulr0 subrr normr0.
Qed.

Lemma tv_apart (P Q : law R T) : (forall t, P t = 0 \/ Q t = 0) -> tv P Q = 1.
Proof.
move=> PQ; rewrite /tv; have -> : \sum_t `|P t - Q t| = \sum_t (P t + Q t).
  apply: eq_bigr => t _; case: (PQ t) => ->.
    by rewrite sub0r normrN add0r ger0_norm ?law_ge0.
  by rewrite subr0 addr0 ger0_norm ?law_ge0.
by rewrite big_split /= !law_sum1 -mulr2n divff ?pnatr_eq0.
Qed.

End Two.

Section Rounding.

Variables (R : realFieldType) (b m : nat).
Implicit Types (n q r : nat).

Lemma rest_ends r : (r <= b.+1)%N -> 0 <= (r%:R / b.+1%:R : R) <= 1.
Proof.
move=> le_r; rewrite divr_ge0 ?ler0n //= ler_pdivr_mulr ?ltr0n ?mul1r //.
by rewrite ler_nat.
Qed.

Lemma mod_ends n : 0 <= ((n %% b.+1)%:R / b.+1%:R : R) <= 1.
Proof. by rewrite rest_ends // ltnW // ltn_pmod. Qed.

Definition rounding n : law R [finType of 'I_m.+2] :=
  two_points (inord (n %/ b.+1)) (inord (n %/ b.+1).+1) (mod_ends n).

Definition rounded_apart n n' : nat :=
  let next := ((n %/ b.+1).+1 * b.+1)%N in
  if (n' <= next)%N then (n' - n)%N
  else if (n' <= next + b.+1)%N then maxn (next - n) (n' - next) else b.+1.

Lemma roundingE q r (le_r : (r <= b.+1)%N) :
  rounding (q * b.+1 + r) = two_points (inord q) (inord q.+1) (rest_ends le_r).
Proof.
apply/law_eqP => t; rewrite !two_pointsE.
have [lt_r | eq_r] := ltnP r b.+1.
  by rewrite divnMDl // modnMDl modn_small // divn_small // addn0.
have -> : r = b.+1 by apply/eqP; rewrite eqn_leq le_r.
rewrite -mulSnr mulnK // modnMl mul0r subr0 mul1r mul0r addr0.
by rewrite divff ?pnatr_eq0 // subrr mul0r add0r mul1r.
Qed.

Lemma inord_ne q q' : (q < q')%N -> (q' <= m.+1)%N ->
  inord q != inord q' :> 'I_m.+2.
Proof.
move=> lt_q le_q'; apply/eqP => /(congr1 val).
by rewrite /= !inordK // => [eq_q|]; [rewrite eq_q ltnn in lt_q
  | exact: ltn_trans lt_q _].
Qed.

Lemma over_base x y : (x <= y)%N ->
  y%:R / b.+1%:R - x%:R / b.+1%:R = (y - x)%:R / b.+1%:R :> R.
Proof. by move=> le_xy; rewrite -mulrBl natrB. Qed.

Lemma over_one r : (r <= b.+1)%N ->
  1 - r%:R / b.+1%:R = (b.+1 - r)%:R / b.+1%:R :> R.
Proof. by move=> le_r; rewrite natrB // mulrBl divff ?pnatr_eq0. Qed.

Lemma max_over x y :
  Num.max (x%:R / b.+1%:R) (y%:R / b.+1%:R) = (maxn x y)%:R / b.+1%:R :> R.
Proof.
rewrite maxEle ler_pmul2r ?invr_gt0 ?ltr0n // ler_nat.
by case: leqP.
Qed.

Lemma rounding_far n n' q : (n < q.+1 * b.+1)%N -> (q <= n %/ b.+1)%N ->
  (q.+2 * b.+1 <= n')%N -> (n' <= m * b.+1)%N ->
  tv (rounding n) (rounding n') = 1.
Proof.
move=> lt_n le_q le_n' le_m; apply: tv_apart => t; rewrite !two_pointsE.
have -> : (n %/ b.+1 = q)%N.
  by apply/eqP; rewrite eqn_leq le_q -ltnS ltn_divLR ?lt_n.
set q' := (n' %/ b.+1)%N; have lt_q : (q.+1 < q')%N by rewrite leq_divRL.
have le_q' : (q' <= m)%N by rewrite -(mulnK m (ltn0Sn b)) leq_div2r.
have ne p : (p < q')%N -> forall y : R,
    (1 - y) * (inord p == inord q' :> 'I_m.+2)%:R +
      y * (inord p == inord q'.+1 :> 'I_m.+2)%:R = 0.
  move=> lt_p y; rewrite (negPf (inord_ne lt_p (leqW le_q'))).
  by rewrite (negPf (inord_ne (ltnW lt_p : p < q'.+1)%N le_q')) !mulr0 addr0.
have [->|/negPf ti] := eqVneq t (inord q); first by right; apply/ne/ltnW.
have [->|/negPf tj] := eqVneq t (inord q.+1); first by right; apply: ne.
by left; rewrite !mulr0 addr0.
Qed.

Theorem rounding_variation n n' : (n <= n')%N -> (n' <= m * b.+1)%N ->
  tv (rounding n) (rounding n') = (rounded_apart n n')%:R / b.+1%:R.
Proof.
move=> le_n le_n'; rewrite /rounded_apart.
set q := (n %/ b.+1)%N; set next := (q.+1 * b.+1)%N.
pose r := (n %% b.+1)%N; have le_r : (r <= b.+1)%N by rewrite ltnW ?ltn_pmod.
have nE : n = (q * b.+1 + r)%N by rewrite -divn_eq.
have nextE : next = (q * b.+1 + b.+1)%N by rewrite /next mulSnr.
have le_qm : (q <= m)%N.
  by rewrite -(leq_pmul2r (ltn0Sn b)) (leq_trans _ (leq_trans le_n le_n')) //
    nE leq_addr.
have ij : inord q != inord q.+1 :> 'I_m.+2 by rewrite inord_ne.
have [le_next | lt_next] := leqP n' next.
  have le_r' : (n' - q * b.+1 <= b.+1)%N by rewrite leq_subLR -nextE.
  have le_q' : (q * b.+1 <= n')%N by rewrite (leq_trans _ le_n) // nE leq_addr.
  have n'E : n' = (q * b.+1 + (n' - q * b.+1))%N by rewrite subnKC.
  have le_rr : (r <= n' - q * b.+1)%N by rewrite leq_subRL // -nE.
  rewrite {1}n'E {1}nE (roundingE q le_r) (roundingE q le_r') tv_same //.
    by rewrite over_base // -subnDA -nE.
  by rewrite ler_pmul2r ?invr_gt0 ?ltr0n // ler_nat.
have lt_qm : (q.+1 < m)%N.
  by rewrite -(ltn_pmul2r (ltn0Sn b)) (leq_trans lt_next).
have [le_next | lt_far] := leqP n' (next + b.+1).
  have le_r' : (n' - next <= b.+1)%N by rewrite leq_subLR.
  have n'E : n' = (q.+1 * b.+1 + (n' - next))%N by rewrite subnKC // ltnW.
  rewrite {1}n'E {1}nE (roundingE q le_r) (roundingE q.+1 le_r').
  have jk := inord_ne (ltnSn q.+1) (leqW lt_qm).
  have ik := inord_ne (leqnSn q.+1 : q < q.+2)%N (leqW lt_qm).
  rewrite (tv_chain _ _ ij ik jk) over_one // max_over.
  by rewrite nextE {1}nE subnDl.
rewrite divff ?pnatr_eq0 //; apply: (@rounding_far n n' q) => //.
  by rewrite -/next nextE nE ltn_add2l ltn_pmod.
by rewrite mulSnr -/next ltnW.
Qed.

Theorem rounding_record n : (n < m * b.+1)%N ->
  tv (rounding n) (rounding n.+1) = b.+1%:R^-1.
Proof.
move=> lt_n; rewrite rounding_variation ?leqnSn // /rounded_apart.
by rewrite mulSnr {1}(divn_eq n b.+1) ltn_add2l ltn_pmod // subSnn mul1r.
Qed.

Theorem rounding_least q g : (q <= m)%N ->
  b.+1%:R^-1 <= hockey_stick g (rounding (q * b.+1).+1) (rounding (q * b.+1)).
Proof.
move=> le_q; rewrite /hockey_stick (bigD1 (inord q.+1)) //.
have ne := negPf (inord_ne (ltnSn q) le_q).
have [x0 x1] := (roundingE q (leq0n b.+1), roundingE q (ltn0Sn b)).
rewrite addn0 addn1 in x0 x1; rewrite x0 x1 !two_pointsE eqxx eq_sym ne.
rewrite !(mulr0, mul0r, add0r, mulr1, subr0, mul1r) -[X in X <= _]addr0.
apply: ler_add; last by apply: sumr_ge0 => t _; rewrite le_maxr lexx.
rewrite -[false%:R]/(0 : R) !(mulr0, mul0r, addr0, subr0) div1r.
by rewrite le_maxr lexx orbT.
Qed.

End Rounding.

Arguments rounding {R} b m n.
