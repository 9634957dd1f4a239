#pragma once

// Calls of ladder/gpu/reduce.hpp from rungs, on a queue that records launches.

#include <algorithm>
#include <bit>
#include <string>
#include <type_traits>

#include "common/gpu/passes.hpp"
#include "common/gpu/vector.hpp"
#include "ladder/gpu/reduce.hpp"

namespace ladder::LADDER_MODEL {

/// True for operations with a GPU instruction: minimum and maximum of floats and bytes.
template <class Case>
inline constexpr bool is_extreme =
    (Case::operation == Operation::min || Case::operation == Operation::max) &&
    (Case::type == Type::i8 || Case::type == Type::f32 ||
     !std::is_same_v<Native<typename Case::element>, typename Case::element>);
template <class Case>
using Operator =
    std::conditional_t<is_extreme<Case>,
                       std::conditional_t<Case::operation == Operation::min, Minimum, Maximum>,
                       typename Case::function>;

/// A queue's device and workspace as the header needs them.
inline Gpu device_of(const Queue& queue) {
  return {queue.facts().units, queue.facts().last_level_cache,
          static_cast<unsigned>(queue.facts().peak_gbs.value_or(0)),
          reduce_detail::has_overlap && queue.facts().capability >= 90};
}
template <class A>
Workspace workspace_of(Queue& queue) {
  const Words words = queue.words<A>(1);
  return {words.at, words.count, device_of(queue)};
}

/// The tuned configuration for a problem on this device if there is one, else the header's rule.
template <class Case>
Choice choice_of(const Queue& queue, const View<Case>& problem) {
  const std::size_t bytes = problem.n * sizeof(typename Case::element);
  const auto* line = queue.tuned().find(Case::type, Case::operation, bytes);
  if (line == nullptr) return usual_choice(bytes, device_of(queue));
  return {line->block, line->vectors, line->per_unit};
}

/// Enqueues the header's kernel for a choice, in at most `most` blocks, or replays it as a graph.
/// `result`: where the header writes the result. Throws `NotPossible` if there is no such kernel.
template <class Case, bool replayed = false, class Op = Operator<Case>, class To>
void call(Queue& queue, const View<Case>& problem, const Choice& choice, To result,
          unsigned most = ~0U) {
  using T = Native<typename Case::element>;
  using A = Native<typename Case::accumulator>;
  const T* const input = reinterpret_cast<const T*>(problem.input);
  const reduce_detail::Given count{static_cast<Index>(problem.n)};
  const A identity = std::bit_cast<A>(Case::function::identity());
  const Workspace workspace = workspace_of<A>(queue);
  const bool known = reduce_detail::with_kernel<const T*, reduce_detail::Given, To, A, Op>(
      workspace, choice, input, count, problem.n, [&](auto* kernel, unsigned chosen) {
        const unsigned blocks = std::min(chosen, most);
        const Layout layout{
            .block = choice.block, .items = width<T> * choice.vectors, .grid = blocks};
        Pass pass = layout.pass<T, A>(problem.n);
        if (blocks > 1) pass += Layout{.block = choice.block, .grid = 1}.pass<A, A>(blocks);
        const Shape shape{blocks, choice.block};
        if constexpr (replayed) {
          queue.replay(kernel, shape, pass, input, count, workspace, result, Op{}, identity);
        } else {
          queue.launch(kernel, shape, pass, input, count, workspace, result, Op{}, identity);
        }
      });
  if (!known) {
    throw NotPossible("no kernel of blocks of " + std::to_string(choice.block) + " threads with " +
                      std::to_string(choice.vectors) + " vectors, which the tuning asks for");
  }
}

/// `put(place)` enqueues a kernel that writes an A and the epoch of the call into host memory at
/// `place`; the host polls `place` until both have arrived.
template <class A, class Put>
void poll(Queue& queue, Put&& put) {
  // After the result that the harness reads, and before the identity.
  const OnHost<A> place{queue.host_result<std::uint64_t>() + 4};
  if (!queue.tracing()) place.clear();
  put(place);
  if (queue.tracing()) return;
  queue.wait_until([&] { return place.ready(); });
  *queue.host_result<A>() = place.wait();
}

/// As `call`, with the result on the host.
template <class Case, bool replayed = false>
void call_and_poll(Queue& queue, const View<Case>& problem) {
  poll<Native<typename Case::accumulator>>(queue, [&](const auto& place) {
    call<Case, replayed>(queue, problem, choice_of<Case>(queue, problem), place);
  });
}

}  // namespace ladder::LADDER_MODEL
