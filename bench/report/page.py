"""Puts the report together: the page, the same tables as Markdown and CSV, each figure as SVG."""

import csv
import dataclasses
import pathlib

import jinja2

from . import figures, tables
from .comparable import PROBLEM, with_problem
from .text import elements, percent

NATIVE = ["cuda", "hip", "cpu"]  # what portable models are held against, the first that is on the device


@dataclasses.dataclass
class Figure:
    id: str
    title: str
    svg: str


@dataclasses.dataclass
class Section:
    title: str
    tables: list
    figures: list = dataclasses.field(default_factory=list)


def problems_of(rows):
    """Each problem's right measurements, the largest first, and of one size kernel scope and cold first."""
    right = rows[rows["status"] == "right"]
    groups = [group for _, group in right.groupby(PROBLEM, dropna=False, sort=False)]
    return sorted(groups, key=lambda g: (-g["n"].iloc[0] * g["bytes"].iloc[0], g["scope"].iloc[0] != "kernel", g["cache"].iloc[0] != "cold"))


def by_backend(group):
    """{backend: the best measured tuning of each rung, in the ladder's order}; of several processes the last."""
    found = {}
    for backend, rows in group.groupby("backend", sort=False):
        rows = rows[rows["run"] == sorted(rows["run"])[-1]]
        found[backend] = tables.rung_order(tables.best_tuning(rows))
    return found


def native_of(backends):
    return next((backend for backend in NATIVE if backend in backends), None)


def lead_of(groups):
    """The answer at a glance: what the best rung of each backend reaches on each device, and what portability costs there.

    Each on the largest problem that has it."""
    lines = []
    for device in dict.fromkeys(group["device"].iloc[0] for group in groups):
        here = [group for group in groups if group["device"].iloc[0] == device]
        backends = list(dict.fromkeys(backend for group in here for backend in group["backend"]))
        for backend in backends:
            own = (group[(group["backend"] == backend) & (group["library"] == False)] for group in here)  # noqa: E712
            rows = next((rows for rows in own if not rows.empty), None)
            if rows is None:
                continue
            best = rows.loc[rows["gbs"].idxmax()]
            of = [f"{percent(best[part])} % of the {name}"
                  for part, name in (("of_peak", "theoretical peak"), ("of_ceiling", "read-only ceiling")) if best[part] > 0]
            lines.append(f"{backend} on {device}: {best['name']} reaches {best['gbs']:.0f} GB/s"
                         + (f", {' and '.join(of)}" if of else "") + f" ({tables.problem_text(best)}).")
        native = native_of(backends)
        for backend in backends if native else []:
            lines += cost_of(here, native, backend) if backend != native else []
    return lines


def cost_of(groups, native, backend):
    for group in groups:
        pairs = tables.sides_of(group[group["library"] == False], native, backend)  # noqa: E712
        if pairs.empty:
            continue
        parts = pairs["median"] / pairs["median_other"]
        separate = "" if pairs["interleaved"].all() else ", in separate processes"
        return [f"{backend} beside {native}: {parts.median():.2f} of its speed in the median of {len(parts)} rungs, from "
                f"{parts.min():.2f} to {parts.max():.2f} ({tables.problem_text(group.iloc[0])}{separate})."]
    return []


def report_of(study):
    """(lead, sections) of a study."""
    rows = with_problem(study)
    groups = problems_of(rows)
    styles = figures.style(list(dict.fromkeys(rows["backend"])))
    drawn = []
    for device in dict.fromkeys(group["device"].iloc[0] for group in groups):
        group = next(group for group in groups if group["device"].iloc[0] == device)
        title = f"{device}: {tables.problem_text(group.iloc[0])}"
        identifier = f"ladder-{len(drawn)}"
        drawn.append(Figure(identifier, title, figures.ladder_bars(by_backend(group), styles, identifier, title)))
        first = group.iloc[0]
        sizes = rows[(rows["status"] == "right") & (rows["device"] == device)]
        for name in ("type", "op", "data", "cache", "scope"):
            sizes = sizes[sizes[name] == first[name]]
        if sizes["n"].nunique() > 1:
            identifier = f"sizes-{len(drawn)}"
            title = f"{device}: the best rung of each backend by size, {first['cache']}, {first['scope']} scope"
            drawn.append(Figure(identifier, title, figures.over_sizes(
                dict(list(sizes.groupby("backend", sort=False))), styles, identifier, title,
                lambda some: some.loc[some.groupby("n")["gbs"].idxmax()])))
    matrices = []
    for device, group in rows.groupby("device", sort=False):
        present = list(dict.fromkeys(group["backend"]))
        native = native_of(present)
        if native:
            matrices += tables.portability_matrix(group, native, [backend for backend in present if backend != native])
    phi = tables.phi_table(rows)
    ladders = [tables.ladder_table(part) for _, part in rows.groupby(["run", "backend", *PROBLEM], dropna=False, sort=False)]
    sections = [Section("The ladder", [], drawn), Section("What portability costs, rung by rung", matrices),
                Section("Performance portability", [phi] if phi else []),
                Section("Every ladder", ladders), Section("Machines", [tables.machines_table(study, rows)])]
    return lead_of(groups), [section for section in sections if section.tables or section.figures]


def write(study, files, folder):
    """Writes index.html, tables/*.md and *.csv, figures/*.svg below `folder`; returns the page's path."""
    lead, sections = report_of(study) if len(study.measurements) else (["These records hold no measurement."], [])
    folder = pathlib.Path(folder)
    for name in ("tables", "figures"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(pathlib.Path(__file__).parent), autoescape=True)
    page = environment.get_template("page.html").render(
        title="Reduction Ladder: report", lead=lead, sections=sections, problems=[str(p) for p in study.problems], files=files,
        lines=study.lines)
    (folder / "index.html").write_text(page, encoding="utf-8")
    for section in sections:
        for table in section.tables:
            (folder / "tables" / f"{table.id}.md").write_text(markdown(table), encoding="utf-8")
            write_csv(table, folder / "tables" / f"{table.id}.csv")
        for figure in section.figures:
            (folder / "figures" / f"{figure.id}.svg").write_text(figure.svg.replace("currentColor", "#1a1a1a"), encoding="utf-8")
    return folder / "index.html"


def markdown(table):
    def line(texts):
        return "| " + " | ".join(str(text).replace("|", "\\|") for text in texts) + " |\n"

    return (f"## {table.title}\n\n" + line(table.heads) + line(["---"] + ["---:"] * (len(table.heads) - 1))
            + "".join(line(cell.text for cell in row) for row in table.rows) + (f"\n{table.note}\n" if table.note else ""))


def write_csv(table, path):
    """Values as they are, not as they are shown, and the lines that each row comes from."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow([*table.heads, "records"])
        for row in table.rows:
            trace = dict.fromkeys(place for cell in row for place in cell.trace)
            out.writerow([cell.text if cell.value is None else cell.value for cell in row] + [" ".join(trace)])
