From Coq Require Import Reals List Lra ssreflect ssrfun ssrbool.
From Stirred Require Import unordered_sum normalized_renyi nor_conversion.

(******************************************************************************)
(* D_NoR and D_Mult of laws with finitely many outcomes                       *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   finite_together == zcdp.finite-laws: D_NoR is finite iff D_Mult is;      *)
(*            where only D_NoR is, no list has all outcomes                   *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "None".

Local Open Scope R_scope.

(* On a list of outcomes, numbers with the same zeros are within a factor.    *)
Lemma finite_factor (T : Type) (P Q : T -> R) (s : list T) :
  (forall t, 0 <= P t) -> (forall t, 0 <= Q t) ->
  (forall t, Q t = 0 <-> P t = 0) ->
  exists2 g, 1 <= g & forall t, In t s -> P t <= g * Q t /\ Q t <= g * P t.
Proof.
move=> P_ge0 Q_ge0 same; elim: s => [|t s [g g_ge1 near]].
  by exists 1; [exact: Rle_refl | move=> t []].
have widen h u v : 0 <= v -> g <= h -> u <= g * v -> u <= h * v.
  by move=> v_ge0 le_gh le_u; have := Rmult_le_compat_r v _ _ v_ge0 le_gh; lra.
case: (Req_EM_T (P t) 0) => [P0|P_n0].
  exists g => // u [<-|/near //]; rewrite P0 (proj2 (same t) P0).
  by split; lra.
have Q_n0 : Q t <> 0 by move=> /same.
have P_gt0 : 0 < P t by have := P_ge0 t; lra.
have Q_gt0 : 0 < Q t by have := Q_ge0 t; lra.
have r_gt0 := Rdiv_lt_0_compat _ _ P_gt0 Q_gt0.
have r'_gt0 := Rdiv_lt_0_compat _ _ Q_gt0 P_gt0.
exists (g + P t / Q t + Q t / P t); first by lra.
move=> u [<-|/near [le_P le_Q]]; last first.
  by split; apply: widen => //; lra.
have g_ge0 : 0 <= g by lra.
have gP := Rmult_le_pos _ _ g_ge0 (P_ge0 t).
have gQ := Rmult_le_pos _ _ g_ge0 (Q_ge0 t).
split.
  have -> : (g + P t / Q t + Q t / P t) * Q t =
    P t + g * Q t + Q t / P t * Q t by field.
  by have := Rmult_lt_0_compat _ _ r'_gt0 Q_gt0; lra.
have -> : (g + P t / Q t + Q t / P t) * P t =
  Q t + g * P t + P t / Q t * P t by field.
by have := Rmult_lt_0_compat _ _ r_gt0 P_gt0; lra.
Qed.

Lemma nor_finite_iff (T : Type) (P Q : T -> R) (s : list T) :
  is_law P -> is_law Q -> (forall t, P t <> 0 \/ Q t <> 0 -> In t s) ->
  (exists rho, is_nor P Q rho) <-> (exists epsilon, pure_le epsilon P Q).
Proof.
move=> lawP lawQ listed.
have P_ge0 := summand_ge0 lawP; have Q_ge0 := summand_ge0 lawQ.
split=> [[rho [fin _]]|[epsilon le_PQ]].
  have [[d [PQ _]] [d' [QP _]]] := fin 2 ltac:(lra).
  have same t : Q t = 0 <-> P t = 0 by split=> [/PQ|/QP].
  have [g g_ge1 near] := finite_factor s P_ge0 Q_ge0 same.
  exists (ln g) => t; rewrite exp_ln; first by lra.
  case: (Req_EM_T (P t) 0) => [P0|P_n0]; last by apply/near/listed; left.
  by rewrite P0 (proj2 (same t) P0); split; lra.
have [e e_ge0 le_e] : exists2 e, 0 <= e & pure_le e P Q.
  exists (Rmax epsilon 0) => [|t]; first exact: Rmax_r.
  have le_exp : exp epsilon <= exp (Rmax epsilon 0).
    have [lt_max|<-] := Rmax_l epsilon 0; last exact: Rle_refl.
    exact/Rlt_le/exp_increasing.
  have [le_P le_Q] := le_PQ t.
  have := Rmult_le_compat_r _ _ _ (P_ge0 t) le_exp.
  have := Rmult_le_compat_r _ _ _ (Q_ge0 t) le_exp.
  lra.
have := pure_nor lawP lawQ e_ge0 le_e.
have sq_ge0 : 0 <= e ^ 2 / 2 by have := pow2_ge_0 e; lra.
rewrite -(pow2_sqrt _ sq_ge0) => /(nor_le_iff _ _ (sqrt_pos _)) [r nor_r _].
by exists r.
Qed.

Theorem finite_together (T : Type) (P Q : T -> R) : is_law P -> is_law Q ->
  let nor_finite := exists rho, is_nor P Q rho in
  let mult_finite := exists epsilon, pure_le epsilon P Q in
  let listed s := forall t, P t <> 0 \/ Q t <> 0 -> In t s in
  (forall s, listed s -> nor_finite <-> mult_finite) /\
  (nor_finite -> ~ mult_finite -> ~ exists s, listed s).
Proof.
move=> lawP lawQ; split=> [s|nor no_mult [s listed]].
  exact: nor_finite_iff.
by apply: no_mult; apply/(nor_finite_iff lawP lawQ listed).
Qed.
