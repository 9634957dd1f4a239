// A part of the lists of --sizes, of the tuning's axes and of --devices. The first byte says which.

#include <bit>

#include "bench/cli/parse.hpp"
#include "tests/fuzz/target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ladder;
  using namespace ladder::bench;
  if (size == 0) return 0;
  const auto list = fuzz::text_of(data + 1, size - 1);
  const std::size_t which = data[0] % (tuning_axes.size() + 2);
  try {
    if (data[0] == 0xff) {
      const auto devices = read_devices(list);
      fuzz::expect(!devices.empty(), "no list is empty");
      for (const int one : devices)
        fuzz::expect(one == every_device || (one >= 0 && one < 1024), "a device that can be");
    } else if (which == tuning_axes.size()) {
      for (const Size& one : read_sizes(list))
        fuzz::expect(one.amount <= std::size_t{1} << 60, "no number of bytes passes 2^64");
    } else if (which > tuning_axes.size()) {
      fuzz::expect(read_count(list) >= 1, "a count is at least one");
    } else {
      const Axis& axis = tuning_axes[which];
      for (const AxisValue& one : read_axis(axis, list)) {
        fuzz::expect(one.amount >= axis.least && one.amount <= axis.most, "it is of the axis");
        fuzz::expect(!axis.power_of_two || std::has_single_bit(one.amount), "a power of two");
      }
    }
  } catch (const UsageError&) {
    return 0;
  }
  return 0;
}
