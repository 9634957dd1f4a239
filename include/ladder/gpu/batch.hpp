#pragma once

// Many reductions at once: the calls of ladder/cuda/batch.hpp and ladder/hip/batch.hpp.

#include <cstddef>
#include <cstdint>
#include <limits>

#include "ladder/gpu/choice.hpp"
#include "ladder/gpu/detail/batch_launch.hpp"
#include "ladder/gpu/gpu_operations.hpp"

namespace ladder::LADDER_MODEL::LADDER_VERSION {

using reduce_detail::transform;
using reduce_detail::transform_indexed;

/// Device memory that the calls on one stream share, and what they have to know of the device. To
/// be made by `make_batch_workspace`.
struct BatchWorkspace {
  unsigned* tickets = nullptr;  ///< `reduce_detail::batch_tickets` of them, zero between two calls
  void* partials = nullptr;     ///< of groups that several blocks take; aligned to 16 bytes
  std::size_t bytes = 0;        ///< of `partials`
  Gpu device;
};

#pragma GCC visibility push(hidden)
namespace reduce_detail {

/// The code of what `choose(room, launch)` launches by `launch(kernel, grid, arguments...)`, or of
/// an invalid value where it launches nothing.
template <class A, class Choose>
Error launch_chosen(const BatchWorkspace& workspace, Stream stream, Choose&& choose) {
  Error code = invalid_value;
  choose(RoomFor<A>{workspace.tickets, workspace.partials, workspace.bytes},
         [&](auto* kernel, const Grid& grid, auto... arguments) {
           code = launch_batch(kernel, grid, stream, arguments...);
         });
  return code;
}

}  // namespace reduce_detail

/// Bytes with which a batch workspace has room for the partials of any shape on a device of up to
/// 256 SMs. With less, down to 64 KiB, few large groups are taken by fewer blocks.
constexpr std::size_t batch_workspace_bytes() { return std::size_t{8} << 20; }

/// Makes a workspace on the current device of `bytes` bytes at `memory`, aligned to 16 bytes, which
/// stays the caller's; on `stream`. It serves one stream at a time. The run-time library's error of
/// an invalid value for less than 64 KiB, or where one is null.
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

/// result[g] is the `length` elements from x[g * pitch] on, cast to A and combined by `op`, for
/// each of `count` rows; `identity` where `length` is 0. Enqueued on `stream` of the current
/// device, by one launch: `x`, `result` and the workspace have to stay until it has run. `x` is a
/// pointer that is aligned for its type, or what `transform` makes of several. The same bits each
/// time on one kind of device. The run-time library's error of an invalid value, and nothing is
/// enqueued, where the workspace has not been made, a pointer is null or the pitch is less than the
/// length.
template <class In, class A, class Op>
reduce_detail::Error reduce_rows(const BatchWorkspace& workspace, In x, std::size_t count,
                                 std::size_t length, std::size_t pitch, A* result, Op op,
                                 A identity, reduce_detail::Stream stream) {
  if (workspace.tickets == nullptr || result == nullptr || pitch < length ||
      (length > 0 && reduce_detail::is_null(x)) || !reduce_detail::fits(count, pitch)) {
    return reduce_detail::invalid_value;
  }
  if (count == 0) return reduce_detail::success;
  const reduce_detail::RowsOf rows{static_cast<reduce_detail::Index>(count),
                                   static_cast<reduce_detail::Index>(length),
                                   static_cast<reduce_detail::Index>(pitch)};
  return reduce_detail::launch_chosen<A>(
      workspace, stream, [&](const auto& room, const auto& launch) {
        reduce_detail::with_rows(x, rows, workspace.device, room, result, op, identity, launch);
      });
}

/// The same of each of `columns` columns of a matrix of `rows` rows: result[c] is the elements
/// x[r * pitch + c].
template <class In, class A, class Op>
reduce_detail::Error reduce_columns(const BatchWorkspace& workspace, In x, std::size_t rows,
                                    std::size_t columns, std::size_t pitch, A* result, Op op,
                                    A identity, reduce_detail::Stream stream) {
  if (workspace.tickets == nullptr || result == nullptr || pitch < columns ||
      (rows > 0 && reduce_detail::is_null(x)) || !reduce_detail::fits(rows, pitch) ||
      columns >= std::size_t{1} << 31) {
    return reduce_detail::invalid_value;
  }
  if (columns == 0) return reduce_detail::success;
  return reduce_detail::launch_chosen<A>(
      workspace, stream, [&](const auto& room, const auto& launch) {
        reduce_detail::with_columns(x, static_cast<reduce_detail::Index>(rows),
                                    static_cast<reduce_detail::Index>(columns),
                                    static_cast<reduce_detail::Index>(pitch), workspace.device,
                                    room, result, op, identity, launch);
      });
}

/// The same of each of `count` segments: result[s] is the elements from x[offsets[s]] to before
/// x[offsets[s + 1]]; `identity` where there are none. `offsets`: `count` + 1 integers in device
/// memory, from 0 on, that never descend; `n` is the last of them. However uneven the lengths are,
/// the time is that of reading the elements and the offsets.
template <class In, class Offset, class A, class Op>
reduce_detail::Error reduce_segments(const BatchWorkspace& workspace, In x, const Offset* offsets,
                                     std::size_t count, std::size_t n, A* result, Op op, A identity,
                                     reduce_detail::Stream stream) {
  if (workspace.tickets == nullptr || result == nullptr || offsets == nullptr ||
      (n > 0 && reduce_detail::is_null(x)) || !reduce_detail::fits(n, 1) ||
      !reduce_detail::fits(count, 1)) {
    return reduce_detail::invalid_value;
  }
  if (count == 0) return reduce_detail::success;
  const reduce_detail::Segments<Offset> segments{offsets, static_cast<reduce_detail::Index>(count),
                                                 static_cast<reduce_detail::Index>(n)};
  return reduce_detail::launch_chosen<A>(
      workspace, stream, [&](const auto& room, const auto& launch) {
        reduce_detail::with_segments(x, segments, workspace.device, room, result, op, identity,
                                     launch);
      });
}
#pragma GCC visibility pop

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION
