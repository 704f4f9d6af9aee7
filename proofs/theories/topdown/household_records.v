From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From mathcomp Require Import zify.
From Stirred Require Import compat unordered_distance law pure.

(******************************************************************************)
(* Records of which one person makes several, or several make one: the        *)
(* household-records of person-records that name their housing unit, a unit   *)
(* with its person-records and nothing else; and recorded data in which each  *)
(* place has the answer of one person, their own record and its duplicates    *)
(* where an answer was imputed.                                               *)
(*                                                                            *)
(*   person_data U K n == data sets of n person-records (u, k): the unit u : U*)
(*            and the kind k : K of the person                                *)
(*   household_record x u == u, and how many persons of each kind u has in x  *)
(*   household_size x u == number of persons of u in x                        *)
(*   completed donor x == the records: place j has the answer of donor j      *)
(*   persons_apart x x' == number of persons whose answers differ             *)
(*   duplicated m donor == each person's answer is at 1 + m places at most    *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   household_distances, household_distances_attained ==                     *)
(*            units.household-person                                          *)
(*   donor_distance, donor_distance_attained, donor_pure_dp ==                *)
(*            post-imputation.factor                                          *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.

Notation person_data U K n := {ffun 'I_n -> U * K}.

Section Households.

Variables (U K : finType) (n : nat).
Implicit Types (x : person_data U K n) (u : U) (k : K).

Definition household_record x u : U * {ffun K -> 'I_n.+1} :=
  (u, [ffun k => inord (record_count x (u, k))]).

Definition household_size x u : nat := \sum_k record_count x (u, k).

Lemma household_eq x x' u :
  (household_record x u == household_record x' u) =
  [forall k, record_count x (u, k) == record_count x' (u, k)].
Proof.
have small (y : person_data U K n) k : record_count y (u, k) < n.+1.
  by rewrite ltnS /record_count -[X in _ <= X]card_ord max_card.
rewrite xpair_eqE eqxx; apply/eqP/forallP => [/ffunP eq k | eq].
  have := congr1 (@nat_of_ord _) (eq k); rewrite !ffunE !inordK ?small // => ->.
  exact: eqxx.
by apply/ffunP => k; rewrite !ffunE (eqP (eq k)).
Qed.

Lemma household_distance x x' :
  unordered_distance (household_record x) (household_record x') =
  \sum_u (household_record x u != household_record x' u).
Proof. exact: (@unordered_named _ _ _ _ fst). Qed.

Lemma persons_distance x x' :
  unordered_distance x x' =
  \sum_u \sum_k (record_count x (u, k) - record_count x' (u, k)).
Proof.
rewrite pair_bigA /unordered_distance.
by apply: eq_bigr => -[].
Qed.

Lemma household_neq x x' u :
  household_record x u != household_record x' u ->
  exists k, record_count x (u, k) != record_count x' (u, k).
Proof. by rewrite household_eq negb_forall => /existsP. Qed.

Theorem household_distances x x' :
  [/\ unordered_distance (household_record x) (household_record x') <=
        2 * unordered_distance x x',
      forall b, (forall u, household_size x u <= b) ->
        unordered_distance x x' <=
          b * unordered_distance (household_record x) (household_record x')
    & (forall u, household_size x u = household_size x' u) ->
        unordered_distance (household_record x) (household_record x') <=
          unordered_distance x x'].
Proof.
rewrite household_distance; split=> [|b size_b|same_sizes].
- rewrite mul2n -addnn {2}unordered_distanceC !persons_distance -big_split /=.
  apply: leq_sum => u _; case: eqP => // /eqP/household_neq[k neq_k] /=.
  by rewrite (bigD1 k) //= (bigD1 (F := fun k => record_count x' _ - _) k) //=; lia.
- rewrite persons_distance big_distrr; apply: leq_sum => u _ /=.
  have [eq_u | neq_u] /= :=
    eqVneq (household_record x u) (household_record x' u).
    rewrite muln0 big1 // => k _; move/eqP: eq_u; rewrite household_eq.
    by move=> /forallP/(_ k)/eqP->; rewrite subnn.
  rewrite muln1; apply: leq_trans (size_b u); apply: leq_sum => k _.
  exact: leq_subr.
rewrite persons_distance; apply: leq_sum => u _; case: eqP => //.
move=> /eqP/household_neq[k neq_k] /=; rewrite lt0n; apply/negP => /eqP.
move/eqP; rewrite sum_nat_eq0 => /forall_inP le_all.
have le_k l : record_count x (u, l) <= record_count x' (u, l).
  by rewrite -subn_eq0; apply: le_all.
have := same_sizes u; rewrite /household_size (bigD1 k) //=.
rewrite [X in _ = X](bigD1 k) //= => eq_sums.
have : \sum_(l | l != k) record_count x (u, l) <=
    \sum_(l | l != k) record_count x' (u, l).
  by apply: leq_sum => l _; apply: le_k.
by have := le_k k; lia.
Qed.

End Households.

(* A person who moves, and all persons of a household who change their kind.  *)
Theorem household_distances_attained (U K : finType) (u v : U) (k l : K) :
  u != v -> k != l ->
  (exists x x' : person_data U K 1, unordered_distance x x' = 1 /\
     unordered_distance (household_record x) (household_record x') = 2) /\
  forall b, 0 < b -> exists x x' : person_data U K b,
    [/\ forall w, household_size x w <= b /\ household_size x' w <= b,
        unordered_distance x x' = b
      & unordered_distance (household_record x) (household_record x') = 1].
Proof.
move=> neq_uv neq_kl.
have countE b (r t : U * K) :
    record_count ([ffun=> r] : person_data U K b) t = (r == t) * b.
  rewrite /record_count (_ : [set i | _] = if r == t then setT else set0).
    by case: eqP => _; rewrite ?cards0 // cardsT card_ord mul1n.
  by apply/setP => i; rewrite inE ffunE; case: eqP; rewrite inE.
have apartE b (r t : U * K) : r != t ->
    unordered_distance ([ffun=> r] : person_data U K b) [ffun=> t] = b.
  move=> /negPf neq; rewrite /unordered_distance (bigD1 r) //= !countE eqxx.
  rewrite eq_sym neq big1 ?addn0 ?mul1n ?subn0 // => t' /negPf.
  by rewrite !countE eq_sym => ->.
split.
  pose x : person_data U K 1 := [ffun=> (u, k)].
  pose x' : person_data U K 1 := [ffun=> (v, k)].
  have differ w : w = u \/ w = v ->
      household_record x w != household_record x' w.
    case=> ->; rewrite household_eq; apply/negP => /forallP/(_ k);
      rewrite !countE !xpair_eqE !eqxx.
      by rewrite [v == u]eq_sym (negPf neq_uv).
    by rewrite (negPf neq_uv).
  exists x, x'; split; first by rewrite apartE // xpair_eqE (negPf neq_uv).
  rewrite household_distance (bigD1 u) // (bigD1 v) 1?[v == u]eq_sym // big1.
    by rewrite /= (differ u (or_introl erefl)) (differ v (or_intror erefl)).
  move=> w /andP[/andP[_ /negPf wu] /negPf wv]; apply/eqP; rewrite eqb0 negbK.
  rewrite household_eq; apply/forallP => k'.
  by rewrite !countE !xpair_eqE ![_ == w]eq_sym wu wv.
move=> b b_gt0; exists [ffun=> (u, k)], [ffun=> (u, l)]; split=> [w||].
- have le_b (y : person_data U K b) : household_size y w <= b.
    have sizes : \sum_w' household_size y w' = b.
      rewrite -[RHS]card_ord -(sum_count y) /household_size pair_bigA.
      by apply: eq_bigr => -[].
    by rewrite -[X in _ <= X]sizes (bigD1 w) //= leq_addr.
  by split; apply: le_b.
- by rewrite apartE // xpair_eqE (negPf neq_kl) andbF.
rewrite household_distance (bigD1 u) //= big1 ?addn0 => [|w /negPf wu].
  rewrite household_eq (_ : [forall k', _] = false) //.
  apply/negP => /forallP/(_ k); rewrite !countE !xpair_eqE !eqxx /=.
  by rewrite [l == k]eq_sym (negPf neq_kl) mul1n; lia.
apply/eqP; rewrite eqb0 negbK household_eq; apply/forallP => k'.
by rewrite !countE !xpair_eqE ![_ == w]eq_sym wu.
Qed.

Section Donors.

Variables (I J V : finType) (donor : J -> I).
Implicit Types (x : {ffun I -> V}) (m : nat).

Definition completed x : {ffun J -> V} := [ffun j => x (donor j)].

Definition persons_apart x x' : nat := #|[set i | x i != x' i]|.

Definition duplicated m : Prop :=
  forall i, #|[set j | donor j == i]| <= m.+1.

Theorem donor_distance m x x' : duplicated m ->
  unordered_distance (completed x) (completed x') <= m.+1 * persons_apart x x'.
Proof.
move=> few; apply: leq_trans (unordered_le_places _ _) _.
rewrite -sum1_card (partition_big donor (mem [set i | x i != x' i])) /=.
  rewrite mulnC /persons_apart -sum_nat_const; apply: leq_sum => i _.
  rewrite sum1_card; apply: leq_trans (few i); apply: subset_leq_card.
  by apply/subsetP => j; rewrite !inE => /andP[].
by move=> j; rewrite !inE !ffunE.
Qed.

Theorem donor_distance_attained x x' i :
  (forall k, (x k != x' k) = (k == i)) ->
  unordered_distance (completed x) (completed x') = #|[set j | donor j == i]|.
Proof.
move=> only_i; have same k : k != i -> x k = x' k.
  by move=> k_i; apply/eqP; rewrite -[_ == _]negbK only_i.
have neq_i : x i != x' i by rewrite only_i.
rewrite /unordered_distance (bigD1 (x i)) //= big1 ?addn0 => [|t t_x].
  rewrite /record_count -(cardsID [set j | donor j == i]).
  rewrite (_ : _ :&: _ = [set j | donor j == i]).
    rewrite (_ : _ :\: _ = [set j | completed x' j == x i]) ?addnK //.
    apply/setP => j; rewrite !inE !ffunE.
    have [->|j_i] /= := eqVneq (donor j) i; last by rewrite same.
    by rewrite eq_sym (negPf neq_i).
  apply/setP => j; rewrite !inE !ffunE.
  by have [->|] := eqVneq (donor j) i; rewrite ?eqxx ?andbF.
apply/eqP; rewrite subn_eq0; apply: subset_leq_card; apply/subsetP => j.
rewrite !inE !ffunE => /eqP xt; rewrite -same ?xt //.
by apply: contraNneq t_x => <-; rewrite xt.
Qed.

Theorem donor_pure_dp (R : realFieldType) (L : Type) (Y : finType) m
    (U : L -> {ffun I -> V} -> Prop) (W : L -> {ffun J -> V} -> Prop)
    (g : L -> R) (T : {ffun J -> V} -> law R Y) :
  duplicated m -> (forall l x, U l x -> W l (completed x)) ->
  (forall l, 1 <= g l)%R ->
  pure_dp W (fun z z' => Some (unordered_distance z z')) (fun l => Some (g l))
    T ->
  pure_dp U (fun x x' => Some (persons_apart x x'))
    (fun l => Some (g l ^+ m.+1)%R) (fun x => T (completed x)).
Proof.
move=> few UW g_ge1 dpT l x x' xU x'U.
apply: mult_le_weaken (dpT l _ _ (UW _ _ xU) (UW _ _ x'U)).
by rewrite -GRing.exprM ler_weexpn2l // donor_distance.
Qed.

End Donors.
