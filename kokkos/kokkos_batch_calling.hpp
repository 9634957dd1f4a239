#pragma once

// Launches ladder/kokkos/batch.hpp on a queue, which records the launches.

#include "common/model/groups_pass.hpp"
#include "kokkos/kokkos_passes.hpp"
#include "kokkos/native.hpp"
#include "ladder/kokkos/batch.hpp"

namespace ladder::kokkos {
namespace {

/// Arguments of the header's functions for a problem.
template <class Case>
struct BatchCall {
  using Op = typename Case::function;
  const typename Case::element* x;
  reduce_detail::RowsOf groups;  ///< rows or columns
  reduce_detail::Segments<std::int64_t> segments;
  reduce_detail::Partials room;
  Index wave;  ///< threads of a host
  typename Case::accumulator* result;
  Op op;
  Identity<Op> identity;

  BatchCall(Queue& queue, const View<Case>& problem)
      : x(problem.input),
        groups(reduce_detail::rows_of(problem.groups.count, problem.groups.length,
                                      problem.groups.pitch)),
        segments{problem.groups.offsets, groups.count, static_cast<Index>(problem.n)},
        wave(queue.on_host() ? Index{queue.concurrency()}
                             : reduce_detail::wave_of(queue.facts().units)),
        result(problem.result) {
    const std::size_t words = queue.on_host() ? reduce_detail::words_of_host(queue.concurrency())
                                              : reduce_detail::words_of_gpu;
    const std::size_t bytes = words * sizeof(std::uint64_t);
    room = {queue.ticket(), queue.scratch<std::byte>(bytes), bytes};
  }
};

/// Enqueues the header's kernels for a problem.
template <class Case>
struct PutOn {
  Queue& queue;
  const View<Case>& problem;

  template <class Kernel>
  void operator()(const Kernel& kernel, const reduce_detail::League& league) const {
    const Shape shape{static_cast<std::size_t>(league.teams), league.block, league.shared};
    Pass pass = groups_pass(problem, league.depth);
    if (league.read != 0) pass = {league.read, league.written, league.depth};
    if constexpr (requires { kernel.block; }) {
      if (queue.on_host()) pass.depth *= Kernel::vector_length;  // lanes run in sequence
      queue.launch(kernel, shape, pass);
    } else {
      queue.launch(OnHosts<Kernel>{kernel}, shape, pass);
    }
  }
};

/// Block of a GPU kernel that runs on a host.
struct UnknownBlocks {
  template <unsigned leaves>
  Unknown operator()(reduce_detail::Threads<leaves>) const {
    return {leaves};
  }
};

/// Calls `f(call, blocks, put)`, for rungs that run GPU kernels on every space.
template <class Case, class F>
void call_batch(Queue& queue, const View<Case>& problem, const F& f) {
  const BatchCall<Case> call(queue, problem);
  const PutOn<Case> put{queue, problem};
  if constexpr (any_on_host) {
    if (queue.on_host()) return f(call, UnknownBlocks{}, put);
  }
  if constexpr (any_on_gpu) f(call, reduce_detail::KnownBlocks{}, put);
}

}  // namespace
}  // namespace ladder::kokkos
