#include "bench/plan/data_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <unistd.h>

#include "bench/cli/parse.hpp"
#include "bench/plan/npy.hpp"
#include "bench/text.hpp"
#include "common/size_text.hpp"

namespace ladder::bench {
namespace {

namespace fs = std::filesystem;

/// A kind of file that is often given by mistake: by how its name ends, or how it begins.
struct Foreign {
  std::string_view extension, magic, what;
};
constexpr std::array foreign{
    Foreign{".npz", {"PK\3\4", 4}, "a zip archive (.npz)"},
    Foreign{".gz", {"\x1f\x8b\x08", 3}, "gzip data"},
    Foreign{".xz", {"\xfd\x37zXZ\0", 6}, "xz data"},
    Foreign{".zst", {"\x28\xb5\x2f\xfd", 4}, "Zstandard data"},
    Foreign{".h5", {"\x89HDF\r\n\x1a\n", 8}, "HDF5 data"},
    Foreign{".csv", "", "comma-separated text"},
    Foreign{".txt", "", "text"},
};

std::string_view kind_of(const fs::file_status& status) {
  switch (status.type()) {
    case fs::file_type::directory:
      return "a directory";
    case fs::file_type::fifo:
      return "a FIFO";
    case fs::file_type::socket:
      return "a socket";
    case fs::file_type::block:
    case fs::file_type::character:
      return "a device";
    default:
      return "no regular file";
  }
}

/// The whole of a regular file. Anything else may have no end, or make the reader wait for ever.
std::vector<std::byte> content(const std::string& what, const std::string& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) throw UsageError(what + ": cannot be read: " + error.message());
  if (!fs::is_regular_file(status))
    throw UsageError(concat(what, ": is ", kind_of(status), ", not a regular file"));
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto size = file.tellg();
  if (!file || size < 0) throw UsageError(what + ": cannot be read: " + std::strerror(errno));
  const auto bytes = static_cast<std::size_t>(size);
  if (bytes == 0) throw UsageError(what + ": is empty");
  const auto memory = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                      static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  if (bytes > memory) {
    throw UsageError(concat(what, ": has ", size_text(bytes), ", more than this machine's memory (",
                            size_text(memory), ")"));
  }
  std::vector<std::byte> all(bytes);
  file.seekg(0).read(reinterpret_cast<char*>(all.data()), size);
  if (!file) throw UsageError(what + ": cannot be read: " + std::strerror(errno));
  return all;
}

void refuse_foreign(const std::string& what, const std::string& path,
                    const std::vector<std::byte>& bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto* known = std::ranges::find_if(foreign, [&](const Foreign& kind) {
    return path.ends_with(kind.extension) || (!kind.magic.empty() && text.starts_with(kind.magic));
  });
  if (known != foreign.end())
    throw UsageError(concat(what, ": holds ", known->what, ", not raw elements or .npy"));
}

}  // namespace

DataFile::DataFile(const std::string& path, Type type) : type_(type) {
  const std::string what = "--data=file:" + path;
  bytes_ = content(what, path);
  refuse_foreign(what, path, bytes_);
  if (is_npy(bytes_)) {
    const auto data = static_cast<std::ptrdiff_t>(npy_data(what, bytes_, type));
    bytes_.erase(bytes_.begin(), bytes_.begin() + data);
  } else if (path.ends_with(".npy")) {
    throw UsageError(what + ": is named .npy, but does not begin as such a file does");
  }
  if (bytes_.empty()) throw UsageError(what + ": holds no elements");
  if (bytes_.size() % facts(type).bytes != 0) {
    throw UsageError(concat(what, ": its size is no multiple of ", facts(type).bytes,
                            " bytes, one ", facts(type).name));
  }
}

}  // namespace ladder::bench
