#include "bench/plan/data_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <regex>

#include "bench/selection/parse.hpp"

namespace ladder::bench {
namespace {

/// Checks a .npy header (numpy's format 1.0 to 3.0) against the type and returns the offset of the
/// data.
std::size_t npy_data(const std::string& path, const std::vector<std::byte>& bytes, Type type) {
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(bytes.at(i)); };
  const bool long_header = bytes.size() > 12 && byte(6) >= 2;
  const std::size_t start = long_header ? 12 : 10;
  if (bytes.size() < start)
    throw UsageError("--data=file:" + path + ": the .npy header is cut short");
  std::size_t length = byte(8) | byte(9) << 8;
  if (long_header) length |= byte(10) << 16 | byte(11) << 24;
  if (bytes.size() < start + length)
    throw UsageError("--data=file:" + path + ": the .npy header is cut short");
  const std::string header(reinterpret_cast<const char*>(bytes.data()) + start, length);
  std::smatch found;
  std::regex_search(header, found, std::regex("'descr' *: *'([^']*)'"));
  const std::string got = found.empty() ? "a structure" : found[1].str();
  const std::string wanted(facts(type).npy);
  if (wanted.empty()) {
    throw UsageError("--data=file:" + path + ": a .npy file cannot hold " +
                     std::string(facts(type).name) + "; choose the type with --types");
  }
  if (got != wanted) {
    throw UsageError("--data=file:" + path + ": holds " + got + ", but " +
                     std::string(facts(type).name) + " is " + wanted +
                     "; choose the type with --types");
  }
  if (header.find("'fortran_order': True") != std::string::npos) {
    throw UsageError("--data=file:" + path + ": is in Fortran order; save it in C order");
  }
  return start + length;
}

}  // namespace

DataFile::DataFile(const std::string& path, Type type) : type_(type) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto size = file.tellg();
  if (!file || size < 0)
    throw UsageError("--data=file:" + path + ": cannot be read: " + std::strerror(errno));
  bytes_.resize(static_cast<std::size_t>(size));
  file.seekg(0).read(reinterpret_cast<char*>(bytes_.data()), size);
  if (!file) throw UsageError("--data=file:" + path + ": cannot be read: " + std::strerror(errno));
  static constexpr char magic[] = "\x93NUMPY";
  if (bytes_.size() >= 10 && std::memcmp(bytes_.data(), magic, 6) == 0) {
    bytes_.erase(bytes_.begin(),
                 bytes_.begin() + static_cast<std::ptrdiff_t>(npy_data(path, bytes_, type)));
  }
  if (bytes_.size() % facts(type).bytes != 0) {
    throw UsageError("--data=file:" + path + ": its size is no multiple of " +
                     std::to_string(facts(type).bytes) + " bytes, one " +
                     std::string(facts(type).name));
  }
}

}  // namespace ladder::bench
