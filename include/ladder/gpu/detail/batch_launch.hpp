#pragma once

// Selects kernel and grid for a batch shape.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "ladder/gpu/choice.hpp"
#include "ladder/gpu/detail/batch_column_kernels.hpp"
#include "ladder/gpu/detail/batch_kernels.hpp"
#include "ladder/gpu/detail/batch_segments.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail {

/// Tickets per workspace: the maximum number of groups split over several blocks.
inline constexpr unsigned batch_tickets = 4096;

/// Grid and block of a launch. `depth`: longest chain of operations on one element.
struct Grid {
  std::size_t blocks;
  unsigned block;
  std::size_t depth;
};

/// Workspace memory for partials of type A.
template <class A>
struct RoomFor {
  unsigned* tickets;
  void* partials;
  std::size_t bytes;
  std::size_t count() const { return bytes / sizeof(A); }
  Batch<A> with(A* result) const { return {result, static_cast<A*>(partials), tickets}; }
};

/// True if the L2 cache should keep `results` bytes of results instead of an input of `bytes`
/// bytes, which exceeds it anyway. Results that stay there cost no memory writes between the reads.
constexpr bool is_read_once(Index bytes, Index results, const Gpu& gpu) {
  const auto cache = static_cast<Index>(gpu.cache);
  return bytes > cache && results <= cache / 4 * 3;
}

/// Launches `rows_by_lanes`: up to 32 lanes per row.
template <class In, class A, class Op, class F>
void with_lanes(In x, const RowsOf& rows, bool once, A* result, Op op, A identity, F&& f) {
  const Index loads = rows.length / Access<In>::width;
  const unsigned lanes = loads >= 32 ? 32 : std::bit_ceil(static_cast<unsigned>(loads));
  const auto log_lanes = static_cast<unsigned>(std::countr_zero(lanes));
  const auto call = [&]<unsigned per_lane>() {
    const Index each = Index{batch_block / lanes} * (lane_loads<In, A> / per_lane);
    const std::size_t depth = (per_lane + 1) * Access<In>::width + log_of(lanes);
    f(rows_by_lanes<per_lane, In, A, Op>,
      Grid{static_cast<std::size_t>(parts_of(rows.count, each)), batch_block, depth}, x, rows,
      log_lanes, once, result, op, identity);
  };
  constexpr unsigned most = lane_loads<In, A>;
  if (loads <= 32) return call.template operator()<1>();
  if (loads <= 64) return call.template operator()<2>();
  if constexpr (most > 4) {
    if (loads <= 128) return call.template operator()<4>();
  }
  if constexpr (most > 8) {
    if (loads <= 256) return call.template operator()<8>();
  }
  call.template operator()<most>();
}

/// Blocks per SM where several blocks share a row or a tile of columns.
inline constexpr Index blocks_for_rows = 32, blocks_for_columns = 4;
/// Maximum partials per row that its last block combines.
inline constexpr Index most_chunks = 4096;
/// Minimum loads per row of a column tile, if the row has as many.
inline constexpr Index column_loads = 32;
/// Maximum bytes of a row staged through shared memory, if it cannot be read in vectors.
inline constexpr Index staged_row = 3072;

/// Blocks per group: `wanted`, at most `by_size` and at most `room` partials. Returns 1 if there
/// are more groups than tickets.
constexpr Index chunks_of(Index groups, Index wanted, Index by_size, Index room) {
  if (groups > Index{batch_tickets}) return 1;
  Index chunks = wanted;
  if (chunks > by_size) chunks = by_size;
  if (chunks > room) chunks = room;
  return chunks < 1 ? 1 : chunks;
}

/// Rows by blocks; several blocks per row if rows are few and long.
template <unsigned block, unsigned vectors, class In, class A, class Op, class F>
void with_blocks(In x, const RowsOf& rows, const Gpu& gpu, const RoomFor<A>& room, A* result, Op op,
                 A identity, F&& f) {
  constexpr Index width = Access<In>::width;
  // Enough blocks to balance the last wave, with enough work each to amortize its tree.
  const Index wanted = blocks_for_rows * Index{gpu.units} / rows.count;
  const Index least = Index{block} * vectors * width;
  const Index by_length = parts_of(rows.length, least);
  Index chunks = chunks_of(rows.count, wanted, by_length < most_chunks ? by_length : most_chunks,
                           static_cast<Index>(room.count()) / rows.count);
  const Index chunk = parts_of(parts_of(rows.length, chunks), least) * least;
  if (chunk > 0) chunks = parts_of(rows.length, chunk);  // avoids empty chunks
  const auto steps = static_cast<std::size_t>(parts_of(chunk, Index{block} * width) + 2);
  const std::size_t depth =
      (steps + static_cast<std::size_t>(parts_of(chunks, block))) * width + 20;
  f(rows_by_blocks<block, vectors, In, A, Op>,
    Grid{static_cast<std::size_t>(rows.count * chunks), block, depth}, x, rows,
    static_cast<unsigned>(chunks), chunk, room.with(result), op, identity);
}

/// Stages short contiguous rows that cannot be read in vectors; returns false and launches nothing
/// for other rows.
template <class In, class A, class Op, class F>
bool with_staged(In x, const RowsOf& rows, bool once, A* result, Op op, A identity, F&& f) {
  if constexpr (std::is_pointer_v<In> && Access<In>::width > 1 && !is_underaligned<In>) {
    using T = typename Access<In>::element;
    constexpr Index most = staged_bytes / sizeof(T);
    if (rows.length == 0 || rows.length > Index{staged_row} / Index{sizeof(T)} ||
        rows.pitch != rows.length) {
      return false;
    }
    const Index of_tile = most / rows.length < batch_block ? most / rows.length : batch_block;
    const unsigned share = batch_block / static_cast<unsigned>(of_tile);
    const unsigned lanes = std::bit_floor(share < 32 ? share : 32U);
    const auto depth = static_cast<std::size_t>(parts_of(rows.length, lanes)) + log_of(lanes);
    f(rows_staged<T, A, Op>,
      Grid{static_cast<std::size_t>(parts_of(rows.count, of_tile)), batch_block, depth}, x, rows,
      static_cast<unsigned>(of_tile), lanes, once, result, op, identity);
    return true;
  } else {
    return false;
  }
}

/// Calls `f(kernel, grid, arguments...)` with the launch for rows.
template <class In, class A, class Op, class F>
void with_rows(In x, const RowsOf& rows, const Gpu& gpu, const RoomFor<A>& room, A* result, Op op,
               A identity, F&& f) {
  const std::size_t bytes = static_cast<std::size_t>(rows.length) * Access<In>::bytes;
  const bool once =
      is_read_once(rows.count * static_cast<Index>(bytes), rows.count * Index{sizeof(A)}, gpu);
  bool done = false;
  in_its_width(x, rows.length, rows.pitch, [&](auto input) {
    using Input = decltype(input);
    if (Access<Input>::width < Access<In>::width) {
      done = with_staged(x, rows, once, result, op, identity, f);
      if (done) return;
    }
    if (rows.length > 0 && rows.length / Access<Input>::width <= Index{32} * lane_loads<Input, A>) {
      with_lanes(input, rows, once, result, op, identity, f);
      done = true;
    }
  });
  if (done) return;
  // Blocks find the 16-byte boundary of their row or chunk themselves, if it coincides with an
  // element.
  if constexpr (may_lack_boundaries<In>) {
    if (!has_boundaries(x))
      return with_rows(one_by_one(x), rows, gpu, room, result, op, identity, f);
  }
  // All loads of a block for one row are in flight at once; few rows use blocks that need no
  // combining.
  constexpr std::size_t ki = 1024;
  if (bytes <= 8 * ki) return with_blocks<128, 4>(x, rows, gpu, room, result, op, identity, f);
  if (bytes <= 16 * ki) return with_blocks<256, 4>(x, rows, gpu, room, result, op, identity, f);
  if (bytes > 32 * ki && bytes <= 64 * ki && rows.count <= Index{gpu.units})
    return with_blocks<1024, 4>(x, rows, gpu, room, result, op, identity, f);
  with_blocks<512, 4>(x, rows, gpu, room, result, op, identity, f);
}

/// The same for `count` columns of `length` elements.
template <class In, class A, class Op, class F>
void with_columns(In x, const RowsOf& columns, const Gpu& gpu, const RoomFor<A>& room, A* result,
                  Op op, A identity, F&& f) {
  const bool whole = columns.count % Index{Access<In>::width} == 0;
  in_its_width(x, whole ? columns.count : 0, columns.pitch, [&](auto input) {
    using Input = decltype(input);
    constexpr Index width = Access<Input>::width;
    const Index rows = columns.length, loads = columns.count / width;
    const Index tile = loads < column_loads ? loads : column_loads, tiles = parts_of(loads, tile);
    constexpr unsigned block = column_block<Input, A>;
    const Index together = block / tile;
    const Index wanted = parts_of(blocks_for_columns * Index{gpu.units}, tiles);
    Index chunks = chunks_of(tiles, wanted, parts_of(rows, 8 * together),
                             static_cast<Index>(room.count()) / columns.count);
    const Index chunk = parts_of(rows, chunks);
    if (chunk > 0) chunks = parts_of(rows, chunk);
    const ColumnTiles all{rows,
                          columns.pitch,
                          static_cast<unsigned>(loads),
                          static_cast<unsigned>(tile),
                          static_cast<unsigned>(chunks),
                          chunk};
    const auto depth = static_cast<std::size_t>(parts_of(chunk, together) + chunks) + 20;
    f(columns_by_tiles<Input, A, Op>, Grid{static_cast<std::size_t>(tiles * chunks), block, depth},
      input, all, room.with(result), op, identity);
  });
}

/// The same for segments, with at most the blocks whose carries fit `room`.
template <class In, class Offset, class A, class Op, class F>
void with_segments(In x, const Segments<Offset>& segments, const Gpu& gpu, const RoomFor<A>& room,
                   A* result, Op op, A identity, F&& f) {
  if constexpr (may_lack_boundaries<In>) {
    with_segments(one_by_one(x), segments, gpu, room, result, op, identity, f);
  } else {
    constexpr Index tile = segment_tile<In, A>;
    const Index steps = segments.n + end_steps * segments.count;
    constexpr Index of_block = segment_waves<In, A>;
    const auto fitting = static_cast<Index>(room.bytes / (sizeof(Index) + sizeof(A))) - 2;
    const Index most = std::clamp<Index>(fitting, 1, segment_blocks<A> * Index{gpu.units});
    const Index share =
        std::clamp(parts_of(steps, of_block * most), tile, Index{most_of_share} / 2);
    const auto blocks = static_cast<std::size_t>(parts_of(steps, share * of_block));
    const std::size_t values_at = (blocks * sizeof(Index) + 15) / 16 * 16;
    if (values_at + blocks * sizeof(A) > room.bytes) return;
    auto* const memory = static_cast<std::byte*>(room.partials);
    const Carries<A> carries{reinterpret_cast<Index*>(memory),
                             reinterpret_cast<A*>(memory + values_at)};
    const Index results = segments.count * Index{sizeof(A)};
    const Hints hints{is_read_once(segments.n * Index{Access<In>::bytes}, results, gpu),
                      is_read_once(2 * segments.count * Index{sizeof(Offset)}, results, gpu)};
    const auto tiles = static_cast<std::size_t>(parts_of(share, tile));
    const auto depth = (tiles + 4) * segment_elements<In, A> + 20;
    f(segments_by_merge_path<In, Offset, A, Op>, Grid{blocks, segment_block<In, A>, depth}, x,
      segments, static_cast<unsigned>(share), hints, carries, room.with(result), op, identity);
  }
}

/// Launches `kernel` with `arguments` as its parameters.
template <class... Parameter, class... Argument>
Error launch_batch(void (*kernel)(Parameter...), const Grid& grid, Stream stream,
                   Argument... arguments) {
  if (grid.blocks > std::numeric_limits<int>::max()) return invalid_value;
  const auto put = [&](Parameter... parameters) {
    void* addresses[] = {const_cast<void*>(static_cast<const void*>(&parameters))...};
    return launch(reinterpret_cast<const void*>(kernel), static_cast<unsigned>(grid.blocks),
                  grid.block, addresses, stream);
  };
  return put(arguments...);
}

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
