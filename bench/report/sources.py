"""Sources of the rungs in this copy of the project, their differences to the base's and the native model's; predictions;
drawings."""

import csv
import difflib
import pathlib
import re
import subprocess

from .named import NATIVE
from .text import missing

ROOT = pathlib.Path(__file__).parents[2]
SUFFIX = {"cuda": ".cu", "hip": ".hip", "kokkos": ".cpp", "cpu": ".cpp"}


def predictions(root):
    """Predictions of steps from before their measurement; empty if the file is missing."""
    file = root / "docs" / "predictions.csv"
    return list(csv.DictReader(file.read_text(encoding="utf-8").splitlines())) if file.is_file() else []


def patterns_of(rungs):
    """{rung: SVG of its access pattern} for the rungs that have one in docs (tools/patterns.py)."""
    files = {rung: ROOT / "docs" / "results" / "figures" / f"pattern-{rung}.svg" for rung in sorted(rungs)}
    return {rung: file.read_text(encoding="utf-8") for rung, file in files.items() if file.is_file()}


def address():
    """Web address of this repository, from a plain remote URL; empty if there is none."""
    try:
        remote = subprocess.run(["git", "-C", ROOT, "remote", "get-url", "origin"], capture_output=True, text=True).stdout.strip()
    except OSError:  # git is not installed
        return ""
    found = re.fullmatch(r"(?:https://|git@)([\w.-]+)[:/]([\w./-]+?)(?:\.git)?", remote)
    return f"https://{found[1]}/{found[2]}" if found else ""


def of_file(path):
    """A rung's source: `why`, its head comment, which has the reasons, and `code`, the lines after it."""
    lines = path.read_text(encoding="utf-8").rstrip().split("\n")
    end = next((place for place, line in enumerate(lines) if not line.startswith("//")), len(lines))
    return {"rung": path.name[:3], "why": " ".join(re.sub("^// ?", "", line) for line in lines[:end]),
            "code": "\n".join(lines[end:]).lstrip("\n").split("\n")}


def matched(one, other):
    """Compares two sources, ignoring their own names and indentation."""
    def plain(file):
        return [line.replace(file["rung"], "rung").strip() for line in file["code"]]

    return difflib.SequenceMatcher(None, plain(one), plain(other), autojunk=False)


def changes(base, file, context=2, until=None):
    """The differing lines, marked - and +, with lines of context. Ignores blank lines, and what follows the line `until`."""
    def shortened(file):
        code = file["code"][:file["code"].index(until)] if until in file["code"] else file["code"]
        return file | {"code": [line for line in code if line.strip()]}

    (base, file), found = map(shortened, (base, file)), []
    for group in matched(base, file).get_grouped_opcodes(context):
        found += ["  …"] * bool(found)
        for kind, a, b, c, d in group:
            found += [f"- {line}" for line in base["code"][a:b] if kind != "equal"]
            found += [f"{' ' if kind == 'equal' else '+'} {line}" for line in file["code"][c:d]]
    return found


def foreign(native, file):
    """Indices of lines that the native model's source does not have."""
    same = {place + at for _, place, size in matched(native, file).get_matching_blocks() for at in range(size)}
    return [place for place, line in enumerate(file["code"]) if place not in same and line.strip()]


def read(name, model):
    """Source of a rung, given its full name, in this copy of the project; None if missing."""
    path = ROOT / model / "rungs" / f"{re.sub(r'[^a-z0-9_]', '', name)}{SUFFIX.get(model, '')}"
    if model not in SUFFIX or not path.is_file():
        return None
    return {"path": str(path.relative_to(ROOT)), "model": model} | of_file(path)


def of(study, rows):
    """{rung: {model: its file}} for these rows. A file has its changes to the base's, the lines that the native model lacks,
    and the address of the measured source."""
    web, files = address(), {}
    for row in rows:
        key = row["rung"], row["backend"].partition("/")[0]
        file = read(row["name"], key[1]) if row["sort"] == "rung" and key not in files else None
        if file:
            commit = re.match(r"[0-9a-f]*", str(study.runs[row["run"]]["commit"] or ""))[0]
            url = f"{web}/blob/{commit}/{file['path']}" if web and commit else None
            said = f"Sources as in this copy of the project; measured at {commit}."
            files[key] = file | {"base": None if missing(row["base"]) else row["base"], "url": url, "said": said}
    told = {}
    for (rung, model), file in files.items():
        base = files.get((file["base"], model))
        native = next(files[rung, one] for one in (*NATIVE, model) if (rung, one) in files)
        told.setdefault(rung, {})[model] = file | {"changes": changes(base, file) if base else [],
                                                   "foreign": foreign(native, file) if native is not file else []}
    return told
