From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From Stirred Require Import concentration.

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
(* Headline theorems                                                          *)
(*   checks_sound == checks c gives certifies, over every real field          *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.

Local Open Scope ring_scope.

Record numbers := Numbers {
  b_ : N; on : N; od : N; s_ : N; l_ : N; d1_ : N; d2_ : N; d_ : N;
  an : N; bn : N; tn : N; u_ : N; e_ : N; rn : N; rd : N }.

Definition checks (c : numbers) : bool :=
  let: Numbers b on od s l d1 d2 d an bn tn u e rn rd := c in
  let n := N.to_nat in
  (let m := (d + d1) * (s + l) in let dd := d * d - d2 * d2 in
  [&& 3 <=? s, s <=? b, 1 <=? d1, d1 + 1 <=? d2, 2 * d2 <=? d,
      l * d1 <=? s * (d2 - d1), 1 <=? on, 1 <=? od, 1 <=? tn,
      tn + 1 <=? u, 3 <=? e, 1 <=? rd, an * tn + bn * u <=? tn * tn,
      tn ^ l * (e * u) <=? u ^ l * (u - tn),
      on * ((b - s) * (d * d)) * u <=? an * (dd * (s + 1)) * od,
      on * on * ((b - s + 1) * (b - s) * (d * d)) * u <=?
        bn * (dd * ((s + 1) * s * (s - 1))) * (od * od),
      ((2 * m + 5 * d) * (od * od) + (2 * m + 2 * d) * (on * od)) * (rd * e)
        <=? 2 * d * (rn * (e - 2)) * (on * on),
      (on * on * (d * d1) + (od * od + on * od) * ((d + d1) * (d + d1))) *
        (rd * e) <=? rn * (e - 2) * (on * on * (d * d1)),
      on * on * rd <=? rn * (od * od) &
      (2 * b + 1) * (rd * od) <=? 2 * (rn * on)])%num.

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

Lemma to_natX x y : n (x ^ y)%num = (n x ^ n y)%N.
Proof.
rewrite -[y]N2Nat.id Nnat.Nat2N.id; elim: (n y) => [|k IHk]; first by case: x.
by rewrite Nnat.Nat2N.inj_succ N.pow_succ_r' N2Nat.inj_mul IHk expnS.
Qed.

Definition to_natE := (N2Nat.inj_add, N2Nat.inj_mul, N2Nat.inj_sub, to_natX).

Lemma to_nat_le x y : (x <=? y)%num -> (n x <= n y)%N.
Proof. by move/N.leb_le; lia. Qed.

Lemma checks_sound (c : numbers) : checks c ->
  certifies (certificate_of c) (n (b_ c)) (r (on c) / r (od c))
    (r (rn c) / r (rd c)).
Proof.
case: c => b on od s l d1 d2 d an bn tn u e rn rd; rewrite /checks.
case/and5P=> /to_nat_le c1 /to_nat_le c2 /to_nat_le c3 /to_nat_le c4.
case/and5P=> /to_nat_le c5 /to_nat_le c6 /to_nat_le c7 /to_nat_le c8.
case/and5P=> /to_nat_le c9 /to_nat_le c10 /to_nat_le c11 /to_nat_le c12.
case/and5P=> /to_nat_le c13 /to_nat_le c14 /to_nat_le c15 /to_nat_le c16.
case/and4P=> /to_nat_le c17 /to_nat_le c18 /to_nat_le c19 /to_nat_le c20.
rewrite !to_natE in c4 c5 c6 c10 c13 c14 c15 c16 c17 c18 c19 c20.
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
