#include "tests/properties/case.hpp"

#include <array>
#include <cstring>
#include <limits>
#include <sstream>
#include <string_view>

#include "common/check.hpp"
#include "tests/guarded_input.hpp"

namespace ladder::tests {
namespace {

/// Values at which an implementation goes wrong that is right on others.
template <class T>
auto special_values(bool with_subnormals) {
  using Limits = std::numeric_limits<T>;
  if constexpr (is_floating<T>) {
    const auto minus = [](T value) { return T(-static_cast<Computed<T>>(value)); };
    const T zero = T(0), tiny = with_subnormals ? Limits::denorm_min() : zero;
    return std::array{zero,
                      minus(zero),
                      tiny,
                      minus(tiny),
                      Limits::infinity(),
                      minus(Limits::infinity()),
                      Limits::quiet_NaN(),
                      minus(Limits::quiet_NaN())};
  } else {
    return std::array{T{0}, T{1}, T{-1}, Limits::max(), Limits::min()};
  }
}

/// Whether the hardware may take subnormal numbers for zero: `red.add.f32` of PTX does.
bool flushes_subnormals(const Case& one) {
  return one.backend->device().name().starts_with("cuda:") &&
         (one.backend->rungs()[one.rung].rung.traits & atomic_updates) != 0;
}

/// Whether the sums of a library with infinities or zeros are declared its own affair: one that has
/// nothing but sums cannot mean another operation.
bool leaves_sums_open(const Case& one) {
  return (one.backend->rungs()[one.rung].rung.traits & nan_unspecified) != 0 &&
         one.operation == Operation::sum &&
         !one.backend->carries(one.rung, one.type, Operation::min);
}

/// The recipe as the harness takes it: of exact data the first seed whose result is not zero.
Recipe recipe_of(const Case& one, const void* array, Reference& reference) {
  Recipe recipe{one.data, one.operation, one.seed};
  const std::array sizes{one.n};
  for (;; ++recipe.seed) {
    reference = references({one.type, recipe, array}, one.operation, sizes, 1).front();
    const bool zero = one.n > 0 && reference.value.number() == 0;
    if (!zero || one.data != Data::exact) return recipe;
  }
}

/// What a rung makes of the first n elements.
struct Result {
  Value value;
  std::size_t depth = 0;  ///< of the rung's summation
  std::optional<std::size_t> planted;
};

Result result(const Case& one, Backend& backend, std::size_t rung, const Recipe& recipe,
              const void* array, const Tuning& tuning) {
  GuardedInput input(backend, one.type, recipe, one.n, one.offset, array);
  const auto job = backend.prepare(rung, input.problem(one.n), tuning);
  std::optional<std::size_t> planted;
  if (one.place && one.n > 0)
    planted = index_of(*one.place, one.n, job->tuning().block, recipe.seed);
  input.guard_and_plant(one.n, planted);
  const Value value = result_of(backend, *job);
  return {value, job->footprint().depth(), planted};
}

bool is_left_open(const Backend& backend, std::size_t rung, const Case& one) {
  return leaves_open(backend.rungs()[rung].rung.traits, one.type, one.operation);
}

std::string called(const Backend& backend, std::size_t rung) {
  return std::string(backend.name()) + " " + full_name(backend.rungs()[rung].rung);
}

/// What the other backend says against the result; empty where it says the same, or where the bits
/// are not its to say.
std::string other_than(const Value& got, const Case& one, const Recipe& recipe, const void* array) {
  if (one.other == nullptr || !one.other->carries(one.other_rung, one.type, one.operation) ||
      rounds(one.type, one.operation, one.data) || one.place ||
      is_left_open(*one.backend, one.rung, one) || is_left_open(*one.other, one.other_rung, one))
    return {};
  const Value its = result(one, *one.other, one.other_rung, recipe, array, {}).value;
  if (its == got) return {};
  return "got " + got.text() + ", but " + its.text() + " by " + called(*one.other, one.other_rung);
}

}  // namespace

Outcome run(const Case& one) {
  std::vector<std::byte> array;
  if (one.data == Data::file) array = array_of(one);
  array.resize(array.size() + 1);  // so that it is somewhere for n = 0 too
  const void* elements = one.data == Data::file ? array.data() : nullptr;
  Reference reference;
  const Recipe recipe = recipe_of(one, elements, reference);
  try {
    const auto [got, depth, planted] =
        result(one, *one.backend, one.rung, recipe, elements, one.tuning);
    if (planted) reference = with_planted(reference, one.type, recipe, *planted);
    const Verdict verdict =
        is_left_open(*one.backend, one.rung, one)
            ? check_left_open(got, reference)
            : check(got, reference, rounds(one.type, one.operation, one.data), depth);
    if (!verdict.ok) return {true, verdict.message};
    return {true, other_than(got, one, recipe, elements)};
  } catch (const NotPossible&) {
    return {false, {}};
  }
}

std::vector<std::byte> array_of(const Case& one) {
  return with_type(one.type, [&]<Type type>() {
    using T = native<type>;
    const Data among = is_floating<T> ? Data::normal : Data::uniform;
    const Recipe recipe{among, one.operation, one.seed};
    std::vector<T> elements(one.n);
    for (std::size_t i = 0; i < one.n; ++i) elements[i] = element<T>(recipe, i);
    if (one.n > 0 && !leaves_sums_open(one)) {
      const auto values = special_values<T>(!flushes_subnormals(one));
      for (const auto& [index, which] : one.special)
        elements[index % one.n] = values[which % values.size()];
    }
    std::vector<std::byte> bytes(one.n * sizeof(T));
    if (one.n > 0) std::memcpy(bytes.data(), elements.data(), bytes.size());
    return bytes;
  });
}

std::string command_of(const Case& one, const std::string& program, const std::string& file) {
  std::ostringstream command;
  const auto& info = one.backend->rungs()[one.rung];
  command << program << " --backends=" << one.backend->name() << " --rungs=" << info.rung.id
          << " --types=" << facts(one.type).name << " --ops=" << facts(one.operation).name;
  if (one.data != Data::file || one.n > 0) command << " --sizes=" << one.n;
  for (const auto& axis : tuning_axes) {
    const unsigned value = one.tuning.*axis.member;
    if ((info.rung.axes & axis.bit) != 0 && value != 0)
      command << " --" << axis.name << "=" << value;
  }
  if (one.offset != 0) command << " --offset=" << one.offset;
  if (one.place) command << " --place=" << name(*one.place);
  if (one.data == Data::file) {
    command << " --data=file:" << file;
  } else {
    command << " --data=" << name(one.data) << " --seed=" << one.seed;
  }
  command << " --cache=hot --scope=host --samples=1 --no-ceilings";
  return command.str();
}

}  // namespace ladder::tests
