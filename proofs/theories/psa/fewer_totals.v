From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From Stirred Require Import compat law swapping hamming pure psa_law
  psa_privacy.

(******************************************************************************)
(* The PSA where fewer totals than n_mh. and n_m.s are invariant              *)
(*                                                                            *)
(*   same_totals A B x x' == x and x' have the same n_mh. for (m, h) in A and *)
(*            the same n_m.s for (m, s) in B                                  *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   psa_fewer == psa.one-invariant-less: with same_totals A B for the        *)
(*            universes the budget of a universe is infinite iff a data set   *)
(*            of it has other invariants; it is so if no n_mh. is kept and    *)
(*            there are two holding categories, or no n_m.s and two swapping  *)
(*            categories; and where it is so nowhere nothing changes          *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition same_totals (M H S : finType) (n : nat)
    (A : {set M * H}) (B : {set M * S}) (x x' : dataset M H S n) : bool :=
  [forall (mh | mh \in A), n_mh x mh.1 mh.2 == n_mh x' mh.1 mh.2] &&
  [forall (ms | ms \in B), n_ms x ms.1 ms.2 == n_ms x' ms.1 ms.2].

Section FewerTotals.

Variables (R : realFieldType) (M H S : finType) (n : nat) (p : R).
Hypotheses (p01 : 0 <= p <= 1) (p_in : 0 < p < 1).
Variables (A : {set M * H}) (B : {set M * S}).
Local Notation data := (dataset M H S n).
Implicit Types x : data.

Lemma same_invariants_totals x x' :
  same_invariants x x' -> same_totals A B x x'.
Proof.
case/same_invariantsP=> eq_mh eq_ms.
by apply/andP; split; apply/forall_inP=> -[m k] _; rewrite /= ?eq_mh ?eq_ms.
Qed.

(* All records are equal.                                                     *)
Definition one_kind m h s : data := [ffun=> (m, h, s)].

Lemma table_one_kind m h s r :
  table (one_kind m h s) r = (n * (r == (m, h, s)))%N.
Proof.
rewrite ffunE; have [->|r_n] := eqVneq r (m, h, s).
  rewrite muln1 -[RHS]card_ord; apply: eq_card => i.
  by rewrite !inE ffunE eqxx.
rewrite muln0; apply: eq_card0 => i; rewrite !inE ffunE.
by rewrite eq_sym (negbTE r_n).
Qed.

Lemma one_kind_mh m h s m' h' :
  n_mh (one_kind m h s) m' h' = (n * ((m', h') == (m, h)))%N.
Proof.
rewrite /n_mh (bigD1 s) //= big1 => [|s' /negbTE s'_s]; last first.
  by rewrite table_one_kind !xpair_eqE s'_s andbF muln0.
by rewrite table_one_kind !xpair_eqE eqxx andbT addn0.
Qed.

Lemma one_kind_ms m h s m' s' :
  n_ms (one_kind m h s) m' s' = (n * ((m', s') == (m, s)))%N.
Proof.
rewrite /n_ms (bigD1 h) //= big1 => [|h' /negbTE h'_h]; last first.
  by rewrite table_one_kind !xpair_eqE h'_h andbF muln0.
by rewrite table_one_kind !xpair_eqE eqxx andbT addn0.
Qed.

Lemma psa_budget_finite b : psa_budget b p != None.
Proof.
case/andP: p_in => p_gt0 p_lt1.
by rewrite /psa_budget (gt_eqF p_gt0) (lt_eqF p_lt1) /=; do 2?case: ifP.
Qed.

Theorem psa_fewer :
  let dp U gamma :=
    pure_dp U (fun x x' => Some (hamming x x')) gamma (psa p p01) in
  let open x0 := exists2 x, same_totals A B x0 x & ~~ same_invariants x0 x in
  [/\ forall x0, (forall gamma, dp (same_totals A B) gamma -> gamma x0 = None)
        <-> open x0,
      (0 < n)%N -> A = set0 -> M -> S -> (1 < #|H|)%N -> exists x0, open x0,
      (0 < n)%N -> B = set0 -> M -> H -> (1 < #|S|)%N -> exists x0, open x0
    & (forall x0, ~ open x0) ->
      forall gamma, dp (same_totals A B) gamma <->
                    dp (@same_invariants M H S n n) gamma].
Proof.
move=> dp open; split.
- move=> x0; split=> [infinite | [x x0x x_n] gamma dpT]; last first.
    case gx0: (gamma x0) => [g|//]; exfalso.
    have [p_gt0 p_lt1] := andP p_in.
    have x0x0 := same_invariants_totals (same_invariants_refl x0).
    have := dpT x0 x0 x x0x0 x0x; rewrite gx0 => /mult_leP/(_ (table_ord x0)).
    case=> le_x _; have := psa_support p01 p_gt0 p_lt1 x x0.
    rewrite same_invariants_sym (negbTE x_n) lt_def law_ge0 andbT.
    move=> /negbFE/eqP x_0; move: le_x; rewrite x_0 mulr0 leNgt.
    by rewrite psa_support // same_invariants_refl.
  have [/exists_inP[x x0x x_n] | none] := boolP
    [exists (x | same_totals A B x0 x), ~~ same_invariants x0 x].
    by exists x.
  pose budget := psa_budget (largest_stratum x0) p.
  have := psa_budget_finite (largest_stratum x0); rewrite -/budget.
  have := infinite (fun y => if y == x0 then budget else None).
  rewrite eqxx => -> // y x x' yx yx'; case: eqVneq => // y_x0.
  have inside z : same_totals A B y z -> same_invariants x0 z.
    rewrite y_x0 => x0z; apply: contraR none => z_n.
    by apply/exists_inP; exists z.
  exact: (psa_pure_dp p01 (inside _ yx) (inside _ yx')).
- move=> n_gt0 A0 m s /card_gt1P[h [h' [_ _ h_h']]].
  exists (one_kind m h s), (one_kind m h' s).
    rewrite /same_totals A0; apply/andP; split; apply/forall_inP=> -[m' k].
      by rewrite inE.
    by move=> _; rewrite !one_kind_ms.
  apply: contra h_h' => /same_n_mh/(_ m h); rewrite !one_kind_mh eqxx muln1.
  by rewrite xpair_eqE eqxx /= => nE; apply: contraLR n_gt0 => /negbTE h_n;
    rewrite nE h_n muln0.
- move=> n_gt0 B0 m h /card_gt1P[s [s' [_ _ s_s']]].
  exists (one_kind m h s), (one_kind m h s').
    rewrite /same_totals B0; apply/andP; split; apply/forall_inP=> -[m' k].
      by move=> _; rewrite !one_kind_mh.
    by rewrite inE.
  apply: contra s_s' => /same_n_ms/(_ m s); rewrite !one_kind_ms eqxx muln1.
  by rewrite xpair_eqE eqxx /= => nE; apply: contraLR n_gt0 => /negbTE s_n;
    rewrite nE s_n muln0.
move=> closed gamma; have inside x0 x : same_totals A B x0 x ->
    same_invariants x0 x.
  by move=> x0x; apply: contraPT (closed x0) => x_n; apply; exists x.
split=> dpT x0 x x' x0x x0x'; apply: dpT; try exact: inside;
  exact: same_invariants_totals.
Qed.

End FewerTotals.

Definition psa_fewer_instance :=
  @psa_fewer rat_realFieldType unit_finType bool_finType bool_finType 2
    2%:R^-1 isT isT set0 setT.
