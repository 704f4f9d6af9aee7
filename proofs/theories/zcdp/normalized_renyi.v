From Coq Require Import Reals List Lra ssreflect ssrfun ssrbool.
From Stirred Require Import unordered_sum.

(******************************************************************************)
(* The normalized Renyi metric of discrete laws, the output premetric of zCDP *)
(* (article Appendix G), on any outcome space, finite or not.                 *)
(*                                                                            *)
(*   is_law P == P : T -> R is a probability law: non-negative, with sum 1    *)
(*   renyi_term alpha P Q t == (P t / Q t)^alpha * Q t, and 0 where P t = 0   *)
(*   is_renyi alpha P Q d == D_alpha(P || Q) is finite and is d: P is         *)
(*            absolutely continuous with respect to Q, the renyi_terms have a *)
(*            sum a, and d = ln a / (alpha - 1)                               *)
(*   is_nor P Q rho == D_NoR(P, Q) is finite and is rho: for alpha > 1 both   *)
(*            Renyi divergences are finite, and rho is the supremum of        *)
(*            max (sqrt D_alpha(P || Q), sqrt D_alpha(Q || P)) / sqrt alpha   *)
(*   nor_le P Q r2 == for all alpha > 1, both divergences are finite and at   *)
(*            most alpha * r2: "D_NoR(P, Q)^2 <= r2"                          *)
(*   zcdp U d rho T == T satisfies rho-DP(X, U, d, D_NoR): for all universes  *)
(*            U i and all x, x' in U i, D_NoR(T x, T x') <= rho i * d x x';   *)
(*            here d : X -> X -> option nat and rho : I -> option R, and None *)
(*            is infinity on either side, which asks for nothing              *)
(*   joint P Q == the law of two independent outcomes                         *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   renyi_ge0 == D_alpha(P || Q) >= 0 for laws and alpha > 1                 *)
(*   nor_le_iff == nor_le P Q (rho^2), rho >= 0, says D_NoR(P, Q) <= rho      *)
(*   renyi_joint == D_alpha adds up over independent outcomes                 *)
(*   nor_joint == so D_NoR of them is at most sqrt (rho1^2 + rho2^2)          *)
(*   zcdp_composition == fresh composition: the same for two mechanisms       *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "None".

Local Open Scope R_scope.

Definition is_law (T : Type) (P : T -> R) : Prop := is_sum P 1.

Definition renyi_term (T : Type) (alpha : R) (P Q : T -> R) (t : T) : R :=
  if Req_EM_T (P t) 0 then 0 else Rpower (P t / Q t) alpha * Q t.

Definition is_renyi (T : Type) (alpha : R) (P Q : T -> R) (d : R) : Prop :=
  (forall t, Q t = 0 -> P t = 0) /\
  exists2 a, is_sum (renyi_term alpha P Q) a & d = ln a / (alpha - 1).

Definition is_nor (T : Type) (P Q : T -> R) (rho : R) : Prop :=
  (forall alpha, 1 < alpha ->
     (exists d, is_renyi alpha P Q d) /\ (exists d, is_renyi alpha Q P d)) /\
  is_lub (fun r => exists alpha d d', [/\ 1 < alpha, is_renyi alpha P Q d,
            is_renyi alpha Q P d' & r = Rmax (sqrt d) (sqrt d') / sqrt alpha])
         rho.

Definition nor_le (T : Type) (P Q : T -> R) (r2 : R) : Prop :=
  forall alpha, 1 < alpha ->
    (exists2 d, is_renyi alpha P Q d & d <= alpha * r2) /\
    (exists2 d, is_renyi alpha Q P d & d <= alpha * r2).

Definition zcdp (X I Y : Type) (U : I -> X -> Prop) (d : X -> X -> option nat)
    (rho : I -> option R) (T : X -> Y -> R) : Prop :=
  forall i x x', U i x -> U i x' ->
    match rho i, d x x' with
    | Some r, Some n => exists2 r', is_nor (T x) (T x') r' & r' <= r * INR n
    | _, _ => True
    end.

Definition joint (T T' : Type) (P : T -> R) (P' : T' -> R) (t : T * T') : R :=
  P t.1 * P' t.2.

Lemma renyi_term_zero (T : Type) alpha (P Q : T -> R) t :
  P t = 0 -> renyi_term alpha P Q t = 0.
Proof. by rewrite /renyi_term; case: Req_EM_T. Qed.

Lemma renyi_term_neq0 (T : Type) alpha (P Q : T -> R) t :
  P t <> 0 -> renyi_term alpha P Q t = Rpower (P t / Q t) alpha * Q t.
Proof. by rewrite /renyi_term; case: Req_EM_T. Qed.

Lemma is_renyi_unique (T : Type) alpha (P Q : T -> R) d d' :
  is_renyi alpha P Q d -> is_renyi alpha P Q d' -> d = d'.
Proof. by move=> [_ [a sum_a ->]] [_ [b /(is_sum_unique sum_a) <- ->]]. Qed.

Lemma is_nor_unique (T : Type) (P Q : T -> R) rho rho' :
  is_nor P Q rho -> is_nor P Q rho' -> rho = rho'.
Proof.
by move=> [_ [upper least]] [_ [upper' least']];
  apply: Rle_antisym; [apply: least | apply: least'].
Qed.

(* The divergence of two laws is not negative: tangents from below. *)

Lemma ln_tangent u : 0 < u -> 1 - / u <= ln u.
Proof.
move=> u_gt0; have iu_gt0 := Rinv_0_lt_compat _ u_gt0.
by have := exp_ineq1_le (ln (/ u)); rewrite exp_ln // ln_Rinv //; lra.
Qed.

Lemma Rpower_tangent alpha u :
  1 < alpha -> 0 < u -> alpha * u - (alpha - 1) <= Rpower u alpha.
Proof.
move=> alpha_gt1 u_gt0.
have -> : Rpower u alpha = u * exp ((alpha - 1) * ln u).
  by rewrite -{2}(exp_ln u) // -exp_plus /Rpower; congr exp; ring.
apply: Rle_trans (Rmult_le_compat_l u _ _ _ (exp_ineq1_le _)); last by lra.
have := Rmult_le_compat_l u _ _ (Rlt_le _ _ u_gt0) (ln_tangent u_gt0).
have -> : u * (1 - / u) = u - 1 by field; lra.
move=> /(Rmult_le_compat_l (alpha - 1)) le_uln.
by have := le_uln ltac:(lra); lra.
Qed.

Lemma renyi_sum_ge1 (T : Type) alpha (P Q : T -> R) a :
  1 < alpha -> is_law P -> is_law Q -> (forall t, Q t = 0 -> P t = 0) ->
  is_sum (renyi_term alpha P Q) a -> 1 <= a.
Proof.
move=> alpha_gt1 lawP lawQ ac sum_a.
have P_ge0 := summand_ge0 lawP; have Q_ge0 := summand_ge0 lawQ.
suff : 1 <= (a + (alpha - 1)) / alpha.
  move=> /(Rmult_le_compat_l alpha) le_a; have := le_a ltac:(lra).
  by rewrite /Rdiv Rmult_1_r Rmult_comm Rmult_assoc Rinv_l; lra.
apply: (is_sum_least lawP) => s uniq_s.
apply: (Rmult_le_reg_l alpha); first by lra.
have -> : alpha * ((a + (alpha - 1)) / alpha) = a + (alpha - 1) by field; lra.
have : alpha * finite_sum P s <=
    finite_sum (renyi_term alpha P Q) s + (alpha - 1) * finite_sum Q s.
  elim: s {uniq_s} => [|t s IHs] /=; first by lra.
  suff : alpha * P t <= renyi_term alpha P Q t + (alpha - 1) * Q t by lra.
  case: (Req_EM_T (P t) 0) => [Pt_eq0|Pt_neq0].
    rewrite renyi_term_zero // Pt_eq0.
    by have := Rmult_le_pos (alpha - 1) (Q t) ltac:(lra) (Q_ge0 t); lra.
  rewrite renyi_term_neq0 //.
  have Pt_gt0 : 0 < P t by have := P_ge0 t; lra.
  have Qt_gt0 : 0 < Q t.
    by case: (Q_ge0 t) => // Qt_eq0; case: Pt_neq0; apply: ac.
  have := Rpower_tangent alpha_gt1 (Rdiv_lt_0_compat _ _ Pt_gt0 Qt_gt0).
  move=> /(Rmult_le_compat_r (Q t) _ _ (Q_ge0 t)).
  have -> : (alpha * (P t / Q t) - (alpha - 1)) * Q t =
      alpha * P t - (alpha - 1) * Q t by field; lra.
  lra.
have := finite_sum_is_sum sum_a uniq_s.
have := Rmult_le_compat_l (alpha - 1) _ _ ltac:(lra)
          (finite_sum_is_sum lawQ uniq_s).
lra.
Qed.

Theorem renyi_ge0 (T : Type) alpha (P Q : T -> R) d :
  1 < alpha -> is_law P -> is_law Q -> is_renyi alpha P Q d -> 0 <= d.
Proof.
move=> alpha_gt1 lawP lawQ [ac [a sum_a ->]].
have a_ge1 := renyi_sum_ge1 alpha_gt1 lawP lawQ ac sum_a.
apply: Rmult_le_pos; last by apply/Rlt_le/Rinv_0_lt_compat; lra.
case: (Rle_lt_or_eq_dec _ _ a_ge1) => [a_gt1|<-]; last by rewrite ln_1; lra.
by rewrite -ln_1; apply/Rlt_le/ln_increasing; lra.
Qed.

(* D_NoR and its square. *)

Lemma nor_upper (T : Type) (P Q : T -> R) rho alpha d d' :
  is_nor P Q rho -> 1 < alpha -> is_renyi alpha P Q d ->
  is_renyi alpha Q P d' -> Rmax (sqrt d) (sqrt d') / sqrt alpha <= rho.
Proof.
by move=> [_ [upper _]] alpha_gt1 D D'; apply: upper; exists alpha, d, d'.
Qed.

Lemma is_nor_ge0 (T : Type) (P Q : T -> R) rho : is_nor P Q rho -> 0 <= rho.
Proof.
move=> nor_rho; have two_gt1 : 1 < 2 by lra.
have [[d D] [d' D']] := (proj1 nor_rho) 2 two_gt1.
have := nor_upper nor_rho two_gt1 D D'.
apply: Rle_trans; apply: Rmult_le_pos.
  by apply: Rle_trans (sqrt_pos d) _; apply: Rmax_l.
by apply/Rlt_le/Rinv_0_lt_compat/sqrt_lt_R0; lra.
Qed.

Lemma sqrt_div_le alpha d rho : 0 < alpha -> 0 <= rho ->
  sqrt d / sqrt alpha <= rho <-> d <= alpha * rho ^ 2.
Proof.
move=> alpha_gt0 rho_ge0; have sqrt_gt0 := sqrt_lt_R0 _ alpha_gt0.
have -> : alpha * rho ^ 2 = (rho * sqrt alpha) ^ 2.
  rewrite Rpow_mult_distr pow2_sqrt; lra.
have rs_ge0 : 0 <= rho * sqrt alpha by apply: Rmult_le_pos => //; lra.
have -> : sqrt d / sqrt alpha <= rho <-> sqrt d <= rho * sqrt alpha.
  split=> le_d.
    apply: (Rmult_le_reg_r (/ sqrt alpha)); first exact: Rinv_0_lt_compat.
    by rewrite Rmult_assoc Rinv_r ?Rmult_1_r //; lra.
  apply: (Rmult_le_reg_r (sqrt alpha)) => //.
  by rewrite /Rdiv Rmult_assoc Rinv_l ?Rmult_1_r //; lra.
split=> le_d; last first.
  by rewrite -(sqrt_pow2 (rho * sqrt alpha)) //; apply: sqrt_le_1_alt.
case: (Rle_lt_dec 0 d) => [d_ge0|d_lt0].
  by rewrite -(pow2_sqrt d) //; apply: pow_incr; split=> //; apply: sqrt_pos.
by apply: Rle_trans (Rlt_le _ _ d_lt0) _; apply: pow2_ge_0.
Qed.

Theorem nor_le_iff (T : Type) (P Q : T -> R) rho : 0 <= rho ->
  nor_le P Q (rho ^ 2) <-> exists2 r, is_nor P Q r & r <= rho.
Proof.
move=> rho_ge0; split=> [le_rho|[r nor_r le_r] alpha alpha_gt1].
  pose set_of r := exists alpha d d', [/\ 1 < alpha, is_renyi alpha P Q d,
    is_renyi alpha Q P d' & r = Rmax (sqrt d) (sqrt d') / sqrt alpha].
  have below r : set_of r -> r <= rho.
    move=> [alpha [d [d' [alpha_gt1 D D' ->]]]].
    have [[e E le_e] [e' E' le_e']] := le_rho _ alpha_gt1.
    have alpha_gt0 : 0 < alpha by lra.
    rewrite (is_renyi_unique D E) (is_renyi_unique D' E').
    by rewrite /Rmax; case: Rle_dec => _; apply/sqrt_div_le.
  have fin alpha : 1 < alpha ->
      (exists d, is_renyi alpha P Q d) /\ (exists d, is_renyi alpha Q P d).
    by move=> /le_rho [[d D _] [d' D' _]]; split; [exists d | exists d'].
  have [||r lub_r] := completeness set_of.
  - by exists rho => r /below.
  - have [[d D] [d' D']] := fin 2 ltac:(lra).
    exists (Rmax (sqrt d) (sqrt d') / sqrt 2); exists 2, d, d'.
    by split=> //; lra.
  by exists r; [split | apply: (proj2 lub_r) => r' /below].
have [[d D] [d' D']] := (proj1 nor_r) _ alpha_gt1.
have alpha_gt0 : 0 < alpha by lra.
have := nor_upper nor_r alpha_gt1 D D'.
have inv_ge0 : 0 <= / sqrt alpha by apply/Rlt_le/Rinv_0_lt_compat/sqrt_lt_R0.
have := Rmult_le_compat_r _ _ _ inv_ge0 (Rmax_l (sqrt d) (sqrt d')).
have := Rmult_le_compat_r _ _ _ inv_ge0 (Rmax_r (sqrt d) (sqrt d')).
rewrite -!/(Rdiv _ _) => le_d' le_d le_max.
by split; [exists d | exists d'] => //; apply/sqrt_div_le => //; lra.
Qed.

Lemma nor_attained (T : Type) (P Q : T -> R) alpha r2 : 0 <= r2 ->
  nor_le P Q r2 -> 1 < alpha -> is_renyi alpha P Q (alpha * r2) ->
  is_nor P Q (sqrt r2).
Proof.
move=> r2_ge0 le_r2 alpha_gt1 D.
have [r nor_r le_r] : exists2 r, is_nor P Q r & r <= sqrt r2.
  by apply/nor_le_iff; [apply: sqrt_pos | rewrite pow2_sqrt].
suff -> : sqrt r2 = r by [].
apply: Rle_antisym => //; have r_ge0 := is_nor_ge0 nor_r.
have : nor_le P Q (r ^ 2).
  by apply/nor_le_iff => //; exists r => //; apply: Rle_refl.
move=> /(_ _ alpha_gt1) [[d /(is_renyi_unique D) <- le_d] _].
rewrite -(sqrt_pow2 r) //; apply: sqrt_le_1_alt.
by apply: (Rmult_le_reg_l alpha); lra.
Qed.

(* Independent outcomes, and fresh composition. *)

Lemma joint_law (T T' : Type) (P : T -> R) (P' : T' -> R) :
  (forall t u : T, {t = u} + {t <> u}) ->
  (forall t u : T', {t = u} + {t <> u}) ->
  is_law P -> is_law P' -> is_law (joint P P').
Proof.
move=> decT decT' lawP lawP'.
by have := is_sum_product decT decT' lawP lawP'; rewrite Rmult_1_l.
Qed.

Lemma renyi_term_joint (T T' : Type) alpha (P Q : T -> R) (P' Q' : T' -> R) t :
  (forall t, 0 <= P t) -> (forall t, 0 <= Q t) ->
  (forall t, 0 <= P' t) -> (forall t, 0 <= Q' t) ->
  (forall t, Q t = 0 -> P t = 0) -> (forall t, Q' t = 0 -> P' t = 0) ->
  renyi_term alpha P Q t.1 * renyi_term alpha P' Q' t.2 =
  renyi_term alpha (joint P P') (joint Q Q') t.
Proof.
move=> P_ge0 Q_ge0 P'_ge0 Q'_ge0 ac ac'.
case: (Req_EM_T (P t.1) 0) => [P_eq0|P_neq0].
  have joint_eq0 : joint P P' t = 0 by rewrite /joint P_eq0; ring.
  by rewrite (renyi_term_zero _ _ P_eq0) (renyi_term_zero _ _ joint_eq0); ring.
case: (Req_EM_T (P' t.2) 0) => [P'_eq0|P'_neq0].
  have joint_eq0 : joint P P' t = 0 by rewrite /joint P'_eq0; ring.
  by rewrite (renyi_term_zero _ _ P'_eq0) (renyi_term_zero _ _ joint_eq0); ring.
have joint_neq0 : joint P P' t <> 0 by move=> /Rmult_integral [].
rewrite !renyi_term_neq0 // /joint.
have Q_neq0 : Q t.1 <> 0 by move=> /ac.
have Q'_neq0 : Q' t.2 <> 0 by move=> /ac'.
have gt0 u : 0 <= u -> u <> 0 -> 0 < u by lra.
have -> : P t.1 * P' t.2 / (Q t.1 * Q' t.2) = P t.1 / Q t.1 * (P' t.2 / Q' t.2).
  by field.
have ratio_gt0 : 0 < P t.1 / Q t.1 by apply: Rdiv_lt_0_compat; apply: gt0.
have ratio'_gt0 : 0 < P' t.2 / Q' t.2 by apply: Rdiv_lt_0_compat; apply: gt0.
by rewrite -Rpower_mult_distr //; ring.
Qed.

Theorem renyi_joint (T T' : Type) alpha (P Q : T -> R) (P' Q' : T' -> R) d d' :
  (forall t u : T, {t = u} + {t <> u}) ->
  (forall t u : T', {t = u} + {t <> u}) ->
  1 < alpha -> is_law P -> is_law Q -> is_law P' -> is_law Q' ->
  is_renyi alpha P Q d -> is_renyi alpha P' Q' d' ->
  is_renyi alpha (joint P P') (joint Q Q') (d + d').
Proof.
move=> decT decT' alpha_gt1 lawP lawQ lawP' lawQ'.
move=> [ac [a sum_a ->]] [ac' [a' sum_a' ->]]; split.
  move=> [t t']; rewrite /joint /= => /Rmult_integral [/ac ->|/ac' ->]; ring.
have a_ge1 := renyi_sum_ge1 alpha_gt1 lawP lawQ ac sum_a.
have a'_ge1 := renyi_sum_ge1 alpha_gt1 lawP' lawQ' ac' sum_a'.
exists (a * a'); last first.
  have -> : ln (a * a') = ln a + ln a' by apply: ln_mult; lra.
  by field; lra.
apply: is_sum_eq (is_sum_product decT decT' sum_a sum_a') => t.
by apply: renyi_term_joint => //;
  [exact: summand_ge0 lawP | exact: summand_ge0 lawQ |
   exact: summand_ge0 lawP' | exact: summand_ge0 lawQ'].
Qed.

Theorem nor_joint (T T' : Type) (P Q : T -> R) (P' Q' : T' -> R) r2 r2' :
  (forall t u : T, {t = u} + {t <> u}) ->
  (forall t u : T', {t = u} + {t <> u}) ->
  is_law P -> is_law Q -> is_law P' -> is_law Q' ->
  nor_le P Q r2 -> nor_le P' Q' r2' ->
  nor_le (joint P P') (joint Q Q') (r2 + r2').
Proof.
move=> decT decT' lawP lawQ lawP' lawQ' le_r2 le_r2' alpha alpha_gt1.
have [[d D le_d] [e E le_e]] := le_r2 _ alpha_gt1.
have [[d' D' le_d'] [e' E' le_e']] := le_r2' _ alpha_gt1.
by split; [exists (d + d') | exists (e + e')];
  [exact: renyi_joint | lra | exact: renyi_joint | lra].
Qed.

Theorem zcdp_composition (X I Y Y' : Type) (U : I -> X -> Prop)
    (d : X -> X -> option nat) (rho rho' : I -> R)
    (T : X -> Y -> R) (T' : X -> Y' -> R) :
  (forall t u : Y, {t = u} + {t <> u}) ->
  (forall t u : Y', {t = u} + {t <> u}) ->
  (forall x, is_law (T x)) -> (forall x, is_law (T' x)) ->
  (forall i, 0 <= rho i) -> (forall i, 0 <= rho' i) ->
  zcdp U d (fun i => Some (rho i)) T -> zcdp U d (fun i => Some (rho' i)) T' ->
  zcdp U d (fun i => Some (sqrt (rho i ^ 2 + rho' i ^ 2)))
       (fun x => joint (T x) (T' x)).
Proof.
move=> decY decY' lawT lawT' rho_ge0 rho'_ge0 dpT dpT' i x x' xU x'U.
have := dpT i x x' xU x'U; have := dpT' i x x' xU x'U.
case: (d x x') => // n.
have n_ge0 := pos_INR n.
have sum_ge0 : 0 <= rho i ^ 2 + rho' i ^ 2.
  by have := pow2_ge_0 (rho i); have := pow2_ge_0 (rho' i); lra.
move=> /nor_le_iff le_T' /nor_le_iff le_T; apply/nor_le_iff.
  by apply: Rmult_le_pos => //; apply: sqrt_pos.
rewrite Rpow_mult_distr pow2_sqrt // Rmult_plus_distr_r -!Rpow_mult_distr.
apply: nor_joint => //; [apply: le_T | apply: le_T']; exact: Rmult_le_pos.
Qed.
