#pragma once

// JSON, and checks of JSON from outside. The library's header takes seconds to compile: units that
// look into a value include <nlohmann/json.hpp> themselves.

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "bench/text.hpp"

namespace ladder::bench {

/// Keeps the order of its fields.
using Json = nlohmann::ordered_json;

/// How deep arrays and objects may stand in one another: far deeper than in anything of ours.
inline constexpr std::size_t deepest_json = 64;

/// Whether some stand deeper. To copy, compare or print such a value takes the stack, a call for
/// each level, until there is none left.
inline bool too_deep(std::string_view json) {
  std::size_t depth = 0, most = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') quoted = !quoted;
    if (quoted && c == '\\') ++i;  // what it escapes ends no text
    if (quoted) continue;
    if (c == '[' || c == '{') most = std::max(most, ++depth);
    if ((c == ']' || c == '}') && depth > 0) --depth;
  }
  return most > deepest_json;
}

/// A field that holds something else than it has to.
class WrongField : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A whole number of an object's field, `otherwise` where there is no such field. Throws
/// `WrongField` where it is something else, or more than a `Number` holds: the library would make
/// some number of it.
template <class Number, class Object>
Number whole_of(const Object& object, const char* field, Number otherwise) {
  const auto found = object.find(field);
  if (found == object.end()) return otherwise;
  if (!found->is_number_unsigned() ||
      found->template get<std::size_t>() > std::numeric_limits<Number>::max())
    throw WrongField(concat(field, " is no whole number that can be"));
  return found->template get<Number>();
}

}  // namespace ladder::bench
