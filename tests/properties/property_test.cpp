// Tests one property of every rung of every backend: the result equals the reference for any type,
// operation, size, alignment, tuning and data. RapidCheck draws and shrinks the cases.
//   LADDER_PROPERTY_CASES=N   cases of all backends together; 400 without it
//   LADDER_PROPERTY_SEED=N    seed of the draw; 1 without it

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "common/check.hpp"
#include "tests/guarded_input.hpp"
#include "tests/on_backend.hpp"

namespace ladder::tests {
namespace {

/// One reduction with all its variable parameters.
struct Case {
  Backend* backend = nullptr;
  std::size_t rung = 0;
  Type type = Type::f32;
  Operation operation = Operation::sum;
  std::size_t n = 0;
  std::size_t offset = 0;  ///< bytes after an aligned address, a multiple of the element's
  Tuning tuning{};
  Data data = Data::exact;  ///< `file`: see `array_of`
  std::uint64_t seed = 1;
  std::optional<std::size_t> place{};  ///< index (modulo n) of the deciding element
  /// Index (modulo n) and special value (modulo their number) of each element that is not drawn.
  std::vector<std::pair<std::size_t, std::size_t>> special{};
};

/// Returns values at which an otherwise correct implementation may fail.
template <class T>
auto special_values(bool with_subnormals) {
  using Limits = std::numeric_limits<T>;
  if constexpr (is_floating<T>) {
    const auto minus = [](T value) { return T(-static_cast<Computed<T>>(value)); };
    const T zero = T(0), tiny = with_subnormals ? Limits::denorm_min() : zero;
    const T infinite = Limits::infinity(), nan = Limits::quiet_NaN();
    return std::array{zero,     minus(zero),     tiny, minus(tiny),
                      infinite, minus(infinite), nan,  minus(nan)};
  } else {
    return std::array{T{0}, T{1}, T{-1}, Limits::max(), Limits::min()};
  }
}

/// Returns true if a library declares its sums of infinities or zeros unspecified. If it has only
/// sums, nan_unspecified cannot mean another operation.
bool leaves_sums_open(const Case& one) {
  return (one.backend->rungs()[one.rung].rung.traits & nan_unspecified) != 0 &&
         one.operation == Operation::sum &&
         !one.backend->carries(one.rung, one.type, Operation::min);
}

/// Returns the recipe as the harness uses it: for exact data, the first seed with a nonzero result.
Recipe recipe_of(const Case& one, const void* array, Reference& reference) {
  Recipe recipe{one.data, one.operation, one.seed};
  const std::array sizes{one.n};
  for (;; ++recipe.seed) {
    reference = references({one.type, recipe, array}, one.operation, sizes, 1).front();
    const bool zero = one.n > 0 && reference.value.number() == 0;
    if (!zero || one.data != Data::exact) return recipe;
  }
}

/// Returns the array of a `Data::file` case: normal numbers (uniform integers) with special values
/// among them, so that sums and products overflow.
std::vector<std::byte> array_of(const Case& one) {
  return with_type(one.type, [&]<Type type>() {
    using T = native<type>;
    const Recipe recipe{is_floating<T> ? Data::normal : Data::uniform, one.operation, one.seed};
    std::vector<std::byte> bytes(one.n * sizeof(T) + 1);  // a valid address for n = 0
    auto* const elements = reinterpret_cast<T*>(bytes.data());
    for (std::size_t i = 0; i < one.n; ++i) elements[i] = element<T>(recipe, i);
    if (one.n == 0 || leaves_sums_open(one)) return bytes;
    const auto values =
        special_values<T>(!flushes_subnormals(*one.backend, one.rung, one.type, one.operation));
    for (const auto& [index, which] : one.special)
      elements[index % one.n] = values[which % values.size()];
    return bytes;
  });
}

/// Returns the verdict of a run; nullopt if the backend refuses the case.
std::optional<Verdict> run(const Case& one) {
  std::vector<std::byte> array;
  if (one.data == Data::file) array = array_of(one);
  const void* elements = one.data == Data::file ? array.data() : nullptr;
  Reference reference;
  const Recipe recipe = recipe_of(one, elements, reference);
  try {
    GuardedInput input(*one.backend, one.type, recipe, one.n, one.offset, elements);
    std::optional<std::size_t> planted;
    if (one.place && one.n > 0) {
      planted = *one.place % one.n;
      reference = with_planted(reference, one.type, recipe, *planted);
    }
    const Ran ran = input.run(one.rung, one.n, one.tuning, planted);
    const auto traits = one.backend->rungs()[one.rung].rung.traits;
    if (leaves_open(traits, one.type, one.operation)) return check_left_open(ran.value, reference);
    // Bitwise comparison if nothing rounds.
    return check(ran.value, reference, rounds(one.type, one.operation, one.data), ran.depth);
  } catch (const NotPossible&) {
    return std::nullopt;
  }
}

/// Formats the case as options of `ladder`; for `Data::file` with the array's content.
std::string in_words(const Case& one) {
  std::ostringstream words;
  const Rung& rung = one.backend->rungs()[one.rung].rung;
  words << "--backends=" << one.backend->name() << " --rungs=" << rung.id
        << " --types=" << facts(one.type).name << " --ops=" << facts(one.operation).name
        << " --sizes=" << one.n << " --data=" << name(one.data) << " --seed=" << one.seed;
  for (const auto& axis : tuning_axes) {
    if ((rung.axes & axis.bit) != 0) words << " --" << axis.name << "=" << one.tuning.*axis.member;
  }
  words << "; input " << one.offset << " bytes behind an aligned address";
  const std::size_t size = std::max<std::size_t>(1, one.n);
  if (one.place) words << ", deciding element at " << *one.place % size;
  for (const auto& [index, which] : one.special)
    words << " [" << index % size << "] = special value " << which;
  return words.str();
}

namespace gen = rc::gen;

constexpr std::size_t most_elements = 65536, very_many = std::size_t{1} << 22;
/// One in this many cases has very many elements: it takes a hundred times as long as another.
constexpr std::size_t seldom = 256;

/// Draws up to `last` at any generator size: RapidCheck's numbers grow from case to case.
template <class T>
rc::Gen<T> up_to(T last) {
  return gen::resize(rc::kNominalSize, gen::inRange(T{0}, static_cast<T>(last + 1)));
}

/// Draws one of `choices`; shrinks to the first of them that also fails.
template <class T>
T one_of(const std::vector<T>& choices) {
  return choices[*up_to(choices.size() - 1)];
}

/// Draws a size near a power of two or a multiple of blocks, up to `very_many`.
std::size_t draw_large_size() {
  const std::size_t about = *gen::noShrink(up_to<std::size_t>(2));
  const std::size_t n = *gen::noShrink(up_to<std::size_t>(1)) == 0
                            ? std::size_t{1} << (17 + *gen::noShrink(up_to<std::size_t>(5)))
                            : *gen::noShrink(up_to(very_many / 1024)) * 1024;
  return std::min(std::max<std::size_t>(n, 1) + about - 1, very_many);
}

/// Draws 0 or 1, a size near a power of two, near a multiple of blocks, or any.
std::size_t draw_size() {
  const auto drawn = gen::exec([] {
    const auto kind = *up_to<std::size_t>(3), power = *up_to<std::size_t>(16),
               about = *up_to<std::size_t>(2), any = *up_to(most_elements);
    const std::size_t n = kind == 0   ? any % 2
                          : kind == 1 ? (std::size_t{1} << power) + about - 1
                          : kind == 2 ? (any / 4 / 96 + 1) * 96 + about - 1
                                      : any;
    return std::min(n, most_elements);
  });
  return *gen::shrink(gen::noShrink(drawn),
                      [](std::size_t n) { return rc::shrink::towards(n, std::size_t{0}); });
}

Tuning draw_tuning(const Backend& backend, const Rung& rung) {
  Tuning tuning;
  if ((rung.axes & block_axis) != 0)
    tuning.block = one_of<unsigned>({0, 32, 64, 128, 256, 512, 1024});
  const auto most = std::clamp<std::size_t>(backend.device().facts().max_grid, 1,
                                            std::numeric_limits<int>::max());
  if ((rung.axes & grid_axis) != 0)
    tuning.grid = one_of<unsigned>({0, 1, 2, 3, 7, 33, 1024, static_cast<unsigned>(most)});
  if ((rung.axes & items_axis) != 0) tuning.items = one_of<unsigned>({0, 1, 2, 3, 8, 33, 512});
  if ((rung.axes & workers_axis) != 0)
    tuning.workers = *up_to(backend.device().facts().max_workers);
  return tuning;
}

using Pair = std::pair<Type, Operation>;

std::vector<Pair> carried(const Backend& backend, std::size_t rung) {
  std::vector<Pair> pairs;
  for_each_carried(backend, rung,
                   [&](Type type, Operation operation) { pairs.emplace_back(type, operation); });
  return pairs;
}

std::vector<std::size_t> present(const Backend& backend) {
  std::vector<std::size_t> rungs;
  for (std::size_t rung = 0; rung < backend.rungs().size(); ++rung) {
    if (!backend.rungs()[rung].rung.takes(Grouping::whole)) continue;
    if (!carried(backend, rung).empty()) rungs.push_back(rung);
  }
  return rungs;
}

Case draw(Backend& backend, const std::vector<std::size_t>& rungs) {
  Case one;
  one.backend = &backend;
  one.rung = *gen::elementOf(rungs);
  std::tie(one.type, one.operation) = *gen::elementOf(carried(backend, one.rung));
  one.n = *gen::noShrink(up_to(seldom - 1)) == 0 ? draw_large_size() : draw_size();
  const std::size_t bytes = facts(one.type).bytes;
  one.offset = *up_to(32 / bytes) * bytes;
  one.tuning = draw_tuning(backend, backend.rungs()[one.rung].rung);
  one.seed = *gen::noShrink(up_to<std::uint64_t>(1000));
  // A floating product of other data leaves the type's range.
  const bool product = one.operation == Operation::product && !facts(one.type).integer;
  one.data =
      product ? Data::exact : one_of<Data>({Data::exact, Data::uniform, Data::normal, Data::file});
  if (one.data == Data::exact && plants(one.operation)) one.place = *up_to(very_many);
  if (one.data == Data::file) {
    one.special = *gen::resize(8, gen::container<std::vector<std::pair<std::size_t, std::size_t>>>(
                                      gen::pair(up_to(most_elements), up_to<std::size_t>(7))));
  }
  return one;
}

std::uint64_t from_environment(const char* variable, std::uint64_t otherwise) {
  const char* value = std::getenv(variable);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

void give_the_reference(Backend& backend, std::uint64_t cases) {
  const auto rungs = present(backend);
  std::size_t ran = 0, refused = 0;
  const std::string seed = std::to_string(from_environment("LADDER_PROPERTY_SEED", 1));
  setenv("RC_PARAMS", ("seed=" + seed + " max_success=" + std::to_string(cases)).c_str(), 1);
  EXPECT_TRUE(rc::check("any reduction by any rung gives the reference", [&] {
    const Case one = draw(backend, rungs);
    const auto verdict = run(one);
    ++(verdict ? ran : refused);
    if (verdict && !verdict->ok) RC_FAIL(verdict->message + "\n" + in_words(one));
  }));
  EXPECT_GE(ran, cases / 2) << refused << " cases were refused";
  std::cout << ran << " cases, " << refused << " that cannot be had\n";
}

}  // namespace
}  // namespace ladder::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  using namespace ladder::tests;
  const auto backends = ladder::all_backends();
  const auto cases =
      std::max<std::uint64_t>(1, from_environment("LADDER_PROPERTY_CASES", 400) / backends.size());
  for (const auto& backend : backends) {
    add_test("Properties", *backend, "any_reduction_by_any_rung_gives_the_reference",
             [cases](ladder::Backend& opened) { give_the_reference(opened, cases); });
  }
  return RUN_ALL_TESTS();
}
