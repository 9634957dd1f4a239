#pragma once

// What the tuned rung is to choose, as bytes that go from process to process.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "common/device/tuned.hpp"

namespace ladder::several {
namespace detail {

/// A line of a CPU's with what it holds for.
struct HostLine {
  Type type;
  Operation operation;
  Tuned::HostLine line;
};

template <class T>
void put(std::vector<std::byte>& bytes, std::span<const T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::uint64_t count = values.size();
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof count + values.size_bytes());
  std::memcpy(bytes.data() + at, &count, sizeof count);
  if (!values.empty())
    std::memcpy(bytes.data() + at + sizeof count, values.data(), values.size_bytes());
}

/// Takes from the front of `bytes` what `put` has put there.
template <class T>
std::vector<T> get(std::span<const std::byte>& bytes) {
  std::uint64_t count = 0;
  const auto piece = [&](void* to, std::size_t length) {
    if (length > bytes.size()) throw std::runtime_error("choices that end before their end");
    if (length > 0) std::memcpy(to, bytes.data(), length);
    bytes = bytes.subspan(length);
  };
  piece(&count, sizeof count);
  if (count > bytes.size() / sizeof(T))
    throw std::runtime_error("choices that end before their end");
  std::vector<T> values(count);
  piece(values.data(), count * sizeof(T));
  return values;
}

}  // namespace detail

inline std::vector<std::byte> bytes_of(const Tuned& tuned) {
  std::vector<detail::HostLine> of_hosts;
  for (const auto& type : types) {
    for (const auto& operation : operations) {
      for (const auto& line : tuned.host_lines(type.type, operation.operation))
        of_hosts.push_back({type.type, operation.operation, line});
    }
  }
  std::vector<std::byte> bytes;
  detail::put(bytes, std::span<const char>(tuned.source));
  detail::put(bytes, std::span<const Tuned::Line>(tuned.lines));
  detail::put(bytes, std::span<const detail::HostLine>(of_hosts));
  return bytes;
}

/// Of bytes that `bytes_of` has made, in this build.
inline Tuned choices_of(std::span<const std::byte> bytes) {
  Tuned tuned;
  const auto source = detail::get<char>(bytes);
  tuned.source.assign(source.begin(), source.end());
  tuned.lines = detail::get<Tuned::Line>(bytes);
  for (const auto& [type, operation, line] : detail::get<detail::HostLine>(bytes))
    tuned.add(type, operation, line);
  return tuned;
}

}  // namespace ladder::several
