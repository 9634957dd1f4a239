#pragma once

#include <memory>
#include <span>
#include <vector>

#include "common/model/roster.hpp"
#include "cpu/cpu_queue.hpp"

namespace ladder::cpu {

using Entry = ladder::Entry<Queue>;
using Extra = ladder::Extra<Queue>;

/// In the order of `cpu_ladder`; each rung is present, or absent with a reason.
std::span<const Entry> table();
/// In the order of `batch_ladder`.
std::span<const Entry> batch_table();
/// Library entries: oneTBB's std::reduce, OpenBLAS, Eigen.
std::span<const Extra> library();
/// Facts of a run per library: "library NAME", its version and its threads.
std::vector<Fact> library_facts();

/// The OpenMP backend, plus `more` entries (used by tests).
std::unique_ptr<Backend> make_backend(std::span<const Extra> more);
std::vector<std::unique_ptr<Backend>> backends();

}  // namespace ladder::cpu
