(******************************************************************************)
(* 2010-style swapping: pairs of households exchange their blocks             *)
(*                                                                            *)
(* A data set is as in `swapping`: the matching category is the swap key, the *)
(* swapping category is the block. Whatever drew the pairs, the outcome is    *)
(* that of one exchange after another.                                        *)
(*                                                                            *)
(*     exchange_pair x p == x after the two households of p : 'I_n * 'I_n     *)
(*                          have exchanged their blocks                       *)
(*    exchange_pairs x s == x after every pair of the list s, in turn         *)
(*        of_one_key x s == both households of each pair have one key         *)
(*      across tract x s == and their blocks are in two tracts, where         *)
(*                          tract : S -> T gives the tract of a block; both   *)
(*                          as they were in x, before any exchange            *)
(*   one_tract tract x m == all households of key m are in one tract          *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   exchange_pairs_invariants == pairwise.invariants: by induction over the  *)
(*            pairs, for any number of households and any pairs               *)
(*   one_tract_released == pairwise.ladder.first: the counts of a key whose   *)
(*            households are all in one tract are released as they are        *)
(*   one_tract_no_budget == pairwise.ladder.first: no finite budget is enough *)
(*            for two data sets that differ there                             *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From Stirred Require Import compat law swapping.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.

Section Exchange.
Variables (M H S : finType) (n : nat).
Implicit Types (x : dataset M H S n) (p : 'I_n * 'I_n) (s : seq ('I_n * 'I_n)).

Definition exchange_pair x p : dataset M H S n := apply_perm (tperm p.1 p.2) x.
Definition exchange_pairs x s : dataset M H S n := foldl exchange_pair x s.
Definition of_one_key x s : bool :=
  all (fun p => matching (x p.1) == matching (x p.2)) s.

Lemma matching_exchange_pair x p i : matching (exchange_pair x p i) = matching (x i).
Proof. exact: matching_apply. Qed.

Lemma of_one_key_exchange_pair x p s : of_one_key (exchange_pair x p) s = of_one_key x s.
Proof. by apply: eq_all => q; rewrite !matching_exchange_pair. Qed.

Lemma exchange_preserves_strata x i j :
  matching (x i) = matching (x j) -> preserves_strata x (tperm i j).
Proof.
by move=> eq_ij; apply/preserves_strataP => k; case: tpermP => // ->.
Qed.

Theorem exchange_pairs_invariants x s :
  of_one_key x s ->
  (forall m h, n_mh (exchange_pairs x s) m h = n_mh x m h) /\
  (forall m b, n_ms (exchange_pairs x s) m b = n_ms x m b).
Proof.
elim: s x => [|p s IHs] x //= /andP[/eqP eq_p key_s].
have [] := IHs (exchange_pair x p); first by rewrite of_one_key_exchange_pair.
have [mh ms] := swap_preserves_invariants (exchange_preserves_strata eq_p).
by move=> IHmh IHms; split=> m k; [rewrite IHmh mh | rewrite IHms ms].
Qed.

Variables (T : eqType) (tract : S -> T).

Definition across x s : bool :=
  of_one_key x s &&
  all (fun p => tract (swapping (x p.1)) != tract (swapping (x p.2))) s.
Definition one_tract x m : Prop :=
  forall i j, matching (x i) = m -> matching (x j) = m ->
  tract (swapping (x i)) = tract (swapping (x j)).

Lemma exchange_pair_other x p i : i != p.1 -> i != p.2 -> exchange_pair x p i = x i.
Proof.
by move=> ne1 ne2; rewrite ffunE tpermD 1?eq_sym // recordK.
Qed.

Lemma exchange_pairs_other x s i :
  all (fun p => (i != p.1) && (i != p.2)) s -> exchange_pairs x s i = x i.
Proof.
elim: s x => [|p s IHs] x //= /andP[/andP[ne1 ne2] other].
by rewrite IHs // exchange_pair_other.
Qed.

Lemma one_tract_alone x s m i :
  across x s -> one_tract x m -> matching (x i) = m ->
  all (fun p => (i != p.1) && (i != p.2)) s.
Proof.
move=> /andP[/allP key_s /allP tract_s] one xim; apply/allP => p s_p.
have /eqP eq_p := key_s _ s_p; have ne_p := tract_s _ s_p.
by apply/andP; split; apply: contraNneq ne_p => eq_i; apply/eqP/one;
  rewrite -?eq_p -?eq_i // eq_p -eq_i.
Qed.

Theorem one_tract_released x s m h b :
  across x s -> one_tract x m ->
  table (exchange_pairs x s) (m, h, b) = table x (m, h, b).
Proof.
move=> across_s one; rewrite !ffunE; apply: eq_card => i; rewrite !inE.
have key_i : matching (exchange_pairs x s i) = matching (x i).
  by elim: s x {across_s one} => [|p s IHs] x //=; rewrite IHs matching_exchange_pair.
have [xim|ne_m] := eqVneq (matching (x i)) m; last first.
  by rewrite !eq_record key_i (negPf ne_m).
by rewrite exchange_pairs_other //; apply: one_tract_alone across_s one xim.
Qed.

End Exchange.

Section NoBudget.
Variables (R : realFieldType) (M H S : finType) (n : nat).
Variables (T : eqType) (tract : S -> T).
Implicit Types x : dataset M H S n.

(* Any law of the table whose outcomes come from pairs across tracts: no      *)
(* matter by what coins, order, number of nearest partners or rate.           *)
Theorem one_tract_no_budget (L : dataset M H S n -> law R [finType of
    {ffun M * H * S -> 'I_n.+1}]) x x' m h b (g : R) :
  (forall y z, L y z != 0%R -> exists2 s,
     across tract y s & z = table_ord (exchange_pairs y s)) ->
  one_tract tract x m -> one_tract tract x' m ->
  table x (m, h, b) != table x' (m, h, b) -> ~ mult_le g (L x) (L x').
Proof.
move=> support one one' ne_xx' le_g.
have [z Lxz] : exists z, L x z != 0%R.
  apply/existsP; apply: contraT => /existsPn none.
  have := law_sum1 (L x); rewrite big1 => [/eqP|z _]; first by rewrite eq_sym oner_eq0.
  by apply/eqP; rewrite -[_ == _]negbK none.
have [s across_s zE] := support _ _ Lxz.
have Lx'z : L x' z = 0%R.
  apply/eqP; apply: contraT => /support[s' across_s' zE'].
  have /ffunP/(_ (m, h, b))/(congr1 val) := etrans (esym zE) zE'.
  rewrite /= !table_ordE (one_tract_released h b across_s one).
  rewrite (one_tract_released h b across_s' one') => eq_xx'.
  by rewrite eq_xx' eqxx in ne_xx'.
have /mult_leP/(_ z)[] := le_g; rewrite Lx'z mulr0 => le0 _.
by move: Lxz; rewrite eq_le le0 law_ge0.
Qed.

End NoBudget.
