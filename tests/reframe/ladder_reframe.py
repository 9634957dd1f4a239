"""The ladder as a ReFrame test, for a site that watches its machines with ReFrame:

    reframe -c tests/reframe/ladder_reframe.py -r --performance-report -S ladder=$PWD/build/host/bench/ladder

It passes where the program ends with status 0 and each sample of each measurement was checked and right. The bandwidth of each is
a performance variable in GB/s, without a reference: what to expect is the site's to say (reference, in a class that inherits this
one). -S backends=, -S rungs= and -S sizes= choose otherwise, -S more= adds options.
"""

import json
import pathlib
import re

import reframe as rfm
import reframe.utility.sanity as sn
import reframe.utility.typecheck as typ


@rfm.simple_test
class LadderCheck(rfm.RunOnlyRegressionTest):
    descr = "Parallel reduction, each result checked"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    ladder = variable(str)  # noqa: F821  (ReFrame brings the name)
    backends = variable(str, value="cpu")  # noqa: F821
    rungs = variable(str, value="c05,c07")  # noqa: F821
    sizes = variable(str, value="2^16")  # noqa: F821
    more = variable(typ.List[str], value=["--quick", "--no-ceilings"])  # noqa: F821
    sourcesdir = None
    records = "records.jsonl"
    keep_files = [records]

    @run_before("run")  # noqa: F821
    def name_what_is_run(self):
        self.executable = self.ladder
        self.executable_opts = [f"--backends={self.backends}", f"--rungs={self.rungs}", f"--sizes={self.sizes}", *self.more,
                                f"--records={self.records}"]

    def summaries(self):
        lines = (pathlib.Path(self.stagedir) / self.records).read_text().splitlines()
        return [record for record in map(json.loads, lines) if record["kind"] == "summary"]

    @sanity_function  # noqa: F821
    def all_is_right(self):
        sn.evaluate(sn.assert_eq(self.job.exitcode, 0, "the program ended with status {0}, not {1}"))
        wrong = [one["name"] for one in self.summaries() if one["wrong"] or one["failed"] or not one["count"]]
        return sn.all([sn.assert_true(self.summaries(), "nothing was measured"), sn.assert_eq(wrong, [], "not right: {0}")])

    @run_before("performance")  # noqa: F821
    def take_bandwidths(self):
        # Names of performance variables have no colon and no slash.
        self.perf_variables = {re.sub(r"\W+", "_", one["name"].removeprefix("reduce/")): sn.make_performance_function(
            sn.defer(one["gbs"]), "GB/s") for one in self.summaries()}
