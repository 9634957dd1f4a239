#pragma once

#include <memory>
#include <span>
#include <vector>

#include "common/model/roster.hpp"
#include "cpu/cpu_queue.hpp"

namespace ladder::cpu {

using Entry = ladder::Entry<Queue>;
using Extra = ladder::Extra<Queue>;

/// In cpu_ladder's order, each rung of it carried or absent with a reason.
std::span<const Entry> table();
/// In the order of `batch_ladder`.
std::span<const Entry> batch_table();
/// What is there besides: oneTBB's std::reduce, OpenBLAS, Eigen.
std::span<const Extra> library();
/// What those add to the facts of a run: "library NAME", its version and its threads.
std::vector<Fact> library_facts();

/// The CPU with OpenMP, and entries past its own rungs (tests link such).
std::unique_ptr<Backend> make_backend(std::span<const Extra> more);
std::vector<std::unique_ptr<Backend>> backends();

}  // namespace ladder::cpu
