From Coq Require Import Reals ZArith List Lra Lia.
From Coq Require Import ssreflect ssrfun ssrbool.
From Stirred Require Import unordered_sum normalized_renyi nor_processing.
From Stirred Require Import integer_noise.

(******************************************************************************)
(* Programs that draw integer noise, the laws of what they return, and        *)
(* alignment of noise: a certificate that bounds the ratio of two such laws.  *)
(*                                                                            *)
(*   program Y == Return y, or Draw ns k: draws independent noise ns and goes *)
(*            on with k z                                                     *)
(*   mass dec p y == the probability that p returns y                         *)
(*   and_then p f == p, and f of what it returns                              *)
(*   drawing ns k == Draw ns k, or k [] where there is nothing to draw        *)
(*   aligns Q c p p' == every noise z of p is answered by z + shift z in p',  *)
(*            where no two z have the same answer, at the cost of the shift;  *)
(*            where p and p' return, Q holds of what is left of the budget c  *)
(*            and of what they return                                         *)
(*   hits y c b b' == nothing is owed, and b' is y if b is                    *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   mass_law == the masses of a program are a probability law                *)
(*   aligns_mass == a certificate bounds the ratio at one output              *)
(*   aligns_and_then == certificates of a program and of what follows it      *)
(*   aligns_paths == shifts that depend on the path alone, where both runs    *)
(*            take the same, need no proof that answers differ                *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "None".

Import ListNotations.

Local Open Scope R_scope.

(* An injection does not make a sum larger                                    *)
Lemma is_sum_injection (I J : Type) (h : I -> J) (f : I -> R) (g : J -> R)
    (c A B : R) :
  (forall i i', h i = h i' -> i = i') -> 0 <= c ->
  (forall i, f i <= c * g (h i)) -> is_sum f A -> is_sum g B -> A <= c * B.
Proof.
move=> h_inj c_ge0 le_fg sumA sumB; apply: (is_sum_least sumA) => s uniq_s.
apply: Rle_trans (finite_sum_le s le_fg) _; rewrite finite_sum_scale.
apply: Rmult_le_compat_l => //.
rewrite -finite_sum_map; apply: (finite_sum_is_sum sumB).
exact: NoDup_image.
Qed.

Inductive program (Y : Type) : Type :=
  | Return of Y
  | Draw of list integer_noise & (list Z -> program Y).

Arguments Return {Y} y.
Arguments Draw {Y} ns k.

Section Mass.

Variables (Y : Type) (dec : forall y y' : Y, {y = y'} + {y <> y'}).

Definition unit_mass : Type := {m : R | 0 <= m <= 1}.

Lemma mean_exists ns (f : list Z -> unit_mass) :
  {m : R | is_sum (fun z => noise_masses ns z * sval (f z)) m}.
Proof.
apply: (is_sum_dominated _ (noise_masses_law ns)) => z.
by have := svalP (f z); have := noise_masses_ge0 ns z; nra.
Qed.

Lemma mean_in ns (f : list Z -> unit_mass) :
  0 <= sval (mean_exists ns f) <= 1.
Proof.
have sum_m := svalP (mean_exists ns f); split; first exact: is_sum_ge0 sum_m.
apply: is_sum_le sum_m (noise_masses_law ns) => z.
by have := svalP (f z); have := noise_masses_ge0 ns z; nra.
Qed.

Definition mean ns (f : list Z -> unit_mass) : unit_mass :=
  exist _ (sval (mean_exists ns f)) (mean_in ns f).

Lemma zero_in : 0 <= 0 <= 1. Proof. lra. Qed.
Lemma one_in : 0 <= 1 <= 1. Proof. lra. Qed.

Fixpoint bounded_mass (p : program Y) (y : Y) : unit_mass :=
  match p with
  | Return y' => if dec y' y then exist _ 1 one_in else exist _ 0 zero_in
  | Draw ns k => mean ns (fun z => bounded_mass (k z) y)
  end.

Definition mass (p : program Y) (y : Y) : R := sval (bounded_mass p y).

Lemma mass_Draw ns k y :
  is_sum (fun z => noise_masses ns z * mass (k z) y) (mass (Draw ns k) y).
Proof. exact: svalP (mean_exists ns _). Qed.

Lemma mass_in p y : 0 <= mass p y <= 1.
Proof. exact: svalP (bounded_mass p y). Qed.

Theorem mass_law p : is_law (mass p).
Proof.
elim: p => [y | ns k IHk]; last first.
  by apply: (mixture_law IHk (noise_masses_law ns)) => y; apply: mass_Draw.
have zero s : ~ In y s -> finite_sum (mass (Return y)) s = 0.
  elim: s => //= t s IHs not_y; rewrite IHs => [in_s|].
    by case: not_y; right.
  by rewrite /mass /=; case: dec => [eq_t|_] /=; [case: not_y; left | lra].
apply: is_sum_intro => [t|s uniq_s|b upper].
- by case: (mass_in (Return y) t).
- elim: s / uniq_s => [|t s t_s _ IHs] /=; first lra.
  rewrite {1}/mass /=; case: dec => [eq_y|_] /=; last lra.
  by rewrite zero ?eq_y //; lra.
have /upper /= : NoDup [y] by constructor=> //; constructor.
by rewrite /mass /=; case: dec => //= _; lra.
Qed.

End Mass.

Fixpoint and_then (A B : Type) (p : program A) (f : A -> program B) :
    program B :=
  match p with
  | Return a => f a
  | Draw ns k => Draw ns (fun z => and_then (k z) f)
  end.

Definition drawing (A : Type) (ns : list integer_noise)
    (k : list Z -> program A) : program A :=
  if ns is [] then k [] else Draw ns k.

(* Alignment                                                                  *)

Inductive aligns (A : Type) (Q : R -> A -> A -> Prop) :
    R -> program A -> program A -> Prop :=
  | ReturnAligns c a a' : Q c a a' -> aligns Q c (Return a) (Return a')
  | DrawAligns c ns k k' (shift : list Z -> list Z) :
      (forall z, length z = length ns -> may_shift ns (shift z)) ->
      (forall z t, length z = length ns -> length t = length ns ->
         shifted z (shift z) = shifted t (shift t) -> z = t) ->
      (forall z, length z = length ns ->
         aligns Q (c - shift_cost ns (shift z))
           (k z) (k' (shifted z (shift z)))) ->
      aligns Q c (Draw ns k) (Draw ns k').

Definition hits (Y : Type) (y : Y) (c : R) (b b' : Y) : Prop :=
  0 <= c /\ (b = y -> b' = y).

Lemma aligns_mass (Y : Type) (dec : forall y y' : Y, {y = y'} + {y <> y'})
    (y : Y) c (p p' : program Y) :
  aligns (hits y) c p p' -> mass dec p y <= exp c * mass dec p' y.
Proof.
elim=> {c p p'} [c b b' [c_ge0 bb'] | c ns k k' shift may inj _ IHk].
  have := exp_pos c; have := exp_mono c_ge0; rewrite exp_0 /mass /=.
  case: (dec b y) (dec b' y) => [b_y|_] [_|b'_y] /=; try lra.
  by case: b'_y; apply: bb'.
pose h z := if Nat.eq_dec (length z) (length ns) is left _
  then shifted z (shift z) else z.
have lenh z : length z = length ns -> length (shifted z (shift z)) = length ns.
  move=> len_z; rewrite shifted_length // (may_shift_length (may z len_z)).
  by rewrite len_z.
apply: (is_sum_injection (h := h)) (mass_Draw dec ns k y)
  (mass_Draw dec ns k' y).
- move=> z t; rewrite /h; case: Nat.eq_dec => z_n; case: Nat.eq_dec => t_n //.
  + exact: inj.
  + by move=> eq_t; case: t_n; rewrite -eq_t lenh.
  by move=> eq_z; case: z_n; rewrite eq_z lenh.
- exact/Rlt_le/exp_pos.
move=> z; rewrite /h; case: Nat.eq_dec => z_n; last first.
  by rewrite (noise_masses_length z_n) !Rmult_0_l Rmult_0_r; apply: Rle_refl.
have := Rmult_le_compat _ _ _ _ (noise_masses_ge0 ns z)
  (proj1 (mass_in dec (k z) y)) (noise_masses_shift (may z z_n) z_n)
  (IHk z z_n).
move=> le_both; apply: Rle_trans le_both _; right.
set s := shift_cost _ _; have -> : exp c = exp s * exp (c - s).
  by rewrite -exp_plus; congr exp; ring.
by ring.
Qed.

Lemma aligns_and_then (A B : Type) (Q : R -> A -> A -> Prop)
    (Q' : R -> B -> B -> Prop) f f' c p p' :
  aligns Q c p p' ->
  (forall d a a', Q d a a' -> aligns Q' d (f a) (f' a')) ->
  aligns Q' c (and_then p f) (and_then p' f').
Proof.
move=> Qp ff'; elim: Qp => {c p p'} [c a a' | c ns k k' shift may inj _ IHk] /=.
  exact: ff'.
exact: DrawAligns may inj IHk.
Qed.

Lemma aligns_paths (A L : Type) (Q : R -> A -> A -> Prop) c ns
    (step step' : list Z -> A) (path : A -> L) (shift : L -> list Z) :
  (forall z, length z = length ns -> let k := shift (path (step z)) in
     [/\ may_shift ns k, path (step' (shifted z k)) = path (step z) &
         Q (c - shift_cost ns k) (step z) (step' (shifted z k))]) ->
  aligns Q c (drawing ns (fun z => Return (step z)))
             (drawing ns (fun z => Return (step' z))).
Proof.
case: ns => [|n ns'] same.
  by have [//|_ _ Qc] := same []; apply: ReturnAligns; rewrite Rminus_0_r in Qc.
have len := may_shift_length.
apply: (DrawAligns (shift := fun z => shift (path (step z)))) => [z|z t|z] z_n.
- by have [] := same z z_n.
- move=> t_n; have [may_z path_z _] := same z z_n.
  have [may_t path_t _] := same t t_n => eq_zt.
  have eq_path : path (step z) = path (step t).
    by rewrite -path_z -path_t eq_zt.
  apply: (shifted_injective (k := shift (path (step z)))).
  + by rewrite (len _ _ may_z).
  + by rewrite (len _ _ may_z).
  by rewrite {2}eq_path.
by apply: ReturnAligns; have [] := same z z_n.
Qed.
