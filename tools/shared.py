"""What the tools share: where the sources are, how the program is asked, how records are written, how a failure is told."""

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
    """A tool of the CUDA toolkit: in PATH, else where the toolkit usually is; None where it is in neither."""
    places = [pathlib.Path(path) for path in (os.environ.get("CUDA_HOME"), "/usr/local/cuda", "/opt/cuda") if path]
    return shutil.which(name) or next((str(p / "bin" / name) for p in places if os.access(p / "bin" / name, os.X_OK)), None)


def printed(command, failed, **more):
    """What a command prints; a Failure of the sentence `failed`, with what it said, where it fails."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    except OSError as error:
        raise Failure(f"{failed}: {error.filename}: {error.strerror}") from None
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
