#pragma once

// What several kinds of record say in the same words.

#include <optional>
#include <vector>

#include "bench/records/records.hpp"

namespace ladder::bench {

/// A value, or null where it is not known.
template <class T>
Json known(const T& value, bool is_known) {
  return is_known ? Json(value) : Json(nullptr);
}
template <class T>
Json known(const std::optional<T>& value) {
  return known(value.value_or(T{}), value.has_value());
}

/// What tells the input of a measurement from another one of as many bytes: `input` of a ceiling
/// that was swept on it alone.
Json input_of(const Measurement& m);

/// Facts as an object of name: {value, source}.
Json describe(const std::vector<Fact>& facts);

}  // namespace ladder::bench
