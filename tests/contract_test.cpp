// The contract of every rung of every backend of all_backends(): right results by any tuning, at
// any size and alignment, of special values, and on repeated runs. A backend that cannot be opened
// is skipped with its reason.

#include "tests/contract.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "common/model/backend.hpp"
#include "common/size_text.hpp"
#include "tests/on_backend.hpp"
#include "tests/refusal.hpp"

namespace ladder::tests {

namespace {

/// Cross product of blocks, grids, items and workers, over the axes that the rung has.
std::vector<Tuning> tunings_of(const Subject& subject) {
  std::vector<unsigned> blocks{0}, grids{0}, items{0}, workers{0};
  if (subject.has(block_axis)) blocks = {32, 256, 1024};
  if (subject.has(grid_axis)) grids = {0, 1, 7};
  if (subject.has(items_axis)) items = {0, 1, 3, 512};
  if (subject.has(workers_axis)) {
    const unsigned most = subject.backend.device().facts().max_workers;
    workers = {1};
    if (most > 1) workers.push_back(most);
    if (most > 3) workers.push_back(3);
  }
  std::vector<Tuning> tunings;
  for (const unsigned b : blocks)
    for (const unsigned g : grids)
      for (const unsigned i : items)
        for (const unsigned w : workers) tunings.push_back({b, g, i, w});
  return tunings;
}

/// Sizes at boundaries: nothing, a warp, a block, a grid, 2^18, 2^20; and primes.
const std::vector<std::size_t>& all_sizes() {
  static const std::vector<std::size_t> sizes{0,    1,      2,      31,     32,     33,     255,
                                              256,  257,    1000,   1009,   1023,   1024,   1025,
                                              4097, 100000, 104729, 262143, 262144, 1048577};
  return sizes;
}

/// Small sizes cover the edges of warps and blocks: above 200000 elements, the two ends are enough.
std::vector<std::size_t> where_something_ends(std::size_t n, unsigned block) {
  return n > 200000 ? at_the_ends(n, block) : places_in(n, block);
}

/// Tries each tuning with every third type and operation in turn: these differ in what is computed,
/// not in how n is covered.
void at_every_size(const Subject& subject) {
  const auto all = tunings_of(subject);
  std::size_t turn = 0;
  for_each_carried(subject, [&](Type type, Operation operation) {
    std::vector<Tuning> tunings{Tuning{}};
    for (std::size_t i = turn++ % 3; i < all.size(); i += 3) tunings.push_back(all[i]);
    expect_right(subject, type, operation, all_sizes(), 0, tunings, where_something_ends);
  });
}

void at_every_alignment(const Subject& subject) {
  for_each_carried(subject, [&](Type type, Operation operation) {
    for (std::size_t offset = 0; offset < 16; offset += facts(type).bytes) {
      SCOPED_TRACE("offset " + std::to_string(offset) + " bytes");
      expect_right(subject, type, operation, {1, 2, 3, 4, 5, 31, 32, 33, 1000, 4097}, offset);
    }
  });
}

void can_be_run_again(const Subject& subject) {
  const std::vector<std::size_t> sizes{33, 4097, 100000};
  for_each_carried(subject, [&](Type type, Operation operation) {
    const auto [recipe, expected] = exact_data(type, operation, sizes);
    GuardedInput input(subject.backend, type, recipe, sizes.back());
    std::vector<std::unique_ptr<Job>> jobs;  // all prepared before any is run, as in a study
    for (const std::size_t n : sizes) {
      jobs.push_back(subject.backend.prepare(subject.rung, input.problem(n), Tuning{}));
    }
    for (int again = 0; again < 3; ++again) {
      for (std::size_t i = 0; i < jobs.size(); ++i) {
        const Verdict verdict = check(result_of(subject.backend, *jobs[i]), expected[i], false, 0);
        EXPECT_TRUE(verdict.ok) << in_words(type, operation, sizes[i], jobs[i]->tuning(), {})
                                << ", run " << again + 1 << ": " << verdict.message;
      }
    }
  });
}

void accounts_for_what_it_does(const Subject& subject) {
  const std::size_t n = 100003;
  for_each_carried(subject, [&](Type type, Operation operation) {
    GuardedInput input(subject.backend, type, {Data::exact, operation, 1}, n);
    for (const Tuning& tuning : tunings_of(subject)) {
      const auto job = subject.backend.prepare(subject.rung, input.problem(n), tuning);
      const Tuning resolved = job->tuning();
      const std::string what = in_words(type, operation, n, resolved, {});
      EXPECT_TRUE(!subject.has(block_axis) || resolved.block != 0) << what << ": no block";
      EXPECT_TRUE(!subject.has(grid_axis) || resolved.grid != 0) << what << ": no grid";
      EXPECT_TRUE(!subject.has(items_axis) || resolved.items != 0) << what << ": no items";
      EXPECT_TRUE(!subject.has(workers_axis) || resolved.workers != 0) << what << ": no workers";
      EXPECT_EQ(resolved, subject.backend.resolve(subject.rung, input.problem(n), resolved))
          << what << ": resolving what is resolved changes it";
      const Footprint& footprint = job->footprint();
      EXPECT_GE(footprint.depth(), 1U) << what;
      if (subject.info().library) continue;  // a library's memory traffic is unspecified
      ASSERT_FALSE(footprint.launches.empty()) << what;
      EXPECT_GE(footprint.moved_bytes(), effective_bytes(n, type)) << what;
    }
  });
}

void names_what_it_does_not_carry(const Subject& subject) {
  const std::string id(subject.info().rung.id);
  for (const auto& type : types) {
    for (const auto& operation : operations) {
      if (subject.backend.carries(subject.rung, type.type, operation.operation)) continue;
      const Problem problem{nullptr, 0, type.type, operation.operation, nullptr};
      const std::string text =
          refusal_of([&] { (void)subject.backend.prepare(subject.rung, problem, {}); });
      EXPECT_NE(text.find(id), std::string::npos) << text;
      EXPECT_NE(text.find(type.name), std::string::npos) << text;
      EXPECT_NE(text.find(operation.name), std::string::npos) << text;
    }
  }
}

/// Runs one block, and the largest grid, which covers any size in at most one pass. Blocks are
/// small, so that there are many. Leaves out tunings that the device does not support.
void by_the_smallest_and_the_largest_grid(const Subject& subject) {
  const std::size_t most = subject.backend.device().facts().max_grid;
  if (most == 0) GTEST_SKIP() << "the device has no grids";
  const auto largest = static_cast<unsigned>(std::min<std::size_t>(most, ~0U));
  std::size_t ran = 0;
  std::string why;
  for_each_carried(subject, [&](Type type, Operation operation) {
    for (const unsigned grid : {1U, largest}) {
      for (const std::size_t n : {1U, 31U, 1024U, 104729U, 1048577U}) {
        const Tuning tuning{subject.has(block_axis) ? 32U : 0U, grid,
                            subject.has(items_axis) ? 1U : 0U, 0};
        try {
          expect_right(subject, type, operation, {n}, 0, {tuning},
                       [](std::size_t size, unsigned) { return std::vector{size - 1}; });
          ++ran;
        } catch (const NotPossible& reason) {
          why = reason.what();
        }
      }
    }
  });
  if (ran == 0) GTEST_SKIP() << why;
}

/// Returns why n elements of the type cannot be reduced here; empty if they can.
std::string too_many(const Subject& subject, Type type, Operation operation, std::size_t n) {
  if (!subject.backend.carries(subject.rung, type, operation)) {
    return "it does not carry " + std::string(facts(type).name) + " " +
           std::string(facts(operation).name);
  }
  const std::size_t bytes = (n + n / 8) * facts(type).bytes;
  Device& device = subject.backend.device();
  if (std::getenv("LADDER_TEST_LARGE") == nullptr && device.facts().kind == "cpu")
    return "set LADDER_TEST_LARGE for what takes " + size_text(bytes) + " of main memory";
  const std::size_t free = device.free_bytes();
  return free < bytes ? "needs " + size_text(bytes) + ", free " + size_text(free) : std::string();
}

/// Reduces 2^k + 5 elements for each k from 31 to `bits`.
template <Type type, unsigned bits>
void past_counters(const Subject& subject) {
  constexpr Operation operation = Operation::sum;
  std::vector<std::size_t> sizes;
  for (unsigned of = 31; of <= bits; ++of) sizes.push_back((std::size_t{1} << of) + 5);
  const auto why = too_many(subject, type, operation, sizes.back());
  if (!why.empty()) GTEST_SKIP() << why;
  const Recipe recipe{Data::exact, operation, 1};
  static const auto expected = references({type, recipe, nullptr}, operation, sizes, 16);
  GuardedInput input(subject.backend, type, recipe, sizes.back());
  for (const Reference& reference : expected) {
    ASSERT_NE(reference.value.number(), 0) << "a rung that returns nothing would pass";
    try {
      const Verdict verdict = input.judge(subject.rung, reference, {});
      EXPECT_TRUE(verdict.ok) << verdict.message;
    } catch (const NotPossible& refusal) {
      ASSERT_TRUE(subject.info().library) << "only a library may end there: " << refusal.what();
      GTEST_SKIP() << reference.n << " elements: " << refusal.what();
    }
  }
}

void is_absent_with_a_reason(const Subject& subject) {
  const std::string reason(subject.info().why_absent);
  for (const auto& type : types) {
    EXPECT_FALSE(subject.backend.carries(subject.rung, type.type, Operation::sum));
  }
  const Problem problem{nullptr, 0, Type::f32, Operation::sum, nullptr};
  const std::string text =
      refusal_of([&] { (void)subject.backend.prepare(subject.rung, problem, {}); });
  EXPECT_NE(text.find(reason), std::string::npos) << text;
}

/// Expects that `differing` finds no result without the promised bits, by any tuning.
template <Differing (*differing)(const Subject&, const std::vector<Tuning>&)>
void has_its_bits(const Subject& subject) {
  const Differing found = differing(subject, tunings_of(subject));
  EXPECT_GT(found.runs, 0U);
  EXPECT_EQ(found.count, 0U) << "of " << found.runs << ": " << found.first;
}

/// All models in one memory space share one device: one stream, one cold state, one ceiling.
void shares_its_device(Backend& backend, std::span<const std::unique_ptr<Backend>> backends) {
  Device& device = backend.device();
  for (const auto& other : backends) {
    if (open_for_tests(*other)) continue;  // its own tests report why
    EXPECT_EQ(&other->device() == &device, other->device().name() == device.name())
        << backend.name() << " and " << other->name() << " on " << device.name();
  }
  EXPECT_EQ(open_for_tests(backend), std::nullopt) << "opening again is free";
  EXPECT_EQ(&backend.device(), &device) << "opening again changes nothing";
  for (const Fact& fact : backend.facts()) {
    EXPECT_FALSE(fact.value.empty()) << fact.name;
    EXPECT_FALSE(fact.source.empty()) << fact.name;
  }
}

void add_rung(Backend& backend, std::size_t rung) {
  struct Promise {
    std::string_view words;
    void (*holds)(const Subject&);
  };
  constexpr std::array promises{
      Promise{"is_right_at_every_size_by_every_tuning", at_every_size},
      Promise{"is_right_at_every_alignment", at_every_alignment},
      Promise{"treats_NaN_infinities_and_zeros_as_the_operation_does", treats_special_values},
      Promise{"stays_within_its_error_bound", stays_within_its_bound},
      Promise{"can_be_run_again", can_be_run_again},
      Promise{"accounts_for_what_it_does", accounts_for_what_it_does},
      Promise{"names_what_it_does_not_carry", names_what_it_does_not_carry},
      Promise{"is_right_past_2_to_the_31", past_counters<Type::i32, 31>},
      Promise{"is_right_past_2_to_the_32_in_the_smallest_type", past_counters<Type::i8, 32>},
  };
  const RungInfo& info = backend.rungs()[rung];
  const auto one = [&](std::string_view words, void (*holds)(const Subject&)) {
    add_test("Contract", backend, rung, words, [holds](Backend& opened, std::size_t which) {
      holds({opened, which});
    });
  };
  if (!info.why_absent.empty()) return one("is_absent_with_a_reason", is_absent_with_a_reason);
  one("refuses_other_groups", refuses_other_groups);
  if (!info.rung.takes(Grouping::whole)) return one("reduces_every_group", reduces_every_group);
  for (const Promise& promise : promises) one(promise.words, promise.holds);
  if ((info.rung.axes & grid_axis) != 0) {
    one("is_right_by_one_block_and_by_the_largest_grid", by_the_smallest_and_the_largest_grid);
  }
  if ((info.rung.traits & fixed_order) != 0) {
    one("has_the_bits_of_the_fixed_tree_by_every_tuning", has_its_bits<from_the_fixed_tree>);
  }
  if ((info.rung.traits & order_free) != 0) {
    one("has_the_bits_of_the_exact_sum_in_any_order", has_its_bits<from_the_exact_sum>);
  }
  if ((info.rung.traits & compensated) != 0) {
    one("is_as_good_as_twice_the_precision", has_its_bits<from_a_compensated_sum>);
  }
}

}  // namespace
}  // namespace ladder::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const auto backends = ladder::all_backends();  // all MPI ranks run the same tests
  for (const auto& backend : backends) {
    namespace t = ladder::tests;
    t::add_test("Contract", *backend, "shares_its_device_with_the_others_in_its_memory_space",
                [&](ladder::Backend& opened) { t::shares_its_device(opened, backends); });
    for (std::size_t rung = 0; rung < backend->rungs().size(); ++rung) t::add_rung(*backend, rung);
  }
  return ladder::tests::run_tests();
}
