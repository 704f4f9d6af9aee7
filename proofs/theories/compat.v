From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.

(******************************************************************************)
(* The same sources for two versions of Mathematical Components: 1.15, which  *)
(* is Debian 12's, and 2.3, which is Debian 13's. What one of them lacks, or  *)
(* calls otherwise, stands here; but for real_field.v, which has a namesake   *)
(* in mathcomp2/, and [archiFieldType of T] in instances.v, which loads more, *)
(* no other file knows of versions.                                           *)
(*                                                                            *)
(*   [finType of T] == the instance on T; also eqType, choiceType and         *)
(*                     numDomainType                                          *)
(*   bool_finType == the instance on bool; its like for other types           *)
(*   eq_type_by, sub_type_by, choice_type_by, monoid_by, com_monoid_by ==     *)
(*     structures for Canonical, from the properties that they need           *)
(*                                                                            *)
(* The lemmas of ordered rings keep the names of 1.15; 2.3 calls them by the  *)
(* second name in each proof.                                                 *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.

Definition eq_type_of (T : Type) (s : eqType)
  of phant_id (s : Type) T := s.
Definition choice_type_of (T : Type) (s : choiceType)
  of phant_id (s : Type) T := s.
Definition fin_type_of (T : Type) (s : finType)
  of phant_id (s : Type) T := s.
Definition field_of (T : Type) (s : fieldType)
  of phant_id (s : Type) T := s.
Definition num_domain_of (T : Type) (s : numDomainType)
  of phant_id (s : Type) T := s.
Definition num_field_of (T : Type) (s : numFieldType)
  of phant_id (s : Type) T := s.
Definition real_domain_of (T : Type) (s : realDomainType)
  of phant_id (s : Type) T := s.
Definition real_field_of (T : Type) (s : realFieldType)
  of phant_id (s : Type) T := s.

Notation "[ 'eqType' 'of' T ]" := (@eq_type_of T%type _ id)
  (at level 0, format "[ 'eqType'  'of'  T ]") : form_scope.
Notation "[ 'choiceType' 'of' T ]" := (@choice_type_of T%type _ id)
  (at level 0, format "[ 'choiceType'  'of'  T ]") : form_scope.
Notation "[ 'finType' 'of' T ]" := (@fin_type_of T%type _ id)
  (at level 0, format "[ 'finType'  'of'  T ]") : form_scope.
Notation "[ 'numDomainType' 'of' T ]" := (@num_domain_of T%type _ id)
  (at level 0, format "[ 'numDomainType'  'of'  T ]") : form_scope.

Notation bool_eqType := ltac:(
  let s := eval cbv beta delta [eq_type_of]
  in (@eq_type_of bool _ id) in exact s)
  (only parsing).
Notation bool_choiceType := ltac:(
  let s := eval cbv beta delta [choice_type_of]
  in (@choice_type_of bool _ id) in exact s)
  (only parsing).
Notation bool_finType := ltac:(
  let s := eval cbv beta delta [fin_type_of]
  in (@fin_type_of bool _ id) in exact s)
  (only parsing).
Notation nat_eqType := ltac:(
  let s := eval cbv beta delta [eq_type_of]
  in (@eq_type_of nat _ id) in exact s)
  (only parsing).
Notation unit_eqType := ltac:(
  let s := eval cbv beta delta [eq_type_of]
  in (@eq_type_of unit _ id) in exact s)
  (only parsing).
Notation unit_finType := ltac:(
  let s := eval cbv beta delta [fin_type_of]
  in (@fin_type_of unit _ id) in exact s)
  (only parsing).
Notation rat_fieldType := ltac:(
  let s := eval cbv beta delta [field_of]
  in (@field_of rat _ id) in exact s)
  (only parsing).
Notation rat_numDomainType := ltac:(
  let s := eval cbv beta delta [num_domain_of]
  in (@num_domain_of rat _ id) in exact s)
  (only parsing).
Notation rat_numFieldType := ltac:(
  let s := eval cbv beta delta [num_field_of]
  in (@num_field_of rat _ id) in exact s)
  (only parsing).
Notation rat_realDomainType := ltac:(
  let s := eval cbv beta delta [real_domain_of]
  in (@real_domain_of rat _ id) in exact s)
  (only parsing).
Notation rat_realFieldType := ltac:(
  let s := eval cbv beta delta [real_field_of]
  in (@real_field_of rat _ id) in exact s)
  (only parsing).

Section Structures.

Variables (T : Type) (P : pred T) (sT : Type) (v : sT -> T).

Definition eq_type_by (eqb : rel sT) (eqbP : Equality.axiom eqb) : eqType.
Proof. by exists sT; do ![exact: eqbP | econstructor]. Defined.

Definition sub_type_by (c : forall x, P x -> sT)
  (c_rect : forall K : sT -> Type, (forall x Px, K (c x Px)) -> forall u, K u)
  (cK : forall x Px, v (c x Px) = x) : subType P.
Proof.
first [ exact: (@SubType T P sT v c c_rect cK)
      | exists sT; do ![exact: cK | exact: c_rect | econstructor] ].
Defined.

End Structures.

Section Subtypes.

Variables (T : choiceType) (sT : Type) (f : sT -> T) (g : T -> option sT).

Definition choice_type_by (eqb : rel sT) (eqbP : Equality.axiom eqb)
  (fK : pcancel f g) : choiceType.
Proof.
exists sT; constructor;
  first [ exact: (Equality.class (eq_type_by eqbP))
        | exact: (PcanChoiceMixin fK)
        | by case: (Equality.class (eq_type_by eqbP))
        | by case: (Choice.class [choiceType of pcan_type fK]) ].
Defined.

End Subtypes.

Section Monoids.

Variables (T : Type) (idm : T) (op : T -> T -> T).
Hypotheses (opA : associative op) (op1 : left_id idm op).
Hypotheses (op1r : right_id idm op) (opC : commutative op).

Definition monoid_by : Monoid.law idm.
Proof.
by exists op; do ![exact: opA | exact: op1 | exact: op1r | econstructor].
Defined.

Definition com_monoid_by : Monoid.com_law idm.
Proof.
first [ by exists monoid_by
      | by exists op; do ![exact: opA | exact: op1 | exact: op1r | exact: opC
                          | econstructor] ].
Defined.

End Monoids.

Section Orders.

Variables (disp : _) (T : orderType disp).
Implicit Types x y z : T.

Lemma le_maxl z x y : (Order.max x y <= z)%O = (x <= z)%O && (y <= z)%O.
Proof. by first [exact: le_maxl | exact: ge_max]. Qed.

Lemma le_maxr z x y : (z <= Order.max x y)%O = (z <= x)%O || (z <= y)%O.
Proof. by first [exact: le_maxr | exact: le_max]. Qed.

Lemma le_minl z x y : (Order.min x y <= z)%O = (x <= z)%O || (y <= z)%O.
Proof. by first [exact: le_minl | exact: ge_min]. Qed.

Lemma le_minr z x y : (z <= Order.min x y)%O = (z <= x)%O && (z <= y)%O.
Proof. by first [exact: le_minr | exact: le_min]. Qed.

Lemma lt_maxl z x y : (Order.max x y < z)%O = (x < z)%O && (y < z)%O.
Proof. by first [exact: lt_maxl | exact: gt_max]. Qed.

End Orders.

Local Open Scope ring_scope.

Section Domains.

Variable R : numDomainType.
Implicit Types x y z t : R.

Lemma ger_pmull x y : 0 < y -> (x * y <= y) = (x <= 1).
Proof. by first [exact: ger_pmull | exact: ger_pMl]. Qed.

Lemma ger_pmulr x y : 0 < y -> (y * x <= y) = (x <= 1).
Proof. by first [exact: ger_pmulr | exact: ger_pMr]. Qed.

Lemma gtr_addl x y : (x + y < x) = (y < 0).
Proof. by first [exact: gtr_addl | exact: gtrDl]. Qed.

Lemma gtr_pmulr x y : 0 < y -> (y * x < y) = (x < 1).
Proof. by first [exact: gtr_pmulr | exact: gtr_pMr]. Qed.

Lemma ler_add x y z t : x <= y -> z <= t -> x + z <= y + t.
Proof. by first [exact: ler_add | exact: lerD]. Qed.

Lemma ler_add2l x : {mono +%R x : y z / y <= z}.
Proof. by first [exact: ler_add2l | exact: lerD2l]. Qed.

Lemma ler_add2r x : {mono +%R^~ x : y z / y <= z}.
Proof. by first [exact: ler_add2r | exact: lerD2r]. Qed.

Lemma ler_addl x y : (x <= x + y) = (0 <= y).
Proof. by first [exact: ler_addl | exact: lerDl]. Qed.

Lemma ler_addr x y : (x <= y + x) = (0 <= y).
Proof. by first [exact: ler_addr | exact: lerDr]. Qed.

Lemma ler_eexpr x n : (0 < n)%N -> 1 <= x -> x <= x ^+ n.
Proof. by first [exact: ler_eexpr | exact: ler_eXnr]. Qed.

Lemma ler_expn2r n : {in Num.nneg &, {homo (fun x : R => x ^+ n) :
  x y / x <= y}}.
Proof. by first [exact: ler_expn2r | exact: lerXn2r]. Qed.

Lemma ler_norm_add x y : `|x + y| <= `|x| + `|y|.
Proof. by first [exact: ler_norm_add | exact: ler_normD]. Qed.

Lemma ler_opp2 : {mono -%R : x y /~ x <= y :> R}.
Proof. by first [exact: ler_opp2 | exact: lerN2]. Qed.

Lemma ler_paddl y x z : 0 <= x -> y <= z -> y <= x + z.
Proof. by first [exact: ler_paddl | exact: ler_wpDl]. Qed.

Lemma ler_paddr y x z : 0 <= x -> y <= z -> y <= z + x.
Proof. by first [exact: ler_paddr | exact: ler_wpDr]. Qed.

Lemma ler_pemull x y : 0 <= y -> 1 <= x -> y <= x * y.
Proof. by first [exact: ler_pemull | exact: ler_peMl]. Qed.

Lemma ler_pemulr x y : 0 <= y -> 1 <= x -> y <= y * x.
Proof. by first [exact: ler_pemulr | exact: ler_peMr]. Qed.

Lemma ler_pexpn2r n : (0 < n)%N ->
  {in Num.nneg &, {mono (fun x : R => x ^+ n) : x y / x <= y}}.
Proof. by first [exact: ler_pexpn2r | exact: ler_pXn2r]. Qed.

Lemma ler_pimull x y : 0 <= y -> x <= 1 -> x * y <= y.
Proof. by first [exact: ler_pimull | exact: ler_piMl]. Qed.

Lemma ler_pimulr x y : 0 <= y -> x <= 1 -> y * x <= y.
Proof. by first [exact: ler_pimulr | exact: ler_piMr]. Qed.

Lemma ler_pmul x1 y1 x2 y2 : 0 <= x1 -> 0 <= x2 -> x1 <= y1 -> x2 <= y2 ->
  x1 * x2 <= y1 * y2.
Proof. by first [exact: ler_pmul | exact: ler_pM]. Qed.

Lemma ler_pmul2l x : 0 < x -> {mono *%R x : y z / y <= z}.
Proof. by first [exact: ler_pmul2l | exact: ler_pM2l]. Qed.

Lemma ler_pmul2r x : 0 < x -> {mono *%R^~ x : y z / y <= z}.
Proof. by first [exact: ler_pmul2r | exact: ler_pM2r]. Qed.

Lemma ler_pmull x y : 0 < y -> (y <= x * y) = (1 <= x).
Proof. by first [exact: ler_pmull | exact: ler_pMl]. Qed.

Lemma ler_pmulr x y : 0 < y -> (y <= y * x) = (1 <= x).
Proof. by first [exact: ler_pmulr | exact: ler_pMr]. Qed.

Lemma ler_subl_addl x y z : (x - y <= z) = (x <= y + z).
Proof. by first [exact: ler_subl_addl | exact: lerBlDl]. Qed.

Lemma ler_subl_addr x y z : (x - y <= z) = (x <= z + y).
Proof. by first [exact: ler_subl_addr | exact: lerBlDr]. Qed.

Lemma ler_subr_addl x y z : (x <= y - z) = (z + x <= y).
Proof. by first [exact: ler_subr_addl | exact: lerBrDl]. Qed.

Lemma ler_subr_addr x y z : (x <= y - z) = (x + z <= y).
Proof. by first [exact: ler_subr_addr | exact: lerBrDr]. Qed.

Lemma ler_weexpn2l x : 1 <= x ->
  {homo GRing.exp x : m n / (m <= n)%N >-> m <= n}.
Proof. by first [exact: ler_weexpn2l | exact: ler_weXn2l]. Qed.

Lemma ler_wiexpn2l x : 0 <= x -> x <= 1 ->
  {homo GRing.exp x : m n / (n <= m)%N >-> m <= n}.
Proof. by first [exact: ler_wiexpn2l | exact: ler_wiXn2l]. Qed.

Lemma ler_wmuln2r n : {homo (fun x : R => x *+ n) : x y / x <= y}.
Proof. by first [exact: ler_wmuln2r | exact: ler_wMn2r]. Qed.

Lemma ler_wpmul2l x : 0 <= x -> {homo *%R x : y z / y <= z}.
Proof. by first [exact: ler_wpmul2l | exact: ler_wpM2l]. Qed.

Lemma ler_wpmul2r x : 0 <= x -> {homo *%R^~ x : y z / y <= z}.
Proof. by first [exact: ler_wpmul2r | exact: ler_wpM2r]. Qed.

Lemma ler_wpmuln2l x : 0 <= x ->
  {homo GRing.natmul x : m n / (m <= n)%N >-> m <= n}.
Proof. by first [exact: ler_wpmuln2l | exact: ler_wpMn2l]. Qed.

Lemma ltr_add x y z t : x < y -> z < t -> x + z < y + t.
Proof. by first [exact: ltr_add | exact: ltrD]. Qed.

Lemma ltr_add2l x : {mono +%R x : y z / y < z}.
Proof. by first [exact: ltr_add2l | exact: ltrD2l]. Qed.

Lemma ltr_add2r x : {mono +%R^~ x : y z / y < z}.
Proof. by first [exact: ltr_add2r | exact: ltrD2r]. Qed.

Lemma ltr_addl x y : (x < x + y) = (0 < y).
Proof. by first [exact: ltr_addl | exact: ltrDl]. Qed.

Lemma ltr_addr x y : (x < y + x) = (0 < y).
Proof. by first [exact: ltr_addr | exact: ltrDr]. Qed.

Lemma ltr_expn2r n x y : 0 <= x -> x < y -> (x ^+ n < y ^+ n) = (n != 0%N).
Proof. by first [exact: ltr_expn2r | exact: ltrXn2r]. Qed.

Lemma ltr_paddl y x z : 0 <= x -> y < z -> y < x + z.
Proof. by first [exact: ltr_paddl | exact: ltr_wpDl]. Qed.

Lemma ltr_paddr y x z : 0 <= x -> y < z -> y < z + x.
Proof. by first [exact: ltr_paddr | exact: ltr_wpDr]. Qed.

Lemma ltr_pmul2l x : 0 < x -> {mono *%R x : y z / y < z}.
Proof. by first [exact: ltr_pmul2l | exact: ltr_pM2l]. Qed.

Lemma ltr_pmul2r x : 0 < x -> {mono *%R^~ x : y z / y < z}.
Proof. by first [exact: ltr_pmul2r | exact: ltr_pM2r]. Qed.

Lemma ltr_pmulr x y : 0 < y -> (y < y * x) = (1 < x).
Proof. by first [exact: ltr_pmulr | exact: ltr_pMr]. Qed.

Lemma ltr_spaddl y x z : 0 < x -> y <= z -> y < x + z.
Proof. by first [exact: ltr_spaddl | exact: ltr_pwDl]. Qed.

Lemma ltr_subl_addr x y z : (x - y < z) = (x < z + y).
Proof. by first [exact: ltr_subl_addr | exact: ltrBlDr]. Qed.

Lemma ltr_subr_addl x y z : (x < y - z) = (z + x < y).
Proof. by first [exact: ltr_subr_addl | exact: ltrBrDl]. Qed.

Lemma ltr_subr_addr x y z : (x < y - z) = (x + z < y).
Proof. by first [exact: ltr_subr_addr | exact: ltrBrDr]. Qed.

End Domains.

Section Fields.

Variable F : numFieldType.
Implicit Types x y z : F.

Lemma ler_pdivl_mull z x y : 0 < z -> (x <= z^-1 * y) = (z * x <= y).
Proof. by first [exact: ler_pdivl_mull | exact: ler_pdivlMl]. Qed.

Lemma ler_pdivl_mulr z x y : 0 < z -> (x <= y / z) = (x * z <= y).
Proof. by first [exact: ler_pdivl_mulr | exact: ler_pdivlMr]. Qed.

Lemma ler_pdivr_mull z x y : 0 < z -> (z^-1 * y <= x) = (y <= z * x).
Proof. by first [exact: ler_pdivr_mull | exact: ler_pdivrMl]. Qed.

Lemma ler_pdivr_mulr z x y : 0 < z -> (y / z <= x) = (y <= x * z).
Proof. by first [exact: ler_pdivr_mulr | exact: ler_pdivrMr]. Qed.

Lemma ltr_pdivl_mulr z x y : 0 < z -> (x < y / z) = (x * z < y).
Proof. by first [exact: ltr_pdivl_mulr | exact: ltr_pdivlMr]. Qed.

Lemma ltr_pdivr_mulr z x y : 0 < z -> (y / z < x) = (y < x * z).
Proof. by first [exact: ltr_pdivr_mulr | exact: ltr_pdivrMr]. Qed.

Lemma ltf_pinv : {in Num.pos &, {mono GRing.inv : x y /~ x < y :> F}}.
Proof. by first [exact: ltf_pinv | exact: ltf_pV2]. Qed.

End Fields.

Lemma maxr_pmull (R : realDomainType) (x y z : R) :
  0 <= x -> Num.max y z * x = Num.max (y * x) (z * x).
Proof. by first [exact: maxr_pmull | exact: maxr_pMl]. Qed.
