"""What this copy of the project has of each rung: its source, and what that changes of its base's and of the native model's; what
was expected of it; its drawing."""

import csv
import difflib
import pathlib
import re
import subprocess

from .text import missing
from .view import NATIVE

ROOT = pathlib.Path(__file__).parents[2]
SUFFIX = {"cuda": ".cu", "hip": ".hip", "kokkos": ".cpp", "cpu": ".cpp"}


def predictions(root):
    """What was expected of steps before they were measured; empty where the file is not."""
    file = root / "docs" / "predictions.csv"
    return list(csv.DictReader(file.read_text(encoding="utf-8").splitlines())) if file.is_file() else []


def patterns_of(rungs):
    """{rung: the SVG of its access pattern}, of the rungs that docs has one of (tools/patterns.py)."""
    files = {rung: ROOT / "docs" / "results" / "figures" / f"pattern-{rung}.svg" for rung in sorted(rungs)}
    return {rung: file.read_text(encoding="utf-8") for rung, file in files.items() if file.is_file()}


def address():
    """Where this repository is on the web, if its remote is a plain address there; empty where it is nowhere."""
    try:
        remote = subprocess.run(["git", "-C", ROOT, "remote", "get-url", "origin"], capture_output=True, text=True).stdout.strip()
    except OSError:  # no git
        return ""
    found = re.fullmatch(r"(?:https://|git@)([\w.-]+)[:/]([\w./-]+?)(?:\.git)?", remote)
    return f"https://{found[1]}/{found[2]}" if found else ""


def split(text):
    """(the comment at the head of a source, which says why; the lines of code that follow)"""
    lines = text.rstrip().split("\n")
    end = next((place for place, line in enumerate(lines) if not line.startswith("//")), len(lines))
    return " ".join(re.sub("^// ?", "", line) for line in lines[:end]), "\n".join(lines[end:]).lstrip("\n").split("\n")


def matched(one, other):
    """What two sources have in common, their own names and indentation apart."""
    def plain(file):
        return [line.replace(file["rung"], "rung").strip() for line in file["code"]]

    return difflib.SequenceMatcher(None, plain(one), plain(other), autojunk=False)


def changes(base, file):
    """The lines that differ, marked - and +, and two lines around each."""
    found = []
    for group in matched(base, file).get_grouped_opcodes(2):
        found += ["  …"] * bool(found)
        for kind, a, b, c, d in group:
            found += [f"- {line}" for line in base["code"][a:b] if kind != "equal"]
            found += [f"{' ' if kind == 'equal' else '+'} {line}" for line in file["code"][c:d]]
    return found


def foreign(native, file):
    """The places of the lines that the native model's source has not."""
    same = {place + at for _, place, size in matched(native, file).get_matching_blocks() for at in range(size)}
    return [place for place, line in enumerate(file["code"]) if place not in same and line.strip()]


def read(name, model):
    """The source of a rung, by its whole name, in this copy of the project; nothing where it is not there."""
    path = ROOT / model / "rungs" / f"{re.sub(r'[^a-z0-9_]', '', name)}{SUFFIX.get(model, '')}"
    if model not in SUFFIX or not path.is_file():
        return None
    why, code = split(path.read_text(encoding="utf-8"))
    return {"path": str(path.relative_to(ROOT)), "model": model, "rung": name[:3], "why": why, "code": code}


def of(study, rows):
    """{rung: {model: its file}} of these rows. A file has what it changes of its base's, which of its lines the native model has
    not, and the address of the source that was measured."""
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
