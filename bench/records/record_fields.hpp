#pragma once

// Fields that several kinds of record have, or that are read again.

#include <optional>
#include <string>
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

/// Facts as an object of name: {value, source}.
Json describe(const std::vector<Fact>& facts);

/// The sweep: device, bytes, cache state, and the input where it is of one alone.
Json describe(const Ceiling& ceiling);

/// A command as records tell it: of the program and of files their names alone, without the folders
/// of whoever measures.
std::vector<std::string> without_folders(const std::vector<std::string>& command);

/// The fields of a run's record, but for its process.
Json describe_run(const Selection& selection, const Plan& plan);

}  // namespace ladder::bench
