From Coq Require Import Reals List ZArith Lia Lra ssreflect ssrfun ssrbool.
From Stirred Require Import unordered_sum gaussian_sum normalized_renyi.
From Stirred Require Import nor_metric nor_processing nor_conversion.
From Stirred Require Import discrete_gaussian finite_laws.

(******************************************************************************)
(* Instances of the theorems on concentrated differential privacy: discrete   *)
(* Gaussians with s2 = 1 and centres 0, 1 and 2 meet their premises.          *)
(*                                                                            *)
(*   gaussian m == the law N_Z(m, 1)                                          *)
(*   <theorem>_instance == the instance                                       *)
(******************************************************************************)

Local Open Scope R_scope.

Definition gaussian (m : Z) : Z -> R := discrete_gaussian 1 (IZR m).

Lemma lt_1_2 : 1 < 2. Proof. lra. Qed.
Lemma half_open : 0 < / 2 < 1. Proof. lra. Qed.
Lemma gaussian_law m : is_law (gaussian m).
Proof. exact: discrete_gaussian_law Rlt_0_1. Qed.

Definition gauss_sum_max_instance := @gauss_sum_max 1 (/ 2) Rlt_0_1.
Definition discrete_gaussian_law_instance := @discrete_gaussian_law 1 0 Rlt_0_1.
Definition discrete_gaussian_renyi_instance :=
  @discrete_gaussian_renyi 1 0 1 2 Rlt_0_1 lt_1_2.
Definition discrete_gaussian_renyi_integer_instance :=
  @discrete_gaussian_renyi_integer 1 0 1 2 Rlt_0_1 eq_refl.
Definition discrete_gaussian_renyi_le_instance :=
  @discrete_gaussian_renyi_le 1 0 1 2 Rlt_0_1 lt_1_2.
Definition discrete_gaussian_nor_instance :=
  @discrete_gaussian_nor 1 0 1 Rlt_0_1.
Lemma frac_half : frac_part (/ 2) <> 0.
Proof.
have [lt_half lt_1] := half_open.
rewrite /frac_part => e; have e' : IZR (Int_part (/ 2)) = / 2 by lra.
have lo : (0 < Int_part (/ 2))%Z by apply: lt_IZR; rewrite e'.
have hi : (Int_part (/ 2) < 1)%Z by apply: lt_IZR; rewrite e'.
lia.
Qed.
Definition shifted_gaussian_infinite_instance :=
  @shifted_gaussian_infinite 1 (/ 2) 2 Rlt_0_1 frac_half.
Definition diagonal_gaussian_nor_instance :=
  @diagonal_gaussian_nor (fun _ => 1) (fun _ => 0%Z) (fun _ => 1%Z) 2
    (fun _ => Rlt_0_1).
Definition discrete_gaussian_zcdp_instance :=
  @discrete_gaussian_zcdp nat unit (fun _ _ => True)
    (fun x x' => Some (Nat.max x x' - Nat.min x x')%nat) Z.of_nat 1 1 Rlt_0_1
    ltac:(by move=> i x x' n _ _ [<-]; lia).

Lemma gaussian_nor m m' :
  is_nor (gaussian m) (gaussian m') (sqrt ((IZR m - IZR m') ^ 2 / (2 * 1))).
Proof. exact: discrete_gaussian_nor Rlt_0_1. Qed.
Lemma gaussian_nor_le m :
  nor_le (gaussian m) (gaussian 0) (IZR m ^ 2 / (2 * 1)).
Proof. exact: discrete_gaussian_shift Rlt_0_1. Qed.
Definition finite_together_instance :=
  @finite_together Z _ _ (gaussian_law 0) (gaussian_law 1).
Definition nor_zero_instance :=
  @nor_zero Z _ _ (gaussian_law 0) (gaussian_law 1).
Definition nor_symmetric_instance := @nor_symmetric Z _ _ _ (gaussian_nor 0 1).
Definition nor_triangle_instance :=
  @nor_triangle Z _ _ _ _ _ (gaussian_law 0) (gaussian_law 1) (gaussian_law 2)
    (gaussian_nor 0 1) (gaussian_nor 1 2).
Definition nor_approximate_instance :=
  @nor_approximate Z _ _ _ (/ 2) (gaussian_law 0) (gaussian_law 1)
    (gaussian_nor 0 1) half_open.
Definition renyi_ge0_instance :=
  @renyi_ge0 Z 2 _ _ _ lt_1_2 (gaussian_law 0) (gaussian_law 1)
    (@discrete_gaussian_renyi 1 0 1 2 Rlt_0_1 lt_1_2).
Definition nor_le_iff_instance :=
  @nor_le_iff Z (gaussian 0) (gaussian 1) 1 Rle_0_1.
Definition renyi_joint_instance :=
  @renyi_joint Z Z 2 _ _ _ _ _ _ Z.eq_dec Z.eq_dec lt_1_2 (gaussian_law 0)
    (gaussian_law 1) (gaussian_law 0) (gaussian_law 1)
    (@discrete_gaussian_renyi 1 0 1 2 Rlt_0_1 lt_1_2)
    (@discrete_gaussian_renyi 1 0 1 2 Rlt_0_1 lt_1_2).
Definition nor_joint_instance :=
  @nor_joint Z Z _ _ _ _ _ _ Z.eq_dec Z.eq_dec (gaussian_law 1)
    (gaussian_law 0) (gaussian_law 1) (gaussian_law 0) (gaussian_nor_le 1)
    (gaussian_nor_le 1).
Lemma lt_1_3 : 1 < (2 * 2 - 1) / (2 - 1). Proof. lra. Qed.
Lemma lt_1_4 : 1 < 2 * 2. Proof. lra. Qed.
Definition renyi_triangle_instance :=
  @renyi_triangle Z _ _ _ (gaussian_law 0) (gaussian_law 1) (gaussian_law 2) 2 2
    _ _ lt_1_2 lt_1_2 (@discrete_gaussian_renyi 1 0 1 _ Rlt_0_1 lt_1_3)
    (@discrete_gaussian_renyi 1 1 2 _ Rlt_0_1 lt_1_4).
Lemma chain n : exists2 r, is_nor (gaussian (Z.of_nat n))
  (gaussian (Z.of_nat (S n))) r & r <= sqrt (1 / 2).
Proof.
exists (sqrt ((IZR (Z.of_nat n) - IZR (Z.of_nat (S n))) ^ 2 / (2 * 1))).
  exact: gaussian_nor.
by apply: Req_le; rewrite -!INR_IZR_INZ S_INR; congr sqrt; field.
Qed.
Definition nor_chain_instance :=
  @nor_chain Z (fun k => gaussian (Z.of_nat k)) (sqrt (1 / 2)) 3
    (fun _ => gaussian_law _) (fun k _ => chain k).

(* Two independent releases of a count                                        *)
Definition released (x : nat) : Z -> R := gaussian (Z.of_nat x).
Definition counts_apart (x x' : nat) : option nat :=
  Some (Nat.max x x' - Nat.min x x')%nat.
Lemma released_zcdp : zcdp (fun _ _ => True) counts_apart
  (fun _ : unit => Some (INR 1 / sqrt (2 * 1))) released.
Proof.
by apply: discrete_gaussian_zcdp Rlt_0_1 _ => i x x' n _ _ [<-]; lia.
Qed.
Lemma released_ge0 (i : unit) : 0 <= INR 1 / sqrt (2 * 1).
Proof.
by apply: Rlt_le; apply: Rdiv_lt_0_compat; [|apply: sqrt_lt_R0] => /=; lra.
Qed.
Definition zcdp_composition_instance :=
  @zcdp_composition nat unit Z Z (fun _ _ => True) counts_apart _ _ released
    released Z.eq_dec Z.eq_dec (fun _ => gaussian_law _)
    (fun _ => gaussian_law _) released_ge0 released_ge0 released_zcdp
    released_zcdp.
Definition zcdp_approximate_instance :=
  @zcdp_approximate nat unit Z (fun _ _ => True) counts_apart _ released tt
    0%nat 1%nat _ _ (/ 2) (fun _ => gaussian_law _) released_zcdp I I eq_refl
    eq_refl half_open.
Lemma same_pure : pure_le 1 (gaussian 0) (gaussian 0).
Proof.
move=> t; have e1 := exp_ineq1 1 R1_neq_R0; have [ge0 _] := gaussian_law 0.
suff le_exp : gaussian 0 t <= exp 1 * gaussian 0 t by [].
rewrite -{1}(Rmult_1_l (gaussian 0 t)).
by apply: Rmult_le_compat_r; [exact: ge0 | lra].
Qed.
Definition pure_nor_instance :=
  @pure_nor Z _ _ 1 (gaussian_law 0) (gaussian_law 0) Rle_0_1 same_pure.

(* A kernel that forgets its input                                            *)
Definition forget (t : Z) : Z -> R := gaussian 0.
Lemma forget_mixture m : is_mixture (gaussian m) forget (gaussian 0).
Proof.
have [pos _] := gaussian_law 0 => u.
have := is_sum_scale (pos u) (gaussian_law m); rewrite Rmult_1_r.
by apply: is_sum_eq => t; rewrite Rmult_comm.
Qed.
Definition renyi_processing_instance :=
  @renyi_processing Z Z forget (fun _ => gaussian_law 0) 2 _ _ _ _ _ lt_1_2
    (gaussian_law 0) (gaussian_law 1) (forget_mixture 0) (forget_mixture 1)
    (@discrete_gaussian_renyi 1 0 1 2 Rlt_0_1 lt_1_2).
Definition nor_processing_instance :=
  @nor_processing Z Z forget (fun _ => gaussian_law 0) _ _ _ _ _
    (gaussian_law 0) (gaussian_law 1) (forget_mixture 0) (forget_mixture 1)
    (gaussian_nor 0 1).
Definition zcdp_processing_instance :=
  @zcdp_processing nat unit Z Z (fun _ _ => True) counts_apart _ forget
    released (fun _ => gaussian 0) (fun _ => gaussian_law 0)
    (fun _ => gaussian_law _) (fun x => forget_mixture _) released_zcdp.
