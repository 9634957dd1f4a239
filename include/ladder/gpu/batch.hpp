#pragma once

// Batched reductions: the functions of ladder/cuda/batch.hpp and ladder/hip/batch.hpp.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ladder/gpu/choice.hpp"
#include "ladder/gpu/detail/batch_launch.hpp"
#include "ladder/gpu/gpu_operations.hpp"

namespace ladder::LADDER_MODEL::LADDER_VERSION {

using reduce_detail::transform;
using reduce_detail::transform_indexed;

/// Device memory shared by the calls on one stream, and the device's properties. Initialize with
/// `make_batch_workspace`.
struct BatchWorkspace {
  unsigned* tickets = nullptr;  ///< `reduce_detail::batch_tickets` counters, zero between calls
  void* partials = nullptr;     ///< of groups split over several blocks; aligned to 16 bytes
  std::size_t bytes = 0;        ///< of `partials`
  Gpu device;
};

#pragma GCC visibility push(hidden)
namespace reduce_detail {

/// Returns the status of the one launch, `put(kernel, grid, arguments...)`, that `choose(room,
/// put)` makes; invalid_value if it makes none.
template <class A, class Choose>
Error launch_chosen(const BatchWorkspace& workspace, Stream stream, Choose&& choose) {
  static_assert(std::is_trivially_copyable_v<A>, "an accumulator is moved as bytes");
  static_assert(alignof(A) <= 16, "an accumulator lies in the workspace");
  Error code = invalid_value;
  choose(RoomFor<A>{workspace.tickets, workspace.partials, workspace.bytes},
         [&](auto* kernel, const Grid& grid, auto... arguments) {
           code = launch_batch(kernel, grid, stream, arguments...);
         });
  return code;
}

}  // namespace reduce_detail

/// Workspace size in bytes that holds the partials of any shape on up to 256 SMs. A smaller
/// workspace, of at least 64 KiB, gives few large groups fewer blocks.
constexpr std::size_t batch_workspace_bytes() { return std::size_t{8} << 20; }

/// Initializes `workspace` on the current device, enqueued on `stream`. `memory`: `bytes` bytes,
/// aligned to 16, owned by the caller. A workspace serves one stream at a time. Returns the
/// run-time library's invalid-value error if `bytes` < 64 KiB, a pointer is null or `memory` is
/// misaligned.
inline reduce_detail::Error make_batch_workspace(BatchWorkspace* workspace, void* memory,
                                                 std::size_t bytes, reduce_detail::Stream stream) {
  using namespace reduce_detail;
  constexpr std::size_t of_tickets = batch_tickets * sizeof(unsigned);
  if (workspace == nullptr || memory == nullptr || bytes < std::size_t{64} << 10 ||
      reinterpret_cast<std::uintptr_t>(memory) % 16 != 0) {
    return invalid_value;
  }
  int device = 0, units = 0, cache = 0;
  Error code = find_device(&device);
  if (code == success) code = find_attribute(&units, number_of_sms, device);
  if (code == success) code = find_attribute(&cache, cache_bytes, device);
  if (code == success) code = enqueue_set(memory, 0, of_tickets, stream);
  if (code != success) return code;
  workspace->tickets = static_cast<unsigned*>(memory);
  workspace->partials = static_cast<std::byte*>(memory) + of_tickets;
  workspace->bytes = bytes - of_tickets;
  workspace->device.units = static_cast<unsigned>(units);
  workspace->device.cache = static_cast<std::size_t>(cache);
  return success;
}

/// result[g] = `op` over x[g * pitch] to x[g * pitch + length - 1], cast to A, for each of `count`
/// rows; `identity` if `length` is 0. Enqueues one launch on `stream` of the current device; `x`,
/// `result` and the workspace must outlive it. `x`: a pointer aligned for its type, or an input
/// made by `transform`. Bitwise deterministic on one kind of device. Returns the run-time library's
/// invalid-value error, and enqueues nothing, if the workspace is not initialized, a pointer that
/// is used is null or pitch < length.
template <class In, class A, class Op>
reduce_detail::Error reduce_rows(const BatchWorkspace& workspace, In x, std::size_t count,
                                 std::size_t length, std::size_t pitch, A* result, Op op,
                                 std::type_identity_t<A> identity, reduce_detail::Stream stream) {
  using namespace reduce_detail;
  if (workspace.tickets == nullptr || pitch < length || !fits(count, pitch)) return invalid_value;
  if (count == 0) return success;
  if (result == nullptr || (length > 0 && reduce_detail::is_null(x))) return invalid_value;
  const RowsOf rows = rows_of(count, length, pitch);
  return launch_chosen<A>(workspace, stream, [&](const auto& room, const auto& put) {
    reduce_detail::with_rows(x, rows, workspace.device, room, result, op, identity, put);
  });
}

/// The same per column of a matrix of `rows` x `columns` elements: result[c] = `op` over
/// x[r * pitch + c]. Returns the invalid-value error if pitch < columns or columns >= 2^31.
template <class In, class A, class Op>
reduce_detail::Error reduce_columns(const BatchWorkspace& workspace, In x, std::size_t rows,
                                    std::size_t columns, std::size_t pitch, A* result, Op op,
                                    std::type_identity_t<A> identity,
                                    reduce_detail::Stream stream) {
  using namespace reduce_detail;
  if (workspace.tickets == nullptr || pitch < columns || !fits(rows, pitch) ||
      columns >= std::size_t{1} << 31) {
    return invalid_value;
  }
  if (columns == 0) return success;
  if (result == nullptr || (rows > 0 && reduce_detail::is_null(x))) return invalid_value;
  const RowsOf all = rows_of(columns, rows, pitch);
  return launch_chosen<A>(workspace, stream, [&](const auto& room, const auto& put) {
    reduce_detail::with_columns(x, all, workspace.device, room, result, op, identity, put);
  });
}

/// The same per segment: result[s] = `op` over x[offsets[s]] to x[offsets[s + 1] - 1]; `identity`
/// if empty. `offsets`: `count` + 1 non-decreasing integers in device memory; the first is 0, the
/// last is `n`. The time depends little on the distribution of the lengths.
template <class In, class Offset, class A, class Op>
reduce_detail::Error reduce_segments(const BatchWorkspace& workspace, In x, const Offset* offsets,
                                     std::size_t count, std::size_t n, A* result, Op op,
                                     std::type_identity_t<A> identity,
                                     reduce_detail::Stream stream) {
  using namespace reduce_detail;
  if (workspace.tickets == nullptr || !fits(n, 1) || !fits(count, 1)) return invalid_value;
  if (count == 0) return success;
  if (result == nullptr || offsets == nullptr || (n > 0 && reduce_detail::is_null(x)))
    return invalid_value;
  const Segments<Offset> segments{offsets, static_cast<Index>(count), static_cast<Index>(n)};
  return launch_chosen<A>(workspace, stream, [&](const auto& room, const auto& put) {
    reduce_detail::with_segments(x, segments, workspace.device, room, result, op, identity, put);
  });
}
#pragma GCC visibility pop

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION
