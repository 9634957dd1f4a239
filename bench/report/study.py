"""The records of one report, and their problems."""

import dataclasses

import pandas

NUMBERS = ["time", "p5", "p95", "low", "high", "uncertainty", "ulps", "evicted_bytes", "seed", "peak_gbs", "gbs", "of_peak",
           "ceiling_gbs", "ceiling_uncertainty", "of_ceiling", "of_ceiling_uncertainty", "release_skew"]
# Columns that sections use, for a table without measurements.
COLUMNS = [*NUMBERS, "run", "backend", "rung", "name", "library", "device", "device_kind", "machine", "space", "type", "op", "n",
           "bytes", "data", "file", "cache", "scope", "shape", "status", "count", "processes", "by_process", "tuning", "block",
           "items", "grid", "workers"]


@dataclasses.dataclass(frozen=True)
class Problem:
    """A problem in the records, for the reader."""

    file: str
    line: int  # 0: the file as a whole
    text: str

    def __str__(self):
        return f"{self.file}{f':{self.line}' if self.line else ''}: {self.text}"


def as_rows(frame):
    """A dictionary per row of a table; for many narrow tables ten times as fast as to_dict("records")."""
    return [dict(zip(frame.columns, row, strict=True)) for row in frame.to_numpy(dtype=object).tolist()]


def fullest_run(rows, what):
    """Rows of the run with the most distinct values of `what`; of several the latest."""
    most = rows.groupby("run")[what].nunique()
    return rows[rows["run"] == max(most.index, key=lambda run: (most[run], run))]


@dataclasses.dataclass
class Study:
    """The records of one report.

    A run here means a whole study with all its processes. `rows` has one dictionary for each measurement of each run: the
    device's facts, the summaries and derived values (processes). `measurements` is the same as a table. `status` is `right`,
    `wrong`, `failed` or `unfinished`; only right ones have times. `uncertainty` is relative to `time`: half of the interval
    between processes; for one process the uncertainty of its samples, infinite for one sample. `where` is `file:line`;
    `summary_where` and `ceiling_where` are tuples of these. `others` holds other records unchanged.
    """

    runs: dict  # {run: the record of its first process; `processes`: their number}
    devices: dict  # {(run, backend): the device's record}
    rows: list
    others: dict
    problems: list
    files: list  # files read, in order
    samples: dict  # {(run, id): {process: seconds of its right samples}}
    results: dict  # {(run, id): {result as text: count}}; only for rounded results

    def __post_init__(self):
        self.measurements = pandas.DataFrame(self.rows, columns=None if self.rows else COLUMNS)
        axes = [axis for run in self.runs.values() for axis in run["axes"]]
        numbers = self.measurements.columns.intersection([*NUMBERS, *axes])
        self.measurements[numbers] = self.measurements[numbers].apply(pandas.to_numeric)  # NaN if unknown
        texts = self.measurements.select_dtypes("str").columns
        self.measurements[texts] = self.measurements[texts].astype(object)  # compares much faster
        self.measurements = self.measurements.copy()  # defragmented: selections are several times as fast
