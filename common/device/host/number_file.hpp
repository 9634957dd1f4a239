#pragma once

// Files of the kernel's that hold one number.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>

namespace ladder::host {

/// The number that a file begins with; nothing where it is missing or says something else, as a
/// limit says "max".
inline std::optional<std::uint64_t> number_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

}  // namespace ladder::host
