"""The source of each rung as it was when it was measured: of the record's commit where git has it, else as it is here."""

import pathlib
import re
import subprocess

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
    """Where the repository is read on the web; nothing where it is nowhere."""
    remote = git("remote", "get-url", "origin").decode().strip()
    found = re.fullmatch(r"(?:https://|git@)([\w.-]+)[:/]([\w./-]+?)(?:\.git)?", remote)
    return f"https://{found[1]}/{found[2]}" if found else ""


def of(study, rungs, runs):
    """{"files": [{path, text, url, said}], "of": {"model rung run": its place in them}}. `rungs`: (model, name of the rung, run);
    `runs`: {run: its number}."""
    web, files, found, wanted = address(), [], {}, {}
    for model, name, run in sorted(one for one in rungs if one[1] and one[0] in SUFFIX):
        commit = re.match(r"[0-9a-f]*", str(study.runs[run].get("commit") or ""))[0]
        wanted[model, name, run] = commit, f"{model}/rungs/{re.sub(r'[^a-z0-9_]', '', name)}{SUFFIX[model]}"
    texts = contents(sorted({f"{commit}:{path}" for commit, path in wanted.values() if commit}))
    places = {}
    for (model, name, run), (commit, path) in wanted.items():
        text, said = texts.get(f"{commit}:{path}"), f"Sources as they were at {commit}."
        url = f"{web}/blob/{commit}/{path}" if web and text else None
        if text is None and (ROOT / path).is_file():
            text, said = (ROOT / path).read_text(encoding="utf-8"), "Sources as they are in this copy of the project."
        if text is not None:
            key = path, text, said
            if key not in places:
                places[key] = len(files)
                files.append({"path": path, "text": text, "url": url, "said": said})
            found[f"{model} {name.partition('_')[0]} {runs[run]}"] = places[key]
    return {"files": files, "of": found}
