#pragma once

// CUB's segmented reduction, called as its users call it. Rows: by size if CUB supports it, else by
// iterators over begin and end offsets. Segments: by their offsets.

#include <cub/device/device_segmented_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "cuda/library/cub.hpp"

namespace ladder::cuda {

// Internal linkage: sources may include different versions of CUB.
namespace {

/// Begin or end offset of row g.
struct RowOffset {
  std::int64_t pitch, behind;
  __host__ __device__ std::int64_t operator()(std::int64_t g) const { return g * pitch + behind; }
};

/// `by_size`: this CUB has a call for equal segment sizes.
template <class Case, bool by_size>
void segmented(Queue& queue, const View<Case>& problem) {
  using T = typename Told<Case>::T;
  using A = typename Told<Case>::A;
  const Groups& groups = problem.groups;
  const auto* const in = reinterpret_cast<const T*>(problem.input);
  auto* const out = reinterpret_cast<A*>(problem.result);
  const auto count = static_cast<std::int64_t>(groups.count);
  const auto function = library_function<Case::operation>();
  const auto identity = Told<Case>::identity();
  queue.library<T, A>(problem.n, [&](void* temporary, std::size_t& bytes, cudaStream_t stream) {
    using Reduce = cub::DeviceSegmentedReduce;
    const auto reduce = [&](auto input) {
      if (groups.by == Grouping::segments) {
        return Reduce::Reduce(temporary, bytes, input, out, count, groups.offsets,
                              groups.offsets + 1, function, identity, stream);
      }
      if constexpr (by_size) {
        if (groups.pitch == groups.length &&
            groups.length <= static_cast<std::size_t>(std::numeric_limits<int>::max())) {
          return Reduce::Reduce(temporary, bytes, input, out, count,
                                static_cast<int>(groups.length), function, identity, stream);
        }
      }
      const auto pitch = static_cast<std::int64_t>(groups.pitch);
      const thrust::counting_iterator<std::int64_t> rows(0);
      const auto begin = thrust::make_transform_iterator(rows, RowOffset{pitch, 0});
      const auto end = thrust::make_transform_iterator(
          rows, RowOffset{pitch, static_cast<std::int64_t>(groups.length)});
      return Reduce::Reduce(temporary, bytes, input, out, count, begin, end, function, identity,
                            stream);
    };
    if constexpr (Told<Case>::widens) {
      return reduce(thrust::make_transform_iterator(in, Widen<A>{}));
    } else {
      return reduce(in);
    }
  });
}

}  // namespace
}  // namespace ladder::cuda
