#pragma once

// One reduction with everything about it that may vary, and the command line of `ladder` that does
// the same.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/model/backend.hpp"
#include "common/place.hpp"

namespace ladder::tests {

struct Case {
  Backend* backend = nullptr;
  std::size_t rung = 0;
  Type type = Type::f32;
  Operation operation = Operation::sum;
  std::size_t n = 0;
  std::size_t offset = 0;  ///< bytes behind an aligned address, a multiple of the element's
  Tuning tuning{};
  Data data = Data::exact;  ///< `file`: an array of the case's own, see `array_of`
  std::uint64_t seed = 1;
  std::optional<Place> place{};
  /// Of an array: at which index (modulo n) which special value (modulo their number) stands.
  std::vector<std::pair<std::size_t, std::size_t>> special{};
  /// Another backend and rung that have to give the same bits; null where none is asked.
  Backend* other = nullptr;
  std::size_t other_rung = 0;
};

/// How a run of a case came out.
struct Outcome {
  bool ran = true;      ///< false where the backend says that it cannot be had
  std::string wrong{};  ///< what is wrong with the result; empty where it is right
};

/// Reduces it as the harness does, between guards, and judges the result as the harness does. Where
/// the bits follow from the definition, the other backend's have to be the same.
Outcome run(const Case& one);

/// The array that a case of `Data::file` reduces: normal numbers (uniform ones of integers) with
/// special values among them. Of floats NaN, infinities, zeros and subnormal numbers, of integers
/// the ends of their range, so that sums and products overflow.
std::vector<std::byte> array_of(const Case& one);

/// The command that repeats it, of `program`. `file`: where the array of `Data::file` is.
std::string command_of(const Case& one, const std::string& program, const std::string& file);

}  // namespace ladder::tests
