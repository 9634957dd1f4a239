#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "bench/cli/parse.hpp"
#include "bench/plan/plan.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

/// The whole of a regular file: anything else may have no end, or block its reader forever.
std::string content(const std::string& path) {
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path))
    throw UsageError("is not a regular file");
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::streamoff>(file.tellg());
  if (file && size > sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE))
    throw UsageError("is larger than this machine's memory");
  std::string bytes(file ? static_cast<std::size_t>(size) : 0, '\0');
  if (!file || !file.seekg(0).read(bytes.data(), size))
    throw UsageError(concat("cannot be read: ", std::strerror(errno)));
  return bytes;
}

/// The dictionary in a .npy header, a Python literal, as JSON.
Json header_of(std::string_view literal) {
  std::string json;
  for (const char c : literal) {
    if (c == ' ' || c == '\n') continue;
    if ((c == ')' || c == ']' || c == '}') && json.ends_with(',')) json.pop_back();
    constexpr std::string_view python = "'()TF", its_json = "\"[]tf";  // True, False
    const auto known = python.find(c);
    json += known == std::string_view::npos ? c : its_json[known];
  }
  return parsed(json);
}

/// Checks the header of a .npy file of `type` (numpy's format, versions 1 to 3) against the data
/// behind it. Returns the offset of the data.
std::size_t npy_data(std::string_view bytes, Type type) try {
  const auto byte = [&](std::size_t i) -> std::size_t {
    return static_cast<unsigned char>(bytes.at(i));
  };
  const std::size_t version = byte(6), start = version == 1 ? 10 : 12;
  if (version < 1 || version > 3)
    throw UsageError(concat("is .npy version ", version, ", not 1 to 3"));
  std::size_t length = byte(8) | byte(9) << 8;
  if (version > 1) length |= byte(10) << 16 | byte(11) << 24;
  const std::size_t follow = bytes.substr(start + length).size();
  const auto header = header_of(bytes.substr(start, length));
  const auto& element = facts(type);
  if (header.at("descr") != element.npy) {
    throw UsageError(concat("holds ", header["descr"].dump(), ", but ", element.name,
                            element.npy.empty() ? " has no name in .npy" : " is ", element.npy,
                            "; choose the type with --types"));
  }
  if (header.at("fortran_order").get<bool>())
    throw UsageError("is in Fortran order; save it in C order");
  std::size_t size = element.bytes;
  for (const auto& dimension : header.at("shape")) {
    if (!dimension.is_number_unsigned() ||
        __builtin_mul_overflow(size, dimension.get<std::size_t>(), &size))
      size = follow + 1;
  }
  if (size != follow) {
    throw UsageError(concat("has the .npy shape ", header["shape"].dump(), " of ", element.bytes,
                            " bytes each, but ", follow, " bytes follow"));
  }
  return start + length;
} catch (const Json::exception&) {
  throw UsageError("has a .npy header that cannot be understood");
} catch (const std::out_of_range&) {
  throw UsageError("has a .npy header that is cut short");
}

}  // namespace

std::string read_data_file(const std::string& path, Type type) try {
  std::string bytes = content(path);
  if (bytes.starts_with("\x93NUMPY")) {
    bytes.erase(0, npy_data(bytes, type));
  } else if (path.ends_with(".npy")) {
    throw UsageError("is named .npy, but does not begin as such a file does");
  }
  if (bytes.empty()) throw UsageError("holds no elements");
  if (bytes.size() % facts(type).bytes != 0) {
    throw UsageError(
        concat("its size is no multiple of ", facts(type).bytes, " bytes, one ", facts(type).name));
  }
  return bytes;
} catch (const std::runtime_error& error) {
  throw UsageError(concat("--data=file:", path, ": ", error.what()));
}

}  // namespace ladder::bench
