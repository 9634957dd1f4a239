#include "common/device/host/host_memory.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <sys/mman.h>

#include "common/device/host/process_limits.hpp"
#include "common/size_text.hpp"

namespace ladder::host {
namespace {

/// Large-page size of most systems; other large pages are multiples of it.
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
    // Fails if the kernel has no large pages. Then the pages are small.
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

}  // namespace

PageSize pages_asked_for() {
  const char* const asked = std::getenv("LADDER_PAGES");
  const std::string_view words = asked == nullptr ? "" : asked;
  if (words.empty() || words == "large") return PageSize::large;
  if (words == "small") return PageSize::small;
  throw NotPossible("LADDER_PAGES=" + std::string(words) + ": choose small or large");
}

std::unique_ptr<Buffer> map_memory(std::size_t bytes, PageSize pages_of) {
  const std::string needs = "needs " + size_text(bytes);
  const std::size_t free = free_memory();
  if (bytes > free) throw NotPossible(needs + ", free " + size_text(free));
  auto pages = std::make_unique<Pages>(bytes, pages_of);
  if (!pages->mapped()) {
    throw NotPossible(needs + ", which the kernel does not give: " + std::strerror(errno) +
                      " (ulimit -v may limit this process)");
  }
  return pages;
}

}  // namespace ladder::host
