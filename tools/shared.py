"""What the tools share: where the sources are, how the program is asked, how records are written, how a failure is told,
and the loops of a control flow."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "bench"))  # where the tools that import this find the report


class Failure(Exception):
    """Why it could not be done as asked, in a sentence."""


def ended(main):
    """Runs a tool and exits with the status that it returns; 2 after the sentence of a Failure."""
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"{pathlib.Path(sys.argv[0]).stem}: {failure}", file=sys.stderr)
        sys.exit(2)


def find_tool(name):
    """A tool of the CUDA toolkit: in PATH, else where the toolkit usually is."""
    places = [pathlib.Path(path) for path in (os.environ.get("CUDA_HOME"), "/usr/local/cuda", "/opt/cuda") if path]
    return shutil.which(name) or next((str(p / "bin" / name) for p in places if os.access(p / "bin" / name, os.X_OK)), None)


def printed(command, failed, **more):
    """What a command prints; a Failure of the sentence `failed`, with what it said, where it fails."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    if done.returncode != 0:
        raise Failure(f"{failed}:\n{done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def listing(ladder):
    """What the program says of its ladders and rungs."""
    return json.loads(printed([ladder, "--list", "--format=json"], f"{ladder} --list failed"))


def run_record(ladder, backend, more=()):
    """The program's own record of its run on this machine, with this command in place of its own."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "run.jsonl"
        printed([ladder, f"--backends={backend}", "--rungs=r04", "--sizes=1000", "--samples=3", "--scope=kernel",
                 f"--records={file}", *(word for word in more if word.startswith("--device"))], "the program does not run here")
        record = json.loads(file.read_text().splitlines()[0])
    return {**record, "command": [pathlib.Path(sys.argv[0]).name, *sys.argv[1:]]}


def append_records(path, kind, run, records):
    """Appends to a file the record of a run, and behind it those that belong to it."""
    with open(path, "a") as file:
        for record in [run, *({"kind": kind, "run": run["run"], **record} for record in records)]:
            file.write(json.dumps(record) + "\n")


def following(code, leads):
    """For each instruction of a kernel the places of those that may be next. `code` has instructions that begin with their
    address; `leads` says of one to which addresses it may jump, and whether what stands behind it may be next."""
    index, ways = {one[0]: i for i, one in enumerate(code)}, []
    for i, one in enumerate(code):
        targets, goes_on = leads(one)
        if not index.keys() >= targets:
            raise Failure(f"a jump whose target was not read: {' '.join(one[1:])}")
        ways.append({index[to] for to in targets} | ({i + 1} if goes_on and i + 1 < len(code) else set()))
    return ways


def reached(ways, begin):
    """The places that one gets to from those in `begin`, themselves included."""
    seen, todo = set(), list(begin)
    while todo:
        i = todo.pop()
        if i not in seen:
            seen.add(i)
            todo.extend(ways[i])
    return seen


def loops(ways):
    """The loops of a kernel, `ways` being the places that may come next, for each place: sets of places that all lead to each
    other. Nested ones share their places and are one."""
    beyond = [reached(ways, after) for after in ways]
    found = {frozenset(j for j in beyond[i] if i in beyond[j]) for i in reached(ways, [0]) if i in beyond[i]}
    return sorted(found, key=min)
