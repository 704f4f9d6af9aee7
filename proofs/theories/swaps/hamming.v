From mathcomp Require Import all_ssreflect fingroup perm.
From mathcomp Require Import zify.
From Stirred Require Import swapping.

(******************************************************************************)
(* The Hamming distance between unordered data sets (d_HamS, equation (5)),   *)
(* and the swaps that are as long as it                                       *)
(*                                                                            *)
(* For families x, x' : 'I_n -> T of any finite type T:                       *)
(*        count_of x t == number of indices i with x i = t                    *)
(*      differing x x' == the set of indices at which x and x' differ         *)
(*          moved_set g, moved g, hamming, l1_tables: see swapping.v          *)
(*                mh r == the matching and holding categories of the record r *)
(*                ms r == its matching and swapping categories                *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   l1_tables_hamming == hamming.half-l1 (article, Lemma 2)                  *)
(*   hamming_sym, hamming_triangle, hamming_eq0 == d_HamS is a metric on      *)
(*            tables                                                          *)
(*   hamming_alignment == d_HamS is the least number of positions at which x  *)
(*            differs from a reordering of x'                                 *)
(*   eq_table_reordering == d_HamS = 0 means that x' is a reordering of x     *)
(*            (used for psa.reordering, article, Lemma 4)                     *)
(*   hamming_apply_perm == swapping.moved-records (article, Lemma 7)          *)
(*   swap_path == swapping.permutation-exists (article, Lemma 5), by a        *)
(*            permutation inside the strata                                   *)
(*   universe_swaps == the universe of x is what swapping can make of x       *)
(*            (article, Proposition 4 and Lemma 5 together)                   *)
(*   no_neighbors == no two data sets of one universe are at distance 1       *)
(*            (article, section 2.2 and the base case of Lemma 5)             *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Alignment.
Variables (n : nat) (T : finType).
Implicit Types (f : 'I_n -> T) (D : {set 'I_n}) (g : {perm 'I_n}).

Definition count_of f t := #|[set i | f i == t]|.
Definition differing f f' : {set 'I_n} := [set i | f i != f' i].

Lemma count_of_perm f g t : count_of (f \o g) t = count_of f t.
Proof.
rewrite /count_of -[RHS](card_preimset _ (@perm_inj _ g)).
by apply: eq_card => i; rewrite !inE.
Qed.

Lemma count_ofD f D t :
  count_of f t = #|[set i in D | f i == t]| + #|[set i in ~: D | f i == t]|.
Proof.
rewrite /count_of -[LHS](cardsID D); congr (_ + _); apply: eq_card => i.
  by rewrite !inE andbC.
by rewrite !inE.
Qed.

(* Off the positions where they differ, f and f' have equal counts. *)
Lemma eq_count_off f f' t :
  #|[set i in ~: differing f f' | f i == t]| =
  #|[set i in ~: differing f f' | f' i == t]|.
Proof.
by apply: eq_card => i; rewrite !inE negbK; case: eqP => //= ->.
Qed.

(* Families with equal counts differ by a permutation that only moves         *)
(* positions where they differ.                                               *)
Lemma eq_count_perm f f' :
  (forall t, count_of f t = count_of f' t) ->
  exists2 g : {perm 'I_n}, f' =1 f \o g & perm_on (differing f f') g.
Proof.
have [k] := ubnP #|differing f f'|; elim: k f => // k IHk f lt_k eq_ff'.
have [D0|[i Di]] := set_0Vmem (differing f f').
  exists 1%g; last exact: perm_on1.
  by move=> i; have := in_set0 i; rewrite -D0 inE /= perm1 => /negbFE/eqP->.
have [j fj f'j] : exists2 j, f j = f' i & f' j != f' i.
  have : ~~ ([set j | f j == f' i] \subset [set j | f' j == f' i]).
    apply/negP => sub; have /eqP eq_set :
        [set j | f j == f' i] == [set j | f' j == f' i].
      rewrite eqEcard sub /=.
      by have := eq_ff' (f' i); rewrite /count_of => ->.
    have : i \in [set j | f' j == f' i] by rewrite inE.
    by rewrite -eq_set inE => /eqP fi; move: Di; rewrite !inE fi eqxx.
  by case/subsetPn => j; rewrite !inE => /eqP; exists j.
have Dj : j \in differing f f' by rewrite inE fj eq_sym.
pose f1 := f \o tperm i j.
have sub1 : differing f1 f' \subset differing f f' :\ i.
  apply/subsetP => l; rewrite !inE /f1 /=.
  case: tpermP => [->|->|/eqP il _ ->]; first by rewrite fj eqxx.
    by rewrite fj [f' i == _]eq_sym f'j andbT => _; apply: contra_neq f'j => ->.
  by rewrite andbT.
have [||g1 f'E on_g1] := IHk f1.
- rewrite (leq_ltn_trans (subset_leq_card sub1)) // -ltnS.
  by rewrite (leq_trans _ lt_k) // ltnS [X in _ < X](cardsD1 i) Di.
- by move=> t; rewrite count_of_perm.
exists (g1 * tperm i j)%g => [l|]; first by rewrite f'E /f1 /= permM.
have on_ij : perm_on (differing f f') (tperm i j).
  by apply/subsetP => l; rewrite inE; case: tpermP => [->|->|]; rewrite ?eqxx.
apply: perm_onM on_ij; apply: (subset_trans on_g1).
by apply: (subset_trans sub1); apply: subD1set.
Qed.

(* The best alignment matches every common value. *)
Lemma best_alignment f f' :
  exists g : {perm 'I_n}, forall t,
    #|[set i in differing f (f' \o g) | f i == t]| =
    count_of f t - count_of f' t.
Proof.
pose cost (g : {perm 'I_n}) := #|differing f (f' \o g)|.
have [g _ min_g] : {g | True & forall g', cost g <= cost g'}.
  case: (@arg_minnP _ 1%g predT cost isT) => g _ min_g; exists g => // g'.
  exact: min_g.
exists g => t; pose D := differing f (f' \o g).
have disjoint_values i j : i \in D -> j \in D -> f i != f' (g j).
  move=> Di Dj; apply/eqP => fi.
  have := min_g (tperm i j * g)%g; rewrite leqNgt => /negP[].
  apply: proper_card; apply/properP; split.
    apply/subsetP => l; rewrite !inE /= permM.
    case: tpermP => [->|->|//]; first by rewrite fi eqxx.
    by move=> _; move: Dj; rewrite inE.
  by exists i => //; rewrite !inE /= permM tpermL fi eqxx.
rewrite -(count_of_perm f' g) (count_ofD f D) (count_ofD (f' \o g) D).
rewrite eq_count_off -/D subnDr.
have [->|[i /setIdP[Di /eqP fi]]] := set_0Vmem [set i in D | f i == t].
  by rewrite cards0 sub0n.
rewrite [X in _ - X]eq_card0 ?subn0 // => j; rewrite !inE.
apply/negP => /andP[Dj]; rewrite -fi eq_sym => /eqP eq_fi.
by have := disjoint_values i j Di; rewrite inE eq_fi eqxx => /(_ Dj).
Qed.

End Alignment.

Section Hamming.
Variables (M H S : finType) (n : nat).
Implicit Types (x : dataset M H S n) (g : {perm 'I_n}) (m : M).

Definition reorder g x : dataset M H S n := [ffun i => x (g i)].

Lemma tableE x r : table x r = count_of x r.
Proof. by rewrite ffunE. Qed.

Lemma table_reorder g x : table (reorder g x) = table x.
Proof.
apply/ffunP => r; rewrite !tableE -(count_of_perm x g).
by apply: eq_card => i; rewrite !inE ffunE.
Qed.

Lemma sum_maxn_tables x x' :
  hamming x x' + n = \sum_r maxn (table x r) (table x' r).
Proof.
rewrite /hamming -[X in _ + X = _](sum_table x') -big_split.
by apply: eq_bigr => r _; rewrite maxnC maxnE addnC.
Qed.

Lemma hamming_sym x x' : hamming x x' = hamming x' x.
Proof.
apply: (@addIn n); rewrite !sum_maxn_tables.
by apply: eq_bigr => r _; rewrite maxnC.
Qed.

(* Lemma 2: the l1-distance of the tables is twice the Hamming distance.      *)
Theorem l1_tables_hamming x x' : l1_tables x x' = 2 * hamming x x'.
Proof.
rewrite /l1_tables big_split /= -/(hamming x x') -/(hamming x' x).
by rewrite (hamming_sym x') mul2n addnn.
Qed.

Lemma hamming0 x : hamming x x = 0.
Proof. by apply: big1 => r _; rewrite subnn. Qed.

Lemma hamming_triangle x x' x'' :
  hamming x x'' <= hamming x x' + hamming x' x''.
Proof.
by rewrite -big_split /=; apply: leq_sum => r _; lia.
Qed.

Lemma hamming_table x1 x2 x1' x2' :
  table x1 = table x2 -> table x1' = table x2' ->
  hamming x1 x1' = hamming x2 x2'.
Proof. by rewrite /hamming => -> ->. Qed.

Lemma hamming_eq0 x x' : (hamming x x' == 0) = (table x == table x').
Proof.
apply/idP/eqP => [h0|eq_xx']; last first.
  by rewrite (hamming_table (erefl _) (esym eq_xx')) hamming0.
have h0' : hamming x' x == 0 by rewrite hamming_sym.
move: h0 h0'; rewrite !sum_nat_eq0 => /forall_inP le1 /forall_inP le2.
by apply/ffunP => r; apply/eqP; rewrite eqn_leq -!subn_eq0 le1 // le2.
Qed.

Lemma hamming_le_differing x x' : hamming x x' <= #|differing x x'|.
Proof.
rewrite -sum1_card (partition_big x predT) //=; apply: leq_sum => r _.
rewrite !tableE (count_ofD x (differing x x')) (count_ofD x' (differing x x')).
rewrite eq_count_off subnDr (leq_trans (leq_subr _ _)) // -sum1_card.
by apply: eq_leq; apply: eq_bigl => i; rewrite !inE.
Qed.

Lemma hamming_le_n x x' : hamming x x' <= n.
Proof.
rewrite (leq_trans (hamming_le_differing x x')) //.
by rewrite -[leqRHS]card_ord max_card.
Qed.

Lemma exists_alignment x x' :
  exists g, #|differing x (reorder g x')| = hamming x x'.
Proof.
have [g gP] := best_alignment x x'; exists g.
rewrite -sum1_card (partition_big x predT) //=; apply: eq_bigr => r _.
rewrite !tableE -gP -sum1_card.
by apply: eq_bigl => i; rewrite !inE ffunE.
Qed.

(* d_HamS counts the records that differ, "ignoring the ordering".            *)
Theorem hamming_alignment x x' :
  (forall g, hamming x x' <= #|differing x (reorder g x')|) /\
  (exists g, hamming x x' = #|differing x (reorder g x')|).
Proof.
split=> [g|]; last by have [g <-] := exists_alignment x x'; exists g.
apply: leq_trans (hamming_le_differing _ _).
by rewrite (hamming_table (erefl _) (table_reorder g x')).
Qed.

(* Lemma 4, its combinatorial core: equal tables mean equal up to a           *)
(* reordering of the records.                                                 *)
Theorem eq_table_reordering x x' :
  table x = table x' <-> exists g, x' = reorder g x.
Proof.
split=> [eq_xx'|[g ->]]; last by rewrite table_reorder.
have [r|g x'E _] := @eq_count_perm _ _ x x'.
  by rewrite -!tableE eq_xx'.
by exists g; apply/ffunP => i; rewrite ffunE x'E.
Qed.

(* Lemma 7: permuting the swapping values changes at most k_g records.        *)
Theorem hamming_apply_perm g x : hamming x (apply_perm g x) <= moved g.
Proof.
apply: leq_trans (hamming_le_differing _ _) _; apply: subset_leq_card.
apply/subsetP => i; rewrite !inE; apply: contra_neq => gi.
by rewrite ffunE gi recordK.
Qed.

(* Permuting before or after a reordering.                                    *)
Lemma apply_perm_reorder (pi : {perm 'I_n}) g x :
  apply_perm g (reorder pi x) = reorder pi (apply_perm (pi^-1 * g * pi) x).
Proof. by apply/ffunP => i; rewrite !ffunE !permM permK. Qed.

Lemma preserves_strata_reorder (pi : {perm 'I_n}) g x :
  preserves_strata (reorder pi x) g = preserves_strata x (pi^-1 * g * pi).
Proof.
apply/preserves_strataP/preserves_strataP => xg i.
  by have := xg (pi^-1 i)%g; rewrite !ffunE !permM permKV.
by have := xg (pi i); rewrite !ffunE !permM permK.
Qed.

Lemma moved_conj (pi : {perm 'I_n}) g : moved (pi^-1 * g * pi) = moved g.
Proof.
rewrite /moved -(card_preimset _ (@perm_inj _ pi)); apply: eq_card => i.
by rewrite !inE !permM permK (inj_eq perm_inj).
Qed.

End Hamming.

(* Two data sets of one universe differ by a permutation of the swapping      *)
(* variable inside the strata that moves as many records as they are apart.   *)
Section SwapPath.
Variables (M H S : finType) (n : nat).
Implicit Types (x : dataset M H S n) (g rho : {perm 'I_n}) (r : M * H * S).

Definition mh r : M * H := (matching r, holding r).
Definition ms r : M * S := (matching r, swapping r).

Lemma count_mh x k : count_of (mh \o x) k = n_mh x k.1 k.2.
Proof.
case: k => m k; rewrite n_mhE; apply: eq_card => i.
by rewrite !inE xpair_eqE.
Qed.

Lemma count_ms x k : count_of (ms \o x) k = n_ms x k.1 k.2.
Proof.
case: k => m k; rewrite n_msE; apply: eq_card => i.
by rewrite !inE xpair_eqE.
Qed.

Lemma differing_comp (T : finType) (f : M * H * S -> T) x x' :
  differing (f \o x) (f \o x') \subset differing x x'.
Proof. by apply/subsetP => i; rewrite !inE; apply: contra_neq => /= ->. Qed.

(* A reordering of x' that agrees with x on the holding variables, and on     *)
(* all records but d_HamS(x, x').                                             *)
Lemma align_holding x x' :
  same_invariants x x' ->
  exists2 x2, table x2 = table x' &
    (forall i, mh (x2 i) = mh (x i)) /\ #|differing x x2| <= hamming x x'.
Proof.
move=> eq_xx'; have [pi piP] := exists_alignment x x'.
pose x1 := reorder pi x'.
have eq_mh k : count_of (mh \o x1) k = count_of (mh \o x) k.
  rewrite !count_mh (same_n_mh eq_xx').
  by apply: eq_bigr => s _; rewrite table_reorder.
have [g gP on_g] := eq_count_perm eq_mh.
exists (reorder g x1); first by rewrite !table_reorder.
split=> [i|]; first by rewrite ffunE; have := gP i.
rewrite -piP; apply: subset_leq_card; apply/subsetP => i; rewrite !inE ffunE.
apply: contraNN => /eqP xi; rewrite (out_perm on_g) ?xi // inE /=.
by rewrite xi negbK.
Qed.

(* Lemma 5. *)
Theorem swap_path x x' :
  same_invariants x x' ->
  exists rho, [/\ preserves_strata x rho, moved rho = hamming x x'
                & table (apply_perm rho x) = table x'].
Proof.
move=> eq_xx'; have [x2 tab_x2 [eq_mh le_x2]] := align_holding eq_xx'.
have eq_ms k : count_of (ms \o x) k = count_of (ms \o x2) k.
  rewrite !count_ms (same_n_ms eq_xx').
  by apply: eq_bigr => h _; rewrite tab_x2.
have [rho rhoP on_rho] := eq_count_perm eq_ms.
have x2E : apply_perm rho x = x2.
  apply/ffunP => i; rewrite ffunE; have := rhoP i; have := eq_mh i.
  by rewrite /mh /ms /= => -[<- <-] [_ <-]; rewrite recordK.
exists rho; split; last by rewrite x2E.
  apply/preserves_strataP => i; have := rhoP i; have := eq_mh i.
  by rewrite /mh /ms /= => -[<- _] [<- _].
apply/eqP; rewrite eqn_leq; apply/andP; split; last first.
  rewrite -(hamming_table (erefl (table x)) tab_x2) -x2E.
  exact: hamming_apply_perm.
apply: leq_trans le_x2; apply: subset_leq_card.
apply: subset_trans (differing_comp ms x x2).
by apply: subset_trans on_rho; apply/subsetP => i; rewrite !inE.
Qed.

Theorem universe_swaps x x' :
  same_invariants x x' <->
  exists2 rho, preserves_strata x rho & table (apply_perm rho x) = table x'.
Proof.
split=> [/swap_path[rho [x_rho _ tab]]|[rho x_rho tab]]; first by exists rho.
apply: same_invariants_trans (same_invariants_apply x_rho) _.
exact: eq_table_invariants.
Qed.

(* No permutation moves exactly one record. *)
Lemma moved_neq1 g : moved g != 1.
Proof.
apply/negP => /cards1P[i gi].
have movedE j : (g j != j) = (j == i) by rewrite -[RHS]in_set1 -gi inE.
by have := movedE (g i); rewrite (inj_eq perm_inj); case: eqP.
Qed.

Theorem no_neighbors x x' : same_invariants x x' -> hamming x x' != 1.
Proof. by case/swap_path => rho [_ <- _]; apply: moved_neq1. Qed.

End SwapPath.
