From Coq Require Import Reals List ZArith Lia Lra ssreflect ssrfun ssrbool.
From Stirred Require Import unordered_sum normalized_renyi nor_processing.
From Stirred Require Import discrete_gaussian gaussian_instances two_step_zcdp.

(******************************************************************************)
(* Instances of the theorems on releases with two steps: two counts, of which *)
(* the first is measured twice with discrete Gaussian noise of s2 = 1, and    *)
(* the second is invariant; the second step repeats the measurements and the  *)
(* invariant.                                                                 *)
(*                                                                            *)
(*   same_second == the universes of the second count                         *)
(*   first_apart x x' == how far the first counts are apart                   *)
(*   query x k == the answer to the only query, the first count               *)
(*   noisy x == it with noise                                                 *)
(*   <theorem>_instance == the instance                                       *)
(******************************************************************************)

Local Open Scope R_scope.

Definition same_second (i : nat) (x : nat * nat) : Prop := x.2 = i.
Lemma second_constant i x x' :
  same_second i x -> same_second i x' -> x.2 = x'.2.
Proof. by move=> -> ->. Qed.

Definition first_apart (x x' : nat * nat) : option nat :=
  counts_apart x.1 x'.1.
Definition query (x : nat * nat) (k : nat) : Z := Z.of_nat x.1.
Definition noisy (x : nat * nat) : lattice 1 -> R :=
  diagonal_gaussian (fun=> 1) (query x) (n:=1).
Definition rho (i : nat) : R := 1.

Lemma noisy_law x : is_law (noisy x).
Proof. by apply: diagonal_gaussian_law => k; apply: Rlt_0_1. Qed.
Lemma near (U : nat -> nat * nat -> Prop) i x x' m : U i x -> U i x' ->
  first_apart x x' = Some m ->
  squared_distance (fun=> 1) (query x) (query x') 1 <= rho i ^ 2 * INR m ^ 2.
Proof.
move=> _ _ [<-] /=; rewrite /query /rho !Rmult_1_r !Rmult_1_l.
rewrite -minus_IZR INR_IZR_INZ -!mult_IZR.
set a := (Z.of_nat x.1 - Z.of_nat x'.1)%Z.
set b := Z.of_nat (Nat.max x.1 x'.1 - Nat.min x.1 x'.1).
have -> : (b * b = a * a)%Z by rewrite /a /b; nia.
have : 0 <= IZR (a * a) by apply: IZR_le; nia.
lra.
Qed.

Definition diagonal_gaussian_zcdp_instance :=
  @diagonal_gaussian_zcdp _ _ same_second first_apart query (fun=> 1) 1 rho
    (fun=> Rlt_0_1) (fun=> Rle_0_1) (near same_second).

Definition dec := @lattice_eq_dec 1.
Definition measured_zcdp_instance :=
  @measured_zcdp _ _ same_second first_apart _ _ _ noisy noisy snd rho rho dec
    dec Nat.eq_dec noisy_law noisy_law (fun=> Rle_0_1) (fun=> Rle_0_1)
    second_constant diagonal_gaussian_zcdp_instance
    diagonal_gaussian_zcdp_instance.

(* What repeats its input                                                     *)
Lemma point_mixture (T : Type) (dec : forall t u : T, {t = u} + {t <> u}) P :
  is_law P -> is_mixture P (point dec) P.
Proof.
move=> lawP u; have P_ge0 := summand_ge0 lawP.
have := is_sum_scale (P_ge0 u) (point_law dec u); rewrite Rmult_1_r.
apply: is_sum_eq => t; rewrite /point.
case: (dec u t) (dec t u) => [u_t|not_u_t] [t_u|not_t_u] /=.
- by rewrite u_t.
- by case: not_t_u.
- by case: not_u_t.
- by rewrite !Rmult_0_r.
Qed.

Definition all_dec := pair_dec (pair_dec dec dec) Nat.eq_dec.
Definition all_released (x : nat * nat) : lattice 1 * lattice 1 * nat -> R :=
  measured Nat.eq_dec noisy noisy snd x.
Lemma all_released_law x : is_law (all_released x).
Proof.
exact: measured_law dec dec Nat.eq_dec noisy_law noisy_law x.
Qed.

Definition two_step_zcdp_instance :=
  @two_step_zcdp _ _ same_second first_apart _ _ _ noisy noisy snd rho rho dec
    dec Nat.eq_dec noisy_law noisy_law (fun=> Rle_0_1) (fun=> Rle_0_1)
    second_constant diagonal_gaussian_zcdp_instance
    diagonal_gaussian_zcdp_instance _ (point all_dec) all_released
    (point_law all_dec)
    (fun x => point_mixture _ all_dec _ (all_released_law x)).

Definition both_dec := pair_dec dec all_dec.
Lemma both_law x : is_law (joint (noisy x) (all_released x)).
Proof. exact: joint_law dec all_dec (noisy_law x) (all_released_law x). Qed.
Definition two_runs_zcdp_instance :=
  @two_runs_zcdp _ _ same_second first_apart _ _ _ noisy noisy snd rho rho dec
    dec Nat.eq_dec noisy_law noisy_law (fun=> Rle_0_1) (fun=> Rle_0_1)
    second_constant diagonal_gaussian_zcdp_instance
    diagonal_gaussian_zcdp_instance _ _ noisy rho (point both_dec)
    (fun x => joint (noisy x) (all_released x)) dec noisy_law
    (fun=> Rle_0_1) diagonal_gaussian_zcdp_instance (point_law both_dec)
    (fun x => point_mixture _ both_dec _ (both_law x)).

Definition topdown_zcdp_instance :=
  @topdown_zcdp _ _ same_second first_apart _ _ snd Nat.eq_dec query query
    (fun=> 1) (fun=> 1) 1 1 rho rho (point all_dec) all_released second_constant
    (fun=> Rlt_0_1) (fun=> Rlt_0_1) (fun=> Rle_0_1) (fun=> Rle_0_1)
    (near same_second) (near same_second) (point_law all_dec)
    (fun x => point_mixture _ all_dec _ (all_released_law x)).

Lemma second_kept x w : all_released x w <> 0 -> w.2 = x.2.
Proof.
rewrite /all_released /measured /joint /point.
by case: (Nat.eq_dec x.2 w.2) => [//|_] /=; rewrite Rmult_0_r.
Qed.
Definition kept_unbounded_instance :=
  @kept_unbounded _ _ (fun (i : unit) x => True) first_apart _ _ snd snd
    all_released (fun=> Some 1) tt (0, 0)%nat (0, 1)%nat (all_released_law _)
    second_kept I I ltac:(by []) ltac:(by []) ltac:(by []).

(* Records of a kind of which one that is replaced replaces two of the other  *)
Lemma twice_as_near i x x' n' : same_second i x -> same_second i x' ->
  first_apart x x' = Some n' ->
  exists2 n, first_apart x x' = Some n & INR n <= INR 2 * INR n'.
Proof.
move=> _ _ ->; exists n' => //; have := pos_INR n'.
by rewrite /=; lra.
Qed.
Definition rescaled_zcdp_instance :=
  @rescaled_zcdp _ _ same_second first_apart _ first_apart 2 rho noisy
    (fun=> Rle_0_1) twice_as_near diagonal_gaussian_zcdp_instance.
Definition two_units_zcdp_instance :=
  @two_units_zcdp _ _ _ _ _ _ same_second first_apart first_apart 2 noisy noisy
    snd rho rho Nat.eq_dec (point all_dec) all_released dec dec noisy_law
    noisy_law (fun=> Rle_0_1) (fun=> Rle_0_1) second_constant twice_as_near
    diagonal_gaussian_zcdp_instance diagonal_gaussian_zcdp_instance
    (point_law all_dec)
    (fun x => point_mixture _ all_dec _ (all_released_law x)).
