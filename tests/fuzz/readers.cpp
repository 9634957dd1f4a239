// Fuzz targets of the readers of external bytes; each checks the promises of its documentation. A
// reader may refuse its input by its documented exception. Any other exception or a broken promise
// ends the program.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "bench/cli/selection.hpp"
#include "bench/plan/plan.hpp"
#include "bench/records/records.hpp"

namespace ladder::fuzz {
namespace {

using namespace ladder::bench;

/// Aborts if a promise does not hold.
void expect(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

/// Writes the bytes to a file of this process, deleted on exit.
const std::string& file_with(std::string_view bytes) {
  struct File {
    std::string path =
        std::filesystem::temp_directory_path() / ("ladder-fuzz-" + std::to_string(getpid()));
    ~File() { std::remove(path.c_str()); }
  };
  static const File file;
  std::ofstream(file.path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return file.path;
}

/// Reads a command line, one word per line.
void command_line(std::string_view bytes) {
  std::vector<std::string> words{"ladder"};
  for (std::size_t from = 0; from < bytes.size();) {
    const auto end = std::min(bytes.find('\n', from), bytes.size());
    words.emplace_back(bytes.substr(from, end - from).substr(0, bytes.substr(from).find('\0')));
    from = end + 1;
  }
  std::vector<const char*> arguments;
  for (const auto& word : words) arguments.push_back(word.c_str());
  const auto selection = parse_command_line(static_cast<int>(arguments.size()), arguments.data());
  if (!selection) return;
  expect(selection->command == words, "the record has the command as it was typed");
  expect(!selection->types.empty() && !selection->operations.empty(), "lists hold some");
  expect(selection->processes >= 1, "there is a process");
  expect(selection->watchdog >= 0 && selection->watchdog <= 86400, "a day can be waited");
  for (const auto& peak : selection->peaks)
    expect(std::isfinite(peak.gbs) && peak.gbs > 0, "a peak is a number above zero");
  for (const auto& [axis, values] : selection->tuning)
    expect(!values.empty(), "an axis that is named has values");
}

/// Reads one part of a list: of --sizes, an axis or --devices, or a count, as `which` selects.
void part_of_list(unsigned char which, std::string_view part) {
  const std::size_t axis_or_more = which % (tuning_axes.size() + 2);
  if (which == 0xff) {
    const auto devices = read_devices(part);
    expect(!devices.empty(), "no list is empty");
    for (const int one : devices)
      expect(one == every_device || (one >= 0 && one < 1024), "a device that can be");
  } else if (axis_or_more == tuning_axes.size()) {
    for (const Size& one : read_sizes(part))
      expect(one.amount <= std::size_t{1} << 60, "no number of bytes passes 2^64");
  } else if (axis_or_more > tuning_axes.size()) {
    expect(read_count(part) >= 1, "a count is at least one");
  } else {
    const Axis& axis = tuning_axes[axis_or_more];
    for (const AxisValue& one : read_axis(axis, part)) {
      expect(one.amount >= axis.least && one.amount <= axis.most, "it is of the axis");
      expect(!axis.power_of_two || std::has_single_bit(one.amount), "a power of two");
    }
  }
}

/// Reads a comma-separated list. The first byte selects its kind.
void sizes(std::string_view bytes) {
  if (bytes.empty()) return;
  for (std::size_t from = 1, end = 0; end < bytes.size(); from = end + 1) {
    end = std::min(bytes.find(',', from), bytes.size());
    part_of_list(static_cast<unsigned char>(bytes[0]), bytes.substr(from, end - from));
  }
}

/// Reads records, as --resume and the last of several processes do.
void records(std::string_view bytes) {
  Selection selection;
  selection.records = file_with(bytes);
  selection.command = {"ladder", "--records=a"};
  const Plan plan;
  Process process;
  try {
    const auto before = study_to_resume(selection, plan, process);
    for (const auto& [index, recorded] : before.processes) {
      for (const auto& [id, earlier] : recorded.samples) {
        for (const double seconds : earlier.seconds)
          expect(std::isfinite(seconds) && seconds > 0, "a time is a number above zero");
        expect(earlier.ulps >= 0, "an error is no less than none");
      }
    }
  } catch (const NotPossible&) {
    process = {};
  }
  Results results(plan);
  process.of = 3;
  add_other_processes(results, selection, process);
}

/// Reads an input file, .npy or raw. The first byte selects the type.
void npy(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto& type = types[static_cast<unsigned char>(bytes[0]) % types.size()];
  const auto read = read_data_file(file_with(bytes.substr(1)), type.type);
  expect(!read.empty() && read.size() % type.bytes == 0, "there are whole elements");
  expect(read.size() <= bytes.size() - 1, "no more than the file has");
}

void tuning_of_a_gpu(const std::string& path) {
  const auto tuned = read_tuning(path, "gpu");
  for (const auto& line : tuned.value_or(Tuned{}).lines) {
    expect(std::has_single_bit(line.block) && line.block >= 32 && line.block <= 1024,
           "a block that can be had");
    expect(line.vectors >= 1 && line.vectors <= 64, "1 to 64 vectors");
    expect(line.per_unit >= -1 && line.per_unit <= 1024, "-1 to 1024 blocks per SM");
    expect(line.from_bytes <= std::size_t{1} << 62, "a size that can be");
  }
}

void tuning_of_a_cpu(const std::string& path) {
  const Tuned tuned = read_tuning(path, "gpu", "cpu").value_or(Tuned{});
  for (const auto& type : types) {
    for (const auto& operation : operations) {
      std::size_t before = 0;
      for (const auto& line : tuned.host_lines(type.type, operation.operation)) {
        expect(line.from_bytes >= before, "sizes in their order");
        expect(line.workers >= 1, "a worker");
        expect(std::has_single_bit(line.pieces) && line.pieces <= 4, "1, 2 or 4 pieces");
        expect(line.prefetch == 0 || line.pieces == 2, "a prefetch that there is");
        before = line.from_bytes;
      }
    }
  }
}

/// Reads launch configurations of the tuned rungs.
void tuning_file(std::string_view bytes) {
  const auto& path = file_with(bytes);
  try {
    tuning_of_a_gpu(path);
  } catch (const UsageError&) {
    return tuning_of_a_cpu(path);
  }
  tuning_of_a_cpu(path);
}

using Reader = void (*)(std::string_view bytes);

/// Returns the reader that the environment variable READER names.
Reader chosen() {
  static const std::map<std::string_view, Reader> readers{{"command_line", command_line},
                                                          {"sizes", sizes},
                                                          {"records", records},
                                                          {"npy", npy},
                                                          {"tuning_file", tuning_file}};
  const char* const name = std::getenv("READER");
  const auto found = readers.find(name == nullptr ? "" : name);
  expect(found != readers.end(), "READER is command_line, sizes, records, npy or tuning_file");
  return found->second;
}

}  // namespace
}  // namespace ladder::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto reader = ladder::fuzz::chosen();
  try {
    reader({reinterpret_cast<const char*>(data), size});
  } catch (const ladder::bench::UsageError&) {  // a refusal is allowed
  }
  return 0;
}
