#pragma once

// Fields that several kinds of record have.

#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

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

/// Tells the input of a measurement from another one of as many bytes: `input` of a ceiling that
/// was swept on it alone.
Json input_of(const Measurement& m);

/// Facts as an object of name: {value, source}.
Json describe(const std::vector<Fact>& facts);

/// The fields of a run's record, but for its process.
Json describe_run(const Selection& selection, const Plan& plan);

/// The process of a run's record. Throws `WrongField`.
Process process_of(const Json& run);

}  // namespace ladder::bench
