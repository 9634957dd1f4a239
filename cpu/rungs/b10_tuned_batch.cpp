// b10 tuned_batch: rows and segments by explicit vectors, with equal shares of the elements per
// worker; columns as in b07. Few long rows are split among the workers.

#include <algorithm>
#include <cstddef>

#include <hwy/cache_control.h>

#include "cpu/column_tiles.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/rungs/b10_tuned_batch.cpp"
#include <hwy/foreach_target.h>

#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ladder::cpu::b10::HWY_NAMESPACE {

using cpu::HWY_NAMESPACE::Folding;
using cpu::HWY_NAMESPACE::next_two;

/// Prefetch distance in short rows, and their maximum bytes. Beyond two cache lines prefetching is
/// slower than none.
constexpr std::size_t ahead = 1024, short_row = 128;

/// Reduces n elements in four chains, or in one if they are few.
template <class Case>
HWY_INLINE typename Case::accumulator fold(const typename Case::element* x, std::size_t n) {
  using By = Folding<Case>;
  const std::size_t step = By::elements();
  auto a = By::identity(), low = a;
  auto high = By::watch();
  if (n < 8 * step) return By::finish(x, n, 0, a, low, high);
  auto b = a, c = a, d = a;
  auto far = high;
  std::size_t i = 0;
  for (; i + 4 * step <= n; i += 4 * step) {
    next_two<By>(a, x + i, b, x + i + step, low, high);
    next_two<By>(c, x + i + 2 * step, d, x + i + 3 * step, low, far);
  }
  return By::finish(x, n, i, By::join(By::join(a, b), By::join(c, d)), low, By::both(high, far));
}

/// Splits each row among all workers, for fewer rows than workers.
template <class Case>
void fold_long_rows(Queue& queue, const View<Case>& problem, unsigned workers) {
  using Op = typename Case::function;
  const Groups& rows = problem.groups;
  auto* partials = queue.partials<typename Case::accumulator>();
  for (std::size_t g = 0; g < rows.count; ++g) {
    const auto* row = problem.input + g * rows.pitch;
    in_shares(rows.length, workers, [&](std::size_t me, std::size_t first, std::size_t count) {
      partials[me].value = fold<Case>(row + first, count);
    });
    auto value = Op::identity();
    for (unsigned w = 0; w < workers; ++w) value = Op{}(value, partials[w].value);
    problem.result[g] = value;
  }
}

template <class Case, bool prefetches>
void fold_rows(const View<Case>& problem, unsigned workers) {
  const Groups& rows = problem.groups;
  in_shares(rows.count, workers, [&](std::size_t, std::size_t first, std::size_t count) {
    const std::size_t length = rows.length, pitch = rows.pitch;
    const auto* row = problem.input + first * pitch;
    auto* result = problem.result + first;
    for (std::size_t g = 0; g < count; ++g, row += pitch) {
      if constexpr (prefetches) hwy::Prefetch(reinterpret_cast<const std::byte*>(row) + ahead);
      result[g] = fold<Case>(row, length);
    }
  });
}

/// A worker reduces the segments that begin in its share of the elements, each up to the end of the
/// share.
template <class Case>
void fold_segments(Queue& queue, const View<Case>& problem, unsigned workers) {
  using Op = typename Case::function;
  using A = typename Case::accumulator;
  const auto* const offsets = problem.groups.offsets;
  const auto* const end = offsets + problem.groups.count;
  auto* carried = queue.partials<A>();
  in_shares(problem.n, workers, [&](std::size_t me, std::size_t first, std::size_t count) {
    const auto from = static_cast<std::int64_t>(first);
    const auto to = static_cast<std::int64_t>(first + count);
    // First segment that begins here; earlier elements belong to a previous one.
    const auto* at = from == 0 ? offsets : std::lower_bound(offsets, end, from);
    const std::int64_t begin = std::min(at == end ? to : *at, to);
    carried[me].value = fold<Case>(problem.input + from, static_cast<std::size_t>(begin - from));
    const auto* const last = me + 1 == workers ? end : std::lower_bound(at, end, to);
    for (; at < last; ++at) {
      const std::int64_t stop = std::min(at[1], to);
      problem.result[at - offsets] =
          fold<Case>(problem.input + at[0], static_cast<std::size_t>(stop - at[0]));
    }
  });
  // A worker's elements before its first segment belong to the last segment that begins before its
  // share.
  for (unsigned w = 1; w < workers; ++w) {
    const std::size_t share = problem.n / workers, rest = problem.n % workers;
    const std::size_t first = w * share + std::min<std::size_t>(w, rest);
    const auto* const at = std::lower_bound(offsets, end, static_cast<std::int64_t>(first));
    if (at == offsets) continue;
    auto& result = problem.result[at - offsets - 1];
    result = Op{}(result, carried[w].value);
  }
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    const unsigned workers = tuning.workers;
    switch (problem.groups.by) {
      case Grouping::columns:
        return fold_columns<Case>(queue, problem, workers);
      case Grouping::segments:
        return fold_segments<Case>(queue, problem, workers);
      default:
        break;
    }
    if (problem.groups.count < 4 * std::size_t{workers} &&
        problem.groups.length >= std::size_t{workers} * 4096)
      return fold_long_rows<Case>(queue, problem, workers);
    if (problem.groups.pitch * sizeof(typename Case::element) <= short_row)
      return fold_rows<Case, true>(problem, workers);
    fold_rows<Case, false>(problem, workers);
  }
};

Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(ClassicOnAll{}, type, operation);
}

}  // namespace ladder::cpu::b10::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ladder::cpu::b10 {
HWY_EXPORT(find);
Run<Queue> find(Type type, Operation operation) {
  return HWY_DYNAMIC_DISPATCH(find)(type, operation);
}
}  // namespace ladder::cpu::b10
#endif
