#pragma once

// Runs a backend's rungs on data with known results, as the harness does: guards before and after
// the reduced part, an extremum planted in it, and the result's memory spoiled beforehand.

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

/// One run of a rung: the value in the result's memory, which was spoiled before the run.
struct Ran {
  Value value;
  Tuning tuning;      ///< resolved
  std::size_t depth;  ///< of the footprint: successive roundings
};

/// One device-resident array, of which prefixes are reduced.
class GuardedInput {
 public:
  /// The data begins `offset` bytes, a multiple of the element's size, past a 256-byte boundary.
  /// `array`: host address of the elements of data from a file.
  GuardedInput(Backend& backend, Type type, const Recipe& recipe, std::size_t most,
               std::size_t offset = 0, const void* array = nullptr);
  ~GuardedInput() { backend_.device().synchronize(); }
  GuardedInput(const GuardedInput&) = delete;
  GuardedInput& operator=(const GuardedInput&) = delete;

  /// The first n elements as a problem.
  Problem problem(std::size_t n) const;
  /// Runs a rung on the first n elements, with guards after them and an extremum at `planted`.
  Ran run(std::size_t rung, std::size_t n, const Tuning& tuning,
          std::optional<std::size_t> planted = {});
  /// Runs a rung likewise on `reference.n` elements and checks the result to the bit. `reference`
  /// is that of the data before planting. The message of a wrong result names the reduction.
  Verdict judge(std::size_t rung, const Reference& reference, const Tuning& tuning,
                std::optional<std::size_t> planted = {});

 private:
  /// Puts guards after the first n elements and an extremum at index `planted`; `restore` removes
  /// both. Both only enqueue copies from the staging buffer. Synchronize the device between the
  /// two, as `result_of` does, so that no copy is pending when they overwrite the buffer.
  void guard_and_plant(std::size_t n, std::optional<std::size_t> planted);
  void restore(std::size_t n, std::optional<std::size_t> planted);
  std::byte* at(std::size_t index) const;
  /// Enqueues the copy of `count` elements of the staging buffer to the input.
  void enqueue(std::size_t first, std::size_t staged_at, std::size_t count);
  /// Enqueues the copy of `count` elements of the original data, by way of the staging buffer.
  void write(std::size_t first, std::size_t staged_at, std::size_t count);

  Backend& backend_;
  Type type_;
  std::size_t bytes_;  ///< per element
  Recipe recipe_;
  const std::byte* array_;
  std::size_t most_;
  std::size_t offset_;
  std::unique_ptr<Buffer> buffer_;
  std::unique_ptr<Buffer> staging_;  ///< source of the copies: one part per use
};

/// The index of a backend's rung.
std::size_t rung_of(const Backend& backend, std::string_view id);

/// Runs a job once, with the result's memory spoiled before, and returns the result.
Value result_of(Backend& backend, Job& job);

/// Indices at which an extremum may be lost: first, last, middle, and both sides of a block's edge.
std::vector<std::size_t> places_in(std::size_t n, unsigned block);

/// Exact data, and the reference of the prefix of each size.
struct Known {
  Recipe recipe;
  std::vector<Reference> references;
};

/// Uses the first seed whose result is nonzero at every size, so that a result of zero is wrong.
Known exact_data(Type type, Operation operation, const std::vector<std::size_t>& sizes);

/// Calls `f(type, operation)` for each pair that the rung carries.
template <class F>
void for_each_carried(const Backend& backend, std::size_t rung, const F& f) {
  for (const auto& type : types) {
    for (const auto& operation : operations) {
      if (operation.integers_only && !type.integer) continue;  // not meaningful
      if (backend.carries(rung, type.type, operation.operation)) f(type.type, operation.operation);
    }
  }
}

/// True if the hardware flushes subnormal numbers: PTX's `red.add.f32` on global memory does
/// ("flushes subnormal inputs and results to sign-preserving zero", PTX ISA), and rungs of atomic
/// updates sum with it.
bool flushes_subnormals(const Backend& backend, std::size_t rung, Type type, Operation operation);

/// Describes a reduction for failure messages.
std::string in_words(Type type, Operation operation, std::size_t n, const Tuning& tuning,
                     std::optional<std::size_t> planted);

}  // namespace ladder::tests
