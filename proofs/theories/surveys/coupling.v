From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Stirred Require Import law pure.

(******************************************************************************)
(* The coupling argument for amplification by sampling, pure case, with       *)
(* gamma = e^epsilon: samples with a unit are coupled with samples without it.*)
(*                                                                            *)
(*   amplified p g == 1 + p * (g - 1), the amplified gamma of Theorem 6.4.1   *)
(*            of the dissertation where p is the inclusion probability        *)
(*   is_coupling mu A c == c couples mu conditioned on A with mu conditioned  *)
(*            on the complement of A; c s t is the coupling's mass times the  *)
(*            probabilities of A and of its complement, so that it stays      *)
(*            defined where one of them is 0                                  *)
(*                                                                            *)
(* Headline theorem                                                           *)
(*   coupled_amplified == for a design mu and the event A that the sample has *)
(*            the unit: where the two kernels are the same outside A, within g*)
(*            on A, and both within g of the coupled sample outside A, the    *)
(*            mixtures are within amplified (Pr mu A) g                       *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
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

(* The coupling argument                                                      *)
Section Coupling.

Variables (R : realFieldType) (S Y : finType) (mu : law R S) (A : {set S}).
Variables (K K' : S -> law R Y) (g : R) (c : S -> S -> R).

Definition is_coupling : Prop :=
  [/\ forall s t, 0 <= c s t,
      forall s, s \in A -> \sum_(t in ~: A) c s t = (1 - Pr mu A) * mu s &
      forall t, t \notin A -> \sum_(s in A) c s t = Pr mu A * mu t].

Hypothesis g_ge1 : 1 <= g.
Hypothesis coupling : is_coupling.
Hypothesis same_without : forall s, s \notin A -> K s = K' s.
Hypothesis near_with : forall s, s \in A -> mult_le g (K s) (K' s).
Hypothesis near_coupled : forall s t, s \in A -> t \notin A -> c s t != 0 ->
  mult_le g (K s) (K t) /\ mult_le g (K' s) (K t).

Let p_ends : 0 <= Pr mu A <= 1. Proof. by rewrite Pr_ge0 Pr_le1. Qed.

Lemma bind_split (L : S -> law R Y) y :
  bind mu L y =
    \sum_(s in A) mu s * L s y + \sum_(s in ~: A) mu s * L s y.
Proof.
rewrite bindE (bigID (mem A)) /=; congr (_ + _).
by apply: eq_bigl => s; rewrite inE.
Qed.

Lemma coupled_le (L L' : S -> law R Y) y :
  (forall s t, s \in A -> t \notin A -> c s t != 0 ->
     L s y <= g * L' t y) ->
  (1 - Pr mu A) * (\sum_(s in A) mu s * L s y) <=
    g * (Pr mu A * \sum_(s in ~: A) mu s * L' s y).
Proof.
case: coupling => c_ge0 left right le_L.
have -> : (1 - Pr mu A) * (\sum_(s in A) mu s * L s y) =
    \sum_(s in A) \sum_(t in ~: A) c s t * L s y.
  rewrite mulr_sumr; apply: eq_bigr => s sA.
  by rewrite -mulr_suml left // mulrA.
have -> : g * (Pr mu A * \sum_(s in ~: A) mu s * L' s y) =
    \sum_(s in A) \sum_(t in ~: A) c s t * (g * L' t y).
  rewrite exchange_big mulr_sumr mulr_sumr; apply: eq_bigr => t; rewrite inE.
  by move=> tA; rewrite -mulr_suml right //; ring.
apply: ler_sum => s sA; apply: ler_sum => t; rewrite inE => tA.
have [->|c_n0] := eqVneq (c s t) 0; first by rewrite !mul0r.
by rewrite ler_wpmul2l // le_L.
Qed.

Theorem coupled_amplified :
  mult_le (amplified (Pr mu A) g) (bind mu K) (bind mu K').
Proof.
have sum_le (L L' : S -> law R Y) y :
    (forall s, s \in A -> L s y <= g * L' s y) ->
    \sum_(s in A) mu s * L s y <= g * \sum_(s in A) mu s * L' s y.
  move=> le_L; rewrite mulr_sumr; apply: ler_sum => s sA.
  by rewrite mulrCA ler_wpmul2l ?law_ge0 ?le_L.
have outE y : \sum_(s in ~: A) mu s * K s y = \sum_(s in ~: A) mu s * K' s y.
  by apply: eq_bigr => s; rewrite inE => sA; rewrite same_without.
have out_ge0 y : 0 <= \sum_(s in ~: A) mu s * K s y.
  by apply: sumr_ge0 => s _; rewrite mulr_ge0 ?law_ge0.
apply/mult_leP => y; rewrite !bind_split -outE.
split; apply: amplify => //.
- by apply: sum_le => s /near_with/mult_leP/(_ y)[].
- apply: coupled_le => s t sA tA c_n0.
  by have [/mult_leP/(_ y)[]] := near_coupled sA tA c_n0.
- by apply: sum_le => s /near_with/mult_leP/(_ y)[].
apply: coupled_le => s t sA tA c_n0.
by have [_ /mult_leP/(_ y)[]] := near_coupled sA tA c_n0.
Qed.

End Coupling.
