// The mistakes of the published code as rungs, and at which sizes each is sure to show.

#include <algorithm>
#include <array>

#include "common/accounting.hpp"
#include "tests/cuda/errata.hpp"

namespace ladder::cuda::faulty::errata {
namespace {

// A block of 32 where fewer elements have to lie behind the input than guards stand there, or where
// a mistake has to show at sizes of some thousands.
constexpr Tuning one_warp{.block = 32};

constexpr std::array extras{
    wrong("erratum_no_bound", "loads without asking how many elements there are", no_bound,
          block_axis, one_warp),
    wrong("erratum_second_load_unbounded", "asks that of the first of two loads alone",
          second_load_unbounded, block_axis | grid_axis, {.block = 32, .grid = 8}),
    wrong("erratum_half_the_terms", "strides by 32 elements a thread and adds 16", half_the_terms,
          block_axis, {.block = 64}),
    wrong("erratum_vector_past_end", "asks of the first element of a vector alone", vector_past_end,
          block_axis, one_warp),
    wrong("erratum_vector_count_rounded_down", "rounds a thread's vectors down",
          vector_count_rounded_down, block_axis, one_warp),
    wrong("erratum_stale_length", "tells every pass the length of the first", stale_length),
    wrong("erratum_length_rounded_down", "rounds the number of partials down", length_rounded_down),
    wrong("erratum_in_place", "writes partials over those that other blocks are to read", in_place,
          block_axis, one_warp),
    wrong("erratum_result_not_reset", "adds to whatever the result was before", result_not_reset),
    wrong("erratum_last_warp_past_tile", "begins the last warp's tree past a tile of 32",
          last_warp_past_tile, block_axis, one_warp),
    wrong("erratum_volatile_last_warp", "orders the last warp by volatile alone",
          volatile_last_warp),
    wrong("erratum_shuffle_outside_mask", "shuffles from lanes outside the mask",
          shuffle_outside_mask),
    wrong("erratum_barrier_in_branch", "has a barrier that one warp alone reaches",
          barrier_in_branch),
};

/// Whether `count` elements of exact data, the first at an index that is a multiple of four, are
/// sure not to add up to zero: modulo 4 they are 1, 2, 3, 0 in turn (common/data.hpp).
constexpr bool never_cancel(std::size_t count) {
  constexpr std::array<std::size_t, 4> first{0, 1, 1 + 2, 1 + 2 + 3};
  return (count / 4 * (1 + 2 + 3) + first[count % 4]) % 4 != 0;
}

constexpr std::size_t above(std::size_t count, std::size_t least) {
  return count > least ? count - least : 0;
}

// When each acts. Where elements are lost, whole blocks of them may add up to zero by chance, but
// modulo 4 they always do: so what the last block loses decides.

constexpr bool passes_the_end_by_elements(Type, std::size_t n, unsigned block) {
  return n % block != 0;
}

constexpr bool passes_the_end_by_pairs(Type, std::size_t n, unsigned block) {
  return n % (2 * block) != 0;
}

constexpr bool passes_the_end_by_vectors(Type type, std::size_t n, unsigned) {
  return n % (16 / facts(type).bytes) != 0;
}

constexpr bool loses_terms(Type, std::size_t n, unsigned block) {
  return never_cancel(above(n % (strode * block), added * block));
}

constexpr bool loses_vectors(Type type, std::size_t n, unsigned block) {
  const std::size_t w = 16 / facts(type).bytes;
  const std::size_t last_slice = n % (slice_items * block);
  const std::size_t taken = ceil_div(last_slice, block) / w * w * block;
  return never_cancel(above(last_slice, taken));
}

/// Some later pass has partials that do not fill its last block.
constexpr bool passes_the_partials(Type, std::size_t n, unsigned block) {
  for (std::size_t left = ceil_div(n, block); left > 1; left = ceil_div(left, block)) {
    if (left % block != 0) return true;
  }
  return false;
}

constexpr bool loses_the_last_block(Type, std::size_t n, unsigned block) {
  return n > block && never_cancel(n % block);
}

/// The second pass has several blocks, but no more than have their partials written where block 0
/// reads: it then finds the last of these instead of a partial, and that one holds the last
/// element.
constexpr bool is_written_over(Type, std::size_t n, unsigned block) {
  const std::size_t partials = ceil_div(n, block);
  return partials > block && partials <= std::size_t{block} * block && never_cancel(n % block);
}

constexpr bool is_one_warp(Type, std::size_t, unsigned block) { return block == warp; }

using faults::always, faults::last;
/// In the first partial that is written over.
constexpr std::size_t in_second_block(Type, std::size_t, unsigned block) { return block; }

constexpr std::array known{
    faults::Fault{"erratum_no_bound", passes_the_end_by_elements, last, false},
    faults::Fault{"erratum_second_load_unbounded", passes_the_end_by_pairs, last, false},
    faults::Fault{"erratum_half_the_terms", loses_terms, last, false},
    faults::Fault{"erratum_vector_past_end", passes_the_end_by_vectors, last, false},
    faults::Fault{"erratum_vector_count_rounded_down", loses_vectors, last, false},
    faults::Fault{"erratum_stale_length", passes_the_partials, last, false},
    faults::Fault{"erratum_length_rounded_down", loses_the_last_block, last, false},
    faults::Fault{"erratum_in_place", is_written_over, in_second_block, false},
    faults::Fault{"erratum_result_not_reset", always, last, true},
    faults::Fault{"erratum_last_warp_past_tile", is_one_warp, last, false},
    // Undefined, so nowhere certain.
    faults::Fault{"erratum_volatile_last_warp", nullptr, last, false},
    faults::Fault{"erratum_shuffle_outside_mask", nullptr, last, false},
    faults::Fault{"erratum_barrier_in_branch", nullptr, last, false},
};
static_assert(std::ranges::equal(known, extras, {}, &faults::Fault::id,
                                 [](const Extra& extra) { return extra.rung.id; }));

}  // namespace

std::span<const Extra> rungs() { return extras; }
std::span<const faults::Fault> faults() { return known; }

}  // namespace ladder::cuda::faulty::errata
