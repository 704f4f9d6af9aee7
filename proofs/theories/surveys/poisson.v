From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From mathcomp Require Import ring.
From Stirred Require Import compat law pure invariant_multiverse unit_data
  coupling.
From Stirred Require Import amplification.

(******************************************************************************)
(* Amplification by Poisson and Bernoulli sampling for neighbours by addition *)
(* and removal (dissertation section 6.4.1), with g = e^epsilon and e = delta,*)
(* by the coupling that removes the unit from the sample.                     *)
(*                                                                            *)
(*   rate i v == the probability with which a unit i with the record v is     *)
(*            taken, independently of the other units                         *)
(*   rate_at f i == that probability in the frame f, and 0 for a unit that is *)
(*            not in the frame                                                *)
(*   poisson f == the design; Bernoulli sampling is Poisson sampling with one *)
(*            rate                                                            *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   poisson_inclusion == the inclusion probability of a unit is its rate     *)
(*   poisson_added == the sample of a frame with one more unit is that of the *)
(*            frame, to which the unit is added with the probability rate i v *)
(*   poisson_amplified == the loss between the two frames is amplified with   *)
(*            the rate of the unit                                            *)
(*   poisson_unbounded_dp == and with the largest rate for all frames         *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A law against its mixture with one that is near it.                        *)
Lemma mixture_amplified (R : realFieldType) (Y : finType) (P Q : law R Y)
    (g e r : R) (r01 : 0 <= r <= 1) : 1 <= g -> approximate_le g e P Q ->
  approximate_le (amplified r g) (r * e) Q
    (bind (bern r r01) (fun b => if b then P else Q)).
Proof.
move=> g_ge1 le_PQ E; have [PQ QP] := le_PQ E.
have e_ge0 := approximate_ge0 le_PQ; have /andP[r_ge0 r_le1] := r01.
have g_gt0 : 0 < g := lt_le_trans ltr01 g_ge1.
have g1_ge0 : 0 <= g - 1 by rewrite subr_ge0.
have a_ge0 : 0 <= amplified r g.
  exact: le_trans ler01 (amplified_ge1 r_ge0 g_ge1).
rewrite Pr_bind big_bool !bernE; split; rewrite -subr_ge0.
  rewrite -(pmulr_rge0 _ g_gt0).
  have -> : g * (amplified r g * (r * Pr P E + (1 - r) * Pr Q E) + r * e -
                 Pr Q E) =
      amplified r g * r * (g * Pr P E + e - Pr Q E) +
      (r * (1 - r) * ((g - 1) * (g - 1)) * Pr Q E +
       r * e * ((1 - r) * (g - 1))) by rewrite /amplified; ring.
  by rewrite !addr_ge0 ?mulr_ge0 ?Pr_ge0 ?subr_ge0.
have -> : amplified r g * Pr Q E + r * e - (r * Pr P E + (1 - r) * Pr Q E) =
    r * (g * Pr Q E + e - Pr P E) by rewrite /amplified; ring.
by rewrite mulr_ge0 ?subr_ge0.
Qed.

Section Poisson.

Variables (R : realFieldType) (I : finType) (V : Type) (rate : I -> V -> R).
Hypothesis rate01 : forall i v, 0 <= rate i v <= 1.
Implicit Types (f : data I V) (S : {set I}) (i : I).

Definition rate_at f i : R := if f i is Some v then rate i v else 0.

Lemma rate_at01 f i : 0 <= rate_at f i <= 1.
Proof. by rewrite /rate_at; case: (f i); rewrite ?lexx ?ler01. Qed.

Definition poisson_mass f S : R :=
  \prod_i (if i \in S then rate_at f i else 1 - rate_at f i).

Lemma poisson_ge0 f S : 0 <= poisson_mass f S.
Proof.
apply: prodr_ge0 => i _; have /andP[r_ge0 r_le1] := rate_at01 f i.
by case: ifP; rewrite ?subr_ge0.
Qed.

Lemma poisson_sum1 f : \sum_S poisson_mass f S = 1.
Proof.
pose F i (b : bool) := if b then rate_at f i else 1 - rate_at f i.
have <- : \prod_i (\sum_b F i b) = 1.
  by rewrite big1 // => i _; rewrite big_bool /F /= addrC subrK.
rewrite bigA_distr_bigA (reindex (fun h : {ffun I -> bool} => [set i | h i])).
  apply: eq_bigr => h _; apply: eq_bigr => i _.
  by rewrite inE.
exists (fun S : {set I} => [ffun i => i \in S]) => [h|S] _.
  by apply/ffunP=> i; rewrite ffunE inE.
by apply/setP=> i; rewrite inE ffunE.
Qed.

Definition poisson f : law R [finType of {set I}] :=
  mk_law _ (poisson_ge0 f) (poisson_sum1 f).

Section Added.

Variables (i : I) (v : V) (f f' : data I V).
Hypothesis f_f' : added i v f f'.

Let f'E k : f' k = if k == i then Some v else f k.
Proof. by case: f_f' => _ ->; rewrite ffunE. Qed.

Let fi : f i = None. Proof. by case: f_f' => /unitsN. Qed.

Let rest S : R :=
  \prod_(k | k != i) (if k \in S then rate_at f k else 1 - rate_at f k).

Let massE S :
  poisson f S = (if i \in S then 0 else 1) * rest S.
Proof.
by rewrite mk_lawE /poisson_mass (bigD1 i) //= /rate_at fi subr0.
Qed.

Let mass'E S :
  poisson f' S = (if i \in S then rate i v else 1 - rate i v) * rest S.
Proof.
rewrite mk_lawE /poisson_mass (bigD1 i) //= {1 2}/rate_at f'E eqxx.
congr (_ * _); apply: eq_bigr => k /negbTE k_i.
by rewrite /rate_at f'E k_i.
Qed.

Let restU S : rest (i |: S) = rest S.
Proof. by apply: eq_bigr => k /negbTE k_i; rewrite in_setU1 k_i. Qed.

Theorem poisson_added :
  poisson f' = bind (poisson f) (fun S =>
    bind (bern (rate i v) (rate01 i v)) (fun b =>
      dirac (if b then i |: S else S))).
Proof.
apply: eq_law => S; rewrite mass'E bindE.
move: (poisson f) massE => P PE.
under eq_bigr => S' _ do rewrite bindE big_bool !bernE !diracE /=.
case: ifP => iS.
  rewrite (bigD1 (S :\ i)) //= setD1K // eqxx PE setD11 mul1r.
  have -> : (S == S :\ i) = false.
    by apply/eqP=> eqS; move: iS; rewrite eqS setD11.
  have -> : rest S = rest (S :\ i) by rewrite -{1}(setD1K iS) restU.
  rewrite mulr1 mulr0 addr0 big1 ?addr0 1?mulrC // => S' S'_S.
  rewrite PE; case: ifP => iS'; first by rewrite !mul0r.
  have -> : (S == i |: S') = false.
    by apply: contraNF S'_S => /eqP ->; rewrite setU1K ?iS'.
  have -> : (S == S') = false by apply/eqP=> eqS; rewrite eqS iS' in iS.
  by rewrite !mulr0 addr0 mulr0.
rewrite (bigD1 S) //= eqxx PE iS mul1r.
have out S' : (S == i |: S') = false.
  by apply/eqP=> eqS; move: iS; rewrite eqS setU11.
rewrite out mulr0 add0r mulr1 big1 ?addr0 1?mulrC // => S' /negbTE S'_S.
by rewrite out eq_sym S'_S !mulr0 addr0 mulr0.
Qed.

Variables (Y : finType) (T : data I V -> law R Y) (g e : R).
Hypothesis g_ge1 : 1 <= g.
Hypothesis T_dp : unbounded_dp g e T.

Theorem poisson_amplified :
  approximate_le (amplified (rate i v) g) (rate i v * e)
    (sampled (poisson f) T f) (sampled (poisson f') T f').
Proof.
have -> : sampled (poisson f') T f' = bind (poisson f) (fun S =>
    bind (bern (rate i v) (rate01 i v)) (fun b =>
      if b then T (sample_of f' (i |: S)) else T (sample_of f S))).
  rewrite /sampled poisson_added bindA; apply: eq_law => y.
  rewrite [LHS]bindE [RHS]bindE; apply: eq_bigr => S _.
  rewrite massE; case: ifP => iS; first by rewrite !mul0r.
  congr (_ * pmf _ _); rewrite bindA; apply: eq_bind => -[] //.
    by rewrite dirac_bind.
  rewrite dirac_bind; congr T; apply/ffunP=> k; rewrite !ffunE f'E.
  by case: eqP => // ->; rewrite iS.
apply: approximate_mixture => S; apply: mixture_amplified => //.
apply: approximate_sym; apply: (T_dp (i := i) (v := v)).
split; first by rewrite in_select [i \in recorded f]inE fi andbF.
apply/ffunP=> k; rewrite !ffunE in_setU1 f'E.
by case: eqVneq.
Qed.

End Added.

Theorem poisson_inclusion f i v : f i = Some v ->
  Pr (poisson f) (having i) = rate i v.
Proof.
move=> fi; pose f0 := set_record f i None.
have step : added i v f0 f.
  split; first by rewrite inE ffunE eqxx.
  by apply/ffunP=> k; rewrite !ffunE; case: eqP => // ->.
rewrite (poisson_added step) Pr_bind -[RHS]mul1r -(law_sum1 (poisson f0)).
rewrite mulr_suml; apply: eq_bigr => S _.
have [iS|iS] := boolP (i \in S).
  rewrite (_ : poisson f0 S = 0) ?mul0r // mk_lawE /poisson_mass (bigD1 i) //=.
  by rewrite iS /rate_at ffunE eqxx mul0r.
rewrite Pr_bind big_bool !bernE !Pr_dirac !inE eqxx (negbTE iS) /=.
by rewrite mulr1 mulr0 addr0.
Qed.

Theorem poisson_unbounded_dp (Y : finType) (T : data I V -> law R Y)
    (g e p : R) :
  1 <= g -> (forall i v, rate i v <= p) -> unbounded_dp g e T ->
  unbounded_dp (amplified p g) (p * e) (fun f => sampled (poisson f) T f).
Proof.
move=> g_ge1 le_p T_dp i v f f' step.
have e_ge0 : 0 <= e by apply: approximate_ge0 (T_dp _ _ _ _ step).
apply: approximate_weaken (poisson_amplified step g_ge1 T_dp).
  exact: amplified_mono.
exact: ler_wpmul2r.
Qed.

End Poisson.
