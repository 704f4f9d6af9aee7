From Coq Require Import Reals List ZArith Lra Classical_Prop.
From Coq Require Import ssreflect ssrfun ssrbool.
From Stirred Require Import unordered_sum normalized_renyi nor_metric.
From Stirred Require Import nor_processing discrete_gaussian.

(******************************************************************************)
(* Article Theorem 2 under D_NoR, for discrete laws.                          *)
(*                                                                            *)
(* A release has two steps. The first draws the noisy measurements T_p and    *)
(* T_hh independently. The second, estimation, is a randomised map of them    *)
(* and of the invariants c alone; its output may repeat them.                 *)
(*                                                                            *)
(*   point dec y == the law that gives y for certain                          *)
(*   measured dec T_p T_hh c x == the law of ((T_p(x), T_hh(x)), c(x))        *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   measured_zcdp == Appendix H: composition, with Proposition 1 for c       *)
(*   two_step_zcdp == the first half: rho^2 = rho_p^2 + rho_hh^2 in every     *)
(*            flavor whose universes agree on c                               *)
(*   two_runs_zcdp == with what a run before released, which the second step  *)
(*            may use too: its rho^2 is added                                 *)
(*   kept_unbounded == the second half: what keeps a total has no finite      *)
(*            budget on a universe where data sets at finite distance differ  *)
(*            in it                                                           *)
(*   diagonal_gaussian_zcdp == integer queries with discrete Gaussian noise   *)
(*   rescaled_zcdp == dissertation Proposition 2.4.15: where d <= k d', a     *)
(*            budget rho under d is k rho under d'                            *)
(*   two_units_zcdp == the first half with T_hh measured in household-records,*)
(*            d_hh <= k d_p: rho^2 = rho_p^2 + k^2 rho_hh^2                   *)
(*   topdown_zcdp == the first half for Algorithm 2: with discrete Gaussian   *)
(*            noise whose scales spend rho_p^2 and rho_hh^2                   *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "None".

Local Open Scope R_scope.

Definition point (Y : Type) (dec : forall y z : Y, {y = z} + {y <> z}) (y : Y)
    (z : Y) : R :=
  if dec y z then 1 else 0.

Lemma point_law (Y : Type) (dec : forall y z : Y, {y = z} + {y <> z}) y :
  is_law (point dec y).
Proof.
have point_ge0 z : 0 <= point dec y z.
  by rewrite /point; case: (dec y z) => ? /=; lra.
have absent s : ~ In y s -> finite_sum (point dec y) s = 0.
  elim: s => [|z s IHs] //= not_in.
  rewrite IHs; first by move=> in_s; apply: not_in; right.
  rewrite /point; case: (dec y z) => [y_z|?] /=; last by ring.
  by case: not_in; left.
apply: is_sum_intro => // [s uniq_s|b upper].
  elim: s / uniq_s => [|z s not_in _ IHs] /=; first by lra.
  rewrite {1}/point; case: (dec y z) => [y_z|?] /=; last by lra.
  by rewrite absent; [rewrite y_z | lra].
have uniq : NoDup (y :: nil)%list by constructor=> //; constructor.
by have := upper _ uniq; rewrite /= /point; case: (dec y y) => // ? /=; lra.
Qed.

Definition measured (X Y Z C : Type) (dec : forall a b : C, {a = b} + {a <> b})
    (T_p : X -> Y -> R) (T_hh : X -> Z -> R) (c : X -> C) (x : X) :
    Y * Z * C -> R :=
  joint (joint (T_p x) (T_hh x)) (point dec (c x)).

Lemma pair_dec (Y Z : Type) :
  (forall a b : Y, {a = b} + {a <> b}) ->
  (forall a b : Z, {a = b} + {a <> b}) ->
  forall a b : Y * Z, {a = b} + {a <> b}.
Proof.
move=> decY decZ [y z] [y' z']; case: (decY y y') => [->|y_y'].
  by case: (decZ z z') => [->|z_z']; [left | right; case].
by right; case.
Qed.

Lemma zcdp_eq (X I Y : Type) (U : I -> X -> Prop) (d : X -> X -> option nat)
    (rho rho' : I -> R) (T : X -> Y -> R) :
  (forall i, rho i = rho' i) -> zcdp U d (fun i => Some (rho i)) T ->
  zcdp U d (fun i => Some (rho' i)) T.
Proof. by move=> eq_rho sat i x x' xU x'U; rewrite -eq_rho; apply: sat. Qed.

Section TwoStep.

Variables (X I : Type) (U : I -> X -> Prop) (d : X -> X -> option nat).

Section Release.

Variables (Y Z C : Type) (T_p : X -> Y -> R) (T_hh : X -> Z -> R) (c : X -> C).
Variables rho_p rho_hh : I -> R.
Hypothesis decY : forall a b : Y, {a = b} + {a <> b}.
Hypothesis decZ : forall a b : Z, {a = b} + {a <> b}.
Hypothesis decC : forall a b : C, {a = b} + {a <> b}.
Hypothesis law_p : forall x, is_law (T_p x).
Hypothesis law_hh : forall x, is_law (T_hh x).
Hypothesis rho_p_ge0 : forall i, 0 <= rho_p i.
Hypothesis rho_hh_ge0 : forall i, 0 <= rho_hh i.
Hypothesis c_constant : forall i x x', U i x -> U i x' -> c x = c x'.
Hypothesis sat_p : zcdp U d (fun i => Some (rho_p i)) T_p.
Hypothesis sat_hh : zcdp U d (fun i => Some (rho_hh i)) T_hh.

Lemma measured_law x : is_law (measured decC T_p T_hh c x).
Proof.
apply: joint_law => //; [exact: pair_dec | exact: joint_law | exact: point_law].
Qed.

Lemma invariants_zcdp :
  zcdp U d (fun=> Some 0) (fun x => point decC (c x)).
Proof.
move=> i x x' xU x'U; case: (d x x') => // n; rewrite (c_constant xU x'U).
exists 0; last by lra.
by apply/nor_zero => //; apply: point_law.
Qed.

Theorem measured_zcdp :
  zcdp U d (fun i => Some (sqrt (rho_p i ^ 2 + rho_hh i ^ 2)))
    (measured decC T_p T_hh c).
Proof.
have both := zcdp_composition decY decZ law_p law_hh rho_p_ge0 rho_hh_ge0
  sat_p sat_hh.
have := zcdp_composition (pair_dec decY decZ) decC
  (fun x => joint_law decY decZ (law_p x) (law_hh x))
  (fun x => point_law decC (c x)) (fun i => sqrt_pos _) (fun=> Rle_refl 0)
  both invariants_zcdp.
apply: zcdp_eq => i; congr sqrt.
by rewrite pow2_sqrt; [apply: Rplus_le_le_0_compat; apply: pow2_ge_0 | ring].
Qed.

Theorem two_step_zcdp (W : Type) (K : Y * Z * C -> W -> R) (M : X -> W -> R) :
  (forall t, is_law (K t)) ->
  (forall x, is_mixture (measured decC T_p T_hh c x) K (M x)) ->
  zcdp U d (fun i => Some (sqrt (rho_p i ^ 2 + rho_hh i ^ 2))) M.
Proof.
move=> lawK mixM.
exact: zcdp_processing lawK measured_law mixM measured_zcdp.
Qed.

Theorem two_runs_zcdp (V W : Type) (M : X -> V -> R) (rho : I -> R)
    (K : V * (Y * Z * C) -> W -> R) (M' : X -> W -> R) :
  (forall a b : V, {a = b} + {a <> b}) -> (forall x, is_law (M x)) ->
  (forall i, 0 <= rho i) -> zcdp U d (fun i => Some (rho i)) M ->
  (forall t, is_law (K t)) ->
  (forall x, is_mixture (joint (M x) (measured decC T_p T_hh c x)) K (M' x)) ->
  zcdp U d (fun i => Some (sqrt (rho i ^ 2 + rho_p i ^ 2 + rho_hh i ^ 2))) M'.
Proof.
move=> decV lawM rho_ge0 sat_M lawK mixM'.
have dec := pair_dec (pair_dec decY decZ) decC.
have := zcdp_composition decV dec lawM measured_law rho_ge0
  (fun i => sqrt_pos _) sat_M measured_zcdp.
move=> /(zcdp_processing lawK
  (fun x => joint_law decV dec (lawM x) (measured_law x)) mixM').
apply: zcdp_eq => i; congr sqrt.
by rewrite pow2_sqrt; [apply: Rplus_le_le_0_compat; apply: pow2_ge_0 | ring].
Qed.

End Release.

Theorem kept_unbounded (W C : Type) (t : W -> C) (c : X -> C) (M : X -> W -> R)
    (rho : I -> option R) i x x' :
  is_law (M x) -> (forall y w, M y w <> 0 -> t w = c y) ->
  U i x -> U i x' -> d x x' <> None -> c x <> c x' ->
  rho i <> None -> ~ zcdp U d rho M.
Proof.
move=> lawM keepsM xU x'U d_fin c_x rho_fin sat; have := sat i x x' xU x'U.
case: (rho i) rho_fin => // r _; case: (d x x') d_fin => // n _ [r' nor_r' _].
have two_gt1 : 1 < 2 by lra.
have [[e [ac _]] _] := (proj1 nor_r') 2 two_gt1.
case: (classic (exists w, M x w <> 0)) => [[w Mxw]|none].
  have Mx'w : M x' w <> 0 by move=> /ac.
  by case: c_x; rewrite -(keepsM x w Mxw) (keepsM x' w Mx'w).
have zero w : M x w = 0 by apply: NNPP => Mxw; apply: none; exists w.
have : 1 <= 0; last by lra.
apply: (is_sum_least lawM) => s _.
by elim: s => [|w s IHs] /=; [lra | rewrite zero; lra].
Qed.

Theorem rescaled_zcdp (Y : Type) (d' : X -> X -> option nat) (k : nat)
    (rho : I -> R) (T : X -> Y -> R) :
  (forall i, 0 <= rho i) ->
  (forall i x x' n', U i x -> U i x' -> d' x x' = Some n' ->
     exists2 n, d x x' = Some n & INR n <= INR k * INR n') ->
  zcdp U d (fun i => Some (rho i)) T ->
  zcdp U d' (fun i => Some (INR k * rho i)) T.
Proof.
move=> rho_ge0 near sat i x x' xU x'U; case d'_n : (d' x x') => [n'|] //.
have [n d_n le_n] := near i x x' n' xU x'U d'_n.
have := sat i x x' xU x'U; rewrite d_n => -[r nor_r le_r]; exists r => //.
apply: Rle_trans le_r _.
have -> : INR k * rho i * INR n' = rho i * (INR k * INR n') by ring.
exact: Rmult_le_compat_l.
Qed.

Theorem diagonal_gaussian_zcdp (q : X -> nat -> Z) (s2 : nat -> R) n
    (rho : I -> R) :
  (forall k, 0 < s2 k) -> (forall i, 0 <= rho i) ->
  (forall i x x' m, U i x -> U i x' -> d x x' = Some m ->
     squared_distance s2 (q x) (q x') n <= rho i ^ 2 * INR m ^ 2) ->
  zcdp U d (fun i => Some (rho i)) (fun x => diagonal_gaussian s2 (q x) (n:=n)).
Proof.
move=> s2_gt0 rho_ge0 near i x x' xU x'U; case d_m : (d x x') => [m|] //.
exists (sqrt (squared_distance s2 (q x) (q x') n)).
  exact: diagonal_gaussian_nor.
have m_ge0 := Rmult_le_pos _ _ (rho_ge0 i) (pos_INR m).
rewrite -(sqrt_pow2 (rho i * INR m)) // Rpow_mult_distr.
exact/sqrt_le_1_alt/(near i).
Qed.

Theorem topdown_zcdp (C W : Type) (c : X -> C)
    (decC : forall a b : C, {a = b} + {a <> b})
    (q_p q_hh : X -> nat -> Z) (s2_p s2_hh : nat -> R) n_p n_hh
    (rho_p rho_hh : I -> R) (K : lattice n_p * lattice n_hh * C -> W -> R)
    (M : X -> W -> R) :
  (forall i x x', U i x -> U i x' -> c x = c x') ->
  (forall k, 0 < s2_p k) -> (forall k, 0 < s2_hh k) ->
  (forall i, 0 <= rho_p i) -> (forall i, 0 <= rho_hh i) ->
  (forall i x x' m, U i x -> U i x' -> d x x' = Some m ->
     squared_distance s2_p (q_p x) (q_p x') n_p <= rho_p i ^ 2 * INR m ^ 2) ->
  (forall i x x' m, U i x -> U i x' -> d x x' = Some m ->
     squared_distance s2_hh (q_hh x) (q_hh x') n_hh <=
       rho_hh i ^ 2 * INR m ^ 2) ->
  (forall t, is_law (K t)) ->
  (forall x, is_mixture
     (measured decC (fun y => diagonal_gaussian s2_p (q_p y) (n:=n_p))
        (fun y => diagonal_gaussian s2_hh (q_hh y) (n:=n_hh)) c x) K (M x)) ->
  zcdp U d (fun i => Some (sqrt (rho_p i ^ 2 + rho_hh i ^ 2))) M.
Proof.
move=> c_constant s2_p_gt0 s2_hh_gt0 rho_p_ge0 rho_hh_ge0 near_p near_hh lawK.
apply: two_step_zcdp => //; try by [exact: lattice_eq_dec].
- by move=> x; apply: diagonal_gaussian_law.
- by move=> x; apply: diagonal_gaussian_law.
- exact: diagonal_gaussian_zcdp.
exact: diagonal_gaussian_zcdp.
Qed.

End TwoStep.

Theorem two_units_zcdp (X I Y Z C W : Type) (U : I -> X -> Prop)
    (d_p d_hh : X -> X -> option nat) (k : nat) (T_p : X -> Y -> R)
    (T_hh : X -> Z -> R) (c : X -> C) (rho_p rho_hh : I -> R)
    (decC : forall a b : C, {a = b} + {a <> b}) (K : Y * Z * C -> W -> R)
    (M : X -> W -> R) :
  (forall a b : Y, {a = b} + {a <> b}) ->
  (forall a b : Z, {a = b} + {a <> b}) ->
  (forall x, is_law (T_p x)) -> (forall x, is_law (T_hh x)) ->
  (forall i, 0 <= rho_p i) -> (forall i, 0 <= rho_hh i) ->
  (forall i x x', U i x -> U i x' -> c x = c x') ->
  (forall i x x' n', U i x -> U i x' -> d_p x x' = Some n' ->
     exists2 n, d_hh x x' = Some n & INR n <= INR k * INR n') ->
  zcdp U d_p (fun i => Some (rho_p i)) T_p ->
  zcdp U d_hh (fun i => Some (rho_hh i)) T_hh ->
  (forall t, is_law (K t)) ->
  (forall x, is_mixture (measured decC T_p T_hh c x) K (M x)) ->
  zcdp U d_p (fun i => Some (sqrt (rho_p i ^ 2 + INR k ^ 2 * rho_hh i ^ 2))) M.
Proof.
move=> decY decZ law_p law_hh rho_p_ge0 rho_hh_ge0 c_constant near sat_p sat_hh.
move=> lawK mixM; have scaled := rescaled_zcdp rho_hh_ge0 near sat_hh.
have scaled_ge0 i : 0 <= INR k * rho_hh i.
  by apply: Rmult_le_pos => //; apply: pos_INR.
have := two_step_zcdp decY decZ law_p law_hh rho_p_ge0 scaled_ge0 c_constant
  sat_p scaled lawK mixM.
by apply: zcdp_eq => i; rewrite Rpow_mult_distr.
Qed.
