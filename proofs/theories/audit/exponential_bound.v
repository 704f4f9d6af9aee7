From Coq Require Import Reals Lra BinNat.
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat exponential choice_tree.

(******************************************************************************)
(* Rational bounds on e^(epsilon * d), shown by computation in binary numbers.*)
(*                                                                            *)
(*   fraction == a numerator and a denominator, binary numbers                *)
(*   ratF q, realN n, realF q == a fraction as a rational number, a binary    *)
(*            number and a fraction as real numbers                           *)
(*   budget == Log g k: epsilon = ln(g) / k; Exact e: epsilon = e             *)
(*   epsilon b == that real number                                            *)
(*   at_least k b d g == whether it is shown that g <= e^(epsilon * d)        *)
(*   at_most k b d g == whether it is shown that e^(epsilon * d) <= g; for    *)
(*            Exact e both square a bound on e^(epsilon * d / 2^k) k times    *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   at_least_sound, at_most_sound == what is shown is so                     *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope R_scope.

Definition fraction : Type := (N * N)%type.

Definition ratF (q : fraction) : rat := (ratN q.1 / ratN q.2)%R.

Definition realN (n : N) : R := of_rat (ratN n).

Definition realF (q : fraction) : R := of_rat (ratF q).

Inductive budget : Type := Log of fraction & N | Exact of fraction.

Definition epsilon (b : budget) : R :=
  match b with
  | Log g k => ln (realF g) / realN k
  | Exact e => realF e
  end.

Lemma ratF_ge0 q : (0 <= ratF q)%R.
Proof. by rewrite divr_ge0 ?ratN_ge0. Qed.

Lemma realND m n : realN (m + n) = realN m + realN n.
Proof. by rewrite /realN ratND (embedD of_rat_embedding). Qed.

Lemma realNM m n : realN (m * n) = realN m * realN n.
Proof. by rewrite /realN ratNM (embedM of_rat_embedding). Qed.

Lemma realN_ge0 n : 0 <= realN n.
Proof.
rewrite -(embed0 of_rat_embedding); apply/(embed_le of_rat_embedding).
exact: ratN_ge0.
Qed.

Lemma realN_le m n : N.leb m n -> realN m <= realN n.
Proof. by move/ratN_le/(embed_le of_rat_embedding). Qed.

Lemma realN_lt m n : N.ltb m n -> realN m < realN n.
Proof. by move/ratN_lt/(embed_lt of_rat_embedding). Qed.

Lemma realN_gt0 n : N.ltb 0 n -> 0 < realN n.
Proof. by move/realN_lt; rewrite {1}/realN (embed0 of_rat_embedding). Qed.

Lemma realN1 : realN 1 = 1.
Proof. exact: (embed1 of_rat_embedding). Qed.

Lemma realF_ge0 q : 0 <= realF q.
Proof.
rewrite -(embed0 of_rat_embedding); apply/(embed_le of_rat_embedding).
exact: ratF_ge0.
Qed.

Lemma realFE q : N.ltb 0 q.2 -> realF q = realN q.1 / realN q.2.
Proof.
by move=> /ratN_lt q_gt0; rewrite /realF (embed_div of_rat_embedding) // gt_eqF.
Qed.

(* e^(ln(g) / k * a / b): the powers of the bound and of g are compared.      *)

Definition power (x n : N) : N := N.pow x n.

Lemma ratN_power x n : ratN (power x n) = (ratN x ^+ nat_of_bin n)%R.
Proof.
rewrite /power; elim/N.peano_ind: n => [|n IHn]; first by rewrite N.pow_0_r.
by rewrite N.pow_succ_r' ratNM IHn -exprS -N.add_1_l nat_of_add_bin.
Qed.

Definition powers_le (g h : fraction) (m a : N) : bool :=
  N.leb (power g.1 m * power h.2 a) (power h.1 a * power g.2 m).

Lemma powers_leP g h m a : N.ltb 0 g.2 -> N.ltb 0 h.2 -> powers_le g h m a ->
  (ratF g ^+ nat_of_bin m <= ratF h ^+ nat_of_bin a)%R.
Proof.
move=> /ratN_lt g_gt0 /ratN_lt h_gt0 /ratN_le; rewrite !ratNM !ratN_power.
rewrite /ratF !expr_div_n ler_pdivr_mulr ?exprn_gt0 // mulrAC.
by rewrite ler_pdivl_mulr ?exprn_gt0.
Qed.

Lemma powers_exp (g h : rat) (m a : nat) : (0 < g)%R -> (0 < h)%R ->
  (g ^+ m <= h ^+ a)%R <-> ln (of_rat g) * INR m <= ln (of_rat h) * INR a.
Proof.
have gt0 q : (0 < q)%R -> 0 < of_rat q.
  by move/(embed_lt of_rat_embedding); rewrite (embed0 of_rat_embedding).
have expE q n : (0 < q)%R -> of_rat (q ^+ n)%R = exp (ln (of_rat q) * INR n).
  move=> q_gt0; apply: (embed_exp of_rat_embedding).
  by rewrite exp_ln //; apply: gt0.
move=> g_gt0 h_gt0; rewrite (embed_le of_rat_embedding) !expE //.
split=> [[lt|eq] | [lt|->]].
- by left; apply: exp_lt_inv.
- by right; apply: exp_inv.
- by left; apply: exp_increasing.
- by right.
Qed.

(* e^x for a rational x = u / v: 1 + y <= e^y and e^y <= 1 / (1 - y) at       *)
(* y = x / 2^k, squared k times with 2^(2k) for the denominator.              *)

Definition two_to (k : nat) : N := iter k (N.mul 2) 1%num.

Definition exp_lower (k : nat) (u v : N) : N :=
  let one := two_to (k + k) in
  iter k (fun y => y * y / one)%num (one + one * u / (v * two_to k))%num.

Definition exp_upper (k : nat) (u v : N) : N :=
  let one := two_to (k + k) in
  let root := (v * two_to k)%num in
  iter k (fun y => y * y / one + 1)%num (one * root / (root - u) + 1)%num.

Lemma div_le a b : N.ltb 0 b -> realN (a / b) * realN b <= realN a.
Proof.
move=> b_gt0; rewrite Rmult_comm -realNM; apply/realN_le/N.leb_le.
by apply: N.mul_div_le => b0; move: b_gt0; rewrite b0.
Qed.

Lemma div_ge a b : N.ltb 0 b -> realN a <= realN (a / b + 1) * realN b.
Proof.
move=> b_gt0; rewrite Rmult_comm -realNM N.add_1_r; apply/realN_le/N.leb_le.
apply: N.lt_le_incl; apply: N.mul_succ_div_gt => b0.
by move: b_gt0; rewrite b0.
Qed.

Lemma two_to_gt0 k : N.ltb 0 (two_to k).
Proof.
rewrite /two_to; elim: k => [|k /N.ltb_lt IHk] //; rewrite iterS.
by apply/N.ltb_lt/N.mul_pos_pos.
Qed.

Lemma exp_iter k z : exp (z * realN (two_to k.+1)) =
  exp (z * realN (two_to k)) * exp (z * realN (two_to k)).
Proof.
rewrite -exp_plus; congr exp; rewrite /two_to iterS realNM.
rewrite [realN 2](_ : _ = 2); first by ring.
by rewrite (realND 1 1) realN1.
Qed.

Lemma exp_lowerP k u v : N.ltb 0 v ->
  realN (exp_lower k u v) <= exp (realN u / realN v) * realN (two_to (k + k)).
Proof.
move=> v_gt0; rewrite /exp_lower; set one := two_to (k + k).
have one_gt0 : N.ltb 0 one := two_to_gt0 _.
have one_pos := realN_gt0 one_gt0; have v_pos := realN_gt0 v_gt0.
have root_pos := realN_gt0 (two_to_gt0 k).
set z := realN u / (realN v * realN (two_to k)).
have -> : realN u / realN v = z * realN (two_to k) by rewrite /z; field; lra.
have start : realN (one + one * u / (v * two_to k)) <= exp z * realN one.
  rewrite realND.
  have vk_gt0 : N.ltb 0 (v * two_to k).
    apply/N.ltb_lt; apply: N.mul_pos_pos; apply/N.ltb_lt => //.
    exact: two_to_gt0.
  have := div_le (one * u) vk_gt0; rewrite !realNM => le_u.
  have vk_pos : 0 < realN v * realN (two_to k) by apply: Rmult_lt_0_compat.
  have : realN (one * u / (v * two_to k)) <= realN one * z.
    apply: (Rmult_le_reg_r _ _ _ vk_pos); apply: Rle_trans le_u _.
    by right; rewrite /z; field; lra.
  have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ one_pos) (exp_ineq1_le z).
  by rewrite Rmult_plus_distr_l; lra.
have step n y : realN y <= exp (z * realN (two_to n)) * realN one ->
    realN (y * y / one) <= exp (z * realN (two_to n.+1)) * realN one.
  move=> le_y; rewrite exp_iter; apply: (Rmult_le_reg_r _ _ _ one_pos).
  apply: Rle_trans (div_le _ one_gt0) _; rewrite realNM.
  have y_ge0 := realN_ge0 y.
  apply: Rle_trans (Rmult_le_compat _ _ _ _ y_ge0 y_ge0 le_y le_y) _.
  by right; ring.
elim: {1 3}k => [|n IHn]; last by rewrite iterS; apply: step.
by rewrite /two_to /= realN1 Rmult_1_r.
Qed.

Lemma exp_upperP k u v : N.ltb u (v * two_to k) ->
  exp (realN u / realN v) * realN (two_to (k + k)) <= realN (exp_upper k u v).
Proof.
move=> u_lt; rewrite /exp_upper; set one := two_to (k + k).
set root := (v * two_to k)%num in u_lt *.
have one_gt0 : N.ltb 0 one := two_to_gt0 _.
have one_pos := realN_gt0 one_gt0.
have two_pos := realN_gt0 (two_to_gt0 k).
have lt_u := realN_lt u_lt; have u_ge0 := realN_ge0 u.
have rootE : realN root = realN v * realN (two_to k) by exact: realNM.
have v_pos : 0 < realN v.
  have [//|v0] := Rle_lt_or_eq_dec _ _ (realN_ge0 v).
  by move: lt_u; rewrite rootE -v0 Rmult_0_l; lra.
set z := realN u / realN root.
have -> : realN u / realN v = z * realN (two_to k).
  by rewrite /z rootE; field; lra.
have subE : realN (root - u) = realN root - realN u.
  have := N.sub_add u root; move/N.ltb_lt/N.lt_le_incl: (u_lt) => le_u.
  by move=> /(_ le_u)/(congr1 realN); rewrite realND; lra.
have sub_gt0 : N.ltb 0 (root - u).
  by apply/N.ltb_lt/N.lt_add_lt_sub_r; rewrite N.add_0_l; apply/N.ltb_lt.
have sub_pos := realN_gt0 sub_gt0.
have start : exp z * realN one <= realN (one * root / (root - u) + 1).
  apply: (Rmult_le_reg_r _ _ _ sub_pos).
  apply: Rle_trans (div_ge _ sub_gt0); rewrite realNM subE.
  have root_pos : 0 < realN root by lra.
  have -> : realN root - realN u = (1 + - z) * realN root.
    by rewrite /z; field; lra.
  have := exp_ineq1_le (- z); rewrite exp_Ropp => le_z.
  have z_pos := exp_pos z.
  have le1 : exp z * (1 + - z) <= 1.
    have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ z_pos) le_z.
    by rewrite Rinv_r; lra.
  have or_pos : 0 <= realN one * realN root by apply: Rmult_le_pos; lra.
  have := Rmult_le_compat_r _ _ _ or_pos le1; lra.
have step n y : exp (z * realN (two_to n)) * realN one <= realN y ->
    exp (z * realN (two_to n.+1)) * realN one <= realN (y * y / one + 1).
  move=> le_y; rewrite exp_iter; apply: (Rmult_le_reg_r _ _ _ one_pos).
  apply: Rle_trans (div_ge _ one_gt0); rewrite realNM.
  have e_ge0 : 0 <= exp (z * realN (two_to n)) * realN one.
    by apply: Rmult_le_pos; [apply/Rlt_le/exp_pos | lra].
  apply: Rle_trans (Rmult_le_compat _ _ _ _ e_ge0 e_ge0 le_y le_y).
  by right; ring.
elim: {1 2}k => [|n IHn]; last by rewrite iterS; apply: step.
by rewrite /two_to /= realN1 Rmult_1_r.
Qed.

(* The two bounds                                                             *)

Definition is_budget (b : budget) : bool :=
  match b with
  | Log g k => [&& N.ltb 0 g.2, N.leb g.2 g.1 & N.ltb 0 k]
  | Exact e => N.ltb 0 e.2
  end.

Definition at_least (k : nat) (b : budget) (d g : fraction) : bool :=
  [&& is_budget b, N.ltb 0 d.2, N.ltb 0 g.2 &
   match b with
   | Log h r => powers_le g h (r * d.2) d.1
   | Exact e =>
       N.leb (g.1 * two_to (k + k))
             (g.2 * exp_lower k (e.1 * d.1) (e.2 * d.2))
   end].

Definition at_most (k : nat) (b : budget) (d g : fraction) : bool :=
  [&& is_budget b, N.ltb 0 d.2, N.ltb 0 g.2, N.ltb 0 g.1 &
   match b with
   | Log h r => N.leb (power h.1 d.1 * power g.2 (r * d.2))
                      (power g.1 (r * d.2) * power h.2 d.1)
   | Exact e =>
       N.ltb (e.1 * d.1) (e.2 * d.2 * two_to k) &&
       N.leb (g.2 * exp_upper k (e.1 * d.1) (e.2 * d.2))
             (g.1 * two_to (k + k))
   end].

Lemma ratN_gt0 n : N.ltb 0 n -> (0 < ratN n)%R.
Proof. exact: (@ratN_lt 0). Qed.

Lemma positive_le m n : N.ltb 0 m -> N.leb m n -> N.ltb 0 n.
Proof.
by move=> /N.ltb_lt m_gt0 /N.leb_le le_mn; apply/N.ltb_lt/(N.lt_le_trans _ m).
Qed.

Lemma budget_distance h r d : N.ltb 0 r -> N.ltb 0 d.2 ->
  ln (realF h) / realN r * realF d =
  ln (realF h) * realN d.1 / realN (r * d.2).
Proof.
move=> r_gt0 d_gt0; rewrite (realFE d_gt0) realNM.
have := realN_gt0 r_gt0; have := realN_gt0 d_gt0 => *.
by field; lra.
Qed.

Lemma exact_distance e d : N.ltb 0 e.2 -> N.ltb 0 d.2 ->
  realF e * realF d = realN (e.1 * d.1) / realN (e.2 * d.2).
Proof.
move=> e_gt0 d_gt0; rewrite !realFE // !realNM.
have := realN_gt0 e_gt0; have := realN_gt0 d_gt0 => *.
by field; lra.
Qed.

Lemma realN_INR n : realN n = INR (nat_of_bin n).
Proof. exact: (embed_nat of_rat_embedding). Qed.

Lemma epsilon_ge0 b : is_budget b -> 0 <= epsilon b.
Proof.
case: b => [g k /and3P[g_gt0 le_g k_gt0] | e _] /=; last exact: realF_ge0.
have g2_pos := realN_gt0 g_gt0.
have one_le : 1 <= realF g.
  rewrite realFE //; apply: (Rmult_le_reg_r _ _ _ g2_pos).
  by have := realN_le le_g; rewrite /Rdiv Rmult_assoc Rinv_l; lra.
have ln_ge0 : 0 <= ln (realF g).
  rewrite -ln_1; case: one_le => [lt1 | <-]; last by right.
  by left; apply: ln_increasing; lra.
apply: Rmult_le_pos => //; apply/Rlt_le/Rinv_0_lt_compat.
exact: realN_gt0.
Qed.

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. by case=> [lt|->]; [left; apply: exp_increasing | right]. Qed.

Theorem at_least_sound k b d g :
  at_least k b d g -> realF g <= exp (epsilon b * realF d).
Proof.
case/and4P=> b_ok d_gt0 g_gt0.
have g2_pos := realN_gt0 g_gt0.
case: b b_ok => [h r /and3P[h_gt0 le_h r_gt0] le_g | e e_gt0 le_g].
  have [g0|g_pos] := Rle_lt_or_eq_dec _ _ (realF_ge0 g); last first.
    by rewrite -g_pos; apply/Rlt_le/exp_pos.
  have m_gt0 : N.ltb 0 (r * d.2).
    by apply/N.ltb_lt/N.mul_pos_pos; apply/N.ltb_lt.
  rewrite /= budget_distance // -{1}(exp_ln _ g0); apply: exp_le.
  have h_pos : (0 < ratF h)%R.
    by rewrite divr_gt0 ?ratN_gt0 // (positive_le h_gt0 le_h).
  have g_pos : (0 < ratF g)%R.
    by apply/(embed_lt of_rat_embedding); rewrite (embed0 of_rat_embedding).
  have := powers_leP g_gt0 h_gt0 le_g; rewrite powers_exp //.
  rewrite -!realN_INR => le_ln; have m_pos := realN_gt0 m_gt0.
  apply: (Rmult_le_reg_r _ _ _ m_pos).
  by rewrite /Rdiv Rmult_assoc Rinv_l ?Rmult_1_r //; lra.
have ed_gt0 : N.ltb 0 (e.2 * d.2).
  by apply/N.ltb_lt/N.mul_pos_pos; apply/N.ltb_lt.
rewrite /= exact_distance //.
have := exp_lowerP k (e.1 * d.1) ed_gt0; have := realN_le le_g.
rewrite !(realNM g.1) !(realNM g.2) => le_1 le_2.
have one_pos := realN_gt0 (two_to_gt0 (k + k)).
have both_pos := Rmult_lt_0_compat _ _ g2_pos one_pos.
rewrite realFE //; apply: (Rmult_le_reg_r _ _ _ both_pos).
have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ g2_pos) le_2.
have -> : realN g.1 / realN g.2 * (realN g.2 * realN (two_to (k + k))) =
   realN g.1 * realN (two_to (k + k)) by field; lra.
lra.
Qed.

Theorem at_most_sound k b d g :
  at_most k b d g -> exp (epsilon b * realF d) <= realF g.
Proof.
case/and5P=> b_ok d_gt0 g_gt0 g1_gt0.
have g2_pos := realN_gt0 g_gt0.
case: b b_ok => [h r /and3P[h_gt0 le_h r_gt0] le_g | e e_gt0 /andP[lt_u le_g]].
  have m_gt0 : N.ltb 0 (r * d.2).
    by apply/N.ltb_lt/N.mul_pos_pos; apply/N.ltb_lt.
  have h_pos : (0 < ratF h)%R.
    by rewrite divr_gt0 ?ratN_gt0 // (positive_le h_gt0 le_h).
  have g_pos : (0 < ratF g)%R by rewrite divr_gt0 ?ratN_gt0.
  have g0 : 0 < realF g.
    by rewrite -(embed0 of_rat_embedding); apply/(embed_lt of_rat_embedding).
  rewrite /= budget_distance // -(exp_ln _ g0); apply: exp_le.
  have := powers_leP h_gt0 g_gt0 le_g; rewrite powers_exp //.
  rewrite -!realN_INR => le_ln; have m_pos := realN_gt0 m_gt0.
  apply: (Rmult_le_reg_r _ _ _ m_pos).
  by rewrite /Rdiv Rmult_assoc Rinv_l ?Rmult_1_r //; lra.
rewrite /= exact_distance //.
have := exp_upperP lt_u; have := realN_le le_g.
rewrite !(realNM g.1) !(realNM g.2) => le_1 le_2.
have one_pos := realN_gt0 (two_to_gt0 (k + k)).
have both_pos := Rmult_lt_0_compat _ _ g2_pos one_pos.
rewrite realFE //; apply: (Rmult_le_reg_r _ _ _ both_pos).
have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ g2_pos) le_2.
have -> : realN g.1 / realN g.2 * (realN g.2 * realN (two_to (k + k))) =
   realN g.1 * realN (two_to (k + k)) by field; lra.
lra.
Qed.
