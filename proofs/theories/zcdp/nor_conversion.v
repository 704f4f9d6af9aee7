From Coq Require Import Reals List Lra Classical_Prop.
From Coq Require Import ssreflect ssrfun ssrbool.
From Stirred Require Import unordered_sum normalized_renyi nor_metric.
From Stirred Require Import nor_processing.

(******************************************************************************)
(* D_NoR beside the multiplicative distance and (epsilon, delta).             *)
(*                                                                            *)
(*   probability P A p == the event A : T -> Prop has probability p under P,  *)
(*            the least upper bound of its finite parts                       *)
(*   approximate_exp_le epsilon delta P Q == P(A) <= e^epsilon Q(A) + delta   *)
(*            and Q(A) <= e^epsilon P(A) + delta for all events A             *)
(*   pure_le epsilon P Q == P t <= e^epsilon Q t and Q t <= e^epsilon P t for *)
(*            all outcomes t                                                  *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   nor_approximate == D_NoR(P, Q) = rho and 0 < delta < 1 give              *)
(*            approximate_exp_le (rho^2 + 2 rho sqrt (- ln delta)) delta P Q  *)
(*   zcdp_approximate == the same for a mechanism and each pair of data sets  *)
(*   pure_nor == pure_le epsilon P Q gives D_NoR(P, Q)^2 <= epsilon^2 / 2     *)
(*                                                                            *)
(* The argument for nor_approximate. Pointwise, for alpha > 1,                *)
(*   P t <= e^epsilon Q t + e^(- (alpha - 1) epsilon) P t^alpha Q t^(1-alpha),*)
(* by cases on P t <= e^epsilon Q t. Sum over A, use D_alpha <= alpha rho^2,  *)
(* and take alpha = 1 + sqrt (- ln delta) / rho.                              *)
(*                                                                            *)
(* The argument for pure_nor. On [e^-epsilon, e^epsilon] the convex x^alpha   *)
(* lies below its chord, and the chord at 1 is                                *)
(*   cosh ((alpha - 1/2) epsilon) / cosh (epsilon / 2);                       *)
(* as cosh x * e^(- x^2 / 2) decreases for x >= 0, this is at most            *)
(* e^(alpha (alpha - 1) epsilon^2 / 2).                                       *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "None".

Local Open Scope R_scope.

Definition probability (T : Type) (P : T -> R) (A : T -> Prop) (p : R) : Prop :=
  is_lub (fun r => exists s, [/\ NoDup s, forall t, In t s -> A t &
                                 r = finite_sum P s]) p.

Definition approximate_exp_le (T : Type) (epsilon delta : R) (P Q : T -> R) :
    Prop :=
  forall A p q, probability P A p -> probability Q A q ->
    p <= exp epsilon * q + delta /\ q <= exp epsilon * p + delta.

Definition pure_le (T : Type) (epsilon : R) (P Q : T -> R) : Prop :=
  forall t, P t <= exp epsilon * Q t /\ Q t <= exp epsilon * P t.

Lemma probability_le (T : Type) (P Q : T -> R) A p q g delta :
  0 <= g ->
  (forall s, NoDup s -> finite_sum P s <= g * finite_sum Q s + delta) ->
  probability P A p -> probability Q A q -> p <= g * q + delta.
Proof.
move=> g_ge0 le_s [_ least] [upper _]; apply: least => _ [s [uniq_s sA ->]].
apply: Rle_trans (le_s s uniq_s) _; apply: Rplus_le_compat_r.
by apply: Rmult_le_compat_l => //; apply: upper; exists s.
Qed.

Lemma renyi_tail (T : Type) alpha (P Q : T -> R) a epsilon s :
  1 < alpha -> is_law P -> is_law Q -> (forall t, Q t = 0 -> P t = 0) ->
  is_sum (renyi_term alpha P Q) a -> NoDup s ->
  finite_sum P s <=
  exp epsilon * finite_sum Q s + exp (- ((alpha - 1) * epsilon)) * a.
Proof.
move=> alpha_gt1 lawP lawQ ac sum_a uniq_s.
have P_ge0 := summand_ge0 lawP; have Q_ge0 := summand_ge0 lawQ.
set w := exp (- ((alpha - 1) * epsilon)).
have w_gt0 : 0 < w by apply: exp_pos.
have e_gt0 := exp_pos epsilon.
have pointwise t : P t <= exp epsilon * Q t + w * renyi_term alpha P Q t.
  have term_ge0 := Rmult_le_pos _ _ (Rlt_le _ _ w_gt0)
                     (renyi_term_ge0 alpha P (Q_ge0 t)).
  have eQ_ge0 := Rmult_le_pos _ _ (Rlt_le _ _ e_gt0) (Q_ge0 t).
  case: (Rle_lt_dec (P t) (exp epsilon * Q t)) => [|lt_P]; first by lra.
  have P_gt0 : 0 < P t by lra.
  have Q_gt0 : 0 < Q t.
    by case: (Q_ge0 t) => // /esym /ac P_eq0; lra.
  suff : P t <= w * renyi_term alpha P Q t by lra.
  rewrite renyi_term_exp // /w -exp_plus -{1}(exp_ln (P t)) //.
  have le_ln : epsilon + ln (Q t) < ln (P t).
    rewrite -{1}(ln_exp epsilon) -ln_mult //.
    by apply: ln_increasing => //; apply: Rmult_lt_0_compat.
  have gap := Rmult_lt_compat_l (alpha - 1) _ _ ltac:(lra) le_ln.
  by apply/Rlt_le/exp_increasing; lra.
apply: Rle_trans (finite_sum_le s pointwise) _.
rewrite finite_sum_add !finite_sum_scale; apply: Rplus_le_compat_l.
by apply: Rmult_le_compat_l; [lra | apply: finite_sum_is_sum sum_a uniq_s].
Qed.

Lemma renyi_bound_approximate (T : Type) (P Q : T -> R) rho delta s :
  is_law P -> is_law Q -> 0 < rho -> 0 < delta < 1 ->
  renyi_bound P Q (rho ^ 2) -> NoDup s ->
  finite_sum P s <=
  exp (rho ^ 2 + 2 * rho * sqrt (- ln delta)) * finite_sum Q s + delta.
Proof.
move=> lawP lawQ rho_gt0 delta_01 le_rho uniq_s.
have ln_gt0 : 0 < - ln delta.
  have : ln delta < ln 1 by apply: ln_increasing; lra.
  by rewrite ln_1; lra.
set z := sqrt (- ln delta).
have z_gt0 : 0 < z by apply: sqrt_lt_R0.
have z2 : z ^ 2 = - ln delta by rewrite pow2_sqrt //; lra.
set alpha := 1 + z / rho.
have alpha_gt1 : 1 < alpha.
  by rewrite /alpha; have := Rdiv_lt_0_compat z rho z_gt0 rho_gt0; lra.
set epsilon := rho ^ 2 + 2 * rho * z.
have [d [ac [a sum_a d_eq]] le_d] := le_rho _ alpha_gt1.
have := renyi_tail epsilon alpha_gt1 lawP lawQ ac sum_a uniq_s.
have a_ge1 := renyi_sum_ge1 alpha_gt1 lawP lawQ ac sum_a.
suff : exp (- ((alpha - 1) * epsilon)) * a <= delta by lra.
have ln_a : ln a = (alpha - 1) * d by rewrite d_eq; field; lra.
have -> : a = exp ((alpha - 1) * d) by rewrite -ln_a exp_ln //; lra.
rewrite -exp_plus -[X in _ <= X]exp_ln; first by lra.
have alpha1_gt0 : 0 <= alpha - 1 by lra.
have := Rmult_le_compat_l _ _ _ alpha1_gt0 le_d.
have -> : (alpha - 1) * (alpha * rho ^ 2) = z * rho + z ^ 2.
  by rewrite /alpha; field; lra.
have : (alpha - 1) * epsilon = z * rho + 2 * z ^ 2.
  by rewrite /alpha /epsilon; field; lra.
rewrite z2 => eps_eq le_ad.
suff [lt_e|eq_e] : - ((alpha - 1) * epsilon) + (alpha - 1) * d <= ln delta.
- by apply/Rlt_le/exp_increasing.
- by rewrite eq_e; apply: Rle_refl.
lra.
Qed.

Theorem nor_approximate (T : Type) (P Q : T -> R) rho delta :
  is_law P -> is_law Q -> is_nor P Q rho -> 0 < delta < 1 ->
  approximate_exp_le (rho ^ 2 + 2 * rho * sqrt (- ln delta)) delta P Q.
Proof.
move=> lawP lawQ nor_rho delta_01 A p q prob_p prob_q.
have e_ge0 : 0 <= exp (rho ^ 2 + 2 * rho * sqrt (- ln delta)).
  exact/Rlt_le/exp_pos.
have [PQ QP] : renyi_bound P Q (rho ^ 2) /\ renyi_bound Q P (rho ^ 2).
  apply/nor_le_bounds/nor_le_iff; first exact: is_nor_ge0 nor_rho.
  by exists rho => //; apply: Rle_refl.
case: (is_nor_ge0 nor_rho) => [rho_gt0|rho_eq0].
  by split; [apply: probability_le prob_p prob_q => // s |
             apply: probability_le prob_q prob_p => // s];
    apply: renyi_bound_approximate.
have eq_PQ : Q = P.
  apply: FunctionalExtensionality.functional_extensionality.
  have nor_0 : is_nor P Q 0 by rewrite rho_eq0.
  by move=> t; rewrite (proj1 (nor_zero lawP lawQ) nor_0).
have one_e : exp (rho ^ 2 + 2 * rho * sqrt (- ln delta)) = 1.
  by rewrite -rho_eq0 -exp_0; congr exp; ring.
by split; [apply: probability_le prob_p prob_q => // s _ |
           apply: probability_le prob_q prob_p => // s _];
  rewrite one_e eq_PQ; lra.
Qed.

Theorem zcdp_approximate (X I Y : Type) (U : I -> X -> Prop)
    (d : X -> X -> option nat) (rho : I -> option R) (T : X -> Y -> R)
    i x x' n r delta :
  (forall x, is_law (T x)) -> zcdp U d rho T -> U i x -> U i x' ->
  rho i = Some r -> d x x' = Some n -> 0 < delta < 1 ->
  approximate_exp_le ((r * INR n) ^ 2 + 2 * (r * INR n) * sqrt (- ln delta))
    delta (T x) (T x').
Proof.
move=> lawT dpT x_i x'_i rho_i d_n delta_01.
have := dpT i x x' x_i x'_i; rewrite rho_i d_n => -[r' nor_r' le_r'].
have r'_ge0 := is_nor_ge0 nor_r'; set w := r * INR n in le_r' *.
move=> A p q prob_p prob_q; have z_ge0 := sqrt_pos (- ln delta).
have [le_p le_q] :=
  nor_approximate (lawT x) (lawT x') nor_r' delta_01 prob_p prob_q.
have widen : exp (r' ^ 2 + 2 * r' * sqrt (- ln delta)) <=
    exp (w ^ 2 + 2 * w * sqrt (- ln delta)).
  have le_sq : r' ^ 2 <= w ^ 2 by apply: pow_incr.
  have := Rmult_le_compat_r _ _ _ z_ge0 le_r' => le_zr.
  have [lt_e|eq_e] : r' ^ 2 + 2 * r' * sqrt (- ln delta) <=
      w ^ 2 + 2 * w * sqrt (- ln delta) by lra.
    by apply/Rlt_le/exp_increasing.
  by rewrite eq_e; apply: Rle_refl.
have prob_ge0 P B r0 : probability P B r0 -> 0 <= r0.
  move=> [upper _]; apply: upper; exists nil.
  by split=> //; constructor.
have := Rmult_le_compat_r _ _ _ (prob_ge0 _ _ _ _ prob_p) widen.
have := Rmult_le_compat_r _ _ _ (prob_ge0 _ _ _ _ prob_q) widen.
lra.
Qed.

(* cosh x * e^(- x^2 / 2) decreases. *)

Lemma exp_quadratic_derivative s x :
  derivable_pt_lim (fun y => exp (s * y - / 2 * (y * y))) x
    (exp (s * x - / 2 * (x * x)) * (s - x)).
Proof.
have -> : s - x = s * 1 - / 2 * (1 * x + x * 1) by field.
apply: (derivable_pt_lim_comp (fun y => s * y - / 2 * (y * y)) exp);
  last exact: derivable_pt_lim_exp.
apply: derivable_pt_lim_minus; apply: derivable_pt_lim_scal.
  exact: derivable_pt_lim_id.
by apply: derivable_pt_lim_mult; apply: derivable_pt_lim_id.
Qed.

Lemma linear_exp_derivative s x :
  derivable_pt_lim (fun y => (1 + s * y) * exp (- (s * y))) x
    (- (s * s * x) * exp (- (s * x))).
Proof.
have -> : - (s * s * x) * exp (- (s * x)) =
    (0 + s * 1) * exp (- (s * x)) +
    (1 + s * x) * (exp (- (s * x)) * (- (s * 1))) by ring.
apply: derivable_pt_lim_mult.
  apply: derivable_pt_lim_plus; first exact: derivable_pt_lim_const.
  exact/derivable_pt_lim_scal/derivable_pt_lim_id.
apply: (derivable_pt_lim_comp (fun y => - (s * y)) exp);
  last exact: derivable_pt_lim_exp.
exact/derivable_pt_lim_opp/derivable_pt_lim_scal/derivable_pt_lim_id.
Qed.

Lemma sinh_le x : 0 <= x -> (1 - x) * exp x <= (1 + x) * exp (- x).
Proof.
case=> [x_gt0|<-]; last by rewrite Ropp_0; lra.
pose phi y := (1 + 1 * y) * exp (- (1 * y)) - (1 + -1 * y) * exp (- (-1 * y)).
pose phi' y := - (1 * 1 * y) * exp (- (1 * y)) -
               - (-1 * -1 * y) * exp (- (-1 * y)).
have [|u [phi_u u_x]] := @MVT_cor2 phi phi' 0 x x_gt0.
  by move=> u _; apply: derivable_pt_lim_minus; apply: linear_exp_derivative.
have phi_0 : phi 0 = 0 by rewrite /phi !Rmult_0_r; lra.
have e_u : exp (- (1 * u)) <= exp (- (-1 * u)).
  by apply/Rlt_le/exp_increasing; lra.
have phi'_ge0 : 0 <= phi' u.
  have := Rmult_le_compat_l u _ _ ltac:(lra) e_u.
  by rewrite /phi'; lra.
have : 0 <= phi' u * (x - 0) by apply: Rmult_le_pos; lra.
rewrite -phi_u phi_0 /phi.
have -> : - (1 * x) = - x by ring.
have -> : - (-1 * x) = x by ring.
lra.
Qed.

Lemma cosh_gaussian_decreases b c : 0 <= b -> b <= c ->
  exp (c - / 2 * (c * c)) + exp (- c - / 2 * (c * c)) <=
  exp (b - / 2 * (b * b)) + exp (- b - / 2 * (b * b)).
Proof.
move=> b_ge0 [lt_bc|->]; last exact: Rle_refl.
pose g y := exp (1 * y - / 2 * (y * y)) + exp (-1 * y - / 2 * (y * y)).
pose g' y := exp (1 * y - / 2 * (y * y)) * (1 - y) +
             exp (-1 * y - / 2 * (y * y)) * (-1 - y).
have [|u [g_u u_bc]] := @MVT_cor2 g g' b c lt_bc.
  by move=> u _; apply: derivable_pt_lim_plus; apply: exp_quadratic_derivative.
have g'_le0 : g' u <= 0.
  rewrite /g' /Rminus !exp_plus.
  have -> : 1 * u = u by ring.
  have -> : -1 * u = - u by ring.
  have := Rmult_le_compat_r _ _ _ (Rlt_le _ _ (exp_pos (- (/ 2 * (u * u)))))
            (sinh_le (x:=u) ltac:(lra)).
  lra.
have : g' u * (c - b) <= 0.
  by have := Rmult_le_compat_r (c - b) _ _ ltac:(lra) g'_le0; lra.
rewrite -g_u /g.
have -> : 1 * c = c by ring.
have -> : 1 * b = b by ring.
have -> : -1 * c = - c by ring.
have -> : -1 * b = - b by ring.
lra.
Qed.

Lemma chord_at_one epsilon alpha : 0 < epsilon -> 1 < alpha ->
  ((1 - exp (- epsilon)) * exp (alpha * epsilon) +
   (exp epsilon - 1) * exp (- (alpha * epsilon))) /
  (exp epsilon - exp (- epsilon)) <=
  exp (alpha * (alpha - 1) * (epsilon ^ 2 / 2)).
Proof.
move=> eps_gt0 alpha_gt1; set b := epsilon / 2.
set u := exp b; set E := exp (alpha * epsilon).
have u_gt1 : 1 < u by rewrite -exp_0; apply: exp_increasing; rewrite /b; lra.
have E_gt0 : 0 < E by apply: exp_pos.
have exp_e : exp epsilon = u * u.
  by rewrite -exp_plus; congr exp; rewrite /b; field.
have -> : exp (- epsilon) = / (u * u) by rewrite exp_Ropp exp_e.
have -> : exp (- (alpha * epsilon)) = / E by rewrite exp_Ropp.
rewrite exp_e.
have uu_gt1 : 1 < u * u by have := Rmult_gt_0_lt_compat 1 u 1 u; lra.
have uuuu_gt1 : 1 < u * u * (u * u).
  by have := Rmult_gt_0_lt_compat 1 (u * u) 1 (u * u); lra.
have -> : ((1 - / (u * u)) * E + (u * u - 1) * / E) / (u * u - / (u * u)) =
    (E * / u + / E * u) / (u + / u).
  by field; repeat split; lra.
have iu_gt0 : 0 < / u by apply: Rinv_0_lt_compat; lra.
apply: (Rmult_le_reg_r (u + / u)); first by lra.
have -> : (E * / u + / E * u) / (u + / u) * (u + / u) = E * / u + / E * u.
  by field; repeat split; lra.
set c := alpha * epsilon - b.
have -> : E * / u = exp c by rewrite /c /Rminus exp_plus exp_Ropp.
have -> : / E * u = exp (- c).
  by rewrite /c Ropp_minus_distr /Rminus exp_plus exp_Ropp Rmult_comm.
have -> : / u = exp (- b) by rewrite exp_Ropp.
have le_bc : b <= c.
  have := Rmult_lt_compat_r epsilon 1 alpha eps_gt0 alpha_gt1.
  by rewrite /c /b; lra.
have key : (exp c + exp (- c)) * exp (- (/ 2 * (c * c))) <=
    (exp b + exp (- b)) * exp (- (/ 2 * (b * b))).
  rewrite (Rmult_plus_distr_r (exp c)) (Rmult_plus_distr_r (exp b)).
  rewrite -!exp_plus; have b_ge0 : 0 <= b by rewrite /b; lra.
  exact: cosh_gaussian_decreases b_ge0 le_bc.
have split_b : exp (- (/ 2 * (b * b))) = exp (- (/ 2 * (c * c))) *
    exp (alpha * (alpha - 1) * (epsilon ^ 2 / 2)).
  by rewrite -exp_plus /c /b; congr exp; field.
apply: (Rmult_le_reg_r (exp (- (/ 2 * (c * c))))); first exact: exp_pos.
apply: Rle_trans key _; rewrite split_b /u; apply: Req_le; ring.
Qed.

(* The chord of x^alpha. *)

Lemma Rpower_chord alpha l h x : 1 < alpha -> 0 < l -> l < h -> l <= x <= h ->
  (h - l) * Rpower x alpha <=
  (x - l) * Rpower h alpha + (h - x) * Rpower l alpha.
Proof.
move=> alpha_gt1 l_gt0 lt_lh x_lh; have x_gt0 : 0 < x by lra.
have := Rmult_le_compat_l (x - l) _ _ ltac:(lra)
  (Rpower_tangent_at alpha_gt1 x_gt0 (Rlt_trans _ _ _ l_gt0 lt_lh)).
have := Rmult_le_compat_l (h - x) _ _ ltac:(lra)
  (Rpower_tangent_at alpha_gt1 x_gt0 l_gt0).
have -> : Rpower x alpha = Rpower x (alpha - 1) * x.
  by rewrite -{3}(Rpower_1 x) // -Rpower_plus; congr Rpower; ring.
move: (Rpower x (alpha - 1)) (Rpower h alpha) (Rpower l alpha) => v H L.
lra.
Qed.

(* The chord of x^alpha over the likelihood ratio of one output. *)
Lemma renyi_term_chord (T : Type) (P Q : T -> R) epsilon alpha t
    (h := exp epsilon) (l := exp (- epsilon))
    (H := Rpower h alpha) (L := Rpower l alpha) :
    is_law P -> is_law Q -> pure_le epsilon P Q -> 1 < alpha -> l < h ->
  (h - l) * renyi_term alpha P Q t + (l * H - h * L) * Q t <= (H - L) * P t.
Proof.
move=> lawP lawQ le_PQ alpha_gt1 lt_lh.
have P_ge0 := summand_ge0 lawP; have Q_ge0 := summand_ge0 lawQ.
have l_gt0 : 0 < l by apply: exp_pos.
have hl1 : h * l = 1 by rewrite -exp_plus Rplus_opp_r exp_0.
have ac : Q t = 0 -> P t = 0.
  by move=> Q_eq0; have [] := le_PQ t; have := P_ge0 t; rewrite Q_eq0; lra.
case: (Req_EM_T (P t) 0) => [P_eq0|P_neq0].
  have Q_eq0 : Q t = 0.
    by have [] := le_PQ t; have := Q_ge0 t; rewrite P_eq0; lra.
  by rewrite renyi_term_zero // P_eq0 Q_eq0; lra.
have P_gt0 : 0 < P t by have := P_ge0 t; lra.
have Q_gt0 : 0 < Q t by case: (Q_ge0 t) => // /esym /ac.
have ratio : l <= P t / Q t <= h.
  have [le_P le_Q] := le_PQ t; split; apply: (Rmult_le_reg_r (Q t)) => //.
    have -> : P t / Q t * Q t = P t by field; lra.
    have := Rmult_le_compat_l l _ _ (Rlt_le _ _ l_gt0) le_Q.
    have -> : l * (h * P t) = h * l * P t by ring.
    by rewrite hl1; lra.
  have -> : P t / Q t * Q t = P t by field; lra.
  exact: le_P.
have := Rpower_chord alpha_gt1 l_gt0 lt_lh ratio.
rewrite renyi_term_neq0 // -/H -/L.
move=> /(Rmult_le_compat_r _ _ _ (Q_ge0 t)).
have -> : ((P t / Q t - l) * H + (h - P t / Q t) * L) * Q t =
    (H - L) * P t - (l * H - h * L) * Q t by field; lra.
lra.
Qed.

Lemma pure_renyi_bound (T : Type) (P Q : T -> R) epsilon :
  is_law P -> is_law Q -> 0 < epsilon -> pure_le epsilon P Q ->
  renyi_bound P Q (epsilon ^ 2 / 2).
Proof.
move=> lawP lawQ eps_gt0 le_PQ alpha alpha_gt1.
have P_ge0 := summand_ge0 lawP; have Q_ge0 := summand_ge0 lawQ.
set h := exp epsilon in le_PQ; set l := exp (- epsilon).
have l_gt0 : 0 < l by apply: exp_pos.
have l_lt1 : l < 1 by rewrite -exp_0; apply: exp_increasing; lra.
have h_gt1 : 1 < h by rewrite -exp_0; apply: exp_increasing; lra.
set H := Rpower h alpha; set L := Rpower l alpha.
have H_eq : H = exp (alpha * epsilon) by rewrite /H /Rpower ln_exp.
have L_eq : L = exp (- (alpha * epsilon)).
  by rewrite /L /Rpower ln_exp; congr exp; ring.
have L_gt0 : 0 < L by apply: exp_pos.
have lt_LH : L < H by rewrite L_eq H_eq; apply: exp_increasing;
  have := Rmult_lt_0_compat alpha epsilon; lra.
have ac t : Q t = 0 -> P t = 0.
  by move=> Q_eq0; have [] := le_PQ t; have := P_ge0 t; rewrite Q_eq0; lra.
have slack_ge0 : 0 <= l * H - h * L.
  have -> : l * H = exp ((alpha - 1) * epsilon).
    by rewrite H_eq /l -exp_plus; congr exp; ring.
  have -> : h * L = exp (- ((alpha - 1) * epsilon)).
    by rewrite L_eq /h -exp_plus; congr exp; ring.
  have pos : 0 < (alpha - 1) * epsilon by apply: Rmult_lt_0_compat; lra.
  have := exp_increasing (- ((alpha - 1) * epsilon)) ((alpha - 1) * epsilon).
  lra.
have pointwise t := renyi_term_chord t lawP lawQ le_PQ alpha_gt1
  (Rlt_trans _ _ _ l_lt1 h_gt1); rewrite -/h -/l -/H -/L in pointwise.
have HL_ge0 : 0 <= H - L by lra.
have hl_gt0 : 0 < h - l by lra.
have [a sum_a] : {a | is_sum (renyi_term alpha P Q) a}.
  apply: (is_sum_dominated _ (is_sum_scale
           (Rlt_le _ _ (Rdiv_lt_0_compat (H - L) (h - l) ltac:(lra) hl_gt0))
           lawP)) => t.
  split; first exact: renyi_term_ge0.
  apply: (Rmult_le_reg_l (h - l)) => //.
  have -> : (h - l) * ((H - L) / (h - l) * P t) = (H - L) * P t by field; lra.
  have := Rmult_le_pos _ _ slack_ge0 (Q_ge0 t); have := pointwise t; lra.
have a_ge1 := renyi_sum_ge1 alpha_gt1 lawP lawQ ac sum_a.
have le_a : (h - l) * a + (l * H - h * L) * 1 <= (H - L) * 1.
  exact: is_sum_le pointwise
    (is_sum_add (is_sum_scale (Rlt_le _ _ hl_gt0) sum_a)
       (is_sum_scale slack_ge0 lawQ)) (is_sum_scale HL_ge0 lawP).
have le_exp : a <= exp (alpha * (alpha - 1) * (epsilon ^ 2 / 2)).
  apply: Rle_trans _ (chord_at_one eps_gt0 alpha_gt1).
  apply: (Rmult_le_reg_l (h - l)) => //; rewrite -H_eq -L_eq -/h -/l.
  have -> : (h - l) * (((1 - l) * H + (h - 1) * L) / (h - l)) =
      (1 - l) * H + (h - 1) * L by field; lra.
  lra.
exists (ln a / (alpha - 1)); first by split=> //; exists a.
apply: (Rmult_le_reg_r (alpha - 1)); first by lra.
have -> : ln a / (alpha - 1) * (alpha - 1) = ln a by field; lra.
have -> : alpha * (epsilon ^ 2 / 2) * (alpha - 1) =
    ln (exp (alpha * (alpha - 1) * (epsilon ^ 2 / 2))).
  by rewrite ln_exp; ring.
case: le_exp => [lt_a|<-]; last exact: Rle_refl.
by apply/Rlt_le/ln_increasing => //; lra.
Qed.

Theorem pure_nor (T : Type) (P Q : T -> R) epsilon :
  is_law P -> is_law Q -> 0 <= epsilon -> pure_le epsilon P Q ->
  nor_le P Q (epsilon ^ 2 / 2).
Proof.
move=> lawP lawQ [eps_gt0|<-] le_PQ; apply/nor_le_bounds.
  split; apply: pure_renyi_bound => // t.
  by have [] := le_PQ t; split.
have -> : Q = P.
  apply: FunctionalExtensionality.functional_extensionality => t.
  by have [] := le_PQ t; rewrite exp_0; lra.
have bound : renyi_bound P P (0 ^ 2 / 2).
  move=> alpha _; exists 0; first exact: renyi_self.
  by rewrite /=; lra.
by [].
Qed.
