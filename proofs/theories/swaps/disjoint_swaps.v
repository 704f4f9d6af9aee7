(******************************************************************************)
(* When can a stratum be swapped so that no record remains? (Lemma 8)         *)
(*                                                                            *)
(*    hamming_in x z m == the Hamming distance of the strata m of x and z     *)
(*       bounded_18 x m == equation (18): n_mh <= b/2 - 1 and n_ms <= b/2 - 1 *)
(*                         for all h and s, where b = n_m                     *)
(*    disjoint_on x z A == no record of x with index in A has its value in z  *)
(*  determines_on x A   == on A, the swapping category determines the holding *)
(*                         category                                           *)
(*    dataset_of l      == the list of records l as a data set                *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   disjoint_swap_sufficient_refuted == swapping.disjoint-tables.printed:    *)
(*            (18) does not suffice                                           *)
(*   disjoint_swap_necessary_refuted ==                                       *)
(*            swapping.disjoint-tables.only-if.printed: (18) is not necessary *)
(*   disjoint_swap_necessary == swapping.disjoint-tables.only-if: n_mh <= b/2 *)
(*            and n_ms <= b/2 are                                             *)
(*   disjoint_swap_sufficient == n_mh <= b/2 suffices for x if the swapping   *)
(*            category determines the holding category                        *)
(*   disjoint_swap_iff == an equivalence if every swapping category occurs at *)
(*            most once                                                       *)
(*   spread_perm == if no class fills more than half a set, some permutation  *)
(*            moves every point to another class                              *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup perm zify.
From Stirred Require Import compat swapping hamming.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Spread.
Variables (I T : finType) (f : I -> T) (A : {set I}).

Lemma spread_perm :
  (forall t, 2 * #|[set i in A | f i == t]| <= #|A|) ->
  exists2 g : {perm I}, perm_on A g & forall i, i \in A -> f (g i) != f i.
Proof.
move=> half; pose bad (g : {perm I}) := [set i in A | f (g i) == f i].
have [g on_g min_g] : {g | perm_on A g &
    forall g', perm_on A g' -> #|bad g| <= #|bad g'|}.
  case: (@arg_minnP _ 1%g (fun g => perm_on A g) (fun g => #|bad g|)) => [|g].
    exact: perm_on1.
  by move=> on_g min_g; exists g.
exists g => // i Ai; apply/negP => /eqP bad_i.
pose F := [set j in A | f j == f i]; pose F' := [set j in A | f (g j) == f i].
have card_F' : #|F'| = #|F|.
  rewrite -(card_preimset F (@perm_inj _ g)); apply: eq_card => j.
  by rewrite !inE (perm_closed _ on_g).
have [j Aj /norP[jF jF']] : exists2 j, j \in A & ~~ ((j \in F) || (j \in F')).
  have : ~~ (A \subset F :|: F').
    apply/negP => /subset_leq_card; apply/negP; rewrite -ltnNge.
    have F_gt0 : 0 < #|F :&: F'|.
      by apply/card_gt0P; exists i; rewrite !inE Ai bad_i eqxx.
    have := half (f i); rewrite -/F cardsU card_F'.
    by have := subset_leq_card (subsetIl F F'); lia.
  by case/subsetPn => j Aj; rewrite inE => jFF'; exists j.
rewrite !inE Aj /= in jF jF'.
have on_ij : perm_on A (tperm i j).
  by apply/subsetP => l; rewrite inE; case: tpermP => [->|->|]; rewrite ?eqxx.
have := min_g _ (perm_onM on_ij on_g); rewrite leqNgt => /negP[].
apply: proper_card; apply/properP; split; last first.
  by exists i; rewrite !inE Ai /= ?permM ?tpermL ?bad_i ?eqxx.
apply/subsetP => l; rewrite !inE permM => /andP[->] /=.
case: tpermP => [->|->|//]; first by rewrite (negPf jF').
by rewrite bad_i eq_sym (negPf jF).
Qed.

End Spread.

Section Stratum.
Variables (M H S : finType) (n : nat).
Implicit Types (x z : dataset M H S n) (g : {perm 'I_n}) (A : {set 'I_n}).

Definition hamming_in x z (m : M) :=
  \sum_h \sum_s (table x (m, h, s) - table z (m, h, s)).

Definition bounded_18 x m : bool :=
  [forall h, 2 * (n_mh x m h).+1 <= n_m x m] &&
  [forall s, 2 * (n_ms x m s).+1 <= n_m x m].

Definition disjoint_on x z A : bool := [forall i in A, table z (x i) == 0].

Definition determines_on x A : bool :=
  [forall i in A, forall j in A,
    (swapping (x i) == swapping (x j)) ==> (holding (x i) == holding (x j))].

Lemma sum_records (F : M * H * S -> nat) :
  \sum_r F r = \sum_m \sum_h \sum_s F (m, h, s).
Proof.
rewrite (eq_bigr (fun r : M * H * S => F (r.1, r.2))) => [|[]//].
rewrite -(pair_bigA _ (fun k s => F (k, s))) /=.
rewrite (eq_bigr (fun k : M * H => \sum_s F (k.1, k.2, s))) => [|[]//].
by rewrite -(pair_bigA _ (fun m h => \sum_s F (m, h, s))).
Qed.

Lemma hamming_sum x z : hamming x z = \sum_m hamming_in x z m.
Proof. exact: sum_records. Qed.

Lemma hamming_in_min x z m :
  hamming_in x z m + \sum_h \sum_s minn (table x (m, h, s)) (table z (m, h, s))
  = n_m x m.
Proof.
rewrite -big_split; apply: eq_bigr => h _ /=; rewrite -big_split.
by apply: eq_bigr => s _ /=; lia.
Qed.

(* Distance n_m means that no cell of the stratum is occupied in both tables. *)
Lemma hamming_in_full x z m :
  reflect (forall h s, table x (m, h, s) = 0 \/ table z (m, h, s) = 0)
          (hamming_in x z m == n_m x m).
Proof.
rewrite -(hamming_in_min x z) -[X in X == _]addn0 eqn_add2l eq_sym sum_nat_eq0.
apply: (iffP forall_inP) => [min0 h s|min0 h _].
  have := min0 h isT; rewrite sum_nat_eq0 => /forall_inP/(_ s isT)/eqP.
  by case: leqP => _ ->; [left | right].
by rewrite sum_nat_eq0; apply/forall_inP => s _;
  case: (min0 h s) => ->; rewrite ?min0n ?minn0.
Qed.

Lemma disjoint_hamming_in x z m :
  (hamming_in x z m == n_m x m) = disjoint_on x z (stratum x m).
Proof.
apply/hamming_in_full/forall_inP => [disj i|disj h s].
  rewrite inE => /eqP xi; case: (disj (holding (x i)) (swapping (x i))).
    by rewrite -xi recordK => x0; have := table_gt0 x i; rewrite x0.
  by rewrite -xi recordK => ->.
have [->|] := posnP (table x (m, h, s)); first by left.
rewrite ffunE => /card_gt0P[i]; rewrite inE => /eqP xi; right.
by apply/eqP; rewrite -xi; apply: disj; rewrite inE xi.
Qed.

(* Lemma 8, "only if": every category fills at most half of the stratum.      *)
Theorem disjoint_swap_necessary x z m :
  same_invariants x z -> hamming_in x z m = n_m x m ->
  (forall h, 2 * n_mh x m h <= n_m x m) /\
  (forall s, 2 * n_ms x m s <= n_m x m).
Proof.
move=> eq_xz /eqP/hamming_in_full disj; split=> k.
  rewrite mul2n -addnn {2}(same_n_mh eq_xz) -big_split n_m_ms.
  apply: leq_sum => s _ /=.
  have : table x (m, k, s) <= n_ms x m s by rewrite /n_ms (bigD1 k) ?leq_addr.
  have : table z (m, k, s) <= n_ms z m s by rewrite /n_ms (bigD1 k) ?leq_addr.
  by rewrite -(same_n_ms eq_xz); case: (disj k s) => ->; rewrite ?addn0.
rewrite mul2n -addnn {2}(same_n_ms eq_xz) -big_split n_m_mh.
apply: leq_sum => h _ /=.
have : table x (m, h, k) <= n_mh x m h by rewrite /n_mh (bigD1 k) ?leq_addr.
have : table z (m, h, k) <= n_mh z m h by rewrite /n_mh (bigD1 k) ?leq_addr.
by rewrite -(same_n_mh eq_xz); case: (disj h k) => ->; rewrite ?addn0.
Qed.

Lemma preserves_strata_on x g m :
  perm_on (stratum x m) g -> preserves_strata x g.
Proof.
move=> on_g; apply/preserves_strataP => i.
have [xi|xi] := boolP (i \in stratum x m); last by rewrite (out_perm on_g).
have := xi; rewrite -(perm_closed i on_g) !inE => /eqP->.
by move: xi; rewrite inE => /eqP.
Qed.

(* A part A of a stratum in which the swapping category determines the        *)
(* holding category can be swapped without leaving a record, if no holding    *)
(* category fills more than half of A.                                        *)
Lemma disjoint_swap_on x m A :
  A \subset stratum x m -> determines_on x A ->
  (forall h, 2 * #|[set i in A | holding (x i) == h]| <= #|A|) ->
  (forall i j, i \in A -> j \in stratum x m -> j \notin A ->
     holding (x i) != holding (x j)) ->
  exists2 g, perm_on A g & disjoint_on x (apply_perm g x) A.
Proof.
move=> sub_A det half apart.
have [g on_g g_moves] := spread_perm half; exists g => //.
apply/forall_inP => i Ai; rewrite ffunE; apply/eqP/eq_card0 => j.
rewrite !inE ffunE -[x i]recordK; apply/negP => /eqP[mj hj sj].
have xj : j \in stratum x m.
  by have := subsetP sub_A i Ai; rewrite !inE mj => ->.
have Aj : j \in A.
  by apply: contraT => /(apart i j Ai xj); rewrite hj eqxx.
have Agj : g j \in A by rewrite perm_closed.
have /implyP := forall_inP (forall_inP det (g j) Agj) i Ai.
by rewrite sj eqxx -hj (negPf (g_moves j Aj)) => /(_ isT).
Qed.

Theorem disjoint_swap_sufficient x m :
  determines_on x (stratum x m) ->
  (forall h, 2 * n_mh x m h <= n_m x m) ->
  exists g, [/\ preserves_strata x g, moved_set g = stratum x m
              & hamming_in x (apply_perm g x) m = n_m x m].
Proof.
move=> det half.
have [|i j xi -> //|g on_g disj] := disjoint_swap_on (subxx _) det.
  move=> h; have := half h; rewrite n_mE n_mhE; congr (2 * _ <= _).
  by apply: eq_card => i; rewrite !inE.
exists g; split; first exact: preserves_strata_on on_g.
  apply/eqP; rewrite eqEsubset; apply/andP; split.
    by apply/subsetP => i; rewrite inE; have /subsetP := on_g; apply.
  apply/subsetP => i xi; rewrite inE; apply/eqP => gi.
  have /forall_inP/(_ i xi) := disj.
  have gxi : apply_perm g x i = x i by rewrite ffunE gi recordK.
  by have := table_gt0 (apply_perm g x) i; rewrite gxi lt0n => /negP.
by apply/eqP; rewrite disjoint_hamming_in.
Qed.

Lemma unique_determines x m :
  (forall s, n_ms x m s <= 1) -> determines_on x (stratum x m).
Proof.
move=> unique; apply/forall_inP => i; rewrite inE => /eqP xi.
apply/forall_inP => j; rewrite inE => /eqP xj; apply/implyP => /eqP eq_s.
have := unique (swapping (x i)); rewrite n_msE => /card_le1_eqP.
by move=> /(_ i j) -> //; rewrite !inE ?xi ?xj ?eq_s !eqxx.
Qed.

(* Lemma 8, repaired: b = 0 and b = 1 are covered.                            *)
Theorem disjoint_swap_iff x m :
  (forall s, n_ms x m s <= 1) ->
  (exists g, [/\ preserves_strata x g, moved_set g = stratum x m
               & hamming_in x (apply_perm g x) m = n_m x m]) <->
  (forall h, 2 * n_mh x m h <= n_m x m).
Proof.
move=> unique; split=> [[g [x_g _ full]]|half]; last first.
  by apply: disjoint_swap_sufficient half; apply: unique_determines.
by case: (disjoint_swap_necessary (same_invariants_apply x_g) full).
Qed.

End Stratum.

Section DatasetOf.
Variables M H S : finType.
Implicit Type l : seq (M * H * S).

Definition dataset_of l : dataset M H S (size l) :=
  [ffun i => tnth (in_tuple l) i].

Lemma card_dataset_of l (P : pred (M * H * S)) :
  #|[set i | P (dataset_of l i)]| = count P l.
Proof.
rewrite -sum1dep_card -sum1_count [RHS]big_tnth.
by apply: eq_bigl => i; rewrite ffunE.
Qed.

Lemma n_mh_of l m h :
  n_mh (dataset_of l) m h =
  count (fun r => (matching r == m) && (holding r == h)) l.
Proof. by rewrite n_mhE -card_dataset_of. Qed.

Lemma n_ms_of l m s :
  n_ms (dataset_of l) m s =
  count (fun r => (matching r == m) && (swapping r == s)) l.
Proof. by rewrite n_msE -card_dataset_of. Qed.

Lemma n_m_of l m :
  n_m (dataset_of l) m = count (fun r => matching r == m) l.
Proof. by rewrite n_mE -card_dataset_of. Qed.

(* Every table is the table of some data set.                                 *)
Lemma exists_dataset (T : M * H * S -> nat) n :
  \sum_r T r = n -> exists x : dataset M H S n, forall r, table x r = T r.
Proof.
pose l := flatten [seq nseq (T r) r | r <- index_enum [finType of M * H * S]].
have size_l : size l = \sum_r T r.
  rewrite size_flatten sumnE !big_map.
  by apply: eq_bigr => r _; rewrite size_nseq.
move=> <-; rewrite -size_l; exists (dataset_of l) => r.
have -> : table (dataset_of l) r = count_mem r l.
  by rewrite ffunE -card_dataset_of.
rewrite count_flatten sumnE !big_map (bigD1 r) //=.
rewrite count_nseq /= eqxx mul1n big1 ?addn0 // => r' neq_r.
by rewrite count_nseq /= (negPf neq_r).
Qed.

End DatasetOf.

Lemma largest_stratum_unit (H S : finType) n (x : dataset unit H S n) :
  largest_stratum x = if mixed x tt then n else 0.
Proof.
rewrite /largest_stratum big_mkcond (big_pred1 tt); last by case.
case: (mixed x tt) => //.
by rewrite -[RHS](sum_n_m x) (big_pred1 tt) //; case.
Qed.

Lemma mixed_hs (M H S : finType) n (x : dataset M H S n) m h h' :
  h != h' -> 0 < n_mh x m h -> 0 < n_mh x m h' -> mixed x m.
Proof.
move=> neq_h x_h x_h'; rewrite mixedE; apply/orP; left.
by apply/existsP; exists h; apply/existsP; exists h'; rewrite neq_h x_h.
Qed.

Section Lemma8Refuted.

Let o3 k (lt_k3 : k < 3) : 'I_3 := Ordinal lt_k3.
Let cells (l : seq ('I_3 * 'I_3)) := [seq (tt, c.1, c.2) | c <- l].

(* Row margins (5, 5, 2), column margins (4, 4, 4): the 5 records of the      *)
(* first row need two columns, and two others after the swap; there are       *)
(* three.                                                                     *)
Let x12 := cells (nseq 4 (@o3 0 isT, @o3 0 isT) ++ [:: (@o3 0 isT, @o3 1 isT)]
  ++ nseq 3 (@o3 1 isT, @o3 1 isT) ++ nseq 2 (@o3 1 isT, @o3 2 isT)
  ++ nseq 2 (@o3 2 isT, @o3 2 isT)).

Theorem disjoint_swap_sufficient_refuted :
  exists n (x0 : dataset unit 'I_3 'I_3 n),
    [/\ n_m x0 tt = largest_stratum x0, bounded_18 x0 tt
      & ~ exists (x : dataset unit 'I_3 'I_3 n) (g : {perm 'I_n}),
          [/\ same_invariants x0 x, preserves_strata x g,
              moved_set g = stratum x tt
            & hamming_in x (apply_perm g x) tt = n_m x0 tt]].
Proof.
exists _, (dataset_of x12); split.
- rewrite n_m_of largest_stratum_unit (@mixed_hs _ _ _ _ _ _ ord0 ord_max) //.
    by rewrite n_mh_of.
  by rewrite n_mh_of.
- rewrite /bounded_18 n_m_of; apply/andP; split; apply/forallP => k.
    by rewrite n_mh_of; case: k => [[|[|[|]]]].
  by rewrite n_ms_of; case: k => [[|[|[|]]]].
case=> x [g [inv_x x_g _ full]].
have inv_z := same_invariants_trans inv_x (same_invariants_apply x_g).
set z := apply_perm g x in full inv_z.
pose s1 : 'I_3 := lift ord0 ord0; pose s2 : 'I_3 := lift ord0 (lift ord0 ord0).
pose c (w : dataset unit 'I_3 'I_3 (size x12)) s := table w (tt, ord0, s).
have row w : same_invariants (dataset_of x12) w ->
    c w ord0 + c w s1 + c w s2 = 5.
  move=> inv_w; have <- : n_mh w tt ord0 = 5.
    by rewrite -(same_n_mh inv_w) n_mh_of.
  by rewrite /n_mh !big_ord_recl big_ord0 addn0 addnA.
have cell w s : same_invariants (dataset_of x12) w -> c w s <= 4.
  move=> inv_w; have <- : n_ms w tt s = 4.
    by rewrite -(same_n_ms inv_w) n_ms_of; case: s => [[|[|[|]]]].
  by rewrite /n_ms (bigD1 ord0) ?leq_addr.
have disj s : c x s = 0 \/ c z s = 0.
  by move: full; rewrite (same_n_m inv_x) => /eqP/hamming_in_full; apply.
have := (row x inv_x, row z inv_z).
have := (cell x ord0 inv_x, cell x s1 inv_x, cell x s2 inv_x).
have := (cell z ord0 inv_z, cell z s1 inv_z, cell z s2 inv_z).
case: (disj ord0) => ->; case: (disj s1) => ->; case: (disj s2) => -> /=;
  by case=> [[+ +] +] [[+ +] +] [+ +]; lia.
Qed.

(* Two records that differ in both categories.                                *)
Theorem disjoint_swap_necessary_refuted :
  exists n (x0 : dataset unit bool bool n),
    [/\ n_m x0 tt = largest_stratum x0, ~~ bounded_18 x0 tt
      & exists (x : dataset unit bool bool n) (g : {perm 'I_n}),
          [/\ same_invariants x0 x, preserves_strata x g,
              moved_set g = stratum x tt
            & hamming_in x (apply_perm g x) tt = n_m x0 tt]].
Proof.
pose x := dataset_of [:: (tt, true, true); (tt, false, false)].
exists _, x; split.
- rewrite n_m_of largest_stratum_unit (@mixed_hs _ _ _ _ _ _ true false) //.
    by rewrite n_mh_of.
  by rewrite n_mh_of.
- rewrite negb_and; apply/orP; left; apply/forallPn; exists true.
  by rewrite n_m_of n_mh_of.
have [| |g [x_g g_all full]] := @disjoint_swap_sufficient _ _ _ _ x tt.
- by apply: unique_determines => s; rewrite n_ms_of; case: s.
- by move=> h; rewrite n_mh_of n_m_of; case: h.
by exists x, g; split=> //; apply: same_invariants_refl.
Qed.

End Lemma8Refuted.
