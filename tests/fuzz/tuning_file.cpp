// Files of choices for the tuned rung.

#include "bench/plan/tuning_file.hpp"

#include <bit>

#include "bench/selection/parse.hpp"
#include "tests/fuzz/target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ladder;
  using namespace ladder::bench;
  try {
    const Tuned tuned = read_tuning(fuzz::file_with(fuzz::text_of(data, size)), "gpu");
    for (const auto& line : tuned.lines) {
      fuzz::expect(std::has_single_bit(line.block) && line.block >= 32 && line.block <= 1024,
                   "a block that can be had");
      fuzz::expect(line.vectors >= 1 && line.vectors <= 64, "1 to 64 vectors");
      fuzz::expect(line.per_unit >= -1 && line.per_unit <= 1024, "-1 to 1024 blocks per SM");
      fuzz::expect(line.from_bytes <= std::size_t{1} << 62, "a size that can be");
    }
  } catch (const UsageError&) {
    return 0;
  }
  return 0;
}
