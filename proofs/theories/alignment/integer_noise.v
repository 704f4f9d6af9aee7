From Coq Require Import Reals ZArith List Lra Lia.
From Coq Require Import ssreflect ssrfun ssrbool.
From Stirred Require Import unordered_sum normalized_renyi.

(******************************************************************************)
(* Integer noise, and what it costs to move it.                               *)
(*                                                                            *)
(*   integer_noise == Laplace e, the two-sided geometric law whose masses     *)
(*            fall by e^-e a step, or Geometric e, on 0, 1, ..., e : posreal  *)
(*   noise_mass n z == the mass of the noise n at z                           *)
(*   noise_masses ns z == the mass of independent noise ns at the list z      *)
(*   shifted z k == the list of the z_i + k_i                                 *)
(*   may_shift ns k == k has the length of ns, and is >= 0 at Geometric       *)
(*   shift_cost ns k == the sum of e_i * |k_i|                                *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   noise_masses_law == independent noise has a probability law              *)
(*   noise_masses_shift == a shift k costs a factor e^(shift_cost ns k)       *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "None".

Import ListNotations.

Local Open Scope R_scope.

Variant integer_noise : Type := Laplace of posreal | Geometric of posreal.

Definition noise_rate (n : integer_noise) : posreal :=
  match n with Laplace e => e | Geometric e => e end.

Definition noise_factor (n : integer_noise) : R :=
  let a := exp (- noise_rate n) in
  match n with Laplace _ => (1 - a) / (1 + a) | Geometric _ => 1 - a end.

Definition noise_mass (n : integer_noise) (z : Z) : R :=
  match n with
  | Geometric e =>
      if Z.leb 0 z then noise_factor n * exp (- e * IZR (Z.abs z)) else 0
  | Laplace e => noise_factor n * exp (- e * IZR (Z.abs z))
  end.

Lemma exp_mono x y : x <= y -> exp x <= exp y.
Proof.
by case=> [lt_xy | ->]; [left; apply: exp_increasing | apply: Rle_refl].
Qed.

Lemma falling_shift (e : posreal) (z k : Z) f : 0 <= f ->
  f * exp (- e * IZR (Z.abs z)) <=
  exp (e * IZR (Z.abs k)) * (f * exp (- e * IZR (Z.abs (z + k)))).
Proof.
move=> f_ge0; rewrite (Rmult_comm (exp _)) Rmult_assoc.
apply: Rmult_le_compat_l => //; rewrite -exp_plus; apply: exp_mono.
have := IZR_le _ _ (Z.abs_triangle z k); rewrite plus_IZR => le_abs.
have e_gt0 := cond_pos e.
by have := Rmult_le_compat_l e _ _ (Rlt_le _ _ e_gt0) le_abs; lra.
Qed.

Section OneDraw.

Variable n : integer_noise.

Let e := noise_rate n.
Let a := exp (- e).

Lemma ratio_gt0 : 0 < a.
Proof. exact: exp_pos. Qed.

Lemma ratio_lt1 : a < 1.
Proof. by rewrite -exp_0; apply: exp_increasing; have := cond_pos e; lra. Qed.

Lemma noise_factor_gt0 : 0 < noise_factor n.
Proof.
have a_gt0 := ratio_gt0; have a_lt1 := ratio_lt1; rewrite /noise_factor -/e -/a.
by case: (n) => _; [apply: Rdiv_lt_0_compat | ]; lra.
Qed.

Lemma noise_mass_ge0 z : 0 <= noise_mass n z.
Proof.
have := Rmult_lt_0_compat _ _ noise_factor_gt0
  (exp_pos (- noise_rate n * IZR (Z.abs z))).
by rewrite /noise_mass; case: (n) => e' /= gt0; last case: ifP => _; lra.
Qed.

Lemma noise_mass_shift z k : (if n is Geometric _ then 0 <= k else True)%Z ->
  noise_mass n z <= exp (e * IZR (Z.abs k)) * noise_mass n (z + k).
Proof.
move=> k_ge0; have shift := falling_shift e z k (Rlt_le _ _ noise_factor_gt0).
have ge0 := Rmult_le_pos _ _ (Rlt_le _ _ (exp_pos (e * IZR (Z.abs k))))
  (noise_mass_ge0 (z + k)).
move: k_ge0 shift ge0; rewrite /e /noise_mass; case: (n) => e' //= k_ge0.
by case: Z.leb_spec => //; case: Z.leb_spec => //; lia.
Qed.

(* -m, ..., m                                                                 *)
Fixpoint centred (m : nat) : list Z :=
  match m with
  | O => [0%Z]
  | S l => Z.of_nat m :: (- Z.of_nat m)%Z :: centred l
  end.

Lemma in_centred m z : In z (centred m) <-> (Z.abs z <= Z.of_nat m)%Z.
Proof.
elim: m => [|m IHm]; first by rewrite /=; split=> [[<-|]|] //; lia.
rewrite -[In _ _]/(Z.of_nat (S m) = z \/ (- Z.of_nat (S m))%Z = z \/
  In z (centred m)).
by rewrite IHm; lia.
Qed.

Lemma uniq_centred m : NoDup (centred m).
Proof.
elim: m => [|m IHm]; first by constructor=> //; constructor.
rewrite -[centred _]/(Z.of_nat (S m) :: (- Z.of_nat (S m))%Z :: centred m).
constructor; last by constructor=> //; rewrite in_centred; lia.
by move=> [|/in_centred]; lia.
Qed.

Lemma centred_sum m : exists2 c, 0 <= c <= 2 &
  finite_sum (noise_mass n) (centred m) = 1 - c * a ^ S m.
Proof.
have := ratio_lt1; have := ratio_gt0; rewrite /a /e; case: (n) => e' /=.
all: set b := exp _ => b_gt0 b_lt1; have powE k : exp (- e' * INR k) = b ^ k
  by elim: k => [|k IHk]; [rewrite Rmult_0_r exp_0 |
    rewrite S_INR Rmult_plus_distr_l exp_plus IHk Rmult_1_r /b /=; ring].
all: have absE k : IZR (Z.abs (Z.of_nat k)) = INR k
  by rewrite INR_IZR_INZ; congr IZR; apply: Z.abs_eq; apply: Nat2Z.is_nonneg.
- exists (2 / (1 + b)).
    split; first by apply/Rlt_le/Rdiv_lt_0_compat; lra.
    by apply: (Rmult_le_reg_r (1 + b)); rewrite /Rdiv ?Rmult_assoc ?Rinv_l; lra.
  elim: m => [|m IHm].
    by rewrite /= /noise_mass /= -/b Rmult_0_r exp_0; field; lra.
  rewrite -[finite_sum _ _]/(noise_mass (Laplace e') (Z.of_nat (S m)) +
    (noise_mass (Laplace e') (- Z.of_nat (S m)) +
     finite_sum (noise_mass (Laplace e')) (centred m))).
  rewrite IHm /noise_mass Z.abs_opp absE powE /noise_factor /noise_rate -/b.
  by rewrite -!tech_pow_Rmult; field; lra.
exists 1; first lra.
elim: m => [|m IHm].
  by rewrite /= /noise_mass /= -/b Rmult_0_r exp_0; ring.
rewrite -[finite_sum _ _]/(noise_mass (Geometric e') (Z.of_nat (S m)) +
  (noise_mass (Geometric e') (- Z.of_nat (S m)) +
   finite_sum (noise_mass (Geometric e')) (centred m))).
rewrite IHm /noise_mass absE powE /noise_factor /noise_rate -/b.
case: Z.leb_spec => [_|]; last lia; case: Z.leb_spec => [|_]; first lia.
by rewrite -!tech_pow_Rmult; ring.
Qed.

Lemma noise_mass_law : is_law (noise_mass n).
Proof.
have a_gt0 := ratio_gt0; have a_lt1 := ratio_lt1.
have bounded s : exists m, incl s (centred m).
  elim: s => [|z s [m sm]]; first by exists 0%nat.
  exists (Nat.max (Z.abs_nat z) m) => t /= [<-|/sm]; rewrite !in_centred; lia.
apply: is_sum_intro => [z|s uniq_s|b upper]; first exact: noise_mass_ge0.
  have [m sm] := bounded s; have [c c_in sumE] := centred_sum m.
  apply: Rle_trans (finite_sum_incl noise_mass_ge0 uniq_s sm) _; rewrite sumE.
  have pow_gt0 := pow_lt a (S m) a_gt0.
  by have := Rmult_le_pos c (a ^ S m) ltac:(lra) ltac:(lra); lra.
case: (Rle_lt_dec 1 b) => // lt_b1.
have [||M le_M] := pow_lt_1_zero a _ ((1 - b) / 2).
- by rewrite Rabs_pos_eq; lra.
- by lra.
have [c c_in sumE] := centred_sum M; have pow_gt0 := pow_lt a (S M) a_gt0.
have := le_M (S M) (le_S _ _ (le_n _)); have := upper _ (uniq_centred M).
rewrite sumE Rabs_pos_eq; first exact: Rlt_le.
by have := Rmult_le_compat_r (a ^ S M) c 2 ltac:(lra) ltac:(lra); lra.
Qed.

End OneDraw.

Fixpoint noise_masses (ns : list integer_noise) (z : list Z) : R :=
  match ns, z with
  | [], [] => 1
  | n :: ns', x :: z' => noise_mass n x * noise_masses ns' z'
  | _, _ => 0
  end.

Fixpoint shifted (z k : list Z) : list Z :=
  match z, k with
  | x :: z', y :: k' => (x + y)%Z :: shifted z' k'
  | _, _ => []
  end.

Fixpoint may_shift (ns : list integer_noise) (k : list Z) : Prop :=
  match ns, k with
  | [], [] => True
  | n :: ns', y :: k' =>
      (if n is Geometric _ then 0 <= y else True)%Z /\ may_shift ns' k'
  | _, _ => False
  end.

Fixpoint shift_cost (ns : list integer_noise) (k : list Z) : R :=
  match ns, k with
  | n :: ns', y :: k' => noise_rate n * IZR (Z.abs y) + shift_cost ns' k'
  | _, _ => 0
  end.

Lemma noise_masses_ge0 ns z : 0 <= noise_masses ns z.
Proof.
elim: ns z => [|n ns IHns] [|x z] /=; try lra.
by apply: Rmult_le_pos => //; apply: noise_mass_ge0.
Qed.

Lemma noise_masses_length ns z :
  length z <> length ns -> noise_masses ns z = 0.
Proof.
elim: ns z => [|n ns IHns] [|x z] //= ne; rewrite IHns ?Rmult_0_r // => eq.
by apply: ne; rewrite eq.
Qed.

Lemma may_shift_length ns k : may_shift ns k -> length k = length ns.
Proof. by elim: ns k => [|n ns IHns] [|y k] //= [_ /IHns ->]. Qed.

Lemma shifted_length z k :
  length k = length z -> length (shifted z k) = length z.
Proof. by elim: z k => [|x z IHz] [|y k] //= [/IHz ->]. Qed.

Lemma shifted_injective z w k : length k = length z -> length k = length w ->
  shifted z k = shifted w k -> z = w.
Proof.
elim: k z w => [|y k IHk] [|x z] [|x' w] //= [kz] [kw] [eq_x].
by move=> /(IHk _ _ kz kw) ->; congr cons; lia.
Qed.

Lemma noise_masses_shift ns z k : may_shift ns k -> length z = length ns ->
  noise_masses ns z <= exp (shift_cost ns k) * noise_masses ns (shifted z k).
Proof.
elim: ns z k => [|n ns IHns] [|x z] [|y k] //=.
  by move=> _ _; rewrite exp_0; lra.
move=> [y_ok k_ok] [/(IHns _ _ k_ok) le_ns]; rewrite exp_plus.
have le_n := noise_mass_shift x y_ok.
have := Rmult_le_compat _ _ _ _ (noise_mass_ge0 n x) (noise_masses_ge0 ns z)
  le_n le_ns.
by move=> le_both; apply: Rle_trans le_both _; right; ring.
Qed.

Lemma noise_masses_law ns : is_law (noise_masses ns).
Proof.
elim: ns => [|n ns IHns].
  apply: is_sum_intro => [z|s uniq_s|b upper]; first exact: noise_masses_ge0.
    have zero t : ~ In [] t -> finite_sum (noise_masses []) t = 0.
      elim: t => //= -[|x z] t IHt nil_t; first by case: nil_t; left.
      by rewrite IHt => [in_t|]; [apply: nil_t; right | rewrite Rplus_0_r].
    elim: s / uniq_s => [|[|x z] s zs _ IHs] /=; first lra.
      by rewrite zero //; lra.
    by rewrite Rplus_0_l.
  have /upper /= : NoDup [@nil Z] by constructor=> //; constructor.
  lra.
pose h (t : unit + Z * list Z) := if t is inr (x, z) then x :: z else [].
apply: (is_sum_bijection (h := h)).
- by move=> [[]|[x z]] [[]|[x' z']] // [-> ->].
- by case=> [|x z]; [exists (inl tt) | exists (inr (x, z))].
rewrite -[1]Rplus_0_l; apply: is_sum_disjoint => /=.
  have := is_sum_scale (Rle_refl 0) IHns; rewrite Rmult_0_l => sum0.
  by apply: is_sum_intro => [_|s _|b /(_ [] (NoDup_nil _)) //];
    [lra | elim: s => [|_ s IHs] /=; lra].
have decZ := Z.eq_dec; have decL := list_eq_dec Z.eq_dec.
apply: (is_sum_eq _ (joint_law decZ decL (noise_mass_law n) IHns)).
by case=> x z.
Qed.
