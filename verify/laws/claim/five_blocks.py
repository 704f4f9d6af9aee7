"""The five blocks in words, each under the question that it answers: for any specification, and for a claim.

The sentence shown for a claim is made from them and its mechanism, never from its authors' words.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from stirred.spec.blocks.multiverse import Multiverse
from stirred.spec.blocks.specification import BLOCKS, QUESTIONS
from stirred.spec.flavors.pufferfish import RESOLUTION
from stirred.verify.evidence.certificates.printable import one_line
from stirred.verify.evidence.reports.lines import counted, shortened
from stirred.verify.evidence.reports.report import Question, Safe
from stirred.verify.laws.claim.account import Account
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.claim import PrivacyClaim


class Stated(Enum):
    """How a text states a block."""

    EXACTLY = "stated exactly"
    IN_WORDS = "in words only"
    NOT = "not stated"


@dataclass(frozen=True)
class StatedBlock:
    """One block as a text states it.

    Attributes:
        note: what a list of such blocks adds to the name of this one.
    """

    text: str
    stated: Stated = Stated.EXACTLY
    note: str = ""


def not_stated(words: str = "") -> StatedBlock:
    """A block that a text leaves out, with the words that stand where it would be.

    >>> not_stated("none known").text
    'not stated (none known)'
    """
    return StatedBlock(f"{Stated.NOT.value} ({words})" if words else Stated.NOT.value, Stated.NOT)


@dataclass(frozen=True)
class FiveBlocks:
    """The five blocks of a claim file, an account, a published record or a swapped table.

    Source: article, section 2.2; dissertation, Definitions 2.4.1 and 2.4.2.
    """

    domain: StatedBlock
    multiverse: StatedBlock
    input_premetric: StatedBlock
    output_premetric: StatedBlock
    budget: StatedBlock

    @property
    def by_name(self) -> Mapping[str, StatedBlock]:
        """The blocks by name, in order."""
        return {name: getattr(self, name) for name in BLOCKS}

    @property
    def texts(self) -> Mapping[str, str]:
        """The text of each block, by name."""
        return {name: block.text for name, block in self.by_name.items()}

    def named(self, stated: Stated) -> list[str]:
        """The names of the blocks that are stated in this way, each with its note.

        >>> bare = [StatedBlock(text) for text in "bcd"]
        >>> FiveBlocks(not_stated(), *bare, StatedBlock("e", note="e")).named(Stated.EXACTLY)
        ['multiverse', 'input_premetric', 'output_premetric', 'budget (e)']
        """
        chosen = ((name, block.note) for name, block in self.by_name.items() if block.stated is stated)
        return [f"{name} ({note})" if note else name for name, note in chosen]

    def text(self) -> str:
        """One line for each block.

        >>> print(FiveBlocks(*(StatedBlock(text) for text in "abcde")).text().splitlines()[0])
        domain            (who is eligible for protection?)       a
        """
        return "\n".join(
            f"{one.block:<17} {'(' + one.question + ')':<39} {one_line(one.answer)}" for one in self.questions()
        )

    def questions(self) -> tuple[Question, ...]:
        """Each block with its question and its answer."""
        return tuple(Question(name.replace("_", " "), QUESTIONS[name], answer) for name, answer in self.texts.items())


def universes_text(multiverse: Multiverse) -> str:
    """How many universes there are, of how many data sets.

    >>> universes_text(Multiverse(({1, 2}, {3})))
    '2 universes of 1 to 2 data sets, 1 singleton'
    """
    sizes = [len(universe) for universe in multiverse]
    if not sizes:
        return "no universe"
    span = counted(max(sizes), "data set")
    if min(sizes) < max(sizes):
        span = f"{min(sizes)} to {span}"
    return f"{counted(len(sizes), 'universe')} of {span}, {counted(multiverse.singletons(), 'singleton')}"


_LONGEST = 160


@dataclass(frozen=True)
class _Dimension:
    name: str
    question: str
    blocks: tuple[str, ...]
    silent: str


_DIMENSIONS = (
    _Dimension(
        "people",
        "who gets the data or the outputs, and how were they vetted?",
        (),
        "who they are; limits on outputs may guide how much they are vetted, and measure nothing of it",
    ),
    _Dimension(
        "projects",
        "is the use appropriate, ethical and lawful?",
        (),
        "what the use is; a budget may be divided among projects, whatever each of them is for",
    ),
    _Dimension(
        "settings",
        "how secure is the place, physical or virtual, where data are accessed and shared?",
        (),
        "where data are kept and shared; it is the same in any place, and with the mechanism public",
    ),
    _Dimension(
        "data",
        "what is in the data that could be disclosed, and of whom?",
        ("domain", "multiverse", "input_premetric"),
        "what the data are about: those of patients and of shoppers are treated alike where they have the same form",
    ),
    _Dimension(
        "outputs",
        "what may the outputs disclose?",
        ("output_premetric", "budget"),
        "how sensitive it is what an output may disclose",
    ),
)
"""Section 8.4: the blocks state what and who are protected (data), and how and how much (outputs)."""


def five_safes(blocks: FiveBlocks) -> tuple[Safe, ...]:
    """Each of the Five Safes with what a specification's blocks say about it, and what no block says; never a score.

    Source: dissertation, section 8.4 (Claim 2, Remarks 8.4.2 and 8.4.3); the dimensions, section 8.2.
    """
    found = []
    for one in _DIMENSIONS:
        chosen = {name: blocks.by_name[name] for name in one.blocks}
        is_said = any(block.stated is not Stated.NOT for block in chosen.values())
        words = tuple(_words(name, block) for name, block in chosen.items())
        found.append(Safe(one.name, one.question, is_said, words, one.silent))
    return tuple(found)


def _words(name: str, block: StatedBlock) -> str:
    how = f" ({block.stated.value})" if block.stated is Stated.IN_WORDS else ""
    return f"{name.replace('_', ' ')}: {shortened(block.text, _LONGEST)}{how}"


def five_blocks(built: PrivacyClaim) -> FiveBlocks:
    """The five blocks; one that the file leaves out is "not stated", and a description is words only."""
    measure = built.output_premetric
    return FiveBlocks(
        domain=_stated(built, "domain", _domain(built)),
        multiverse=_stated(built, "multiverse", _multiverse(built), is_exact=built.gives_universes),
        input_premetric=_with_resolution(built, _stated(built, "input_premetric", built.input_premetric[0])),
        output_premetric=_stated(built, "output_premetric", None if measure is None else measure.described()),
        budget=_stated(built, "budget", _budgets(built) if built.states_budget else None),
    )


def _stated(built: PrivacyClaim, block: str, text: str | None, *, is_exact: bool = False) -> StatedBlock:
    """A block by a text that states it exactly, or by the description in the file."""
    if block not in built.words:
        return not_stated()
    described = built.words[block]
    stated = Stated.EXACTLY if is_exact or text is not None else Stated.IN_WORDS
    if text is not None and described:
        text = f"{text}; in the claim's words, which are not checked: {described}"
    return StatedBlock(text or described or "stated in part", stated)


def _with_resolution(built: PrivacyClaim, block: StatedBlock) -> StatedBlock:
    resolution = built.input_premetric[1]
    return block if resolution is None else StatedBlock(f"{block.text}, resolution: {resolution}", block.stated)


def _domain(built: PrivacyClaim) -> str | None:
    if built.data is not None:
        name, lengths = built.data.domain.name, () if built.kind is None else built.kind.lengths
        if lengths and built.pufferfish is None:
            many = "record" if lengths == (1,) else "records"
            name = f"{name.removesuffix(' of records')} of {' or '.join(map(str, lengths))} {many}"
        return f"{len(built.data.domain)} {name}"
    if built.swapping_margins is not None:
        return f"all data sets with the margins (rows, columns) {'; '.join(map(str, built.swapping_margins))}"
    return None if built.kind is None else f"{built.kind.size_text} data sets"


def _multiverse(built: PrivacyClaim) -> str | None:
    names = f"invariant: {', '.join(map(str, built.invariants))}" if built.invariants else ""
    if built.data is not None:
        return f"{universes_text(built.data.multiverse)}{names and '; '}{names}"
    return names or None


def _budgets(built: PrivacyClaim) -> str:
    """The budget; where there are several settings, that of each."""
    texts = []
    for case in built.cases:
        at = "".join(f" at {name} = {value}" for name, value in case.setting.items()) if len(built.cases) > 1 else ""
        texts.append(("" if case.budget is None else _budget(case.budget)) + at)
    return "; ".join(texts)


def _budget(budget: ClaimedBudget) -> str:
    if budget.loss is not None and not budget.is_formula:
        return "epsilon = infinity" if budget.loss.is_infinite else f"epsilon = ln({budget.loss.gamma})"
    printed = budget.printed if budget.epsilon is None else None
    return f"{budget.text}{'' if printed is None else f', printed {printed.text}'}"


_NAME = re.compile(r"[\w:.-]+(?: [\w-]+)?")
_FEW = 3


def own_sentence(built: PrivacyClaim) -> str:
    """What is audited, from the mechanism and the five blocks; what is stated in words alone is quoted."""
    said = [] if built.is_about_numbers_only else [_specification(built)]
    said += [] if built.account is None else [_account(built.account)]
    if built.numbers:
        shown = ", ".join(f"{_quoted(one.what)} = {one.printed.text}" for one in built.numbers[:_FEW])
        more = ", …" if len(built.numbers) > _FEW else ""
        said.append(f"{counted(len(built.numbers), 'printed number')}, recomputed: {shown}{more}")
    return "; ".join(said)


def claimant_words(built: PrivacyClaim) -> str:
    """The statement, and the descriptions that stand beside what blocks state exactly."""
    stated = five_blocks(built).named(Stated.EXACTLY)
    described = (f"{name.replace('_', ' ')}: {_quote(built.words[name])}" for name in stated if built.words[name])
    return "; ".join((_quote(built.statement), *described))


def _specification(built: PrivacyClaim) -> str:
    name, resolution = built.input_premetric
    measure = built.output_premetric
    unit = "unit, which is not stated," if resolution is None else _quoted(resolution)
    output = _in_words(built, "output_premetric", "an output premetric") if measure is None else measure.described()
    if measure is not None:
        output = output.replace(measure.name, measure.symbol or measure.name, 1)
    return (
        f"{' and '.join(_satisfied(built))} in {output} for each {unit} "
        f"({name or _in_words(built, 'input_premetric', 'an input premetric')}), on "
        f"{_domain(built) or _in_words(built, 'domain', 'a domain')}, {_kept(built)}"
    )


def _satisfied(built: PrivacyClaim) -> Iterator[str]:
    """The mechanism with the budget of its setting; where there are several settings, that of each."""
    mechanism, several = built.mechanism, len(built.cases) > 1
    if mechanism is None:
        subject = "a mechanism that is not stated"
    else:
        setting = {name: _quoted(v) if isinstance(v, str) else v for name, v in built.cases[0].setting.items()}
        subject = mechanism.name if several else mechanism.described(setting)
        parts = [
            f"{role} {' x '.join(map(_quoted, names)) or 'nothing'}"
            for role, names in (mechanism.swap_variables or {}).items()
        ]
        parts += [f"{_quoted(name)} {number.text}" for name, number in mechanism.parts]
        parts += [] if built.largest_stratum is None else [f"b = {built.largest_stratum}"]
        subject += f" ({', '.join(parts)})" if parts else ""
    for place, case in enumerate(built.cases):
        budget = _in_words(built, "budget", "a budget") if case.budget is None else case.budget.text
        at = ", ".join(f"{name} = {value}" for name, value in case.setting.items()) if several else ""
        yield f"{'' if place else f'{subject} satisfies '}{budget}{at and ' at '}{at}"


def _kept(built: PrivacyClaim) -> str:
    """The multiverse, by what is invariant in it."""
    if built.lists_universes or not built.gives_universes:
        listed = _multiverse(built) if built.lists_universes else None
        return listed or _in_words(built, "multiverse", "a multiverse")
    names = (" x ".join(one) if isinstance(one, tuple) else str(one) for one in built.invariants)
    return f"invariant: {', '.join(map(_quoted, names))}" if built.invariants else "no invariants"


def _account(account: Account) -> str:
    names = ", ".join(f"{one.times} times " * (one.times > 1) + _quoted(one.name) for one in account.parts)
    named = f"the account of {counted(len(account.parts), 'release')} ({names})"
    whole, total = account.whole, account.total or account.printed
    if whole is None:
        return f"{named}, which are not of one flavor"
    flavor, letter = whole.flavor, whole.flavor.measure.value
    amount = total and (f"({total.text}, {whole.delta})" if whole.delta else total.text)
    budget = f"a total in {letter} that is not stated" if total is None else f"{letter} = {amount}"
    if account.converted is not None:
        budget += f", epsilon = {account.converted[0].printed.text} at delta = {account.converted[0].delta.text},"
    kept = f"invariant: {', '.join(map(_quoted, sorted(flavor.invariants)))}" if flavor.invariants else "no invariants"
    return (
        f"{named} satisfies {budget} for each {_quoted(flavor.unit)} "
        f"({account.premetric or flavor.premetric.value}), on a domain in words, {_quote(flavor.domain)}, {kept}"
    )


def _in_words(built: PrivacyClaim, block: str, what: str) -> str:
    text = built.words.get(block)
    return f"{what} in words, {_quote(text)}" if text else f"{what} that is not stated"


def _quoted(text: str) -> str:
    """A name as it is; longer words, which nothing reads, in quotation marks."""
    return text if _NAME.fullmatch(text) or text == RESOLUTION else _quote(text)


def _quote(text: str) -> str:
    return json.dumps(one_line(text), ensure_ascii=False)
