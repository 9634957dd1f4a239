#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>

namespace ladder {

/// Human-readable size: "1 GiB", "1.5 GiB".
inline std::string size_text(std::size_t bytes) {
  static constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, value == std::floor(value) ? "%.0f %s" : "%.1f %s", value,
                units[unit]);
  return text;
}

}  // namespace ladder
