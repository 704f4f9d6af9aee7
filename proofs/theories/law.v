From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat.

(******************************************************************************)
(* Finite probability laws over a realFieldType, and the multiplicative       *)
(* distance between two of them, written through gamma = e^epsilon.           *)
(*                                                                            *)
(*          law R T == probability laws on T : finType with values in R; a    *)
(*                     law coerces to its mass function pmf : {ffun T -> R}   *)
(*     mk_law f0 f1 == the law with masses f : T -> R, where f0 proves that   *)
(*                     they are non-negative and f1 that they sum to 1        *)
(*           Pr P A == the probability \sum_(t in A) P t of A : {set T}       *)
(*          dirac t == the point mass at t                                    *)
(*         bind P K == the mixture u |-> \sum_t P t * K t u, K : T -> law R U *)
(*      map_law f P == the push-forward of P by f : T -> U                    *)
(*     prod_law P Q == the product of P and Q on T * U                        *)
(*       cond P A h == P conditioned on A, where h : 0 < Pr P A               *)
(*        condP P A == the same, and P itself if Pr P A = 0                   *)
(*    uniform_on t0 A == the uniform law on A, and dirac t0 if A is empty     *)
(*         bern p h == the law on bool with mass p at true, h : 0 <= p <= 1   *)
(*    mult_le g P Q == for every event A, Pr P A <= g * Pr Q A and            *)
(*                     Pr Q A <= g * Pr P A: that is, D_Mult(P, Q) <= ln g    *)
(*                                                                            *)
(* Headline lemmas                                                            *)
(*   law_eqP == two laws are equal iff their masses are                       *)
(*   mult_leP == on atoms: mult_le is P t <= g Q t /\ Q t <= g P t            *)
(*   bindA, bind_dirac, dirac_bind == the laws of the monad                   *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Law.

Variable R : realFieldType.

Definition is_pmf (T : finType) (f : {ffun T -> R}) : bool :=
  [forall t, 0 <= f t] && (\sum_t f t == 1).

Record law (T : finType) := Law {pmf :> {ffun T -> R}; _ : is_pmf pmf}.

Canonical law_subType T := Eval hnf in
  sub_type_by (v := @pmf T) (c := @Law T)
    (fun K k P => let: Law f f1 as Q := P return K Q in k f f1)
    (fun f f1 => erefl).
Canonical law_eqType T := Eval hnf in
  eq_type_by (sT := law T) (@val_eqP _ _ (law_subType T)).
Canonical law_choiceType T := Eval hnf in
  choice_type_by (sT := law T) (@val_eqP _ _ (law_subType T))
    (@valK _ _ (law_subType T)).

Section Basics.

Variable T : finType.
Implicit Types (P Q : law T) (A B : {set T}) (t : T).

Lemma law_ge0 P t : 0 <= P t.
Proof. by case: P => f /= /andP[/forallP f_ge0 _]; apply: f_ge0. Qed.

Lemma law_sum1 P : \sum_t P t = 1.
Proof. by case: P => f /= /andP[_ /eqP]. Qed.

Lemma law_eqP P Q : P = Q <-> P =1 Q.
Proof.
by split=> [->// | eqPQ]; apply: val_inj; apply/ffunP=> t; apply: eqPQ.
Qed.

Lemma law_le1 P t : P t <= 1.
Proof.
rewrite -(law_sum1 P) (bigD1 t) //= ler_addl.
by apply: sumr_ge0 => u _; apply: law_ge0.
Qed.

Lemma law_witness P : {t | P t != 0}.
Proof.
case: (pickP (fun t => P t != 0)) => [t Pt | P0]; first by exists t.
have := law_sum1 P; rewrite big1 => [/esym/eqP | t _]; last first.
  by apply/eqP; have := P0 t => /negbFE.
by rewrite oner_eq0.
Qed.

Section Make.

Variable f : T -> R.
Hypothesis f_ge0 : forall t, 0 <= f t.
Hypothesis f_sum1 : \sum_t f t = 1.

Lemma mk_law_proof : is_pmf [ffun t => f t].
Proof.
apply/andP; split; first by apply/forallP=> t; rewrite ffunE f_ge0.
by apply/eqP; rewrite -f_sum1; apply: eq_bigr => t _; rewrite ffunE.
Qed.

Definition mk_law : law T := Law mk_law_proof.

Lemma mk_lawE t : mk_law t = f t.
Proof. by rewrite ffunE. Qed.

End Make.

Definition Pr P A : R := \sum_(t in A) P t.

Lemma Pr_ge0 P A : 0 <= Pr P A.
Proof. by apply: sumr_ge0 => t _; apply: law_ge0. Qed.

Lemma Pr1 P t : Pr P [set t] = P t.
Proof. by rewrite /Pr big_set1. Qed.

Lemma Pr0 P : Pr P set0 = 0.
Proof. by rewrite /Pr big_set0. Qed.

Lemma PrT P : Pr P setT = 1.
Proof. by rewrite -(law_sum1 P); apply: eq_bigl => t; rewrite inE. Qed.

Lemma PrE P A : Pr P A = \sum_t P t * (t \in A)%:R.
Proof.
rewrite /Pr big_mkcond; apply: eq_bigr => t _.
by case: (t \in A); rewrite ?mulr1 ?mulr0.
Qed.

Lemma PrC P A : Pr P (~: A) = 1 - Pr P A.
Proof.
apply/eqP; rewrite eq_sym subr_eq addrC -(law_sum1 P) (bigID (mem A)) /=.
by apply/eqP; congr (_ + _); apply: eq_bigl => t; rewrite inE.
Qed.

Lemma PrU P A B : [disjoint A & B] -> Pr P (A :|: B) = Pr P A + Pr P B.
Proof.
by move=> dAB; rewrite /Pr -bigU //; apply: eq_bigl => t; rewrite !inE.
Qed.

Lemma PrID P A B : Pr P A = Pr P (A :&: B) + Pr P (A :\: B).
Proof.
rewrite -PrU ?setID // -setI_eq0 -subset0; apply/subsetP=> t; rewrite !inE.
by case: (t \in B); rewrite ?andbF.
Qed.

Lemma Pr_le P A B : A \subset B -> Pr P A <= Pr P B.
Proof.
move=> sAB; rewrite (PrID P B A) (setIidPr sAB) ler_addl.
exact: Pr_ge0.
Qed.

Lemma Pr_le1 P A : Pr P A <= 1.
Proof. by rewrite -(PrT P) Pr_le // subsetT. Qed.

Lemma Pr_eq0 P A : (Pr P A == 0) = [forall (t | t \in A), P t == 0].
Proof.
rewrite /Pr psumr_eq0 => [|t _]; last exact: law_ge0.
apply/allP/forallP=> [P0 t | P0 t _]; last exact: P0.
by apply: P0; rewrite mem_index_enum.
Qed.

Lemma eq_law P Q : (forall t, P t = Q t) -> P = Q.
Proof. by move=> eqPQ; apply/law_eqP. Qed.

(* Masses of one law below those of another: the laws are equal.              *)
Lemma le_law_eq P Q : (forall t, P t <= Q t) -> P = Q.
Proof.
move=> lePQ; apply: eq_law => t; apply/eqP; rewrite eq_sym -subr_eq0.
have: \sum_u (Q u - P u) == 0 by rewrite sumrB !law_sum1 subrr.
rewrite psumr_eq0 => [/allP/(_ t)|u _]; last by rewrite subr_ge0.
by apply; rewrite mem_index_enum.
Qed.

(* Point masses                                                               *)

Lemma dirac_ge0 t u : 0 <= (u == t)%:R :> R.
Proof. exact: ler0n. Qed.

Lemma dirac_sum1 t : \sum_u (u == t)%:R = 1 :> R.
Proof. by rewrite (bigD1 t) //= eqxx big1 ?addr0 // => u /negbTE->. Qed.

Definition dirac t : law T :=
  mk_law (f := fun u : Equality.sort T => (u == t)%:R)
    (dirac_ge0 t) (dirac_sum1 t).

Lemma diracE t u : dirac t u = (u == t)%:R.
Proof. exact: mk_lawE. Qed.

Lemma diracEl t : dirac t t = 1.
Proof. by rewrite diracE eqxx. Qed.

Lemma Pr_dirac t A : Pr (dirac t) A = (t \in A)%:R.
Proof.
rewrite PrE (bigD1 t) //= diracEl mul1r big1 ?addr0 // => u /negbTE u_t.
by rewrite diracE u_t mul0r.
Qed.

(* Conditioning                                                               *)

Section Cond.

Variables (P : law T) (A : {set T}).
Hypothesis PA_gt0 : 0 < Pr P A.

Lemma cond_ge0 t : 0 <= P t * (t \in A)%:R / Pr P A.
Proof. by rewrite divr_ge0 ?mulr_ge0 ?ler0n ?law_ge0 ?Pr_ge0. Qed.

Lemma cond_sum1 : \sum_t P t * (t \in A)%:R / Pr P A = 1.
Proof. by rewrite -mulr_suml -PrE divff // gt_eqF. Qed.

Definition cond : law T :=
  mk_law (f := fun t => P t * (t \in A)%:R / Pr P A) cond_ge0 cond_sum1.

Lemma condE t : cond t = P t * (t \in A)%:R / Pr P A.
Proof. exact: mk_lawE. Qed.

End Cond.

Definition condP P A : law T :=
  if boolP (0 < Pr P A) is AltTrue PA_gt0 then cond PA_gt0 else P.

Lemma condPE P A t :
  0 < Pr P A -> condP P A t = P t * (t \in A)%:R / Pr P A.
Proof.
move=> PA_gt0; rewrite /condP; case: {-}_ / boolP; last by rewrite PA_gt0.
by move=> ?; rewrite condE.
Qed.

(* Uniform laws                                                               *)

Section Uniform.

Variables (t0 : T) (A : {set T}).

Definition uniform_mass t : R :=
  if A == set0 then (t == t0)%:R else (t \in A)%:R / #|A|%:R.

Lemma uniform_ge0 t : 0 <= uniform_mass t.
Proof. by rewrite /uniform_mass; case: ifP; rewrite ?divr_ge0 ?ler0n. Qed.

Lemma uniform_sum1 : \sum_t uniform_mass t = 1.
Proof.
rewrite /uniform_mass; case: eqVneq => [_ | A_n0]; first exact: dirac_sum1.
rewrite -mulr_suml -natr_sum -big_mkcond /= sum1_card divff //.
by rewrite pnatr_eq0 -lt0n card_gt0.
Qed.

Definition uniform_on : law T :=
  mk_law (f := uniform_mass) uniform_ge0 uniform_sum1.

Lemma uniform_onE t :
  A != set0 -> uniform_on t = (t \in A)%:R / #|A|%:R.
Proof. by move=> /negbTE A_n0; rewrite mk_lawE /uniform_mass A_n0. Qed.

Lemma uniform_on_in t : t \in A -> uniform_on t = #|A|%:R^-1.
Proof.
move=> tA; rewrite uniform_onE ?tA ?mul1r //.
by apply/set0Pn; exists t.
Qed.

Lemma uniform_on_out t : A != set0 -> t \notin A -> uniform_on t = 0.
Proof. by move=> A_n0 /negbTE tA; rewrite uniform_onE // tA mul0r. Qed.

End Uniform.

(* The multiplicative distance                                                *)

Definition mult_le (g : R) P Q : Prop :=
  forall A : {set T}, Pr P A <= g * Pr Q A /\ Pr Q A <= g * Pr P A.

Lemma mult_leP g P Q :
  mult_le g P Q <-> forall t, P t <= g * Q t /\ Q t <= g * P t.
Proof.
split=> [lePQ t | lePQ A]; first by have := lePQ [set t]; rewrite !Pr1.
by rewrite /Pr !mulr_sumr; split; apply: ler_sum => t _; have [] := lePQ t.
Qed.

End Basics.

(* Mixtures, push-forwards, products                                          *)

Section Mixture.

Variables T U : finType.
Implicit Types (P : law T) (K : T -> law U).

Lemma bind_ge0 P K u : 0 <= \sum_t P t * K t u.
Proof. by apply: sumr_ge0 => t _; rewrite mulr_ge0 ?law_ge0. Qed.

Lemma bind_sum1 P K : \sum_u \sum_t P t * K t u = 1.
Proof.
rewrite exchange_big -(law_sum1 P); apply: eq_bigr => t _.
by rewrite -mulr_sumr law_sum1 mulr1.
Qed.

Definition bind P K : law U :=
  mk_law (f := fun u : Equality.sort U => \sum_t P t * K t u)
    (bind_ge0 P K) (bind_sum1 P K).

Lemma bindE P K u : bind P K u = \sum_t P t * K t u.
Proof. exact: mk_lawE. Qed.

Lemma Pr_bind P K (B : {set U}) : Pr (bind P K) B = \sum_t P t * Pr (K t) B.
Proof.
rewrite /Pr (eq_bigr (fun u => \sum_t P t * K t u)) => [|u _].
  by rewrite exchange_big; apply: eq_bigr => t _; rewrite mulr_sumr.
exact: bindE.
Qed.

Lemma dirac_bind t K : bind (dirac t) K = K t.
Proof.
apply: eq_law => u; rewrite bindE (bigD1 t) //= diracEl mul1r big1 ?addr0 //.
by move=> t' /negbTE t'_t; rewrite diracE t'_t mul0r.
Qed.

Lemma eq_bind P K K' : (forall t, K t = K' t) -> bind P K = bind P K'.
Proof.
move=> eqK; apply: eq_law => u; rewrite !bindE.
by apply: eq_bigr => t _; rewrite eqK.
Qed.

Definition map_law (f : T -> U) P : law U := bind P (fun t => dirac (f t)).

Lemma map_lawE f P u : map_law f P u = Pr P [set t | f t == u].
Proof.
rewrite bindE PrE; apply: eq_bigr => t _.
by rewrite diracE inE eq_sym.
Qed.

Lemma Pr_map f P (B : {set U}) : Pr (map_law f P) B = Pr P (f @^-1: B).
Proof.
rewrite Pr_bind PrE; apply: eq_bigr => t _.
by rewrite Pr_dirac inE.
Qed.

Lemma map_law_inj f P t : injective f -> map_law f P (f t) = P t.
Proof.
move=> f_inj; rewrite map_lawE -(Pr1 P t); congr (Pr P _).
by apply/setP=> t'; rewrite !inE (inj_eq f_inj).
Qed.

Lemma map_dirac (f : T -> U) t : map_law f (dirac t) = dirac (f t).
Proof. exact: dirac_bind. Qed.

Section Product.

Variables (P : law T) (Q : law U).

Lemma prod_ge0 (tu : T * U) : 0 <= P tu.1 * Q tu.2.
Proof. by rewrite mulr_ge0 ?law_ge0. Qed.

Lemma prod_sum1 : \sum_(tu : T * U) P tu.1 * Q tu.2 = 1.
Proof.
rewrite -(pair_bigA _ (fun t u => P t * Q u)) /= -(law_sum1 P).
by apply: eq_bigr => t _; rewrite -mulr_sumr law_sum1 mulr1.
Qed.

Definition prod_law : law [finType of T * U] := mk_law prod_ge0 prod_sum1.

Lemma prod_lawE t u : prod_law (t, u) = P t * Q u.
Proof. exact: mk_lawE. Qed.

End Product.

End Mixture.

Lemma bind_dirac (T : finType) (P : law T) : bind P (@dirac T) = P.
Proof.
apply: eq_law => t; rewrite bindE (bigD1 t) //= diracEl mulr1 big1 ?addr0 //.
by move=> t' /negbTE t'_t; rewrite diracE eq_sym t'_t mulr0.
Qed.

Lemma bindA (T U V : finType) (P : law T) (K : T -> law U) (L : U -> law V) :
  bind (bind P K) L = bind P (fun t => bind (K t) L).
Proof.
apply: eq_law => v; rewrite !bindE.
under eq_bigr => u _ do rewrite bindE mulr_suml.
rewrite exchange_big; apply: eq_bigr => t _; rewrite bindE mulr_sumr.
by apply: eq_bigr => u _; rewrite mulrA.
Qed.

Lemma map_law_comp (T U V : finType) (f : T -> U) (g : U -> V) (P : law T) :
  map_law g (map_law f P) = map_law (g \o f) P.
Proof. by rewrite /map_law bindA; apply: eq_bind => t; rewrite dirac_bind. Qed.

Lemma map_law_id (T : finType) (P : law T) : map_law id P = P.
Proof. exact: bind_dirac. Qed.

(* Laws on bool                                                               *)

Section Bernoulli.

Variable p : R.
Hypothesis p01 : 0 <= p <= 1.

Lemma bern_ge0 b : 0 <= if b then p else 1 - p.
Proof. by case/andP: p01 => p_ge0 p_le1; case: b; rewrite ?subr_ge0. Qed.

Lemma bern_sum1 : \sum_b (if b then p else 1 - p) = 1.
Proof. by rewrite big_bool /= addrC subrK. Qed.

Definition bern : law [finType of bool] :=
  mk_law (f := fun b : bool => if b then p else 1 - p) bern_ge0 bern_sum1.

Lemma bernE b : bern b = if b then p else 1 - p.
Proof. exact: mk_lawE. Qed.

End Bernoulli.

End Law.

Arguments mk_law {R T} f f_ge0 f_sum1.
Arguments dirac {R T} t.
Arguments cond {R T} P A PA_gt0.
Arguments uniform_on {R T} t0 A.
Arguments bern {R} p p01.
Arguments prod_law {R T U} P Q.
Arguments map_law {R T U} f P.
