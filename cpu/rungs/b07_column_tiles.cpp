// b07 column_tiles: the matrix is read in memory order. A work item is some rows of a tile of
// columns, whose accumulators stay in the L1 cache; workers take items in turns. The partial
// results of a tile's items are a matrix again, which is reduced in the same way.

#include <algorithm>
#include <array>
#include <cstddef>

#include "common/accounting.hpp"
#include "cpu/cpu_choice.hpp"
#include "cpu/cpu_queue.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/rungs/b07_column_tiles.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ladder::cpu::b07::HWY_NAMESPACE {

/// Columns per tile: the accumulators leave room in the L1 cache for the stream.
constexpr std::size_t tile_columns = 2048;
/// Rows that are read at once: a core waits less for memory, and loads the accumulators less often.
/// Four in different pages are slower on a Xeon.
constexpr std::size_t at_once = 2;

/// Adds `rows` rows of `width` elements, `apart` elements from each other, to the accumulators.
template <class Op, std::size_t rows, class T, class A>
HWY_INLINE void add_rows(const T* x, std::size_t apart, std::size_t width, A* tile) {
#pragma omp simd
  for (std::size_t k = 0; k < width; ++k) {
    A value = tile[k];
    for (std::size_t r = 0; r < rows; ++r) value = Op{}(value, A(x[r * apart + k]));
    tile[k] = value;
  }
}

/// Reduces `count` rows of `columns` columns from x on into `result`. Contiguous rows that fit a
/// tile together are treated as one long row.
template <class Op, class T, class A>
void fold_tile(const T* x, std::size_t pitch, std::size_t count, std::size_t columns, A* result) {
  const std::size_t together =
      pitch == columns ? std::max<std::size_t>(1, tile_columns / columns) : 1;
  const std::size_t width = together * columns, apart = together * pitch;
  alignas(line_bytes) std::array<A, tile_columns> tile{};
  std::fill_n(tile.begin(), width, Op::identity());
  std::size_t row = 0;
  for (; row + at_once * together <= count; row += at_once * together)
    add_rows<Op, at_once>(x + row * pitch, apart, width, tile.data());
  for (; row + together <= count; row += together)
    add_rows<Op, 1>(x + row * pitch, apart, width, tile.data());
  for (; row < count; ++row) add_rows<Op, 1>(x + row * pitch, pitch, columns, tile.data());
  for (std::size_t c = 0; c < columns; ++c) {
    A value = tile[c];
    for (std::size_t k = 1; k < together; ++k) value = Op{}(value, tile[k * columns + c]);
    result[c] = value;
  }
}

template <class Case>
struct Launch {
  using A = typename Case::accumulator;

  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    const Groups& all = problem.groups;
    const std::size_t tiles = ceil_div(all.count, tile_columns);
    const WorkItems items(problem.n * sizeof(*problem.input), tuning.workers, 64);
    const auto fold = [&](const auto* x, std::size_t pitch, std::size_t length, std::size_t parts,
                          A* result) {
      const std::size_t each = ceil_div(length, parts);
      queue.host().team().run_in_turns(items.workers, tiles * parts, [&](std::size_t turn) {
        const std::size_t first = std::min(turn / tiles * each, length);
        const std::size_t column = turn % tiles * tile_columns;
        fold_tile<typename Case::function>(
            x + first * pitch + column, pitch, std::min(each, length - first),
            std::min(tile_columns, all.count - column), result + turn / tiles * all.count + column);
      });
    };
    const std::size_t room = items.workers * columns_per_worker / all.count;
    const std::size_t parts = std::min({ceil_div(items.count, tiles), all.length, room});
    if (parts <= 1) return fold(problem.input, all.pitch, all.length, 1, problem.result);
    A* const partials = queue.columns<A>();
    fold(problem.input, all.pitch, all.length, parts, partials);
    fold(static_cast<const A*>(partials), all.count, parts, 1, problem.result);
  }
};

Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(ClassicOnAll{}, type, operation);
}

}  // namespace ladder::cpu::b07::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ladder::cpu::b07 {
HWY_EXPORT(find);
Run<Queue> find(Type type, Operation operation) {
  return HWY_DYNAMIC_DISPATCH(find)(type, operation);
}
}  // namespace ladder::cpu::b07
#endif
