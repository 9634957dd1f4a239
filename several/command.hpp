#pragma once

// What whoever measures asks of all who take part, and what each of them answers. Both are plain
// bytes: they go from process to process.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "common/data.hpp"
#include "common/problem.hpp"

namespace ladder::several {

enum class Verb : std::uint32_t {
  end,     ///< whoever serves ends with this status, which is in `handle`
  divide,  ///< the first `tuning.shares` members are to combine results among themselves
  open,    ///< the backend, on device `index`
  facts,   ///< of the device: name, id and source of the peak in lines; peak; cache, memory, units,
           ///< workers
  tune,    ///< what the tuned rung is to choose on the device: the payload (choices.hpp)
  free_bytes,   ///< of the device
  allocate,     ///< `bytes` bytes as buffer `handle`
  release,      ///< buffer `handle`
  fill,         ///< elements `first` to `first + count - 1` of the recipe's data
  upload,       ///< the payload
  set,          ///< `bytes` bytes to `byte`
  evict,        ///< the caches
  synchronize,  ///< all that was enqueued
  recover,      ///< from an error; the text says where that cannot be
  prepare,      ///< the rung on the own share, as job `handle`; read and written bytes, depth
  ceiling,      ///< likewise the read-only sweep in configuration `rung`
  floor,        ///< likewise the measurement `rung` of nothing
  forget,       ///< job `handle`
  arm,          ///< the job's threads
  disarm,       ///< likewise
  spoil,        ///< the job's result
  line_up,      ///< `runs` runs of the job follow, which are its sample `index`
  seconds       ///< that those runs took; a failure where one of them failed
};

/// `at` is an offset in bytes into buffer `buffer`.
struct Command {
  Verb verb{};
  std::uint32_t backend = 0;  ///< among those of the build
  std::uint64_t handle = 0, buffer = 0, at = 0, bytes = 0;
  std::uint64_t first = 0, count = 0;  ///< elements; of a problem all of them, shared or not
  std::uint64_t rung = 0, index = 0;
  std::uint32_t runs = 0, byte = 0;
  std::uint64_t payload = 0;  ///< bytes that come behind the command
  Type type{};
  Operation operation{};
  Data data{};
  Operation planted{};  ///< of the recipe
  std::uint64_t seed = 0;
  Tuning tuning{};
};

/// What tells whole numbers from others (FNV-1a, a number in place of a byte).
constexpr std::uint64_t hash_of(std::span<const std::uint64_t> numbers) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const std::uint64_t number : numbers) hash = (hash ^ number) * 0x100000001b3U;
  return hash;
}

/// What tells one job from another: it has to be the same for all who take part.
inline std::uint64_t id_of(const Command& command) {
  const std::array<std::uint64_t, 9> numbers{static_cast<std::uint64_t>(command.verb),
                                             command.backend,
                                             command.handle,
                                             command.rung,
                                             static_cast<std::uint64_t>(command.type),
                                             static_cast<std::uint64_t>(command.operation),
                                             command.count,
                                             command.tuning.shares,
                                             command.tuning.workers};
  return hash_of(numbers);
}

enum class Outcome : std::uint32_t { done, not_possible, failed };

struct Answer {
  Outcome outcome = Outcome::done;
  double number = 0;
  std::array<std::uint64_t, 4> whole{};
  std::array<char, 480> characters{};

  void say(std::string_view text) {
    const std::size_t length = std::min(text.size(), characters.size() - 1);
    std::memcpy(characters.data(), text.data(), length);
    characters[length] = '\0';
  }
  std::string text() const { return characters.data(); }
};
static_assert(std::is_trivially_copyable_v<Command> && std::is_trivially_copyable_v<Answer>);

}  // namespace ladder::several
