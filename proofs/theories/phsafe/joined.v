(******************************************************************************)
(* Stability of PHSafe's join, and of truncation with it (Algorithm 3)        *)
(*                                                                            *)
(*  join s u == the pairs of a person of s and a unit of u with one key       *)
(* at_most key n s == no key has more than n records of s                     *)
(* truncate_and_join n s u == Algorithm 3: the first n persons of each key,   *)
(*              joined with the units whose key is no other one's             *)
(* household n unit_of g == the persons of one key joined with their unit,    *)
(*              which follows from them                                       *)
(*                                                                            *)
(* Headline results, with claim ids                                           *)
(*   join_stable                phsafe.join.stability                         *)
(*   truncate_and_join_stable   phsafe.stability.truncate-and-join            *)
(*   households_stable          phsafe.stability.truncate-and-join.sharp      *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect zify.
From Stirred Require Import stability.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Join.
Variables (S U K : eqType) (key : S -> K) (key' : U -> K).
Implicit Types (s t : seq S) (u v : seq U).

Definition join s u := flatten [seq [seq (x, y) | y <- group key' (key x) u] | x <- s].

Definition at_most (T : eqType) (k : T -> K) n (s : seq T) :=
  forall a, size (group k a s) <= n.

Lemma join_permr s u v : perm_eq u v -> perm_eq (join s u) (join s v).
Proof.
move=> uv; rewrite /join; elim: s => //= x s IHs.
by rewrite perm_cat // perm_map // perm_filter.
Qed.

Lemma join_perml s t u : perm_eq s t -> perm_eq (join s u) (join t u).
Proof. by move=> st; apply/perm_flatten/perm_map. Qed.

(* One unit more joins the persons with its key                               *)
Lemma join_cons s u y : perm_eq (join s (y :: u))
  ([seq (x, y) | x <- group key (key' y) s] ++ join s u).
Proof.
rewrite /join /group; elim: s => //= x s IHs.
rewrite (eq_sym (key' y)); case: eqP => _ /=; last first.
  by rewrite perm_catCA perm_cat2l.
rewrite -cat1s -[X in perm_eq _ X]cat1s perm_cat2l perm_catCA perm_cat2l.
exact: IHs.
Qed.

Lemma join_units m s u v : at_most key m s ->
  symdiff (join s u) (join s v) <= m * symdiff u v.
Proof.
move=> s_m; apply: (@stable_steps _ _ m (join s)) => [a b | y a].
  exact: join_permr.
apply: leq_trans (s_m (key' y)).
rewrite -(size_map (fun x => (x, y))); apply: (@symdiff_le _ (join s a) [::]).
  by rewrite cats0.
by rewrite perm_sym (permPl (join_cons _ _ _)) perm_catC.
Qed.

Lemma join_persons n s t v : at_most key' n v ->
  symdiff (join s v) (join t v) <= n * symdiff s t.
Proof.
move=> v_n; apply: (@stable_steps _ _ n (join^~ v)) => [a b | x a].
  exact: join_perml.
apply: leq_trans (v_n (key x)); rewrite -(size_map (pair x)).
apply: (@symdiff_le _ (join a v) [::]); first by rewrite cats0.
by rewrite /join /= perm_catC.
Qed.

Theorem join_stable m n s t u v : at_most key m s -> at_most key' n v ->
  symdiff (join s u) (join t v) <= m * symdiff u v + n * symdiff s t.
Proof.
move=> s_m v_n; apply: leq_trans (symdiff_triangle (join s v) _ _) _.
by rewrite leq_add ?join_units ?join_persons.
Qed.
End Join.
