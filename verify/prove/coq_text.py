"""The fixed text of a Coq file of `stirred prove --coq`: its head with the tactics, three lemmas, the theorem."""

HEAD = """\
(* What stirred prove --coq has proved: a budget for lists of any length, by
   alignment of noise, stated over satisfies. After make -C proofs,

     stirred check FILE.v --claim CLAIM.toml --coqc

   says whether it holds: that the file is what the claim gives, that coqc
   accepts it, and that it rests on the axioms of Coq's real numbers alone.
   On trust is the translation: that the program below is the Python function,
   where data are integers. It shows the number of the path of each pass, and
   each number that is released, or compared with what is; what the function
   returns is computed from that. Names of parameters begin with p, those of
   variables with h. The theorem holds for every choice function on the real
   numbers, which a field of Mathematical Components comes with. *)

From Coq Require Import Reals ZArith List Lra Lia.
From Coq Require Import ssreflect ssrfun ssrbool.
From Stirred Require Import specification real_field event_distance.
From Stirred Require Import integer_noise noisy_programs aligned_loops.
From Stirred Require Import pure_distance.
Import ListNotations.
Local Open Scope R_scope.

Ltac split_facts := repeat match goal with H : _ /\\ _ |- _ => destruct H end.
Ltac split_signs := repeat match goal with
  | |- context [Z.abs ?k] => let E := fresh in
      destruct (Zabs_spec k) as [[? E] | [? E]]; rewrite -> E; clear E
  | H : context [Z.abs ?k] |- _ => let E := fresh in
      destruct (Zabs_spec k) as [[? E] | [? E]]; rewrite -> E in H; clear E
  | |- context [Z.max ?k ?l] => let E := fresh in
      destruct (Zmax_spec k l) as [[? E] | [? E]]; rewrite -> E; clear E
  | H : context [Z.max ?k ?l] |- _ => let E := fresh in
      destruct (Zmax_spec k l) as [[? E] | [? E]]; rewrite -> E in H; clear E
  end; try (exfalso; lia).
Ltac to_reals := repeat match goal with
  | H : @eq Z _ _ |- _ => apply (f_equal IZR) in H
  | H : (_ <= _)%Z |- _ => apply IZR_le in H
  | H : (_ >= _)%Z |- _ => apply Z.ge_le in H
  | H : (_ > _)%Z |- _ => apply Z.gt_lt in H
  | H : (_ < _)%Z |- _ => apply Zlt_le_succ in H; unfold Z.succ in H; apply IZR_le in H
  end; repeat progress (rewrite -> ?plus_IZR, ?minus_IZR, ?mult_IZR, ?opp_IZR in * ).
Ltac linear := first [lia | lra | split_signs; first [lia | to_reals; first [lra | nra]]].
Ltac impossible := exfalso; first [lia | split_signs; to_reals; lra].
Ltac positive := repeat first [assumption | lra | apply Rmult_lt_0_compat
  | apply Rinv_0_lt_compat | apply Rplus_lt_0_compat | apply exp_pos | apply IZR_lt; lia].
Ltac nonnegative := first [linear | apply Rlt_le; positive].
Ltac nonzero := repeat split; apply Rgt_not_eq; positive.
Ltac each_path := repeat match goal with H : _ = on_test ?d _ _ |- _ =>
  destruct d; cbn [on_test] in H end.
Ltac first_run step := cbv beta zeta; match goal with |- and3 _ (_ = path_of ?t) _ =>
  let one := fresh in let run := fresh in remember t as one eqn:run;
  unfold step in run; cbn [nth] in run; each_path; subst one end.
Ltac second_run step shift := match goal with |- and3 _ (path_of ?t = _) _ =>
  let run := fresh in remember t as other eqn:run; unfold shift, step in run |- *;
  cbv beta iota zeta delta [fst snd path_of by_change shifted nth] in run |- * end.
Ltac take_left := match goal with H : _ = on_test ?d _ _ |- _ =>
  destruct d; cbn [on_test] in H; [ | impossible] end.
Ltac take_right := match goal with H : _ = on_test ?d _ _ |- _ =>
  destruct d; cbn [on_test] in H; [impossible | ] end.
Ltac close_path :=
  cbv beta iota zeta delta [kept showing paid path_of may_shift shift_cost noise_rate pos fst snd];
  repeat match goal with
  | |- and3 _ _ _ => constructor
  | |- _ /\\ _ => split
  | |- True => exact I
  | |- @eq nat _ _ => reflexivity
  | |- @eq (list _) _ _ => f_equal
  | |- @eq (_ * _)%type _ _ => f_equal
  end; linear.
"""

ALIGNED = """\
Lemma {d}_start_aligned : aligns (showing ({d}_inv {start})) budget start start.
Proof.
{numbers}{start_proof}
Qed.

Lemma {d}_pass_aligned : forall m o o' m' c st st', {relation} m o o' m' -> {d}_inv m c st st' ->
  aligns (kept ({d}_inv m') paid) c (visit pass st o) (visit pass st' o').
Proof.
intros m [q|] [q'|] m' c {states} near_q inv_st; cbn [each_changes one_changes] in near_q; try contradiction.
unfold {d}_inv in inv_st; split_facts.
{known}
unfold visit, pass.
{split}
have {cases} by (unfold changes_by in near_q; lia).
{corners}
Qed.

Lemma {d}_last_aligned : forall m c st st', {d}_inv m c st st' -> aligns (showing paid) c (last st) (last st').
Proof.
intros m c {states} inv_st; unfold {d}_inv in inv_st; split_facts.
{known}
unfold last.
{last_proof}
Qed.
"""

THEOREM = """\
Theorem claim_is_met (choice : choice_of_reals) :
  satisfies (everything (list Z)) (neighbors_apart choice ({listed}))
    (pure_distance choice (list event)) (fun _ => positive_part choice budget)
    (fun rs => output_law events_dec (mechanism rs)).
Proof.
apply: (@certified_dp choice state Z {mark} {mark} ({relation}) ({back})
  start pass last {one}_inv {other}_inv {start} {start}).
- split; [exact: {one}_start_aligned | exact: {one}_pass_aligned | exact: {one}_last_aligned].
- split; [exact: {other}_start_aligned | exact: {other}_pass_aligned | exact: {other}_last_aligned].
by move=> rs rs'; apply: {pairs} => ? ?; unfold changes_by; lia.
Qed.
"""
