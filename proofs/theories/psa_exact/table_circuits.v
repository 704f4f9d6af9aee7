(******************************************************************************)
(* Circuits: the simplest changes between the tables of one universe, enough  *)
(* to decide a budget                                                         *)
(*                                                                            *)
(* Definitions                                                                *)
(*   circuit x c == c lists at least two records of one stratum of x, with    *)
(*            pairwise different holding and pairwise different swapping      *)
(*            categories                                                      *)
(*   pass_on c x == x after every record of c has got the swapping category   *)
(*            of the next one, and the last that of the first                 *)
(*   circuit_chain x cs == cs is a list of circuits, the first of x, each     *)
(*            other one of what x is after the circuits before it             *)
(*   pass_all x cs == what x is after all of them                             *)
(*   shortest_perm x x' rho == rho makes the table of x' out of x and moves   *)
(*            no more than d_HamS(x, x') records                              *)
(*                                                                            *)
(* Headline theorems                                                          *)
(*   circuit_changes == a circuit of l records has 2 <= l <= min(|H|, |S|),   *)
(*            it keeps the universe and changes l records                     *)
(*   circuit_chains == circuits lead from x to every x' of its universe, and  *)
(*            their lengths add up to d_HamS(x, x')                           *)
(*   circuits_decide == for every mechanism whose law depends on the table    *)
(*            alone, the budgets of a universe are those of its pairs that    *)
(*            one circuit separates                                           *)
(*   psa_circuits == psa.exact.circuits, with gamma = e^epsilon: gamma is a   *)
(*            budget of the PSA if and only if P_x(z) <= gamma^l P_x'(z) for  *)
(*            all x, x', z where a circuit of l records leads from x to x'    *)
(*                                                                            *)
(* There may be several strata, and any swap rate.                            *)
(******************************************************************************)
From mathcomp Require Import all_ssreflect fingroup perm ssralg ssrnum ssrint
  rat zify.
From Stirred Require Import law swapping hamming pure.
From Stirred Require Import psa_law psa_privacy optimality.

Set Implicit Arguments. Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.

Lemma uniq_map_inj (T U : eqType) (f : T -> U) (c : seq T) :
  uniq [seq f i | i <- c] -> {in c &, injective f}.
Proof.
elim: c => //= k c IHc /andP[kc /IHc inj] i j; rewrite !inE.
case/predU1P=> [->|ic] /predU1P[->|jc] // e; last exact: inj.
  by rewrite e map_f in kc.
by rewrite -e map_f in kc.
Qed.

Section Circuits.

Variables (M H S : finType) (n : nat).
Local Notation data := (dataset M H S n).
Implicit Types (x y : data) (c : seq 'I_n) (xs : seq data) (rho : {perm 'I_n}).

Definition circuit x c : bool :=
  [&& 1 < size c, uniq [seq holding (x i) | i <- c],
      uniq [seq swapping (x i) | i <- c]
    & constant [seq matching (x i) | i <- c]].

Definition pass_on c x : data :=
  [ffun i => (matching (x i), holding (x i), swapping (x (next c i)))].

Fixpoint circuit_chain x (cs : seq (seq 'I_n)) : bool :=
  if cs is c :: cs' then circuit x c && circuit_chain (pass_on c x) cs'
  else true.

Definition pass_all x (cs : seq (seq 'I_n)) : data :=
  foldl (fun y c => pass_on c y) x cs.

(* One circuit                                                                *)

Lemma next_out c i : i \notin c -> next c i = i.
Proof. by rewrite next_nth => /negPf->. Qed.

Lemma circuit_uniq x c : circuit x c -> uniq c.
Proof. by case/and4P=> _ /map_uniq. Qed.

Lemma circuit_matching x c i j :
  circuit x c -> i \in c -> j \in c -> matching (x i) = matching (x j).
Proof.
case/and4P=> _ _ _ const ic jc.
case/(constantP (matching (x i))): const => m mE.
have inE k : k \in c -> matching (x k) = m.
  move=> kc; have := map_f (fun k => matching (x k)) kc.
  by rewrite mE mem_nseq => /andP[_ /eqP].
by rewrite !inE.
Qed.

Lemma circuit_holding x c i j :
  circuit x c -> i \in c -> j \in c -> holding (x i) = holding (x j) -> i = j.
Proof. by case/and4P=> _ /uniq_map_inj inj _ _; apply: inj. Qed.

Lemma circuit_swapping x c i j :
  circuit x c -> i \in c -> j \in c -> swapping (x i) = swapping (x j) ->
  i = j.
Proof. by case/and4P=> _ _ /uniq_map_inj inj _; apply: inj. Qed.

Lemma circuit_size_le x c :
  circuit x c -> 1 < size c <= minn #|H| #|S|.
Proof.
case/and4P=> c_gt1 uh us _; rewrite c_gt1 leq_min /=; apply/andP; split.
  by move/card_uniqP: uh; rewrite size_map => <-; apply: max_card.
by move/card_uniqP: us; rewrite size_map => <-; apply: max_card.
Qed.

(* No record of a circuit stays as it is.                                     *)
Lemma circuit_next x c i : circuit x c -> i \in c -> next c i != i.
Proof.
move=> xc ic; have uc := circuit_uniq xc; have /andP[c_gt1 _] := xc.
have [k c' rotE] := rot_to ic; rewrite -(next_rot k uc) rotE.
move: uc c_gt1; rewrite -(rot_uniq k) -(size_rot k) rotE.
by case: c' {rotE} => [|j c'] //= /andP[+ _] _; rewrite inE eqxx negb_or eq_sym;
  case/andP.
Qed.

(* Passing on is a permutation of the swapping variable.                      *)
Lemma pass_on_perm x c : circuit x c ->
  exists g : {perm 'I_n}, [/\ preserves_strata x g, apply_perm g x = pass_on c x
    & forall i, g i = next c i].
Proof.
move=> xc; have uc := circuit_uniq xc.
exists (perm (can_inj (prev_next uc))); split=> [||i]; last by rewrite permE.
  apply/preserves_strataP => i; rewrite permE.
  have [ic|ic] := boolP (i \in c); last by rewrite next_out.
  by apply: (circuit_matching xc); rewrite ?mem_next.
by apply/ffunP => i; rewrite !ffunE permE.
Qed.

Lemma pass_on_invariants x c : circuit x c -> same_invariants x (pass_on c x).
Proof. by case/pass_on_perm => g [xg <- _]; apply: same_invariants_apply. Qed.

(* A circuit of length l changes l records.                                   *)
Lemma hamming_pass_on x c : circuit x c -> hamming x (pass_on c x) = size c.
Proof.
move=> xc; apply/eqP; rewrite eqn_leq; apply/andP; split.
  apply: leq_trans (hamming_le_differing _ _) _.
  rewrite -(card_uniqP (circuit_uniq xc)); apply: subset_leq_card.
  apply/subsetP => i; rewrite inE; apply: contraR => ic.
  by rewrite ffunE next_out // recordK.
have <- : \sum_r #|[set i in c | x i == r]| = size c.
  rewrite -(card_uniqP (circuit_uniq xc)) -cardsE (card_fibers x).
  by apply: eq_bigr => r _; apply: eq_card => i; rewrite !inE.
apply: leq_sum => r _.
have [->|[k]] := set_0Vmem [set i in c | x i == r]; first by rewrite cards0.
rewrite !inE => /andP[kc /eqP xk].
pose off := [set i | x i == r] :\: [set i in c].
have -> : table (pass_on c x) r = #|off|.
  rewrite ffunE; apply: eq_card => i; rewrite !inE ffunE.
  have [ic|ic] := boolP (i \in c); last by rewrite next_out // recordK.
  apply/negP; rewrite -xk => /eqP/(congr1 (fun r => (holding r, swapping r))).
  case=> /(circuit_holding xc ic kc) -> /circuit_swapping e.
  have := circuit_next xc kc; rewrite (e c) ?mem_next ?eqxx //.
rewrite ffunE -[X in _ <= X - _](cardsID [set i in c]) addnK.
by apply: subset_leq_card; apply/subsetP => i; rewrite !inE andbC.
Qed.

(* Back the same way.                                                         *)
Lemma pass_on_rev x c : circuit x c -> pass_on (rev c) (pass_on c x) = x.
Proof.
move=> /circuit_uniq uc; apply/ffunP => i.
by rewrite !ffunE next_rev // next_prev //; case: (x i) => [[]].
Qed.

Lemma circuit_rev x c : circuit x c -> circuit (pass_on c x) (rev c).
Proof.
move=> xc; have uc := circuit_uniq xc; have matchE := circuit_matching xc.
apply/and4P; split.
- by rewrite size_rev; case/andP: xc.
- rewrite map_inj_in_uniq ?rev_uniq // => i j; rewrite !mem_rev !ffunE.
  exact: circuit_holding.
- rewrite map_inj_in_uniq ?rev_uniq // => i j; rewrite !mem_rev !ffunE.
  move=> ic jc /(circuit_swapping xc); rewrite !mem_next => /(_ ic jc).
  exact: (can_inj (prev_next uc)).
case: c xc {uc} matchE => // k c _ matchE.
apply: (@all_pred1_constant _ (matching (x k))); rewrite all_map.
apply/allP => i; rewrite mem_rev /= ffunE => ic.
by rewrite (matchE i k) ?inE ?eqxx.
Qed.

(* A permutation splits: records of one cycle with one holding value, or with *)
(* one new swapping value, are in two cycles.                                 *)
Lemma apply_split x rho i j : preserves_strata x rho ->
    matching (x i) = matching (x j) ->
    holding (x i) = holding (x j) \/
      swapping (x (rho i)) = swapping (x (rho j)) ->
  table (apply_perm (tperm i j * rho) x) = table (apply_perm rho x).
Proof.
move=> /preserves_strataP xrho mij [hij|sij]; last first.
  congr table; apply/ffunP => k; rewrite !ffunE permM.
  by case: tpermP => [->|->|]; rewrite ?sij.
rewrite -(table_reorder (tperm i j)); congr table; apply/ffunP => k.
by rewrite !ffunE permM tpermK; case: tpermP => [->|->|]; rewrite ?mij ?hij.
Qed.

Lemma moved_set_split rho i j : rho i != i -> rho j != j ->
  moved_set (tperm i j * rho) \subset moved_set rho.
Proof.
move=> rhoi rhoj; apply/subsetP => k; rewrite !inE permM.
by case: tpermP => [->|->|].
Qed.

(* Among the shortest permutations from x to x', one with the most cycles.    *)
Definition shortest_perm x x' rho : bool :=
  [&& preserves_strata x rho, moved rho <= hamming x x'
    & table (apply_perm rho x) == table x'].

Lemma exists_finest x x' : same_invariants x x' ->
  exists2 rho, shortest_perm x x' rho
    & forall rho', shortest_perm x x' rho' -> #|porbits rho'| <= #|porbits rho|.
Proof.
case/swap_path=> rho0 [x_rho0 le0 /eqP tab0].
have short0 : shortest_perm x x' rho0.
  by rewrite /shortest_perm x_rho0 le0 leqnn.
case: (arg_maxnP (fun rho => #|porbits rho|) short0) => rho short max.
by exists rho => // rho'; apply: max.
Qed.

Lemma mem_orbit_porbit rho i j :
  j \in fingraph.orbit rho i -> j \in porbit rho i.
Proof.
rewrite -fconnect_orbit => /iter_findex <-.
by rewrite -permX mem_porbit.
Qed.

Lemma next_orbit rho i j : j \in fingraph.orbit rho i ->
  next (fingraph.orbit rho i) j = rho j.
Proof.
by move/(next_cycle (cycle_orbit perm_inj i)) => /eqP.
Qed.

Lemma finest_circuit x x' rho i : shortest_perm x x' rho ->
    (forall rho', shortest_perm x x' rho' ->
       #|porbits rho'| <= #|porbits rho|) ->
    rho i != i ->
  circuit x (fingraph.orbit rho i).
Proof.
move=> short max rhoi; set c := fingraph.orbit rho i.
case/and3P: (short) => xrho le_moved tab.
have matchE j : j \in c -> matching (x j) = matching (x i).
  move/mem_orbit_porbit/porbitP => [k ->].
  elim: k => [|k IHk]; first by rewrite expg0 perm1.
  by rewrite expgSr permM (elimT (preserves_strataP _ _) xrho).
have movedE j : j \in c -> rho j != j.
  move/mem_orbit_porbit/porbitP => [k ->]; rewrite -permM -expgSr expgS permM.
  by rewrite (inj_eq perm_inj).
have split j k : j \in c -> k \in c ->
    holding (x j) = holding (x k) \/
      swapping (x (rho j)) = swapping (x (rho k)) ->
    j = k.
  move=> jc kc eq_jk; apply/eqP; apply: contraT => neq_jk.
  have mjk : matching (x j) = matching (x k) by rewrite !matchE.
  have := max (tperm j k * rho)%g; rewrite /shortest_perm.
  rewrite preserves_strataM ?(preserves_strata_tperm mjk) //.
  rewrite (apply_split xrho mjk eq_jk) tab andbT.
  have sub := moved_set_split (movedE j jc) (movedE k kc).
  have le_split := subset_leq_card sub.
  rewrite (leq_trans le_split le_moved).
  have := porbits_mul_tperm rho j k; rewrite /= neq_jk.
  have -> : j \in porbit rho k.
    move/mem_orbit_porbit: jc; move/mem_orbit_porbit: kc.
    rewrite -eq_porbit_mem.
    by rewrite -!eq_porbit_mem => /eqP-> /eqP->.
  by rewrite addn0 addn1 => -> /(_ isT); rewrite ltnn.
have uc : uniq c := orbit_uniq _ _.
apply/and4P; split.
- have sub : {subset [:: i; rho i] <= c}.
    move=> j; rewrite !inE => /orP[]/eqP->; first exact: in_orbit.
    by rewrite -(next_orbit (in_orbit rho i)) mem_next in_orbit.
  by apply: (uniq_leq_size _ sub); rewrite /= inE eq_sym rhoi.
- by rewrite map_inj_in_uniq // => j k jc kc e; apply: split => //; left.
- rewrite map_inj_in_uniq // => j k; rewrite -(next_prev uc j).
  rewrite -(next_prev uc k) !mem_next !mem_prev => jc kc e; congr next.
  apply: split; rewrite ?mem_prev //; right.
  by rewrite -!(@next_orbit rho i) ?mem_prev.
apply: (@all_pred1_constant _ (matching (x i))).
by rewrite all_map; apply/allP => j /matchE /= ->.
Qed.

(* The first circuit of a chain from x to x'.                                 *)
Lemma first_circuit x x' : same_invariants x x' -> 0 < hamming x x' ->
  exists2 c, circuit x c
    & size c + hamming (pass_on c x) x' = hamming x x'.
Proof.
case/exists_finest=> rho short max h_gt0.
case/and3P: (short) => xrho le_moved /eqP tab.
have [i rhoi] : exists i, rho i != i.
  have : 0 < moved rho.
    apply: leq_trans (hamming_apply_perm rho x).
    by rewrite (hamming_table (erefl _) tab).
  by case/card_gt0P=> i; rewrite inE; exists i.
have xc := finest_circuit short max rhoi; set c := fingraph.orbit rho i in xc.
exists c => //; apply/eqP; rewrite eqn_leq; apply/andP; split; last first.
  by rewrite -(hamming_pass_on xc) hamming_triangle.
apply: leq_trans le_moved; rewrite -(hamming_table (erefl _) tab).
rewrite -(card_uniqP (circuit_uniq xc)) /moved -(cardsID [set j in c]).
apply: leq_add.
  rewrite -cardsE; apply: subset_leq_card; apply/subsetP => j.
  by rewrite !inE => jc; rewrite jc -(next_orbit jc) (circuit_next xc).
apply: leq_trans (hamming_le_differing _ _) _.
apply: subset_leq_card; apply/subsetP => j; rewrite !inE !ffunE => neq_j.
have jc : j \notin c.
  by apply: contra_neqN neq_j => jc; rewrite next_orbit.
rewrite jc; apply: contra_neq neq_j => rhoj.
by rewrite next_out // rhoj.
Qed.

(* The lemma on circuits: from x one comes to x' through circuits, whose      *)
(* lengths, the distances of consecutive data sets, add up to the distance.   *)
Theorem circuit_chains x x' : same_invariants x x' ->
  exists cs, [/\ circuit_chain x cs, table (pass_all x cs) = table x'
    & sumn [seq size c | c <- cs] = hamming x x'].
Proof.
have [k] := ubnP (hamming x x'); elim: k x => // k IHk x lt_k xx'.
have [h0|h_gt0] := posnP (hamming x x').
  by exists [::]; split=> //; apply/eqP; rewrite -hamming_eq0 h0.
have [c xc addE] := first_circuit xx' h_gt0.
have [||cs [ycs tab sumE]] := IHk (pass_on c x).
- by have /andP[c_gt1 _] := circuit_size_le xc; rewrite -addE in lt_k; lia.
- apply: same_invariants_trans xx'.
  by rewrite same_invariants_sym pass_on_invariants.
by exists (c :: cs); rewrite /= xc ycs sumE addE.
Qed.

Theorem circuit_changes x c : circuit x c ->
  [/\ 1 < size c <= minn #|H| #|S|, same_invariants x (pass_on c x)
    & hamming x (pass_on c x) = size c].
Proof.
move=> xc; split; first exact: circuit_size_le xc.
  exact: pass_on_invariants.
exact: hamming_pass_on.
Qed.

End Circuits.

Local Open Scope ring_scope.

Section Decide.

Variables (R : realFieldType) (M H S Y : finType) (n : nat).
Local Notation data := (dataset M H S n).
Variable T : data -> law R Y.
Hypothesis T_table : forall x x', table x = table x' -> T x = T x'.

Lemma chain_mult_le (x0 x : data) gamma cs :
    (forall x c, same_invariants x0 x -> circuit x c ->
       mult_le (gamma ^+ size c) (T x) (T (pass_on c x))) ->
    same_invariants x0 x -> circuit_chain x cs ->
  mult_le (gamma ^+ sumn [seq size c | c <- cs]) (T x) (T (pass_all x cs)).
Proof.
move=> le_c; elim: cs x => [|c cs IHcs] x x0x /=.
  by rewrite expr0 => _; apply: mult_le_refl.
case/andP=> xc ycs; rewrite exprD.
apply: mult_le_triangle (le_c x c x0x xc) (IHcs _ _ ycs).
exact: same_invariants_trans x0x (pass_on_invariants xc).
Qed.

Theorem circuits_decide (x0 : data) gamma :
  (forall x x', same_invariants x0 x -> same_invariants x0 x' ->
     mult_le (gamma ^+ hamming x x') (T x) (T x'))
  <->
  (forall x c, same_invariants x0 x -> circuit x c ->
     mult_le (gamma ^+ size c) (T x) (T (pass_on c x))).
Proof.
split=> [le_T x c x0x xc | le_c x x' x0x x0x'].
  rewrite -(hamming_pass_on xc); apply: le_T => //.
  exact: same_invariants_trans x0x (pass_on_invariants xc).
have [|cs [xcs tab <-]] := @circuit_chains _ _ _ _ x x'.
  by apply: same_invariants_trans x0x'; rewrite same_invariants_sym.
by rewrite -(T_table tab); apply: chain_mult_le le_c x0x xcs.
Qed.

End Decide.

(* The budgets of the PSA are those of the pairs that one circuit separates.  *)
Theorem psa_circuits (R : realFieldType) (M H S : finType) n
    (x0 : dataset M H S n) (p gamma : R) (p01 : 0 <= p <= 1) :
  satisfies_in p01 x0 gamma <->
  (forall (x : dataset M H S n) c z, same_invariants x0 x -> circuit x c ->
     psa p p01 x z <= gamma ^+ size c * psa p p01 (pass_on c x) z).
Proof.
have decide := circuits_decide (@psa_eq_table _ _ _ _ _ _ p01) x0 gamma.
split=> [/decide le_c x c z x0x xc | le_c].
  by have /mult_leP/(_ z)[] := le_c x c x0x xc.
apply/decide => x c x0x xc.
apply/mult_leP => z; split; first exact: le_c.
have := le_c (pass_on c x) (rev c) z; rewrite size_rev pass_on_rev //.
apply; last exact: circuit_rev.
exact: same_invariants_trans x0x (pass_on_invariants xc).
Qed.
