#pragma once

// Groups as AMD's segmented reductions take them: iterators over begin and end offsets.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>

#include "common/model/backend.hpp"
#include "common/problem.hpp"

namespace ladder::hip {

/// Begin or end offset of row g.
class RowOffsets {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::int64_t;
  using difference_type = std::ptrdiff_t;
  using pointer = const std::int64_t*;
  using reference = std::int64_t;

  __host__ __device__ RowOffsets(std::int64_t pitch, std::int64_t behind)
      : pitch_(pitch), behind_(behind) {}
  __host__ __device__ std::int64_t operator[](std::ptrdiff_t g) const {
    return g * pitch_ + behind_;
  }
  __host__ __device__ std::int64_t operator*() const { return behind_; }
  __host__ __device__ RowOffsets operator+(std::ptrdiff_t g) const {
    return {pitch_, g * pitch_ + behind_};
  }

 private:
  std::int64_t pitch_, behind_;
};

/// Calls `f(count, begin, end)` with iterators over a problem's segments or rows. `Count`: the
/// library's count type; throws `NotPossible` if the number does not fit.
template <class Count, class Case, class F>
void with_offsets(const View<Case>& problem, const F& f) {
  const Groups& groups = problem.groups;
  constexpr std::size_t most = std::numeric_limits<Count>::max();
  if (groups.count > most)
    throw NotPossible("the library takes at most " + std::to_string(most) + " segments");
  const auto count = static_cast<Count>(groups.count);
  if (groups.by == Grouping::segments) return f(count, groups.offsets, groups.offsets + 1);
  const auto pitch = static_cast<std::int64_t>(groups.pitch);
  f(count, RowOffsets(pitch, 0), RowOffsets(pitch, static_cast<std::int64_t>(groups.length)));
}

}  // namespace ladder::hip
