"""Parts of a report: sections of tables and figures, whose numbers link to their records."""

import csv
import dataclasses


@dataclasses.dataclass(frozen=True)
class Cell:
    """A table cell: text, value for sorting and CSV, and its source lines."""

    text: str
    value: object = None
    trace: tuple = ()  # entries are "file:line"
    state: str = ""  # any of "low", "good", "best", "wrong", "separate", "shade": selects the colours


@dataclasses.dataclass
class Table:
    """Rows, each {head of a column: its cell, or a text}, all with the same heads; the first column names the row. `note`:
    remarks for the reader."""

    id: str
    title: str
    rows: list
    note: str = ""
    extra: list = None  # measurement of each row, if the page shows more than its cells (page.py)

    def __post_init__(self):
        self.rows = [{head: Cell(cell) if isinstance(cell, str) else cell for head, cell in row.items()} for row in self.rows]

    @property
    def heads(self):
        return list(self.rows[0]) if self.rows else []

    def with_columns(self, heads):
        """A copy with only these columns."""
        return dataclasses.replace(self, rows=[{head: row[head] for head in heads} for row in self.rows])

    def without_same(self, *heads):
        """A copy without those of these columns that hold a single value."""
        return self.with_columns([head for head in self.heads
                                  if head not in heads or len({row[head].text for row in self.rows}) > 1])

    def narrowed(self, heads, wanted):
        """A copy with only the rows that have the texts `wanted`; drops columns of `heads` with a single value, which the title
        shows."""
        rows = [row for row in self.rows if all(row[head].text == text for head, text in wanted.items())]
        shown = dataclasses.replace(self, rows=rows).without_same(*heads, *wanted)
        said = [cell.text for head, cell in rows[0].items() if cell.text and head not in shown.heads]
        return dataclasses.replace(shown, title=f"{self.title}: {', '.join(said)}")

    def grid(self):
        """The table in Markdown without title and note. Columns of numbers are right-aligned; wrong, low and best cells are
        bold."""
        def line(texts):
            return "| " + " | ".join(text.replace("|", "\\|") for text in texts) + " |\n"

        def shown(cell):
            return f"**{cell.text}**" if cell.text and {"low", "best", "wrong"} & set(cell.state.split()) else cell.text

        def rule(head):
            return "---" if head == self.heads[0] or any(row[head].text[:1].isalpha() for row in self.rows) else "---:"

        return (line(self.heads) + "|" + "|".join(map(rule, self.heads)) + "|\n"
                + "".join(line(map(shown, row.values())) for row in self.rows))

    def within(self):
        """The table in Markdown for a page that has its own heading."""
        return "\n\n".join(part for part in (f"{self.title}." if self.title else "", self.grid().rstrip(),
                                             self.note) if part) + "\n"

    def write_csv(self, path):
        """Writes unformatted values and each row's source lines."""
        with open(path, "w", newline="", encoding="utf-8") as file:
            out = csv.writer(file)
            out.writerow([*self.heads, "records"])
            for row in self.rows:
                trace = dict.fromkeys(place for cell in row.values() for place in cell.trace)
                out.writerow([cell.text if cell.value is None or cell.value != cell.value else cell.value
                              for cell in row.values()] + [" ".join(trace)])


@dataclasses.dataclass
class Figure:
    """A chart, and a description of it for readers who cannot see it."""

    id: str
    title: str
    spec: dict  # Vega-Lite specification
    words: str


@dataclasses.dataclass
class Section:
    """A part of the page. `text`: one or two sentences on how to read it."""

    id: str
    title: str
    text: str = ""
    tables: list = dataclasses.field(default_factory=list)
    figures: list = dataclasses.field(default_factory=list)


def section_of(identifier, title, text, parts):
    """A section of the non-empty tables and figures; None if there are none. Of parts with the same id, as after another seed
    or eviction, the first is kept."""
    found = {}
    for part in filter(None, parts):
        found.setdefault((type(part), part.id), part)
    kinds = ([part for part in found.values() if isinstance(part, kind)] for kind in (Table, Figure))
    return Section(identifier, title, text, *kinds) if found else None


def name_of(*words):
    """Makes an identifier from words of records: kokkos/openmp, NVIDIA H200."""
    text = "-".join(str(word) for word in words if word is not None and word != "")
    return "".join(c if c.isalnum() or c in "-_" else "_" for c in text).lower()
