#include "common/device/host/memory.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include <sys/mman.h>
#include <sys/resource.h>

#include "common/device/host/groups.hpp"
#include "common/device/host/number_file.hpp"

namespace ladder::host {
namespace {

namespace fs = std::filesystem;

/// The number behind `key` in a file of "key number" lines.
std::optional<std::size_t> number_behind(const fs::path& path, std::string_view key) {
  std::ifstream file(path);
  std::string line, word;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::size_t number = 0;
    if (words >> word >> number && word == key) return number;
  }
  return std::nullopt;
}

/// What a version of control groups calls its files.
struct Control {
  std::string_view limit, usage, droppable;
};
constexpr Control unified{"memory.max", "memory.current", "inactive_file"};
constexpr Control first_version{"memory.limit_in_bytes", "memory.usage_in_bytes",
                                "total_inactive_file"};

/// What is left of the limits in a group and all above it.
std::size_t left_in(const Groups& groups) {
  const Control& control = groups.unified ? unified : first_version;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const auto& folder : groups.folders) {
    const auto limit = number_in(folder / control.limit);
    const auto usage = number_in(folder / control.usage);
    if (!limit || !usage) continue;
    const auto droppable = number_behind(folder / "memory.stat", control.droppable).value_or(0);
    const std::size_t used = *usage - std::min(*usage, droppable);
    least = std::min(least, *limit - std::min(*limit, used));
  }
  return least;
}

/// What a large page has on most systems; where it is another size, that of these is a multiple.
constexpr std::size_t large_page = std::size_t{2} << 20;

class Pages : public Buffer {
 public:
  Pages(std::size_t bytes, PageSize pages)
      : bytes_(bytes), mapped_bytes_(std::max<std::size_t>(bytes, 1)) {
    const bool large = pages == PageSize::large && bytes >= large_page;
    if (large) mapped_bytes_ = (bytes + large_page - 1) / large_page * large_page + large_page;
    mapping_ = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    data_ = static_cast<std::byte*>(mapping_);
    if (!mapped()) return;
    if (large)
      data_ += (large_page - std::bit_cast<std::uintptr_t>(data_) % large_page) % large_page;
    // Refused where the kernel has none. Then the pages are small.
    if (bytes > 0) madvise(mapping_, mapped_bytes_, large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() override {
    if (mapped()) munmap(mapping_, mapped_bytes_);
  }
  bool mapped() const { return mapping_ != MAP_FAILED; }
  std::byte* data() override { return data_; }
  std::size_t bytes() const override { return bytes_; }

 private:
  std::size_t bytes_, mapped_bytes_;
  void* mapping_ = nullptr;
  std::byte* data_ = nullptr;
};

std::string in_words(std::size_t bytes) {
  std::ostringstream text;
  const double mebibytes = static_cast<double>(bytes) / (1 << 20);
  text << std::fixed << std::setprecision(mebibytes < 10240 ? 1 : 0);
  mebibytes < 10240 ? text << mebibytes << " MiB" : text << mebibytes / 1024 << " GiB";
  return text.str();
}

}  // namespace

std::size_t free_memory(const fs::path& root) {
  std::size_t least = std::numeric_limits<std::size_t>::max();
  if (const auto kib = number_behind(root / "proc/meminfo", "MemAvailable:")) least = *kib * 1024;
  for (const auto& groups : groups_of("memory", root)) least = std::min(least, left_in(groups));
  return least;
}

std::size_t total_memory(const fs::path& root) {
  return 1024 * number_behind(root / "proc/meminfo", "MemTotal:").value_or(0);
}

std::size_t in_large_pages(const fs::path& root) {
  return 1024 * number_behind(root / "proc/self/smaps_rollup", "AnonHugePages:").value_or(0);
}

PageSize pages_asked_for() {
  const char* const asked = std::getenv("LADDER_PAGES");
  const std::string_view words = asked == nullptr ? "" : asked;
  if (words.empty() || words == "large") return PageSize::large;
  if (words == "small") return PageSize::small;
  throw NotPossible("LADDER_PAGES=" + std::string(words) + ": choose small or large");
}

std::unique_ptr<Buffer> map_memory(std::size_t bytes, PageSize pages_of) {
  const std::string needs = "needs " + in_words(bytes);
  const std::size_t free = free_memory();
  if (bytes > free) throw NotPossible(needs + ", free " + in_words(free));
  auto pages = std::make_unique<Pages>(bytes, pages_of);
  if (pages->mapped()) return pages;
  const std::string why = std::strerror(errno);
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    throw NotPossible(needs + ", and this process may have " + in_words(limit.rlim_cur) +
                      " of address space in all (ulimit -v)");
  }
  throw NotPossible(needs + ", which the kernel does not give: " + why);
}

}  // namespace ladder::host
