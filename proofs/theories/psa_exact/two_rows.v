From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From Stirred Require Import compat law swapping hamming derangement.
From Stirred Require Import pure psa_law psa_privacy.
From Stirred Require Import insertion exchange.

(******************************************************************************)
(* A stratum of two rows: what bounds the bases of all orbits bounds the PSA  *)
(*                                                                            *)
(*   exchange_cost p01 M n fits r == in every data set of n records whose     *)
(*            stratum of the records i and j has two holding categories, of   *)
(*            sizes that fit, P_x(t) <= r P_x'(t) for all tables t, where x'  *)
(*            arises by exchanging the swapping values of i and j             *)
(*   sizes_fit fits x == each stratum has at most one holding or swapping     *)
(*            category, or two of either kind, of sizes that fit in both      *)
(*            orders                                                          *)
(*   sizes_le b k l == k + l is at most b                                     *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   psa_rows, psa_exchange_rows == P_x(t) and P_x'(t) as sums of masses over *)
(*            the same permutations                                           *)
(*   rows_free, bases_free == the permutations of these sums, and those of    *)
(*            them that fix both records, are free_rows (insertion.v)         *)
(*   two_row_le == P_x(t) <= r P_x'(t) follows from three inequalities:       *)
(*            w_step and w_fall for the masses, and bases_le for the          *)
(*            permutations that fix both records, each with the mass of its   *)
(*            orbit                                                           *)
(*   exchange_cost_privacy == with exchange_cost for gamma^2 the PSA costs at *)
(*            most gamma^d_HamS in every universe whose sizes fit             *)
(*   sizes_fit_pure_dp == the same as a specification                         *)
(*   sizes_le_fit == two categories and largest_stratum x <= b give           *)
(*            sizes_fit (sizes_le b) x                                        *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory GroupScope.
Local Open Scope ring_scope.

(* One exchange inside a stratum of two rows                                  *)
Section Exchange.

Variables (R : realFieldType) (M H S : finType) (n : nat) (p r : R).
Hypothesis p01 : 0 <= p <= 1.
Hypotheses (p_gt0 : 0 < p) (p_lt1 : p < 1).
Variables (x : dataset M H S n) (i j : 'I_n).
Hypothesis mij : matching (x i) = matching (x j).
Hypothesis hij : holding (x i) != holding (x j).
Hypothesis two_rows : forall v, matching (x v) = matching (x i) ->
  (holding (x v) == holding (x i)) || (holding (x v) == holding (x j)).
Implicit Types (g : {perm 'I_n}) (t : {ffun M * H * S -> 'I_n.+1}).

Let m := matching (x i).
Let A := [set v | mh (x v) == mh (x i)].
Let B := [set v | mh (x v) == mh (x j)].
Let E := (A :|: B) :\: [set i; j].
Let N := #|stratum x m|.
Let c g := \prod_(m' | m' != m) move_mass p #|stratum x m'| (moved_in x g m').

Let iA : i \in A. Proof. by rewrite inE. Qed.
Let jB : j \in B. Proof. by rewrite inE. Qed.
Let ij : i != j. Proof. by apply: contraNneq hij => ->. Qed.

Lemma stratum_rows : stratum x m = A :|: B.
Proof.
apply/setP=> v; rewrite !inE !xpair_eqE -mij -andb_orr.
by case: eqP => //= /two_rows->.
Qed.

Lemma rows_disjoint : [disjoint A & B].
Proof.
apply/pred0P=> v /=; rewrite !inE !xpair_eqE; apply: contraNF hij.
by case/andP=> /andP[_ /eqP<-] /andP[_ /eqP<-].
Qed.

Let im : i \in stratum x m. Proof. by rewrite inE. Qed.
Let jm : j \in stratum x m. Proof. by rewrite inE -mij. Qed.

Lemma size_stratum : N = #|E|.+2.
Proof.
have := card_but2 xpredT im jm ij; rewrite stratum_rows !addn1 => eN.
rewrite /N stratum_rows -[LHS](_ : #|[set v in A :|: B | true]| = _).
  by rewrite eN; congr _.+2; apply: eq_card => v; rewrite inE andbT.
by apply: eq_card => v; rewrite inE andbT.
Qed.

Lemma moved_in_rows g :
  moved_in x g m = (#|movers E g| + (g i != i) + (g j != j))%N.
Proof.
rewrite -(card_but2 (fun v => g v != v) _ _ ij) -?stratum_rows //.
by apply: eq_card => v; rewrite !inE andbC.
Qed.

Lemma moved_in_exchange g :
  moved_in x (g * tperm i j) m =
  (#|movers E g| + (g i != j) + (g j != i))%N.
Proof.
rewrite moved_in_rows !permM.
rewrite !(canF_eq (tpermK i j)) tpermL tpermR; congr (_ + _ + _)%N.
apply: eq_card => v; rewrite !inE permM; case: eqP => //= /eqP vi.
case: eqP => //= /eqP vj; congr (_ && _).
by case: tpermP => [->|->|//]; rewrite eq_sym ?(negbTE vi) ?(negbTE vj) eq_sym
  ?(negbTE vi) ?(negbTE vj).
Qed.

Let P t g := (table_ord (apply_perm g x) == t) && preserves_strata x g.

Lemma psa_perm_rows g : preserves_strata x g ->
  psa_perm p p01 x g =
  c g * move_mass p N (#|movers E g| + (g i != i) + (g j != j)).
Proof.
by move=> xg; rewrite psa_permE xg (bigD1 m) //= moved_in_rows mulrC.
Qed.

Lemma preserves_exchangeM g :
  preserves_strata x (g * tperm i j) = preserves_strata x g.
Proof.
have xt : preserves_strata x (tperm i j) by apply: preserves_exchange.
apply/idP/idP => xg; last exact: preserves_strataM.
by rewrite -[g](mulgK (tperm i j)) tpermV preserves_strataM.
Qed.

Lemma psa_perm_exchange g : preserves_strata x g ->
  psa_perm p p01 x (g * tperm i j)%g =
  c g * move_mass p N (#|movers E g| + (g i != j) + (g j != i)).
Proof.
move=> xg; rewrite psa_permE preserves_exchangeM xg (bigD1 m) //= mulrC.
rewrite moved_in_exchange; congr (_ * _); apply: eq_bigr => m' m'm.
congr move_mass; apply: eq_card => l; rewrite !inE permM.
have [lm | _] := eqVneq (matching (x l)) m'; last by rewrite !andbF.
have glm : matching (x (g l)) = m' by rewrite (preserves_strataP _ _ xg).
rewrite tpermD //; apply: contraNneq m'm => e; first by rewrite -glm -e.
by rewrite -glm -e -mij.
Qed.

Let sumP t (F : {perm 'I_n} -> R) :
    (forall g, ~~ preserves_strata x g -> F g = 0) ->
  \sum_(g | table_ord (apply_perm g x) == t) F g = \sum_(g | P t g) F g.
Proof.
move=> F0; rewrite (bigID (preserves_strata x)) /= [X in _ + X]big1 ?addr0 //.
by move=> g /andP[_ /F0].
Qed.

(* The law of both data sets, as masses of the permutations of x.             *)
Lemma psa_rows t : psa p p01 x t = \sum_(g | P t g)
  c g * move_mass p N (#|movers E g| + (g i != i) + (g j != j)).
Proof.
rewrite psaE sumP => [|g xg]; last by rewrite psa_permE (negbTE xg).
by apply: eq_bigr => g /andP[_ /psa_perm_rows].
Qed.

Lemma psa_exchange_rows t : psa p p01 (apply_perm (tperm i j) x) t =
  \sum_(g | P t g)
    c g * move_mass p N (#|movers E g| + (g i != j) + (g j != i)).
Proof.
rewrite psa_applyE tpermV sumP => [|g xg]; last first.
  by rewrite psa_permE preserves_exchangeM (negbTE xg).
by apply: eq_bigr => g /andP[_ /psa_perm_exchange].
Qed.

Lemma rows_perm t (g : {perm 'I_n}) k v : mh (x v) = mh (x k) ->
  P t (tperm k v * g)%g = P t g.
Proof.
move=> kv; rewrite /P preserves_tpermM //; congr (_ && _).
by congr (_ == _); apply/eqP; rewrite eq_table_ord table_tpermM.
Qed.

Lemma rows_mass (g : {perm 'I_n}) k v : mh (x v) = mh (x k) ->
  matching (x k) = m -> c (tperm k v * g)%g = c g.
Proof.
move=> kv km; apply: eq_bigr => m' m'm; congr move_mass.
by apply: moved_in_tpermM; rewrite ?km.
Qed.

Lemma rows_mass_ge0 g : 0 <= c g.
Proof. by apply: prodr_ge0 => m' _; apply: move_mass_ge0. Qed.

Let free_side (F F' : {set 'I_n}) k t : matching (x k) = m ->
    F = [set v | mh (x v) == mh (x k)] -> [disjoint F & F'] ->
  free_row (P t) c F F'.
Proof.
move=> km FE FF0; split=> // [g|g v u|g v u _]; first exact: rows_mass_ge0.
  by rewrite FE !inE => /eqP vk /eqP uk; apply: rows_perm; rewrite uk.
rewrite FE !inE => /eqP vk /eqP uk; apply: rows_mass; first by rewrite uk.
by case: vk => ->.
Qed.

Lemma rows_free t : free_rows (P t) c A B.
Proof.
split; first exact: (free_side (k := i)) rows_disjoint.
  by apply: (free_side (k := j)); rewrite // disjoint_sym rows_disjoint.
move=> g v /andP[_ /preserves_strataP xg]; rewrite -stratum_rows !inE => /eqP<-.
by have := xg ((g^-1)%g v); rewrite permKV => ->.
Qed.

Lemma rows_moved t g : P t g ->
  (#|movers E g| + (g i != i) + (g j != j) != 1)%N.
Proof. by case/andP=> _ xg; rewrite -moved_in_rows moved_in_neq1. Qed.

Let w := move_mass p N.
Let base t g := P t g && (g i == i) && (g j == j).

Let D := A :\ i.
Let D' := B :\ j.

(* Of the bases, the permutations that fix i and j, only the rest of the rows *)
(* counts.                                                                    *)
Lemma base_movers t g :
  base t g -> movers A g = movers D g /\ movers B g = movers D' g.
Proof.
case/andP=> /andP[_ /eqP gi] /eqP gj; split; apply/setP=> v; rewrite !inE.
  by have [->|//] := eqVneq v i; rewrite gi !eqxx ?andbF.
by have [->|//] := eqVneq v j; rewrite gj !eqxx ?andbF.
Qed.

Lemma base_sum t (F : nat -> nat -> R) :
  \sum_(g | base t g) c g * F #|movers A g| #|movers B g| =
  \sum_(g | base t g) c g * F #|movers D g| #|movers D' g|.
Proof. by apply: eq_bigr => g /base_movers[-> ->]. Qed.

Lemma card_bases : #|E| = (#|D| + #|D'|)%N.
Proof.
have := size_stratum; rewrite /N stratum_rows cardsU.
rewrite (disjoint_setI0 rows_disjoint) cards0 subn0.
by rewrite (cardsD1 i A) (cardsD1 j B) iA jB !add1n addnS => -[].
Qed.

Let iD : i \notin D. Proof. by rewrite in_setD1 eqxx. Qed.
Let jD : j \notin D.
Proof. by rewrite in_setD1 (disjointFl rows_disjoint jB) andbF. Qed.
Let iD' : i \notin D'.
Proof. by rewrite in_setD1 (disjointFr rows_disjoint iA) andbF. Qed.
Let jD' : j \notin D'. Proof. by rewrite in_setD1 eqxx. Qed.

Let base_side (F F' G G' : {set 'I_n}) t : free_row (P t) c F F' ->
    G \subset F -> G' \subset F' -> i \notin G -> j \notin G ->
  free_row (base t) c G G'.
Proof.
case=> c_ge0 FF0 P_F c_F GF G'F' iG jG; have inF := subsetP GF.
have out k l : k \notin G -> l \in G -> l != k.
  by move=> kG; apply: contraTneq => ->.
split=> // [|g v u vG uG|g v u /andP[/andP[Pg _] _] vG uG].
- exact: disjointW GF G'F' FF0.
- by rewrite /base P_F ?inF // !permM !tpermD ?out.
by rewrite c_F ?inF.
Qed.

Lemma bases_free t : free_rows (base t) c D D'.
Proof.
have [row row' from] := rows_free t; split.
- by apply: (base_side row) => //; apply: subD1set.
- by apply: (base_side row') => //; apply: subD1set.
have DE u : (u \in D :|: D') = [&& u != i, u != j & u \in A :|: B].
  rewrite !in_setU !in_setD1; have [->|ui] := eqVneq u i.
    by rewrite (disjointFr rows_disjoint iA) andbF.
  by have [->|uj] := eqVneq u j; first by rewrite (disjointFl rows_disjoint jB).
move=> g v /andP[/andP[Pg /eqP gi] /eqP gj].
rewrite !DE => /and3P[vi vj vAB]; apply/and3P; split; last exact: from vAB.
- by apply: contraNneq vi => e; rewrite -[v](permKV g) e gi.
by apply: contraNneq vj => e; rewrite -[v](permKV g) e gj.
Qed.

Lemma base_moved t g : base t g -> (#|movers D g| + #|movers D' g| != 1)%N.
Proof.
move=> bg; have [<- <-] := base_movers bg.
case/andP: bg => /andP[Pg /eqP gi] /eqP gj; have := rows_moved Pg.
by rewrite gi gj !eqxx !addn0 (card_movers_rows rows_disjoint gi gj).
Qed.

Hypothesis r_ge1 : 1 <= r.
Hypothesis w_step : forall k, (0 < k <= #|E|)%N -> w k.+1 <= r * w k.+2.
Hypothesis w_fall : forall k e, (k <= #|E|)%N -> (e <= 2)%N -> (k + e != 1)%N ->
  w k.+2 <= r * w (k + e)%N.
Hypothesis bases_le : forall t,
  \sum_(g | base t g) c g * orbit_in w #|movers A g| #|movers B g| <=
  r * \sum_(g | base t g) c g * orbit_out w #|movers A g| #|movers B g|.

(* P_x(t) <= r P_x'(t), where x' is an exchange away from x.                  *)
Lemma two_row_le t :
  psa p p01 x t <= r * psa p p01 (apply_perm (tperm i j) x) t.
Proof.
rewrite psa_rows psa_exchange_rows.
have w_ge0 k : 0 <= w k by apply: move_mass_ge0.
apply: (exchange_le iA jB (free_left (rows_free t))) => //.
- exact: free_right (rows_free t).
- by move=> g /rows_moved.
- move=> g /andP[_ xg]; rewrite -moved_in_exchange moved_in_neq1 //.
  by rewrite preserves_exchangeM.
exact: bases_le.
Qed.

End Exchange.

(* The privacy of whole universes                                             *)
Definition exchange_cost (R : realFieldType) (p : R) (p01 : 0 <= p <= 1)
    (M : finType) (n : nat) (fits : nat -> nat -> bool) (r : R) : Prop :=
  forall (H S : finType) (x : dataset M H S n) (i j : 'I_n) t,
    matching (x i) = matching (x j) -> holding (x i) != holding (x j) ->
    (forall v, matching (x v) = matching (x i) ->
       (holding (x v) == holding (x i)) || (holding (x v) == holding (x j))) ->
    fits (n_mh x (matching (x i)) (holding (x i)))
         (n_mh x (matching (x i)) (holding (x j))) ->
  psa p p01 x t <= r * psa p p01 (apply_perm (tperm i j) x) t.

Lemma exchange_cost_le (R : realFieldType) (M : finType) (n : nat)
    (fits : nat -> nat -> bool) (p : R) (p01 : 0 <= p <= 1) (r r' : R) :
  r <= r' -> exchange_cost p01 M n fits r -> exchange_cost p01 M n fits r'.
Proof.
move=> le_r bound H S x i j t mij hij two fit.
apply: le_trans (bound _ _ _ _ _ t mij hij two fit) _.
by rewrite ler_wpmul2r // law_ge0.
Qed.

(* The sizes of the categories that hold records                              *)
Section Sizes.

Variable fits : nat -> nat -> bool.
Local Open Scope nat_scope.

Definition all_fit (C : finType) (size : C -> nat) : bool :=
  [forall k, forall l,
    [&& k != l, 0 < size k & 0 < size l] ==> fits (size k) (size l)].

Variables (M H S : finType) (n : nat).
Implicit Types x : dataset M H S n.

Definition sizes_fit x : bool :=
  [forall m, [|| rows x m <= 1, columns x m <= 1,
    (rows x m <= 2) && all_fit (n_mh x m) |
    (columns x m <= 2) && all_fit (n_ms x m)]].

Lemma all_fitP (C : finType) (size : C -> nat) k l : all_fit size ->
  k != l -> 0 < size k -> 0 < size l -> fits (size k) (size l).
Proof.
move=> /forallP/(_ k)/forallP/(_ l)/implyP fit kl k_gt0 l_gt0.
exact/fit/and3P.
Qed.

(* It is a property of the universe.                                          *)
Lemma same_sizes_fit x x' :
  same_invariants x x' -> sizes_fit x = sizes_fit x'.
Proof.
move=> xx'; apply: eq_forallb => m.
have [rowE columnE] : rows x m = rows x' m /\ columns x m = columns x' m.
  split; apply: eq_card => k; rewrite !inE; first by rewrite (same_n_mh xx').
  by rewrite (same_n_ms xx').
have fitE (C : finType) (s s' : C -> nat) : s =1 s' -> all_fit s = all_fit s'.
  by move=> e; apply: eq_forallb => k; apply: eq_forallb => l; rewrite !e.
rewrite rowE columnE (fitE _ _ _ (same_n_mh xx' m)).
by rewrite (fitE _ _ _ (same_n_ms xx' m)).
Qed.

Lemma sizes_two_categories x : sizes_fit x -> two_categories x.
Proof.
move=> /forallP fit; apply/forallP=> m; case/or4P: (fit m).
- by move/leqW->.
- by move/leqW->; rewrite orbT.
- by case/andP=> ->.
by case/andP=> ->; rewrite orbT.
Qed.

End Sizes.

Definition sizes_le (b k l : nat) : bool := (k + l <= b)%N.

Lemma sizes_le_fit (M H S : finType) (n b : nat) (x : dataset M H S n) :
  two_categories x -> (largest_stratum x <= b)%N -> sizes_fit (sizes_le b) x.
Proof.
move=> /forallP two le_xb; apply/forallP=> m.
have le_pair (C : finType) (f : C -> nat) k l : k != l ->
    mixed x m -> n_m x m = (\sum_c f c)%N -> sizes_le b (f k) (f l).
  move=> kl mix nE; apply: leq_trans (leq_trans (leq_bigmax_cond _ mix) le_xb).
  by rewrite nE (bigD1 k) // (bigD1 l) 1?eq_sym //= addnA leq_addr.
case/orP: (two m) => le2; rewrite le2; apply/or4P;
    [constructor 3 | constructor 4]; apply/forallP=> k; apply/forallP=> l;
    apply/implyP=> /and3P[kl k_gt0 l_gt0].
  apply: le_pair => //; rewrite mixedE; apply/orP; left.
  by apply/existsP; exists k; apply/existsP; exists l; rewrite kl k_gt0.
apply: le_pair => //; last exact: n_m_ms.
rewrite mixedE; apply/orP; right.
by apply/existsP; exists k; apply/existsP; exists l; rewrite kl k_gt0.
Qed.

(* The stratum of i and j has the records of their two rows.                  *)
Lemma size_rows (M H S : finType) (n : nat) (x : dataset M H S n) (i j : 'I_n) :
    matching (x i) = matching (x j) -> holding (x i) != holding (x j) ->
    (forall v, matching (x v) = matching (x i) ->
       (holding (x v) == holding (x i)) || (holding (x v) == holding (x j))) ->
  #|stratum x (matching (x i))| =
  (n_mh x (matching (x i)) (holding (x i)) +
   n_mh x (matching (x i)) (holding (x j)))%N.
Proof.
move=> mij hij two; rewrite -n_mE n_m_mh (bigD1 (holding (x i))) //.
rewrite (bigD1 (holding (x j))) 1?eq_sym //= addnA big1 ?addn0 // => h.
case/andP=> hi hj; apply/eqP; rewrite eqn0Ngt; apply/negP.
by case/n_mh_gt0P=> v /two + vh; rewrite vh (negbTE hi) (negbTE hj).
Qed.

Lemma n_mh_transpose (M H S : finType) (n : nat) (x : dataset M H S n) m s :
  n_mh (transpose x) m s = n_ms x m s.
Proof. by apply: eq_bigr => h _; rewrite table_transpose. Qed.

Section Privacy.

Variables (R : realFieldType) (M H S : finType) (n : nat) (p : R).
Hypothesis p01 : 0 <= p <= 1.
Implicit Types (x : dataset M H S n) (fits : nat -> nat -> bool) (gamma : R).

Lemma exchange_psa_le x i j fits gamma t : sizes_fit fits x ->
    exchange_cost p01 M n fits (gamma ^+ 2) ->
    matching (x i) = matching (x j) ->
    holding (x i) != holding (x j) -> swapping (x i) != swapping (x j) ->
  psa p p01 x t <= gamma ^+ 2 * psa p p01 (apply_perm (tperm i j) x) t.
Proof.
move=> /forallP fit bound mij hij sij; set m := matching (x i).
pose D := [set h | (0 < n_mh x m h)%N]; pose D' := [set s | (0 < n_ms x m s)%N].
have rowD v : matching (x v) = m -> holding (x v) \in D.
  by move=> vm; rewrite inE -vm n_mh_gt0.
have columnD v : matching (x v) = m -> swapping (x v) \in D'.
  by move=> vm; rewrite inE -vm n_ms_gt0.
have [iD jD] : holding (x i) \in D /\ holding (x j) \in D.
  by split; apply: rowD.
have [iD' jD'] : swapping (x i) \in D' /\ swapping (x j) \in D'.
  by split; apply: columnD.
case/or4P: (fit m) => [le1|le1|/andP[le2 all_m]|/andP[le2 all_m]].
- by case/eqP: hij; apply: (card_le1_eqP le1).
- by case/eqP: sij; apply: (card_le1_eqP le1).
- apply: bound => // [v vm|].
    by have := rowD v vm; rewrite (le2_set le2 iD jD hij : D = _) !inE.
  by rewrite !inE in iD jD; apply: all_fitP all_m _ _ _.
pose y := transpose x; have yE v : y v =
    (matching (x v), swapping (x v), holding (x v)) by rewrite ffunE.
rewrite -(psa_transpose p01 x) -(psa_transpose p01 (apply_perm _ x)).
have tab : table (transpose (apply_perm (tperm i j) x)) =
    table (apply_perm (tperm i j) y).
  by rewrite -transpose_apply ?tpermV // preserves_exchange.
rewrite (psa_eq_table p01 tab).
apply: bound; rewrite -/y ?yE //=.
  move=> v; rewrite !yE => /columnD.
  by rewrite (le2_set le2 iD' jD' sij : D' = _) !inE.
rewrite !inE in iD' jD'.
by rewrite !n_mh_transpose; apply: all_fitP all_m _ _ _.
Qed.

(* An exchange costs gamma^2.                                                 *)
Lemma exchange_privacy x i j fits gamma : sizes_fit fits x ->
    exchange_cost p01 M n fits (gamma ^+ 2) ->
    matching (x i) = matching (x j) ->
    holding (x i) != holding (x j) -> swapping (x i) != swapping (x j) ->
  mult_le (gamma ^+ 2) (psa p p01 x) (psa p p01 (apply_perm (tperm i j) x)).
Proof.
move=> fit bound mij hij sij; apply/mult_leP => t.
split; first exact: (exchange_psa_le _ fit bound mij hij sij).
set x1 := apply_perm _ x.
have xx1 : same_invariants x x1.
  by apply: same_invariants_apply; apply: preserves_exchange.
have x1K : apply_perm (tperm i j) x1 = x.
  by rewrite apply_permM tperm2 apply_perm1.
rewrite -[in leRHS]x1K; apply: exchange_psa_le bound _ _ _ => //.
- by rewrite -(same_sizes_fit fits xx1).
- by rewrite !matching_apply.
- by rewrite !holding_apply.
by rewrite !swapping_apply tpermL tpermR eq_sym.
Qed.

(* The sizes of the categories fit.                                           *)
Lemma exchange_cost_privacy fits gamma x x' : sizes_fit fits x ->
    exchange_cost p01 M n fits (gamma ^+ 2) -> same_invariants x x' ->
  mult_le (gamma ^+ hamming x x') (psa p p01 x) (psa p p01 x').
Proof.
have [k] := ubnP (hamming x x').
elim: k x => // k IHk x lt_k fit bound xx'.
have [h0 | h_gt0] := posnP (hamming x x').
  rewrite h0 expr0 (psa_eq_table p01 (x := x) (x' := x')) //.
    exact: mult_le_refl.
  by apply/eqP; rewrite -hamming_eq0 h0.
have two := sizes_two_categories fit.
have [i [j [mij hij sij hE]]] := exchange_exists xx' two h_gt0.
set x1 := apply_perm _ x in hE.
have xx1 : same_invariants x x1.
  by apply: same_invariants_apply; apply: preserves_exchange.
rewrite hE -addn2 addnC exprD; apply: mult_le_triangle.
  exact: (exchange_privacy fit bound mij hij sij).
apply: IHk => //.
- by move: lt_k; rewrite hE !ltnS => /ltnW.
- by rewrite -(same_sizes_fit fits xx1).
by apply: same_invariants_trans xx'; rewrite same_invariants_sym.
Qed.

(* As a specification: one budget for the universes whose sizes fit.          *)
Lemma sizes_fit_pure_dp fits gamma :
    exchange_cost p01 M n fits (gamma ^+ 2) ->
  pure_dp (fun x0 x : dataset M H S n => same_invariants x0 x)
          (fun x x' : dataset M H S n => Some (hamming x x'))
          (fun x0 : dataset M H S n =>
             if sizes_fit fits x0 then Some gamma else None)
          (psa p p01).
Proof.
move=> bound x0 x x' x0x x0x'; case: ifP => // fit.
rewrite (same_sizes_fit fits x0x) in fit.
apply: exchange_cost_privacy fit bound _.
by apply: same_invariants_trans x0x'; rewrite same_invariants_sym.
Qed.

Lemma two_categories_type x :
  (#|H| <= 2)%N || (#|S| <= 2)%N -> two_categories x.
Proof.
move=> HS2; apply/forallP=> m; case/orP: HS2 => le2; apply/orP; [left | right];
  exact: leq_trans (max_card _) le2.
Qed.

(* As a specification: universes with more categories are not bounded here.   *)
Lemma exchange_cost_pure_dp (budget : nat -> R) :
    (forall b, (1 < b)%N ->
       exchange_cost p01 M n (sizes_le b) (budget b ^+ 2)) ->
  pure_dp (fun x0 x : dataset M H S n => same_invariants x0 x)
          (fun x x' : dataset M H S n => Some (hamming x x'))
          (fun x0 : dataset M H S n =>
             if two_categories x0 then Some (budget (largest_stratum x0))
             else None)
          (psa p p01).
Proof.
move=> le_budget x0 x x' x0x x0x'; case: ifP => // two.
have xx' : same_invariants x x'.
  by apply: same_invariants_trans x0x'; rewrite same_invariants_sym.
rewrite (same_two_categories x0x) in two.
rewrite (largest_stratum_universe x0x).
have fit := sizes_le_fit two (leqnn _).
apply: (exchange_cost_privacy fit) xx' => H' S' y i j t mij hij two' le_b.
apply: le_budget (le_b) => //; apply: leq_trans le_b.
by rewrite -addn1 leq_add ?n_mh_gt0 // mij n_mh_gt0.
Qed.

End Privacy.
