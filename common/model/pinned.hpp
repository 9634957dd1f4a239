#pragma once

// Host memory that a device reads and writes in place.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/operations.hpp"
#include "common/types.hpp"

namespace ladder {

/// To be made in one page-locked block, visible to both sides at the same address. Each part has
/// cache lines of its own.
struct Pinned {
  /// Where a fetched result lands; a blocking rung writes it itself.
  alignas(128) std::array<std::byte, 16> result{};
  /// Every operation's identity in every accumulator type: the result of reducing nothing.
  alignas(128) std::array<std::array<std::uint64_t, operations.size()>, types.size()> identity{};

  Pinned() {
    for (const auto& type : types) {
      for (const auto& operation : operations) fill(type.type, operation.operation);
    }
  }

 private:
  void fill(Type type, Operation operation) {
    with_type(type, [&]<Type t>() {
      with_operation(operation, [&]<Operation o>() {
        const auto value = Function<o, native<t>>::identity();
        std::memcpy(&identity[static_cast<std::size_t>(t)][static_cast<std::size_t>(o)], &value,
                    sizeof value);
      });
    });
  }
};

}  // namespace ladder
