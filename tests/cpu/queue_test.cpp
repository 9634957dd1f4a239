// Tests scratch memory, thread pinning by jobs, and a property that the contract's tests cannot
// check on a device: a rung reads only its input.

#include <algorithm>
#include <memory>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/check.hpp"
#include "common/reference.hpp"
#include "cpu/cpu_backend.hpp"
#include "cpu/cpu_queue.hpp"
#include "tests/device/host/masks.hpp"
#include "tests/guarded_input.hpp"

namespace ladder::cpu {
namespace {

using host::Mask;
using host::mask_of_caller;
using host::same;
using tests::rung_of;

TEST(Queue, keeps_partials_in_lines_of_their_own) {
  Queue queue(host::open());
  auto* partials = queue.partials<double>();
  for (unsigned i = 0; i < queue.pinning().max_workers(); ++i) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&partials[i].value) % line_bytes, 0U);
  }
  EXPECT_EQ(reinterpret_cast<std::byte*>(&partials[1]) - reinterpret_cast<std::byte*>(&partials[0]),
            static_cast<std::ptrdiff_t>(line_bytes));
}

class Jobs : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(backend->open(0), std::nullopt); }
  std::vector<double> data = std::vector<double>(1000, 1.0);
  Problem problem{data.data(), data.size(), Type::f64, Operation::sum, nullptr};
  std::unique_ptr<Backend> backend = make_backend({});
};

TEST_F(Jobs, of_rungs_pin_and_of_libraries_do_not) {
  const Mask before = mask_of_caller();
  for (std::size_t i = 0; i < backend->rungs().size(); ++i) {
    const RungInfo& info = backend->rungs()[i];
    if (!info.why_absent.empty() || !info.rung.takes(Grouping::whole)) continue;
    const auto job = backend->prepare(i, problem, {});
    job->arm();
    const Mask armed = mask_of_caller();
    if (info.rung.id == "c05") backend->device().evict();
    EXPECT_TRUE(same(mask_of_caller(), armed)) << "it was evicted";
    int cpus = 0;
    for (const cpu_set_t& part : armed) cpus += CPU_COUNT(&part);
    if (info.library) {
      EXPECT_TRUE(same(mask_of_caller(), before)) << info.rung.id;
    } else {
      EXPECT_EQ(cpus, 1) << info.rung.id;
    }
    job->run();
    job->disarm();
    EXPECT_TRUE(same(mask_of_caller(), before)) << info.rung.id;
    EXPECT_EQ(job->result().as<double>(), 1000.0) << info.rung.id;
  }
}

TEST_F(Jobs, write_where_the_problem_says) {
  double place = 0;
  problem.result = &place;
  const auto job = backend->prepare(rung_of(*backend, "c06"), problem, {});
  job->run();
  EXPECT_EQ(place, 1000.0);
  job->spoil();
  EXPECT_NE(place, 1000.0);
}

/// b10 stores the results of such rows past the caches.
TEST_F(Jobs, of_short_rows_beyond_the_caches_write_every_result) {
  constexpr std::size_t length = 3;
  const std::size_t count =
      backend->device().facts().last_level_cache / (length * sizeof(float)) + 1000;
  const std::vector<float> rows(length * count, 1);
  problem = {rows.data(), rows.size(), Type::f32, Operation::sum, nullptr};
  problem.groups = {.by = Grouping::rows, .count = count, .length = length, .pitch = length};
  const auto job = backend->prepare(rung_of(*backend, "b10"), problem, {});
  (void)tests::result_of(*backend, *job);
  const auto* sums = reinterpret_cast<const float*>(job->results().data());
  EXPECT_EQ(static_cast<std::size_t>(std::count(sums, sums + count, 3.0F)), count);
}

/// Pages between two unreadable guard pages.
class Fenced {
 public:
  explicit Fenced(std::size_t pages) : bytes_(pages * page()) {
    all_ = static_cast<std::byte*>(
        mmap(nullptr, bytes_ + 2 * page(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(begin(), bytes_, PROT_READ | PROT_WRITE);
  }
  Fenced(const Fenced&) = delete;
  Fenced& operator=(const Fenced&) = delete;
  ~Fenced() { munmap(all_, bytes_ + 2 * page()); }
  std::byte* begin() const { return all_ + page(); }
  std::byte* end() const { return begin() + bytes_; }

 private:
  static std::size_t page() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }
  std::size_t bytes_;
  std::byte* all_;
};

TEST(Rungs, read_nothing_but_their_input) {
  const auto backend = make_backend({});
  ASSERT_EQ(backend->open(0), std::nullopt);
  const Fenced memory(4);
  for (std::size_t rung = 0; rung < backend->rungs().size(); ++rung) {
    if (!backend->rungs()[rung].rung.takes(Grouping::whole)) continue;
    const std::vector<std::size_t> sizes{1, 2, 3, 7, 31, 64, 65, 1000, 2047};
    tests::for_each_carried(*backend, rung, [&](Type type, Operation operation) {
      const auto [recipe, expected] = tests::exact_data(type, operation, sizes);
      for (const Reference& reference : expected) {
        const std::size_t n = reference.n;
        for (std::byte* input : {memory.begin(), memory.end() - n * facts(type).bytes}) {
          backend->device().fill(input, type, recipe, 0, n);
          const auto job = backend->prepare(rung, {input, n, type, operation, nullptr}, {});
          const Verdict verdict = check(tests::result_of(*backend, *job), reference, false, 0);
          EXPECT_TRUE(verdict.ok) << backend->rungs()[rung].rung.id << " "
                                  << tests::in_words(type, operation, n, job->tuning(), {});
        }
      }
    });
  }
}

}  // namespace
}  // namespace ladder::cpu
