#pragma once

// Text utilities: concatenation, grouping, number and JSON parsing, hashing.

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

/// Concatenates strings, views and integers.
template <class... Part>
std::string concat(const Part&... part) {
  std::ostringstream text;  // NOLINT(misc-const-correctness): blind to folds
  (text << ... << part);
  return text.str();
}

/// Joins `of(part)` for each part, separated by `between`.
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

/// Groups pointers to the items: each group holds the items that are `same` as its first one.
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

/// Parses all of `text` as a decimal number in [least, most]; nullopt otherwise.
template <class T>
std::optional<T> number(std::string_view text, T least, T most) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (!(value >= least) || value > most) return std::nullopt;  // NaN is no number either
  return value;
}

/// Hash of the bytes: 64-bit FNV-1a as 16 hexadecimal digits.
std::string hash_of(std::string_view bytes);

/// Preserves the order of fields. The full header takes seconds to compile; only units that access
/// values include <nlohmann/json.hpp>.
using Json = nlohmann::ordered_json;

/// Parses one JSON value. Throws `Json::exception` if malformed, and `std::range_error` if nested
/// more than 64 levels deep: copying and printing recurse, one stack frame per level.
Json parsed(std::string_view text);

/// "2^28" for powers of two from 16 on, otherwise the decimal number.
std::string elements_text(std::size_t n);

}  // namespace ladder::bench
