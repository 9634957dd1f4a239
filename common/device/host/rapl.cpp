#include "common/device/host/rapl.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/device/device.hpp"
#include "common/device/host/number_file.hpp"

namespace ladder::host {
namespace {

namespace fs = std::filesystem;

std::string line_of(const fs::path& file) {
  std::string line;
  std::ifstream stream(file);
  std::getline(stream, line);
  return line;
}

/// Counts microjoules up to a largest number (0: it is not told), then again from 0.
struct Package {
  fs::path file;
  std::uint64_t largest, last;
  std::uint64_t taken = 0;

  void read() {
    const auto value = number_in(file);
    if (!value) throw std::runtime_error(file.string() + " can no longer be read");
    // Around at most once: that takes minutes at least.
    const std::uint64_t to_its_end = largest > last ? largest - last : 0;
    taken += *value >= last ? *value - last : to_its_end + *value;
    last = *value;
  }
};

class Rapl final : public EnergyCounter {
 public:
  explicit Rapl(std::vector<Package> packages) : packages_(std::move(packages)) {}
  double joules() override {
    std::uint64_t sum = 0;
    for (auto& package : packages_) {
      package.read();
      sum += package.taken;
    }
    return static_cast<double>(sum) * 1e-6;
  }
  std::string source() const override {
    const auto count = packages_.size();
    return "RAPL (/sys/class/powercap): " +
           (count == 1 ? "the processor's package" : std::to_string(count) + " packages") +
           ", without the memory";
  }

 private:
  std::vector<Package> packages_;
};

/// A package is a zone at the top ("intel-rapl:0", of AMD's processors too). Below it lie its
/// parts, which it has counted; "psys" is more than the processor, and "intel-rapl-mmio" another
/// way to the same counter.
bool is_package(const fs::path& zone) {
  const std::string name = zone.filename().string();
  return name.starts_with("intel-rapl:") && std::ranges::count(name, ':') == 1 &&
         line_of(zone / "name").starts_with("package");
}

}  // namespace

std::unique_ptr<EnergyCounter> open_rapl(const fs::path& root) {
  const fs::path folder = root / "sys" / "class" / "powercap";
  std::vector<fs::path> zones;
  std::error_code none;
  for (fs::directory_iterator zone(folder, none), end; !none && zone != end; zone.increment(none)) {
    if (is_package(zone->path())) zones.push_back(zone->path());
  }
  if (zones.empty())
    throw NotPossible("the system shows no energy counter of its processors (no package below " +
                      folder.string() + ", as in most virtual machines)");
  std::ranges::sort(zones);
  std::vector<Package> packages;
  for (const auto& zone : zones) {
    const fs::path file = zone / "energy_uj";
    errno = 0;
    const auto now = number_in(file);
    if (!now) {
      const std::string why = errno != 0 ? std::string(": ") + std::strerror(errno) : "";
      throw NotPossible(file.string() + " cannot be read" + why +
                        " (most systems let root alone read it)");
    }
    packages.push_back({file, number_in(zone / "max_energy_range_uj").value_or(0), *now});
  }
  return std::make_unique<Rapl>(std::move(packages));
}

}  // namespace ladder::host
