From Coq Require Import Reals List ZArith Lia Lra ssreflect ssrfun ssrbool.
From Stirred Require Import unordered_sum gaussian_sum normalized_renyi.

(******************************************************************************)
(* The discrete Gaussian with integer shifts, its Renyi divergences for every *)
(* real order, and its exact normalized Renyi metric.                         *)
(*                                                                            *)
(*   discrete_gaussian s2 c == N_Z(c, s2), the law on the integers with       *)
(*            probability exp (- (x - c)^2 / (2 s2)) / f(c) at x              *)
(*   shifted_gaussian s2 t y == the probability of y when t is added to an    *)
(*            outcome of N_Z(0, s2)                                           *)
(*   lattice n == ((unit * Z) * ...) * Z, vectors of n integers               *)
(*   diagonal_gaussian s2 m == independent N_Z(m k, s2 k) for k < n           *)
(*   squared_distance s2 a b n == the sum of (a k - b k)^2 / (2 s2 k), k < n  *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   discrete_gaussian_law == it is a probability law                         *)
(*   discrete_gaussian_renyi == D_alpha(N_Z(a, s2) || N_Z(b, s2)) in closed   *)
(*            form: alpha (a - b)^2 / (2 s2) + ln (f(mu) / f(0)) / (alpha - 1)*)
(*            with mu = alpha a + (1 - alpha) b                               *)
(*   discrete_gaussian_renyi_integer == it is alpha (a - b)^2 / (2 s2) for    *)
(*            integers alpha > 1                                              *)
(*   discrete_gaussian_renyi_le == it is at most that for all real alpha > 1  *)
(*   discrete_gaussian_shift == so D_NoR(N_Z(m, s2), N_Z(0, s2))^2 is at most *)
(*            m^2 / (2 s2) for integers m                                     *)
(*   discrete_gaussian_nor == D_NoR(N_Z(a, s2), N_Z(b, s2)) is exactly        *)
(*            sqrt ((a - b)^2 / (2 s2))                                       *)
(*   discrete_gaussian_zcdp == an integer query that moves by at most         *)
(*            D * d(x, x') satisfies zCDP with rho = D / sqrt (2 s2)          *)
(*   shifted_gaussian_infinite == if the output is shifted by t and t is not  *)
(*            an integer, then no Renyi divergence is finite                  *)
(*   diagonal_gaussian_nor == D_NoR of two vectors, exactly                   *)
(*                                                                            *)
(* The argument. With P = N_Z(a, s2) and Q = N_Z(b, s2), completing the       *)
(* square gives sum P^alpha Q^(1-alpha) =                                     *)
(*   exp (alpha (alpha - 1) (a - b)^2 / (2 s2)) f(mu) / f(0),                 *)
(* as f(a) = f(b) = f(0) at integers; and f(mu) <= f(0) by gauss_sum_max.     *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "None".

Local Open Scope R_scope.

Definition discrete_gaussian (s2 c : R) (x : Z) : R :=
  bell s2 c x / gauss_sum s2 c.

Theorem discrete_gaussian_law s2 c : 0 < s2 -> is_law (discrete_gaussian s2 c).
Proof.
move=> s2_gt0; have f_gt0 := gauss_sum_gt0 c s2_gt0.
have inv_ge0 := Rlt_le _ _ (Rinv_0_lt_compat _ f_gt0).
have := is_sum_scale inv_ge0 (gauss_sum_is_sum c s2_gt0).
rewrite Rinv_l; first by lra.
by apply: is_sum_eq => x; rewrite Rmult_comm.
Qed.

Lemma discrete_gaussian_gt0 s2 c x : 0 < s2 -> 0 < discrete_gaussian s2 c x.
Proof.
by move=> s2_gt0; apply: Rdiv_lt_0_compat (bell_gt0 _ _ _) (gauss_sum_gt0 _ _).
Qed.

Lemma discrete_gaussian_renyi_term s2 a b alpha x : 0 < s2 ->
  renyi_term alpha (discrete_gaussian s2 (IZR a))
    (discrete_gaussian s2 (IZR b)) x =
  exp (alpha * (alpha - 1) * (IZR a - IZR b) ^ 2 / (2 * s2)) / gauss_sum s2 0 *
  bell s2 (alpha * IZR a + (1 - alpha) * IZR b) x.
Proof.
move=> s2_gt0; rewrite renyi_term_neq0.
  by have := discrete_gaussian_gt0 (IZR a) x s2_gt0; lra.
have f_gt0 := gauss_sum_gt0 0 s2_gt0.
rewrite /discrete_gaussian !gauss_sum_integer //.
set f0 := gauss_sum s2 0 in f_gt0 *.
have -> : bell s2 (IZR a) x / f0 / (bell s2 (IZR b) x / f0) =
    exp (- (IZR x - IZR a) ^ 2 / (2 * s2) + (IZR x - IZR b) ^ 2 / (2 * s2)).
  have b_gt0 := bell_gt0 s2 (IZR b) x.
  have -> : bell s2 (IZR a) x / f0 / (bell s2 (IZR b) x / f0) =
      bell s2 (IZR a) x * / bell s2 (IZR b) x by field; lra.
  rewrite /bell -exp_Ropp -exp_plus; congr exp.
  by field; lra.
rewrite /Rpower ln_exp /bell /Rdiv -Rmult_assoc -exp_plus.
rewrite [RHS]Rmult_assoc (Rmult_comm (/ f0)) -Rmult_assoc -exp_plus.
by congr (exp _ * _); field; lra.
Qed.

Theorem discrete_gaussian_renyi s2 a b alpha : 0 < s2 -> 1 < alpha ->
  is_renyi alpha (discrete_gaussian s2 (IZR a)) (discrete_gaussian s2 (IZR b))
    (alpha * ((IZR a - IZR b) ^ 2 / (2 * s2)) +
     ln (gauss_sum s2 (alpha * IZR a + (1 - alpha) * IZR b) / gauss_sum s2 0) /
     (alpha - 1)).
Proof.
move=> s2_gt0 alpha_gt1; set mu := alpha * IZR a + _.
have f0_gt0 := gauss_sum_gt0 0 s2_gt0; have fmu_gt0 := gauss_sum_gt0 mu s2_gt0.
set u := alpha * (alpha - 1) * (IZR a - IZR b) ^ 2 / (2 * s2).
split; first by move=> x; have := discrete_gaussian_gt0 (IZR b) x s2_gt0; lra.
have k_ge0 : 0 <= exp u / gauss_sum s2 0.
  exact/Rlt_le/(Rdiv_lt_0_compat _ _ (exp_pos u) f0_gt0).
exists (exp u / gauss_sum s2 0 * gauss_sum s2 mu).
  apply: is_sum_eq (is_sum_scale k_ge0 (gauss_sum_is_sum mu s2_gt0)) => x.
  by rewrite discrete_gaussian_renyi_term.
have -> : exp u / gauss_sum s2 0 * gauss_sum s2 mu =
    exp u * (gauss_sum s2 mu / gauss_sum s2 0) by field; lra.
have ratio_gt0 := Rdiv_lt_0_compat _ _ fmu_gt0 f0_gt0.
rewrite (ln_mult _ _ (exp_pos u) ratio_gt0) ln_exp /u.
by field; lra.
Qed.

Theorem discrete_gaussian_renyi_integer s2 a b n : 0 < s2 -> (1 < n)%Z ->
  is_renyi (IZR n) (discrete_gaussian s2 (IZR a)) (discrete_gaussian s2 (IZR b))
    (IZR n * ((IZR a - IZR b) ^ 2 / (2 * s2))).
Proof.
move=> s2_gt0 /IZR_lt n_gt1.
have := discrete_gaussian_renyi a b s2_gt0 n_gt1.
have -> : IZR n * IZR a + (1 - IZR n) * IZR b = IZR (n * a + (1 - n) * b).
  by rewrite plus_IZR !mult_IZR minus_IZR.
rewrite gauss_sum_integer // /Rdiv Rinv_r.
  by have := gauss_sum_gt0 0 s2_gt0; lra.
by rewrite ln_1 Rmult_0_l Rplus_0_r.
Qed.

Lemma ln_le0 u : 0 < u -> u <= 1 -> ln u <= 0.
Proof.
move=> u_gt0 u_le1; rewrite -[X in _ <= X]ln_1.
by case: u_le1 => [u_lt1|->]; [apply/Rlt_le/ln_increasing | apply: Rle_refl].
Qed.

Theorem discrete_gaussian_renyi_le s2 a b alpha : 0 < s2 -> 1 < alpha ->
  exists2 d, is_renyi alpha (discrete_gaussian s2 (IZR a))
               (discrete_gaussian s2 (IZR b)) d &
             d <= alpha * ((IZR a - IZR b) ^ 2 / (2 * s2)).
Proof.
move=> s2_gt0 alpha_gt1; have D := discrete_gaussian_renyi a b s2_gt0 alpha_gt1.
eexists; first exact: D.
set mu := alpha * IZR a + _.
have f0_gt0 := gauss_sum_gt0 0 s2_gt0; have fmu_gt0 := gauss_sum_gt0 mu s2_gt0.
have inv_gt0 : 0 < / (alpha - 1) by apply: Rinv_0_lt_compat; lra.
suff : ln (gauss_sum s2 mu / gauss_sum s2 0) <= 0.
  by move=> /(Rmult_le_compat_r _ _ _ (Rlt_le _ _ inv_gt0)); rewrite /Rdiv; lra.
apply: ln_le0; first exact: Rdiv_lt_0_compat.
apply: (Rmult_le_reg_r (gauss_sum s2 0)) => //.
have -> : gauss_sum s2 mu / gauss_sum s2 0 * gauss_sum s2 0 = gauss_sum s2 mu.
  by field; lra.
by rewrite Rmult_1_l; apply: gauss_sum_max.
Qed.

Lemma discrete_gaussian_nor_le s2 a b : 0 < s2 ->
  nor_le (discrete_gaussian s2 (IZR a)) (discrete_gaussian s2 (IZR b))
    ((IZR a - IZR b) ^ 2 / (2 * s2)).
Proof.
move=> s2_gt0 alpha alpha_gt1; split; first exact: discrete_gaussian_renyi_le.
have -> : (IZR a - IZR b) ^ 2 = (IZR b - IZR a) ^ 2 by ring.
exact: discrete_gaussian_renyi_le.
Qed.

Lemma discrete_gaussian_shift s2 m : 0 < s2 ->
  nor_le (discrete_gaussian s2 (IZR m)) (discrete_gaussian s2 0)
    (IZR m ^ 2 / (2 * s2)).
Proof.
move=> /(@discrete_gaussian_nor_le s2 m 0).
by have -> : IZR m - 0 = IZR m by ring.
Qed.

Lemma scaled_square_ge0 s2 u : 0 < s2 -> 0 <= u ^ 2 / (2 * s2).
Proof.
move=> s2_gt0; apply: Rmult_le_pos (pow2_ge_0 u) _.
by apply/Rlt_le/Rinv_0_lt_compat; lra.
Qed.

Theorem discrete_gaussian_nor s2 a b : 0 < s2 ->
  is_nor (discrete_gaussian s2 (IZR a)) (discrete_gaussian s2 (IZR b))
    (sqrt ((IZR a - IZR b) ^ 2 / (2 * s2))).
Proof.
move=> s2_gt0; have two_gt1 : 1 < 2 by lra.
apply: nor_attained two_gt1 _; first exact: scaled_square_ge0.
  exact: discrete_gaussian_nor_le.
exact: (@discrete_gaussian_renyi_integer s2 a b 2).
Qed.

Theorem discrete_gaussian_zcdp (X I : Type) (U : I -> X -> Prop)
    (d : X -> X -> option nat) (q : X -> Z) (D : nat) s2 :
  0 < s2 ->
  (forall i x x' n, U i x -> U i x' -> d x x' = Some n ->
     (Z.abs (q x - q x') <= Z.of_nat D * Z.of_nat n)%Z) ->
  zcdp U d (fun=> Some (INR D / sqrt (2 * s2)))
    (fun x => discrete_gaussian s2 (IZR (q x))).
Proof.
move=> s2_gt0 q_moves i x x' xU x'U; case d_n : (d x x') => [n|] //.
exists (sqrt ((IZR (q x) - IZR (q x')) ^ 2 / (2 * s2))).
  exact: discrete_gaussian_nor.
have ss2_gt0 : 0 < sqrt (2 * s2) by apply: sqrt_lt_R0; lra.
have two_s2_gt0 : 0 < 2 * s2 by lra.
rewrite sqrt_div_alt // -minus_IZR.
have -> : sqrt (IZR (q x - q x') ^ 2) = IZR (Z.abs (q x - q x')).
  by rewrite abs_IZR -sqrt_Rsqr_abs Rsqr_pow2.
have -> : INR D / sqrt (2 * s2) * INR n = INR D * INR n / sqrt (2 * s2).
  by field; lra.
apply: Rmult_le_compat_r; first exact/Rlt_le/Rinv_0_lt_compat.
rewrite !INR_IZR_INZ -mult_IZR; apply: IZR_le.
exact: (q_moves i).
Qed.

(* A shift that is not an integer. *)

Definition shifted_gaussian (s2 t y : R) : R :=
  if Req_EM_T (frac_part (y - t)) 0 then
    discrete_gaussian s2 0 (Int_part (y - t))
  else 0.

Theorem shifted_gaussian_infinite s2 t alpha : 0 < s2 -> frac_part t <> 0 ->
  ~ exists d, is_renyi alpha (shifted_gaussian s2 t) (shifted_gaussian s2 0) d.
Proof.
move=> s2_gt0 t_frac [d [ac _]].
have : shifted_gaussian s2 t t = 0.
  apply: ac; rewrite /shifted_gaussian Rminus_0_r.
  by case: Req_EM_T.
rewrite /shifted_gaussian; have -> : t - t = 0 by ring.
have := discrete_gaussian_gt0 0 (Int_part 0) s2_gt0.
by case: Req_EM_T => [_|[]] /=; [lra | exact: fp_R0].
Qed.

(* Vectors with a diagonal of scales. *)

Fixpoint lattice (n : nat) : Type :=
  match n with O => unit | S k => (lattice k * Z)%type end.

Fixpoint diagonal_gaussian (s2 : nat -> R) (m : nat -> Z) (n : nat) :
    lattice n -> R :=
  match n with
  | O => fun=> 1
  | S k => joint (diagonal_gaussian s2 m (n:=k))
             (discrete_gaussian (s2 k) (IZR (m k)))
  end.

Fixpoint squared_distance (s2 : nat -> R) (a b : nat -> Z) (n : nat) : R :=
  match n with
  | O => 0
  | S k => squared_distance s2 a b k +
           (IZR (a k) - IZR (b k)) ^ 2 / (2 * s2 k)
  end.

Lemma lattice_eq_dec n (u v : lattice n) : {u = v} + {u <> v}.
Proof.
elim: n u v => [|n IHn] /=; first by move=> [] []; left.
by move=> [u x] [v y]; case: (IHn u v) => [->|uv]; [|right; case];
  case: (Z.eq_dec x y) => [->|xy]; [left | right; case | |].
Qed.

Lemma is_sum_unit (f : unit -> R) : 0 <= f tt -> is_sum f (f tt).
Proof.
move=> f_ge0; apply: is_sum_intro => [[] //|s uniq_s|b upper].
  case: uniq_s => [|[] [|[] s'] not_in _] /=; [lra | lra |].
  by case: not_in; left.
have uniq : List.NoDup (tt :: nil)%list by constructor=> //; constructor.
by have := upper _ uniq; rewrite /=; lra.
Qed.

Lemma diagonal_gaussian_law s2 m n :
  (forall k, 0 < s2 k) -> is_law (diagonal_gaussian s2 m (n:=n)).
Proof.
move=> s2_gt0; elim: n => [|n IHn] /=; first by apply: is_sum_unit; lra.
apply: joint_law IHn (discrete_gaussian_law _ (s2_gt0 n)).
  exact: lattice_eq_dec.
exact: Z.eq_dec.
Qed.

Lemma trivial_renyi alpha : is_renyi alpha (fun _ : unit => 1) (fun=> 1) 0.
Proof.
split=> [//|]; exists 1; last by rewrite ln_1 /Rdiv Rmult_0_l.
have term_1 t : renyi_term alpha (fun _ : unit => 1) (fun=> 1) t = 1.
  rewrite renyi_term_neq0; first by lra.
  have -> : 1 / 1 = 1 by field.
  by rewrite /Rpower ln_1 Rmult_0_r exp_0; lra.
have := @is_sum_unit (renyi_term alpha (fun=> 1) (fun=> 1)).
by rewrite term_1; apply; lra.
Qed.

Theorem diagonal_gaussian_nor s2 a b n : (forall k, 0 < s2 k) ->
  is_nor (diagonal_gaussian s2 a (n:=n)) (diagonal_gaussian s2 b (n:=n))
    (sqrt (squared_distance s2 a b n)).
Proof.
move=> s2_gt0; have two_gt1 : 1 < 2 by lra.
apply: nor_attained two_gt1 _.
- elim: n => [|n IHn] /=; first by lra.
  by apply: Rplus_le_le_0_compat => //; apply: scaled_square_ge0.
- elim: n => [|n IHn] /=.
    move=> alpha _; rewrite Rmult_0_r.
    by split; exists 0;
      [exact: trivial_renyi | lra | exact: trivial_renyi | lra].
  by apply: nor_joint => //; [exact: lattice_eq_dec | exact: Z.eq_dec |
    exact: diagonal_gaussian_law | exact: diagonal_gaussian_law |
    exact: discrete_gaussian_law | exact: discrete_gaussian_law |
    exact: discrete_gaussian_nor_le].
elim: n => [|n IHn] /=; first by rewrite Rmult_0_r; apply: trivial_renyi.
rewrite Rmult_plus_distr_l.
by apply: renyi_joint => //; [exact: lattice_eq_dec | exact: Z.eq_dec | lra |
  exact: diagonal_gaussian_law | exact: diagonal_gaussian_law |
  exact: discrete_gaussian_law | exact: discrete_gaussian_law |
  exact: (@discrete_gaussian_renyi_integer _ _ _ 2)].
Qed.
