// b10 tuned_batch: one call for every shape; this file only launches
// include/ladder/kokkos/batch.hpp, the header that other code calls. On a GPU, rows up to 3 KiB are
// staged (b04). Lanes reduce rows up to 16 KiB if there are enough of them (b03), else teams do
// (b05). Columns are tiled (b07), and segments follow a merge path. On a host each thread takes an
// equal share in a separate loop.

#include "kokkos/kokkos_batch_calling.hpp"

namespace ladder::kokkos::b10 {
namespace {

using namespace reduce_detail;

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    const BatchCall<Case> call(queue, problem);
    const PutOn<Case> put{queue, problem};
    if constexpr (any_on_host) {
      if (queue.on_host()) return on_host_threads(problem.groups, call, put);
    }
    if constexpr (any_on_gpu) on_gpu(problem.groups, call, put);
  }

  static void on_gpu(const Groups& groups, const BatchCall<Case>& call, const PutOn<Case>& put) {
    const auto& [x, rows, segments, room, wave, result, op, identity] = call;
    constexpr KnownBlocks blocks;
    if (groups.by == Grouping::segments)
      return with_segments(x, segments, blocks, wave, room, result, op, identity, put);
    if (groups.by == Grouping::columns)
      return with_column_tiles(x, rows, blocks, wave, room, result, op, identity, put);
    with_rows(x, rows, blocks, wave, room, result, op, identity, put);
  }

  static void on_host_threads(const Groups& groups, const BatchCall<Case>& call,
                              const PutOn<Case>& put) {
    const auto& [x, rows, segments, room, threads, result, op, identity] = call;
    if (groups.by == Grouping::segments) {
      const auto longest = static_cast<Index>(groups.length);
      return with_segments_on_host(x, segments, longest, threads, room, result, op, identity, put);
    }
    if (groups.by == Grouping::columns)
      return with_columns_on_host(x, rows, threads, room, result, op, identity, put);
    with_rows_on_host(x, rows, threads, room, result, op, identity, put);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::kokkos::b10
