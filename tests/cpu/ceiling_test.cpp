#include "cpu/ceiling.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "common/data.hpp"
#include "common/machine/machine.hpp"

namespace ladder::cpu {
namespace {

TEST(Ceiling, reads_every_word_once_in_every_configuration) {
  machine::Machine machine = machine::find_machine();
  Queue queue(std::move(machine.places), machine.default_workers);
  for (const std::size_t words : {2U, 512U, 514U, 4098U, 100002U}) {
    std::vector<std::uint64_t> data(words + 1);
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i < words; ++i) {
      data[i] = random_word(5, i);
      expected ^= data[i];
    }
    data[words] = 0x5A5A;
    for (unsigned workers = 1; workers <= queue.max_workers(); ++workers) {
      const machine::Armed armed(queue, workers);
      for (const Reading& reading : readings()) {
        const auto* bytes = reinterpret_cast<const std::byte*>(data.data());
        EXPECT_EQ(sweep(queue, reading, bytes, words * 8), expected)
            << in_words(reading) << ", " << words << " words, " << workers << " workers";
        EXPECT_EQ(sweep(queue, reading, bytes + 8, words * 8 - 16),
                  expected ^ data[0] ^ data[words - 1])
            << in_words(reading) << ", not aligned to its vectors";
      }
    }
  }
}

}  // namespace
}  // namespace ladder::cpu
