#pragma once

// Texts: made of parts, told from one another, read as JSON, and the room for them.

#include <charconv>
#include <cstddef>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

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

/// Pointers to the items, those together that are the `same` as the first of their group.
template <class T, class Same>
std::vector<std::vector<const T*>> groups(const std::vector<T>& items, Same same) {
  std::vector<std::vector<const T*>> found;
  for (const auto& item : items) {
    auto group = found.begin();
    while (group != found.end() && !same(*group->front(), item)) ++group;
    if (group == found.end()) group = found.emplace(group);
    group->push_back(&item);
  }
  return found;
}

/// All of `text` as a decimal number from `least` to `most`; nothing for anything else.
template <class T>
std::optional<T> number(std::string_view text, T least, T most) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (!(value >= least) || value > most) return std::nullopt;  // NaN is no number either
  return value;
}

/// What tells these bytes from others: FNV-1a in 16 hexadecimal digits.
std::string hash_of(std::string_view bytes);

/// Keeps the order of its fields. The library's whole header takes seconds to compile: units that
/// look into a value include <nlohmann/json.hpp> themselves.
using Json = nlohmann::ordered_json;

/// Reads one value. Throws `Json::exception` for what is none, and `std::range_error` for arrays
/// and objects far deeper in one another than any of ours: to copy or print such a value takes the
/// stack, a call for each level.
Json parsed(std::string_view text);

/// Elements as "2^28" where it is a power of two, else as they are.
std::string elements_text(std::size_t n);

}  // namespace ladder::bench
