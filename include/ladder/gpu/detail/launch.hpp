#pragma once

// Maps a launch configuration to a kernel and a grid.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "ladder/gpu/choice.hpp"
#include "ladder/gpu/detail/gpu_words.hpp"
#include "ladder/gpu/detail/input.hpp"
#include "ladder/gpu/detail/kernel.hpp"
#include "ladder/gpu/workspace.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail {

/// Grid size of a choice for `n` elements of `In`: at least 1, and limited by the workspace's
/// words.
template <class In, class A>
unsigned blocks_of(const Workspace& workspace, const Choice& choice, std::size_t n) {
  const std::size_t tile = std::size_t{choice.block} * choice.vectors * Access<In>::width;
  const std::size_t needed = (n + tile - 1) / tile;
  std::size_t most = workspace.count / words_of<A>;
  if (choice.per_unit == Choice::alone) most = 1;
  if (choice.per_unit > 0) {
    const std::size_t asked = static_cast<std::size_t>(choice.per_unit) * workspace.device.units;
    most = asked < most ? asked : most;
  }
  const std::size_t blocks = needed < most ? needed : most;
  return blocks == 0 ? 1 : static_cast<unsigned>(blocks);
}

/// Default choice for `n` elements and accumulator A. Several arrays, or an accumulator of several
/// words, leave registers for two vectors instead of four. From 128 MiB on, such an accumulator is
/// fastest with eight vectors and four blocks per SM (all choices timed on H100 and H200).
template <class In, class A>
constexpr Choice choice_for(std::size_t n, const Gpu& gpu) {
  constexpr bool several = Access<In>::arrays > 1, wide = sizeof(A) > 8;
  const std::size_t bytes = n * Access<In>::bytes;
  Choice choice = usual_choice(bytes, gpu);
  if (choice.per_unit == Choice::alone) return choice;
  if (wide && bytes >= std::size_t{128} << 20) return {512, 8, 4};
  if (several && choice.block == 512 && choice.per_unit == Choice::one_pass)
    return {256, 1, Choice::one_pass};
  if ((several || wide) && choice.vectors == 4) choice.vectors = 2;
  return choice;
}

/// The same for overlapped calls. With `input_ready`, inputs above 64 KiB and up to 512 KiB use a
/// cluster, whose partials meet before the previous call is complete. With `after_previous` a
/// cluster is slower (256 KiB on H100: 2.9 instead of 2.2 µs per call).
template <Overlap overlap, class In, class A>
constexpr Choice choice_for(std::size_t n, const Gpu& gpu) {
  constexpr std::size_t ki = 1024;
  const std::size_t bytes = n * Access<In>::bytes;
  const bool clusters = overlap == Overlap::input_ready && gpu.overlaps &&
                        Access<In>::arrays == 1 && sizeof(A) <= 8 && bytes > 64 * ki &&
                        bytes <= 512 * ki;
  if (!clusters) return choice_for<In, A>(n, gpu);
  return {bytes <= 256 * ki ? 512U : 1024U, 4, Choice::cluster};
}

/// True if one block loads all of `x` at once, in whole vectors.
template <class In, class Count>
bool is_whole(In x, const Count& count, const Choice& choice) {
  if constexpr (Access<In>::width > 1 && std::is_same_v<Count, Given>) {
    const auto n = static_cast<std::size_t>(count.n);
    return choice.per_unit == Choice::alone && n > 0 && n % Access<In>::width == 0 &&
           n / Access<In>::width <= std::size_t{choice.block} * choice.vectors &&
           begins_at_a_boundary(x);
  } else {
    return false;
  }
}

/// Calls `f(kernel)` with the instance of a choice; false if there is none.
template <std::size_t i, class In, class Count, class To, class A, class Op, Overlap overlap,
          class F>
bool with_instance(const Choice& choice, bool whole, F&& f) {
  if constexpr (i < sizeof instances / sizeof *instances) {
    constexpr auto known = instances[i];
    if (known.block != choice.block || known.vectors != choice.vectors ||
        known.alone != (choice.per_unit == Choice::alone)) {
      return with_instance<i + 1, In, Count, To, A, Op, overlap>(choice, whole, f);
    }
    if constexpr (known.alone && Access<In>::width > 1 && std::is_same_v<Count, Given>) {
      if (whole) {
        f(reduce_whole<known.block, known.vectors, In, Count, To, A, Op, overlap>);
        return true;
      }
    }
    f(reduce<known.block, known.vectors, known.alone, In, Count, To, A, Op, overlap>);
    return true;
  } else {
    return false;
  }
}

/// Calls `f(kernel, blocks)` with the launch for `count` elements of `x`, at most `most`, and
/// accumulator A; false if the choice has no kernel.
template <class In, class Count, class To, class A, class Op, Overlap overlap = Overlap::none,
          class F>
bool with_kernel(const Workspace& workspace, const Choice& choice, In x, const Count& count,
                 std::size_t most, F&& f) {
  return with_instance<0, In, Count, To, A, Op, overlap>(
      choice, is_whole(x, count, choice),
      [&](auto* kernel) { f(kernel, blocks_of<In, A>(workspace, choice, most)); });
}

/// Kernel of a single-cluster choice; null for other choices.
template <class In, class Count, class To, class A, class Op, Overlap overlap>
const void* cluster_kernel(const Choice& choice) {
  if (choice.per_unit != Choice::cluster || choice.vectors != 4) return nullptr;
  if (choice.block == 512) {
    return reinterpret_cast<const void*>(reduce_cluster<512, 4, In, Count, To, A, Op, overlap>);
  }
  if (choice.block == 1024) {
    return reinterpret_cast<const void*>(reduce_cluster<1024, 4, In, Count, To, A, Op, overlap>);
  }
  return nullptr;
}

template <Overlap overlap, class In, class Count, class To, class A, class Op>
Error launch(const Workspace& workspace, In x, Count count, std::size_t most, To result, Op op,
             A identity, const Choice& choice, Stream stream) {
  static_assert(std::is_trivially_copyable_v<A>, "an accumulator is moved as bytes");
  static_assert(std::is_same_v<To, A*> || std::is_same_v<To, OnHost<A>>,
                "a result goes to the accumulator's type");
  if (workspace.words == nullptr || reduce_detail::is_null(result) || is_null(count) ||
      (most > 0 && reduce_detail::is_null(x)) ||
      most > static_cast<std::size_t>(std::numeric_limits<Index>::max())) {
    return invalid_value;
  }
  if constexpr (may_lack_boundaries<In>) {
    if (!has_boundaries(x)) {
      return launch<overlap>(workspace, one_by_one(x), count, most, result, op, identity, choice,
                             stream);
    }
  }
  constexpr Overlap used = has_overlap ? overlap : Overlap::none;
  static std::atomic<const void*> known = nullptr;
  Workspace space = workspace;
  void* arguments[] = {&x, &count, &space, &result, &op, &identity};
  if constexpr (used != Overlap::none) {
    const void* const kernel = cluster_kernel<In, Count, To, A, Op, used>(choice);
    if (kernel != nullptr && workspace.device.overlaps && waits_by_itself(known, kernel)) {
      const Error code = launch_overlapping(kernel, cluster_blocks, choice.block, arguments, stream,
                                            cluster_blocks);
      // A GPU partition may not fit a cluster; the launch below needs none.
      if (code == success) return code;
    }
  }
  Error code = invalid_value;
  with_kernel<In, Count, To, A, Op, used>(
      workspace, choice, x, count, most, [&](auto* function, unsigned blocks) {
        const auto* const kernel = reinterpret_cast<const void*>(function);
        if (used != Overlap::none && workspace.device.overlaps && waits_by_itself(known, kernel))
          code = launch_overlapping(kernel, blocks, choice.block, arguments, stream);
        else
          code = launch(kernel, blocks, choice.block, arguments, stream);
      });
  return code;
}

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
