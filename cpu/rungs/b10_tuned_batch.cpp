// b10 tuned_batch: rows and segments in work items, which workers take in turns, as in c13; columns
// by b07. An item is several rows, a piece of a long row, or an equal part of all segments'
// elements. Rows of less than eight vectors are reduced as many at once as a vector has lanes, and
// one store writes their results, past the caches if the input exceeds them. Each piece stores its
// own value, so the results do not depend on the schedule.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/accounting.hpp"
#include "cpu/cpu_choice.hpp"
#include "cpu/cpu_queue.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/rungs/b10_tuned_batch.cpp"
#include <hwy/foreach_target.h>

#include "cpu/folding-inl.hpp"
#include "cpu/short_rows-inl.hpp"

namespace ladder::cpu::b07 {
Run<Queue> find(Type type, Operation operation);
}

HWY_BEFORE_NAMESPACE();
namespace ladder::cpu::b10::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using cpu::HWY_NAMESPACE::fold;
using cpu::HWY_NAMESPACE::Folding;
using cpu::HWY_NAMESPACE::prefetch_short_row;
#if !HWY_HAVE_SCALABLE
using cpu::HWY_NAMESPACE::fold_short_rows;
#endif

/// Prefetch distance in bytes.
constexpr std::size_t ahead = 2048;
/// Minimum bytes that are read in two streams.
constexpr std::size_t in_two = 64 << 10;
/// Pieces of a long row are multiples of this number of elements.
constexpr std::size_t cut = 4096;

template <class Case>
void fold_whole_rows(const typename Case::element* x, const Groups& rows, std::size_t count,
                     typename Case::accumulator* result, bool past_caches) {
  using By = Folding<Case>;
  const std::size_t length = rows.length, pitch = rows.pitch;
  if (length >= 8 * By::elements()) {
    const auto kernel = length * sizeof(*x) < in_two ? fold<Case, 1, true> : fold<Case, 2, true>;
    for (std::size_t g = 0; g < count; ++g) result[g] = kernel(x + g * pitch, length, ahead);
    return;
  }
  std::size_t g = 0;
  const auto one_by_one = [&](std::size_t end) HWY_ATTR {
    for (; g < end; ++g) {
      const auto* row = x + g * pitch;
      prefetch_short_row(row, length);
      result[g] = By::finish(row, length, 0, By::identity(), By::identity(), By::watch());
    }
  };
#if !HWY_HAVE_SCALABLE
  if constexpr (requires { typename By::Lane; }) {  // a lane becomes a result
    constexpr std::size_t vector = hn::MaxLanes(typename By::D()) * sizeof(*result);
    if (past_caches) {
      const std::size_t beyond = reinterpret_cast<std::uintptr_t>(result) % vector;
      one_by_one(std::min(count, (vector - beyond) % vector / sizeof(*result)));
      g += fold_short_rows<Case, true>(x + g * pitch, rows, count - g, result + g);
      hwy::FlushStream();  // orders these stores before the end of the work item
    } else {
      g += fold_short_rows<Case, false>(x, rows, count, result);
    }
  }
#endif
  one_by_one(count);
}

/// An item is several rows, or a piece of one of few rows.
template <class Case>
void fold_rows(Queue& queue, const View<Case>& problem, unsigned most) {
  using Op = typename Case::function;
  const Groups& rows = problem.groups;
  const std::size_t bytes = problem.n * sizeof(*problem.input);
  const WorkItems items(bytes, most, subtrees_per_worker / 2);
  auto& team = queue.host().team();
  if (2 * rows.count >= items.count) {
    const bool past_caches = bytes > queue.host().facts().last_level_cache;
    const std::size_t each = ceil_div(rows.count, items.count);
    team.run_in_turns(items.workers, ceil_div(rows.count, each), [&](std::size_t turn) {
      const std::size_t first = turn * each;
      fold_whole_rows<Case>(problem.input + first * rows.pitch, rows,
                            std::min(each, rows.count - first), problem.result + first,
                            past_caches);
    });
    return;
  }
  const std::size_t pieces = ceil_div(items.count, rows.count);
  const std::size_t size = ceil_div(ceil_div(rows.length, pieces), cut) * cut;
  auto* values = queue.subtrees<typename Case::accumulator>();
  team.run_in_turns(items.workers, rows.count * pieces, [&](std::size_t turn) {
    const std::size_t first = std::min(turn % pieces * size, rows.length);
    values[turn] = fold<Case, 2, true>(problem.input + turn / pieces * rows.pitch + first,
                                       std::min(size, rows.length - first), ahead);
  });
  for (std::size_t g = 0; g < rows.count; ++g) {
    auto value = Op::identity();
    for (std::size_t k = 0; k < pieces; ++k) value = Op{}(value, values[g * pieces + k]);
    problem.result[g] = value;
  }
}

/// An item's segments are those that begin in its elements, each up to the end of the item.
template <class Case>
void fold_segments(Queue& queue, const View<Case>& problem, unsigned most) {
  using Op = typename Case::function;
  const auto* const offsets = problem.groups.offsets;
  const auto* const end = offsets + problem.groups.count;
  const WorkItems items(problem.n * sizeof(*problem.input), most, subtrees_per_worker);
  const std::size_t each = ceil_div(problem.n, items.count);
  auto* carried = queue.subtrees<typename Case::accumulator>();
  auto* before = queue.columns<std::uint64_t>();  // number of segments that begin before an item
  const auto reduced = [&](std::int64_t from, std::int64_t to) {
    return fold<Case, 1, true>(problem.input + from, static_cast<std::size_t>(to - from), ahead);
  };
  queue.host().team().run_in_turns(items.workers, items.count, [&](std::size_t turn) {
    const auto from = static_cast<std::int64_t>(std::min(turn * each, problem.n));
    const auto to = static_cast<std::int64_t>(std::min((turn + 1) * each, problem.n));
    // First segment that begins here; earlier elements belong to a previous one.
    const auto* at = turn == 0 ? offsets : std::lower_bound(offsets, end, from);
    before[turn] = static_cast<std::uint64_t>(at - offsets);
    carried[turn] = reduced(from, at == end ? to : std::min(*at, to));
    const auto* const last = turn + 1 == items.count ? end : std::lower_bound(at, end, to);
    for (; at < last; ++at) problem.result[at - offsets] = reduced(at[0], std::min(at[1], to));
  });
  // An item's elements before its first segment belong to the last segment that begins before it.
  for (std::size_t turn = 1; turn < items.count; ++turn) {
    if (before[turn] == 0) continue;
    auto& result = problem.result[before[turn] - 1];
    result = Op{}(result, carried[turn]);
  }
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    const Groups& groups = problem.groups;
    if (groups.by == Grouping::rows) return fold_rows<Case>(queue, problem, tuning.workers);
    if (groups.by == Grouping::segments) return fold_segments<Case>(queue, problem, tuning.workers);
    b07::find(Case::type, Case::operation)(
        queue,
        {problem.input, problem.n, Case::type, Case::operation, problem.result, problem.groups},
        tuning);
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
