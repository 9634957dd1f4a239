// What the contract's tests cannot see on a device: that a rung reads nothing but its input.

#include <memory>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/check.hpp"
#include "common/reference.hpp"
#include "cpu/cpu_backend.hpp"

namespace ladder::cpu {
namespace {

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
