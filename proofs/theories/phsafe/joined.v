(******************************************************************************)
(* Stability of PHSafe's join, and of truncation with it (Algorithm 3)        *)
(*                                                                            *)
(*  join s u == the pairs of a person of s and a unit of u with one key       *)
(* at_most_per_key key n s == no key has more than n records of s                     *)
(* truncate_and_join n s u == Algorithm 3: the first n persons of each key,   *)
(*              joined with the units whose key is no other one's             *)
(* household n unit_of g == the persons of one key joined with their unit,    *)
(*              which follows from them                                       *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   join_stable == phsafe.join.stability                                     *)
(*   truncate_and_join_stable == phsafe.stability.truncate-and-join           *)
(*   households_stable == phsafe.stability.truncate-and-join.sharp            *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect zify.
From Stirred Require Import stability.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Join.
Variables (S U K : eqType) (key : S -> K) (key' : U -> K).
Implicit Types (s t : seq S) (u v : seq U).

Definition join s u :=
  flatten [seq [seq (x, y) | y <- group key' (key x) u] | x <- s].

Definition at_most_per_key (T : eqType) (k : T -> K) n (s : seq T) :=
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
rewrite (eq_sym (key' y)); case: eqP => _ /=; rewrite ?perm_cons;
  by rewrite (permPr (permEl (perm_catCA _ _ _))) perm_cat2l.
Qed.

Lemma join_units m s u v : at_most_per_key key m s ->
  symdiff (join s u) (join s v) <= m * symdiff u v.
Proof.
move=> s_m; apply: (@stable_steps _ _ m (join s)) => [a b | y a].
  exact: join_permr.
apply: leq_trans (s_m (key' y)).
rewrite -(size_map (fun x => (x, y))); apply: (@symdiff_le _ (join s a) [::]).
  by rewrite cats0.
by rewrite (permPl (join_cons _ _ _)) perm_catC.
Qed.

Lemma join_persons n s t v : at_most_per_key key' n v ->
  symdiff (join s v) (join t v) <= n * symdiff s t.
Proof.
move=> v_n; apply: (@stable_steps _ _ n (join^~ v)) => [a b | x a].
  exact: join_perml.
apply: leq_trans (v_n (key x)); rewrite -(size_map (pair x)).
apply: (@symdiff_le _ (join a v) [::]); first by rewrite cats0.
by rewrite /join /= perm_catC.
Qed.

Theorem join_stable m n s t u v : at_most_per_key key m s -> at_most_per_key key' n v ->
  symdiff (join s u) (join t v) <= m * symdiff u v + n * symdiff s t.
Proof.
move=> s_m v_n; apply: leq_trans (symdiff_triangle (join s v) _ _) _.
by rewrite leq_add ?join_units ?join_persons.
Qed.
End Join.

Section TruncateAndJoin.
Variables (S U K : eqType) (key : S -> K) (key' : U -> K).
Variables (keys keys' : seq K) (le : rel S).
Hypotheses (keys_uniq : uniq keys) (keys'_uniq : uniq keys').
Hypotheses (le_total : total le) (le_trans : transitive le).
Hypothesis le_anti : antisymmetric le.
Implicit Types (s : seq S) (u : seq U).

Lemma by_key_at_most (T : eqType) (k : T -> K) (ks : seq K) n f (s : seq T) :
    uniq ks -> (forall g, {subset f g <= g}) -> (forall g, size (f g) <= n) ->
  at_most_per_key k n (by_key k ks f s).
Proof.
move=> ks_uniq f_sub f_n a; rewrite /by_key /group.
elim: ks ks_uniq => //= b ks IHks /andP[b_ks ks_uniq].
rewrite filter_cat size_cat.
have group_b x : x \in f (group k b s) -> k x = b.
  by move/f_sub; rewrite mem_filter => /andP[/eqP].
have [a_b | a_b] := eqVneq a b; last first.
  rewrite [X in size X + _](_ : _ = [::]) ?IHks //.
  apply/eqP; rewrite -(negbK (_ == _)) -has_filter; apply/hasPn => x.
  by move/group_b => ->; rewrite eq_sym.
rewrite [X in _ + size X](_ : _ = [::]); last first.
  apply/eqP; rewrite -(negbK (_ == _)) -has_filter; apply/hasPn => x.
  case/flattenP => _ /mapP[c c_ks ->] /f_sub; rewrite mem_filter.
  case/andP=> /eqP -> _; apply: contraNneq b_ks => c_a.
  by rewrite -a_b -c_a.
by rewrite addn0 size_filter; apply: leq_trans (count_size _ _) (f_n _).
Qed.

Definition truncate_and_join n s u :=
  join key key' (truncated key keys le n s) (unique key' keys' u).

Lemma truncated_at_most n s : at_most_per_key key n (truncated key keys le n s).
Proof.
apply: by_key_at_most => // g; last by rewrite size_take_min geq_minl.
by move=> x /mem_take; rewrite mem_sort.
Qed.

Lemma unique_at_most u : at_most_per_key key' 1 (unique key' keys' u).
Proof.
apply: by_key_at_most => // g; first by move=> x; rewrite /alone; case: ifP.
by rewrite /alone; case: ifP => // /eqP ->.
Qed.

(* Persons and units that both follow from base records                       *)
Theorem truncate_and_join_stable (B : eqType) n (persons : seq B -> seq S)
    (units : seq B -> seq U) :
  stable 1 persons -> stable 2 units ->
  stable (2 * n + 2) (fun b => truncate_and_join n (persons b) (units b)).
Proof.
move=> persons_stable units_stable b c.
apply: leq_trans (join_stable _ _ (@truncated_at_most n _)
  (@unique_at_most _)) _.
have cut := truncated_stable key keys_uniq le_total le_trans le_anti n.
have kept := unique_stable key' keys'_uniq.
have := leq_trans (cut _ _) (leq_mul (leqnn 2) (persons_stable b c)).
have := leq_trans (kept _ _) (leq_mul (leqnn 1) (units_stable b c)).
by rewrite !mul1n => units_le persons_le; nia.
Qed.

Definition household n (unit_of : seq S -> U) g :=
  [seq (x, unit_of g) | x <- first le n g].

Theorem households_stable n (unit_of : seq S -> U) :
  (forall s t, perm_eq s t -> unit_of s = unit_of t) ->
  stable (2 * n) (by_key key keys (household n unit_of)).
Proof.
move=> unit_perm; have size_household g : size (household n unit_of g) <= n.
  by rewrite size_map size_take_min geq_minl.
apply: by_key_stable => // [s t st | x s].
  rewrite /household (unit_perm _ _ st) /first.
  by have/(perm_sortP le_total le_trans le_anti) := st => ->.
apply: (@leq_trans (size (household n unit_of s) + size _)).
  exact: (@symdiff_le _ [::] _ (household n unit_of (x :: s))).
by rewrite mul2n -addnn leq_add.
Qed.
End TruncateAndJoin.
