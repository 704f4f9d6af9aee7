From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law extended specification pure psa_law.
From Stirred Require Import conjectures pufferfish_odds.

(******************************************************************************)
(* Pufferfish for attackers with independent records (dissertation Remark     *)
(* 5.8.5): data sets x : {ffun I -> V} have a record x i in V for each i.     *)
(*                                                                            *)
(*   with_record x i v == x with the record v at i                            *)
(*   changed_records x x' == Some of the number of records that differ: d_Ham *)
(*   independent_records a == a is the law of independent records             *)
(*   record_pairs E E' == E and E' say of one record that it has one value    *)
(*            and that it has another                                         *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   changed_records_walk == d_Ham is the fewest changes of one record        *)
(*   pufferfish_independent_records == Remark 5.8.5                           *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Records.

Variables (R : realFieldType) (I V T : finType).

Local Notation X := [finType of {ffun I -> V}].

Implicit Types (x y : X) (p : I -> law R V).

Definition with_record x (i : I) (v : V) : X :=
  [ffun j => if j == i then v else x j].

Definition record_changed x x' : bool :=
  [exists i, x' == with_record x i (x' i)].

Definition changed_records x x' : option nat := Some #|[pred i | x i != x' i]|.

Definition record_pairs (E E' : {set X}) : Prop :=
  exists i, level_pairs (fun x : X => x i) E E'.

Definition independent_records (a : law R X) : Prop :=
  exists p, a = family_law p.

Lemma with_recordE x i v : with_record x i v i = v.
Proof. by rewrite ffunE eqxx. Qed.

Lemma with_record_same x i : with_record x i (x i) = x.
Proof. by apply/ffunP=> j; rewrite ffunE; case: eqP => // ->. Qed.

Lemma with_record_twice x i v w :
  with_record (with_record x i v) i w = with_record x i w.
Proof. by apply/ffunP=> j; rewrite !ffunE; case: eqP. Qed.

Theorem changed_records_walk : is_shortest_walk record_changed changed_records.
Proof.
move=> x x' /=; split=> [|m].
  move: {2}(#|_|) (erefl #|[pred i | x i != x' i]|) => n.
  elim: n x => [|n IHn] x n_eq; rewrite n_eq /=.
    apply/ffunP=> i; apply/eqP/negPn/negP=> ne; move/card0_eq/(_ i): n_eq.
    by rewrite !inE ne.
  have /card_gt0P[i] : (0 < #|[pred i | x i != x' i]|)%N by rewrite n_eq.
  rewrite inE => ne; exists (with_record x i (x' i)).
    by apply/existsP; exists i; rewrite with_recordE.
  have n_y : #|[pred j | with_record x i (x' i) j != x' j]| = n.
    apply/eqP; rewrite -eqSS -n_eq (cardD1 i [pred j | x j != x' j]) !inE ne.
    rewrite add1n eqSS; apply/eqP/eq_card=> j; rewrite !inE ffunE.
    by case: (eqVneq j i) => // ->; rewrite eqxx.
  by have := IHn _ n_y; rewrite n_y.
elim: m x => [x -> | m IHm x [y /existsP[i /eqP y_x] /IHm le_m]].
  rewrite (eq_card0 (A := [pred i | x' i != x' i])) // => i.
  by rewrite !inE eqxx.
have sub : [pred j | x j != x' j] \subset [predU1 i & [pred j | y j != x' j]].
  apply/subsetP=> j; rewrite !inE y_x !ffunE.
  by case: (eqVneq j i).
apply: leq_trans (subset_leq_card sub) _; rewrite cardU1.
by case: (i \notin _); rewrite ?add1n ?add0n ?ltnS // ltnW.
Qed.

Section Attacker.

Variables (p : I -> law R V) (i : I).

Definition other_mass x : R := \prod_(j | j != i) p j (x j).

Lemma family_withoutE x : family_law p x = p i (x i) * other_mass x.
Proof. by rewrite family_lawE (bigD1 i). Qed.

Lemma other_mass_with x v : other_mass (with_record x i v) = other_mass x.
Proof. by apply: eq_bigr => j /negbTE ne; rewrite ffunE ne. Qed.

Lemma level_reindex v w (f : X -> R) :
  \sum_(x in level_of (fun x : X => x i) v) f x =
  \sum_(x in level_of (fun x : X => x i) w) f (with_record x i v).
Proof.
rewrite (reindex_onto (fun x => with_record x i v)
                      (fun x => with_record x i w)).
  apply: eq_bigl => x; rewrite !inE with_recordE eqxx /= with_record_twice.
  apply/eqP/eqP => [<-|<-]; first by rewrite with_recordE.
  exact: with_record_same.
move=> x; rewrite !inE => /eqP <-.
by rewrite with_record_twice with_record_same.
Qed.

End Attacker.

Section Equivalence.

Variables (g : R) (M : X -> law R T).
Hypothesis g_ge1 : 1 <= g.

Local Notation level i v := (level_of (fun x : X => x i) v).

Lemma conditional_le p i v w t :
  (forall x x', record_changed x x' -> mult_le g (M x) (M x')) ->
  0 < Pr (family_law p) (level i v) -> 0 < Pr (family_law p) (level i w) ->
  provided M (condP (family_law p) (level i v)) t <=
    g * provided M (condP (family_law p) (level i w)) t.
Proof.
move=> near v_gt0 w_gt0; pose rest := other_mass p i.
have factor u (f : X -> R) :
    \sum_(x in level i u) family_law p x * f x =
    p i u * \sum_(x in level i u) rest x * f x.
  rewrite mulr_sumr; apply: eq_bigr => x; rewrite !inE => /eqP <-.
  by rewrite (family_withoutE p i) mulrA.
have total u :
    Pr (family_law p) (level i u) = p i u * \sum_(x in level i w) rest x.
  rewrite /Pr (eq_bigr (fun x => family_law p x * 1)) => [|x _]; last first.
    by rewrite mulr1.
  rewrite factor (level_reindex _ u w); congr (_ * _).
  by apply: eq_bigr => x _; rewrite mulr1 /rest other_mass_with.
rewrite !providedE // !total !factor.
have p_n0 u : 0 < Pr (family_law p) (level i u) -> p i u != 0.
  by rewrite total; apply: contraTneq => ->; rewrite mul0r ltxx.
have p_gt0 : 0 < p i w by rewrite lt_neqAle eq_sym p_n0 // law_ge0.
rewrite -!mulf_div !divff ?p_n0 // !mul1r mulrA ler_pmul2r; last first.
  by rewrite invr_gt0; move: w_gt0; rewrite total pmulr_rgt0.
rewrite (level_reindex _ v w) mulr_sumr; apply: ler_sum => x xw.
rewrite /rest other_mass_with mulrCA ler_wpmul2l ?prodr_ge0 // => [j _|].
  exact: law_ge0.
have /near/mult_leP/(_ t)[] // : record_changed (with_record x i v) x.
by apply/existsP; exists i; rewrite with_record_twice with_record_same.
Qed.

(* An attacker who is unsure of one record only.                              *)
Section OneUnsure.

Variables (x x' : X) (i : I).

Definition knowing j : law R V :=
  if j == i then uniform_on (x i) [set x i; x' i] else dirac (x j).

Lemma knowing_level y : x = with_record y i (x i) ->
  y i \in [set x i; x' i] ->
  0 < Pr (family_law knowing) (level i (y i)) /\
  condP (family_law knowing) (level i (y i)) = dirac y.
Proof.
move=> x_y y_in.
have A_n0 : [set x i; x' i] != set0.
  by apply/set0Pn; exists (x i); rewrite !inE eqxx.
have x_j j : j != i -> x j = y j by move=> /negbTE ne; rewrite x_y ffunE ne.
have y_gt0 : 0 < family_law knowing y.
  rewrite family_lawE; apply: prodr_gt0 => j _; rewrite /knowing.
  case: eqVneq => [->|ne]; last by rewrite x_j // diracEl ltr01.
  by rewrite uniform_on_in // invr_gt0 ltr0n card_gt0.
have only z : z \in level i (y i) -> z != y -> family_law knowing z = 0.
  rewrite !inE => /eqP z_i z_y; have [j ne] : exists j, z j != y j.
    by apply/existsP; apply: contraNT z_y; rewrite negb_exists => /forallP eq_z;
      apply/eqP/ffunP=> j; apply/eqP/negPn/eq_z.
  have j_i : j != i by apply: contraNneq ne => ->; rewrite z_i.
  rewrite family_lawE (bigD1 j) //= /knowing (negbTE j_i) diracE x_j //.
  by rewrite (negbTE ne) mul0r.
have y_lev : y \in level i (y i) by rewrite !inE.
have total : Pr (family_law knowing) (level i (y i)) = family_law knowing y.
  rewrite /Pr (bigD1 y) //= big1 ?addr0 // => z /andP[].
  exact: only.
split; first by rewrite total.
apply: eq_law => z; rewrite condPE total // diracE.
case: (eqVneq z y) => [->|z_y]; first by rewrite y_lev mulr1 divff ?gt_eqF.
by case: (boolP (z \in _)) => [/only->|_]; rewrite ?mulr0 ?mul0r.
Qed.

End OneUnsure.

Theorem pufferfish_independent_records :
  competing_within independent_records record_pairs g M <->
  pure_dp (everything X) changed_records (fun _ => Some g) M.
Proof.
split=> [within | dpM a E E' [p ->] [i [v [w [-> ->]]]] v_gt0 w_gt0].
  have neighbors : forall x x', record_changed x x' -> mult_le g (M x) (M x').
    move=> x x' /existsP[i /eqP x'_x].
    have [] := @knowing_level x x' i x; rewrite ?with_record_same ?inE ?eqxx //.
    move=> x_gt0 x_cond.
    have [] := @knowing_level x x' i x'.
    - by rewrite x'_x with_record_twice with_record_same.
    - by rewrite !inE eqxx orbT.
    move=> x'_gt0 x'_cond.
    have lev : record_pairs (level i (x i)) (level i (x' i)).
      by exists i, (x i), (x' i).
    have ind : independent_records (family_law (knowing x x' i)).
      by exists (knowing x x' i).
    have := within _ _ _ ind lev x_gt0 x'_gt0; rewrite x_cond x'_cond => near A.
    have same y : provided M (dirac y) = M y.
      apply: eq_law => t; rewrite bindE (bigD1 y) //= diracEl mul1r.
      rewrite big1 ?addr0 // => z /negbTE z_y.
      by rewrite diracE z_y mul0r.
    by have := near A; rewrite !same.
  move=> k x x' _ _ /=; have [walk_n _] := changed_records_walk x x'.
  exact: pure_group_privacy walk_n.
have near x x' : record_changed x x' -> mult_le g (M x) (M x').
  move=> xx'; have /= := dpM tt x x' Logic.I Logic.I.
  have /= [_ /(_ 1%N)] := changed_records_walk x x'.
  move=> /(_ (ex_intro2 _ _ x' xx' (erefl _))) le1.
  by apply: mult_le_weaken; rewrite -[leRHS]expr1 ler_weexpn2l.
by apply/mult_leP => t; split; apply: conditional_le.
Qed.

End Equivalence.

End Records.
