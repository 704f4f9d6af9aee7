From Coq Require Import Reals List Lra ssreflect ssrfun ssrbool.

(******************************************************************************)
(* Sums of non-negative reals over an index type without an order: the least  *)
(* upper bound of the sums over finite sets of indices. A sum over Z or over  *)
(* Z * Z is reindexed, split and multiplied without any order of summation.   *)
(*                                                                            *)
(*   finite_sum f s == the sum of f over the list s                           *)
(*   is_sum f a == f is non-negative and its sum over the whole type is a,    *)
(*            the least upper bound of its sums over lists without repetition *)
(*   finite_sum_is_sum, finite_sum_incl == the sum over a list without        *)
(*            repetition is at most the sum over the type, and over a list    *)
(*            that contains it                                                *)
(*   is_sum_exists == a non-negative f with bounded finite sums has a sum     *)
(*   is_sum_bijection == reindexing by a bijection                            *)
(*   is_sum_product == the sum of f i * g j over I * J is the product         *)
(*   is_sum_disjoint == the sum over I + J is the sum of the two              *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Set Bullet Behavior "None".

Import ListNotations.

Local Open Scope R_scope.

Fixpoint finite_sum (I : Type) (f : I -> R) (s : list I) : R :=
  match s with
  | [] => 0
  | i :: t => f i + finite_sum f t
  end.

Definition is_sum (I : Type) (f : I -> R) (a : R) : Prop :=
  (forall i, 0 <= f i) /\
  is_lub (fun r => exists2 s, NoDup s & r = finite_sum f s) a.

Lemma NoDup_cat (I : Type) (s t : list I) :
  NoDup s -> NoDup t -> (forall i, In i s -> ~ In i t) -> NoDup (s ++ t).
Proof.
move=> uniq_s uniq_t; elim: s / uniq_s => [|i s' si' _ IHs] //= apart.
constructor; last by apply: IHs => j js'; apply: apart; right.
by move=> /(in_app_or _ _ _) [//|]; apply: apart; left.
Qed.

Lemma NoDup_image (I J : Type) (h : I -> J) (s : list I) :
  (forall i i', h i = h i' -> i = i') -> NoDup s -> NoDup (map h s).
Proof.
move=> h_inj uniq_s; elim: s / uniq_s => [|i s' si' _ IHs] /=; constructor=> //.
by move=> /(in_map_iff _ _ _) [j [/h_inj ->]].
Qed.

Lemma NoDup_pairs (I J : Type) (s : list I) (t : list J) :
  NoDup s -> NoDup t -> NoDup (list_prod s t).
Proof.
move=> uniq_s uniq_t; elim: s / uniq_s => [|i s' si' _ IHs] /=.
  by constructor.
apply: NoDup_cat => //; first by apply: NoDup_image => // j j' [].
by move=> _ /(in_map_iff _ _ _) [j [<- _]] /(in_prod_iff _ _ _ _) [].
Qed.

Section FiniteSums.

Variable I : Type.
Implicit Types (f g : I -> R) (s t : list I).

Lemma finite_sum_ge0 f s : (forall i, 0 <= f i) -> 0 <= finite_sum f s.
Proof.
by move=> f_ge0; elim: s => [|i s IHs] /=; [lra | have := f_ge0 i; lra].
Qed.

Lemma finite_sum_cat f s t :
  finite_sum f (s ++ t) = finite_sum f s + finite_sum f t.
Proof. by elim: s => [|i s IHs] /=; [|rewrite IHs]; ring. Qed.

Lemma finite_sum_scale f c s :
  finite_sum (fun i => c * f i) s = c * finite_sum f s.
Proof. by elim: s => [|i s IHs] /=; [|rewrite IHs]; ring. Qed.

Lemma finite_sum_add f g s :
  finite_sum (fun i => f i + g i) s = finite_sum f s + finite_sum g s.
Proof. by elim: s => [|i s IHs] /=; [|rewrite IHs]; ring. Qed.

Lemma finite_sum_map (J : Type) (h : J -> I) f (s : list J) :
  finite_sum f (map h s) = finite_sum (fun j => f (h j)) s.
Proof. by elim: s => //= j s ->. Qed.

Lemma finite_sum_le f g s :
  (forall i, f i <= g i) -> finite_sum f s <= finite_sum g s.
Proof.
by move=> le_fg; elim: s => [|i s IHs] /=; [lra | have := le_fg i; lra].
Qed.

Lemma finite_sum_incl f s t :
  (forall i, 0 <= f i) -> NoDup s -> incl s t ->
  finite_sum f s <= finite_sum f t.
Proof.
move=> f_ge0 uniq_s; elim: s / uniq_s t => [|i s' si' _ IHs] t.
  by move=> _; apply: finite_sum_ge0.
move=> sub; have [t1 [t2 t_def]] := in_split i t (sub i (or_introl eq_refl)).
suff : finite_sum f s' <= finite_sum f (t1 ++ t2).
  by rewrite t_def !finite_sum_cat /=; lra.
apply: IHs => j js'; have := sub j (or_intror js').
rewrite t_def => /(in_app_or _ _ _) [jt1|[ij|jt2]]; apply: in_or_app;
  [by left | | by right].
by case: si'; rewrite ij.
Qed.

Lemma summand_ge0 f a : is_sum f a -> forall i, 0 <= f i.
Proof. by case. Qed.

Lemma finite_sum_is_sum f a s : is_sum f a -> NoDup s -> finite_sum f s <= a.
Proof. by move=> [_ [upper _]] uniq_s; apply: upper; exists s. Qed.

Lemma is_sum_least f a b :
  is_sum f a -> (forall s, NoDup s -> finite_sum f s <= b) -> a <= b.
Proof.
by move=> [_ [_ least]] upper; apply: least => _ [s /upper le_sb ->].
Qed.

Lemma is_sum_intro f a :
  (forall i, 0 <= f i) -> (forall s, NoDup s -> finite_sum f s <= a) ->
  (forall b, (forall s, NoDup s -> finite_sum f s <= b) -> a <= b) ->
  is_sum f a.
Proof.
move=> f_ge0 upper least; split=> //; split.
  by move=> _ [s /upper le_sa ->].
by move=> b b_upper; apply: least => s uniq_s; apply: b_upper; exists s.
Qed.

Lemma is_sum_exists f b :
  (forall i, 0 <= f i) -> (forall s, NoDup s -> finite_sum f s <= b) ->
  {a | is_sum f a}.
Proof.
move=> f_ge0 upper.
have [||a lub_a] :=
  completeness (fun r => exists2 s, NoDup s & r = finite_sum f s).
- by exists b => _ [s /upper le_sb ->].
- by exists 0; exists []; first by constructor.
by exists a; split.
Qed.

Lemma is_sum_ge0 f a : is_sum f a -> 0 <= a.
Proof. by move=> sum_a; apply: (finite_sum_is_sum sum_a (NoDup_nil I)). Qed.

Lemma is_sum_term f a i : is_sum f a -> f i <= a.
Proof.
move=> sum_a; have uniq_i : NoDup [i] by constructor=> //; constructor.
by have /= := finite_sum_is_sum sum_a uniq_i; lra.
Qed.

Lemma is_sum_unique f a b : is_sum f a -> is_sum f b -> a = b.
Proof.
move=> sum_a sum_b; apply: Rle_antisym.
  by apply: (is_sum_least sum_a) => s; apply: finite_sum_is_sum.
by apply: (is_sum_least sum_b) => s; apply: finite_sum_is_sum.
Qed.

Lemma is_sum_le f g a b :
  (forall i, f i <= g i) -> is_sum f a -> is_sum g b -> a <= b.
Proof.
move=> le_fg sum_a sum_b; apply: (is_sum_least sum_a) => s uniq_s.
exact: Rle_trans (finite_sum_le s le_fg) (finite_sum_is_sum sum_b uniq_s).
Qed.

Lemma is_sum_eq f g a : (forall i, f i = g i) -> is_sum f a -> is_sum g a.
Proof.
move=> eq_fg sum_a; have eq_sum s : finite_sum g s = finite_sum f s.
  by elim: s => //= i s ->; rewrite eq_fg.
apply: is_sum_intro => [i|s|b upper].
- by rewrite -eq_fg; apply: summand_ge0 sum_a i.
- by rewrite eq_sum; apply: finite_sum_is_sum.
by apply: (is_sum_least sum_a) => s; rewrite -eq_sum; apply: upper.
Qed.

Lemma is_sum_scale f a c :
  0 <= c -> is_sum f a -> is_sum (fun i => c * f i) (c * a).
Proof.
move=> c_ge0 sum_a; apply: is_sum_intro => [i|s uniq_s|b upper].
- exact: Rmult_le_pos c_ge0 (summand_ge0 sum_a i).
- rewrite finite_sum_scale; apply: Rmult_le_compat_l => //.
  exact: finite_sum_is_sum sum_a uniq_s.
case: c_ge0 => [c_gt0|c_eq0]; last first.
  by have /= := upper [] (NoDup_nil I); rewrite -c_eq0; lra.
suff : a <= / c * b.
  move=> /(Rmult_le_compat_l c _ _ (Rlt_le _ _ c_gt0)).
  by rewrite -Rmult_assoc Rinv_r; lra.
apply: (is_sum_least sum_a) => s uniq_s.
have := upper s uniq_s; rewrite finite_sum_scale.
move=> /(Rmult_le_compat_l (/ c) _ _ (Rlt_le _ _ (Rinv_0_lt_compat _ c_gt0))).
by rewrite -Rmult_assoc Rinv_l; lra.
Qed.

End FiniteSums.

Lemma finite_sum_pairs (I J : Type) (f : I -> R) (g : J -> R) s t :
  finite_sum (fun ij => f ij.1 * g ij.2) (list_prod s t) =
  finite_sum f s * finite_sum g t.
Proof.
elim: s => [|i s IHs] /=; first by ring.
by rewrite finite_sum_cat finite_sum_map /= finite_sum_scale IHs; ring.
Qed.

Lemma is_sum_bijection (I J : Type) (h : I -> J) (f : J -> R) a :
  (forall i i', h i = h i' -> i = i') -> (forall j, exists i, h i = j) ->
  is_sum (fun i => f (h i)) a -> is_sum f a.
Proof.
move=> h_inj h_onto sum_a; have preimage (t : list J) : exists s, map h s = t.
  elim: t => [|j t [s <-]]; first by exists [].
  by have [i <-] := h_onto j; exists (i :: s).
apply: is_sum_intro => [j|t uniq_t|b upper].
- by have [i <-] := h_onto j; apply: summand_ge0 sum_a i.
- have [s s_def] := preimage t; rewrite -s_def finite_sum_map.
  by apply: (finite_sum_is_sum sum_a); apply: (NoDup_map_inv h); rewrite s_def.
apply: (is_sum_least sum_a) => s uniq_s.
by rewrite -finite_sum_map; apply: upper; apply: NoDup_image.
Qed.

Lemma is_sum_product (I J : Type) (f : I -> R) (g : J -> R) a b :
  (forall i i' : I, {i = i'} + {i <> i'}) ->
  (forall j j' : J, {j = j'} + {j <> j'}) ->
  is_sum f a -> is_sum g b -> is_sum (fun ij => f ij.1 * g ij.2) (a * b).
Proof.
move=> decI decJ sum_a sum_b.
have fg_ge0 ij : 0 <= f ij.1 * g ij.2.
  exact: Rmult_le_pos (summand_ge0 sum_a _) (summand_ge0 sum_b _).
apply: is_sum_intro => // [l uniq_l|c upper].
  set s := nodup decI (map fst l); set t := nodup decJ (map snd l).
  have sub : incl l (list_prod s t).
    move=> [i j] ijl; apply: in_prod; apply/nodup_In.
      exact: (in_map fst l (i, j)).
    exact: (in_map snd l (i, j)).
  apply: Rle_trans (finite_sum_incl fg_ge0 uniq_l sub) _.
  rewrite finite_sum_pairs; apply: Rmult_le_compat.
  - exact: finite_sum_ge0 (summand_ge0 sum_a).
  - exact: finite_sum_ge0 (summand_ge0 sum_b).
  - exact: finite_sum_is_sum sum_a (NoDup_nodup _ _).
  exact: finite_sum_is_sum sum_b (NoDup_nodup _ _).
have a_ge0 := is_sum_ge0 sum_a.
apply: (is_sum_least (is_sum_scale a_ge0 sum_b)) => t uniq_t.
rewrite finite_sum_scale Rmult_comm.
have t_ge0 := finite_sum_ge0 t (summand_ge0 sum_b).
apply: (is_sum_least (is_sum_scale t_ge0 sum_a)) => s uniq_s.
rewrite finite_sum_scale Rmult_comm -finite_sum_pairs.
by apply: upper; apply: NoDup_pairs.
Qed.

Lemma is_sum_disjoint (I J : Type) (f : I + J -> R) a b :
  is_sum (fun i => f (inl i)) a -> is_sum (fun j => f (inr j)) b ->
  is_sum f (a + b).
Proof.
move=> sum_a sum_b; apply: is_sum_intro => [[i|j]|l uniq_l|c upper].
- exact: summand_ge0 sum_a i.
- exact: summand_ge0 sum_b j.
- suff [s [t [uniq_s uniq_t [_ _ ->]]]] : exists s t, [/\ NoDup s, NoDup t &
      [/\ forall i, In i s -> In (inl i) l, forall j, In j t -> In (inr j) l &
      finite_sum f l =
      finite_sum (fun i => f (inl i)) s + finite_sum (fun j => f (inr j)) t]].
    by apply: Rplus_le_compat; [apply: finite_sum_is_sum sum_a _ |
                                apply: finite_sum_is_sum sum_b _].
  elim: l / uniq_l =>
    [|[i|j] l' ijl' _ [s [t [uniq_s uniq_t [s_l t_l l_def]]]]].
  + by exists [], []; split; [constructor | constructor | split=> //=; ring].
  + exists (i :: s), t; split=> //; first by constructor=> // /s_l.
    split=> [i' [<-|/s_l]|j /t_l|] /=; [by left | by right | by right |].
    by rewrite l_def; ring.
  exists s, (j :: t); split=> //; first by constructor=> // /t_l.
  split=> [i /s_l|j' [<-|/t_l]|] /=; [by right | by left | by right |].
  by rewrite l_def; ring.
suff : b <= c - a by lra.
apply: (is_sum_least sum_b) => t uniq_t.
suff : a <= c - finite_sum (fun j => f (inr j)) t by lra.
apply: (is_sum_least sum_a) => s uniq_s.
have : finite_sum f (map inl s ++ map inr t) <= c.
  apply: upper; apply: NoDup_cat.
  - by apply: NoDup_image uniq_s => i i' [].
  - by apply: NoDup_image uniq_t => j j' [].
  by move=> _ /(in_map_iff _ _ _) [i [<- _]] /(in_map_iff _ _ _) [j []].
by rewrite finite_sum_cat !finite_sum_map; lra.
Qed.
