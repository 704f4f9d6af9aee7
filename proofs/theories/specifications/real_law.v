From Coq Require Import Reals Lra List.
From mathcomp Require Import all_ssreflect all_algebra.
From Stirred Require Import law pure invariant_multiverse exponential.
From Stirred Require Import unordered_sum normalized_renyi nor_conversion.

(******************************************************************************)
(* A law on a finite set with probabilities in a field inside the reals, as a *)
(* law of the theory of zCDP, which is over the reals and any outcome space.  *)
(*                                                                            *)
(*   embedded_law   its masses are a law there                                *)
(*   embedded_joint   the two joints of independent outcomes are one          *)
(*   embedded_event   the two probabilities of an event are one               *)
(*   embedded_pure   so are the two relations of pure privacy                 *)
(*   embedded_approximate   and the two of approximate privacy                *)
(******************************************************************************)

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.

Local Open Scope R_scope.

Section RealLaw.

Variables (F : realFieldType) (f : F -> R).
Hypothesis f_embeds : embedding f.

Lemma mem_In (T : eqType) (t : T) (s : seq T) : (t \in s) <-> In t s.
Proof.
elim: s => //= u s IHs; rewrite inE.
by split=> [/predU1P[->|/IHs] | [->|/IHs ->]]; rewrite ?eqxx ?orbT; auto.
Qed.

Lemma uniq_NoDup (T : eqType) (s : seq T) : uniq s -> NoDup s.
Proof.
elim: s => [|t s IHs] /=; first by constructor.
by case/andP=> ts /IHs; constructor=> // /mem_In; apply/negP.
Qed.

Lemma embed_sum (T : Type) (s : seq T) (g : T -> F) :
  f (\sum_(t <- s) g t)%R = finite_sum (fun t => f (g t)) s.
Proof.
elim: s => [|t s IHs] /=; first by rewrite big_nil (embed0 f_embeds).
by rewrite big_cons (embedD f_embeds) IHs.
Qed.

Lemma embedded_law (T : finType) (P : law F T) : is_law (fun t => f (P t)).
Proof.
have ge0 t : 0 <= f (P t).
  by rewrite -(embed0 f_embeds); apply/embed_le/law_ge0.
have sumE : finite_sum (fun t => f (P t)) (enum T) = 1.
  by rewrite -embed_sum -(embed1 f_embeds) -(law_sum1 P) big_enum.
apply: is_sum_intro => // [s uniq_s | b bound]; rewrite -sumE.
  by apply: finite_sum_incl => // t _; apply/mem_In; rewrite mem_enum.
by apply: bound; apply: uniq_NoDup; apply: enum_uniq.
Qed.

Lemma embedded_joint (T U : finType) (P : law F T) (Q : law F U) t :
  joint (fun t => f (P t)) (fun u => f (Q u)) t = f (prod_law P Q t).
Proof. by case: t => t u; rewrite prod_lawE (embedM f_embeds). Qed.

Variable T : finType.
Implicit Types (P Q : law F T) (A : {set T}).

Lemma embedded_event P A (B : T -> Prop) : (forall t, t \in A <-> B t) ->
  probability (fun t => f (P t)) B (f (Pr P A)).
Proof.
move=> AB; have [f_ge0 _] := embedded_law P.
rewrite /Pr -big_enum embed_sum; split=> [_ [s [uniq_s sB ->]] | b bound].
  apply: finite_sum_incl => // t ts; apply/mem_In.
  by rewrite mem_enum; apply/AB/sB.
apply: bound; exists (enum A); split=> //.
  by apply: uniq_NoDup; apply: enum_uniq.
by move=> t /mem_In; rewrite mem_enum => /AB.
Qed.

Lemma event_set (B : T -> Prop) : exists A, forall t, t \in A <-> B t.
Proof.
have dec := ClassicalDedekindReals.sig_not_dec.
exists [set t | if dec (B t) then true else false] => t.
rewrite inE; case: dec => [nnB | nB].
  by split=> // _; apply: Classical_Prop.NNPP.
by split.
Qed.

Lemma embedded_pure g e P Q : f g = exp e ->
  pure_le e (fun t => f (P t)) (fun t => f (Q t)) <-> mult_le g P Q.
Proof.
move=> gE; rewrite mult_leP /pure_le -gE; split=> le_PQ t; have := le_PQ t;
  by rewrite !(embed_le f_embeds) !(embedM f_embeds).
Qed.

Lemma embedded_approximate g d e delta P Q : f g = exp e -> f d = delta ->
  approximate_exp_le e delta (fun t => f (P t)) (fun t => f (Q t)) <->
  approximate_le g d P Q.
Proof.
move=> gE <-; have leE A : (Pr P A <= g * Pr Q A + d)%R /\
    (Pr Q A <= g * Pr P A + d)%R <->
    f (Pr P A) <= exp e * f (Pr Q A) + f d /\
    f (Pr Q A) <= exp e * f (Pr P A) + f d.
  by rewrite !(embed_le f_embeds) !(embedD f_embeds) !(embedM f_embeds) gE.
split=> [le_PQ A | le_PQ B p q lub_p lub_q].
  by apply/leE; apply: (le_PQ (fun t => t \in A)); apply: embedded_event.
have [A AB] := event_set B.
rewrite (is_lub_u _ _ _ lub_p (embedded_event P AB)).
by rewrite (is_lub_u _ _ _ lub_q (embedded_event Q AB)); apply/leE/le_PQ.
Qed.

End RealLaw.
