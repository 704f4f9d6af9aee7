(******************************************************************************)
(* Single exchanges of two swapping values, and the two roles of the          *)
(* categories                                                                 *)
(*                                                                            *)
(* Definitions                                                                *)
(*   transpose x == x with its holding and its swapping categories exchanged  *)
(*   transpose_table t == a table with them exchanged                         *)
(*   rows x m, columns x m == number of holding and of swapping categories    *)
(*            that hold records of the stratum m                              *)
(*   two_categories x == every stratum has at most two holding categories or  *)
(*            at most two swapping categories                                 *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   psa_transpose == the PSA treats the holding and the swapping variable    *)
(*            alike: transposed data give the transposed table                *)
(*   exchange_exists == where two_categories x, an exchange of two records of *)
(*            one stratum that differ in both categories leads towards any    *)
(*            other x' of the universe, and shortens d_HamS(x, x') by 2       *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From mathcomp Require Import zify.
From Stirred Require Import law swapping hamming.
From Stirred Require Import psa_law psa_privacy.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory GroupScope.
Local Open Scope ring_scope.

(* Exchanging the roles of the holding and of the swapping variable           *)
Section Transpose.

Variables (M H S : finType) (n : nat).
Implicit Types (x : dataset M H S n) (g : {perm 'I_n}).

Definition transpose x : dataset M S H n :=
  [ffun i => (matching (x i), swapping (x i), holding (x i))].

Definition transpose_table (t : {ffun M * H * S -> 'I_n.+1}) :
    {ffun M * S * H -> 'I_n.+1} :=
  [ffun r => t (r.1.1, r.2, r.1.2)].

Lemma transpose_table_inj : injective transpose_table.
Proof.
move=> t t' /ffunP e; apply/ffunP=> -[[m h] s].
by have := e (m, s, h); rewrite !ffunE.
Qed.

Lemma table_transpose x m s h :
  table (transpose x) (m, s, h) = table x (m, h, s).
Proof.
rewrite !ffunE; apply: eq_card => i; rewrite !inE ffunE !eq_record.
by rewrite /= [X in _ && X]andbC.
Qed.

Lemma table_ord_transpose x :
  table_ord (transpose x) = transpose_table (table_ord x).
Proof.
apply/ffunP=> -[[m s] h]; apply: ord_inj.
by rewrite [in RHS]ffunE !table_ordE table_transpose.
Qed.

Lemma transpose_apply x g : preserves_strata x g ->
  table (apply_perm g^-1 (transpose x)) = table (transpose (apply_perm g x)).
Proof.
move=> /preserves_strataP xg; rewrite -[LHS](table_reorder g); congr table.
by apply/ffunP=> i; rewrite !ffunE permK /= xg.
Qed.

Lemma preserves_transpose x g :
  preserves_strata (transpose x) g = preserves_strata x g.
Proof. by apply: eq_forallb => i; rewrite !ffunE. Qed.

Variables (R : realFieldType) (p : R).
Hypothesis p01 : 0 <= p <= 1.

(* The PSA treats both variables alike.                                       *)
Lemma psa_transpose x t :
  psa p p01 (transpose x) (transpose_table t) = psa p p01 x t.
Proof.
rewrite !psaE (reindex_inj invg_inj) /= [LHS]big_mkcond [RHS]big_mkcond.
apply: eq_bigr => g _; rewrite !psa_permE preserves_transpose.
have [xg | xg] := boolP (preserves_strata x g); last first.
  rewrite (_ : preserves_strata x g^-1 = false); first by rewrite !if_same.
  by apply: contraNF xg => /preserves_strataV; rewrite invgK.
rewrite preserves_strataV //.
have -> : table_ord (apply_perm g^-1 (transpose x)) =
    transpose_table (table_ord (apply_perm g x)).
  apply/eqP; rewrite -table_ord_transpose eq_table_ord.
  by rewrite transpose_apply.
rewrite (inj_eq transpose_table_inj); case: eqP => // _.
apply: eq_bigr => m _; congr move_mass.
  by apply: eq_card => i; rewrite !inE ffunE.
by rewrite moved_inV; apply: eq_card => i; rewrite !inE ffunE.
Qed.

End Transpose.

(* A path of exchanges                                                        *)
Section Path.

Variables (M H S : finType) (n : nat).
Local Open Scope nat_scope.
Implicit Types (x : dataset M H S n) (m : M).

Definition rows x m := #|[set h | 0 < n_mh x m h]|.
Definition columns x m := #|[set s | 0 < n_ms x m s]|.
Definition two_categories x : bool :=
  [forall m, (rows x m <= 2) || (columns x m <= 2)].

(* It is a property of the universe.                                          *)
Lemma same_two_categories x x' :
  same_invariants x x' -> two_categories x = two_categories x'.
Proof.
move=> xx'; apply: eq_forallb => m; congr ((_ <= 2) || (_ <= 2)).
  by apply: eq_card => h; rewrite !inE (same_n_mh xx').
by apply: eq_card => s; rewrite !inE (same_n_ms xx').
Qed.

Lemma le2_set (T : finType) (D : {set T}) a c :
  #|D| <= 2 -> a \in D -> c \in D -> a != c -> D = [set a; c].
Proof.
move=> D2 aD cD ac; apply/esym/eqP; rewrite eqEcard subUset !sub1set aD cD.
by rewrite cards2 ac.
Qed.

(* If f and g have one sum, and f is larger somewhere, g is larger somewhere. *)
Lemma sum_lt_exists (T : finType) (f g : T -> nat) a :
  \sum_t f t = \sum_t g t -> g a < f a -> exists2 c, c != a & f c < g c.
Proof.
move=> fg lt_a; have [/existsP[c /andP[ca lt_c]] | no_c] :=
  boolP [exists c, (c != a) && (f c < g c)]; first by exists c.
have le_c c : c != a -> g c <= f c.
  by move=> ca; move/existsPn: no_c => /(_ c); rewrite ca -leqNgt.
suff: \sum_t g t < \sum_t f t by rewrite fg ltnn.
rewrite (bigD1 a) // [X in _ < X](bigD1 a) //=.
by rewrite -addSn leq_add // leq_sum.
Qed.

(* The same with two terms only.                                              *)
Lemma sum2_lt (T : finType) (f g : T -> nat) a c :
    \sum_t f t = \sum_t g t -> a != c ->
    (forall t, t != a -> t != c -> f t = g t) ->
  g a < f a -> f c < g c.
Proof.
move=> fg ac eq_t lt_a; have [t ta lt_t] := sum_lt_exists fg lt_a.
have [<- // | tc] := eqVneq t c.
by rewrite eq_t // ltnn in lt_t.
Qed.

(* Four cells where x and x' differ in turn.                                  *)
Lemma circuit_exists x x' : same_invariants x x' -> two_categories x ->
    0 < hamming x x' ->
  exists m h h' s s',
    [/\ h != h', s != s',
        table x' (m, h, s) < table x (m, h, s),
        table x' (m, h', s') < table x (m, h', s')
      & table x (m, h, s') < table x' (m, h, s') /\
        table x (m, h', s) < table x' (m, h', s)].
Proof.
move=> xx' two; rewrite lt0n sum_nat_eq0 => /forall_inPn[[[m h] s] _].
rewrite subn_eq0 -ltnNge => lt1.
have mh_sum h1 : \sum_s table x (m, h1, s) = \sum_s table x' (m, h1, s).
  exact: same_n_mh xx' m h1.
have mh_sum' h1 : \sum_s table x' (m, h1, s) = \sum_s table x (m, h1, s).
  by rewrite mh_sum.
have ms_sum s1 : \sum_h table x (m, h, s1) = \sum_h table x' (m, h, s1).
  exact: same_n_ms xx' m s1.
have ms_sum' s1 : \sum_h table x' (m, h, s1) = \sum_h table x (m, h, s1).
  by rewrite ms_sum.
have [s' s's lt2] := sum_lt_exists (mh_sum h) lt1.
have [h' h'h lt3] := sum_lt_exists (ms_sum s) lt1.
exists m, h, h', s, s'; split=> //; try by rewrite eq_sym.
have le_row (y : dataset M H S n) t k : table y (m, t, k) <= n_mh y m t.
  by rewrite /n_mh (bigD1 k) //= leq_addr.
have le_col (y : dataset M H S n) t k : table y (m, t, k) <= n_ms y m k.
  by rewrite /n_ms (bigD1 t) //= leq_addr.
case/orP: (forallP two m) => le2.
  have D2 : [set t | 0 < n_mh x m t] = [set h; h'].
    apply: le2_set => //; last by rewrite eq_sym.
      by rewrite inE (leq_trans _ (le_row x h s)) // (leq_trans _ lt1).
    rewrite inE (same_n_mh xx') (leq_trans _ (le_row x' h' s)) //.
    by rewrite (leq_trans _ lt3).
  apply: (sum2_lt (ms_sum' s') _ _ lt2) => [|t th th']; first by rewrite eq_sym.
  have /negP: t \notin [set t | 0 < n_mh x m t] by rewrite D2 !inE negb_or th.
  rewrite inE => /negP; rewrite -eqn0Ngt => /eqP t0.
  have := le_row x' t s'; have := le_row x t s'; rewrite -(same_n_mh xx') t0.
  by rewrite !leqn0 => /eqP-> /eqP->.
have D2 : [set t | 0 < n_ms x m t] = [set s; s'].
  apply: le2_set => //; last by rewrite eq_sym.
    by rewrite inE (leq_trans _ (le_col x h s)) // (leq_trans _ lt1).
  rewrite inE (same_n_ms xx') (leq_trans _ (le_col x' h s')) //.
  by rewrite (leq_trans _ lt2).
apply: (sum2_lt (mh_sum' h') _ _ lt3) => [|t ts ts']; first by rewrite eq_sym.
have /negP: t \notin [set t | 0 < n_ms x m t] by rewrite D2 !inE negb_or ts.
rewrite inE => /negP; rewrite -eqn0Ngt => /eqP t0.
have := le_col x' h' t; have := le_col x h' t; rewrite -(same_n_ms xx') t0.
by rewrite !leqn0 => /eqP-> /eqP->.
Qed.

(* One exchange on the way to x'.                                             *)
Lemma exchange_exists x x' : same_invariants x x' -> two_categories x ->
    0 < hamming x x' ->
  exists i j,
    [/\ matching (x i) = matching (x j), holding (x i) != holding (x j),
        swapping (x i) != swapping (x j)
      & hamming x x' = (hamming (apply_perm (tperm i j) x) x').+2].
Proof.
move=> xx' two h_gt0.
have [m [h [h' [s [s' [hh' ss' lt1 lt4 [lt2 lt3]]]]]]] :=
  circuit_exists xx' two h_gt0.
have cell_record (r : M * H * S) : 0 < table x r -> exists i, x i = r.
  by rewrite ffunE => /card_gt0P[i]; rewrite inE => /eqP; exists i.
have [i xi] := cell_record _ (leq_ltn_trans (leq0n _) lt1).
have [j xj] := cell_record _ (leq_ltn_trans (leq0n _) lt4).
exists i, j; rewrite xi xj; split=> //.
have ij : i != j.
  by apply: contraNneq hh' => e; rewrite e xj in xi; case: xi => ->.
set x1 := apply_perm _ x.
have x1i : x1 i = (m, h, s') by rewrite ffunE tpermL xi xj.
have x1j : x1 j = (m, h', s) by rewrite ffunE tpermR xi xj.
have table_split (y : dataset M H S n) r :
    table y r = (y i == r) + (y j == r) +
      \sum_(k | (k != i) && (k != j)) (y k == r).
  rewrite ffunE -sum1dep_card big_mkcond.
  rewrite (eq_bigr (fun k => nat_of_bool (y k == r))) => [|k _]; last first.
    by case: eqP.
  by rewrite (bigD1 i) // (bigD1 j) 1?eq_sym //= addnA.
have rest_eq r : \sum_(k | (k != i) && (k != j)) (x1 k == r) =
    \sum_(k | (k != i) && (k != j)) (x k == r).
  apply: eq_bigr => k /andP[ki kj].
  have [ik jk] : i != k /\ j != k by split; rewrite eq_sym.
  by rewrite ffunE tpermD // recordK.
rewrite /hamming -addn2.
rewrite (eq_bigr (fun r => (table x1 r - table x' r) +
    ((r == (m, h, s)) + (r == (m, h', s'))))) => [|r _].
  have sum1 (r0 : M * H * S) : \sum_r (r == r0) = 1.
    by rewrite (bigD1 r0) //= eqxx big1 // => r /negbTE->.
  by rewrite !big_split /= !sum1.
have := table_split x r; have := table_split x1 r.
rewrite rest_eq xi xj x1i x1j ![_ == r]eq_sym.
move: (\sum_(t | _) _) => rest.
have [-> | r1] := eqVneq r (m, h, s).
  rewrite !xpair_eqE !eqxx (negbTE hh') (negbTE ss') /=.
  by move: lt1 (table x1 _); move: (table x' _) (table x _); clear; lia.
have [-> | r2] := eqVneq r (m, h', s').
  rewrite !xpair_eqE !eqxx ![h' == _]eq_sym ![s' == _]eq_sym.
  rewrite (negbTE hh') (negbTE ss') /=.
  by move: lt4 (table x1 _); move: (table x' _) (table x _); clear; lia.
have [-> | r3] := eqVneq r (m, h, s').
  rewrite !xpair_eqE !eqxx (negbTE hh') /=.
  by move: lt2 (table x1 _); move: (table x' _) (table x _); clear; lia.
have [-> | r4] := eqVneq r (m, h', s).
  by move: lt3 (table x1 _); move: (table x' _) (table x _); clear; lia.
by move: (table x1 _) (table x' _) (table x _); clear; lia.
Qed.

End Path.

(* The members of D with q, two of them apart                                 *)
Lemma card_but2 (T : finType) (D : {set T}) (i j : T) (q : pred T) :
    i \in D -> j \in D -> i != j ->
  #|[set v in D | q v]| =
  (#|[set v in D :\: [set i; j] | q v]| + q i + q j)%N.
Proof.
move=> iD jD ij; rewrite (cardsD1 i) (cardsD1 j) !inE iD jD eq_sym ij /=.
rewrite addnA addnC addnA; congr (_ + _ + _)%N.
by apply: eq_card => v; rewrite !inE negb_or andbCA !andbA.
Qed.

(* Permutations inside one row                                                *)
Section SameRow.

Variables (M H S : finType) (n : nat) (x : dataset M H S n) (i v : 'I_n).
Hypothesis iv : mh (x v) = mh (x i).
Implicit Types (g : {perm 'I_n}) (m : M).

Let mv : matching (x v) = matching (x i). Proof. by case: iv. Qed.
Let hv : holding (x v) = holding (x i). Proof. by case: iv. Qed.

Lemma preserves_tperm : preserves_strata x (tperm i v).
Proof. by apply/preserves_strataP=> l; case: tpermP => [->|->|]. Qed.

Lemma preserves_tpermM g :
  preserves_strata x (tperm i v * g) = preserves_strata x g.
Proof.
apply/idP/idP => xg; last exact: preserves_strataM preserves_tperm xg.
rewrite -[g](mulKg (tperm i v)) tpermV.
exact: preserves_strataM preserves_tperm xg.
Qed.

Lemma table_tpermM g :
  table (apply_perm (tperm i v * g) x) = table (apply_perm g x).
Proof.
rewrite -[RHS](table_reorder (tperm i v)); congr table.
apply/ffunP=> l; rewrite !ffunE permM.
by case: tpermP => [->|->|]; rewrite ?mv ?hv.
Qed.

Lemma moved_in_tpermM g m : m != matching (x i) ->
  moved_in x (tperm i v * g) m = moved_in x g m.
Proof.
move=> mi; apply: eq_card => l; rewrite !inE permM.
have [lm | _] := eqVneq (matching (x l)) m; last by rewrite !andbF.
rewrite tpermD //; apply: contraNneq mi => e; first by rewrite e lm.
by rewrite -mv e lm.
Qed.

End SameRow.

Lemma preserves_exchange (M H S : finType) (n : nat) (x : dataset M H S n)
    (i j : 'I_n) :
  matching (x i) = matching (x j) -> preserves_strata x (tperm i j).
Proof.
by move=> mij; apply/preserves_strataP=> l; case: tpermP => [->|->|].
Qed.
