From mathcomp Require Import all_ssreflect fingroup perm action ssralg ssrnum
  ssrint rat.
From Stirred Require Import compat swapping derangement.
From Stirred Require Import binomial_moments.

(******************************************************************************)
(* Permutations that keep a row and its complement                            *)
(*                                                                            *)
(*   keeps_row A g == g maps A into A, and its complement into itself         *)
(*   still A g == the points of A that g fixes                                *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   keeps_row_sum == a sum over the permutations that keep A, by how many    *)
(*            points of A and of its complement they fix                      *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory GroupScope.
Local Open Scope ring_scope.

Section Keeps.

Variables (R : realFieldType) (T : finType).
Implicit Types (A B : {set T}) (g s t : {perm T}).

Definition keeps_row A g : bool := [forall v, (g v \in A) == (v \in A)].
Definition still A g : {set T} := [set v in A | g v == v].

Lemma still_sub A g : still A g \subset A.
Proof. by apply/subsetP=> v; rewrite inE => /andP[]. Qed.

Lemma still_lt A g : (#|still A g| < #|A|.+1)%N.
Proof. by rewrite ltnS subset_leq_card ?still_sub. Qed.

Lemma card_still_perm A u :
  #|[set s | perm_on A s && (#|still A s| == u)]| = row_count #|A| u.
Proof.
rewrite -sum1dep_card.
rewrite (partition_big (still A) (fun D => (D \subset A) && (#|D| == u))) /=;
    last by move=> s /andP[_ ->]; rewrite still_sub.
rewrite (eq_bigr (fun=> der (#|A| - u))) => [|D /andP[DA /eqP cD]].
  rewrite sum_nat_const /row_count -cards_draws; congr (_ * _)%N.
  by apply: eq_card => D; rewrite !inE.
rewrite -cD -cardsDS // -card_deranges -[RHS]sum1_card; apply: eq_bigl => s.
rewrite inE; apply/andP/eqP => [[/andP[sA _] /eqP sD] | sD].
  apply/setP=> v; rewrite -sD !inE; case: (boolP (v \in A)) => vA /=.
    by rewrite andbT.
  by rewrite (out_perm sA vA) eqxx.
have sv v : (s v != v) = (v \in A) && (v \notin D).
  by rewrite andbC -in_setD -sD inE.
have E : still A s = D.
  apply/setP=> v; rewrite inE -[s v == v]negbK sv.
  by case: (boolP (v \in D)) => [/(subsetP DA)->|]; case: (v \in A).
rewrite E cD !eqxx andbT; split=> //; apply/subsetP=> v.
by rewrite inE sv => /andP[].
Qed.

Lemma perm_on_sum A (F : nat -> R) :
  \sum_(s | perm_on A s) F #|still A s| =
  \sum_(u < #|A|.+1) (row_count #|A| u)%:R * F u.
Proof.
rewrite (partition_big (fun s => Ordinal (still_lt A s)) predT) //=.
apply: eq_bigr => u _; rewrite -card_still_perm -sum1dep_card natr_sum.
rewrite mulr_suml; apply: eq_big => [s | s]; rewrite -val_eqE //=.
by case/andP=> _ /eqP->; rewrite mul1r.
Qed.

Lemma perm_on_compl A s v : perm_on (~: A) s -> v \in A -> s v = v.
Proof. by move=> sA vA; rewrite (out_perm sA) // inE vA. Qed.

Lemma restrE A B g v : keeps_row A g -> (B = A) \/ (B = ~: A) ->
  restr_perm B g v = if v \in B then g v else v.
Proof.
move=> /forallP gA BE; have gB u : (g u \in B) = (u \in B).
  by case: BE => ->; rewrite ?inE (eqP (gA u)).
case: ifPn => [vB | vB]; last exact: out_perm (restr_perm_on _ _) vB.
by apply: restr_permE => //; apply/astabsP=> u; rewrite /= /aperm gB.
Qed.

Lemma keeps_row_sum A (F : nat -> nat -> R) :
  \sum_(g | keeps_row A g) F #|still A g| #|still (~: A) g| =
  \sum_(u < #|A|.+1) \sum_(v < #|~: A|.+1)
     (row_count #|A| u * row_count #|~: A| v)%:R * F u v.
Proof.
pose h (st : {perm T} * {perm T}) : {perm T} := (st.1 * st.2)%g.
pose h' g := (restr_perm A g, restr_perm (~: A) g).
have hE s t v : perm_on A s -> perm_on (~: A) t ->
    h (s, t) v = if v \in A then s v else t v.
  move=> sA tA; rewrite permM; case: ifPn => [vA | vA].
    by rewrite (perm_on_compl tA) // perm_closed.
  by rewrite (out_perm sA vA).
rewrite (reindex_onto h h') => [|g gA]; last first.
  apply/permP=> v; rewrite hE ?restr_perm_on // !(restrE _ gA); auto.
  by rewrite inE; case: (v \in A).
rewrite (eq_bigl (fun st => perm_on A st.1 && perm_on (~: A) st.2)); last first.
  move=> [s t] /=; apply/andP/andP => [[_ /eqP[<- <-]] | [sA tA]].
    by rewrite !restr_perm_on.
  have k : keeps_row A (h (s, t)).
    apply/forallP=> v; rewrite hE //; case: ifPn => vA.
      by rewrite perm_closed ?vA.
    have := perm_closed v tA; rewrite !inE => /negb_inj->.
    by rewrite (negbTE vA).
  split=> //; apply/eqP; congr pair; apply/permP=> v; rewrite (restrE _ k);
    try by auto.
    rewrite hE //; case: (boolP (v \in A)) => // vA.
    by rewrite (out_perm sA vA).
  by rewrite inE hE //; case: (boolP (v \in A)) => // /(perm_on_compl tA)->.
rewrite -(pair_big (perm_on A) (perm_on (~: A))
  (fun s t => F #|still A (h (s, t))| #|still (~: A) (h (s, t))|)) /=.
under [RHS]eq_bigr => u _ do
  (under eq_bigr => v _ do rewrite natrM -mulrA; rewrite -mulr_sumr).
rewrite -(perm_on_sum A (fun u => \sum_(v < #|~: A|.+1)
  (row_count #|~: A| v)%:R * F u v)).
apply: eq_bigr => s sA; rewrite -perm_on_sum; apply: eq_bigr => t tA.
suff [-> ->] : still A (h (s, t)) = still A s /\
  still (~: A) (h (s, t)) = still (~: A) t by [].
by split; apply/setP=> v; rewrite !inE hE //; case: (v \in A).
Qed.

End Keeps.

Lemma moved_exchanged n (A : {set 'I_n}) (g : {perm 'I_n}) i j :
    keeps_row A g -> i \in A -> j \notin A ->
  moved (g * tperm i j)%g = (moved g + (g i == i) + (g j == j))%N.
Proof.
move=> /forallP gA iA jA.
have ij : i != j by apply: contraNneq jA => <-.
have gij : g i != j by apply: contraNneq jA => <-; rewrite (eqP (gA i)).
have gji : g j != i.
  by apply: contraNneq jA => gj; rewrite -(eqP (gA j)) gj.
rewrite /moved; have -> : moved_set (g * tperm i j)%g = i |: (j |: moved_set g).
  apply/setP=> v; rewrite !inE permM (canF_eq (tpermK i j)).
  have [-> | vi] := eqVneq v i; first by rewrite tpermL gij.
  have [-> | vj] := eqVneq v j; first by rewrite tpermR gji orbT.
  by rewrite tpermD // eq_sym.
rewrite !cardsU1 !inE negb_or ij.
by case: (g i == i); case: (g j == j); rewrite /= ?addn0 ?addn1 ?add0n ?add1n.
Qed.
