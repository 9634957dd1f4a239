// Files of choices for the tuned rung.

#include "bench/plan/tuning_file.hpp"

#include <bit>

#include "bench/cli/parse.hpp"
#include "tests/fuzz/target.hpp"

namespace {

using namespace ladder;
using namespace ladder::bench;

void of_a_gpu(const std::string& path) {
  const auto named = device_named_in(path);
  const Tuned tuned = read_tuning(path, "gpu");
  fuzz::expect(named == "gpu", "what is read is of the device that the file names");
  for (const auto& line : tuned.lines) {
    fuzz::expect(std::has_single_bit(line.block) && line.block >= 32 && line.block <= 1024,
                 "a block that can be had");
    fuzz::expect(line.vectors >= 1 && line.vectors <= 64, "1 to 64 vectors");
    fuzz::expect(line.per_unit >= -1 && line.per_unit <= 1024, "-1 to 1024 blocks per SM");
    fuzz::expect(line.from_bytes <= std::size_t{1} << 62, "a size that can be");
  }
}

void of_a_cpu(const std::string& path) {
  const Tuned tuned = read_tuning(path, "gpu", "cpu");
  for (const auto& type : types) {
    for (const auto& operation : operations) {
      std::size_t before = 0;
      for (const auto& line : tuned.host_lines(type.type, operation.operation)) {
        fuzz::expect(line.from_bytes >= before, "sizes in their order");
        fuzz::expect(line.workers >= 1, "a worker");
        fuzz::expect(std::has_single_bit(line.pieces) && line.pieces <= 4, "1, 2 or 4 pieces");
        fuzz::expect(line.prefetch == 0 || line.pieces == 2, "a prefetch that there is");
        before = line.from_bytes;
      }
    }
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string path = fuzz::file_with(fuzz::text_of(data, size));
  for (const auto read : {of_a_gpu, of_a_cpu}) {
    try {
      read(path);
    } catch (const UsageError&) {
      continue;
    }
  }
  return 0;
}
