#pragma once

// Texts out of parts, and parts that belong together.

#include <cstdint>
#include <cstdio>
#include <functional>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ladder::bench {

/// The parts behind one another: strings, views, whole numbers.
template <class... Part>
std::string concat(const Part&... part) {
  std::ostringstream text;  // NOLINT(misc-const-correctness): blind to folds
  (text << ... << part);
  return text.str();
}

/// `of` each of the parts, `between` between them.
template <class Range, class Of = std::identity>
std::string join(const Range& parts, std::string_view between = ", ", Of of = {}) {
  std::ostringstream text;
  std::string_view before;
  for (const auto& part : parts) {
    text << before << std::invoke(of, part);
    before = between;
  }
  return text.str();
}

/// Pointers to the items (or the items, if they are pointers), those together that are the `same`
/// as the first of their group.
template <class Range, class Same>
auto groups(const Range& items, Same same) {
  const auto pointer = [](const auto& item) {
    if constexpr (std::is_pointer_v<std::decay_t<decltype(item)>>) {
      return item;
    } else {
      return &item;
    }
  };
  std::vector<std::vector<decltype(pointer(*items.begin()))>> found;
  for (const auto& item : items) {
    auto group = found.begin();
    while (group != found.end() && !same(*group->front(), *pointer(item))) ++group;
    if (group == found.end()) group = found.emplace(group);
    group->push_back(pointer(item));
  }
  return found;
}

/// What tells these bytes from others: FNV-1a in 16 hexadecimal digits.
inline std::string hash_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace ladder::bench
