#pragma once

// The kernel's files of numbers.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

namespace ladder::host {

/// The number after the word `key`; without a key, the number that the file begins with. Nothing
/// where the file is missing or has another word there, as "max" for no limit.
inline std::optional<std::uint64_t> number_in(const std::filesystem::path& path,
                                              std::string_view key = {}) {
  std::ifstream file(path);
  std::string word;
  while (word != key && file >> word) {
  }
  std::uint64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

}  // namespace ladder::host
