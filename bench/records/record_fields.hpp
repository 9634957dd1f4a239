#pragma once

// Fields that several kinds of record have.

#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/records/records.hpp"
#include "bench/text.hpp"

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

/// A field that holds something else than it has to.
class WrongField : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A whole number of an object's field, `otherwise` where there is no such field. Throws
/// `WrongField` where it is something else, or more than a `Number` holds: the library would make
/// some number of it.
template <class Number>
Number whole_of(const Json& object, const char* field, Number otherwise) {
  const auto found = object.find(field);
  if (found == object.end()) return otherwise;
  if (!found->is_number_unsigned() ||
      found->get<std::size_t>() > std::numeric_limits<Number>::max())
    throw WrongField(concat(field, " is no whole number that can be"));
  return found->get<Number>();
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
