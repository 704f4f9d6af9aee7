(******************************************************************************)
(* Stability of what PHSafe does before its noise                             *)
(*                                                                            *)
(* A data set is a sequence of records, read as a multiset: what is said of   *)
(* it is the same for every order of its records.                             *)
(*                                                                            *)
(*     symdiff s t == |s - t|, the symmetric difference: what is left of both *)
(*                    when equal records have cancelled                       *)
(*      stable c f == f is c-stable: symdiff (f s) (f t) <= c * symdiff s t   *)
(*     group key k s == the records of s with key k                           *)
(* by_key key keys f s == f of the group of each key, all of them together    *)
(*   first le n g == the first n records of g in the order le                 *)
(*        alone g == g, if it is a single record, and nothing otherwise       *)
(* truncated, unique == what is left of persons and of units before the join  *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   stable_comp == phsafe.stability.composition                              *)
(*   filter_stable == phsafe.filter.stable                                    *)
(*   map_stable == phsafe.mappings.stable                                     *)
(*   truncated_stable == phsafe.truncation.stable, for every threshold        *)
(*   unique_stable == phsafe.units.unique.stable                              *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect zify.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Distance.
Variable T : eqType.
Implicit Types (s t u v a b : seq T) (x y : T).

Fixpoint symdiff s t : nat :=
  if s is x :: s' then
    if x \in t then symdiff s' (rem x t) else (symdiff s' t).+1
  else size t.

Lemma perm_mid x s u a : perm_eq (x :: s) (u ++ x :: a) = perm_eq s (u ++ a).
Proof. by rewrite perm_sym -[x :: a]cat1s perm_catCA /= perm_cons perm_sym. Qed.

Lemma perm_left x s u a : x \in u ->
  perm_eq (x :: s) (u ++ a) -> perm_eq s (rem x u ++ a).
Proof.
move=> x_u xs_ua; rewrite -(perm_cons x) (permPl xs_ua) -cat_cons perm_cat2r.
exact: perm_to_rem.
Qed.

Lemma perm_right x s u a : x \in a ->
  perm_eq (x :: s) (u ++ a) -> perm_eq s (u ++ rem x a).
Proof.
move=> x_a xs_ua; rewrite -(perm_mid x) (permPl xs_ua) perm_cat2l.
exact: perm_to_rem.
Qed.

Lemma symdiff_split s t : exists u a b,
  [/\ perm_eq s (u ++ a), perm_eq t (u ++ b) & symdiff s t = size a + size b].
Proof.
elim: s t => [|x s IHs] t /=; first by exists [::], [::], t.
case: ifP => [x_t | _].
  have [u [a [b [s_ua t_ub ->]]]] := IHs (rem x t).
  exists (x :: u), a, b; split=> //=; first by rewrite perm_cons.
  by rewrite (permPl (perm_to_rem x_t)) perm_cons.
have [u [a [b [s_ua t_ub ->]]]] := IHs t.
by exists u, (x :: a), b; split; rewrite ?perm_mid.
Qed.

Lemma symdiff_le u a b s t :
  perm_eq s (u ++ a) -> perm_eq t (u ++ b) -> symdiff s t <= size a + size b.
Proof.
elim: s t u a b => [|x s IHs] t u a b /=.
  move/perm_size; rewrite size_cat /= => ua0 /perm_size ->.
  by rewrite size_cat; lia.
move=> xs_ua t_ub; have: x \in u ++ a by rewrite -(perm_mem xs_ua) mem_head.
rewrite mem_cat; have [x_u _ | x_u /= x_a] := boolP (x \in u).
  have x_t: x \in t by rewrite (perm_mem t_ub) mem_cat x_u.
  rewrite x_t; apply: (IHs _ (rem x u)); first exact: perm_left.
  by apply: perm_left; rewrite // -(permPl (perm_to_rem x_t)).
have s_ua := perm_right x_a xs_ua.
rewrite (perm_size (perm_to_rem x_a)) /= addSn.
case: ifP => [x_t | _]; last by rewrite ltnS; apply: IHs s_ua t_ub.
have x_b: x \in b by move: x_t; rewrite (perm_mem t_ub) mem_cat (negPf x_u).
rewrite (perm_size (perm_to_rem x_b)) /= addnS; do 2 apply: leqW.
by apply: IHs s_ua _; apply: perm_right; rewrite // -(permPl (perm_to_rem x_t)).
Qed.

Lemma symdiff_perm s t s' t' :
  perm_eq s s' -> perm_eq t t' -> symdiff s t <= symdiff s' t'.
Proof.
move=> ss' tt'; have [u [a [b [s_ua t_ub ->]]]] := symdiff_split s' t'.
by apply: (@symdiff_le u); [rewrite (permPl ss') | rewrite (permPl tt')].
Qed.

Lemma symdiff_eq0 s t : perm_eq s t -> symdiff s t = 0.
Proof.
move=> st; apply/eqP; rewrite -leqn0.
by apply: (@symdiff_le s [::] [::]); rewrite cats0 // perm_sym.
Qed.

Lemma symdiffC s t : symdiff s t = symdiff t s.
Proof.
suff le s1 t1 : symdiff s1 t1 <= symdiff t1 s1.
  by apply/eqP; rewrite eqn_leq !le.
have [u [a [b [t_ua s_ub ->]]]] := symdiff_split t1 s1.
by rewrite addnC; apply: symdiff_le s_ub t_ua.
Qed.

Lemma symdiff_cons x s : symdiff s (x :: s) <= 1.
Proof.
apply: (@symdiff_le s [::] [:: x]); first by rewrite cats0.
by rewrite cats1 perm_sym perm_rcons.
Qed.

Lemma perm_cat_refine u b v c : perm_eq (u ++ b) (v ++ c) ->
  exists w p q r, [/\ perm_eq u (w ++ p), perm_eq b (q ++ r),
    perm_eq v (w ++ q) & perm_eq c (p ++ r)].
Proof.
elim: u v c => [|x u IHu] v c /=; first by exists [::], [::], v, c.
move=> eq_ub; have: x \in v ++ c by rewrite -(perm_mem eq_ub) mem_head.
rewrite mem_cat; have [x_v _ | x_v /= x_c] := boolP (x \in v).
  have [w [p [q [r [u_wp b_qr v_wq c_pr]]]]] := IHu _ _ (perm_left x_v eq_ub).
  exists (x :: w), p, q, r; split=> //=; first by rewrite perm_cons.
  by rewrite (permPl (perm_to_rem x_v)) perm_cons.
have [w [p [q [r [u_wp b_qr v_wq c_pr]]]]] := IHu _ _ (perm_right x_c eq_ub).
exists w, (x :: p), q, r; split=> //; first by rewrite perm_mid.
by rewrite (permPl (perm_to_rem x_c)) perm_cons.
Qed.

Lemma symdiff_triangle t s v : symdiff s v <= symdiff s t + symdiff t v.
Proof.
have [u [a [b [s_ua t_ub ->]]]] := symdiff_split s t.
have [u' [b' [c [t_ub' v_uc ->]]]] := symdiff_split t v.
have [|w [p [q [r [u_wp b_qr u_wq b_pr]]]]] := @perm_cat_refine u b u' b'.
  by rewrite -(permPl t_ub).
have s_w: perm_eq s (w ++ (p ++ a)).
  by rewrite (permPl s_ua) catA perm_cat2r.
have v_w: perm_eq v (w ++ (q ++ c)).
  by rewrite (permPl v_uc) catA perm_cat2r.
apply: leq_trans (symdiff_le s_w v_w) _.
rewrite !size_cat (perm_size b_qr) (perm_size b_pr) !size_cat.
by clear; lia.
Qed.

Lemma symdiff_cat s t s' t' :
  symdiff (s ++ s') (t ++ t') <= symdiff s t + symdiff s' t'.
Proof.
have [u [a [b [s_ua t_ub ->]]]] := symdiff_split s t.
have [v [c [d [s_vc t_vd ->]]]] := symdiff_split s' t'.
have cat4 (e f : seq T) : perm_eq ((u ++ e) ++ (v ++ f)) ((u ++ v) ++ (e ++ f)).
  by rewrite -!catA perm_cat2l perm_catCA.
rewrite addnACA -(size_cat a) -(size_cat b); apply: (@symdiff_le (u ++ v)).
  by rewrite -(permPr (cat4 a c)) perm_cat.
by rewrite -(permPr (cat4 b d)) perm_cat.
Qed.

End Distance.

Section Stability.
Variables S T : eqType.

Definition stable (c : nat) (f : seq S -> seq T) :=
  forall s t, symdiff (f s) (f t) <= c * symdiff s t.

(* It is enough to know the order does not matter and what one record does    *)
Lemma stable_steps (c : nat) (f : seq S -> seq T) :
    (forall s t, perm_eq s t -> perm_eq (f s) (f t)) ->
    (forall x s, symdiff (f s) (f (x :: s)) <= c) ->
  stable c f.
Proof.
move=> f_perm f_step s t; have [u [a [b [s_ua t_ub ->]]]] := symdiff_split s t.
have steps e : symdiff (f u) (f (e ++ u)) <= c * size e.
  elim: e => [|x e IHe] /=; first by rewrite symdiff_eq0.
  apply: leq_trans (symdiff_triangle (f (e ++ u)) _ _) _.
  by rewrite mulnS addnC leq_add.
have part v e : perm_eq v (u ++ e) -> symdiff (f u) (f v) <= c * size e.
  move=> v_ue; apply: leq_trans (steps e).
  apply: (@leq_trans (symdiff (f u) (f v))) => //.
  apply: symdiff_perm => //; apply: f_perm; rewrite (permPl v_ue).
  by rewrite perm_catC.
apply: leq_trans (symdiff_triangle (f u) _ _) _.
by rewrite mulnDr leq_add ?(symdiffC _ (f u)) ?part.
Qed.

End Stability.

Theorem stable_comp (S T U : eqType) (b c : nat) (f : seq S -> seq T)
    (g : seq T -> seq U) :
  stable b f -> stable c g -> stable (b * c) (g \o f).
Proof.
move=> f_stable g_stable s t; apply: leq_trans (g_stable _ _) _.
by rewrite (mulnC b) -mulnA leq_mul2l f_stable orbT.
Qed.

Section Records.
Variables S T K : eqType.
Implicit Types (s t : seq S) (k : K).

Theorem filter_stable (p : pred S) : stable 1 (filter p).
Proof.
apply: stable_steps => [s t | x s]; first exact: perm_filter.
by rewrite /=; case: (p x); rewrite ?symdiff_cons // symdiff_eq0.
Qed.

Theorem map_stable (f : S -> T) : stable 1 (map f).
Proof.
apply: stable_steps => [s t | x s]; first exact: perm_map.
exact: symdiff_cons.
Qed.

Definition group (key : S -> K) k s := [seq x <- s | key x == k].
Definition by_key key (keys : seq K) (f : seq S -> seq T) s :=
  flatten [seq f (group key k s) | k <- keys].

Lemma by_key_stable key keys (c : nat) (f : seq S -> seq T) :
    uniq keys -> (forall s t, perm_eq s t -> perm_eq (f s) (f t)) ->
    (forall x s, symdiff (f s) (f (x :: s)) <= c) ->
  stable c (by_key key keys f).
Proof.
move=> keys_uniq f_perm f_step; apply: stable_steps => [s t st | x s].
  rewrite /by_key; elim: keys {keys_uniq} => //= k keys IHk.
  by rewrite perm_cat // f_perm // perm_filter.
rewrite /by_key /group /=; elim: keys keys_uniq => //= k keys IHk.
case/andP=> k_keys keys_uniq; apply: leq_trans (symdiff_cat _ _ _ _) _.
have [x_k | x_k] := eqVneq (key x) k; last first.
  by rewrite symdiff_eq0 // add0n IHk.
have <-: [seq f [seq y <- s | key y == j] | j <- keys] =
    [seq f (if key x == j then x :: [seq y <- s | key y == j]
      else [seq y <- s | key y == j]) | j <- keys].
  apply/eq_in_map => j j_keys; case: eqP => // x_j.
  by rewrite -x_k x_j j_keys in k_keys.
rewrite [symdiff (flatten _) _]symdiff_eq0 // addn0.
exact: f_step.
Qed.
End Records.

Section Truncation.
Variables (S K : eqType) (key : S -> K) (keys : seq K) (le : rel S).
Hypotheses (keys_uniq : uniq keys) (le_total : total le).
Hypotheses (le_trans : transitive le) (le_anti : antisymmetric le).
Implicit Types (s g : seq S) (x y : S) (n : nat).

Definition first n g := take n (sort le g).
Definition truncated n := by_key key keys (first n).
Definition alone g := if size g == 1 then g else [::].
Definition unique := by_key key keys alone.

Lemma insert_sorted x s : sorted le s ->
  exists p q, s = p ++ q /\ sorted le (p ++ x :: q).
Proof.
elim: s => [|y s IHs] /=; first by exists [::], [::].
move=> s_path; have [le_xy | le_yx] := orP (le_total x y).
  by exists [::], (y :: s); rewrite /= le_xy.
have [[|z p] [q [s_pq pq_sorted]]] := IHs (path_sorted s_path).
  exists [:: y], q; split; first by rewrite s_pq.
  by move: pq_sorted; rewrite /= le_yx.
exists (y :: z :: p), q; split; first by rewrite s_pq.
by move: pq_sorted s_path; rewrite s_pq /= => -> /andP[-> _].
Qed.

Lemma take_step n (p q : seq S) x :
  symdiff (take n (p ++ q)) (take n (p ++ x :: q)) <= 2.
Proof.
rewrite !take_cat; case: ltnP => [_ | p_n]; first by rewrite symdiff_eq0.
case: (n - size p) => [|m]; first by rewrite !take0 symdiff_eq0.
apply: (@leq_trans (size (take 1 (drop m q)) + size [:: x])); last first.
  by rewrite /= addn1 ltnS size_take; case: ltnP.
apply: (@symdiff_le _ (p ++ take m q)).
  by rewrite -catA perm_cat2l -addn1 takeD.
by rewrite /= -catA perm_cat2l cats1 perm_sym perm_rcons.
Qed.

Lemma first_step n x g : symdiff (first n g) (first n (x :: g)) <= 2.
Proof.
have [p [q [g_pq pq_sorted]]] := insert_sorted x (sort_sorted le_total g).
rewrite /first g_pq.
suff ->: sort le (x :: g) = p ++ x :: q by apply: take_step.
apply: (sorted_eq le_trans le_anti) => //; first exact: sort_sorted.
by rewrite perm_sort perm_mid -g_pq perm_sym perm_sort.
Qed.

Theorem truncated_stable n : stable 2 (truncated n).
Proof.
apply: by_key_stable => // [s t st | x s]; last exact: first_step.
by have/(perm_sortP le_total le_trans le_anti) := st; rewrite /first => ->.
Qed.

Theorem unique_stable : stable 1 unique.
Proof.
apply: by_key_stable => // [s t st | x s]; rewrite /alone.
  by rewrite (perm_size st); case: ifP.
by case: s => [|y [|z s]].
Qed.
End Truncation.
