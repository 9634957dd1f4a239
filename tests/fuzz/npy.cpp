// Files of input, .npy or raw. The first byte says of which type.

#include "bench/plan/npy.hpp"

#include <vector>

#include "bench/cli/parse.hpp"
#include "bench/plan/data_file.hpp"
#include "tests/fuzz/target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ladder;
  using namespace ladder::bench;
  if (size == 0) return 0;
  const auto& type = types[data[0] % types.size()];
  const auto bytes = fuzz::text_of(data + 1, size - 1);
  const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
  const std::vector<std::byte> content(first, first + bytes.size());
  try {
    if (is_npy(content)) {
      const auto begins = npy_data("it", content, type.type);
      fuzz::expect(begins <= content.size(), "data begins within the file");
      fuzz::expect((content.size() - begins) % type.bytes == 0, "whole elements follow");
    }
  } catch (const UsageError&) {
  }
  try {
    const DataFile file(fuzz::file_with(bytes), type.type);
    fuzz::expect(file.elements() > 0, "there is an element");
    fuzz::expect(file.elements() * type.bytes <= content.size(), "no more than the file has");
  } catch (const UsageError&) {
  }
  return 0;
}
