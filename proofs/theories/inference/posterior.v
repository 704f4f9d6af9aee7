From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From mathcomp Require Import ring.
From Stirred Require Import compat law extended specification pure
  privatised_data prior_predictive.

(******************************************************************************)
(* What pure differential privacy says of the posterior of a Bayesian with a  *)
(* prior pi over the models M theta of the data, who sees the output t of a   *)
(* mechanism T.                                                               *)
(*                                                                            *)
(*   posterior pi L t A == the probability of A : {set Theta} given t, by the *)
(*            rule of Bayes, when L theta is the law of what is seen; 0 where *)
(*            t has probability 0                                             *)
(*   prior_given pi M S A == the probability of A given that the data set     *)
(*            lies in S: the posterior after seeing only that                 *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   posterior_joint == posterior is the conditional probability              *)
(*   prior_given_prior == prior_given is the prior where all models give S    *)
(*            one probability, as they do where S holds all their data sets   *)
(*   posterior_odds == the odds of any two events change by at most gamma^n   *)
(*   posterior_interval == dissertation Theorem 5.6.3, repaired: the          *)
(*            posterior is within gamma^n of prior_given                      *)
(*   posterior_sharp == the same, sharper                                     *)
(*   posterior_connected, posterior_connected_sharp == the printed bounds,    *)
(*            which compare it with the prior, where the data sets of the     *)
(*            models are connected                                            *)
(*   data_set_posterior == the same for an attacker's posterior on data sets  *)
(*   posterior_interval_refuted == dissertation Theorem 5.6.3 as printed,     *)
(*            where they are not connected                                    *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Posterior.

Variables (R : realFieldType) (Theta Y : finType).
Variables (pi : law R Theta) (L : Theta -> law R Y) (t : Y).
Implicit Types (A : {set Theta}).

Definition posterior A : R :=
  (\sum_(theta in A) pi theta * L theta t) / bind pi L t.

(* The rule of Bayes.                                                         *)
Theorem posterior_joint A :
  posterior A = Pr (joint_kernel pi L) (setX A [set t]) /
                Pr (joint_kernel pi L) (setX setT [set t]).
Proof.
have jointE B : Pr (joint_kernel pi L) (setX B [set t]) =
    \sum_(theta in B) pi theta * L theta t.
  rewrite Pr_bind [RHS]big_mkcond; apply: eq_bigr => theta _.
  rewrite Pr_map (_ : _ @^-1: _ = if theta \in B then [set t] else set0).
    by case: ifP => _; rewrite ?Pr1 ?Pr0 ?mulr0.
  by apply/setP=> u; rewrite !inE; case: ifP => _; rewrite inE.
rewrite /posterior !jointE bindE; congr (_ / _).
by apply: eq_bigl => theta; rewrite inE.
Qed.

Lemma posteriorT : bind pi L t != 0 -> posterior setT = 1.
Proof.
move=> t_n0; rewrite /posterior -[RHS](divff t_n0); congr (_ / _).
by rewrite bindE; apply: eq_bigl => theta; rewrite inE.
Qed.

Lemma posteriorC A : bind pi L t != 0 -> posterior (~: A) = 1 - posterior A.
Proof.
move=> t_n0; apply/eqP; rewrite eq_sym subr_eq addrC -(posteriorT t_n0).
rewrite /posterior -mulrDl (bigID (mem A)) /=; apply/eqP.
by congr ((_ + _) / _); apply: eq_bigl => theta; rewrite !inE.
Qed.

Lemma posterior_ge0 A : 0 <= posterior A.
Proof.
rewrite divr_ge0 ?law_ge0 // sumr_ge0 // => theta _.
by rewrite mulr_ge0 ?law_ge0.
Qed.

End Posterior.

Definition prior_given (R : realFieldType) (Theta X : finType)
    (pi : law R Theta) (M : Theta -> law R X) (S : {set X}) :
  {set Theta} -> R :=
  posterior pi (fun theta => map_law (fun x => x \in S) (M theta)) true.

Section PriorGiven.

Variables (R : realFieldType) (Theta X : finType).
Variables (pi : law R Theta) (M : Theta -> law R X) (S : {set X}).

Lemma prob_in theta :
  map_law (fun x => x \in S) (M theta) true = Pr (M theta) S.
Proof.
by rewrite map_lawE; congr (Pr _ _); apply/setP=> x; rewrite inE eqb_id.
Qed.

Lemma bind_in :
  bind pi (fun theta => map_law (fun x => x \in S) (M theta)) true =
  Pr (bind pi M) S.
Proof.
by rewrite bindE Pr_bind; apply: eq_bigr => theta _; rewrite prob_in.
Qed.

(* That the data set lies in S says nothing where all models agree on it.     *)
Theorem prior_given_prior c A :
  (forall theta, theta \in supp pi -> Pr (M theta) S = c) -> c != 0 ->
  prior_given pi M S A = Pr pi A.
Proof.
move=> Mc c_n0; rewrite /prior_given /posterior bind_in Pr_bind.
have sumE (B : pred Theta) : \sum_(theta | B theta)
    pi theta * Pr (M theta) S = (\sum_(theta | B theta) pi theta) * c.
  rewrite mulr_suml; apply: eq_bigr => theta _.
  by have [->|pi_n0] := eqVneq (pi theta) 0; rewrite ?mul0r // Mc // inE.
under eq_bigr => theta _ do rewrite prob_in.
by rewrite !sumE law_sum1 mul1r mulfK.
Qed.

End PriorGiven.

Section PosteriorBounds.

Variables (R : realFieldType) (X Y Theta : finType) (I : Type).
Variables (U : I -> X -> Prop) (d : X -> X -> option nat).
Variables (gamma : I -> option R) (T : X -> law R Y) (i : I) (g : R).
Variables (n : nat) (pi : law R Theta) (M : Theta -> law R X).
Variables (S : {set X}) (t0 : Y).
Implicit Types (A B : {set Theta}).

Hypotheses (dpT : pure_dp U d gamma T) (eq_g : gamma i = Some g).
Hypotheses (g_ge1 : 1 <= g) (near : within (U i) d n S S).
Hypothesis only_S : supp_given (bind pi M) T t0 \subset S.

Local Notation seen := (fun theta => bind (M theta) T).
Local Notation after := (posterior pi seen t0).
Local Notation before := (prior_given pi M S).

Lemma seenE theta : theta \in supp pi ->
  bind (M theta) T t0 = \sum_(x in S) M theta x * T x t0.
Proof.
move=> pi_n0; apply: bind_covered; rewrite inE; apply: subset_trans only_S.
rewrite prior_predictive_support; exact: (bigcup_sup theta).
Qed.

Lemma cross_le theta theta' : theta \in supp pi -> theta' \in supp pi ->
  bind (M theta) T t0 * Pr (M theta') S <=
    g ^+ n * (bind (M theta') T t0 * Pr (M theta) S).
Proof.
move=> pi1 pi2; rewrite !seenE // /Pr !mulr_suml mulr_sumr.
have -> : \sum_(x in S) g ^+ n * (M theta' x * T x t0 *
      \sum_(x' in S) M theta x') =
    \sum_(x in S) \sum_(x' in S) M theta x * M theta' x' *
      (g ^+ n * T x' t0).
  rewrite exchange_big; apply: eq_bigr => x' _; rewrite !mulr_sumr.
  by apply: eq_bigr => x _; ring.
apply: ler_sum => x xS; rewrite mulr_sumr; apply: ler_sum => x' x'S.
rewrite mulrAC ler_wpmul2l ?mulr_ge0 ?law_ge0 //.
by have /mult_leP/(_ t0)[] := within_near dpT eq_g g_ge1 near xS x'S.
Qed.

(* Dissertation Theorem 5.6.3 in the odds of two events: seeing the output    *)
(* multiplies them by a factor between gamma^-n and gamma^n, n bounding the   *)
(* distances between data sets that can give the output; before it stands the *)
(* prior given that the data set is one of those.                             *)
Theorem posterior_odds A B :
  after A * before B <= g ^+ n * (after B * before A).
Proof.
rewrite /prior_given /posterior bind_in.
set D := bind _ _ _; set W := Pr _ S.
rewrite [X in X <= _]mulrACA [X in _ <= _ * X]mulrACA [X in _ <= X]mulrA.
rewrite ler_wpmul2r //.
  by rewrite mulr_ge0 ?invr_ge0 ?law_ge0 ?Pr_ge0.
have pairs (F G : Theta -> R) : (\sum_(theta in A) pi theta * F theta) *
    (\sum_(theta in B) pi theta * G theta) = \sum_(theta in A)
    \sum_(theta' in B) pi theta * pi theta' * (F theta * G theta').
  rewrite mulr_suml; apply: eq_bigr => theta _; rewrite mulr_sumr.
  by apply: eq_bigr => theta' _; rewrite mulrACA.
rewrite pairs [X in g ^+ n * X]mulrC pairs mulr_sumr.
apply: ler_sum => theta _; rewrite mulr_sumr; apply: ler_sum => theta' _.
have [->|pi1] := eqVneq (pi theta) 0; first by rewrite !mul0r mulr0.
have [->|pi2] := eqVneq (pi theta') 0; first by rewrite !(mulr0, mul0r).
rewrite !prob_in [X in _ <= X]mulrCA ler_wpmul2l ?mulr_ge0 ?law_ge0 //.
by rewrite [X in _ <= _ * X]mulrC; apply: cross_le; rewrite inE.
Qed.

Hypothesis t0_n0 : bind pi seen t0 != 0.

Lemma possible_in : bind pi (fun theta => map_law (fun x => x \in S) (M theta))
  true != 0.
Proof.
rewrite bind_in; apply: contra_neq t0_n0 => no_S.
rewrite bindE big1 // => theta _.
have [->|pi_n0] := eqVneq (pi theta) 0; first by rewrite mul0r.
move/eqP: no_S; rewrite Pr_bind psumr_eq0 => [/allP|theta' _]; last first.
  by rewrite mulr_ge0 ?law_ge0 ?Pr_ge0.
move=> /(_ theta (mem_index_enum _)); rewrite mulf_eq0 (negbTE pi_n0) /=.
rewrite Pr_eq0 => /forall_inP noM; rewrite seenE ?inE //.
by rewrite big1 ?mulr0 // => x xS; rewrite (eqP (noM x xS)) mul0r.
Qed.

(* Dissertation Theorem 5.6.3, repaired: the posterior is within gamma^n of   *)
(* the prior given that the data set is one that can give the output.         *)
Theorem posterior_interval A :
  (g ^+ n)^-1 * before A <= after A <= g ^+ n * before A.
Proof.
have gn_gt0 : 0 < g ^+ n by rewrite exprn_gt0 // (lt_le_trans ltr01).
have := posterior_odds A setT; have := posterior_odds setT A.
rewrite /prior_given !posteriorT // ?possible_in // !mul1r !mulr1 => le1 le2.
by rewrite ler_pdivr_mull // le1.
Qed.

(* The same, sharper: both ends are posteriors themselves, of an observation  *)
(* whose odds are gamma^-n and gamma^n.                                       *)
Theorem posterior_sharp A :
  let q := before A in
  q / (q + g ^+ n * (1 - q)) <= after A
    <= g ^+ n * q / (g ^+ n * q + (1 - q)).
Proof.
rewrite /=; set q := before A.
have := posterior_odds A (~: A); have := posterior_odds (~: A) A.
have gn_ge1 : 1 <= g ^+ n by rewrite exprn_ege1.
have qC : before (~: A) = 1 - q := posteriorC A possible_in.
have q_ge0 : 0 <= q by apply: posterior_ge0.
have q_le1 : 0 <= 1 - q by rewrite -qC; apply: posterior_ge0.
rewrite qC (posteriorC A t0_n0) -/q.
have one_gt0 a b : 0 <= a -> 0 <= b -> a + b = 1 -> 0 < a + g ^+ n * b.
  move=> a_ge0 b_ge0 ab1; apply: lt_le_trans (_ : a + b <= _).
    by rewrite ab1 ltr01.
  by rewrite ler_add2l ler_pemull.
set p := after A => le1 le2; apply/andP; split.
  rewrite ler_pdivr_mulr; last by rewrite one_gt0 // addrC subrK.
  rewrite -subr_ge0; move: le1; rewrite -subr_ge0; congr (0 <= _); ring.
rewrite ler_pdivl_mulr; last by rewrite addrC one_gt0 // subrK.
rewrite -subr_ge0; move: le2; rewrite -subr_ge0; congr (0 <= _); ring.
Qed.

End PosteriorBounds.

Section Connected.

Variables (R : realFieldType) (X Y Theta : finType) (I : Type).
Variables (U : I -> X -> Prop) (d : X -> X -> option nat).
Variables (gamma : I -> option R) (T : X -> law R Y) (i : I) (g : R).
Variables (n : nat) (pi : law R Theta) (M : Theta -> law R X) (t0 : Y).
Implicit Types (A : {set Theta}).

Lemma supp_given_sub (P : law R X) : supp_given P T t0 \subset supp P.
Proof. by apply/subsetP=> x; rewrite inE => /andP[]. Qed.

Lemma prior_given_supp A : prior_given pi M (supp (bind pi M)) A = Pr pi A.
Proof.
apply: (@prior_given_prior _ _ _ _ _ _ 1); last exact: oner_neq0.
move=> theta theta_pi; apply: Pr_supp; apply/subsetP=> x xM.
by rewrite supp_bind; apply/existsP; exists theta; rewrite theta_pi.
Qed.

(* Dissertation Theorem 5.6.3 where the data sets of the models are           *)
(* connected, and n bounds their distances: given any output of positive      *)
(* probability the posterior is within gamma^n of the prior.                  *)
Theorem posterior_connected A :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  within (U i) d n (supp (bind pi M)) (supp (bind pi M)) ->
  bind pi (fun theta => bind (M theta) T) t0 != 0 ->
  (g ^+ n)^-1 * Pr pi A
    <= posterior pi (fun theta => bind (M theta) T) t0 A <= g ^+ n * Pr pi A.
Proof.
move=> dpT eq_g g_ge1 near t0_n0; rewrite -prior_given_supp.
exact: posterior_interval dpT eq_g g_ge1 near (supp_given_sub _) t0_n0 A.
Qed.

(* Sharper: the odds change by a factor between gamma^-n and gamma^n, so that *)
(* a prior probability q becomes at least q / (q + gamma^n (1 - q)) and at    *)
(* most gamma^n q / (gamma^n q + (1 - q)).                                    *)
Theorem posterior_connected_sharp A :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  within (U i) d n (supp (bind pi M)) (supp (bind pi M)) ->
  bind pi (fun theta => bind (M theta) T) t0 != 0 ->
  let q := Pr pi A in
  q / (q + g ^+ n * (1 - q))
    <= posterior pi (fun theta => bind (M theta) T) t0 A
    <= g ^+ n * q / (g ^+ n * q + (1 - q)).
Proof.
move=> dpT eq_g g_ge1 near t0_n0; rewrite -prior_given_supp.
exact: posterior_sharp dpT eq_g g_ge1 near (supp_given_sub _) t0_n0 A.
Qed.

End Connected.

Section DataSets.

Variables (R : realFieldType) (X Y : finType) (I : Type).
Variables (U : I -> X -> Prop) (d : X -> X -> option nat).
Variables (gamma : I -> option R) (T : X -> law R Y) (i : I) (g : R).

(* After dissertation Theorem 5.6.3: an attacker with a prior on the data     *)
(* sets, whose plausible ones are at distances of at most n; n = 1 where only *)
(* one record is unknown.                                                     *)
Theorem data_set_posterior n (pi : law R X) t0 (A : {set X}) :
  pure_dp U d gamma T -> gamma i = Some g -> 1 <= g ->
  within (U i) d n (supp pi) (supp pi) -> bind pi T t0 != 0 ->
  let q := Pr pi A in
  q / (q + g ^+ n * (1 - q)) <= posterior pi T t0 A
    <= g ^+ n * q / (g ^+ n * q + (1 - q)).
Proof.
move=> dpT eq_g g_ge1; rewrite -{1 2}(bind_dirac pi) => near t0_n0.
have pointE : bind pi (fun x => bind (dirac x) T) = bind pi T.
  by apply: eq_bind => x; rewrite dirac_bind.
rewrite -pointE in t0_n0.
have := posterior_connected_sharp A dpT eq_g g_ge1 near t0_n0.
rewrite /posterior pointE.
by under eq_bigr => x _ do rewrite dirac_bind.
Qed.

End DataSets.

(* Dissertation Theorem 5.6.3 as printed: data sets of two sizes, which the   *)
(* output tells; one model is sure of the first size, the other gives it one  *)
(* half. Given that size only one data set is possible, so d_** is 0, but the *)
(* posterior of the first model is 2/3 and its prior 1/2.                     *)
Theorem posterior_interval_refuted (R : realFieldType) (g : R) :
  1 < g ->
  ~ (forall (X Y Theta : finType) (r : rel X) (d : X -> X -> option nat)
        (T : X -> law R Y) (pi : law R Theta) (M : Theta -> law R X) (t0 : Y)
        (n : nat) (A : {set Theta}),
       symmetric r -> is_shortest_walk r d ->
       pure_dp (everything X) d (fun _ => Some g) T ->
       let S := supp_given (bind pi M) T t0 in
       within (everything X tt) d n S S ->
       bind pi (fun theta => bind (M theta) T) t0 != 0 ->
       posterior pi (fun theta => bind (M theta) T) t0 A <= g ^+ n * Pr pi A).
Proof.
move=> g_gt1 printed.
pose M (sure : bool) := if sure then dirac true else fair R.
have MT sure : bind (M sure) (@dirac R _) true = if sure then 1 else 2%:R^-1.
  by rewrite bind_dirac; case: sure; rewrite ?diracEl ?fairE.
have predictive : bind (fair R) (fun sure => bind (M sure) (@dirac R _)) true =
    3%:R / 4%:R.
  by rewrite bindE big_bool !MT !fairE /=; field; rewrite ?pnatr_eq0.
have := printed bool_finType bool_finType bool_finType (fun _ _ => false)
  unconnected (@dirac R _) (fair R) M true 0%N [set true] (fun _ _ => erefl)
  unconnected_shortest (@unconnected_pure R g).
rewrite /= predictive Pr1 fairE expr0 mul1r /posterior predictive big_set1.
rewrite MT fairE mulr1 => le_half; suff: (2%:R / 3%:R : R) <= 2%:R^-1.
  by rewrite ler_pdivr_mulr ?ltr0n // ler_pdivl_mull ?ltr0n // -!natrM ler_nat.
rewrite (_ : 2%:R / 3%:R = 2%:R^-1 / (3%:R / 4%:R)); last first.
  by field; rewrite ?pnatr_eq0.
apply: le_half; last by rewrite mulf_neq0 ?invr_eq0 ?pnatr_eq0.
move=> x x'; rewrite !inE !diracE !(eq_sym true) !pnatr_eq0 !eqb0 !negbK.
by move=> /andP[_ /eqP->] /andP[_ /eqP->].
Qed.
