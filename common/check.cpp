#include "common/check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error \
    "results are checked with NaN and infinities: not with -ffast-math, -Ofast or -ffinite-math-only"
#endif

namespace ladder {
namespace {

std::string differs(const Value& got, const Value& expected) {
  return "got " + got.text() + ", expected " + expected.text();
}

/// True if additions in some order may leave the range of the result's type, though no element is
/// NaN. `most`: upper bound of the magnitude of all partial sums.
bool overflows_on_the_way(const Value& expected, double most) {
  return !std::isnan(expected.number()) && with_type(expected.type, [most]<Type t>() {
    return !(most <= static_cast<double>(std::numeric_limits<native<t>>::max()));
  });
}

}  // namespace

std::string Value::text() const {
  return with_type(type, [&]<Type t>() -> std::string {
    if constexpr (facts(t).integer) {
      return std::to_string(as<native<t>>());
    } else {
      char text[40];
      // Enough digits to distinguish the number from its neighbours.
      constexpr int digits = 2 + significand_bits<native<t>>() * 30103 / 100000;
      std::snprintf(text, sizeof text, "%.*g", digits, number());
      return text;
    }
  });
}

Value identity_of(Type accumulator, Operation operation) {
  return with_type(accumulator, [&]<Type t>() {
    return with_operation(
        operation, [&]<Operation o>() { return Value::of(t, Function<o, native<t>>::identity()); });
  });
}

Verdict check(const Value& got, const Reference& reference, bool rounds, std::size_t depth) {
  const Value& expected = reference.value;
  if (got.type != expected.type)
    return {false, 0, false, "the result has another type than the reference", false};
  const double u = facts(expected.type).roundoff;
  const double ku = static_cast<double>(depth) * u;
  // Factor of sum|x|. Where k·u reaches 1 the theory allows any finite result; sum|x| itself is
  // then the loosest bound that can still fail.
  const double allowed = ku < 0.5 ? ku / (1 - ku) : 1;
  if (rounds && overflows_on_the_way(expected, (1 + allowed) * reference.magnitudes)) {
    if (!std::isfinite(got.number()) || std::isfinite(expected.number()))
      return {true, 0, true, {}, false};
    return {false, 0, true, differs(got, expected), false};
  }
  if (!rounds || !std::isfinite(expected.number())) {
    return got == expected ? Verdict{true, 0, false, {}, false}
                           : Verdict{false, 0, false, differs(got, expected), false};
  }
  const double error = std::abs((got.number() - expected.number()) - reference.remainder);
  const double exact = expected.number();
  const double ulp = 2 * u * (exact == 0 ? 1 : std::exp2(std::floor(std::log2(std::abs(exact)))));
  Verdict verdict{true, error / ulp, ku > 0.01, {}, false};
  if (!(error <= allowed * reference.magnitudes)) {
    verdict.ok = false;
    verdict.message = differs(got, expected) + ": off by " + std::to_string(verdict.ulps) +
                      " ulp, past the bound";
  }
  return verdict;
}

Verdict check_groups(std::span<const std::byte> results, const GroupReferences& references,
                     bool rounds, std::size_t depth, std::byte untouched) {
  const std::size_t bytes = facts(references.type).bytes, count = references.count();
  if (results.size() != (count + 1) * bytes) return {false, 0, false, "not as many results", false};
  const auto behind = results.last(bytes);
  if (std::ranges::any_of(behind, [&](std::byte b) { return b != untouched; }))
    return {false, 0, false, "something was written behind the last result", false};
  Verdict all{true, 0, false, {}, false};
  if (!rounds && std::memcmp(results.data(), references.values.data(), count * bytes) == 0)
    return all;
  std::size_t wrong = 0;
  for (std::size_t g = 0; g < count; ++g) {
    Value got{references.type, 0};
    std::memcpy(&got.bits, results.data() + g * bytes, bytes);
    const Verdict one = check(got, references.at(g), rounds, depth);
    all.ulps = std::max(all.ulps, one.ulps);
    all.vacuous |= one.vacuous;
    if (!one.ok && ++wrong == 1) all.message = "group " + std::to_string(g) + ": " + one.message;
  }
  if (wrong > 0) {
    all.ok = false;
    all.message += " (" + std::to_string(wrong) + " of " + std::to_string(count) + " are wrong)";
  }
  return all;
}

Verdict check_left_open(const Value& got, const Reference& reference) {
  Verdict verdict = check(got, reference, false, 0);
  const double expected = reference.value.number();
  const bool open = std::isnan(expected) || (expected == 0 && got.number() == 0);
  if (!verdict.ok && open && got.type == reference.value.type) return {true, 0, false, {}, true};
  return verdict;
}

}  // namespace ladder
