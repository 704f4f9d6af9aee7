From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From mathcomp Require Import ring.
From Stirred Require Import compat law pure invariant_multiverse.

(******************************************************************************)
(* The coupling argument for amplification by sampling, with g = e^epsilon and*)
(* e = delta: samples with a unit are coupled with samples without it.        *)
(*                                                                            *)
(*   amplified p g == 1 + p * (g - 1), the amplified gamma of Theorem 6.4.1   *)
(*            of the dissertation where p is the inclusion probability        *)
(*   is_coupling mu A c == c couples mu conditioned on A with mu conditioned  *)
(*            on the complement of A; c s t is the coupling's mass times the  *)
(*            probabilities of A and of its complement, so that it stays      *)
(*            defined where one of them is 0                                  *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   coupled_amplified == for a design mu and the event A that the sample has *)
(*            the unit: where the two kernels are the same outside A, within g*)
(*            on A, and both within g of the coupled sample outside A, the    *)
(*            mixtures are within amplified (Pr mu A) g; and delta is         *)
(*            multiplied by Pr mu A                                           *)
(*   approximate_pure == for delta = 0 the distance is mult_le                *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition amplified (R : realFieldType) (p g : R) : R := 1 + p * (g - 1).

Section Scalars.

Variable R : realFieldType.
Implicit Types (a b p g : R).

Lemma amplified_ge1 p g : 0 <= p -> 1 <= g -> 1 <= amplified p g.
Proof. by move=> p_ge0 g_ge1; rewrite ler_addl mulr_ge0 // subr_ge0. Qed.

Lemma amplified_mono p q g : p <= q -> 1 <= g -> amplified p g <= amplified q g.
Proof.
by move=> le_pq g_ge1; rewrite ler_add2l ler_wpmul2r // subr_ge0.
Qed.

(* The masses a, a' of the samples with the unit, and b of those without it.  *)
Lemma amplify a a' b p g : 0 <= b -> 0 <= p <= 1 -> 1 <= g ->
  a <= g * a' -> (1 - p) * a <= g * (p * b) ->
  a + b <= amplified p g * (a' + b).
Proof.
move=> b_ge0 /andP[p_ge0 p_le1] g_ge1 le_a le_b; rewrite -subr_ge0.
have g1_ge0 : 0 <= g - 1 by rewrite subr_ge0.
have [small|large] := leP ((1 - p) * a') (p * b).
  have -> : amplified p g * (a' + b) - (a + b) =
    (g * a' - a) + (g - 1) * (p * b - (1 - p) * a') by rewrite /amplified; ring.
  by rewrite addr_ge0 ?mulr_ge0 ?subr_ge0.
have p_lt1 : 0 < 1 - p.
  rewrite lt_neqAle subr_ge0 p_le1 andbT; apply: contraTN large => /eqP <-.
  by rewrite mul0r -leNgt mulr_ge0.
rewrite -(pmulr_rge0 _ p_lt1).
have -> : (1 - p) * (amplified p g * (a' + b) - (a + b)) =
    (g * (p * b) - (1 - p) * a) + amplified p g * ((1 - p) * a' - p * b).
  by rewrite /amplified; ring.
rewrite addr_ge0 ?mulr_ge0 ?subr_ge0 // ?(ltW large) //.
exact: le_trans ler01 (amplified_ge1 p_ge0 g_ge1).
Qed.

End Scalars.

(* Laws at the distances of (epsilon, delta)-DP                               *)
Section Approximate.

Variables (R : realFieldType) (Y : finType).
Implicit Types (P Q : law R Y) (g e : R).

Lemma approximate_pure g P Q : approximate_le g 0 P Q <-> mult_le g P Q.
Proof. by split=> le_PQ A; have := le_PQ A; rewrite !addr0. Qed.

Lemma approximate_sym g e P Q :
  approximate_le g e P Q -> approximate_le g e Q P.
Proof. by move=> le_PQ A; have [] := le_PQ A. Qed.

Lemma approximate_ge0 g e P Q : approximate_le g e P Q -> 0 <= e.
Proof. by move=> /(_ set0)[]; rewrite !Pr0 mulr0 add0r. Qed.

Lemma approximate_refl g e P : 1 <= g -> 0 <= e -> approximate_le g e P P.
Proof.
by move=> g_ge1 e_ge0 A; rewrite ler_paddr // ler_pemull ?Pr_ge0.
Qed.

Lemma approximate_weaken g h e d P Q :
  g <= h -> e <= d -> approximate_le g e P Q -> approximate_le h d P Q.
Proof.
move=> le_gh le_ed le_PQ A; have [lePQ leQP] := le_PQ A.
by split; [apply: le_trans lePQ _ | apply: le_trans leQP _];
  apply: ler_add => //; apply: ler_wpmul2r; rewrite ?Pr_ge0.
Qed.

Lemma approximate_mixture (T : finType) g e (P : law R T)
    (K K' : T -> law R Y) : (forall t, approximate_le g e (K t) (K' t)) ->
  approximate_le g e (bind P K) (bind P K').
Proof.
move=> le_K A; rewrite !Pr_bind.
have sumE (L : T -> law R Y) : g * (\sum_t P t * Pr (L t) A) + e =
    \sum_t P t * (g * Pr (L t) A + e).
  rewrite mulr_sumr -[e in LHS]mul1r -(law_sum1 P) mulr_suml -big_split.
  by apply: eq_bigr => t _; rewrite mulrDr mulrCA.
by rewrite !sumE; split; apply: ler_sum => t _; have [? ?] := le_K t A;
  rewrite ler_wpmul2l ?law_ge0.
Qed.

End Approximate.

(* The coupling argument                                                      *)
Section Coupling.

Variables (R : realFieldType) (S Y : finType) (mu : law R S) (A : {set S}).
Variables (K K' : S -> law R Y) (g e : R) (c : S -> S -> R).

Definition is_coupling : Prop :=
  [/\ forall s t, 0 <= c s t,
      forall s, s \in A -> \sum_(t in ~: A) c s t = (1 - Pr mu A) * mu s &
      forall t, t \notin A -> \sum_(s in A) c s t = Pr mu A * mu t].

Hypothesis g_ge1 : 1 <= g.
Hypothesis coupling : is_coupling.
Hypothesis same_without : forall s, s \notin A -> K s = K' s.
Hypothesis near_with : forall s, s \in A -> approximate_le g e (K s) (K' s).
Hypothesis near_coupled : forall s t, s \in A -> t \notin A -> c s t != 0 ->
  approximate_le g e (K s) (K t) /\ approximate_le g e (K' s) (K t).

Let p : R := Pr mu A.
Let p_ends : 0 <= p <= 1. Proof. by rewrite Pr_ge0 Pr_le1. Qed.

Lemma Pr_bind_split (L : S -> law R Y) (E : {set Y}) :
  Pr (bind mu L) E =
    \sum_(s in A) mu s * Pr (L s) E + \sum_(s in ~: A) mu s * Pr (L s) E.
Proof.
rewrite Pr_bind (bigID (mem A)) /=; congr (_ + _).
by apply: eq_bigl => s; rewrite inE.
Qed.

Lemma coupled_le (L L' : S -> law R Y) (E : {set Y}) :
  (forall s t, s \in A -> t \notin A -> c s t != 0 ->
     Pr (L s) E <= g * Pr (L' t) E + e) ->
  (1 - p) * (\sum_(s in A) mu s * Pr (L s) E) <=
    g * (p * \sum_(s in ~: A) mu s * Pr (L' s) E) + (1 - p) * (p * e).
Proof.
case: coupling => c_ge0 left right le_L.
have -> : (1 - p) * (\sum_(s in A) mu s * Pr (L s) E) =
    \sum_(s in A) \sum_(t in ~: A) c s t * Pr (L s) E.
  rewrite mulr_sumr; apply: eq_bigr => s sA.
  by rewrite -mulr_suml left // mulrA.
have -> : g * (p * \sum_(s in ~: A) mu s * Pr (L' s) E) =
    \sum_(s in A) \sum_(t in ~: A) c s t * (g * Pr (L' t) E).
  rewrite exchange_big !mulr_sumr; apply: eq_bigr => t; rewrite inE.
  by move=> tA; rewrite -mulr_suml right // -/p; ring.
have -> : (1 - p) * (p * e) = \sum_(s in A) \sum_(t in ~: A) c s t * e.
  rewrite /p {2}/Pr mulr_suml mulr_sumr; apply: eq_bigr => s sA.
  by rewrite -mulr_suml left // mulrA.
rewrite -big_split; apply: ler_sum => s sA.
rewrite -big_split; apply: ler_sum => t; rewrite inE => tA /=.
have [->|c_n0] := eqVneq (c s t) 0; first by rewrite !mul0r addr0.
by rewrite -mulrDr ler_wpmul2l // le_L.
Qed.

Theorem coupled_amplified :
  approximate_le (amplified (Pr mu A) g) (Pr mu A * e) (bind mu K) (bind mu K').
Proof.
rewrite -/p => E.
have sum_le (L L' : S -> law R Y) :
    (forall s, s \in A -> Pr (L s) E <= g * Pr (L' s) E + e) ->
    \sum_(s in A) mu s * Pr (L s) E - p * e <=
      g * \sum_(s in A) mu s * Pr (L' s) E.
  move=> le_L; rewrite ler_subl_addr mulr_sumr /p /Pr mulr_suml -big_split.
  apply: ler_sum => s sA /=.
  by rewrite [g * _]mulrCA -mulrDr ler_wpmul2l ?law_ge0 ?le_L.
have outE : \sum_(s in ~: A) mu s * Pr (K s) E =
    \sum_(s in ~: A) mu s * Pr (K' s) E.
  by apply: eq_bigr => s; rewrite inE => sA; rewrite same_without.
have out_ge0 : 0 <= \sum_(s in ~: A) mu s * Pr (K s) E.
  by apply: sumr_ge0 => s _; rewrite mulr_ge0 ?law_ge0 ?Pr_ge0.
rewrite !Pr_bind_split -outE -!ler_subl_addr ![_ + _ - p * e]addrAC.
split; apply: amplify => //.
- by apply: sum_le => s /near_with/(_ E)[].
- rewrite mulrBr ler_subl_addr; apply: coupled_le => s t sA tA c_n0.
  by have [/(_ E)[]] := near_coupled sA tA c_n0.
- by apply: sum_le => s /near_with/(_ E)[].
rewrite mulrBr ler_subl_addr; apply: coupled_le => s t sA tA c_n0.
by have [_ /(_ E)[]] := near_coupled sA tA c_n0.
Qed.

End Coupling.
