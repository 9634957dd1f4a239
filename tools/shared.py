"""Shared by the tools: paths, calls of the program, writing of records, error handling."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "bench"))  # lets tools that import this module import the report


class Failure(Exception):
    """A request that cannot be fulfilled; the message has the reason."""


def ended(main):
    """Runs a tool and exits with its status; on a Failure prints the message and exits with 2."""
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"{pathlib.Path(sys.argv[0]).stem}: {failure}", file=sys.stderr)
        sys.exit(2)


def find_tool(name):
    """Path of a CUDA toolkit program: in PATH, else in the usual folders; None if missing."""
    places = [pathlib.Path(path) for path in (os.environ.get("CUDA_HOME"), "/usr/local/cuda", "/opt/cuda") if path]
    return shutil.which(name) or next((str(p / "bin" / name) for p in places if os.access(p / "bin" / name, os.X_OK)), None)


def printed(command, failed, **more):
    """Output of a command. If it fails, raises Failure with the message `failed` and the command's output."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    except OSError as error:
        raise Failure(f"{failed}: {error.filename}: {error.strerror}") from None
    if done.returncode != 0:
        raise Failure(f"{failed}:\n{done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def listing(ladder):
    """The program's list of ladders and rungs."""
    text = printed([ladder, "--list", "--format=json"], f"{ladder} --list failed")
    try:
        return json.loads(text)
    except ValueError:
        raise Failure(f"{ladder} is not the measuring program: it lists no rungs") from None


def run_record(ladder, backend, more=()):
    """The program's run record on this machine, with this tool's command instead of its own."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "run.jsonl"
        printed([ladder, f"--backends={backend}", "--rungs=r04", "--sizes=1000", "--samples=3", "--scope=kernel",
                 f"--records={file}", *(word for word in more if word.startswith("--device"))], "the program does not run here")
        record = json.loads(file.read_text().splitlines()[0])
    return {**record, "command": [pathlib.Path(sys.argv[0]).name, *sys.argv[1:]]}


def append_records(path, kind, run, records):
    """Appends a run's record to a file, followed by the records that belong to it."""
    with open(path, "a") as file:
        for record in [run, *({"kind": kind, "run": run["run"], **record} for record in records)]:
            file.write(json.dumps(record) + "\n")
