#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/records/records.hpp"
#include "bench/text.hpp"
#include "common/device/device.hpp"

namespace ladder::bench {
namespace {

/// True if the first line is a record, whole or cut short by a kill. Reads no more than any record
/// has: the file may have no lines.
bool begins_with_record(std::istream& file) {
  std::string begin(std::size_t{1} << 20, '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  const std::string line = begin.substr(0, begin.find('\n'));
  const std::string kind = "\"kind\":";
  return line.starts_with('{') &&
         (line.find(kind) != std::string::npos || ("{" + kind).starts_with(line));
}

}  // namespace

RecordsFile::RecordsFile(const std::string& path) : path_(path) {
  if (path.empty()) return;
  const auto refuse = [&](const std::string& why) {
    if (file_ >= 0) close(file_);
    return NotPossible(concat("--records=", path, ": ", why));
  };
  file_ = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) throw refuse(concat("cannot be written: ", std::strerror(errno)));
  struct stat about {};
  if (fstat(file_, &about) != 0 || !S_ISREG(about.st_mode)) return;  // a device, a pipe
  // Some network file systems have no locks: there the user has to see to it.
  if (flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw refuse("another process is writing to it; name another file, or wait for its end");
  std::ifstream before(path, std::ios::binary);
  if (before && about.st_size > 0) {
    if (!begins_with_record(before))
      throw refuse("holds something else than records; name a new file");
    before.clear();
    torn_ = before.seekg(-1, std::ios::end).get() != '\n';
  }
}

RecordsFile::~RecordsFile() {
  if (file_ >= 0) close(file_);
}

void RecordsFile::append(const std::string& line) {
  if (file_ < 0) return;
  // What follows a line that was cut short must not be glued to it.
  const std::string whole = (torn_ ? "\n" : "") + line + "\n";
  torn_ = false;
  for (std::string_view left = whole; !left.empty();) {
    const auto written = write(file_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      throw NotPossible(concat("--records=", path_, ": writing failed: ", std::strerror(errno)));
    left.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace ladder::bench
