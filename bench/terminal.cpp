#include "bench/terminal.hpp"

#include <charconv>
#include <cstdlib>
#include <limits>
#include <string_view>

#include <sys/ioctl.h>

namespace ladder::bench {

std::size_t columns_of(int file) {
  winsize size{};
  if (ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* given = std::getenv("COLUMNS");
  const std::string_view text = given == nullptr ? "" : given;
  std::size_t columns = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
  const bool read = error == std::errc{} && end == text.data() + text.size() && columns > 0;
  return read ? columns : std::numeric_limits<std::size_t>::max();
}

}  // namespace ladder::bench
