#pragma once

// Calls of ladder/gpu/batch.hpp from rungs, on a queue that records launches.

#include "common/gpu/batch_passes.hpp"
#include "common/gpu/calling.hpp"
#include "ladder/gpu/batch.hpp"

namespace ladder::LADDER_MODEL {

static_assert(reduce_detail::batch_tickets <= Queue::most_group_tickets);

/// Enqueues the header's kernel for a shape.
template <class Case, class Op = Operator<Case>>
void call_batch(Queue& queue, const View<Case>& problem) {
  using T = Native<typename Case::element>;
  using A = Native<typename Case::accumulator>;
  const Groups& groups = problem.groups;
  const T* const input = reinterpret_cast<const T*>(problem.input);
  A* const result = reinterpret_cast<A*>(problem.result);
  const A identity = std::bit_cast<A>(Case::function::identity());
  const Gpu gpu = device_of(queue);
  const reduce_detail::RoomFor<A> room{queue.group_tickets(),
                                       queue.scratch<std::byte>(batch_workspace_bytes()),
                                       batch_workspace_bytes()};
  const auto put = [&](auto* kernel, const reduce_detail::Grid& grid, auto... arguments) {
    queue.launch(kernel, Shape{grid.blocks, grid.block}, groups_pass(problem, grid.depth),
                 arguments...);
  };
  const auto shape = reduce_detail::rows_of(groups.count, groups.length, groups.pitch);
  if (groups.by == Grouping::rows) {
    reduce_detail::with_rows(input, shape, gpu, room, result, Op{}, identity, put);
  } else if (groups.by == Grouping::segments) {
    const reduce_detail::Segments<std::int64_t> segments{groups.offsets, shape.count,
                                                         static_cast<Index>(problem.n)};
    reduce_detail::with_segments(input, segments, gpu, room, result, Op{}, identity, put);
  } else {
    reduce_detail::with_columns(input, shape, gpu, room, result, Op{}, identity, put);
  }
}

}  // namespace ladder::LADDER_MODEL
