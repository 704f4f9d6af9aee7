From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat action.
From mathcomp Require Import zify ring.
From Stirred Require Import compat law swapping hamming derangement.
From Stirred Require Import psa_law psa_privacy moved_counts.
From Stirred Require Import binomial_moments row_permutations.
From Stirred Require Import three_categories filled_sums.

(******************************************************************************)
(* Rows that fill a column each, and the permutations that keep them          *)
(*                                                                            *)
(*   fills x A h s == A holds the records of x with holding category h, and   *)
(*            those with swapping category s                                  *)
(*   moved_of A g == how many records of A the permutation g moves            *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   fillsP == the table of g(x) has all records of A in the cell (h, s) if   *)
(*            and only if g keeps A                                           *)
(*   Pr_psa_apply == the probability of an event, as a sum over permutations  *)
(*   row_exchanges_le == the masses over all exchanges of a record of one row *)
(*            with one of another row                                         *)
(*   keeps_rows_sum_le == a sum over the permutations that keep two rows      *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory GroupScope.
Local Open Scope ring_scope.

Section Rows.

Variables (H S : finType) (n : nat) (x : dataset unit H S n).
Implicit Types (g : {perm 'I_n}) (A B D : {set 'I_n}).

Definition fills A h s : Prop := forall v,
  (holding (x v) == h) = (v \in A) /\ (swapping (x v) == s) = (v \in A).

Definition moved_of A g : nat := #|moved_set g :&: A|.

Lemma fillsP A h s g : fills A h s ->
  (table (apply_perm g x) (tt, h, s) == #|A|) = keeps_row A g.
Proof.
move=> fA; rewrite ffunE.
have -> : [set i | apply_perm g x i == (tt, h, s)] = A :&: g @^-1: A.
  apply/setP=> v; rewrite !inE eq_record matching_apply holding_apply.
  rewrite swapping_apply (proj1 (fA v)) (proj2 (fA (g v))).
  by case: (matching _).
have cg : #|g @^-1: A| = #|A| by apply/card_preimset/perm_inj.
apply/eqP/forallP => [cA v | gA]; last first.
  congr #|pred_of_set _|; apply/setP=> v.
  by rewrite !inE (eqP (gA v)) andbb.
have /eqP AE : A :&: g @^-1: A == A.
  by rewrite eqEcard subsetIl cA leqnn.
have /eqP/setP/(_ v) : A == g @^-1: A.
  by rewrite eqEcard cg leqnn andbT -{1}AE subsetIr.
by rewrite inE => <-.
Qed.

Lemma moved_ofE A B D : A :|: B :|: D = setT -> [disjoint A & B] ->
    [disjoint A :|: B & D] ->
  forall g, moved g = (moved_of A g + moved_of B g + moved_of D g)%N.
Proof.
have E (X : {set 'I_n}) g : moved_of X g = (\sum_(v in X) (g v != v))%N.
  rewrite /moved_of -sum1_card big_mkcond [RHS]big_mkcond.
  by apply: eq_bigr => v _; rewrite !inE; case: (v \in X); case: (g v != v).
have EU (X Y : {set 'I_n}) g : [disjoint X & Y] ->
    moved_of (X :|: Y) g = (moved_of X g + moved_of Y g)%N.
  by move=> dXY; rewrite !E -bigU //; apply: eq_bigl => v; rewrite !inE.
by move=> ABD dAB dABD g; rewrite -!EU // ABD /moved_of setIT.
Qed.

Variables (R : realFieldType) (p : R).
Hypothesis p01 : 0 <= p <= 1.

Lemma Pr_psa_apply (rho : {perm 'I_n})
    (E : {set {ffun unit * H * S -> 'I_n.+1}}) :
  Pr (psa p p01 (apply_perm rho x)) E =
  \sum_(g | table_ord (apply_perm g x) \in E)
    move_mass p n (moved (g * rho^-1)%g).
Proof.
rewrite /Pr [RHS](partition_big (fun g => table_ord (apply_perm g x))
  (mem E)) //=.
apply: eq_bigr => t tE; rewrite psa_applyE; apply: eq_big => g.
  by rewrite andbC; case: eqP => // ->; rewrite tE.
by rewrite unit_psa_perm.
Qed.

End Rows.

Section Exchange.

Variables (R : realFieldType) (n : nat) (D D' : {set 'I_n}) (w : nat -> R).
Hypothesis w_ge0 : forall k, 0 <= w k.
Implicit Types g : {perm 'I_n}.

Lemma row_exchanges_le g (a := moved_of D g) (b := moved_of D' g)
    (k := moved g) :
    keeps_row D g -> keeps_row D' g -> [disjoint D & D'] ->
  \sum_(i in D) \sum_(j in D') w (moved (g * tperm i j)%g) <=
  w k *+ (a * b) + w k.+1 *+ (#|D| * b + a * #|D'|) + w k.+2 *+ (#|D| * #|D'|).
Proof.
move=> gD gD' dis.
have sumE (B : {set 'I_n}) :
    \sum_(i in B) (g i != i)%:R = (moved_of B g)%:R :> R.
  rewrite -natr_sum /moved_of -sum1_card; congr _%:R.
  rewrite big_mkcond [RHS]big_mkcond.
  by apply: eq_bigr => i _; rewrite !inE; case: (i \in B); case: (g i != i).
pose m i : R := (g i != i)%:R.
have -> : w k *+ (a * b) + w k.+1 *+ (#|D| * b + a * #|D'|) +
    w k.+2 *+ (#|D| * #|D'|) = \sum_(i in D) \sum_(j in D')
    (w k * (m i * m j) + w k.+1 * (m i + m j) + w k.+2).
  pose s2 := \sum_(j in D') m j; pose c := #|D'|%:R : R.
  rewrite (eq_bigr (fun i => w k * s2 * m i + w k.+1 * c * m i +
     (w k.+1 * s2 + w k.+2 * c))) => [|i _]; last first.
    rewrite !big_split /= -!mulr_sumr big_split /= !sumr_const -/s2.
    rewrite -[_ *+ #|D'|]mulr_natl -[w k.+2 *+ _]mulr_natl -/c.
    by move: (m i) => m0; ring.
  rewrite !big_split /= -!mulr_sumr !sumr_const {}/s2 /m !sumE -/a -/b.
  rewrite -[_ *+ (a * b)]mulr_natr -[_ *+ (_ + _)]mulr_natr.
  rewrite -[_ *+ (#|D| * #|D'|)]mulr_natr -[#|D'|%:R *+ _]mulr_natr.
  rewrite -[b%:R *+ _]mulr_natr /c.
  rewrite natrD !natrM; move: (w k) (w k.+1) (w k.+2) => w0 w1 w2.
  by move: a%:R b%:R #|D|%:R #|D'|%:R => a' b' d d'; ring.
apply: ler_sum => i iD; apply: ler_sum => j jD.
rewrite (moved_exchanged gD iD) ?(disjointFl dis) // -/k /m.
have [[w0 w1] w2] := (w_ge0 k, w_ge0 k.+1, w_ge0 k.+2).
case: (g i == i); case: (g j == j);
  rewrite /= ?addn0 ?addn1 ?addn2 ?(mulr0, mul0r, mulr1, addr0, add0r) //.
- by rewrite ler_addl.
- by rewrite ler_addl.
by rewrite -addrA ler_addl addr_ge0 // mulr_ge0 // addr_ge0 ?ler01.
Qed.

End Exchange.

Section Keeps.

Variables (R : realFieldType) (n : nat) (A B : {set 'I_n}).
Hypothesis dAB : [disjoint A & B].
Implicit Types (g s : {perm 'I_n}) (X : {set 'I_n}).

Local Notation D := (~: (A :|: B)).

Definition keeps_rows g : bool := keeps_row A g && keeps_row B g.

Lemma keeps_rest g : keeps_rows g -> keeps_row D g.
Proof.
case/andP=> /forallP gA /forallP gB; apply/forallP=> v.
by rewrite !inE (eqP (gA v)) (eqP (gB v)).
Qed.

Lemma moved_rows g :
  moved g = (moved_of A g + moved_of B g + moved_of D g)%N.
Proof.
by apply: moved_ofE => //; rewrite ?setUCr // -setI_eq0 setICr.
Qed.

Lemma moved_of_le X g : (moved_of X g <= #|X|)%N.
Proof. exact: subset_leq_card (subsetIr _ _). Qed.

Lemma restr_rowE X g v : keeps_row X g ->
  restr_perm X g v = if v \in X then g v else v.
Proof. by move=> gX; rewrite (restrE v gX) //; left. Qed.

Lemma moved_restr X g : keeps_row X g -> moved (restr_perm X g) = moved_of X g.
Proof.
move=> gX; apply: eq_card => v; rewrite !inE restr_rowE //.
by case: (v \in X); rewrite ?andbT ?andbF ?eqxx.
Qed.

Lemma perm_on_ways X (f : nat -> R) :
  \sum_(s | perm_on X s) f (moved s) =
  \sum_(k < #|X|.+1) (moved_ways #|X| k)%:R * f k.
Proof.
rewrite (sum_perm_on X f); apply: eq_bigr => k _.
by rewrite -mulrnA mulr_natl /moved_ways mulnC.
Qed.

Lemma keeps_rows_sum_le (F : nat -> nat -> nat -> R) :
    (forall a b e, 0 <= F a b e) ->
  \sum_(g | keeps_rows g) F (moved_of A g) (moved_of B g) (moved_of D g) <=
  \sum_(a < #|A|.+1) (moved_ways #|A| a)%:R *
    (\sum_(b < #|B|.+1) (moved_ways #|B| b)%:R *
      (\sum_(e < #|D|.+1) (moved_ways #|D| e)%:R * F a b e)).
Proof.
move=> F_ge0.
rewrite -(perm_on_ways A (fun a => \sum_(b < #|B|.+1) (moved_ways #|B| b)%:R *
      (\sum_(e < #|D|.+1) (moved_ways #|D| e)%:R * F a b e))).
under [leRHS]eq_bigr => s _ do rewrite -(perm_on_ways B (fun b =>
   \sum_(e < #|D|.+1) (moved_ways #|D| e)%:R * F (moved s) b e)).
under [leRHS]eq_bigr => s _ do under eq_bigr => t _ do
  rewrite -(perm_on_ways D (fun e => F (moved s) (moved t) e)).
under [leRHS]eq_bigr do rewrite pair_big /=.
rewrite pair_big /=.
pose f g := (restr_perm A g, (restr_perm B g, restr_perm D g)).
pose G (q : {perm 'I_n} * ({perm 'I_n} * {perm 'I_n})) :=
  F (moved q.1) (moved q.2.1) (moved q.2.2).
have keepsE g : keeps_rows g ->
    [/\ keeps_row A g, keeps_row B g & keeps_row D g].
  by move=> gK; have /andP[] := gK; split=> //; apply: keeps_rest.
have f_inj : {in keeps_rows &, injective f}.
  move=> g g' /keepsE[gA gB gD] /keepsE[gA' gB' gD'] [EA EB ED].
  apply/permP=> v; case: (boolP (v \in A)) => vA.
    by move/permP/(_ v): EA; rewrite !restr_rowE // vA.
  case: (boolP (v \in B)) => vB.
    by move/permP/(_ v): EB; rewrite !restr_rowE // vB.
  by move/permP/(_ v): ED; rewrite !restr_rowE // !inE negb_or vA vB.
rewrite (eq_bigr (G \o f)) => [|g /keepsE[gA gB gD]]; last first.
  by rewrite /G /= !moved_restr.
rewrite -(big_imset G f_inj) /= [leRHS](bigID (mem (f @: keeps_rows))) /=.
rewrite ler_paddr //; first by apply: sumr_ge0 => q _; apply: F_ge0.
rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigl => q.
case: (boolP (q \in _)) => [/imsetP[g _ ->]|]; rewrite ?andbF //= andbT.
by rewrite !restr_perm_on.
Qed.

End Keeps.
