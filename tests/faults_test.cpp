// Verifies the check: it reports every fault of every backend at every size where the fault acts,
// and by the same procedure never reports a right rung. A rung with undefined behaviour only has to
// finish; the test prints how often it was wrong. faults.hpp defines the interface of a backend's
// faults.

#include "tests/faults.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "common/data.hpp"
#include "common/model/backend.hpp"
#include "tests/guarded_input.hpp"
#include "tests/on_backend.hpp"

namespace ladder::tests {
namespace {

using faults::Fault;

constexpr std::array published{Operation::sum, Operation::min, Operation::max};

/// Every size from 33 to 4097; up to 2^20, sizes around powers of two, primes and 60 random sizes.
const std::vector<std::size_t>& all_sizes() {
  static const std::vector<std::size_t> all = [] {
    std::vector<std::size_t> sizes;
    for (std::size_t n = 33; n <= 4097; ++n) sizes.push_back(n);
    for (std::size_t power = 8192; power <= std::size_t{1} << 20; power *= 2) {
      for (const std::size_t n : {power - 1, power, power + 1}) sizes.push_back(n);
    }
    for (const std::size_t prime : {8191U, 10007U, 65537U, 104729U, 524287U, 999983U}) {
      sizes.push_back(prime);
    }
    for (std::uint64_t draw = 0; draw < 60; ++draw) {
      sizes.push_back(4098 + random_word(20, draw) % ((1U << 20) - 4098));
    }
    std::ranges::sort(sizes);
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
  }();
  return all;
}

/// Returns the exact data of a type and operation at all sizes, computed once.
const Known& known(Type type, Operation operation) {
  static std::map<std::pair<Type, Operation>, Known> kept;
  const auto [at, is_new] = kept.try_emplace({type, operation});
  if (is_new) at->second = exact_data(type, operation, all_sizes());
  return at->second;
}

/// Divisors of the sizes. A faulty rung gets every size with every operation, on every third type
/// in turn. A right rung gets every third size, with one operation on one type: the contract tests
/// the rest, and types and operations differ in what is computed, not in how n is covered.
constexpr std::size_t turns = 3, turns_if_right = 3 * types.size() * published.size();

/// One reduction of exact data by a rung.
struct Reduced {
  GuardedInput& input;
  const Recipe& recipe;
  const Reference& reference;
  Problem problem = input.problem(reference.n);

  std::string words(std::size_t place) const {
    return in_words(problem.type, problem.operation, problem.n, {}, place);
  }
  /// Runs the rung once with the extremum at `place` and checks the result.
  Verdict judge(std::size_t rung, std::size_t place) const {
    const bool plant = plants(problem.operation);
    const Ran ran = input.run(rung, problem.n, {}, plant ? std::optional(place) : std::nullopt);
    return check(ran.value,
                 plant ? with_planted(reference, problem.type, recipe, place) : reference, false,
                 ran.depth);
  }
};

/// Calls `f(reduced)` for every published operation and type that the rung carries, at every
/// `each`-th size, until an assertion fails.
template <class F>
void for_each_known(Backend& backend, std::size_t rung, std::size_t each, const F& f) {
  for (const auto& type : types) {
    for (std::size_t i = 0; i < published.size(); ++i) {
      const Operation operation = published[i];
      if (!backend.carries(rung, type.type, operation)) continue;
      const std::size_t turn = static_cast<std::size_t>(type.type) + types.size() * i;
      const auto& [recipe, expected] = known(type.type, operation);
      GuardedInput input(backend, type.type, recipe, all_sizes().back());
      for (const Reference& reference : expected) {
        if ((reference.n + turn) % each != 0) continue;
        f(Reduced{input, recipe, reference});
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

void is_reported_wrong(Backend& backend, std::size_t rung, const Fault& fault) {
  std::size_t acted = 0, tried = 0;
  for_each_known(backend, rung, turns, [&](const Reduced& reduced) {
    const Problem& problem = reduced.problem;
    const unsigned block = backend.resolve(rung, problem, Tuning{}).block;
    ++tried;
    if (!fault.acts(problem.type, problem.n, block)) return;
    ++acted;
    const std::size_t place = fault.place(problem.type, problem.n, block);
    const Verdict verdict = reduced.judge(rung, place);
    ASSERT_FALSE(verdict.ok) << "not noticed: " << reduced.words(place);
    ASSERT_FALSE(verdict.message.empty());
  });
  if (testing::Test::HasFatalFailure()) return;
  // More than the sizes of one type's turn. A rung may have fewer cases in a build for few types:
  // then a third of its cases.
  EXPECT_GT(acted, std::min(all_sizes().size() / turns, tried / 3))
      << "the fault acts almost nowhere";
}

void is_never_reported_wrong(Backend& backend, std::size_t rung) {
  for_each_known(backend, rung, turns_if_right, [&](const Reduced& reduced) {
    const Verdict verdict = reduced.judge(rung, reduced.problem.n - 1);
    ASSERT_TRUE(verdict.ok) << reduced.words(reduced.problem.n - 1) << ": " << verdict.message;
  });
}

/// A rung with undefined behaviour may be right or wrong, but must finish. Prints how often it was
/// wrong.
void runs_to_its_end(Backend& backend, std::size_t rung) {
  std::size_t runs = 0, wrong = 0;
  for_each_known(backend, rung, turns, [&](const Reduced& reduced) {
    ++runs;
    if (!reduced.judge(rung, reduced.problem.n - 1).ok) ++wrong;
  });
  EXPECT_GT(runs, 0U);
  std::cout << wrong << " of " << runs << " results are wrong\n";
  testing::Test::RecordProperty("wrong", std::to_string(wrong));
  testing::Test::RecordProperty("runs", std::to_string(runs));
}

/// Returns the first size above 4096 at which the fault acts on floats; throws if there is none.
std::size_t size_where_it_acts(const Backend& backend, std::size_t rung, const Fault& fault) {
  for (const std::size_t n : all_sizes()) {
    if (n <= 4096) continue;
    const Problem problem{nullptr, n, Type::f32, Operation::sum, nullptr};
    const unsigned block = backend.resolve(rung, problem, Tuning{}).block;
    if (fault.acts(Type::f32, n, block)) return n;
  }
  throw std::logic_error(std::string(fault.id) + " acts nowhere past 4096 elements");
}

/// Measures one fault with the program that includes this backend's faulty rungs, which is in this
/// test's folder, and expects exit status 1.
void makes_the_program_exit(Backend& backend, std::size_t rung, const Fault& fault) {
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  std::ostringstream line;
  line << folder / "ladder_with_faults"
       << " --backends=" << backend.name() << " --rungs=" << fault.id
       << " --types=f32 --ops=sum --sizes=" << size_where_it_acts(backend, rung, fault)
       << " --quick --scope=host --cache=hot --no-ceilings --records=/dev/null > /dev/null 2>&1";
  const std::string command = line.str();
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status)) << command;
  EXPECT_EQ(WEXITSTATUS(status), 1) << command;
}

void add_all(Backend& backend, std::span<const Fault> faults) {
  for (std::size_t rung = 0; rung < backend.rungs().size(); ++rung) {
    const RungInfo& info = backend.rungs()[rung];
    if (!info.why_absent.empty() || !info.rung.takes(Grouping::whole)) continue;
    const auto fault = std::ranges::find(faults, info.rung.id, &Fault::id);
    const auto add = [&](std::string_view words, const auto& body) {
      add_test("Faults", backend, rung, words, body);
    };
    const auto with_fault = [&](auto* body) {
      return [body, &known_fault = *fault](Backend& opened, std::size_t which) {
        body(opened, which, known_fault);
      };
    };
    if (fault == faults.end()) {
      add("is_never_reported_wrong", is_never_reported_wrong);
    } else if (fault->acts == nullptr) {
      add("runs_to_its_end_whatever_it_returns", runs_to_its_end);
    } else {
      add("is_reported_wrong_wherever_it_acts", with_fault(is_reported_wrong));
      add("makes_the_program_exit_with_1", with_fault(makes_the_program_exit));
    }
  }
}

}  // namespace
}  // namespace ladder::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const auto backends = ladder::all_backends();
  for (const auto& backend : backends) {
    const std::string_view model = backend->name().substr(0, backend->name().find('/'));
    ladder::tests::add_all(*backend, ladder::faults::known.at(model));
  }
  return ladder::tests::run_tests();
}
