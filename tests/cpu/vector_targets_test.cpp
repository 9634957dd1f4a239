// Tests the rungs with explicit vectors on every target of this machine. The contract's tests cover
// only the best target.

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "common/device/host/vectors.hpp"
#include "cpu/cpu_backend.hpp"
#include "tests/contract.hpp"

namespace ladder::cpu {
namespace {

using tests::Subject;

class VectorTargets : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(backend->open(0), std::nullopt); }
  void TearDown() override { host::limit_vector_targets(""); }

  /// Calls `holds(subject)` for each rung with explicit vectors on each target.
  template <class Holds>
  void for_each_target(const Holds& holds) {
    for (const std::string& target : host::vector_targets()) {
      host::limit_vector_targets(target);
      ASSERT_EQ(host::vector_target().name, target);
      for (std::size_t rung = 0; rung < backend->rungs().size(); ++rung) {
        const RungInfo& info = backend->rungs()[rung];
        if (info.library || info.rung.id < "c08" || !info.rung.takes(Grouping::whole)) continue;
        SCOPED_TRACE(target + ", " + std::string(info.rung.id));
        holds(Subject{*backend, rung});
      }
    }
  }

  std::unique_ptr<Backend> backend = make_backend({});
};

void at_ends_of_vectors(const Subject& subject) {
  const std::vector<std::size_t> sizes{1,   2,    15,   16,   17,    31,    33,
                                       63,  64,   65,   127,  128,   129,   255,
                                       511, 1023, 1025, 4097, 20011, 32769, 300007};
  tests::for_each_carried(subject, [&](Type type, Operation operation) {
    for (const std::size_t offset : {std::size_t{0}, facts(type).bytes}) {
      tests::expect_right(subject, type, operation, sizes, offset, {Tuning{}},
                          [](std::size_t n, unsigned) {
                            return std::vector<std::size_t>{0, n / 2, n - 1};
                          });
    }
  });
}

TEST_F(VectorTargets, are_all_right_at_the_ends_of_vectors) { for_each_target(at_ends_of_vectors); }

TEST_F(VectorTargets, all_treat_NaN_infinities_and_zeros_as_the_operation_does) {
  for_each_target(tests::treats_special_values);
}

/// Puts one NaN, then one zero of the other sign, at each index: all vectors, lanes and chains.
template <class T>
void see_each_place(Backend& backend, std::size_t rung, Type type, Operation operation) {
  const bool least = operation == Operation::min;
  const T zero = least ? T{0} : -T{0}, other = -zero;
  std::vector<T> x(300, zero);
  const std::unique_ptr<Job> job =
      backend.prepare(rung, {x.data(), x.size(), type, operation, nullptr}, {.workers = 1});
  job->arm();
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = std::numeric_limits<T>::quiet_NaN();
    job->run();
    EXPECT_TRUE(std::isnan(job->result().as<T>())) << i;
    x[i] = other;
    job->run();
    EXPECT_EQ(job->result().as<T>(), 0) << i;
    EXPECT_EQ(std::signbit(job->result().as<T>()), least) << i;
    x[i] = zero;
  }
  job->run();
  EXPECT_EQ(std::signbit(job->result().as<T>()), !least);
  job->disarm();
}

TEST_F(VectorTargets, see_a_NaN_and_the_sign_of_a_zero_at_each_place) {
  for_each_target([](const Subject& subject) {
    const std::string_view id = subject.info().rung.id;
    if (id != "c08" && id != "c09" && id != "c13") return;
    for (const Operation operation : {Operation::min, Operation::max}) {
      see_each_place<float>(subject.backend, subject.rung, Type::f32, operation);
      see_each_place<double>(subject.backend, subject.rung, Type::f64, operation);
    }
  });
}

/// Returns tunings with 1, 2, 3 and all workers.
std::vector<Tuning> numbers_of_workers(const Backend& backend) {
  std::vector<Tuning> tunings;
  const unsigned most = backend.device().facts().max_workers;
  for (const unsigned workers : {1U, 2U, 3U, most}) {
    if (workers <= most) tunings.push_back({.workers = workers});
  }
  return tunings;
}

TEST_F(VectorTargets, have_the_same_bits_where_that_is_promised) {
  const auto tunings = numbers_of_workers(*backend);
  std::size_t held = 0;
  for_each_target([&](const Subject& subject) {
    const unsigned traits = subject.info().rung.traits;
    if ((traits & (fixed_order | order_free)) == 0) return;
    const auto found = (traits & fixed_order) != 0 ? tests::from_the_fixed_tree(subject, tunings)
                                                   : tests::from_the_exact_sum(subject, tunings);
    EXPECT_GT(found.runs, 0U);
    EXPECT_EQ(found.count, 0U) << "of " << found.runs << ": " << found.first;
    ++held;
  });
  EXPECT_EQ(held, 2 * host::vector_targets().size());
}

TEST_F(VectorTargets, are_compensated_where_that_is_promised) {
  const auto tunings = numbers_of_workers(*backend);
  for_each_target([&](const Subject& subject) {
    const bool promised = (subject.info().rung.traits & compensated) != 0;
    if (!promised && subject.info().rung.id != "c08") return;
    const auto found = tests::from_a_compensated_sum(subject, tunings);
    EXPECT_GT(found.runs, 0U);
    EXPECT_EQ(found.count == 0, promised) << found.first;
  });
}

/// Shows that the test data distinguishes orders.
TEST_F(VectorTargets, have_other_bits_where_it_is_not) {
  const auto tunings = numbers_of_workers(*backend);
  for (const char* id : {"c08", "c10", "c12"}) {
    const Subject subject{*backend, tests::rung_of(*backend, id)};
    EXPECT_GT(tests::from_the_fixed_tree(subject, tunings).count, 0U) << id;
  }
  for (const char* id : {"c08", "c10", "c11"}) {
    const Subject subject{*backend, tests::rung_of(*backend, id)};
    EXPECT_GT(tests::from_the_exact_sum(subject, tunings).count, 0U) << id;
  }
}

TEST_F(VectorTargets, can_be_named_alone) {
  const auto targets = host::vector_targets();
  ASSERT_FALSE(targets.empty());
  EXPECT_EQ(host::vector_target().name, targets.front());
  host::limit_vector_targets(targets.back() + "," + targets.front());
  EXPECT_EQ(host::vector_target().name, targets.front());
  host::limit_vector_targets(targets.back());
  EXPECT_EQ(host::vector_target().name, targets.back());
  EXPECT_GE(host::vector_target().bytes, 16U);
  EXPECT_EQ(host::vector_targets(), targets) << "which there are does not depend on the limit";
  EXPECT_EQ(host::vector_target().name, targets.back()) << "nor does asking lift it";
}

}  // namespace
}  // namespace ladder::cpu
