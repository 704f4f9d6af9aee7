"""Random programs on arrays into which numbers that are drawn are put: views, aliases, masks, casts, changes in place.

A cell is an integer, or an integer ± 4u with u uniform: whatever is compared or cut off lies on a line of the grid.
"""

import random

LENGTH = 4


class ArrayWriter:
    """Writes a random function of `data`, a list of four small integers, that makes its generator itself."""

    def __init__(self, seed):
        self.random = random.Random(seed)  # noqa: S311 a fixed sample
        self.draws = 0

    def pick(self, *options):
        return self.random.choice(options)

    def draw(self, size):
        """So many numbers, which are drawn while there are few."""
        if self.draws + size > 4:
            return f"np.array([{', '.join(str(self.random.randint(-2, 3)) for _ in range(size))}])"
        self.draws += size
        return self.pick(f"4 * rng.random({size})", f"4 * rng.random({size}) - 2", f"1 - 4 * rng.random({size})")

    def made(self):
        """A new array."""
        return self.pick(
            *("np.zeros(4)", "np.ones(4)", "np.arange(4.0)", "np.full(4, 2.0)", "np.array(data, dtype=float)"),
            *("np.zeros(4, dtype=int)", "np.arange(4)", "np.zeros((2, 2))[:, 0].repeat(2)", "np.zeros_like(base)"),
        )

    def view(self, one):
        """An array of four cells, which may be a view of another one."""
        return self.pick(
            *(one, f"{one}[::-1]", f"{one}[:]", f"{one}.reshape(2, 2).ravel()", f"{one}.reshape(2, 2).T.reshape(4)"),
            *(f"{one}.copy()", f"{one}[[0, 2, 1, 3]]", f"np.asarray({one})", f"np.array({one})"),
            *(f"{one}.flatten()",),
            *(f"{one}.astype(float)", f"{one}.astype(int)", f"np.concatenate([{one}[2:], {one}[:2]])", f"-{one}"),
            *(f"np.where({one} > {self.number()}, {one}, {self.number()})", f"np.clip({one}, -1, {self.number()})"),
            *(
                f"np.maximum({one}, {self.number()})",
                f"np.floor({one})",
                f"{one} + np.array(data)",
                f"np.roll({one}, 1)",
            ),
            *(f"np.append({one}[1:], {one}[0])", f"np.array({one}.tolist())", f"np.array(list({one}))"),
            f"abs({one})",
            *(f"np.sort(np.floor({one}))", f"np.flip({one})", f"{one}.clip(max=1)"),
            f"np.array([*{one}], dtype=float)",
        )

    def number(self):
        return str(self.random.randint(-1, 2))

    def part(self, one):
        """Cells of an array, with how many they are."""
        return self.pick(
            *(
                (f"{one}[{self.random.randint(-4, 3)}]", 1),
                (f"{one}[1:3]", 2),
                (f"{one}[::2]", 2),
                (f"{one}[[3, 0]]", 2),
            ),
            *((f"{one}.reshape(2, 2)[1]", 2), (f"{one}[{one} > {self.number()}]", 0), (f"{one}[...]", 4)),
        )

    def statement(self, names, new):
        one = self.pick(*names)
        kind = self.random.random()
        if kind < 0.2:
            return f"{new} = {self.made()}"
        if kind < 0.5:
            return f"{new} = {self.view(one)}"
        part, size = self.part(one)
        if kind < 0.75 and size:
            value = self.draw(size)
            return f"{part} = {value if size > 1 else f'({value})[0]'}"
        if kind < 0.9:
            return f"{part} {self.pick('= 1', '+= 1', '-= 2', '*= -1', '*= 0')}"
        return f"{one} {self.pick('+=', '-=')} {self.number()}"

    def program(self):
        """The text of a function."""
        names, lines = ["base"], ["rng = np.random.default_rng()", "base = np.zeros(4)"]
        for place in range(self.random.randint(3, 6)):
            new = f"v{place}"
            line = self.statement(names, new)
            if line.startswith(f"{new} ="):
                names.append(new)
            lines.append(line)
        told = [f"(({name} > {self.number()}).tolist(), {name}.shape)" for name in names]
        tried = "\n".join(f"        {line}" for line in lines)
        return (
            f"def f(data):\n    try:\n{tried}\n    except (TypeError, ValueError) as error:\n"
            f"        return type(error).__name__\n    return [{', '.join(told)}]\n"
        )
