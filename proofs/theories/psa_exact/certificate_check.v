From Coq Require Import NArith PArith.
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From mathcomp Require Import zify ring.
From Stirred Require Import compat concentration.

(******************************************************************************)
(* Certificates as data: whole numbers that a computation checks              *)
(*                                                                            *)
(*   numbers == b, the odds on / od, the constants of a certificate, with     *)
(*            rates an / u, bn / u, tn / u and rest 1 / e, and the bound r =  *)
(*            rn / rd                                                         *)
(*   checks c == what concentration.v asks, in whole numbers                  *)
(*   households_1, 5, 10, 50 == the certificates for 264,331 households in    *)
(*            two tenures, for the swap rates 1%, 5%, 10% and 50%             *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   checks_sound == checks c gives certifies, over every real field          *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Record numbers := Numbers {
  b_ : N; on : N; od : N; s_ : N; l_ : N; d1_ : N; d2_ : N; d_ : N;
  an : N; bn : N; tn : N; u_ : N; e_ : N; rn : N; rd : N }.

(* (t / w)^k from above, as a whole number of parts of w: numbers stay short. *)
Fixpoint power_up (t w : N) (k : positive) : N :=
  match k with
  | xH => t
  | xO k' => let q := power_up t w k' in q * q / w + 1
  | xI k' => let q := power_up t w k' in t * (q * q / w + 1) / w + 1
  end%num.

Definition precision : N := 1000000000000.

Definition checks (c : numbers) : bool :=
  let: Numbers b on od s l d1 d2 d an bn tn u e rn rd := c in
  let n := N.to_nat in
  (let m := (d + d1) * (s + l) in let dd := d * d - d2 * d2 in
  [&& 3 <=? s, s <=? b, 1 <=? d1, d1 + 1 <=? d2, 2 * d2 <=? d,
      l * d1 <=? s * (d2 - d1), 1 <=? on, 1 <=? od, 1 <=? tn,
      tn + 1 <=? u, 3 <=? e, 1 <=? rd, an * tn + bn * u <=? tn * tn,
      1 <=? l,
      power_up (tn * precision) (u * precision) (N.succ_pos (N.pred l)) * e <=?
        precision * (u - tn),
      on * ((b - s) * (d * d)) * u <=? an * (dd * (s + 1)) * od,
      on * on * ((b - s + 1) * (b - s) * (d * d)) * u <=?
        bn * (dd * ((s + 1) * s * (s - 1))) * (od * od),
      ((2 * m + 5 * d) * (od * od) + (2 * m + 2 * d) * (on * od)) * (rd * e)
        <=? 2 * d * (rn * (e - 2)) * (on * on),
      (on * on * (d * d1) + (od * od + on * od) * ((d + d1) * (d + d1))) *
        (rd * e) <=? rn * (e - 2) * (on * on * (d * d1)),
      on * on * rd <=? rn * (od * od) &
      (2 * b + 1) * (rd * od) <=? 2 * (rn * on)])%num.

Section Powers.

Local Notation n := N.to_nat.

Lemma to_natM x y : n (x * y)%num = (n x * n y)%N.
Proof. exact: N2Nat.inj_mul. Qed.

Lemma to_natB x y : n (x - y)%num = (n x - n y)%N.
Proof. exact: N2Nat.inj_sub. Qed.

Lemma to_nat_le x y : (x <=? y)%num -> (n x <= n y)%N.
Proof. by move/N.leb_le; lia. Qed.

Lemma div_up x w : (0 < n w)%N -> (n x <= n (x / w + 1)%num * n w)%N.
Proof.
move=> w_gt0; rewrite -to_natM; apply: to_nat_le; apply/N.leb_le.
rewrite N.add_1_r N.mul_comm; apply/N.lt_le_incl/N.mul_succ_div_gt.
by move=> w0; rewrite w0 in w_gt0.
Qed.

Lemma square_up A q W w v : (0 < w)%N -> (A * w <= q * W)%N ->
  (q * q <= v * w)%N -> (A * A * w <= v * (W * W))%N.
Proof.
move=> w_gt0 le_A le_q; rewrite -(leq_pmul2r w_gt0) -mulnA mulnACA.
apply: leq_trans (leq_mul le_A le_A) _; rewrite mulnACA [leqRHS]mulnAC.
exact: leq_mul.
Qed.

Lemma power_upP t w k : (0 < n w)%N ->
  (n t ^ Pos.to_nat k * n w <= n (power_up t w k) * n w ^ Pos.to_nat k)%N.
Proof.
move=> w_gt0; elim: k => [k IHk|k IHk|]; last by rewrite /= !expn1.
- have -> : Pos.to_nat k~1 = (Pos.to_nat k + Pos.to_nat k).+1 by lia.
  rewrite /= !expnS !expnD.
  set q := power_up t w k in IHk *; set v := (q * q / w + 1)%num.
  have le_v : (n t ^ Pos.to_nat k * n t ^ Pos.to_nat k * n w <=
               n v * (n w ^ Pos.to_nat k * n w ^ Pos.to_nat k))%N.
    apply: square_up IHk _ => //; rewrite -to_natM; exact: div_up.
  rewrite -mulnA; apply: leq_trans (leq_mul (leqnn _) le_v) _.
  rewrite mulnA [leqRHS]mulnA leq_mul2r -to_natM; apply/orP; right.
  exact: div_up.
have -> : Pos.to_nat k~0 = (Pos.to_nat k + Pos.to_nat k)%N by lia.
rewrite /= !expnD.
apply: square_up IHk _ => //; rewrite -to_natM; exact: div_up.
Qed.

Lemma scaled_power tn u e l : (0 < n u)%N -> (1 <=? l)%num ->
  (power_up (tn * precision) (u * precision) (N.succ_pos (N.pred l)) * e <=?
     precision * (u - tn))%num ->
  (n tn ^ n l * (n e * n u) <= n u ^ n l * (n u - n tn))%N.
Proof.
move=> u_gt0 l_gt0 /to_nat_le; rewrite !to_natM to_natB => le_e.
have lE : Pos.to_nat (N.succ_pos (N.pred l)) = n l.
  by move/N.leb_le: l_gt0; clear; case: l => [|k] //= _; lia.
have sc_gt0 : (0 < n precision)%N by rewrite /precision; lia.
have w_gt0 : (0 < n (u * precision)%num)%N by rewrite to_natM muln_gt0 u_gt0.
have := power_upP (tn * precision) (N.succ_pos (N.pred l)) w_gt0.
rewrite lE; move: (power_up _ _ _) le_e => q; rewrite !to_natM !expnMn.
move: (n precision) sc_gt0 => s s_gt0 le_e le_q.
have sl_gt0 : (0 < s ^ n l)%N by rewrite expn_gt0 s_gt0.
move: le_q; rewrite mulnAC [leqRHS]mulnA leq_pmul2r // => le_q.
rewrite -(leq_pmul2r s_gt0).
have -> : (n tn ^ n l * (n e * n u) * s = n tn ^ n l * (n u * s) * n e)%N.
  by rewrite -!mulnA; congr (_ * _)%N; rewrite mulnCA [(n e * s)%N]mulnC mulnA.
apply: leq_trans (leq_mul le_q (leqnn (n e))) _.
rewrite mulnAC; apply: leq_trans (leq_mul le_e (leqnn _)) _.
by rewrite mulnC mulnA mulnAC [(_ * s)%N]mulnC mulnA.
Qed.

End Powers.

Section Sound.

Variable R : realFieldType.
Local Notation n := N.to_nat.
Local Notation r x := ((N.to_nat x)%:R : R).

Section Naturals.

Variables b on od s l d1 d2 d an bn tn u e rn rd : nat.
Local Notation m := ((d + d1) * (s + l))%N.
Local Notation dd := (d * d - d2 * d2)%N.
Hypothesis c1 : (3 <= s)%N.
Hypothesis c2 : (s <= b)%N.
Hypothesis c3 : (1 <= d1)%N.
Hypothesis c4 : (d1 + 1 <= d2)%N.
Hypothesis c5 : (2 * d2 <= d)%N.
Hypothesis c6 : (l * d1 <= s * (d2 - d1))%N.
Hypothesis c7 : (1 <= on)%N.
Hypothesis c8 : (1 <= od)%N.
Hypothesis c9 : (1 <= tn)%N.
Hypothesis c10 : (tn + 1 <= u)%N.
Hypothesis c11 : (3 <= e)%N.
Hypothesis c12 : (1 <= rd)%N.
Hypothesis c13 : (an * tn + bn * u <= tn * tn)%N.
Hypothesis c14 : (tn ^ l * (e * u) <= u ^ l * (u - tn))%N.
Hypothesis c15 : (on * ((b - s) * (d * d)) * u <= an * (dd * (s + 1)) * od)%N.
Hypothesis c16 : (on * on * ((b - s + 1) * (b - s) * (d * d)) * u <=
        bn * (dd * ((s + 1) * s * (s - 1))) * (od * od))%N.
Hypothesis c17 : (((2 * m + 5 * d) * (od * od) + (2 * m + 2 * d) * (on * od)) *
        (rd * e) <= 2 * d * (rn * (e - 2)) * (on * on))%N.
Hypothesis c18 :
  ((on * on * (d * d1) + (od * od + on * od) * ((d + d1) * (d + d1))) *
        (rd * e) <= rn * (e - 2) * (on * on * (d * d1)))%N.
Hypothesis c19 : (on * on * rd <= rn * (od * od))%N.
Hypothesis c20 : ((2 * b + 1) * (rd * od) <= 2 * (rn * on))%N.

Lemma naturals_certify :
  certifies (@Certificate R s l d1 d2 d (an%:R / u%:R) (bn%:R / u%:R)
    (tn%:R / u%:R) e%:R^-1) b (on%:R / od%:R) (rn%:R / rd%:R).
Proof.
have d_gt0 : (0 < d)%N by move: c3 c4 c5; clear; lia.
have u_gt0 : (0 < u)%N by move: c10; clear; lia.
have e_gt0 : (0 < e)%N by move: c11; clear; lia.
have pos k : (0 < k)%N -> 0 < k%:R :> R by rewrite ltr0n.
have neq k : (0 < k)%N -> k%:R != 0 :> R by move/pos/gt_eqF->.
have [on0 od0] := (neq _ c7, neq _ c8).
have [tn0 rd0] := (neq _ c9, neq _ c12).
have [d0 u0] := (neq _ d_gt0, neq _ u_gt0).
have [e0 d10] := (neq _ e_gt0, neq _ c3).
have [tp rp] := (pos _ c9, pos _ c12).
have [onp odp] := (pos _ c7, pos _ c8).
have [dp up] := (pos _ d_gt0, pos _ u_gt0).
have [ep d1p] := (pos _ e_gt0, pos _ c3).
have two0 : 2%:R != 0 :> R by apply: neq.
have ge0 k : 0 <= k%:R :> R by apply: ler0n.
have le_by x y c (k l' : nat) : 0 < c -> (k <= l')%N -> c * x = k%:R ->
    c * y = l'%:R -> x <= y :> R.
  by move=> c_gt0 le_kl xE yE; rewrite -(ler_pmul2l c_gt0) xE yE ler_nat.
rewrite /certifies /=; repeat (apply/andP; split) => //.
- by move: c4; clear; lia.
- exact: divr_ge0.
- exact: divr_ge0.
- exact: divr_gt0.
- by rewrite ltr_pdivr_mulr // mul1r ltr_nat; move: c10; clear; lia.
- apply: (le_by _ _ (u%:R * u%:R) _ _ _ c13); first exact: mulr_gt0.
    by rewrite natrD !natrM; field.
  by rewrite natrM; field.
- apply: (le_by _ _ (u%:R ^+ l * (e%:R * u%:R)) _ _ _ c14).
  + by rewrite !mulr_gt0 ?exprn_gt0.
  + rewrite !natrM !natrX expr_div_n; move: (expf_neq0 l u0).
    by move: (u%:R ^+ l) (tn%:R ^+ l) => U V U0; field.
  rewrite natrM natrX natrB; last by move: c10; clear; lia.
  by move: (u%:R ^+ l) => U; field; rewrite ?e0 ?u0.
- by rewrite invr_ge0.
- rewrite -[_^-1 *+ 2]mulr_natl ltr_pdivr_mulr // mul1r ltr_nat.
  by move: c11; clear; lia.
- apply: (le_by _ _ (od%:R * u%:R) _ _ _ c15); first exact: mulr_gt0.
    by rewrite !natrM -?mulnn; field.
  by rewrite !natrM -?mulnn addn1; field.
- apply: (le_by _ _ (od%:R * od%:R * u%:R) _ _ _ c16).
  + by do !apply: mulr_gt0 => //; rewrite ltr0n.
  + by rewrite !natrM -?mulnn addn1; field.
  by rewrite !natrM -?mulnn addn1 subn1; field.
- apply: (le_by _ _ (2%:R * d%:R * (on%:R * on%:R) * (rd%:R * e%:R))
    _ _ _ c17).
  + by do !apply: mulr_gt0 => //; rewrite ltr0n.
  + rewrite !(natrM, natrD).
    by field; rewrite ?two0 ?on0 ?od0 ?d0 ?d10 ?rd0 ?e0.
  rewrite !(natrM, natrD) natrB; last by move: c11; clear; lia.
  by rewrite -[_^-1 *+ 2]mulr_natl; field; rewrite ?rd0 ?e0.
- apply: (le_by _ _ (on%:R * on%:R * (d%:R * d1%:R) * (rd%:R * e%:R))
    _ _ _ c18).
  + by do !apply: mulr_gt0 => //; rewrite ltr0n.
  + rewrite -?mulnn !(natrM, natrD).
    by field; rewrite ?two0 ?on0 ?od0 ?d0 ?d10 ?rd0 ?e0.
  rewrite !(natrM, natrD) natrB; last by move: c11; clear; lia.
  by rewrite -[_^-1 *+ 2]mulr_natl; field; rewrite ?rd0 ?e0.
- apply: (le_by _ _ (od%:R * od%:R * rd%:R) _ _ _ c19).
  + by do !apply: mulr_gt0 => //; rewrite ltr0n.
  + by rewrite !natrM; field; rewrite ?rd0 ?od0 ?on0.
  by rewrite !natrM; field; rewrite ?rd0 ?od0 ?on0.
apply: (le_by _ _ (2%:R * rd%:R * od%:R) _ _ _ c20).
+ by do !apply: mulr_gt0 => //; rewrite ltr0n.
+ by rewrite !(natrM, natrD); field; rewrite ?two0 ?on0 ?od0 ?d0 ?d10 ?rd0 ?e0.
by rewrite !natrM; field; rewrite ?rd0 ?od0 ?on0.
Qed.

End Naturals.

Definition certificate_of (c : numbers) : certificate R :=
  Certificate (n (s_ c)) (n (l_ c)) (n (d1_ c)) (n (d2_ c)) (n (d_ c))
    (r (an c) / r (u_ c)) (r (bn c) / r (u_ c)) (r (tn c) / r (u_ c))
    (r (e_ c))^-1.

Definition to_natE := (N2Nat.inj_add, N2Nat.inj_mul, N2Nat.inj_sub).

Lemma checks_sound (c : numbers) : checks c ->
  certifies (certificate_of c) (n (b_ c)) (r (on c) / r (od c))
    (r (rn c) / r (rd c)).
Proof.
case: c => b on od s l d1 d2 d an bn tn u e rn rd; rewrite /checks.
case/and5P=> /to_nat_le c1 /to_nat_le c2 /to_nat_le c3 /to_nat_le c4.
case/and5P=> /to_nat_le c5 /to_nat_le c6 /to_nat_le c7 /to_nat_le c8.
case/and5P=> /to_nat_le c9 /to_nat_le c10 /to_nat_le c11 /to_nat_le c12.
case/and5P=> /to_nat_le c13 l_gt0 c14 /to_nat_le c15.
case/and5P=> /to_nat_le c16 /to_nat_le c17 /to_nat_le c18.
move=> /to_nat_le c19 /to_nat_le c20.
rewrite !to_natE in c4 c5 c6 c10 c13 c15 c16 c17 c18 c19 c20.
have u_gt0 : (0 < n u)%N by move: c10; clear; lia.
have {}c14 := scaled_power u_gt0 l_gt0 c14.
exact: (naturals_certify c1 c2 c3 c4 c5 c6 c7 c8 c9 c10 c11 c12 c13 c14 c15 c16
  c17 c18 c19 c20).
Qed.

End Sound.

(* b = 264331 households; on / od are the odds of p = 1%, 5%, 10% and 50%     *)
Definition households_1 := (Numbers 264331 1 99
  2820 136 1 2 128 936608 312 937256 1000000 400 29665960 1)%num.
Definition households_5 := (Numbers 264331 1 19
  13547 408 1 2 128 974490 71 974854 1000000 800 5358648 1)%num.
Definition households_10 := (Numbers 264331 1 9
  26962 524 1 2 128 978407 36 978760 1000000 1600 2496399 1)%num.
Definition households_50 := (Numbers 264331 1 1
  133047 974 1 2 128 986983 8 987305 1000000 3200 270309 1)%num.

Lemma households_1_check : checks households_1. Proof. by vm_compute. Qed.
Lemma households_5_check : checks households_5. Proof. by vm_compute. Qed.
Lemma households_10_check : checks households_10. Proof. by vm_compute. Qed.
Lemma households_50_check : checks households_50. Proof. by vm_compute. Qed.
