From Coq Require Import Reals List Lra Classical_Prop.
From Coq Require Import ssreflect ssrfun ssrbool.
From Stirred Require Import unordered_sum normalized_renyi.

(******************************************************************************)
(* Post-processing under D_NoR: a randomised map of the outcome does not make *)
(* a Renyi divergence larger.                                                 *)
(*                                                                            *)
(*   is_mixture P K P' == P' is the law of the output of the randomised map K *)
(*            at an outcome of P: P' u is the sum over t of P t * K t u       *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   mixture_law == it is a law                                               *)
(*   renyi_processing == D_alpha(P' || Q') <= D_alpha(P || Q)                 *)
(*   nor_processing == D_NoR(P', Q') <= D_NoR(P, Q)                           *)
(*   zcdp_processing == so zCDP survives post-processing                      *)
(*                                                                            *)
(* The argument. Let r = P' u / Q' u > 0. The tangent of x^alpha at r gives   *)
(*   P t^alpha Q t^(1-alpha) >=                                               *)
(*     alpha r^(alpha-1) P t - (alpha - 1) r^alpha Q t;                       *)
(* weighted with K t u and summed over t, the right-hand side is r^alpha Q' u.*)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "None".

Local Open Scope R_scope.

Definition is_mixture (T U : Type) (P : T -> R) (K : T -> U -> R)
    (P' : U -> R) : Prop :=
  forall u, is_sum (fun t => P t * K t u) (P' u).

Lemma common_list (I : Type) (s t : list I) : NoDup s -> NoDup t ->
  exists w, [/\ NoDup w, incl s w & incl t w].
Proof.
move=> uniq_s uniq_t; elim: t / uniq_t => [|i t _ _ [w [uniq_w sw tw]]].
  by exists s; split=> //; apply: incl_refl.
case: (classic (In i w)) => [iw|not_iw].
  by exists w; split=> //; apply: incl_cons.
exists (i :: w)%list; split; [by constructor | by apply: incl_tl |].
by apply: incl_cons; [apply: in_eq | apply: incl_tl].
Qed.

Lemma is_sum_add (I : Type) (f g : I -> R) a b :
  is_sum f a -> is_sum g b -> is_sum (fun i => f i + g i) (a + b).
Proof.
move=> sum_a sum_b.
have f_ge0 := summand_ge0 sum_a; have g_ge0 := summand_ge0 sum_b.
apply: is_sum_intro => [i|s uniq_s|c upper].
- by apply: Rplus_le_le_0_compat.
- rewrite finite_sum_add.
  by apply: Rplus_le_compat; apply: finite_sum_is_sum uniq_s.
suff : a <= c - b by lra.
apply: (is_sum_least sum_a) => s uniq_s.
suff : b <= c - finite_sum f s by lra.
apply: (is_sum_least sum_b) => t uniq_t.
have [w [uniq_w sw tw]] := common_list uniq_s uniq_t.
have := upper w uniq_w; rewrite finite_sum_add.
have := finite_sum_incl f_ge0 uniq_s sw.
have := finite_sum_incl g_ge0 uniq_t tw.
lra.
Qed.

Lemma is_sum_finite (I J : Type) (F : I -> J -> R) (b : J -> R) (s : list J) :
  (forall j, is_sum (F^~ j) (b j)) ->
  is_sum (fun i => finite_sum (F i) s) (finite_sum b s).
Proof.
move=> sum_b; elim: s => [|j s IHs] /=; last exact: is_sum_add.
apply: is_sum_intro => [_|s _|c upper]; first exact: Rle_refl.
  by elim: s => [|i s IHs] /=; lra.
exact: upper (NoDup_nil I).
Qed.

Lemma is_sum_dominated (I : Type) (f g : I -> R) b :
  (forall i, 0 <= f i <= g i) -> is_sum g b -> {a | is_sum f a}.
Proof.
move=> fg sum_b; apply: (@is_sum_exists _ _ b) => [i|s uniq_s].
  by case: (fg i).
apply: Rle_trans (finite_sum_is_sum sum_b uniq_s).
by apply: finite_sum_le => i; case: (fg i).
Qed.

Lemma is_law_le1 (T : Type) (P : T -> R) t : is_law P -> 0 <= P t <= 1.
Proof.
by move=> lawP; split; [apply: summand_ge0 lawP t | apply: is_sum_term lawP].
Qed.

Section Mixture.

Variables (T U : Type) (K : T -> U -> R).
Hypothesis lawK : forall t, is_law (K t).

Lemma weighted_le (f : T -> R) t u : 0 <= f t -> 0 <= f t * K t u <= f t.
Proof.
move=> f_ge0; have [K_ge0 K_le1] := is_law_le1 u (lawK t).
split; first exact: Rmult_le_pos.
by rewrite -{2}(Rmult_1_r (f t)); apply: Rmult_le_compat_l.
Qed.

Lemma weighted_sum (f : T -> R) a u :
  is_sum f a -> {b | is_sum (fun t => f t * K t u) b}.
Proof.
move=> sum_a; apply: (is_sum_dominated _ sum_a) => t.
exact/weighted_le/(summand_ge0 sum_a).
Qed.

Lemma finite_weighted_le (f : T -> R) a (b : U -> R) s : is_sum f a ->
  (forall u, is_sum (fun t => f t * K t u) (b u)) -> NoDup s ->
  finite_sum b s <= a.
Proof.
move=> sum_a sum_b uniq_s; have f_ge0 := summand_ge0 sum_a.
apply: is_sum_le (is_sum_finite s sum_b) sum_a => t.
rewrite finite_sum_scale -{2}(Rmult_1_r (f t)).
by apply: Rmult_le_compat_l => //; apply: finite_sum_is_sum (lawK t) uniq_s.
Qed.

Lemma mixture_law (P : T -> R) (P' : U -> R) :
  is_law P -> is_mixture P K P' -> is_law P'.
Proof.
move=> lawP mixP; have P_ge0 := summand_ge0 lawP.
apply: is_sum_intro => [u|s|b upper].
- exact: is_sum_ge0 (mixP u).
- exact: finite_weighted_le lawP mixP.
apply: (is_sum_least lawP) => w uniq_w.
have column t : is_sum (fun u => P t * K t u) (P t).
  by have := is_sum_scale (P_ge0 t) (lawK t); rewrite Rmult_1_r.
apply: (is_sum_least (is_sum_finite w column)) => s uniq_s.
apply: Rle_trans (upper s uniq_s); apply: finite_sum_le => u.
exact: finite_sum_is_sum (mixP u) uniq_w.
Qed.

Lemma mixture_continuous (P Q : T -> R) (P' Q' : U -> R) u :
  is_law P -> is_law Q -> is_mixture P K P' -> is_mixture Q K Q' ->
  (forall t, Q t = 0 -> P t = 0) -> Q' u = 0 -> P' u = 0.
Proof.
move=> lawP lawQ mixP mixQ ac Q'_eq0.
apply: Rle_antisym; last exact: is_sum_ge0 (mixP u).
apply: (is_sum_least (mixP u)) => s _; elim: s => [|t s IHs] /=; first by lra.
suff -> : P t * K t u = 0 by lra.
have [QK_ge0 _] := weighted_le u (summand_ge0 lawQ t).
have QK_le0 := is_sum_term t (mixQ u); rewrite Q'_eq0 in QK_le0.
have : Q t * K t u = 0 by lra.
by move=> /Rmult_integral [/ac ->|->]; ring.
Qed.

Lemma Rpower_tangent_at alpha r x : 1 < alpha -> 0 < r -> 0 < x ->
  alpha * Rpower r (alpha - 1) * x - (alpha - 1) * Rpower r alpha <=
  Rpower x alpha.
Proof.
move=> alpha_gt1 r_gt0 x_gt0.
have xr_gt0 : 0 < x / r by apply: Rdiv_lt_0_compat.
have ra_ge0 : 0 <= Rpower r alpha by apply/Rlt_le/exp_pos.
have := Rmult_le_compat_l _ _ _ ra_ge0 (Rpower_tangent alpha_gt1 xr_gt0).
rewrite (Rpower_mult_distr r (x / r)) //.
have -> : r * (x / r) = x by field; lra.
have -> : Rpower r alpha = Rpower r (alpha - 1) * r.
  by rewrite -{3}(Rpower_1 r) // -Rpower_plus; congr Rpower; ring.
have -> : Rpower r (alpha - 1) * r * (alpha * (x / r) - (alpha - 1)) =
    alpha * Rpower r (alpha - 1) * x - (alpha - 1) * (Rpower r (alpha - 1) * r).
  by field; lra.
by [].
Qed.

Lemma renyi_term_mixture alpha (P Q : T -> R) (P' Q' : U -> R) u h :
  1 < alpha -> is_law P -> is_law Q -> is_mixture P K P' -> is_mixture Q K Q' ->
  (forall t, Q t = 0 -> P t = 0) ->
  is_sum (fun t => renyi_term alpha P Q t * K t u) h ->
  renyi_term alpha P' Q' u <= h.
Proof.
move=> alpha_gt1 lawP lawQ mixP mixQ ac sum_h.
have P_ge0 := summand_ge0 lawP; have Q_ge0 := summand_ge0 lawQ.
case: (Req_EM_T (P' u) 0) => [P'_eq0|P'_neq0].
  by rewrite renyi_term_zero //; apply: is_sum_ge0 sum_h.
have P'_gt0 : 0 < P' u by have := is_sum_ge0 (mixP u); lra.
have Q'_gt0 : 0 < Q' u.
  case: (is_sum_ge0 (mixQ u)) => // /esym Q'_eq0; case: P'_neq0.
  exact: mixture_continuous ac Q'_eq0.
rewrite renyi_term_neq0 //; set r := P' u / Q' u.
have r_gt0 : 0 < r by apply: Rdiv_lt_0_compat.
set v := Rpower r (alpha - 1); set w := Rpower r alpha.
have v_gt0 : 0 < v by apply: exp_pos.
have w_gt0 : 0 < w by apply: exp_pos.
have av_ge0 : 0 <= alpha * v by apply: Rmult_le_pos; lra.
have aw_ge0 : 0 <= (alpha - 1) * w by apply: Rmult_le_pos; lra.
have w_v : w = v * r.
  rewrite /w /v -{3}(Rpower_1 r) // -Rpower_plus.
  by congr Rpower; ring.
have le_sums : alpha * v * P' u <= h + (alpha - 1) * w * Q' u.
  apply: is_sum_le (is_sum_scale av_ge0 (mixP u))
    (is_sum_add sum_h (is_sum_scale aw_ge0 (mixQ u))) => t /=.
  have [K_ge0 _] := is_law_le1 u (lawK t).
  suff le_t : alpha * v * P t <=
      renyi_term alpha P Q t + (alpha - 1) * w * Q t.
    by have := Rmult_le_compat_r _ _ _ K_ge0 le_t; lra.
  case: (Req_EM_T (P t) 0) => [P_eq0|P_neq0].
    rewrite renyi_term_zero // P_eq0 Rmult_0_r Rplus_0_l.
    exact: Rmult_le_pos.
  have P_gt0 : 0 < P t by have := P_ge0 t; lra.
  have Q_gt0 : 0 < Q t by case: (Q_ge0 t) => // /esym /ac.
  rewrite renyi_term_neq0 //.
  have := Rpower_tangent_at alpha_gt1 r_gt0 (Rdiv_lt_0_compat _ _ P_gt0 Q_gt0).
  move=> /(Rmult_le_compat_r _ _ _ (Q_ge0 t)); rewrite -/v -/w.
  have -> : (alpha * v * (P t / Q t) - (alpha - 1) * w) * Q t =
      alpha * v * P t - (alpha - 1) * w * Q t by field; lra.
  lra.
have P'_eq : P' u = r * Q' u by rewrite /r; field; lra.
have : alpha * v * P' u = alpha * (w * Q' u) by rewrite P'_eq w_v; ring.
lra.
Qed.

Theorem renyi_processing alpha (P Q : T -> R) (P' Q' : U -> R) d :
  1 < alpha -> is_law P -> is_law Q -> is_mixture P K P' -> is_mixture Q K Q' ->
  is_renyi alpha P Q d -> exists2 d', is_renyi alpha P' Q' d' & d' <= d.
Proof.
move=> alpha_gt1 lawP lawQ mixP mixQ [ac [a sum_a ->]].
have lawP' := mixture_law lawP mixP; have lawQ' := mixture_law lawQ mixQ.
have ac' u : Q' u = 0 -> P' u = 0 by apply: mixture_continuous ac.
pose h u := proj1_sig (weighted_sum u sum_a).
have sum_h u : is_sum (fun t => renyi_term alpha P Q t * K t u) (h u).
  by rewrite /h; case: weighted_sum.
have below s : NoDup s -> finite_sum (renyi_term alpha P' Q') s <= a.
  move=> uniq_s; apply: Rle_trans (finite_weighted_le sum_a sum_h uniq_s).
  apply: finite_sum_le => u.
  exact: renyi_term_mixture alpha_gt1 lawP lawQ mixP mixQ ac (sum_h u).
have term_ge0 u : 0 <= renyi_term alpha P' Q' u.
  case: (Req_EM_T (P' u) 0) => [P'_eq0|P'_neq0].
    by rewrite renyi_term_zero //; apply: Rle_refl.
  rewrite renyi_term_neq0 //; apply: Rmult_le_pos (summand_ge0 lawQ' u).
  exact/Rlt_le/exp_pos.
have [c sum_c] := is_sum_exists term_ge0 below.
have c_ge1 := renyi_sum_ge1 alpha_gt1 lawP' lawQ' ac' sum_c.
have le_ca := is_sum_least sum_c below.
exists (ln c / (alpha - 1)); first by split=> //; exists c.
apply: Rmult_le_compat_r; first by apply/Rlt_le/Rinv_0_lt_compat; lra.
case: le_ca => [lt_ca|->]; last exact: Rle_refl.
by apply/Rlt_le/ln_increasing; lra.
Qed.

Theorem nor_processing (P Q : T -> R) (P' Q' : U -> R) rho :
  is_law P -> is_law Q -> is_mixture P K P' -> is_mixture Q K Q' ->
  is_nor P Q rho -> exists2 rho', is_nor P' Q' rho' & rho' <= rho.
Proof.
move=> lawP lawQ mixP mixQ nor_rho; have rho_ge0 := is_nor_ge0 nor_rho.
have le_rho : nor_le P Q (rho ^ 2).
  by apply/nor_le_iff => //; exists rho => //; apply: Rle_refl.
apply/nor_le_iff => // alpha alpha_gt1.
have [[d D le_d] [e E le_e]] := le_rho _ alpha_gt1.
have [d' D' le_d'] := renyi_processing alpha_gt1 lawP lawQ mixP mixQ D.
have [e' E' le_e'] := renyi_processing alpha_gt1 lawQ lawP mixQ mixP E.
by split; [exists d' | exists e'] => //; lra.
Qed.

End Mixture.

Theorem zcdp_processing (X I T U : Type) (universe : I -> X -> Prop)
    (d : X -> X -> option nat) (rho : I -> option R) (K : T -> U -> R)
    (M : X -> T -> R) (M' : X -> U -> R) :
  (forall t, is_law (K t)) -> (forall x, is_law (M x)) ->
  (forall x, is_mixture (M x) K (M' x)) ->
  zcdp universe d rho M -> zcdp universe d rho M'.
Proof.
move=> lawK lawM mixM dpM i x x' x_i x'_i; have := dpM i x x' x_i x'_i.
case: (rho i) => // r; case: (d x x') => // n [r' nor_r' le_r'].
have [r'' nor_r'' le_r''] :=
  nor_processing lawK (lawM x) (lawM x') (mixM x) (mixM x') nor_r'.
by exists r'' => //; lra.
Qed.
