From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat.
From Stirred Require Import compat law pure invariant_multiverse unit_data
  coupling.

(******************************************************************************)
(* Privacy amplification by sampling without replacement (dissertation section*)
(* 6.4.1), with g = e^epsilon and e = delta.                                  *)
(*                                                                            *)
(*   having i == the samples with the unit i: Pr mu (having i) is its         *)
(*            inclusion probability in the design mu                          *)
(*   sampled mu T f == the law of T on a sample of the frame f drawn by mu    *)
(*   srswor f n == simple random sampling of n units of f, without            *)
(*            replacement                                                     *)
(*   draws f n == its samples                                                 *)
(*   stratum_units h k == the units i with h i = k                            *)
(*   in_strata h size f S == S has units of f, size k of them in stratum k    *)
(*   stratified h size f == the uniform design on such samples: simple random *)
(*            sampling without replacement in each stratum                    *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   exchange_inclusion == the inclusion probability is n / |B| where i is    *)
(*            exchangeable with the units of B, and the sample has n of them  *)
(*   exchange_amplified == and such a design amplifies g to                   *)
(*            1 + n / |B| * (g - 1), and e to n / |B| * e                     *)
(*   srswor_amplified == Theorem 6.4.1 for data sets with labels that may be  *)
(*            exchanged; and srswor_pure, the same for delta = 0              *)
(*   srswor_multiset_amplified == the same where the mechanism sees the       *)
(*            multiset of the sampled records                                 *)
(*   stratified_amplified == stratified sampling with fixed sizes, where the  *)
(*            changed record stays in its stratum                             *)
(******************************************************************************)

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition having (I : finType) (i : I) : {set {set I}} :=
  [set S : {set I} | i \in S].

Definition sampled (R : realFieldType) (I : finType) (V : Type) (Y : finType)
    (mu : law R [finType of {set I}]) (T : data I V -> law R Y)
    (f : data I V) : law R Y := bind mu (fun S => T (sample_of f S)).

(* Designs under which a unit can be exchanged with others.                   *)
Section Exchangeable.

Variables (R : realFieldType) (I : finType) (mu : law R [finType of {set I}]).
Variables (B : {set I}) (i : I) (n : nat).
Hypothesis iB : i \in B.
Hypothesis size_B : forall S, mu S != 0 -> #|S :&: B| = n.
Hypothesis exchangeable : forall k S, k \in B -> mu (swap_units i k S) = mu S.

Let B_gt0 : 0 < #|B|%:R :> R.
Proof. by rewrite ltr0n; apply/card_gt0P; exists i. Qed.

Let share : R := n%:R / #|B|%:R.

Lemma inclusion_eq k : k \in B -> Pr mu (having k) = Pr mu (having i).
Proof.
move=> kB; rewrite /Pr (reindex_inj (@exchange_inj _ i k)) /=.
apply: eq_big => S; first by rewrite !inE tpermR.
by rewrite exchangeable.
Qed.

Theorem exchange_inclusion : Pr mu (having i) = share.
Proof.
apply: (canRL (mulfK (lt0r_neq0 B_gt0))).
transitivity (\sum_(k in B) Pr mu (having k)).
  by rewrite (eq_bigr _ inclusion_eq) sumr_const mulr_natr.
rewrite (eq_bigr (fun k => \sum_S mu S * (k \in S)%:R)) => [|k _]; last first.
  by rewrite PrE; apply: eq_bigr => S _; rewrite inE.
transitivity ((\sum_S mu S) * n%:R); last by rewrite law_sum1 mul1r.
rewrite exchange_big /= mulr_suml; apply: eq_bigr => S _; rewrite -mulr_sumr.
have [->|/size_B sizeS] := eqVneq (mu S) 0; first by rewrite !mul0r.
rewrite -natr_sum -sizeS -sum1_card [in RHS]big_mkcond /= [in LHS]big_mkcond /=.
congr (_ * _%:R); apply: eq_bigr => k _.
by rewrite inE; case: (k \in B); case: (k \in S).
Qed.

(* S is replaced by its exchange of i with a unit of B outside it.            *)
Let c (S S' : {set I}) : R :=
  \sum_(k in B | k \notin S) (S' == swap_units i k S)%:R * mu S / #|B|%:R.

Let pick_one (P : pred {set I}) (S0 : {set I}) (F : {set I} -> R) :
  \sum_(S | P S) (S == S0)%:R * F S = (P S0)%:R * F S0.
Proof.
have [PS0|PS0] := boolP (P S0); last first.
  rewrite mul0r big1 // => S PS; case: eqP => [eqS|_]; last by rewrite mul0r.
  by rewrite eqS (negbTE PS0) in PS.
rewrite (bigD1 S0) //= eqxx big1 ?addr0 // => S /andP[_ /negbTE ->].
by rewrite mul0r.
Qed.

Lemma exchange_coupling : is_coupling mu (having i) c.
Proof.
have B_n0 : #|B|%:R != 0 :> R by rewrite gt_eqF.
split=> [S S'|S|S'].
- by apply: sumr_ge0 => k _; rewrite divr_ge0 ?mulr_ge0 ?ler0n ?law_ge0.
- rewrite inE => iS; rewrite exchange_big /= exchange_inclusion.
  have out k : (k \in B) && (k \notin S) ->
      \sum_(S' in ~: having i)
        (S' == swap_units i k S)%:R * mu S / #|B|%:R = mu S / #|B|%:R.
    case/andP=> _ kS; rewrite (eq_bigr _ (fun S' _ => esym (mulrA _ _ _))).
    by rewrite (pick_one _ _ (fun=> _)) !inE tpermL kS mul1r.
  rewrite (eq_bigr _ out) sumr_const.
  have [->|/size_B sizeS] := eqVneq (mu S) 0.
    by rewrite mulr0 mul0r mul0rn.
  have -> : #|[pred k | (k \in B) && (k \notin S)]| = (#|B| - n)%N.
    rewrite -sizeS -(cardsID S B) setIC addKn; apply: eq_card => k.
    by rewrite !inE andbC.
  rewrite -mulr_natr natrB; last by rewrite -sizeS subset_leq_card ?subsetIr.
  rewrite mulrBr divfK // mulrBl mul1r /share; congr (_ - _).
  by rewrite mulrAC [RHS]mulrAC (mulrC n%:R).
rewrite inE => iS'; rewrite (exchange_big_dep (mem B)) /=; last first.
  by move=> S k _ /andP[].
rewrite exchange_inclusion.
have into k : k \in B ->
    \sum_(S in having i | (k \in B) && (k \notin S))
      (S' == swap_units i k S)%:R * mu S / #|B|%:R =
    (k \in S')%:R * (mu S' / #|B|%:R).
  move=> kB.
  have eq_S S : (S' == swap_units i k S) = (S == swap_units i k S').
    by rewrite eq_sym (can2_eq (exchangeK i k) (exchangeK i k)).
  rewrite (eq_bigr (fun S => (S == swap_units i k S')%:R * (mu S / #|B|%:R))).
    rewrite (pick_one _ _ (fun S => mu S / #|B|%:R)) !inE tpermL tpermR kB iS'.
    by rewrite !andbT exchangeable.
  by move=> S _; rewrite eq_S mulrA.
rewrite (eq_bigr _ into) -mulr_suml.
have [->|/size_B sizeS'] := eqVneq (mu S') 0; first by rewrite mul0r !mulr0.
rewrite -natr_sum (_ : (\sum_(k in B) _)%N = n) ?mulrA ?(mulrAC _ _ (mu S')) //.
rewrite -sizeS' -sum1_card big_mkcond [RHS]big_mkcond; apply: eq_bigr => k _.
by rewrite inE; case: (k \in B); case: (k \in S').
Qed.

Variables (V : Type) (Y : finType) (T : data I V -> law R Y) (g e : R).
Variables (f f' : data I V) (j : I) (v : V).
Hypothesis g_ge1 : 1 <= g.
Hypothesis T_dp : bounded_dp g e T.
Hypothesis rep : replaced i j v f f'.
Hypothesis B_units : B \subset recorded f.
Hypothesis in_frame : forall S, mu S != 0 -> S \subset recorded f.

Lemma sampled_exchange : sampled (map_law (swap_units i j) mu) T f' =
  bind mu (fun S => if mu S == 0 then T (sample_of f S)
                    else T (sample_of f' (swap_units i j S))).
Proof.
rewrite /sampled /map_law bindA; apply: eq_law => y; rewrite !bindE.
apply: eq_bigr => S _; rewrite dirac_bind; case: eqP => // ->.
by rewrite !mul0r.
Qed.

Let newj (S : {set I}) : mu S != 0 -> (j == i) || (j \notin S).
Proof.
move=> /in_frame sub; case: rep => _ /orP[->//|jf] _.
by rewrite (contraNN _ jf) ?orbT //; apply: subsetP.
Qed.

Lemma sample_replaced (S : {set I}) : mu S != 0 -> i \in S ->
  replaced i j v (sample_of f S) (sample_of f' (swap_units i j S)).
Proof.
move=> S_n0 iS; split; first by rewrite in_select iS; case: rep.
  by case/orP: (newj S_n0) => [->//|jS]; rewrite in_select (negbTE jS) orbT.
apply/ffunP=> k; rewrite !ffunE in_exchange (replacedE k rep).
have [->|k_j] := eqVneq k j; first by rewrite tpermR iS.
have [->|k_i] := eqVneq k i; first by rewrite if_same.
by rewrite tpermD // eq_sym.
Qed.

Lemma sample_exchanged (S : {set I}) k w :
  i \in S -> k \notin S -> f k = Some w ->
  sample_of f (swap_units i k S) =
    set_record (set_record (sample_of f S) i None) k (Some w).
Proof.
move=> iS kS fk; apply/ffunP=> l; rewrite !ffunE in_exchange.
have [->|l_k] := eqVneq l k; first by rewrite tpermR iS fk.
have [->|l_i] := eqVneq l i; first by rewrite tpermL (negbTE kS).
by rewrite tpermD // eq_sym.
Qed.

Lemma exchanged_unit (S S' : {set I}) : c S S' != 0 ->
  exists k, [/\ k \in B, k \notin S, S' = swap_units i k S & mu S != 0].
Proof.
move=> c_n0; have [S0|S_n0] := eqVneq (mu S) 0.
  by rewrite /c big1 ?eqxx // in c_n0; move=> k _; rewrite S0 mulr0 mul0r.
case: (pickP (fun k => [&& k \in B, k \notin S & S' == swap_units i k S])).
  by move=> k /and3P[kB kS /eqP eqS']; exists k.
move=> none; rewrite /c big1 ?eqxx // in c_n0 => k /andP[kB kS].
by have := none k; rewrite kB kS /= => ->; rewrite !mul0r.
Qed.

Theorem exchange_amplified :
  approximate_le (amplified (n%:R / #|B|%:R) g) (n%:R / #|B|%:R * e)
    (sampled mu T f) (sampled (map_law (swap_units i j) mu) T f').
Proof.
have e_ge0 : 0 <= e by apply: approximate_ge0 (T_dp rep).
have i_f : i \in recorded f by case: rep.
rewrite sampled_exchange /sampled.
have -> : n%:R / #|B|%:R = Pr mu (having i) by rewrite exchange_inclusion.
apply: (coupled_amplified g_ge1 exchange_coupling).
- move=> S; rewrite inE => iS; case: eqP => // /eqP S_n0; congr T.
  have jS : j \notin S by case/orP: (newj S_n0) => [/eqP ->|].
  rewrite exchange_out //; apply/ffunP=> k; rewrite !ffunE (replacedE k rep).
  case: ifP => // kS; have [eq_k|_] := eqVneq k j.
    by rewrite -eq_k kS in jS.
  by have [eq_k|//] := eqVneq k i; rewrite -eq_k kS in iS.
- move=> S; rewrite inE => iS; case: eqP => [_|/eqP S_n0].
    exact: approximate_refl e_ge0.
  exact: T_dp (sample_replaced S_n0 iS).
move=> S S'; rewrite !inE => iS iS' c_n0.
have [k [kB kS eqS' S_n0]] := exchanged_unit c_n0.
have k_i : k != i by apply: contraNneq kS => ->.
have kf : k \in recorded f by apply: subsetP kB.
case fk: (f k) kf => [w|] kf; last by rewrite inE fk in kf.
have outE := sample_exchanged iS kS fk; rewrite -eqS' in outE.
split.
  apply: (T_dp (i := i) (j := k) (v := w)); split=> //.
    by rewrite in_select iS.
  by rewrite in_select (negbTE kS) orbT.
rewrite (negbTE S_n0).
have jf' := sample_replaced S_n0 iS.
apply: (T_dp (i := j) (j := k) (v := w)); split.
- by rewrite inE (replacedE j jf') eqxx.
- have [->|k_j] := eqVneq k j; first by [].
  by rewrite inE (replacedE k jf') (negbTE k_j) (negbTE k_i) ffunE (negbTE kS).
rewrite outE; apply/ffunP=> l; rewrite !ffunE.
have [//|l_k] := eqVneq l k.
rewrite in_exchange (replacedE l rep).
have [->|l_j] := eqVneq l j.
  case: ifP => // j_i; case/orP: (newj S_n0) => [|/negbTE ->//].
  by rewrite j_i.
have [->|l_i] := eqVneq l i; first by rewrite if_same.
by rewrite tpermD // eq_sym.
Qed.

End Exchangeable.

(* Uniform designs                                                            *)
Section Uniform.

Variables (R : realFieldType) (I : finType) (V : Type).
Implicit Types (f : data I V) (D : {set {set I}}) (S B : {set I}).

Definition draws f n : {set {set I}} :=
  [set S : {set I} | S \subset recorded f & #|S| == n].

Definition srswor f n : law R [finType of {set I}] :=
  uniform_on set0 (draws f n).

Definition stratum_units (H : eqType) (h : I -> H) k : {set I} :=
  [set i | h i == k].

Definition in_strata (H : finType) (h : I -> H) (size : H -> nat) f S : bool :=
  (S \subset recorded f) && [forall k, #|S :&: stratum_units h k| == size k].

Definition stratified (H : finType) (h : I -> H) (size : H -> nat) f :
  law R [finType of {set I}] := uniform_on set0 [set S | in_strata h size f S].

Lemma map_uniform i j D : D != set0 ->
  map_law (swap_units i j) (uniform_on set0 D) =
    uniform_on set0 (swap_units i j @: D) :> law R [finType of {set I}].
Proof.
move=> D_n0; apply: eq_law => S; rewrite -[S in LHS](exchangeK i j).
rewrite map_law_inj; last exact: exchange_inj.
have D'_n0 : swap_units i j @: D != set0.
  case/set0Pn: D_n0 => S0 S0D; apply/set0Pn.
  by exists (swap_units i j S0); rewrite imset_f.
rewrite !uniform_onE // card_imset; last exact: exchange_inj.
by rewrite -{2}(exchangeK i j S) mem_imset //; apply: exchange_inj.
Qed.

Section Step.

Variables (Y : finType) (T : data I V -> law R Y) (g e : R).
Variables (i j : I) (v : V) (f f' : data I V).
Hypothesis g_ge1 : 1 <= g.
Hypothesis T_dp : bounded_dp g e T.
Hypothesis rep : replaced i j v f f'.

Lemma uniform_amplified D D' B n :
  D != set0 -> i \in B -> B \subset recorded f ->
  (forall S, S \in D -> S \subset recorded f /\ #|S :&: B| = n) ->
  (forall k S, k \in B -> (swap_units i k S \in D) = (S \in D)) ->
  (forall S, (S \in D') = (swap_units i j S \in D)) ->
  approximate_le (amplified (n%:R / #|B|%:R) g) (n%:R / #|B|%:R * e)
    (sampled (uniform_on set0 D) T f) (sampled (uniform_on set0 D') T f').
Proof.
move=> D_n0 iB sB sizes stable D'E.
have <- : swap_units i j @: D = D'.
  apply/setP=> S; rewrite D'E; rewrite -{1}(exchangeK i j S).
  by rewrite mem_imset //; apply: exchange_inj.
rewrite -map_uniform //.
have inD S : uniform_on set0 D S != 0 :> R -> S \in D.
  by apply: contraNT => SD; rewrite uniform_on_out.
apply: (exchange_amplified iB) rep _ _ => // [S /inD/sizes[]|k S kB|S] //.
  by rewrite !uniform_onE // stable.
by move=> /inD/sizes[].
Qed.

Theorem srswor_amplified n : (n <= #|recorded f|)%N ->
  approximate_le (amplified (n%:R / #|recorded f|%:R) g)
    (n%:R / #|recorded f|%:R * e)
    (sampled (srswor f n) T f) (sampled (srswor f' n) T f').
Proof.
move=> n_le; have i_f : i \in recorded f by case: rep.
apply: uniform_amplified => //.
- by rewrite -card_gt0 cards_draws bin_gt0.
- by move=> S; rewrite inE => /andP[sub /eqP]; rewrite (setIidPl sub).
- move=> k S kB; rewrite !inE card_exchange -{1}(exchange_in i_f kB).
  by rewrite exchange_sub.
move=> S; rewrite !inE card_exchange (units_replaced rep).
by rewrite -{1}(exchangeK i j S) exchange_sub.
Qed.

Theorem stratified_amplified (H : finType) (h : I -> H) size :
  h j = h i -> [exists S, in_strata h size f S] ->
  let share := (size (h i))%:R / #|recorded f :&: stratum_units h (h i)|%:R in
  approximate_le (amplified share g) (share * e)
    (sampled (stratified h size f) T f) (sampled (stratified h size f') T f').
Proof.
move=> same_h /existsP[S0 S0D]; have i_f : i \in recorded f by case: rep.
have stratum_exchange l k : h l = h i ->
    swap_units i l (stratum_units h k) = stratum_units h k.
  move=> h_l; apply/setP=> m; rewrite in_exchange !inE.
  by case: tpermP => [->|->|//]; rewrite h_l.
have sizes_exchange l S : h l = h i ->
    [forall k, #|swap_units i l S :&: stratum_units h k| == size k] =
    [forall k, #|S :&: stratum_units h k| == size k].
  move=> h_l; apply: eq_forallb => k.
  by rewrite -{1}(stratum_exchange l k h_l) -exchangeI card_exchange.
apply: uniform_amplified => //.
- by apply/set0Pn; exists S0; rewrite inE.
- by rewrite in_setI i_f inE eqxx.
- exact: subsetIl.
- move=> S; rewrite inE => /andP[sub /forallP/(_ (h i))/eqP <-]; split=> //.
  by rewrite setIA (setIidPl sub).
- move=> k S /setIP[k_f]; rewrite !inE => /eqP h_k.
  rewrite /in_strata sizes_exchange //; congr (_ && _).
  by rewrite -{1}(exchange_in i_f k_f) exchange_sub.
move=> S; rewrite !inE /in_strata sizes_exchange // (units_replaced rep).
by rewrite -{1}(exchangeK i j S) exchange_sub.
Qed.

End Step.

End Uniform.

Arguments srswor {R I V} f n.
Arguments stratified {R I V H} h size f.

Theorem srswor_pure (R : realFieldType) (I : finType) (V : Type) (Y : finType)
    (T : data I V -> law R Y) (g : R) :
  1 <= g ->
  (forall i j v f f', replaced i j v f f' -> mult_le g (T f) (T f')) ->
  forall i j v f f' n, replaced i j v f f' -> (n <= #|recorded f|)%N ->
  mult_le (amplified (n%:R / #|recorded f|%:R) g)
    (sampled (srswor f n) T f) (sampled (srswor f' n) T f').
Proof.
move=> g_ge1 le_T i j v f f' n rep n_le; apply/approximate_pure.
rewrite -(mulr0 (n%:R / #|recorded f|%:R)).
apply: (srswor_amplified g_ge1 _ rep n_le) => k l w z z' zz'.
exact/approximate_pure/(le_T _ _ _ _ _ zz').
Qed.

Theorem srswor_multiset_amplified (R : realFieldType) (I V Y : finType)
    (T : {ffun V -> nat} -> law R Y) (g e : R) :
  1 <= g ->
  (forall v w m m', one_moved v w m m' -> approximate_le g e (T m) (T m')) ->
  forall i j v (f f' : data I V) n, replaced i j v f f' ->
    (n <= #|recorded f|)%N ->
  approximate_le (amplified (n%:R / #|recorded f|%:R) g)
    (n%:R / #|recorded f|%:R * e)
    (sampled (srswor f n) (fun s => T (record_counts s)) f)
    (sampled (srswor f' n) (fun s => T (record_counts s)) f').
Proof.
move=> g_ge1 T_dp i j v f f' n rep.
exact: (srswor_amplified g_ge1 (bounded_counts T_dp) rep).
Qed.
