#pragma once

// Runs a backend's rungs on data whose result is known, as the harness does: guards before and
// behind the part that is reduced, an extremum planted in it, the place of the result spoiled
// beforehand.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/check.hpp"
#include "common/model/backend.hpp"
#include "common/reference.hpp"

namespace ladder::tests {

/// One run of a rung: what the spoiled place of the result holds after it, by which tuning.
struct Ran {
  Value value;
  Tuning tuning;      ///< resolved
  std::size_t depth;  ///< of the footprint: roundings behind each other
};

/// One resident array of a type, from which prefixes are reduced.
class GuardedInput {
 public:
  /// `offset` bytes past an address that is aligned to 256, a multiple of the element's size.
  /// `array`: where the elements of data from a file are, on the host.
  GuardedInput(Backend& backend, Type type, const Recipe& recipe, std::size_t most,
               std::size_t offset = 0, const void* array = nullptr);
  ~GuardedInput() { backend_.device().synchronize(); }
  GuardedInput(const GuardedInput&) = delete;
  GuardedInput& operator=(const GuardedInput&) = delete;

  /// The first n elements as a problem.
  Problem problem(std::size_t n) const;
  /// Runs a rung on the first n elements, with guards behind them and an extremum at `planted`.
  Ran run(std::size_t rung, std::size_t n, const Tuning& tuning,
          std::optional<std::size_t> planted = {});
  /// The same, held to the bit against what the first `reference.n` elements reduce to before
  /// anything is planted. The message of a wrong result says what was reduced, and how.
  Verdict judge(std::size_t rung, const Reference& reference, const Tuning& tuning,
                std::optional<std::size_t> planted = {});

 private:
  /// Puts guards behind the first n elements and an extremum at index `planted`; `restore` takes
  /// both away. Both only enqueue: between one `restore` and the next `guard_and_plant` the device
  /// has to have been waited for, as `result_of` does.
  void guard_and_plant(std::size_t n, std::optional<std::size_t> planted);
  void restore(std::size_t n, std::optional<std::size_t> planted);
  std::byte* at(std::size_t index) const;
  /// Enqueues the copy of `count` elements of the staging buffer to the input.
  void enqueue(std::size_t first, std::size_t staged_at, std::size_t count);
  /// The same of what the data has there.
  void write(std::size_t first, std::size_t staged_at, std::size_t count);

  Backend& backend_;
  Type type_;
  std::size_t bytes_;  ///< of an element
  Recipe recipe_;
  const std::byte* array_;
  std::size_t most_;
  std::size_t offset_;
  std::unique_ptr<Buffer> buffer_;
  std::unique_ptr<Buffer> staging_;  ///< what is copied from: a part for each use
};

/// The index of a backend's rung.
std::size_t rung_of(const Backend& backend, std::string_view id);

/// Runs a job once and returns what it made of the spoiled place.
Value result_of(Backend& backend, Job& job);

/// The places at which an extremum may be lost: first, last, middle, and about the edges of a
/// block.
std::vector<std::size_t> places_in(std::size_t n, unsigned block);

/// Exact data, and what the first elements of it reduce to, as many as each size says.
struct Known {
  Recipe recipe;
  std::vector<Reference> references;
};

/// Of the first seed whose result is zero at none of the sizes, so that a result of zero is wrong.
Known exact_data(Type type, Operation operation, const std::vector<std::size_t>& sizes);

/// Calls `f(type, operation)` for each pair that the rung carries.
template <class F>
void for_each_carried(const Backend& backend, std::size_t rung, const F& f) {
  for (const auto& type : types) {
    for (const auto& operation : operations) {
      if (operation.integers_only && !type.integer) continue;  // which makes no sense
      if (backend.carries(rung, type.type, operation.operation)) f(type.type, operation.operation);
    }
  }
}

/// Where the hardware takes subnormal numbers for zero: PTX's `red.add.f32` on global memory does
/// ("flushes subnormal inputs and results to sign-preserving zero", PTX ISA), and rungs of atomic
/// updates sum by it.
bool flushes_subnormals(const Backend& backend, std::size_t rung, Type type, Operation operation);

/// How a failure names the reduction that was wrong.
std::string in_words(Type type, Operation operation, std::size_t n, const Tuning& tuning,
                     std::optional<std::size_t> planted);

}  // namespace ladder::tests
