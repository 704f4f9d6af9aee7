From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From Stirred Require Import law pure invariant_multiverse.

(******************************************************************************)
(* Unit-labelled data sets (dissertation section 6.2.1), the samples of a     *)
(* frame, and mechanisms that are (ln g, e)-DP for neighbours of each kind.   *)
(*                                                                            *)
(*   data I V == data sets: every unit of I has a record in V, or none        *)
(*   recorded f == the units with a record in f                               *)
(*   sample_of f S == the records in f of the units in S                      *)
(*   set_record f j r == f with the record r : option V for the unit j        *)
(*   replaced i j v f f' == f' is f without the record of unit i and with the *)
(*            record v of unit j; j is i, or has no record in f               *)
(*   added i v f f' == f' is f with the record v of unit i, which f has not   *)
(*   bounded_dp g e T == T is (ln g, e)-DP for the replacement of one record: *)
(*            the size is fixed, and another unit's record may take the place *)
(*   unbounded_dp g e T == the same for adding or removing a record           *)
(*   labelled_dp g e T == the same for changing the record of one unit        *)
(*   record_counts f == the multiset of the records: how many units have each *)
(*   one_moved v w m m' == the multiset m' is m with w in the place of a v    *)
(*   swap_units i j S == S with i and j exchanged                             *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Exchange.

Variable I : finType.
Implicit Types (i j k : I) (S : {set I}).

Definition swap_units i j S : {set I} := [set k | tperm i j k \in S].

Lemma in_exchange i j k S : (k \in swap_units i j S) = (tperm i j k \in S).
Proof. by rewrite inE. Qed.

Lemma exchangeK i j : involutive (swap_units i j).
Proof. by move=> S; apply/setP=> k; rewrite !in_exchange tpermK. Qed.

Lemma exchange_inj i j : injective (swap_units i j).
Proof. exact: inv_inj (exchangeK i j). Qed.

Lemma exchange_id i S : swap_units i i S = S.
Proof. by apply/setP=> k; rewrite in_exchange tperm1 perm1. Qed.

Lemma exchange_out i j S : i \notin S -> j \notin S -> swap_units i j S = S.
Proof.
move=> iS jS; apply/setP=> k; rewrite in_exchange.
by case: tpermP => [->|->|//]; rewrite ?(negbTE iS) ?(negbTE jS).
Qed.

Lemma exchange_in i j S : i \in S -> j \in S -> swap_units i j S = S.
Proof.
move=> iS jS; apply/setP=> k; rewrite in_exchange.
by case: tpermP => [->|->|//]; rewrite ?iS ?jS.
Qed.

Lemma card_exchange i j S : #|swap_units i j S| = #|S|.
Proof.
rewrite -(card_imset S (@perm_inj _ (tperm i j))); apply: eq_card => k.
rewrite in_exchange; apply/idP/imsetP => [kS | [l lS ->]].
  by exists (tperm i j k); rewrite ?tpermK.
by rewrite tpermK.
Qed.

Lemma exchangeI i j S S' :
  swap_units i j (S :&: S') = swap_units i j S :&: swap_units i j S'.
Proof. by apply/setP=> k; rewrite !inE. Qed.

Lemma exchange_sub i j S S' :
  (swap_units i j S \subset swap_units i j S') = (S \subset S').
Proof.
apply/setIidPl/setIidPl => [|eqS]; rewrite -exchangeI ?eqS //.
by move/exchange_inj.
Qed.

End Exchange.

Section Data.

Variables (I : finType) (V : Type).

Definition data : Type := {ffun I -> option V}.

Implicit Types (f z : data) (i j : I) (v : V) (S : {set I}).

Definition recorded f : {set I} := [set i | f i].

Definition sample_of f S : data := [ffun j => if j \in S then f j else None].

Definition set_record f j (r : option V) : data :=
  [ffun k => if k == j then r else f k].

Definition replaced i j v f f' : Prop :=
  [/\ i \in recorded f, (j == i) || (j \notin recorded f) &
      f' = set_record (set_record f i None) j (Some v)].

Definition added i v f f' : Prop :=
  i \notin recorded f /\ f' = set_record f i (Some v).

Lemma unitsN f i : i \notin recorded f -> f i = None.
Proof. by rewrite inE; case: (f i). Qed.

Lemma in_select f S i :
  (i \in recorded (sample_of f S)) = (i \in S) && (i \in recorded f).
Proof. by rewrite !inE ffunE; case: (i \in S). Qed.

Lemma replacedE i j v f f' k : replaced i j v f f' ->
  f' k = if k == j then Some v else if k == i then None else f k.
Proof. by case=> _ _ ->; rewrite !ffunE. Qed.

Lemma units_replaced i j v f f' :
  replaced i j v f f' -> recorded f' = swap_units i j (recorded f).
Proof.
move=> rep; case: (rep) => fi /orP[/eqP eq_j|fj] _; apply/setP=> k.
  rewrite eq_j in rep *; rewrite exchange_id !inE (replacedE k rep).
  by case: eqP => // ->; move: fi; rewrite inE.
have j_i : (j == i) = false by apply: contraNF fj => /eqP ->.
rewrite in_exchange [in LHS]inE (replacedE k rep).
case: tpermP => [->|->|/eqP/negbTE -> /eqP/negbTE ->]; last by rewrite inE.
  by rewrite eq_sym j_i eqxx (negbTE fj).
by rewrite eqxx fi.
Qed.

End Data.

Arguments recorded {I V} f.
Arguments sample_of {I V} f S.

Section Neighbors.

Variables (R : realFieldType) (I : finType) (V : Type) (Y : finType).
Implicit Types (g e : R) (T : data I V -> law R Y).

Definition bounded_dp g e T : Prop :=
  forall i j v f f', replaced i j v f f' -> approximate_le g e (T f) (T f').

Definition unbounded_dp g e T : Prop :=
  forall i v f f', added i v f f' -> approximate_le g e (T f) (T f').

Definition labelled_dp g e T : Prop :=
  forall i v f f', replaced i i v f f' -> approximate_le g e (T f) (T f').

End Neighbors.

(* Multisets of records                                                       *)
Section Counts.

Variables (R : realFieldType) (I V Y : finType).
Implicit Types (f : data I V) (m : {ffun V -> nat}).

Definition record_counts f : {ffun V -> nat} :=
  [ffun v => #|[set i | f i == Some v]|].

Definition one_moved (v w : V) m m' : Prop :=
  (0 < m v)%N /\ forall u, (m' u + (u == v) = m u + (u == w))%N.

Lemma counts_replaced i j w f f' :
  replaced i j w f f' ->
  exists v, one_moved v w (record_counts f) (record_counts f').
Proof.
move=> rep; case: (rep); rewrite inE; case fi: (f i) => [v|//] _ new_j _.
exists v; split=> [|u].
  by rewrite ffunE; apply/card_gt0P; exists i; rewrite inE fi.
pose rest := [set k | [&& k != i, k != j & f k == Some u]].
have iN : i \notin rest by rewrite inE eqxx.
have jN : j \notin rest by rewrite inE eqxx andbF.
have countE : record_counts f u = (#|rest| + (u == v))%N.
  rewrite ffunE; have [eq_u|u_v] := eqVneq u v.
    rewrite addn1 -add1n -[1%N]/(true : nat) -iN -cardsU1; apply: eq_card => k.
    rewrite !inE; have [->|k_i] /= := eqVneq k i; first by rewrite fi eq_u eqxx.
    have [eq_k|//] := eqVneq k j; rewrite eq_k in k_i *.
    by rewrite (negbTE k_i) /= in new_j; rewrite (unitsN new_j).
  rewrite addn0; apply: eq_card => k; rewrite !inE.
  have [->|k_i] /= := eqVneq k i.
    by rewrite fi eqE /= eq_sym (negbTE u_v).
  have [eq_k|//] := eqVneq k j; rewrite eq_k in k_i *.
  by rewrite (negbTE k_i) /= in new_j; rewrite (unitsN new_j).
have countE' : record_counts f' u = (#|rest| + (u == w))%N.
  rewrite ffunE; have [eq_u|u_w] := eqVneq u w.
    rewrite addn1 -add1n -[1%N]/(true : nat) -jN -cardsU1; apply: eq_card => k.
    rewrite !inE (replacedE k rep); have [_|k_j] /= := eqVneq k j.
      by rewrite eq_u eqxx.
    by case: (k == i).
  rewrite addn0; apply: eq_card => k; rewrite !inE (replacedE k rep).
  have [_|k_j] /= := eqVneq k j; last by case: (k == i).
  by rewrite andbF eqE /= eq_sym (negbTE u_w).
by rewrite countE countE' addnAC.
Qed.

(* A mechanism on multisets does not see the units.                           *)
Lemma bounded_counts (g e : R) (T : {ffun V -> nat} -> law R Y) :
  (forall v w m m', one_moved v w m m' -> approximate_le g e (T m) (T m')) ->
  bounded_dp g e (fun f : data I V => T (record_counts f)).
Proof.
by move=> le_T i j w f f' /counts_replaced[v]; apply: le_T.
Qed.

End Counts.
