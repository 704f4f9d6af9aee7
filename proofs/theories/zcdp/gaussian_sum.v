From Coq Require Import Reals List ZArith Lia Lra ssreflect ssrfun ssrbool.
From Stirred Require Import unordered_sum.

(******************************************************************************)
(* The sum of a Gaussian bell over the integers is largest when the bell is   *)
(* centred at an integer, without Fourier analysis.                           *)
(*                                                                            *)
(*   bell s2 c x == exp (- (x - c)^2 / (2 s2)), x an integer                  *)
(*   gauss_sum s2 c == f(c), the sum of bell s2 c over the integers (0 if s2  *)
(*            is not positive)                                                *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   gauss_sum_is_sum == the sum exists                                       *)
(*   gauss_sum_periodic == f (c + m) = f c for integers m                     *)
(*   gauss_sum_max == f c <= f 0 for all real c                               *)
(*                                                                            *)
(* The argument. Write F for the sum with s2 / 2 in the place of s2. In       *)
(* f(a) f(b), a sum over Z * Z of bells at (x, y), take x + y and x - y as    *)
(* new indices: both are even or both are odd, every such pair occurs once,   *)
(* and 2 ((x - a)^2 + (y - b)^2) = (x + y - a - b)^2 + (x - y - a + b)^2, so  *)
(*   f(a) f(b) = F((a+b)/2) F((a-b)/2) + F((a+b-1)/2) F((a-b-1)/2).           *)
(* At (c, c), (0, 0) and (2c, 0) this gives                                   *)
(*   f(c)^2     = F(c) F(0) + F(c-1/2) F(-1/2),                               *)
(*   f(0)^2     = F(0)^2 + F(-1/2)^2,                                         *)
(*   f(2c) f(0) = F(c)^2 + F(c-1/2)^2,                                        *)
(* and by Cauchy and Schwarz f(c)^4 <= f(0)^3 f(2c). As f has period 1, it is *)
(* bounded; let S be its supremum. Then S^4 <= f(0)^3 S, so S <= f(0).        *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "None".

Import ListNotations.

Local Open Scope R_scope.

Definition bell (s2 c : R) (x : Z) : R := exp (- (IZR x - c) ^ 2 / (2 * s2)).

Lemma bell_gt0 s2 c x : 0 < bell s2 c x.
Proof. exact: exp_pos. Qed.

Lemma bell_ge0 s2 c x : 0 <= bell s2 c x.
Proof. exact: Rlt_le (bell_gt0 s2 c x). Qed.

(* The sum exists, and is bounded for centres between 0 and 1. *)

Definition symmetric_range (n : nat) : list Z :=
  map Z.of_nat (seq 0 n) ++ map (fun k => - Z.of_nat k)%Z (seq 0 n).

Lemma symmetric_range_incl (s : list Z) : exists n, incl s (symmetric_range n).
Proof.
have widen m n : (m <= n)%nat -> incl (symmetric_range m) (symmetric_range n).
  move=> le_mn x /(in_app_or _ _ _) [] /(in_map_iff _ _ _) [k [<- /in_seq k_m]];
    apply: in_or_app; [left | right]; apply/in_map_iff; exists k;
    by split=> //; apply/in_seq; lia.
elim: s => [|x s [n sub]]; first by exists 0%nat.
exists (n + S (Z.abs_nat x))%nat => y [<-|/sub]; last by apply: widen; lia.
apply: in_or_app; case: (Z_le_gt_dec 0 x) => x_0; [left | right];
  apply/in_map_iff; exists (Z.abs_nat x); split; try lia; apply/in_seq; lia.
Qed.

Lemma pow_sum_le r n :
  0 <= r < 1 -> finite_sum (fun k => r ^ k) (seq 0 n) <= / (1 - r).
Proof.
move=> r_01.
have -> : finite_sum (fun k => r ^ k) (seq 0 n) = (1 - r ^ n) * / (1 - r).
  elim: n => [|n IHn]; first by rewrite /=; lra.
  by rewrite seq_S finite_sum_cat IHn /=; field; lra.
have inv_gt0 : 0 < / (1 - r) by apply: Rinv_0_lt_compat; lra.
have rn_ge0 : 0 <= r ^ n by apply: pow_le; lra.
by rewrite -{2}[/ (1 - r)]Rmult_1_l; apply: Rmult_le_compat_r; lra.
Qed.

Lemma exp_pow u n : exp (INR n * u) = exp u ^ n.
Proof.
elim: n => [|n IHn]; first by rewrite Rmult_0_l exp_0.
by rewrite S_INR Rmult_plus_distr_r Rmult_1_l exp_plus IHn /=; ring.
Qed.

Lemma bell_tail s2 c x : 0 < s2 -> -1 <= c <= 1 ->
  bell s2 c x <= exp (/ s2) * exp (- / (2 * s2)) ^ Z.abs_nat x.
Proof.
move=> s2_gt0 c_1; rewrite -exp_pow -exp_plus.
have t_gt0 : 0 < / (2 * s2) by apply: Rinv_0_lt_compat; lra.
have -> : / s2 = 2 * / (2 * s2) by field; lra.
rewrite INR_IZR_INZ Zabs2Nat.id_abs abs_IZR /bell /Rdiv.
set t := / (2 * s2) in t_gt0 *; set y := IZR x.
suff : (Rabs y - 2) * t <= (y - c) ^ 2 * t.
  move=> le_t; case: (Rle_lt_or_eq_dec _ _ le_t) => [lt_t|eq_t].
    by apply: Rlt_le; apply: exp_increasing; lra.
  by apply: Req_le; congr exp; lra.
apply: Rmult_le_compat_r; first by lra.
have := Rle_0_sqr (y - c - 1 / 2); have := Rle_0_sqr (y - c + 1 / 2).
by rewrite /Rsqr; case: (Rcase_abs y) => y_0;
  [rewrite Rabs_left | rewrite Rabs_right]; lra.
Qed.

Lemma bell_bound s2 : 0 < s2 ->
  {b | forall c, -1 <= c <= 1 ->
       forall s, NoDup s -> finite_sum (bell s2 c) s <= b}.
Proof.
move=> s2_gt0; set r := exp (- / (2 * s2)); set k := exp (/ s2).
have r_01 : 0 <= r < 1.
  split; first by apply/Rlt_le/exp_pos.
  rewrite -exp_0; apply: exp_increasing.
  by have := Rinv_0_lt_compat (2 * s2); lra.
exists (k * (/ (1 - r) + / (1 - r))) => c c_1 s uniq_s.
have [n sub] := symmetric_range_incl s.
have tail x : bell s2 c x <= k * r ^ Z.abs_nat x by apply: bell_tail.
apply: Rle_trans (finite_sum_incl (bell_ge0 s2 c) uniq_s sub) _.
apply: Rle_trans (finite_sum_le _ tail) _.
rewrite finite_sum_scale finite_sum_cat !finite_sum_map.
have pos : finite_sum (fun i => r ^ Z.abs_nat (Z.of_nat i)) (seq 0 n) <=
    / (1 - r).
  apply: Rle_trans _ (pow_sum_le n r_01); apply: finite_sum_le => i.
  have -> : Z.abs_nat (Z.of_nat i) = i by lia.
  exact: Rle_refl.
have neg : finite_sum (fun i => r ^ Z.abs_nat (- Z.of_nat i)) (seq 0 n) <=
    / (1 - r).
  apply: Rle_trans _ (pow_sum_le n r_01); apply: finite_sum_le => i.
  have -> : Z.abs_nat (- Z.of_nat i) = i by lia.
  exact: Rle_refl.
by apply: Rmult_le_compat_l; [apply/Rlt_le/exp_pos | lra].
Qed.

(* Translation by an integer only renames the indices. *)

Lemma bell_translate s2 c m x : bell s2 (c + IZR m) (x + m) = bell s2 c x.
Proof. by rewrite /bell plus_IZR; congr exp; congr Rdiv; ring. Qed.

Lemma is_sum_bell_translate s2 c m a :
  is_sum (bell s2 c) a -> is_sum (bell s2 (c + IZR m)) a.
Proof.
move=> sum_a; apply: (@is_sum_bijection _ _ (fun x => x + m)%Z).
- by move=> x y; lia.
- by move=> y; exists (y - m)%Z; lia.
by apply: is_sum_eq sum_a => x; rewrite bell_translate.
Qed.

Lemma bell_sum_exists s2 c : 0 < s2 -> {a | is_sum (bell s2 c) a}.
Proof.
move=> s2_gt0; have [b b_bound] := bell_bound s2_gt0.
have [c_ge0 c_lt1] := base_fp c.
have [|a sum_a] := @is_sum_exists _ (bell s2 (frac_part c)) b (bell_ge0 _ _).
  by apply: b_bound; lra.
exists a; have := is_sum_bell_translate (Int_part c) sum_a.
by have -> : frac_part c + IZR (Int_part c) = c by rewrite /frac_part; ring.
Qed.

Definition gauss_sum (s2 c : R) : R :=
  match Rlt_dec 0 s2 with
  | left s2_gt0 => proj1_sig (bell_sum_exists c s2_gt0)
  | right _ => 0
  end.

Lemma gauss_sum_is_sum s2 c : 0 < s2 -> is_sum (bell s2 c) (gauss_sum s2 c).
Proof.
by rewrite /gauss_sum; case: Rlt_dec => // s2_gt0 _; case: bell_sum_exists.
Qed.

Lemma gauss_sum_eq s2 c a :
  0 < s2 -> is_sum (bell s2 c) a -> gauss_sum s2 c = a.
Proof. by move=> s2_gt0; apply/is_sum_unique/gauss_sum_is_sum. Qed.

Lemma gauss_sum_gt0 s2 c : 0 < s2 -> 0 < gauss_sum s2 c.
Proof.
move=> s2_gt0; apply: Rlt_le_trans (bell_gt0 s2 c 0) _.
exact: is_sum_term (gauss_sum_is_sum c s2_gt0).
Qed.

Lemma gauss_sum_periodic s2 c m :
  0 < s2 -> gauss_sum s2 (c + IZR m) = gauss_sum s2 c.
Proof.
move=> s2_gt0; apply: gauss_sum_eq => //.
exact/is_sum_bell_translate/gauss_sum_is_sum.
Qed.

Lemma gauss_sum_integer s2 m : 0 < s2 -> gauss_sum s2 (IZR m) = gauss_sum s2 0.
Proof.
by move=> s2_gt0; rewrite -(gauss_sum_periodic 0 m s2_gt0) Rplus_0_l.
Qed.

Lemma gauss_sum_bounded s2 : 0 < s2 -> exists b, forall c, gauss_sum s2 c <= b.
Proof.
move=> s2_gt0; have [b b_bound] := bell_bound s2_gt0; exists b => c.
have [c_ge0 c_lt1] := base_fp c.
have -> : c = frac_part c + IZR (Int_part c) by rewrite /frac_part; ring.
rewrite gauss_sum_periodic //.
by apply: (is_sum_least (gauss_sum_is_sum _ s2_gt0)); apply: b_bound; lra.
Qed.

(* A product of two sums, by the parity of x + y. *)

Definition from_halves (h : Z * Z + Z * Z) : Z * Z :=
  match h with
  | inl (j, k) => (j + k, j - k)%Z
  | inr (j, k) => (j + k + 1, j - k)%Z
  end.

Lemma from_halves_injective h h' : from_halves h = from_halves h' -> h = h'.
Proof.
case: h h' => [[j k]|[j k]] [[j' k']|[j' k']] /= [sum_eq diff_eq]; try lia.
  by congr inl; congr pair; lia.
by congr inr; congr pair; lia.
Qed.

Lemma from_halves_onto xy : exists h, from_halves h = xy.
Proof.
case: xy => x y; have [j_even|j_odd] := Zeven_odd_dec (x + y).
  have [j j_def] := Zeven_ex _ j_even; exists (inl (j, x - j)%Z) => /=.
  by congr pair; lia.
have [j j_def] := Zodd_ex _ j_odd; exists (inr (j, x - j - 1)%Z) => /=.
by congr pair; lia.
Qed.

Lemma gauss_sum_parity s2 a b : 0 < s2 ->
  gauss_sum s2 a * gauss_sum s2 b =
  gauss_sum (s2 / 2) ((a + b) / 2) * gauss_sum (s2 / 2) ((a - b) / 2) +
  gauss_sum (s2 / 2) ((a + b - 1) / 2) * gauss_sum (s2 / 2) ((a - b - 1) / 2).
Proof.
move=> s2_gt0; have half_gt0 : 0 < s2 / 2 by lra.
have product u c d : 0 < u ->
    is_sum (fun xy => bell u c xy.1 * bell u d xy.2)
           (gauss_sum u c * gauss_sum u d).
  by move=> u_gt0; apply: is_sum_product; rewrite -/(is_sum _ _);
    [exact: Z.eq_dec | exact: Z.eq_dec | exact: gauss_sum_is_sum |
     exact: gauss_sum_is_sum].
apply: is_sum_unique (product s2 a b s2_gt0) _.
apply: (is_sum_bijection from_halves_injective from_halves_onto).
apply: is_sum_disjoint.
  apply: is_sum_eq (product _ _ _ half_gt0) => -[j k] /=.
  rewrite /bell -!exp_plus !(plus_IZR, opp_IZR); congr exp.
  by field; lra.
apply: is_sum_eq (product _ _ _ half_gt0) => -[j k] /=.
rewrite /bell -!exp_plus !(plus_IZR, opp_IZR); congr exp.
by field; lra.
Qed.

(* The maximum. *)

Lemma pow_increasing u v n : 0 <= u < v -> u ^ S n < v ^ S n.
Proof.
move=> uv; elim: n => [|n IHn]; first by rewrite /=; lra.
apply: Rle_lt_trans (Rmult_le_compat_l u _ _ _ (Rlt_le _ _ IHn)) _.
  by lra.
by apply: Rmult_lt_compat_r; [apply: pow_lt; lra | lra].
Qed.

Lemma gauss_sum_fourth s2 c : 0 < s2 ->
  gauss_sum s2 c ^ 4 <= gauss_sum s2 0 ^ 3 * gauss_sum s2 (2 * c).
Proof.
move=> s2_gt0; set F := gauss_sum (s2 / 2).
have square : gauss_sum s2 c ^ 2 = F c * F 0 + F (c - / 2) * F (- / 2).
  rewrite -Rsqr_pow2 /Rsqr gauss_sum_parity // -/F.
  by congr (F _ * F _ + F _ * F _); field.
have square0 : gauss_sum s2 0 ^ 2 = F 0 ^ 2 + F (- / 2) ^ 2.
  rewrite -!Rsqr_pow2 /Rsqr gauss_sum_parity // -/F.
  by congr (F _ * F _ + F _ * F _); field.
have product : gauss_sum s2 (2 * c) * gauss_sum s2 0 =
    F c ^ 2 + F (c - / 2) ^ 2.
  rewrite -!Rsqr_pow2 /Rsqr gauss_sum_parity // -/F.
  by congr (F _ * F _ + F _ * F _); field.
have -> : gauss_sum s2 0 ^ 3 * gauss_sum s2 (2 * c) =
    gauss_sum s2 0 ^ 2 * (gauss_sum s2 (2 * c) * gauss_sum s2 0) by ring.
have -> : gauss_sum s2 c ^ 4 = (gauss_sum s2 c ^ 2) ^ 2 by ring.
rewrite square square0 product.
have := pow2_ge_0 (F c * F (- / 2) - F (c - / 2) * F 0).
by move: (F c) (F 0) (F (c - / 2)) (F (- / 2)) => u v w z; lra.
Qed.

Theorem gauss_sum_max s2 c : 0 < s2 -> gauss_sum s2 c <= gauss_sum s2 0.
Proof.
move=> s2_gt0; set f0 := gauss_sum s2 0.
have f0_gt0 : 0 < f0 by apply: gauss_sum_gt0.
have [||S [upper least]] :=
  completeness (fun r => exists c, r = gauss_sum s2 c).
- by have [b le_b] := gauss_sum_bounded s2_gt0; exists b => _ [d ->].
- by exists f0; exists 0.
apply: Rle_trans (upper _ (ex_intro _ c eq_refl)) _.
apply: Rnot_lt_le => lt_f0S.
have S_gt0 : 0 < S by exact: Rlt_trans lt_f0S.
set b := sqrt (sqrt (f0 ^ 3 * S)).
have f03_gt0 : 0 < f0 ^ 3 by apply: pow_lt.
have b4 : b ^ 4 = f0 ^ 3 * S.
  have -> : b ^ 4 = (b ^ 2) ^ 2 by ring.
  rewrite !pow2_sqrt //; [exact: sqrt_pos | exact/Rlt_le/Rmult_lt_0_compat].
have b_ge0 : 0 <= b by apply: sqrt_pos.
have le_Sb : S <= b.
  apply: least => _ [d ->]; apply: Rnot_lt_le => lt_bd.
  have : f0 ^ 3 * S < gauss_sum s2 d ^ 4 by rewrite -b4; apply: pow_increasing.
  have := gauss_sum_fourth d s2_gt0.
  have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ f03_gt0)
            (upper _ (ex_intro _ (2 * d) eq_refl)).
  by rewrite -/f0; lra.
have : S ^ 4 <= b ^ 4 by apply: pow_incr; lra.
have : f0 ^ 3 < S ^ 3 by apply: pow_increasing; lra.
rewrite b4 => /(Rmult_lt_compat_r S _ _ S_gt0).
have -> : S ^ 3 * S = S ^ 4 by ring.
lra.
Qed.
