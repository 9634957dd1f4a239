// Scratch, what a job does with the workers, and what the contract's tests cannot see on a device:
// that a rung reads nothing but its input.

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
#include "tests/refusal.hpp"

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
    int cpus = 0;
    for (const cpu_set_t& part : mask_of_caller()) cpus += CPU_COUNT(&part);
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

TEST_F(Jobs, stay_armed_while_caches_are_evicted) {
  const auto job = backend->prepare(rung_of(*backend, "c05"), problem, {.workers = 1});
  const Mask before = mask_of_caller();
  job->arm();
  const Mask pinned = mask_of_caller();
  backend->device().evict();
  EXPECT_TRUE(same(mask_of_caller(), pinned));
  job->disarm();
  EXPECT_TRUE(same(mask_of_caller(), before));
}

TEST_F(Jobs, refuse_more_workers_than_hardware_threads) {
  const unsigned most = backend->device().facts().max_workers;
  EXPECT_NO_THROW((void)backend->prepare(rung_of(*backend, "c06"), problem, {.workers = most}));
  const std::string text = tests::refusal_of(
      [&] { (void)backend->prepare(rung_of(*backend, "c06"), problem, {.workers = most + 1}); });
  EXPECT_NE(text.find(std::to_string(most + 1)), std::string::npos) << text;
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

/// Some pages between two that cannot be read.
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
    for (const auto& type : types) {
      for (const Operation operation : {Operation::sum, Operation::min, Operation::max}) {
        if (!backend->carries(rung, type.type, operation)) continue;
        const Recipe recipe{Data::exact, operation, 3};
        for (const std::size_t n : {1U, 2U, 3U, 7U, 31U, 64U, 65U, 1000U, 2047U}) {
          const std::vector<std::size_t> sizes{n};
          const Reference expected =
              references({type.type, recipe, nullptr}, operation, sizes, 1).front();
          for (std::byte* input : {memory.begin(), memory.end() - n * type.bytes}) {
            backend->device().fill(input, type.type, recipe, 0, n);
            const auto job = backend->prepare(rung, {input, n, type.type, operation, nullptr}, {});
            job->arm();
            job->run();
            job->disarm();
            EXPECT_TRUE(check(job->result(), expected, false, 0).ok)
                << backend->rungs()[rung].rung.id << " " << n;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace ladder::cpu
