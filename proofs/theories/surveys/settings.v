From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint rat.
From Stirred Require Import compat law extended specification invariants
  processing.

(******************************************************************************)
(* The order of multiverses and the settings of a survey (dissertation        *)
(* sections 6.2.2 and 6.3). Budgets and premetrics are extended as elsewhere. *)
(*                                                                            *)
(* "U' is a coarsening of U" (Definition 6.2.6) is refines U U'; Lemma 6.2.7  *)
(* is refinement_inf_above, and refinement_above for every budget that is not *)
(* below the infimum (in specification.v).                                    *)
(*                                                                            *)
(* The phases of a survey are types of data sets, and a phase draws on the one*)
(* before it by a relation r f s == the data set s can come from f. Such a    *)
(* relation is itself a primitive multiverse of Definition 6.3.2: its         *)
(* universes are r f, one for each f.                                         *)
(*                                                                            *)
(*   reach d x == [x] of Definition 6.2.10, the data sets at a finite distance*)
(*   completion U d == the completion of U: the family of the meets of a      *)
(*            universe with [x], one for each x in the universe               *)
(*   complete U d == Definition 6.2.8                                         *)
(*   through r s == p and x such that x can come by s from what can come by r *)
(*            from p                                                          *)
(*   invariant_at U d r == the flavor is invariant at the phase that r draws  *)
(*            on (Definition 6.3.3)                                           *)
(*   shares_source r x x' == both can come from one data set                  *)
(*   patterns n == the answers to whether a flavor is invariant at each of the*)
(*            n phases before its own, from the first phase on                *)
(*   closed_earlier s == in s invariance at a phase comes with invariance at  *)
(*            the phase before it                                             *)
(*   is_pattern n holds s == s says of each of the first n numbers if it holds*)
(*   setting U d s, setting_by_pairs U d s == s says of each phase of a survey*)
(*            if the flavor is invariant there, or every pair compared shares *)
(*            its source there                                                *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   coarsening_refl, coarsening_trans == "coarsening" is a preorder          *)
(*   coarsening_antisym_refuted == it is no partial order                     *)
(*   completion_complete == Lemma 6.2.11, the first half                      *)
(*   completion_complete_refuted == it fails for a premetric                  *)
(*   completion_budgets == Lemma 6.2.11, the second half, each meet with the  *)
(*            budget of its universe; for every premetric                     *)
(*   completion_inf == the same with the infimum, as printed                  *)
(*   earlier_invariance == invariance at one phase implies invariance at the  *)
(*            phases before it                                                *)
(*   earlier_invariance_needs_source == the phase before must be able to lead *)
(*            to every data set: it may not be left out                       *)
(*   invariance_compares == under invariance comparable data sets share their *)
(*            source                                                          *)
(*   agnostic_refuted == the converse fails: every two comparable samples may *)
(*            share a frame under a flavor that is not frame-invariant        *)
(*   invariance_iff_compares == it holds where a data set has one source      *)
(*   ten_settings == with that, one setting at the population level, two at   *)
(*            the frame, three at the sample, four at the responding sample   *)
(*   settings_are_patterns == whatever a flavor is invariant at is one of the *)
(*            patterns counted, and each of them is that of some flavor       *)
(*   design_free == a function of the source, under invariance, is released   *)
(*            without loss: the sampling design, under frame-invariance       *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Coarsening.

Variables (X I J K : Type).
Variables (U : I -> X -> Prop) (V : J -> X -> Prop) (W : K -> X -> Prop).

Theorem coarsening_refl : refines U U.
Proof. by move=> i; exists i. Qed.

Theorem coarsening_trans : refines U V -> refines V W -> refines U W.
Proof.
move=> refUV refVW i; have [j sub] := refUV i; have [k sub'] := refVW j.
by exists k => x /sub/sub'.
Qed.

End Coarsening.

(* All subsets of one point, and the empty one left out.                      *)
Theorem coarsening_antisym_refuted :
  ~ (forall (X I J : Type) (U : I -> X -> Prop) (V : J -> X -> Prop),
       refines U V -> refines V U -> same_multiverse U V).
Proof.
move=> /(_ unit bool unit (fun b _ => b) (fun _ _ => True)).
case=> [b|u|/(_ false)[[] /(_ tt)[_ empty]] _].
- by exists tt.
- by exists true.
by have := empty Logic.I.
Qed.

Section Completion.

Variables (R : realFieldType) (X L I : Type).
Variables (U : I -> X -> Prop) (d : premetric R X).

Definition reach (x : X) : X -> Prop := fun x' => d x x' != oo.

Definition completion_index : Type := {p : I * X | U p.1 p.2}.

Definition completion (p : completion_index) : X -> Prop :=
  fun x => U (sval p).1 x /\ reach (sval p).2 x.

Definition complete (J : Type) (V : J -> X -> Prop) : Prop :=
  forall j x x', V j x -> V j x' -> d x x' != oo.

Lemma reach_refl x : reach x x.
Proof. by rewrite /reach dist_refl. Qed.

Lemma completion_refines : refines completion U.
Proof. by move=> p; exists (sval p).1 => x []. Qed.

Theorem completion_complete :
  symmetric_dist d -> triangular d -> complete completion.
Proof.
move=> sym_d tri_d p x x' [_ px] [_ px']; apply/eqP=> d_oo.
have := tri_d x (sval p).2 x'; rewrite d_oo (sym_d x) => /oole.
by move: px px'; rewrite /reach; case: (d _ x) (d _ x') => [a|] [b|].
Qed.

Variables (D : premetric R L) (T : X -> L) (eps : I -> ext R).

Theorem completion_budgets :
  satisfies U d D eps T <->
  satisfies completion d D (fun p => eps (sval p).1) T.
Proof.
split=> sat; first by move=> p x x' [xU _] [x'U _]; apply: sat.
move=> i x x' xU x'U; have [-> | d_fin] := eqVneq (d x x') oo.
  by rewrite mule_oo leoo.
apply: (sat (exist _ (i, x) xU)); split=> //; exact: reach_refl.
Qed.

Theorem completion_inf (eps' : completion_index -> ext R) :
  (forall p, is_inf (budgets_above U completion eps p) (eps' p)) ->
  satisfies U d D eps T <-> satisfies completion d D eps' T.
Proof.
move=> inf_eps; apply: refine_cover => // [|i x x' xU x'U d_fin no].
  exact: completion_refines.
apply: no; exists (exist _ (i, x) xU); split=> [y []//||] /=; split=> //.
exact: reach_refl.
Qed.

End Completion.

Arguments reach {R X} d x x'.
Arguments completion {R X I} U d p x.
Arguments complete {R X} d {J} V.

(* A premetric by which true is near false, and false is not near true.       *)
Theorem completion_complete_refuted (R : realFieldType) :
  ~ (forall (X I : Type) (U : I -> X -> Prop) (d : premetric R X),
       complete d (completion U d)).
Proof.
pose d : premetric R bool := of_matrix (fun b _ => if b then 0e else oo).
move=> /(_ _ _ (everything bool) d) compl.
pose p : completion_index (everything bool) := exist _ (tt, true) Logic.I.
by have := compl p false true (conj Logic.I isT) (conj Logic.I isT).
Qed.

(* Phases                                                                     *)
Definition through (P F X : Type) (r : P -> F -> Prop) (s : F -> X -> Prop) :
  P -> X -> Prop := fun p x => exists2 f, r p f & s f x.

Definition shares_source (F X : Type) (r : F -> X -> Prop) (x x' : X) : Prop :=
  exists2 f, r f x & r f x'.

Definition invariant_at (R : realFieldType) (X I F : Type) (U : I -> X -> Prop)
    (d : premetric R X) (r : F -> X -> Prop) : Prop :=
  refines (completion U d) r.

Section Phases.

Variables (R : realFieldType) (P F : Type).

Theorem earlier_invariance (X I : Type) (U : I -> X -> Prop)
    (d : premetric R X) (r : P -> F -> Prop) (s : F -> X -> Prop) :
  (forall f, exists p, r p f) ->
  invariant_at U d s -> invariant_at U d (through r s).
Proof.
move=> sources /coarsening_trans; apply=> f; have [p pf] := sources f.
by exists p => x fx; exists f.
Qed.

Section Sources.

Variables (X : eqType) (I : Type) (U : I -> X -> Prop) (d : premetric R X).
Variable (r : F -> X -> Prop).

Theorem invariance_compares x x' :
  invariant_at U d r -> comparable U d x x' -> shares_source r x x'.
Proof.
move=> inv [_ d_fin [i xU x'U]]; case: d_fin => /eqP d_fin.
  have [f sub] := inv (exist _ (i, x) xU); exists f; apply: sub; split=> //.
  exact: reach_refl.
have [f sub] := inv (exist _ (i, x') x'U); exists f; apply: sub; split=> //.
exact: reach_refl.
Qed.

Theorem invariance_iff_compares :
  (forall x, exists f, r f x) -> (forall f g x, r f x -> r g x -> f = g) ->
  invariant_at U d r <->
  (forall x x', comparable U d x x' -> shares_source r x x').
Proof.
move=> sources one_source; split=> [inv x x'|share [[i x] xU]].
  exact: invariance_compares.
have [f fx] := sources x; exists f => x' [x'U xx'].
have [<- //|x_x'] := eqVneq x x'.
have [|g gx gx'] := share x x'; last by rewrite (one_source f g x).
by split; [apply/eqP | left; apply/eqP | exists i].
Qed.

End Sources.

(* What is a function of the source is released beside T without loss.        *)
Theorem design_free (D : output_premetric R) (X I : Type) (Y C : finType)
    (U : I -> X -> Prop) (d : premetric R X) (r : F -> X -> Prop)
    (eps : I -> ext R) (T : X -> law R Y) (design : X -> C) :
  subadditive D -> (forall f x x', r f x -> r f x' -> design x = design x') ->
  invariant_at U d r -> satisfies U d (D Y) eps T ->
  satisfies U d (D _) eps (fun x => prod_law (T x) (dirac (design x))).
Proof.
move=> subD of_source inv sat; apply/completion_budgets=> p x x' px px'.
have [f sub] := inv p; rewrite -(of_source f _ _ (sub _ px) (sub _ px')).
apply: lee_trans (subD _ _ _ _ _ _) _; rewrite dist_refl adde0.
by case: px px' => xU _ [x'U _]; apply: sat.
Qed.

End Phases.

(* Table 6.1                                                                  *)
Fixpoint patterns (n : nat) : seq (seq bool) :=
  if n is m.+1 then [seq b :: s | b <- [:: true; false], s <- patterns m]
  else [:: [::]].

Definition closed_earlier (s : seq bool) := sorted (fun a b => b ==> a) s.

Theorem ten_settings :
  [seq count closed_earlier (patterns n) | n <- iota 0 4] = [:: 1; 2; 3; 4]%N /\
  (\sum_(n < 4) count closed_earlier (patterns n) = 10)%N.
Proof. by rewrite 4!big_ord_recl big_ord0. Qed.

(* The data after n phases; each phase but the last that is asked about is    *)
(* what something before it can lead to                                       *)
Record survey (n : nat) := Survey {
  phase : nat -> Type; collected : Type;
  drawn_on : forall j, phase j -> phase j.+1 -> Prop;
  come : forall j, phase j -> collected -> Prop;
  have_sources : forall j, (j.+1 < n)%N -> forall f, exists p, @drawn_on j p f;
  come_through : forall j, (j.+1 < n)%N ->
    forall p x, come p x <-> through (@drawn_on j) (@come j.+1) p x }.

Definition is_pattern (n : nat) (holds : nat -> Prop) (s : seq bool) : Prop :=
  size s = n /\ forall j, (j < n)%N -> nth false s j <-> holds j.

Definition setting (R : realFieldType) n (v : survey n) (I : Type)
    (U : I -> collected v -> Prop) (d : premetric R (collected v)) :
  seq bool -> Prop :=
  is_pattern n (fun j => invariant_at U d (@come n v j)).

Definition setting_by_pairs (R : realFieldType) n (v : survey n) (I : Type)
    (U : I -> collected v -> Prop) (d : premetric R (collected v)) :
  seq bool -> Prop :=
  is_pattern n (fun j => forall x x', comparable U d x x' ->
    shares_source (@come n v j) x x').

Lemma patternsE n s : (s \in patterns n) = (size s == n).
Proof.
elim: n s => [|n IHn] s; first by rewrite inE -size_eq0.
apply/allpairsP/idP => [[[b t] [_ /=]]|]; first by rewrite IHn => /eqP <- ->.
case: s => // b s; rewrite eqSS -IHn => s_n.
by exists (b, s); split=> //; case: b.
Qed.

Lemma first_ones s j : closed_earlier s -> nth false s j = (j < count id s)%N.
Proof.
elim: s j => [|b s IHs] [|j] //= ordered; have := path_sorted ordered.
  by case: b s ordered {IHs} => [] // [|[]] //=; elim=> // [[]].
case: b s IHs ordered => [] s IHs ordered /IHs -> //=; rewrite ?add0n //.
suff -> : count id s = 0%N by [].
by elim: s ordered {IHs} => //= [[]].
Qed.

Lemma is_pattern_first n (holds : nat -> Prop) s :
  (forall j, (j.+1 < n)%N -> holds j.+1 -> holds j) -> is_pattern n holds s ->
  s \in patterns n /\ closed_earlier s.
Proof.
move=> earlier [s_n answered]; rewrite patternsE s_n eqxx; split=> //.
apply/(sortedP false) => j; rewrite s_n => j_n; apply/implyP.
by rewrite !answered // ?(ltnW j_n) //; apply: earlier.
Qed.

Lemma settings_first (R : realFieldType) n (v : survey n) (I : Type)
    (U : I -> collected v -> Prop) (d : premetric R (collected v)) s :
  setting U d s \/ setting_by_pairs U d s ->
  s \in patterns n /\ closed_earlier s.
Proof.
move=> [] /is_pattern_first; apply=> j j_n.
  move=> /(earlier_invariance (have_sources j_n)) inv f.
  by have [p sub] := inv f; exists p => x /sub /come_through; apply.
move=> share x x' /share [f fx fx']; have [p pf] := have_sources j_n f.
by exists p; apply/come_through => //; exists f.
Qed.

(* Numbers, each drawn from its half                                          *)
Lemma settings_attained (R : realFieldType) n s :
  s \in patterns n -> closed_earlier s ->
  exists (v : survey n) (I : Type) (U : I -> collected v -> Prop)
    (d : premetric R (collected v)), setting U d s /\ setting_by_pairs U d s.
Proof.
rewrite patternsE => /eqP s_n ordered; pose k := count id s.
have k_n : (k <= n)%N by rewrite -s_n count_size.
pose come (j p x : nat) := p = (x %/ 2 ^ (n - j))%N.
pose U (i x : nat) := k = 0%N \/ i = (x %/ 2 ^ (n - k.-1))%N.
pose d : premetric R nat_eqType := of_matrix (fun _ _ => 0e).
have dE x x' : d x x' = 0e by rewrite /= /off_diagonal if_same.
have half_sources j : (j.+1 < n)%N -> forall f, exists p, p = (f %/ 2)%N.
  by move=> _ f; exists (f %/ 2)%N.
have halves j : (j.+1 < n)%N -> forall p x, come j p x <->
    through (fun p f => p = (f %/ 2)%N) (come j.+1) p x.
  move=> j_n p x; rewrite /come -(subnSK (ltnW j_n)) expnSr divnMA.
  by split=> [-> | [f -> ->]] //; exists (x %/ 2 ^ (n - j.+1))%N.
have inv j : (j < k)%N -> invariant_at U d (come j).
  move=> j_k [[i x] /= xU]; exists (i %/ 2 ^ (k.-1 - j))%N => x' [[k0|/= ->] _].
    by rewrite k0 in j_k.
  rewrite /come -divnMA -expnD; congr (_ %/ 2 ^ _)%N.
  by case: (k) j_k k_n => // m; rewrite ltnS /= => j_m m_n; rewrite addnBA //
    subnK // ltnW.
have sep j : (j < n)%N ->
    (forall x x', comparable U d x x' -> shares_source (come j) x x') ->
  (j < k)%N.
  move=> j_n /(_ 0%N (2 ^ (n - k))%N) share; rewrite ltnNge; apply/negP => k_j.
  have [|p ->] := share.
    split; [by case: (2 ^ _)%N (expn_gt0 2 (n - k)) | by left; rewrite dE |].
    exists 0%N; rewrite /U ?div0n; first by right.
    have [-> | k_gt0] := posnP k; [by left | right].
    by rewrite divn_small // ltn_exp2l // ltn_sub2l // prednK.
  rewrite /come div0n => /esym/eqP; apply/negP; rewrite -lt0n divn_gt0.
    by rewrite leq_exp2l // leq_sub2l.
  by rewrite expn_gt0.
have answer (holds : nat -> Prop) : (forall j, (j < k)%N -> holds j) ->
    (forall j, (j < n)%N -> holds j -> (j < k)%N) -> is_pattern n holds s.
  by move=> some only; split=> // j j_n; rewrite first_ones //; split; auto.
have agree j : invariant_at U d (come j) -> forall x x', comparable U d x x' ->
    shares_source (come j) x x'.
  by move=> at_j x x' /(invariance_compares at_j).
exists (Survey half_sources halves), nat, U, d; split; apply: answer => // j.
- by move=> j_n /agree; apply: sep.
by move=> /inv /agree.
Qed.

(* What flavors are invariant at, by phases or pair by pair, are the patterns *)
(* that are counted                                                           *)
Theorem settings_are_patterns (R : realFieldType) n s :
  let is_setting how := exists (v : survey n) (I : Type)
    (U : I -> collected v -> Prop) (d : premetric R (collected v)),
    how v I U d s in
  (is_setting (@setting R n) <-> s \in patterns n /\ closed_earlier s) /\
  (is_setting (@setting_by_pairs R n) <-> s \in patterns n /\ closed_earlier s).
Proof.
split; split=> [[v [I [U [d fits]]]] | [n_s ordered]].
- by apply: (settings_first (U := U) (d := d)); left.
- have [v [I [U [d [fits _]]]]] := settings_attained R n_s ordered.
  by exists v, I, U, d.
- by apply: (settings_first (U := U) (d := d)); right.
have [v [I [U [d [_ fits]]]]] := settings_attained R n_s ordered.
by exists v, I, U, d.
Qed.

(* A sample that can come from no frame of any pseudo-population.             *)
Theorem earlier_invariance_needs_source (R : realFieldType) :
  ~ (forall (P F X I : Type) (U : I -> X -> Prop) (d : premetric R X)
            (r : P -> F -> Prop) (s : F -> X -> Prop),
       invariant_at U d s -> invariant_at U d (through r s)).
Proof.
pose d : premetric R unit := of_matrix (fun _ _ => 0e).
move=> /(_ unit unit _ _ (everything unit) d).
move=> /(_ (fun _ _ => False) (fun _ _ => True)).
move=> earlier; pose s (_ _ : unit) := True.
have inv : invariant_at (everything unit) d s by move=> p; exists tt.
pose whole : completion_index (everything unit) := exist _ (tt, tt) Logic.I.
have [p sub] := earlier inv whole.
by have [|f] := sub tt; first by split=> //; apply: reach_refl.
Qed.

(* Three samples, and a frame for each two of them.                           *)
Theorem agnostic_refuted (R : realFieldType) :
  ~ (forall (F : Type) (X : eqType) (I : Type) (U : I -> X -> Prop)
            (d : premetric R X) (r : F -> X -> Prop),
       (forall x, exists f, r f x) -> ~ invariant_at U d r ->
       exists x x', comparable U d x x' /\ ~ shares_source r x x').
Proof.
pose d : premetric R [eqType of option bool] := of_matrix (fun _ _ => 0e).
have dE x x' : d x x' = 0e by rewrite /= /off_diagonal if_same.
pose r (f x : option bool) := x <> f.
have third x x' : shares_source r x x'.
  by case: x x' => [[]|] [[]|]; [exists None | exists None | exists (Some false)
    | exists None | exists None | exists (Some true) | exists (Some false)
    | exists (Some true) | exists (Some true)].
move=> /(_ _ _ _ (everything _) d r) [x|inv|x [x' [_ apart]]].
- by have [f] := third x x; exists f.
- pose whole : completion_index (everything (option bool)) :=
    exist _ (tt, None) Logic.I.
  have [f sub] := inv whole; case: (sub f (conj Logic.I _)) => //.
  by rewrite /reach dE.
exact: apart (third x x').
Qed.
