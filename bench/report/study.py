"""The records of one report, and what is wrong with them."""

import dataclasses

import pandas

NUMBERS = ["time", "p5", "p95", "low", "high", "uncertainty", "ulps", "evicted_bytes", "seed", "peak_gbs", "gbs", "of_peak",
           "ceiling_gbs", "ceiling_uncertainty", "of_ceiling", "of_ceiling_uncertainty", "release_skew"]
# What sections look at in measurements: the columns where there is none.
COLUMNS = [*NUMBERS, "run", "backend", "rung", "name", "library", "device", "device_kind", "machine", "space", "type", "op", "n",
           "bytes", "data", "file", "cache", "scope", "shape", "status", "count", "processes", "by_process", "tuning", "block",
           "items", "grid", "workers"]


@dataclasses.dataclass(frozen=True)
class Problem:
    """Something in the records that a reader has to know of."""

    file: str
    line: int  # 0: the file as a whole
    text: str

    def __str__(self):
        return f"{self.file}{f':{self.line}' if self.line else ''}: {self.text}"


def as_rows(frame):
    """A dictionary for each row of a table; of the many narrow tables of a page in a tenth of the time of to_dict("records")."""
    return [dict(zip(frame.columns, row, strict=True)) for row in frame.to_numpy(dtype=object).tolist()]


def fullest_run(rows, what):
    """The rows of the run that has the most of `what`; of several the latest."""
    most = rows.groupby("run")[what].nunique()
    return rows[rows["run"] == max(most.index, key=lambda run: (most[run], run))]


@dataclasses.dataclass
class Study:
    """The records of one report.

    A run here is that of a whole study, with all its processes. `rows` has one dictionary for each measurement of each run: its
    device's facts, what its summaries say and what follows (processes). `measurements` is the same as a table. `status` is
    `right`, `wrong`, `failed` or `unfinished`, and only a right one has times. `uncertainty` is that of `time`, as a part of
    it: half of the interval between processes; of one process that of its samples alone, infinite for one sample. `where` is
    `file:line`; `summary_where` and `ceiling_where` are tuples of such. `others` holds the records that are kept as they are.
    """

    runs: dict  # {run: the record of its first process; `processes`: how many there are}
    devices: dict  # {(run, backend): the device's record}
    rows: list
    others: dict
    problems: list
    files: list  # that were read, in their order
    samples: dict  # {(run, id): {process: its seconds, of each right sample}}
    results: dict  # {(run, id): {result as text: how often}}; only where results are rounded

    def __post_init__(self):
        self.measurements = pandas.DataFrame(self.rows, columns=None if self.rows else COLUMNS)
        axes = [axis for run in self.runs.values() for axis in run["axes"]]
        numbers = self.measurements.columns.intersection([*NUMBERS, *axes])
        self.measurements[numbers] = self.measurements[numbers].apply(pandas.to_numeric)  # NaN where it is not known
        texts = self.measurements.select_dtypes("str").columns
        self.measurements[texts] = self.measurements[texts].astype(object)  # is compared in a fraction of the time
        self.measurements = self.measurements.copy()  # in few blocks again: selections are several times as fast
