From mathcomp Require Import all_ssreflect zify.
From Stirred Require Import compat stability joined changes.

(******************************************************************************)
(* The sensitivity of a level of Algorithm 1: the largest squared change of   *)
(* its counts between neighbours, over all runs and all data sets.            *)
(*                                                                            *)
(*    table_run == a level of a run of Algorithm 1: its records and keys (the *)
(*                 MAFIDs), the order of truncation, which records it keeps,  *)
(*                 and in which cell a joined row counts, if in any           *)
(* unit_mapping a == a unit for each MAFID and its persons, in any order      *)
(* person_counts f tau s, row_counts tau s u == the counts where units        *)
(*                 follow from persons, and where both are tables of their own*)
(*   one_each u == no two units of u have one MAFID                           *)
(*  largest P n == n is the largest number with P                             *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   person_added_sensitivity == phsafe.sensitivity.person-added              *)
(*   person_replaced_sensitivity == phsafe.sensitivity.person-replaced        *)
(*   tables_added_sensitivity == phsafe.sensitivity.tables-added              *)
(*   tables_replaced_sensitivity == phsafe.sensitivity.tables-replaced        *)
(* The largest changes are shown by numbers, in the order of the numbers.     *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.

Record table_run := TableRun {
  person : eqType; unit_row : eqType; mafid : eqType; level_cell : finType;
  person_key : person -> mafid; unit_key : unit_row -> mafid;
  mafids : seq mafid; row_order : rel person;
  person_kept : pred person; unit_kept : pred unit_row;
  cell : person * unit_row -> option level_cell;
  mafids_uniq : uniq mafids;
  row_order_total : total row_order;
  row_order_trans : transitive row_order;
  row_order_anti : antisymmetric row_order }.

Record unit_mapping (a : table_run) := UnitMapping {
  unit_of :> mafid a -> seq (person a) -> unit_row a;
  unit_of_key : forall k g, unit_key (unit_of k g) = k;
  unit_of_perm : forall k g h, perm_eq g h -> unit_of k g = unit_of k h }.

Definition row_counts (a : table_run) tau (s : seq (person a))
    (u : seq (unit_row a)) :=
  table_counts (@person_key a) (@unit_key a) (mafids a) (@row_order a)
    (@person_kept a) (@unit_kept a) (@cell a) tau s u.

Definition person_counts (a : table_run) (f : unit_mapping a) tau s :=
  row_counts tau s (households (@person_key a) (mafids a) f s).

Definition one_each (a : table_run) (u : seq (unit_row a)) :=
  uniq (map (@unit_key a) u).

Definition largest (P : nat -> Prop) n := P n /\ forall k, P k -> k <= n.

Lemma first_sorted tau g : sorted leq g -> first leq tau g = take tau g.
Proof. by move=> g_sorted; rewrite /first (sorted_sort leq_trans). Qed.

Lemma sorted_then n x s : path leq x s -> sorted leq (nseq n x ++ s).
Proof.
case: n => [|n] /= xs; first exact: path_sorted xs.
by elim: n => //= n IHn; rewrite leqnn.
Qed.

Lemma sorted_before x n y : x <= y -> sorted leq (x :: nseq n y).
Proof.
move=> xy; case: n => //= n; rewrite xy /=.
by elim: n => //= n IHn; rewrite leqnn.
Qed.

Lemma flatten_cons (T : Type) (s : seq T) ss : flatten (s :: ss) = s ++ flatten
  ss.
Proof. by []. Qed.

Lemma group_nseq (key : nat -> nat) k n x :
  group key k (nseq n x) = if key x == k then nseq n x else [::].
Proof. by rewrite /group; elim: n => [|n /= ->]; case: (key x == k). Qed.

Lemma group_cat (key : nat -> nat) k s t :
  group key k (s ++ t) = group key k s ++ group key k t.
Proof. exact: filter_cat. Qed.

Lemma counts_nseq (U : eqType) (C : finType) (key : nat -> nat)
    (key' : U -> nat) (cell : nat * U -> option C) n x u c :
  level_counts cell (join key key' (nseq n x) u) c =
  n * level_counts cell [seq (x, y) | y <- group key' (key x) u] c.
Proof.
by elim: n => //= n IHn; rewrite /join /= /level_counts count_cat mulSn -IHn.
Qed.

Lemma counts_cat (U : eqType) (C : finType) (key : nat -> nat)
    (key' : U -> nat) (cell : nat * U -> option C) s t u c :
  level_counts cell (join key key' (s ++ t) u) c =
  level_counts cell (join key key' s u) c +
  level_counts cell (join key key' t u) c.
Proof. by rewrite join_catl /level_counts count_cat. Qed.

(* One more and all count elsewhere                                           *)
Lemma person_added_attained tau : exists (key : nat -> nat) keys
    (cell : nat * (nat * bool) -> option bool) unit_of s t,
  [/\ uniq keys, forall k g, (unit_of k g).1 = k,
      forall k g h, perm_eq g h -> unit_of k g = unit_of k h,
      symdiff s t <= 1 &
      squared_change
        (table_counts key fst keys leq xpredT xpredT cell tau s
          (households key keys unit_of s))
        (table_counts key fst keys leq xpredT xpredT cell tau t
          (households key keys unit_of t)) =
      2 * tau ^ 2].
Proof.
exists (fun=> 0), [:: 0], (fun r => Some r.2.2).
exists (fun k g => (k, tau < size g)), (nseq tau 0), (nseq tau.+1 0).
split=> //.
- by move=> k g h /perm_size ->.
- exact: symdiff_cons.
have rows n c : 0 < n -> tau <= n ->
    table_counts (fun=> 0) fst [:: 0] leq xpredT xpredT (fun r => Some r.2.2)
      tau (nseq n 0) (households (fun=> 0) [:: 0]
        (fun k g => (k, tau < size g)) (nseq n 0)) c =
    if c == (tau < n) then tau else 0.
  move=> n_gt0 tau_n; rewrite /table_counts /algorithm_1.
  rewrite /truncate_and_join /truncated /by_key /= cats0 !filter_predT.
  rewrite group_nseq /= first_sorted; last first.
    by rewrite -[nseq n 0]cats0 sorted_then.
  rewrite (_ : take _ _ = nseq tau 0) ?counts_nseq; last first.
    by rewrite -{1}(subnKC tau_n) nseqD take_size_cat ?size_nseq.
  rewrite /households /= (_ : has _ _ = true); last first.
    by rewrite has_nseq n_gt0.
  rewrite /= group_nseq /= size_nseq /level_counts /= addn0 eq_sym.
  by case: c (tau < n) => [] []; rewrite ?muln1 ?muln0.
case: tau rows => [|m] rows.
  by rewrite /squared_change big_bool.
by rewrite /squared_change big_bool !rows //= ltnn ltnSn /= -!mulnn; lia.
Qed.

(* Of two keys with one more than counts and as many as count, the one more   *)
(* moves to the other key, and both count elsewhere                           *)
Lemma person_replaced_attained tau : exists (key : nat -> nat) keys
    (cell : nat * (nat * bool) -> option bool) unit_of s t,
  [/\ [/\ uniq keys, forall k g, (unit_of k g).1 = k &
      forall k g h, perm_eq g h -> unit_of k g = unit_of k h],
      symdiff s t <= 2, size s = size t &
      squared_change
        (table_counts key fst keys leq xpredT xpredT cell tau s
          (households key keys unit_of s))
        (table_counts key fst keys leq xpredT xpredT cell tau t
          (households key keys unit_of t)) =
      8 * tau ^ 2].
Proof.
pose unit_of (k : nat) (g : seq nat) := (k, (1 \in g) == (tau < size g)).
pose cell (r : nat * (nat * bool)) := Some r.2.2.
exists id, [:: 0; 1], cell, unit_of.
pose s := nseq tau 0 ++ nseq tau 1; exists (0 :: s), (1 :: s); split=> //.
- by split=> // k g h gh; rewrite /unit_of (perm_mem gh) (perm_size gh).
- by apply: (@symdiff_le _ s [:: 0] [:: 1]); rewrite cats1 perm_sym perm_rcons.
case: tau @unit_of @s => [|m] unit_of s; first by rewrite /squared_change
  big_bool.
have counted x c : x < 2 -> table_counts id fst [:: 0; 1] leq xpredT xpredT cell
    m.+1 (x :: s) (households id [:: 0; 1] unit_of (x :: s)) c =
    if c == (x == 1) then m.+1 + m.+1 else 0.
  move=> x2; rewrite /table_counts /algorithm_1.
  rewrite /truncate_and_join /truncated /by_key !filter_predT 2!map_cons.
  have g0 : group id 0 (x :: s) = nseq ((x == 0) + m.+1) 0.
    by rewrite -cat1s !group_cat !group_nseq /= cats0 /group /=; case: eqP =>
      // ->.
  have g1 : group id 1 (x :: s) = nseq ((x == 1) + m.+1) 1.
    by rewrite -cat1s !group_cat !group_nseq /= /group /=; case: eqP => // ->.
  have firsts (b : bool) y : first leq m.+1 (nseq (b + m.+1) y) = nseq m.+1 y.
    rewrite first_sorted; last by rewrite -[nseq _ _]cats0 sorted_then.
    by rewrite addnC nseqD take_size_cat ?size_nseq.
  rewrite g0 g1 !firsts !flatten_cons (_ : flatten _ = [::]) // cats0
    counts_cat !counts_nseq /households.
  have has_both k : k < 2 -> has (fun y => id y == k) (x :: s).
    by rewrite -cat1s !has_cat !has_nseq /=; case: k => [|[|]] // _; rewrite /=
      !orbT.
  have keysE : [seq k <- [:: 0; 1] | has (fun y => id y == k) (x :: s)] = [::
    0; 1].
    by apply/all_filterP/allP => k; rewrite !inE => /orP[] /eqP ->; apply:
      has_both.
  rewrite keysE map_cons map_cons g0 g1 /unit_of !mem_nseq !size_nseq /=.
  rewrite /level_counts /cell /= !addn0.
  by case: x x2 {g0 g1 has_both keysE} => [|[|]] // _; rewrite add0n add1n ltnn
    ltnSn;
    case: c; rewrite /= ?muln1 ?muln0.
by rewrite /squared_change big_bool !counted //= -!mulnn; lia.
Qed.

(* Two units leave with all of their persons, and a person who comes first    *)
(* pushes one of a third unit out: odd persons go, and an even one comes      *)
Lemma tables_added_attained tau : 0 < tau -> exists (key : nat -> nat) keys
    (cell : nat * nat -> option bool) s t u v,
  [/\ [/\ uniq keys, uniq u & uniq v], symdiff s t <= 1, symdiff u v <= 2 &
      squared_change
        (table_counts key id keys leq xpredT xpredT cell tau s u)
        (table_counts key id keys leq xpredT xpredT cell tau t v) =
      4 * tau ^ 2 + 4 * tau + 2].
Proof.
case: tau => // m _; exists (fun x => x %/ 4), [:: 0; 1; 2], (fun r => Some
  (odd r.1)).
pose s := nseq m.+1 1 ++ nseq m.+1 5 ++ nseq m.+1 9.
exists s, (8 :: s), [:: 0; 1; 2], [:: 2]; split=> //; first exact: symdiff_cons.
pose key x := x %/ 4.
have g0 : group key 0 s = nseq m.+1 1 by rewrite !group_cat !group_nseq /=
  cats0.
have g1 : group key 1 s = nseq m.+1 5 by rewrite !group_cat !group_nseq /=
  cats0.
have g2 : group key 2 s = nseq m.+1 9 by rewrite !group_cat !group_nseq.
have add k : group key k (8 :: s) = if k == 2 then 8 :: group key k s else
  group key k s.
  by rewrite /group /= eq_sym.
have first_all y : first leq m.+1 (nseq m.+1 y) = nseq m.+1 y.
  by rewrite first_sorted ?take_oversize ?size_nseq // -[nseq _ _]cats0
    sorted_then.
have first_8 : first leq m.+1 (8 :: nseq m.+1 9) = nseq 1 8 ++ nseq m 9.
  rewrite first_sorted; last exact: sorted_before.
  rewrite -[in nseq _ 9]addn1 nseqD -cat1s catA take_size_cat //.
  by rewrite size_cat size_nseq.
rewrite /table_counts /algorithm_1 /truncate_and_join /truncated /by_key.
rewrite !filter_predT !map_cons -!/(key _) !add !g0 !g1 !g2 !first_all first_8
  !flatten_cons (_ : flatten _ = [::]) // cats0.
rewrite /squared_change.
under eq_bigr => c _ do rewrite !counts_cat !counts_nseq.
rewrite big_bool /=.
rewrite [X in X ^ 2 + _ = _](_ : _ = m + m + 3); last by lia.
by rewrite [X in _ + X ^ 2 = _](_ : _ = 1); [rewrite -!mulnn; lia | lia].
Qed.

(* Two units leave and two come, in two others an even person comes for an    *)
(* odd one: one comes first, and one moves up as an odd one goes              *)
Lemma tables_replaced_attained tau : 0 < tau -> exists (key : nat -> nat) keys
    (cell : nat * nat -> option bool) s t u v,
  [/\ [/\ uniq keys, uniq u & uniq v], size s = size t /\ size u = size v,
      symdiff s t <= 2, symdiff u v <= 4 &
      squared_change
        (table_counts key id keys leq xpredT xpredT cell tau s u)
        (table_counts key id keys leq xpredT xpredT cell tau t v) =
      8 * (tau + 1) ^ 2].
Proof.
case: tau => // m _.
exists (fun x => x %/ 4), [:: 0; 1; 2; 3; 4; 5], (fun r => Some (odd r.1)).
pose s := nseq m.+1 1 ++ nseq m.+1 5 ++ nseq m.+1 9 ++ (nseq m 13 ++ nseq 1 14)
  ++
  nseq m.+1 16 ++ nseq m.+1 20.
exists (13 :: s), (8 :: s), [:: 0; 1; 2; 3], [:: 2; 3; 4; 5]; split=> //.
  by apply: (@symdiff_le _ s [:: 13] [:: 8]); rewrite cats1 perm_sym perm_rcons.
pose key x := x %/ 4.
have groups k : group key k s = (if k == 0 then nseq m.+1 1 else [::]) ++
    (if k == 1 then nseq m.+1 5 else [::]) ++
    (if k == 2 then nseq m.+1 9 else [::]) ++
    (if k == 3 then nseq m 13 ++ nseq 1 14 else [::]) ++
    (if k == 4 then nseq m.+1 16 else [::]) ++
    (if k == 5 then nseq m.+1 20 else [::]).
  by rewrite !group_cat !group_nseq !(eq_sym (key _)) /key /=; case: (k == 3).
have g0 : group key 0 s = nseq m.+1 1 by rewrite groups /= ?cats0.
have g1 : group key 1 s = nseq m.+1 5 by rewrite groups /= ?cats0.
have g2 : group key 2 s = nseq m.+1 9 by rewrite groups /= ?cats0.
have g3 : group key 3 s = nseq m 13 ++ nseq 1 14 by rewrite groups /= ?cats0.
have g4 : group key 4 s = nseq m.+1 16 by rewrite groups /= ?cats0.
have g5 : group key 5 s = nseq m.+1 20 by rewrite groups /= ?cats0.
have add k x : group key k (x :: s) =
    if key x == k then x :: group key k s else group key k s by [].
have first_all y : first leq m.+1 (nseq m.+1 y) = nseq m.+1 y.
  by rewrite first_sorted ?take_oversize ?size_nseq // -[nseq _ _]cats0
    sorted_then.
have first_8 : first leq m.+1 (8 :: nseq m.+1 9) = nseq 1 8 ++ nseq m 9.
  rewrite first_sorted; last exact: sorted_before.
  rewrite -[in nseq _ 9]addn1 nseqD -cat1s catA take_size_cat //.
  by rewrite size_cat size_nseq.
have first_13 : first leq m.+1 (13 :: nseq m 13 ++ nseq 1 14) = nseq m.+1 13.
  rewrite first_sorted; last exact: (@sorted_then m.+1).
  by rewrite -cat_cons (take_size_cat (s1 := nseq m.+1 13)) // size_nseq.
have first_14 : first leq m.+1 (nseq m 13 ++ nseq 1 14) = nseq m 13 ++ nseq 1
  14.
  rewrite first_sorted ?sorted_then // take_oversize //.
  by rewrite size_cat !size_nseq addn1.
rewrite /table_counts /algorithm_1 /truncate_and_join /truncated /by_key.
rewrite !filter_predT !map_cons -!/(key _) !add.
rewrite !g0 !g1 !g2 !g3 !g4 !g5 !first_all first_8 first_13 first_14
  !flatten_cons (_ : flatten _ = [::]) // cats0.
rewrite /squared_change.
under eq_bigr => c _ do rewrite !counts_cat !counts_nseq.
rewrite big_bool /=.
rewrite [X in X ^ 2 + _ = _](_ : _ = m + m + 4); last by lia.
by rewrite [X in _ + X ^ 2 = _](_ : _ = m + m + 4); [rewrite -!mulnn; lia |
  lia].
Qed.

Definition numbered (U : eqType) (key : nat -> nat) (key' : U -> nat) keys
    (keys_uniq : uniq keys) (cell : nat * U -> option bool) : table_run :=
  @TableRun nat_eqType U nat_eqType bool_finType key key' keys leq xpredT xpredT
    cell keys_uniq leq_total leq_trans anti_leq.

Theorem person_added_sensitivity tau :
  largest (fun n => exists (a : table_run) (f : unit_mapping a) s t,
    symdiff s t <= 1 /\
    n = squared_change (person_counts f tau s) (person_counts f tau t))
    (2 * tau ^ 2).
Proof.
split=> [|_ [a [f [s [t [st1 ->]]]]]]; last first.
  exact: person_added_change (mafids_uniq a) (@row_order_total a)
    (@row_order_trans a) (@row_order_anti a) (unit_of_key f)
    (unit_of_perm f) _ _ st1.
have [key [keys [c [unit [s [t [uniq_k key_k perm_k st1 <-]]]]]]] :=
  person_added_attained tau.
by exists (numbered key fst uniq_k c),
  (@UnitMapping (numbered _ _ _ _) unit key_k perm_k), s, t.
Qed.

Theorem person_replaced_sensitivity tau :
  largest (fun n => exists (a : table_run) (f : unit_mapping a) s t,
    [/\ symdiff s t <= 2, size s = size t &
      n = squared_change (person_counts f tau s) (person_counts f tau t)])
    (8 * tau ^ 2).
Proof.
split=> [|_ [a [f [s [t [st2 _ ->]]]]]]; last first.
  exact: person_replaced_change (mafids_uniq a) (@row_order_total a)
    (@row_order_trans a) (@row_order_anti a) (unit_of_key f)
    (unit_of_perm f) _ _ st2.
have [key [keys [c [unit [s [t [[uniq_k key_k perm_k] st2 sizes <-]]]]]]] :=
  person_replaced_attained tau.
by exists (numbered key fst uniq_k c),
  (@UnitMapping (numbered _ _ _ _) unit key_k perm_k), s, t.
Qed.

Theorem tables_added_sensitivity tau : 0 < tau ->
  largest (fun n => exists (a : table_run) (s t : seq (person a)) u v,
    [/\ one_each u, one_each v, symdiff s t <= 1, symdiff u v <= 2 &
      n = squared_change (row_counts tau s u) (row_counts tau t v)])
    (4 * tau ^ 2 + 4 * tau + 2).
Proof.
move=> tau_gt0; split=> [|_ [a [s [t [u [v [u1 v1 st uv ->]]]]]]]; last first.
  exact: tables_added_change (mafids_uniq a) (@row_order_total a)
    (@row_order_trans a) (@row_order_anti a) _ _ _ _ u1 v1 st uv.
have [key [keys [c [s [t [u [v [[uniq_k u1 v1] st uv <-]]]]]]]] :=
  tables_added_attained tau_gt0.
exists (numbered key id uniq_k c), s, t, u, v.
by split=> //; rewrite /one_each /= map_id.
Qed.

Theorem tables_replaced_sensitivity tau : 0 < tau ->
  largest (fun n => exists (a : table_run) (s t : seq (person a)) u v,
    [/\ one_each u /\ one_each v, size s = size t /\ size u = size v,
      symdiff s t <= 2, symdiff u v <= 4 &
      n = squared_change (row_counts tau s u) (row_counts tau t v)])
    (8 * (tau + 1) ^ 2).
Proof.
move=> tau_gt0; split=> [|_ [a [s [t [u [v [u1 [_ sizes] st uv ->]]]]]]].
  have [key [keys [c [s [t [u [v [[uniq_k u1 v1] sizes st uv <-]]]]]]]] :=
    tables_replaced_attained tau_gt0.
  exists (numbered key id uniq_k c), s, t, u, v.
  by split=> //; rewrite /one_each /= !map_id.
exact: tables_replaced_change (mafids_uniq a) (@row_order_total a)
  (@row_order_trans a) (@row_order_anti a) _ _ _ _ (proj1 u1) (proj2 u1)
  sizes st uv.
Qed.
