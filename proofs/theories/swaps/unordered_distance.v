From mathcomp Require Import all_ssreflect zify.

(******************************************************************************)
(* The Hamming distance d_HamS between unordered data sets, for families      *)
(* f : I -> T of any finite types.                                            *)
(*                                                                            *)
(*   record_count f t == number of places i with f i = t                          *)
(*   unordered_distance f f' == number of values of f to be replaced to       *)
(*            obtain f', ignoring the order                                   *)
(*   record_put x i t == the data set x with t for its record i              *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Families.

Variables (I T : finType).
Implicit Types (f : I -> T) (t : T).

Definition record_count f t : nat := #|[set i | f i == t]|.

Definition unordered_distance f f' : nat :=
  \sum_t (record_count f t - record_count f' t).

Lemma sum_count f : \sum_t record_count f t = #|I|.
Proof.
rewrite -sum1_card (partition_big f predT) //=; apply: eq_bigr => t _.
by rewrite /record_count cardsE sum1_card.
Qed.

(* Replaced values of f are as many as replacing values of f'.                *)
Lemma unordered_distanceC f f' :
  unordered_distance f f' = unordered_distance f' f.
Proof.
have subE (g h : I -> T) :
    unordered_distance g h + #|I| = \sum_t maxn (record_count g t) (record_count h t).
  rewrite -(sum_count h) -big_split; apply: eq_bigr => t _ /=.
  by rewrite maxnC maxnE addnC.
apply/eqP; rewrite -(eqn_add2r #|I|) !subE; apply/eqP.
by apply: eq_bigr => t _; rewrite maxnC.
Qed.

(* Values that all differ: the distance counts the places that differ.        *)
Lemma unordered_named (g h : I -> T) (name : T -> I) :
  (forall i, name (g i) = i) -> (forall i, name (h i) = i) ->
  unordered_distance g h = \sum_i (g i != h i).
Proof.
move=> nameg nameh.
have countE (f : I -> T) t : (forall i, name (f i) = i) ->
    record_count f t = (f (name t) == t).
  move=> namef; rewrite /record_count; case: eqP => [ft | neq].
    transitivity #|[set name t]|; last exact: cards1.
    apply: eq_card => i; rewrite !inE.
    by apply/eqP/eqP => [<- | ->].
  by apply: eq_card0 => i; rewrite !inE; apply/eqP => ft; case: neq;
    rewrite -ft namef.
rewrite /unordered_distance (partition_big name predT) //=.
apply: eq_bigr => i _; rewrite (bigD1 (g i)) ?nameg //= big1 ?addn0 => [|t].
  by rewrite !countE // nameg eqxx eq_sym; case: (g i == h i).
by case/andP => /eqP <- /negPf neq; rewrite countE // eq_sym neq.
Qed.

(* At most as many values are replaced as there are places that differ.       *)
Lemma unordered_le_places f f' :
  unordered_distance f f' <= #|[set i | f i != f' i]|.
Proof.
have -> : #|[set i | f i != f' i]| =
    \sum_t #|[set i | (f i == t) && (f' i != t)]|.
  rewrite -sum1_card (partition_big f predT) //=; apply: eq_bigr => t _.
  rewrite -sum1_card; apply: eq_bigl => i; rewrite !inE.
  have [<-|_] /= := eqVneq (f i) t; last by rewrite andbF.
  by rewrite andbT eq_sym.
apply: leq_sum => t _; rewrite leq_subLR /record_count.
rewrite -(cardsID [set i | f' i == t] [set i | f i == t]); apply: leq_add.
  by apply: subset_leq_card; apply/subsetP => i; rewrite !inE => /andP[].
by apply: subset_leq_card; apply/subsetP => i; rewrite !inE andbC.
Qed.

End Families.

(* Data sets of n records at distance k are the ends of a chain of k steps.   *)
Section Chains.

Variables (n : nat) (T : finType).
Implicit Types (x y : {ffun 'I_n -> T}) (s t : T).

Definition record_put x i t : {ffun 'I_n -> T} :=
  [ffun j => if j == i then t else x j].

Lemma count_with_record x i t s :
  record_count (record_put x i t) s + (x i == s) = record_count x s + (t == s).
Proof.
rewrite /record_count (cardsD1 i) [in RHS](cardsD1 i) !inE ffunE eqxx.
rewrite addnAC [RHS]addnAC [X in X + _]addnC; congr (_ + _).
by apply: eq_card => j; rewrite !inE ffunE; case: (j == i).
Qed.

Lemma unordered_step x y k : unordered_distance x y = k.+1 ->
  exists2 z : {ffun 'I_n -> T},
    unordered_distance x z = 1 & unordered_distance z y = k.
Proof.
move=> dist_xy.
have [s lt_s] : exists s, record_count y s < record_count x s.
  apply/existsP; apply: contra_eqT dist_xy.
  rewrite negb_exists => /forallP le_y.
  rewrite /unordered_distance big1 // => s _.
  by apply/eqP; rewrite subn_eq0 leqNgt.
have [t lt_t] : exists t, record_count x t < record_count y t.
  apply/existsP; rewrite unordered_distanceC in dist_xy.
  apply: contra_eqT dist_xy; rewrite negb_exists => /forallP le_x.
  rewrite /unordered_distance big1 // => t _.
  by apply/eqP; rewrite subn_eq0 leqNgt.
have neq_ts : (t == s) = false by apply: contraTF lt_t => /eqP->; lia.
have [i xi] : exists i, x i = s.
  have /card_gt0P[i] : 0 < record_count x s by lia.
  by rewrite inE => /eqP; exists i.
have countE u := count_with_record x i t u; rewrite xi in countE.
exists (record_put x i t).
  rewrite /unordered_distance (bigD1 s) //= big1 => [|u /negPf us].
    by have := countE s; rewrite eqxx neq_ts; lia.
  by have := countE u; rewrite eq_sym us; case: (t == u); lia.
apply/eqP; rewrite -eqSS -dist_xy /unordered_distance.
rewrite (bigD1 s) // [X in _ == X](bigD1 s) //=; apply/eqP.
have := countE s; rewrite eqxx neq_ts => at_s.
suff -> : \sum_(u | u != s) (record_count (record_put x i t) u - record_count y u) =
    \sum_(u | u != s) (record_count x u - record_count y u) by lia.
apply: eq_bigr => u /negPf us; have := countE u; rewrite eq_sym us.
by case: eqP => [<-|_]; lia.
Qed.

End Chains.

