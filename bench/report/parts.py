"""What a report is put together from: sections of tables and figures, whose numbers know the records they come from."""

import csv
import dataclasses


@dataclasses.dataclass(frozen=True)
class Cell:
    """What stands in a table: its text, its value for sorting and for CSV, and the lines that it comes from."""

    text: str
    value: object = None
    trace: tuple = ()  # of "file:line"
    state: str = ""  # some of "low", "good", "best", "wrong", "separate", "shade": how it is coloured


@dataclasses.dataclass
class Table:
    """Rows of cells below their heads; the first column names the row. `note` says what a reader has to know of it."""

    id: str
    title: str
    heads: list
    rows: list
    note: str = ""
    sides: str = ""  # "l" or "r" for each column; the first is left and the others are right where it is empty
    extra: list = None  # the measurement of each row, where the page draws more of it than its cells (picked.py)

    def __post_init__(self):
        self.sides = self.sides or "l" + "r" * (len(self.heads) - 1)

    def with_columns(self, heads):
        """These columns of it."""
        places = [self.heads.index(head) for head in heads]
        return dataclasses.replace(self, heads=heads, rows=[[row[place] for place in places] for row in self.rows],
                                   sides="".join(self.sides[place] for place in places))

    def without_same(self, *heads):
        """It without those of these columns that say one thing alone."""
        said = dict(zip(self.heads, zip(*self.rows, strict=True), strict=True))
        return self.with_columns([head for head in self.heads
                                  if head not in heads or len({cell.text for cell in said[head]}) > 1])

    def narrowed(self, heads, wanted):
        """The rows that have the texts of `wanted` under its heads; of the columns of `heads` those that say more than one thing,
        while the title says what the others do."""
        rows = [row for row in self.rows if all(row[self.heads.index(head)].text == text for head, text in wanted.items())]
        one = dataclasses.replace(self, rows=rows)
        shown = one.without_same(*heads, *wanted)
        said = [cell.text for head, cell in zip(self.heads, rows[0], strict=True) if cell.text and head not in shown.heads]
        return dataclasses.replace(shown, title=f"{self.title}: {', '.join(said)}")

    def grid(self):
        """The table alone, in Markdown; what is wrong, low or the best of its row is bold."""
        def line(texts):
            return "| " + " | ".join(text.replace("|", "\\|") for text in texts) + " |\n"

        def shown(cell):
            return f"**{cell.text}**" if cell.text and {"low", "best", "wrong"} & set(cell.state.split()) else cell.text

        rule = "|" + "|".join({"l": "---", "r": "---:"}[side] for side in self.sides) + "|\n"
        return line(self.heads) + rule + "".join(line(map(shown, row)) for row in self.rows)

    def within(self):
        """As a part of a page in Markdown, below a heading of its own."""
        return "\n\n".join(part for part in (f"{self.title}." if self.title else "", self.grid().rstrip(),
                                             self.note) if part) + "\n"

    def write_csv(self, path):
        """Values as they are, not as they are shown, and the lines that each row comes from."""
        with open(path, "w", newline="", encoding="utf-8") as file:
            out = csv.writer(file)
            out.writerow([*self.heads, "records"])
            for row in self.rows:
                trace = dict.fromkeys(place for cell in row for place in cell.trace)
                out.writerow([cell.text if cell.value is None or cell.value != cell.value else cell.value for cell in row]
                             + [" ".join(trace)])


@dataclasses.dataclass
class Figure:
    """A chart, and what it shows in words for those who do not see it."""

    id: str
    title: str
    spec: dict  # Vega-Lite's
    words: str


@dataclasses.dataclass
class Section:
    """A part of the page. `text` is a sentence or two that say how to read it."""

    id: str
    title: str
    text: str = ""
    tables: list = dataclasses.field(default_factory=list)
    figures: list = dataclasses.field(default_factory=list)


def section_of(identifier, title, text, parts):
    """A section of the tables and figures that there are; nothing where there is none. Of those of one name, as after another
    seed or eviction, the first stands."""
    found = {}
    for part in filter(None, parts):
        found.setdefault((type(part), part.id), part)
    kinds = ([part for part in found.values() if isinstance(part, kind)] for kind in (Table, Figure))
    return Section(identifier, title, text, *kinds) if found else None


def name_of(*words):
    """An identifier, of words as records have them: kokkos/openmp, NVIDIA H200."""
    text = "-".join(str(word) for word in words if word is not None and word != "")
    return "".join(c if c.isalnum() or c in "-_" else "_" for c in text).lower()
