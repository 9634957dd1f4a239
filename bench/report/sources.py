"""The source of each rung as it was when it was measured, of the record's commit where git has it, else as it is here; and what
it changes of its base's and of the native model's."""

import difflib
import pathlib
import re
import subprocess

from .view import NATIVE

ROOT = pathlib.Path(__file__).parents[2]
SUFFIX = {"cuda": ".cu", "hip": ".hip", "kokkos": ".cpp", "cpu": ".cpp"}


def git(*words, text=""):
    """What git says, or nothing where it cannot."""
    try:
        done = subprocess.run(["git", "-C", ROOT, *words], input=text.encode(), capture_output=True, check=False)
    except OSError:
        return b""
    return done.stdout if done.returncode == 0 else b""


def contents(names):
    """{"commit:path": text} of those that git has."""
    out, found = git("cat-file", "--batch", text="".join(f"{name}\n" for name in names)), {}
    for name in names:
        head, _, out = out.partition(b"\n")
        parts = head.split()
        if len(parts) == 3 and parts[1] == b"blob":
            found[name] = out[:int(parts[2])].decode("utf-8", "replace")
            out = out[int(parts[2]) + 1:]
    return found


def address():
    """Where this repository is on the web, if its remote is a plain address there; empty where it is nowhere."""
    remote = git("remote", "get-url", "origin").decode().strip()
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


def read(study, wanted):
    """{(model, rung, run): its file} of what git has or is here. `wanted`: {the same: the rung's whole name}."""
    web, found, files, names = address(), {}, {}, {}
    for (model, rung, run), name in wanted.items():
        if name and model in SUFFIX:
            commit = re.match(r"[0-9a-f]*", str(study.runs[run].get("commit") or ""))[0]
            names[model, rung, run] = commit, f"{model}/rungs/{re.sub(r'[^a-z0-9_]', '', name)}{SUFFIX[model]}"
    texts = contents(sorted({f"{commit}:{path}" for commit, path in names.values() if commit}))
    for key, (commit, path) in names.items():
        text, said = texts.get(f"{commit}:{path}"), f"Sources as they were at {commit}."
        url = f"{web}/blob/{commit}/{path}" if web and text else None
        if text is None and (ROOT / path).is_file():
            text, said = (ROOT / path).read_text(encoding="utf-8"), "Sources as they are in this copy of the project."
        if text is not None:
            head, code = split(text)
            found[key] = files.setdefault((path, text, said), {"path": path, "model": key[0], "rung": key[1], "why": head,
                                                               "code": code, "url": url, "said": said})
    return found


def of(study, rungs, runs):
    """What the page shows: {"files": [file], "of": {"model rung run": the places of its file, its base's and the native model's},
    "changes": {"base file": lines}, "foreign": {"native file": places of lines}}. `rungs`: {(model, rung, run): (its whole name,
    its base)}; `runs`: {run: its number}."""
    found = read(study, {key: name for key, (name, _) in rungs.items()})
    files = list({id(file): file for file in found.values()}.values())
    places = {id(file): place for place, file in enumerate(files)}
    told = {"files": files, "of": {}, "changes": {}, "foreign": {}}
    for (model, rung, run), file in found.items():
        base = found.get((model, rungs[model, rung, run][1], run))
        native = next((found[other, rung, run] for other in NATIVE if (other, rung, run) in found), file)
        at, *others = [one and places[id(one)] for one in (file, base, native)]
        told["of"][f"{model} {rung} {runs[run]}"] = [at, *others]
        for kind, other, place, compared in zip(("changes", "foreign"), (base, native), others, (changes, foreign)):
            if other and f"{place} {at}" not in told[kind]:
                told[kind][f"{place} {at}"] = compared(other, file)
    return told
