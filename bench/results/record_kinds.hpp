#pragma once

#include <array>
#include <string_view>

namespace ladder::bench {

/// A kind of record, and what it says: for --list.
struct RecordKind {
  std::string_view kind, says;
};

inline constexpr std::array record_kinds{
    RecordKind{
        "run",
        "schema, date, command, seed, commit, which process of how many (index, of, the group of "
        "processes, the seed of its places), what each part was built with, axes and types, the "
        "machine, devices and models with every fact's source"},
    RecordKind{
        "conditions",
        "a device's clocks, temperature, throttle reasons, load: at start and "
        "end, and how long the run took; or that it was lost, in which measurement, and why"},
    RecordKind{"measurement",
               "an id and what it stands for: backend, device, rung and what holds of it, type, "
               "operation, n, tuning, data, seed, place, scope, cache, evicted bytes, bytes, moved "
               "bytes, depth, launches, blocks, registers, shared bytes, blocks per SM, limiter"},
    RecordKind{"floor", "what measuring nothing costs: readings of the clock, the least launch"},
    RecordKind{"ceiling",
               "the best of a device's read-only sweep at one size and cache state, on a CPU "
               "on one input, too"},
    RecordKind{"sample",
               "measurement id, index, seconds, whether it is right, error in ulps or in "
               "words, where results are rounded the result itself, and what disturbed it where "
               "something did each time that it was taken"},
    RecordKind{"disturbed",
               "a sample that was right and is taken again, since something disturbed the device: "
               "measurement id, index, seconds, what it was"},
    RecordKind{"summary",
               "the mean of the middle half, its standard error, median, percentiles, count, "
               "wrong, failed, discarded, how many were disturbed and taken again and how many "
               "stayed so, the result or how many distinct ones, what "
               "follows, and of several devices held together the median and the largest skew of "
               "their release"},
    RecordKind{"energy",
               "a round of a measurement of --energy: what was measured, which round and its place "
               "in it, joules and seconds between two changes of the counter and how far off these "
               "may be, the calls and their seconds, idle watts, the counter's step and source, "
               "what follows, whether it is right"},
    RecordKind{"skipped", "what was asked for and not measured, and why"},
};

}  // namespace ladder::bench
