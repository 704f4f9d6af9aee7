From Coq Require Import Reals List Lra Lia Classical_Prop.
From Coq Require Import ssreflect ssrfun ssrbool.
From Stirred Require Import unordered_sum normalized_renyi.

(******************************************************************************)
(* D_NoR is a metric on the discrete laws of an outcome space (article        *)
(* Appendix G), with values in [0, oo]: it is 0 between equal laws only, it   *)
(* is symmetric, and it satisfies the triangle inequality.                    *)
(*                                                                            *)
(*   renyi_bound P Q r2 == D_alpha(P || Q) <= alpha * r2 for all alpha > 1    *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   nor_zero == D_NoR(P, Q) = 0 if and only if P = Q                         *)
(*   nor_symmetric == D_NoR(P, Q) = D_NoR(Q, P)                               *)
(*   renyi_triangle == for all alpha, k > 1, D_alpha(P || S) is at most       *)
(*            k alpha / (k alpha - 1) * D_beta(P || Q) + D_(k alpha)(Q || S), *)
(*            where beta = (k alpha - 1) / (k - 1)                            *)
(*   nor_triangle == D_NoR(P, S) <= D_NoR(P, Q) + D_NoR(Q, S)                 *)
(*   nor_chain == along n steps of at most rho it is at most n * rho          *)
(*                                                                            *)
(* The argument. With theta = alpha (k - 1) / (k alpha - 1), pointwise        *)
(*   P^alpha S^(1-alpha) =                                                    *)
(*     (P^beta Q^(1-beta))^theta (Q^(k alpha) S^(1 - k alpha))^(1-theta),     *)
(* so Hoelder's inequality gives renyi_triangle. If D_NoR(P, Q) <= a and      *)
(* D_NoR(Q, S) <= b, the bound is alpha (k / (k - 1) a^2 + k b^2), which at   *)
(* k = (a + b) / b is alpha (a + b)^2.                                        *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "None".

Local Open Scope R_scope.

Definition renyi_bound (T : Type) (P Q : T -> R) (r2 : R) : Prop :=
  forall alpha, 1 < alpha ->
    exists2 d, is_renyi alpha P Q d & d <= alpha * r2.

Lemma nor_le_bounds (T : Type) (P Q : T -> R) r2 :
  nor_le P Q r2 <-> renyi_bound P Q r2 /\ renyi_bound Q P r2.
Proof.
split=> [le_r2|[le_PQ le_QP] alpha alpha_gt1].
  by split=> alpha /le_r2 [].
by split; [apply: le_PQ | apply: le_QP].
Qed.

Lemma young theta u v : 0 < theta < 1 -> 0 < u -> 0 < v ->
  Rpower u theta * Rpower v (1 - theta) <= theta * u + (1 - theta) * v.
Proof.
move=> theta_01 u_gt0 v_gt0; rewrite /Rpower -exp_plus.
set w := theta * ln u + (1 - theta) * ln v.
have tangent z : 0 < z -> exp w * (1 + (ln z - w)) <= z.
  move=> z_gt0; rewrite -{2}(exp_ln z) //.
  have -> : exp (ln z) = exp w * exp (ln z - w).
    by rewrite -exp_plus; congr exp; ring.
  by apply: Rmult_le_compat_l (exp_ineq1_le _); apply/Rlt_le/exp_pos.
have := Rmult_le_compat_l theta _ _ ltac:(lra) (tangent u u_gt0).
have := Rmult_le_compat_l (1 - theta) _ _ ltac:(lra) (tangent v v_gt0).
have mean : theta * (1 + (ln u - w)) + (1 - theta) * (1 + (ln v - w)) = 1.
  by rewrite /w; ring.
have : exp w * (theta * (1 + (ln u - w)) + (1 - theta) * (1 + (ln v - w))) =
    exp w by rewrite mean Rmult_1_r.
lra.
Qed.

Lemma renyi_term_exp (T : Type) alpha (P Q : T -> R) t :
  0 < P t -> 0 < Q t ->
  renyi_term alpha P Q t = exp (alpha * (ln (P t) - ln (Q t)) + ln (Q t)).
Proof.
move=> P_gt0 Q_gt0; rewrite renyi_term_neq0; first by lra.
rewrite exp_plus (exp_ln (Q t)) // /Rpower /Rdiv.
by rewrite ln_mult ?ln_Rinv //; apply: Rinv_0_lt_compat.
Qed.

Lemma renyi_term_ge0 (T : Type) alpha (P Q : T -> R) t :
  0 <= Q t -> 0 <= renyi_term alpha P Q t.
Proof.
move=> Q_ge0; rewrite /renyi_term; case: Req_EM_T => _ /=; first by lra.
by apply: Rmult_le_pos => //; apply/Rlt_le/exp_pos.
Qed.

Section Triangle.

Variables (T : Type) (P Q S : T -> R).
Hypotheses (lawP : is_law P) (lawQ : is_law Q) (lawS : is_law S).

(* Hoelder's inequality, one output at a time, where A and B are the sums of  *)
(* the terms of P, Q and of Q, S.                                             *)
Lemma renyi_term_split alpha k A B t (beta := (k * alpha - 1) / (k - 1))
    (theta := alpha * (k - 1) / (k * alpha - 1)) :
    1 < k -> 0 < k * alpha - 1 -> 0 < theta < 1 -> 0 < A -> 0 < B ->
    (Q t = 0 -> P t = 0) -> (S t = 0 -> Q t = 0) ->
  renyi_term alpha P S t <= Rpower A theta * Rpower B (1 - theta) *
    (theta / A * renyi_term beta P Q t +
     (1 - theta) / B * renyi_term (k * alpha) Q S t).
Proof.
move=> k_gt1 ka_gt1 theta01 A_gt0 B_gt0 acPQ acQS.
set gamma := k * alpha; set C := Rpower A theta * Rpower B (1 - theta).
have C_gt0 : 0 < C by apply: Rmult_lt_0_compat; apply: exp_pos.
have P_ge0 := summand_ge0 lawP; have Q_ge0 := summand_ge0 lawQ.
have S_ge0 := summand_ge0 lawS.
have wA_ge0 : 0 <= theta / A by apply/Rlt_le/Rdiv_lt_0_compat; lra.
have wB_ge0 : 0 <= (1 - theta) / B by apply/Rlt_le/Rdiv_lt_0_compat; lra.
have u_ge0 := Rmult_le_pos _ _ wA_ge0 (renyi_term_ge0 beta P (Q_ge0 t)).
have v_ge0 := Rmult_le_pos _ _ wB_ge0 (renyi_term_ge0 gamma Q (S_ge0 t)).
case: (Req_EM_T (P t) 0) => [P_eq0|P_neq0].
  by rewrite (renyi_term_zero _ _ P_eq0); apply: Rmult_le_pos; lra.
have P_gt0 : 0 < P t by have := P_ge0 t; lra.
have Q_gt0 : 0 < Q t by case: (Q_ge0 t) => // /esym /acPQ.
have S_gt0 : 0 < S t by case: (S_ge0 t) => // /esym /acQS /acPQ.
rewrite !renyi_term_exp //.
set p := ln (P t); set q := ln (Q t); set s := ln (S t).
set u := exp (beta * (p - q) + q); set v := exp (gamma * (q - s) + s).
have u_gt0 : 0 < u / A by apply: Rdiv_lt_0_compat; [apply: exp_pos | lra].
have v_gt0 : 0 < v / B by apply: Rdiv_lt_0_compat; [apply: exp_pos | lra].
have split_term : exp (alpha * (p - s) + s) =
    C * (Rpower (u / A) theta * Rpower (v / B) (1 - theta)).
  have -> : C * (Rpower (u / A) theta * Rpower (v / B) (1 - theta)) =
      (Rpower A theta * Rpower (u / A) theta) *
      (Rpower B (1 - theta) * Rpower (v / B) (1 - theta)) by rewrite /C; ring.
  rewrite !Rpower_mult_distr; try lra.
  have -> : A * (u / A) = u by field; lra.
  have -> : B * (v / B) = v by field; lra.
  rewrite /Rpower /u /v !ln_exp -exp_plus; congr exp.
  by rewrite /theta /beta /gamma; field; lra.
rewrite split_term; apply: Rmult_le_compat_l; first by lra.
have -> : theta / A * u + (1 - theta) / B * v =
    theta * (u / A) + (1 - theta) * (v / B) by field; lra.
by apply: young => //; lra.
Qed.

Theorem renyi_triangle alpha k d e :
  1 < alpha -> 1 < k -> is_renyi ((k * alpha - 1) / (k - 1)) P Q d ->
  is_renyi (k * alpha) Q S e ->
  exists2 f, is_renyi alpha P S f & f <= k * alpha / (k * alpha - 1) * d + e.
Proof.
move=> alpha_gt1 k_gt1 [acPQ [A sumA ->]] [acQS [B sumB ->]].
have k_alpha_gt : alpha < k * alpha.
  by have := Rmult_lt_compat_r alpha 1 k; lra.
set beta := (k * alpha - 1) / (k - 1) in sumA *.
set gamma := k * alpha in sumB k_alpha_gt *.
have beta_eq : beta - 1 = k * (alpha - 1) / (k - 1).
  by rewrite /beta; field; lra.
have beta_gt1 : 1 < beta.
  suff : 0 < beta - 1 by lra.
  rewrite beta_eq; apply: Rdiv_lt_0_compat; last by lra.
  by apply: Rmult_lt_0_compat; lra.
have A_ge1 := renyi_sum_ge1 beta_gt1 lawP lawQ acPQ sumA.
have B_ge1 : 1 <= B by apply: (renyi_sum_ge1 _ lawQ lawS acQS sumB); lra.
set theta := alpha * (k - 1) / (k * alpha - 1).
have ka_gt1 : 0 < k * alpha - 1 by rewrite -/gamma; lra.
have theta_gt0 : 0 < theta.
  apply: Rdiv_lt_0_compat => //; apply: Rmult_lt_0_compat; lra.
have theta_eq : 1 - theta = (alpha - 1) / (k * alpha - 1).
  by rewrite /theta; field; lra.
have theta_lt1 : 0 < 1 - theta.
  by rewrite theta_eq; apply: Rdiv_lt_0_compat; lra.
have theta_lt1' : theta < 1 by lra.
have [A_gt0 B_gt0] : 0 < A /\ 0 < B by lra.
set C := Rpower A theta * Rpower B (1 - theta).
have C_gt0 : 0 < C by apply: Rmult_lt_0_compat; apply: exp_pos.
have S_ge0 := summand_ge0 lawS.
have acPS t : S t = 0 -> P t = 0 by move=> /acQS /acPQ.
have pointwise t := renyi_term_split (t := t) k_gt1 ka_gt1
  (conj theta_gt0 theta_lt1') A_gt0 B_gt0 (acPQ t) (acQS t).
rewrite -/beta -/theta -/gamma -/C in pointwise.
have below s : NoDup s -> finite_sum (renyi_term alpha P S) s <= C.
  move=> uniq_s; apply: Rle_trans (finite_sum_le _ pointwise) _.
  rewrite finite_sum_scale finite_sum_add !finite_sum_scale.
  rewrite -{2}(Rmult_1_r C); apply: Rmult_le_compat_l; first by lra.
  have := Rmult_le_compat_l (theta / A) _ _
    ltac:(apply/Rlt_le/Rdiv_lt_0_compat; lra) (finite_sum_is_sum sumA uniq_s).
  have := Rmult_le_compat_l ((1 - theta) / B) _ _
    ltac:(apply/Rlt_le/Rdiv_lt_0_compat; lra) (finite_sum_is_sum sumB uniq_s).
  have -> : theta / A * A = theta by field; lra.
  have -> : (1 - theta) / B * B = 1 - theta by field; lra.
  lra.
have [c sum_c] :=
  is_sum_exists (fun t => renyi_term_ge0 alpha P (S_ge0 t)) below.
have c_ge1 := renyi_sum_ge1 alpha_gt1 lawP lawS acPS sum_c.
have le_cC := is_sum_least sum_c below.
exists (ln c / (alpha - 1)); first by split=> //; exists c.
have ln_C : ln C = theta * ln A + (1 - theta) * ln B.
  by rewrite /C /Rpower (ln_mult _ _ (exp_pos _) (exp_pos _)) !ln_exp.
have le_ln : ln c <= theta * ln A + (1 - theta) * ln B.
  rewrite -ln_C; case: le_cC => [lt_cC|->]; last by lra.
  by apply/Rlt_le/ln_increasing; lra.
have inv_gt0 : 0 < / (alpha - 1) by apply: Rinv_0_lt_compat; lra.
apply: Rle_trans (Rmult_le_compat_r _ _ _ (Rlt_le _ _ inv_gt0) le_ln) _.
apply: Req_le; rewrite theta_eq beta_eq /theta /gamma.
by field; rewrite -/gamma; repeat split; lra.
Qed.

End Triangle.

Lemma renyi_bound_triangle (T : Type) (P Q S : T -> R) a b :
  is_law P -> is_law Q -> is_law S -> 0 < a -> 0 < b ->
  renyi_bound P Q (a ^ 2) -> renyi_bound Q S (b ^ 2) ->
  renyi_bound P S ((a + b) ^ 2).
Proof.
move=> lawP lawQ lawS a_gt0 b_gt0 le_PQ le_QS alpha alpha_gt1.
set k := (a + b) / b; have k_eq : k - 1 = a / b by rewrite /k; field; lra.
have k_gt1 : 1 < k.
  by have := Rdiv_lt_0_compat a b a_gt0 b_gt0; lra.
have k_alpha_gt : alpha < k * alpha.
  by have := Rmult_lt_compat_r alpha 1 k; lra.
have beta_gt1 : 1 < (k * alpha - 1) / (k - 1).
  apply: (Rmult_lt_reg_r (k - 1)); first by lra.
  have -> : (k * alpha - 1) / (k - 1) * (k - 1) = k * alpha - 1 by field; lra.
  by have := Rmult_lt_compat_l k 1 alpha; lra.
have [d D le_d] := le_PQ _ beta_gt1.
have [e E le_e] := le_QS (k * alpha) ltac:(lra).
have [f F le_f] := renyi_triangle lawP lawQ lawS alpha_gt1 k_gt1 D E.
exists f => //; apply: Rle_trans le_f _.
have weight_ge0 : 0 <= k * alpha / (k * alpha - 1).
  by apply/Rlt_le/Rdiv_lt_0_compat; lra.
have := Rmult_le_compat_l _ _ _ weight_ge0 le_d.
have -> : k * alpha / (k * alpha - 1) *
    ((k * alpha - 1) / (k - 1) * a ^ 2) = alpha * (k / (k - 1) * a ^ 2).
  by field; lra.
have -> : k / (k - 1) * a ^ 2 = a * (a + b) by rewrite k_eq /k; field; lra.
have : k * alpha * b ^ 2 = alpha * (b * (a + b)) by rewrite /k; field; lra.
have -> : alpha * (a + b) ^ 2 = alpha * (a * (a + b)) + alpha * (b * (a + b)).
  by ring.
lra.
Qed.

Lemma renyi_bound_widen (T : Type) (P Q : T -> R) r2 r2' :
  r2 <= r2' -> renyi_bound P Q r2 -> renyi_bound P Q r2'.
Proof.
move=> le_r2 le_PQ alpha alpha_gt1; have [d D le_d] := le_PQ _ alpha_gt1.
exists d => //; apply: Rle_trans le_d _.
by apply: Rmult_le_compat_l => //; lra.
Qed.

Lemma renyi_bound_limit (T : Type) (P Q : T -> R) r : 0 <= r ->
  (forall eps, 0 < eps -> renyi_bound P Q ((r + eps) ^ 2)) ->
  renyi_bound P Q (r ^ 2).
Proof.
move=> r_ge0 le_eps alpha alpha_gt1; have alpha_gt0 : 0 < alpha by lra.
have [d D _] := le_eps 1 ltac:(lra) alpha alpha_gt1.
exists d => //; apply/sqrt_div_le => //; apply: le_epsilon => eps eps_gt0.
apply/sqrt_div_le => //; first by lra.
have [d' D' le_d'] := le_eps eps eps_gt0 alpha alpha_gt1.
by rewrite (is_renyi_unique D D').
Qed.

Lemma renyi_bound_triangle0 (T : Type) (P Q S : T -> R) a b :
  is_law P -> is_law Q -> is_law S -> 0 <= a -> 0 <= b ->
  renyi_bound P Q (a ^ 2) -> renyi_bound Q S (b ^ 2) ->
  renyi_bound P S ((a + b) ^ 2).
Proof.
move=> lawP lawQ lawS a_ge0 b_ge0 le_PQ le_QS.
apply: renyi_bound_limit; first by lra.
move=> eps eps_gt0.
have -> : a + b + eps = (a + eps / 2) + (b + eps / 2) by field.
apply: (@renyi_bound_triangle _ _ Q) => //; try lra.
  by apply: renyi_bound_widen le_PQ; apply: pow_incr; lra.
by apply: renyi_bound_widen le_QS; apply: pow_incr; lra.
Qed.

Theorem nor_triangle (T : Type) (P Q S : T -> R) a b :
  is_law P -> is_law Q -> is_law S -> is_nor P Q a -> is_nor Q S b ->
  exists2 c, is_nor P S c & c <= a + b.
Proof.
move=> lawP lawQ lawS nor_a nor_b.
have a_ge0 := is_nor_ge0 nor_a; have b_ge0 := is_nor_ge0 nor_b.
have [PQ QP] : renyi_bound P Q (a ^ 2) /\ renyi_bound Q P (a ^ 2).
  by apply/nor_le_bounds/nor_le_iff => //; exists a => //; apply: Rle_refl.
have [QS SQ] : renyi_bound Q S (b ^ 2) /\ renyi_bound S Q (b ^ 2).
  by apply/nor_le_bounds/nor_le_iff => //; exists b => //; apply: Rle_refl.
apply/nor_le_iff; first by lra.
apply/nor_le_bounds; split; first exact: renyi_bound_triangle0 PQ QS.
by rewrite Rplus_comm; apply: renyi_bound_triangle0 SQ QP.
Qed.

Theorem nor_symmetric (T : Type) (P Q : T -> R) rho :
  is_nor P Q rho -> is_nor Q P rho.
Proof.
move=> nor_rho; have rho_ge0 := is_nor_ge0 nor_rho.
have swap (V W : T -> R) r : 0 <= r ->
    is_nor V W r -> exists2 r', is_nor W V r' & r' <= r.
  move=> r_ge0 nor_r.
  have [VW WV] : renyi_bound V W (r ^ 2) /\ renyi_bound W V (r ^ 2).
    by apply/nor_le_bounds/nor_le_iff => //; exists r => //; apply: Rle_refl.
  by apply/nor_le_iff => //; apply/nor_le_bounds.
have [r nor_r le_r] := swap _ _ _ rho_ge0 nor_rho.
have [r' nor_r' le_r'] := swap _ _ _ (is_nor_ge0 nor_r) nor_r.
have eq_r' := is_nor_unique nor_r' nor_rho.
suff -> : rho = r by [].
by lra.
Qed.

Lemma renyi_self (T : Type) alpha (P : T -> R) :
  is_law P -> is_renyi alpha P P 0.
Proof.
move=> lawP; split=> //; exists 1; last by rewrite ln_1 /Rdiv Rmult_0_l.
apply: is_sum_eq lawP => t; case: (Req_EM_T (P t) 0) => [P_eq0|P_neq0].
  by rewrite renyi_term_zero.
rewrite renyi_term_neq0 //; have -> : P t / P t = 1 by field.
by rewrite /Rpower ln_1 Rmult_0_r exp_0 Rmult_1_l.
Qed.

Lemma nor_self (T : Type) (P : T -> R) : is_law P -> is_nor P P 0.
Proof.
move=> lawP; have [r nor_r le_r] : exists2 r, is_nor P P r & r <= 0.
  apply/nor_le_iff; first exact: Rle_refl.
  have bound : renyi_bound P P (0 ^ 2).
    move=> alpha _; exists 0; first exact: renyi_self.
    by rewrite /=; lra.
  by apply/nor_le_bounds.
suff -> : 0 = r by [].
by have := is_nor_ge0 nor_r; lra.
Qed.

Lemma nor_eq (T : Type) (P Q : T -> R) :
  is_law P -> is_law Q -> is_renyi 2 P Q 0 -> forall t, P t = Q t.
Proof.
move=> lawP lawQ [ac [a sum_a ln_a]] t.
have P_ge0 := summand_ge0 lawP; have Q_ge0 := summand_ge0 lawQ.
have two_gt1 : 1 < 2 by lra.
have a_ge1 := renyi_sum_ge1 two_gt1 lawP lawQ ac sum_a.
have a_eq1 : a = 1.
  case: a_ge1 => // a_gt1; have := ln_increasing 1 a ltac:(lra) a_gt1.
  rewrite ln_1; have -> : ln a = 0 by move: ln_a; lra.
  lra.
pose gap u := renyi_term 2 P Q u + Q u - 2 * P u.
have gap_eq u : gap u * Q u = (P u - Q u) ^ 2.
  rewrite /gap; case: (Req_EM_T (P u) 0) => [P_eq0|P_neq0].
    by rewrite renyi_term_zero // P_eq0; ring.
  have P_gt0 : 0 < P u by have := P_ge0 u; lra.
  have Q_gt0 : 0 < Q u by case: (Q_ge0 u) => // /esym /ac.
  rewrite renyi_term_neq0 // (Rpower_pow 2); first exact: Rdiv_lt_0_compat.
  by field; lra.
have gap_ge0 u : 0 <= gap u.
  case: (Q_ge0 u) => [Q_gt0|Q_eq0].
    apply: (Rmult_le_reg_r (Q u)) => //; rewrite gap_eq Rmult_0_l.
    exact: pow2_ge_0.
  have P_eq0 := ac u (esym Q_eq0).
  by rewrite /gap renyi_term_zero // P_eq0 -Q_eq0; lra.
have gap_sum s : finite_sum gap s = finite_sum (renyi_term 2 P Q) s +
    finite_sum Q s - 2 * finite_sum P s.
  by elim: s => [|u s IHs] /=; [|rewrite IHs /gap]; ring.
suff gap_eq0 : gap t = 0.
  have := gap_eq t; rewrite gap_eq0 Rmult_0_l => /esym sq_eq0.
  have : P t - Q t = 0 by apply: Rsqr_0_uniq; rewrite Rsqr_pow2.
  lra.
apply: Rle_antisym => //; suff : 1 <= 1 - gap t / 2 by lra.
apply: (is_sum_least lawP) => s uniq_s.
have [s' [uniq_s' ts' sub]] : exists s', [/\ NoDup s', In t s' & incl s s'].
  case: (classic (In t s)) => [ts|not_ts].
    by exists s; split=> //; apply: incl_refl.
  exists (t :: s)%list.
  by split; [constructor | exact: in_eq | move=> u; exact: in_cons].
have := finite_sum_incl P_ge0 uniq_s sub.
have single : finite_sum gap (t :: nil)%list <= finite_sum gap s'.
  apply: finite_sum_incl => //; first by constructor=> //; constructor.
  by move=> u [<-|[]].
have := finite_sum_is_sum sum_a uniq_s'; have := finite_sum_is_sum lawQ uniq_s'.
by move: single; rewrite (gap_sum s') /=; lra.
Qed.

Theorem nor_zero (T : Type) (P Q : T -> R) :
  is_law P -> is_law Q -> is_nor P Q 0 <-> forall t, P t = Q t.
Proof.
move=> lawP lawQ; split=> [nor_0|eq_PQ].
  apply: nor_eq => //; have two_gt1 : 1 < 2 by lra.
  have le_0 : nor_le P Q (0 ^ 2).
    by apply/nor_le_iff; [|exists 0 => //]; apply: Rle_refl.
  have [[d D le_d] _] := le_0 2 two_gt1.
  suff -> : 0 = d by [].
  by have := renyi_ge0 two_gt1 lawP lawQ D; lra.
have -> : Q = P by apply: FunctionalExtensionality.functional_extensionality.
exact: nor_self.
Qed.

Theorem nor_chain (T : Type) (P : nat -> T -> R) rho n :
  (forall k, is_law (P k)) ->
  (forall k, (k < n)%nat -> exists2 r, is_nor (P k) (P (S k)) r & r <= rho) ->
  exists2 r, is_nor (P 0%nat) (P n) r & r <= INR n * rho.
Proof.
move=> lawP; elim: n => [|n IHn] steps.
  by exists 0; [exact: nor_self | rewrite Rmult_0_l; apply: Rle_refl].
have [a nor_a le_a] :=
  IHn (fun k lt_kn => steps k (Nat.lt_lt_succ_r _ _ lt_kn)).
have [b nor_b le_b] := steps n (Nat.lt_succ_diag_r n).
have [c nor_c le_c] := nor_triangle (lawP _) (lawP _) (lawP _) nor_a nor_b.
by exists c => //; rewrite S_INR; lra.
Qed.
