// b10 tuned_batch: the best of these by the shape. On a GPU, rows go by lanes (b03) up to 16 KiB,
// where there are enough of them for the whole device, else by teams (b05); short ones that do not
// begin at boundaries of 16 bytes are staged (b04). Columns go by tiles (b07), segments by a
// merge path. On a host each thread of the space takes an equal share in loops of its own.

#include "kokkos/batch_columns.hpp"
#include "kokkos/batch_host.hpp"
#include "kokkos/batch_rows.hpp"
#include "kokkos/batch_segments.hpp"
#include "kokkos/batch_staged.hpp"

namespace ladder::kokkos::b10 {
namespace {

/// Rows on a GPU.
template <class Case>
void by_rows(Queue& queue, const View<Case>& problem) {
  using T = typename Case::element;
  constexpr std::size_t ki = 1024;
  const Groups& rows = problem.groups;
  const std::size_t bytes = rows.length * sizeof(T);
  const std::size_t warps = one_wave(queue) * (batch_block / lanes);
  if (bytes > 16 * ki || (bytes > 2 * ki && rows.count < warps)) return by_teams(queue, problem);
  const bool aligned = rows_are_aligned(problem.input, rows.pitch);
  if (!aligned && bytes <= ki / 2 && can_be_staged(problem)) return by_staged_rows(queue, problem);
  by_lanes(queue, problem);
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    if constexpr (any_on_host) {
      if (queue.on_host()) return on_host_threads(queue, problem);
    }
    if constexpr (any_on_gpu) {
      if (problem.groups.by == Grouping::segments) return by_merge_path(queue, problem);
      if (problem.groups.by == Grouping::columns) return by_column_tiles(queue, problem);
      by_rows(queue, problem);
    }
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::kokkos::b10
