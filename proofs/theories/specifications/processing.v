From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law extended specification pure.

(******************************************************************************)
(* Composition and post-processing are properties of the output premetric     *)
(* (dissertation section 2.5 and Appendix A.5), over finite output spaces.    *)
(*                                                                            *)
(*   D : output_premetric R == a premetric on the laws on each finite type    *)
(*   closed_composition D U d == the flavor is closed under linear, fresh     *)
(*            self-composition (Definition 2.5.1, independent seeds)          *)
(*   subadditive D == (2.10)                                                  *)
(*   immune D U d == the flavor is immune to post-processing by a function    *)
(*            (Definition 2.5.2)                                              *)
(*   data_processing D == (2.11)                                              *)
(*   immune_randomised D U d == the flavor is immune to post-processing by a  *)
(*            function of the output and of an independent seed               *)
(*   noise_processing D == (A.5)                                              *)
(*   noise_invariant D == D is invariant to extraneous noise (A.5.2)          *)
(*   seed K, draw == the seed that draws an image for every output, and the   *)
(*            function that reads it                                          *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   composition_iff_subadditive == dissertation Proposition 2.5.3            *)
(*   postprocessing_iff_data_processing == Proposition 2.5.4                  *)
(*   randomised_iff_immune == Proposition A.5.3                               *)
(*   randomised_iff_noise_processing == Corollary A.5.4                       *)
(*   randomised_noise_invariant == Lemma A.7.2                                *)
(*   kernel_as_seed == every randomised map is a function of the output and   *)
(*            of an independent seed                                          *)
(*   immune_kernel == immunity to every randomised map (Markov kernel)        *)
(*   composition_different == two specifications on one domain: their         *)
(*            matrices add                                                    *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition output_premetric (R : realFieldType) : Type :=
  forall Y : finType, premetric R (law R Y).

Section Processing.

Variables (R : realFieldType) (D : output_premetric R).

Section Flavor.

Variables (X I : Type) (U : I -> X -> Prop) (d : premetric R X).

Definition closed_composition : Prop :=
  forall (Y Z : finType) (eps eps' : I -> ext R)
         (T : X -> law R Y) (T' : X -> law R Z),
    satisfies U d (D Y) eps T -> satisfies U d (D Z) eps' T' ->
    satisfies U d (D [finType of Y * Z]) (fun i => eps i +e eps' i)
      (fun x => prod_law (T x) (T' x)).

Definition immune : Prop :=
  forall (Y Z : finType) (f : Y -> Z) (eps : I -> ext R) (T : X -> law R Y),
    satisfies U d (D Y) eps T ->
    satisfies U d (D Z) eps (fun x => map_law f (T x)).

Definition immune_randomised : Prop :=
  forall (Y V Z : finType) (f : Y * V -> Z) (Q : law R V) (eps : I -> ext R)
         (T : X -> law R Y),
    satisfies U d (D Y) eps T ->
    satisfies U d (D Z) eps (fun x => map_law f (prod_law (T x) Q)).

End Flavor.

Definition subadditive : Prop :=
  forall (Y Z : finType) (P Q : law R Y) (P' Q' : law R Z),
    D _ (prod_law P P') (prod_law Q Q') <=e D _ P Q +e D _ P' Q'.

Definition data_processing : Prop :=
  forall (Y Z : finType) (P Q : law R Y) (f : Y -> Z),
    D _ (map_law f P) (map_law f Q) <=e D _ P Q.

Definition noise_processing : Prop :=
  forall (Y V Z : finType) (P Q : law R Y) (S : law R V) (f : Y * V -> Z),
    D _ (map_law f (prod_law P S)) (map_law f (prod_law Q S)) <=e D _ P Q.

Definition noise_invariant : Prop :=
  forall (Y V : finType) (P Q : law R Y) (S : law R V),
    D _ (prod_law P S) (prod_law Q S) = D _ P Q.

(* Two data sets at distance 1 in one direction and oo in the other.          *)
Definition one_way : premetric R bool :=
  of_matrix (fun x _ : bool => if x then 1e else oo).

Definition two_laws (Y : finType) (P Q : law R Y) (x : bool) : law R Y :=
  if x then P else Q.

Lemma one_way_true (e : ext R) : e *e one_way true false = e.
Proof. by rewrite [dist _ _ _]/= /off_diagonal /= mule1. Qed.

Lemma two_laws_satisfy (Y : finType) (P Q : law R Y) :
  satisfies (everything bool) one_way (D Y) (fun _ => D Y P Q) (two_laws P Q).
Proof.
move=> _ [] [] _ _; rewrite ?dist_refl ?le0e ?one_way_true ?leexx //.
by rewrite [dist one_way _ _]/= /off_diagonal /= mule_oo leoo.
Qed.

Theorem composition_iff_subadditive :
  (forall (X I : Type) (U : I -> X -> Prop) (d : premetric R X),
     closed_composition U d) <-> subadditive.
Proof.
split=> [closed Y Z P Q P' Q' | sub X I U d Y Z eps eps' T T' sat sat'].
  have := closed _ _ _ _ _ _ _ _ _ _
    (two_laws_satisfy P Q) (two_laws_satisfy P' Q').
  by move=> /(_ tt true false Logic.I Logic.I); rewrite one_way_true.
move=> i x x' xU x'U; apply: lee_trans (sub _ _ _ _ _ _) _; rewrite mule_addl.
by apply: lee_add; [apply: sat | apply: sat'].
Qed.

Theorem postprocessing_iff_data_processing :
  (forall (X I : Type) (U : I -> X -> Prop) (d : premetric R X), immune U d)
  <-> data_processing.
Proof.
split=> [imm Y Z P Q f | proc X I U d Y Z f eps T sat].
  have := imm _ _ _ _ _ _ f _ _ (two_laws_satisfy P Q).
  by move=> /(_ tt true false Logic.I Logic.I); rewrite one_way_true.
move=> i x x' xU x'U; apply: lee_trans (proc _ _ _ _ f) _.
exact: sat.
Qed.

Theorem randomised_iff_noise_processing :
  (forall (X I : Type) (U : I -> X -> Prop) (d : premetric R X),
     immune_randomised U d) <-> noise_processing.
Proof.
split=> [imm Y V Z P Q S f | proc X I U d Y V Z f Q eps T sat].
  have := imm _ _ _ _ _ _ _ f S _ _ (two_laws_satisfy P Q).
  by move=> /(_ tt true false Logic.I Logic.I); rewrite one_way_true.
move=> i x x' xU x'U; apply: lee_trans (proc _ _ _ _ _ Q f) _.
exact: sat.
Qed.

Lemma map_prod_dirac (Y Z : finType) (P : law R Y) (f : Y -> Z) :
  map_law (fun yv : Y * unit => f yv.1) (prod_law P (dirac tt)) = map_law f P.
Proof.
rewrite prod_joint /joint_kernel /map_law bindA; apply: eq_bind => y.
by rewrite !dirac_bind.
Qed.

Lemma randomised_immune (X I : Type) (U : I -> X -> Prop)
    (d : premetric R X) : immune_randomised U d -> immune U d.
Proof.
move=> imm Y Z f eps T sat i x x' xU x'U.
rewrite -(map_prod_dirac (T x) f) -(map_prod_dirac (T x') f).
exact: (imm _ _ _ _ (dirac tt) _ _ sat).
Qed.

Theorem randomised_iff_immune (X I : Type) (U : I -> X -> Prop)
    (d : premetric R X) :
  noise_invariant -> immune_randomised U d <-> immune U d.
Proof.
move=> inv; split=> [|imm Y V Z f Q eps T sat]; first exact: randomised_immune.
apply: (imm [finType of Y * V] Z f) => i x x' xU x'U.
by rewrite inv; apply: sat.
Qed.

Lemma map_prod_fst (Y V : finType) (P : law R Y) (S : law R V) :
  map_law fst (prod_law P S) = P.
Proof.
rewrite prod_joint /joint_kernel /map_law bindA -[RHS]bind_dirac.
apply: eq_bind => y; rewrite bindA; apply: eq_law => y'; rewrite bindE.
under eq_bigr => v _ do rewrite dirac_bind [fst _]/=.
by rewrite -mulr_suml law_sum1 mul1r.
Qed.

Theorem randomised_noise_invariant :
  (forall (X I : Type) (U : I -> X -> Prop) (d : premetric R X),
     immune_randomised U d) -> noise_invariant.
Proof.
move=> imm Y V P Q S; apply: lee_anti.
  have := imm _ _ _ _ _ _ _ id S _ _ (two_laws_satisfy P Q).
  move=> /(_ tt true false Logic.I Logic.I).
  by rewrite one_way_true !map_law_id.
have := randomised_immune (imm _ _ _ _) fst
  (two_laws_satisfy (prod_law P S) (prod_law Q S)).
move=> /(_ tt true false Logic.I Logic.I).
by rewrite one_way_true !map_prod_fst.
Qed.

(* Randomised maps as kernels: the seed draws an image for every output.      *)
Section Kernel.

Variables (Y Z : finType) (K : Y -> law R Z).

Lemma seed_ge0 (g : {ffun Y -> Z}) : 0 <= \prod_y K y (g y).
Proof. by apply: prodr_ge0 => y _; apply: law_ge0. Qed.

Lemma seed_sum1 : \sum_(g : {ffun Y -> Z}) \prod_y K y (g y) = 1.
Proof.
rewrite -(bigA_distr_bigA (fun y z => K y z)) big1 // => y _.
exact: law_sum1.
Qed.

Definition seed : law R [finType of {ffun Y -> Z}] :=
  mk_law _ seed_ge0 seed_sum1.

Definition draw (yg : Y * {ffun Y -> Z}) : Z := yg.2 yg.1.

Lemma seed_draw y : map_law (fun g : {ffun Y -> Z} => g y) seed = K y.
Proof.
apply: eq_law => z; rewrite map_lawE PrE.
pose F y' z' := K y' z' * ((y' != y) || (z' == z))%:R.
transitivity (\sum_(g : {ffun Y -> Z}) \prod_y' F y' (g y')).
  apply: eq_bigr => g _; rewrite /F big_split mk_lawE; congr (_ * _).
  rewrite inE (bigD1 y) //= eqxx /= big1 ?mulr1 // => y' y'_y.
  by rewrite y'_y.
rewrite -(bigA_distr_bigA F) (bigD1 y) //=.
rewrite [X in _ * X]big1 ?mulr1 => [|y' y'_y].
  rewrite (bigD1 z) //= /F !eqxx /= mulr1 big1 ?addr0 // => z' /negbTE z'_z.
  by rewrite z'_z mulr0.
rewrite -[RHS](law_sum1 (K y')); apply: eq_bigr => z' _.
by rewrite /F y'_y mulr1.
Qed.

Theorem kernel_as_seed (P : law R Y) :
  map_law draw (prod_law P seed) = bind P K.
Proof.
rewrite prod_joint /joint_kernel /map_law bindA; apply: eq_bind => y.
rewrite -[bind _ _]/(map_law draw (map_law (pair y) seed)).
by rewrite map_law_comp seed_draw.
Qed.

Theorem immune_kernel (X I : Type) (U : I -> X -> Prop) (d : premetric R X)
    (eps : I -> ext R) (T : X -> law R Y) :
  immune_randomised U d -> satisfies U d (D Y) eps T ->
  satisfies U d (D Z) eps (fun x => bind (T x) K).
Proof.
move=> imm sat i x x' xU x'U; rewrite -!kernel_as_seed.
exact: (imm _ _ _ draw seed _ _ sat).
Qed.

End Kernel.

(* Two specifications on one domain.                                          *)
Theorem composition_different (X : Type) (Y Z : finType)
    (C C' : X -> X -> ext R) (T : X -> law R Y) (T' : X -> law R Z) :
  subadditive -> below C (D Y) T -> below C' (D Z) T' ->
  below (fun x x' => C x x' +e C' x x') (D [finType of Y * Z])
    (fun x => prod_law (T x) (T' x)).
Proof.
move=> sub le_T le_T' x x'; apply: lee_trans (sub _ _ _ _ _ _) _.
exact: lee_add (le_T x x') (le_T' x x').
Qed.

End Processing.

Arguments subadditive {R} D.
Arguments data_processing {R} D.
Arguments noise_processing {R} D.
Arguments noise_invariant {R} D.
