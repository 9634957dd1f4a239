#pragma once

#if __cplusplus < 202002L
#error "ladder/kokkos/batch.hpp needs C++20: -std=c++20, or CMAKE_CXX_STANDARD 20"
#endif

// Batched reductions in Kokkos on any execution space: no allocation, no fence. Requires only C++20
// and Kokkos 5. Examples: docs/batch.md.
//
//   Kokkos::View<std::uint64_t*, Space> memory("workspace",                 // one per instance
//                                              ladder::kokkos::batch_workspace_words(space));
//   ladder::kokkos::BatchWorkspace workspace;
//   bool made = ladder::kokkos::make_batch_workspace(&workspace, space, memory);
//
//   ladder::kokkos::reduce_rows(space, workspace, matrix, sums, ladder::kokkos::Sum{}, 0.0f);
//
// Algorithm: on a GPU, short rows are staged in team scratch, vector lanes take longer rows and
// teams the longest; columns are tiled, and segments follow a merge path. On a host each thread
// takes an equal share, in loops that the compiler vectorizes. The last team to finish combines the
// partials of split groups.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include "ladder/kokkos/detail/kokkos_batch_launch.hpp"
#include "ladder/kokkos/detail/kokkos_launch.hpp"
#include "ladder/kokkos/kokkos_operations.hpp"
#include "ladder/kokkos/kokkos_workspace.hpp"
#include "ladder/version.hpp"

namespace ladder::kokkos::LADDER_VERSION {

using reduce_detail::transform;
using reduce_detail::transform_indexed;

/// Memory shared by the calls on one instance of a space, and the device's properties. Initialize
/// with `make_batch_workspace`.
struct BatchWorkspace {
  reduce_detail::Partials partials{nullptr, nullptr, 0};
  unsigned units = 0;  ///< SMs of a GPU, threads of a host
};

#pragma GCC visibility push(hidden)
namespace reduce_detail {

/// Words of a workspace that holds the partials of any shape.
inline constexpr std::size_t words_of_gpu = std::size_t{1} << 20;
inline std::size_t words_of_host(std::size_t threads) {
  return 8192 + threads * 5 * static_cast<std::size_t>(columns_of_a_tile);
}

/// Calls `choose(put)`, which calls `put(kernel, league)` per launch; false if a launch fails.
template <class A, class Space, class Choose>
bool launch_chosen(const Space& space, const Choose& choose) {
  static_assert(std::is_trivially_copyable_v<A>, "an accumulator is moved as bytes");
  static_assert(alignof(A) <= 16, "an accumulator lies in the workspace");
  bool all = true;
  choose([&](const auto& kernel, const League& league) {
    all = all && launch_league(space, kernel, league);
  });
  return all;
}

/// Memory layout of a View of rank 2: `count` rows of `length` contiguous elements, `pitch` apart,
/// one per index of the dimension `outer`.
struct InMemory {
  bool contiguous;
  unsigned outer;
  std::size_t count, length, pitch;
};
template <class View>
InMemory in_memory(const View& x) {
  const auto of = [&](unsigned outer, unsigned inner) {
    const std::size_t count = x.extent(outer), length = x.extent(inner);
    const bool contiguous = length <= 1 || x.stride(inner) == 1;
    const auto pitch = count > 1 ? static_cast<std::size_t>(x.stride(outer)) : length;
    return InMemory{contiguous, outer, count, length, pitch};
  };
  const InMemory rows = of(0, 1);
  return rows.contiguous ? rows : of(1, 0);
}

template <class Space, class View>
inline constexpr bool is_accessible =
    Kokkos::SpaceAccessibility<Space, typename View::memory_space>::accessible;

}  // namespace reduce_detail

/// Workspace size in 64-bit words that holds the partials of any shape: 8 MiB on a GPU, by thread
/// count on a host. A smaller workspace, of at least 8192 words, gives few large groups fewer
/// teams.
template <class Space>
std::size_t batch_workspace_words(const Space& space) {
  if constexpr (reduce_detail::on_host<Space>)
    return reduce_detail::words_of_host(reduce_detail::units_of(space));
  return reduce_detail::words_of_gpu;
}

/// Initializes `workspace` on the instance `space`. `memory` is owned by the caller; its contents
/// do not matter. A workspace serves one instance at a time. Returns false if `memory` has fewer
/// than 8192 words, is not contiguous or is not aligned to 16 bytes.
template <class Space, class... Properties>
[[nodiscard]] bool make_batch_workspace(BatchWorkspace* workspace, const Space& space,
                                        const Kokkos::View<std::uint64_t*, Properties...>& memory) {
  using View = Kokkos::View<std::uint64_t*, Properties...>;
  static_assert(reduce_detail::is_accessible<Space, View>,
                "a workspace is memory that the space can use");
  constexpr std::size_t of_ticket = 2;  // keeps partials aligned to 16 bytes
  if (workspace == nullptr || memory.size() < 8192 || !memory.span_is_contiguous() ||
      reinterpret_cast<std::uintptr_t>(memory.data()) % 16 != 0) {
    return false;
  }
  Kokkos::deep_copy(space, Kokkos::subview(memory, 0), std::uint64_t{0});
  workspace->partials = {reinterpret_cast<unsigned*>(memory.data()), memory.data() + of_ticket,
                         (memory.size() - of_ticket) * sizeof(std::uint64_t)};
  workspace->units = reduce_detail::units_of(space);
  return true;
}

/// result[g] = `op` over x[g * pitch] to x[g * pitch + length - 1], cast to A, for each of `count`
/// rows; `identity` if `length` is 0. Enqueues on the instance `space`; `x`, `result` and the
/// workspace must outlive it. `x`: a pointer aligned for its type, or an input made by `transform`.
/// Bitwise deterministic for one kind of device and number of threads. Returns false, and enqueues
/// nothing, if the workspace is not initialized, a used pointer is null, pitch < length, or groups
/// exceed a Kokkos league. Failures inside Kokkos abort or throw.
template <class Space, class In, class A, class Op>
bool reduce_rows(const Space& space, const BatchWorkspace& workspace, In x, std::size_t count,
                 std::size_t length, std::size_t pitch, A* result, Op op,
                 std::type_identity_t<A> identity) {
  using namespace reduce_detail;
  if (workspace.partials.ticket == nullptr || pitch < length || !fits(count, pitch)) return false;
  if (count == 0) return true;
  if (result == nullptr || (length > 0 && reduce_detail::is_null(x))) return false;
  const RowsOf rows = rows_of(count, length, pitch);
  return launch_chosen<A>(space, [&](const auto& put) {
    if constexpr (on_host<Space>) {
      with_rows_on_host(x, rows, workspace.units, workspace.partials, result, op, identity, put);
    } else {
      with_rows(x, rows, KnownBlocks{}, wave_of(workspace.units), workspace.partials, result, op,
                identity, put);
    }
  });
}

/// The same per column of a matrix of `rows` x `columns` elements: result[c] = `op` over
/// x[r * pitch + c]. Enqueues one or two launches on a GPU.
template <class Space, class In, class A, class Op>
bool reduce_columns(const Space& space, const BatchWorkspace& workspace, In x, std::size_t rows,
                    std::size_t columns, std::size_t pitch, A* result, Op op,
                    std::type_identity_t<A> identity) {
  using namespace reduce_detail;
  if (workspace.partials.ticket == nullptr || pitch < columns || !fits(rows, pitch) ||
      columns >= std::size_t{1} << 31) {
    return false;
  }
  if (columns == 0) return true;
  if (result == nullptr || (rows > 0 && reduce_detail::is_null(x))) return false;
  const RowsOf all = rows_of(columns, rows, pitch);
  return launch_chosen<A>(space, [&](const auto& put) {
    if constexpr (on_host<Space>) {
      with_columns_on_host(x, all, workspace.units, workspace.partials, result, op, identity, put);
    } else {
      with_column_tiles(x, all, KnownBlocks{}, wave_of(workspace.units), workspace.partials, result,
                        op, identity, put);
    }
  });
}

/// The same per segment: result[s] = `op` over x[offsets[s]] to x[offsets[s + 1] - 1]; `identity`
/// if empty. `offsets`: `count` + 1 non-decreasing integers in memory of the space; the first is 0,
/// the last is `n`.
template <class Space, class In, class Offset, class A, class Op>
bool reduce_segments(const Space& space, const BatchWorkspace& workspace, In x,
                     const Offset* offsets, std::size_t count, std::size_t n, A* result, Op op,
                     std::type_identity_t<A> identity) {
  using namespace reduce_detail;
  if (workspace.partials.ticket == nullptr || !fits(n, 1) || !fits(count, 1)) return false;
  if (count == 0) return true;
  if (result == nullptr || offsets == nullptr || (n > 0 && reduce_detail::is_null(x))) return false;
  const Segments<Offset> segments{offsets, static_cast<Index>(count), static_cast<Index>(n)};
  return launch_chosen<A>(space, [&](const auto& put) {
    if constexpr (on_host<Space>) {
      with_segments_on_host(x, segments, segments.n, workspace.units, workspace.partials, result,
                            op, identity, put);
    } else {
      with_segments(x, segments, KnownBlocks{}, wave_of(workspace.units), workspace.partials,
                    result, op, identity, put);
    }
  });
}

namespace reduce_detail {

/// One result per index of the dimension `kept` of `x`.
template <unsigned kept, class Space, class View, class Result, class Op>
bool reduce_matrix(const Space& space, const BatchWorkspace& workspace, const View& x,
                   const Result& result, Op op, const typename Result::value_type& identity) {
  static_assert(View::rank() == 2 && Result::rank() == 1,
                "the rows or columns of a View of rank 2 become a View of rank 1");
  static_assert(is_accessible<Space, View> && usable<Space, Result>,
                "Views in memory that the space can use; the result's is contiguous");
  const auto memory = in_memory(x);
  if (!memory.contiguous || result.extent(0) != x.extent(kept)) return false;
  const typename View::value_type* const elements = x.data();
  if (memory.outer != kept) {
    return reduce_columns(space, workspace, elements, memory.count, memory.length, memory.pitch,
                          result.data(), op, identity);
  }
  return reduce_rows(space, workspace, elements, memory.count, memory.length, memory.pitch,
                     result.data(), op, identity);
}

}  // namespace reduce_detail

/// result(i) = `op` over all x(i, j) of a View of rank 2. One stride must be 1, as in LayoutRight,
/// LayoutLeft and their subviews. Returns false if none is, or if `result` and x differ in
/// extent(0).
template <class Space, class... In, class... Out, class Op>
bool reduce_rows(const Space& space, const BatchWorkspace& workspace, const Kokkos::View<In...>& x,
                 const Kokkos::View<Out...>& result, Op op,
                 const typename Kokkos::View<Out...>::value_type& identity) {
  return reduce_detail::reduce_matrix<0>(space, workspace, x, result, op, identity);
}

/// The same per column: result(j) = `op` over all x(i, j).
template <class Space, class... In, class... Out, class Op>
bool reduce_columns(const Space& space, const BatchWorkspace& workspace,
                    const Kokkos::View<In...>& x, const Kokkos::View<Out...>& result, Op op,
                    const typename Kokkos::View<Out...>::value_type& identity) {
  return reduce_detail::reduce_matrix<1>(space, workspace, x, result, op, identity);
}

/// result(s) = `op` over x(offsets(s)) to x(offsets(s + 1) - 1). The last offset is the number of
/// elements. Returns false if offsets.extent(0) != result.extent(0) + 1.
template <class Space, class... In, class... Offsets, class... Out, class Op>
bool reduce_segments(const Space& space, const BatchWorkspace& workspace,
                     const Kokkos::View<In...>& x, const Kokkos::View<Offsets...>& offsets,
                     const Kokkos::View<Out...>& result, Op op,
                     const typename Kokkos::View<Out...>::value_type& identity) {
  using Elements = Kokkos::View<In...>;
  static_assert(Elements::rank() == 1 && Kokkos::View<Offsets...>::rank() == 1 &&
                    Kokkos::View<Out...>::rank() == 1,
                "elements, offsets and results are Views of rank 1");
  static_assert(reduce_detail::usable<Space, Elements> &&
                    reduce_detail::usable<Space, Kokkos::View<Offsets...>> &&
                    reduce_detail::usable<Space, Kokkos::View<Out...>>,
                "Views that are contiguous, in memory that the space can use");
  if (offsets.extent(0) != result.extent(0) + 1) return false;
  const typename Elements::value_type* const elements = x.data();
  const typename Kokkos::View<Offsets...>::value_type* const at = offsets.data();
  return reduce_segments(space, workspace, elements, at, result.extent(0), x.size(), result.data(),
                         op, identity);
}
#pragma GCC visibility pop

}  // namespace ladder::kokkos::LADDER_VERSION

#undef LADDER_REDUCE_UNROLLED
#undef LADDER_REDUCE_BY_FOUR
#undef LADDER_REDUCE_STEP_BY_STEP
