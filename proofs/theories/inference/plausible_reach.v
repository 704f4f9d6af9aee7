From mathcomp Require Import all_ssreflect.
From Stirred Require Import compat stability.

(******************************************************************************)
(* How far apart data sets of at most b records lie                           *)
(*                                                                            *)
(*   places_apart s t == the Hamming distance of ordered records: the places  *)
(*            at which s and t differ; None, for oo, if their sizes do        *)
(*   records_apart s t == that of unordered records: the records of s to be   *)
(*            replaced to obtain t; None if their sizes differ                *)
(*   reaches d S b == all data sets in S lie at most b apart                  *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   reach_symmetric == supports.reach.symmetric: at most 2 b in the          *)
(*            symmetric difference, 2 b if both have b records and share      *)
(*            none, and at most b from the empty data set                     *)
(*   reach_hamming == supports.reach.hamming: data sets at finite Hamming     *)
(*            distances have one size, and lie at most b apart; so do those   *)
(*            that have as many records as t0                                 *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.

Definition places_apart (B : finType) (s t : seq B) : option nat :=
  if size s == size t then Some (count (fun st => st.1 != st.2) (zip s t))
  else None.

Definition records_apart (B : finType) (s t : seq B) : option nat :=
  if size s == size t then Some (\sum_r (count_mem r s - count_mem r t))
  else None.

Definition reaches (X : Type) (d : X -> X -> option nat) (S : X -> Prop)
    (b : nat) : Prop :=
  forall x x', S x -> S x' -> exists2 n, d x x' = Some n & n <= b.

Theorem reach_symmetric (B : eqType) b (s t : seq B) :
  size s <= b -> size t <= b ->
  [/\ symdiff s t <= 2 * b, symdiff [::] t <= b
    & size s = b -> size t = b -> ~~ has (mem s) t -> symdiff s t = 2 * b].
Proof.
move=> le_s le_t; split=> //.
  apply: leq_trans (@symdiff_le _ [::] s t s t _ _) _ => //.
  by rewrite mul2n -addnn leq_add.
move=> sb tb /hasPn none; have [u [c [d [s_uc t_ud ->]]]] := symdiff_split s t.
case: u s_uc t_ud => [|x u] s_uc t_ud.
  by rewrite -(perm_size s_uc) -(perm_size t_ud) sb tb mul2n addnn.
have x_t : x \in t by rewrite (perm_mem t_ud) mem_head.
by have := none x x_t; rewrite inE (perm_mem s_uc) mem_head.
Qed.

Definition reach_symmetric_instance :=
  @reach_symmetric bool_eqType 1 [:: true] [:: false] isT isT.

Lemma places_apartP (B : finType) (s t : seq B) : size s = size t ->
  exists2 n, places_apart s t = Some n & n <= size s.
Proof.
move=> st; rewrite /places_apart st eqxx; set n := count _ _.
exists n => //; apply: leq_trans (count_size _ _) _.
by rewrite size_zip st minnn.
Qed.

Lemma records_apartP (B : finType) (s t : seq B) : size s = size t ->
  exists2 n, records_apart s t = Some n & n <= size s.
Proof.
move=> st; rewrite /records_apart st eqxx; set n := \sum_r _.
exists n => //; rewrite -st; suff <- : \sum_r count_mem r s = size s.
  by apply: leq_sum => r _; apply: leq_subr.
elim: s {st n} => [|r s IHs] /=; first by rewrite big1.
rewrite big_split /= IHs (bigD1 r) //= eqxx big1 // => u /negbTE.
by rewrite eq_sym => ->.
Qed.

Theorem reach_hamming (B : finType) d (S : seq B -> Prop) :
  d = @places_apart B \/ d = @records_apart B ->
  ((forall x x', S x -> S x' -> d x x' <> None) ->
     (forall x x', S x -> S x' -> size x = size x') /\
     (forall b, (forall x, S x -> size x <= b) -> reaches d S b)) /\
  (forall Y (t0 : seq Y), (forall x, S x -> size x = size t0) ->
     reaches d S (size t0)).
Proof.
move=> dE.
have near x x' : size x = size x' -> exists2 n, d x x' = Some n & n <= size x.
  by case: dE => ->; [apply: places_apartP | apply: records_apartP].
split=> [connected | Y t0 sizes x x' xS x'S]; last first.
  have [|n dn] := near x x'; first by rewrite !sizes.
  by rewrite (sizes x xS); exists n.
have one_size x x' : S x -> S x' -> size x = size x'.
  move=> xS x'S; apply/eqP/negPn/negP => /negbTE sizes.
  by apply: (connected x x' xS x'S); case: dE => ->;
    rewrite /places_apart /records_apart sizes.
split=> // b le_b x x' xS x'S.
have [n dn le_n] := near x x' (one_size x x' xS x'S).
by exists n => //; apply: leq_trans (le_b x xS).
Qed.

Definition reach_hamming_instance :=
  @reach_hamming bool_finType _ (eq^~ [:: true]) (or_introl erefl).
