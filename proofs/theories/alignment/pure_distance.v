From Coq Require Import Reals Lra Classical_Prop ClassicalDedekindReals.
From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat extended specification real_numbers
  real_field event_distance.
From Stirred Require Import unordered_sum normalized_renyi nor_conversion.
From Stirred Require Import integer_noise noisy_programs aligned_loops.

(******************************************************************************)
(* D_Mult on the laws of any set, with values in the real numbers, and what a *)
(* certificate of alignment says of the five blocks of a specification.       *)
(*                                                                            *)
(*   law_on T == the laws on T: masses that add up to 1                       *)
(*   decided P == P, decided by the axioms of the real numbers                *)
(*   pure_distance choice T == D_Mult on law_on T: the least e with           *)
(*            P t <= exp e * Q t and Q t <= exp e * P t for all t, or oo      *)
(*   neighbors_apart choice near == the input premetric with 1 between        *)
(*            different neighbors, in either order, oo between others         *)
(*   output_law dec p == the law of what the program p returns                *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   pure_distance_le == what a bound on D_Mult says                          *)
(*   certified_dp == certificates in both directions are pure differential    *)
(*            privacy, for lists of every length                              *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.

Local Open Scope R_scope.

Definition law_on (T : Type) : Type := {P : T -> R | is_law P}.

Definition decided (P : Prop) : bool := if sig_not_dec P then true else false.

Lemma decidedP P : reflect P (decided P).
Proof.
by rewrite /decided; case: sig_not_dec => h; constructor; first exact: NNPP.
Qed.

Lemma pure_le_mono (T : Type) (P Q : T -> R) a b : is_law P -> is_law Q ->
  a <= b -> pure_le a P Q -> pure_le b P Q.
Proof.
move=> lawP lawQ le_ab le_a t; have [PQ QP] := le_a t.
have P_ge0 := summand_ge0 lawP t; have Q_ge0 := summand_ge0 lawQ t.
have le_exp := exp_mono le_ab.
by split; [apply: Rle_trans PQ _ | apply: Rle_trans QP _];
  apply: Rmult_le_compat_r.
Qed.

Section PureDistance.

Variable choice : choice_of_reals.

Section Laws.

Variable T : Type.
Implicit Types P Q : law_on T.

Definition pure_bounds P Q (e : R) : Prop :=
  0 <= e /\ pure_le e (sval P) (sval Q).

Lemma least_bound P Q : (exists e, pure_bounds P Q e) ->
  {g | 0 <= g & forall e, 0 <= e -> (pure_le e (sval P) (sval Q) <-> g <= e)}.
Proof.
case: P Q => [P lawP] [Q lawQ] ex.
pose E x := pure_bounds (exist _ P lawP) (exist _ Q lawQ) (- x).
have [||g [upper least]] := completeness E.
- by exists 0 => x [x_le0 _]; lra.
- by have [e eE] := ex; exists (- e); rewrite /E Ropp_involutive.
have g_le0 : g <= 0 by apply: least => x [x_le0 _]; lra.
exists (- g); first lra.
move=> e e_ge0; split=> [le_e | le_ge].
  suff : - e <= g by lra.
  by apply: upper; rewrite /E Ropp_involutive.
apply: (pure_le_mono lawP lawQ le_ge).
have attained (P' Q' : T -> R) t : is_law Q' ->
    (forall x, E x -> P' t <= exp (- x) * Q' t) -> P' t <= exp (- g) * Q' t.
  move=> lawQ' le_x; case: (Rle_lt_dec (P' t) (exp (- g) * Q' t)) => // lt_P.
  have e_gt0 := exp_pos (- g).
  case: (summand_ge0 lawQ' t) => [Q_gt0 | Q_eq0]; last first.
    have [e' eE] := ex; have /le_x : E (- e') by rewrite /E Ropp_involutive.
    by rewrite -Q_eq0; rewrite -Q_eq0 in lt_P; lra.
  have P_gt0 : 0 < P' t by have := Rmult_lt_0_compat _ _ e_gt0 Q_gt0; lra.
  have : g <= - ln (P' t / Q' t).
    apply: least => x /le_x le_P.
    suff : ln (P' t / Q' t) <= - x by lra.
    rewrite -[- x]ln_exp; have ratio_gt0 := Rdiv_lt_0_compat _ _ P_gt0 Q_gt0.
    have : P' t / Q' t <= exp (- x).
      apply: (Rmult_le_reg_r (Q' t)) => //.
      by rewrite /Rdiv Rmult_assoc Rinv_l; lra.
    case=> [lt_ratio | ->]; last exact: Rle_refl.
    by left; apply: ln_increasing.
  move=> le_g; have : exp (ln (P' t / Q' t)) <= exp (- g).
    by apply: exp_mono; lra.
  rewrite exp_ln; last exact: Rdiv_lt_0_compat.
  move=> /(Rmult_le_compat_r (Q' t) _ _ (Rlt_le _ _ Q_gt0)).
  by rewrite /Rdiv Rmult_assoc Rinv_l; lra.
by move=> t; split; apply: attained => // x [_ le_x]; have [] := le_x t.
Qed.

Lemma exp0_refl P : pure_le 0 (sval P) (sval P).
Proof. by move=> t; rewrite exp_0; lra. Qed.

Definition pure_cost P Q : ext (reals choice) :=
  if decidedP (exists e, pure_bounds P Q e) is ReflectT ex
  then positive_part choice (sval (sig_of_sig2 (least_bound ex))) else oo.

Lemma pure_cost_le P Q (e : nneg (reals choice)) :
  pure_cost P Q <=e Some e <-> pure_le (nneg_val e : R) (sval P) (sval Q).
Proof.
have /realsP e_ge0 := nneg_ge0 e; rewrite /pure_cost.
case: decidedP => [ex | no_e]; last first.
  by split=> // le_e; case: no_e; exists (nneg_val e : R).
case: least_bound => g g_ge0 bound; rewrite positive_part_le /=.
by split=> [/bound | /bound]; apply.
Qed.

Lemma pure_cost_refl P : pure_cost P P = 0e.
Proof.
by apply: lee0; apply/(pure_cost_le P P (NNeg (lexx 0%R)))/exp0_refl.
Qed.

Definition pure_distance : premetric (reals choice) (law_on T) :=
  Premetric pure_cost_refl.

Theorem pure_distance_le P Q (e : nneg (reals choice)) :
  pure_distance P Q <=e Some e <-> pure_le (nneg_val e : R) (sval P) (sval Q).
Proof. exact: pure_cost_le. Qed.

End Laws.

Section Neighbors.

Variables (X : Type) (near : X -> X -> Prop).

Definition apart_or_near (x x' : X) : ext (reals choice) :=
  if decided (x = x') then 0e
  else if decided (near x x' \/ near x' x) then 1e else oo.

Lemma apart_or_near_refl x : apart_or_near x x = 0e.
Proof. by rewrite /apart_or_near; case: decidedP. Qed.

Definition neighbors_apart : premetric (reals choice) X :=
  Premetric apart_or_near_refl.

Lemma satisfies_near T (eps : R) (M : X -> law_on T) :
  (forall x x', near x x' -> pure_le eps (sval (M x)) (sval (M x'))) ->
  satisfies (everything X) neighbors_apart (pure_distance T)
    (fun _ => positive_part choice eps) M.
Proof.
move=> le_eps _ x x' _ _.
rewrite -[dist neighbors_apart x x']/(apart_or_near x x') /apart_or_near.
case: decidedP => [-> | _]; first by rewrite dist_refl le0e.
case: decidedP => [near_xx' | _]; last exact: leoo.
rewrite mule1; apply/pure_cost_le.
apply: (pure_le_mono (svalP (M x)) (svalP (M x')) (Rmax_r 0 eps)).
by case: near_xx' => [/le_eps // | /le_eps le_x] t; have [] := le_x t.
Qed.

End Neighbors.

End PureDistance.

Arguments pure_distance choice T : clear implicits.

Definition output_law (Y : Type) (dec : forall y y' : Y, {y = y'} + {y <> y'})
    (p : program Y) : law_on Y := exist _ (mass dec p) (mass_law dec p).

Theorem certified_dp (choice : choice_of_reals) (S D M M' : Type)
    (near : M -> option D -> option D -> M -> Prop)
    (near' : M' -> option D -> option D -> M' -> Prop) start pass last
    (inv : M -> R -> S -> S -> Prop) (inv' : M' -> R -> S -> S -> Prop) m m' eps
    (neighbors : list D -> list D -> Prop) :
  aligned_certificate near start pass last inv m eps ->
  aligned_certificate near' start pass last inv' m' eps ->
  (forall rs rs', neighbors rs rs' ->
     paired near m rs rs' /\ paired near' m' rs' rs) ->
  satisfies (everything (list D)) (neighbors_apart choice neighbors)
    (pure_distance choice (list event)) (fun _ => positive_part choice eps)
    (fun rs => output_law events_dec (on_list start pass last rs)).
Proof.
move=> cert cert' pairs; apply: satisfies_near => rs rs'.
by move=> /pairs[rs_rs' rs'_rs] y; split; [apply: certified_le cert rs_rs' |
  apply: certified_le cert' rs'_rs].
Qed.
