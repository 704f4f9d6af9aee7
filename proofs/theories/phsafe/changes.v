(******************************************************************************)
(* How far neighbours move the counts of a level of Algorithm 1, which counts *)
(* the rows of Algorithm 3 by cells; a row may be in none.                    *)
(*                                                                            *)
(*       squared_change v w == the squared L2 change of the counts            *)
(* algorithm_1 kept kept' tau s u == the joined rows of the persons of s that *)
(*                    are kept, at most tau of a key, and of the units of u   *)
(*   level_counts cell rows c == how many of the rows are in the cell c       *)
(*   households unit_of s == one unit for each key of persons of s, which     *)
(*                    follows from the key and the persons, and has the key   *)
(*       table_counts == the counts of the rows of algorithm_1                *)
(*                                                                            *)
(* That the bounds are attained is in sensitivity.v.                          *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect zify.
From Stirred Require Import stability joined.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Excess.
Variable C : finType.
Implicit Types (v w : C -> nat) (a b tau : nat).

Definition squared_change v w := \sum_c ((v c - w c) + (w c - v c)) ^ 2.
Definition surplus v w := \sum_c (v c - w c).

Lemma squares_le v a : \sum_c v c <= a -> \sum_c v c ^ 2 <= a ^ 2.
Proof.
move=> v_a; apply: (@leq_trans (\sum_c v c * a)); last first.
  by rewrite -big_distrl /= -mulnn leq_mul2r v_a orbT.
apply: leq_sum => c _; rewrite -mulnn leq_mul2l; apply/orP; right.
by apply: leq_trans v_a; rewrite (bigD1 c) //= leq_addr.
Qed.

Lemma squared_change_le v w a b :
  surplus v w <= a -> surplus w v <= b -> squared_change v w <= a ^ 2 + b ^ 2.
Proof.
move=> v_a w_b; apply: leq_trans (leq_add (squares_le v_a) (squares_le w_b)).
rewrite -big_split; apply: leq_sum => c _ /=.
by case: (leqP (v c) (w c)) => [/eqP -> | /ltnW/eqP ->]; rewrite ?addn0 ?add0n
  ?leq_addl ?leq_addr.
Qed.

Lemma excess_triangle u v w : surplus v w <= surplus v u + surplus u w.
Proof. by rewrite -big_split; apply: leq_sum => c _ /=; lia. Qed.

Lemma excess_eq v w : v =1 w -> surplus v w = 0.
Proof. by move=> vw; apply: big1 => c _; rewrite vw subnn. Qed.

(* What one record does, and how many come and go                             *)
Lemma excess_steps (S : eqType) a (f : seq S -> C -> nat) s t :
    (forall s t, perm_eq s t -> f s =1 f t) ->
    (forall x s, surplus (f s) (f (x :: s)) <= a /\
      surplus (f (x :: s)) (f s) <= a) ->
  surplus (f s) (f t) <= a * symdiff s t.
Proof.
move=> f_perm f_step; have [u [p [q [s_up t_uq ->]]]] := symdiff_split s t.
have steps e : surplus (f u) (f (e ++ u)) <= a * size e /\
    surplus (f (e ++ u)) (f u) <= a * size e.
  elim: e => [|x e [IHe IHe']] /=; first by rewrite excess_eq.
  have [go come] := f_step x (e ++ u); rewrite mulnS addnC; split.
    by apply: leq_trans (excess_triangle (f (e ++ u)) _ _) _; rewrite leq_add.
  by rewrite addnC; apply: leq_trans (excess_triangle (f (e ++ u)) _ _) _;
    rewrite leq_add.
have swap e r : perm_eq r (u ++ e) -> f r =1 f (e ++ u).
  by move=> r_ue; apply: f_perm; rewrite (permPl r_ue) perm_catC.
rewrite mulnDr; apply: leq_trans (excess_triangle (f u) _ _) _.
have [[_ go] [come _]] := (steps p, steps q).
apply: leq_add; [apply: leq_trans go | apply: leq_trans come];
  by rewrite leq_eqVlt; apply/orP; left; apply/eqP/eq_bigr => c _;
    rewrite (swap _ _ s_up, swap _ _ t_uq).
Qed.

Section Counts.
Variables (T : eqType) (cell : T -> option C).
Implicit Types (r s t : seq T).

Definition level_counts r c := count (fun x => cell x == Some c) r.

Lemma level_counts_perm s t : perm_eq s t -> level_counts s =1 level_counts t.
Proof. by move=> /permP st c; apply: st. Qed.

Lemma level_counts_le r : \sum_c level_counts r c <= size r.
Proof.
elim: r => [|x r IHr]; first by rewrite big1.
rewrite big_split /= -add1n leq_add //; case: (cell x) => [c|]; last first.
  by rewrite big1.
by rewrite (bigD1 c) //= eqxx big1 // => c' /negPf c'c; rewrite eq_sym
  (inj_eq Some_inj) c'c.
Qed.

Lemma excess_left r p q s t : perm_eq s (r ++ p) -> perm_eq t (r ++ q) ->
  surplus (level_counts s) (level_counts t) <= size p.
Proof.
move=> /level_counts_perm s_rp /level_counts_perm t_rq.
apply: leq_trans (level_counts_le p); apply: leq_sum => c _.
by rewrite s_rp t_rq /level_counts !count_cat subnDl leq_subr.
Qed.
End Counts.
End Excess.

Section Algorithm1.
Variables (S U K : eqType) (C : finType) (key : S -> K) (key' : U -> K).
Variables (keys : seq K) (le : rel S) (kept : pred S) (kept' : pred U).
Variables (cell : S * U -> option C) (tau : nat).
Hypothesis keys_uniq : uniq keys.
Hypotheses (le_total : total le) (le_trans : transitive le).
Hypothesis le_anti : antisymmetric le.
Implicit Types (s t : seq S) (u v : seq U).

Definition algorithm_1 s u : seq (S * U) :=
  truncate_and_join key key' keys keys le tau (filter kept s) (filter kept' u).

Definition table_counts s u := level_counts cell (algorithm_1 s u).

Lemma by_key_one (T : eqType) (f : seq S -> seq T) k s : k \in keys ->
  perm_eq (by_key key keys f s)
    (by_key key (rem k keys) f s ++ f (group key k s)).
Proof.
move=> k_keys; rewrite perm_sym perm_catC perm_sym /by_key.
apply: (@perm_flatten _ _ (f (group key k s) :: _)).
by rewrite -(map_cons (fun k => f (group key k s))) perm_map // perm_to_rem.
Qed.

Lemma by_key_other (T : eqType) (f : seq S -> seq T) x s :
  by_key key (rem (key x) keys) f (x :: s) =
  by_key key (rem (key x) keys) f s.
Proof.
congr flatten; apply/eq_in_map => k; rewrite mem_rem_uniq // inE /group /=.
by rewrite eq_sym => /andP[/negPf ->].
Qed.

Lemma by_key_absent (T : eqType) (f : seq S -> seq T) x s : key x \notin keys ->
  by_key key keys f (x :: s) = by_key key keys f s.
Proof. by move/rem_id => absent; have := by_key_other f x s; rewrite absent.
  Qed.

Lemma join_catl s t v : join key key' (s ++ t) v = join key key' s v ++ join
  key key' t v.
Proof. by rewrite /join map_cat flatten_cat. Qed.

Lemma join_catr s u v :
  perm_eq (join key key' s (u ++ v)) (join key key' s u ++ join key key' s v).
Proof.
elim: u => [|y u IHu] /=.
  by rewrite (_ : join _ _ s [::] = [::]) //; elim: s {v}.
rewrite (permPl (join_cons _ _ _ _ _)).
rewrite perm_sym (permPl (perm_cat (join_cons _ _ _ _ _) (perm_refl _))).
by rewrite -catA perm_cat2l perm_sym.
Qed.

Lemma size_joinl s v : at_most_per_key key' 1 v -> size (join key key' s v) <=
  size s.
Proof.
move=> v1; elim: s => //= x s IHs; rewrite /join /= size_cat size_map -add1n.
exact: leq_add.
Qed.

Lemma size_joinr s v : at_most_per_key key tau s ->
  size (join key key' s v) <= tau * size v.
Proof.
move=> s_tau; elim: v => [|y v IHv] /=; first by rewrite muln0; elim: s {s_tau}.
by rewrite (perm_size (join_cons _ _ _ _ _)) size_cat size_map mulnS leq_add.
Qed.

Lemma size_first g : size (first le tau g) = minn tau (size g).
Proof. by rewrite size_take_min size_sort. Qed.

(* One person moves at most one row in and one out                            *)
Lemma first_moves x g : exists r p q, [/\ perm_eq (first le tau g) (r ++ p),
  perm_eq (first le tau (x :: g)) (r ++ q), size p <= 1 & size q <= 1].
Proof.
have := first_step le_total le_trans le_anti tau x g.
have [r [p [q [g_rp xg_rq ->]]]] :=
  symdiff_split (first le tau g) (first le tau (x :: g)).
have [] := (perm_size g_rp, perm_size xg_rq).
by rewrite !size_first !size_cat /= => ? ? ?; exists r, p, q; split=> //; lia.
Qed.

Lemma persons_step v x s : at_most_per_key key' 1 v ->
  let f s := level_counts cell
    (join key key' (truncated key keys le tau (filter kept s)) v) in
  surplus (f s) (f (x :: s)) <= 1 /\ surplus (f (x :: s)) (f s) <= 1.
Proof.
move=> v1 /=; case: (kept x); last by rewrite excess_eq.
set t := filter kept s; have [k_keys | k_keys] := boolP (key x \in keys);
  last by rewrite /truncated by_key_absent // excess_eq.
have [r [p [q [g_rp xg_rq p1 q1]]]] := first_moves x (group key (key x) t).
have rows t' e : perm_eq (first le tau (group key (key x) t')) (r ++ e) ->
    perm_eq (join key key' (truncated key keys le tau t') v)
      (join key key' (by_key key (rem (key x) keys) (first le tau) t' ++ r) v ++
       join key key' e v).
  move=> t'_re; rewrite -join_catl; apply: join_perml.
  rewrite (permPl (by_key_one _ _ k_keys)) -catA perm_cat2l.
  exact: t'_re.
have := rows (x :: t) q; rewrite by_key_other {1}/group /= eqxx.
move=> /(_ xg_rq) come; have go := rows _ _ g_rp.
by split; [apply: leq_trans (excess_left _ go come) _ |
  apply: leq_trans (excess_left _ come go) _];
  apply: leq_trans (size_joinl _ v1) _.
Qed.

Lemma truncated_perm s t : perm_eq s t ->
  truncated key keys le tau s = truncated key keys le tau t.
Proof.
move=> st; congr flatten; apply: eq_map => k; rewrite /first; congr take.
by apply/(perm_sortP le_total le_trans le_anti); apply: perm_filter.
Qed.

Lemma persons_excess u s t :
  surplus (table_counts s u) (table_counts t u) <= symdiff s t.
Proof.
rewrite -[symdiff s t]mul1n; apply: (excess_steps (f := table_counts^~ u)).
  move=> s' t' st; rewrite /table_counts /algorithm_1 /truncate_and_join.
  by rewrite (truncated_perm (perm_filter kept st)).
by move=> x s'; apply: persons_step; apply: unique_at_most.
Qed.

Lemma uniq_group u k : uniq (map key' u) -> size (group key' k u) <= 1.
Proof.
move=> u_uniq; rewrite size_filter -(count_map key' (pred1 k)).
by rewrite (count_uniq_mem _ u_uniq) leq_b1.
Qed.

Lemma unique_uniq u : uniq (map key' u) ->
  perm_eq (unique key' keys u) [seq y <- u | key' y \in keys].
Proof.
move=> u_uniq; rewrite (_ : unique _ _ _ = by_key key' keys id u); last first.
  congr flatten; apply: eq_map => k; rewrite /alone.
  by case: (group _ _ _) (uniq_group k u_uniq) => [|y []].
elim: keys keys_uniq => [|k ks IHks] /=; first by elim: u {u_uniq}.
case/andP=> k_ks /IHks; rewrite /by_key /= => /(perm_cat (perm_refl _))/permPl
  ->.
elim: u {u_uniq IHks} => //= y u IHu; rewrite inE.
have [y_k /= | _ /=] := eqVneq (key' y) k.
  by rewrite y_k (negPf k_ks) perm_cons.
by case: ifP => // _; rewrite perm_sym perm_mid perm_sym.
Qed.

Lemma units_excess s u v r p q :
    uniq (map key' u) -> uniq (map key' v) ->
    perm_eq u (r ++ p) -> perm_eq v (r ++ q) ->
  surplus (table_counts s u) (table_counts s v) <= tau * size p.
Proof.
move=> u_uniq v_uniq u_rp v_rq.
have rows w e : uniq (map key' w) -> perm_eq w (r ++ e) -> exists2 e',
    size e' <= size e & perm_eq (algorithm_1 s w) (join key key'
      (truncated key keys le tau (filter kept s))
      [seq y <- filter kept' r | key' y \in keys] ++
      join key key' (truncated key keys le tau (filter kept s)) e').
  move=> w_uniq w_re; exists [seq y <- filter kept' e | key' y \in keys].
    by rewrite !size_filter (leq_trans (count_size _ _)) // size_filter
      count_size.
  rewrite -(permPr (join_catr _ _ _)); apply: join_permr.
  rewrite (permPl (unique_uniq _)); last first.
    by apply: subseq_uniq w_uniq; apply/map_subseq/filter_subseq.
  by rewrite -!filter_cat; apply/perm_filter/perm_filter.
have [p' p'_le go] := rows _ _ u_uniq u_rp.
have [q' _ come] := rows _ _ v_uniq v_rq.
apply: leq_trans (excess_left _ go come) _.
apply: leq_trans (size_joinr _ _) _; first exact: truncated_at_most.
by rewrite leq_mul2l p'_le orbT.
Qed.

Lemma tables_added_change s t u v :
    uniq (map key' u) -> uniq (map key' v) ->
    symdiff s t <= 1 -> symdiff u v <= 2 ->
  squared_change (table_counts s u) (table_counts t v)
    <= 4 * tau ^ 2 + 4 * tau + 2.
Proof.
move=> u_uniq v_uniq st1; have [r [p [q [u_rp v_rq ->]]]] := symdiff_split u v.
move=> pq2; have out := units_excess s u_uniq v_uniq u_rp v_rq.
have into := units_excess s v_uniq u_uniq v_rq u_rp.
have := squared_change_le
  (leq_trans (excess_triangle (table_counts s v) _ (table_counts t v))
    (leq_add out (leq_trans (persons_excess _ _ _) st1)))
  (leq_trans (excess_triangle (table_counts s v) (table_counts t v) _)
    (leq_add (leq_trans (persons_excess _ _ _)
      (eq_ind_r (leq^~ 1) st1 (symdiffC t s))) into)).
move/leq_trans; apply.
case: (size p) pq2 => [|[|[|a]]] pq2; case: (size q) pq2 => [|[|[|b]]] //= _;
  by rewrite ?muln0 ?muln1 -?mulnn; nia.
Qed.

Lemma tables_replaced_change s t u v :
    uniq (map key' u) -> uniq (map key' v) -> size u = size v ->
    symdiff s t <= 2 -> symdiff u v <= 4 ->
  squared_change (table_counts s u) (table_counts t v) <= 8 * (tau + 1) ^ 2.
Proof.
move=> u_uniq v_uniq uv st2.
have [r [p [q [u_rp v_rq ->]]]] := symdiff_split u v => pq4.
have [p2 q2]: size p <= 2 /\ size q <= 2.
  by move: uv; rewrite (perm_size u_rp) (perm_size v_rq) !size_cat; lia.
have out := units_excess s u_uniq v_uniq u_rp v_rq.
have into := units_excess s v_uniq u_uniq v_rq u_rp.
have := squared_change_le
  (leq_trans (excess_triangle (table_counts s v) _ (table_counts t v))
    (leq_add (leq_trans out (leq_mul (leqnn tau) p2))
      (leq_trans (persons_excess _ _ _) st2)))
  (leq_trans (excess_triangle (table_counts s v) (table_counts t v) _)
    (leq_add (leq_trans (persons_excess _ _ _)
      (eq_ind_r (leq^~ 2) st2 (symdiffC t s)))
      (leq_trans into (leq_mul (leqnn tau) q2)))).
by move/leq_trans; apply; rewrite -!mulnn; nia.
Qed.
End Algorithm1.

(* Units that follow from the persons of their key                            *)
Section Households.
Variables (S U K : eqType) (C : finType) (key : S -> K) (key' : U -> K).
Variables (keys : seq K) (le : rel S) (kept : pred S) (kept' : pred U).
Variables (cell : S * U -> option C) (tau : nat) (unit_of : K -> seq S -> U).
Hypothesis keys_uniq : uniq keys.
Hypotheses (le_total : total le) (le_trans : transitive le).
Hypothesis le_anti : antisymmetric le.
Hypothesis unit_key : forall k g, key' (unit_of k g) = k.
Hypothesis unit_perm : forall k g h, perm_eq g h -> unit_of k g = unit_of k h.
Implicit Types (s t : seq S).

Definition households s : seq U :=
  [seq unit_of k (group key k s) | k <- keys & has (fun x => key x == k) s].

Let person_counts s :=
  table_counts key key' keys le kept kept' cell tau s (households s).

Lemma group_households x s k : k != key x ->
  group key' k (households (x :: s)) = group key' k (households s).
Proof.
move=> k_x; rewrite /group /households !filter_map -!filter_predI.
have same j : (key' (unit_of j (group key j (x :: s))) == k) &&
      has (fun y => key y == j) (x :: s) =
    (key' (unit_of j (group key j s)) == k) && has (fun y => key y == j) s.
  by rewrite !unit_key /=; case: eqP => // ->; rewrite eq_sym (negPf k_x).
rewrite (eq_filter same); apply/eq_in_map => j; rewrite mem_filter.
case/andP=> /andP[]; rewrite /= unit_key => /eqP -> _ _.
by rewrite /group /= eq_sym (negPf k_x).
Qed.

Lemma group_unique (u v : seq U) k :
    group key' k u = group key' k v ->
  group key' k (unique key' keys u) =
  group key' k (unique key' keys v).
Proof.
move=> uv; rewrite /unique /by_key /group !filter_flatten -!map_comp.
congr flatten; apply: eq_map => j /=.
have [-> | jk] := eqVneq j k; first by rewrite -!/(group _ _ _) uv.
have none w : [seq y <- alone (group key' j w) | key' y == k] =
  [::].
  apply/eqP; rewrite -(negbK (_ == _)) -has_filter; apply/hasPn => y.
  rewrite /alone; case: ifP => // _; rewrite mem_filter => /andP[/eqP -> _].
  exact: jk.
by rewrite !none.
Qed.

Lemma person_step x s :
  surplus (person_counts s) (person_counts (x :: s)) <= tau /\
  surplus (person_counts (x :: s)) (person_counts s) <= tau.
Proof.
set k := key x.
pose v b := unique key' keys (filter kept' (households b)).
pose rest := by_key key (rem k keys) (first le tau) (filter kept s).
have v1 b : at_most_per_key key' 1 (v b) by apply: unique_at_most.
have rest_other y : y \in rest -> key y != k.
  case/flattenP => _ /mapP[j j_keys ->] /mem_take; rewrite mem_sort mem_filter.
  by case/andP=> /eqP ->; move: j_keys; rewrite mem_rem_uniq // inE => /andP[].
have join_rest : join key key' rest (v (x :: s)) = join key key' rest (v
  s).
  congr flatten; apply/eq_in_map => y /rest_other y_k; congr map.
  apply: group_unique; have swap b : group key' (key y) (filter kept' b) =
      filter kept' (group key' (key y) b).
    by rewrite /group -!filter_predI; apply: eq_filter => z; rewrite /= andbC.
  by rewrite !swap group_households.
have rows b : by_key key (rem k keys) (first le tau) (filter kept b) = rest ->
    exists2 e, size e <= tau & perm_eq (algorithm_1 key key' keys le kept
      kept' tau b (households b)) (join key key' rest (v b) ++ e).
  move=> restE; have [k_keys | k_keys] := boolP (k \in keys); last first.
    exists [::] => //; rewrite cats0 -restE.
    by rewrite /algorithm_1 /truncate_and_join /truncated (rem_id k_keys).
  exists (join key key' (first le tau (group key k (filter kept b))) (v b)).
    apply: leq_trans (size_joinl _ _ (v1 b)) _.
    by rewrite size_take_min geq_minl.
  rewrite -join_catl; apply: join_perml; rewrite -restE.
  exact: by_key_one.
have [e e_tau go] := rows s erefl.
have [e' e'_tau come] : exists2 e, size e <= tau & perm_eq (algorithm_1 key
    key' keys le kept kept' tau (x :: s) (households (x :: s)))
    (join key key' rest (v s) ++ e).
  rewrite -join_rest; apply: rows; rewrite /=; case: ifP => // _.
  exact: by_key_other.
by split; [apply: leq_trans (excess_left _ go come) _ |
  apply: leq_trans (excess_left _ come go) _].
Qed.

Lemma person_excess s t :
  surplus (person_counts s) (person_counts t) <= tau * symdiff s t.
Proof.
apply: excess_steps => [b c bc | x b]; last exact: person_step.
rewrite /person_counts /table_counts /algorithm_1 /truncate_and_join.
rewrite (truncated_perm key keys tau le_total le_trans le_anti
  (perm_filter kept bc)).
suff -> : households b = households c by [].
rewrite /households (eq_filter (fun k => perm_has _ bc)); apply: eq_map => k.
by rewrite (unit_perm _ (perm_filter _ bc)).
Qed.

Lemma person_added_change s t : symdiff s t <= 1 ->
  squared_change (person_counts s) (person_counts t) <= 2 * tau ^ 2.
Proof.
move=> st1; rewrite mul2n -addnn; apply: squared_change_le.
  by apply: leq_trans (person_excess _ _) _; rewrite -[leqRHS]muln1 leq_mul.
apply: leq_trans (person_excess _ _) _.
by rewrite symdiffC -[leqRHS]muln1 leq_mul.
Qed.

Lemma person_replaced_change s t : symdiff s t <= 2 ->
  squared_change (person_counts s) (person_counts t) <= 8 * tau ^ 2.
Proof.
move=> st2; have -> : 8 * tau ^ 2 = (tau * 2) ^ 2 + (tau * 2) ^ 2.
  by rewrite -!mulnn; lia.
apply: squared_change_le; apply: leq_trans (person_excess _ _) _.
  by rewrite leq_mul.
by rewrite symdiffC leq_mul.
Qed.
End Households.
